"""Random mechanisms with contacts and laws: trees and loops of bodies in the plane and in space, with joints of every kind, limits, motors, dry
friction and couplings, that fall on floors, carry loose bodies, pass dead centres, or begin next to positions where they branch.

Kinds by number: see KINDS. Runs end good or coarse, and `thud verify` accepts the records of good ones. Chains that are stretched between
two points may fail: the forces that hold them straight have no bounds, and joints that do not close are named.
"""
import math

from . import Case

NAME = "mechanisms"
FLOOR = {True: "half_plane", False: "plane"}


class Scene:
    """Bodies and joints as lines of a scene."""

    def __init__(self, chance, planar, floor=None):
        self.chance, self.planar = chance, planar
        self.bodies, self.joints, self.count = [], [], 0
        self.material = f"friction: {chance.choice((0, 0.2, 0.5, 0.8, 1.2)):g}"
        if chance.random() < 0.3:
            self.material += f", restitution: {chance.choice((0.3, 0.6)):g}"
        if floor is not None:
            at = [0, floor] if planar else [0, 0, floor]
            self.bodies.append(f"{{name: ground, fixed: true, shape: {FLOOR[planar]}, material: m, position: {at}}}")

    def point(self, p):
        return "[" + ", ".join(f"{x:.15g}" for x in (p[:2] if self.planar else p)) + "]"

    def body(self, name, shape, mass, at, turn=None, group=1, touches=True, more=""):
        turned = f", rotation: {turn}" if turn is not None else ""
        member = f", group: {group}" if group else ""
        material = ", material: m" if touches else ""
        self.bodies.append(f"{{name: {name}{member}, shape: {shape}, mass: {mass:.6g}, position: {self.point(at)}{turned}{material}{more}}}")

    def rod(self, name, p, q, mass, thick=0.05, group=1, touches=True, more=""):
        """A box from p to q."""
        middle = [(a + b) / 2 for a, b in zip(p, q)]
        way = [b - a for a, b in zip(p, q)]
        length = math.sqrt(sum(x * x for x in way))
        if self.planar:
            turn, shape = f"{math.atan2(way[1], way[0]):.17g}", f"{{box: [{length:.15g}, {thick}]}}"
        else:
            turn, shape = quaternion([x / length for x in way]), f"{{box: [{length:.15g}, {thick}, {thick}]}}"
        self.body(name, shape, mass, middle, turn, group, touches, more)

    def joint(self, kind, a, b, at, laws="", more=""):
        self.count += 1
        other = f", b: {b}" if b else ""
        place = f", at: {self.point(at)}" if at is not None else ""
        self.joints.append(f"{{joint: {kind}, name: j{self.count}, a: {a}{other}{place}{more}{laws}}}")
        return f"j{self.count}"

    def text(self, title, end, step, more=""):
        joints = "joints:\n" + "".join(f"  - {line}\n" for line in self.joints) if self.joints else ""
        bodies = "".join(f"  - {line}\n" for line in self.bodies)
        return (f"thud: 1\ntitle: {title}\nplanar: {str(self.planar).lower()}\nmaterials: {{m: {{{self.material}}}}}\n"
                f"bodies:\n{bodies}{joints}simulate: {{end: {end:g}, step: {step:g}{more}}}\n")


def quaternion(x):
    """The turn of (1, 0, 0) into x."""
    w, v = 1 + x[0], (0, -x[2], x[1])
    if w < 1e-9:
        return "[0, 0, 0, 1]"
    size = math.sqrt(w * w + v[1] ** 2 + v[2] ** 2)
    return "[" + ", ".join(f"{c / size:.17g}" for c in (w, *v)) + "]"


def unit(chance):
    while True:
        v = [chance.uniform(-1, 1) for _ in range(3)]
        size = math.sqrt(sum(x * x for x in v))
        if 0.1 < size < 1:
            return [x / size for x in v]


def axis(v):
    return "[" + ", ".join(f"{x:.15g}" for x in v) + "]"


def motor(chance, strength):
    """A motor of a coordinate; strength: a force or torque that carries the mechanism."""
    most = strength * chance.choice((0.1, 1, 1, 10))
    kind = chance.randrange(3)
    if kind == 0:
        return f", motor: {{speed: {chance.uniform(-3, 3):.3g}, at_most: {most:.3g}}}"
    if kind == 1:
        wave = f"{chance.uniform(0.1, 0.5):.3g}*sin({chance.uniform(2, 8):.3g}*t)"
        return f", motor: {{position: {wave}, at_most: {most:.3g}, time: 0.05}}"
    return f", motor: {{speed: {chance.uniform(-2, 2):.3g}*cos({chance.uniform(2, 8):.3g}*t), at_most: {most:.3g}}}"


