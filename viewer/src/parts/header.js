// Title, verdict and key numbers of each record, and where to find what.
import { el } from '../dom.js';
import { icon } from '../icons.js';
import { theme, toggleTheme, onTheme } from '../theme.js';
import { patternSample } from '../charts/patterns.js';
import { allNumbers, keyNumbers, shownNumbers } from './summary.js';

const COLUMNS = ['Residual', 'Penetration', 'Energy defect', 'Steps', 'Events', 'Bodies', 'Variation', 'End'];
const MOST_CARDS = 3; // records that have a card each

const VERDICTS = {
  good: 'Every step meets its tolerance.',
  coarse: 'The run reached its end, with steps that are long for this motion: the warnings say more.',
  failed: 'The run failed.',
  stopped: 'The run was stopped before its end.',
  unfinished: 'The run has not ended.',
};

function badge(record) {
  const verdict = record.finished === false && !VERDICTS[record.verdict] ? 'unfinished' : record.verdict;
  const known = VERDICTS[verdict] ? verdict : 'unfinished';
  return el(
    'p',
    { class: `verdict ${known}` },
    el('span', { class: 'badge' }, icon(known), el('span', {}, verdict)),
    el('span', { class: 'reason' }, record.reason || VERDICTS[known]),
  );
}

// The dash of its lines.
const swatch = (record) => el('span', { class: 'record-swatch' }, patternSample(record.pattern));

// Kinds that have one method only are called as it.
const motionOf = (record) => [record.kind, record.method !== record.kind && record.method].filter(Boolean).join(' · ');
const kindOf = (record, title) => [title && record.title, motionOf(record)].filter(Boolean).join(' · ');

// Key numbers that come with the page and, as soon as they are read, those that its data show.
function withNumbers(record, show) {
  const known = keyNumbers(record);
  show(known);
  shownNumbers(record).then(
    (more) => more.length > 0 && show([...more, ...known]),
    () => {}, // what cannot be read is reported by its own part
  );
}

function card(record, several) {
  const figure = ({ label, text, detail }) =>
    el('div', { class: 'figure' }, el('dt', {}, label), el('dd', {}, text, detail && el('small', {}, detail)));
  const figures = el('dl', { class: 'figures' });
  withNumbers(record, (list) => figures.replaceChildren(...list.map(figure)));
  return el(
    'article',
    { class: 'card' },
    several && el('h2', { class: 'card-title' }, swatch(record), record.label),
    several && el('p', { class: 'kind' }, kindOf(record, record.title !== record.label)),
    badge(record),
    figures,
    allNumbers(record),
  );
}

// Many records: one row each, so that the pictures are not far below.
function comparison(records) {
  const known = new Set(records.flatMap((record) => keyNumbers(record).map((entry) => entry.label)));
  const labels = COLUMNS.filter((label) => known.has(label) || label === 'Residual');
  const rows = records.map((record) => {
    const cells = labels.map(() => el('td', { class: 'number' }));
    withNumbers(record, (list) =>
      labels.forEach((label, k) => {
        const found = list.find((entry) => entry.label === label);
        cells[k].textContent = found?.text ?? '–';
        cells[k].title = found?.detail ?? '';
      }),
    );
    const name = el('th', { scope: 'row' }, el('span', { class: 'view-name' }, swatch(record), record.label));
    return el('tr', {}, name, el('td', {}, kindOf(record, false)), el('td', {}, badge(record)), cells);
  });
  const all = records.map((record) => allNumbers(record, record.label));
  const head = ['record', 'kind', 'verdict'].map((text) => el('th', { scope: 'col' }, text));
  const numbers = labels.map((label) => el('th', { scope: 'col', class: 'number' }, label));
  return el(
    'div',
    { class: 'cards table-wrap', tabindex: '0' },
    el('table', { class: 'comparison' }, el('thead', {}, el('tr', {}, head, numbers)), el('tbody', {}, rows)),
    el('details', { class: 'numbers' }, el('summary', {}, 'All numbers of the runs'), all),
  );
}

function cards(records) {
  const several = records.length > 1;
  return el(
    'div',
    { class: several ? 'cards several' : 'cards' },
    records.map((record) => card(record, several)),
  );
}

export function createHeader(page, records, openHelp) {
  const first = records[0];
  const several = records.length > 1;
  const theme_button = el('button', { type: 'button', class: 'tool', onclick: toggleTheme }, icon('sun'));
  const name = () => {
    const text = theme().dark ? 'Light colours' : 'Dark colours';
    theme_button.setAttribute('aria-label', text);
    theme_button.title = text;
  };
  name();
  onTheme(name);
  const help = el(
    'button',
    { type: 'button', class: 'tool', 'aria-label': 'Keys and help', title: 'Keys and help (?)', onclick: openHelp },
    icon('help'),
  );
  const kind = several ? `${records.length} records with one clock` : motionOf(first);
  return el(
    'header',
    { class: 'page-head' },
    el(
      'div',
      { class: 'title-row' },
      el('div', {}, el('p', { class: 'eyebrow' }, kind), el('h1', {}, page.title || first.title || first.name)),
      el('div', { class: 'page-tools' }, theme_button, help),
    ),
    records.length > MOST_CARDS ? comparison(records) : cards(records),
  );
}

// Links to the sections that the page has.
export function createContents(entries) {
  return el(
    'nav',
    { class: 'contents', 'aria-label': 'Contents' },
    el(
      'ul',
      {},
      entries.map(([id, text]) => el('li', {}, el('a', { href: `#${id}` }, text))),
    ),
  );
}
