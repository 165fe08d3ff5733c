// The bar that moves the clock: play, scrub, speed, loop, next event; events are marked on the scrubber.
import { el } from '../dom.js';
import { icon } from '../icons.js';
import { Clock } from '../clock.js';
import { eventList } from '../events.js';
import { number, timeFormat, withUnit } from '../format.js';
import { theme, onTheme } from '../theme.js';

const THUMB = 16; // pixels, as in the style
const MOST_LANES = 3; // of markers; more records share one

const speedName = (speed) => (speed >= 1 ? `${speed}×` : `1/${Math.round(1 / speed)}×`);

function button(name, label, action) {
  return el(
    'button',
    { type: 'button', class: 'tool', 'aria-label': label, title: label, onclick: action },
    icon(name),
  );
}

// Times of all events, increasing, each once.
export function eventStops(records) {
  return [...new Set(records.flatMap((record) => eventList(record).map((event) => event.t)))].sort((a, b) => a - b);
}

export function stepEvent(clock, stops, by) {
  const eps = 1e-12 * (clock.span[1] - clock.span[0]);
  const next = by > 0 ? stops.find((t) => t > clock.t + eps) : [...stops].reverse().find((t) => t < clock.t - eps);
  clock.pause();
  if (next !== undefined) clock.seek(next);
}

function markers(records, clock) {
  const canvas = el('canvas', { class: 'markers', 'aria-hidden': 'true' });
  const lists = records.map(eventList);
  const paint = () => {
    const ratio = window.devicePixelRatio || 1;
    const width = canvas.clientWidth;
    const height = canvas.clientHeight;
    if (width === 0) return;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const pen = canvas.getContext('2d');
    const colours = theme();
    const lanes = lists.length > MOST_LANES ? 1 : lists.length;
    const lane = canvas.height / lanes;
    lists.forEach((list, k) => {
      const drawn = new Set();
      for (const { t, strong } of [...list].sort((a, b) => Number(a.strong) - Number(b.strong))) {
        const at = THUMB / 2 + ((t - clock.span[0]) / (clock.span[1] - clock.span[0])) * (width - THUMB);
        const px = Math.round(at * ratio);
        if (drawn.has(2 * px + Number(strong))) continue;
        drawn.add(2 * px + Number(strong));
        pen.fillStyle = strong ? colours.accent : colours.muted;
        pen.globalAlpha = strong ? 0.9 : 0.45;
        pen.fillRect(
          px - Math.floor(ratio / 2),
          (k % lanes) * lane + (strong ? 0 : lane / 2),
          Math.max(1, Math.round(ratio)),
          strong ? lane : lane / 2,
        );
      }
    });
  };
  new ResizeObserver(paint).observe(canvas);
  onTheme(paint);
  return canvas;
}

export function createTransport(records, clock, stops, unit) {
  const time = timeFormat(clock.span);
  const length = clock.span[1] - clock.span[0];
  const play = button('play', 'Play', () => clock.toggle());
  play.classList.add('play');
  const slider = el('input', {
    type: 'range',
    class: 'scrub',
    min: 0,
    max: 1,
    step: 'any',
    value: 0,
    'aria-label': 'Time',
  });
  slider.addEventListener('input', () => clock.seek(clock.span[0] + Number(slider.value) * length));
  const read = el('output', { class: 'time', 'aria-live': 'off' });
  const end = el('span', { class: 'time-end' }, withUnit(` / ${time(clock.span[1])}`, unit));
  const speed = el(
    'select',
    { 'aria-label': 'Speed' },
    Clock.SPEEDS.map((value) => el('option', { value, selected: value === 1 }, speedName(value))),
  );
  speed.addEventListener('change', () => clock.setSpeed(Number(speed.value)));
  const loop = button('loop', 'Loop', () => clock.setLoop(!clock.loop));
  loop.setAttribute('aria-pressed', 'false');
  const previous = button('previous', 'Previous event', () => stepEvent(clock, stops, -1));
  const next = button('next', 'Next event', () => stepEvent(clock, stops, 1));
  previous.hidden = next.hidden = stops.length === 0;
  const show = (_, what) => {
    if (what === 'time' || !what) {
      read.textContent = time(clock.t);
      slider.value = (clock.t - clock.span[0]) / length;
      slider.style.setProperty('--done', slider.value);
      slider.setAttribute('aria-valuetext', withUnit(time(clock.t), unit));
    }
    if (what === 'playing') {
      const label = clock.playing ? 'Pause' : 'Play';
      play.replaceChildren(icon(clock.playing ? 'pause' : 'play'));
      play.setAttribute('aria-label', label);
      play.title = label;
    }
    if (what === 'speed') speed.value = clock.speed;
    if (what === 'loop') loop.setAttribute('aria-pressed', String(clock.loop));
    speed.title = `${withUnit(number(clock.rate(), 3), unit)} per second`;
  };
  clock.subscribe(show);
  show(clock, '');
  return el(
    'div',
    { class: 'transport', role: 'group', 'aria-label': 'Clock' },
    el('div', { class: 'buttons' }, previous, play, next),
    el('div', { class: 'scrubber' }, stops.length > 0 && markers(records, clock), slider),
    el('div', { class: 'read' }, read, end),
    el('div', { class: 'buttons' }, speed, loop),
  );
}