def laws(chance, turning, strength, often=1.0):
    """Limits, a motor and friction of a coordinate, each of them perhaps."""
    text = ""
    if chance.random() < 0.4 * often:
        text += motor(chance, strength)
    if chance.random() < 0.4 * often:
        size = 1 if turning else 0.2
        text += f", limits: [{-chance.uniform(0, 0.6) * size:.3g}, {chance.uniform(0.01, 0.6) * size:.3g}]"
        if chance.random() < 0.5:
            text += f", restitution: {chance.choice((0.3, 0.7)):g}"
    if chance.random() < 0.5 * often:
        pin = f"{{mu: {chance.uniform(0.1, 0.5):.2g}, radius: {chance.choice((0.01, 0.02)):g}}}" if turning else \
            f"{{mu: {chance.uniform(0.05, 0.4):.2g}}}"
        text += ", friction: " + chance.choice((pin, f"{{bound: {strength * chance.choice((0.01, 0.1, 1)):.2g}}}"))
    return text


# ---- trees -------------------------------------------------------------------------------------------------------------


def joint_in_plane(scene, a, b, at, way, strength):
    chance = scene.chance
    kind = chance.choice(("hinge", "hinge", "hinge", "slider", "fixed", "rod"))
    if kind == "rod":
        ends = f", at_b: {scene.point(at)}" if b is None else ""
        scene.joint("rod", a, b, None, more=ends)
    elif kind == "slider":
        scene.joint("slider", a, b, at, laws(chance, False, 3 * strength), f", axis: [{way[0]:.15g}, {way[1]:.15g}]")
    else:
        scene.joint(kind, a, b, at, laws(chance, True, strength) if kind == "hinge" else "")


def tree_in_plane(chance, _):
    """A branching tree of rods that hangs, stands or falls."""
    scene = Scene(chance, True, 0.0)
    count, hangs = chance.randint(2, 8), chance.random() < 0.5
    height = 0.6 if not hangs else 1.2
    ends = [((0.0, height), None)]
    for k in range(count):
        start, parent = chance.choice(ends[-3:])
        angle, length = chance.uniform(-0.4, 1.2) * chance.choice((-1, 1)) + (0 if k % 2 else math.pi), chance.uniform(0.15, 0.35)
        way = (math.cos(angle), math.sin(angle))
        end = (start[0] + length * way[0], max(start[1] + length * way[1], 0.05))
        way = ((end[0] - start[0]) / math.dist(start, end), (end[1] - start[1]) / math.dist(start, end))
        scene.rod(f"b{k}", start, end, chance.choice((0.2, 0.5, 1, 5)))
        if parent is not None or hangs:
            joint_in_plane(scene, f"b{k}", parent, start, way, 5)
        ends.append((end, f"b{k}"))
    for k in range(chance.randint(0, 2)):
        scene.body(f"ball{k}", "{disc: 0.06}", 1, (chance.uniform(-0.3, 0.3), 2 + 0.2 * k), group=0)
    return scene.text("A tree of rods in the plane", 0.6, chance.choice((0.002, 0.005)))


def joint_in_space(scene, a, b, at, way, strength):
    chance = scene.chance
    kind = chance.choice(("ball", "ball", "hinge", "hinge", "hinge", "universal", "cylindrical", "slider", "planar", "fixed"))
    along, across = unit(chance), unit(chance)
    side = sum(x * y for x, y in zip(along, across))
    across = [x - side * y for x, y in zip(across, along)]
    size = math.sqrt(sum(x * x for x in across))
    across = [x / size for x in across]
    more = {"ball": "", "fixed": "", "universal": f", axis: {axis(along)}, across: {axis(across)}"}.get(kind, f", axis: {axis(along)}")
    if kind in ("slider", "cylindrical", "planar"):
        more = f", axis: {axis(way)}"
    law = ""
    if kind == "hinge":
        law = laws(chance, True, strength)
    elif kind in ("slider", "cylindrical"):
        law = laws(chance, False, 3 * strength)
    scene.joint(kind, a, b, at, law, more)


