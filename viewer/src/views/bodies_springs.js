// Both ends of every spring, six numbers each: points of the frames of two bodies, or of space where there is none.
import { endOf } from './bodies_joints.js';

export function springEnds(bodies, out) {
  bodies.springs.forEach((spring, k) => {
    out.set(endOf(bodies, spring.a, spring.point_a), 6 * k);
    out.set(endOf(bodies, spring.b, spring.point_b), 6 * k + 3);
  });
  return out;
}
