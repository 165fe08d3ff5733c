"""Contacts in space under random polygonal loads with large friction, where the state may have to jump (`dissipative`).

The equilibria are not known in closed form: that the run ends and that the checker agrees is what is asked."""
from . import Case

NAME = "jumps_in_space"


def draw(chance, number):
    count = 1 + number % 3
    size = 3 * count
    factor = [[chance.uniform(-1.8, 1.8) for _ in range(size)] for _ in range(size)]
    matrix = [[sum(factor[i][k] * factor[j][k] for k in range(size)) + (0.3 if i == j else 0.0) for j in range(size)]
              for i in range(size)]
    names = [f"{'nxy'[j % 3]}{j // 3 + 1}" for j in range(size)]
    last = chance.choice((2, 3, 4))
    data, loads = [], []
    for i, name in enumerate(names):
        value, pieces = 0.0, []
        for k in range(last):
            slope = chance.uniform(-1.5, 1.5) + (1.2 if i % 3 == 0 and k == 0 else 0)
            pieces.append(f'"{value!r} + ({slope!r})*(t - {k})"')
            value += slope
        data.append(f"  f{i}: {{breaks: [{', '.join(str(k) for k in range(1, last))}], pieces: [{', '.join(pieces)}]}}")
        loads.append(f'{name}: "f{i}"')
    contacts = "\n".join(
        f"    - {{name: c{i + 1}, normal: -n{i + 1}, tangential: [x{i + 1}, y{i + 1}], mu: {chance.uniform(1, 3)!r}"
        f"{f', gap: {chance.uniform(0, 0.3):.3f}' if chance.random() < 0.5 else ''}}}" for i in range(count))
    newline = "\n"
    text = f"""thud: 1
data:
{newline.join(data)}
quasistatic:
  unknowns: [{", ".join(names)}]
  stiffness: {matrix!r}
  load: {{{", ".join(loads)}}}
  contacts:
{contacts}
simulate: {{method: increments, end: {last}, steps: {chance.choice((last, 3 * last, 24 * last))}, on_jump: dissipative}}
"""
    return Case(text, verdicts=("good", "coarse"))
