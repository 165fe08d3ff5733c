// Materials of bodies in space. Colours are written as they are given (no tone mapping), so that they are those of the legend.
import { AddEquation, CustomBlending, DoubleSide, EqualDepth, FrontSide, MinEquation, OneFactor, OneMinusSrcAlphaFactor, ShaderMaterial, SrcAlphaFactor, Vector3, Vector4 } from 'three';

// Uniforms that all materials share: light, eye and paper.
export function sharedUniforms() {
  return {
    sun: { value: new Vector3(0, 0, 1) },
    up: { value: new Vector3(0, 0, 1) },
    top: { value: new Vector3(0, 1, 0) }, // of the picture
    eye: { value: new Vector4(0, 0, 1, 1) }, // place of the eye, 1: perspective; direction to it, 0: parallel
    paper: { value: new Vector3(1, 1, 1) },
    shade: { value: 0.52 }, // brightness without light
    pale: { value: 0 }, // how much what moves is faded, so that arrows are seen
  };
}

const BODY_VERTEX = `
#ifdef EDGES
attribute vec3 edge;
varying vec3 vEdge;
#endif
varying vec3 vNormal;
varying vec3 vWorld;
varying vec3 vColour;
#ifdef TONES
varying vec3 vLocal;
#endif
void main() {
  mat3 m = mat3(instanceMatrix);
  vec3 squares = vec3(dot(m[0], m[0]), dot(m[1], m[1]), dot(m[2], m[2]));
  vNormal = m * (normal / squares); // rotation times scale: normals by its inverse transposed
  vec4 world = instanceMatrix * vec4(position, 1.0);
  vWorld = world.xyz;
  vColour = instanceColor;
#ifdef EDGES
  vEdge = edge;
#endif
#ifdef TONES
  vLocal = position;
#endif
  gl_Position = projectionMatrix * (viewMatrix * world);
}`;

// A colour under the light: cosines of the normal with the sun, with upwards and with the line of sight.
const LIT = `
uniform vec3 paper;
uniform float shade;
uniform float fade;
uniform float opacity;
vec4 lit(vec3 colour, float sunlight, float upwards, float facing) {
  float light = shade + 0.44 * max(0.0, sunlight) + 0.1 * facing + 0.06 * upwards;
  return vec4(mix(colour * light, paper, fade), opacity);
}
float rim(float facing) { return 0.6 + 0.4 * smoothstep(0.0, 0.42, facing); } // round bodies are darker at their borders
`;

const BODY_FRAGMENT = `${LIT}
uniform vec3 sun;
uniform vec3 up;
uniform vec4 eye;
varying vec3 vNormal;
varying vec3 vWorld;
varying vec3 vColour;
#ifdef EDGES
varying vec3 vEdge;
#endif
#ifdef TONES
varying vec3 vLocal;
#endif
void main() {
  vec3 toEye = normalize(eye.w > 0.5 ? eye.xyz - vWorld : eye.xyz);
  vec3 n = normalize(vNormal);
  float facing = dot(n, toEye);
  if (facing < 0.0) { n = -n; facing = -facing; }
  vec3 colour = vColour;
#ifdef TONES
  if (vLocal.x * vLocal.y > 0.0) colour *= 0.84; // one sees balls and cylinders turn
#endif
#ifdef ROUND
  colour *= rim(facing);
#endif
#ifdef EDGES
  vec3 across = fwidth(vEdge);
  vec3 away = vEdge / max(across, vec3(1e-6)) + step(0.999, vEdge) * 9.0;
  float line = 1.0 - smoothstep(0.5, 1.3, min(away.x, min(away.y, away.z)));
  colour *= 1.0 - 0.55 * line * clamp(1.6 - 4.0 * max(across.x, max(across.y, across.z)), 0.0, 1.0);
#endif
  gl_FragColor = lit(colour, dot(n, sun), dot(n, up), facing);
}`;

// A sphere as a square that faces the eye: along every line of sight its middle plane is inside the sphere, so that it is
// hidden rightly by all bodies that do not overlap with it. Its normals are those of the sphere.
const DISC_VERTEX = `
uniform vec4 eye;
uniform vec3 top;
uniform vec3 sun;
uniform vec3 up;
varying vec2 vPlace;
varying vec3 vColour;
varying vec3 vSun;
varying vec3 vUp;
varying vec3 vFirst;
varying vec3 vSecond;
void main() {
  vec3 centre = instanceMatrix[3].xyz;
  vec3 first = instanceMatrix[0].xyz;
  float radius = length(first);
  vec3 z = normalize(eye.w > 0.5 ? eye.xyz - centre : eye.xyz);
  vec3 x = normalize(cross(top, z));
  vec3 y = cross(z, x);
  mat3 seen = transpose(mat3(x, y, z));
  vPlace = position.xy;
  vColour = instanceColor;
  vSun = seen * sun;
  vUp = seen * up;
  vFirst = seen * first;
  vSecond = seen * instanceMatrix[1].xyz;
  vec3 world = centre + radius * (position.x * x + position.y * y);
  gl_Position = projectionMatrix * (viewMatrix * vec4(world, 1.0));
}`;