def tree_in_space(chance, _):
    """A branching tree of rods in space."""
    scene = Scene(chance, False, 0.0)
    count, hangs = chance.randint(2, 7), chance.random() < 0.5
    ends = [((0.0, 0.0, 1.2 if hangs else 0.5), None)]
    for k in range(count):
        start, parent = chance.choice(ends[-3:])
        way, length = unit(chance), chance.uniform(0.15, 0.35)
        end = [s + length * w for s, w in zip(start, way)]
        end[2] = max(end[2], 0.06)
        length = math.dist(start, end)
        way = [(q - p) / length for p, q in zip(start, end)]
        scene.rod(f"b{k}", start, end, chance.choice((0.2, 0.5, 1, 5)))
        if parent is not None or hangs:
            joint_in_space(scene, f"b{k}", parent, start, way, 5)
        ends.append((tuple(end), f"b{k}"))
    for k in range(chance.randint(0, 2)):
        scene.body(f"ball{k}", "{sphere: 0.06}", 1, (chance.uniform(-0.2, 0.2), chance.uniform(-0.2, 0.2), 2 + 0.2 * k), group=0)
    return scene.text("A tree of rods in space", 0.5, chance.choice((0.002, 0.005)))


def chain_in_space(chance, _):
    """A chain of boxes that touch each other but for neighbours, with hinges across, falls on a floor."""
    scene = Scene(chance, False, 0.0)
    count, height = chance.randint(3, 7), chance.uniform(0.1, 0.5)
    for k in range(count):
        scene.body(f"b{k}", "{box: [0.26, 0.08, 0.06]}", chance.choice((0.2, 0.5, 1)), (0.3 * k, 0, height), group=0)
        if k:
            angle = chance.choice((0, math.pi / 2, chance.uniform(0, math.pi)))
            scene.joint("hinge", f"b{k}", f"b{k - 1}", (0.3 * k - 0.15, 0, height), laws(chance, True, 5),
                        f", axis: {axis((0, math.cos(angle), math.sin(angle)))}")
    return scene.text("A chain of boxes falls on a floor", 0.6, chance.choice((0.002, 0.005)))


# ---- loops -------------------------------------------------------------------------------------------------------------


def parallel_cranks(chance, _):
    """Cranks of one length that couplers hold parallel, next to their line or on the way there; perhaps with feet on the floor."""
    cranks, r, pitch = chance.randint(2, 6), chance.uniform(0.1, 0.4), chance.uniform(0.3, 0.6)
    near = chance.choice((0, math.pi)) + chance.choice((1, -1)) * 10 ** chance.uniform(-6, -0.5)
    angle = chance.choice((near, chance.uniform(0, 2 * math.pi)))
    speed = chance.choice((0, 0, chance.uniform(1, 5), -chance.uniform(1, 5)))
    scene = Scene(chance, True)
    top = (r * math.cos(angle), r * math.sin(angle))
    for k in range(cranks):
        foot = (k * pitch, 0)
        head = (foot[0] + top[0], top[1])
        spin = f", velocity: [{-speed * top[1] / 2:.17g}, {speed * top[0] / 2:.17g}], spin: {speed:.17g}"
        scene.rod(f"crank{k}", foot, head, chance.choice((0.5, 1, 1, 3)), touches=False, more=spin)
    moves = f", velocity: [{-speed * top[1]:.17g}, {speed * top[0]:.17g}]"
    for k in range(cranks):
        driven = k == 0 and chance.random() < 0.7
        law = motor(chance, 20 * cranks * r) if driven else laws(chance, True, 2, 0.4).split(", limits")[0]
        scene.joint("hinge", f"crank{k}", None, (k * pitch, 0), law)
    if chance.random() < 0.5:  # one coupler over all cranks
        scene.rod("coupler0", top, ((cranks - 1) * pitch + top[0], top[1]), 2, touches=False, more=moves)
        for k in range(cranks):
            scene.joint("hinge", "coupler0", f"crank{k}", (k * pitch + top[0], top[1]), dry(chance))
    else:
        for k in range(cranks - 1):
            p, q = (k * pitch + top[0], top[1]), ((k + 1) * pitch + top[0], top[1])
            scene.rod(f"coupler{k}", p, q, chance.choice((0.5, 1)), touches=False, more=moves)
            scene.joint("hinge", f"coupler{k}", f"crank{k}", p, dry(chance))
            scene.joint("hinge", f"coupler{k}", f"crank{k + 1}", q, dry(chance))
    if chance.random() < 0.4:
        scene.body("load", "{disc: 0.08}", chance.choice((0.5, 5)), (chance.uniform(0, pitch), r + 0.3), group=0)
        scene.bodies = [line[:-1] + ", material: m}" if "coupler" in line else line for line in scene.bodies]
    return scene.text("Cranks that couplers hold parallel", 1, chance.choice((0.001, 0.002, 0.005)))


