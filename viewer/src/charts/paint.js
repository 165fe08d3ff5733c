// Draws series from their own arrays: lines with jumps, steps, stems, markers. A frame has the pen (canvas 2D, device pixels),
// the maps X and Y from values to pixels, the box {left, top, right, bottom} and `ratio`, device pixels per CSS pixel.
const JUMP_DISTANCE = 6; // CSS pixels: nearer jumps get no circles
const LINE_DISTANCE = 4; // CSS pixels between lines of events
const JUMP_ROOM = 10; // CSS pixels per jump: with less the jumps of many points are drawn as lines
const LEAST_JUMP = 1.5; // CSS pixels: smaller jumps are not seen as jumps
const FAR = 1e5; // pixels: beyond it paths lose their precision

const DASHES = { solid: [], dashed: [7, 4], dotted: [1.5, 3.5], 'dash-dot': [7, 3, 1.5, 3] };

// First index with x > value, in increasing x.
export function after(x, value) {
  let low = 0;
  let high = x.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (x[middle] > value) high = middle;
    else low = middle + 1;
  }
  return low;
}

// Indices [first, end) of the points between two values of x, with a neighbour on each side.
export function windowOf(series, low, high) {
  if (!series.sorted) return [0, series.x.length];
  return [Math.max(0, after(series.x, low) - 1), Math.min(series.x.length, after(series.x, high) + 1)];
}

export function frameOf(chart) {
  const { left, top, width, height } = chart.bbox;
  const { x: sx, y: sy } = chart.scales;
  const log = sy.distr === 3;
  const place = log ? Math.log10 : (v) => v;
  const low = place(sy.min);
  const scaleX = width / (sx.max - sx.min);
  const scaleY = height / (place(sy.max) - low);
  const clamp = (v) => Math.min(FAR, Math.max(-FAR, v));
  return {
    pen: chart.ctx,
    ratio: chart.ctx.canvas.width / chart.width,
    left,
    top,
    right: left + width,
    bottom: top + height,
    log,
    X: (v) => clamp(left + (v - sx.min) * scaleX),
    Y: (v) => (log && !(v > 0) ? NaN : clamp(top + height - (place(v) - low) * scaleY)),
    x: [sx.min, sx.max],
  };
}

export function paintSeries(frame, series, colour) {
  const { pen, ratio } = frame;
  pen.save();
  pen.strokeStyle = colour;
  pen.fillStyle = colour;
  pen.lineWidth = 1.6 * ratio;
  pen.lineJoin = 'round';
  pen.setLineDash((series.pattern ?? DASHES[series.dash] ?? []).map((d) => d * ratio));
  const [first, end] = windowOf(series, ...frame.x);
  const painters = {
    line: paintLine,
    steps: paintSteps,
    stems: paintStems,
    markers: paintMarkers,
    points: paintPoints,
    'line-markers': (...all) => {
      paintLine(...all);
      paintMarkers(...all);
    },
  };
  (painters[series.style] ?? paintLine)(frame, series, first, end);
  pen.restore();
}

const dense = (frame, first, end) => end - first > 3 * (frame.right - frame.left);

function paintLine(frame, series, first, end) {
  if (dense(frame, first, end)) return paintColumns(frame, series, first, end);
  const { pen, X, Y } = frame;
  const jumping = new Set(jumpsBetween(frame, series, first, end));
  const jumps = [];
  const alone = []; // points without a neighbour to connect with
  let down = false;
  let run = 0; // points since the last interruption
  const interrupt = (i) => {
    if (run === 1) alone.push(i - 1);
    down = false;
    run = 0;
  };
  pen.beginPath();
  for (let i = first; i < end; i++) {
    const px = X(series.x[i]);
    const py = Y(series.y[i]);
    if (Number.isNaN(py) || series.breaks.has(i)) interrupt(i);
    if (Number.isNaN(py)) continue;
    run += 1;
    const jumped = down && jumping.has(i);
    if (jumped) jumps.push(i);
    if (down && !jumped) pen.lineTo(px, py);
    else pen.moveTo(px, py);
    down = true;
  }
  interrupt(end);
  pen.stroke();
  if (jumps.length > 0) paintJumps(frame, series, jumps);
  pen.setLineDash([]);
  for (const i of alone) circle(frame, series.x[i], series.y[i], true, 1.6);
}