const DISC_FRAGMENT = `${LIT}
varying vec2 vPlace;
varying vec3 vColour;
varying vec3 vSun;
varying vec3 vUp;
varying vec3 vFirst;
varying vec3 vSecond;
void main() {
  float off = dot(vPlace, vPlace);
  if (off > 1.0) discard;
  vec3 n = vec3(vPlace, sqrt(1.0 - off));
  vec3 colour = vColour;
  if (dot(n, vFirst) * dot(n, vSecond) > 0.0) colour *= 0.84;
  gl_FragColor = lit(colour * rim(n.z), dot(n, vSun), dot(n, vUp), n.z);
}`;

// kind: {round, tones, disc, open, edges}; pass: "moving", "still", "depth" (what stands still, without colours), "veil" (over what moves).
export function bodyMaterial(kind, pass, shared) {
  const defines = {};
  if (kind.round) defines.ROUND = 1;
  if (kind.tones) defines.TONES = 1;
  if (kind.edges) defines.EDGES = 1;
  const material = new ShaderMaterial({
    defines,
    vertexShader: kind.disc ? DISC_VERTEX : BODY_VERTEX,
    fragmentShader: kind.disc ? DISC_FRAGMENT : BODY_FRAGMENT,
    side: kind.open ? DoubleSide : FrontSide,
    uniforms: { ...shared, fade: pass === 'moving' ? shared.pale : { value: 0 }, opacity: { value: pass === 'veil' ? 0.3 : 1 } },
  });
  if (pass === 'depth') material.colorWrite = false;
  if (pass === 'veil')
    Object.assign(material, { blending: CustomBlending, blendEquation: AddEquation, blendSrc: SrcAlphaFactor,
      blendDst: OneMinusSrcAlphaFactor, depthFunc: EqualDepth, depthWrite: false });
  return material;
}

// Shadows on a plane: the bodies pressed onto it along the light. The darker of two shadows stays: MIN, not product.
export function shadowMaterial(shared, plane) {
  return new ShaderMaterial({
    uniforms: { ...shared, ...plane },
    vertexShader: `
uniform vec3 sun;
uniform vec4 ground; // normal and offset
varying float vAbove;
varying vec3 vWorld;
void main() {
  vec4 world = instanceMatrix * vec4(position, 1.0);
  float above = dot(ground.xyz, world.xyz) - ground.w;
  vAbove = above;
  world.xyz -= sun * (above / max(0.05, dot(ground.xyz, sun)));
  vWorld = world.xyz;
  gl_Position = projectionMatrix * (viewMatrix * world);
  gl_Position.z -= 2e-4 * gl_Position.w; // in front of the plane
}`,
    fragmentShader: `
uniform vec3 darkened;
uniform vec3 middle;
uniform vec2 reach;
varying float vAbove;
varying vec3 vWorld;
void main() {
  if (vAbove < -1e-3 * reach.x) discard;
  float far = smoothstep(reach.x, reach.y, distance(vWorld, middle));
  gl_FragColor = vec4(mix(darkened, vec3(1.0), far), 1.0);
}`,
    side: DoubleSide,
    depthWrite: false,
    blending: CustomBlending,
    blendEquation: MinEquation,
    blendSrc: OneFactor,
    blendDst: OneFactor,
  });
}

// Endless planes: pale, with a grid, fading away from the bodies; not seen from behind.
export function planeMaterial(uniforms) {
  return new ShaderMaterial({
    uniforms,
    transparent: true,
    vertexShader: `
uniform vec2 shift;
varying vec2 vPlace;
varying float vAway;
void main() {
  vPlace = position.xy + shift;
  vAway = length(position.xy);
  gl_Position = projectionMatrix * (modelViewMatrix * vec4(position, 1.0));
}`,
    fragmentShader: `
uniform vec3 face;
uniform vec3 lines;
uniform vec2 reach;
uniform float grid;
varying vec2 vPlace;
varying float vAway;
void main() {
  vec2 dots = fwidth(vPlace);
  vec2 off = abs(vPlace / grid - floor(vPlace / grid + 0.5)) * grid;
  vec2 near = (1.0 - smoothstep(0.2 * dots, 1.1 * dots, off)) * clamp(1.3 - 3.0 * dots / grid, 0.0, 1.0);
  float kept = 1.0 - smoothstep(reach.x, reach.y, vAway);
  if (kept < 0.01) discard;
  gl_FragColor = vec4(mix(face, lines, max(near.x, near.y)), kept);
}`,
  });
}
