"""Joints that couple coordinates (screws, gears, racks, pulleys), universal joints and a stiff governor: closed forms and values
from integrators of their own, turns over checkpoints, and what is refused."""
import math
import pathlib
import signal
import subprocess
import time

from jointruns import at, run, second_order, verified
from thudcli import PROGRAM, close, end, example, folder, report, thud


def gears(here):
    found = run(here, "gear-train")
    last = found[-1]
    close("three gears: the first", last["first.w"], 4 * 100 / 3, 1e-9)
    close("three gears: the last", last["third.w"], 4 * 100 / 9, 1e-9)
    close("three gears: force of the first teeth", math.hypot(last["teeth-1.Fx"], last["teeth-1.Fy"]), 100 / 3, 1e-9)
    close("three gears: force of the second teeth", math.hypot(last["teeth-2.Fx"], last["teeth-2.Fy"]), 50 / 3, 1e-9)
    close("three gears: after more than 42 turns the first angle is that of its torque", math.remainder(last["first.angle"] - 0.5 * 16 * 100 / 3, 2 * math.pi), 0, 1e-9)
    close("three gears: so is the last", math.remainder(last["third.angle"] - 0.5 * 16 * 100 / 9, 2 * math.pi), 0, 1e-9)
    verified(here, "gear-train")
    run(here, "gear-train", record="thin", record__every=0.25)
    verified(here, "gear-train, a row in 125 steps of up to five turns", "thin")
    found = run(here, "rack-and-pinion")
    close("rack: acceleration", found[-1]["rack.vy"], 4.114, 1e-12)
    close("rack: force of the teeth", math.hypot(found[-1]["teeth.Fx"], found[-1]["teeth.Fy"]), 41.772, 1e-9)
    verified(here, "rack-and-pinion")
    errors = []
    for step in (0.002, 0.001, 0.0005):
        last = run(here, "planetary-gear", simulate__step=step, simulate__end=0.5)[-1]
        errors.append(abs(last["carrier.w"] - (20 + 0.5 * 0.3 / 0.01406)))
        close(f"planetary gear: the sun turns three times as fast as the carrier, step {step}", last["sun.w"] / last["carrier.w"], 3, 0.1)
    report("planetary gear: the carrier's speed converges", errors[2] < errors[1] < errors[0] and errors[2] < 0.02, errors)
    verified(here, "planetary-gear")
    axis, errors = (math.cos(2), math.sin(2), 0), []
    for step in (0.01, 0.005, 0.0025):
        last = run(here, "bevel-gears", simulate__step=step)[-1]
        second = sum(last[f"second.w{c}"] * a for c, a in zip("xyz", axis))
        errors.append(abs(second + 0.5 * (last["first.wz"] - 1)))
    second_order("bevel gears on a turning table: the second turns half as fast, the other way", errors, 1e-4)
    verified(here, "bevel-gears")


def clutch(here):
    found = run(here, "gear-clutch")
    last = found[-1]
    close("gears meshed at once: the first", last["first.w"], 50, 1e-9)
    close("gears meshed at once: the second", last["second.w"], -25, 1e-9)
    impulse = sum(math.hypot(row["teeth.Fx"], row["teeth.Fy"]) * 0.001 for row in found)
    close("gears meshed at once: impulse of the teeth", impulse, 25, 1e-7)
    close("gears meshed at once: loss", found[0]["kinetic"] - last["kinetic"], 25, 1e-8)
    verified(here, "gear-clutch")


def ropes_and_screws(here):
    last = run(here, "nut-on-screw")[-1]
    close("nut on a screw: acceleration", last["nut.vz"] / 2, -1.652961576, 1e-9)
    verified(here, "nut-on-screw")
    last = run(here, "atwood-wheel")[-1]
    close("Atwood: acceleration", last["light.vy"], 1.09, 1e-12)
    close("Atwood: the rope of the light weight", abs(last["rope-left.Fy"]), 10.9, 1e-9)
    close("Atwood: the rope of the heavy weight", abs(last["rope-right.Fy"]), 13.08, 1e-9)
    verified(here, "atwood-wheel")
    last = run(here, "block-and-tackle")[-1]
    close("block and tackle: acceleration of the load", last["load.vy"], 9.81 / 17, 1e-12)
    close("block and tackle: force of the rope", last["rope.Fy"], 3 * (9.81 - 2 * 9.81 / 17), 1e-9)
    verified(here, "block-and-tackle")


