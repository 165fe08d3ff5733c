// The time series of the page: panels in groups, one range and one cursor for all; several records overlaid or side by side.
import { el } from '../dom.js';
import { icon } from '../icons.js';
import { theme } from '../theme.js';
import { timeFormat } from '../format.js';
import { eventTimes } from '../events.js';
import { openSeries } from './series.js';
import { createTimeChart } from './time.js';
import { gutter } from './plot.js';

const GROUPS = [
  ['motion', 'Motion'],
  ['reaction', 'Reactions'],
  ['energy', 'Energy'],
  ['residual', 'Residual'],
  ['other', 'Further quantities'],
];
const MOST_SHADED = 2; // records: the areas and event lines of more would hide each other

const keyOf = (panel) => [panel.group, panel.name, panel.unit, panel.log, (panel.names ?? []).join()].join('\n');

// Rows of panels: one per quantity, with the panel of each record that has it. Numbers are opened here.
async function openRows(records) {
  const rows = new Map();
  for (const [record, { panels }] of records.entries())
    for (const source of panels ?? []) {
      const series = await Promise.all(source.series.map((one) => openSeries(one, source, record)));
      const key = keyOf(source);
      if (!rows.has(key)) rows.set(key, { group: source.group, panels: [] });
      rows.get(key).panels.push({ ...source, rules: source.rules ?? [], series, record });
    }
  return [...rows.values()];
}

const colourOf = (k) => {
  const { palette } = theme();
  return palette[Math.max(0, k - 1) % palette.length];
};

// One panel of one record as it is.
function single(panel, records, titled) {
  for (const series of panel.series) {
    series.name = series.label || panel.label;
    series.heading = '';
    series.shaded = true;
    series.pattern = null;
  }
  return {
    ...panel,
    times: [{ at: eventTimes(records[panel.record]), colour: () => theme().event }],
    title: titled ? records[panel.record].label : '',
    colour: (series) => colourOf(series.colour),
  };
}

// The panels of all records in one: the colour says which component a curve is, the dash which record.
function overlaid(row, records) {
  if (row.panels.length === 1 && records.length === 1) return single(row.panels[0], records, false);
  const all = row.panels.flatMap((panel) => panel.series);
  const alone = row.panels.every((panel) => panel.series.length === 1);
  const few = row.panels.length <= MOST_SHADED;
  for (const series of all) {
    const of = records[series.record].label;
    series.name = alone ? of : series.label || row.panels[0].label;
    series.heading = alone ? '' : of;
    series.shaded = few;
    series.pattern = records[series.record].pattern;
  }
  const rules = row.panels.flatMap((panel) => panel.rules);
  const fresh = rules.filter(
    (rule, k) => rules.findIndex((other) => JSON.stringify(other) === JSON.stringify(rule)) === k,
  );
  const notes = [...new Set(row.panels.map((panel) => panel.note).filter(Boolean))].join(' ');
  return {
    ...row.panels[0],
    series: all,
    rules: fresh,
    note: notes,
    times: (few ? row.panels : []).map((panel) => ({
      at: eventTimes(records[panel.record]),
      colour: () => theme().event,
      pattern: records[panel.record].pattern,
    })),
    colour: (series) => (isCloud(series) ? records[series.record].colour() : colourOf(series.colour)),
  };
}

// Points without lines, which have no dash.
const isCloud = (series) => series.style === 'markers' || series.style === 'points';

function toolbar(shared, modes) {
  const { range } = shared;
  const button = (name, label, action) =>
    el('button', { type: 'button', class: 'tool', 'aria-label': label, title: label, onclick: action }, icon(name));
  const read = el('output', { class: 'range', 'aria-live': 'off' });
  const reset = button('whole', 'Show the whole time', () => range.reset());
  const show = () => {
    const time = timeFormat([range.low, range.high]);
    read.textContent = `t = ${time(range.low)} … ${time(range.high)}${shared.timeUnit ? `\u202f${shared.timeUnit}` : ''}`;
    reset.disabled = range.whole();
  };
  range.subscribe(show);
  show();
  return el(
    'div',
    { class: 'toolbar', role: 'toolbar', 'aria-label': 'Range of the time series' },
    modes,
    read,
    button('left', 'Earlier', () => range.pan(-0.5)),
    button('right', 'Later', () => range.pan(0.5)),
    button('in', 'Zoom in', () => range.zoom(0.5, inRange(shared))),
    button('out', 'Zoom out', () => range.zoom(2)),
    reset,
  );
}