def dry(chance):
    return f", friction: {{mu: {chance.uniform(0.05, 0.5):.2g}, radius: {chance.choice((0.01, 0.02)):g}}}" if chance.random() < 0.3 else ""


def four_bar(chance, _):
    """Four-bars of any lengths, many of which pass dead centres or end at one, driven, dry, or loaded."""
    scene = Scene(chance, True)
    ground, crank, coupler = chance.uniform(0.4, 1), chance.uniform(0.1, 0.5), chance.uniform(0.3, 1)
    angle = chance.uniform(0.3, 2.8)
    if chance.random() < 0.25:  # a change-point linkage: a kite or a parallelogram
        coupler = chance.choice((ground, crank))
    a = (crank * math.cos(angle), crank * math.sin(angle))
    if coupler == ground and chance.random() < 0.5:
        b = (a[0] + ground, a[1])
    else:
        turn = chance.uniform(-0.6, 0.9)
        b = (a[0] + coupler * math.cos(turn), a[1] + coupler * math.sin(turn))
    scene.rod("crank", (0, 0), a, chance.choice((0.2, 1, 3)), touches=False)
    scene.rod("coupler", a, b, chance.choice((0.2, 1, 3)), touches=True)
    scene.rod("rocker", b, (ground, 0), chance.choice((0.2, 1, 3)), touches=False)
    law = motor(chance, 10 * crank) if chance.random() < 0.6 else ""
    scene.joint("hinge", "crank", None, (0, 0), law + dry(chance))
    scene.joint("hinge", "coupler", "crank", a, dry(chance))
    scene.joint("hinge", "coupler", "rocker", b, dry(chance))
    scene.joint("hinge", "rocker", None, (ground, 0), dry(chance))
    if chance.random() < 0.5:
        scene.body("load", "{disc: 0.06}", chance.choice((0.2, 2)), ((a[0] + b[0]) / 2, max(a[1], b[1]) + 0.15), group=0)
    return scene.text("A four-bar linkage", 1, chance.choice((0.001, 0.002, 0.004)))


def slider_crank(chance, _):
    """Slider-cranks, also with a rod as long as the crank, which folds onto it and branches there."""
    scene = Scene(chance, True)
    crank = chance.uniform(0.1, 0.3)
    rod = crank * chance.choice((1, 1, chance.uniform(1.2, 4)))
    angle = chance.choice((chance.uniform(0.2, 1.4), math.pi / 2 - 10 ** chance.uniform(-5, -1)))
    speed = chance.choice((0, 2, 10))
    a = (crank * math.cos(angle), crank * math.sin(angle))
    lean = math.asin(a[1] / rod)
    x = a[0] + rod * math.cos(lean)
    turn = -speed * a[0] / (rod * math.cos(lean))
    slide = -speed * a[1] + turn * math.sin(lean) * rod
    scene.rod("crank", (0, 0), a, 1, touches=False, more=f", velocity: [{-speed * a[1] / 2:.17g}, {speed * a[0] / 2:.17g}], spin: {speed:.17g}")
    scene.rod("rod", a, (x, 0), chance.choice((0.5, 2)), touches=False,
              more=f", velocity: [{(slide - speed * a[1]) / 2:.17g}, {speed * a[0] / 2:.17g}], spin: {turn:.17g}")
    scene.body("piston", "{box: [0.1, 0.1]}", chance.choice((0.5, 2)), (x, 0), more=f", velocity: [{slide:.17g}, 0]")
    scene.joint("hinge", "crank", None, (0, 0), (motor(chance, 10) if chance.random() < 0.7 else "") + dry(chance))
    scene.joint("hinge", "rod", "crank", a, dry(chance))
    scene.joint("hinge", "piston", "rod", (x, 0), dry(chance))
    guide = f", friction: {{mu: {chance.uniform(0.05, 0.3):.2g}}}" if chance.random() < 0.4 else ""
    scene.joint("slider", "piston", None, (x, 0), guide, ", axis: [1, 0]")
    if chance.random() < 0.4:
        scene.body("block", "{box: [0.1, 0.1]}", 0.5, (x + 0.15, 0), group=0)
    return scene.text("A slider-crank", 1, chance.choice((0.001, 0.002)))


