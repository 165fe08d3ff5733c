"""Rest with a coupled mass matrix: a stop holds one coordinate, the other has no force and stays where it is."""
from . import Case

NAME = "rest"


def draw(chance, number):
    m11, m22 = chance.uniform(0.5, 3), chance.uniform(0.5, 3)
    m12 = chance.uniform(-0.9, 0.9) * (m11 * m22) ** 0.5
    force = -chance.uniform(0.1, 2)
    text = f"""thud: 1
system:
  coordinates: [x, z]
  mass: [[{m11:.3g}, {m12:.3g}], [{m12:.3g}, {m22:.3g}]]
  forces: {{x: {force:.3g}, z: {0 if number % 2 else f"{m12 / m11:.3g}*0"}}}
  constraints: [{{name: a, gap: x}}]
initial: {{x: 0, z: 0}}
simulate: {{method: event-driven, end: 1}}
"""

    def at_rest(summary):
        worst = max(abs(value) for value in summary["state"].values())
        return None if worst <= 1e-12 else f"moves by {worst:g}"
    return Case(text, check=at_rest)
