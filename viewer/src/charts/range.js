// What the time series share: the range of x, and the place of the mouse.
export class Range {
  constructor(full) {
    this.full = full;
    this.low = full[0];
    this.high = full[1];
    this.listeners = new Set();
  }

  subscribe(fn) {
    this.listeners.add(fn);
    return () => this.listeners.delete(fn);
  }

  set(low, high) {
    const length = this.full[1] - this.full[0];
    const size = Math.min(length, Math.max(high - low, length * 1e-9));
    let from = low;
    if (from < this.full[0]) from = this.full[0];
    if (from + size > this.full[1]) from = this.full[1] - size;
    if (from === this.low && from + size === this.high) return;
    this.low = from;
    this.high = Math.min(this.full[1], from + size);
    for (const fn of this.listeners) fn(this);
  }

  reset() {
    this.set(...this.full);
  }

  whole() {
    return this.low === this.full[0] && this.high === this.full[1];
  }

  // Shorter (factor < 1) or longer about a time that stays where it is.
  zoom(factor, about = (this.low + this.high) / 2) {
    this.set(about - (about - this.low) * factor, about + (this.high - about) * factor);
  }

  pan(share) {
    const by = share * (this.high - this.low);
    this.set(this.low + by, this.high + by);
  }
}

// The time under the mouse in any chart; null: the mouse is elsewhere.
export class Pointer {
  constructor() {
    this.t = null;
    this.listeners = new Set();
  }

  subscribe(fn) {
    this.listeners.add(fn);
    return () => this.listeners.delete(fn);
  }

  set(t) {
    if (t === this.t) return;
    this.t = t;
    for (const fn of this.listeners) fn(t);
  }
}
