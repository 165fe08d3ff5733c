// Bodies in space, drawn by WebGL. As in the pictures of thud plot, what stands still lets what moves behind it shine through.
import { OrthographicCamera, PerspectiveCamera, Scene, Color, LinearSRGBColorSpace, WebGLRenderer, Vector3 } from 'three';
import { Arrows } from './bodies_arrows.js';
import { hexToRgb } from './bodies_colours.js';
import { Floors } from './bodies_floors.js';
import { Geometries } from './bodies_geometry.js';
import { Hardware } from './bodies_hardware.js';
import { Group } from './bodies_instances.js';
import { Picker } from './bodies_pick.js';
import { sharedUniforms } from './bodies_shaders.js';

const PASSES = ['floor', 'shadow', 'still', 'moving', 'depth', 'veil', 'marks'];
const FEW = 100; // bodies: in software edges are smoothed for so few only

// What the browser's WebGL is: null (none) or {software}. Only WebGL 2 is used.
export function probeWebGL() {
  try {
    const gl = document.createElement('canvas').getContext('webgl2');
    if (!gl) return null;
    const names = gl.getExtension('WEBGL_debug_renderer_info');
    const name = names ? gl.getParameter(names.UNMASKED_RENDERER_WEBGL) : '';
    gl.getExtension('WEBGL_lose_context')?.loseContext();
    return { software: /swiftshader|llvmpipe|software|basic render/i.test(String(name)) };
  } catch {
    return null;
  }
}

export class SpacePainter {
  constructor(canvas, bodies, contacts, camera, { software, say, restored }) {
    Object.assign(this, { canvas, bodies, contacts, camera, software, say, restored });
    // The picture is kept after it is shown: it can be printed and saved.
    const gl = canvas.getContext('webgl2', { antialias: !software || bodies.count <= FEW, alpha: false, stencil: false,
      preserveDrawingBuffer: true });
    this.renderer = new WebGLRenderer({ canvas, context: gl });
    this.renderer.outputColorSpace = LinearSRGBColorSpace; // colours are written as they are
    this.renderer.autoClear = false;
    this.shared = sharedUniforms();
    this.scenes = Object.fromEntries(PASSES.map((pass) => [pass, new Scene()]));
    for (const scene of Object.values(this.scenes)) scene.matrixWorldAutoUpdate = scene === this.scenes.floor;
    this.eyes = { near: new PerspectiveCamera((camera.field * 180) / Math.PI, 1, 0.1, 100), far: new OrthographicCamera() };
    this.geometries = new Geometries(bodies.shapes, bodies.partBody.length);
    this.picker = new Picker(bodies);
    this.floors = new Floors(bodies);
    this.makeGroups();
    this.hardware = new Hardware(bodies, camera);
    if (this.hardware.exists) this.scenes.marks.add(...this.hardware.meshes);
    this.force = { value: new Vector3() };
    this.arrows = null;
    this.lost = false;
    this.fresh = true;
    this.watchContext();
  }

  makeGroups() {
    const { bodies } = this;
    const groups = new Map();
    const particle = 0.006 * bodies.room.size;
    for (let part = 0; part < bodies.partBody.length; part++) {
      const index = bodies.partShape[part];
      if (bodies.shapes[index].endless) continue;
      const made = this.geometries.of(index, particle);
      if (!made) continue;
      const body = bodies.partBody[part];
      const still = bodies.roles[body] !== 0;
      const key = `${made.key} ${still}`;
      if (!groups.has(key)) groups.set(key, new Group(made, still));
      groups.get(key).add(part, body, bodies.partPose.subarray(7 * part, 7 * part + 7), made.scale);
    }
    this.groups = [...groups.values()];
    for (const group of this.groups) {
      group.finish((body) => bodies.slot[body] >= 0);
      group.place(this.scenes, this.shared, this.floors.ground);
    }
    for (const { mesh } of this.floors.list) this.scenes.floor.add(mesh);
  }

  // The driver may take the context away (a sleeping laptop, too many pages): three builds everything again when it returns.
  watchContext() {
    this.onLost = (event) => {
      event.preventDefault();
      this.lost = true;
      this.say('The graphics card took its memory back: the picture returns when it can.');
    };
    this.onRestored = () => {
      this.lost = false;
      this.fresh = true;
      this.restored();
    };
    this.canvas.addEventListener('webglcontextlost', this.onLost);
    this.canvas.addEventListener('webglcontextrestored', this.onRestored);
  }

