// A panel on a canvas of its own: its size in pixels of the page and of the screen.
export class CanvasPanel {
  constructor(film, number, canvas, settings, camera) {
    Object.assign(this, { film, number, canvas, settings, camera, panel: film.panels[number] });
    this.pen = canvas.getContext('2d');
    this.size = [600, 400];
    this.ratio = 1;
  }

  setTheme(theme) {
    this.theme = theme;
  }

  resize(width, height) {
    this.ratio = Math.min(window.devicePixelRatio || 1, 3);
    this.size = [width, height];
    this.canvas.width = Math.max(1, Math.round(width * this.ratio));
    this.canvas.height = Math.max(1, Math.round(height * this.ratio));
  }

  clear() {
    const { pen } = this;
    pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    pen.globalAlpha = 1;
    pen.fillStyle = this.theme.paper;
    pen.fillRect(0, 0, this.size[0], this.size[1]);
  }

  dispose() {
    this.canvas.width = 1;
  }
}
