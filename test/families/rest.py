"""Rest with a coupled mass matrix: contacts, friction or stops hold some coordinates, the others have no force.

Forces and reactions cancel, so that the accelerations are 0 by cancellation alone. Kinds by number: one stop and a free
coordinate; two loaded contacts and a free third coordinate; several contacts with oblique gradients; a pendulum that hangs under a
cart on a stop; a block that sticks; springs in an equilibrium of decimal numbers; a block that slides to rest; a body that
falls on a stop without rebound; two coordinates that bounce until they rest. Masses and lengths are in random units, and some cases run with Runge-Kutta arcs or with time stepping.
"""
from . import Case

NAME = "rest"

STEPPING = ("moreau", "moreau-jean", "stabilised", "second-order", "implicit")


def coupled(chance, n, unit):
    """A positive definite matrix, in which everything is coupled: B B' + 1."""
    rows = [[chance.uniform(-1, 1) for _ in range(n)] for _ in range(n)]
    return [[float(f"{unit * (sum(a * b for a, b in zip(rows[i], rows[j])) + (i == j)):.4g}") for j in range(n)]
            for i in range(n)]


def scene(names, mass, body, initial, end=1.0, method="event-driven"):
    """The text of a scene; `mass`: a matrix, or lines of the system."""
    lines = mass if isinstance(mass, str) else "  mass: [" + ", ".join(str(row) for row in mass) + "]\n"
    start = ", ".join(f'"{name}": {value:.17g}' for name, value in initial.items())
    return (f"thud: 1\nsystem:\n  coordinates: [{', '.join(names)}]\n{lines}{body}"
            f"initial: {{{start}}}\nsimulate: {{method: {method}, end: {end:.17g}}}\n")


def stays(initial, names, size, part=1e-12):
    """Each coordinate is where it was, to a part of `size`: what rounding moves within the run."""
    def check(summary):
        worst = max(abs(summary["state"][name] - initial.get(name, 0)) for name in names)
        return None if worst <= part * size else f"moves by {worst:g}"
    return check


def one_stop(chance, unit, length):
    mass = coupled(chance, 2, unit)
    force = -unit * length * chance.uniform(0.1, 2)
    body = f"  forces: {{x: {force:.3g}, z: 0}}\n  constraints: [{{name: a, gap: x}}]\n"
    return ["x", "z"], mass, body, {"x": 0, "z": 0}


def two_contacts(chance, unit, length):
    mass = coupled(chance, 3, unit)
    forces = [-unit * length * chance.uniform(0.1, 2) for _ in range(2)]
    body = (f"  forces: {{x: {forces[0]:.3g}, y: {forces[1]:.3g}}}\n"
            "  constraints: [{name: a, gap: x}, {name: b, gap: y}]\n")
    return ["x", "y", "z"], mass, body, {"x": 0, "y": 0, "z": 0}


def oblique(chance, unit, length):
    """Contacts g_i = A_i q with forces -A'r: they hold with the reactions r."""
    n = chance.randint(3, 8)
    count = chance.randint(1, n - 1)
    names = [f"q{i}" for i in range(n)]
    rows = [[chance.choice([0, 0, 1, -1, 0.5, 0.25, -2]) for _ in range(n)] for _ in range(count)]
    for k, row in enumerate(rows):
        row[k] = 4  # dominant: the gradients are independent
    loads = [chance.randint(1, 8) * 0.125 for _ in range(count)]
    forces = ", ".join(f"{name}: {-unit * length * sum(load * row[i] for load, row in zip(loads, rows)):.17g}"
                       for i, name in enumerate(names))
    gaps = ", ".join(f'{{name: c{k}, gap: "{" + ".join(f"{x}*{name}" for x, name in zip(row, names))}"}}'
                     for k, row in enumerate(rows))
    return names, coupled(chance, n, unit), f"  forces: {{{forces}}}\n  constraints: [{gaps}]\n", dict.fromkeys(names, 0)


def pendulum(chance, unit, length):
    cart, bob, rod = unit * chance.uniform(0.5, 5), unit * chance.uniform(0.1, 2), length * chance.uniform(0.1, 2)
    force = -unit * length * chance.uniform(0.05, 5)
    energy = (f"  kinetic_energy: \"0.5*{cart:.4g}*x'^2 + 0.5*{bob:.4g}*(x'^2 + 2*{rod:.3g}*cos(a)*x'*a' "
              f"+ {rod:.3g}^2*a'^2)\"\n  potential_energy: \"-{9.81 * length:.4g}*{bob:.4g}*{rod:.3g}*cos(a)\"\n")
    return ["x", "a"], energy, f"  forces: {{x: {force:.3g}}}\n  constraints: [{{name: stop, gap: x}}]\n", {"x": 0, "a": 0}


def sticking(chance, unit, length):
    """x is the slip, y the gap, z free; friction holds a force below its limit."""
    load, mu = unit * length * chance.uniform(0.5, 3), chance.uniform(0.2, 1)
    push = chance.uniform(-0.9, 0.9) * mu * load
    body = (f"  forces: {{x: {push:.3g}, y: {-load:.3g}}}\n"
            f"  constraints: [{{name: floor, gap: y, friction: {{mu: {mu:.3g}, slip: [\"x'\"]}}}}]\n")
    return ["x", "y", "z"], coupled(chance, 3, unit), body, {"x": 0, "y": 0, "z": 0}


