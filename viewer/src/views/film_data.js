// The drawing of a record over time: marks whose numbers are those of the frame, or between two frames.
const SCALED = ['force', 'velocity', 'normal'];
const ARROW = 0.16; // length of the longest scaled arrow, of the size of its panel: as in thud's pictures
const HEIGHT = 0.35; // stretched heights in space, of the size of the panel

export const isScaled = (mark) => mark.kind === 'arrow' && SCALED.includes(mark.paint);

export async function openFilm(source, numbers) {
  const t = await numbers(source.t);
  const panels = source.panels.map((panel) => ({ ...panel, low: [...panel.low], high: [...panel.high], dimension: panel.space ? 3 : 2 }));
  const marks = await Promise.all(source.marks.map((mark) => openMark(mark, numbers)));
  for (const panel of panels) scalePanel(panel);
  for (const mark of marks) if (mark.kind === 'arrow') widenByTips(panels[mark.panel], mark);
  for (const panel of panels) frameSpace(panel);
  return new Film(t, panels, marks);
}

async function openMark(mark, numbers) {
  const [values, ends, triangles] = await Promise.all([mark.values, mark.ends, mark.triangles].map(numbers));
  return { ...mark, values, ends: mark.ends ? ends : null, triangles, visible: true, now: new Float32Array(0), shown: 0 };
}

// Sizes by which arrows are measured: equal where the scales are; in space heights may be stretched.
function scalePanel(panel) {
  const extents = panel.low.map((low, k) => panel.high[k] - low);
  const counted = panel.space && panel.stretched ? extents.slice(0, 2) : extents;
  const largest = Math.max(...counted) || 1;
  panel.lift = panel.space && panel.stretched && extents[2] > 0 ? (HEIGHT * largest) / extents[2] : 1;
  panel.sizes = extents.map((x) => (panel.stretched && !panel.space && x > 0 ? x : largest));
  if (panel.space) panel.sizes[2] = largest / panel.lift;
}

// The end of an arrow; false when it has no direction. factor: of the length of scaled arrows.
export function tipOf(panel, mark, numbers, at, factor, tip) {
  const d = panel.dimension;
  let length = 0;
  let seen = 0;
  for (let k = 0; k < d; k++) {
    length = Math.hypot(length, numbers[at + d + k]);
    seen = Math.hypot(seen, numbers[at + d + k] / panel.sizes[k]);
    tip[k] = numbers[at + k] + numbers[at + d + k];
  }
  if (!(length > 0) || !Number.isFinite(numbers[at] + length)) return false;
  if (!isScaled(mark)) return true;
  const share = length / (panel.longest?.[mark.paint] || length);
  for (let k = 0; k < d; k++) tip[k] = numbers[at + k] + (factor * ARROW * share * numbers[at + d + k]) / seen;
  return true;
}

function widenByTips(panel, mark) {
  const tip = [0, 0, 0];
  for (let at = 0; at + mark.size <= mark.values.length; at += mark.size) {
    if (!tipOf(panel, mark, mark.values, at, 1, tip)) continue;
    for (let k = 0; k < panel.dimension; k++) {
      panel.low[k] = Math.min(panel.low[k], tip[k]);
      panel.high[k] = Math.max(panel.high[k], tip[k]);
    }
  }
}

// What the eye goes around, with stretched heights.
function frameSpace(panel) {
  const low = [...panel.low, 0].slice(0, 3);
  const high = [...panel.high, 0].slice(0, 3);
  low[2] *= panel.lift;
  high[2] *= panel.lift;
  panel.room = { low, high, centre: low.map((x, k) => (x + high[k]) / 2), size: Math.hypot(...low.map((x, k) => high[k] - x)) || 1 };
}

class Film {
  constructor(t, panels, marks) {
    Object.assign(this, { t, panels, marks });
    this.place = null; // frame and share that the marks show
    this.tip = [0, 0, 0];
  }

  // The last frame at or before t: of the two limits at a jump the later one.
  frameAt(t) {
    let low = 0;
    let high = this.t.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.t[middle] <= t) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  // Moves the marks to a time; true: something changed.
  seek(t) {
    const frame = this.frameAt(t);
    const next = Math.min(frame + 1, this.t.length - 1);
    const length = this.t[next] - this.t[frame];
    const share = length > 0 ? Math.min(1, Math.max(0, (t - this.t[frame]) / length)) : 0;
    const place = `${frame} ${share}`;
    if (place === this.place) return false;
    const first = this.place === null;
    this.place = place;
    for (const mark of this.marks) if (first || !mark.still) fill(mark, frame, next, share);
    return true;
  }
}

// Elements [from, to) of a frame.
function rangeOf(mark, frame) {
  if (mark.still) return [0, mark.count ?? mark.values.length / mark.size];
  if (mark.ends) return [frame > 0 ? mark.ends[frame - 1] : 0, mark.ends[frame]];
  return [frame * mark.count, (frame + 1) * mark.count];
}

// Straight between frames with as many elements, otherwise the earlier one.
function fill(mark, frame, next, share) {
  const { size, values } = mark;
  const [from, to] = rangeOf(mark, frame);
  const count = (to - from) * size;
  if (mark.now.length < count) mark.now = new Float32Array(2 * count);
  mark.shown = to - from;
  mark.now.set(values.subarray(from * size, to * size));
  if (mark.still || share === 0) return;
  const [start, end] = rangeOf(mark, next);
  if (end - start !== to - from) return;
  for (let k = 0, a = from * size, b = start * size; k < count; k++) mark.now[k] += share * (values[b + k] - values[a + k]);
}
