// Endless planes in space: discs with a grid next to the bodies.
import { CircleGeometry, Mesh, Vector2, Vector3, Vector4 } from 'three';
import { roundDown } from './bodies_colours.js';
import { planeMaterial } from './bodies_shaders.js';
import { partPlace, rotate } from './bodies_poses.js';

export class Floors {
  constructor(bodies) {
    this.bodies = bodies;
    const { size } = bodies.room;
    this.reach = { value: new Vector2(0.6 * size, 1.3 * size) };
    this.face = { value: new Vector3() };
    this.lines = { value: new Vector3() };
    this.grid = roundDown(size / 5);
    this.geometry = new CircleGeometry(1.3 * size, 72);
    this.list = [];
    for (let part = 0; part < bodies.partBody.length; part++)
      if (bodies.shapes[bodies.partShape[part]].endless) this.add(part);
    this.ground = this.makeGround();
  }

  add(part) {
    const shift = { value: new Vector2() };
    const material = planeMaterial({ face: this.face, lines: this.lines, reach: this.reach, grid: { value: this.grid }, shift });
    const mesh = new Mesh(this.geometry, material);
    mesh.frustumCulled = false;
    this.list.push({ part, mesh, shift, body: this.bodies.partBody[part], placed: false });
  }

  // Uniforms of the shadows on the plane that is most level, or null.
  makeGround() {
    const up = this.bodies.source.up ?? [0, 0, 1];
    let best = null;
    let level = 0.5;
    for (const floor of this.list) {
      const { normal } = this.placeOf(floor.part);
      const cosine = normal[0] * up[0] + normal[1] * up[1] + normal[2] * up[2];
      if (cosine > level + 1e-6) [best, level] = [floor, cosine];
    }
    if (!best) return null;
    this.under = best;
    return { ground: { value: new Vector4() }, middle: { value: new Vector3() }, darkened: { value: new Vector3() }, reach: this.reach };
  }

  placeOf(part) {
    const place = partPlace(this.bodies, part);
    return { place, normal: rotate(place.slice(3), [0, 0, 1]) };
  }

  // Only planes of bodies that move are placed again.
  update() {
    for (const floor of this.list) {
      if (floor.placed && this.bodies.slot[floor.body] < 0) continue;
      floor.placed = true;
      this.put(floor);
    }
  }

  // The disc is around the foot of the room's middle; its grid stays in the frame of the plane.
  put(floor) {
    const { place, normal } = this.placeOf(floor.part);
    const { centre } = this.bodies.room;
    const away = [0, 1, 2].map((k) => centre[k] - place[k]);
    const height = away[0] * normal[0] + away[1] * normal[1] + away[2] * normal[2];
    const foot = centre.map((x, k) => x - height * normal[k]);
    const turned = place.slice(3);
    const along = [[1, 0, 0], [0, 1, 0]].map((axis) => rotate(turned, axis).reduce((sum, x, k) => sum + x * away[k], 0));
    floor.mesh.position.set(...foot);
    floor.mesh.quaternion.set(turned[1], turned[2], turned[3], turned[0]);
    floor.shift.value.set(...along);
    if (floor !== this.under) return;
    this.ground.ground.value.set(...normal, foot.reduce((sum, x, k) => sum + x * normal[k], 0));
    this.ground.middle.value.set(...foot);
  }

  setTheme(theme, paper) {
    const tone = theme.dark ? [0.02, 0.11] : [-0.025, -0.13];
    this.face.value.set(...paper.map((x) => x + tone[0]));
    this.lines.value.set(...paper.map((x) => x + tone[1]));
    this.ground?.darkened.value.set(...paper.map((x) => (theme.dark ? 0.45 * x : x - 0.19)));
  }

  dispose() {
    this.geometry.dispose();
    for (const { mesh } of this.list) mesh.material.dispose();
  }
}
