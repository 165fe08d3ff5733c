// The part of a plane that a panel shows; x and y may have scales of their own. Lengths of the screen in pixels.
export class FlatEye {
  constructor(panel) {
    this.panel = panel;
    this.box = { left: 0, top: 0, right: 600, bottom: 400 };
    this.version = 0;
    this.reset();
  }

  reset() {
    this.fitted = true;
    this.fit();
  }

  fit() {
    const { low, high, stretched } = this.panel;
    const { left, top, right, bottom } = this.box;
    const size = [high[0] - low[0], high[1] - low[1]];
    const largest = Math.max(...size) || 1;
    const least = stretched ? 0 : 0.08 * largest; // a motion on a line has some room beside it
    const wide = Math.max(size[0], least) || 1;
    const tall = Math.max(size[1], least) || 1;
    const scale = [(right - left) / (1.1 * wide), (bottom - top) / (1.12 * tall)];
    this.scale = stretched ? scale : [Math.min(...scale), Math.min(...scale)];
    this.centre = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2];
    this.version += 1;
  }

  setBox(box) {
    this.box = box;
    if (this.fitted) this.fit();
    else this.version += 1;
  }

  get middle() {
    return [(this.box.left + this.box.right) / 2, (this.box.top + this.box.bottom) / 2];
  }

  x(value) {
    return this.middle[0] + this.scale[0] * (value - this.centre[0]);
  }

  y(value) {
    return this.middle[1] - this.scale[1] * (value - this.centre[1]);
  }

  // What of the axes is seen.
  range(axis) {
    const half = (axis === 0 ? this.box.right - this.box.left : this.box.bottom - this.box.top) / 2 / this.scale[axis];
    return [this.centre[axis] - half, this.centre[axis] + half];
  }

  rotate(dx, dy) {
    this.pan(dx, dy);
  }

  pan(dx, dy) {
    this.centre = [this.centre[0] - dx / this.scale[0], this.centre[1] + dy / this.scale[1]];
    this.fitted = false;
    this.version += 1;
  }

  // About a place of the canvas, which stays where it is.
  zoom(factor, px = this.middle[0], py = this.middle[1]) {
    const away = [(px - this.middle[0]) / this.scale[0], -(py - this.middle[1]) / this.scale[1]];
    const by = Math.min(1e6, Math.max(1e-6, factor));
    this.centre = this.centre.map((c, k) => c + away[k] * (1 - 1 / by));
    this.scale = this.scale.map((s) => s * by);
    this.fitted = false;
    this.version += 1;
  }
}
