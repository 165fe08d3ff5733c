// Both ends of every spring, six numbers each: points of the frames of two bodies, or of space where there is none.
import { pointOf } from './bodies_poses.js';

export function springEnds(bodies, out) {
  bodies.springs.forEach((spring, k) => {
    out.set(endOf(bodies, spring.a, spring.point_a), 6 * k);
    out.set(endOf(bodies, spring.b, spring.point_b), 6 * k + 3);
  });
  return out;
}

function endOf(bodies, body, point) {
  const x = [point[0], point[1], point[2] ?? 0];
  return body >= 0 ? pointOf(bodies.pose, 7 * body, x) : x;
}
