// Series with their numbers: opened from the page's JSON, ranges, and values at a time.
import { numbers } from '../data.js';
import { after, windowOf } from './paint.js';

// A series of a panel, with typed arrays; record: the number of its record.
export async function openSeries(source, panel, record) {
  const [x, y] = await Promise.all([numbers(source.x), numbers(source.y)]);
  let sorted = true;
  for (let i = 1; i < x.length; i++) if (x[i] < x[i - 1]) sorted = false;
  return {
    ...source,
    x,
    y,
    sorted,
    record,
    visible: true,
    whole: source.style === 'steps' && y.every(Number.isInteger), // counts
    breaks: new Set(source.breaks ?? []),
    filled: source.style === 'steps' && panel.group === 'reaction' && !panel.names && !panel.log, // densities
  };
}

// Lowest and highest value of the visible series between two times; null: there is none.
export function extent(list, low, high, log) {
  let least = Infinity;
  let most = -Infinity;
  const take = (v) => {
    if (!Number.isFinite(v) || (log && v <= 0)) return;
    if (v < least) least = v;
    if (v > most) most = v;
  };
  for (const series of list) {
    if (!series.visible) continue;
    const [first, end] = windowOf(series, low, high);
    const single = ['stems', 'markers', 'points'].includes(series.style); // neighbours outside are not connected
    for (let i = first; i < end; i++) if (!single || (series.x[i] >= low && series.x[i] <= high)) take(series.y[i]);
    if (!log && most >= least && (series.style === 'stems' || series.filled)) take(0);
  }
  return most >= least ? [least, most] : null;
}

// What a series is worth at t: {values: [one, or the limits at a jump]}, or null. `near`: a distance in x that counts as the same.
export function valueAt(series, t, near) {
  const { x, y, style } = series;
  if (!series.sorted || x.length === 0) return null;
  if (style === 'stems' || style === 'markers' || style === 'points') return nearest(series, t, near);
  const end = after(x, t);
  const jump = series.jumps ? jumpNear(series, t, end, near) : null;
  if (jump) return { values: jump };
  if (end === 0 || (end === x.length && t > x[end - 1])) return null;
  const before = end - 1;
  if (style === 'steps' || end === x.length || x[end] === x[before]) return one(y[before]);
  if (series.breaks.has(end)) return null;
  return one(y[before] + ((t - x[before]) / (x[end] - x[before])) * (y[end] - y[before]));
}

const one = (value) => (Number.isNaN(value) ? null : { values: [value] });

function nearest(series, t, near) {
  const end = after(series.x, t);
  let best = null;
  for (const i of [end - 1, end])
    if (i >= 0 && i < series.x.length && Math.abs(series.x[i] - t) <= near)
      if (best === null || Math.abs(series.x[i] - t) < Math.abs(series.x[best] - t)) best = i;
  return best === null ? null : one(series.y[best]);
}

// The different values at the time of a jump within `near` of t.
function jumpNear(series, t, end, near) {
  const { x, y } = series;
  for (const i of [end, end + 1, end - 1, end - 2]) {
    if (i < 1 || i >= x.length || x[i] !== x[i - 1] || y[i] === y[i - 1] || Math.abs(x[i] - t) > near) continue;
    let first = i - 1;
    let last = i;
    while (first > 0 && x[first - 1] === x[i]) first--;
    while (last + 1 < x.length && x[last + 1] === x[i]) last++;
    return Array.from(y.subarray(first, last + 1)).filter((v, k, all) => k === 0 || v !== all[k - 1]);
  }
  return null;
}
