// Numbers of pages: what is encoded comes back.
import test from 'node:test';
import assert from 'node:assert/strict';
import { Blocks } from '../dev/encode.mjs';
import { decodeBase64, decodePlanes, numbers, release } from '../src/data.js';

// A page of these blocks, as the browser has it.
function install(blocks) {
  const texts = blocks.packed();
  globalThis.document = {
    getElementById: (id) =>
      texts[Number(id.replace('thud-block-', ''))] === undefined
        ? null
        : { textContent: texts[Number(id.replace('thud-block-', ''))] },
  };
  texts.forEach((_, k) => release(k));
}

// A linear congruential generator (Numerical Recipes), so that every run sees the same numbers.
function random(seed) {
  let state = seed >>> 0;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

test('inline numbers: null is NaN, nothing is empty', async () => {
  assert.deepEqual([...(await numbers([1, null, -2.5]))], [1, NaN, -2.5]);
  assert.equal((await numbers(null)).length, 0);
});

test('every plain type comes back bit for bit, at its place', async () => {
  const blocks = new Blocks();
  const values = {
    f64: [0, -0, Math.PI, 1e-310, NaN],
    f32: [1.5, -2.25],
    i32: [-(2 ** 31), 2 ** 31 - 1],
    u32: [0, 2 ** 32 - 1],
    u8: [0, 255, 7],
  };
  const places = Object.entries(values).map(([type, list]) => [blocks.add(list, type), list]);
  const shuffled = blocks.shuffled([1 / 3, -7e200, 5e-324]);
  blocks.next();
  const second = blocks.add([42]);
  install(blocks);
  for (const [place, list] of places) assert.deepEqual([...(await numbers(place))], list);
  assert.deepEqual([...(await numbers(shuffled))], [1 / 3, -7e200, 5e-324]);
  assert.deepEqual([...(await numbers(second))], [42]);
});

test('quantised rows are within half a step, in every order of differences', async () => {
  const next = random(7);
  for (const order of [0, 1, 2])
    for (const [rows, cols] of [
      [1, 5],
      [2, 3],
      [40, 6],
    ]) {
      const step = [0.01, 0.5];
      const low = [-3, 100];
      const values = Array.from(
        { length: rows * cols },
        (_, i) => low[(i % cols) % 2] + 5000 * (next() - 0.5) * step[(i % cols) % 2],
      );
      const blocks = new Blocks();
      const place = blocks.quantised(values, rows, cols, step, low, order);
      install(blocks);
      const found = await numbers(place);
      values.forEach((value, i) => {
        const rounding = 2 ** -24 * Math.abs(found[i]); // of single precision
        assert.ok(
          Math.abs(found[i] - value) <= 0.5 * step[(i % cols) % 2] * (1 + 1e-9) + rounding,
          `order ${order}, value ${i}`,
        );
      });
    }
});

test('decodePlanes uses nothing from outside, so that a worker can have its text', () => {
  const alone = new Function(`return (${decodePlanes.toString()})`)();
  assert.deepEqual(
    [...alone(Uint8Array.of(2, 3), { o: 0, rows: 2, cols: 1, planes: 1, order: 1, step: 1, low: 10 })],
    [11, 9],
  );
});

test('base64 of every length', () => {
  const next = random(3);
  for (let length = 0; length < 20; length++) {
    const bytes = Uint8Array.from({ length }, () => 256 * next());
    assert.deepEqual([...decodeBase64(Buffer.from(bytes).toString('base64'))], [...bytes]);
  }
});

test('a block that is not there is named', async () => {
  install(new Blocks());
  await assert.rejects(numbers({ b: 5, o: 0, n: 1, t: 'f64' }), /block 5/);
  await assert.rejects(numbers({ b: 0, o: 0, n: 0, t: 'f16' }), /f16/);
});
