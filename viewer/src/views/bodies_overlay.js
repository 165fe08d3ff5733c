// What is written over the picture: the body under the pointer, the scale of colours, the axes, the length of forces.
import { el, svg } from '../dom.js';
import { number } from '../format.js';
import { rgbToCss, roundDown } from './bodies_colours.js';

const BASE = 'position:absolute;pointer-events:none;font:12px/1.35 system-ui,sans-serif;font-variant-numeric:tabular-nums;';
const AXES = ['x', 'y', 'z'];

export const figure = (x) => number(x, 4);

export class Overlay {
  constructor(host, planar) {
    this.read = el('div', { style: `${BASE}left:10px;top:8px;max-width:70%;padding:3px 7px;border-radius:4px;white-space:pre-line` });
    this.bar = el('div', { style: `${BASE}right:10px;bottom:8px;width:min(200px,45%);padding:3px 7px;border-radius:4px` });
    this.barTitle = el('div');
    this.barRamp = el('div', { style: 'height:9px;border-radius:2px;margin:2px 0' });
    this.barEnds = el('div', { style: 'display:flex;justify-content:space-between' });
    this.bar.append(this.barTitle, this.barRamp, this.barEnds);
    this.key = el('div', { style: `${BASE}right:10px;top:8px;display:flex;align-items:center;gap:6px;padding:2px 7px;border-radius:4px` });
    this.keyArrow = svg('path', { fill: 'none', 'stroke-width': 2 });
    this.keyText = el('span');
    this.keyPicture = svg('svg', { width: 52, height: 12, 'aria-hidden': 'true' }, this.keyArrow);
    this.key.append(this.keyPicture, this.keyText);
    this.ring = el('div', { style: `${BASE}box-sizing:border-box;border:2px dashed;border-radius:50%;display:none` });
    this.length = el('div', { style: `${BASE}left:${planar ? 12 : 84}px;bottom:10px;text-align:center` });
    this.lengthText = el('div');
    this.lengthBar = el('div', { style: 'height:4px;border:1.4px solid;border-top:none;box-sizing:border-box' });
    this.length.append(this.lengthText, this.lengthBar);
    this.axes = planar ? null : svg('svg', { width: 74, height: 74, style: `${BASE}left:4px;bottom:4px`, 'aria-hidden': 'true' });
    this.arms = AXES.map((name) => ({ line: svg('path', { fill: 'none', 'stroke-width': 1.6, 'stroke-linecap': 'round' }), text: svg('text', { 'font-size': 11, 'text-anchor': 'middle', 'dominant-baseline': 'central' }, name) }));
    for (const { line, text } of this.arms) this.axes?.append(line, text);
    for (const part of [this.read, this.bar, this.key]) part.hidden = true;
    this.shownBar = null;
    host.append(this.ring, this.read, this.bar, this.key, this.length, ...(this.axes ? [this.axes] : []));
  }

  setTheme(theme) {
    for (const part of [this.read, this.bar, this.key]) {
      part.style.color = theme.ink;
      part.style.background = `${theme.paper}cc`;
    }
    this.length.style.color = theme.muted;
    this.ring.style.borderColor = theme.accent;
    this.keyArrow.setAttribute('stroke', theme.paints.force);
    for (const { line, text } of this.arms) {
      line.setAttribute('stroke', theme.muted);
      text.setAttribute('fill', theme.ink);
    }
    this.shownBar = null;
  }

  write(text) {
    if (this.read.textContent !== text) this.read.textContent = text;
    this.show(this.read, text !== '');
  }

  show(part, visible) {
    part.style.display = visible ? (part === this.key ? 'flex' : 'block') : 'none';
    part.hidden = !visible;
  }

  // bar: of Colours, or null.
  scale(bar) {
    const key = bar ? `${bar.label} ${bar.unit} ${bar.low} ${bar.high}` : '';
    if (key === this.shownBar) return;
    this.shownBar = key;
    this.show(this.bar, Boolean(bar));
    if (!bar) return;
    this.barTitle.textContent = bar.unit ? `${bar.label} (${bar.unit})` : bar.label;
    this.barRamp.style.background = `linear-gradient(90deg, ${bar.colours.map(rgbToCss).join(', ')})`;
    const middle = bar.log ? Math.sqrt(bar.low * bar.high) : (bar.low + bar.high) / 2;
    const ends = [figure(bar.low), figure(middle), `${bar.more ? '≥ ' : ''}${figure(bar.high)}`];
    this.barEnds.replaceChildren(...ends.map((text) => el('span', {}, text)));
  }

  // Length of an arrow of so much force, in pixels; '' hides it.
  forceKey(pixels, text) {
    this.show(this.key, text !== '');
    if (text === '') return;
    const end = 2 + Math.max(6, Math.min(48, pixels));
    this.keyPicture.setAttribute('width', end + 2);
    this.keyArrow.setAttribute('d', `M2 6H${end}M${end - 5} 2.5L${end} 6L${end - 5} 9.5`);
    if (this.keyText.textContent !== text) this.keyText.textContent = text;
  }

  // A bar of a round length; scale: pixels per length, 0 hides it (lengths differ with the distance).
  measure(scale, unit) {
    this.length.style.display = scale > 0 ? 'block' : 'none';
    if (!(scale > 0)) return;
    const length = roundDown(110 / scale);
    this.lengthBar.style.width = `${(length * scale).toFixed(1)}px`;
    const text = `${figure(length)} ${unit}`;
    if (this.lengthText.textContent !== text) this.lengthText.textContent = text;
  }

  // A ring of so many pixels around the body that was chosen; 0: none.
  mark(x, y, radius) {
    this.ring.style.display = radius > 0 ? 'block' : 'none';
    if (!(radius > 0)) return;
    Object.assign(this.ring.style, { width: `${2 * radius}px`, height: `${2 * radius}px`, transform: `translate(${x - radius}px, ${y - radius}px)`, left: 0, top: 0 });
  }

  // Directions of the axes as the eye sees them.
  turn({ right, top, toward }) {
    if (!this.axes) return;
    const order = [0, 1, 2].sort((a, b) => toward[a] - toward[b]);
    for (const k of order) {
      const { line, text } = this.arms[k];
      const [x, y] = [37 + 24 * right[k], 37 - 24 * top[k]];
      const seen = Math.hypot(right[k], top[k]);
      line.setAttribute('d', `M37 37L${x.toFixed(1)} ${y.toFixed(1)}`);
      text.setAttribute('x', (37 + 32 * right[k]).toFixed(1));
      text.setAttribute('y', (37 - 32 * top[k]).toFixed(1));
      text.style.display = seen < 0.2 ? 'none' : '';
      line.style.opacity = toward[k] < -0.01 ? 0.55 : 1;
    }
  }

  dispose() {
    for (const part of [this.ring, this.read, this.bar, this.key, this.length, this.axes]) part?.remove();
  }
}