def universal_joints(here):
    found = run(here, "universal-joint")
    for angle, speed, torque in ((22.5, 8.989369717, 4.448395180), (45, 9.897433186, 8.396501458)):
        k = round(400 * angle / 180)
        w = math.hypot(found[k]["driven.wx"], found[k]["driven.wy"])
        close(f"universal joint at {angle} degrees: the driven shaft", w, speed, 2e-5)
        close(f"universal joint at {angle} degrees: torque", -0.5 * (found[k]["cross.Mx"] + found[k + 1]["cross.Mx"]), torque, 5e-3)
    row, after = found[50], found[51]
    moments = [0.5 * (row[f"cross.M{c}"] + after[f"cross.M{c}"]) for c in "xyz"]
    close("universal joint: moment of the cross", math.hypot(*moments), 5.041658492, 5e-3)
    close("universal joint: bending of the first shaft", math.hypot(moments[1], moments[2]), 2.372783317, 5e-3)
    verified(here, "universal-joint")
    errors = []
    for step in (0.004, 0.002, 0.001):
        found = run(here, "free-universal-joint", simulate__step=step)
        last = found[-1]
        phi = 2 * math.atan2(last["first.qx"], last["first.qw"])
        errors.append(abs(math.remainder(phi - 9.19008733, 2 * math.pi)))
    second_order("free universal joint: angle at t = 1", errors, 2e-4)
    angles = [2 * math.atan2(row["first.qx"], row["first.qw"]) % (2 * math.pi) for row in found]
    close("free universal joint: angle at t = 0.3", angles[300], 2.732841903, 1e-6)
    k = next(k for k in range(1, len(found)) if angles[k] >= math.pi / 2)
    share = (math.pi / 2 - angles[k - 1]) / (angles[k] - angles[k - 1])
    close("free universal joint: speed after a quarter turn", (1 - share) * found[k - 1]["first.wx"] + share * found[k]["first.wx"], 8.416254115, 1e-4)
    k = next(k for k in range(2, len(found)) if angles[k] < angles[k - 1])
    share = (2 * math.pi - angles[k - 1]) / (angles[k] + 2 * math.pi - angles[k - 1])
    close("free universal joint: time of one turn", (k - 1 + share) * 0.001, .6823506938, 2e-6)
    verified(here, "free-universal-joint")


def governor(here):
    wanted = {0.1: .52383648, 0.5: .74324942}
    found = {h: run(here, "governor", simulate__step=h, simulate__end=0.6) for h in (0.002, 0.001, 0.0005)}
    for t, height in wanted.items():
        errors = [abs(at(found[h], t)["slider.z"] - height) for h in found]
        report(f"governor: the stiff dampers leave order one at t = {t}", errors[2] < 1.1e-3 and 1.8 < errors[0] / errors[1] < 2.2 and 1.8 < errors[1] / errors[2] < 2.2, errors)
        close(f"governor: extrapolated height at t = {t}", 2 * at(found[0.0005], t)["slider.z"] - at(found[0.001], t)["slider.z"], height, 2e-5)
    close("governor: the shaft at t = 0.5", at(found[0.0005], 0.5)["shaft.wz"], 5.10341542, 1e-4)
    verified(here, "governor")


