"""Equations with dependent gradients: bars whose ends run on a circle of their own diameter, at rest or turning about its centre.

A load along a bar at rest is held; any load with a part across leaves no motion, at rest and while the bar turns.
"""
import math

from . import Case

NAME = "dependent"
METHODS = ("event-driven", "moreau", "moreau-jean", "second-order", "implicit")


def draw(chance, number):
    radius, angle = chance.uniform(0.2, 3), chance.uniform(-3, 3)
    mass, load = chance.uniform(0.1, 5), chance.uniform(0.1, 10)
    speed = chance.choice([0, chance.uniform(-2, 2)])
    across = 0 if number % 2 else chance.choice([-1, 1]) * 10 ** chance.uniform(-4, 0)
    method = METHODS[number // 2 % len(METHODS)]
    if not across:
        speed = 0
        method = METHODS[1 + number // 2 % (len(METHODS) - 1)]  # rest of event-driven motion is another family's
    follow = f"{load:.6g}*cos(a) - {across:.6g}*sin(a)", f"{load:.6g}*sin(a) + {across:.6g}*cos(a)"
    text = f"""thud: 1
system:
  coordinates: [x, y, a]
  kinetic_energy: "{mass:.6g}*(x'^2 + y'^2)/2 + {mass * radius ** 2 / 3:.6g}*a'^2/2"
  forces: {{x: "{follow[0]}", y: "{follow[1]}"}}
  constraints:
    - {{name: e1, equation: "(x + {radius:.6g}*cos(a))^2 + (y + {radius:.6g}*sin(a))^2 - {radius:.6g}^2"}}
    - {{name: e2, equation: "(x - {radius:.6g}*cos(a))^2 + (y - {radius:.6g}*sin(a))^2 - {radius:.6g}^2"}}
initial: {{x: 0, y: 0, a: {angle:.6g}, "a'": {speed:.6g}}}
simulate: {{method: {method}, end: 0.5, steps: 50}}
"""
    if "event-driven" in text:
        text = text.replace(", steps: 50", "")

    def no_solution(summary):
        return None if "no solution: equations e1, e2" in summary["reason"] else summary["reason"]

    def rests(summary):
        state = summary["state"]
        moved = math.hypot(state["x"], state["y"], state["a"] - float(f"{angle:.6g}"))
        return f"moves by {moved:g}" if moved > 1e-12 * (1 + radius) else None
    return Case(text, verdicts=("failed",), check=no_solution) if across else Case(text, check=rests)
