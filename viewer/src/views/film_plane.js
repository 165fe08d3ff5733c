// A panel of the plane on a canvas of its own.
import { labelWidth, margins, paintAxes, paintGrid, paintLength, paintTitle } from './film_axes.js';
import { CanvasPanel } from './film_canvas.js';
import { FlatEye } from './film_flat.js';
import { MarkPainter } from './film_marks.js';
import { describe, pick } from './film_pick.js';

export class PlanePanel extends CanvasPanel {
  constructor(film, number, canvas, settings) {
    super(film, number, canvas, settings, new FlatEye(film.panels[number]));
    this.place = (numbers, at) => [this.camera.x(numbers[at]), this.camera.y(numbers[at + 1])];
  }

  resize(width, height) {
    super.resize(width, height);
    this.frame(30);
  }

  // The data within margins that hold numbers of this width.
  frame(labels) {
    const [width, height] = this.size;
    const { left, right, top, bottom } = margins(this.panel, labels);
    this.labels = labels;
    this.camera.setBox({ left, top, right: Math.max(left + 20, width - right), bottom: Math.max(top + 20, height - bottom) });
  }

  draw() {
    const { pen, panel, theme, camera, film } = this;
    const wanted = panel.axes ? labelWidth(pen, camera) : this.labels;
    if (wanted > this.labels || wanted < this.labels - 16) this.frame(wanted);
    const { left, top, right, bottom } = camera.box;
    this.clear();
    if (panel.axes) paintGrid(pen, camera, theme);
    pen.save();
    pen.beginPath();
    if (panel.axes) pen.rect(left, top, right - left, bottom - top);
    else pen.rect(0, top - 4, this.size[0], bottom - top + 8);
    pen.clip();
    const painter = new MarkPainter(pen, panel, theme, this.place, this.settings.arrows);
    for (const mark of film.marks) if (mark.panel === this.number) painter.paint(mark);
    pen.restore();
    paintTitle(pen, panel, theme, this.size[0]);
    if (panel.axes) paintAxes(pen, panel, camera, theme);
    else if (panel.x_unit && !panel.stretched) paintLength(pen, camera, panel.x_unit, theme);
  }

  // What is said of the place under the pointer; '' when there is nothing.
  read(x, y) {
    const hit = pick(this.film, this.number, this.place, x, y, this.settings.arrows);
    return hit ? describe(hit, this.panel) : '';
  }
}
