"""Sweeping processes of known class: balls, boxes and segments on smooth, singular, jumping and endlessly oscillating paths.

The limit is known in closed form: a segment that turns about the origin by an angle of bounded variation keeps |u|, a ball on a
line drags u along a tractrix. Every run must be within its guaranteed bound, and the class must be the right one, or undecided,
for every number of steps.
"""
import math

from . import Case

NAME = "classes"

CLASSES = ("strong", "bounded variation", "weak only", "no uniform limit", "undecided")


def scene(dimension, kind, initial, end, steps, levels):
    names = ["x", "y"][:dimension]
    start = ", ".join(f"{name}: {value!r}" for name, value in zip(names, initial))
    return f"""thud: 1
sweeping:
  coordinates: [{', '.join(names)}]
  set:
    {kind}
initial: {{{start}}}
simulate: {{method: catching-up, end: {end!r}, steps: {steps}, classify: {levels}}}
"""


def check(expected, retraction=None, mesh=None, place=None):
    """The class, ret and mu (within 2 %), and the last state within the bound."""
    def wrong(summary):
        if summary["class"] not in (expected, "undecided"):
            return f"class {summary['class']}, not {expected}"
        if retraction is not None:
            if summary["retraction_by"] != "enclosure":
                return f"retraction by {summary['retraction_by']}"
            high, low = summary["retraction"], summary["retraction_low"]
            if not (low <= retraction * (1 + 1e-9) and retraction * (1 - 1e-9) <= high <= 1.02 * retraction + 1e-12):
                return f"retraction {low} to {high}, not {retraction}"
            bound = 2 * math.sqrt(summary["mesh_retraction"] * high)
            if abs(summary["error_bound"] - bound) > 1e-9 * bound:
                return f"bound {summary['error_bound']}, not {bound}"
        if mesh is not None and not mesh * (1 - 1e-9) <= summary["mesh_retraction"] <= 1.05 * mesh:
            return f"mu {summary['mesh_retraction']}, not {mesh}"
        if place is not None:
            off = math.dist(place, summary["state"].values())
            if off > summary["error_bound"] + 1e-9:
                return f"{off} from the limit, beyond the bound {summary['error_bound']}"
        return None
    return wrong


def segment(angle):
    return f'segment: {{from: ["-cos({angle})", "-sin({angle})"], to: ["cos({angle})", "sin({angle})"]}}'


def draw(chance, number):
    steps, levels = chance.choice([20, 60, 150, 300]), chance.choice([4, 5, 6])
    a, w, end = chance.uniform(0.5, 2), chance.uniform(0.5, 3), chance.uniform(1, 3)
    kind = number % 8
    if kind == 0:  # a ball on a line: ret = speed time
        speed = chance.uniform(0.3, 2)
        text = scene(2, f'ball: {{centre: ["{speed!r}*t", 0], radius: 1}}', (0, 0.5), end, steps, levels)
        return Case(text, check=check("strong", speed * end, speed * end / steps), verdicts=("good", "coarse"))
    if kind == 1:  # a ball on a circle
        text = scene(2, f'ball: {{centre: ["{a!r}*cos({w!r}*t)", "{a!r}*sin({w!r}*t)"], radius: 0.4}}', (a, 0), end, steps, levels)
        return Case(text, check=check("strong", a * w * end), verdicts=("good", "coarse"))
    if kind == 2:  # a speed without bound at the start, by the square root of time
        text = scene(2, f'ball: {{centre: ["{a!r}*sqrt(t)", 0], radius: 0.3}}', (0, 0), end, steps, levels)
        return Case(text, check=check("strong", a * math.sqrt(end)), verdicts=("good", "coarse"))
    if kind == 3:  # jumps: a ball that is carried away twice and grows, which is no retraction
        at, by = chance.uniform(0.2, 0.8) * end, chance.uniform(1, 3)
        text = scene(2, f'ball: {{centre: ["{by!r}*step(t - {at!r})", "0.2*t"], radius: "0.5 + 0.1*t"}}', (0, 0), end, steps, levels)
        return Case(text, check=check("bounded variation", by + 0.1 * end), verdicts=("good", "coarse"))
    if kind == 4:  # a slot that moves to and fro
        text = scene(1, f'interval: {{lower: "{a!r}*sin({w!r}*t) - 0.1", upper: "{a!r}*sin({w!r}*t) + 0.1"}}', (0,), math.pi / 2 / w, steps, levels)
        return Case(text, check=check("strong", a), verdicts=("good", "coarse"))
    if kind == 5:  # a turning segment keeps |u|
        rho = chance.uniform(0.2, 0.9)
        turned = w * end
        text = scene(2, segment(f"{w!r}*t"), (rho, 0), end, steps, levels)
        return Case(text, check=check("strong", turned, place=(rho * math.cos(turned), rho * math.sin(turned))), verdicts=("good", "coarse"))
    if kind == 6:  # the same with an angle that jumps
        at, by = chance.uniform(0.2, 0.8) * end, chance.uniform(0.2, 1)
        text = scene(2, segment(f"0.3*t + {by!r}*step(t - {at!r})"), (0.5, 0), end, steps, levels)
        return Case(text, check=check("bounded variation"), verdicts=("good", "coarse"))
    # an angle whose quadratic variation does not vanish
    part = chance.uniform(0.4, 1)
    text = scene(2, segment(f"{part!r}*sqrt(t)*sin(1/(t + 1e-9))"), (1, 0), 1, steps, chance.choice([7, 8, 9]))
    return Case(text, check=check("no uniform limit"), verdicts=("failed", "coarse"))
