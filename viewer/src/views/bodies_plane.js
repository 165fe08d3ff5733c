// Bodies in the plane on a canvas. Those of one colour are one path: a few dozen fills, however many bodies there are.
import { Sheet } from './bodies_canvas.js';
import { rgbToCss } from './bodies_colours.js';
import { partOutline } from './bodies_outlines.js';

const PARTICLE = 3; // pixels: radius of discs without one
const BAND = 14; // pixels: depth of the hatching of the ground
const THIN = 2.5; // pixels: smaller bodies have no outline

export class PlanePainter {
  constructor(canvas, bodies, contacts, camera) {
    Object.assign(this, { canvas, bodies, contacts, camera });
    this.sheet = new Sheet(canvas);
    this.outlines = Array.from({ length: bodies.partBody.length }, (_, part) => partOutline(bodies, part));
    this.grounds = [...this.outlines.keys()].filter((part) => this.outlines[part].ground);
    this.batches = [];
    this.forces = null;
    this.fresh = true;
  }

  setTheme(theme) {
    this.sheet.setTheme(theme);
    this.theme = theme;
    this.fresh = true;
  }

  resize(width, height) {
    this.sheet.resize(width, height);
    this.fresh = true;
  }

  // Parts of the same colour and role together: what stands still first.
  sort(rgb) {
    const { bodies } = this;
    const found = new Map();
    this.outlines.forEach((outline, part) => {
      if (outline.ground) return;
      const body = bodies.partBody[part];
      const still = bodies.roles[body] !== 0;
      const colour = Array.from(rgb.subarray(3 * body, 3 * body + 3));
      const key = `${still} ${rgbToCss(colour)}`;
      if (!found.has(key)) found.set(key, { still, colour, parts: [] });
      found.get(key).parts.push(part);
    });
    this.batches = [...found.values()].sort((a, b) => Number(b.still) - Number(a.still));
  }

  draw(shown) {
    if (this.fresh || shown.painted) this.sort(shown.rgb);
    this.fresh = false;
    const { camera, sheet } = this;
    const { pen } = sheet;
    this.scale = camera.scale;
    this.shift = [camera.size[0] / 2 - camera.scale * camera.target[0], camera.size[1] / 2 + camera.scale * camera.target[1]];
    sheet.clear();
    for (const part of this.grounds) this.drawGround(part, shown.rgb);
    for (const batch of this.batches) this.drawBatch(batch, shown.arrows && !batch.still ? 0.5 : 1);
    pen.globalAlpha = 1;
    if (shown.settings.joints) this.sheet.hardware(this.bodies, this.bodies.time, this.scale, ([x, y]) => this.toScreen(x, y));
    if (shown.arrows) this.drawForces(shown.arrows);
  }

  drawBatch(batch, alpha) {
    const { pen } = this.sheet;
    const marks = new Path2D();
    const path = new Path2D();
    for (const part of batch.parts) this.trace(part, path, marks);
    pen.globalAlpha = alpha;
    pen.fillStyle = batch.still ? this.sheet.hatch(batch.colour) : rgbToCss(batch.colour);
    pen.fill(path);
    if (this.bodies.room.radius * this.scale < THIN && !batch.still) return;
    pen.strokeStyle = this.theme.ink;
    pen.globalAlpha = alpha * (batch.still ? 0.6 : 0.75);
    pen.lineWidth = batch.still ? 1.2 : 1;
    pen.stroke(path);
    pen.stroke(marks);
  }

  // Pale, hatched along its surface.
  drawGround(part, rgb) {
    const { pen } = this.sheet;
    const body = this.bodies.partBody[part];
    const colour = Array.from(rgb.subarray(3 * body, 3 * body + 3));
    const [all, band] = [new Path2D(), new Path2D()];
    this.depth = 2 * (this.sheet.size[0] + this.sheet.size[1]);
    this.trace(part, all, all);
    this.depth = BAND;
    this.trace(part, band, band);
    pen.fillStyle = this.theme.faint;
    pen.globalAlpha = 0.5;
    pen.fill(all);
    pen.globalAlpha = 1;
    pen.fillStyle = this.sheet.hatch(colour);
    pen.fill(band);
    pen.strokeStyle = this.theme.ink;
    pen.globalAlpha = 0.6;
    pen.lineWidth = 1.2;
    pen.stroke(all);
    pen.globalAlpha = 1;
  }