  setTheme(theme) {
    const paper = hexToRgb(theme.paper);
    this.shared.paper.value.set(...paper);
    this.shared.shade.value = theme.dark ? 0.56 : 0.54;
    this.force.value.set(...hexToRgb(theme.paints.force));
    this.hardware.setTheme(theme);
    this.renderer.setClearColor(new Color().setRGB(...paper, LinearSRGBColorSpace), 1);
    this.floors.setTheme(theme, paper);
    this.setSun();
    this.fresh = true;
  }

  // From above, over the left shoulder of the first view; it stays there when the eye moves.
  setSun() {
    const { first, second, up } = this.camera;
    this.shared.sun.value.set(...[0, 1, 2].map((k) => up[k] + 0.22 * first[k] - 0.6 * second[k])).normalize();
    this.shared.up.value.set(...up);
  }

  resize(width, height) {
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio || 1, this.software ? 1 : 2));
    this.renderer.setSize(width, height, false);
    this.fresh = true;
  }

  // shown: {moved, painted, rgb, settings, arrows: {scale, longest, thick} or null, playing}
  draw(shown) {
    if (this.lost) return;
    for (const group of this.groups) {
      if (this.fresh || (shown.moved && group.moves)) group.move(this.bodies.pose);
      if (this.fresh || shown.painted) group.paint(shown.rgb);
    }
    this.floors.update();
    this.drawArrows(shown);
    this.drawHardware(shown.settings.joints);
    this.shared.pale.value = shown.arrows ? 0.45 : 0;
    this.fresh = false;
    this.render(this.placeEye(), shown.settings.shadows);
  }

  drawArrows({ arrows }) {
    if (arrows && !this.arrows) {
      this.arrows = new Arrows(this.contacts.most(), this.shared, this.force);
      this.scenes.marks.add(this.arrows.mesh);
    }
    if (!this.arrows) return;
    const count = arrows ? this.contacts.arrows(this.bodies.nearest, arrows.scale, arrows.longest, this.arrows.values) : 0;
    this.arrows.show(count, arrows?.thick ?? 1);
  }

  drawHardware(wanted) {
    const shown = wanted && this.hardware.exists;
    for (const mesh of this.hardware.meshes) mesh.visible = shown;
    if (shown) this.hardware.update(this.bodies.time, this.renderer.getPixelRatio());
  }

  // Once the floor and what stands still are drawn, what moves is drawn over them; then what stands nearer is laid over it
  // as a veil: its depths first, so that of several layers the nearest one alone counts.
  render(eye, shadows) {
    const { renderer, scenes } = this;
    renderer.clear();
    renderer.render(scenes.floor, eye);
    if (shadows && this.floors.ground) renderer.render(scenes.shadow, eye);
    renderer.render(scenes.still, eye);
    renderer.clearDepth();
    renderer.render(scenes.moving, eye);
    if (scenes.veil.children.length > 0) {
      renderer.render(scenes.depth, eye);
      renderer.render(scenes.veil, eye);
    }
    renderer.clearDepth();
    if (this.arrows?.mesh.visible || this.hardware.lines.visible) renderer.render(scenes.marks, eye);
  }

  placeEye() {
    const { camera } = this;
    const { top, toward } = camera.axes();
    const reach = 3 * camera.room.size + camera.distance;
    const eye = camera.perspective ? this.eyes.near : this.eyes.far;
    if (camera.perspective) {
      eye.aspect = camera.aspect;
      eye.near = Math.max(camera.distance - reach, 0.01 * camera.distance);
      eye.far = camera.distance + reach;
    } else {
      const half = camera.height / 2;
      Object.assign(eye, { left: -half * camera.aspect, right: half * camera.aspect, top: half, bottom: -half, near: 0.1 * camera.room.size, far: 2 * reach });
    }
    const away = camera.perspective ? camera.distance : reach;
    eye.position.set(...camera.target.map((x, k) => x + away * toward[k]));
    eye.up.set(...top);
    this.shared.top.value.set(...top);
    eye.lookAt(...camera.target);
    eye.updateProjectionMatrix();
    this.shared.eye.value.set(...(camera.perspective ? eye.position.toArray() : toward), camera.perspective ? 1 : 0);
    return eye;
  }

  pick(x, y) {
    return this.picker.pick(this.camera.ray(x, y));
  }

  dispose() {
    this.canvas.removeEventListener('webglcontextlost', this.onLost);
    this.canvas.removeEventListener('webglcontextrestored', this.onRestored);
    for (const group of this.groups) group.dispose();
    this.geometries.dispose();
    this.floors.dispose();
    this.arrows?.dispose();
    this.hardware.dispose();
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }
}
