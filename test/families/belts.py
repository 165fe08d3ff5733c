"""A belt of N nodes over a pulley, pulled at one end until it slips: T_max/T_0 = ((c + mu s)/(c - mu s))^N, where c, s = cos, sin
of half the turn per node (equilibrium of every node at its limit). Springs between the nodes, K is semidefinite: friction alone
holds the belt. The limit is found to the step by increments, to rounding by events, and the run ends because nothing holds it."""
import math

from . import Case

NAME = "belts"


def draw(chance, number):
    count = chance.choice((5, 9, 15, 21, 31, 41))
    half = chance.uniform(0.3, 1.6) * math.pi / count / 2
    mu = chance.uniform(0.1, 0.5)
    c, s = math.cos(half), math.sin(half)
    limit = ((c + mu * s) / (c - mu * s)) ** count
    spring = 10.0 ** chance.uniform(1, 4)
    size = 2 * count
    matrix = [[0.0] * size for _ in range(size)]
    for i in range(count - 1):  # elongation c (t_i+1 - t_i) + s (n_i + n_i+1)
        row = {2 * i: s, 2 * i + 1: -c, 2 * i + 2: s, 2 * i + 3: c}
        for a, x in row.items():
            for b, y in row.items():
                matrix[a][b] += spring * x * y
    end = 1 + 1.3 * (limit - 1)
    method = ("increments", "event-driven")[number % 3 == 0]
    steps = 10 if method == "event-driven" else chance.choice((20, 100, 300, 700))
    names = [f"{'nt'[j % 2]}{j // 2}" for j in range(size)]
    contacts = "\n".join(f"    - {{name: c{i}, normal: n{i}, tangential: t{i}, mu: {mu!r}}}" for i in range(count))
    newline = "\n"
    rows = ",\n".join("    " + str(row) for row in matrix)
    text = f"""thud: 1
quasistatic:
  unknowns: [{", ".join(names)}]
  stiffness: [
{rows.lstrip()}]
  load: {{n0: "{-s!r}", t0: "{-c!r}", n{count - 1}: "{-s!r}*t", t{count - 1}: "{c!r}*t"}}
  contacts:
{contacts}
simulate: {{method: {method}, start: 1, end: {end!r}, steps: {steps}}}
"""
    step = (end - 1) / steps

    def slips_at_the_limit(summary):
        reason, time = summary["reason"], summary.get("time", 0)
        if "nothing holds the structure" not in reason:
            return f"ends with: {reason}"
        low, high = (limit - 1e-8 * limit, limit + 1e-8 * limit) if method == "event-driven" else (limit - step, limit + 1e-8 * limit)
        return None if low <= time <= high else f"the last state that is held is at {time!r}, the limit is {limit!r}"
    return Case(text.replace(newline + newline, newline), verdicts=("failed",), check=slips_at_the_limit)
