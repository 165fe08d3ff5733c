// Where joints are: what holds bodies together, as marks that painters draw over them.
import { pointOf, rotate } from './bodies_poses.js';

const ROPE_POINTS = 17;
const SLIDES = new Set(['slider', 'cylindrical', 'screw']);

// Does it act at this time? It begins and ceases at `switches`.
export function acts(joint, t) {
  const changes = (joint.switches ?? []).filter((when) => when <= t).length;
  return (changes % 2 === 1) === Boolean(joint.absent);
}

// Marks at time t: {rings: [[x y z]], axes: [{at, along, long}] (unit vectors; long: bodies slide along it), lines: [[[x y z], ...]]}.
export function jointMarks(bodies, t) {
  const marks = { rings: [], axes: [], lines: [] };
  for (const joint of bodies.joints) if (acts(joint, t)) addMarks(bodies, joint, marks);
  return marks;
}

function addMarks(bodies, joint, { rings, axes, lines }) {
  const a = endOf(bodies, joint.a, joint.point_a);
  const b = endOf(bodies, joint.b, joint.point_b);
  if (joint.kind === 'rod') lines.push([a, b]);
  if (joint.kind === 'pulley') lines.push([a, joint.over_a, joint.over_b, b]);
  if (joint.kind === 'rope') lines.push(ropeLine(a, b, joint.length, bodies.up));
  if (joint.kind === 'rod' || joint.kind === 'pulley' || joint.kind === 'rope') rings.push(a);
  const slides = SLIDES.has(joint.kind); // its mark goes with what slides
  rings.push(slides ? a : b);
  if (!joint.axis) return;
  const along = rotate(bodies.pose.subarray(7 * joint.a + 3, 7 * joint.a + 7), joint.axis);
  axes.push({ at: slides ? a : b, along, long: slides });
}

// A parabola that hangs through where the rope is slack; its sag is right for a taut rope and for one whose ends are together.
export function ropeLine(a, b, length, up) {
  const way = b.map((x, k) => x - a[k]);
  const sag = 0.5 * Math.sqrt(Math.max(0, length * length - way.reduce((sum, x) => sum + x * x, 0)));
  return Array.from({ length: ROPE_POINTS }, (_, k) => {
    const s = k / (ROPE_POINTS - 1);
    return a.map((x, i) => x + s * way[i] - 4 * s * (1 - s) * sag * up[i]);
  });
}

// Of a body, from its centre of mass; of space where there is none.
export function endOf(bodies, body, point) {
  const x = [point[0], point[1], point[2] ?? 0];
  return body >= 0 ? Array.from(pointOf(bodies.pose, 7 * body, x)) : x;
}
