"""Structures at rest: held by equations, by loaded gaps, or by both, so that nothing can move.

Kinds by number: n independent equations with random gradients; n gaps, each loaded; some of both; a chain of rods with weights
between two anchors (a truss, whose rods are equations in squares of lengths); a block in a corner with friction. The masses are coupled, units are
random, and some cases run with Runge-Kutta arcs or with time stepping.
"""
from . import Case
from .rest import STEPPING, coupled, scene, stays

NAME = "held"


def gradients(chance, n):
    """Independent rows: random ones with a dominant diagonal, half of the time without one."""
    rows = [[float(f"{chance.uniform(-1, 1):.6f}") for _ in range(n)] for _ in range(n)]
    for k, row in enumerate(rows):
        row[k] += float(chance.choice([1, 3]))
    return rows


def linear(row, names):
    return " + ".join(f"({x:.6f})*{name}" for x, name in zip(row, names))


def structure(chance, unit, length, kind):
    """Gaps carry loads: the forces are -A'r with r > 0 along them. Equations carry any."""
    n = chance.randint(1, 8)
    names = [f"q{i}" for i in range(n)]
    rows = gradients(chance, n)
    gaps = [kind == 1 or (kind == 2 and chance.random() < 0.5) for _ in range(n)]
    loads = [unit * length * chance.uniform(0.2, 2) * (1 if gap else chance.choice([-1, 1])) for gap in gaps]
    forces = ", ".join(f"{name}: {-sum(r * row[i] for r, row in zip(loads, rows)):.17g}" for i, name in enumerate(names))
    lines = "".join(f'    - {{name: c{k}, {"gap" if gap else "equation"}: "{linear(row, names)}"}}\n'
                    for k, (row, gap) in enumerate(zip(rows, gaps)))
    body = f"  forces: {{{forces}}}\n  constraints:\n{lines}"
    return names, coupled(chance, n, unit), body, dict.fromkeys(names, 0)


def truss(chance, unit, length):
    """Nodes in the plane, each joined by two rods to anchors or nodes before it: 2 equations per node."""
    count = chance.randint(1, 4)
    points = [(0.0, 0.0), (float(f"{length * chance.uniform(1, 2):.4g}"), 0.0)]
    names, initial, lines = [], {}, ""
    for k in range(count):
        below = points[-2:]
        middle = sum(p[0] for p in below) / 2 + length * chance.uniform(-0.3, 0.3)
        place = (float(f"{middle:.4g}"), float(f"{below[-1][1] - length * chance.uniform(0.5, 1.5):.4g}"))
        names += [f"x{k}", f"y{k}"]
        initial.update({f"x{k}": place[0], f"y{k}": place[1]})
        for other in (-2, -1):
            j = len(points) + other
            end = [f"x{j - 2}", f"y{j - 2}"] if j >= 2 else [f"({points[j][0]!r})", f"({points[j][1]!r})"]
            terms = f"(x{k}-{end[0]})^2+(y{k}-{end[1]})^2"
            square = (f"({place[0]!r}-({points[j][0]!r}))^2+({place[1]!r}-({points[j][1]!r}))^2")
            lines += f'    - {{name: r{k}{"ab"[other + 2]}, equation: "({terms}-({square}))/{length}"}}\n'
        points.append(place)
    masses = ", ".join(str(float(f"{unit * chance.uniform(0.2, 3):.3g}")) for k in range(count) for _ in "xy")
    forces = ", ".join(f"{name}: {-unit * length * 9.81 * chance.uniform(0.1, 2) * (name[0] == 'y'):.4g}" for name in names)
    return names, f"  mass: [{masses}]\n", f"  forces: {{{forces}}}\n  constraints:\n{lines}", initial


def corner(chance, unit, length):
    """Floor y and wall x, both with friction, and an equation for the angle; the loads are inside both cones."""
    mu, load = chance.uniform(0.2, 0.8), unit * length * chance.uniform(0.5, 2)
    push = load * chance.uniform(0.2, 2)
    body = (f"  forces: {{x: {-push:.4g}, y: {-load:.4g}, z: {0.3 * mu * (load + push) * chance.uniform(-1, 1):.4g}}}\n  constraints:\n"
            f"    - {{name: floor, gap: y, friction: {{mu: {mu:.3g}, slip: [\"z'\"]}}}}\n"
            f"    - {{name: wall, gap: x, friction: {{mu: {mu:.3g}, slip: [\"y'\", \"z'\"]}}}}\n"
            "    - {name: guide, equation: w}\n")
    return ["x", "y", "z", "w"], coupled(chance, 4, unit), body, {"x": 0, "y": 0, "z": 0, "w": 0}


def draw(chance, number):
    unit = chance.choice([1, 1, 1e-9, 1e-3, 1e3, 1e9])
    length = chance.choice([1, 1, 1e-3, 1e3])
    kind = number % 8
    pick = kind if kind < 5 else chance.randrange(5)
    names, mass, body, initial = (structure(chance, unit, length, pick) if pick < 3 else
                                  (truss if pick == 3 else corner)(chance, unit, length))
    text = scene(names, mass, body, initial)
    if kind == 6:
        return Case(text, ("--set", "simulate.arcs=runge-kutta"), check=stays(initial, names, length))
    if kind == 7:
        return Case(text, ("--set", f"simulate.method={chance.choice(STEPPING)}", "--set", "simulate.steps=50"),
                    check=stays(initial, names, length, 1e-8))
    return Case(text, check=stays(initial, names, length))
