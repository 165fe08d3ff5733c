// A plot over time: it shares range, cursor and clock with all others of the page.
import { el } from '../dom.js';
import { timeFormat, withUnit } from '../format.js';
import { createPlot } from './plot.js';

// options as of createPlot, with limits() instead of x and y: the range of y at the shared range of x; changed() is called
// when the range or the place of the mouse is another one. Returns {place(), refresh(), width(), dispose()}.
export function createTimePlot(options, shared) {
  const { range, pointer, clock } = shared;
  const x = () => [range.low, range.high];
  // Another time is under the mouse then: what was shown of the old one goes until it moves.
  const show = (low, high) => {
    pointer.set(null);
    range.set(low, high);
  };
  const made = createPlot({
    ...options,
    gutter: shared.gutter(),
    x: x(),
    y: options.limits(),
    hover: (t) => pointer.set(t),
    cursorText: (t) => withUnit(timeFormat(x())(t), shared.timeUnit),
    click: (t) => clock.seek(t),
    select: (low, high) => show(low, high),
    reset: () => show(...range.full),
    wheel: (factor, about) => range.zoom(factor, about),
  });
  const { plot } = made;
  const line = el('div', { class: 'clock-line' });
  plot.over.append(line);
  plot.root.querySelector('canvas').setAttribute('aria-label', options.description);
  // The line at the clock's time.
  const place = () => {
    line.style.display = clock.t >= range.low && clock.t <= range.high ? '' : 'none';
    line.style.transform = `translateX(${plot.valToPos(clock.t, 'x').toFixed(2)}px)`;
  };
  const refresh = () => {
    made.set(x(), options.limits());
    place();
  };
  const point = (t) =>
    plot.setCursor(t === null ? { left: -10, top: -10 } : { left: plot.valToPos(t, 'x'), top: 1 }, false);
  plot.hooks.setSize = [place];
  const ends = [
    range.subscribe(() => {
      refresh();
      options.changed();
    }),
    pointer.subscribe((t) => {
      point(t);
      options.changed();
    }),
  ];
  place();
  return {
    place,
    refresh,
    width: () => plot.over.clientWidth,
    dispose: () => {
      ends.forEach((end) => end());
      made.dispose();
    },
  };
}
