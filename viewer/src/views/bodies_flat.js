// The part of the plane that is seen.
export class Flat {
  constructor(room) {
    this.room = room;
    this.size = [600, 400];
    this.version = 0;
    this.reset();
  }

  changed() {
    this.version += 1;
  }

  reset() {
    this.fitted = true;
    this.fit();
  }

  fit() {
    const { low, high, centre, size } = this.room;
    const least = 0.3 * size;
    const wide = Math.max(high[0] - low[0], least);
    const tall = Math.max(high[1] - low[1], least);
    this.target = centre.slice();
    this.scale = Math.min(this.size[0] / wide, this.size[1] / tall) / 1.15; // pixels per length
    this.changed();
  }

  get height() {
    return this.size[1] / this.scale;
  }

  resize(width, height) {
    const grown = height / this.size[1];
    this.size = [width, height];
    if (this.fitted) this.fit();
    else {
      this.scale *= grown;
      this.changed();
    }
  }

  rotate(dx, dy) {
    this.pan(dx, dy);
  }

  pan(dx, dy) {
    this.target = [this.target[0] - dx / this.scale, this.target[1] + dy / this.scale, 0];
    this.fitted = false;
    this.changed();
  }

  // About a place of the canvas, which stays where it is.
  zoom(factor, x = this.size[0] / 2, y = this.size[1] / 2) {
    const scale = Math.min(1e4 / this.room.size * this.size[1], Math.max(1e-2 / this.room.size * this.size[1], this.scale * factor));
    const before = this.place(x, y);
    this.scale = scale;
    const after = this.place(x, y);
    this.target = [this.target[0] + before[0] - after[0], this.target[1] + before[1] - after[1], 0];
    this.fitted = false;
    this.changed();
  }

  centre(x) {
    this.target = [x[0], x[1], 0];
    this.fitted = false;
    this.changed();
  }

  // [x, y, pixels per length] of a place on the canvas.
  project(x) {
    return [this.size[0] / 2 + this.scale * (x[0] - this.target[0]), this.size[1] / 2 - this.scale * (x[1] - this.target[1]), this.scale];
  }

  // Where a place of the canvas is in the plane.
  place(x, y) {
    return [this.target[0] + (x - this.size[0] / 2) / this.scale, this.target[1] - (y - this.size[1] / 2) / this.scale];
  }
}
