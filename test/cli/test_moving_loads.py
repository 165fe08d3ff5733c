"""Loads and obstacles of place and time: closed forms with their orders, scenes written in two ways, fronts and jumps, changed
records, refusals."""
import math
import os
import pathlib
import random
import subprocess

from thudcli import ROOT, close, end, folder, report, some, thud, thud_json

EXAMPLES = ROOT / "examples" / "elastic"
TAMPER = os.environ.get("THUD_TAMPER") or str(ROOT / "build" / "release" / "test" / "record_tamper")


def run(name, *arguments):
    return thud_json("run", EXAMPLES / f"{name}.yaml", "--no-record", *arguments, cwd=here)


def run_text(name, text):
    (here / f"{name}.yaml").write_text("thud: 1\n" + text)
    result = thud_json("run", f"{name}.yaml", "-o", f"{name}.h5", "-f", cwd=here)
    judged = thud("verify", f"{name}.h5", cwd=here)
    report(f"{name} is verified", judged.returncode == 0, judged.stdout)
    return result


def rows(name):
    """Numbers of each row; columns that are empty (NaN) are 0."""
    lines = thud("export", f"{name}.h5", "--rows", cwd=here).stdout.splitlines()
    return [[float(word or 0) for word in line.split(",") if word == "" or word[-1:].isdigit()] for line in lines[1:]]


def touching_beam(t):
    """Where a supported beam under the bell touches -(x - 1/2)^2/2, and the force: v = psi and v' = psi' at xi, with Green's
    function by Simpson's rule (the bell is smooth: error below 1e-10)."""
    def green(x, y):
        a, b = min(x, y), max(x, y)
        return a * (1 - b) * (1 - (1 - b) ** 2 - a * a) / 6

    def slope(x, y):  # d green / dx
        if x < y:
            return (1 - y) * (1 - (1 - y) ** 2 - 3 * x * x) / 6
        return -y * (1 - (y * y) - 3 * (1 - x) ** 2) / 6

    def bent(function, x):
        total, cells = 0.0, 400
        for low, high in ((0.0, x), (x, 1.0)):
            h = (high - low) / cells
            for k in range(cells + 1):
                y = low + k * h
                weight = h / 3 * (1 if k in (0, cells) else 4 if k % 2 else 2)
                total -= weight * function(x, y) * 60 * math.exp(-((y - 0.3 - 0.1 * t) / 0.1) ** 2)
        return total

    def force(x):
        return (-(x - 0.5) ** 2 / 2 - bent(green, x)) / green(x, x)

    low, high = 0.42, 0.49
    for _ in range(45):
        x = (low + high) / 2
        middle = (slope(x, x - 1e-12) + slope(x, x + 1e-12)) / 2  # continuous at y = x
        if bent(slope, x) + force(x) * middle + (x - 0.5) > 0:
            high = x
        else:
            low = x
    return low, force(low)


def check_beam():
    reference = {0: (0.4405412, 8.463619), 0.5: (0.4503083, 9.296181), 1: (0.4644476, 9.881377)}
    for t, expected in reference.items():
        xi, R = touching_beam(t)
        close(f"t = {t}: xi of the reference", xi, expected[0], 6e-8)
        close(f"t = {t}: R of the reference", R, expected[1], 6e-7)
        for nodes in (101, 401):
            span = ("--set", f"simulate.end={t or 1e-9}", "--set", "simulate.classify=0", "--set", f"beam.nodes={nodes}")
            atom, = run("beam-under-wave", *span)["atoms"]
            h = 1 / (nodes - 1)
            close(f"t = {t}, {nodes} nodes: place within a cell", atom["x"], xi, h)
            close(f"t = {t}, {nodes} nodes: force, error of order 1", atom["force"], R, 4 * h)
    result = run("beam-under-wave")
    report("a contact point that moves: weak only", result["class"] == "weak only" and abs(result["growth"] - 0.5) < 0.03, result)


def check_hump():
    h, k, d = 0.05, 1, 0.1
    b0 = 1 - math.sqrt(0.7 ** 2 - h / k)
    errors = []
    for cells in (150, 300, 600):
        result = run("string-over-hump", "--set", f"string.nodes={cells + 1}", "--set", f"simulate.steps={cells // 2}")
        a, b = math.sqrt(0.7 ** 2 - h / k), 1 - math.sqrt(0.3 ** 2 - h / k)
        close(f"{cells} cells: force 2 k (b - a)", result["reaction"], 2 * k * (b - a), 0.1 / cells)
        u = d * (a - b0) / (1 - b0)  # at a, behind which u is linear
        errors.append(max(abs(result["state"][f"u({x:g})"] - u * x / a) for x in (0.1, 0.2, 0.4, 0.6)))
        close("u ahead of the hump stays", result["state"]["u(0.9)"], d * (0.9 - b0) / (1 - b0), 1.0 / cells)
        report("one jump, that of the pull", result["events_total"] == 1, result["events_total"])
    report("u behind the hump: order 1", errors[0] < 1e-3 and errors[2] < errors[0] / 2.5, errors)


