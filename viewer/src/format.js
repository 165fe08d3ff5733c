// Numbers as texts: few digits, a true minus sign, powers of ten as powers.
const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

export function power(exponent) {
  const digits = [...String(Math.abs(exponent))].map((digit) => SUPERSCRIPTS[digit]).join('');
  return `10${exponent < 0 ? '⁻' : ''}${digits}`;
}

const trimmed = (text) => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);
const signed = (text) => text.replace('-', '−');

// A number with so many significant digits; "–" when there is none.
export function number(value, digits = 5) {
  if (typeof value !== 'number' || Number.isNaN(value)) return '–';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  if (value === 0) return '0';
  if (Number.isInteger(value) && Math.abs(value) < 1e7) return signed(String(value));
  const size = Math.abs(value);
  if (size >= 1e-3 && size < 1e6) return signed(trimmed(value.toPrecision(digits)));
  const [mantissa, exponent] = value.toExponential(digits - 1).split('e');
  return `${signed(trimmed(mantissa))}·${power(Number(exponent))}`;
}

export const withUnit = (text, unit) => (unit ? `${text}\u202f${unit}` : text);
export const quantity = (value, unit, digits) => withUnit(number(value, digits), typeof value === 'number' ? unit : '');

// Text of any cell of the page's JSON.
export const cell = (value) =>
  value === null || value === undefined ? '–' : typeof value === 'number' ? number(value, 6) : String(value);

// Times of a span with the same number of decimals, so that the read-out does not jump.
export function timeFormat(span) {
  const length = span[1] - span[0];
  const decimals = Math.min(12, Math.max(0, 3 - Math.floor(Math.log10(length || 1))));
  const large = Math.max(Math.abs(span[0]), Math.abs(span[1])) >= 1e7 || decimals > 9;
  return (t) => (large ? number(t, 7) : signed(t.toFixed(decimals)));
}

// Decimals that a multiple of this step needs.
function decimalsOf(step) {
  let decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  while (decimals < 15 && Math.abs(step * 10 ** decimals - Math.round(step * 10 ** decimals)) > 1e-6) decimals++;
  return decimals;
}

// Labels of an axis: as many decimals as its step needs.
export function tickLabels(splits, increment) {
  if (splits.length === 0) return [];
  const largest = Math.max(...splits.map(Math.abs));
  if (largest === 0) return splits.map(() => '0'); // a step of 1e-16 would ask for as many decimals
  if (largest >= 1e6 || (largest > 0 && largest < 1e-3)) {
    const exponent = Math.floor(Math.log10(largest));
    const decimals = decimalsOf(increment / 10 ** exponent);
    return splits.map((v) => (v === 0 ? '0' : `${signed((v / 10 ** exponent).toFixed(decimals))}·${power(exponent)}`));
  }
  const decimals = decimalsOf(increment);
  return splits.map((v) => signed((Math.abs(v) < increment * 1e-6 ? 0 : v).toFixed(decimals)));
}

// Names of channels read as words.
export const words = (name) => name.replace(/_/g, ' ');

export const plural = (count, one, many = `${one}s`) => `${number(count)} ${count === 1 ? one : many}`;

// The gutter of a y axis has room for so many letters; names of records differ at their ends.
const LETTERS = 9;
export const brief = (name) => (name.length > LETTERS ? `…${name.slice(1 - LETTERS)}` : name);
