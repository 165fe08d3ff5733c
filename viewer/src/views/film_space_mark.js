// One mark of space as objects of three.js, made when there is something to show and changed in place afterwards.
import { BufferGeometry, CanvasTexture, ConeGeometry, DoubleSide, Float32BufferAttribute, InstancedMesh, LinearSRGBColorSpace, Matrix4, Mesh, MeshLambertMaterial, Quaternion, SphereGeometry, Sprite, SpriteMaterial, Vector3 } from 'three';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import { LineSegments2 } from 'three/examples/jsm/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/examples/jsm/lines/LineSegmentsGeometry.js';
import { hexToRgb } from './bodies_colours.js';
import { insideRgb, lineRgb, lineWidth, valueRgb } from './film_colours.js';

const UP = new Vector3(0, 1, 0);
const flat = (places) => {
  const out = new Float32Array(3 * places.length);
  places.forEach((x, k) => out.set(x, 3 * k));
  return out;
};
const tint = (material, rgb) => material.color.setRGB(...rgb, LinearSRGBColorSpace);

export class SpaceMark {
  constructor(mark, scene) {
    Object.assign(this, { mark, scene });
    this.objects = {};
    this.pose = new Matrix4();
    this.spin = new Quaternion();
  }

  setTheme(theme) {
    this.theme = theme;
    this.label = null; // texts are pictures: made anew
    for (const [name, object] of Object.entries(this.objects)) this.paint(name, object);
  }

  paint(name, object) {
    const line = lineRgb(this.mark, this.theme);
    if (name === 'balls' || name === 'faces') tint(object.material, insideRgb(this.mark, this.theme));
    else if (name !== 'texts' && name !== 'surface') tint(object.material, line);
  }

  get look() {
    const { opacity = 1 } = this.mark;
    return { transparent: opacity < 1, opacity, toneMapped: false };
  }

  // The object of this name, made by make() when it is needed; hidden when there is nothing.
  object(name, count, make) {
    if (count > 0 && !this.objects[name]) {
      this.objects[name] = make();
      this.objects[name].frustumCulled = false;
      this.paint(name, this.objects[name]);
      this.scene.add(this.objects[name]);
    }
    const object = this.objects[name];
    if (object) object.visible = count > 0;
    return count > 0 ? object : null;
  }

  // As many instances as there are; a larger object where they are too few.
  instances(name, count, make) {
    if (this.objects[name] && this.objects[name].instanceMatrix.count < count) this.remove(name);
    const object = this.object(name, count, () => make(2 * count));
    if (object) object.count = count;
    return object;
  }

  // thick: a length of the panel for what has none of its own.
  update(parts, thick) {
    this.thick = thick;
    this.segments(parts.segments);
    this.balls(parts.balls);
    this.heads(parts.heads);
    this.dots(parts.dots);
    this.texts(parts.texts);
    this.faces(parts.faces, parts.values);
  }

  segments(places) {
    const positions = flat(places);
    const before = this.objects.lines?.geometry.attributes.instanceStart?.data.array.length;
    if (this.objects.lines && before !== positions.length && positions.length > 0) this.remove('lines');
    const object = this.object('lines', places.length, () => new LineSegments2(new LineSegmentsGeometry().setPositions(positions),
      new LineMaterial({ ...this.look, linewidth: lineWidth(this.mark), dashed: false })));
    if (!object) return;
    const { data } = object.geometry.attributes.instanceStart;
    data.array.set(positions);
    data.needsUpdate = true;
  }

  balls(list) {
    const object = this.instances('balls', list.length, (most) => new InstancedMesh(new SphereGeometry(1, 40, 28), new MeshLambertMaterial(this.look), most));
    if (!object) return;
    list.forEach(({ at, radius }, k) => object.setMatrixAt(k, this.pose.makeScale(radius, radius, radius).setPosition(...at)));
    object.instanceMatrix.needsUpdate = true;
  }

