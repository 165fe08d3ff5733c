// The view of drawings: panels of the plane and of space in a grid, a legend beside them, the length of arrows.
import { el } from '../dom.js';
import { number } from '../format.js';
import { AxonometricPanel } from './film_axonometric.js';
import { barOf } from './film_colours.js';
import { isScaled, openFilm } from './film_data.js';
import { createLegend } from './film_legend.js';
import { PlanePanel } from './film_plane.js';
import { SpacePanel } from './film_space.js';
import { listen } from './bodies_gestures.js';
import { Orbit } from './bodies_orbit.js';
import { Overlay } from './bodies_overlay.js';
import { probeWebGL } from './bodies_space.js';

const NARROW = 560; // pixels: below it the legend is below the drawing
const GAP = 6;
const NO_WEBGL = 'this browser has no WebGL: a simpler picture of space';

export async function create(record, host, context) {
  const film = await openFilm(record.film, context.numbers);
  return new FilmView(record, film, host, context);
}

class FilmView {
  constructor(record, film, host, context) {
    Object.assign(this, { record, film, host, context });
    this.settings = { arrows: 1 };
    this.dirty = true;
    this.grid = el('div', { class: 'film-grid' });
    this.legend = createLegend(film.marks, () => { this.dirty = true; });
    this.root = el('div', { class: 'film' }, this.grid, this.legend.count > 0 && this.legend.element);
    host.append(this.root);
    this.cells = film.panels.map((_, index) => this.makeCell(index));
    this.controls = this.makeControls();
    this.endTheme = context.onTheme(() => this.setTheme());
    this.setTheme();
    this.resize();
  }

  makeCell(index) {
    const panel = this.film.panels[index];
    const canvas = el('canvas', { role: 'img', 'aria-label': this.describePanel(panel), tabindex: 0 });
    const lifted = panel.lift !== 1 ? `z × ${number(panel.lift, 3)}` : '';
    const box = el('div', { class: 'film-cell' }, canvas, panel.space && el('div', { class: 'film-title' }, panel.title, lifted && el('span', { class: 'of' }, lifted)));
    this.grid.append(box);
    const surface = this.film.marks.find((mark) => mark.panel === index && mark.kind === 'surface');
    panel.bar = Boolean(surface);
    const shown = panel.space ? this.makeSpace(index, canvas) : new PlanePanel(this.film, index, canvas, this.settings);
    const overlay = new Overlay(box, !panel.space);
    const cell = { panel, canvas, box, shown, overlay, surface, pointer: null, seen: -1 };
    listen(canvas, shown.camera, { hover: (x, y) => { cell.pointer = [x, y]; this.dirty = true; }, click: () => {} });
    return cell;
  }

  makeSpace(index, canvas) {
    const camera = new Orbit(this.film.panels[index].room, [0, 0, 1]);
    const off = this.context.webgl === false || /[?&]webgl=off\b/.test(window.location.search);
    this.webgl ??= off ? false : probeWebGL() !== null;
    if (this.webgl) return new SpacePanel(this.film, index, canvas, this.settings, camera, this.context.say);
    this.context.say(NO_WEBGL);
    return new AxonometricPanel(this.film, index, canvas, this.settings, camera);
  }

  makeControls() {
    const reset = el('button', { type: 'button', title: 'Show everything again', onclick: () => this.cells.forEach(({ shown }) => shown.camera.reset()) }, 'reset view');
    if (!this.film.marks.some(isScaled)) return [reset];
    const slider = el('input', { type: 'range', min: -1, max: 1, step: 0.05, value: 0, 'aria-label': 'Length of arrows', title: 'Length of arrows' });
    slider.addEventListener('input', () => {
      this.settings.arrows = 10 ** Number(slider.value);
      this.dirty = true;
    });
    return [el('label', {}, 'arrows', slider), reset];
  }

  setTheme() {
    const theme = this.context.theme();
    for (const { shown, overlay, surface } of this.cells) {
      shown.setTheme(theme);
      overlay.setTheme(theme);
      overlay.scale(surface ? barOf(surface, theme) : null);
    }
    this.legend.setTheme(theme);
    this.dirty = true;
  }

  // Columns so that the panels are as large as they can be: wide ones below each other, high ones side by side.
  resize() {
    const width = this.host.clientWidth;
    const height = this.host.clientHeight;
    if (width < 1 || height < 1) return;
    this.root.classList.toggle('narrow', width < NARROW);
    const room = [this.grid.clientWidth || width, this.grid.clientHeight || height];
    const columns = bestColumns(this.film.panels, room);
    const rows = Math.ceil(this.cells.length / columns);
    const tall = Math.floor((room[1] - GAP * (rows - 1)) / rows);
    const last = this.cells.length - columns * (rows - 1); // panels of the last row: they fill it
    this.cells.forEach(({ canvas, box, shown }, k) => {
      const alone = k >= columns * (rows - 1) ? last : columns;
      const wide = Math.floor((room[0] - GAP * (alone - 1)) / alone);
      box.style.width = canvas.style.width = `${wide}px`;
      box.style.height = canvas.style.height = `${tall}px`;
      shown.resize(wide, tall);
    });
    this.dirty = true;
  }

  update(t) {
    const moved = this.film.seek(t);
    for (const cell of this.cells) {
      const { camera } = cell.shown;
      if (!moved && !this.dirty && cell.seen === camera.version) continue;
      cell.seen = camera.version;
      cell.shown.draw();
      if (camera.axes) cell.overlay.turn(camera.axes());
      const flat = cell.panel.space && !camera.perspective && cell.panel.x_unit;
      cell.overlay.measure(flat ? camera.size[1] / camera.height : 0, cell.panel.x_unit);
      cell.overlay.write(cell.pointer && cell.pointer[0] >= 0 ? cell.shown.read(...cell.pointer) : '');
    }
    this.dirty = false;
  }

  describePanel(panel) {
    const labels = [...new Set(this.film.marks.filter((mark) => this.film.panels[mark.panel] === panel && mark.label).map((mark) => mark.label))];
    const how = panel.space ? 'Arrow keys turn the view, with Shift they move it' : 'Arrow keys move the view';
    return `${panel.title || 'Drawing of the motion'}${labels.length > 0 ? `: ${labels.join(', ')}` : ''}. ${how}; + and - zoom, 0 shows all.`;
  }

  describe() {
    return this.film.panels.map((panel) => this.describePanel(panel)).join(' ');
  }

  dispose() {
    this.endTheme?.();
    for (const { shown, overlay } of this.cells) {
      shown.dispose();
      overlay.dispose();
    }
    this.root.remove();
  }
}

// How large the drawings of the panels become in so many columns, by their shapes.
function bestColumns(panels, [width, height]) {
  let best = 1;
  let most = -1;
  for (let columns = 1; columns <= panels.length; columns++) {
    const rows = Math.ceil(panels.length / columns);
    const [w, h] = [width / columns, height / rows];
    const filled = panels.reduce((sum, panel) => {
      const across = panel.high[0] - panel.low[0] || 1;
      const up = panel.high[1] - panel.low[1] || 1;
      const ratio = panel.stretched ? 1.8 : panel.space ? 1.4 : Math.min(4, Math.max(0.25, across / up));
      return sum + Math.min(w / ratio, h) ** 2 * ratio;
    }, 0);
    if (filled > most) [best, most] = [columns, filled];
  }
  return best;
}
