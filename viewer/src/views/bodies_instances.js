// Bodies of the same geometry, drawn together: their matrices are written in place, once per frame.
import { DynamicDrawUsage, InstancedBufferAttribute, InstancedMesh, Matrix4 } from 'three';
import { bodyMaterial, shadowMaterial } from './bodies_shaders.js';

const IDENTITY = [0, 0, 0, 1, 0, 0, 0];

// Parts of the same geometry; what does not move by forces is apart.
export class Group {
  constructor(made, still) {
    this.geometry = made.geometry;
    this.solid = made.solid ?? made.geometry; // throws shadows
    this.kind = { round: made.round, tones: made.tones, disc: made.disc, open: made.open, edges: made.geometry.hasAttribute('edge') };
    this.still = still;
    this.parts = [];
    this.bodies = [];
    this.frames = []; // of the parts in the body, 12 numbers each: three axes with their lengths, place
    this.centred = true; // no part is shifted or turned in its body
    this.meshes = [];
  }

  add(part, body, pose, scale) {
    this.parts.push(part);
    this.bodies.push(body);
    if (IDENTITY.some((x, k) => Math.abs(pose[k] - x) > 1e-7)) this.centred = false;
    const m = new Float64Array(16);
    writeMatrix(m, 0, pose[3], pose[4], pose[5], pose[6], scale);
    this.frames.push(m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10], pose[0], pose[1], pose[2]);
  }

  // moves: of a body, whether its pose ever changes.
  finish(moves) {
    const count = this.parts.length;
    this.bodies = Int32Array.from(this.bodies);
    this.frames = Float32Array.from(this.frames);
    this.moves = this.bodies.some((body) => moves(body));
    this.matrices = new Float32Array(16 * count);
    this.colours = new Float32Array(3 * count);
    for (let k = 0; k < count; k++) this.matrices[16 * k + 15] = 1;
    this.matrixAttribute = new InstancedBufferAttribute(this.matrices, 16);
    this.colourAttribute = new InstancedBufferAttribute(this.colours, 3);
    if (this.moves) this.matrixAttribute.setUsage(DynamicDrawUsage);
    this.colourAttribute.setUsage(DynamicDrawUsage);
  }

  // Adds it to the scenes by pass.
  place(scenes, shared, ground) {
    const passes = this.still ? ['still', 'depth', 'veil'] : ['moving'];
    for (const pass of passes) scenes[pass].add(this.mesh(this.geometry, bodyMaterial(this.kind, pass, shared)));
    if (ground) scenes.shadow.add(this.mesh(this.solid, shadowMaterial(shared, ground)));
  }

  mesh(geometry, material) {
    const mesh = new InstancedMesh(geometry, material, 0);
    mesh.instanceMatrix = this.matrixAttribute;
    mesh.instanceColor = this.colourAttribute;
    mesh.count = this.parts.length;
    mesh.frustumCulled = false;
    mesh.matrixAutoUpdate = false;
    mesh.matrixWorld = new Matrix4();
    this.meshes.push(mesh);
    return mesh;
  }

  move(pose) {
    if (this.centred) writeCentred(this.matrices, this.frames, this.bodies, pose);
    else writePlaced(this.matrices, this.frames, this.bodies, pose);
    this.matrixAttribute.needsUpdate = true;
  }

  paint(rgb) {
    const { bodies, colours } = this;
    for (let k = 0, o = 0; k < bodies.length; k++, o += 3) {
      const i = 3 * bodies[k];
      colours[o] = rgb[i];
      colours[o + 1] = rgb[i + 1];
      colours[o + 2] = rgb[i + 2];
    }
    this.colourAttribute.needsUpdate = true;
  }

  dispose() {
    for (const mesh of this.meshes) {
      mesh.material.dispose();
      mesh.dispose();
    }
  }
}

// Columns of the rotation w x y z, each times its length, into a matrix of four columns.
function writeMatrix(m, o, w, x, y, z, scale) {
  m[o] = scale[0] * (1 - 2 * (y * y + z * z));
  m[o + 1] = scale[0] * 2 * (x * y + w * z);
  m[o + 2] = scale[0] * 2 * (x * z - w * y);
  m[o + 4] = scale[1] * 2 * (x * y - w * z);
  m[o + 5] = scale[1] * (1 - 2 * (x * x + z * z));
  m[o + 6] = scale[1] * 2 * (y * z + w * x);
  m[o + 8] = scale[2] * 2 * (x * z + w * y);
  m[o + 9] = scale[2] * 2 * (y * z - w * x);
  m[o + 10] = scale[2] * (1 - 2 * (x * x + y * y));
}

// Parts in the middle of their bodies: lengths are on the diagonal of the part's frame.
function writeCentred(m, frames, bodies, pose) {
  for (let k = 0, o = 0, f = 0; k < bodies.length; k++, o += 16, f += 12) {
    const p = 7 * bodies[k];
    const w = pose[p + 3], x = pose[p + 4], y = pose[p + 5], z = pose[p + 6];
    const a = frames[f], b = frames[f + 4], c = frames[f + 8];
    m[o] = a * (1 - 2 * (y * y + z * z));
    m[o + 1] = a * 2 * (x * y + w * z);
    m[o + 2] = a * 2 * (x * z - w * y);
    m[o + 4] = b * 2 * (x * y - w * z);
    m[o + 5] = b * (1 - 2 * (x * x + z * z));
    m[o + 6] = b * 2 * (y * z + w * x);
    m[o + 8] = c * 2 * (x * z + w * y);
    m[o + 9] = c * 2 * (y * z - w * x);
    m[o + 10] = c * (1 - 2 * (x * x + y * y));
    m[o + 12] = pose[p];
    m[o + 13] = pose[p + 1];
    m[o + 14] = pose[p + 2];
  }
}

// Any part: the rotation of the body times the frame of the part.
function writePlaced(m, frames, bodies, pose) {
  for (let k = 0, o = 0, f = 0; k < bodies.length; k++, o += 16, f += 12) {
    const p = 7 * bodies[k];
    const w = pose[p + 3], x = pose[p + 4], y = pose[p + 5], z = pose[p + 6];
    const xx = 1 - 2 * (y * y + z * z), xy = 2 * (x * y - w * z), xz = 2 * (x * z + w * y);
    const yx = 2 * (x * y + w * z), yy = 1 - 2 * (x * x + z * z), yz = 2 * (y * z - w * x);
    const zx = 2 * (x * z - w * y), zy = 2 * (y * z + w * x), zz = 1 - 2 * (x * x + y * y);
    for (let c = 0; c < 4; c++) {
      const u = frames[f + 3 * c], v = frames[f + 3 * c + 1], t = frames[f + 3 * c + 2];
      m[o + 4 * c] = xx * u + xy * v + xz * t;
      m[o + 4 * c + 1] = yx * u + yy * v + yz * t;
      m[o + 4 * c + 2] = zx * u + zy * v + zz * t;
    }
    m[o + 12] += pose[p];
    m[o + 13] += pose[p + 1];
    m[o + 14] += pose[p + 2];
  }
}