def truss_in_plane(chance, _):
    """Random loops: quads of hinged rods beside each other, some braced (redundant), hung up or dropped on a floor."""
    scene = Scene(chance, True, 0.0)
    count, height, size = chance.randint(1, 4), chance.uniform(0.2, 0.6), 0.3
    shear = chance.choice((0, 0, chance.uniform(-0.2, 0.2)))
    nodes = [[(size * k + shear * j, height + size * j) for j in range(2)] for k in range(count + 1)]
    bars, ends = 0, {}

    def bar(p, q):
        nonlocal bars
        scene.rod(f"b{bars}", p, q, chance.choice((0.3, 1)), thick=0.03)
        for end in (p, q):
            if end in ends:
                scene.joint("hinge", f"b{bars}", ends[end], end, laws(chance, True, 3, 0.4))
            ends.setdefault(end, f"b{bars}")
        bars += 1
    for k in range(count + 1):
        bar(*nodes[k])
    for k in range(count):
        bar(nodes[k][0], nodes[k + 1][0])
        bar(nodes[k][1], nodes[k + 1][1])
        braces = chance.choice((0, 0, 1, 2))
        if braces > 0:
            bar(nodes[k][0], nodes[k + 1][1])
        if braces > 1:
            bar(nodes[k][1], nodes[k + 1][0])
    if chance.random() < 0.5:
        scene.joint("hinge", "b0", None, nodes[0][1])
    for k in range(chance.randint(0, 2)):
        scene.body(f"ball{k}", "{disc: 0.06}", chance.choice((0.5, 3)), (chance.uniform(0, 0.3), 1.3 + 0.2 * k), group=0)
    return scene.text("Quads of hinged rods", 0.6, chance.choice((0.002, 0.005)))


def loop_in_space(chance, _):
    """Closed loops in space: overconstrained ones with parallel hinges, of balls, Bricard's with laws."""
    if chance.random() < 0.35:
        return bricard(chance)
    scene = Scene(chance, False, 0.0)
    normal, count, height = unit(chance), chance.randint(4, 7), 0.7
    e = unit(chance)
    side = sum(x * y for x, y in zip(e, normal))
    e = [x - side * y for x, y in zip(e, normal)]
    size = math.sqrt(sum(x * x for x in e))
    e = [x / size for x in e]
    f = [normal[1] * e[2] - normal[2] * e[1], normal[2] * e[0] - normal[0] * e[2], normal[0] * e[1] - normal[1] * e[0]]
    angles = sorted((k + chance.uniform(-0.3, 0.3)) * 2 * math.pi / count for k in range(count))
    points = [tuple((height if i == 2 else 0) + 0.3 * (math.cos(x) * e[i] + math.sin(x) * f[i]) for i in range(3)) for x in angles]
    flat = chance.random() < 0.6
    for k in range(count):
        scene.rod(f"b{k}", points[k], points[(k + 1) % count], chance.choice((0.3, 1)), thick=0.03)
    for k in range(count):
        kind = "hinge" if flat else chance.choice(("ball", "ball", "hinge", "universal"))
        if kind == "universal":
            scene.joint("universal", f"b{(k + 1) % count}", f"b{k}", points[(k + 1) % count], "", f", axis: {axis(e)}, across: {axis(f)}")
        else:
            law = laws(chance, True, 2, 0.5) if kind == "hinge" else ""
            scene.joint(kind, f"b{(k + 1) % count}", f"b{k}", points[(k + 1) % count], law, f", axis: {axis(normal)}" if kind == "hinge" else "")
    if chance.random() < 0.5:
        scene.joint(chance.choice(("ball", "fixed")), "b0", None, points[0])
    return scene.text("A loop in space", 0.5, chance.choice((0.002, 0.005)))


