// Colours of bodies: by body, speed, contact force, or the worst contact of the step.
const LEVELS = 64; // of scales: few different colours, so that painting in the plane can take bodies together

// Viridis, in the dark without its darkest end.
const SPEED = {
  light: ['#440154', '#46327e', '#365c8d', '#277f8e', '#1fa187', '#4ac16d', '#a0da39', '#fde725'],
  dark: ['#5c4fa3', '#4a70bb', '#3b92b5', '#30b0a0', '#52c878', '#a4dd45', '#fdec4a'],
};
const HEAT = {
  light: ['#c9d3dc', '#e8cf9c', '#f4a85a', '#ea6a35', '#c32a2f', '#7a0f3c'],
  dark: ['#39434d', '#5b3f63', '#a03a5e', '#dd5b42', '#f6a03a', '#fdf0a8'],
};

export const hexToRgb = (hex) => [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16) / 255);
export const rgbToCss = (rgb) => `rgb(${rgb.map((x) => Math.round(255 * x)).join(' ')})`;
export const mix = (a, b, share) => a.map((x, k) => x + share * (b[k] - x));

// The scale of values, from dark to light.
export const valueRamp = (dark) => ramp(dark ? SPEED.dark : SPEED.light);

function ramp(stops) {
  const colours = stops.map(hexToRgb);
  return Array.from({ length: LEVELS }, (_, i) => {
    const x = (i / (LEVELS - 1)) * (colours.length - 1);
    const k = Math.min(colours.length - 2, Math.floor(x));
    return mix(colours[k], colours[k + 1], x - k);
  });
}

export const MODES = [
  { name: 'body', label: 'body' },
  { name: 'speed', label: 'speed' },
  { name: 'force', label: 'contact force' },
  { name: 'residual', label: 'worst contact' },
];

export class Colours {
  // worst(frame): the worst contact of a frame, see bodies_residual.js, or null.
  constructor(bodies, contacts, worst, timeUnit) {
    Object.assign(this, { bodies, contacts, worst, timeUnit });
    this.rgb = new Float32Array(3 * bodies.count);
    this.load = new Float32Array(bodies.count);
    this.key = null; // what rgb was made for
    this.version = 0; // grows when rgb changes
    this.bar = null; // {label, unit, low, high, log, more, colours}
    this.top = 0;
  }

  setTheme(theme) {
    this.theme = theme;
    this.ink = hexToRgb(theme.ink);
    this.paper = hexToRgb(theme.paper);
    this.palette = theme.bodies.map((colour) => mix(hexToRgb(colour), theme.dark ? this.paper : [1, 1, 1], theme.dark ? 0.1 : 0.25));
    this.fixed = theme.dark ? [0.42, 0.45, 0.48] : [0.9, 0.9, 0.9];
    this.driven = theme.dark ? [0.54, 0.57, 0.6] : [0.7, 0.7, 0.7];
    this.neutral = theme.dark ? [0.36, 0.4, 0.44] : [0.8, 0.83, 0.86];
    this.speedRamp = valueRamp(theme.dark);
    this.heatRamp = ramp(theme.dark ? HEAT.dark : HEAT.light);
    this.key = null;
  }

  // Colours for the time the bodies are at; true: they have changed.
  update(mode) {
    const { bodies } = this;
    if (mode === 'speed') this.growTop(bodies.chunks.speedQuantile(0.97));
    const frame = mode === 'speed' ? `${bodies.frame} ${bodies.chunks.version}` : mode === 'body' ? '' : bodies.nearest;
    const key = `${mode} ${frame} ${this.contacts.ready} ${this.top}`;
    if (key === this.key) return false;
    this.key = key;
    this.version += 1;
    this.bar = null;
    this.paint(mode);
    return true;
  }

  paint(mode) {
    if (mode === 'body') this.byBody();
    else {
      this.plain();
      if (mode === 'speed') this.bySpeed();
      else if (mode === 'force') this.byForce();
      else this.byResidual();
    }
  }

  growTop(speed) {
    const rounded = roundUp(speed);
    if (rounded > this.top) this.top = rounded;
  }

  put(body, colour) {
    const { rgb } = this;
    rgb[3 * body] = colour[0];
    rgb[3 * body + 1] = colour[1];
    rgb[3 * body + 2] = colour[2];
  }

  // One after the other for a few bodies; mixed (Fibonacci hashing) for walls and piles, so that there are no stripes. In the
  // light the colours are those of snapshots and films (src/plot/snapshot.c).
  byBody() {
    const few = this.bodies.count < 13;
    for (let i = 0; i < this.bodies.count; i++) {
      const mixed = few ? i : Math.imul(i, 2654435769) >>> 16;
      this.put(i, this.standing(i) ?? this.palette[mixed % this.palette.length]);
    }
  }

  standing(body) {
    const role = this.bodies.roles[body];
    return role === 1 ? this.fixed : role === 2 ? this.driven : null;
  }

  plain() {
    for (let i = 0; i < this.bodies.count; i++) this.put(i, this.standing(i) ?? this.neutral);
  }

  level(colours, share) {
    return colours[Math.max(0, Math.min(LEVELS - 1, Math.round(share * (LEVELS - 1))))];
  }

  bySpeed() {
    const { source } = this.bodies;
    const scale = this.top > 0 ? 1 / this.top : 0;
    this.bodies.eachSpeed((body, speed) => {
      if (this.bodies.roles[body] === 0) this.put(body, this.level(this.speedRamp, speed * scale));
    });
    const unit = `${source.length_unit ?? 'm'}/${this.timeUnit}`;
    this.bar = { label: 'speed', unit, low: 0, high: this.top || 1, more: true, colours: this.speedRamp };
  }

  byForce() {
    if (!this.contacts.ready) return;
    this.contacts.loads(this.bodies.nearest, this.load);
    const top = roundUp(this.contacts.typicalLoad) || 1;
    for (let i = 0; i < this.bodies.count; i++)
      if (this.bodies.roles[i] === 0) this.put(i, this.level(this.heatRamp, this.load[i] / top));
    const unit = this.bodies.source.force_unit ?? 'N';
    this.bar = { label: 'contact forces', unit, low: 0, high: top, more: true, colours: this.heatRamp };
  }

  // The two bodies of the worst contact, in the colour of its residual on a logarithmic scale.
  byResidual() {
    const worst = this.worst?.(this.bodies.nearest);
    if (!worst || !(worst.residual > 0)) return;
    const { low, high } = worst;
    const share = high > low ? Math.log(worst.residual / low) / Math.log(high / low) : 1;
    const colour = this.level(this.heatRamp, 0.25 + 0.75 * share);
    for (const body of [worst.a, worst.b]) if (body >= 0) this.put(body, colour);
    const colours = this.heatRamp.slice(Math.round(0.25 * (LEVELS - 1)));
    this.bar = { label: 'residual of the worst contact', unit: '', low, high, log: true, colours };
  }
}

// 1, 1.5, 2, 3, 5 or 7 times a power of ten.
export function roundUp(x) {
  if (!(x > 0)) return 0;
  const power = 10 ** Math.floor(Math.log10(x) + 1e-9);
  for (const factor of [1, 1.5, 2, 3, 5, 7]) if (factor * power >= x * (1 - 1e-9)) return factor * power;
  return 10 * power;
}

// The largest 1, 2 or 5 times a power of ten that is not above x.
export function roundDown(x) {
  const power = 10 ** Math.floor(Math.log10(x));
  return power * (x / power >= 5 ? 5 : x / power >= 2 ? 2 : 1);
}