def check_front():
    """The load of the string's example, spread over 2 eps, as a density with edges that move."""
    eps, mu, t = 0.1, 3, 1 / 3
    c, length = 0.5 - t + eps, 0.5 + t - eps
    xe = 1 - math.sqrt(length ** 2 + 4 * eps / mu)

    def exact(x):
        if x <= xe:
            return 0
        return mu / (4 * eps) * (x - xe) ** 2 if x <= c else 1 + mu / (2 * eps) * (c - xe) * (x - 1)
    errors = []
    for cells in (60, 120, 240):
        result = run_text("front", f"""string:
  nodes: {cells + 1}
  tension: 1
  friction: {mu}
  obstacle: 0
  ends: {{u_right: "if(t > 0, 1, 0)"}}
  loads: [{{density: "-(abs(x - 0.5 + t) <= {eps})/(2*{eps})"}}]
simulate: {{end: 1/3, steps: {cells}}}
""")
        errors.append(max(abs(result["state"][f"u({k / 20:g})"] - exact(k / 20)) for k in range(21)))
        report("edges that move are no jumps", result["events_total"] == 1, result["events_total"])
    report("a front: order 1 in cell and step", errors[0] < 0.03 and errors[2] < errors[0] / 2.5, errors)
    result = run_text("jump", """string:
  nodes: 21
  tension: 1
  friction: 1
  obstacle: -0.01
  ends: {u_right: 0.1}
  loads: [{density: "-x*if(t < 0.55, 1, 2 + (x < 2*t))"}, {density: "sin(t - x)", direction: longitudinal}]
simulate: {end: 1, steps: 10}
""")
    times = [row[0] for row in rows("jump")]
    report("a load that jumps everywhere at once jumps", times.count(0.55) == 3 and len(times) == 14, times)


def same(name, first, second, tolerance=1e-12):
    """Two scenes of one motion: the same rows."""
    run_text("first", first)
    run_text("second", second)
    a, b = rows("first"), rows("second")
    size = max(abs(x) for row in a for x in row)
    off = max(abs(x - y) for p, q in zip(a, b) for x, y in zip(p, q))
    report(f"{name}: the same rows", len(a) == len(b) > 2 and len(a[0]) == len(b[0]) and off <= tolerance * size, (off, len(a), len(b)))


def check_two_ways():
    """What depends on t by a factor, a lift or a place of its own, and the same as a function of place and time."""
    for section, stiff in (("string", "tension"), ("beam", "bending")):
        text = (section + ": {{nodes: 31, " + stiff + ": 1, friction: 0.5, ends: {{v_left: 1, v_right: 1, u_right: 0.1}}, {}}}\n"
                "simulate: {{end: 1, steps: 6}}\n")
        same(section, text.format('obstacle: "-(x - 0.4)^2", lift: t^2, loads: [{density: "-(1 + x)", factor: "300*t"}]'),
             text.format('obstacle: "t^2 - (x - 0.4)^2", loads: [{density: "-(300*t)*(1 + x)"}]'))
    for section, stiff in (("membrane", "tension"), ("plate", "bending")):
        text = (section + ": {{mesh: {{rectangle: [0, 0, 1, 1], cells: [6, 6]}}, " + stiff + ": 1, {}, "
                "in_plane: {{stretch: 1, friction: 0.5, load: {}}}, {}}}\nsimulate: {{end: 1, steps: 4}}\n")
        edges = ("edges: {{left: {{v: {0}*(1 + y), u: [0, {1}*x]}}, right: {{v: {0}*2, u: [{1}*y, 0]}}, bottom: {{v: {0}*1.5}}, "
                 "top: {{v: {0}*1.5}}}}")
        same(section, text.format('obstacle: "-x*y", lift: 0.1*t, load: "-200*x", load_factor: t, v_factor: 1 + t, u_factor: t^2, '
                                  'force_factor: sin(t)', "[y, 0.1]", edges.format("1", "0.01")),
             text.format('obstacle: "0.1*t - x*y", load: "-200*x*t"', '["y*sin(t)", "0.1*sin(t)"]',
                         edges.format("(1 + t)", "0.01*t^2")), 1e-11)
        pinned = ("load: -200, pins: [[0.5, 0.5, -0.1]]", "[0, 0]", edges.format("1", "0.01"))
        same(section + " on a pin", text.format('obstacle: "-x*y", ' + pinned[0], *pinned[1:]),
             text.format('obstacle: "-x*y*if(t < 2, 1, 2)", ' + pinned[0], *pinned[1:]))


