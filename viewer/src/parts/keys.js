// The keyboard: the clock from anywhere on the page, and the dialog that says so.
import { el } from '../dom.js';
import { stepEvent } from './transport.js';

const KEYS = [
  ['Space', 'play, pause'],
  ['← →', 'step back, forward'],
  ['Shift + ← →', 'previous, next event'],
  ['Home, End', 'start, end'],
  ['+ −', 'faster, slower'],
  ['L', 'loop'],
  ['D', 'light or dark colours'],
  ['?', 'this help'],
];
const VIEW_KEYS = [
  ['← → ↑ ↓', 'turn or move'],
  ['+ − 0', 'nearer, farther, as at first'],
];
const MOUSE = [
  ['drag', 'zoom into a time series or a phase plot'],
  ['double-click', 'all of it again'],
  ['Ctrl + wheel', 'zoom at the cursor'],
  ['click', 'sets the clock to that time'],
];

const table = (title, rows) => [
  el('h3', {}, title),
  el(
    'dl',
    { class: 'keys' },
    rows.map(([key, what]) => el('div', {}, el('dt', {}, el('kbd', {}, key)), el('dd', {}, what))),
  ),
];

export function createHelp() {
  const close = el('button', { type: 'button', class: 'plain', onclick: () => dialog.close() }, 'Close');
  const dialog = el(
    'dialog',
    { class: 'help', 'aria-label': 'Keys and help' },
    el('h2', {}, 'Keys'),
    table('Clock', KEYS),
    table('In a picture that has the focus', VIEW_KEYS),
    table('Mouse', MOUSE),
    close,
  );
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  return {
    element: dialog,
    open: () => {
      if (!dialog.open) dialog.showModal();
    },
  };
}

// Whether the key belongs to the element that has the focus.
function taken(event) {
  const target = event.target instanceof Element ? event.target : document.body;
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return true;
  if (target.closest('dialog[open], select, textarea')) return true;
  if (target.closest('input') && !target.matches('.scrub')) return !['?'].includes(event.key);
  if (
    target.closest('.host') &&
    (event.key.startsWith('Arrow') || ['+', '-', '=', '0', 'Home', 'End', 'PageUp', 'PageDown'].includes(event.key))
  )
    return true;
  if (event.key === ' ' && target.closest('button, a, summary')) return true;
  if (target.closest('pre, .table-wrap') && /Arrow|Page|Home|End/.test(event.key)) return true; // they scroll
  return false;
}

export function startKeys(clock, stops, actions) {
  const step = (share) => {
    clock.pause();
    clock.seek(clock.t + share * (clock.span[1] - clock.span[0]));
  };
  const keys = {
    ' ': () => clock.toggle(),
    ArrowRight: (event) => (event.shiftKey ? stepEvent(clock, stops, 1) : step(1 / 200)),
    ArrowLeft: (event) => (event.shiftKey ? stepEvent(clock, stops, -1) : step(-1 / 200)),
    Home: () => clock.seek(clock.span[0]),
    End: () => {
      clock.pause();
      clock.seek(clock.span[1]);
    },
    '+': () => clock.shiftSpeed(1),
    '=': () => clock.shiftSpeed(1),
    '-': () => clock.shiftSpeed(-1),
    l: () => clock.setLoop(!clock.loop),
    d: actions.theme,
    '?': actions.help,
  };
  document.addEventListener('keydown', (event) => {
    const action = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action || taken(event)) return;
    event.preventDefault();
    action(event);
  });
}
