// Values at a time, ranges, the clock, numbers as texts.
import test from 'node:test';
import assert from 'node:assert/strict';
import { extent, valueAt } from '../src/charts/series.js';
import { after, windowOf } from '../src/charts/paint.js';
import { Range } from '../src/charts/range.js';
import { Clock } from '../src/clock.js';
import { brief, number, tickLabels, timeFormat } from '../src/format.js';

const series = (x, y, more = {}) => ({
  x: Float64Array.from(x),
  y: Float64Array.from(y),
  style: 'line',
  jumps: true,
  sorted: true,
  visible: true,
  breaks: new Set(),
  ...more,
});

test('lines are straight between points, with both limits at a jump', () => {
  const ball = series([0, 1, 1, 3], [0, -4, 2, 0]);
  assert.deepEqual(valueAt(ball, 0.5, 0).values, [-2]);
  assert.deepEqual(valueAt(ball, 2, 0).values, [1]);
  assert.deepEqual(valueAt(ball, 1, 0).values, [-4, 2]);
  assert.deepEqual(valueAt(ball, 1.01, 0.1).values, [-4, 2]);
  assert.deepEqual(valueAt(ball, 3, 0).values, [0]);
  assert.equal(valueAt(ball, 3.1, 0), null);
  assert.equal(valueAt(ball, -0.1, 0), null);
});

test('steps hold, stems are there only where they are, breaks have no value', () => {
  assert.deepEqual(valueAt(series([0, 1, 2], [5, 6, 7], { style: 'steps' }), 1.9, 0).values, [6]);
  const atoms = series([1, 2], [3, 4], { style: 'stems' });
  assert.equal(valueAt(atoms, 1.5, 0.1), null);
  assert.deepEqual(valueAt(atoms, 1.95, 0.1).values, [4]);
  assert.equal(valueAt(series([0, 1, 2, 3], [0, 1, 2, 3], { breaks: new Set([2]) }), 1.5, 0), null);
});

test('three values at one time are all reported', () => {
  assert.deepEqual(valueAt(series([0, 1, 1, 1, 2], [0, 1, 5, 3, 0]), 1, 0).values, [1, 5, 3]);
});

test('the window of a series has a neighbour on each side', () => {
  const x = [0, 1, 2, 3, 4];
  assert.equal(after(x, 2), 3);
  assert.deepEqual(windowOf(series(x, x), 1.5, 2.5), [1, 4]);
});

test('extents: stems reach 0, logarithmic axes have no zeros, hidden series do not count', () => {
  assert.deepEqual(extent([series([1, 2], [3, 4], { style: 'stems' })], 0, 3, false), [0, 4]);
  assert.deepEqual(extent([series([1, 2, 3], [0, 1e-9, 1e-3])], 0, 4, true), [1e-9, 1e-3]);
  assert.equal(extent([series([1], [1], { visible: false })], 0, 2, false), null);
});

test('a range stays inside its span and keeps what it zooms about', () => {
  const range = new Range([0, 10]);
  range.zoom(0.5, 4);
  assert.deepEqual([range.low, range.high], [2, 7]);
  range.pan(1);
  assert.deepEqual([range.low, range.high], [5, 10]);
  range.zoom(100);
  assert.ok(range.whole());
});

test('the clock ends at the end, or begins again', () => {
  const clock = new Clock([0, 4]);
  clock.play();
  clock.advance(3);
  assert.equal(clock.t, 3);
  clock.advance(3);
  assert.equal(clock.t, 4);
  assert.equal(clock.playing, false);
  clock.setLoop(true);
  clock.play();
  assert.equal(clock.t, 0);
  clock.advance(5);
  assert.deepEqual([clock.t, clock.playing], [0, true]);
  clock.seek(-1);
  assert.equal(clock.t, 0);
});

test('the clock opens amid the motion, and plays from its start', () => {
  const clock = new Clock([1, 4]);
  clock.open(3);
  assert.deepEqual([clock.t, clock.playing], [3, false]);
  clock.play();
  assert.equal(clock.t, 1);
  clock.pause();
  clock.open(3);
  clock.seek(2); // the reader has chosen a time
  clock.play();
  assert.equal(clock.t, 2);
  clock.open(-Infinity);
  assert.equal(clock.t, 1);
});

test('long and short motions are shown in about ten seconds', () => {
  for (const length of [1e-6, 3e-3, 0.5, 61, 1e4, 7e9]) {
    const seconds = length / new Clock([0, length]).rate();
    assert.ok(seconds > 4 && seconds < 21, `${length}: ${seconds} s`);
  }
  assert.equal(new Clock([0, 30]).rate(), 1);
});

test('numbers as texts', () => {
  assert.equal(number(-0.25), '−0.25');
  assert.equal(number(3.1e-14, 3), '3.1·10⁻¹⁴');
  assert.equal(number(NaN), '–');
  assert.equal(number(6000), '6000');
  assert.deepEqual(tickLabels([0, 0.25, 0.5], 0.25), ['0.00', '0.25', '0.50']);
  assert.deepEqual(tickLabels([0, 2e-15], 2e-15), ['0', '2·10⁻¹⁵']);
  assert.deepEqual(tickLabels([0], 2e-15), ['0']);
  assert.equal(timeFormat([0, 3])(0.4515), '0.452');
});

test('names of records in front of their proofs keep the end, where they differ', () => {
  assert.equal(brief('branches'), 'branches');
  assert.equal(brief('branches.branch-2'), '…branch-2');
  assert.equal(brief('nine-char'), 'nine-char');
});
