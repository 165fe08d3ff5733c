// Pictures of the buttons, drawn in the colour of the text.
import { svg } from './dom.js';

const PATHS = {
  play: 'M7 4.5v15l12-7.5z',
  pause: 'M7 5h3.5v14H7zM13.5 5H17v14h-3.5z',
  next: 'M6 5.5l9 6.5-9 6.5zM16 5.5h2.2v13H16z',
  previous: 'M18 5.5L9 12l9 6.5zM8 5.5H5.8v13H8z',
};
const STROKES = {
  loop: 'M5 11a6.5 6.5 0 0 1 11.5-3.5L19 10M19 5v5h-5M19 13a6.5 6.5 0 0 1-11.5 3.5L5 14M5 19v-5h5',
  in: 'M5 12h14M12 5v14',
  out: 'M5 12h14',
  left: 'M14.5 6l-6 6 6 6',
  right: 'M9.5 6l6 6-6 6',
  whole: 'M4 12h16M8 8l-4 4 4 4M16 8l4 4-4 4',
  good: 'M5 12.5l4.5 4.5L19 7.5',
  failed: 'M6.5 6.5l11 11M17.5 6.5l-11 11',
  coarse: 'M12 5v9M12 18v.5',
  stopped: 'M8 8h8v8H8z',
  unfinished: 'M12 4.5a7.5 7.5 0 1 0 .01 0M12 8.5V12l2.5 1.5',
  warning: 'M12 4.5L3.5 19h17zM12 10v4.5M12 17v.3',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6l1.4 1.4M17 17l1.4 1.4M5.6 18.4L7 17M17 7l1.4-1.4',
  help: 'M9 9.2a3 3 0 1 1 4.6 2.5c-1 .7-1.6 1.2-1.6 2.3M12 17.5v.3',
};

export function icon(name) {
  const filled = PATHS[name];
  const path = filled
    ? svg('path', { d: filled, fill: 'currentColor' })
    : svg('path', {
        d: STROKES[name],
        fill: 'none',
        stroke: 'currentColor',
        'stroke-width': 1.9,
        'stroke-linecap': 'round',
        'stroke-linejoin': 'round',
      });
  return svg('svg', { viewBox: '0 0 24 24', class: 'icon', 'aria-hidden': 'true' }, path);
}
