// A uPlot with axes, cursor and selection whose contents are drawn by ourselves: uPlot wants one table of x for all series,
// records have series with times of their own and several values at the same time.
import uPlot from 'uplot';
import { el } from '../dom.js';
import { theme, onTheme } from '../theme.js';
import { power, tickLabels } from '../format.js';
import { frameOf } from './paint.js';

export const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif';
// CSS pixels for the labels of the y axis: the same everywhere, so that times are above each other.
export const gutter = () => (window.innerWidth < 600 ? 54 : 66);
const CLICK = 4; // pixels that a click may move

// options: host, height, gutter, x: [low, high], y: [low, high], log, names (a Map of values to names), whole (values are
// integers), xLabel, yLabel, dragY, paint(frame), hover(x, y) or hover(null), cursorText(x), select(x0, x1, y0, y1),
// click(x, y), reset(), wheel(factor, x).
export function createPlot(options) {
  const { host } = options;
  const plot = new uPlot(
    settings(options),
    [
      [options.x[0], options.x[1]],
      [null, null],
    ],
    host,
  );
  const size = () => {
    const width = Math.floor(host.clientWidth);
    if (width > 40 && (width !== plot.width || options.height !== plot.height))
      plot.setSize({ width, height: options.height });
  };
  const observer = new ResizeObserver(size);
  observer.observe(host);
  listen(plot, options);
  const ends = [onTheme(() => plot.redraw(false, true)), () => observer.disconnect(), () => plot.destroy()];
  return {
    plot,
    set(x, y) {
      plot.batch(() => {
        plot.setScale('x', { min: x[0], max: x[1] });
        plot.setScale('y', { min: y[0], max: y[1] });
      });
    },
    redraw: () => plot.redraw(false, false),
    dispose: () => ends.forEach((end) => end()),
  };
}

function settings(options) {
  const { host, names, log } = options;
  const font = `12px ${FONT}`;
  const axis = {
    stroke: () => theme().muted,
    font,
    ticks: { stroke: () => theme().faint, size: 5 },
    grid: { stroke: () => theme().faint, width: 1 },
  };
  const label = (text) => (text ? { label: text, labelFont: font, labelSize: 20, labelGap: 0 } : {});
  return {
    width: Math.max(120, Math.floor(host.clientWidth)),
    height: options.height,
    padding: [10, 14, options.xLabel ? 0 : 2, 0],
    legend: { show: false },
    cursor: {
      y: Boolean(options.dragY),
      points: { show: false },
      drag: { x: true, y: Boolean(options.dragY), setScale: false, dist: CLICK },
      bind: { dblclick: () => () => options.reset?.() },
    },
    scales: {
      x: { time: false, auto: false, min: options.x[0], max: options.x[1] },
      y: { auto: false, min: options.y[0], max: options.y[1], distr: log ? 3 : 1 },
    },
    axes: [
      {
        ...axis,
        ...label(options.xLabel),
        size: 28,
        space: 64,
        gap: 4,
        values: (u, splits, k, space, step) => tickLabels(splits, step),
      },
      { ...axis, ...label(options.yLabel), size: options.gutter ?? gutter(), gap: 6, ...ySettings(options) },
    ],
    series: [{}, { paths: () => null, points: { show: false } }],
    hooks: {
      draw: [(u) => draw(u, options)],
      setSelect: [(u) => selected(u, options)],
    },
  };
}

function ySettings({ names, log, whole }) {
  if (names)
    return {
      splits: (u) => [...names.keys()].filter((k) => k >= u.scales.y.min && k <= u.scales.y.max),
      values: (u, splits) => splits.map((k) => shortened(names.get(k))),
    };
  if (log) return { splits: powers, filter: (u, splits) => splits, values: (u, splits) => splits.map(powerLabel) };
  const steps = whole
    ? { incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9] }
    : {};
  return { ...steps, space: 30, values: (u, splits, k, space, step) => tickLabels(splits, step) };
}

