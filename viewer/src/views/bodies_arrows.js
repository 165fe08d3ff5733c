// Arrows in space, all in one drawing: the shader builds each from its two ends, the head is not stretched with the length.
import { BufferAttribute, DoubleSide, DynamicDrawUsage, InstancedBufferGeometry, InstancedInterleavedBuffer, InterleavedBufferAttribute, Mesh, ShaderMaterial } from 'three';

const SIDES = 7;

// Corners as (cosine, sine, kind): kind 0 tail, 1 end of the shaft, 2 rim of the head, 3 tip.
function corners() {
  const out = [];
  const at = (k, kind) => out.push(Math.cos((2 * Math.PI * k) / SIDES), Math.sin((2 * Math.PI * k) / SIDES), kind);
  for (let k = 0; k < SIDES; k++) {
    at(k, 0), at(k + 1, 0), at(k + 1, 1);
    at(k, 0), at(k + 1, 1), at(k, 1);
    at(k, 2), at(k + 1, 2), at(k + 0.5, 3);
  }
  return new Float32Array(out);
}

export class Arrows {
  constructor(most, shared, colour) {
    this.values = new Float32Array(6 * Math.max(1, most));
    this.buffer = new InstancedInterleavedBuffer(this.values, 6, 1);
    this.buffer.setUsage(DynamicDrawUsage);
    const geometry = new InstancedBufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(corners(), 3));
    geometry.setAttribute('from', new InterleavedBufferAttribute(this.buffer, 3, 0));
    geometry.setAttribute('to', new InterleavedBufferAttribute(this.buffer, 3, 3));
    geometry.instanceCount = 0;
    this.thick = { value: 1 };
    const material = new ShaderMaterial({
      side: DoubleSide,
      uniforms: { ...shared, thick: this.thick, colour },
      vertexShader: `
attribute vec3 from;
attribute vec3 to;
uniform float thick;
varying vec3 vNormal;
void main() {
  vec3 along = to - from;
  float size = max(length(along), 1e-20);
  vec3 z = along / size;
  vec3 x = normalize(abs(z.x) < 0.7 ? cross(z, vec3(1.0, 0.0, 0.0)) : cross(z, vec3(0.0, 1.0, 0.0)));
  vec3 y = cross(z, x);
  float width = min(thick, 0.11 * size);
  float head = min(6.0 * width, 0.45 * size);
  float radius = position.z < 1.5 ? width : position.z < 2.5 ? 2.6 * width : 0.0;
  float place = position.z < 0.5 ? 0.0 : position.z < 2.5 ? size - head : size;
  vec3 out3 = position.x * x + position.y * y;
  vNormal = position.z < 1.5 ? out3 : normalize(out3 + 0.4 * z);
  gl_Position = projectionMatrix * (viewMatrix * vec4(from + place * z + radius * out3, 1.0));
}`,
      fragmentShader: `
uniform vec3 sun;
uniform vec3 colour;
varying vec3 vNormal;
void main() {
  gl_FragColor = vec4(colour * (0.72 + 0.3 * max(0.0, dot(normalize(vNormal), sun))), 1.0);
}`,
    });
    this.mesh = new Mesh(geometry, material);
    this.mesh.frustumCulled = false;
  }

  // count arrows are in values; thick: radius of the shafts.
  show(count, thick) {
    this.mesh.geometry.instanceCount = count;
    this.mesh.visible = count > 0;
    this.thick.value = thick;
    if (count === 0) return;
    this.buffer.clearUpdateRanges();
    this.buffer.addUpdateRange(0, 6 * count);
    this.buffer.needsUpdate = true;
  }

  dispose() {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}
