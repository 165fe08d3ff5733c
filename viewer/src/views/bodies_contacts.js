// Contacts of a record: read when first asked for; their forces by frame and by body.
export class Contacts {
  constructor(bodies) {
    this.bodies = bodies;
    this.source = bodies.source.contacts;
    this.ready = false;
    this.asked = null;
    this.typical = 0; // force that few contacts exceed: the scale of arrows and colours
    this.typicalLoad = 0; // the same of the sums per body
  }

  get exist() {
    return Boolean(this.source);
  }

  load() {
    if (!this.asked && this.source) this.asked = this.read();
    return this.asked;
  }

  async read() {
    const { numbers } = this.bodies.context;
    const { ends, a, b, point, force } = this.source;
    [this.ends, this.a, this.b, this.point, this.force] = await Promise.all([ends, a, b, point, force].map((x) => numbers(x)));
    this.findTypical();
    this.ready = true;
  }

  first(frame) {
    return frame > 0 ? this.ends[frame - 1] : 0;
  }

  // Magnitude of the force of a contact.
  magnitude(k) {
    const f = this.force;
    if (this.bodies.planar) return Math.hypot(f[2 * k], f[2 * k + 1]);
    return Math.sqrt(f[3 * k] * f[3 * k] + f[3 * k + 1] * f[3 * k + 1] + f[3 * k + 2] * f[3 * k + 2]);
  }

  // Three quarters of a sample of the forces are below the typical one (impacts are rare and large); nearly all loads of bodies.
  findTypical() {
    const stride = Math.max(1, Math.floor(this.a.length / 20000));
    const forces = [];
    for (let k = 0; k < this.a.length; k += stride) {
      const size = this.magnitude(k);
      if (size > 0) forces.push(size);
    }
    this.typical = quantile(forces, 0.75);
    const loads = [];
    const load = new Float32Array(this.bodies.count);
    const step = Math.max(1, Math.floor(this.ends.length / 12));
    for (let frame = 0; frame < this.ends.length; frame += step) {
      this.loads(frame, load);
      for (let i = 0; i < load.length; i++) if (load[i] > 0 && this.bodies.roles[i] === 0) loads.push(load[i]);
    }
    this.typicalLoad = quantile(loads, 0.95);
  }

  // Sums of the magnitudes of the contact forces on every body: that of a body at rest is not 0, its load is seen.
  loads(frame, out) {
    out.fill(0);
    const end = this.ends[frame] ?? 0;
    for (let k = this.first(frame); k < end; k++) {
      const size = this.magnitude(k);
      if (this.a[k] >= 0) out[this.a[k]] += size;
      if (this.b[k] >= 0) out[this.b[k]] += size;
    }
  }

  // Arrows of a frame into out: from xyz, to xyz; as many as fit; returns how many. Each begins at its contact and points
  // into the body that it pushes; where that stands still, the other one is shown.
  arrows(frame, scale, longest, out) {
    const { roles, planar } = this.bodies;
    const d = planar ? 2 : 3;
    const end = this.ends[frame] ?? 0;
    let o = 0;
    for (let k = this.first(frame); k < end && o + 6 <= out.length; k++) {
      const size = this.magnitude(k);
      if (!(size * scale > 0.004 * longest)) continue;
      const a = this.a[k];
      const factor = (a >= 0 && roles[a] === 0 ? 1 : -1) * Math.min(scale, longest / size);
      for (let c = 0; c < 3; c++) {
        const from = c < d ? this.point[d * k + c] : 0;
        out[o + c] = from;
        out[o + 3 + c] = c < d ? from + factor * this.force[d * k + c] : 0;
      }
      o += 6;
    }
    return o / 6;
  }

  // The most contacts that a frame has.
  most() {
    let most = 0;
    for (let frame = 0; frame < this.ends.length; frame++) most = Math.max(most, this.ends[frame] - this.first(frame));
    return most;
  }
}

function quantile(values, share) {
  if (values.length === 0) return 0;
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}
