// Warnings with cause and cure, notes, scenes as given.
import { el } from '../dom.js';
import { icon } from '../icons.js';
import { number, plural, quantity } from '../format.js';

const FEW = 3; // warnings of the same code that are shown at once
const MOST_CARDS = 2; // with more the motion would be far below: they are folded

function warningItem(warning, record, clock) {
  const seek =
    Number.isFinite(warning.t) &&
    el(
      'button',
      { type: 'button', class: 'link', onclick: () => clock.seek(warning.t) },
      `t = ${quantity(warning.t, record.time_unit)}`,
    );
  return el('li', {}, warning.message, ' ', seek);
}

function warningCard(list, record, clock, several) {
  const first = list[0];
  const rest = list.slice(FEW);
  return el(
    'article',
    { class: 'warning' },
    icon('warning'),
    el(
      'div',
      {},
      el(
        'p',
        { class: 'warning-title' },
        el('strong', {}, first.code),
        list.length > 1 && ` · ${plural(list.length, 'time')}`,
        several && ` · ${record.label}`,
      ),
      el(
        'ul',
        {},
        list.slice(0, FEW).map((warning) => warningItem(warning, record, clock)),
      ),
      rest.length > 0 &&
        el(
          'details',
          {},
          el('summary', {}, `${number(rest.length)} more`),
          el(
            'ul',
            {},
            rest.map((warning) => warningItem(warning, record, clock)),
          ),
        ),
      first.cause && el('p', {}, el('b', {}, 'Cause. '), first.cause),
      first.cure && el('p', {}, el('b', {}, 'Cure. '), first.cure),
    ),
  );
}

export function createWarnings(records, clock) {
  const cards = [];
  for (const record of records) {
    const codes = new Map();
    for (const warning of record.warnings ?? []) codes.set(warning.code, [...(codes.get(warning.code) ?? []), warning]);
    for (const list of codes.values()) cards.push(warningCard(list, record, clock, records.length > 1));
  }
  if (cards.length === 0) return null;
  const list = el('div', { class: 'warnings' }, cards);
  return el('section', { 'aria-label': 'Warnings' }, cards.length > MOST_CARDS ? folded(list, records) : list);
}

// The codes in one line, with the rest behind them.
function folded(list, records) {
  const all = records.flatMap((record) => record.warnings ?? []);
  const codes = [...new Set(all.map((warning) => warning.code))].join(', ');
  return el(
    'details',
    { class: 'warnings-folded' },
    el('summary', {}, icon('warning'), el('b', {}, plural(all.length, 'warning')), ` ${codes}`),
    list,
  );
}

export function createNotes(records) {
  const entries = records.flatMap((record) =>
    (record.notes ?? []).map((note) => (records.length > 1 ? `${record.label}: ${note}` : note)),
  );
  if (entries.length === 0) return null;
  return el(
    'section',
    { class: 'notes', 'aria-labelledby': 'notes' },
    el('h2', { id: 'notes' }, 'Notes'),
    el(
      'ul',
      {},
      entries.map((text) => el('li', {}, text)),
    ),
  );
}

function sceneBlock(record, several) {
  const lines = record.scene.replace(/\n$/, '').split('\n');
  const digits = String(lines.length).length;
  return el(
    'details',
    { class: 'scene' },
    el(
      'summary',
      {},
      several ? `Scene of ${record.label}` : 'Scene as given',
      el('span', { class: 'quiet' }, ` ${plural(lines.length, 'line')}`),
    ),
    el(
      'pre',
      { tabindex: '0', style: `--digits: ${digits}ch` },
      lines.map((line) => el('code', { class: 'line' }, `${line}\n`)),
    ),
  );
}

export function createScenes(records) {
  const having = records.filter((record) => record.scene);
  if (having.length === 0) return null;
  return el(
    'section',
    { class: 'scenes', 'aria-labelledby': 'scene' },
    el('h2', { id: 'scene' }, having.length > 1 ? 'Scenes' : 'Scene'),
    having.map((record) => sceneBlock(record, records.length > 1)),
  );
}
