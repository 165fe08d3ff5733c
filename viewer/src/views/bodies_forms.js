// Shapes that are not drawn by their triangles or outlines: one row for each kind. Everything else about a shape is in the page:
// its points, and whether it is endless, faceted (flat faces that meet in edges) or open (seen from both sides; a line).
//   ball: the lengths of its axes; disc: its radius; box: half of its edges;
//   profile: of a surface of revolution, from the lower to the upper end of the axis z: [radius, z].
const FORMS = {
  sphere: { ball: ({ radius }) => [radius, radius, radius] },
  ellipsoid: { ball: ({ half }) => half },
  disc: { disc: ({ radius }) => radius },
  box: { box: ({ half }) => half },
  capsule: {
    profile: ({ radius, half_length: half }) => {
      const bend = Math.SQRT1_2 * radius;
      return [[0, -half - radius], [bend, -half - bend], [radius, -half], [radius, half], [bend, half + bend], [0, half + radius]];
    },
  },
  cylinder: { profile: ({ radius, half_length: half }) => [[0, -half], [radius, -half], [radius, half], [0, half]] },
  cone: { profile: ({ radius, half_length: half }) => [[0, -half], [radius, -half], [0, half]] },
};

// The form `name` of a shape; undefined: it has none.
export const formOf = (shape, name) => FORMS[shape.kind]?.[name]?.(shape);
