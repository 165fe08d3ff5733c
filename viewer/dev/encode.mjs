// Encodes numbers and pages as src/page does it in C: for pages made up during development.
import { deflateRawSync } from 'node:zlib';

// Blocks of numbers; add* give the NUM objects of the page's JSON.
export class Blocks {
  constructor() {
    this.list = [[]]; // of blocks: lists of buffers
    this.sizes = [0];
  }

  // What is added from now on goes into a block of its own.
  next() {
    this.list.push([]);
    this.sizes.push(0);
  }

  put(bytes) {
    const b = this.list.length - 1;
    const o = this.sizes[b];
    const padded = Buffer.alloc(Math.ceil(bytes.length / 8) * 8);
    bytes.copy(padded);
    this.list[b].push(padded);
    this.sizes[b] += padded.length;
    return { b, o };
  }

  // values as f64, f32, i32, u32 or u8.
  add(values, t = 'f64') {
    const kinds = { f64: Float64Array, f32: Float32Array, i32: Int32Array, u32: Uint32Array, u8: Uint8Array };
    const array = kinds[t].from(values);
    return { ...this.put(Buffer.from(array.buffer, array.byteOffset, array.byteLength)), n: array.length, t };
  }

  // Doubles, byte-shuffled.
  shuffled(values) {
    const n = values.length;
    const plain = Buffer.from(Float64Array.from(values).buffer);
    const out = Buffer.alloc(8 * n);
    for (let i = 0; i < n; i++) for (let k = 0; k < 8; k++) out[k * n + i] = plain[8 * i + k];
    return { ...this.put(out), n, t: 'f64s' };
  }

  // Quantised rows with differences of an order along rows.
  quantised(values, rows, cols, step, low, order = 2) {
    const n = rows * cols;
    const at = (list, c) => (Array.isArray(list) ? list[c % list.length] : list);
    const k = Int32Array.from(values, (x, i) => Math.round((x - at(low, i % cols)) / at(step, i % cols)));
    const z = new Uint32Array(n);
    for (let i = 0; i < n; i++) {
      const row = Math.floor(i / cols);
      let d = k[i];
      if (order === 2 && row > 1) d = k[i] - 2 * k[i - cols] + k[i - 2 * cols];
      else if (order > 0 && row > 0) d = k[i] - k[i - cols];
      z[i] = (d << 1) ^ (d >> 31);
    }
    const top = z.reduce((a, b) => Math.max(a, b), 0);
    const planes = top < 256 ? 1 : top < 65536 ? 2 : top < 16777216 ? 3 : 4;
    const bytes = Buffer.alloc(planes * n);
    for (let p = 0; p < planes; p++) for (let i = 0; i < n; i++) bytes[p * n + i] = z[i] >>> (8 * p);
    return { ...this.put(bytes), n, t: 'q', rows, cols, step, low, order, planes };
  }

  packed() {
    return this.list.map((parts) => deflateRawSync(Buffer.concat(parts), { level: 6 }).toString('base64'));
  }
}

const escapeHtml = (text) =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');

// The HTML of a page: page is the JSON without blocks, files the built viewer {js, css}.
export function composePage(page, blocks, files) {
  const json = JSON.stringify({
    format: 'thud-page',
    version: 1,
    ...page,
    blocks: blocks.sizes.map((bytes) => ({ bytes })),
  })
    .replace(/</g, '\\u003c')
    .replace(/\u2028/g, '\\u2028')
    .replace(/\u2029/g, '\\u2029');
  const policy =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; worker-src blob:";
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(page.title)}</title><style>${files.css}</style></head><body>`,
    '<noscript>This page needs JavaScript to show the motion.</noscript><div id="app"></div>',
    `<script type="application/json" id="thud-page">${json}</script>`,
    ...blocks.packed().map((text, k) => `<script type="text/plain" id="thud-block-${k}">${text}</script>`),
    `<script>${files.js}</script></body></html>`,
  ].join('\n');
}
