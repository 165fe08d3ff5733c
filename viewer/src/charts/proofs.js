// What is proved of every arc: a strip over time, coloured by proof, and a table of counts.
import { el } from '../dom.js';
import { numbers } from '../data.js';
import { theme, onTheme } from '../theme.js';
import { brief, number, quantity } from '../format.js';
import { createTimePlot } from './timeplot.js';
import { after } from './paint.js';

const LANE = 30;

// Proved is calm, the weaker the louder: by the labels' names, others by the palette.
function colourOf(label, k) {
  const { palette, muted } = theme();
  const known = { proved: palette[2], sampled: palette[5], assumed: palette[4], open: palette[1] };
  return known[label] ?? palette[k % 8] ?? muted;
}

async function openProofs(record) {
  const { t, t_end: end, proof, bound } = record.proofs;
  const [from, to, kind, limit] = await Promise.all([numbers(t), numbers(end), numbers(proof), numbers(bound)]);
  return { record, from, to, kind, bound: limit, labels: record.proofs.labels };
}

// Of arcs that share a pixel the weakest proof is drawn on top.
function paintLane(frame, proofs, lane) {
  const { pen, X, Y } = frame;
  const top = Y(-lane + 0.38);
  const height = Y(-lane - 0.38) - top;
  const order = proofs.labels.map((label, k) => k).sort((a, b) => rank(proofs.labels[b]) - rank(proofs.labels[a]));
  for (const kind of order) {
    pen.fillStyle = colourOf(proofs.labels[kind], kind);
    for (let i = 0; i < proofs.from.length; i++) {
      if (proofs.kind[i] !== kind || proofs.to[i] < frame.x[0] || proofs.from[i] > frame.x[1]) continue;
      const left = X(proofs.from[i]);
      const width = X(proofs.to[i]) - left;
      pen.fillRect(left, top, Math.max(1, width - (width > 6 * frame.ratio ? frame.ratio : 0)), height);
    }
  }
}

const rank = (label) => ['open', 'assumed', 'sampled', 'proved'].indexOf(label);

function counts(list) {
  const rows = [];
  for (const proofs of list)
    proofs.labels.forEach((label, k) => {
      let arcs = 0;
      let time = 0;
      let worst = NaN;
      for (let i = 0; i < proofs.from.length; i++) {
        if (proofs.kind[i] !== k || proofs.to[i] === proofs.from[i]) continue; // the last frame has no arc
        arcs += 1;
        time += proofs.to[i] - proofs.from[i];
        if (proofs.bound.length > i && !(proofs.bound[i] <= worst) && !Number.isNaN(proofs.bound[i]))
          worst = proofs.bound[i];
      }
      if (arcs > 0) rows.push({ proofs, label, k, arcs, time, worst });
    });
  return rows;
}

function chip(label, k) {
  const mark = el('span', { class: 'chip' });
  const paint = () => mark.style.setProperty('--chip', colourOf(label, k));
  paint();
  onTheme(paint);
  return mark;
}

function countTable(list, several) {
  const head = [several && 'record', 'proof', 'arcs', 'time', 'largest bound of the defect'].filter(Boolean);
  const numeric = new Set(['arcs', 'time', 'largest bound of the defect']);
  return el(
    'div',
    { class: 'table-wrap' },
    el(
      'table',
      {},
      el(
        'thead',
        {},
        el(
          'tr',
          {},
          head.map((text) => el('th', { scope: 'col', class: numeric.has(text) && 'number' }, text)),
        ),
      ),
      el(
        'tbody',
        {},
        counts(list).map((row) =>
          el(
            'tr',
            {},
            several && el('td', {}, row.proofs.record.label),
            el('td', {}, chip(row.label, row.k), row.label),
            el('td', { class: 'number' }, number(row.arcs)),
            el('td', { class: 'number' }, quantity(row.time, row.proofs.record.time_unit)),
            el('td', { class: 'number' }, number(row.worst, 3)),
          ),
        ),
      ),
    ),
  );
}

// The arc of a time in words.
function arcAt(proofs, t, several) {
  const i = after(proofs.from, t) - 1;
  if (i < 0 || t > proofs.to[i]) return '';
  const { label, time_unit: unit } = proofs.record;
  const bound = Number.isFinite(proofs.bound[i]) ? `, defect at most ${number(proofs.bound[i], 3)}` : '';
  const times = `from ${number(proofs.from[i], 6)} to ${quantity(proofs.to[i], unit, 6)}`;
  return `${several ? `${label}: ` : ''}arc ${i + 1} ${times}: ${proofs.labels[proofs.kind[i]] ?? ''}${bound}`;
}

function proofPlot(list, host, shared, changed) {
  const lanes = list.length;
  const names = list.map((proofs) => (lanes > 1 ? brief(proofs.record.label) : 'arcs'));
  return createTimePlot(
    {
      host,
      height: 44 + LANE * lanes,
      limits: () => [-lanes + 0.5, 0.5],
      names: new Map(names.map((name, k) => [-k, name])),
      description: 'what is proved of each arc, over time',
      paint: (frame) => list.forEach((proofs, lane) => paintLane(frame, proofs, lane)),
      changed,
    },
    shared,
  );
}

export function createProofSection(records, shared) {
  const having = records.filter((record) => record.proofs);
  if (having.length === 0) return null;
  const host = el('div', { class: 'plot' });
  const read = el('p', { class: 'quiet proof-read' });
  const key = having[0].proofs.labels.map((label, k) => el('span', {}, chip(label, k), label));
  const element = el(
    'section',
    { class: 'proofs', 'aria-labelledby': 'proofs' },
    el('h2', { id: 'proofs' }, 'Proofs of the arcs'),
    el('div', { class: 'panel' }, el('div', { class: 'panel-body' }, host, el('div', { class: 'legend key' }, key))),
    read,
  );
  let made = null;
  let list = [];
  const tell = () => {
    const arcs = list.map((proofs) => arcAt(proofs, shared.pointer.t ?? shared.clock.t, list.length > 1));
    read.textContent = arcs.filter(Boolean).join(' · ');
  };
  const ready = Promise.all([Promise.all(having.map(openProofs)), shared.opened]).then(([opened]) => {
    list = opened;
    made = proofPlot(list, host, shared, tell);
    element.append(countTable(list, list.length > 1));
    tell();
  });
  return { element, ready, tick: () => made?.place(), read: tell };
}
