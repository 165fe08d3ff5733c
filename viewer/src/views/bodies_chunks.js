// Poses of the moving bodies, chunk by chunk: decoded when needed, the next ones ahead, forgotten when there are too many.
import { createDecoder } from './bodies_worker.js';

const BUDGET = 256e6; // bytes of decoded poses that are kept

export class Chunks {
  // list: chunks of the record; times: of all frames; dimension 2 or 3; width: numbers of a frame (positions and rotations).
  constructor(list, times, dimension, width, numbers) {
    Object.assign(this, { list, times, dimension, numbers });
    this.loaded = new Array(list.length).fill(null);
    this.decoder = createDecoder();
    this.counts = new Uint32Array(512); // speeds of all chunks seen until now
    this.counted = new Set();
    this.busy = false;
    this.stopped = false;
    this.version = 0; // grows with every chunk that arrives
    this.failure = null;
    this.pending = null;
    this.current = 0;
    const largest = Math.max(1, ...list.map((chunk) => chunk.frames)) * width * 4;
    this.most = Math.max(3, Math.floor(BUDGET / Math.max(1, largest)));
  }

  // The chunk of a frame, or null until it has arrived.
  of(frame) {
    return this.loaded[this.indexOf(frame)] ?? null;
  }

  indexOf(frame) {
    let low = 0;
    let high = this.list.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.list[middle].first <= frame) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  // The frame that is shown: its chunk comes first, then those after it, around the end.
  want(frame) {
    this.current = this.indexOf(frame);
    this.next();
  }

  // When the first chunk has arrived.
  async first() {
    if (this.list.length === 0) return;
    this.want(0);
    await this.pending;
    if (this.failure) throw this.failure;
  }

  next() {
    if (this.busy || this.stopped || this.failure) return;
    const count = this.list.length;
    for (let k = 0; k < Math.min(count, this.most - 1); k++) {
      const index = (this.current + k) % count;
      if (!this.loaded[index]) {
        this.pending = this.load(index);
        return;
      }
    }
  }

  async load(index) {
    this.busy = true;
    try {
      const made = await this.decode(this.list[index]);
      if (this.stopped) return;
      this.loaded[index] = { first: this.list[index].first, frames: this.list[index].frames, ...made };
      this.count(index, made.counts);
      this.forget();
      this.version += 1;
    } catch (error) {
      this.failure = error;
    }
    this.busy = false;
    this.next();
  }

  async decode(chunk) {
    const times = Float64Array.from(this.times.subarray(chunk.first, chunk.first + chunk.frames));
    const { position, rotation } = chunk;
    if (position.t === 'q' && rotation.t === 'q') {
      const texts = {};
      for (const b of [position.b, rotation.b]) texts[b] = document.getElementById(`thud-block-${b}`).textContent;
      return this.decoder.decode({ texts, position, rotation, times, dimension: this.dimension });
    }
    return { position: await this.numbers(position), rotation: await this.numbers(rotation), counts: null };
  }

  count(index, counts) {
    if (!counts || this.counted.has(index)) return;
    this.counted.add(index);
    for (let k = 0; k < counts.length; k++) this.counts[k] += counts[k];
  }

  // Those that are farthest ahead of what is shown go first.
  forget() {
    const count = this.list.length;
    const ahead = (index) => (index - this.current + count) % count;
    const kept = this.loaded.map((chunk, index) => (chunk ? index : -1)).filter((index) => index >= 0);
    kept.sort((a, b) => ahead(a) - ahead(b));
    for (const index of kept.slice(this.most)) this.loaded[index] = null;
  }

  // The speed that all but a small share of the bodies do not exceed, 0 while nothing is known.
  speedQuantile(share) {
    const total = this.counts.reduce((sum, n) => sum + n, 0);
    let seen = 0;
    for (let k = 0; k < this.counts.length && total > 0; k++) {
      seen += this.counts[k];
      if (seen >= share * total) return 2 ** ((k + 1 - 256) / 8);
    }
    return 0;
  }

  dispose() {
    this.stopped = true;
    this.decoder.stop();
    this.loaded.fill(null);
  }
}
