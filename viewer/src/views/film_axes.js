// Axes with ticks, numbers and grid around a panel; without axes a bar that shows how long a length is.
import { number, tickLabels, withUnit } from '../format.js';

const FONT = '12px system-ui, sans-serif';

const BAR = 56; // pixels: height of the scale of a surface, which stands below the data

// Room around the data, in pixels; labels: width of the numbers beside the axis.
export function margins(panel, labels = 30) {
  const top = panel.title ? 30 : 12;
  const below = panel.bar ? BAR : 0;
  if (!panel.axes) return { left: 8, right: 8, top, bottom: (panel.x_unit && !panel.stretched ? 26 : 8) + below };
  const name = panel.y_label || panel.y_unit ? 22 : 4;
  return { left: Math.ceil(labels) + 12 + name, right: 14, top, bottom: (panel.x_label || panel.x_unit ? 44 : 28) + below };
}

// Multiples of 1, 2 or 5 times a power of ten, at most so many.
function ticksOf([low, high], most) {
  const wanted = (high - low) / Math.max(1, most);
  if (!(wanted > 0)) return { step: 1, values: [] };
  const power = 10 ** Math.floor(Math.log10(wanted));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= wanted * 0.999);
  const values = [];
  for (let k = Math.ceil(low / step - 1e-9); k <= high / step + 1e-9; k++) values.push(k * step);
  return { step, values };
}

const nameOf = (label, unit) => (unit ? `${label ?? ''} [${unit}]`.trim() : label ?? '');

export function paintTitle(pen, panel, theme, width) {
  if (!panel.title) return;
  pen.font = `600 ${FONT.replace('12px', '13px')}`;
  pen.fillStyle = theme.ink;
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  pen.fillText(panel.title, width / 2, 15, width - 16);
}

// How wide the numbers of the vertical axis are.
export function labelWidth(pen, eye) {
  const up = upTicks(eye);
  pen.font = FONT;
  return Math.max(18, ...tickLabels(up.values, up.step).map((text) => pen.measureText(text).width));
}

// A horizontal axis without a name, beside a vertical one that has one, shows things side by side that texts name: their
// places mean nothing.
const isNumbered = ({ x_label, x_unit, y_label, y_unit }) => Boolean(x_label || x_unit || !(y_label || y_unit));
const acrossTicks = (eye) =>
  isNumbered(eye.panel) ? ticksOf(eye.range(0), (eye.box.right - eye.box.left) / 70) : { step: 1, values: [] };
const upTicks = (eye) => ticksOf(eye.range(1), (eye.box.bottom - eye.box.top) / 45);

// Behind the marks.
export function paintGrid(pen, eye, theme) {
  const { left, right, top, bottom } = eye.box;
  pen.strokeStyle = theme.faint;
  pen.lineWidth = 1;
  pen.beginPath();
  for (const x of acrossTicks(eye).values) line(pen, eye.x(x), top, eye.x(x), bottom);
  for (const y of upTicks(eye).values) line(pen, left, eye.y(y), right, eye.y(y));
  pen.stroke();
}

function line(pen, x, y, u, v) {
  pen.moveTo(Math.round(x) + 0.5, Math.round(y) + 0.5);
  pen.lineTo(Math.round(u) + 0.5, Math.round(v) + 0.5);
}

// In front of them: frame, ticks, numbers, names.
export function paintAxes(pen, panel, eye, theme) {
  const { left, right, top, bottom } = eye.box;
  const across = acrossTicks(eye);
  const up = upTicks(eye);
  pen.strokeStyle = theme.muted;
  pen.lineWidth = 1;
  pen.strokeRect(Math.round(left) + 0.5, Math.round(top) + 0.5, Math.round(right - left), Math.round(bottom - top));
  pen.beginPath();
  for (const x of across.values) line(pen, eye.x(x), bottom, eye.x(x), bottom - 5);
  for (const y of up.values) line(pen, left, eye.y(y), left + 5, eye.y(y));
  pen.stroke();
  pen.font = FONT;
  pen.fillStyle = theme.muted;
  pen.textAlign = 'center';
  pen.textBaseline = 'top';
  tickLabels(across.values, across.step).forEach((text, k) => pen.fillText(text, eye.x(across.values[k]), bottom + 6));
  pen.textAlign = 'right';
  pen.textBaseline = 'middle';
  tickLabels(up.values, up.step).forEach((text, k) => pen.fillText(text, left - 6, eye.y(up.values[k])));
  paintNames(pen, panel, eye.box, theme);
}

function paintNames(pen, panel, { left, right, top, bottom }, theme) {
  pen.fillStyle = theme.ink;
  pen.textAlign = 'center';
  pen.textBaseline = 'bottom';
  pen.fillText(nameOf(panel.x_label, panel.x_unit), (left + right) / 2, bottom + 40);
  pen.save();
  pen.translate(14, (top + bottom) / 2);
  pen.rotate(-Math.PI / 2);
  pen.textBaseline = 'middle';
  pen.fillText(nameOf(panel.y_label, panel.y_unit), 0, 0);
  pen.restore();
}

// A round length at the lower right.
export function paintLength(pen, eye, unit, theme) {
  const { right, bottom, left } = eye.box;
  const most = 0.25 * (right - left);
  const wanted = most / eye.scale[0];
  const power = 10 ** Math.floor(Math.log10(wanted));
  const length = power * [5, 2, 1].find((factor) => factor * power <= wanted * 1.001);
  const [from, to, y] = [right - 6 - length * eye.scale[0], right - 6, bottom + 16];
  pen.strokeStyle = theme.muted;
  pen.lineWidth = 1.4;
  pen.beginPath();
  pen.moveTo(from, y - 3);
  pen.lineTo(from, y + 3);
  pen.moveTo(from, y);
  pen.lineTo(to, y);
  pen.moveTo(to, y - 3);
  pen.lineTo(to, y + 3);
  pen.stroke();
  pen.font = FONT;
  pen.fillStyle = theme.muted;
  pen.textAlign = 'right';
  pen.textBaseline = 'middle';
  pen.fillText(withUnit(number(length), unit), from - 7, y);
}
