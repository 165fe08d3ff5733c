// A panel of space, drawn by WebGL.
import { AmbientLight, BufferGeometry, Color, DirectionalLight, Float32BufferAttribute, LineBasicMaterial, LineLoop, LinearSRGBColorSpace, PerspectiveCamera, Scene, WebGLRenderer } from 'three';
import { hexToRgb } from './bodies_colours.js';
import { SpaceMark } from './film_space_mark.js';
import { partsOf } from './film_parts.js';

const THICK = 0.016; // radius of coils, half of the size of heads: of the size of the room

export class SpacePanel {
  constructor(film, number, canvas, settings, camera, say) {
    Object.assign(this, { film, number, canvas, settings, camera, panel: film.panels[number] });
    const gl = canvas.getContext('webgl2', { antialias: true, alpha: false });
    this.renderer = new WebGLRenderer({ canvas, context: gl });
    this.renderer.outputColorSpace = LinearSRGBColorSpace; // colours are written as they are
    this.scene = new Scene();
    this.eye = new PerspectiveCamera((camera.field * 180) / Math.PI, 1, 0.1, 100);
    this.sun = new DirectionalLight(0xffffff, 1.9);
    this.scene.add(new AmbientLight(0xffffff, 1.75), this.sun, this.sun.target, this.makeFloor());
    this.marks = film.marks.filter((mark) => mark.panel === number).map((mark) => ({ mark, shown: new SpaceMark(mark, this.scene) }));
    this.lost = false;
    canvas.addEventListener('webglcontextlost', (event) => {
      event.preventDefault();
      this.lost = true;
      say('The graphics card took its memory back: the picture returns when it can.');
    });
    canvas.addEventListener('webglcontextrestored', () => {
      this.lost = false;
      say('');
    });
  }

  // The border of the room's floor.
  makeFloor() {
    const { low, high } = this.panel.room;
    const geometry = new BufferGeometry();
    const z = low[2];
    geometry.setAttribute('position', new Float32BufferAttribute([low[0], low[1], z, high[0], low[1], z, high[0], high[1], z, low[0], high[1], z], 3));
    this.floor = new LineLoop(geometry, new LineBasicMaterial({ toneMapped: false }));
    return this.floor;
  }

  setTheme(theme) {
    this.theme = theme;
    this.renderer.setClearColor(new Color().setRGB(...hexToRgb(theme.paper), LinearSRGBColorSpace), 1);
    this.floor.material.color.setRGB(...hexToRgb(theme.dark ? '#3a434b' : '#cfd5da'), LinearSRGBColorSpace);
    for (const { shown } of this.marks) shown.setTheme(theme);
  }

  resize(width, height) {
    this.size = [width, height];
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio || 1, 2));
    this.renderer.setSize(width, height, false);
    this.camera.resize(width, height);
  }

  // The light comes over the left shoulder of whoever looks.
  placeEye() {
    const { camera, eye } = this;
    const { top, right, toward } = camera.axes();
    const reach = 3 * camera.room.size + camera.distance;
    eye.aspect = camera.aspect;
    eye.near = 0.01 * camera.distance;
    eye.far = camera.distance + reach;
    eye.position.set(...camera.eye);
    eye.up.set(...top);
    eye.lookAt(...camera.target);
    eye.updateProjectionMatrix();
    this.sun.position.set(...camera.target.map((x, k) => x + reach * (0.65 * toward[k] + 0.67 * top[k] - 0.35 * right[k])));
    this.sun.target.position.set(...camera.target);
  }

  draw() {
    if (this.lost) return;
    const thick = THICK * this.panel.room.size;
    for (const { mark, shown } of this.marks) shown.update(partsOf(mark, this.panel, this.settings.arrows, thick), thick);
    this.placeEye();
    this.renderer.render(this.scene, this.eye);
  }

  read() {
    return '';
  }

  dispose() {
    for (const { shown } of this.marks) shown.dispose();
    this.floor.geometry.dispose();
    this.floor.material.dispose();
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }
}
