// Made-up records of rigid bodies: they fly by closed forms, so that nothing has to be simulated.
const turn = (axis, angle) => [Math.cos(angle / 2), ...axis.map((x) => x * Math.sin(angle / 2))];

// Height of something thrown up again and again with bounce height h and period p.
const bounce = (t, h, p) => 4 * h * (((t / p) % 1) * (1 - ((t / p) % 1)));

function spaceBodies(blocks, count, frames, end) {
  const side = Math.ceil(Math.cbrt(count));
  const times = Array.from({ length: frames }, (_, f) => (end * f) / (frames - 1));
  const shapes = [
    { kind: 'sphere', radius: 0.4 },
    { kind: 'box', half: [0.4, 0.3, 0.25] },
    { kind: 'capsule', radius: 0.2, half_length: 0.25 },
    { kind: 'box', half: [side * 0.75, side * 0.75, 0.2] },
  ];
  const place = (i, t) => {
    const x = i % side,
      y = Math.floor(i / side) % side,
      z = Math.floor(i / side / side);
    return [
      x - (side - 1) / 2,
      y - (side - 1) / 2,
      z + 0.5 + bounce(t + 0.13 * i, 0.5 + 0.1 * (i % 7), 1 + 0.05 * (i % 11)),
    ];
  };
  const chunkRows = 50;
  const chunks = [];
  for (let first = 0; first < frames; first += chunkRows) {
    const rows = Math.min(chunkRows, frames - first);
    const position = new Float64Array(rows * count * 3);
    const rotation = new Float64Array(rows * count * 4);
    for (let r = 0; r < rows; r++)
      for (let i = 0; i < count; i++) {
        position.set(place(i, times[first + r]), 3 * (r * count + i));
        rotation.set(
          turn(
            [0, (i % 3) * 0.6, Math.sqrt(1 - ((i % 3) * 0.6) ** 2 > 0 ? 1 - ((i % 3) * 0.6) ** 2 : 0)],
            times[first + r] * (1 + (i % 5)) * 0.5,
          ),
          4 * (r * count + i),
        );
      }
    blocks.next();
    chunks.push({
      first,
      frames: rows,
      position: blocks.quantised(position, rows, 3 * count, 0.0016, 0),
      rotation: blocks.quantised(rotation, rows, 4 * count, 1 / 4095, 0),
    });
  }
  blocks.next();
  const ends = [],
    a = [],
    b = [],
    point = [],
    force = [];
  for (const t of times) {
    for (let i = 0; i < Math.min(count, 60); i++) {
      const at = place(i, t);
      if (Math.floor(i / side / side) > 0 || at[2] > 0.75) continue;
      a.push(i);
      b.push(count);
      point.push(at[0], at[1], 0);
      force.push(0.2 * Math.sin(i), 0, 5 + (i % 4));
    }
    ends.push(a.length);
  }
  const n = count + 1;
  return {
    planar: false,
    count: n,
    names: Array.from({ length: n }, (_, i) => (i === count ? 'table' : `body ${i}`)),
    roles: blocks.add(
      Array.from({ length: n }, (_, i) => (i === count ? 1 : 0)),
      'u8',
    ),
    length_unit: 'm',
    force_unit: 'N',
    up: [0, 0, 1],
    shapes,
    part_body: blocks.add(
      Array.from({ length: n }, (_, i) => i),
      'i32',
    ),
    part_shape: blocks.add(
      Array.from({ length: n }, (_, i) => (i === count ? 3 : i % 3)),
      'i32',
    ),
    part_pose: blocks.add(Array.from({ length: n }, () => [0, 0, 0, 1, 0, 0, 0]).flat(), 'f32'),
    t: blocks.add(times),
    room: [-side * 0.75, -side * 0.75, -0.4, side * 0.75, side * 0.75, side + 1.5],
    radius: blocks.add(
      Array.from({ length: n }, (_, i) => (i === count ? side : 0.55)),
      'f32',
    ),
    still: blocks.add([count], 'i32'),
    still_pose: blocks.add([0, 0, -0.2, 1, 0, 0, 0], 'f32'),
    moving: blocks.add(
      Array.from({ length: count }, (_, i) => i),
      'i32',
    ),
    chunks,
    contacts: {
      ends: blocks.add(ends, 'i32'),
      a: blocks.add(a, 'i32'),
      b: blocks.add(b, 'i32'),
      point: blocks.add(point, 'f32'),
      force: blocks.add(force, 'f32'),
      largest: 8.2,
    },
    residual: blocks.add(times.map((t) => 1e-12 * (1 + Math.sin(9 * t)))),
    worst_a: blocks.add(
      times.map(() => 0),
      'i32',
    ),
    worst_b: blocks.add(
      times.map(() => count),
      'i32',
    ),
    penetration: blocks.add(times.map((t) => 1e-5 * (1 + Math.cos(5 * t)))),
    springs: [],
  };
}

