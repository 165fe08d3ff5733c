// Arithmetic of vectors and of poses: x y z w x y z.
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const add = (a, b, s = 1) => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const unit = (a) => {
  const length = Math.hypot(a[0], a[1], a[2]);
  return length > 0 ? [a[0] / length, a[1] / length, a[2] / length] : [0, 0, 0];
};

export function rotate([w, x, y, z], v) {
  const a = 2 * (y * v[2] - z * v[1]);
  const b = 2 * (z * v[0] - x * v[2]);
  const c = 2 * (x * v[1] - y * v[0]);
  return [v[0] + w * a + y * c - z * b, v[1] + w * b + z * a - x * c, v[2] + w * c + x * b - y * a];
}

export const rotateBack = ([w, x, y, z], v) => rotate([w, -x, -y, -z], v);

// A point of the frame of a pose that begins at `o` of the list.
export function pointOf(list, o, v) {
  const turned = rotate(list.subarray(o + 3, o + 7), v);
  return [list[o] + turned[0], list[o + 1] + turned[1], list[o + 2] + turned[2]];
}

// Where a part is now.
export function partPlace(bodies, part) {
  const own = bodies.partPose.subarray(7 * part, 7 * part + 7);
  const o = 7 * bodies.partBody[part];
  const at = pointOf(bodies.pose, o, own);
  const [w, x, y, z] = bodies.pose.subarray(o + 3, o + 7);
  const [a, b, c, d] = own.subarray(3);
  return [...at, w * a - x * b - y * c - z * d, w * b + x * a + y * d - z * c, w * c - x * d + y * a + z * b, w * d + x * c - y * b + z * a];
}
