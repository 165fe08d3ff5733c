"""Limits, motors, dry friction and free play at joints, and ropes: motions with known outcomes, laws that hold exactly, and what is
refused. References: elliptic integrals, events and energies, to the digits that the examples give."""
import csv
import io
import json
import math
import pathlib

from thudcli import close, end, example, folder, report, thud, thud_json

CHANNELS = "t,position,velocity,spin,joint_force,joint_coordinate,joint_rate,joint_motor,joint_friction,joint_limit,ledger"


def run(here, scene, **settings):
    """Rows of a scene with changed settings (`__` of a key stands for `.`)."""
    changes = [f"--set={key.replace('__', '.')}={value}" for key, value in settings.items()]
    thud_json("run", scene, "--force", "-o", "motion.h5", *changes, cwd=here)
    done = thud("export", "motion.h5", "--no-units", "--channels", CHANNELS, cwd=here)
    return [{key: float(value) for key, value in row.items()} for row in csv.DictReader(io.StringIO(done.stdout))]


def verified(here, name):
    done = thud("verify", "motion.h5", cwd=here)
    report(f"{name}: thud verify accepts it", done.returncode == 0, done.stdout[-1500:] + done.stderr)


def at(rows, t):
    return min(rows, key=lambda row: abs(row["t"] - t))


def first_order(name, errors, largest):
    """errors[k] at steps h/2^k: times of events are met up to a step."""
    report(f"{name}: errors {', '.join(f'{e:.2g}' for e in errors)} fall with the step", errors[-1] < 0.8 * errors[0], errors)
    report(f"{name}: the smallest step errs by at most {largest:g}", errors[-1] <= largest, errors)


def impacts(rows, joint, least=1e-6):
    return [row for row in rows if abs(row[f"joint_limit[{joint}]"]) > least]


def stops(here):
    wanted = [.3465122523, .8496208372, 1.165436974, 1.337972106]
    errors = []
    for step in (0.004, 0.002, 0.001):
        rows = run(here, example("joints/rod-on-stop"), simulate__step=step)
        found = [row["t"] for row in impacts(rows, "pivot", 0.1)]
        errors.append(max(abs(a - b) for a, b in zip(found, wanted)))
    first_order("stop: times of four impacts", errors, 6e-3)
    verified(here, "rod-on-stop")
    hit = impacts(rows, "pivot")[0]
    before = rows[rows.index(hit) - 1]
    close("stop: v+ = -e v-, e = 0.5, once gravity's part of a step is taken", hit["joint_rate[pivot]"], 0.5 * 3.597242531, 2e-3)
    close("stop: its impulse", hit["joint_limit[pivot]"], (hit["joint_rate[pivot]"] - before["joint_rate[pivot]"]) / 3, 5e-3)
    report("stop: never beyond the limit", min(row["joint_coordinate[pivot]"] for row in rows) >= math.pi / 9 - 1e-12)
    rest = [row for row in rows if row["t"] > 1.6]
    report("stop: at rest it neither hovers nor moves", all(abs(row["joint_coordinate[pivot]"] - math.pi / 9) < 1e-14 and
                                                            abs(row["joint_rate[pivot]"]) < 1e-14 for row in rest), rest[-1])
    close("stop: it carries the weight", rest[-1]["joint_limit[pivot]"] / 0.001, 9.81 * .5 * math.sin(math.pi / 9), 1e-9)
    rows = run(here, example("joints/rod-on-stop"), **{"joints.0.limits": "[0, null]", "simulate.end": 3})
    found = [row["t"] for row in impacts(rows, "pivot")]
    close("stop at the bottom: three impacts", max(abs(a - b) for a, b in zip(found, (.4394537012, 1.271693837, 2.093894671))), 0, 4e-3)


