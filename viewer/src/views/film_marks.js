// Marks on a canvas, in pixels. What is not finite is not drawn.
import { insideColour, lineColour, lineWidth } from './film_colours.js';
import { tipOf } from './film_data.js';
import { paintSurface } from './film_raster.js';

const COILS = 9;
const SEAM = 0.9; // pixels

export class MarkPainter {
  // place(numbers, at) -> [x, y] on the canvas
  constructor(pen, panel, theme, place, factor) {
    Object.assign(this, { pen, panel, theme, place, factor });
    this.tip = [0, 0, 0];
  }

  begin(mark) {
    const { pen, theme } = this;
    pen.strokeStyle = lineColour(mark, theme);
    pen.fillStyle = insideColour(mark, theme);
    pen.lineWidth = lineWidth(mark);
    pen.globalAlpha = mark.opacity ?? 1;
    pen.setLineDash(mark.dashed ? [6, 4] : []);
    pen.lineJoin = 'round';
    pen.lineCap = mark.paint === 'obstacle' || mark.paint === 'stick' || mark.paint === 'slip' ? 'butt' : 'round';
  }

  finish(mark, path) {
    if (mark.filled) this.pen.fill(path, 'evenodd');
    this.pen.stroke(path);
  }

  paint(mark) {
    const paint = { points: this.points, line: this.line, area: this.area, circle: this.circles, box: this.boxes, spring: this.springs,
      arrow: this.arrows, text: this.texts, surface: this.surface }[mark.kind];
    if (!paint || mark.shown === 0 || !mark.visible) return;
    this.begin(mark);
    paint.call(this, mark);
    this.pen.globalAlpha = 1;
    this.pen.setLineDash([]);
  }

  // Calls fn(at) with the place of every element whose first numbers are finite.
  each(mark, needed, fn) {
    for (let k = 0, at = 0; k < mark.shown; k++, at += mark.size) {
      let good = true;
      for (let i = 0; i < needed; i++) good = good && Number.isFinite(mark.now[at + i]);
      if (good) fn(at);
    }
  }

  points(mark) {
    const radius = 2.6 * Math.sqrt(mark.width || 1);
    this.pen.fillStyle = lineColour(mark, this.theme);
    this.each(mark, this.panel.dimension, (at) => this.dot(...this.place(mark.now, at), radius));
  }

  dot(x, y, radius) {
    this.pen.beginPath();
    this.pen.arc(x, y, radius, 0, 2 * Math.PI);
    this.pen.fill();
  }

  trace(mark) {
    const path = new Path2D();
    let down = false;
    for (let k = 0, at = 0; k < mark.shown; k++, at += mark.size) {
      const [x, y] = this.place(mark.now, at);
      const good = Number.isFinite(x) && Number.isFinite(y);
      if (good && down) path.lineTo(x, y);
      else if (good) path.moveTo(x, y);
      down = good;
    }
    return path;
  }

  line(mark) {
    this.pen.stroke(this.trace(mark));
  }

  area(mark) {
    const path = this.trace(mark);
    path.closePath();
    this.finish(mark, path);
  }

  // Ellipses where the scales differ; the radius shows how it has turned.
  circles(mark) {
    this.each(mark, 3, (at) => {
      const [x, y, radius, angle] = mark.now.subarray(at, at + 4);
      const [px, py] = this.place(mark.now, at);
      const [ux] = this.place([x + Math.abs(radius), y], 0);
      const [, uy] = this.place([x, y + Math.abs(radius)], 0);
      const [a, b] = [Math.abs(ux - px), Math.abs(uy - py)];
      if (!(a > 0.5)) {
        this.pen.fillStyle = lineColour(mark, this.theme);
        this.dot(px, py, 3);
        return;
      }
      const path = new Path2D();
      path.ellipse(px, py, a, b, 0, 0, 2 * Math.PI);
      this.finish(mark, path);
      if (!Number.isFinite(angle) || Math.min(a, b) < 5) return;
      const radiusPath = new Path2D();
      radiusPath.moveTo(px, py);
      radiusPath.lineTo(px + a * Math.cos(angle), py - b * Math.sin(angle));
      this.pen.stroke(radiusPath);
    });
  }

