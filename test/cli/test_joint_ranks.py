"""Mechanisms whose equations depend on each other, always or where they branch: values, orders and records (cases J2, J3, J7)."""
import json
import math
import pathlib
import random

from thudcli import close, end, example, folder, report, thud, thud_json


def squares(count, time, step):
    """N squares of hinged rods beside each other, upright, pushed at 1 m/s at their tops (IFToMM A02)."""
    rods = [f"  - {{name: post-{k}, shape: {{box: [0.04, 1]}}, mass: 1, inertia: 1/12, position: [{k}, 0.5], velocity: [0.5, 0], spin: -1, "
            "group: 1}" for k in range(count + 1)]
    rods += [f"  - {{name: beam-{k}, shape: {{box: [1, 0.04]}}, mass: 1, inertia: 1/12, position: [{k + 0.5}, 1], velocity: [1, 0], group: 1}}"
             for k in range(count)]
    joints = [f"  - {{joint: hinge, a: post-{k}, at: [{k}, 0]}}" for k in range(count + 1)]
    joints += [f"  - {{joint: hinge, a: beam-{k}, b: post-{k + side}, at: [{k + side}, 1]}}" for k in range(count) for side in (0, 1)]
    return ("thud: 1\nplanar: true\nbodies:\n" + "\n".join(rods) + "\njoints:\n" + "\n".join(joints)
            + f"\nsimulate: {{end: {time}, step: {step}}}\nrecord: {{every: {time / 5}}}\n")


def turned_too_far(angle, wanted):
    """Angles of planar bodies are within half a turn."""
    return abs(math.remainder(angle - wanted, 2 * math.pi))


def run(here, text):
    (here / "scene.yaml").write_text(text)
    return thud_json("run", "scene.yaml", "--force", "-o", "motion.h5", cwd=here)


def verified(here, name):
    done = thud("verify", "motion.h5", cwd=here)
    report(f"{name}: thud verify accepts it", done.returncode == 0, done.stdout[-1500:] + done.stderr)


def many_squares(here):
    errors = []
    for step in (0.004, 0.002, 0.001):
        state = run(here, squares(40, 5, step))["state"]
        errors.append(turned_too_far(-state["post-0.angle"], 16.27862620))
    order = math.log2(errors[0] / errors[-1]) / 2
    report(f"40 squares through three level positions: order {order:.2f}, errors {errors[0]:.2g} to {errors[-1]:.2g}",
           order > 1.5 and errors[-1] < 1e-4, errors)
    verified(here, "40 squares")
    state = run(here, squares(40, 20, 0.004))["state"]
    close("40 squares after 20 s", turned_too_far(-state["post-0.angle"], 63.25529537), 0, 1e-3)
    close("40 squares: all posts are parallel", max(abs(state[f"post-{k}.angle"] - state["post-0.angle"]) for k in range(41)), 0, 1e-9)


def bricard(here):
    """P2 is the end of the first rod; whichever of the thirty equations are left out, the motion is the same up to second order."""
    scene = pathlib.Path(example("joints/bricard-linkage")).read_text()
    head, rest = scene.split("bodies:\n")
    parts = [[line for line in part.split("\n") if line.startswith("  - ")] for part in rest.split("joints:\n")]
    tail = rest[rest.index("simulate:"):]

    def place(text, step):
        state = run(here, text.replace("step: 0.01", f"step: {step}"))["state"]
        return [state[f"rod-2.{axis}"] for axis in "xyz"]
    apart = []
    for step in (0.02, 0.01, 0.005):
        start = place(scene, step)
        furthest = 0
        for seed in range(2):
            bodies, joints = (random.Random(seed).sample(part, len(part)) for part in parts)
            text = head + "bodies:\n" + "\n".join(bodies) + "\njoints:\n" + "\n".join(joints) + "\n" + tail
            furthest = max(furthest, math.dist(start, place(text, step)))
        apart.append(furthest)
    report(f"Bricard for 10 s: bodies and joints in another order change it by {apart[0]:.2g} to {apart[-1]:.2g}",
           0 < apart[-1] < apart[0] / 8, apart)
    verified(here, "Bricard")


def walker(here):
    """Its feet land at dead centres, and later than at t = 40 its cranks stand next to one of them at a node."""
    done = thud_json("run", example("joints/walker"), "--set", "simulate.end=45", "--force", "-o", "motion.h5", cwd=here)
    report("walker over 45 s is good", done["verdict"] == "good", json.dumps(done)[:500])
    verified(here, "walker over 45 s")


