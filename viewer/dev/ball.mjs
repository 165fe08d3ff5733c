// A made-up record of a system with a drawing: a ball that bounces by closed forms.
const GRAVITY = 9.81;
const pair = (list, x, y) => list.push([x, y]);

// Flights [{t, v, end}] of a ball dropped from a height, by Newton's law with coefficient e.
function flights(height, e, end) {
  const list = [];
  let t = 0;
  let z = height;
  let v = 0;
  while (t < end && list.length < 40) {
    const fall = (v + Math.sqrt(v * v + 2 * GRAVITY * z)) / GRAVITY;
    list.push({ t, z, v, end: Math.min(end, t + fall) });
    const down = v - GRAVITY * fall;
    t += fall;
    z = 0;
    v = -e * down;
    if (v < 0.05) {
      list.push({ t, z: 0, v: 0, end, rest: true });
      break;
    }
  }
  return list;
}

const heightAt = (arc, t) =>
  arc.rest ? 0 : Math.max(0, arc.z + arc.v * (t - arc.t) - (GRAVITY / 2) * (t - arc.t) ** 2);
const speedAt = (arc, t) => (arc.rest ? 0 : arc.v - GRAVITY * (t - arc.t));

// Rows {t, side, z, v} with both limits at impacts.
function sample(arcs, step) {
  const rows = [];
  for (const arc of arcs) {
    const count = Math.max(2, Math.ceil((arc.end - arc.t) / step));
    for (let i = 0; i <= count; i++) {
      const t = i === count ? arc.end : arc.t + ((arc.end - arc.t) * i) / count;
      rows.push({ t, side: i === 0 ? 1 : i === count ? -1 : 0, z: heightAt(arc, t), v: speedAt(arc, t) });
    }
  }
  rows[0].side = 0;
  rows[rows.length - 1].side = 0;
  return rows;
}

function seriesOf(blocks, points, more) {
  return {
    label: '',
    style: 'line',
    dash: 'solid',
    colour: 1,
    jumps: true,
    breaks: [],
    x: blocks.shuffled(points.map((p) => p[0])),
    y: blocks.shuffled(points.map((p) => p[1])),
    ...more,
  };
}

function panelsOf(blocks, rows, arcs, shift) {
  const column = (fn) => rows.map((row) => [row.t, fn(row)]);
  const panel = (name, group, label, unit, series, more = {}) => ({
    name,
    group,
    label,
    unit,
    log: false,
    names: null,
    rules: [],
    note: '',
    series,
    ...more,
  });
  const steps = [];
  const residual = [];
  for (let i = 0; i < 1500; i++) pair(residual, i * 0.002, 10 ** (-14 + 3 * Math.sin(i * 0.7) * Math.sin(i * 0.013)));
  const last = arcs[arcs.length - 1];
  pair(steps, 0, 0);
  if (last.rest) (pair(steps, last.t, 0.2 * GRAVITY), pair(steps, last.end, 0.2 * GRAVITY));
  const modes = arcs.map((arc) => [arc.t, arc.rest ? 1 : 0]);
  modes.push([last.end, modes[modes.length - 1][1]]);
  const kinetic = column((row) => 0.1 * row.v ** 2);
  const potential = column((row) => 0.2 * GRAVITY * row.z);
  let lost = 0;
  const loss = [[0, 0]];
  for (const arc of arcs.slice(1)) {
    pair(loss, arc.t, lost);
    lost += 0.1 * (speedAt(arcs[arcs.indexOf(arc) - 1], arc.t) ** 2 - arc.v ** 2);
    pair(loss, arc.t, lost);
  }
  pair(loss, last.end, lost);
  return [
    panel(
      'position',
      'motion',
      'position',
      'm',
      [
        seriesOf(
          blocks,
          column((row) => row.z),
          { label: 'z' },
        ),
      ],
      { rules: [{ vertical: false, value: 0, label: 'floor' }] },
    ),
    panel('velocity', 'motion', 'velocity', 'm/s', [
      seriesOf(
        blocks,
        column((row) => row.v),
        { label: "z'" },
      ),
      seriesOf(
        blocks,
        column((row) => Math.abs(row.v) / 2),
        { label: 'half of the speed', colour: 2, dash: 'dashed' },
      ),
    ]),
    panel('reaction', 'reaction', 'reaction (density)', 'N', [
      seriesOf(blocks, steps, { label: 'floor', style: 'steps', jumps: false }),
    ]),
    panel('impulse', 'reaction', 'reaction (atoms)', 'N s', [
      seriesOf(
        blocks,
        arcs.slice(1).map((arc) => [arc.t, 0.2 * (arc.v + shift + 1)]),
        { label: 'floor', style: 'stems', colour: 2 },
      ),
    ]),
    panel(
      'mode',
      'reaction',
      'mode of floor',
      '',
      [seriesOf(blocks, modes, { label: 'floor', style: 'steps', jumps: false, colour: 3 })],
      { names: ['open', 'lasting'] },
    ),
    panel('ledger', 'energy', 'energy', 'J', [
      seriesOf(blocks, kinetic, { label: 'kinetic' }),
      seriesOf(blocks, potential, { label: 'potential', colour: 2 }),
      seriesOf(blocks, loss, { label: 'impact_loss', colour: 3 }),
    ]),
    panel('residual', 'residual', 'residual', '', [seriesOf(blocks, residual, { label: 'residual', style: 'line' })], {
      log: true,
      rules: [{ vertical: false, value: 1e-10, label: 'tolerance' }],
    }),
  ];
}