def check_wheel():
    """The pin under a clamped disc carries 1 - b^2 + 2 b^2 ln b of a force at the distance b."""
    for b in (0.25, 0.6):
        exact, errors = 1 - b * b + 2 * b * b * math.log(b), []
        for rings in (8, 16, 32):
            result = run("plate-under-wheel", "--set", f"plate.mesh.rings={rings}", "--set", "simulate.steps=1",
                         "--set", f'plate.loads.0.at=["{b}*cos(0.3*t)", "{b}*sin(0.3*t)"]')
            errors.append(abs(result["reaction"] - exact))
        report(f"b = {b}: order 2 or nearly so", errors[0] < 0.06 and errors[2] < errors[0] / 6, errors)
    close("the force on the pin is all on it", run("plate-under-wheel", "--set", "simulate.end=0.5")["reaction"], 1, 1e-12)
    close("the whole load is carried", run("membrane-under-wave", "--set", "simulate.end=0.5")["reaction"], math.pi, 1e-4)
    text = """membrane:
  mesh: {rectangle: [0, 0, 1, 1], cells: [5, 5]}
  tension: 1
  obstacle: 0
  loads: [{at: [0.31 + t/5, 0.47], force: -1 - t}, {at: [0.5, 0.5], force: "-(t > 0.5)"}]
  edges: {left: {v: 0}, right: {v: 0}, bottom: {v: 0}, top: {v: 0}}
simulate: {end: 1, steps: 4}
"""
    close("forces on a floor are carried by it", run_text("points", text)["reaction"], 3, 1e-12)


def check_changes(name):
    """One changed number anywhere is found."""
    thud("run", EXAMPLES / f"{name}.yaml", "--set", "simulate.steps=4", "-o", f"{name}.h5", "-f", "-q", cwd=here)
    record, chance = str(here / f"{name}.h5"), random.Random(11)
    listed = subprocess.run([TAMPER, record], capture_output=True, text=True, check=True).stdout.splitlines()
    for path, kind, count in (line.split("\t") for line in listed):
        if int(count) == 0 or "@" in path or path.startswith("/checkpoints"):
            continue
        index, part = chance.randrange(int(count)), 10 ** chance.uniform(-5, -3) * chance.choice((-1, 1))
        copy = record + ".changed"
        done = subprocess.run([TAMPER, record, copy, path, str(index), repr(part)], capture_output=True, text=True)
        if done.returncode == 0:
            done = thud("verify", copy, cwd=here)
            report(f"{name}: {path}[{index}] changed by {part:.1e} is found", done.returncode != 0, done.stdout)
            os.remove(copy)


def refused(name, text, pieces, code=2):
    (here / "refused.yaml").write_text("thud: 1\n" + text)
    done = thud("run", "refused.yaml", "--no-record", cwd=here)
    said = done.stdout + done.stderr
    report(f"refused: {name}", done.returncode == code and all(piece in said for piece in pieces), said)


def check_refusals():
    line = "string: {{nodes: 5, tension: 1, {}}}\n{}simulate: {{end: 1, steps: 4}}\n"
    refused("an initial u of t", line.format("obstacle: 0", "initial: {u: x*t}\n"), ["depends on t"])
    refused("a density that ends", line.format('loads: [{density: "sqrt(0.6 - t)"}]', ""), ["density at x = 0 is", "t = 0.75"], 1)
    refused("an obstacle that is none", line.format("obstacle: log(x)", ""), ["obstacle at x = 0"])
    plate = ("plate: {{mesh: {{disc: [0, 0, 1], rings: 3}}, bending: 1, edges: {{edge: {{v: 0}}}}, {}}}\n"
             "simulate: {{end: 1, steps: 4}}\n")
    refused("a force that leaves", plate.format("loads: [{at: [2*t, 0], force: -1}]"), ["(1.5, 0) is not on the plate"], 1)
    refused("half a place", plate.format("loads: [{at: [0], force: -1}]"), ["[x, y] is needed"])
    refused("a force without a place", plate.format("loads: [{force: -1}]"), ["at", "[x, y]"])
    refused("a place without a force", plate.format("loads: [{at: [0, 0]}]"), ["force"])
    refused("a pin that moves", plate.format("pins: [[0, 0, t]]"), ["depends on time"])


with folder() as name_of_folder:
    here = pathlib.Path(name_of_folder)
    check_beam()
    check_hump()
    check_front()
    check_two_ways()
    check_wheel()
    for changed in some(("beam-under-wave", "string-over-hump", "plate-under-wheel"), 2):
        check_changes(changed)
    check_refusals()
end()
