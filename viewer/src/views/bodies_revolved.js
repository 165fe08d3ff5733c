// Coarse surfaces of revolution, for scenes of very many bodies: {points, triangles}, outwards counter-clockwise.
import { formOf } from './bodies_forms.js';

const AROUND = 10;

// null: not such a shape.
export function revolved(shape) {
  const rings = shape.radius > 0 && shape.half_length > 0 ? formOf(shape, 'profile') : null;
  if (!rings) return null;
  const points = [];
  const starts = [];
  for (const [r, z] of rings) {
    starts.push(points.length / 3);
    for (let k = 0; k < (r > 0 ? AROUND : 1); k++) points.push(r * Math.cos((2 * Math.PI * k) / AROUND), r * Math.sin((2 * Math.PI * k) / AROUND), z);
  }
  const triangles = [];
  const at = (ring, k) => starts[ring] + (rings[ring][0] > 0 ? k % AROUND : 0);
  for (let ring = 0; ring + 1 < rings.length; ring++)
    for (let k = 0; k < AROUND; k++) {
      if (rings[ring][0] > 0) triangles.push(at(ring, k), at(ring, k + 1), at(ring + 1, k));
      if (rings[ring + 1][0] > 0) triangles.push(at(ring, k + 1), at(ring + 1, k + 1), at(ring + 1, k));
    }
  return { points, triangles };
}