// Zooming in keeps the clock's time where it is when it is seen.
function inRange({ clock, range }) {
  return clock.t >= range.low && clock.t <= range.high ? clock.t : undefined;
}

function modeSwitch(changed) {
  const choices = [
    ['overlaid', 'Overlaid'],
    ['beside', 'Side by side'],
  ];
  return el(
    'div',
    { class: 'switch', role: 'radiogroup', 'aria-label': 'Records' },
    choices.map(([value, label], k) =>
      el(
        'label',
        {},
        el('input', { type: 'radio', name: 'record-mode', value, checked: k === 0, onchange: () => changed(value) }),
        el('span', {}, label),
      ),
    ),
  );
}

// Returns {element, groups: Map of group to its section, tick(), read()}; records have `label` and `colour()`.
export function createTimeSection(records, shared) {
  const body = el('div', { class: 'groups' });
  let charts = [];
  let rows = [];
  const groups = new Map();
  const build = (mode) => {
    charts.forEach((chart) => chart.dispose());
    charts = [];
    for (const [group, element] of groups) {
      const mine = rows.filter((row) => (GROUPS.some(([name]) => name === row.group) ? row.group : 'other') === group);
      element.replaceChildren(...mine.map((row, k) => rowElement(row, mode, k === mine.length - 1)));
    }
    charts.forEach((chart) => chart.start());
  };
  const rowElement = (row, mode, last) => {
    const panels =
      mode === 'beside' ? row.panels.map((panel) => single(panel, records, true)) : [overlaid(row, records)];
    const made = panels.map((panel) => createTimeChart(panel, panels, shared, last));
    charts.push(...made);
    return el(
      'div',
      { class: panels.length > 1 ? 'row beside' : 'row' },
      made.map((chart) => chart.element),
    );
  };
  const several = records.length > 1;
  const head = el(
    'div',
    { class: 'section-head' },
    el('h2', { id: 'series' }, 'Time series'),
    toolbar(shared, several && modeSwitch(build)),
  );
  const element = el(
    'section',
    { class: 'series', 'aria-labelledby': 'series' },
    head,
    body,
    el(
      'p',
      { class: 'quiet hint' },
      'Drag to zoom, double-click for the whole time, Ctrl and wheel to zoom at the cursor, click to set the clock.',
    ),
  );
  const ready = openRows(records).then((opened) => {
    rows = opened;
    shared.gutter = () => gutterFor(rows);
    for (const [name, title] of GROUPS) {
      if (
        !rows.some((row) => row.group === name || (name === 'other' && !GROUPS.some(([known]) => known === row.group)))
      )
        continue;
      const holder = el('div', { class: 'rows' });
      groups.set(name, holder);
      body.append(
        el(
          'section',
          { class: 'group', 'aria-labelledby': `group-${name}` },
          el('h3', { id: `group-${name}` }, title),
          holder,
          el('div', { class: 'after', id: `after-${name}` }),
        ),
      );
    }
    build('overlaid');
  });
  return {
    element,
    ready,
    tick: () => charts.forEach((chart) => chart.tick()),
    read: () => charts.forEach((chart) => chart.read()),
  };
}

// Room for the longest name on an axis.
function gutterFor(rows) {
  const longest = Math.max(
    0,
    ...rows.flatMap((row) => row.panels.flatMap((panel) => (panel.names ?? []).map((name) => name.length))),
  );
  return Math.min(window.innerWidth < 600 ? 84 : 104, Math.max(gutter(), 24 + 6.5 * Math.min(12, longest)));
}
