// The one clock of the page: simulated time, moved by the time that passes while it plays.
const SPEEDS = [1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8];

export class Clock {
  constructor(span) {
    const least = 1e-3 * (Math.abs(span[0]) || 1); // a record of one moment has a clock that can move, too
    this.span = span[1] > span[0] ? [span[0], span[1]] : [span[0], span[0] + least];
    this.t = this.span[0];
    this.playing = false;
    this.opened = false; // still at the moment at which the page opens
    this.loop = false;
    this.speed = 1;
    this.base = naturalRate(this.span[1] - this.span[0]);
    this.listeners = new Set();
  }

  // fn(clock, what) with what one of "time", "playing", "speed", "loop"; returns a function that ends it.
  subscribe(fn) {
    this.listeners.add(fn);
    return () => this.listeners.delete(fn);
  }

  tell(what) {
    for (const fn of this.listeners) fn(this, what);
  }

  seek(t) {
    const to = Math.min(this.span[1], Math.max(this.span[0], t));
    this.opened = false;
    if (!(to !== this.t)) return;
    this.t = to;
    this.tell('time');
  }

  // Shows a moment amid what happens; playing begins at the start all the same.
  open(t) {
    this.seek(t);
    this.opened = true;
  }

  play() {
    if (this.playing) return;
    if (this.opened || this.t >= this.span[1]) this.seek(this.span[0]);
    this.playing = true;
    this.tell('playing');
  }

  pause() {
    if (!this.playing) return;
    this.playing = false;
    this.tell('playing');
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  setLoop(loop) {
    this.loop = loop;
    this.tell('loop');
  }

  setSpeed(speed) {
    this.speed = speed;
    this.tell('speed');
  }

  // The next speed of the list: by +1 or -1.
  shiftSpeed(by) {
    const at = SPEEDS.indexOf(this.speed);
    const next = SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, (at < 0 ? 3 : at) + by))];
    this.setSpeed(next);
  }

  // Simulated time per second of the reader.
  rate() {
    return this.base * this.speed;
  }

  // Moves on by so many seconds of the reader; called once per animation frame.
  advance(seconds) {
    if (!this.playing) return;
    const to = this.t + seconds * this.rate();
    if (to < this.span[1]) this.seek(to);
    else if (this.loop) this.seek(this.span[0]);
    else {
      this.seek(this.span[1]);
      this.pause();
    }
  }
}

Clock.SPEEDS = SPEEDS;

// Motions of 2 to 60 units are shown as fast as they are; others by a power of ten of it (1, 2 or 5 times), in about ten seconds.
function naturalRate(length) {
  if (length >= 2 && length <= 60) return 1;
  const wanted = length / 10;
  const power = 10 ** Math.floor(Math.log10(wanted));
  for (const factor of [1, 2, 5]) if (factor * power >= wanted / 1.5) return factor * power;
  return 10 * power;
}
