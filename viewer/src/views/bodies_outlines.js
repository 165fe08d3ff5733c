// Outlines of planar shapes in the frame of their bodies: {disc: [x, y, radius, angle]} or {points, open} or {line: [...]}.
import { formOf } from './bodies_forms.js';

const ROUND = 10; // segments of a half circle

export function partOutline(bodies, part) {
  const shape = bodies.shapes[bodies.partShape[part]];
  const [x, y, , w, , , z] = bodies.partPose.subarray(7 * part, 7 * part + 7);
  const [c, s] = [w * w - z * z, 2 * w * z];
  const place = (u, v) => [x + c * u - s * v, y + s * u + c * v];
  if (shape.endless) return { ground: [...place(0, 0), -s, c] }; // a point and the outward normal
  const radius = formOf(shape, 'disc');
  if (radius !== undefined) return { disc: [x, y, radius, Math.atan2(s, c)] };
  const points = shapePoints(shape);
  const out = new Float32Array(points.length);
  for (let k = 0; k < points.length; k += 2) out.set(place(points[k], points[k + 1]), k);
  return { points: out, open: Boolean(shape.open) };
}

// In order, two numbers each.
function shapePoints(shape) {
  if (shape.points?.length) return withoutHeights(shape.points);
  if (shape.half) return box(shape.half);
  if (shape.half_length !== undefined) return capsule(shape.radius, shape.half_length);
  return [];
}

// Surfaces are written with a third coordinate, which is 0 in the plane.
function withoutHeights(points) {
  const flat = points.length % 3 === 0 && points.every((x, k) => k % 3 !== 2 || x === 0);
  return flat ? points.filter((_, k) => k % 3 !== 2) : points;
}

const box = ([a, b]) => [-a, -b, a, -b, a, b, -a, b];

// Its segment is along y.
function capsule(radius, half) {
  const out = [];
  for (let k = 0; k <= ROUND; k++) out.push(radius * Math.cos((Math.PI * k) / ROUND), half + radius * Math.sin((Math.PI * k) / ROUND));
  for (let k = 0; k <= ROUND; k++) out.push(-radius * Math.cos((Math.PI * k) / ROUND), -half - radius * Math.sin((Math.PI * k) / ROUND));
  return out;
}
