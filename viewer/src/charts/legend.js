// The legend beside a chart: one button per series that shows or hides it, with the values at the cursor or at the clock's time.
import { el, svg } from '../dom.js';
import { number, withUnit } from '../format.js';

// A piece of the line as it is drawn.
export function swatch(series, colour) {
  const patterns = { dashed: '7 4', dotted: '1.5 3.5', 'dash-dot': '7 3 1.5 3' };
  const dash = series.pattern ? series.pattern.join(' ') : patterns[series.dash];
  const single = ['markers', 'points'].includes(series.style);
  const parts = [];
  if (series.style === 'stems')
    parts.push(
      svg('path', { d: 'M12 12V4', stroke: colour, 'stroke-width': 1.6 }),
      svg('circle', { cx: 12, cy: 4, r: 2.4, fill: colour }),
    );
  else if (series.style === 'steps')
    parts.push(
      svg('path', {
        d: 'M2 9H9V3H16V7H22',
        fill: 'none',
        stroke: colour,
        'stroke-width': 1.6,
        'stroke-dasharray': dash,
      }),
    );
  else if (!single)
    parts.push(svg('path', { d: 'M1 6H23', stroke: colour, 'stroke-width': 2, 'stroke-dasharray': dash }));
  if (single || series.style === 'line-markers') parts.push(svg('circle', { cx: 12, cy: 6, r: 2.6, fill: colour }));
  return svg('svg', { viewBox: '0 0 24 12', width: 24, height: 12, 'aria-hidden': 'true' }, parts);
}

// entries: [{series, label, colour()}]; changed() after a toggle. Returns {element, show(valueOf), paint()}.
export function createLegend(entries, unit, names, changed) {
  const rows = entries.map((entry) => {
    const value = el('span', { class: 'value' }, '');
    const mark = el('span', { class: 'swatch' });
    const button = el(
      'button',
      { type: 'button', class: 'series', 'aria-pressed': 'true', title: 'show or hide' },
      mark,
      el('span', { class: 'name' }, entry.label),
      value,
    );
    button.addEventListener('click', () => {
      entry.series.visible = !entry.series.visible;
      button.setAttribute('aria-pressed', String(entry.series.visible));
      changed();
    });
    return { entry, button, value, mark, text: '' };
  });
  const paint = () => rows.forEach((row) => row.mark.replaceChildren(swatch(row.entry.series, row.entry.colour())));
  paint();
  const words = (found) => {
    if (!found) return '–';
    // Lines that would hide each other are drawn a little beside their values.
    if (names) return found.values.map((v) => names[Math.round(v)] ?? number(v)).join(' → ');
    return withUnit(found.values.map((v) => number(v, 4)).join(' → '), unit);
  };
  const show = (valueOf) => {
    for (const row of rows) {
      const text = row.entry.series.visible ? words(valueOf(row.entry.series)) : '';
      if (text !== row.text) row.value.textContent = row.text = text;
    }
  };
  const parts = rows.flatMap((row, k) => {
    const heading = row.entry.series.heading;
    return heading && heading !== rows[k - 1]?.entry.series.heading
      ? [el('span', { class: 'legend-heading' }, heading), row.button]
      : [row.button];
  });
  return { element: el('div', { class: 'legend' }, parts), show, paint };
}
