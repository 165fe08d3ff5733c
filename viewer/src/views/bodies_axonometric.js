// Bodies in space without WebGL: seen from afar, painted on a canvas from the back to the front. Spheres are circles, shapes of
// few triangles show their faces, others the outline of their points.
import { Sheet } from './bodies_canvas.js';
import { formOf } from './bodies_forms.js';
import { Picker } from './bodies_pick.js';
import { mix, rgbToCss } from './bodies_colours.js';
import { cross, dot, minus, partPlace, rotate, unit } from './bodies_poses.js';

const FEW_TRIANGLES = 40;
const SIDES = [[0, 0, 1], [0, 0, -1], [0, 1, 0], [0, -1, 0], [1, 0, 0], [-1, 0, 0]];

export class AxonometricPainter {
  constructor(canvas, bodies, contacts, camera) {
    Object.assign(this, { canvas, bodies, contacts, camera });
    camera.setPerspective(false);
    this.sheet = new Sheet(canvas);
    this.picker = new Picker(bodies);
    this.depths = new Float32Array(bodies.partBody.length);
    this.order = [];
    for (let part = 0; part < bodies.partBody.length; part++)
      if (!bodies.shapes[bodies.partShape[part]].endless) this.order.push(part);
    this.floors = Array.from(bodies.partBody.keys()).filter((part) => bodies.shapes[bodies.partShape[part]].endless);
    this.forces = null;
  }

  setTheme(theme) {
    this.sheet.setTheme(theme);
    this.theme = theme;
  }

  resize(width, height) {
    this.sheet.resize(width, height);
  }

  draw(shown) {
    const { camera, bodies } = this;
    Object.assign(this, camera.axes());
    this.scale = camera.size[1] / camera.height;
    this.sheet.clear();
    for (const part of this.floors) this.drawFloor(part);
    for (const part of this.order) {
      const o = 7 * bodies.partBody[part];
      const still = bodies.roles[bodies.partBody[part]] !== 0;
      this.depths[part] = still ? -Infinity : dot(bodies.pose.subarray(o, o + 3), this.toward);
    }
    this.order.sort((a, b) => this.depths[a] - this.depths[b] || 0);
    for (const part of this.order) this.drawPart(part, shown);
    this.sheet.pen.globalAlpha = 1;
    if (shown.settings.joints) this.sheet.hardware(this.bodies, this.bodies.time, this.scale, (x) => this.toScreen(x));
    if (shown.arrows) this.drawForces(shown.arrows);
  }

  toScreen(x) {
    const { target, size } = this.camera;
    const away = minus(x, target); // with the axes of this picture: project() would find them for every point
    return [size[0] / 2 + this.scale * dot(away, this.right), size[1] / 2 - this.scale * dot(away, this.top)];
  }

  drawPart(part, shown) {
    const { bodies } = this;
    const { pen } = this.sheet;
    const body = bodies.partBody[part];
    const shape = bodies.shapes[bodies.partShape[part]];
    const colour = Array.from(shown.rgb.subarray(3 * body, 3 * body + 3));
    const place = partPlace(bodies, part);
    pen.globalAlpha = shown.arrows && bodies.roles[body] === 0 ? 0.55 : 1;
    pen.strokeStyle = rgbToCss(mix(colour, [0, 0, 0], 0.55));
    pen.lineWidth = 0.8;
    const ball = formOf(shape, 'ball');
    const box = formOf(shape, 'box');
    if (ball && new Set(ball).size === 1) this.drawBall(place, ball[0], colour);
    else if (box) this.drawBox(place, box, colour);
    else if (shape.triangles && shape.triangles.length <= 3 * FEW_TRIANGLES) this.drawFaces(place, shape, colour);
    else this.drawHull(place, shape, colour);
  }

  drawBall(place, radius, colour) {
    const { pen } = this.sheet;
    const r = Math.max(1.5, radius * this.scale);
    const [x, y] = this.toScreen(place);
    const [wide, tall] = this.sheet.size;
    if (x < -r || y < -r || x > wide + r || y > tall + r) return;
    pen.beginPath();
    pen.arc(x, y, r, 0, 2 * Math.PI);
    pen.fillStyle = rgbToCss(colour);
    pen.fill();
    if (r < 3) return;
    pen.stroke();
    this.drawMark(place, x, y, r);
  }

  // The great circle of the ball's own x-y plane, its near half: one sees it turn.
  drawMark(place, x, y, r) {
    const { pen } = this.sheet;
    const axis = rotate(place.slice(3), [0, 0, 1]);
    const [a, b, c] = [dot(axis, this.right), -dot(axis, this.top), dot(axis, this.toward)];
    const start = Math.atan2(b, a);
    pen.beginPath();
    pen.ellipse(x, y, r * Math.abs(c), r, start, c > 0 ? Math.PI / 2 : -Math.PI / 2, c > 0 ? 1.5 * Math.PI : Math.PI / 2);
    pen.stroke();
  }

