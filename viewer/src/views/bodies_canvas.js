// What both painters on a canvas share: its size, the hatching of what stands still, arrows, springs.
import { hexToRgb, mix, rgbToCss } from './bodies_colours.js';

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

  // A zigzag between two places of the screen.
  spring(x, y, u, v) {
    const { pen } = this;
    const turns = 8;
    const length = Math.hypot(u - x, v - y) || 1;
    const [a, b] = [(-(v - y) / length) * 5, ((u - x) / length) * 5];
    pen.beginPath();
    pen.moveTo(x, y);
    for (let k = 0; k < turns; k++) {
      const share = 0.15 + (0.7 * (k + 0.5)) / turns;
      const side = k % 2 === 0 ? 1 : -1;
      pen.lineTo(x + share * (u - x) + side * a, y + share * (v - y) + side * b);
    }
    pen.lineTo(u, v);
    pen.strokeStyle = this.theme.muted;
    pen.lineWidth = 1.4;
    pen.stroke();
  }
}