  heads(list) {
    const cone = () => new ConeGeometry(0.34, 1, 20).translate(0, -0.5, 0);
    const object = this.instances('heads', list.length, (most) => new InstancedMesh(cone(), new MeshLambertMaterial(this.look), most));
    if (!object) return;
    list.forEach(({ tip, along, length }, k) => {
      this.spin.setFromUnitVectors(UP, new Vector3(...along));
      object.setMatrixAt(k, this.pose.compose(new Vector3(...tip), this.spin, new Vector3(length, length, length)));
    });
    object.instanceMatrix.needsUpdate = true;
  }

  // Small balls, so that they are round.
  dots(places) {
    const object = this.instances('dots', places.length, (most) => new InstancedMesh(new SphereGeometry(1, 16, 12), new MeshLambertMaterial(this.look), most));
    if (!object) return;
    const radius = this.thick * 0.4 * Math.sqrt(this.mark.width || 1);
    places.forEach((at, k) => object.setMatrixAt(k, this.pose.makeScale(radius, radius, radius).setPosition(...at)));
    object.instanceMatrix.needsUpdate = true;
  }

  // The surface has smooth normals: its corners are shared by their triangles.
  faces(list, values) {
    const coloured = values.length > 0;
    const object = this.object(coloured ? 'surface' : 'faces', list.length, () => new Mesh(new BufferGeometry(),
      new MeshLambertMaterial({ ...this.look, side: DoubleSide, vertexColors: coloured, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 })));
    if (!object) return;
    const { geometry } = object;
    if (coloured && !geometry.index) geometry.setIndex(Array.from(this.mark.triangles));
    fillAttribute(geometry, 'position', coloured ? this.corners(list) : flat(list.flat()), 3);
    if (coloured) fillAttribute(geometry, 'color', this.colours(), 3);
    geometry.computeVertexNormals();
  }

  corners(list) {
    const out = new Float32Array(3 * this.mark.shown);
    list.forEach((face, k) => face.forEach((x, c) => out.set(x, 3 * this.mark.triangles[3 * k + c])));
    return out;
  }

  colours() {
    const { mark } = this;
    const out = new Float32Array(3 * mark.shown);
    for (let k = 0; k < mark.shown; k++) out.set(valueRgb(mark, mark.now[k * mark.size + 3], this.theme), 3 * k);
    return out;
  }

  texts(places) {
    if (this.objects.texts && this.label !== this.mark.text) this.remove('texts');
    this.label = this.mark.text;
    const object = this.object('texts', places.length, () => textSprite(this.mark.text ?? '', this.theme));
    if (object) object.position.set(...places[0]);
  }

  remove(name) {
    const object = this.objects[name];
    if (!object) return;
    this.scene.remove(object);
    object.geometry.dispose();
    object.material.map?.dispose();
    object.material.dispose();
    object.dispose?.();
    delete this.objects[name];
  }

  dispose() {
    for (const name of Object.keys(this.objects)) this.remove(name);
  }
}

function fillAttribute(geometry, name, values, size) {
  const before = geometry.attributes[name];
  if (before && before.array.length === values.length) {
    before.array.set(values);
    before.needsUpdate = true;
  } else geometry.setAttribute(name, new Float32BufferAttribute(values, size));
}

// A text that faces the eye, always as large.
function textSprite(text, theme) {
  const canvas = document.createElement('canvas');
  const pen = canvas.getContext('2d');
  const font = '32px system-ui, sans-serif';
  pen.font = font;
  canvas.width = Math.ceil(pen.measureText(text).width) + 8;
  canvas.height = 44;
  pen.font = font;
  pen.fillStyle = theme.ink;
  pen.textBaseline = 'middle';
  pen.fillText(text, 4, 22);
  const sprite = new Sprite(new SpriteMaterial({ map: new CanvasTexture(canvas), depthTest: false, sizeAttenuation: false, toneMapped: false }));
  const scale = 0.0011;
  sprite.scale.set(canvas.width * scale, canvas.height * scale, 1);
  tint(sprite.material, hexToRgb('#ffffff'));
  return sprite;
}
