// The table of events: filter by kind, sort, pages of a hundred; a click sets the clock.
import { el } from '../dom.js';
import { cell, number, plural, words } from '../format.js';

const PAGE = 100;

function kindFilter(rows, kind, chosen, changed) {
  const counts = new Map();
  for (const row of rows) counts.set(row[kind], (counts.get(row[kind]) ?? 0) + 1);
  if (counts.size < 2) return null;
  return el(
    'div',
    { class: 'filter', role: 'group', 'aria-label': 'Kinds of events' },
    [...counts].map(([name, count]) => {
      const button = el(
        'button',
        { type: 'button', class: 'chip-button', 'aria-pressed': 'true' },
        cell(name),
        el('span', { class: 'count' }, number(count)),
      );
      chosen.add(name);
      button.addEventListener('click', () => {
        if (chosen.has(name)) chosen.delete(name);
        else chosen.add(name);
        button.setAttribute('aria-pressed', String(chosen.has(name)));
        changed();
      });
      return button;
    }),
  );
}

const compare = (a, b) => {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0;
};

function pager(state, count, changed) {
  const pages = Math.max(1, Math.ceil(count / PAGE));
  state.page = Math.min(state.page, pages - 1);
  if (pages === 1) return [];
  const go = (label, by, disabled) =>
    el(
      'button',
      {
        type: 'button',
        class: 'plain',
        disabled,
        onclick: () => {
          state.page += by;
          changed();
        },
      },
      label,
    );
  return [
    go('Earlier rows', -1, state.page === 0),
    el(
      'span',
      {},
      `${number(state.page * PAGE + 1)}–${number(Math.min(count, (state.page + 1) * PAGE))} of ${number(count)}`,
    ),
    go('Further rows', 1, state.page === pages - 1),
  ];
}

// The table of one record. Returns {element, tick()}: tick marks the row of the clock's time.
function eventTable(record, clock) {
  const { columns, rows, total } = record.events;
  const kind = columns.findIndex((column) => column.name === 'kind');
  const time = columns.findIndex((column) => column.name === 't');
  const used = columns
    .map((_, k) => k)
    .filter((k) => rows.some((row) => row[k] !== null && row[k] !== undefined && row[k] !== ''));
  const numeric = new Set(used.filter((k) => rows.some((row) => typeof row[k] === 'number')));
  const chosen = new Set();
  const state = { page: 0, sort: time, down: false };
  const body = el('tbody', {});
  const pages = el('div', { class: 'pager' });
  const heads = used.map((k) => {
    const button = el(
      'button',
      { type: 'button', class: 'sort' },
      words(columns[k].name),
      columns[k].unit && el('span', { class: 'unit' }, ` ${columns[k].unit}`),
    );
    button.addEventListener('click', () => {
      state.down = state.sort === k ? !state.down : false;
      state.sort = k;
      state.page = 0;
      fill();
    });
    return el('th', { scope: 'col', class: numeric.has(k) && 'number' }, button);
  });
  let shown = [];
  const line = (row) => {
    const seek = () => clock.seek(row[time]);
    const cells = used.map((k) =>
      el(
        'td',
        { class: numeric.has(k) && 'number' },
        k === time ? el('button', { type: 'button', class: 'link', onclick: seek }, cell(row[k])) : cell(row[k]),
      ),
    );
    return el('tr', { onclick: time >= 0 ? seek : null }, cells);
  };
  const fill = () => {
    const list = rows.filter((row) =>
      chosen.size === 0 && kind < 0 ? true : kind < 0 || !filter || chosen.has(row[kind]),
    );
    if (state.sort >= 0) list.sort((a, b) => (state.down ? -1 : 1) * compare(a[state.sort], b[state.sort]));
    heads.forEach((head, n) =>
      head.setAttribute('aria-sort', used[n] === state.sort ? (state.down ? 'descending' : 'ascending') : 'none'),
    );
    pages.replaceChildren(...pager(state, list.length, fill));
    shown = list.slice(state.page * PAGE, (state.page + 1) * PAGE).map((row) => ({ t: row[time], element: line(row) }));
    body.replaceChildren(...shown.map((entry) => entry.element));
    tick();
  };
  // The newest event up to the clock's time.
  const tick = () => {
    let newest = -Infinity;
    for (const { t } of shown) if (t <= clock.t && t > newest) newest = t;
    for (const { t, element } of shown) element.classList.toggle('now', t === newest);
  };
  const filter =
    kind >= 0
      ? kindFilter(rows, kind, chosen, () => {
          state.page = 0;
          fill();
        })
      : null;
  fill();
  const missing =
    total > rows.length &&
    el('p', { class: 'quiet' }, `${number(rows.length)} of ${number(total)} events are in this page.`);
  return {
    element: el(
      'div',
      { class: 'events-of' },
      filter,
      el(
        'div',
        { class: 'table-wrap tall', tabindex: '0' },
        el('table', { class: 'events' }, el('thead', {}, el('tr', {}, heads)), body),
      ),
      pages,
      missing,
    ),
    tick,
  };
}

export function createEventSection(records, clock) {
  const having = records.filter((record) => record.events?.rows?.length > 0);
  if (having.length === 0) return null;
  const tables = having.map((record) => eventTable(record, clock));
  const parts = tables.map((table, k) =>
    records.length > 1
      ? el(
          'details',
          { open: k === 0 },
          el(
            'summary',
            {},
            having[k].label,
            el('span', { class: 'quiet' }, ` ${plural(having[k].events.total, 'event')}`),
          ),
          table.element,
        )
      : table.element,
  );
  return {
    element: el(
      'section',
      { class: 'event-section', 'aria-labelledby': 'events' },
      el('h2', { id: 'events' }, 'Events'),
      parts,
    ),
    read: () => tables.forEach((table) => table.tick()),
  };
}
