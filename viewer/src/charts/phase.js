// Phase plots: two columns of the state in their plane, with start, end, jumps and a dot at the clock's time.
import { el } from '../dom.js';
import { numbers } from '../data.js';
import { theme, onTheme } from '../theme.js';
import { number, withUnit } from '../format.js';
import { createPlot, padded } from './plot.js';
import { after } from './paint.js';

const HEIGHT = 340;
const ROUNDING = 1e-9; // of the largest change of a column with the same unit
const MOST_TRIED = 40; // columns of the state that are looked at for what to show first

const named = (column) => (column.unit ? `${column.name} in ${column.unit}` : column.name);

// Curves {record, t, x, y} of the records that have both columns.
async function openCurves(records, xName, yName) {
  const curves = [];
  for (const record of records) {
    const columns = record.state?.columns ?? [];
    const pick = (name) => columns.find((column) => column.name === name);
    if (!pick(xName) || !pick(yName)) continue;
    const [t, x, y] = await Promise.all([
      numbers(record.state.t),
      numbers(pick(xName).values),
      numbers(pick(yName).values),
    ]);
    curves.push({ record, t, x, y });
  }
  return curves;
}

function bounds(curves, member) {
  let low = Infinity;
  let high = -Infinity;
  for (const curve of curves)
    for (const v of curve[member]) {
      if (v < low) low = v;
      if (v > high) high = v;
    }
  return high >= low ? padded(low, high, false) : [0, 1];
}

// Points nearer than this many pixels to the one before are left out of the path.
const NEAR = 0.4;

function paintCurve(frame, curve, colour, pattern) {
  const { pen, X, Y, ratio } = frame;
  const jumps = [];
  pen.save();
  pen.strokeStyle = colour;
  pen.fillStyle = colour;
  pen.lineWidth = 1.5 * ratio;
  pen.lineJoin = 'round';
  pen.setLineDash((pattern ?? []).map((d) => d * ratio));
  pen.beginPath();
  let px = NaN;
  let py = NaN;
  for (let i = 0; i < curve.t.length; i++) {
    const nx = X(curve.x[i]);
    const ny = Y(curve.y[i]);
    const jumped =
      i > 0 && curve.t[i] === curve.t[i - 1] && Math.hypot(X(curve.x[i - 1]) - nx, Y(curve.y[i - 1]) - ny) > ratio;
    if (jumped) {
      pen.lineTo(X(curve.x[i - 1]), Y(curve.y[i - 1]));
      jumps.push(i);
      pen.moveTo(nx, ny);
    } else if (Number.isNaN(px)) pen.moveTo(nx, ny);
    else if (Math.hypot(nx - px, ny - py) < NEAR * ratio && i < curve.t.length - 1) continue;
    else pen.lineTo(nx, ny);
    px = nx;
    py = ny;
  }
  pen.stroke();
  pen.setLineDash([1.5 * ratio, 3 * ratio]);
  pen.lineWidth = ratio;
  pen.globalAlpha = 0.7;
  pen.beginPath();
  for (const i of jumps) {
    pen.moveTo(X(curve.x[i - 1]), Y(curve.y[i - 1]));
    pen.lineTo(X(curve.x[i]), Y(curve.y[i]));
  }
  pen.stroke();
  pen.restore();
}

// A ring where it begins, a square where it ends.
function paintEnds(frame, curve, colour, paper) {
  const { pen, X, Y, ratio } = frame;
  const last = curve.t.length - 1;
  pen.save();
  pen.lineWidth = 2 * ratio;
  pen.strokeStyle = colour;
  pen.fillStyle = paper;
  pen.beginPath();
  pen.arc(X(curve.x[0]), Y(curve.y[0]), 5 * ratio, 0, 2 * Math.PI);
  pen.fill();
  pen.stroke();
  const side = 8 * ratio;
  pen.beginPath();
  pen.rect(X(curve.x[last]) - side / 2, Y(curve.y[last]) - side / 2, side, side);
  pen.fill();
  pen.stroke();
  pen.restore();
}

// Where the curve is at t; at a jump after it.
function placeAt(curve, t) {
  const end = after(curve.t, t);
  const i = Math.max(0, end - 1);
  if (end === 0 || end === curve.t.length) return [curve.x[i], curve.y[i]];
  const share = (t - curve.t[i]) / (curve.t[end] - curve.t[i]);
  return [curve.x[i] + share * (curve.x[end] - curve.x[i]), curve.y[i] + share * (curve.y[end] - curve.y[i])];
}

// The time at which a curve is nearest to a place on the screen.
function timeNear(curves, plot, x, y) {
  let best = null;
  let distance = Infinity;
  for (const curve of curves)
    for (let i = 0; i < curve.t.length; i++) {
      const d = Math.hypot(
        plot.valToPos(curve.x[i], 'x') - plot.valToPos(x, 'x'),
        plot.valToPos(curve.y[i], 'y') - plot.valToPos(y, 'y'),
      );
      if (d < distance) [distance, best] = [d, curve.t[i]];
    }
  return distance < 40 ? best : null;
}

function chooser(label, names, value, changed) {
  const select = el(
    'select',
    {},
    names.map((name) => el('option', { value: name, selected: name === value }, name)),
  );
  select.addEventListener('change', () => changed(select.value));
  return el('label', {}, `${label} `, select);
}

