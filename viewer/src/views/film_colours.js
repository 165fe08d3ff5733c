// Colours and widths of marks: by what they stand for, in light and in dark.
import { hexToRgb, mix, rgbToCss, valueRamp } from './bodies_colours.js';

const WIDTHS = { body: 2, obstacle: 3, force: 2, velocity: 1.8, set: 1.6, trace: 1.4, stick: 3.2, slip: 3.2, guide: 1.3, normal: 1.5, field: 1.6 };
const INSIDES = { body: 0.55, obstacle: 0.35, set: 0.22, field: 0.4, trace: 0.3 }; // how much of the colour is inside
const SCALES = { light: valueRamp(false), dark: valueRamp(true) };
export const scaleOf = (theme) => (theme.dark ? SCALES.dark : SCALES.light);

export const lineColour = (mark, theme) => (mark.colour > 0 ? theme.palette[mark.colour - 1] : theme.paints[mark.paint]) ?? theme.ink;
export const lineWidth = (mark) => (WIDTHS[mark.paint] ?? 1.6) * (mark.width || 1);
export const lineRgb = (mark, theme) => hexToRgb(lineColour(mark, theme));
export const insideRgb = (mark, theme) => mix(hexToRgb(theme.paper), lineRgb(mark, theme), INSIDES[mark.paint] ?? 0.45);
export const insideColour = (mark, theme) => rgbToCss(insideRgb(mark, theme));

// Of a value of a surface; the scale's range is that of the mark over the whole film.
export function valueRgb(mark, value, theme) {
  const [low, high] = rangeOf(mark);
  const share = Math.min(1, Math.max(0, (value - low) / (high - low)));
  const scale = scaleOf(theme);
  return scale[Math.round(share * (scale.length - 1))];
}

export function rangeOf(mark) {
  if (mark.high > mark.low) return [mark.low, mark.high];
  const half = mark.low ? Math.abs(mark.low) / 2 : 1;
  return [(mark.low ?? 0) - half, (mark.low ?? 0) + half];
}

// What the overlay shows of a surface.
export function barOf(mark, theme) {
  const [low, high] = rangeOf(mark);
  return { label: mark.label ?? '', unit: mark.value_unit ?? '', low, high, log: false, more: false, colours: scaleOf(theme) };
}
