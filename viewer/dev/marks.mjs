// A made-up record whose drawing has every mark, in panels of the plane (with axes, without, stretched) and of space.
import { ballRecord } from './ball.mjs';

const FRAMES = 121;
const SIDE = 21; // of the mesh

const times = Array.from({ length: FRAMES }, (_, k) => k / 40);
const over = (fn) => times.flatMap((t, k) => fn(t, k));
const panel = (more) => ({ title: '', x_label: null, y_label: null, x_unit: 'm', y_unit: 'm', axes: false, stretched: false, space: false,
  low: [0, 0], high: [1, 1], longest: {}, ...more });

function mesh(t) {
  const out = [];
  for (let i = 0; i < SIDE; i++)
    for (let j = 0; j < SIDE; j++) {
      const [x, y] = [i / (SIDE - 1), j / (SIDE - 1)];
      const z = -0.02 * Math.sin(Math.PI * x) * Math.sin(Math.PI * y) * (1 + Math.sin(5 * x + 3 * t));
      out.push(x, y, z, 1000 * z);
    }
  return out;
}

function triangles() {
  const out = [];
  for (let i = 0; i + 1 < SIDE; i++)
    for (let j = 0; j + 1 < SIDE; j++) {
      const a = i * SIDE + j;
      out.push(a, a + SIDE, a + SIDE + 1, a, a + SIDE + 1, a + 1);
    }
  return out;
}

