// Geometries of shapes: triangles with normals that are smooth across small angles, and marks of the sharp edges.
import { BufferAttribute, BufferGeometry, SphereGeometry } from 'three';
import { formOf } from './bodies_forms.js';
import { add, cross, dot, minus, unit } from './bodies_poses.js';
import { revolved } from './bodies_revolved.js';

const CREASE = 0.8; // cosine: normals are not smoothed across larger angles (37 degrees)
const SHARP = 0.75; // cosine: such edges are drawn
const FLAT_SHARP = 0.99; // the same of polyhedra, whose faces are plane
const BOX_POINTS = [-1, -1, -1, 1, -1, -1, 1, 1, -1, -1, 1, -1, -1, -1, 1, 1, -1, 1, 1, 1, 1, -1, 1, 1];
const BOX_TRIANGLES = [0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4, 2, 3, 7, 2, 7, 6, 1, 2, 6, 1, 6, 5, 0, 4, 7, 0, 7, 3];

const MANY = 2000; // bodies: spheres are drawn as discs that look round, other round shapes coarser

// Where many spheres are shown each is small.
export function sphereGeometry(count) {
  const [around, down] = count <= 300 ? [40, 26] : count <= MANY ? [20, 13] : [10, 7];
  return new SphereGeometry(1, around, down);
}

// A square, of which the shader makes a ball that looks to the eye.
function discGeometry() {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(new Float32Array([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0]), 3));
  geometry.setIndex([0, 1, 2, 0, 2, 3]);
  return geometry;
}

// {geometry, key, scale, round, tones, disc, open}: the geometry of a shape and the lengths of its axes; shapes that differ in
// lengths only share one. tones: two, about the axis z; disc: drawn as a square; open: both sides of its triangles are seen.
export class Geometries {
  constructor(shapes, count) {
    this.shapes = shapes;
    this.count = count;
    this.made = new Map();
  }

  of(index, particle) {
    const shape = this.shapes[index];
    const ball = formOf(shape, 'ball');
    const box = formOf(shape, 'box');
    if (ball) {
      const scale = ball[0] > 0 ? ball : [particle, particle, particle];
      if (this.count <= MANY || new Set(scale).size > 1) return { ...this.ball(), scale };
      return { ...this.keep('disc', discGeometry), scale, round: true, disc: true, solid: this.ball().geometry };
    }
    if (box) return { ...this.keep('box', () => surfaceGeometry(BOX_POINTS, BOX_TRIANGLES, true)), scale: box };
    return this.surface(shape, index);
  }

  ball() {
    return { ...this.keep('ball', () => sphereGeometry(this.count)), round: true, tones: true };
  }

  surface(shape, index) {
    const coarse = this.count > MANY || !shape.triangles ? revolved(shape) : null;
    const { points, triangles } = coarse ?? shape;
    if (!points || !triangles) return null;
    const made = this.keep(index, () => surfaceGeometry(points, triangles, Boolean(shape.faceted)));
    return { ...made, scale: [1, 1, 1], open: Boolean(shape.open), tones: Boolean(formOf(shape, 'profile')) };
  }

  keep(key, make) {
    if (!this.made.has(key)) this.made.set(key, make());
    return { geometry: this.made.get(key), key };
  }

  dispose() {
    for (const geometry of this.made.values()) geometry.dispose();
  }
}

function surfaceGeometry(points, triangles, flat) {
  const facets = facetNormals(points, triangles);
  const normals = cornerNormals(points, triangles, facets, flat);
  const edges = edgeMarks(points.length / 3, triangles, facets, flat);
  const lists = { position: [], normal: [], edge: [] };
  const numbers = new Map(); // corners that agree in everything are one vertex
  const index = Array.from(triangles, (point, k) => {
    const [n, e] = [normals.subarray(3 * k, 3 * k + 3), edges.subarray(3 * k, 3 * k + 3)];
    const key = `${point} ${n} ${e}`;
    if (!numbers.has(key)) {
      numbers.set(key, numbers.size);
      for (let c = 0; c < 3; c++) lists.position.push(points[3 * point + c]);
      lists.normal.push(...n);
      lists.edge.push(...e);
    }
    return numbers.get(key);
  });
  const geometry = new BufferGeometry();
  for (const [name, list] of Object.entries(lists)) geometry.setAttribute(name, new BufferAttribute(new Float32Array(list), 3));
  geometry.setIndex(index);
  return geometry;
}

