// The data of a page: its JSON and the compressed blocks of numbers that the JSON points into.
const blocks = new Map(); // number of a block -> promise of its inflated bytes

export function openPage() {
  const page = JSON.parse(document.getElementById('thud-page').textContent);
  if (page.format !== 'thud-page' || page.version !== 1)
    throw new Error(`this viewer reads thud-page 1, not ${page.format} ${page.version}`);
  return page;
}

// Promise of a typed array with the values of NUM: an inline array (null: NaN) or a place in a block.
export async function numbers(source) {
  if (source === null || source === undefined) return new Float64Array(0);
  if (Array.isArray(source)) return Float64Array.from(source, (value) => (value === null ? NaN : value));
  const bytes = await block(source.b);
  if (source.t === 'q') return decodePlanes(bytes, source);
  if (source.t === 'f64s') return unshuffle(bytes, source.o, source.n);
  const kinds = { f64: Float64Array, f32: Float32Array, i32: Int32Array, u32: Uint32Array, u8: Uint8Array };
  if (!kinds[source.t]) throw new Error(`numbers of type ${source.t} are unknown`);
  return new kinds[source.t](bytes.buffer, bytes.byteOffset + source.o, source.n);
}

// Forgets the inflated bytes of a block (its compressed text stays in the page: it can be asked for again).
export function release(number) {
  blocks.delete(number);
}

// The inflated bytes of a block, once for everybody who asks.
export function block(number) {
  if (!blocks.has(number)) blocks.set(number, inflate(number));
  return blocks.get(number);
}

async function inflate(number) {
  const element = document.getElementById(`thud-block-${number}`);
  if (!element) throw new Error(`block ${number} of the page is missing`);
  const packed = decodeBase64(element.textContent.trim());
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// atob would make a string of every byte first; the table is several times faster and needs half the memory.
export function decodeBase64(text) {
  if (typeof Uint8Array.fromBase64 === 'function') return Uint8Array.fromBase64(text);
  const table = new Uint8Array(128);
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  for (let i = 0; i < 64; i++) table[alphabet.charCodeAt(i)] = i;
  let length = text.length;
  while (length > 0 && text.charCodeAt(length - 1) === 61) length--;
  const out = new Uint8Array(Math.floor((length * 3) / 4));
  for (let i = 0, o = 0; i < length; i += 4, o += 3) {
    const bits =
      (table[text.charCodeAt(i)] << 18) |
      (table[text.charCodeAt(i + 1)] << 12) |
      ((i + 2 < length ? table[text.charCodeAt(i + 2)] : 0) << 6) |
      (i + 3 < length ? table[text.charCodeAt(i + 3)] : 0);
    out[o] = bits >> 16;
    out[o + 1] = bits >> 8; // beyond the end: ignored by typed arrays
    out[o + 2] = bits;
  }
  return out;
}

// "f64s": all first bytes of the doubles, then all second bytes, ... (compresses better).
function unshuffle(bytes, offset, count) {
  const out = new Uint8Array(8 * count);
  for (let plane = 0; plane < 8; plane++)
    for (let i = 0, from = offset + plane * count; i < count; i++) out[8 * i + plane] = bytes[from + i];
  return new Float64Array(out.buffer);
}

// "q": quantised rows, differences along rows of order 0, 1 or 2, zigzag, byte planes. Float32Array of rows*cols values.
// Uses nothing from outside itself, so that decodePlanes.toString() can be the program of a worker.
export function decodePlanes(bytes, source) {
  const { rows, cols, planes, order } = source;
  const offset = source.o;
  const count = rows * cols;
  const steps = Array.isArray(source.step) ? source.step : [source.step];
  const lows = Array.isArray(source.low) ? source.low : [source.low];
  const last = new Int32Array(cols); // k of the row before
  const slope = new Int32Array(cols); // k of the row before minus that of the row before it
  const out = new Float32Array(count);
  for (let row = 0, at = 0; row < rows; row++)
    for (let c = 0; c < cols; c++, at++) {
      let z = 0;
      for (let plane = 0; plane < planes; plane++) z |= bytes[offset + plane * count + at] << (8 * plane);
      let k = (z >>> 1) ^ -(z & 1);
      if (order === 2 && row > 1) {
        slope[c] += k;
        k = last[c] + slope[c];
      } else if (order > 0 && row > 0) {
        slope[c] = k;
        k += last[c];
      }
      last[c] = k;
      out[at] = lows[c % lows.length] + steps[c % steps.length] * k;
    }
  return out;
}