export function marksRecord(blocks) {
  const mark = (kind, size, values, more) => ({ kind, panel: 0, paint: 'body', colour: 0, width: 1, filled: false, dashed: false, opacity: 1,
    label: null, text: null, value_unit: null, size, still: false, count: 1, values: blocks.add(values, 'f32'), ...more });
  const still = (kind, size, values, more) => mark(kind, size, values, { still: true, count: values.length / size, ...more });
  const angle = (t) => 0.9 * Math.sin(2.2 * t);
  const bob = (t) => [1.4 * Math.sin(angle(t)), 1 - 1.4 * Math.cos(angle(t))];
  const speed = (t) => { const w = 0.9 * 2.2 * Math.cos(2.2 * t); return [1.4 * w * Math.cos(angle(t)), 1.4 * w * Math.sin(angle(t))]; };
  const block = (t) => -1.1 + 0.25 * Math.sin(4 * t);
  const traces = times.map((_, k) => times.slice(0, k + 1).flatMap(bob));
  const ends = traces.map((_, k) => ((k + 1) * (k + 2)) / 2);
  const grid = Array.from({ length: 61 }, (_, k) => k / 60);
  const plane = [
    still('line', 2, [-2, 1.2, -2, -0.8, 2, -0.8], { paint: 'obstacle', label: 'wall and floor' }),
    mark('area', 2, over((t) => [1.2 + 0.1 * t, 0.3, 1.7, 0.4, 1.75, 0.9, 1.3, 0.8 + 0.1 * t]), { paint: 'set', filled: true, count: 4, label: 'moving set' }),
    mark('points', 2, over((t) => [1.45 + 0.05 * t, 0.55, 1.6, 0.7]), { count: 2, colour: 7, label: 'points' }),
    { ...mark('line', 2, traces.flat(), { paint: 'trace', label: 'trace' }), count: undefined, ends: blocks.add(ends, 'i32') },
    mark('line', 2, over((t) => [0, 1, ...bob(t)]), { paint: 'guide', count: 2, width: 1.5, label: 'rod' }),
    mark('circle', 4, over((t) => [...bob(t), 0.16, angle(t)]), { filled: true, label: 'bob' }),
    mark('box', 5, over((t) => [block(t), -0.6, 0.5, 0.4, 0]), { filled: true, colour: 2, label: 'block' }),
    mark('spring', 4, over((t) => [-2, -0.6, block(t) - 0.25, -0.6]), { paint: 'guide', label: 'spring' }),
    mark('arrow', 4, over((t) => [...bob(t), -3 * Math.sin(angle(t)), 3 * Math.cos(angle(t))]), { paint: 'force', label: 'tension' }),
    mark('arrow', 4, over((t) => [...bob(t), ...speed(t)]), { paint: 'velocity', label: 'velocity' }),
    still('line', 2, [-0.6, -0.8, 0.2, -0.8], { paint: 'stick', label: 'stick' }),
    still('line', 2, [0.2, -0.8, 0.9, -0.8], { paint: 'slip', label: 'slip' }),
    still('text', 2, [0, 1.12], { text: 'pivot', paint: 'guide' }),
  ];
  const line = [
    mark('area', 2, over((t) => [...grid.flatMap((x) => [x, 2 * Math.exp(-40 * (x - 0.4 - 0.1 * t) ** 2)]), 1, 0, 0, 0]), { panel: 1, paint: 'field', filled: true, count: 63, label: 'reaction density' }),
    mark('line', 2, over((t) => grid.flatMap((x) => [x, 3 * Math.sin(Math.PI * x) * Math.cos(6 * x - 2 * t)])), { panel: 1, count: 61, label: 'string' }),
    mark('arrow', 4, over((t) => [0.3, 0, 0, 1.5 * Math.cos(t), 0.7, 0, 0, 1]), { panel: 1, paint: 'force', count: 2, label: 'atoms' }),
  ];
  const space = [
    mark('surface', 4, over(mesh), { panel: 2, count: SIDE * SIDE, triangles: blocks.add(triangles(), 'u32'), low: -40, high: 0, label: 'deflection', value_unit: 'mm' }),
    mark('arrow', 6, over((t) => [0.5, 0.5, 0, 0, 0, -2 - Math.sin(3 * t)]), { panel: 2, paint: 'force', label: 'load' }),
    still('circle', 4, [0, 0, 0.3, 0.3, -0.5, 0.3, 0.5, 0.25], { panel: 3, filled: true, label: 'balls' }),
    mark('circle', 4, over((t) => [0.6 * Math.cos(t), 0.6 * Math.sin(t), 0.2, 0.15]), { panel: 3, colour: 2, label: 'runner' }),
    still('line', 3, Array.from({ length: 120 }, (_, k) => [0.8 * Math.cos(k / 6), 0.8 * Math.sin(k / 6), k / 110]).flat(), { panel: 3, paint: 'trace', label: 'helix' }),
    mark('spring', 6, over((t) => [0, 0, 1.3, 0, 0, 0.75 + 0.15 * Math.sin(3 * t)]), { panel: 3, paint: 'guide' }),
    mark('arrow', 6, over((t) => [0.6 * Math.cos(t), 0.6 * Math.sin(t), 0.2, -Math.sin(t), Math.cos(t), 0.4]), { panel: 3, paint: 'velocity' }),
    still('area', 3, [-0.8, -0.8, 0, 0.8, -0.8, 0, 0.8, 0.8, 0, -0.8, 0.8, 0], { panel: 3, paint: 'obstacle', filled: true, opacity: 0.5 }),
    still('points', 3, [0.8, -0.8, 0.5, 0.8, 0.8, 0.9], { panel: 3, colour: 5 }),
    still('text', 3, [0, 0, 1.4], { panel: 3, text: 'hook' }),
  ];
  const record = ballRecord(blocks, { name: 'marks', title: 'Every mark' });
  record.film = {
    t: blocks.add(times), side: blocks.add(times.map(() => 0), 'i32'),
    panels: [
      panel({ title: 'pendulum, block and set', low: [-2, -0.8], high: [2, 1.2], longest: { force: 3, velocity: 2.8 } }),
      panel({ title: 'string', axes: true, stretched: true, x_label: 'x', y_label: 'v', y_unit: 'mm', low: [0, -3], high: [1, 3], longest: { force: 1.5 } }),
      panel({ title: 'membrane', space: true, stretched: true, low: [0, 0, -0.04], high: [1, 1, 0], longest: { force: 3 } }),
      panel({ title: 'balls', space: true, low: [-0.8, -0.8, 0], high: [0.8, 0.8, 1.4], longest: { velocity: 1.1 } }),
    ],
    marks: [...plane, ...line, ...space],
  };
  return record;
}
