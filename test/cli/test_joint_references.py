"""Mechanisms beside values that integrators of their own, elliptic functions and eigenvalues give: what the other tests of joints leave
out of the reference cases. Orders are those in the step."""
import math
import pathlib

from jointruns import run, second_order, turned, verified
from thudcli import close, end, folder, report


def andrews(here):
    """Angles of all seven bodies, by how much they have turned since the start."""
    start = dict(be=-.0617138900143, th=0, ga=.4552798191631, ph=.2226683901659, de=.4873649795438, om=-.2226683901659, ep=1.2305474445498)
    last = dict(be=15.81077119630, th=-15.75637105984, ga=.04082224013, ph=-.53473011632, de=.52440996588, om=.53473011632, ep=1.04808074104)
    sums = {"crank": ("be",), "K2": ("be", "th"), "K3": ("ga",), "K4": ("ph", "de"), "K5": ("de",), "K6": ("om", "ep"), "K7": ("ep",)}
    errors = []
    for step in (1e-5, 5e-6):
        found = run(here, "andrews-squeezer", simulate__step=step)
        errors.append(max(abs(turned(found[-1][f"{body}.angle"] - found[0][f"{body}.angle"] - sum(last[k] - start[k] for k in names)))
                          for body, names in sums.items()))
    second_order("Andrews' mechanism: the angles of all bodies at t = 0.03", errors, 1.2e-5)


def four_bars(count):
    """N squares side by side, the first top at 1 m/s."""
    lines = ["thud: 1", "planar: true", "bodies:"]
    for k in range(count + 1):
        lines.append(f"  - {{name: post-{k + 1}, shape: {{box: [0.04, 1]}}, mass: 1, inertia: 1/12, position: [{k}, 0.5], velocity: [0.5, 0], spin: -1, group: 1}}")
    for k in range(count):
        lines.append(f"  - {{name: beam-{k + 1}, shape: {{box: [1, 0.04]}}, mass: 1, inertia: 1/12, position: [{k + 0.5}, 1], velocity: [1, 0], group: 1}}")
    lines.append("joints:")
    for k in range(count + 1):
        lines.append(f"  - {{joint: hinge, name: foot-{k + 1}, a: post-{k + 1}, at: [{k}, 0]}}")
    for k in range(count):
        lines.append(f"  - {{joint: hinge, name: left-{k + 1}, a: beam-{k + 1}, b: post-{k + 1}, at: [{k}, 1]}}")
        lines.append(f"  - {{joint: hinge, name: right-{k + 1}, a: beam-{k + 1}, b: post-{k + 2}, at: [{k + 1}, 1]}}")
    return "\n".join(lines) + "\nsimulate: {end: 5, step: 0.01}\n"


def crossing(rows, value):
    """The first time at which value(row) changes its sign, between rows."""
    for a, b in zip(rows, rows[1:]):
        if value(a) * value(b) < 0:
            return a["t"] + (b["t"] - a["t"]) * value(a) / (value(a) - value(b))
    return math.nan


def turn_time(rows):
    """When the posts have turned once; angles are recorded as they are, or within a turn."""
    sum_, before = 0, rows[0]["post-1.angle"]
    for a, b in zip(rows, rows[1:]):
        way = -turned(b["post-1.angle"] - before)
        if sum_ + way >= 2 * math.pi:
            return a["t"] + (b["t"] - a["t"]) * (2 * math.pi - sum_) / way
        sum_, before = sum_ + way, b["post-1.angle"]
    return math.nan


def squares(here):
    found = run(here, "n-four-bar", simulate__end=2.5, simulate__step=0.001)
    close("two squares: once round", turn_time(found), 1.942514923, 2e-5)
    scene = pathlib.Path(here, "forty.yaml")
    scene.write_text(four_bars(40))
    errors, turns = [], []
    for step in (0.01, 0.005, 0.0025):
        found = run(here, scene, simulate__step=step)
        errors.append(abs(turned(-found[-1]["post-1.angle"] - 16.27862620)))
        turns.append(abs(turn_time(found) - 1.965601929))
    # five passages through positions in which forty equations depend on the others: between first and second order
    report(f"forty squares, through level: errors {', '.join(f'{e:.2g}' for e in errors)} at t = 5 fall with the step",
           errors[2] < errors[1] / 1.6 < errors[0] / 1.6 ** 2, errors)
    close("forty squares, through level: the angle at t = 5", errors[2], 0, 4e-4)
    close("forty squares: once round", turns[-1], 0, 2e-4)
    verified(here, "forty squares")


def top(here):
    tilt = lambda row: math.acos(row["top.z"] / .2)
    off = lambda row, t, way: math.hypot(tilt(row) - t, turned(math.atan2(row["top.y"], row["top.x"]) - way))
    errors = []
    for step in (1e-3, 5e-4):
        found = run(here, "heavy-top", simulate__step=step)
        errors.append(off(found[-1], 1.272973341, 1.981522807))
    second_order("heavy top at t = 1: tilt and way", errors, 5e-4)
    degrees = [math.degrees(tilt(row)) for row in found]
    close("heavy top: it nods down to", max(degrees), 73.53197581, 3e-3)
    close("heavy top: and up to", min(degrees), 60, 1e-3)
    bottoms = [b["t"] for a, b, c in zip(found, found[1:], found[2:]) if tilt(a) < tilt(b) >= tilt(c)]
    close("heavy top: period of its nodding", bottoms[1] - bottoms[0], .4111508551, 1.1e-3)
    errors = []
    for step in (1e-3, 5e-4):
        found = run(here, "heavy-top", **{"simulate.step": step, "simulate.end": 2, "bodies.0.spin": "[98.5*sqrt(3)/2, 0, 52.25]",
                                         "bodies.0.velocity": "[0, 0.3*sqrt(3), 0]"})
        errors.append(off(found[-1], .9535699563, 4.158560219))
    second_order("heavy top that precesses at the start, t = 2: tilt and way", errors, 2e-3)
    degrees = [math.degrees(tilt(row)) for row in found]
    close("heavy top that precesses: it nods up to", min(degrees), 53.84017175, 3e-3)
    close("heavy top that precesses: and down to", max(degrees), 60, 1e-6)


