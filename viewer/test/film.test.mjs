// Drawings: which frame is shown, what stands between frames, how long arrows are, what is under the pointer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFilm, tipOf } from '../src/views/film_data.js';
import { FlatEye } from '../src/views/film_flat.js';
import { partsOf } from '../src/views/film_parts.js';
import { pick } from '../src/views/film_pick.js';
import { fillTriangle } from '../src/views/film_raster.js';

const numbers = async (source) => Float64Array.from(source ?? []);
const panel = (more) => ({ low: [0, 0], high: [4, 2], longest: { force: 8 }, stretched: false, space: false, axes: false, ...more });
const mark = (kind, size, values, more) => ({ kind, size, values, panel: 0, paint: 'body', still: false, count: 1, ...more });
const open = (t, marks, more) => openFilm({ t, panels: [panel(more)], marks }, numbers);
const near = (a, b) => assert.ok(Math.abs(a - b) < 1e-6, `${a} is not ${b}`);

test('between frames numbers are straight, at jumps the later limit counts', async () => {
  const film = await open([0, 1, 1, 2], [mark('points', 2, [0, 0, 1, 2, 5, 5, 7, 9])]);
  const at = (t) => (film.seek(t), Array.from(film.marks[0].now.subarray(0, 2)));
  assert.deepEqual(at(0.5), [0.5, 1]);
  assert.deepEqual(at(1), [5, 5]);
  assert.deepEqual(at(1.25), [5.5, 6]);
  assert.deepEqual(at(2), [7, 9]);
  assert.deepEqual(at(-3), [0, 0]);
  const last = at(0.999999);
  near(last[0], 0.999999); // never a way to the other side of the jump
});

test('frames with other numbers of elements are not mixed', async () => {
  const film = await open([0, 1, 2], [mark('line', 2, [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5], { ends: [1, 3, 6], count: undefined })]);
  film.seek(0.5);
  assert.equal(film.marks[0].shown, 1);
  assert.deepEqual(Array.from(film.marks[0].now.subarray(0, 2)), [0, 0]);
  film.seek(1.9);
  assert.equal(film.marks[0].shown, 2);
  assert.deepEqual(Array.from(film.marks[0].now.subarray(0, 4)), [1, 1, 2, 2]);
});

test('still marks have the numbers of one frame', async () => {
  const film = await open([0, 1, 2], [mark('line', 2, [0, 0, 3, 1], { still: true, count: 2 })]);
  for (const t of [0, 0.5, 2]) {
    film.seek(t);
    assert.deepEqual(Array.from(film.marks[0].now.subarray(0, 4)), [0, 0, 3, 1]);
  }
  assert.equal(film.seek(2), false); // nothing has changed
});

test('forces are as long as their share of the longest, others as they are', async () => {
  const values = [1, 1, 0, 4];
  const film = await open([0], [mark('arrow', 4, values, { paint: 'force' }), mark('arrow', 4, values)]);
  const tip = [0, 0, 0];
  film.seek(0);
  assert.ok(tipOf(film.panels[0], film.marks[0], film.marks[0].now, 0, 1, tip));
  near(tip[1], 1 + 0.16 * 4 * 0.5); // of the larger side of the panel
  assert.ok(tipOf(film.panels[0], film.marks[0], film.marks[0].now, 0, 2, tip));
  near(tip[1], 1 + 0.16 * 4);
  assert.ok(tipOf(film.panels[0], film.marks[1], film.marks[1].now, 0, 3, tip));
  near(tip[1], 5);
  assert.equal(film.panels[0].high[1], 5); // the tips belong to the room
  assert.equal(tipOf(film.panels[0], film.marks[0], [0, 0, 0, 0], 0, 1, tip), false);
  assert.equal(tipOf(film.panels[0], film.marks[0], [0, 0, NaN, 1], 0, 1, tip), false);
});

test('where scales differ an arrow is measured along its own axis', async () => {
  const film = await open([0], [mark('arrow', 4, [0, 0, 0, 8], { paint: 'force' })], { stretched: true, high: [1, 100] });
  const tip = [0, 0, 0];
  film.seek(0);
  tipOf(film.panels[0], film.marks[0], film.marks[0].now, 0, 1, tip);
  near(tip[1], 16);
});

test('heights of stretched panels in space are lifted', async () => {
  const film = await open([0], [mark('line', 3, [0, 0, 0, 1, 1, 0.01], { still: true, count: 2 })],
    { space: true, stretched: true, low: [0, 0, 0], high: [2, 1, 0.01] });
  film.seek(0);
  near(film.panels[0].lift * 0.01, 0.35 * 2);
  const [a, b] = partsOf(film.marks[0], film.panels[0], 1, 0.1).segments;
  assert.deepEqual(a, [0, 0, 0]);
  near(b[2], 0.7);
});

test('the eye of a panel: what is under the pointer stays there while zooming', () => {
  const eye = new FlatEye(panel({}));
  eye.setBox({ left: 0, top: 0, right: 400, bottom: 300 });
  assert.equal(eye.scale[0], eye.scale[1]);
  near(eye.x(2), 200);
  near(eye.y(1), 150);
  const before = (x) => (x - 200) / eye.scale[0] + eye.centre[0];
  const there = before(320);
  eye.zoom(3, 320, 40);
  near(before(320), there);
  eye.pan(10, 0);
  near(before(330), there);
  eye.reset();
  near(eye.x(2), 200);
});

test('the pointer finds the nearest mark, lines before what they lie in', async () => {
  const film = await open([0], [
    mark('circle', 4, [2, 1, 0.9, 0], { label: 'ball', filled: true }),
    mark('line', 2, [1.5, 1, 2.5, 1], { label: 'rod', count: 2 }),
  ]);
  film.seek(0);
  for (const one of film.marks) one.visible = true;
  const place = (values, at) => [100 * values[at], 100 * values[at + 1]];
  assert.equal(pick(film, 0, place, 200, 101, 1).mark.label, 'rod');
  assert.equal(pick(film, 0, place, 200, 150, 1).mark.label, 'ball');
  assert.equal(pick(film, 0, place, 390, 190, 1), null);
});

test('two triangles cover every dot of a square, with levels that follow x', () => {
  const [side, shift] = [17, 3];
  const box = { left: shift, top: 0, width: side, height: side };
  const corners = [[0, 0], [1, 0], [1, 1], [0, 1]].flatMap(([x, y]) => [shift + side * x, side * y, x]);
  const colours = Uint32Array.from({ length: 101 }, (_, k) => k + 1);
  const dots = new Uint32Array(side * side);
  for (const triangle of [[0, 3, 6], [0, 6, 9]]) fillTriangle(dots, box, corners, triangle, colours, 0, 100);
  for (let row = 0; row < side; row++)
    for (let column = 0; column < side; column++) near(dots[row * side + column], 1 + Math.round((100 * (column + 0.5)) / side));
});

test('dots outside of the part that is shown are left out', () => {
  const dots = new Uint32Array(4);
  fillTriangle(dots, { left: 0, top: 0, width: 2, height: 2 }, [-9, -9, 1, 30, -9, 1, -9, 30, 1], [0, 3, 6], Uint32Array.of(5, 6, 7), 0, 1);
  assert.deepEqual(Array.from(dots), [6, 6, 6, 6]);
});
