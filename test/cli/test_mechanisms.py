"""Mechanisms with motors, stops and contacts: each has a number that its geometry, its balance or its energy gives."""
import csv
import io
import math
import pathlib

from thudcli import close, end, example, folder, report, thud, thud_json


def run(here, name, channels, **settings):
    """Rows of an example with changed settings (`__` of a key stands for `.`)."""
    changes = [f"--set={key.replace('__', '.')}={value}" for key, value in settings.items()]
    thud_json("run", example(f"joints/{name}"), "--force", "-o", "motion.h5", *changes, cwd=here)
    done = thud("export", "motion.h5", "--no-units", "--channels", "t," + channels, cwd=here)
    return [{key: float(value) for key, value in row.items()} for row in csv.DictReader(io.StringIO(done.stdout))]


RING = """# A ring of four bars, whose centre of mass is 0 but for rounding, turns on a hinge there.
thud: 1
title: Ring
bodies:
  - name: ring
    mass: 1
    spin: [0, 0, 2]
    parts:
      - {shape: {box: [0.02, 0.5, 0.02]}, position: [0, 0, 0.24]}
      - {shape: {box: [0.02, 0.5, 0.02]}, position: [0, 0, -0.24]}
      - {shape: {box: [0.02, 0.02, 0.46]}, position: [0, 0.24, 0]}
      - {shape: {box: [0.02, 0.02, 0.46]}, position: [0, -0.24, 0]}
joints: [{joint: hinge, name: pivot, a: ring, at: [0, 0, 0], axis: [0, 0, 1]}]
observe: {turned: "2*atan2(ring.qz, ring.qw)"}
simulate: {end: 1, step: 0.01}
"""


def ring(here):
    """Neither run nor verify takes a rounded centre for a contradiction."""
    pathlib.Path(here, "ring.yaml").write_text(RING, encoding="utf-8")
    result = thud_json("run", "ring.yaml", "--force", "-o", "motion.h5", cwd=here)
    close("ring: it turns evenly", result["state"]["turned"], 2, 1e-9)
    verified(here, "ring")


def verified(here, name):
    done = thud("verify", "motion.h5", cwd=here)
    report(f"{name}: thud verify accepts it", done.returncode == 0, done.stdout[-1500:] + done.stderr)


def at(rows, t):
    return min(rows, key=lambda row: abs(row["t"] - t))


def gyroscope(here):
    rate = 9.81 * 0.5 * 0.1 / (0.0225 * 200)  # m g l/(C w)
    errors = []
    for step in (0.001, 0.0005, 0.00025):
        rows = run(here, "gyroscope", "turned,tilt", simulate__step=step)
        errors.append(abs(rows[-1]["turned"] - 2 * rate))
        close(f"gyroscope, step {step}: its axis stays level", max(abs(row["tilt"]) for row in rows), 0, 2e-6 * (step / 0.001) ** 2)
    order = math.log2(errors[0] / errors[-1]) / 2
    report(f"gyroscope: precession of order {order:.2f}, errors {errors[0]:.2g} to {errors[-1]:.2g}",
           order > 1.8 and errors[-1] < 2e-5, errors)
    verified(here, "gyroscope")
    done = thud("run", example("joints/gyroscope"), "--no-record", "--set", "simulate.step=0.002", cwd=here)
    report("gyroscope: a rotor that turns by 0.4 in a step is coarse, and joints are named",
           "verdict: coarse" in done.stdout and "joints took" in done.stdout, done.stdout)


