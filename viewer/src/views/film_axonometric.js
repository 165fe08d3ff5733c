// A panel of space without WebGL: seen from afar, painted from the back to the front.
import { mix, rgbToCss } from './bodies_colours.js';
import { cross, dot, minus, unit } from './bodies_poses.js';
import { insideRgb, lineColour, lineWidth, valueRgb } from './film_colours.js';
import { CanvasPanel } from './film_canvas.js';
import { MarkPainter } from './film_marks.js';
import { partsOf } from './film_parts.js';

const LIGHT = unit([-0.35, 0.67, 0.65]); // to the right, upwards, towards the eye

export class AxonometricPanel extends CanvasPanel {
  constructor(film, number, canvas, settings, camera) {
    super(film, number, canvas, settings, camera);
    camera.setPerspective(false);
  }

  resize(width, height) {
    super.resize(width, height);
    this.camera.resize(width, height);
  }

  // x and y on the canvas, and the depth towards the eye.
  seen(x) {
    const away = minus(x, this.camera.target);
    const { right, top, toward } = this.axes;
    return [this.size[0] / 2 + this.scale * dot(away, right), this.size[1] / 2 - this.scale * dot(away, top), dot(away, toward)];
  }

  draw() {
    const { pen, camera, theme } = this;
    this.axes = camera.axes();
    this.scale = this.size[1] / camera.height;
    this.clear();
    this.marks = new MarkPainter(pen, this.panel, theme, null, this.settings.arrows);
    this.floor();
    const pieces = [];
    for (const mark of this.film.marks) if (mark.panel === this.number) this.cut(mark, pieces);
    pieces.sort((a, b) => a.depth - b.depth);
    for (const piece of pieces) piece.paint();
    pen.globalAlpha = 1;
  }

  floor() {
    const { low, high } = this.panel.room;
    const corners = [[low[0], low[1]], [high[0], low[1]], [high[0], high[1]], [low[0], high[1]]].map(([x, y]) => this.seen([x, y, low[2]]));
    this.pen.beginPath();
    for (const [x, y] of corners) this.pen.lineTo(x, y);
    this.pen.closePath();
    this.pen.strokeStyle = this.theme.faint;
    this.pen.lineWidth = 1.5;
    this.pen.stroke();
  }

  cut(mark, pieces) {
    const parts = partsOf(mark, this.panel, this.settings.arrows, 8 / this.scale);
    const put = (depth, fn) => pieces.push({ depth, paint: () => { this.marks.begin(mark); fn(); } });
    for (let k = 0; k < parts.segments.length; k += 2) {
      const [a, b] = [this.seen(parts.segments[k]), this.seen(parts.segments[k + 1])];
      put((a[2] + b[2]) / 2, () => this.segment(a, b));
    }
    for (const { at, radius } of parts.balls) put(this.seen(at)[2], () => this.ball(mark, this.seen(at), radius * this.scale));
    for (const at of parts.dots) put(this.seen(at)[2], () => this.dot(mark, this.seen(at)));
    for (const head of parts.heads) put(this.seen(head.tip)[2], () => this.head(mark, head));
    for (const at of parts.texts) put(Infinity, () => this.text(mark, this.seen(at)));
    parts.faces.forEach((corners, k) => {
      const [a, b, c] = corners.map((x) => this.seen(x));
      const value = parts.values.length > 0 ? (parts.values[3 * k] + parts.values[3 * k + 1] + parts.values[3 * k + 2]) / 3 : null;
      const colour = value === null ? insideRgb(mark, this.theme) : valueRgb(mark, value, this.theme);
      put((a[2] + b[2] + c[2]) / 3, () => this.marks.face(rgbToCss(mix(colour, [0, 0, 0], shadeOf(a, b, c))), a, b, c));
    });
  }

  segment(a, b) {
    this.pen.beginPath();
    this.pen.moveTo(a[0], a[1]);
    this.pen.lineTo(b[0], b[1]);
    this.pen.stroke();
  }

  ball(mark, [x, y], radius) {
    const { pen } = this;
    const colour = insideRgb(mark, this.theme);
    const shade = pen.createRadialGradient(x - 0.35 * radius, y - 0.4 * radius, 0.1 * radius, x, y, radius);
    shade.addColorStop(0, rgbToCss(mix(colour, [1, 1, 1], 0.25)));
    shade.addColorStop(1, rgbToCss(mix(colour, [0, 0, 0], 0.4)));
    pen.fillStyle = shade;
    pen.beginPath();
    pen.arc(x, y, radius, 0, 2 * Math.PI);
    pen.fill();
  }

  dot(mark, [x, y]) {
    this.pen.fillStyle = lineColour(mark, this.theme);
    this.marks.dot(x, y, 2.6 * Math.sqrt(mark.width || 1));
  }

  head(mark, { tip, along, length }) {
    const from = this.seen(tip.map((x, k) => x - length * along[k]));
    this.marks.arrow({ ...mark, width: lineWidth(mark) }, from, this.seen(tip));
  }

  text(mark, [x, y]) {
    this.marks.place = () => [x, y];
    this.marks.texts({ ...mark, shown: 1 });
  }

  read() {
    return '';
  }
}

// Light falls on both sides.
function shadeOf(a, b, c) {
  const flip = ([x, y, z], [u, v, w]) => [x - u, v - y, z - w];
  const normal = unit(cross(flip(b, a), flip(c, a)));
  return 0.35 * (1 - Math.min(1, Math.abs(dot(normal, LIGHT))));
}
