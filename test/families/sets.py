"""Friction laws whose sets are cut or added (a ball cut by a box or a polygon, discs with segments and boxes, in the plane and
in space), driven so that the contact slips, sticks and passes the corners of the set: time stepping ends within the step of
the event-driven motion, and costs what other laws cost."""
import json
import os
import pathlib
import subprocess
import tempfile

from . import Case

NAME = "sets"
PROGRAM = os.environ.get("THUD_PROGRAM") or str(pathlib.Path(__file__).resolve().parents[2] / "build" / "release" / "thud")


def numbers(values):
    return "[" + ", ".join(f"{x:.4g}" for x in values) + "]"


def plane_law(chance, kind):
    ball = f"{{ball: {{centre: [0, 0], radius: {chance.uniform(0.8, 1.2):.3g}}}}}"
    half = [chance.uniform(0.4, 1.1) for _ in range(2)]
    box = f"{{box: {{lower: {numbers([-h for h in half])}, upper: {numbers(half)}}}}}"
    if kind == 0:
        return f"{{intersection: [{ball}, {box}]}}"
    if kind == 1:
        end = [chance.uniform(-0.5, 0.5) for _ in range(2)]
        return f"{{sum: [{ball}, {{segment: {{from: {numbers([-e for e in end])}, to: {numbers(end)}}}}}]}}"
    if kind == 2:
        return f"{{sum: [{{scaling: {{by: 0.4, set: {ball}}}}}, {{scaling: {{by: 0.6, set: {box}}}}}]}}"
    q = chance.uniform(0.5, 3)
    ellipse = f"{{ellipsoid: {{centre: [0, 0], shape: [[{q:.3g}, 0.2], [0.2, {2 / q:.3g}]]}}}}"
    return f"{{intersection: [{ellipse}, {box}]}}"


def draw(chance, number):
    kind = number % 5
    drive = [chance.uniform(0.8, 2.2) for _ in range(3)]
    speed = [chance.uniform(0.5, 1.5) for _ in range(3)]
    if kind < 4:
        names, mass = ["x", "y"], [1, chance.uniform(0.5, 3)]
        law = plane_law(chance, kind)
    else:
        names, mass = ["x", "y", "z"], [1, chance.uniform(0.5, 3), chance.uniform(0.5, 3)]
        half = [chance.uniform(0.4, 1.1) for _ in range(3)]
        law = ("{intersection: [{ball: {centre: [0, 0, 0], radius: 1}}, "
               f"{{box: {{lower: {numbers([-h for h in half])}, upper: {numbers(half)}}}}}]}}")
    forces = ", ".join(f'{name}: "{d:.3g}*sin({s:.3g}*t + {k})"' for k, (name, d, s) in enumerate(zip(names, drive, speed)))
    slip = ", ".join(f'"{name}\'"' for name in names)
    initial = ", ".join(f'{name}: 0, "{name}\'": {chance.uniform(-1, 1):.3g}' for name in names)

    def scene(method):
        return (f"thud: 1\nsystem:\n  coordinates: [{', '.join(names)}]\n  mass: {numbers(mass)}\n  forces: {{{forces}}}\n"
                f'  friction:\n    - {{name: f, threshold: "1 + 0.3*sin(t)", slip: [{slip}], law: {law}}}\n'
                f"initial: {{{initial}}}\nsimulate: {{method: {method}}}\n")

    def near_event_driven(summary):
        with tempfile.TemporaryDirectory(prefix="thud-family-") as folder:
            path = pathlib.Path(folder, "event.yaml")
            path.write_text(scene("event-driven, end: 4"))
            done = subprocess.run([PROGRAM, "run", str(path), "-o", str(path) + ".h5", "--json"], capture_output=True,
                                  text=True, timeout=120, check=False)
        other = json.loads(done.stdout)
        if other["verdict"] != "good":  # no reference
            return None
        worst = max(abs(value - other["state"][key]) for key, value in summary["state"].items())
        # first order: a few steps of 0.002 s times accelerations of up to 5, over 4 s
        return None if worst <= 0.04 else f"differs from the event-driven motion by {worst:g}"
    return Case(scene("moreau-jean, end: 4, steps: 2000"), check=near_event_driven if kind < 4 else None)