def motors(here):
    rows = run(here, example("joints/hinge-motor"))
    row = at(rows, 2)
    close("motor: reaches 12 rad/s at t = 2", row["joint_rate[shaft]"], 12, 1e-12)
    close("motor: after 12 rad", row["joint_coordinate[shaft]"], 12, 1e-12)
    close("motor: with 48 J", row["work"], 48, 1e-12)
    report("motor: on its way the torque is at the bound", all(abs(row["joint_motor[shaft]"] - 4) < 1e-11 for row in rows[1:200]))
    report("motor: then the speed is met exactly by 1 N m", all(row["joint_rate[shaft]"] == 12 and
           abs(row["joint_motor[shaft]"] - 1) < 1e-11 for row in rows[202:]), rows[-1])
    close("motor: friction takes 24 J", rows[-1]["friction_loss"], 24, 1e-10)
    verified(here, "hinge-motor")
    rows = run(here, example("joints/hinge-motor"), **{"joints.0.motor.at_most": 0.9})
    report("motor below the friction: it never starts", all(row["joint_rate[shaft]"] == 0 and row["joint_coordinate[shaft]"] == 0 and
           abs(row["joint_motor[shaft]"] + row["joint_friction[shaft]"]) < 1e-15 for row in rows), rows[-1])
    verified(here, "a motor that never starts")


def free_play(here):
    rows = run(here, example("joints/backlash"))
    close("free play: first impact", impacts(rows, "coupling")[0]["t"], .03922322703, 1e-4)
    apart = max(row["t"] for row in rows if abs(row["joint_rate[coupling]"]) > 0.01)
    close("free play: closed for good", apart, .1176696811, 1.5e-3)
    close("free play: the common speed is then on its way", at(rows, .15)["first.w"], .1680995444 + 10 / 7 * (.15 - .1176696811), 1e-9)
    last = rows[-1]
    close("free play: then the torque of the coupling", last["joint_limit[coupling]"] / 1e-4, .3714285714, 1e-9)
    close("free play: and both turn together", last["first.w"], last["second.w"], 1e-13)
    verified(here, "backlash")
    text = pathlib.Path(example("joints/backlash")).read_text()
    text = text.replace("torque: 0.4", "spin: 10").replace(", torque: -0.3", "").replace("limits: [-0.02, 0]", "clearance: 0.02")
    pathlib.Path(here, "play.yaml").write_text(text.replace("end: 0.2", "end: 0.07"))
    found = impacts(run(here, "play.yaml"), "coupling")
    for row, t in zip(found, (.001, .005, .013, .029, .061)):
        close(f"clearance: impact at {t}", row["t"], t, 7e-4)
    close("clearance: first impulse 3/14", abs(found[0]["joint_limit[coupling]"]), 3 / 14, 1e-12)
    for row, speeds in zip(found, ((-5 / 7, 30 / 7), (4.642857143, 2.142857143))):
        close("clearance: speeds after an impact", max(abs(row["first.w"] - speeds[0]), abs(row["second.w"] - speeds[1])), 0, 1e-8)
    verified(here, "clearance")


def dry_pin(here):
    """Turning points, interpolated in the rate."""
    wanted = [(.92884469, -1.15247699), (1.80216467, .84301697), (2.64765805, -.58843923)]
    errors = []
    for step in (0.008, 0.004, 0.002):
        rows = run(here, example("joints/dry-pin"), simulate__step=step)
        turns = [(a, b) for a, b in zip(rows, rows[1:]) if a["joint_rate[pin]"] * b["joint_rate[pin]"] < 0]
        found = [max((a, b), key=lambda row: abs(row["joint_coordinate[pin]"]))["joint_coordinate[pin]"] for a, b in turns]
        errors.append(max(abs(angle - x) for angle, (_, x) in zip(found, wanted)))
    first_order("dry pin: three turning points", errors, 3e-5)
    verified(here, "dry-pin")
    rest = [row for row in rows if row["t"] > 5.2]
    close("dry pin: where it stops for good", rest[-1]["joint_coordinate[pin]"], -.04347667, 1e-4)
    report("dry pin: there it does not creep", all(row["joint_coordinate[pin]"] == rest[0]["joint_coordinate[pin]"] for row in rest) and
           all(abs(row["joint_rate[pin]"]) < 1e-15 for row in rest), (rest[0], rest[-1]))
    sliding = [row for row in rows if 0.1 < row["t"] < 0.8]
    worst = max(abs(abs(row["joint_friction[pin]"]) / (0.05 * math.hypot(row["pin.Fx"], row["pin.Fy"])) - 1) for row in sliding)
    close("dry pin: its moment is rho times the force on it", worst, 0, 1e-12)
    close("dry pin: by mu and radius the same", run(here, example("joints/dry-pin"), **{
        "joints.0.friction": "{mu: 1, radius: 0.05*sqrt(2)}"})[-1]["joint_coordinate[pin]"], rest[-1]["joint_coordinate[pin]"], 1e-12)