def bricard(chance):
    scene = Scene(chance, False)
    points = [(0, 0, 0), (1, 0, 0), (1, -1, 0), (1, -1, 1), (0, -1, 1), (0, 0, 1)]
    axes = [(0, 1, 0), (0, 0, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 0)]
    for k in range(5):
        scene.rod(f"b{k}", points[k], points[k + 1], 1, thick=0.1, touches=False)
    for k in range(6):
        a, b = ("b0", None) if k == 0 else ("b4", None) if k == 5 else (f"b{k}", f"b{k - 1}")
        scene.joint("hinge", a, b, points[k], laws(chance, True, 10, 0.3), f", axis: {axis(axes[k])}")
    return scene.text("Bricard's mechanism with laws", 1.5, chance.choice((0.002, 0.005, 0.01)))


def door(chance, _):
    """Doors on two to four hinges, redundant, with stops, a closer and dry pins, perhaps struck by balls."""
    scene = Scene(chance, False, 0.0)
    hinges, width = chance.randint(2, 4), chance.uniform(0.5, 1)
    scene.body("door", f"{{box: [{width:.6g}, 0.04, 1.8]}}", 20, (width / 2, 0, 1.0),
               more=f", velocity: [0, {width / 2:.15g}, 0], spin: [0, 0, 1]")
    heights = [0.3 + 1.4 * k / (hinges - 1) for k in range(hinges)]
    for k, z in enumerate(heights):
        kind = "ball" if k and chance.random() < 0.3 else "hinge"
        law = laws(chance, True, 10) if kind == "hinge" else ""
        scene.joint(kind, "door", None, (0, 0, z), law, ", axis: [0, 0, 1]" if kind == "hinge" else "")
    for k in range(chance.randint(0, 3)):
        speed = chance.uniform(0, 5)
        scene.body(f"ball{k}", "{sphere: 0.1}", 1, (width * chance.uniform(0.4, 0.9), -0.4 - 0.25 * k, 1), group=0,
                   more=f", velocity: [0, {speed:.3g}, 1]")
    return scene.text("A door on hinges", 1, chance.choice((0.002, 0.005)))


# ---- machines on floors ------------------------------------------------------------------------------------------------


def legs(chance, _):
    """A body on legs with hips and knees, falls on its feet."""
    scene = Scene(chance, True, 0.0)
    count, height = chance.choice((2, 2, 3, 4)), chance.uniform(0.82, 0.95)
    scene.body("trunk", "{box: [1, 0.15]}", 10, (0, height))
    for k in range(count):
        hip = (-0.4 + 0.8 * k / (count - 1), height - 0.05)
        x, y = chance.uniform(-0.4, 0.4), chance.uniform(-0.4, 0.4)
        knee = (hip[0] + 0.4 * math.sin(x), hip[1] - 0.4 * math.cos(x))
        foot = (knee[0] + 0.35 * math.sin(y), knee[1] - 0.35 * math.cos(y))
        scene.rod(f"thigh{k}", hip, knee, 1)
        scene.rod(f"shin{k}", knee, foot, 0.5)
        scene.joint("hinge", f"thigh{k}", "trunk", hip, laws(chance, True, 40, 1.5))
        scene.joint("hinge", f"shin{k}", f"thigh{k}", knee, laws(chance, True, 20, 1.5))
    return scene.text("A body on legs", 0.6, chance.choice((0.002, 0.004)))


def feet(chance, _):
    """A walker whose cranks carry two feet, from any angle, also next to the dead centres, with or without a belt."""
    scene = Scene(chance, True)
    r, angle = chance.choice((0.05, 0.1)), chance.choice((chance.uniform(0, 6.28), 10 ** chance.uniform(-6, -1), math.pi / 2))
    x, y = r * math.cos(angle), r * math.sin(angle)
    scene.bodies.append(f"{{name: ground, fixed: true, shape: half_plane, material: m, position: [0, {-abs(y):.17g}]}}")
    scene.body("trunk", "{box: [0.6, 0.15]}", 10, (0, 0.4), touches=False)
    for name, at in (("front", 0.25), ("rear", -0.25)):
        scene.body(name, "{box: [0.04, 0.24]}", 0.5, (at, 0.4), touches=False)
    for name, sign in (("a", 1), ("b", -1)):
        scene.bodies.append(f"{{name: foot-{name}, group: 1, mass: 1, position: [{sign * x:.17g}, {0.4 + sign * y:.17g}], "
                            "parts: [{shape: {box: [0.9, 0.04]}, position: [0, -0.38], material: m}]}")
    drive = f", motor: {{speed: {chance.uniform(-6, 6):.3g}, at_most: {chance.choice((10, 40, 200))}}}"
    scene.joint("hinge", "front", "trunk", (0.25, 0.4), drive)
    scene.joint("hinge", "rear", "trunk", (-0.25, 0.4))
    for sign, foot in ((1, "foot-a"), (-1, "foot-b")):
        for crank, at in (("front", 0.25), ("rear", -0.25)):
            scene.joint("hinge", foot, crank, (at + sign * x, 0.4 + sign * y), dry(chance))
    if chance.random() < 0.5:
        scene.joint("gear", "front", "rear", None, "", ", radius_a: 0.05, radius_b: -0.05")
    return scene.text("A machine on two feet", 1, chance.choice((0.001, 0.002, 0.004)))


