// The eye on bodies in space: it turns about a target. All directions are in the frame of the record; up is against gravity.
import { add, cross, dot, unit } from './bodies_poses.js';

const FIELD = (40 * Math.PI) / 180; // of view, vertical
const START = { azimuth: -Math.PI / 3, elevation: (25 * Math.PI) / 180 };

export class Orbit {
  constructor(room, up) {
    this.room = room;
    this.up = unit(up);
    // The two horizontal axes: for z upwards x and y, for others in the cycle.
    const size = this.up.map(Math.abs);
    const axis = size[2] >= size[0] && size[2] >= size[1] ? 0 : size[1] >= size[0] ? 2 : 1;
    const first = [0, 1, 2].map((k) => (k === axis ? 1 : 0));
    this.first = unit(add(first, this.up, -dot(first, this.up)));
    this.second = cross(this.up, this.first);
    this.perspective = true;
    this.aspect = 1.5;
    this.size = [600, 400];
    this.version = 0;
    this.reset();
  }

  changed() {
    this.version += 1;
  }

  reset() {
    Object.assign(this, START);
    this.fit();
  }

  // Everything of the room is seen.
  fit() {
    this.target = this.room.centre.slice();
    const { right, top, toward } = this.axes();
    const slope = Math.tan(FIELD / 2);
    let distance = 0;
    let flat = 0;
    for (let k = 0; k < 8; k++) {
      const corner = [0, 1, 2].map((c) => (k & (1 << c) ? this.room.high[c] : this.room.low[c]));
      const x = add(corner, this.target, -1);
      const across = Math.max(Math.abs(dot(x, right)) / this.aspect, Math.abs(dot(x, top)));
      flat = Math.max(flat, across);
      distance = Math.max(distance, across / slope + (this.perspective ? dot(x, toward) : 0));
    }
    const margin = 1.15 * Math.max(this.perspective ? distance : flat / slope, 0.2 * this.room.size);
    this.distance = Math.max(margin, 1e-9);
    this.fitted = true;
    this.changed();
  }

  axes() {
    const [c, s] = [Math.cos(this.azimuth), Math.sin(this.azimuth)];
    const ahead = add(this.first.map((x) => c * x), this.second, s);
    const right = add(this.second.map((x) => c * x), this.first, -s);
    const toward = add(ahead.map((x) => Math.cos(this.elevation) * x), this.up, Math.sin(this.elevation));
    return { right, toward, top: cross(toward, right) };
  }

  get eye() {
    return add(this.target, this.axes().toward, this.distance);
  }

  // Height of what is seen at the target.
  get height() {
    return 2 * this.distance * Math.tan(FIELD / 2);
  }

  get field() {
    return FIELD;
  }

  resize(width, height) {
    this.size = [width, height];
    this.aspect = width / Math.max(1, height);
    if (this.fitted) this.fit();
    else this.changed();
  }

  rotate(dx, dy) {
    this.azimuth -= dx * 0.008;
    this.elevation = Math.min(Math.PI / 2, Math.max(-Math.PI / 2, this.elevation + dy * 0.008));
    this.changed();
  }

  pan(dx, dy) {
    const { right, top } = this.axes();
    const scale = this.height / this.size[1];
    this.target = add(add(this.target, right, -dx * scale), top, dy * scale);
    this.fitted = false;
    this.changed();
  }

  zoom(factor) {
    this.distance = Math.min(100 * this.room.size, Math.max(1e-3 * this.room.size, this.distance / factor));
    this.fitted = false;
    this.changed();
  }

  centre(x) {
    this.target = [x[0], x[1], x[2]];
    this.fitted = false;
    this.changed();
  }

  // Along the axis x, y or z of the record, or aslant.
  look(name) {
    if (name === 'iso') Object.assign(this, { azimuth: -Math.PI / 4, elevation: Math.atan(Math.SQRT1_2) });
    else {
      const axis = ['x', 'y', 'z'].map((n) => (n === name ? 1 : 0));
      const [up, first, second] = [this.up, this.first, this.second].map((x) => Math.abs(dot(x, axis)));
      if (up >= first && up >= second) Object.assign(this, { azimuth: -Math.PI / 2, elevation: Math.PI / 2 });
      else Object.assign(this, { azimuth: first >= second ? 0 : -Math.PI / 2, elevation: 0 });
    }
    if (this.fitted) this.fit();
    else this.changed();
  }

  setPerspective(on) {
    this.perspective = on;
    if (this.fitted) this.fit();
    else this.changed();
  }

  // [x, y, pixels per length] of a place on the canvas.
  project(x) {
    const { right, top, toward } = this.axes();
    const away = add(x, this.target, -1);
    const depth = this.perspective ? Math.max(this.distance - dot(away, toward), 1e-6 * this.distance) : this.distance;
    const scale = ((this.size[1] / this.height) * this.distance) / depth;
    return [this.size[0] / 2 + scale * dot(away, right), this.size[1] / 2 - scale * dot(away, top), scale];
  }

  // The ray through a place of the canvas.
  ray(x, y) {
    const { right, top, toward } = this.axes();
    const h = this.height / 2;
    const u = ((2 * x) / this.size[0] - 1) * h * this.aspect;
    const v = (1 - (2 * y) / this.size[1]) * h;
    const at = add(add(this.target, right, u), top, v);
    if (!this.perspective) return { from: add(at, toward, 4 * this.room.size + this.distance), along: toward.map((c) => -c) };
    const eye = this.eye;
    return { from: eye, along: unit(add(at, eye, -1)) };
  }
}