def rope(here):
    errors = []
    for step in (0.004, 0.002, 0.001):
        rows = run(here, example("joints/rope-swing"), simulate__step=step)
        slack = next(row["t"] for row in rows[5:] if row["joint_limit[rope]"] == 0)
        taut = next(row["t"] for row in rows if row["t"] > slack and row["joint_limit[rope]"] < -1)
        errors.append(abs(slack - .4819942835) + abs(taut - 1.264056170))
    first_order("rope: slack and taut again", errors, 4e-3)
    row = at(rows, taut + 0.005)
    close("rope: the radial speed is lost", row["impact_loss"], 16.554375, 0.1)
    close("rope: angular speed after it", row["ball.vx"], -1.107361730, 2e-2)
    report("rope: never longer than it is", max(row["joint_coordinate[rope]"] for row in rows) <= 1 + 1e-13)
    verified(here, "rope-swing")


GRIPPER = """thud: 1
planar: true
materials:
  rubber: {friction: 0.6}
bodies:
  - {name: floor, fixed: true, shape: {box: [4, 0.2]}, material: rubber, position: [0, -0.1]}
  - {name: carriage, shape: {box: [0.6, 0.1]}, material: rubber, mass: 2, position: [0, 0.6]}
  - {name: left, shape: {box: [0.05, 0.4]}, material: rubber, mass: 0.3, position: [-0.2, 0.3]}
  - {name: right, shape: {box: [0.05, 0.4]}, material: rubber, mass: 0.3, position: [0.2, 0.3]}
  - {name: part, shape: {box: [0.2, 0.2]}, material: rubber, mass: 1, position: [0.03, 0.1]}
joints:
  - {joint: slider, name: lift, a: carriage, at: [0, 0.6], axis: [0, 1], motor: {position: "0.05*(1 + tanh(8*(t - 1)))", at_most: 60, time: 0.05}}
  - {joint: slider, name: left, a: left, b: carriage, at: [-0.2, 0.5], axis: [1, 0], motor: {position: 0.09, at_most: 20, time: 0.05}}
  - {joint: slider, name: right, a: right, b: carriage, at: [0.2, 0.5], axis: [1, 0], motor: {speed: -0.3, at_most: 30}, limits: [-0.075, 0]}
simulate: {end: 2, step: 0.005}
"""

SPACE = """thud: 1
bodies:
  - {name: ground, fixed: true, shape: {box: [4, 4, 0.2]}, position: [0, 0, -0.1]}
  - {name: base, shape: {box: [0.4, 0.4, 0.4]}, mass: 5, position: [0, 0, 0.25]}
  - {name: arm, shape: {box: [0.6, 0.1, 0.1]}, mass: 1, position: [0.5, 0, 0.45]}
  - {name: hand, shape: {box: [0.3, 0.1, 0.1]}, mass: 0.5, position: [0.95, 0, 0.45]}
  - {name: weight, shape: {box: [0.2, 0.2, 0.2]}, mass: 1, position: [0.2, 0.6, 0.1]}
joints:
  - {joint: hinge, name: shoulder, a: arm, b: base, at: [0.2, 0, 0.45], axis: [0, 1, 0], motor: {position: 0.5*sin(2*t), at_most: 12, time: 0.05},
     limits: [-1, 1]}
  - {joint: hinge, name: wrist, a: hand, b: arm, at: [0.8, 0, 0.45], axis: [0, 0, 1], friction: {mu: 0.3, radius: 0.02}, limits: [-0.3, 0.3],
     restitution: 0.3}
  - {joint: rope, name: leash, a: weight, b: hand, at_b: [0.15, 0, 0], length: 1.15}
  - {joint: slider, name: rail, a: base, at: [0, 0, 0.25], axis: [1, 0, 0], motor: {speed: 0.2*sin(3*t), at_most: 30}, friction: {mu: 0.1}}
simulate: {end: 2, step: 0.005}
"""


