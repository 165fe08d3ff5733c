"""One contact with a coefficient of friction within 1e-6 to 1e-16 of the critical one, k_T/|w|, or at it: it slips by a softness of
that part, or jumps, and is open in the end: U = K^-1 F."""
from . import Case

NAME = "near_critical"
PLAIN = ((1.0, 0.5, 1.0), (2.0, 1.0, 1.0), (3.0, 1.0, 2.0), (2.0, -1.0, 1.0), (4.0, 3.0, 3.0), (1000.0, 7.0, 1.0))


def draw(chance, number):
    stiff, coupling, tangential = chance.choice(PLAIN) if number % 3 == 0 else (
        chance.uniform(2, 4), chance.choice((1, -1)) * chance.uniform(0.5, 1.2), chance.uniform(0.8, 2))
    critical = tangential / abs(coupling)
    mu = critical * (1 + chance.choice((1, -1, 1, -1, 0)) * chance.choice((1, 2, 5)) * 10.0 ** -chance.randint(6, 16))
    # sticks at (0, 0) with r_N = press while |F_T| <= mu press; slips towards larger |F_T|, which lifts it off
    press = chance.choice((1.0, chance.uniform(0.5, 2)))
    side = 1 if coupling > 0 else -1
    most = chance.uniform(1.5, 3) * critical * press
    # n points into the obstacle: a coupling > 0 lifts it when x grows
    ramp = chance.choice(("t", "t", "1 - (1 - t)^2"))
    method = ("event-driven", "increments")[number % 2]
    text = f"""thud: 1
quasistatic:
  unknowns: [n, x]
  stiffness: [[{stiff!r}, {coupling!r}], [{coupling!r}, {tangential!r}]]
  load: {{n: "{press!r}", x: "{side * most!r}*({ramp})"}}
  contacts: [{{name: c, normal: -n, tangential: x, mu: {mu!r}}}]
initial: {{n: 0, x: 0}}
simulate: {{method: {method}, end: 1, steps: {chance.choice((1, 2, 4, 10, 100))}, on_jump: dissipative}}
"""

    def opens(summary):
        det = stiff * tangential - coupling * coupling
        right = {"n": (tangential * press - coupling * side * most) / det, "x": (stiff * side * most - coupling * press) / det}
        worst = max(abs(summary["state"][name] - right[name]) for name in right)
        return None if worst <= 1e-10 * (1 + most) else f"off by {worst:g}"
    return Case(text, check=opens)
