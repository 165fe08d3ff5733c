// The numbers of a run: the few that everybody asks for, and all others in a table.
import { numbers } from '../data.js';
import { el } from '../dom.js';
import { cell, number, plural, quantity, words } from '../format.js';

const unitOfGroup = (record, group) =>
  (record.panels ?? []).find((panel) => panel.group === group && panel.unit)?.unit ?? '';
const lengthUnit = (record) =>
  record.bodies?.length_unit ??
  (record.panels ?? []).find((panel) => /position|^q$/.test(panel.name) && panel.unit)?.unit ??
  '';
const between = (a, b) => [a, b].filter((name) => name !== null && name !== undefined).join(' – ');

// [{label, text, detail}] of the summary's best known entries.
export function keyNumbers(record) {
  const all = record.summary ?? {};
  const time = (t) => (typeof t === 'number' ? `at t = ${quantity(t, record.time_unit)}` : '');
  const list = [];
  const add = (label, value, unit, ...details) => {
    if (typeof value === 'number')
      list.push({ label, text: quantity(value, unit, 3), detail: details.filter(Boolean).join(', ') });
  };
  const name = (constraint, a, b) => constraint ?? between(a, b);
  add(
    'Residual',
    all.residual,
    '',
    name(all.residual_constraint, all.residual_a, all.residual_b),
    time(all.residual_time),
  );
  add(
    'Penetration',
    all.penetration,
    lengthUnit(record),
    name(all.penetration_constraint, all.penetration_a, all.penetration_b),
    time(all.penetration_time),
  );
  add('Energy defect', all.ledger?.defect, unitOfGroup(record, 'energy'));
  add('Steps', all.steps, '', all.rejected_steps > 0 && `${number(all.rejected_steps)} rejected`);
  add(
    'Events',
    all.events_total ?? record.events?.total,
    '',
    typeof all.impacts === 'number' && plural(all.impacts, 'impact'),
  );
  add(
    'Bodies',
    all.bodies,
    '',
    typeof all.most_contacts === 'number' && `at most ${plural(all.most_contacts, 'contact')}`,
  );
  add('Variation', all.variation, '');
  add('Proved arcs', all.proved_arcs, '', typeof all.arcs === 'number' && `of ${number(all.arcs)}`);
  add('End', record.span?.[1], record.time_unit);
  return list;
}

// The largest number of a list and its place.
function largest(values) {
  let at = -1;
  for (let i = 0; i < values.length; i++) if (!Number.isNaN(values[i]) && (at < 0 || values[i] > values[at])) at = i;
  return at;
}

// The lowest gap, where the curves of gaps are in the page: a list of one entry as above, or of none. It is no penetration:
// of equalities (rods, strings) gaps above 0 are violations, too, and curves do not say which are such.
async function lowestGap(record) {
  let lowest = null;
  for (const panel of (record.panels ?? []).filter(({ name }) => name === 'gap'))
    for (const series of panel.series) {
      const [x, y] = await Promise.all([numbers(series.x), numbers(series.y)]);
      const at = largest(y.map((gap) => -gap));
      if (at >= 0 && !(lowest?.value <= y[at])) lowest = { value: y[at], t: x[at], who: series.label, unit: panel.unit };
    }
  return lowest ? [shownNumber(record, 'Lowest gap', lowest.value, lowest.unit, lowest.t, lowest.who)] : [];
}

// An entry that says that rows between those of the page may have worse.
const shownNumber = (record, label, value, unit, t, who) => ({
  label,
  text: quantity(value, unit, 3),
  detail:
    value === 0 ? '' : [who, `at t = ${quantity(t, record.time_unit)}`, 'of the rows shown'].filter(Boolean).join(', '),
});

