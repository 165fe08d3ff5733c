// Dashes of the lines of records beside each other: the colour says which component a line is, the dash which record. As in
// the pictures of `thud plot`.
import { svg } from '../dom.js';

const PATTERNS = [null, [7, 4], [1.5, 3.5], [9, 3, 2, 3], [14, 4], [4, 2], [12, 3, 2, 3, 2, 3], [1.5, 6]];

export const patternOf = (record) => PATTERNS[record % PATTERNS.length];

// A piece of line with the dash of a record, to stand beside its name.
export function patternSample(pattern) {
  const line = { d: 'M0 3H36', stroke: 'currentColor', 'stroke-width': 2.5, 'stroke-dasharray': (pattern ?? []).join(' ') };
  return svg('svg', { viewBox: '0 0 36 6', width: 36, height: 6, 'aria-hidden': 'true' }, [svg('path', line)]);
}
