// The moving pictures: one host per view, errors caught so that a view that fails leaves the page whole.
import { el } from './dom.js';
import { numbers, release } from './data.js';
import { theme, onTheme } from './theme.js';
import { views } from './views/index.js';

const MOST_MEASURES = 3000; // of the browser's list of measures; then it begins again

// The views of the records, each in a figure inside `root`. Returns {update(t, playing), empty}.
export function createStage(records, clock, root) {
  const shown = [];
  for (const record of records)
    for (const view of views)
      if (view.takes(record)) shown.push(openView(view, record, records.length > 1, clock, root));
  root.classList.toggle('several', shown.length > 1);
  let measures = 0;
  const update = (t, playing) => {
    const start = performance.now();
    for (const one of shown) one.update(t, playing);
    if (!playing) return;
    performance.measure('thud-view', { start, end: performance.now() });
    measures += 1;
    if (measures % MOST_MEASURES === 0) performance.clearMeasures('thud-view');
  };
  return { update, empty: shown.length === 0 };
}

// One view: its host, its controls, the word under it.
function openView(view, record, named, clock, root) {
  const host = el('div', { class: 'host', style: `--panels: ${record.film?.panels?.length ?? 1}` });
  const word = el('p', { class: 'word', 'aria-live': 'polite' });
  const controls = el('div', { class: 'view-controls' });
  const caption = el('figcaption', {}, named && el('span', { class: 'view-name' }, record.label), controls, word);
  const figure = el('figure', { class: 'view' }, host, caption);
  root.append(figure);
  const told = el('p', { class: 'unseen', role: 'status' }); // what is seen, for those who do not see it
  figure.append(told);
  let live = null;
  const fail = (error) => {
    live = null;
    host.replaceChildren(el('p', { class: 'failed', role: 'alert' }, `This view stopped: ${error?.message ?? error}`));
    figure.classList.add('broken');
  };
  const guarded = (fn) => {
    try {
      return fn();
    } catch (error) {
      return fail(error);
    }
  };
  const context = {
    numbers,
    release,
    clock,
    theme,
    onTheme,
    say: (text) => {
      word.textContent = text;
    },
  };
  Promise.resolve()
    .then(() => view.create(record, host, context))
    .then((made) => {
      live = made;
      controls.append(...(made.controls ?? []));
      new ResizeObserver(() => live && guarded(() => live.resize())).observe(host);
    })
    .catch(fail);
  let visible = true;
  new IntersectionObserver((entries) => {
    visible = entries[entries.length - 1].isIntersecting;
  }).observe(host);
  let last = null;
  const describe = (t) => {
    if (t === last || !live.describe) return;
    last = t;
    told.textContent = live.describe();
  };
  const update = (t, playing) => {
    if (!live || !visible) return;
    guarded(() => {
      live.update(t, playing);
      if (!playing) describe(t);
    });
  };
  return { update };
}
