// The residual of every step and the bodies of its worst contact.
export async function openResiduals(bodies) {
  const { residual, worst_a: a, worst_b: b, penetration } = bodies.source;
  if (!residual) return null;
  const { numbers } = bodies.context;
  const [values, first, second, depth] = await Promise.all([residual, a, b, penetration].map((x) => numbers(x)));
  let low = Infinity;
  let high = 0;
  for (const x of values)
    if (x > 0 && Number.isFinite(x)) {
      low = Math.min(low, x);
      high = Math.max(high, x);
    }
  low = Math.max(low, 1e-9 * high); // a step without contacts has a residual of rounding alone
  const of = (list, frame, missing) => (frame < list.length ? list[frame] : missing);
  return (frame) => ({
    low,
    high,
    residual: of(values, frame, NaN),
    a: of(first, frame, -1),
    b: of(second, frame, -1),
    penetration: of(depth, frame, NaN),
  });
}
