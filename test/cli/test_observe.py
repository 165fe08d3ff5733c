"""Observed quantities, conditions that end a run, changes on a condition: the examples, --at, CSV, pictures, pages, interrupted runs."""
import json
import math
import pathlib
import re

from thudcli import close, end, example, folder, report, stopped_early, thud, thud_json

GATE = """thud: 1
planar: true
gravity: [0, -9.81]
materials: {ice: {friction: 0, restitution: 0.5}}
bodies:
  - {name: ground, fixed: true, shape: half_plane, material: ice}
  - {name: ball, shape: {disc: 0.1}, mass: 1, material: ice, position: [9, 2], absent: true}
  - {name: sledge, shape: {box: [0.2, 0.2]}, mass: 1, material: ice, position: [0, 0.1], velocity: [2, 0]}
changes:
  - {when: sledge.x > 0.4999, do: add, body: ball}
  - {when: ball.y < 1.5, do: impulse, body: ball, impulse: [0, 3]}
observe: {opened: {first: sledge.x > 0.4999}, fell: {first: ball.y < 1.5}, height: ball.y, hit: {first_contact: [ball, ground]}}
until: "min(hit > 0, ball.vy < 0)"
simulate: {end: 3, step: 0.0002}
record: {every: 0.05, checkpoint_every: 0.02}
"""


def verified(here, name):
    result = thud_json("verify", "motion.h5", cwd=here)
    report(f"{name}: verified", result["verdict"] == "good", result)


def column(here, *names, at=None):
    options = ["--at", at] if at else []
    lines = thud("export", "motion.h5", "-o", "-", "--no-units", "--channels", ",".join(names), *options, cwd=here).stdout.splitlines()
    return [line.split(",") for line in lines[1:]]


def dominoes(here):
    speeds = []
    for step in (0.0005, 0.00025):
        result = thud_json("run", example("bodies/domino-wave"), "--force", "-o", "motion.h5", f"--set=simulate.step={step}", cwd=here)
        state = result["state"]
        report("dominoes: ended by the last contact", result["until"]["met"] and result["until"]["t"] == state["last"] == result["time"],
               result["until"])
        close("dominoes: the speed is the way over the time", state["speed"], 0.24 / (state["twentieth"] - state["tenth"]), 1e-12)
        speeds.append(state["speed"])
    close("dominoes: the speed of the wave converges", speeds[0], speeds[1], 0.01 * speeds[1])
    verified(here, "dominoes")


def gate(here):
    result = thud_json("run", example("bodies/gate-opens"), "--force", "-o", "motion.h5", cwd=here)
    mu_g = 0.6 * 9.81  # the cart slides: 2.5 - 3.5 t + mu g t^2/2 = 2
    close("gate: opened where the sliding cart passes 2 m", result["state"]["opened"], (3.5 - math.sqrt(3.5 ** 2 - mu_g)) / mu_g, 1e-3)
    events = thud("export", "motion.h5", "--events", "-o", "-", cwd=here).stdout
    report("gate: the removal is an event at that time", f"{result['state']['opened']!r}"[:5] in re.search(r"(.*),remove,gate", events).group(1), events)
    verified(here, "gate")


def catapult(here):
    result = thud_json("run", example("bodies/catapult"), "--force", "-o", "motion.h5", cwd=here)
    state, t = result["state"], result["time"]
    start = [float(x) for x in column(here, "t", "range", "velocity", "position", at=f"{state['free'] + 0.05!r}")[0][1:] if x]
    x, velocity, height = start[0], start[1 + 4], start[1 + 6 + 5]
    fall = start[1 + 5]
    close("catapult: the range is that of free flight", state["range"], x + velocity * (t - state["free"] - 0.05), 1e-9)
    time = (fall + math.sqrt(fall ** 2 + 2 * 9.81 * (height - 0.1))) / 9.81
    close("catapult: it lands when free flight does", t, state["free"] + 0.05 + time, 1e-3)
    verified(here, "catapult")


def interrupted(here):
    pathlib.Path(here, "gate.yaml").write_text(GATE)
    whole = thud_json("run", "gate.yaml", "-o", "whole.h5", "--at", "0.1,0.7,1", cwd=here)
    code, _ = stopped_early(here, "run", "gate.yaml", "--force", "-o", "motion.h5", "--at", "0.1,0.7,1")
    report("interrupted: exit code 130", code == 130, code)
    again = thud_json("run", "--resume", "motion.h5", cwd=here)
    for key in ("until", "state", "samples", "events", "ledger", "time", "reason", "verdict", "frames"):
        report(f"resumed: {key} is that of an uninterrupted run", again[key] == whole[key], (again[key], whole[key]))
    rows = [thud("export", name, "--rows", "-o", "-", cwd=here).stdout for name in ("whole.h5", "motion.h5")]
    report("resumed: the rows have the same bits", rows[0] == rows[1] and len(rows[0]) > 1000)
    verified(here, "resumed")
    parallel = thud_json("run", "gate.yaml", "-o", "parallel.h5", "--threads", "2", cwd=here)
    report("two threads: the same end and state", parallel["until"] == whole["until"] and parallel["state"] == whole["state"])
    report("sampled: heights are those of the ball", all(s["state"]["height"] == s["state"]["ball.y"] for s in whole["samples"]))


def looks(here):
    report("plotted", thud("plot", "motion.h5", "-o", "height.svg", "--panels", "height", "--force", cwd=here).returncode == 0)
    report("the axis has the name", "height" in pathlib.Path(here, "height.svg").read_text())
    report("on a page", thud("report", "motion.h5", "-o", "page.html", "--force", cwd=here).returncode == 0)
    report("the page has the name", "height" in pathlib.Path(here, "page.html").read_text())
    resolved = thud("check", "gate.yaml", "--resolved", cwd=here).stdout
    report("resolved scenes have the keys as given", json.loads(resolved)["until"] == "min(hit > 0, ball.vy < 0)", resolved[:200])


with folder() as here:
    dominoes(here)
    gate(here)
    catapult(here)
    interrupted(here)
    looks(here)
end()
