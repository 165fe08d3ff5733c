"""Equations with dependent gradients: bars whose ends run on a circle of their own diameter, at rest or turning about its centre.

A load along a bar at rest is held, and a bar without load turns uniformly; any load with a part across leaves no motion.
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
    if not across and speed:
        load = 0
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
simulate: {{method: {METHODS[number // 2 % len(METHODS)]}, end: 0.5, steps: 50}}
"""
    if "event-driven" in text:
        text = text.replace(", steps: 50", "")

    def no_solution(summary):
        return None if "no solution: equations e1, e2" in summary["reason"] else summary["reason"]

    def turns(summary):
        state = summary["state"]
        exact = float(f"{angle:.6g}") + 0.5 * float(f"{speed:.6g}")
        wrong = abs(state["a"] - exact) > 1e-5 or math.hypot(state["x"], state["y"]) > 1e-4 * radius
        return f"ends at {state}, a = {exact} is right" if wrong else None
    return Case(text, verdicts=("failed",), check=no_solution) if across else Case(text, verdicts=("good", "coarse"), check=turns)
