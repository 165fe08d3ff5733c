// The bodies of a record: what they are, and where they are at a time.
import { Chunks } from './bodies_chunks.js';
import { findRoom } from './bodies_room.js';

// The record's bodies with their numbers read; poses come later, chunk by chunk.
export async function openBodies(record, context) {
  const source = record.bodies;
  const [roles, partBody, partShape, partPose, t, radius, still, stillPose, moving] = await Promise.all(
    [source.roles, source.part_body, source.part_shape, source.part_pose, source.t, source.radius, source.still,
      source.still_pose, source.moving].map((values) => context.numbers(values)));
  const shapes = await Promise.all(source.shapes.map((shape) => openShape(shape, context)));
  return new Bodies(source, { roles, partBody, partShape, partPose, t, radius, shapes, still, stillPose, moving }, context);
}

async function openShape(shape, context) {
  const points = shape.points ? await context.numbers(shape.points) : null;
  const triangles = shape.triangles ? await context.numbers(shape.triangles) : null;
  return { ...shape, points, triangles };
}

class Bodies {
  constructor(source, arrays, context) {
    Object.assign(this, arrays);
    this.source = source;
    this.context = context;
    this.planar = source.planar;
    this.count = source.count;
    this.names = source.names;
    this.springs = source.springs ?? [];
    this.joints = source.joints ?? [];
    this.up = source.up ?? [0, 0, 1];
    this.room = null; // what is shown at first: found when the first poses have come
    this.dimension = this.planar ? 2 : 3;
    const width = this.moving.length * (this.planar ? 3 : 7);
    this.chunks = new Chunks(source.chunks ?? [], this.t, this.dimension, width, context.numbers);
    this.pose = new Float32Array(7 * this.count); // x y z of the centre of mass, w x y z: now
    for (let i = 0; i < this.count; i++) this.pose[7 * i + 3] = 1;
    this.still.forEach((body, k) => this.pose.set(this.stillPose.subarray(7 * k, 7 * k + 7), 7 * body));
    this.slot = new Int32Array(this.count).fill(-1); // of a body among those that move
    this.moving.forEach((body, k) => { this.slot[body] = k; });
    this.frame = 0; // the last one not after the time
    this.share = 0; // of the way to the next frame
    this.shown = null; // what pose holds: "frame share version"
  }

  // Waits for the first poses.
  async begin() {
    await this.chunks.first();
    this.place();
    this.room = findRoom(this);
  }

  // The frame that shows forces and residuals: the nearer one.
  get nearest() {
    return this.share > 0.5 ? this.frame + 1 : this.frame;
  }

  // Moves to a time; returns whether poses have changed. Frames that share a time are the limits of a jump: the later one
  // is shown at it, and no interval between them is ever entered.
  seek(time) {
    const { t } = this;
    let frame = this.frame;
    if (!(t[frame] <= time && (frame + 1 >= t.length || t[frame + 1] > time))) frame = lastNotAfter(t, time);
    const length = frame + 1 < t.length ? t[frame + 1] - t[frame] : 0;
    this.share = length > 0 ? Math.min(1, Math.max(0, (time - t[frame]) / length)) : 0;
    this.frame = frame;
    this.chunks.want(frame);
    return this.place();
  }

  // Now.
  get time() {
    const next = Math.min(this.frame + 1, this.t.length - 1);
    return (1 - this.share) * this.t[this.frame] + this.share * this.t[next];
  }

  place() {
    const wanted = `${this.frame} ${this.share}`;
    if (wanted === this.shown || this.moving.length === 0) return false;
    const here = this.chunks.of(this.frame);
    const there = this.share > 0 ? this.chunks.of(this.frame + 1) : here;
    if (!here || !there) return false;
    const row = this.frame - here.first;
    const next = this.share > 0 ? this.frame + 1 - there.first : row;
    if (this.planar) placePlane(this.pose, this.moving, here, row, there, next, this.share);
    else placeSpace(this.pose, this.moving, here, row, there, next, this.share);
    this.shown = wanted;
    return true;
  }