def turns_over_checkpoints(here):
    """A run that is interrupted after many turns and resumed has the same rows, and the turns that it would have had."""
    settings = ["--set=simulate.step=0.0005", "--set=simulate.end=16", "--set=record.every=0.5", "--set=record.checkpoint_every=0.05"]
    begin = ["run", example("joints/gear-train"), "--force", *settings]
    whole = thud(*begin, "-o", "whole.h5", cwd=here)
    report("gears: 670 turns", whole.returncode == 0, whole.stdout[-500:] + whole.stderr)
    for wait in (0.3, 0.15, 0.6, 1.2):  # long enough for a checkpoint, shorter than the run
        process = subprocess.Popen([PROGRAM, *begin, "-o", "part.h5"], cwd=here, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(wait)
        process.send_signal(signal.SIGINT)
        process.communicate()
        done = thud("run", "--resume", "part.h5", cwd=here)
        if process.returncode == 130 and done.returncode == 0:
            break
    report("gears: the run was interrupted, and went on", process.returncode == 130 and done.returncode == 0, (process.returncode, done.stderr))
    texts = [thud("export", name, "--rows", "-o", "-", cwd=here).stdout for name in ("whole.h5", "part.h5")]
    report("gears: the rows of the resumed run are those of the whole one", texts[0] == texts[1] and len(texts[0]) > 1000)
    verified(here, "the resumed gears", "part")


SCENE = """thud: 1
planar: %s
bodies:
  - {name: a, shape: {%s}, mass: 1, group: 1}
  - {name: b, shape: {%s}, mass: 1, position: [1, 0%s], group: 1}
joints:
  - {%s}
simulate: {end: 0.1, step: 0.01}
"""

REFUSED = [
    ("a gear without radii", True, "joint: gear, a: a, b: b", ["radius_a"]),
    ("a gear with a radius of 0", True, "joint: gear, a: a, b: b, radius_a: 0, radius_b: 1", ["must be finite and not 0"]),
    ("a gear on one axis", True, "joint: gear, a: a, b: b, at_b: [-1, 0], radius_a: 1, radius_b: 1", ["the same line"]),
    ("a gear with 'at'", True, "joint: gear, a: a, b: b, at: [0, 0], radius_a: 1, radius_b: 1", ["at_a"]),
    ("a rack without a way", True, "joint: rack, a: a, b: b, at: [0, 0], radius: 1", ["along"]),
    ("a rack along the pinion's axis", False, "joint: rack, a: a, b: b, at: [0, 0, 0], axis: [0, 0, 1], along: [0, 0, 1], radius: 1", ["along the axis of the pinion"]),
    ("a screw of the plane", True, "joint: screw, a: a, b: b, at: [0, 0], axis: [1, 0], lead: 1", ["one of space"]),
    ("a screw without a lead", False, "joint: screw, a: a, b: b, at: [0, 0, 0], axis: [0, 0, 1]", ["lead"]),
    ("a screw with a lead of 0", False, "joint: screw, a: a, b: b, at: [0, 0, 0], axis: [0, 0, 1], lead: 0", ["is a hinge"]),
    ("a pulley with one body", True, "joint: pulley, a: a, over_a: [0, 1], over_b: [1, 1]", ["two bodies"]),
    ("a pulley where its rope is led over", True, "joint: pulley, a: a, b: b, over_a: [0, 0], over_b: [1, 1]", ["no direction"]),
    ("a pulley with a ratio of 0", True, "joint: pulley, a: a, b: b, over_a: [0, 1], over_b: [1, 1], ratio: 0", ["ratio"]),
    ("a rope that is too short", True, "joint: pulley, a: a, b: b, over_a: [0, 1], over_b: [1, 1], length: 1.5", ["by 0.5", "relax"]),
    ("a lead of a hinge", True, "joint: hinge, a: a, b: b, at: [0, 0], lead: 1", ["only a screw"]),
    ("a radius of a gear", True, "joint: gear, a: a, b: b, radius: 1, radius_a: 1, radius_b: 1", ["only a rack"]),
]


def bad_input(here):
    for name, planar, joint, says in REFUSED:
        shape = "disc: 0.1" if planar else "sphere: 0.1"
        (here / "bad.yaml").write_text(SCENE % ("true" if planar else "false", shape, shape, "" if planar else ", 0", joint))
        done = thud("run", "bad.yaml", "--force", cwd=here)
        report(f"refused: {name}", done.returncode not in (0, -11) and all(text in done.stderr for text in says), done.stderr)
    text = pathlib.Path(example("joints/gear-train")).read_text().replace("torque: 1", "spin: 1000").replace("inertia: 0.04,", "inertia: 0.04, spin: -500,")
    (here / "fast.yaml").write_text(text.replace("position: [0.16, 0]", "position: [0.16, 0], spin: 333.33333333333333"))
    done = thud("run", "fast.yaml", "--force", "--set", "simulate.step=0.01", "--set", "simulate.end=0.1", cwd=here)
    report("named: a gear that makes more than a turn in a step", done.returncode not in (0, -11) and "more than one turn in the step" in done.stdout + done.stderr, done.stdout + done.stderr)


def main():
    with folder() as here:
        gears(here)
        clutch(here)
        ropes_and_screws(here)
        universal_joints(here)
        governor(here)
        turns_over_checkpoints(here)
        bad_input(pathlib.Path(here))
    end()


main()
