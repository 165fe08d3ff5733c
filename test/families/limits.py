"""Contacts that a load brings to the limit of sticking or of opening, exactly or but for rounding: nothing moves.

The state U0 sticks under every load K U0 - H r with r in the cones. The load goes from an r inside them to one at their edge (and
beyond or below it by 0 to 1e-12 of its size), in a jump or a ramp, and back: U0 stays, up to that over the smallest stiffness."""
import math

from . import Case

NAME = "limits"
MISSES = (0.0, 0.0, 1e-16, -1e-16, 3e-16, 1e-15, -1e-15, 3e-15, 1e-14, 1e-13, -1e-13, 1e-12)


def stiffness(chance, size):
    """A random matrix B B' + 2 I: its eigenvalues are 2 or greater."""
    factor = [[chance.uniform(-1, 1) for _ in range(size)] for _ in range(size)]
    return [[sum(factor[i][k] * factor[j][k] for k in range(size)) + (2.0 if i == j else 0.0) for j in range(size)]
            for i in range(size)]


def reaction(chance, dimension, mu, share):
    """(r_N, r_T) with |r_T| = share mu r_N."""
    press = chance.choice((1.0, chance.uniform(0.5, 2)))
    if dimension == 2:
        return [press, chance.choice((1, -1)) * share * mu * press]
    angle = chance.choice((0.0, chance.uniform(0, 2 * math.pi)))
    return [press, share * mu * press * math.cos(angle), share * mu * press * math.sin(angle)]


def draw(chance, number):
    dimension = 2 if number % 3 else 3
    method = "event-driven" if dimension == 2 and number % 2 else "increments"
    count = 1 if number % 4 < 2 else chance.choice((2, 3))
    size = dimension * count
    matrix = stiffness(chance, size)
    # small enough for one rate solution: mu |K_NT| < 2 <= k_T, and the rows of other contacts are weak beside the diagonal
    mu = [chance.choice((0.3, 0.5, 0.25, chance.uniform(0.05, 0.5))) for _ in range(count)]
    if count > 1:
        mu = [value / 5 for value in mu]
    start = [0.0 if j % dimension == 0 else chance.choice((0.0, chance.uniform(-1, 1))) for j in range(size)]
    miss = chance.choice(MISSES)
    opening = chance.random() < 0.3
    inside, edge = [], []
    for i in range(count):
        inside += reaction(chance, dimension, mu[i], chance.uniform(-0.5, 0.5))
        at_limit = i == 0 or chance.random() < 0.5
        if opening and at_limit:
            edge += [-miss] + [0.0] * (dimension - 1)
        else:
            edge += reaction(chance, dimension, mu[i], (1 + miss) if at_limit else 0.4)
    # the normal row is -n: H r has the sign of n reversed
    signs = [-1.0 if j % dimension == 0 else 1.0 for j in range(size)]
    held = [sum(matrix[i][j] * start[j] for j in range(size)) for i in range(size)]
    first = [held[i] - signs[i] * inside[i] for i in range(size)]
    last = [held[i] - signs[i] * edge[i] for i in range(size)]
    shape = chance.choice(("step(t - 0.5)", "t", "min(1, 2*t)", "1 - abs(1 - 2*t)", "step(t - 0.25) - step(t - 0.75)"))
    names = [f"{'nxy'[j % dimension]}{j // dimension + 1}" for j in range(size)]
    loads = ", ".join(f'{names[i]}: "{first[i]!r} + ({last[i] - first[i]!r})*({shape})"' for i in range(size))
    contacts = "\n".join(
        f"    - {{name: c{i + 1}, normal: -n{i + 1}, "
        f"tangential: {f'x{i + 1}' if dimension == 2 else f'[x{i + 1}, y{i + 1}]'}, mu: {mu[i]!r}}}"
        for i in range(count))
    text = f"""thud: 1
quasistatic:
  unknowns: [{", ".join(names)}]
  stiffness: {matrix!r}
  load: {{{loads}}}
  contacts:
{contacts}
initial: {{{", ".join(f"{names[i]}: {start[i]!r}" for i in range(size))}}}
simulate: {{method: {method}, end: 1, steps: {chance.choice((1, 4, 7))}}}
"""

    def stays(summary):
        worst = max(abs(summary["state"][names[i]] - start[i]) for i in range(size))
        return None if worst <= 1e-8 else f"moves by {worst:g}"
    return Case(text, check=stays)