  trace(part, path, marks) {
    const outline = this.outlines[part];
    const o = 7 * this.bodies.partBody[part];
    const { pose } = this.bodies;
    const w = pose[o + 3];
    const z = pose[o + 6];
    const c = this.scale * (w * w - z * z);
    const s = this.scale * 2 * w * z;
    const x = this.shift[0] + this.scale * pose[o];
    const y = this.shift[1] - this.scale * pose[o + 1];
    if (outline.disc) this.traceDisc(outline.disc, x, y, c, s, path, marks);
    else if (outline.ground) traceGround(outline.ground, x, y, c, s, path, this.sheet.size, this.depth);
    else tracePoints(outline, x, y, c, s, path);
  }

  // With a mark, so that one sees it roll.
  traceDisc([u, v, radius, angle], x, y, c, s, path, marks) {
    const px = x + c * u - s * v;
    const py = y - s * u - c * v;
    const r = radius > 0 ? radius * this.scale : PARTICLE;
    const [wide, tall] = this.sheet.size;
    if (px < -r || py < -r || px > wide + r || py > tall + r) return;
    path.moveTo(px + r, py);
    path.arc(px, py, r, 0, 2 * Math.PI);
    if (r < 3) return;
    const cos = (c * Math.cos(angle) - s * Math.sin(angle)) / this.scale;
    const sin = (s * Math.cos(angle) + c * Math.sin(angle)) / this.scale;
    marks.moveTo(px, py);
    marks.lineTo(px + r * cos, py - r * sin);
  }

  drawForces({ scale, longest }) {
    this.forces ??= { ends: new Float32Array(6 * Math.max(1, this.contacts.most())), screen: null };
    const { ends } = this.forces;
    this.forces.screen ??= new Float32Array(ends.length);
    const count = this.contacts.arrows(this.bodies.nearest, scale, longest, ends);
    for (let k = 0; k < count; k++) {
      this.forces.screen.set(this.toScreen(ends[6 * k], ends[6 * k + 1]), 4 * k);
      this.forces.screen.set(this.toScreen(ends[6 * k + 3], ends[6 * k + 4]), 4 * k + 2);
    }
    this.sheet.arrows(count, this.forces.screen);
  }

  toScreen(x, y) {
    return [this.shift[0] + this.scale * x, this.shift[1] - this.scale * y];
  }

  // The body at a place of the canvas: what moves first.
  pick(px, py) {
    const { pen } = this.sheet;
    let still = -1;
    if (this.scale === undefined) return -1;
    for (let part = this.outlines.length - 1; part >= 0; part--) {
      if (this.outlines[part].ground) continue;
      const path = new Path2D();
      this.trace(part, path, path);
      if (!pen.isPointInPath(path, px * this.sheet.ratio, py * this.sheet.ratio)) continue;
      const body = this.bodies.partBody[part];
      if (this.bodies.roles[body] === 0) return body;
      still = body;
    }
    return still;
  }

  dispose() {
    this.sheet.resize(1, 1);
  }
}

function tracePoints({ points, open }, x, y, c, s, path) {
  for (let k = 0; k < points.length; k += 2) {
    const px = x + c * points[k] - s * points[k + 1];
    const py = y - s * points[k] - c * points[k + 1];
    if (k === 0) path.moveTo(px, py);
    else path.lineTo(px, py);
  }
  if (!open) path.closePath();
}

// A half-plane: a rectangle behind its line, which is longer than the canvas is wide.
function traceGround([u, v, nx, ny], x, y, c, s, path, size, depth) {
  const far = 2 * (size[0] + size[1]);
  const scale = Math.hypot(c, s);
  const px = x + c * u - s * v;
  const py = y - s * u - c * v;
  const n = [(c * nx - s * ny) / scale, -(s * nx + c * ny) / scale]; // on the screen, y downwards
  const middle = [size[0] / 2 - px, size[1] / 2 - py];
  const along = middle[0] * -n[1] + middle[1] * n[0]; // near the middle of the canvas
  const [ax, ay] = [px - along * n[1], py + along * n[0]];
  path.moveTo(ax - far * n[1], ay + far * n[0]);
  path.lineTo(ax + far * n[1], ay - far * n[0]);
  path.lineTo(ax + far * n[1] - depth * n[0], ay - far * n[0] - depth * n[1]);
  path.lineTo(ax - far * n[1] - depth * n[0], ay + far * n[0] - depth * n[1]);
  path.closePath();
}
