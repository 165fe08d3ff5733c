"""Solids that fall on terrain: height fields and open meshes of triangles that are rough, flat, sloped, stepped, a ridge or a
valley, in sizes of 1 cm to 30 m; one solid in five falls on the border. The run ends good (or coarse: overlaps cost energy), and
verify finds every contact again with geometry of its own: points on both shapes, normals that separate, gaps, none missing.
"""
import math

from . import Case

NAME = "terrain"
KINDS = ("rough", "rough", "ridge", "valley", "steps", "slope", "flat")
POINTS = 9  # along each side, half a unit apart


def listed(values):
    return "[" + ", ".join(f"{x:.9g}" for x in values) + "]"


def height(chance, kind, x, y):
    if kind == "rough":
        return chance.uniform(-0.15, 0)
    if kind == "slope":
        return 0.2 * x + 0.05 * chance.uniform(-1, 0)
    return {"ridge": -0.3 * abs(x), "valley": 0.3 * abs(y), "steps": 0.1 * math.floor(x + 2), "flat": 0}[kind]


def solid(chance, unit):
    """A shape and its largest radius."""
    def length(low, high):
        return float(f"{unit * chance.uniform(low, high):.4g}")
    kind = chance.randrange(8)
    if kind == 0:
        return f"sphere: {length(.05, .16)}", 0.16
    if kind == 1:
        return f"capsule: {{radius: {length(.05, .13)}, length: {length(.1, .36)}}}", 0.33
    if kind == 2:
        return f"cylinder: {{radius: {length(.05, .16)}, length: {length(.1, .36)}}}", 0.25
    if kind == 3:
        return f"cone: {{radius: {length(.05, .16)}, height: {length(.1, .3)}}}", 0.25
    if kind == 4:
        return f"box: {[length(.1, .36) for _ in range(3)]}", 0.32
    if kind == 5:
        return f"box: [{length(.2, .5)}, {length(.2, .3)}, {length(.01, .03)}]", 0.3
    if kind == 6:
        return f"ellipsoid: {[length(.05, .16) for _ in range(3)]}", 0.16
    return f"hull: {[[length(-.16, .16) for _ in range(3)] for _ in range(8)]}", 0.28


def ground(chance, unit, heights):
    """A height field, or a mesh of the same points with diagonals at random."""
    if chance.random() < 0.6:
        rows = ", ".join(listed(row) for row in heights)
        return f"height_field: {{size: [{4 * unit:g}, {4 * unit:g}], heights: [{rows}]}}"
    middle = (POINTS - 1) / 2
    points = [listed(((j - middle) * unit / 2, (i - middle) * unit / 2, heights[i][j])) for i in range(POINTS) for j in range(POINTS)]
    triangles = []
    for a in (i * POINTS + j for i in range(POINTS - 1) for j in range(POINTS - 1)):
        b, c, d = a + 1, a + POINTS + 1, a + POINTS
        triangles += [[a, b, c], [a, c, d]] if chance.random() < 0.5 else [[a, b, d], [b, c, d]]
    return f"mesh: {{vertices: [{', '.join(points)}], triangles: {triangles}, open: true}}"


def draw(chance, number):
    unit = chance.choice([1, 1, 1e-2, 30])
    kind = KINDS[number % len(KINDS)]
    middle = (POINTS - 1) / 2
    heights = [[unit * height(chance, kind, (j - middle) / 2, (i - middle) / 2) for j in range(POINTS)] for i in range(POINTS)]
    bodies = [f"  - {{name: floor, fixed: true, shape: {{{ground(chance, unit, heights)}}}, material: m}}"]
    top = max(max(row) for row in heights)
    for k in range(chance.randint(2, 4)):
        shape, reach = solid(chance, unit)
        x = 1.95 if chance.random() < 0.2 else chance.uniform(-1.2, 1.2)
        place = [unit * x, unit * chance.uniform(-1.2, 1.2), top + unit * (reach + 0.02 + 0.8 * k)]
        turn = [chance.gauss(0, 1) for _ in range(4)]
        size = math.sqrt(sum(q * q for q in turn))
        velocity = [unit * chance.uniform(-1, 1), unit * chance.uniform(-1, 1), unit * chance.uniform(-1, 0)]
        spin = [chance.uniform(-4, 4) for _ in range(3)]
        quaternion = "[" + ", ".join(f"{q / size:.17g}" for q in turn) + "]"
        bodies.append(f"  - {{name: b{k}, shape: {{{shape}}}, material: m, position: {listed(place)}, "
                      f"rotation: {quaternion}, velocity: {listed(velocity)}, spin: {listed(spin)}}}")
    text = (f"thud: 1\ntitle: Solids on terrain ({kind})\n"
            f"materials: {{m: {{friction: {chance.uniform(0, 1.2):.3g}, restitution: {chance.choice([0, 0, 0.4])}, density: 1000}}}}\n"
            f"gravity: [0, 0, {-9.81 * unit:.6g}]\nbodies:\n" + "\n".join(bodies)
            + "\nsimulate: {end: 0.8, step: 0.004}\nrecord: {every: 0.02}\n")
    return Case(text, verdicts=("good", "coarse"))