function createPhase(records, names, start, clock) {
  const chosen = { x: start[0], y: start[1] };
  const host = el('div', { class: 'plot' });
  const read = el('output', { class: 'quiet phase-read', 'aria-live': 'off' });
  const pick = (member, label) =>
    chooser(label, names, chosen[member], (name) => {
      chosen[member] = name;
      build();
    });
  const element = el(
    'div',
    { class: 'phase' },
    el('div', { class: 'phase-head' }, pick('x', 'Across'), pick('y', 'Up'), read),
    host,
  );
  let made = null;
  let curves = [];
  let dots = [];
  const tick = () => {
    if (!made) return;
    curves.forEach((curve, k) => {
      const [x, y] = placeAt(curve, clock.t);
      dots[k].style.transform =
        `translate(${made.plot.valToPos(x, 'x').toFixed(2)}px, ${made.plot.valToPos(y, 'y').toFixed(2)}px)`;
    });
  };
  const colourDots = () =>
    dots.forEach((dot, k) => {
      dot.style.background = theme().palette[0];
      dot.title = curves[k].record.label ?? '';
    });
  const build = async () => {
    const opened = await openCurves(records, chosen.x, chosen.y);
    made?.dispose();
    curves = opened;
    if (curves.length === 0) return;
    const whole = () => [bounds(curves, 'x'), bounds(curves, 'y')];
    const column = (name) => curves[0].record.state.columns.find((one) => one.name === name);
    const [xs, ys] = [column(chosen.x), column(chosen.y)];
    const [x, y] = whole();
    made = createPlot({
      host,
      height: HEIGHT,
      x,
      y,
      dragY: true,
      xLabel: named(xs),
      yLabel: named(ys),
      paint: (frame) => {
        const [colour] = theme().palette;
        for (const curve of curves) paintCurve(frame, curve, colour, curve.record.pattern);
        for (const curve of curves) paintEnds(frame, curve, colour, theme().paper);
      },
      hover: (hx, hy) => {
        read.textContent =
          hx === null ? '' : `${withUnit(number(hx, 4), xs.unit)}, ${withUnit(number(hy, 4), ys.unit)}`;
      },
      click: (cx, cy) => {
        const t = timeNear(curves, made.plot, cx, cy);
        if (t !== null) clock.seek(t);
      },
      select: (x0, x1, y0, y1) => {
        made.set([x0, x1], [y0, y1]);
        tick();
      },
      reset: () => {
        made.set(...whole());
        tick();
      },
    });
    made.plot.root.querySelector('canvas').setAttribute('aria-label', `${chosen.y} over ${chosen.x}`);
    dots = curves.map(() => el('div', { class: 'phase-dot' }));
    made.plot.over.append(...dots);
    made.plot.hooks.setSize = [tick];
    colourDots();
    tick();
  };
  onTheme(colourDots);
  return { element, build, tick };
}

// How far the values of a column are from each other.
async function spreadOf(column) {
  let low = Infinity;
  let high = -Infinity;
  for (const v of await numbers(column.values)) {
    if (v < low) low = v;
    if (v > high) high = v;
  }
  return Math.max(0, high - low);
}

// Names of the columns that change, among the first ones: by more than the rounding of the others with their unit.
async function moving(record) {
  const columns = (record.state?.columns ?? []).slice(0, MOST_TRIED);
  const spreads = await Promise.all(columns.map(spreadOf));
  const most = new Map();
  columns.forEach(({ unit }, k) => most.set(unit, Math.max(most.get(unit) ?? 0, spreads[k])));
  return columns.filter(({ unit }, k) => spreads[k] > ROUNDING * most.get(unit)).map(({ name }) => name);
}

// The plots that a state asks for: a coordinate and its velocity (z and z', ball.x and ball.vx), then the first two coordinates.
function firstChoices(names) {
  const velocity = (name) => names.find((other) => other === `${name}'` || other === name.replace(/([^.]*)$/, 'v$1'));
  const list = [];
  const first = names.find((name) => velocity(name));
  if (first) list.push([first, velocity(first)]);
  const others = names.filter((name) => !name.endsWith("'"));
  if (others.length > 1) list.push([others[0], others[1]]);
  if (list.length === 0 && names.length > 1) list.push([names[0], names[1]]);
  return list;
}

export function createPhaseSection(records, clock) {
  const names = [...new Set(records.flatMap((record) => (record.state?.columns ?? []).map((column) => column.name)))];
  if (names.length < 2) return null;
  let plots = [];
  const grid = el('div', { class: 'phase-grid' });
  const element = el(
    'section',
    { class: 'phases', 'aria-labelledby': 'phase' },
    el('h2', { id: 'phase' }, 'Phase plots'),
    el('p', { class: 'quiet' }, 'Ring: start. Square: end. Dot: now. Dotted: jumps.'),
    grid,
  );
  const start = async () => {
    const lively = await moving(records.find((record) => record.state?.columns?.length > 1) ?? records[0]);
    plots = firstChoices(lively.length > 1 ? lively : names).map((pair) => createPhase(records, names, pair, clock));
    grid.append(...plots.map((plot) => plot.element));
    await Promise.all(plots.map((plot) => plot.build()));
  };
  return { element, ready: start(), tick: () => plots.forEach((plot) => plot.tick()) };
}
