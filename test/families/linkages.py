"""Parallelograms of two to four cranks that pass their flat positions, where their equations become dependent.

The cranks turn by the same angle, (sum m) L phi'' = sum over cranks of the load across them, whatever the reactions: the angle
at the end is compared with an integration of this equation by Runge-Kutta's method. Loads are in proportion to the masses (then
the reactions stay bounded) or not, in any direction, in any unit of length; motions begin anywhere, next to a flat position, or
come to rest in one: then no branch is singled out, and the run says so.
"""
import math

from . import Case

NAME = "linkages"
STEPS = 4000
FLAT = "the branches on which the motion may go on are not determined: it comes to rest there"


def turned(phi, speed, along, across, time):
    """The angle after a time of phi'' = across cos(phi) - along sin(phi) with a fourth-order Runge-Kutta method."""
    step = time / STEPS

    def slope(angle):
        return across * math.cos(angle) - along * math.sin(angle)
    for _ in range(STEPS):
        k1, l1 = speed, slope(phi)
        k2, l2 = speed + step / 2 * l1, slope(phi + step / 2 * k1)
        k3, l3 = speed + step / 2 * l2, slope(phi + step / 2 * k2)
        k4, l4 = speed + step * l3, slope(phi + step * k3)
        phi += step / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        speed += step / 6 * (l1 + 2 * l2 + 2 * l3 + l4)
    return phi


def scene(cranks, length, pitch, masses, loads, phi, speed, time):
    """Points on cranks of one length at equal distances, joined by rods."""
    at = [(k * pitch + length * math.cos(phi), length * math.sin(phi)) for k in range(cranks)]
    equations = [f"(x{k} - {k * pitch!r})^2 + y{k}^2 - {length!r}^2" for k in range(cranks)]
    equations += [f"(x{k + 1} - x{k})^2 + (y{k + 1} - y{k})^2 - {pitch!r}^2" for k in range(cranks - 1)]
    names = [f"crank{k}" for k in range(cranks)] + [f"rod{k}" for k in range(cranks - 1)]
    rows = "\n".join(f'    - {{name: {name}, equation: "{text}"}}' for name, text in zip(names, equations))
    start = [f"x{k}: {x!r}, y{k}: {y!r}" for k, (x, y) in enumerate(at)]
    start += [f"\"x{k}'\": {-speed * length * math.sin(phi)!r}, \"y{k}'\": {speed * length * math.cos(phi)!r}"
              for k in range(cranks)]
    return f"""thud: 1
system:
  coordinates: [{', '.join(f'x{k}, y{k}' for k in range(cranks))}]
  mass: [{', '.join(f'{mass!r}, {mass!r}' for mass in masses)}]
  forces: {{{', '.join(f'x{k}: {x!r}, y{k}: {y!r}' for k, (x, y) in enumerate(loads))}}}
  constraints:
{rows}
initial: {{{', '.join(start)}}}
simulate: {{method: event-driven, end: {time!r}}}
"""


def draw(chance, number):
    cranks, unit = chance.choice((2, 2, 3, 4)), chance.choice((1, 1, 1e-3, 100))
    length, pitch = chance.uniform(0.3, 2) * unit, chance.uniform(0.3, 2) * unit
    masses = [chance.uniform(0.2, 3) for _ in range(cranks)]
    x, y = chance.uniform(-5, 5) * unit, -9.81 * unit
    even = chance.choice((True, False))
    loads = [(mass * x * (1 if even else chance.uniform(0, 2)), mass * y * (1 if even else chance.uniform(0, 2)))
             for mass in masses]
    along, across = (sum(load[k] for load in loads) / sum(masses) / length for k in (0, 1))
    time = chance.uniform(0.5, 2)
    if number % 4 == 3:  # the energy is that of rest at phi = 0
        phi = math.atan2(across, along) + chance.uniform(-0.5, 0.5)
        speed = math.sqrt(2 * (along * (math.cos(phi) - 1) + across * math.sin(phi)))
        speed, time = math.copysign(speed, -phi), 4 * math.pi / math.sqrt(math.hypot(along, across))  # two small swings
    elif number % 4 == 2:
        phi = chance.choice((0, math.pi)) + chance.choice((-1, 1)) * 10 ** chance.uniform(-6, -1)
        speed = chance.choice((-1, 1)) * chance.uniform(1, 5)
    else:
        phi, speed = chance.uniform(-3, 3), chance.uniform(-5, 5)
    text = scene(cranks, length, pitch, masses, loads, phi, speed, time)

    def agrees(summary):
        end, state = turned(phi, speed, along, across, time), summary["state"]
        apart = max(math.hypot(state[f"x{k}"] - k * pitch - length * math.cos(end), state[f"y{k}"] - length * math.sin(end))
                    for k in range(cranks))
        return f"{apart / length:g} from the parallelogram" if apart > 1e-8 * length else None

    def rests(summary):
        return None if FLAT in summary["reason"] else summary["reason"]
    return Case(text, verdicts=("failed",), check=rests) if number % 4 == 3 else Case(text, check=agrees)