FOUR_BAR = """thud: 1
planar: true
gravity: [0, 0]
parameters: {ax: 0.5, ay: 0.8660254037844386, bx: 3.28225156, by: 1.98811107}
bodies:
  - {name: crank, shape: {box: [1, 0.02]}, mass: 1e-3, position: [ax/2, ay/2], rotation: pi/3, spin: 0.001}
  - {name: coupler, shape: {box: [3, 0.02]}, mass: 1e-3, position: [(ax+bx)/2, (ay+by)/2], rotation: "atan2(by-ay, bx-ax)"}
  - {name: rocker, shape: {box: [2, 0.02]}, mass: 1e-3, position: [(3.5+bx)/2, by/2], rotation: "atan2(by, bx-3.5)", torque: -10}
joints:
  - {joint: hinge, name: O, a: crank, at: [0, 0], start: pi/3, friction: {rho: 0.05}, motor: {speed: 0.001, at_most: 100}}
  - {joint: hinge, name: A, a: coupler, b: crank, at: [ax, ay], friction: {rho: 0.05}}
  - {joint: hinge, name: B, a: rocker, b: coupler, at: [bx, by], friction: {rho: 0.05}}
  - {joint: hinge, name: C, a: rocker, at: [3.5, 0], friction: {rho: 0.05}}
simulate: {end: 0.05, step: 0.001, relax: true}
"""

SLEEPY = """thud: 1
planar: true
materials:
  rubber: {friction: 0.6}
bodies:
  - {name: floor, fixed: true, shape: half_plane, material: rubber}
  - {name: base, shape: {box: [1, 0.2]}, mass: 5, position: [0, 0.1], material: rubber}
  - {name: arm, shape: {box: [0.6, 0.05]}, mass: 1, position: [0.3, 0.3]}
joints:
  - {joint: hinge, name: pivot, a: arm, b: base, at: [0, 0.3], motor: {speed: "0.2*min(max(t - 2, 0), 0.5)", at_most: 30}}
simulate: {end: 4, step: 0.01, sleep: true, sleep_time: 0.3}
"""


def dry_four_bar(here):
    """Slowly, the bars nearly without mass: the crank's torque and the force of all pins are those of the tangents to their circles."""
    pathlib.Path(here, "four.yaml").write_text(FOUR_BAR)
    last = run(here, "four.yaml")[-1]
    close("four-bar on dry pins: torque of the crank", last["joint_motor[O]"], 4.028058911, 1e-3)
    close("four-bar on dry pins: force of a pin", math.hypot(last["B.Fx"], last["B.Fy"]), 5.428179752, 1e-3)
    verified(here, "a four-bar on dry pins")
    frictionless = FOUR_BAR.replace(", friction: {rho: 0.05}", "")
    pathlib.Path(here, "four.yaml").write_text(frictionless)
    close("four-bar without friction: torque of the crank", run(here, "four.yaml")[-1]["joint_motor[O]"], 3.200372753, 1e-3)


def sleep(here):
    """A motor that holds lets its bodies sleep; one that begins to turn wakes them."""
    pathlib.Path(here, "sleepy.yaml").write_text(SLEEPY)
    rows = run(here, "sleepy.yaml")
    report("sleep: the motor holds exactly", all(abs(row["joint_rate[pivot]"]) < 1e-12 for row in rows if row["t"] < 1.99))
    close("sleep: and turns when it is to", rows[-1]["joint_rate[pivot]"], 0.1, 1e-12)
    verified(here, "a motor whose bodies sleep")


def with_contacts(here):
    pathlib.Path(here, "gripper.yaml").write_text(GRIPPER)
    rows = run(here, "gripper.yaml")
    verified(here, "a gripper lifts a part by friction")
    last = rows[-1]
    close("gripper: it has lifted the part", last["part.y"], 0.2, 1e-3)
    close("gripper: the motor of the lift carries what hangs on it", last["joint_motor[lift]"], 9.81 * 3.6, 0.05)
    pathlib.Path(here, "space.yaml").write_text(SPACE)
    rows = run(here, "space.yaml")
    verified(here, "an arm with motors, friction, limits and a rope in space")
    report("arm: motors are within their bounds", max(abs(row["joint_motor[shoulder]"]) for row in rows) <= 12 * (1 + 1e-12) and
           max(abs(row["joint_motor[rail]"]) for row in rows) <= 30 * (1 + 1e-12))
    report("arm: the limit of the wrist is met and not passed", max(abs(row["joint_coordinate[wrist]"]) for row in rows) <= 0.3 + 1e-12)