def loop_falls(here):
    """A plane loop of seven rods in space, redundant by three: its equations were dropped while its joints were open, and it blew up."""
    count, points = 7, [(0.3 * math.cos(2 * math.pi * k / 7), 0.3 * math.sin(2 * math.pi * k / 7)) for k in range(7)]
    tilt = 0.7
    places = [(x, y * math.cos(tilt), 0.6 + y * math.sin(tilt)) for x, y in points]
    bodies, joints = ["  - {name: ground, fixed: true, shape: plane, material: m}"], []
    for k in range(count):
        p, q = places[k], places[(k + 1) % count]
        middle, way = [(a + b) / 2 for a, b in zip(p, q)], [b - a for a, b in zip(p, q)]
        size = math.sqrt(sum(x * x for x in way))
        w, y, z = 1 + way[0] / size, -way[2] / size, way[1] / size
        norm = math.sqrt(w * w + y * y + z * z)
        w, y, z = (w / norm, y / norm, z / norm) if norm > 1e-9 else (0, 0, 1)
        bodies.append(f"  - {{name: b{k}, group: 1, shape: {{box: [{size!r}, 0.03, 0.03]}}, mass: 1, position: {middle}, "
                      f"rotation: [{w!r}, 0, {y!r}, {z!r}], material: m}}")
        joints.append(f"  - {{joint: hinge, a: b{(k + 1) % count}, b: b{k}, at: {list(q)}, axis: [0, {-math.sin(tilt)!r}, {math.cos(tilt)!r}]}}")
    text = ("thud: 1\nmaterials: {m: {friction: 0.3}}\nbodies:\n" + "\n".join(bodies) + "\njoints:\n" + "\n".join(joints)
            + "\nsimulate: {end: 0.6, step: 0.005}\n")
    result = run(here, text)
    report("loop of seven rods on the floor: good", result["verdict"] == "good", json.dumps(result)[:500])
    report("loop of seven rods: no energy comes from nowhere", result["ledger"]["kinetic"] < 7 * 9.81 * 0.6, result["ledger"])
    verified(here, "loop of seven rods")


def taut(links, load, angle, step):
    a, size = math.radians(angle), 1 / links
    d = (math.sin(a), -math.cos(a))
    bodies, joints = [], []
    for k in range(links):
        at = [(k + 0.5) * size * x for x in d]
        bodies.append(f"  - {{name: l{k}, shape: {{box: [0.001, {size!r}]}}, mass: {size!r}, inertia: {size**3 / 12!r}, position: {at}, rotation: {a!r}, group: 1}}")
        other = f", b: l{k - 1}" if k else ""
        joints.append(f"  - {{joint: hinge, a: l{k}{other}, at: {[k * size * x for x in d]}}}")
    bodies.append(f"  - {{name: load, shape: {{disc: 0.05}}, mass: {load}, position: {list(d)}, group: 1}}")
    joints.append(f"  - {{joint: hinge, a: load, b: l{links - 1}, at: {list(d)}}}")
    return "thud: 1\nplanar: true\nbodies:\n" + "\n".join(bodies) + "\njoints:\n" + "\n".join(joints) + f"\nsimulate: {{end: 2, step: {step}}}\n"


def chains(here):
    """The zigzag of hinged links has w^2 = 12 T/(m l), T the tension; midpoint steps follow it up to h w = 2, and beyond the run says so."""
    for links, load, angle in ((20, 20, 30), (20, 5, 80), (5, 100, 30)):
        fastest = math.sqrt(12 * load * 9.81 * links**2)
        for part in (0.5, 0.9, 1.5, 2.2, 4):
            (here / "scene.yaml").write_text(taut(links, load, angle, part / fastest))
            done = thud("run", "scene.yaml", "--no-record", "--json", cwd=here)
            result = json.loads(done.stdout)
            ledger, name = result["ledger"], f"chain of {links} under {load} kg from {angle} degrees, h w = {part}"
            gain = ledger["lift"] + ledger["defect"]
            if part < 1 and angle < 45:
                report(f"{name}: good", result["verdict"] == "good", result)
            if part > 2:
                report(f"{name}: {result['verdict']}, not good", result["verdict"] != "good", result)
            if result["verdict"] == "good":
                report(f"{name}: gains {gain:.2g} J", gain < 0.011 * 9.81 * (load + 0.5), ledger)


with folder() as there:
    for test in (many_squares, bricard, walker, loop_falls, chains):
        test(pathlib.Path(there))
end()