def car(chance, _):
    """A car in the plane: struts with stops and friction, driven hubs, over a step or from a height."""
    scene = Scene(chance, True, 0.0)
    drop = chance.choice((0, 0, chance.uniform(0, 0.3)))
    scene.body("body", "{box: [1, 0.2]}", 10, (0, 0.5 + drop))
    for k, x in enumerate((-0.4, 0.4)):
        scene.body(f"arm{k}", "{box: [0.05, 0.3]}", 1, (x, 0.35 + drop), touches=False)
        scene.body(f"wheel{k}", "{disc: 0.2}", 1, (x, 0.2 + drop))
        scene.joint("slider", f"arm{k}", "body", (x, 0.5 + drop),
                    f", limits: [-0.05, 0.1], friction: {{bound: {chance.uniform(0, 80):.3g}}}", ", axis: [0, 1]")
        scene.joint("hinge", f"wheel{k}", f"arm{k}", (x, 0.2 + drop), laws(chance, True, 20, 0.7).split(", limits")[0])
    if chance.random() < 0.5:
        scene.bodies.append("{name: sill, fixed: true, shape: {box: [0.3, 0.1]}, material: m, position: [1.0, 0.02]}")
    return scene.text("A car with dry struts", 0.6, chance.choice((0.002, 0.004)))


def strong_pins(chance, _):
    """Bodies whose pins are dry and thick beside their sizes, under load and struck."""
    scene = Scene(chance, True, 0.0)
    count, height = chance.randint(1, 5), chance.uniform(0.15, 0.6)
    hung = chance.random() < 0.4
    for k in range(count + 1):
        scene.rod(f"b{k}", (0.3 * k, height), (0.3 * k + 0.3, height), chance.choice((0.2, 1, 5)), group=1)
        if k or hung:
            rho = chance.choice((0.005, 0.01, 0.02, 0.05))
            law = f", friction: {{rho: {rho:g}}}" + (motor(chance, 5) if chance.random() < 0.5 else "")
            law += ", limits: [-0.3, 0.5]" if chance.random() < 0.3 else ""
            scene.joint("hinge", f"b{k}", f"b{k - 1}" if k else None, (0.3 * k, height), law)
    for k in range(chance.randint(0, 2)):
        scene.body(f"ball{k}", "{disc: 0.08}", chance.choice((0.5, 5)), (0.3 * chance.uniform(0, count + 1), height + 0.3 + 0.2 * k), group=0)
    return scene.text("Rods on dry pins", 0.6, chance.choice((0.002, 0.005)))


def ropes(chance, _):
    """Bodies on ropes, rods and pulleys, that go taut with a snap, hit each other and the floor."""
    planar = chance.random() < 0.5
    scene = Scene(chance, planar, 0.0)
    count = chance.randint(1, 4)
    for k in range(count):
        x, z = 0.4 * k, chance.uniform(0.5, 1.2)
        at = (x, z) if planar else (x, chance.uniform(-0.1, 0.1), z)
        hook = (x + chance.uniform(-0.3, 0.3), 1.6) if planar else (x, chance.uniform(-0.3, 0.3), 1.6)
        shape = "{disc: 0.1}" if planar else "{sphere: 0.1}"
        scene.body(f"b{k}", shape, chance.choice((0.5, 1, 5)), at, group=0)
        length = math.dist(at, hook) * chance.choice((1, chance.uniform(1, 1.4)))
        scene.joint(chance.choice(("rope", "rope", "rope", "rod")) if length == math.dist(at, hook) else "rope", f"b{k}", None, None,
                    f", restitution: {chance.choice((0, 0.5))}" if length > math.dist(at, hook) else "",
                    f", at_b: {scene.point(hook)}" + (f", length: {length:.15g}" if length > math.dist(at, hook) else ""))
        if k and chance.random() < 0.6:
            scene.joint("rope", f"b{k}", f"b{k - 1}", None, "", f", length: {0.4 + 0.6 * chance.random() + 0.3:.15g}")
    if count > 1 and chance.random() < 0.5:
        over = [scene.point((x, 2.5) if planar else (x, 0, 2.5)) for x in (0.1, 0.4)]
        scene.joint("pulley", "b0", "b1", None, "", f", over_a: {over[0]}, over_b: {over[1]}, ratio: {chance.choice((1, 2))}")
    return scene.text("Bodies on ropes", 1, chance.choice((0.002, 0.005)))


