// Surfaces of the plane dot by dot: colours between the corners of triangles without seams, quicker than thousands of paths.
import { rangeOf, scaleOf } from './film_colours.js';

const sheets = new WeakMap(); // of marks: the canvas that is used again

// Paints the surface; place(numbers, at) -> [x, y] in pixels of the page, of which the screen has `ratio` each.
export function paintSurface(pen, mark, place, ratio, theme) {
  const corners = cornersOf(mark, place, ratio);
  const box = boxOf(corners, pen.canvas);
  if (!box) return;
  const image = new ImageData(box.width, box.height);
  const dots = new Uint32Array(image.data.buffer);
  const colours = packed(theme);
  const [low, high] = rangeOf(mark);
  const levels = (colours.length - 1) / (high - low);
  const { triangles } = mark;
  for (let k = 0; k < triangles.length; k += 3)
    fillTriangle(dots, box, corners, [3 * triangles[k], 3 * triangles[k + 1], 3 * triangles[k + 2]], colours, low, levels);
  show(pen, mark, image, box);
}

// x, y on the screen and the value of every point.
function cornersOf(mark, place, ratio) {
  const out = new Float64Array(3 * mark.shown);
  for (let k = 0; k < mark.shown; k++) {
    const [x, y] = place(mark.now, k * mark.size);
    out[3 * k] = x * ratio;
    out[3 * k + 1] = y * ratio;
    out[3 * k + 2] = mark.now[k * mark.size + 2];
  }
  return out;
}

// The part of the canvas that the surface covers; null: none.
function boxOf(corners, canvas) {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let k = 0; k < corners.length; k += 3) {
    if (!Number.isFinite(corners[k] + corners[k + 1])) continue;
    left = Math.min(left, corners[k]);
    right = Math.max(right, corners[k]);
    top = Math.min(top, corners[k + 1]);
    bottom = Math.max(bottom, corners[k + 1]);
  }
  left = Math.max(0, Math.floor(left));
  top = Math.max(0, Math.floor(top));
  const width = Math.min(canvas.width, Math.ceil(right)) - left;
  const height = Math.min(canvas.height, Math.ceil(bottom)) - top;
  return width > 0 && height > 0 ? { left, top, width, height } : null;
}

// The scale's colours as the bytes of dots: red first, opaque.
function packed(theme) {
  const bytes = new Uint8ClampedArray(scaleOf(theme).flatMap((rgb) => [...rgb.map((x) => 255 * x), 255]));
  return new Uint32Array(bytes.buffer);
}

// Dots whose middles lie in the triangle of the corners at a, b, c. Shares of the corners and values are linear: of every row
// the dots between two places are in it, and the level of the colour grows by the same step from dot to dot.
export function fillTriangle(dots, box, corners, [a, b, c], colours, low, levels) {
  const [ax, ay, av, bx, by, bv, cx, cy, cv] = [a, b, c].flatMap((k) => [corners[k], corners[k + 1], (corners[k + 2] - low) * levels]);
  const area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
  if (!(Math.abs(area) > 1e-9) || !Number.isFinite(av + bv + cv)) return;
  const first = Math.max(box.top, Math.ceil(Math.min(ay, by, cy) - 0.5));
  const last = Math.min(box.top + box.height - 1, Math.floor(Math.max(ay, by, cy) - 0.5));
  const [ua, ub] = [(by - cy) / area, (cy - ay) / area]; // growth of the shares of a and b along a row
  const step = ua * av + ub * bv - (ua + ub) * cv;
  const top = colours.length - 1;
  for (let row = first; row <= last; row++) {
    const y = row + 0.5;
    const fa = (bx * (cy - y) - (by - y) * cx) / area; // shares at x = 0
    const fb = (cx * (ay - y) - (cy - y) * ax) / area;
    let from = box.left + 0.5;
    let to = box.left + box.width - 0.5;
    for (let side = 0; side < 3; side++) {
      const share = side === 0 ? fa : side === 1 ? fb : 1 - fa - fb;
      const growth = side === 0 ? ua : side === 1 ? ub : -ua - ub;
      if (growth > 0) from = Math.max(from, -share / growth);
      else if (growth < 0) to = Math.min(to, -share / growth);
      else if (share < 0) to = -1;
    }
    const start = Math.ceil(from - 0.5 - 1e-6);
    const end = Math.floor(to - 0.5 + 1e-6);
    let level = fa * av + fb * bv + (1 - fa - fb) * cv + step * (start + 0.5) + 0.5;
    let at = (row - box.top) * box.width + start - box.left;
    for (let column = start; column <= end; column++, at++, level += step) dots[at] = colours[level < 0 ? 0 : level > top ? top : level | 0];
  }
}

// What is not covered shows what is behind it.
function show(pen, mark, image, box) {
  if (!sheets.has(mark)) sheets.set(mark, document.createElement('canvas'));
  const sheet = sheets.get(mark);
  sheet.width = box.width;
  sheet.height = box.height;
  sheet.getContext('2d').putImageData(image, 0, 0);
  pen.save();
  pen.resetTransform();
  pen.drawImage(sheet, box.left, box.top);
  pen.restore();
}
