// Bodies: where they are between frames, what a ray meets, how surfaces are built.
import { readFileSync } from 'node:fs';
import test from 'node:test';
import assert from 'node:assert/strict';
import { Blocks } from '../dev/encode.mjs';
import { numbers, release } from '../src/data.js';
import { hexToRgb, Colours, roundUp, roundDown } from '../src/views/bodies_colours.js';
import { Contacts } from '../src/views/bodies_contacts.js';
import { openBodies } from '../src/views/bodies_data.js';
import { Flat } from '../src/views/bodies_flat.js';
import { Geometries } from '../src/views/bodies_geometry.js';
import { springLine } from '../src/views/bodies_canvas.js';
import { acts, jointMarks, ropeLine } from '../src/views/bodies_joints.js';
import { Orbit } from '../src/views/bodies_orbit.js';
import { Picker } from '../src/views/bodies_pick.js';
import { add, cross, dot, minus, rotate, rotateBack, unit } from '../src/views/bodies_poses.js';
import { revolved } from '../src/views/bodies_revolved.js';

// A linear congruential generator (Numerical Recipes), so that every run sees the same numbers.
function random(seed) {
  let state = seed >>> 0;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

const STEP = 1e-5; // of quantisation
const near = (a, b, tolerance, what) => assert.ok(Math.abs(a - b) <= tolerance, `${what ?? ''} ${a} is not ${b}`);
const quaternion = (axis, angle) => [Math.cos(angle / 2), ...unit(axis).map((x) => x * Math.sin(angle / 2))];

// Bodies whose frames are given: place(body, t, frame) -> [x y z w x y z] or [x y angle]; the first `fixed` ones stand.
async function make({ times, count, place, planar = false, rows = times.length, shapes, contacts = null, roles, room, joints, up }) {
  const blocks = new Blocks();
  const d = planar ? 2 : 3;
  const chunks = [];
  for (let first = 0; first < times.length; first += rows) {
    const frames = Math.min(rows, times.length - first);
    const all = Array.from({ length: frames }, (_, r) => Array.from({ length: count }, (_, i) => place(i, times[first + r], first + r))).flat();
    blocks.next();
    chunks.push({ first, frames, position: blocks.quantised(all.flatMap((x) => x.slice(0, d)), frames, d * count, STEP, 0),
      rotation: blocks.quantised(all.flatMap((x) => x.slice(d)), frames, (planar ? 1 : 4) * count, STEP, 0) });
  }
  const texts = blocks.packed();
  globalThis.document = { getElementById: (id) => ({ textContent: texts[Number(id.replace('thud-block-', ''))] }) };
  texts.forEach((_, k) => release(k));
  const each = (value) => Array.from({ length: count }, value);
  const source = { planar, count, names: each((_, i) => `body ${i}`), roles: roles ?? each(() => 0), shapes: shapes ?? [{ kind: 'sphere', radius: 1 }],
    part_body: each((_, i) => i), part_shape: each((_, i) => (shapes && shapes.length === count ? i : 0)), part_pose: each(() => [0, 0, 0, 1, 0, 0, 0]).flat(),
    t: times, room: room ?? [-1, -1, -1, 1, 1, 1], radius: each(() => 1), still: [], still_pose: [], moving: each((_, i) => i), chunks, contacts, joints, up };
  const bodies = await openBodies({ bodies: source }, { numbers });
  await bodies.begin();
  return bodies;
}

// Waits until the chunks of a time are there.
async function at(bodies, t) {
  for (let k = 0; k < 1000; k++) {
    bodies.seek(t);
    if (bodies.shown === `${bodies.frame} ${bodies.share}`) return;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  assert.fail('a chunk did not arrive');
}

test('between frames positions are straight, rotations turn evenly, also from chunk to chunk', async () => {
  const times = [0, 1, 2, 3, 4, 5, 6];
  const axis = [1, 2, -1];
  const place = (i, t) => [2 * t + i, -t, 0.5, ...quaternion(axis, 0.3 * t)];
  const bodies = await make({ times, count: 3, place, rows: 2 });
  for (const t of [0, 0.5, 1.5, 2.5, 3.25, 6, 0.75]) {
    await at(bodies, t);
    for (let i = 0; i < 3; i++) {
      const pose = bodies.pose.subarray(7 * i, 7 * i + 7);
      near(pose[0], 2 * t + i, 2 * STEP);
      near(pose[1], -t, 2 * STEP);
      near(Math.hypot(...pose.subarray(3)), 1, 1e-6, 'norm');
      // normalised straight interpolation differs from the even turn by less than angle^3/40 (here 7e-4)
      quaternion(axis, 0.3 * t).forEach((x, k) => near(pose[3 + k], x, 7e-4));
      near(bodies.speed(i), Math.sqrt(5), 4 * STEP, 'speed');
    }
  }
  bodies.dispose();
});

test('frames that share a time are the limits of a jump: nothing lies between them', async () => {
  const place = (i, t, frame) => [frame < 2 ? t : 10 + t, 0, 0, 1, 0, 0, 0];
  const bodies = await make({ times: [0, 1, 1, 2], count: 1, place });
  for (const [t, x] of [[0.999, 0.999], [1, 11], [1.5, 11.5], [2, 12], [5, 12], [-1, 0]]) {
    await at(bodies, t);
    near(bodies.pose[0], x, 1e-4, `at ${t}`);
  }
  bodies.dispose();
});

test('angles of the plane become rotations about z', async () => {
  const bodies = await make({ times: [0, 1], count: 2, place: (i, t) => [i, t, 4 * t * (i + 1)], planar: true });
  await at(bodies, 0.25);
  near(bodies.pose[7], 1, STEP);
  near(2 * Math.atan2(bodies.pose[13], bodies.pose[10]), 2, 4 * STEP);
  bodies.dispose();
});

test('speeds are counted: the quantile is within an eighth of an octave', async () => {
  const times = Array.from({ length: 20 }, (_, k) => 0.1 * k);
  const bodies = await make({ times, count: 10, place: (i, t) => [(i < 9 ? 1 : 50) * t, 0, 0, 1, 0, 0, 0] });
  const speed = bodies.chunks.speedQuantile(0.85);
  assert.ok(speed >= 1 - 1e-3 && speed <= 2 ** (2 / 8), String(speed));
  bodies.dispose();
});

test('bodies that run away do not widen the first view', async () => {
  const times = Array.from({ length: 11 }, (_, k) => k);
  const place = (i, t) => [(i % 10) + (i === 0 ? -80 * t : 0), Math.floor(i / 10), 0, 1, 0, 0, 0];
  const many = await make({ times, count: 200, place, room: [-801, -1, -1, 10, 20, 1] });
  assert.ok(many.room.low[0] > -40 && many.room.high[0] >= 10, JSON.stringify(many.room));
  const few = await make({ times, count: 2, place, room: [-801, -1, -1, 10, 20, 1] });
  assert.equal(few.room.low[0], -801);
  many.dispose();
  few.dispose();
});

test('the ray through the picture of a point meets the point', () => {
  const next = random(3);
  const room = { low: [-1, -2, 0], high: [3, 2, 4], centre: [1, 0, 2], size: Math.hypot(4, 4, 4), radius: 1 };
  for (const up of [[0, 0, 1], [0, 1, 0], [-1, 0, 0], [0.2, -0.1, 0.9]])
    for (const perspective of [true, false]) {
      const orbit = new Orbit(room, up);
      orbit.resize(640, 480);
      orbit.setPerspective(perspective);
      orbit.rotate(300 * next() - 150, 100 * next() - 50);
      const { right, top, toward } = orbit.axes();
      near(dot(right, orbit.up), 0, 1e-12);
      near(dot(cross(right, top), toward), 1, 1e-12);
      for (let k = 0; k < 20; k++) {
        const x = room.low.map((low, c) => low + next() * (room.high[c] - low));
        const [u, v] = orbit.project(x);
        const { from, along } = orbit.ray(u, v);
        const away = cross(minus(x, from), along);
        near(Math.hypot(...away), 0, 1e-9, 'distance from the ray');
      }
    }
});

test('everything of the room is inside the first view', () => {
  const room = { low: [-1, -2, 0], high: [3, 2, 9], centre: [1, 0, 4.5], size: Math.hypot(4, 4, 9), radius: 1 };
  for (const [width, height] of [[1000, 400], [300, 600]])
    for (const perspective of [true, false]) {
      const orbit = new Orbit(room, [0, 0, 1]);
      orbit.resize(width, height);
      orbit.setPerspective(perspective);
      for (let k = 0; k < 8; k++) {
        const [u, v] = orbit.project([0, 1, 2].map((c) => (k & (1 << c) ? room.high[c] : room.low[c])));
        assert.ok(u >= 0 && u <= width && v >= 0 && v <= height, `${u} ${v}`);
      }
    }
});

test('zooming in the plane keeps the place under the pointer', () => {
  const flat = new Flat({ low: [0, 0, 0], high: [4, 2, 0], centre: [2, 1, 0], size: Math.hypot(4, 2), radius: 1 });
  flat.resize(800, 300);
  const before = flat.place(120, 40);
  flat.zoom(1.7, 120, 40);
  flat.place(120, 40).forEach((x, k) => near(x, before[k], 1e-12));
  flat.project([...before, 0]).slice(0, 2).forEach((x, k) => near(x, [120, 40][k], 1e-9));
});

test('rays meet spheres, boxes and triangles where they are', async () => {
  const box = { kind: 'box', half: [0.5, 1, 2] };
  const surface = revolved({ kind: 'cylinder', radius: 1, half_length: 1 });
  const cylinder = { kind: 'cylinder', points: surface.points, triangles: surface.triangles };
  const turn = quaternion([1, -1, 2], 1.1);
  const place = (i) => [10 * i, 0, 0, ...turn];
  const bodies = await make({ times: [0], count: 3, place, shapes: [{ kind: 'sphere', radius: 1 }, box, cylinder] });
  const picker = new Picker(bodies);
  const next = random(5);
  for (let k = 0; k < 300; k++) {
    const body = k % 3;
    const way = unit([next() - 0.5, next() - 0.5, next() - 0.5]);
    const across = unit(cross(way, [0.3, 0.5, 0.8]));
    const off = add([10 * body, 0, 0], across, 3 * next());
    const hit = inside(body, rotateBack(turn, minus(off, [10 * body, 0, 0])), rotateBack(turn, way));
    const found = picker.pick({ from: add(off, way, -4), along: way });
    if (hit !== null) assert.equal(found === body, hit, `body ${body}`);
  }
  bodies.dispose();
});

// Whether a line meets the sphere of radius 1, the box or the prism: by small steps; null where it is close.
function inside(body, start, way) {
  let least = Infinity;
  for (let s = -4; s <= 4; s += 1e-3) {
    const [x, y, z] = add(start, way, s);
    const excess = [Math.hypot(x, y, z) - 1, Math.max(Math.abs(x) - 0.5, Math.abs(y) - 1, Math.abs(z) - 2),
      Math.max(prism(x, y), Math.abs(z) - 1)][body];
    least = Math.min(least, excess);
  }
  return Math.abs(least) < 2e-3 ? null : least < 0;
}

// The cross section of the coarse cylinder: a regular polygon of ten corners, one of them on the axis x.
function prism(x, y) {
  let most = -Infinity;
  for (let k = 0; k < 10; k++) {
    const angle = ((2 * k + 1) * Math.PI) / 10;
    most = Math.max(most, x * Math.cos(angle) + y * Math.sin(angle) - Math.cos(Math.PI / 10));
  }
  return most;
}

// Six times the volume inside triangles that look outwards (the divergence theorem).
function volume({ points, triangles }) {
  let sum = 0;
  for (let k = 0; k < triangles.length; k += 3) {
    const [a, b, c] = [0, 1, 2].map((i) => points.slice(3 * triangles[k + i], 3 * triangles[k + i] + 3));
    sum += dot(a, cross(b, c));
  }
  return sum / 6;
}

test('surfaces of revolution are closed and look outwards', () => {
  const area = 5 * Math.sin(Math.PI / 5) * 4; // of the decagon of radius 2
  near(volume(revolved({ kind: 'cylinder', radius: 2, half_length: 3 })), 6 * area, 1e-9);
  near(volume(revolved({ kind: 'cone', radius: 2, half_length: 3 })), 2 * area, 1e-9);
  const capsule = volume(revolved({ kind: 'capsule', radius: 2, half_length: 3 }));
  assert.ok(capsule > 6 * area && capsule < (6 + 8 / 3) * Math.PI * 4);
  assert.equal(revolved({ kind: 'hull' }), null);
});

test('boxes have plane faces with sharp edges, cylinders a smooth side', () => {
  const surface = revolved({ kind: 'cylinder', radius: 1, half_length: 1 });
  const made = new Geometries([{ kind: 'box', half: [1, 2, 3] }, { kind: 'cylinder', ...surface }], 2);
  const box = made.of(0);
  assert.deepEqual(box.scale, [1, 2, 3]);
  const normals = box.geometry.getAttribute('normal').array;
  for (let k = 0; k < normals.length; k += 3) near(Math.max(...normals.slice(k, k + 3).map(Math.abs)), 1, 1e-6);
  const marks = box.geometry.getAttribute('edge').array;
  assert.ok(marks.some((x) => x === 0) && marks.some((x) => x === 1));
  const side = made.of(1).geometry;
  const [place, normal] = ['position', 'normal'].map((name) => side.getAttribute(name));
  for (let k = 0; k < place.count; k++)
    if (Math.abs(normal.getZ(k)) < 0.5) near(normal.getX(k) * place.getX(k) + normal.getY(k) * place.getY(k), 1, 1e-5, 'radial');
    else near(Math.abs(normal.getZ(k)), 1, 1e-6, 'cap');
});

test('forces: loads of both bodies, arrows point into what moves', async () => {
  const contacts = { ends: [1, 3], a: [0, 0, 2], b: [1, 1, 0], point: [0, 0, 0, 1, 1, 1, 2, 2, 2], force: [3, 0, 4, 0, 0, 2, 0, 6, 0] };
  const bodies = await make({ times: [0, 1], count: 3, place: () => [0, 0, 0, 1, 0, 0, 0], contacts, roles: [0, 0, 1] });
  const read = new Contacts(bodies);
  await read.load();
  const load = new Float32Array(3);
  read.loads(0, load);
  assert.deepEqual([...load], [5, 5, 0]);
  read.loads(1, load);
  assert.deepEqual([...load], [8, 2, 6]);
  const out = new Float32Array(6 * read.most());
  assert.equal(read.most(), 2);
  assert.equal(read.arrows(1, 0.5, 100, out), 2);
  assert.deepEqual([...out], [1, 1, 1, 1, 1, 2, 2, 2, 2, 2, -1, 2]); // body 2 is fixed: the force on body 0 is shown
  assert.equal(read.arrows(1, 0.5, 1, out), 2);
  near(out[10] - out[7], -1, 1e-6, 'no longer than the longest');
  bodies.dispose();
});

test('colours: fixed bodies are grey, speeds have a scale with a unit', async () => {
  const bodies = await make({ times: [0, 1], count: 3, place: (i, t) => [i * t, 0, 0, 1, 0, 0, 0], roles: [1, 0, 0] });
  const colours = new Colours(bodies, new Contacts(bodies), null, 's');
  colours.setTheme({ dark: false, ink: '#000000', paper: '#ffffff', bodies: ['#ff0000', '#00ff00', '#0000ff', '#ff00ff', '#00ffff', '#808080'] });
  assert.equal(colours.update('body'), true);
  assert.equal(colours.update('body'), false, 'nothing changes without a reason');
  assert.deepEqual([...colours.rgb.subarray(0, 3)], [...Float32Array.from(colours.fixed)]);
  assert.equal(colours.update('speed'), true);
  assert.equal(colours.bar.unit, 'm/s');
  assert.ok(colours.bar.high >= 2 * (1 - 1e-3));
  assert.notDeepEqual([...colours.rgb.subarray(3, 6)], [...colours.rgb.subarray(6, 9)]);
  bodies.dispose();
});

test('bodies have the colours of snapshots and films', () => {
  const read = (path) => readFileSync(new URL(path, import.meta.url), 'utf8');
  const pen = read('../../src/plot/pen.c').match(/palette\[THUD_PLOT_COLOURS\]\[3\] = \{([^;]*)\};/)[1];
  const drawn = [...pen.matchAll(/\{([\d., ]+)\}/g)].slice(0, 6).map((found) => found[1].split(',').map(Number));
  const light = Number(read('../../src/plot/snapshot.c').match(/double light = ([\d.]+);/)[1]);
  const theme = read('../src/theme.js').match(/bodies: \[([^\]]*)\]/)[1].match(/#[0-9a-f]{6}/g);
  assert.equal(theme.length, drawn.length);
  theme.forEach((colour, k) => hexToRgb(colour).forEach((x, c) => near(x, drawn[k][c], 0.5 / 255 + 5e-4)));
  const mixed = read('../src/views/bodies_colours.js').match(/theme\.dark \? 0\.1 : ([\d.]+)\)/)[1];
  assert.equal(Number(mixed), light);
});

test('round numbers', () => {
  for (const [x, up, down] of [[1, 1, 1], [1.2, 1.5, 1], [4, 5, 2], [0.034, 0.05, 0.02], [8, 10, 5], [700, 700, 500]]) {
    near(roundUp(x), up, 1e-12 * up);
    near(roundDown(x), down, 1e-12 * down);
  }
});

test('rotating back undoes rotating', () => {
  const turn = quaternion([3, -1, 2], 2.2);
  rotateBack(turn, rotate(turn, [1, 2, 3])).forEach((x, k) => near(x, k + 1, 1e-12));
  rotate(quaternion([0, 0, 1], Math.PI / 2), [1, 0, 0]).forEach((x, k) => near(x, [0, 1, 0][k], 1e-12));
});

const apart = (a, b) => Math.hypot(...a.map((x, k) => x - b[k]));
const nearPlace = (a, b, what) => near(apart(a, b), 0, 4 * STEP, what);

test('joints move with their bodies, and are marked where they hold them', async () => {
  const axis = [0, 1, 1];
  const place = (i, t) => [t + 2 * i, -i, 3 * t, ...quaternion(axis, 0.2 * t + i)];
  const joint = (kind, more) => ({ kind, a: 0, b: 1, point_a: [1, 0, 0], point_b: [0, 0.5, 0], ...more });
  const joints = [joint('hinge', { axis: [0, 0, 1] }), joint('slider', { axis: [0, 0, 1] }), joint('ball'), joint('rod'),
    joint('pulley', { over_a: [0, 0, 5], over_b: [1, 0, 5], b: -1 }), joint('rope', { length: 100 })];
  const bodies = await make({ times: [0, 1, 2], count: 2, place, joints, up: [0, 0, 1] });
  await at(bodies, 1);
  const [p, q] = [0, 1].map((i) => place(i, 1));
  const a = add(p.slice(0, 3), rotate(p.slice(3), [1, 0, 0]));
  const b = add(q.slice(0, 3), rotate(q.slice(3), [0, 0.5, 0]));
  const { rings, axes, lines } = jointMarks(bodies, 1);
  [b, a, b, a, b, a, [0, 0.5, 0], a, b].forEach((x, k) => nearPlace(rings[k], x, `ring ${k}`));
  assert.equal(rings.length, 9);
  const along = rotate(p.slice(3), [0, 0, 1]);
  for (const stroke of axes) nearPlace(stroke.along, along, 'axis');
  nearPlace(axes[0].at, b, 'a hinge is where b is');
  nearPlace(axes[1].at, a, 'a slider is where a is');
  assert.deepEqual(axes.map((stroke) => stroke.long), [false, true]);
  [[a, b], [a, [0, 0, 5], [1, 0, 5], [0, 0.5, 0]]].forEach((line, k) => line.forEach((x, i) => nearPlace(lines[k][i], x, `line ${k}`)));
  assert.equal(lines.length, 3);
});

test('a taut rope is straight, one whose ends are together hangs down by half its length', () => {
  for (const point of ropeLine([0, 0, 0], [3, 4, 0], 5, [0, 0, 1])) near(point[1], (4 / 3) * point[0], 1e-12);
  const folded = ropeLine([1, 1, 1], [1, 1, 1], 2, [0, 1, 0]);
  near(Math.min(...folded.map((point) => point[1])), 0, 1e-12, 'lowest');
  folded.forEach((point) => near(point[0] + point[2], 2, 1e-12));
});

test('joints act between their changes', () => {
  const acting = (joint) => [0, 1, 1.5, 2, 3].map((t) => acts(joint, t));
  assert.deepEqual(acting({ absent: false }), [true, true, true, true, true]);
  assert.deepEqual(acting({ absent: false, switches: [1] }), [true, false, false, false, false]);
  assert.deepEqual(acting({ absent: true, switches: [1, 2] }), [false, true, true, false, false]);
});

test('springs zigzag evenly about the line of their ends', () => {
  const line = springLine([1, 1, 0], [4, 5, 0], [1, 0, 0], [0, 1, 0], 0.3);
  const away = line.map(([x, y]) => (4 * (x - 1) - 3 * (y - 1)) / 5);
  near(away[0], 0, 1e-12);
  near(away[line.length - 1], 0, 1e-12);
  away.slice(1, -1).forEach((d, k) => near(d, k % 2 === 0 ? -0.3 : 0.3, 1e-12));
});
