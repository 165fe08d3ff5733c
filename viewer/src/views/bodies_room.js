// The part of the world that is shown at first: where bodies move, and what stands near.
import { partPlace, rotate } from './bodies_poses.js';

const FEW = 20; // bodies: all of their ways are shown, however long
const WHOLE = 0.6; // of the size: what stands still is shown as a whole if it ends so near (a drum, walls)
const BEGINNING = 0.12; // otherwise (a large floor) its beginning

const AROUND_ONE = 0.12; // of the size: a single body has some room around it, so that one sees where it is
const STRAY = 0.01; // share of the places at either end of an axis that need not be seen
const MOST_SAMPLES = 50000;

const empty = () => ({ low: [Infinity, Infinity, Infinity], high: [-Infinity, -Infinity, -Infinity] });
const sizeOf = ({ low, high }) => Math.hypot(...low.map((x, k) => Math.max(0, high[k] - x)));

function widen(box, at, reach = 0) {
  for (let k = 0; k < 3; k++) {
    box.low[k] = Math.min(box.low[k], at[k] - reach);
    box.high[k] = Math.max(box.high[k], at[k] + reach);
  }
}

const cut = (box, by, more) => ({
  low: box.low.map((x, k) => Math.max(x, by.low[k] - more)),
  high: box.high.map((x, k) => Math.min(x, by.high[k] + more)),
});

const union = (a, b) => ({ low: a.low.map((x, k) => Math.min(x, b.low[k])), high: a.high.map((x, k) => Math.max(x, b.high[k])) });
const everything = { low: [-Infinity, -Infinity, -Infinity], high: [Infinity, Infinity, Infinity] };

// Where nearly all bodies are at nearly all times, without the few that run away; everything where not all frames are there.
function crowdBox(bodies) {
  const { position } = bodies.chunks.of(0) ?? {};
  if (!position || bodies.chunks.list.length > 1) return everything;
  const d = bodies.dimension;
  const stride = Math.max(1, Math.floor(position.length / d / MOST_SAMPLES));
  const box = { low: [0, 0, 0], high: [0, 0, 0] };
  for (let k = 0; k < d; k++) {
    const values = [];
    for (let i = k; i < position.length; i += d * stride) values.push(position[i]);
    const sorted = Float64Array.from(values).sort();
    box.low[k] = sorted[Math.floor(STRAY * sorted.length)];
    box.high[k] = sorted[Math.ceil((1 - STRAY) * sorted.length) - 1];
  }
  return box;
}

// {low, high, centre, size, radius: mean of the bodies}; the bodies are at their first frame.
export function findRoom(bodies) {
  let box = recordRoom(bodies);
  const start = startBox(bodies);
  const dynamic = bodies.roles.reduce((sum, role) => sum + (role === 0 ? 1 : 0), 0);
  // Of many bodies some fall out of the scene or run away: their ways count up to the size of the whole.
  if (dynamic > FEW && sizeOf(start) > 0) box = union(cut(cut(box, start, sizeOf(start)), crowdBox(bodies), meanRadius(bodies)), start);
  if (dynamic === 1) box = cut(everything, box, AROUND_ONE * sizeOf(box));
  if (!(sizeOf(box) > 0)) box = { low: [-0.5, -0.5, bodies.planar ? 0 : -0.5], high: [0.5, 0.5, bodies.planar ? 0 : 0.5] };
  const shown = { low: box.low.slice(), high: box.high.slice() };
  for (let part = 0; part < bodies.partBody.length; part++) if (bodies.roles[bodies.partBody[part]] !== 0) addStanding(bodies, part, box, shown);
  return { ...shown, centre: shown.low.map((x, k) => (x + shown.high[k]) / 2), size: sizeOf(shown), radius: meanRadius(bodies) };
}

function recordRoom(bodies) {
  const room = (bodies.source.room ?? []).flat().map(Number);
  while (room.length < 6) room.push(0);
  return { low: room.slice(0, 3), high: room.slice(3, 6) };
}

function startBox(bodies) {
  const box = empty();
  for (let i = 0; i < bodies.count; i++)
    if (bodies.roles[i] === 0) widen(box, bodies.pose.subarray(7 * i, 7 * i + 3), Number.isFinite(bodies.radius[i]) ? bodies.radius[i] : 0);
  return box;
}

function addStanding(bodies, part, box, shown) {
  const own = partBox(bodies, part);
  if (!(sizeOf(own) >= 0)) return;
  const size = sizeOf(box);
  const beyond = Math.max(...box.low.map((x, k) => Math.max(x - own.low[k], own.high[k] - box.high[k])));
  const near = cut(own, box, (beyond <= WHOLE * size ? WHOLE : BEGINNING) * size);
  for (let k = 0; k < 3; k++)
    if (near.low[k] <= near.high[k]) {
      shown.low[k] = Math.min(shown.low[k], near.low[k]);
      shown.high[k] = Math.max(shown.high[k], near.high[k]);
    }
}

// Corners of a part in space; endless ones have none.
function partBox(bodies, part) {
  const shape = bodies.shapes[bodies.partShape[part]];
  const box = empty();
  if (shape.endless) return { low: [NaN, NaN, NaN], high: [NaN, NaN, NaN] };
  const place = partPlace(bodies, part);
  const points = shape.points?.length % 3 === 0 ? shape.points : shape.half ? boxCorners(shape.half) : null;
  for (let k = 0; points && k < points.length; k += 3)
    widen(box, rotate(place.slice(3), points.subarray(k, k + 3)).map((x, c) => x + place[c]));
  if (!points) widen(box, place, (shape.radius ?? 0) + (shape.half_length ?? 0));
  return box;
}

const boxCorners = ([a, b, c = 0]) => Float64Array.from({ length: 24 }, (_, k) => [a, b, c][k % 3] * ((k / 3) & (1 << k % 3) ? 1 : -1));

function meanRadius(bodies) {
  let sum = 0;
  let count = 0;
  for (let i = 0; i < bodies.count; i++)
    if (bodies.roles[i] === 0 && bodies.radius[i] > 0 && Number.isFinite(bodies.radius[i])) {
      sum += bodies.radius[i];
      count += 1;
    }
  return count > 0 ? sum / count : 0;
}
