// Marks of space cut into what both painters of space draw: segments, balls, dots, faces, heads of arrows, texts.
import { add, cross, minus, unit } from './bodies_poses.js';
import { tipOf } from './film_data.js';

const COILS = 10;

// {segments: [a, b, ...], balls: [{at, radius}], dots, heads: [{tip, along, length}], faces: [[a, b, c]], values: [...] per face
// corner, texts} of places in the frame of the panel with stretched heights. thick: a length for coils and heads.
export function partsOf(mark, panel, factor, thick) {
  const parts = { segments: [], balls: [], dots: [], heads: [], faces: [], values: [], texts: [] };
  const make = makers[mark.kind];
  if (make && mark.visible && mark.shown > 0) make(mark, panel, parts, factor, thick);
  return parts;
}

const placeOf = (panel, numbers, at) => [numbers[at], numbers[at + 1], panel.lift * numbers[at + 2]];
const isFinitePlace = (x) => Number.isFinite(x[0] + x[1] + x[2]);

function places(mark, panel) {
  return Array.from({ length: mark.shown }, (_, k) => placeOf(panel, mark.now, k * mark.size));
}

function chain(list, closed, parts) {
  for (let k = 0; k + (closed ? 0 : 1) < list.length; k++) {
    const [a, b] = [list[k], list[(k + 1) % list.length]];
    if (isFinitePlace(a) && isFinitePlace(b)) parts.segments.push(a, b);
  }
}

const makers = {
  points: (mark, panel, parts) => parts.dots.push(...places(mark, panel).filter(isFinitePlace)),
  text: (mark, panel, parts) => parts.texts.push(...places(mark, panel).filter(isFinitePlace)),
  line: (mark, panel, parts) => chain(places(mark, panel), false, parts),
  area(mark, panel, parts) {
    const corners = places(mark, panel).filter(isFinitePlace);
    chain(corners, true, parts);
    if (!mark.filled || corners.length < 3) return;
    const centre = corners.reduce((sum, x) => add(sum, x, 1 / corners.length), [0, 0, 0]);
    corners.forEach((a, k) => parts.faces.push([a, corners[(k + 1) % corners.length], centre]));
  },
  circle(mark, panel, parts) {
    places(mark, panel).forEach((at, k) => {
      const radius = Math.abs(mark.now[k * mark.size + 3]);
      if (isFinitePlace(at) && radius > 0) parts.balls.push({ at, radius });
    });
  },
  spring(mark, panel, parts, factor, thick) {
    for (let k = 0; k < mark.shown; k++) {
      const [a, b] = [0, 3].map((o) => placeOf(panel, mark.now, k * mark.size + o));
      if (isFinitePlace(a) && isFinitePlace(b)) chain(helix(a, b, thick), false, parts);
    }
  },
  arrow(mark, panel, parts, factor, thick) {
    const tip = [0, 0, 0];
    for (let k = 0; k < mark.shown; k++) {
      const at = k * mark.size;
      if (!tipOf(panel, mark, mark.now, at, factor, tip)) continue;
      const [a, b] = [placeOf(panel, mark.now, at), placeOf(panel, tip, 0)];
      const length = Math.hypot(...minus(b, a));
      const head = Math.min(2.2 * thick, 0.6 * length);
      const along = unit(minus(b, a));
      parts.segments.push(a, add(b, along, -0.9 * head));
      parts.heads.push({ tip: b, along, length: head });
    }
  },
  surface(mark, panel, parts) {
    const corners = places(mark, panel);
    const { triangles, now, size } = mark;
    for (let k = 0; k < triangles.length; k += 3) {
      const three = [triangles[k], triangles[k + 1], triangles[k + 2]];
      if (!three.every((i) => isFinitePlace(corners[i]))) continue;
      parts.faces.push(three.map((i) => corners[i]));
      parts.values.push(...three.map((i) => now[i * size + 3]));
    }
  },
};

// A helix with straight ends.
function helix(a, b, radius) {
  const along = unit(minus(b, a));
  const other = Math.abs(along[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0];
  const first = unit(cross(along, other));
  const second = cross(along, first);
  const length = Math.hypot(...minus(b, a));
  const points = [a];
  const steps = 18 * COILS;
  for (let k = 0; k <= steps; k++) {
    const angle = (2 * Math.PI * COILS * k) / steps;
    const end = Math.min(1, 12 * Math.min(k, steps - k) / steps); // winds in and out
    const on = add(a, along, length * (0.14 + (0.72 * k) / steps));
    points.push(add(add(on, first, end * radius * Math.cos(angle)), second, end * radius * Math.sin(angle)));
  }
  points.push(b);
  return points;
}
