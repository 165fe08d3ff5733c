// The views that the page knows: a record is shown by every one that takes it, in this order. A new kind of motion brings
// its view as one file and one row. create(record, host, context) gives a promise of
// {update(t, playing), resize(), dispose(), controls?, describe?()}; see dev/README.md.
import * as bodies from './bodies.js';
import * as film from './film.js';

export const views = [
  { name: 'Bodies', takes: (record) => Boolean(record.bodies), create: bodies.create },
  { name: 'Drawing', takes: (record) => Boolean(record.film), create: film.create },
];
