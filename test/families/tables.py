"""Laws of impact by table: admissible ones move as Newton's law with the same restitution does, by every method that takes a
table; inadmissible ones are refused by the name of the axiom that they violate."""
import json
import os
import pathlib
import subprocess
import tempfile

from . import Case

NAME = "tables"
METHODS = ("event-driven", "moreau", "moreau-jean", "second-order", "stabilised", "implicit")
PROGRAM = os.environ.get("THUD_PROGRAM") or str(pathlib.Path(__file__).resolve().parents[2] / "build" / "release" / "thud")


def inverse(matrix):
    """Of a small matrix, by Gauss and Jordan."""
    n = len(matrix)
    rows = [list(row) + [float(i == j) for j in range(n)] for i, row in enumerate(matrix)]
    for k in range(n):
        p = max(range(k, n), key=lambda i: abs(rows[i][k]))
        rows[k], rows[p] = rows[p], rows[k]
        rows[k] = [x / rows[k][k] for x in rows[k]]
        for i in range(n):
            if i != k:
                rows[i] = [x - rows[i][k] * y for x, y in zip(rows[i], rows[k])]
    return [row[n:] for row in rows]


def rounded(matrix):
    return [[float(f"{x:.6g}") for x in row] for row in matrix]


def coupled_mass(chance, n):
    """Symmetric and positive definite."""
    a = [[chance.uniform(-1, 1) for _ in range(n)] for _ in range(n)]
    return rounded([[sum(a[i][k] * a[j][k] for k in range(n)) + (0.6 + 0.2 * i) * (i == j) for j in range(n)]
                    for i in range(n)])


def normal_parts(mass, gradients):
    """Rows of M^-1 A' W^-1, so that the normal part of v is P (A v); W = A M^-1 A'."""
    back = inverse(mass)
    n = len(mass)
    columns = [[sum(back[i][k] * a[k] for k in range(n)) for i in range(n)] for a in gradients]
    small = inverse([[sum(x * y for x, y in zip(a, c)) for c in columns] for a in gradients])
    return [[sum(columns[j][i] * small[j][k] for j in range(len(gradients))) for k in range(len(gradients))]
            for i in range(n)]


def orthogonal(mass, gradient, other):
    """The second gradient without its kinetic part along the first: W12 = 0, so that every law is Newton's, and both
    orders of the contacts give the same."""
    back = inverse(mass)
    n = len(mass)
    product = lambda a, b: sum(a[i] * back[i][j] * b[j] for i in range(n) for j in range(n))  # noqa: E731
    share = product(gradient, other) / product(gradient, gradient)
    return [y - share * x for x, y in zip(gradient, other)]


def scene(names, mass, force, constraints, extra, initial, method, steps, end):
    rows = ", ".join("[" + ", ".join(repr(x) for x in row) + "]" for row in mass)
    forces = ", ".join(f'{name}: "{f}"' for name, f in zip(names, force))
    state = ", ".join(f'"{name}": {value!r}' for name, value in initial.items())
    simulate = f"method: {method}, end: {end}" + ("" if method == "event-driven" else f", steps: {steps}")
    return (f"thud: 1\nsystem:\n  coordinates: [{', '.join(names)}]\n  mass: [{rows}]\n  forces: {{{forces}}}\n"
            f"  constraints:\n" + "".join(f"    - {{{c}}}\n" for c in constraints) + extra +
            f"initial: {{{state}}}\nsimulate: {{{simulate}}}\n")


def same_motion(text, tolerance):
    """A check: the state at the end is that of another scene."""
    def check(summary):
        with tempfile.TemporaryDirectory(prefix="thud-family-") as folder:
            path = pathlib.Path(folder, "newton.yaml")
            path.write_text(text)
            done = subprocess.run([PROGRAM, "run", str(path), "-o", str(path) + ".h5", "--json"], capture_output=True,
                                  text=True, timeout=120, check=False)
        other = json.loads(done.stdout)
        if other["verdict"] not in ("good", "coarse"):
            return f"Newton's law itself: {other['verdict']}: {other.get('reason')}"
        worst = max(abs(value - other["state"][key]) for key, value in summary["state"].items())
        return None if worst <= tolerance else f"differs from Newton's law by {worst:g}"
    return check


def refused(axiom):
    """A check: the table is refused by this axiom at its first impact; a motion without impacts says nothing of it."""
    def check(summary):
        if summary["verdict"] == "good":
            return "an inadmissible law passed an impact" if summary["impacts"] else None
        return None if axiom in (summary.get("reason") or "") else f"refused by '{summary.get('reason')}', not by {axiom}"
    return check


def table_of(names, mass, gradients, factor, gaps=None):
    """v+ = v- - factor * normal part, written out; with gaps: the parts of the constraints that are closed."""
    parts = normal_parts(mass, gradients)
    velocity = [" + ".join(f"({a!r})*{name}'" for a, name in zip(g, names)) for g in gradients]
    if gaps:
        velocity = [f"if({gap} < 1e-9, {v}, 0)" for gap, v in zip(gaps, velocity)]
    lines = [f"{name}' - ({factor})*(" + " + ".join(f"({p!r})*({v})" for p, v in zip(parts[i], velocity)) + ")"
             for i, name in enumerate(names)]
    return "  impact_law: {table: {" + ", ".join(f'{name}: "{line}"' for name, line in zip(names, lines)) + "}}\n"