  brightness(normal) {
    return 0.62 + 0.3 * Math.max(0, dot(normal, this.camera.up)) + 0.14 * Math.max(0, dot(normal, this.right) * -0.5 + dot(normal, this.toward) * 0.8);
  }

  face(points, normal, colour) {
    const { pen } = this.sheet;
    pen.beginPath();
    points.forEach((x, k) => (k === 0 ? pen.moveTo(...this.toScreen(x)) : pen.lineTo(...this.toScreen(x))));
    pen.closePath();
    pen.fillStyle = rgbToCss(colour.map((c) => Math.min(1, c * this.brightness(normal))));
    pen.fill();
    pen.stroke();
  }

  drawBox(place, half, colour) {
    const turn = place.slice(3);
    for (const side of SIDES) {
      const normal = rotate(turn, side);
      if (dot(normal, this.toward) <= 0) continue;
      const k = side.findIndex((c) => c !== 0);
      const corners = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([u, v]) => {
        const local = [0, 0, 0];
        local[k] = side[k] * half[k];
        local[(k + 1) % 3] = u * half[(k + 1) % 3];
        local[(k + 2) % 3] = v * half[(k + 2) % 3];
        return rotate(turn, local).map((x, c) => x + place[c]);
      });
      this.face(corners, normal, colour);
    }
  }

  drawFaces(place, { points, triangles }, colour) {
    const turn = place.slice(3);
    const { pen } = this.sheet;
    const edge = pen.strokeStyle;
    const at = Array.from({ length: points.length / 3 }, (_, i) => rotate(turn, points.subarray(3 * i, 3 * i + 3)).map((x, c) => x + place[c]));
    for (let k = 0; k < triangles.length; k += 3) {
      const [a, b, c] = [at[triangles[k]], at[triangles[k + 1]], at[triangles[k + 2]]];
      const normal = normalOf(a, b, c);
      if (dot(normal, this.toward) <= 0) continue;
      pen.strokeStyle = rgbToCss(colour.map((x) => Math.min(1, x * this.brightness(normal)))); // no seams inside faces
      this.face([a, b, c], normal, colour);
    }
    pen.strokeStyle = edge;
  }

  drawHull(place, { points }, colour) {
    if (!points) return;
    const { pen } = this.sheet;
    const turn = place.slice(3);
    const seen = [];
    for (let k = 0; k + 2 < points.length; k += 3)
      seen.push(this.toScreen(rotate(turn, points.subarray(k, k + 3)).map((x, c) => x + place[c])));
    pen.beginPath();
    convex(seen).forEach((p, k) => (k === 0 ? pen.moveTo(...p) : pen.lineTo(...p)));
    pen.closePath();
    pen.fillStyle = rgbToCss(colour);
    pen.fill();
    pen.stroke();
  }

  // A square of lines around the middle of the room.
  drawFloor(part) {
    const { pen } = this.sheet;
    const place = partPlace(this.bodies, part);
    const turn = place.slice(3);
    const normal = rotate(turn, [0, 0, 1]);
    if (dot(normal, this.toward) <= 0.01) return;
    const { centre, size } = this.camera.room;
    const height = centre.reduce((sum, x, k) => sum + (x - place[k]) * normal[k], 0);
    const foot = centre.map((x, k) => x - height * normal[k]);
    const [u, v] = [rotate(turn, [1, 0, 0]), rotate(turn, [0, 1, 0])];
    const at = (a, b) => this.toScreen(foot.map((x, k) => x + size * (a * u[k] + b * v[k])));
    pen.beginPath();
    for (let k = -4; k <= 4; k++) {
      pen.moveTo(...at(-0.8, 0.2 * k));
      pen.lineTo(...at(0.8, 0.2 * k));
      pen.moveTo(...at(0.2 * k, -0.8));
      pen.lineTo(...at(0.2 * k, 0.8));
    }
    pen.strokeStyle = this.theme.faint;
    pen.lineWidth = 1;
    pen.stroke();
  }

  drawForces({ scale, longest }) {
    this.forces ??= new Float32Array(6 * Math.max(1, this.contacts.most()));
    this.screen ??= new Float32Array(this.forces.length);
    const count = this.contacts.arrows(this.bodies.nearest, scale, longest, this.forces);
    for (let k = 0; k < 2 * count; k++) this.screen.set(this.toScreen(this.forces.subarray(3 * k, 3 * k + 3)), 2 * k);
    this.sheet.arrows(count, this.screen);
  }

  pick(x, y) {
    return this.picker.pick(this.camera.ray(x, y));
  }

  dispose() {
    this.sheet.resize(1, 1);
  }
}

const normalOf = (a, b, c) => unit(cross(minus(b, a), minus(c, a)));

// The convex hull in the plane (Andrew's monotone chain).
function convex(points) {
  const sorted = points.slice().sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const chain = (list) => {
    const out = [];
    for (const p of list) {
      while (out.length > 1 && turn(out[out.length - 2], out[out.length - 1], p) <= 0) out.pop();
      out.push(p);
    }
    return out.slice(0, -1);
  };
  return [...chain(sorted), ...chain(sorted.reverse())];
}

const turn = (a, b, c) => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