def springs(chance, unit, length):
    """V = k (z - c)^2/2 - F z in equilibrium at c + F/k, which is a rounded number; a stop holds x."""
    stiffness, rest = unit * chance.uniform(0.5, 5), length * chance.uniform(-1, 1)
    force, load = unit * length * chance.uniform(-1, 1), -unit * length * chance.uniform(0.1, 2)
    body = (f'  potential_energy: "0.5*{stiffness:.3g}*(z-({rest:.3g}))^2-({force:.3g})*z"\n'
            f"  forces: {{x: {load:.3g}}}\n  constraints: [{{name: a, gap: x}}]\n")
    return (["x", "z"], coupled(chance, 2, unit), body,
            {"x": 0, "z": float(f"{rest:.3g}") + float(f"{force:.3g}") / float(f"{stiffness:.3g}")})


HELD = (one_stop, two_contacts, oblique, pendulum, sticking, springs)


def sliding(chance, unit, length):
    """x slides and friction stops it, z is held: M_xx x'' = -mu N, M_yx x'' = F_y + N, so x'' = mu F_y/(M_xx + mu M_yx)."""
    mass = coupled(chance, 3, unit)
    load, mu, speed = unit * length * float(f"{chance.uniform(0.5, 3):.3g}"), chance.uniform(0.2, 0.6), length * 1.5
    mu = float(f"{mu:.3g}")
    load = float(f"{load:.6g}")
    slowing = mu * load / (mass[0][0] + mu * mass[1][0])
    if slowing <= 0 or load + mass[1][0] * -slowing <= 0:
        return None
    body = (f"  forces: {{y: {-load:.17g}}}\n  constraints:\n"
            f"    - {{name: floor, gap: y, friction: {{mu: {mu}, slip: [\"x'\"]}}}}\n    - {{name: guide, equation: z}}\n")
    text = scene(["x", "y", "z"], mass, body, {"x": 0, "y": 0, "z": 0, "x'": speed}, 3 * speed / slowing)
    way = speed * speed / (2 * slowing)

    def check(summary):
        off = abs(summary["state"]["x"] - way)
        return None if off <= 1e-10 * way and summary["state"]["x'"] == 0 else f"stops {off:g} from {way:g}"
    return Case(text, check=check)


def falling(chance, unit, length):
    """x falls on a stop without rebound while an equation ties it to z: z = -2 x, all at rest afterwards."""
    height = length * float(f"{chance.uniform(0.1, 1):.3g}")
    mass = coupled(chance, 3, unit)
    forces = [-unit * length * chance.uniform(0.5, 2), unit * length * chance.uniform(-0.1, 0.1)]
    body = (f"  forces: {{x: {forces[0]:.3g}, y: {forces[1]:.3g}}}\n"
            "  constraints:\n    - {name: stop, gap: x, restitution: 0}\n    - {name: rod, equation: \"z+2*x\"}\n"
            "    - {name: guide, equation: \"y-0.5*x\"}\n")
    inertia = sum(a * b * mass[i][j] for i, a in enumerate((1, 0.5, -2)) for j, b in enumerate((1, 0.5, -2)))
    force = float(f"{forces[0]:.3g}") + 0.5 * float(f"{forces[1]:.3g}")
    start = {"x": height, "y": 0.5 * height, "z": -2 * height}
    text = scene(["x", "y", "z"], mass, body, start, 2 * (2 * height * inertia / -force) ** 0.5)
    return Case(text, check=stays({}, ["x", "y", "z"], height))


def bouncing(chance, unit, length):
    """Two coordinates bounce until they rest, an equation holds the third: gaps and velocities are 0 after the accumulations."""
    mass = coupled(chance, 3, unit)
    forces = [-unit * length * chance.uniform(0.5, 2) for _ in range(2)]
    body = (f"  forces: {{x: {forces[0]:.3g}, y: {forces[1]:.3g}}}\n  constraints:\n"
            f"    - {{name: a, gap: x, restitution: {chance.uniform(0, 0.5):.2g}}}\n"
            f"    - {{name: b, gap: y, restitution: {chance.uniform(0, 0.5):.2g}}}\n    - {{name: c, equation: z}}\n")
    start = {"x": length * chance.uniform(0.05, 0.3), "y": length * chance.uniform(0.05, 0.3), "z": 0}
    return Case(scene(["x", "y", "z"], mass, body, start, 60.0), check=stays({}, ["x", "y", "z"], length))


def draw(chance, number):
    unit = chance.choice([1, 1, 1e-9, 1e-3, 1e3, 1e9])
    length = chance.choice([1, 1, 1e-3, 1e3])
    kind = number % 11
    if kind >= 8:
        case = None
        while case is None:
            case = (sliding, falling, bouncing)[kind - 8](chance, unit, length)
        return case
    make = HELD[kind % len(HELD)] if kind < 6 else chance.choice(HELD)
    names, mass, body, initial = make(chance, unit, length)
    text = scene(names, mass, body, initial)
    # the potential of springs is rounded at its own size: eps |z| moves z by a few of these
    check = stays(initial, names, length)
    if kind == 6:
        return Case(text, ("--set", "simulate.arcs=runge-kutta"), check=check)
    if kind == 7:
        return Case(text, ("--set", f"simulate.method={chance.choice(STEPPING)}", "--set", "simulate.steps=50"),
                    check=stays(initial, names, length, 1e-8))
    return Case(text, check=check)