REFUSED = [
    ("an upper limit below the lower one", "{joint: hinge, a: a, at: [0, 0], limits: [1, -1]}", "below its lower limit"),
    ("limits of one number", "{joint: hinge, a: a, at: [0, 0], limits: [1]}", "[lower, upper]"),
    ("limits that exclude the start", "{joint: hinge, name: h, a: a, at: [0, 0], limits: [0.5, 1]}", "'h' by 0.5"),
    ("a rope that is too short", "{joint: rope, name: r, a: a, length: 0.3}", "'r' by 0.2"),
    ("a restitution beyond 1", "{joint: hinge, a: a, at: [0, 0], limits: [0, 1], restitution: 2}", "at most 1"),
    ("clearance and limits", "{joint: hinge, a: a, at: [0, 0], limits: [0, 1], clearance: 0.1}", "leave out 'limits'"),
    ("a motor without a bound", "{joint: hinge, a: a, at: [0, 0], motor: {speed: 1}}", "at_most"),
    ("a motor without a target", "{joint: hinge, a: a, at: [0, 0], motor: {at_most: 1}}", "'speed' or a 'position'"),
    ("a motor of speed with a time", "{joint: hinge, a: a, at: [0, 0], motor: {speed: 1, at_most: 1, time: 1}}", "'time'"),
    ("limits of a joint without a coordinate", "{joint: fixed, a: a, limits: [0, 1]}", "no coordinate"),
    ("a motor of a rod", "{joint: rod, a: a, motor: {speed: 1, at_most: 1}}", "no coordinate"),
    ("a pin without a radius", "{joint: hinge, a: a, at: [0, 0], friction: {mu: 0.1}}", "radius"),
    ("friction said twice", "{joint: hinge, a: a, at: [0, 0], friction: {bound: 1, rho: 0.1}}", "either"),
    ("a slider with a radius", "{joint: slider, a: a, at: [0, 0], axis: [1, 0], friction: {mu: 0.1, radius: 1}}", "radius"),
    ("friction of a rope", "{joint: rope, a: a, length: 1, friction: {bound: 1}}", "no friction"),
    ("turning of a hinge", "{joint: hinge, a: a, at: [0, 0], turning: {limits: [0, 1]}}", "cylindrical"),
]


def bad_input(here):
    scene = "thud: 1\nplanar: true\nbodies:\n  - {name: a, shape: {box: [1, 0.1]}, mass: 1, position: [0.5, 0]}\njoints:\n  - %s\n" \
            "simulate: {end: 0.1, step: 0.01}\n"
    for name, joint, says in REFUSED:
        pathlib.Path(here, "bad.yaml").write_text(scene % joint)
        done = thud("run", "bad.yaml", "--force", cwd=here)
        code = "bad-joint]" if "by 0." in says else "bad-joint-law]"
        report(f"refused: {name}", done.returncode not in (0, -11) and says in done.stderr and code in done.stderr, done.stderr)
    pathlib.Path(here, "bad.yaml").write_text(scene % "{joint: hinge, name: h, a: a, at: [0, 0], limits: [-1, 1]}")
    done = thud("run", "bad.yaml", "--force", "--set", "simulate.impact_law=lzb", cwd=here)
    report("refused: limits under another law of impacts than Newton's", "'h'" in done.stderr and "unsupported-method]" in done.stderr, done.stderr)
    pathlib.Path(here, "bad.yaml").write_text(scene % "{joint: hinge, name: h, a: a, at: [0, 0], limits: [0.5, 1]}")
    rows = run(here, "bad.yaml", simulate__relax="true")
    close("relax: the start is moved to the limit", rows[0]["joint_coordinate[h]"], 0.5, 1e-12)
    verified(here, "a start moved to its limit")


def main():
    with folder() as here:
        stops(here)
        motors(here)
        free_play(here)
        dry_pin(here)
        rope(here)
        dry_four_bar(here)
        sleep(here)
        with_contacts(here)
        bad_input(here)
    end()


main()