function planarBodies(blocks, frames, end) {
  const times = Array.from({ length: frames }, (_, f) => (end * f) / (frames - 1));
  const count = 6;
  const position = [],
    rotation = [];
  for (const t of times)
    for (let i = 0; i < count; i++) {
      position.push(i - 2.5, 0.5 + bounce(t + 0.2 * i, 1 + 0.2 * i, 1.2));
      rotation.push(t * (i - 2));
    }
  blocks.next();
  const chunks = [
    {
      first: 0,
      frames,
      position: blocks.quantised(position, frames, 2 * count, 0.0005, 0),
      rotation: blocks.quantised(rotation, frames, count, 0.0005, 0),
    },
  ];
  blocks.next();
  const n = count + 1;
  return {
    planar: true,
    count: n,
    names: ['disc', 'square', 'triangle', 'capsule', 'disc 2', 'square 2', 'ground'],
    roles: blocks.add([0, 0, 0, 0, 0, 0, 1], 'u8'),
    length_unit: 'm',
    force_unit: 'N',
    up: [0, 1, 0],
    shapes: [
      { kind: 'disc', radius: 0.4 },
      { kind: 'box', half: [0.35, 0.35] },
      { kind: 'polygon', points: blocks.add([-0.4, -0.3, 0.4, -0.3, 0, 0.5], 'f32') },
      { kind: 'capsule', radius: 0.15, half_length: 0.3 },
      { kind: 'half-plane', endless: true },
    ],
    part_body: blocks.add([0, 1, 2, 3, 4, 5, 6], 'i32'),
    part_shape: blocks.add([0, 1, 2, 3, 0, 1, 4], 'i32'),
    part_pose: blocks.add(Array.from({ length: n }, () => [0, 0, 0, 1, 0, 0, 0]).flat(), 'f32'),
    t: blocks.add(times),
    room: [-3.5, -0.3, 0, 3.5, 3, 0],
    radius: blocks.add([0.4, 0.5, 0.5, 0.45, 0.4, 0.5, 4], 'f32'),
    still: blocks.add([6], 'i32'),
    still_pose: blocks.add([0, 0, 0, 1, 0, 0, 0], 'f32'),
    moving: blocks.add([0, 1, 2, 3, 4, 5], 'i32'),
    chunks,
    contacts: null,
    residual: blocks.add(times.map(() => 1e-13)),
    worst_a: blocks.add(
      times.map(() => -1),
      'i32',
    ),
    worst_b: blocks.add(
      times.map(() => -1),
      'i32',
    ),
    penetration: blocks.add(times.map(() => 0)),
    springs: [{ a: 0, b: 1, point_a: [0, 0], point_b: [0, 0] }],
  };
}

export function bodiesRecord(blocks, { planar = false, count = 60, frames = 200, end = 5, name = 'pile' } = {}) {
  return {
    name,
    title: planar ? 'Bodies in the plane' : `${count} bodies in space`,
    kind: 'bodies',
    method: 'moreau-jean',
    verdict: 'coarse',
    reason: 'the residual exceeds the tolerance in 3 steps',
    finished: true,
    scene: 'thud: 1\nkind: bodies\n',
    summary: {
      verdict: 'coarse',
      steps: 1000,
      residual: 2e-9,
      residual_time: 2,
      penetration: 2e-5,
      penetration_a: 'body 3',
      penetration_b: 'table',
      bodies: count,
      events_total: 0,
    },
    span: [0, end],
    time_unit: 's',
    panels: [],
    events: { columns: [], rows: [], total: 0 },
    warnings: [],
    proofs: null,
    state: null,
    film: null,
    bodies: planar ? planarBodies(blocks, frames, end) : spaceBodies(blocks, count, frames, end),
    notes: ['The state of the bodies is not listed: more than 200 numbers.'],
  };
}