// Jumps at these points: a dotted connection, an open circle at the limit from before, a filled one at the value.
function paintJumps(frame, series, jumps) {
  const { pen, X, Y, ratio } = frame;
  pen.save();
  pen.setLineDash([1.5 * ratio, 3 * ratio]);
  pen.lineWidth = 1.2 * ratio;
  pen.globalAlpha = 0.75;
  pen.beginPath();
  for (const i of jumps) {
    pen.moveTo(X(series.x[i]), Y(series.y[i - 1]));
    pen.lineTo(X(series.x[i]), Y(series.y[i]));
  }
  pen.stroke();
  pen.restore();
  pen.save();
  pen.setLineDash([]);
  pen.lineWidth = 1.3 * ratio;
  const same = (i, k) => i >= 0 && k >= 0 && i < series.x.length && k < series.x.length && series.x[i] === series.x[k];
  jumps.forEach((i, n) => {
    const near = (k) =>
      k >= 0 &&
      k < jumps.length &&
      Math.abs(X(series.x[jumps[k]]) - X(series.x[i])) < JUMP_DISTANCE * ratio &&
      !same(jumps[k], i);
    if (near(n - 1) || near(n + 1)) return;
    const second = same(i - 1, i - 2); // of three points at this time the middle one is the value
    const middle = same(i, i + 1) && series.y[i + 1] !== series.y[i];
    circle(frame, series.x[i], series.y[i - 1], second, 3);
    circle(frame, series.x[i], series.y[i], middle || !second, 3);
  });
  pen.restore();
}

function circle(frame, x, y, filled, radius) {
  const { pen, X, Y, ratio } = frame;
  const colour = pen.fillStyle;
  pen.beginPath();
  pen.arc(X(x), Y(y), radius * ratio, 0, 2 * Math.PI);
  if (!filled) pen.fillStyle = frame.paper;
  pen.fill();
  pen.fillStyle = colour;
  pen.stroke();
}

// Many points: per column of pixels the first, the lowest, the highest and the last one, which look the same.
function paintColumns(frame, series, first, end) {
  const { pen, X, Y, ratio } = frame;
  const jumps = jumpsBetween(frame, series, first, end);
  const apart = jumps.length * JUMP_ROOM * ratio < frame.right - frame.left ? new Set(jumps) : new Set();
  let column = null;
  let low = 0;
  let high = 0;
  let last = 0;
  let down = false;
  const close = () => {
    if (column === null) return;
    pen.lineTo(column, low);
    pen.lineTo(column, high);
    pen.lineTo(column, last);
  };
  pen.beginPath();
  for (let i = first; i < end; i++) {
    const py = Y(series.y[i]);
    const px = Math.round(X(series.x[i]));
    const gap = Number.isNaN(py) || series.breaks.has(i) || apart.has(i);
    if (gap || px !== column) {
      close();
      column = null;
      if (gap) down = false;
      if (Number.isNaN(py)) continue;
      if (down) pen.lineTo(px, py);
      else pen.moveTo(px, py);
      column = px;
      low = high = last = py;
      down = true;
    } else {
      low = Math.min(low, py);
      high = Math.max(high, py);
      last = py;
    }
  }
  close();
  pen.stroke();
  if (apart.size > 0) paintJumps(frame, series, jumps);
}

// Points that are reached by a jump that is seen.
function jumpsBetween(frame, series, first, end) {
  const jumps = [];
  if (!series.jumps || series.style === 'steps') return jumps;
  for (let i = Math.max(1, first); i < end; i++)
    if (
      series.x[i] === series.x[i - 1] &&
      Math.abs(frame.Y(series.y[i]) - frame.Y(series.y[i - 1])) > LEAST_JUMP * frame.ratio
    )
      jumps.push(i);
  return jumps;
}

// Every value holds until the next x.
function paintSteps(frame, series, first, end) {
  if (dense(frame, first, end)) return paintColumns(frame, series, first, end);
  const { pen, X, Y } = frame;
  const runs = []; // paths between interruptions
  let run = null;
  for (let i = first; i < end; i++) {
    const py = Y(series.y[i]);
    if (Number.isNaN(py) || series.breaks.has(i)) run = null;
    if (Number.isNaN(py)) continue;
    const px = X(series.x[i]);
    if (run) run.push([px, run[run.length - 1][1]]);
    else runs.push((run = []));
    run.push([px, py]);
  }
  pen.beginPath();
  for (const path of runs) path.forEach(([px, py], k) => (k === 0 ? pen.moveTo(px, py) : pen.lineTo(px, py)));
  pen.stroke();
  if (!series.filled || !series.shaded) return;
  pen.globalAlpha = 0.14;
  const base = Y(0);
  for (const path of runs) {
    pen.beginPath();
    pen.moveTo(path[0][0], base);
    for (const [px, py] of path) pen.lineTo(px, py);
    pen.lineTo(path[path.length - 1][0], base);
    pen.fill();
  }
}