def both(chance, method, names, mass, gradients, offsets, restitution, factor, initial, extra="", friction="",
         tied=False):
    """The table and its equal by restitution; tied: a part of the mass of x is that of w, which an equation ties to x."""
    force = [f"{chance.uniform(-1, 1) - 4 * sum(g[i] for g in gradients):.4g} - 0.2*{name}'" for i, name in enumerate(names)]
    gap = [" + ".join(f"({a!r})*{name}" for a, name in zip(g, names)) + f" + {o!r}" for g, o in zip(gradients, offsets)]
    steps, end = 400, 1.5
    plain = [f'name: c{k}, gap: "{g}"{friction}' for k, g in enumerate(gap)]
    elastic = [f'name: c{k}, gap: "{g}", restitution: "{restitution}"{friction}' for k, g in enumerate(gap)]
    law = table_of(names, mass, gradients, factor, gap if len(gap) > 1 else None)
    if tied:
        law = law.replace("}}", ", w: " + law[law.index('"'):law.index('"', law.index('"') + 1) + 1] + "}}")
        part = 0.3
        mass = [row + [0.0] for row in mass] + [[0.0] * len(names) + [part]]
        mass[0][0] -= part
        names, force, initial = names + ["w"], force + ["0"], {**initial, "w": 0.0, "w'": initial["x'"]}
        plain, elastic = plain + ["name: tie, equation: w - x"], elastic + ["name: tie, equation: w - x"]
    table = scene(names, mass, force, plain, extra + law, initial, method, steps, end)
    newton = scene(names, mass, force, elastic, extra, initial, method, steps, end)
    # By events both are the same problem up to rounding, which impacts enlarge. In a step Newton's law lets a contact that
    # separates come back at e times its speed, a table stops it: velocities differ by what the forces do within a step.
    return Case(table, verdicts=("good", "coarse"), check=same_motion(newton, 1e-8 if method == "event-driven" else 0.05))


def draw(chance, number):
    method = METHODS[number % len(METHODS)]
    kind = (number // len(METHODS)) % 8
    n = chance.randint(1, 3) if kind in (0, 2) else chance.randint(2, 3)
    names = ["x", "y", "z"][:n]
    mass = coupled_mass(chance, n)
    gradient = [float(f"{chance.choice((-1, 1)) * chance.uniform(0.3, 1):.4g}") for _ in range(n)]
    other = [float(f"{chance.choice((-1, 1)) * chance.uniform(0.3, 1):.4g}") for _ in range(n)]
    e = float(f"{chance.choice((0, 1, chance.random(), chance.random())):.4g}")
    initial = {name: 0.0 for name in names}
    initial.update({f"{name}'": round(chance.uniform(-1, 1), 3) for name in names})
    if kind == 0:  # one constraint
        return both(chance, method, names, mass, [gradient], [0.5], e, 1 + e, initial)
    if kind == 1:  # two constraints of a corner, orthogonal in the kinetic metric
        return both(chance, method, names, mass, [gradient, orthogonal(mass, gradient, other)], [0.3, 0.0], e,
                    f"1 + {e!r}", {**initial, **{f"{name}'": 0.0 for name in names}})
    if kind == 2:  # the restitution depends on position and time
        restitution = f"{e!r}*exp(-0.1*({names[0]})^2)*(0.7 + 0.3*cos(t))"
        return both(chance, method, names, mass, [gradient], [0.4], restitution, f"1 + {restitution}", initial)
    if kind == 3:  # friction on the contact, and a brake
        slip = ", ".join(f"{x:.3g}*{name}'" for x, name in zip(other[:1], names[:1]))
        friction = f', friction: {{mu: {chance.uniform(0.1, 0.5):.3g}, slip: ["{slip}"]}}'
        brake = ('  friction:\n    - {name: brake, threshold: 0.2, slip: ["' + names[1] +
                 '\'"], law: {interval: {lower: -1, upper: 1}}}\n')
        return both(chance, method, names, mass, [gradient], [0.5], min(e, 0.6), f"1 + {min(e, 0.6)!r}", initial, brake,
                    friction)
    if kind == 6:  # a law that would create energy is brought back to the elastic one
        return both(chance, method, names, mass, [gradient], [0.5], 1, f"2 + {e!r}", initial)
    if kind == 7:  # an equation: w moves with x, whose mass is larger by that of w
        return both(chance, method, names, mass, [gradient], [0.5], e, 1 + e, initial, tied=True)
    gap = " + ".join(f"({a!r})*{name}" for a, name in zip(gradient, names)) + " + 0.3"
    force = [f"{-4 * a:.4g}" for a in gradient]
    if kind == 4:  # axiom (b): a part of the tangential velocity is lost as well
        lost = table_of(names, mass, [gradient], 1 + e).replace(f"{names[0]}: \"{names[0]}'", f"{names[0]}: \"0.5*{names[0]}'")
        text = scene(names, mass, force, [f'name: c0, gap: "{gap}"'], lost, initial, method, 400, 1.5)
        return Case(text, verdicts=("failed", "good"), check=refused("axiom (b)"))
    # axiom (a): the constraint still approaches
    left = table_of(names, mass, [gradient], 0.5)
    text = scene(names, mass, force, [f'name: c0, gap: "{gap}"'], left, initial, method, 400, 1.5)
    return Case(text, verdicts=("failed", "good"), check=refused("axiom (a)"))