const shortened = (text) => (text.length > 12 ? `${text.slice(0, 11)}…` : text);

// Powers of ten about 26 pixels apart; within two decades also 2 and 5 times them.
function powers(u) {
  const { min, max } = u.scales.y;
  const decades = Math.log10(max / min);
  const every = Math.max(1, Math.ceil(decades / Math.max(2, (u.height - 50) / 26)));
  const list = [];
  for (let exponent = Math.floor(Math.log10(min)); exponent <= Math.log10(max); exponent++)
    for (const factor of decades < 2 ? [1, 2, 5] : [1]) {
      const value = Number(`${factor}e${exponent}`);
      if (((exponent % every) + every) % every === 0 && value >= min && value <= max) list.push(value);
    }
  return list;
}

function powerLabel(value) {
  const exponent = Math.floor(Math.log10(value) + 1e-9);
  const factor = Math.round(value / 10 ** exponent);
  return factor === 1 ? power(exponent) : `${factor}·${power(exponent)}`;
}

function draw(u, options) {
  const frame = { ...frameOf(u), paper: theme().paper };
  u.ctx.save();
  u.ctx.beginPath();
  u.ctx.rect(frame.left - 4, frame.top - 4, frame.right - frame.left + 8, frame.bottom - frame.top + 8);
  u.ctx.clip();
  options.paint(frame);
  u.ctx.restore();
}

function selected(u, options) {
  const { left, top, width, height } = u.select;
  if (width <= CLICK && height <= CLICK) return;
  const x = [u.posToVal(left, 'x'), u.posToVal(left + width, 'x')];
  const y = [u.posToVal(top + height, 'y'), u.posToVal(top, 'y')];
  u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  options.select?.(...x, ...y);
}

function listen(u, options) {
  let pressed = null;
  const tag = el('div', { class: 'cursor-tag', hidden: true });
  if (options.cursorText) u.over.append(tag);
  const at = (event) => {
    const box = u.over.getBoundingClientRect();
    return [u.posToVal(event.clientX - box.left, 'x'), u.posToVal(event.clientY - box.top, 'y')];
  };
  u.over.addEventListener('mousemove', (event) => {
    const place = at(event);
    options.hover?.(...place);
    if (!options.cursorText) return;
    tag.hidden = false;
    tag.textContent = options.cursorText(place[0]);
    tag.style.left = `${event.clientX - u.over.getBoundingClientRect().left}px`;
  });
  const hide = () => {
    tag.hidden = true;
  };
  u.hooks.setSelect?.push(hide);
  u.over.addEventListener('dblclick', hide);
  u.over.addEventListener('mouseleave', () => {
    hide();
    options.hover?.(null);
  });
  u.over.addEventListener('mousedown', (event) => {
    pressed = [event.clientX, event.clientY];
  });
  u.over.addEventListener('click', (event) => {
    if (pressed && Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) > CLICK) return;
    options.click?.(...at(event));
  });
  u.over.addEventListener(
    'wheel',
    (event) => {
      if (!event.ctrlKey || !options.wheel) return; // without Ctrl the page scrolls
      event.preventDefault();
      options.wheel(event.deltaY > 0 ? 1.25 : 0.8, at(event)[0]);
    },
    { passive: false },
  );
  u.root.querySelector('canvas').setAttribute('role', 'img');
}

// A range with some air around it.
export function padded(low, high, log) {
  if (log) {
    const margin = Math.max(0.08 * Math.log10(high / low), 0.25);
    return [low / 10 ** margin, high * 10 ** margin];
  }
  const length = high - low;
  const margin =
    length > 1e-12 * Math.max(Math.abs(low), Math.abs(high)) ? 0.07 * length : Math.max(Math.abs(low) * 0.1, 1e-300);
  return low === 0 && high === 0 ? [-1, 1] : [low - margin, high + margin];
}