// Atoms of a measure: strokes from 0, with a head where there is room.
function paintStems(frame, series, first, end) {
  const { pen, X, Y, ratio } = frame;
  const base = frame.log ? frame.bottom : Y(0);
  pen.setLineDash([]);
  pen.beginPath();
  let crowded = false;
  for (let i = first, last = -Infinity; i < end; i++) {
    const px = X(series.x[i]);
    const py = Y(series.y[i]);
    if (Number.isNaN(py)) continue;
    if (px - last < 2 * ratio && last !== px) crowded = true;
    last = px;
    pen.moveTo(px, base);
    pen.lineTo(px, py);
  }
  pen.stroke();
  if (crowded && end - first > 200) return;
  for (let i = first; i < end; i++)
    if (!Number.isNaN(Y(series.y[i]))) circle(frame, series.x[i], series.y[i], true, 2.4);
}

function paintMarkers(frame, series, first, end) {
  frame.pen.setLineDash([]);
  if (dense(frame, first, end)) return paintPoints(frame, series, first, end);
  for (let i = first; i < end; i++)
    if (!Number.isNaN(frame.Y(series.y[i]))) circle(frame, series.x[i], series.y[i], true, 2.2);
}

function paintPoints(frame, series, first, end) {
  const { pen, X, Y, ratio } = frame;
  const size = 1.6 * ratio;
  for (let i = first; i < end; i++) {
    const py = Y(series.y[i]);
    if (!Number.isNaN(py)) pen.fillRect(X(series.x[i]) - size / 2, py - size / 2, size, size);
  }
}

// Faint vertical lines at times (increasing), fainter when there are many.
export function paintTimes(frame, times, colour, pattern) {
  const { pen, X, ratio } = frame;
  const pixels = []; // some pixels apart, so that accumulations do not become a wall
  for (const t of times) {
    const px = Math.round(X(t));
    if (t >= frame.x[0] && t <= frame.x[1] && !(px - pixels[pixels.length - 1] < LINE_DISTANCE * ratio))
      pixels.push(px);
  }
  const share = (pixels.length * ratio) / (frame.right - frame.left);
  pen.save();
  pen.strokeStyle = colour;
  pen.setLineDash((pattern ?? []).map((d) => d * ratio));
  pen.globalAlpha = share > 0.1 ? 0.2 : 0.3;
  pen.lineWidth = Math.max(1, Math.round(ratio));
  pen.beginPath();
  for (const px of pixels) {
    pen.moveTo(px + 0.5, frame.top);
    pen.lineTo(px + 0.5, frame.bottom);
  }
  pen.stroke();
  pen.restore();
}

// Straight lines across the panel with their labels, at the right end or the top.
export function paintRules(frame, rules, ink, font) {
  const { pen, X, Y, ratio } = frame;
  pen.save();
  pen.strokeStyle = ink;
  pen.fillStyle = ink;
  pen.lineWidth = ratio;
  pen.font = font;
  for (const rule of rules) {
    const at = rule.vertical ? X(rule.value) : Y(rule.value);
    const inside = rule.vertical ? at >= frame.left && at <= frame.right : at >= frame.top && at <= frame.bottom;
    if (!inside) continue;
    pen.setLineDash([5 * ratio, 3 * ratio]);
    pen.beginPath();
    pen.moveTo(rule.vertical ? at : frame.left, rule.vertical ? frame.top : at);
    pen.lineTo(rule.vertical ? at : frame.right, rule.vertical ? frame.bottom : at);
    pen.stroke();
    if (!rule.label) continue;
    pen.textAlign = rule.vertical ? 'left' : 'right';
    const above = rule.vertical || at - frame.top > 16 * ratio;
    pen.textBaseline = rule.vertical ? 'top' : above ? 'bottom' : 'top';
    if (rule.vertical) pen.fillText(rule.label, at + 4 * ratio, frame.top + 2 * ratio);
    else pen.fillText(rule.label, frame.right - 4 * ratio, at + (above ? -3 : 3) * ratio);
  }
  pen.restore();
}
