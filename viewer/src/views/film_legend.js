// What the marks are: labels beside the drawing, which show and hide them.
import { el, svg } from '../dom.js';
import { insideColour, lineColour, lineWidth } from './film_colours.js';

// Marks of one label together: [{label, marks}] in the order of the drawing.
export function labelled(marks) {
  const found = new Map();
  for (const mark of marks) {
    if (!mark.label || mark.kind === 'surface' || mark.kind === 'text') continue;
    if (!found.has(mark.label)) found.set(mark.label, []);
    found.get(mark.label).push(mark);
  }
  return [...found].map(([label, list]) => ({ label, marks: list }));
}

function sample(mark, theme) {
  const stroke = lineColour(mark, theme);
  const width = Math.min(3, lineWidth(mark));
  const dash = mark.dashed ? '4 3' : null;
  const shapes = {
    points: () => [svg('circle', { cx: 12, cy: 7, r: 3, fill: stroke })],
    circle: () => [svg('circle', { cx: 12, cy: 7, r: 5, fill: mark.filled ? insideColour(mark, theme) : 'none', stroke, 'stroke-width': 1.5 })],
    box: () => [svg('rect', { x: 5, y: 2.5, width: 14, height: 9, fill: mark.filled ? insideColour(mark, theme) : 'none', stroke, 'stroke-width': 1.5 })],
    arrow: () => [svg('path', { d: 'M2 7H16', stroke, 'stroke-width': width }), svg('path', { d: 'M22 7L14 3.5V10.5Z', fill: stroke })],
    spring: () => [svg('path', { d: 'M1 7H4L6 3L9 11L12 3L15 11L18 3L20 7H23', fill: 'none', stroke, 'stroke-width': 1.3 })],
  };
  shapes.area = shapes.box;
  const parts = shapes[mark.kind]?.() ?? [svg('path', { d: 'M1 7H23', stroke, 'stroke-width': width, 'stroke-dasharray': dash })];
  return svg('svg', { viewBox: '0 0 24 14', width: 24, height: 14, 'aria-hidden': 'true' }, parts);
}

// {element, setTheme(theme)}; changed() after something was shown or hidden.
export function createLegend(marks, changed) {
  const rows = labelled(marks).map((entry) => {
    const swatch = el('span', { class: 'swatch' });
    const button = el('button', { type: 'button', class: 'series', 'aria-pressed': 'true', title: 'show or hide' }, swatch, el('span', { class: 'name' }, entry.label));
    button.addEventListener('click', () => {
      const visible = !entry.marks[0].visible;
      for (const mark of entry.marks) mark.visible = visible;
      button.setAttribute('aria-pressed', String(visible));
      changed();
    });
    return { entry, swatch, button };
  });
  const element = el('div', { class: 'legend film-legend' }, rows.map((row) => row.button));
  const setTheme = (theme) => rows.forEach(({ entry, swatch }) => swatch.replaceChildren(sample(entry.marks[0], theme)));
  return { element, setTheme, count: rows.length };
}
