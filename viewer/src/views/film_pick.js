// The mark under the pointer in a panel of the plane, and what is said of it.
import { number, withUnit } from '../format.js';
import { tipOf } from './film_data.js';
import { boxCorners } from './film_marks.js';

const NEAR = 9; // pixels

const fromSegment = (p, a, b) => {
  const [u, v] = [b[0] - a[0], b[1] - a[1]];
  const share = Math.min(1, Math.max(0, ((p[0] - a[0]) * u + (p[1] - a[1]) * v) / (u * u + v * v || 1)));
  return Math.hypot(p[0] - a[0] - share * u, p[1] - a[1] - share * v);
};

function isInside(p, corners) {
  let inside = false;
  corners.forEach((a, k) => {
    const b = corners[(k + 1) % corners.length];
    if (a[1] > p[1] !== b[1] > p[1] && p[0] < a[0] + ((p[1] - a[1]) / (b[1] - a[1])) * (b[0] - a[0])) inside = !inside;
  });
  return inside;
}

// {mark, at} with the place of the element in mark.now, or null. The front mark wins, small ones before large ones.
export function pick(film, panelNumber, place, px, py, factor) {
  const panel = film.panels[panelNumber];
  const p = [px, py];
  let found = null;
  let least = NEAR;
  for (const mark of film.marks) {
    if (mark.panel !== panelNumber || !mark.visible || mark.kind === 'text') continue;
    const hit = nearest(mark, panel, place, p, factor);
    if (!hit || hit.distance > least) continue;
    least = Math.max(hit.distance, 0.5);
    found = { mark, at: hit.at, value: hit.value };
  }
  return found;
}

// The nearest element: {at, distance} with 5 pixels for what lies inside of something filled, so that lines within it win.
function nearest(mark, panel, place, p, factor) {
  const { now, size, shown } = mark;
  const tip = [0, 0, 0];
  const to = (at) => place(now, at);
  const ways = {
    points: (at) => Math.hypot(p[0] - to(at)[0], p[1] - to(at)[1]) - 3,
    line: (at) => (at + size < shown * size ? fromSegment(p, to(at), to(at + size)) : Infinity),
    circle: (at) => circleDistance(p, now, at, place),
    box: (at) => outlineDistance(p, boxCorners(now, at).map((x) => place(x, 0)), true),
    spring: (at) => fromSegment(p, to(at), to(at + 2)) - 5,
    arrow: (at) => (tipOf(panel, mark, now, at, factor, tip) ? fromSegment(p, to(at), place(tip, 0)) : Infinity),
  };
  if (mark.kind === 'surface') return surfaceHit(mark, place, p);
  if (mark.kind === 'area') {
    const corners = Array.from({ length: shown }, (_, k) => place(now, k * size));
    return { at: 0, distance: outlineDistance(p, corners, mark.filled) };
  }
  let best = null;
  for (let k = 0; k < shown; k++) {
    const distance = ways[mark.kind]?.(k * size) ?? Infinity;
    if (Number.isFinite(distance) && (!best || distance < best.distance)) best = { at: k * size, distance };
  }
  return best;
}

function circleDistance(p, now, at, place) {
  const [x, y] = place(now, at);
  const a = Math.abs(place([now[at] + now[at + 2], now[at + 1]], 0)[0] - x) || 3;
  const b = Math.abs(place([now[at], now[at + 1] + now[at + 2]], 0)[1] - y) || 3;
  const share = Math.hypot((p[0] - x) / a, (p[1] - y) / b);
  return share <= 1 ? 5 : (share - 1) * Math.min(a, b);
}

function outlineDistance(p, corners, filled) {
  const side = Math.min(...corners.map((a, k) => fromSegment(p, a, corners[(k + 1) % corners.length])));
  return filled && isInside(p, corners) ? Math.min(side, 6) : side;
}

// The triangle under the pointer and the value there.
function surfaceHit(mark, place, p) {
  const { now, size, triangles } = mark;
  for (let k = 0; k < triangles.length; k += 3) {
    const [i, j, l] = triangles.slice(k, k + 3).map((corner) => corner * size);
    const [a, b, c] = [i, j, l].map((at) => place(now, at));
    const area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    const u = ((b[0] - p[0]) * (c[1] - p[1]) - (b[1] - p[1]) * (c[0] - p[0])) / area;
    const v = ((c[0] - p[0]) * (a[1] - p[1]) - (c[1] - p[1]) * (a[0] - p[0])) / area;
    const w = 1 - u - v;
    if (u >= 0 && v >= 0 && w >= 0) return { at: i, distance: 8, value: u * now[i + 2] + v * now[j + 2] + w * now[l + 2] };
  }
  return null;
}

// A line or two about what is under the pointer.
export function describe(hit, panel) {
  const { mark, at, value } = hit;
  const { now } = mark;
  const place = `(${number(now[at], 4)}, ${number(now[at + 1], 4)})`;
  const where = panel.x_unit && panel.x_unit === panel.y_unit ? withUnit(place, panel.x_unit) : place;
  const lines = [mark.label || mark.kind];
  if (mark.kind === 'surface') lines.push(withUnit(number(value, 4), mark.value_unit));
  else if (mark.kind === 'arrow') lines.push(`${number(Math.hypot(now[at + 2], now[at + 3]), 4)}, components ${number(now[at + 2], 4)}, ${number(now[at + 3], 4)}`);
  else if (mark.kind === 'spring') lines.push(`length ${withUnit(number(Math.hypot(now[at + 2] - now[at], now[at + 3] - now[at + 1]), 4), panel.x_unit)}`);
  else if (mark.kind !== 'area') lines.push(`at ${where}`);
  if (mark.kind === 'circle' && Number.isFinite(now[at + 3]) && now[at + 3] !== 0) lines.push(`angle ${number(now[at + 3], 4)}`);
  if (mark.kind === 'box' && now[at + 4] !== 0) lines.push(`angle ${number(now[at + 4], 4)}`);
  return lines.join('\n');
}