def gears(chance, _):
    """Gears in a row on hinges, a rack or a screw behind them, driven against stops and friction."""
    scene = Scene(chance, True)
    count, x = chance.randint(2, 5), 0.0
    radii = [chance.uniform(0.05, 0.15) for _ in range(count)]
    for k, radius in enumerate(radii):
        x += radius + radii[k - 1] if k else 0
        scene.body(f"wheel{k}", f"{{disc: {radius:.15g}}}", chance.choice((0.2, 1, 5)), (x, 0), touches=False)
        scene.joint("hinge", f"wheel{k}", None, (x, 0), laws(chance, True, 2, 0.7))
        if k:
            scene.joint("gear", f"wheel{k - 1}", f"wheel{k}", None, "", f", radius_a: {radii[k - 1]:.15g}, radius_b: {radius:.15g}")
    if chance.random() < 0.5:
        scene.body("bar", "{box: [0.05, 1]}", 3, (x + radii[-1], 0), touches=False)
        scene.joint("slider", "bar", None, (x + radii[-1], 0), laws(chance, False, 30, 0.7), ", axis: [0, 1]")
        scene.joint("rack", f"wheel{count - 1}", "bar", (x, 0), "", f", along: [0, 1], radius: {radii[-1]:.15g}")
    if chance.random() < 0.3:  # a ring of gears that closes: redundant
        scene.joint("gear", "wheel0", f"wheel{count - 1}", None, "",
                    f", radius_a: {radii[0]:.15g}, radius_b: {(-1) ** count * radii[-1]:.15g}")
    return scene.text("Gears in a row", 1, chance.choice((0.002, 0.005)))


def stretched(chance, _):
    """Chains between two points that are stretched or nearly: their rank falls in the line."""
    scene = Scene(chance, True)
    count, sag = chance.randint(2, 8), chance.choice((0, 10 ** chance.uniform(-7, -1), 10 ** chance.uniform(-3, -1)))
    angle = chance.uniform(-0.5, 0.5)
    points = []
    for k in range(count + 1):
        s = k / count
        across = -sag * 4 * s * (1 - s)
        points.append((s * math.cos(angle) - across * math.sin(angle), s * math.sin(angle) + across * math.cos(angle)))
    for k in range(count):
        scene.rod(f"b{k}", points[k], points[k + 1], chance.choice((0.2, 1)), thick=0.03)
        scene.joint("hinge", f"b{k}", f"b{k - 1}" if k else None, points[k], dry(chance))
    scene.joint("hinge", f"b{count - 1}", None, points[count])
    if chance.random() < 0.5:
        scene.body("load", "{disc: 0.06}", chance.choice((0.5, 5)), (0.5, 0.5), group=0)
    return scene.text("A chain between two points", 0.5, chance.choice((0.001, 0.002)))


KINDS = (tree_in_plane, tree_in_space, chain_in_space, parallel_cranks, four_bar, slider_crank, truss_in_plane, loop_in_space, door, legs,
         feet, car, strong_pins, ropes, gears, stretched)


def names_a_joint(summary):
    """Runs that fail say which joint does not close, or that its laws have no answer."""
    if summary["verdict"] != "failed" or "joint '" in summary["reason"]:
        return None
    return summary["reason"]


def draw(chance, number):
    kind = KINDS[number % len(KINDS)]
    text = kind(chance, number)
    if kind is stretched:
        return Case(text, verdicts=("good", "coarse", "failed"), check=names_a_joint)
    return Case(text, verdicts=("good", "coarse"))