// Numbers that the summary does not have but the data of the page show: promise of a list as above.
export async function shownNumbers(record) {
  const all = record.summary ?? {};
  const list = [];
  const add = (...entry) => list.push(shownNumber(record, ...entry));
  const { bodies } = record;
  if (bodies) {
    const [t, residual, penetration, a, b] = await Promise.all(
      [bodies.t, bodies.residual, bodies.penetration, bodies.worst_a, bodies.worst_b].map(numbers),
    );
    const [worst, deepest] = [largest(residual), largest(penetration)];
    const pair = worst >= 0 && a[worst] >= 0 ? between(bodies.names?.[a[worst]], bodies.names?.[b[worst]]) : '';
    if (typeof all.residual !== 'number' && worst >= 0) add('Residual', residual[worst], '', t[worst], pair);
    if (typeof all.penetration !== 'number' && deepest >= 0)
      add('Penetration', penetration[deepest], bodies.length_unit, t[deepest], '');
  } else if (typeof all.residual !== 'number') {
    const series = (record.panels ?? []).find((panel) => panel.name === 'residual')?.series[0];
    const [x, y] = series ? await Promise.all([numbers(series.x), numbers(series.y)]) : [[], []];
    const worst = largest(y);
    if (worst >= 0) add('Residual', y[worst], '', x[worst], '');
  }
  if (!bodies && typeof all.penetration !== 'number') list.push(...(await lowestGap(record)));
  return list;
}

const SKIPPED = new Set(['events', 'warnings', 'title', 'verdict', 'reason', 'method']); // shown elsewhere
const MOST_ROWS = 400;

// Rows [name, text] of everything in the summary, nested names joined by dots.
function flatten(value, path, rows) {
  if (Array.isArray(value) && value.every((entry) => entry === null || typeof entry !== 'object'))
    rows.push([path, value.map(cell).join(', ')]);
  else if (value !== null && typeof value === 'object')
    for (const [key, entry] of Object.entries(value)) {
      if (path === '' && SKIPPED.has(key)) continue;
      flatten(entry, path ? `${path}.${key}` : key, rows);
    }
  else rows.push([path, value === true ? 'yes' : value === false ? 'no' : cell(value)]);
  return rows;
}

// All of them, folded; label: of the record where there are many.
export function allNumbers(record, label = '') {
  if (!record.summary) return null;
  const rows = flatten(record.summary, '', []);
  if (rows.length === 0) return null;
  const shown = rows.slice(0, MOST_ROWS);
  return el(
    'details',
    { class: 'numbers' },
    el('summary', {}, label ? `All numbers of ${label}` : 'All numbers of the run'),
    el(
      'div',
      { class: 'columns' },
      shown.map(([name, text]) =>
        el('div', { class: 'pair' }, el('span', { class: 'name' }, words(name)), el('span', { class: 'value' }, text)),
      ),
    ),
    rows.length > shown.length &&
      el('p', { class: 'quiet' }, `${number(rows.length - shown.length)} more are in the record.`),
  );
}

// The energies at the end, one column per record.
export function ledgerTable(records) {
  const having = records.filter((record) => record.summary?.ledger);
  const names = [...new Set(having.flatMap((record) => Object.keys(record.summary.ledger)))];
  if (names.length === 0) return null;
  const unit = unitOfGroup(having[0], 'energy');
  const lines = having.map((record) =>
    el(
      'tr',
      {},
      records.length > 1 && el('th', { scope: 'row' }, record.label),
      names.map((name) => el('td', { class: 'number' }, number(record.summary.ledger[name], 4))),
    ),
  );
  return el(
    'div',
    { class: 'table-wrap' },
    el(
      'table',
      { class: 'ledger' },
      el('caption', {}, 'Energy ledger at the end', unit && el('span', { class: 'unit' }, ` ${unit}`)),
      el(
        'thead',
        {},
        el(
          'tr',
          {},
          records.length > 1 && el('th', { scope: 'col' }, 'record'),
          names.map((name) => el('th', { scope: 'col', class: 'number' }, words(name))),
        ),
      ),
      el('tbody', {}, lines),
    ),
  );
}
