// Springs and joints in space, drawn by WebGL over the bodies: lines, and rings of one size on the screen.
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, LineBasicMaterial, LineSegments, LinearSRGBColorSpace, Points, ShaderMaterial, Vector3 } from 'three';
import { hexToRgb } from './bodies_colours.js';
import { jointMarks } from './bodies_joints.js';
import { AXIS, RING, springLine } from './bodies_canvas.js';
import { springEnds } from './bodies_springs.js';

const RINGS = {
  vertexShader: `
uniform float size;
void main() {
  gl_Position = projectionMatrix * (viewMatrix * vec4(position, 1.0));
  gl_PointSize = size;
}`,
  fragmentShader: `
uniform vec3 ink;
uniform vec3 paper;
uniform float size;
void main() {
  float away = length(gl_PointCoord - 0.5) * size;
  float radius = 0.5 * size - 1.0;
  if (away > radius + 0.5) discard;
  gl_FragColor = vec4(mix(paper, ink, smoothstep(radius - 2.0, radius - 1.0, away)), 1.0);
}`,
};

export class Hardware {
  constructor(bodies, camera) {
    Object.assign(this, { bodies, camera });
    this.exists = bodies.springs.length + bodies.joints.length > 0;
    this.ends = new Float32Array(6 * bodies.springs.length);
    this.lines = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ toneMapped: false }));
    this.size = { value: 1 };
    this.paper = { value: new Vector3() };
    this.ink = { value: new Vector3() };
    this.rings = new Points(new BufferGeometry(), new ShaderMaterial({ ...RINGS, depthTest: false,
      uniforms: { size: this.size, ink: this.ink, paper: this.paper } }));
    this.meshes = [this.lines, this.rings];
    for (const mesh of this.meshes) mesh.frustumCulled = false;
  }

  setTheme(theme) {
    const ink = hexToRgb(theme.ink);
    this.lines.material.color.setRGB(...ink, LinearSRGBColorSpace);
    this.ink.value.set(...ink);
    this.paper.value.set(...hexToRgb(theme.paper));
  }

  // At time t; ratio: pixels of the canvas per pixel of the page.
  update(t, ratio) {
    const { bodies, camera } = this;
    const pixel = camera.height / camera.size[1]; // length of a pixel at the middle of the picture
    const { rings, axes, lines } = jointMarks(bodies, t);
    const e = springEnds(bodies, this.ends);
    const { right, top } = camera.axes();
    for (let k = 0; k < e.length; k += 6) lines.push(springLine(e.subarray(k, k + 3), e.subarray(k + 3, k + 6), right, top, 5 * pixel));
    for (const { at, along, long } of axes) {
      const half = (long ? 2 : 1) * AXIS * pixel;
      lines.push([at.map((x, k) => x - half * along[k]), at.map((x, k) => x + half * along[k])]);
    }
    fill(this.lines.geometry, lines.flatMap((line) => line.slice(1).flatMap((x, k) => [...line[k], ...x])));
    fill(this.rings.geometry, rings.flat());
    this.size.value = 2 * (RING + 1) * ratio;
  }

  dispose() {
    for (const mesh of this.meshes) {
      mesh.geometry.dispose();
      mesh.material.dispose();
    }
  }
}

// Numbers of points; the buffer grows where it is too small.
function fill(geometry, values) {
  let place = geometry.attributes.position;
  if (!place || place.array.length < values.length) {
    place = new BufferAttribute(new Float32Array(Math.max(6, values.length)), 3);
    place.setUsage(DynamicDrawUsage);
    geometry.deleteAttribute('position');
    geometry.dispose();
    geometry.setAttribute('position', place);
  }
  place.array.set(values);
  place.needsUpdate = true;
  geometry.setDrawRange(0, values.length / 3);
}
