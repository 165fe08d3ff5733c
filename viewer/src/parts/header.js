// Title, verdict and key numbers of each record, and where to find what.
import { el } from '../dom.js';
import { icon } from '../icons.js';
import { theme, toggleTheme, onTheme } from '../theme.js';
import { allNumbers, keyNumbers, shownNumbers } from './summary.js';

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

function card(record, several) {
  const swatch = several && el('span', { class: 'record-swatch' });
  if (swatch) {
    const paint = () => {
      swatch.style.background = record.colour();
    };
    paint();
    onTheme(paint);
  }
  const figure = ({ label, text, detail }) =>
    el('div', { class: 'figure' }, el('dt', {}, label), el('dd', {}, text, detail && el('small', {}, detail)));
  const figures = el('dl', { class: 'figures' }, keyNumbers(record).map(figure));
  shownNumbers(record).then(
    (more) => figures.prepend(...more.map(figure)),
    () => {},
  ); // what cannot be read is reported by its own part
  return el(
    'article',
    { class: 'card' },
    several && el('h2', { class: 'card-title' }, swatch, record.label),
    several &&
      el(
        'p',
        { class: 'kind' },
        [record.title !== record.label && record.title, record.kind, record.method].filter(Boolean).join(' · '),
      ),
    badge(record),
    figures,
    allNumbers(record),
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
  const kind = several
    ? `${records.length} records with one clock`
    : [first.kind, first.method].filter(Boolean).join(' · ');
  return el(
    'header',
    { class: 'page-head' },
    el(
      'div',
      { class: 'title-row' },
      el('div', {}, el('p', { class: 'eyebrow' }, kind), el('h1', {}, page.title || first.title || first.name)),
      el('div', { class: 'page-tools' }, theme_button, help),
    ),
    el(
      'div',
      { class: several ? 'cards several' : 'cards' },
      records.map((record) => card(record, several)),
    ),
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
