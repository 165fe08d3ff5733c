"""Planks on two fixed rollers: boxes, hulls, capsules, thin boxes and cylinders fall on lying cylinders or capsules that are longer or
shorter than they are wide, of equal or different radii, in sizes of 1 mm to 1 km, with a tilt of 0, 1e-9, 1e-6 or 1e-3 about the
length, the width or both. Without restitution they come to rest after a few impacts, and nothing gives them energy: the
kinetic energy at the end is what the tolerance of the contact solver leaves, far below that of the fall.
"""
import math

from . import Case

NAME = "rollers"
TILTS = (0, 1e-9, 1e-6, 1e-3)


def plank(kind, length, width, thick):
    if kind == "capsule":
        return f"capsule: {{radius: {thick / 2:.9g}, length: {length:.9g}}}"
    if kind == "cylinder":
        return f"cylinder: {{radius: {thick / 2:.9g}, length: {length:.9g}}}"
    if kind == "hull":
        corners = [[x * length / 2, y * width / 2, z * thick / 2] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
        return f"hull: {corners}"
    return f"box: [{length:.9g}, {width:.9g}, {thick:.9g}]"


def draw(chance, number):
    kind = ("box", "hull", "capsule", "thin", "cylinder")[number % 5]
    tilt = TILTS[number // 5 % 4]
    unit = 10 ** chance.randint(-3, 3)
    width, thick = unit * chance.uniform(0.1, 0.4), unit * (0.01 if kind == "thin" else chance.uniform(0.03, 0.08))
    length = unit * chance.uniform(0.9, 1.4)
    radii = [unit * 0.1, unit * chance.choice([0.1, 0.1, 0.06])]
    half = [unit * 0.3, unit * chance.uniform(0.2, 0.35)]
    roller = chance.choice(("cylinder", "cylinder", "capsule"))
    rolls = [unit * chance.uniform(0.05, 0.6) for _ in range(2)]
    # the tops of both rollers have one height
    bodies = [f"  - {{name: r{k}, fixed: true, shape: {{{roller}: {{radius: {radii[k]:.9g}, length: {rolls[k]:.9g}}}}}, material: m, "
              f"position: [{(2 * k - 1) * half[k]:.9g}, 0, {-radii[k]:.9g}], rotation: {{axis: [1, 0, 0], angle: pi/2}}}}" for k in range(2)]
    drop = 0.01 * unit
    long = kind in ("capsule", "cylinder")
    axis = chance.choice(([1, 0, 0], [0, 1, 0], [0.3, 1, 0]))
    turn = [math.sin(tilt / 2) * a / math.hypot(*axis) for a in axis]
    w, x, y, z = math.cos(tilt / 2), *turn
    if long:  # along x instead of z: first a quarter turn about y
        c = math.sqrt(0.5)
        w, x, y, z = c * (w - y), c * (x - z), c * (w + y), c * (x + z)
    bodies.append(f"  - {{name: plank, shape: {{{plank(kind, length, width, thick)}}}, material: m, "
                  f"position: [0, 0, {thick / 2 + drop:.17g}], rotation: [{w:.17g}, {x:.17g}, {y:.17g}, {z:.17g}]}}")
    g = 9.81 * unit  # the same motion in every size
    text = (f"thud: 1\ntitle: A plank on two rollers\nmaterials: {{m: {{friction: {chance.uniform(0.2, 0.8):.3g}, density: 500}}}}\n"
            f"gravity: [0, 0, {-g:.6g}]\nbodies:\n" + "\n".join(bodies)
            + "\nsimulate: {end: 1, step: 0.002}\nrecord: {every: 0.05}\n")
    return Case(text, check=lambda summary: rests(summary, unit * math.sqrt(2 * 9.81 * 0.01), "z" if long else "xyz"))


def rests(summary, fall, axes):
    """Few impacts, and speeds at the end of 1e-6 of that of the fall; round planks may roll along the rollers."""
    state = summary["state"]
    speed = max(abs(state[f"plank.v{axis}"]) for axis in axes)
    if summary["impacts"] > 40:
        return f"{summary['impacts']} impacts"
    return None if speed <= 1e-6 * fall else f"a speed of {speed:g} is left, {speed / fall:g} of that of the fall"
