// The page: reads its data, builds its parts, and moves the clock once per animation frame.
import './style.css';
import { openPage } from './data.js';
import { Clock } from './clock.js';
import { el } from './dom.js';
import { startTheme } from './theme.js';
import { createStage } from './stage.js';

function start() {
  const app = document.getElementById('app');
  startTheme();
  const page = openPage();
  const spans = page.records.map((record) => record.span);
  const clock = new Clock([Math.min(...spans.map((s) => s[0])), Math.max(...spans.map((s) => s[1]))]);
  app.append(el('h1', {}, page.title));
  const root = el('section', { class: 'stage' });
  app.append(root);
  const stage = createStage(page.records, clock, root);
  const button = el('button', { onclick: () => clock.toggle() }, 'play / pause');
  const slider = el('input', { type: 'range', min: 0, max: 1, step: 'any', value: 0, 'aria-label': 'time' });
  slider.addEventListener('input', () => clock.seek(clock.span[0] + slider.value * (clock.span[1] - clock.span[0])));
  clock.subscribe(() => { slider.value = (clock.t - clock.span[0]) / (clock.span[1] - clock.span[0]); });
  app.append(el('div', {}, button, slider));
  let last = null;
  const frame = (now) => {
    if (last !== null) clock.advance(Math.min(0.1, (now - last) / 1000));
    last = now;
    stage.update(clock.t, clock.playing);
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}

start();
