"""Equations of which some follow from others wherever these hold, by time stepping: beads on curves y_j = a_j sin(b_j x + c_j).

Each curve is an equation g_j; one or two more are made of them, g_i exp(p x) + q g_j y_j, in any order. Their gradients are
dependent on the curves and independent beside them, where a scheme with drift is. The motion is that of x alone,
m(x) x'' + m'(x) x'^2/2 = F_0 + sum F_j f_j'(x) with m = m_0 + sum m_j f_j'^2, which Runge-Kutta's method integrates; time stepping
agrees with it to the order of its scheme.
"""
import math

from . import Case

NAME = "redundant"
METHODS = ("second-order", "stabilised", "moreau-jean", "moreau", "mabrouk", "implicit")
STEPS = 50
FINE = 4000


def reduced(masses, loads, curves, x, speed):
    """x at the nodes from t = 0 to 1."""
    def slope(x, w):
        mass, turn, load = masses[0], 0, loads[0]
        for m, force, (a, b, c) in zip(masses[1:], loads[1:], curves):
            first, second = a * b * math.cos(b * x + c), -a * b * b * math.sin(b * x + c)
            mass, turn, load = mass + m * first ** 2, turn + m * first * second, load + force * first
        return (load - turn * w * w) / mass
    h, way = 1 / FINE, [x]
    for _ in range(FINE):
        k1, l1 = speed, slope(x, speed)
        k2, l2 = speed + h / 2 * l1, slope(x + h / 2 * k1, speed + h / 2 * l1)
        k3, l3 = speed + h / 2 * l2, slope(x + h / 2 * k2, speed + h / 2 * l2)
        k4, l4 = speed + h * l3, slope(x + h * k3, speed + h * l3)
        x, speed = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), speed + h / 6 * (l1 + 2 * l2 + 2 * l3 + l4)
        way.append(x)
    return way


def draw(chance, number):
    count, method = chance.choice((1, 2, 3)), METHODS[number % len(METHODS)]
    unit = chance.choice((1, 1, 1e-3, 100))  # of lengths
    masses = [chance.uniform(0.3, 3) for _ in range(count + 1)]
    loads = [chance.uniform(-2, 2) for _ in range(count + 1)]
    curves = [(chance.uniform(0.2, 0.8), chance.uniform(0.5, 1.5), chance.uniform(-3, 3)) for _ in range(count)]
    x, speed = chance.uniform(-1, 1), chance.choice((-1, 1)) * chance.uniform(0.5, 2)
    way = reduced(masses, loads, curves, x, speed)
    equations = [f"y{j} - {a * unit!r}*sin({b / unit!r}*x + {c!r})" for j, (a, b, c) in enumerate(curves)]
    more = [f"({chance.choice(equations)})*exp({chance.uniform(-1, 1) / unit!r}*x) + "
            f"({chance.choice(equations)})*{chance.uniform(-0.3, 0.3) / unit!r}*y0" for _ in range(chance.choice((1, 2)))]
    rows = equations + more
    chance.shuffle(rows)
    listed = "\n".join(f'    - {{name: e{k}, equation: "{row}"}}' for k, row in enumerate(rows))
    slopes = [a * b * math.cos(b * x + c) for a, b, c in curves]
    start = [f"x: {x * unit!r}", f"\"x'\": {speed * unit!r}"]
    start += [f"y{j}: {a * unit * math.sin(b / unit * (x * unit) + c)!r}, \"y{j}'\": {slopes[j] * speed * unit!r}"
              for j, (a, b, c) in enumerate(curves)]
    forces = ", ".join(f"{name}: {load * unit!r}" for name, load in zip(["x"] + [f"y{j}" for j in range(count)], loads))
    text = f"""thud: 1
system:
  coordinates: [x, {', '.join(f'y{j}' for j in range(count))}]
  mass: [{', '.join(repr(mass) for mass in masses)}]
  forces: {{{forces}}}
  constraints:
{listed}
initial: {{{', '.join(start)}}}
simulate: {{method: {method}, end: 1, steps: {STEPS}}}
"""

    def agrees(summary):
        apart = abs(summary["state"]["x"] / unit - way[-1])
        allowed = 20 / STEPS ** 2 if method == "second-order" else 5 / STEPS
        return f"{apart:g} from the motion on the curves" if apart > allowed else None
    return Case(text, verdicts=("good", "coarse"), check=agrees)