def solved(A, b):
    """Gauss."""
    n, W = len(b), [row[:] + [x] for row, x in zip(A, b)]
    for k in range(n):
        p = max(range(k, n), key=lambda i: abs(W[i][k]))
        W[k], W[p] = W[p], W[k]
        for i in range(k + 1, n):
            f = W[i][k] / W[k][k]
            W[i] = [x - f * y for x, y in zip(W[i], W[k])]
    for i in reversed(range(n)):
        W[i][n] = (W[i][n] - sum(W[i][j] * W[j][n] for j in range(i + 1, n))) / W[i][i]
    return [row[n] for row in W]


def mode(n, m, l, w):
    """The mode of a hanging chain of n rods next to the frequency w: angles, the largest of which is 1; and its frequency."""
    M = [[m * l * l * (n - max(i, j) - 1 + (1 / 3 if i == j else 1 / 2)) for j in range(n)] for i in range(n)]
    K = [9.81 * m * l * (n - i - 1 / 2) for i in range(n)]
    v = [math.cos(3.7 * i) + .3 for i in range(n)]
    A = [[(K[i] if i == j else 0) - w * w * 1.00001 * M[i][j] for j in range(n)] for i in range(n)]
    for _ in range(6):
        v = solved(A, [sum(M[i][j] * v[j] for j in range(n)) for i in range(n)])
        size = max(v, key=abs)
        v = [x / size for x in v]
    mass = sum(M[i][j] * v[i] * v[j] for i in range(n) for j in range(n))
    return v, math.sqrt(sum(K[i] * v[i] ** 2 for i in range(n)) / mass)


def hanging(angles, m, l, end_, step):
    lines, x, y = [], 0, 0
    joints = []
    for k, a in enumerate(angles):
        c, s = .5 * l * math.cos(a), .5 * l * math.sin(a)
        joints.append(f"  - {{joint: hinge, a: rod-{k}, {f'b: rod-{k - 1}, ' if k else ''}at: [{x!r}, {y!r}]}}")
        lines.append(f"  - {{name: rod-{k}, shape: {{box: [{l / 50}, {l}]}}, mass: {m}, inertia: {m}*{l}^2/12, position: [{x + s!r}, {y - c!r}], rotation: {a!r}, group: 1}}")
        x, y = x + 2 * s, y - 2 * c
    return "thud: 1\nplanar: true\nbodies:\n" + "\n".join(lines) + "\njoints:\n" + "\n".join(joints) + f"\nsimulate: {{end: {end_}, step: {step}}}\n"


def frequencies(here):
    """Released in one mode, with small angles, all rods swing as cos(w t)."""
    cases = [(2, 1, 1, w) for w in (2.68011401, 7.18867087)] + [(20, .05, .05, w) for w in (3.76635521, 8.66650546, 13.69152352, 186.1268707)]
    for n, m, l, w in cases:
        shape, own = mode(n, m, l, w)
        close(f"{n} rods: {w} is a frequency of the small motion", own / w, 1, 3e-9)
        size, period = 1e-4, 2 * math.pi / w
        errors = []
        coarse = 100 * math.ceil(period / .4)  # the explicit rule is stable where the step resolves all frequencies
        for steps in (coarse, 2 * coarse):
            scene = pathlib.Path(here, "hanging.yaml")
            scene.write_text(hanging([size * x for x in shape], m, l, period, period / steps))
            found = run(here, scene)
            errors.append(max(abs(row[f"rod-{k}.angle"] / size - x * math.cos(w * row["t"])) for row in found[::10] for k, x in enumerate(shape)))
        second_order(f"{n} rods swing with {w}", errors, 3e-4)


def chain(here):
    tips, forces = [], []
    for step in (5e-4, 2.5e-4):
        found = run(here, "rod-chain", simulate__step=step, simulate__end=1)
        row, k = found[-1], min(range(len(found)), key=lambda i: abs(found[i]["t"] - .5))
        a = row["link-20.angle"] - math.pi / 2
        tips.append(math.dist((row["link-20.x"] + .025 * math.cos(a), row["link-20.y"] + .025 * math.sin(a)), (-.89684465, -.16633447)))
        forces.append(math.dist([.5 * (found[k][f"pin-1.F{c}"] + found[k + 1][f"pin-1.F{c}"]) for c in "xy"], (-.35923465, 23.21209)))
    second_order("chain of 20 rods: its tip at t = 1", tips, 1e-3)
    second_order("chain of 20 rods: the pivot's force at t = 0.5, mean of two steps", forces, 2e-2)


def swings(here):
    found = run(here, "spherical-pendulum", simulate__step=.0025)
    down = [math.degrees(math.acos(min(1, -row["mass.z"]))) for row in found]
    close("spherical pendulum: it swings to", min(down), 27.42712724, 3e-3)
    close("spherical pendulum: from", max(down), 60, 3e-3)


def main():
    with folder() as here:
        andrews(here)
        squares(here)
        top(here)
        frequencies(here)
        chain(here)
        swings(here)
    end()


main()