// Unit normals of the triangles; a triangle without area has the normal 0.
function facetNormals(points, triangles) {
  const out = new Float32Array(triangles.length);
  for (let k = 0; k < triangles.length; k += 3) {
    const [a, b, c] = [0, 1, 2].map((i) => points.slice(3 * triangles[k + i], 3 * triangles[k + i] + 3));
    out.set(unit(cross(minus(b, a), minus(c, a))), k);
  }
  return out;
}

const cosine = (n, i, j) => n[i] * n[j] + n[i + 1] * n[j + 1] + n[i + 2] * n[j + 2];

// Angle of a triangle at its corner k.
function cornerAngle(points, triangles, k) {
  const own = k - (k % 3);
  const at = (i) => points.slice(3 * triangles[own + (i % 3)], 3 * triangles[own + (i % 3)] + 3);
  const corner = at(k);
  return Math.acos(Math.max(-1, Math.min(1, dot(unit(minus(at(k + 1), corner)), unit(minus(at(k + 2), corner))))));
}

// At every corner the mean over the triangles around its point that make a small angle with its own, weighted by their
// angles there (G. Thürmer and C. A. Wüthrich, Journal of Graphics Tools 3 (1998) 43-46): it does not depend on how faces
// are cut into triangles.
function cornerNormals(points, triangles, facets, flat) {
  const around = Array.from({ length: points.length / 3 }, () => []);
  for (let k = 0; k < triangles.length && !flat; k++) around[triangles[k]].push(k);
  const angles = Float32Array.from(triangles, (_, k) => (flat ? 1 : cornerAngle(points, triangles, k)));
  const out = new Float32Array(3 * triangles.length);
  for (let k = 0; k < triangles.length; k++) {
    const own = k - (k % 3);
    let sum = [0, 0, 0];
    for (const other of flat ? [k] : around[triangles[k]]) {
      const facet = other - (other % 3);
      if (cosine(facets, own, facet) >= CREASE) sum = add(sum, facets.subarray(facet, facet + 3), angles[other]);
    }
    out.set(unit(sum), 3 * k);
  }
  return out;
}

// Three numbers per corner: number k is 0 along the side opposite corner k of the triangle if that is sharp, 1 everywhere
// else: the shader draws a line where one of them is near 0.
function edgeMarks(pointCount, triangles, facets, flat) {
  const sides = new Map();
  const sideKey = (a, b) => Math.min(a, b) * pointCount + Math.max(a, b);
  const ends = (k) => {
    const own = k - (k % 3);
    return [triangles[own + ((k + 1) % 3)], triangles[own + ((k + 2) % 3)]];
  };
  for (let k = 0; k < triangles.length; k++) {
    const key = sideKey(...ends(k));
    if (!sides.has(key)) sides.set(key, []);
    sides.get(key).push(k - (k % 3));
  }
  const out = new Float32Array(3 * triangles.length).fill(1);
  for (let k = 0; k < triangles.length; k++) {
    const own = k - (k % 3);
    const both = sides.get(sideKey(...ends(k)));
    if (both.length === 2 && cosine(facets, both[0], both[1]) >= (flat ? FLAT_SHARP : SHARP)) continue;
    for (let corner = 0; corner < 3; corner++) if (own + corner !== k) out[3 * (own + corner) + (k % 3)] = 0;
  }
  return out;
}
