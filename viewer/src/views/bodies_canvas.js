// What both painters on a canvas share: its size, the hatching of what stands still, arrows, springs, joints.
import { hexToRgb, mix, rgbToCss } from './bodies_colours.js';
import { jointMarks } from './bodies_joints.js';
import { springEnds } from './bodies_springs.js';

export const RING = 3.5; // pixels: radius of the ring of a joint
export const AXIS = 10; // pixels: half of the stroke along its axis
const TURNS = 8; // of a spring
const COIL = 5; // pixels: half of its width

export class Sheet {
  constructor(canvas) {
    this.canvas = canvas;
    this.pen = canvas.getContext('2d', { alpha: false });
    this.ratio = 1;
  }

  resize(width, height) {
    this.ratio = Math.min(window.devicePixelRatio || 1, 2);
    this.size = [width, height];
    this.canvas.width = Math.max(1, Math.round(width * this.ratio));
    this.canvas.height = Math.max(1, Math.round(height * this.ratio));
  }

  setTheme(theme) {
    this.theme = theme;
    this.hatches = new Map();
  }

  clear() {
    const { pen } = this;
    pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    pen.globalAlpha = 1;
    pen.fillStyle = this.theme.paper;
    pen.fillRect(0, 0, this.size[0], this.size[1]);
    pen.lineJoin = 'round';
    pen.lineCap = 'round';
  }

  // Lines aslant on a colour; kept per colour.
  hatch(rgb) {
    const key = rgbToCss(rgb);
    if (!this.hatches.has(key)) this.hatches.set(key, this.makeHatch(rgb));
    return this.hatches.get(key);
  }

  makeHatch(rgb) {
    const side = Math.round(8 * this.ratio);
    const tile = document.createElement('canvas');
    tile.width = side;
    tile.height = side;
    const pen = tile.getContext('2d');
    pen.fillStyle = rgbToCss(rgb);
    pen.fillRect(0, 0, side, side);
    pen.strokeStyle = rgbToCss(mix(rgb, hexToRgb(this.theme.ink), 0.22));
    pen.lineWidth = this.ratio;
    for (let k = -1; k <= 1; k++) {
      pen.moveTo(k * side - 2, side + 2);
      pen.lineTo(k * side + side + 2, -2);
    }
    pen.stroke();
    const pattern = this.pen.createPattern(tile, 'repeat');
    pattern.setTransform(new DOMMatrix([1 / this.ratio, 0, 0, 1 / this.ratio, 0, 0]));
    return pattern;
  }

  // Arrows from lists of screen places: x y to x y.
  arrows(count, ends) {
    const { pen } = this;
    pen.beginPath();
    for (let k = 0; k < count; k++) {
      const [x, y, u, v] = ends.subarray(4 * k, 4 * k + 4);
      const length = Math.hypot(u - x, v - y);
      if (!(length > 0.5)) continue;
      const head = Math.min(8, 0.4 * length) / length;
      const [a, b] = [(u - x) * head, (v - y) * head];
      pen.moveTo(x, y);
      pen.lineTo(u, v);
      pen.moveTo(u - a - 0.5 * b, v - b + 0.5 * a);
      pen.lineTo(u, v);
      pen.lineTo(u - a + 0.5 * b, v - b - 0.5 * a);
    }
    pen.strokeStyle = this.theme.paints.force;
    pen.lineWidth = count > 3000 ? 1 : 1.8;
    pen.stroke();
  }

  // Springs and joints at time t, over the bodies; scale: pixels per length; toScreen(x y z): x y in pixels.
  hardware(bodies, t, scale, toScreen) {
    const { pen } = this;
    const e = springEnds(bodies, new Float32Array(6 * bodies.springs.length));
    const { rings, axes, lines } = jointMarks(bodies, t);
    pen.lineWidth = 1.4;
    pen.strokeStyle = this.theme.muted;
    this.strokes(Array.from({ length: bodies.springs.length }, (_, k) =>
      springLine([...toScreen(e.subarray(6 * k, 6 * k + 3)), 0], [...toScreen(e.subarray(6 * k + 3, 6 * k + 6)), 0], [1, 0, 0], [0, 1, 0], COIL)));
    pen.strokeStyle = this.theme.ink;
    this.strokes([...lines.map((line) => line.map(toScreen)), ...axes.map(({ at, along, long }) => {
      const half = ((long ? 2 : 1) * AXIS) / scale;
      return [-half, half].map((way) => toScreen(at.map((x, k) => x + way * along[k])));
    })]);
    this.rings(rings.map(toScreen));
  }

  strokes(lines) {
    const { pen } = this;
    pen.beginPath();
    for (const line of lines) line.forEach(([x, y], k) => (k === 0 ? pen.moveTo(x, y) : pen.lineTo(x, y)));
    pen.stroke();
  }

  rings(places) {
    const { pen } = this;
    pen.beginPath();
    for (const [x, y] of places) {
      pen.moveTo(x + RING, y);
      pen.arc(x, y, RING, 0, 2 * Math.PI);
    }
    pen.fillStyle = this.theme.paper;
    pen.fill();
    pen.stroke();
  }
}

// A zigzag from a to b, `wide` to both sides in the plane of the picture, whose axes are right and top.
export function springLine(a, b, right, top, wide) {
  const dot = (x, y) => x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
  const way = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  const [u, v] = [dot(way, right), dot(way, top)];
  const length = Math.hypot(u, v) || 1;
  const side = right.map((x, k) => ((-v * x + u * top[k]) / length) * wide);
  const line = [Array.from(a)];
  for (let k = 0; k < TURNS; k++) {
    const share = 0.15 + (0.7 * (k + 0.5)) / TURNS;
    const sign = k % 2 === 0 ? 1 : -1;
    line.push(way.map((x, i) => a[i] + share * x + sign * side[i]));
  }
  line.push(Array.from(b));
  return line;
}