  boxes(mark) {
    this.each(mark, 5, (at) => {
      const path = new Path2D();
      for (const [x, y] of boxCorners(mark.now, at)) path.lineTo(...this.place([x, y], 0));
      path.closePath();
      this.finish(mark, path);
    });
  }

  springs(mark) {
    const d = this.panel.dimension;
    this.each(mark, 2 * d, (at) => {
      const path = new Path2D();
      for (const [x, y] of springPoints(this.place(mark.now, at), this.place(mark.now, at + d))) path.lineTo(x, y);
      this.pen.stroke(path);
    });
  }

  arrows(mark) {
    const d = this.panel.dimension;
    this.each(mark, 2 * d, (at) => {
      if (tipOf(this.panel, mark, mark.now, at, this.factor, this.tip)) this.arrow(mark, this.place(mark.now, at), this.place(this.tip, 0));
    });
  }

  arrow(mark, [x, y], [u, v]) {
    const { pen } = this;
    const length = Math.hypot(u - x, v - y);
    if (!(length > 0.5)) return;
    const head = Math.min(10 * Math.sqrt(mark.width || 1), 0.6 * length);
    const [a, b] = [(u - x) / length, (v - y) / length];
    pen.fillStyle = lineColour(mark, this.theme);
    pen.beginPath();
    pen.moveTo(x, y);
    pen.lineTo(u - 0.8 * head * a, v - 0.8 * head * b);
    pen.stroke();
    pen.beginPath();
    pen.moveTo(u, v);
    pen.lineTo(u - head * a - 0.36 * head * b, v - head * b + 0.36 * head * a);
    pen.lineTo(u - 0.78 * head * a, v - 0.78 * head * b);
    pen.lineTo(u - head * a + 0.36 * head * b, v - head * b - 0.36 * head * a);
    pen.closePath();
    pen.fill();
  }

  texts(mark) {
    const { pen, theme } = this;
    pen.font = '13px system-ui, sans-serif';
    pen.textAlign = 'center';
    pen.textBaseline = 'middle';
    pen.fillStyle = mark.colour > 0 || !['body', 'guide'].includes(mark.paint) ? lineColour(mark, theme) : theme.ink;
    this.each(mark, this.panel.dimension, (at) => pen.fillText(mark.text ?? '', ...this.place(mark.now, at)));
  }

  surface(mark) {
    paintSurface(this.pen, mark, this.place, this.pen.getTransform().a, this.theme);
  }

  // A little larger than it is: no seams between neighbours.
  face(colour, a, b, c) {
    const { pen } = this;
    const middle = [(a[0] + b[0] + c[0]) / 3, (a[1] + b[1] + c[1]) / 3];
    pen.fillStyle = colour;
    pen.beginPath();
    for (const p of [a, b, c]) {
      const [u, v] = [p[0] - middle[0], p[1] - middle[1]];
      const more = 1 + SEAM / (Math.hypot(u, v) || 1);
      pen.lineTo(middle[0] + more * u, middle[1] + more * v);
    }
    pen.fill();
  }
}

export function boxCorners(numbers, at) {
  const [x, y, width, height, angle] = numbers.subarray(at, at + 5);
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([a, b]) => [x + (c * a * width - s * b * height) / 2, y + (s * a * width + c * b * height) / 2]);
}

// A spring seen from the side: straight ends and coils, which overlap when it is short.
export function springPoints([x, y], [u, v]) {
  const length = Math.hypot(u - x, v - y) || 1;
  const [a, b] = [(u - x) / length, (v - y) / length];
  const radius = 7;
  const lean = Math.min(4, 0.25 * length / COILS); // how far the front of a coil leans along the axis
  const points = [[x, y]];
  const steps = 16 * COILS;
  for (let k = 0; k <= steps; k++) {
    const angle = (2 * Math.PI * COILS * k) / steps;
    const along = (0.14 + (0.72 * k) / steps) * length + lean * (1 - Math.cos(angle)) - lean;
    const aside = radius * Math.sin(angle);
    points.push([x + along * a - aside * b, y + along * b + aside * a]);
  }
  points.push([u, v]);
  return points;
}
