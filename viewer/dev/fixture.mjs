// Writes a made-up page, to work on the viewer without the program:
//   node dev/fixture.mjs ball page.html         [--plain: not minified]
//   node dev/fixture.mjs pile:10000:500 page.html          bodies, frames
import { writeFileSync } from 'node:fs';
import { bundle } from '../build.mjs';
import { Blocks, composePage } from './encode.mjs';
import { ballRecord } from './ball.mjs';
import { bodiesRecord } from './bodies.mjs';
import { marksRecord } from './marks.mjs';

const HOSTILE = '<img src=x onerror=alert(1)></script><script>window.hacked=1</script>"\'&\u2028';
// A run that was killed at once: nothing but its scene, at one moment.
const bareRecord = () => ({
  name: 'bare',
  title: '',
  kind: 'system',
  method: '',
  verdict: 'unfinished',
  reason: '',
  finished: false,
  scene: 'thud: 1\n',
  summary: null,
  span: [1, 1],
  time_unit: '',
  panels: [],
  events: { columns: [], rows: [], total: 0 },
  warnings: [],
  proofs: null,
  state: null,
  film: null,
  bodies: null,
  notes: ['no moving picture: there is one row'],
});

const pages = {
  ball: (blocks) => [ballRecord(blocks)],
  two: (blocks) => [
    ballRecord(blocks),
    ballRecord(blocks, { name: 'ball-stepped', title: 'Bouncing ball, stepped', method: 'moreau-jean', e: 0.6 }),
  ],
  failed: (blocks) => [
    ballRecord(blocks, {
      verdict: 'failed',
      reason: 'the residual 3.1e-5 exceeds the tolerance 1e-10 at t = 1.5',
      method: 'moreau-jean',
    }),
  ],
  bare: () => [bareRecord()],
  eight: (blocks) =>
    Array.from({ length: 8 }, (_, k) =>
      ballRecord(blocks, {
        name: `ball-${k + 1}`,
        e: 0.4 + 0.06 * k,
        ...(k === 2 ? { verdict: 'failed', reason: 'the residual exceeds the tolerance' } : {}),
      }),
    ),
  hostile: (blocks) => [
    ballRecord(blocks, { name: HOSTILE, title: HOSTILE, method: HOSTILE, reason: HOSTILE, verdict: 'stopped' }),
  ],
  pile: (blocks, count = 60, frames = 200) => [bodiesRecord(blocks, { count: Number(count), frames: Number(frames) })],
  marks: (blocks) => [marksRecord(blocks)],
  plane: (blocks) => [bodiesRecord(blocks, { planar: true })],
};

const words = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const [kind, ...numbers] = (words[0] ?? '').split(':');
if (!pages[kind] || !words[1]) {
  console.error(`usage: node dev/fixture.mjs ${Object.keys(pages).join('|')}[:NUMBERS] PAGE.html [--plain]`);
  process.exit(2);
}
const blocks = new Blocks();
const records = pages[kind](blocks, ...numbers);
const files = await bundle({ minify: !process.argv.includes('--plain') });
const html = composePage({ thud_version: '0.0.0', title: records[0].title, records }, blocks, files);
writeFileSync(words[1], html);
console.log(`${words[1]}: ${html.length} bytes`);