function eventsOf(arcs) {
  const rows = arcs
    .slice(1)
    .map((arc, k) => [arc.t, arc.rest ? 'limit' : 'impact', 'floor', speedAt(arcs[k], arc.t), arc.v, 0.2 * arc.v]);
  const columns = [
    ['t', 's'],
    ['kind', ''],
    ['constraints', ''],
    ["before z'", 'm/s'],
    ["after z'", 'm/s'],
    ['impulse', 'N s'],
  ];
  return { columns: columns.map(([name, unit]) => ({ name, unit })), rows, total: rows.length };
}

function filmOf(blocks, rows, name) {
  const mark = (kind, size, values, more) => ({
    kind,
    panel: 0,
    paint: 'body',
    colour: 0,
    width: 1,
    filled: false,
    dashed: false,
    opacity: 1,
    label: null,
    text: null,
    value_unit: null,
    size,
    still: false,
    count: 1,
    values: blocks.add(values, 'f32'),
    ...more,
  });
  return {
    t: blocks.add(rows.map((row) => row.t)),
    side: blocks.add(
      rows.map((row) => row.side),
      'i32',
    ),
    panels: [
      {
        title: '',
        x_label: 'x',
        y_label: 'z',
        x_unit: 'm',
        y_unit: 'm',
        axes: true,
        stretched: false,
        space: false,
        low: [-0.6, -0.15],
        high: [0.8, 1.15],
        longest: { force: 0, velocity: 4.5, normal: 0 },
      },
    ],
    marks: [
      mark('line', 2, [-0.6, 0, 0.8, 0], { paint: 'obstacle', still: true, count: 2, width: 2, label: 'floor' }),
      mark('area', 2, [-0.6, 0, 0.8, 0, 0.8, -0.1, -0.6, -0.1], {
        paint: 'obstacle',
        still: true,
        count: 4,
        filled: true,
        opacity: 0.25,
      }),
      mark(
        'circle',
        4,
        rows.flatMap((row) => [0, row.z + 0.08, 0.08, row.t]),
        { filled: true, label: 'ball' },
      ),
      mark(
        'arrow',
        4,
        rows.flatMap((row) => [0, row.z + 0.08, 0, row.v]),
        { paint: 'velocity', label: 'velocity' },
      ),
      mark(
        'spring',
        4,
        rows.flatMap((row) => [0.5, 1, 0.5, row.z * 0.5]),
        { paint: 'guide', label: 'spring' },
      ),
      mark(
        'box',
        5,
        rows.flatMap((row) => [0.5, row.z * 0.5, 0.12, 0.08, 0]),
        { paint: 'body', filled: true, colour: 2, label: 'mass' },
      ),
      mark(
        'points',
        2,
        rows.flatMap((row) => [-0.3, row.z]),
        { paint: 'trace', label: 'height' },
      ),
      mark('text', 2, [0.65, 0.06], { paint: 'guide', still: true, text: name }),
    ],
  };
}

const SCENE = `thud: 1
title: Bouncing ball
kind: system
parameters: {g: 9.81, e: 0.7}
system:
  coordinates: {z: {unit: m}}
  mass: {z: 0.2}
  constraints:
    - {name: floor, gap: z, restitution: e}
simulate: {method: event-driven, end: 3}
`;

export function ballRecord(
  blocks,
  {
    name = 'ball',
    title = 'Bouncing ball',
    e = 0.7,
    method = 'event-driven',
    verdict = 'good',
    reason = '',
    end = 3,
  } = {},
) {
  const arcs = flights(1, e, end);
  const rows = sample(arcs, 0.01);
  const events = eventsOf(arcs);
  const worst = 6.8e-4;
  return {
    name,
    title,
    kind: 'system',
    method,
    verdict,
    reason,
    finished: verdict !== 'unfinished',
    scene: SCENE,
    summary: {
      verdict,
      reason,
      title,
      method,
      time: end,
      state: { z: 0, "z'": 0 },
      steps: 6000,
      residual: 3.1e-14,
      residual_time: 1.25,
      penetration: worst,
      penetration_time: 1.5275,
      penetration_constraint: 'floor',
      events: [],
      events_total: rows.length,
      ledger: {
        kinetic: 0,
        potential: 0,
        work: 0,
        impact_loss: 1.96,
        friction_loss: 0,
        contact_loss: 0,
        scheme_loss: 0,
        defect: -2.3e-14,
        identity: 4e-16,
      },
      warnings: [],
      frames: rows.length,
    },
    span: [0, end],
    time_unit: 's',
    panels: panelsOf(blocks, rows, arcs, e),
    events,
    warnings:
      verdict === 'failed'
        ? [
            {
              t: 1.5,
              code: 'penetration',
              message: 'the gap of floor is -6.8e-4 m at t = 1.5275',
              cause: 'the step is long beside the speed of the impact',
              cure: 'set simulate.steps to 20000',
            },
          ]
        : [],
    proofs:
      method === 'event-driven'
        ? {
            t: arcs.map((arc) => arc.t),
            t_end: arcs.map((arc) => arc.end),
            proof: arcs.map((arc, k) => (arc.rest ? 3 : k % 5 === 4 ? 2 : 1)),
            labels: ['open', 'proved', 'sampled', 'assumed'],
            bound: arcs.map((arc, k) => (k % 5 === 4 ? null : 1e-14 * (k + 1))),
          }
        : null,
    state: {
      t: blocks.shuffled(rows.map((row) => row.t)),
      side: blocks.add(
        rows.map((row) => row.side),
        'i32',
      ),
      columns: [
        { name: 'z', unit: 'm', values: blocks.shuffled(rows.map((row) => row.z)) },
        { name: "z'", unit: 'm/s', values: blocks.shuffled(rows.map((row) => row.v)) },
      ],
    },
    film: filmOf(blocks, rows, 'floor'),
    bodies: null,
    notes: ['Frames between impacts are thinned to 0.01 s.'],
  };
}
