"""Very large friction coefficients, 1e4 to 1e14: in the limit contacts roll, or stick, as long as they are closed.

Kinds by number: a disc rolls down a plane; a block on a belt whose speed changes; a block on a wedge; a sphere in space that starts with
slip; a disc that falls on a floor with spin; a load that lifts a pushed block; a bar on two feet; a disc that rolls over a wave and
takes off. Answers are those of the limit, from which a finite mu differs by about 1/mu.
Every other round goes by Runge-Kutta arcs.
"""
import math

from . import Case

NAME = "large-friction"


def near(expected, part):
    """State within `part` of each value (a pair: value, scale)."""
    def check(summary):
        for name, (value, scale) in expected.items():
            off = abs(summary["state"][name] - value)
            if not off <= part * scale:
                return f"{name} is off by {off:g} of {scale:g}"
        return None
    return check


def scene(body, initial, end):
    start = ", ".join(f'"{name}": {value!r}' for name, value in initial.items())
    return f"thud: 1\nsystem:\n{body}initial: {{{start}}}\nsimulate: {{method: event-driven, end: {end!r}}}\n"


def plane(chance, mu, part):
    """x'' = g sin(al)/(1 + 1/2)"""
    angle, r = chance.uniform(0.05, 1.2), chance.uniform(0.05, 1)
    body = ("  coordinates: [x, y, a]\n" f"  kinetic_energy: \"0.5*(x'^2+y'^2)+0.25*{r!r}^2*a'^2\"\n"
            f"  potential_energy: \"9.81*(cos({angle!r})*y-sin({angle!r})*x)\"\n  constraints:\n"
            f"    - {{name: plane, gap: y, friction: {{mu: {mu!r}, slip: [\"x'-{r!r}*a'\"]}}}}\n")
    way = 9.81 * math.sin(angle) / 1.5 / 2
    return Case(scene(body, {"x": 0, "y": 0, "a": 0}, 1.0), check=near({"x": (way, way), "a": (way / r, way / r)}, 1e-11))


def belt(chance, mu, part):
    """The block follows the belt: x = c (1 - cos(w t))/w."""
    c, w = chance.uniform(0.1, 2), chance.uniform(0.5, 5)
    body = ("  coordinates: [x, y]\n  mass: [1.5, 1.5]\n  forces: {y: -9.81}\n  constraints:\n"
            f"    - {{name: belt, gap: y, friction: {{mu: {mu!r}, slip: [\"x'-{c!r}*sin({w!r}*t)\"]}}}}\n")
    return Case(scene(body, {"x": 0, "y": 0}, 2.0), check=near({"x": (c * (1 - math.cos(2 * w)) / w, c / w)}, 1e-11))


def wedge(chance, mu, part):
    """A block on a wedge on a floor: everything stays, however steep it is."""
    angle = chance.uniform(0.1, 1.4)
    s, c = math.sin(angle), math.cos(angle)
    body = ("  coordinates: [X, Y, x, y]\n  mass: [2, 2, 0.7, 0.7]\n  forces: {Y: -20, y: -7, x: 0.5}\n  constraints:\n"
            f"    - {{name: floor, gap: Y, friction: {{mu: {mu!r}, slip: [\"X'\"]}}}}\n"
            f"    - {{name: face, gap: \"{c!r}*(y-Y)-{s!r}*(x-X)\", friction: {{mu: {mu!r}, slip: "
            f"[\"{c!r}*(x'-X')+{s!r}*(y'-Y')\"]}}}}\n")
    return Case(scene(body, {"X": 0, "Y": 0, "x": 0, "y": 0}, 1.0), check=near({"X": (0, 1), "x": (0, 1), "y": (0, 1)}, 1e-12))


def sphere(chance, mu, part):
    """Slip ends at once: x' (1 + 2/5) = v + (2/5) r w, and then rolling under a push F: x'' = F/(m (1 + 2/5))."""
    r, v, u, spin, push = chance.uniform(0.1, 1), chance.uniform(-2, 2), chance.uniform(-2, 2), chance.uniform(-5, 5), chance.uniform(-1, 1)
    body = ("  coordinates: [x, y, z, a, b]\n" f"  kinetic_energy: \"0.5*(x'^2+y'^2+z'^2)+0.2*{r!r}^2*(a'^2+b'^2)\"\n"
            f"  forces: {{z: -9.81, x: {push!r}}}\n  constraints:\n"
            f"    - {{name: floor, gap: z, friction: {{mu: {mu!r}, slip: [\"x'-{r!r}*b'\", \"y'+{r!r}*a'\"]}}}}\n")
    start = {"x": 0, "y": 0, "z": 0, "a": 0, "b": 0, "x'": v, "y'": u, "b'": spin}
    vx, vy = (v + 0.4 * r * spin) / 1.4, u / 1.4
    return Case(scene(body, start, 1.0), check=near({"x": (vx + push / 2.8, 1), "y": (vy, 1)}, part + 1e-11))


