"""Classes of strings and beams on many meshes and partitions: contact points that move, and such that stay.

Under a moving point load, and under a beam whose contact point moves, the velocity jumps where the contact is: the solution is
weak only, and the variation grows with the root of the number of steps (growth 1/2). Contact points that stay give strong
solutions, ends that jump give solutions of bounded variation. Neither nodes nor steps may change the class.
"""
from . import Case

NAME = "lines"


def check(expected, growth=None):
    def wrong(summary):
        if summary["class"] != expected:
            return f"class {summary['class']}, not {expected}"
        if growth is not None and not abs((summary.get("growth") or 0) - growth) <= 0.05:
            return f"growth {summary.get('growth')}, not {growth}"
        return None
    return wrong


def draw(chance, number):
    nodes, steps, levels = chance.choice([51, 101, 137, 401]), chance.choice([8, 20, 33]), chance.choice([4, 5])
    simulate = f"simulate: {{end: 1, steps: {steps}, classify: {levels}}}\n"
    kind = number % 4
    if kind == 0:  # a point load moves along a string
        from_, way = chance.uniform(0.5, 0.7), chance.uniform(0.1, 0.3)
        pull = chance.uniform(0.1, 1)
        return Case(f"""thud: 1
string:
  nodes: {nodes}
  tension: 1
  friction: {chance.uniform(3, 5)!r}
  obstacle: "0"
  ends: {{u_right: {pull!r}}}
  loads: [{{at: "{from_!r} - {way!r}*t", force: -1}}]
initial: {{u: "{pull!r}*max(0, (x - {from_!r})/(1 - {from_!r}))"}}
{simulate}""", check=check("weak only", 0.5))
    if kind == 1:  # a beam rolls along a hump, under a force that moves
        bend, place = chance.uniform(0.5, 1.5), chance.uniform(0.2, 0.3)
        return Case(f"""thud: 1
beam:
  nodes: {nodes}
  bending: 1
  friction: 3
  obstacle: "-{bend!r}*(x - 0.5)^2/2"
  ends: {{u_right: "0.1*min(1, 4*t)"}}
  loads: [{{at: "{place!r} + 0.1*t", force: -8, width: 0.2}}]
{simulate}""", check=check("weak only", 0.5))
    if kind == 2:  # a beam under an even load stays on the top of a hump
        return Case(f"""thud: 1
beam:
  nodes: {nodes}
  bending: 1
  friction: {chance.uniform(0.2, 0.8)!r}
  obstacle: "-(x - 0.5)^2/2"
  ends: {{u_right: "{chance.uniform(0.3, 1)!r}*t"}}
  loads: [{{density: -10, factor: "1 + t/2"}}]
{simulate}""", check=check("strong"))
    at = chance.uniform(0.2, 0.8)
    return Case(f"""thud: 1
string:
  nodes: {nodes}
  tension: 1
  friction: {chance.uniform(0.1, 0.6)!r}
  obstacle: "-abs(x - 0.5)"
  ends: {{v_left: -0.25, v_right: -0.25, u_left: "0.3*step(t - {at!r})", u_right: "0.3*step(t - {at!r})"}}
{simulate}""", check=check("bounded variation"))
