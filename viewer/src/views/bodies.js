// The view of rigid bodies: chooses how they are drawn, and joins the data, the eye, the controls and the read-out.
import { el } from '../dom.js';
import { AxonometricPainter } from './bodies_axonometric.js';
import { Colours, roundDown } from './bodies_colours.js';
import { Contacts } from './bodies_contacts.js';
import { createControls } from './bodies_controls.js';
import { openBodies } from './bodies_data.js';
import { Flat } from './bodies_flat.js';
import { listen } from './bodies_gestures.js';
import { Orbit } from './bodies_orbit.js';
import { Overlay, figure } from './bodies_overlay.js';
import { PlanePainter } from './bodies_plane.js';
import { openResiduals } from './bodies_residual.js';
import { SpacePainter, probeWebGL } from './bodies_space.js';

const FEW_SHADOWS = 2500; // bodies whose shadows are drawn without being asked for, in software
const ARROW = 2.2; // length of the arrow of a typical force, in radii of a body
const HINT = 'Drag to turn, with Shift to move, scroll to zoom (after a click). A click on a body shows its figures, a second one follows it.';
const NO_WEBGL = 'this browser has no WebGL: planar view';

export async function create(record, host, context) {
  const bodies = await openBodies(record, context);
  const residuals = await openResiduals(bodies);
  await bodies.begin();
  return new BodiesView(record, bodies, residuals, host, context);
}

class BodiesView {
  constructor(record, bodies, residuals, host, context) {
    Object.assign(this, { record, bodies, residuals, host, context });
    this.contacts = new Contacts(bodies);
    this.colours = new Colours(bodies, this.contacts, residuals, record.time_unit ?? 's');
    this.camera = bodies.planar ? new Flat(bodies.room) : new Orbit(bodies.room, bodies.source.up ?? [0, 0, 1]);
    this.settings = { colour: 'body', forces: false, forceScale: 1, joints: true, follow: -1, shadows: null };
    this.selected = -1;
    this.hovered = -1;
    this.dirty = true;
    this.canvas = el('canvas', { role: 'img', 'aria-label': this.describe(), tabindex: 0, style: 'width:100%;height:100%;display:block' });
    host.append(this.canvas);
    this.painter = this.choosePainter();
    this.overlay = new Overlay(host, bodies.planar);
    const panel = createControls({ bodies, contacts: this.contacts, residuals, settings: this.settings, camera: this.camera,
      changed: () => { this.dirty = true; }, select: (body) => { this.selected = body; } });
    this.controls = panel.elements;
    this.follow = panel.follow;
    this.pointer = null;
    listen(this.canvas, this.camera, { hover: (x, y) => { this.pointer = [x, y]; }, click: (x, y) => this.click(x, y) });
    this.onKey = (event) => this.key(event);
    this.canvas.addEventListener('keydown', this.onKey);
    this.endTheme = context.onTheme(() => this.setTheme());
    this.setTheme();
    this.resize();
  }

  choosePainter() {
    const { canvas, bodies, contacts, camera, context } = this;
    if (bodies.planar) return new PlanePainter(canvas, bodies, contacts, camera);
    const off = context.webgl === false || /[?&]webgl=off\b/.test(window.location.search);
    const found = off ? null : probeWebGL();
    if (!found) {
      context.say(NO_WEBGL);
      return new AxonometricPainter(canvas, bodies, contacts, camera);
    }
    context.say(HINT);
    this.settings.shadows = !found.software || bodies.count <= FEW_SHADOWS;
    return new SpacePainter(canvas, bodies, contacts, camera, { software: found.software, say: context.say, restored: () => this.restore() });
  }

  // The graphics card has given the context back.
  restore() {
    this.context.say(HINT);
    this.setTheme();
  }

  setTheme() {
    const theme = this.context.theme();
    this.colours.setTheme(theme);
    this.painter.setTheme(theme);
    this.overlay.setTheme(theme);
    this.dirty = true;
  }

  resize() {
    const width = this.host.clientWidth;
    const height = this.host.clientHeight;
    if (width < 1 || height < 1) return;
    this.camera.resize(width, height);
    this.painter.resize(width, height);
    this.dirty = true;
  }

  update(t, playing) {
    const { bodies, settings } = this;
    if (bodies.chunks.failure) throw bodies.chunks.failure;
    const moved = bodies.seek(t);
    this.loadContacts();
    this.point();
    const painted = this.colours.update(settings.colour);
    if (settings.follow >= 0 && (moved || this.dirty)) this.camera.centre(bodies.pose.subarray(7 * settings.follow, 7 * settings.follow + 3));
    const paused = this.playing && !playing;
    this.playing = playing;
    if (!moved && !painted && !this.dirty && !paused && this.seen === this.camera.version) return;
    this.seen = this.camera.version;
    this.dirty = false;
    const arrows = this.arrowScale();
    this.painter.draw({ moved, painted, rgb: this.colours.rgb, settings, arrows, playing });
    this.write(arrows);
  }

  loadContacts() {
    const wanted = this.settings.forces || this.settings.colour === 'force';
    if (!wanted || this.contacts.ready || this.contacts.asked) return;
    this.contacts.load().then(
      () => { this.dirty = true; },
      (error) => { this.bodies.chunks.failure = error; });
  }