  // Velocities between this frame and the next (or the one before at the end): calls fn(body, speed); false: not loaded.
  eachSpeed(fn) {
    const pair = this.interval();
    if (!pair) return false;
    const d = this.dimension;
    const [here, row, there, next, step] = pair;
    const a = here.position;
    const b = there.position;
    const m = this.moving.length;
    for (let k = 0; k < m; k++) {
      const i = (row * m + k) * d;
      const j = (next * m + k) * d;
      const x = b[j] - a[i];
      const y = b[j + 1] - a[i + 1];
      const z = d === 3 ? b[j + 2] - a[i + 2] : 0;
      fn(this.moving[k], Math.sqrt(x * x + y * y + z * z) / step);
    }
    return true;
  }

  speed(body) {
    const pair = this.slot[body] >= 0 ? this.interval() : null;
    if (!pair) return this.slot[body] >= 0 ? NaN : 0;
    const [here, row, there, next, step] = pair;
    const d = this.dimension;
    let sum = 0;
    for (let k = 0; k < d; k++) {
      const way = there.position[(next * this.moving.length + this.slot[body]) * d + k] -
        here.position[(row * this.moving.length + this.slot[body]) * d + k];
      sum += way * way;
    }
    return Math.sqrt(sum) / step;
  }

  // [chunk, row, chunk, row, length] of the interval around the time that has a length.
  interval() {
    let first = this.frame;
    if (!(this.t[first + 1] > this.t[first])) first -= 1; // at the end
    if (!(first >= 0 && this.t[first + 1] > this.t[first])) return null;
    const here = this.chunks.of(first);
    const there = this.chunks.of(first + 1);
    if (!here || !there) return null;
    return [here, first - here.first, there, first + 1 - there.first, this.t[first + 1] - this.t[first]];
  }

  dispose() {
    this.chunks.dispose();
  }
}

function lastNotAfter(t, time) {
  let low = 0;
  let high = t.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (t[middle] <= time) low = middle;
    else high = middle - 1;
  }
  return low;
}

// Straight between positions; quaternions straight and normalised (neighbours are near: the error is of third order).
function placeSpace(pose, moving, here, row, there, next, share) {
  const m = moving.length;
  const rest = 1 - share;
  const pa = here.position, pb = there.position, qa = here.rotation, qb = there.rotation;
  for (let k = 0, i = row * m * 3, j = next * m * 3, u = row * m * 4, v = next * m * 4; k < m; k++, i += 3, j += 3, u += 4, v += 4) {
    const o = 7 * moving[k];
    pose[o] = rest * pa[i] + share * pb[j];
    pose[o + 1] = rest * pa[i + 1] + share * pb[j + 1];
    pose[o + 2] = rest * pa[i + 2] + share * pb[j + 2];
    const w = rest * qa[u] + share * qb[v];
    const x = rest * qa[u + 1] + share * qb[v + 1];
    const y = rest * qa[u + 2] + share * qb[v + 2];
    const z = rest * qa[u + 3] + share * qb[v + 3];
    const length = 1 / Math.sqrt(w * w + x * x + y * y + z * z);
    pose[o + 3] = w * length;
    pose[o + 4] = x * length;
    pose[o + 5] = y * length;
    pose[o + 6] = z * length;
  }
}

// The same in the plane: angles become quaternions about z.
function placePlane(pose, moving, here, row, there, next, share) {
  const m = moving.length;
  const rest = 1 - share;
  for (let k = 0, i = row * m, j = next * m; k < m; k++, i++, j++) {
    const o = 7 * moving[k];
    const half = 0.5 * (rest * here.rotation[i] + share * there.rotation[j]);
    pose[o] = rest * here.position[2 * i] + share * there.position[2 * j];
    pose[o + 1] = rest * here.position[2 * i + 1] + share * there.position[2 * j + 1];
    pose[o + 3] = Math.cos(half);
    pose[o + 6] = Math.sin(half);
  }
}
