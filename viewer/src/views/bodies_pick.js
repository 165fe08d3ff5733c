// The body that a ray meets first. Spheres are met exactly, others by their triangles inside their bounding spheres.
import { formOf } from './bodies_forms.js';
import { cross, dot, minus, partPlace, rotateBack } from './bodies_poses.js';

export class Picker {
  constructor(bodies) {
    this.bodies = bodies;
    this.reach = bodies.shapes.map(reachOf);
    this.many = bodies.partBody.length;
  }

  // What moves is preferred to what stands still in front of it: that is drawn through.
  pick({ from, along }) {
    const best = { body: -1, at: Infinity };
    const still = { body: -1, at: Infinity };
    for (let part = 0; part < this.many; part++) {
      const body = this.bodies.partBody[part];
      const first = this.bodies.roles[body] === 0 ? best : still;
      if (!this.near(part, from, along, first.at)) continue;
      const at = this.meet(part, from, along);
      if (at < first.at) Object.assign(first, { body, at });
    }
    return best.body >= 0 ? best.body : still.body;
  }

  // Without the turned place of the part: a sphere around the body that holds all of it.
  near(part, from, along, best) {
    const o = 7 * this.bodies.partBody[part];
    const p = 7 * part;
    const { pose, partPose } = this.bodies;
    const radius = this.reach[this.bodies.partShape[part]] + Math.hypot(partPose[p], partPose[p + 1], partPose[p + 2]);
    const x = pose[o] - from[0], y = pose[o + 1] - from[1], z = pose[o + 2] - from[2];
    const ahead = x * along[0] + y * along[1] + z * along[2];
    return x * x + y * y + z * z - ahead * ahead <= radius * radius && ahead + radius > 0 && ahead - radius < best;
  }

  meet(part, from, along) {
    const shape = this.bodies.shapes[this.bodies.partShape[part]];
    if (shape.endless) return Infinity;
    const place = partPlace(this.bodies, part);
    const turn = place.slice(3);
    const start = rotateBack(turn, minus(from, place));
    const way = rotateBack(turn, along);
    const ball = formOf(shape, 'ball');
    const box = formOf(shape, 'box');
    if (ball?.[0] > 0) return meetBall(start, way, ball, 1);
    if (ball) return meetBall(start, way, [1, 1, 1], this.reach[this.bodies.partShape[part]]);
    if (box) return meetBox(start, way, box);
    return shape.triangles ? meetTriangles(start, way, shape) : Infinity;
  }
}

function reachOf(shape) {
  if (shape.endless) return 0;
  const ball = formOf(shape, 'ball');
  if (ball) return Math.max(...ball);
  if (shape.half) return Math.hypot(...shape.half);
  let most = 0;
  for (let k = 0; shape.points && k + 2 < shape.points.length; k += 3)
    most = Math.max(most, Math.hypot(shape.points[k], shape.points[k + 1], shape.points[k + 2]));
  return most;
}

function meetBall(start, way, half, radius) {
  const a = start.map((x, k) => x / half[k]);
  const b = way.map((x, k) => x / half[k]);
  const [p, q, r] = [dot(b, b), dot(a, b), dot(a, a) - radius * radius];
  const root = q * q - p * r;
  return root >= 0 ? (-q - Math.sqrt(root)) / p : Infinity;
}

function meetBox(start, way, half) {
  let low = 0;
  let high = Infinity;
  for (let k = 0; k < 3; k++) {
    const near = (-half[k] * Math.sign(way[k] || 1) - start[k]) / (way[k] || 1e-30);
    const far = (half[k] * Math.sign(way[k] || 1) - start[k]) / (way[k] || 1e-30);
    low = Math.max(low, near);
    high = Math.min(high, far);
  }
  return low <= high ? low : Infinity;
}

// Möller and Trumbore (1997), both sides.
function meetTriangles(start, way, { points, triangles }) {
  let best = Infinity;
  const corner = (i) => [points[3 * i], points[3 * i + 1], points[3 * i + 2]];
  for (let k = 0; k < triangles.length; k += 3) {
    const a = corner(triangles[k]);
    const u = minus(corner(triangles[k + 1]), a);
    const v = minus(corner(triangles[k + 2]), a);
    const p = cross(way, v);
    const size = dot(u, p);
    if (Math.abs(size) < 1e-30) continue;
    const s = minus(start, a);
    const x = dot(s, p) / size;
    const q = cross(s, u);
    const y = dot(way, q) / size;
    const at = dot(v, q) / size;
    if (x >= 0 && y >= 0 && x + y <= 1 && at > 0 && at < best) best = at;
  }
  return best;
}