  // Lengths of arrows: {scale: length per force, longest, thick} or null.
  arrowScale() {
    const { settings, contacts, bodies, camera } = this;
    if (!settings.forces || !contacts.ready || !(contacts.typical > 0)) return null;
    const typical = Math.min(ARROW * (bodies.room.radius || bodies.room.size), 0.15 * bodies.room.size);
    const longest = 0.6 * bodies.room.size;
    return { scale: (settings.forceScale * typical) / contacts.typical, longest, thick: Math.min(0.05 * typical, 0.004 * camera.height) };
  }

  // The pointer moved: at most one search per frame.
  point() {
    if (!this.pointer) return;
    const [x, y] = this.pointer;
    this.pointer = null;
    const body = x >= 0 ? this.painter.pick(x, y) : -1;
    if (body === this.hovered) return;
    this.hovered = body;
    this.canvas.style.cursor = body >= 0 ? 'pointer' : 'grab';
    this.dirty = true;
  }

  // A click selects a body, a second one on it follows it.
  click(x, y) {
    const body = this.painter.pick(x, y);
    if (body >= 0 && body === this.selected && this.settings.follow !== body) this.follow(body);
    else if (body < 0 && this.settings.follow >= 0) this.follow(-1);
    this.selected = body;
    this.dirty = true;
  }

  key(event) {
    if (event.key === 'f' && this.selected >= 0) this.follow(this.settings.follow === this.selected ? -1 : this.selected);
    else if (event.key === 'Escape') {
      this.selected = -1;
      this.follow(-1);
    }
  }

  write(arrows) {
    const lines = [];
    const body = this.hovered >= 0 ? this.hovered : this.selected;
    if (body >= 0) lines.push(this.describeBody(body));
    if (this.settings.colour === 'residual' && this.residuals) lines.push(this.describeWorst());
    this.overlay.write(lines.join('\n'));
    this.overlay.scale(this.colours.bar);
    this.writeRing();
    if (this.camera.axes) this.overlay.turn(this.camera.axes());
    this.overlay.measure(this.camera.perspective ? 0 : this.camera.size[1] / this.camera.height, this.bodies.source.length_unit ?? 'm');
    this.writeForceKey(arrows);
  }

  writeRing() {
    const { selected, bodies } = this;
    if (selected < 0) {
      this.overlay.mark(0, 0, 0);
      return;
    }
    const [x, y, scale] = this.camera.project(bodies.pose.subarray(7 * selected, 7 * selected + 3));
    const radius = Number.isFinite(bodies.radius[selected]) ? bodies.radius[selected] * scale : 0;
    this.overlay.mark(x, y, radius > 0 ? Math.max(6, radius + 3) : 8);
  }

  // A round force whose arrow is at most 48 pixels long.
  writeForceKey(arrows) {
    if (!arrows) {
      this.overlay.forceKey(0, '');
      return;
    }
    const perForce = (arrows.scale * this.camera.size[1]) / this.camera.height; // pixels
    const force = roundDown(48 / perForce);
    this.overlay.forceKey(force * perForce, `${figure(force)} ${this.bodies.source.force_unit ?? 'N'}`);
  }

  describeBody(body) {
    const { bodies, record } = this;
    const unit = bodies.source.length_unit ?? 'm';
    const o = 7 * body;
    const at = Array.from(bodies.pose.subarray(o, o + bodies.dimension), figure).join(', ');
    const role = ['', ' (fixed)', ' (driven)'][bodies.roles[body]] ?? '';
    const speed = bodies.slot[body] >= 0 ? `\nspeed ${figure(bodies.speed(body))} ${unit}/${record.time_unit ?? 's'}` : '';
    const load = this.contacts.ready && this.settings.colour === 'force' ? `\ncontact forces ${figure(this.colours.load[body])} ${bodies.source.force_unit ?? 'N'}` : '';
    const followed = this.settings.follow === body ? '\nfollowed' : '';
    return `${bodies.names[body]}${role}\nat (${at}) ${unit}${speed}${load}${followed}`;
  }

  describeWorst() {
    const worst = this.residuals(this.bodies.nearest);
    const name = (body) => (body >= 0 ? this.bodies.names[body] : 'none');
    const pair = worst.a >= 0 || worst.b >= 0 ? `\nworst contact: ${name(worst.a)} – ${name(worst.b)}` : '';
    const depth = Number.isFinite(worst.penetration) ? `\npenetration ${figure(worst.penetration)} ${this.bodies.source.length_unit ?? 'm'}` : '';
    return `residual ${figure(worst.residual)}${pair}${depth}`;
  }

  describe() {
    const { bodies } = this;
    const fixed = bodies.roles.reduce((sum, role) => sum + (role !== 0 ? 1 : 0), 0);
    const how = bodies.planar ? 'Arrow keys move the view' : 'Arrow keys turn the view, with Shift they move it';
    return `${bodies.count - fixed} moving and ${fixed} fixed bodies ${bodies.planar ? 'in the plane' : 'in space'}. ${how}; + and - zoom, 0 shows all.`;
  }

  dispose() {
    this.endTheme?.();
    this.bodies.dispose();
    this.painter.dispose();
    this.overlay.dispose();
    this.canvas.remove();
  }
}