def stewart_platform(here):
    errors = []
    for step in (0.004, 0.002, 0.001):
        rows = run(here, "stewart-platform", "height,level,joint_motor,joint_gap", simulate__step=step)
        errors.append(max(abs(row["height"] - 1 - 0.1 * (1 - math.cos(2 * math.pi * row["t"]))) for row in rows))
    order = math.log2(errors[0] / errors[-1]) / 2
    report(f"Stewart platform: height of order {order:.2f}, errors {errors[0]:.2g} to {errors[-1]:.2g}",
           order > 1.8 and errors[-1] < 5e-6, errors)
    close("Stewart platform: the plate stays level", min(row["level"] for row in rows), 1, 1e-12)
    spread = max(abs(row[f"joint_motor[leg-{k}]"] - row["joint_motor[leg-1]"]) for row in rows for k in range(2, 7))
    close("Stewart platform: six legs carry alike", spread, 0, 1e-6)
    verified(here, "Stewart platform")


def onager(here):
    weights = 9.81 * math.sin(math.pi / 4) * (60 * 0.4 - 2 * 1 - 5 * 0.3)
    inertia = 0.8 + 5 * 0.3**2 + 60 * (0.4**2 + 0.2**2 / 2) + 2 * (1 + 0.06**2 / 2)
    wanted = math.sqrt(2 * weights / inertia)
    errors = []
    for step in (0.002, 0.0005):
        rows = run(here, "onager", "speed,position", simulate__step=step)
        last = rows[-1]
        fallen = 1.5 + math.sin(math.pi / 4) - last["stone.y"]
        errors.append(abs(math.sqrt(last["speed"] ** 2 - 2 * 9.81 * fallen) - wanted) / wanted)
    report(f"onager: speed of the stone, errors {errors[0]:.2g} and {errors[1]:.2g}",
           errors[1] < 0.5 * errors[0] and errors[1] < 4e-3, errors)
    verified(here, "onager")


def gripper(here):
    rows = run(here, "gripper", "slip,position,joint_motor")
    held = [row for row in rows if row["t"] > 0.45]
    close("gripper: the part does not creep", max(row["slip"] for row in held) - min(row["slip"] for row in held), 0, 1e-9)
    close("gripper: it was lifted", rows[-1]["part.y"], 0.25, 1e-6)
    force = {round(row["joint_motor[jaw-left]"], 9) for row in held[1:]}
    report("gripper: its jaws press as they may", force == {30.0}, force)
    verified(here, "gripper")
    slips = run(here, "gripper", "slip,position", parameters__F=19)
    report("gripper: with 2 mu F = 19 N it does not hold 19.62 N", slips[-1]["part.y"] < 0.1, slips[-1]["part.y"])


def car(here):
    rows = run(here, "car-over-hill", "speed,position,joint_rate")
    close("car: it leaves the hill as it came", rows[-1]["speed"], 12 * 0.3, 1e-6)
    close("car: it is where it was before", rows[-1]["chassis.z"], 0.45, 1e-6)
    report("car: it was on the hill", max(row["chassis.z"] for row in rows) > 0.9)
    verified(here, "car")


def escapement(here):
    rows = run(here, "verge-escapement", "swing,teeth")
    swings = [now for before, now in zip(rows, rows[1:]) if before["swing"] < 0 <= now["swing"]]
    report("escapement: it runs", len(swings) >= 8, len(swings))
    report("escapement: one tooth for every swing",
           [math.floor(row["teeth"]) for row in swings] == list(range(1, len(swings) + 1)), [row["teeth"] for row in swings])
    verified(here, "escapement")


def walker(here):
    ahead = []
    for row in run(here, "walker", "x,joint_coordinate"):
        turn = -row["joint_coordinate[shaft-front]"]
        halves = round(turn / math.pi)
        ahead.append(row["x"] - 0.2 * halves - 0.1 * math.sin(turn - halves * math.pi))
    report("walker: it made five steps and more", row["x"] > 1.0, row["x"])
    later = ahead[len(ahead) // 10:]
    report(f"walker: 2 r for every half turn of its cranks, up to {max(later) - min(later):.2g} m",
           max(later) - min(later) < 1e-5 and abs(later[0]) < 0.01, (min(later), max(later)))
    verified(here, "walker")


if __name__ == "__main__":
    with folder() as here:
        for test in (gyroscope, ring, stewart_platform, onager, gripper, car, escapement, walker):
            test(here)
    end()