def falling(chance, mu, part):
    """At the first impact the slip ends: x' (1 + 1/2) = v + r w/2; it stays 0 in the next ones."""
    r, v, spin, e, height = chance.uniform(0.1, 1), chance.uniform(-2, 2), chance.uniform(-5, 5), chance.uniform(0, 0.8), chance.uniform(0.2, 1)
    body = ("  coordinates: [x, y, a]\n" f"  kinetic_energy: \"0.5*(x'^2+y'^2)+0.25*{r!r}^2*a'^2\"\n"
            "  potential_energy: 9.81*y\n  constraints:\n"
            f"    - {{name: floor, gap: y, restitution: {e!r}, friction: {{mu: {mu!r}, slip: [\"x'-{r!r}*a'\"]}}}}\n")
    first = math.sqrt(2 * height / 9.81)
    way = v * first + (v + 0.5 * r * spin) / 1.5 * (3 - first)
    return Case(scene(body, {"x": 0, "y": height, "a": 0, "x'": v, "a'": spin}, 3.0), check=near({"x": (way, 3)}, 1e-10))


def lifted(chance, mu, part):
    """The load -P + q t lifts the block at t = P/q; from then on a push F moves it: x = F (t - P/q)^2/2."""
    load, rate, push = chance.uniform(0.5, 2), chance.uniform(0.8, 3), chance.uniform(0.1, 2)
    off = load / rate
    body = ("  coordinates: [x, y]\n  mass: [1, 1]\n" f"  forces: {{x: {push!r}, y: \"{-load!r}+{rate!r}*t\"}}\n  constraints:\n"
            f"    - {{name: floor, gap: y, friction: {{mu: {mu!r}, slip: [\"x'\"]}}}}\n")
    return Case(scene(body, {"x": 0, "y": 0}, off + 1), check=near({"x": (push / 2, 1), "y": (rate / 6, 1)}, part + 1e-9))


def feet(chance, mu, part):
    """A bar on two feet, pushed below the height at which it tips: it stays."""
    push, height = chance.uniform(-4, 4), chance.uniform(0, 1)
    body = ("  coordinates: [x, y, th]\n  mass: [1, 1, 0.3]\n"
            f"  forces: {{x: {push!r}, y: -9.81, th: {-push * height!r}}}\n  constraints:\n"
            f"    - {{name: left, gap: y-0.5*th, friction: {{mu: {mu!r}, slip: [\"x'\"]}}}}\n"
            f"    - {{name: right, gap: y+0.5*th, friction: {{mu: {mu!r}, slip: [\"x'\"]}}}}\n")
    return Case(scene(body, {"x": 0, "y": 0, "th": 0}, 1.0), check=near({"x": (0, 1), "y": (0, 1), "th": (0, 1)}, 1e-12))


def wave(chance, mu, part):
    """Rolling over y = A cos(k x), with flights: energy changes by the impacts alone."""
    r, size, k, v = 0.1, chance.uniform(0.05, 0.4), chance.uniform(1, 3), chance.uniform(1, 4)
    body = ("  coordinates: [x, y, a]\n" f"  kinetic_energy: \"0.5*(x'^2+y'^2)+0.25*{r}^2*a'^2\"\n  potential_energy: 9.81*y\n"
            f"  constraints:\n    - {{name: road, gap: \"y-{size!r}*cos({k!r}*x)\", friction: {{mu: {mu!r}, normal_scale: "
            f"\"sqrt(1+({size * k!r}*sin({k!r}*x))^2)\", slip: [\"(x'-{size * k!r}*sin({k!r}*x)*y')/sqrt(1+({size * k!r}*sin({k!r}*x))^2)"
            f"+{r}*a'\"]}}}}\n")
    start = {"x": 0, "y": size, "a": 0, "x'": v, "a'": -v / r}
    energy = 0.75 * v * v + 9.81 * size

    def balanced(summary):
        book = summary["ledger"]
        off = abs(book["kinetic"] + book["potential"] + book["impact_loss"] - energy)
        return None if off <= (part + 1e-10) * 10 * energy and abs(book["friction_loss"]) <= part * 100 * energy else f"energy is off by {off:g}"
    return Case(scene(body, start, 2.0), check=balanced)


KINDS = (plane, belt, wedge, sphere, falling, lifted, feet, wave)


def draw(chance, number):
    kind, sampled = KINDS[number % len(KINDS)], number // len(KINDS) % 2 == 1
    # the slip of a sphere ends within 1/mu, and Runge-Kutta arcs have their coefficients in the range of numbers
    mu = float(f"{10 ** chance.uniform(4, 11 if sampled and kind is sphere else 14):.3g}")
    case = kind(chance, mu, 10 / mu)
    if sampled:
        case.options = ["--set", "simulate.arcs=runge-kutta"]
    return case
