// Light and dark: as the reader's system says until the toggle says otherwise. Canvases ask theme() and repaint on onTheme.
// Okabe and Ito's palette and four more colours as in thud's pictures; in the dark its black is light and its blue lighter.
const LIGHT = {
  dark: false,
  ink: '#1d2329',
  paper: '#ffffff',
  muted: '#69737d',
  faint: '#e6e9ec',
  event: '#b9a27c',
  accent: '#0b5e8f',
  palette: ['#0072b2', '#d55e00', '#009e73', '#c0609a', '#d08f00', '#3fa0d8', '#1d2329', '#b8a800',
    '#332288', '#882255', '#556b2f', '#8b0000'],
  // as in the pictures of `thud plot` (src/plot/pen.c, src/plot/drawing_pen.c)
  bodies: ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9'],
  paints: {
    body: '#005c99',
    obstacle: '#737373',
    force: '#b80a1f',
    velocity: '#008561',
    set: '#875ca8',
    trace: '#579ed4',
    stick: '#0073b3',
    slip: '#d65e00',
    guide: '#8c8c8c',
    normal: '#cc78a6',
    field: '#cc8500',
  },
};
const DARK = {
  dark: true,
  ink: '#e6e9ec',
  paper: '#15191d',
  muted: '#98a2ab',
  faint: '#2a3137',
  event: '#8a7550',
  accent: '#6cb8e6',
  palette: ['#4aa3df', '#f28544', '#2fc49a', '#e08fc0', '#f0b840', '#8fd0f5', '#e6e9ec', '#f0e442',
    '#a99cf0', '#e07aa8', '#a8c070', '#ff8a80'],
  bodies: ['#4aa3df', '#f28544', '#2fc49a', '#e08fc0', '#f0b840', '#8fd0f5'],
  paints: {
    body: '#7fb0dd',
    obstacle: '#8d959d',
    force: '#ff6b78',
    velocity: '#2fc49a',
    set: '#f0b840',
    trace: '#6d7780',
    stick: '#4aa3df',
    slip: '#f28544',
    guide: '#69737c',
    normal: '#c09ae0',
    field: '#5cc4ce',
  },
};

const listeners = new Set();
const system = window.matchMedia('(prefers-color-scheme: dark)');
let chosen = null; // null: as the system
let printed = false;

// Paper is light.
export const theme = () => (!printed && (chosen ?? (system.matches ? 'dark' : 'light')) === 'dark' ? DARK : LIGHT);

export function onTheme(fn) {
  listeners.add(fn);
  return () => listeners.delete(fn);
}

function apply() {
  document.documentElement.dataset.theme = theme().dark ? 'dark' : 'light';
  for (const fn of listeners) fn(theme());
}

export function toggleTheme() {
  chosen = theme().dark ? 'light' : 'dark';
  apply();
}

export function startTheme() {
  const printing = (now) => {
    printed = now;
    apply();
  };
  system.addEventListener('change', apply);
  window.addEventListener('beforeprint', () => printing(true));
  window.addEventListener('afterprint', () => printing(false));
  apply();
}
