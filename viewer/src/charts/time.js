// One panel of time series: chart, legend beside it, the line of the clock.
import { el } from '../dom.js';
import { theme, onTheme } from '../theme.js';
import { plural, quantity, words } from '../format.js';
import { createLegend } from './legend.js';
import { FONT, padded } from './plot.js';
import { createTimePlot } from './timeplot.js';
import { paintRules, paintSeries, paintTimes } from './paint.js';
import { extent, valueAt } from './series.js';

const NEAR = 4; // pixels around the cursor that count as under it

// panel: {label, unit, log, names, rules, note, series (open), times of events, colour(series)}; peers: panels beside it that
// have the same range of y (with this one); last: of its group, which has the label of the axis. start() when it is on the page.
export function createTimeChart(panel, peers, shared, last) {
  const { range, pointer, clock } = shared;
  const host = el('div', { class: 'plot' });
  const entries = panel.series.map((series) => ({
    series,
    label: words(series.name),
    colour: () => panel.colour(series),
  }));
  let made = null;
  const legend = createLegend(entries, panel.unit, panel.names, () => {
    made.refresh();
    read();
  });
  // The values at the mouse, otherwise at the clock's time.
  const read = () => {
    const near = pointer.t === null ? 0 : (NEAR * (range.high - range.low)) / made.width();
    legend.show((series) => valueAt(series, pointer.t ?? clock.t, near));
  };
  const start = () => {
    made = createTimePlot(
      {
        host,
        height: heightOf(panel, entries.length),
        limits: () => limitsOf(panel, peers, range),
        log: panel.log,
        names: panel.names && new Map(panel.names.entries()),
        whole: panel.series.every((series) => series.whole),
        xLabel: last ? `t${shared.timeUnit ? ` in ${shared.timeUnit}` : ''}` : '',
        description: description(panel, range),
        paint: (frame) => paintPanel(frame, panel),
        changed: read,
      },
      shared,
    );
    read();
  };
  const ends = [onTheme(() => legend.paint()), () => made?.dispose()];
  return {
    element: frameOf(panel, host, legend),
    start,
    tick: () => made.place(),
    read,
    dispose: () => ends.forEach((end) => end()),
  };
}

function frameOf(panel, host, legend) {
  const remark = [panel.note, zeros(panel)].filter(Boolean).join(' ');
  const heading = el(
    'h4',
    {},
    words(panel.label),
    panel.unit && el('span', { class: 'unit' }, ` ${panel.unit}`),
    panel.title && el('span', { class: 'of' }, panel.title),
  );
  return el(
    'div',
    { class: 'panel' },
    heading,
    el('div', { class: 'panel-body' }, host, legend.element),
    remark && el('p', { class: 'quiet' }, remark),
  );
}

const heightOf = (panel, entries) =>
  panel.names ? Math.max(110, 46 + 24 * panel.names.length) : Math.min(400, Math.max(200, 22 * entries + 90));

// What a logarithmic axis cannot show.
function zeros(panel) {
  if (!panel.log) return '';
  let count = 0;
  for (const series of panel.series) for (const y of series.y) if (y <= 0) count += 1;
  return count > 0
    ? `${plural(count, 'value')} of 0 ${count === 1 ? 'has' : 'have'} no place on the logarithmic axis.`
    : '';
}

function limitsOf(panel, peers, range) {
  if (panel.names) return [-0.5, panel.names.length - 0.5];
  const all = peers.flatMap((peer) => peer.series);
  const found = extent(all, range.low, range.high, panel.log) ?? (panel.log ? [0.1, 1] : [0, 1]);
  for (const rule of panel.rules) {
    if (rule.vertical || (panel.log && !(rule.value > 0))) continue;
    const length = Math.max(found[1] - found[0], 1e-300);
    const near = panel.log || (rule.value > found[0] - 2 * length && rule.value < found[1] + 2 * length);
    if (near) {
      // rules far from the data would hide what the data do
      found[0] = Math.min(found[0], rule.value);
      found[1] = Math.max(found[1], rule.value);
    }
  }
  return padded(found[0], found[1], panel.log);
}

function paintPanel(frame, panel) {
  const colours = theme();
  for (const times of panel.times) paintTimes(frame, times.at, times.colour(), times.pattern);
  paintRules(frame, panel.rules, colours.muted, `${11 * frame.ratio}px ${FONT}`);
  for (const series of panel.series) if (series.visible) paintSeries(frame, series, panel.colour(series));
}

function description(panel, range) {
  const found = extent(panel.series, range.low, range.high, panel.log);
  const span = found ? `, from ${quantity(found[0], panel.unit)} to ${quantity(found[1], panel.unit)}` : '';
  return `${panel.label}: ${panel.series.map((series) => series.name).join(', ')}${span}`;
}
