"""Quasi-static friction: the shipped scenes against closed forms, forks, jumps, cycles, resumed runs."""
import math
import pathlib
import re
import shutil
import subprocess
import time

from thudcli import PROGRAM, ROOT, close, end, folder, report, thud, thud_json

EXAMPLES = ROOT / "examples" / "quasistatic"
EXACT = 1e-12


def run(name, *arguments, code=0):
    return thud_json("run", EXAMPLES / f"{name}.yaml", "--no-record", *arguments, cwd=here, code=code)


def state_is(name, result, expected, tolerance=EXACT):
    got = {key: result["state"][key] for key in expected}
    good = all(abs(got[key] - expected[key]) <= tolerance for key in expected)
    report(name, good and result.get("verdict", "good") == "good", f"got {got}, expected {expected}, {result.get('verdict')}")


def codes(result):
    return [w["code"] for w in result["warnings"]]


def branches(name, *arguments):
    return run(name, "--branch", "20", *arguments)["branches"]


def has(name, found, expected, tolerance=EXACT):
    """One of the motions ends in this state."""
    distance = min(max(abs(m["state"][key] - value) for key, value in expected.items()) for m in found)
    report(name, distance <= tolerance, f"nearest differs by {distance}")


def cycle_is(name, result, what, loss, tolerance=1e-10):
    report(f"{name}: {what}", result["cycle"] == what, result["cycle"])
    close(f"{name}: loss per cycle", result["cycle_loss"], loss, tolerance)


with folder() as here:
    # B1, B2, B4, B6: Klarbring's systems.
    found = branches("three-ways")
    report("B1 has three motions", len(found) == 3, [m["path"] for m in found])
    has("B1 lifts off", found, {"n": -0.5, "x": 2, "foot.n": 0, "foot.t": 0})
    has("B1 sticks", found, {"n": 0, "x": 0, "foot.n": 1, "foot.t": -1.5})
    has("B1 slips", found, {"n": 0, "x": 0.5, "foot.n": 0.5, "foot.t": -1})
    result = run("three-ways")
    report("B1 warns", codes(result) == ["not-unique"] and result["most_solutions"] == 3, result["warnings"])
    result = run("three-ways", "--set", "mu=0.5")
    state_is("B1 with mu = 1/2 < k_T/|w| only slips or lifts off", result, {"foot.t": 0, "foot.n": 0, "x": 2, "n": -0.5})
    report("B1 with mu = 1/2 is unique", not codes(result) and result["most_solutions"] == 1, result["warnings"])
    found = branches("any-time")
    has("B2 sticks", found, {"x": 0, "foot.n": 1, "foot.t": -1})
    has("B2 slips", found, {"x": 1, "foot.n": 0, "foot.t": 0})
    result = run("no-rate")
    state_is("B4 at t = 4", result, {"n": -2, "x": 5, "foot.n": 0, "foot.t": 0})
    jump = [e for e in result["events"] if e["kind"] == "jump"]
    report("B4 jumps once", len(jump) == 1 and codes(result) == ["jump"], result["events"])
    close("B4 jumps at 3", jump[0]["t"], 3, EXACT)
    close("B4 releases 5/2", jump[0]["release"], 2.5, EXACT)
    close("B4 loses nothing in friction", jump[0]["friction"], 0, EXACT)
    close("B4 by increments jumps at 3", run("no-rate", "--set", "simulate.method=increments")["first_jump"], 3, 1e-8)
    result = run("no-rate", "--set", "simulate.on_jump=stop", code=1)
    report("B4 stops and lists the equilibrium", "Equilibria at this load: 1: open: releases 2.5" in result["reason"] and
           result["time"] == 3, result["reason"])
    state_is("B6", run("lift-off"), {"n": -4 / 3, "x": 2 / 3, "foot.n": 0, "foot.t": 0})

    # Q1 to Q4.
    found = branches("two-feet")
    t = 0.1
    report("Q1 has three motions", len(found) == 3, len(found))
    has("Q1 both slip", found, {"x1": 10 / 9 * t, "x2": -10 / 9 * t, "left.n": 1 - 10 / 9 * t, "left.t": -1.6 + 16 / 9 * t})
    has("Q1 one slips", found, {"x1": 2.5 * t, "x2": 0, "left.n": 1 - 2.5 * t, "left.t": -1.6 + 4 * t,
                                "right.t": 1.6 - t / 4})
    has("Q1 the other slips", found, {"x1": 0, "x2": -2.5 * t})
    result = run("two-feet", "--set", "mu=1.4")
    state_is("Q1 below 1.5 both slip", result, {"x1": -result["state"]["x2"]})
    report("Q1 below 1.5 is unique", result["most_solutions"] == 1, result["most_solutions"])
    result = run("two-feet-jump")
    state_is("Q2 opens", result, {"n1": -0.05, "x1": 1.1, "n2": -0.05, "x2": -1.1})
    close("Q2 releases 2.705", result["events"][0]["release"], 2.705, EXACT)
    report("Q2 has five equilibria", result["events"][0]["solutions"] == 5, result["events"])
    close("Q2: the loss is in the ledger", result["ledger"]["quadratic"], 2.705, EXACT)
    found = branches("two-feet-jump", "--set", "simulate.on_jump=branches")
    report("Q2 forks five ways", len(found) == 5 and all(m["path"][0]["of"] == 5 for m in found), [m["path"] for m in found])
    releases = sorted(m["events"][0]["release"] for m in found)
    for k, expected in enumerate(sorted([2.705, 1.708, 1.708, 2.6282299 - 0.3985006, 2.6282299 - 0.3985006])):
        close(f"Q2 release {k}", releases[k], expected, 2e-7)
    report("Q2 stops without on_jump", "the state must jump" in
           run("two-feet-jump", "--set", "simulate.on_jump=stop", code=1)["reason"])
    report("Q2 backwards has four ways", len(branches("two-feet-jump", "--set", "push=-1")) == 4)
    found = branches("nine-ways")
    report("Q3 has nine motions", len(found) == 9, len(found))
    for expected in ({"n1": -1 / 8, "x1": 5 / 4, "n2": -1 / 8, "x2": -5 / 4}, {"n1": -1 / 5, "x1": 8 / 5, "right.n": 4 / 5, "right.t": 11 / 5},
                     {"n2": -1 / 5, "x2": -8 / 5}, {"n1": -1 / 7, "x1": 10 / 7, "x2": -4 / 7, "right.n": 2 / 7, "right.t": 8 / 7},
                     {"n2": -1 / 7, "x1": 4 / 7}, {"x1": 0, "x2": 0, "left.n": 1, "left.t": -3},
                     {"x2": -1 / 2, "left.n": 1, "left.t": -11 / 4, "right.n": 1 / 2, "right.t": 2}, {"x1": 1 / 2, "right.t": 11 / 4},
                     {"x1": 2 / 3, "x2": -2 / 3, "left.n": 1 / 3, "left.t": -4 / 3}):
        has(f"Q3 {expected}", found, expected)
    found = branches("three-feet")
    report("Q4 has three motions", len(found) == 3, len(found))
    has("Q4 open, open, stick", found, {"right.n": 0.7464615, "right.t": 1.9716923, "left.n": 0, "middle.n": 0}, 1e-7)
    has("Q4 slip, open, open", found, {"x1": -0.8236360, "middle.n": 0, "right.n": 0}, 1e-7)
    has("Q4 slip, open, slip", found, {"x1": -0.8340807, "x3": -0.6726457, "middle.n": 0}, 1e-7)

    # Cycles.
    cycle_is("cycle", run("cycle"), "limit cycle", 2.0622222222, 1e-10)
    result = run("shakedown")
    cycle_is("shakedown", result, "shakedown", 0, 1e-12)
    state_is("shakedown at 2/3", result, {"x": 2 / 3})
    close("shakedown loses 11/18", result["ledger"]["friction"], 11 / 18, EXACT)
    result = run("history", "--at", "117")
    cycle_is("history from (-5/12, 1/2)", result, "limit cycle", 79 / 1350)
    close("history: slips to -7/20", result["samples"][0]["state"]["x1"], -7 / 20, EXACT)
    close("history: and back to -5/12", result["state"]["x1"], -5 / 12, EXACT)
    result = run("history", "--set", "start1=-0.24", "--set", "start2=0.24")
    report("history from (-.24, .24) never slips", result["changes"] == 0 and result["cycle"] == "shakedown", result["changes"])
    result = run("history", "--set", "start1=0", "--set", "start2=0")
    state_is("history from 0", result, {"x1": -5 / 32, "x2": 3 / 16}, 1e-8)
    result = run("ratchet", "--at", "16,18,20")
    cycle_is("ratchet", result, "ratchetting", 0.12)
    close("ratchet advances by 0.2", result["cycle_advance"], 0.2, 1e-10)
    report("ratchet: K is semidefinite", result["held_by_contacts"] is True, result)
    result = run("creep", "--at", "0,1,2,40")
    samples = [s["state"] for s in result["samples"]]
    close("creep: x1 at 0", samples[0]["x1"], 2 - 2 / 1.05, EXACT)
    close("creep: x2 at 1", samples[1]["x2"], 2 - 2 / 1.05**2, EXACT)
    close("creep: x1 at 2", samples[2]["x1"], 2 - 2 / 1.05**3, EXACT)
    close("creep: x1 at 40", samples[3]["x1"], 2 - 2 / 1.05**41, EXACT)
    close("creep: factor", result["cycle_factor"], 1.05**-2, 1e-9)
    result = run("creep", "--set", "pull=0.15")
    report("creep: no drift below the friction", result["changes"] == 0 and result["cycle"] == "shakedown", result["cycle"])
    text = (EXAMPLES / "creep.yaml").read_text().replace("x2: pull", "x2: pull + t/10")
    pathlib.Path(here, "pulled.yaml").write_text(text)
    result = thud_json("run", "pulled.yaml", "--no-record", "--set", "k0=0", cwd=here, code=1)
    report("nothing holds a ratchet that is pulled too hard", "nothing holds" in result["reason"] and 0 < result["time"] < 7,
           result["reason"])

    # A belt over a pulley: every node at its limit when the pull is ((c + mu s)/(c - mu s))^N times the hold.
    c, s = math.cos(math.pi / 14), math.sin(math.pi / 14)
    limit = ((c + 0.3 * s) / (c - 0.3 * s)) ** 7
    report("belt: held below the limit", run("belt-over-pulley")["verdict"] == "good")
    for steps in (20, 130, 900):
        result = run("belt-over-pulley", "--set", "simulate.end=3", "--set", f"simulate.steps={steps}", code=1)
        close(f"belt: {steps} increments end at the last node below the limit", result["time"],
              1 + math.floor((limit - 1) * steps / 2) * 2 / steps, 1e-12)
        report(f"belt: {steps} increments say why", "nothing holds the structure" in result["reason"], result["reason"])
    result = run("belt-over-pulley", "--set", "simulate.end=3", "--set", "simulate.method=event-driven", code=1)
    close("belt: the limit by events", result["time"], limit, 1e-12)
    report("belt: events say why", "nothing holds the structure" in result["reason"], result["reason"])

    # A self-stress: the wedged state.
    state_is("wedged stays", run("self-stress"), {"n": 0, "x": -1, "foot.n": 0.9, "foot.t": -1})
    result = run("self-stress", "--set", "push=1")
    state_is("wedged breaks loose", result, {"n": 0, "x": 0, "foot.n": 0})
    close("wedged breaks loose at 0.8", result["first_jump"], 0.8, EXACT)
    done = thud("check", EXAMPLES / "self-stress.yaml", "--set", "mu=1.1")
    report("below k_T/|w| nothing is wedged", done.returncode == 2 and "more friction than mu r_N" in done.stderr, done.stderr)

    # Static problems, bounds, fixed points.
    result = run("three-static")
    report("three static solutions in space", result["most_solutions"] == 3 and result["examined"] is True, result)
    state_is("the static run sticks", result, {"foot.n": 1.0751, "foot.t1": 0.99, "foot.t2": 0.35})
    report("one static solution below 0.31", run("three-static", "--set", "mu=0.3")["most_solutions"] == 1)
    result = run("tresca", "--at", "0.25,0.75,1.25")
    cycle_is("tresca", result, "limit cycle", 2, 1e-12)
    for sample, x in zip(result["samples"], (1, -1, 1)):
        close(f"tresca at {sample['t']}", sample["state"]["x"], x, EXACT)
    result = run("fixed-point")
    close("fixed point contracts by mu |w|/k_T", result["contraction"], 0.25, 1e-3)
    close("fixed point: x", result["state"]["x"], -0.4, 1e-9)
    result = run("fixed-point-oscillates", code=1)
    close("fixed point that does not contract", result["contraction"], 1, 1e-9)
    report("it says so", "does not contract" in result["reason"] and "increments" in result["reason"], result["reason"])
    state_is("increments find the answer", run("fixed-point-oscillates", "--set", "simulate.method=increments"),
             {"x": -1 / 3, "foot.n": 4 / 3, "foot.t": 8 / 3})

    # Two motions under one load.
    a, b = run("two-motions"), run("two-motions", "--set", "seed=0")
    state_is("two motions: a", a, {"n": 0, "x": 20 / 9, "y": 0, "foot.n": 1, "foot.t1": 0, "foot.t2": 0})
    state_is("two motions: b", b, {"n": 0, "x": 0, "y": 0, "foot.n": 25 / 9, "foot.t1": -20 / 9, "foot.t2": 0})
    report("two motions: a slips twice in each of six cycles, b never", (a["changes"], b["changes"]) == (24, 0), a["changes"])

    # A block from a file: both methods, balance of forces, symmetry of what the floor and the springs carry.
    result = run("block")
    cycle_is("block", result, "limit cycle", 0.307659434, 1e-8)
    state = result["state"]
    springs = 5 * sum(state[f"u{k}"] for k in range(30, 43, 2))
    close("block: vertical balance", sum(state[f"foot{k}.n"] for k in range(1, 8)) - springs, 12, 1e-10)
    springs = 5 * sum(state[f"u{k}"] for k in range(29, 43, 2))
    close("block: horizontal balance", sum(state[f"foot{k}.t"] for k in range(1, 8)) - springs, 0, 1e-10)
    steps = run("block", "--set", "simulate.method=increments")
    worst = max(abs(state[key] - steps["state"][key]) for key in state)
    report("block: increments end in the same state", worst < 1e-9 and steps["changes"] == result["changes"], worst)

    # Killed and resumed without the file of the stiffness: the same rows.
    place = pathlib.Path(here, "killed")
    place.mkdir()
    shutil.copy(EXAMPLES / "block.mtx", place)
    text = (EXAMPLES / "block.yaml").read_text().replace("end: 5, steps: 200", "end: 200, steps: 40000")
    for method in ("event-driven", "increments"):
        (place / "block.yaml").write_text(text.replace("event-driven", method) + "record: {every: 0.25, checkpoint_every: 1}\n")
        begin = time.monotonic()
        thud("run", "block.yaml", "-o", f"whole-{method}.h5", "-q", cwd=place)
        whole = time.monotonic() - begin
        for share in (0.5, 0.3, 0.7, 0.4, 0.6, 0.2, 0.8): # the first after a checkpoint and before the end
            process = subprocess.Popen([PROGRAM, "run", "block.yaml", "-o", f"{method}.h5", "-q", "--force"], cwd=place)
            time.sleep(share * whole)
            process.kill()
            killed = process.wait() != 0
            (place / "block.mtx").rename(place / "gone.mtx")
            done = thud("run", "--resume", f"{method}.h5", "-q", cwd=place)
            (place / "gone.mtx").rename(place / "block.mtx")
            if killed and done.returncode == 0:
                break
        rows = [thud("export", name, "--rows", cwd=place).stdout for name in (f"{method}.h5", f"whole-{method}.h5")]
        report(f"{method}: killed and resumed, the same bits", killed and done.returncode == 0 and rows[0] == rows[1] and
               rows[0].count("\n") > 800, (killed, done.stderr, len(rows[0]), len(rows[1])))

    # The keys of the result are those that the document lists.
    text = (ROOT / "docs" / "quasistatic.md").read_text().partition("## Result")[2].partition("\n## ")[0]
    listed = {key for row in re.findall(r"^\| (`[^|]*) \|", text, re.M) for key in re.findall(r"`(\w+)`", row)}
    found = set(run("fixed-point", "--at", "0.5"))
    report("docs/quasistatic.md lists the keys of a result", listed == found, listed ^ found)

    # Jumps of the load: each is an increment of its own.
    scene = pathlib.Path(here, "jumps.yaml")
    scene.write_text("""thud: 1
data: {push: {breaks: [0.3, 0.7], pieces: [0, 1.5, 0.2]}}
quasistatic:
  unknowns: [n, x]
  stiffness: [[1, 0.5], [0.5, 1]]
  load: {n: 2, x: push}
  contacts: [{name: foot, normal: -n, tangential: x, mu: 0.5}]
simulate: {method: increments, end: 1, steps: 4}
""")
    for method in ("increments", "event-driven"):
        result = thud_json("run", scene, "--no-record", "--at", "0.5,1", "--set", f"simulate.method={method}", cwd=here)
        loads = [e["t"] for e in result["events"] if e["kind"] == "load jump"]
        report(f"{method}: load jumps", loads == [0.3, 0.7] and result["load_jumps"] == 2, result["events"])
        close(f"{method}: x after the first", result["samples"][0]["state"]["x"], 2 / 3, EXACT)
        close(f"{method}: x after the second", result["samples"][1]["state"]["x"], 2 / 3, EXACT)
        close(f"{method}: loss of a jump is mu r_N+ |dx|", result["ledger"]["friction"], 0.5 * (2 - 1 / 3) * 2 / 3, EXACT)

    # Units: K times k and F times f have f/k times the displacements and f times the reactions, in every method.
    def in_units(k, f, method):
        rows = ", ".join("[" + ", ".join(f"{k}*{a}" for a in row) + "]" for row in (
            (3, 1, -1, 0), (1, 2, 0, -0.5), (-1, 0, 3, -1), (0, -0.5, -1, 2)))
        units = pathlib.Path(here, "units.yaml")
        units.write_text(f"""thud: 1
quasistatic:
  unknowns: [n1, x1, n2, x2]
  stiffness: [{rows}]
  load: {{n1: {f}*(1 + 0.8*sin(3*t)), x1: {f}*sin(2*t), n2: {f}*(1 - t), x2: {f}*0.7*cos(5*t)}}
  contacts:
    - {{name: left, normal: -n1, tangential: x1, mu: 0.4}}
    - {{name: right, normal: -n2, tangential: x2, mu: 0.3, gap: 0.02*{f}/{k}}}
simulate: {{method: {method}, end: 2, steps: 20}}
""")
        found = thud_json("run", units, "-o", "units.h5", "-f", cwd=here)
        judged = thud("verify", "units.h5", cwd=here)
        report(f"{method}, K {k:g}, F {f:g}: good, and verified", found["verdict"] == "good" and judged.returncode == 0,
               f"{found['reason']} {judged.stdout}")
        return [found["state"][key] / (f if "." in key else f / k) for key in sorted(found["state"])]

    for method in ("increments", "event-driven", "static", "fixed-point"):
        first = in_units(1, 1, method)
        for k, f in ((1e9, 1e6), (1e9, 1e-6), (1e-9, 1), (1e-9, 1e9)):
            off = max(abs(a - b) for a, b in zip(first, in_units(k, f, method)))
            close(f"{method}, K {k:g}, F {f:g}: the same motion", off, 0, 1e-9)

    # Loads that turn more often than can be proved are named, also where data do it; those that do not are not.
    for load, piece, expected in (("0.1*sin(1e7*t)", "0", ["load-not-enclosed"]), ("wave", "0.1*sin(1e7*t)", ["load-not-enclosed"]),
                                  ("wave", "0.1*sin(20*t)", [])):
        wave = pathlib.Path(here, "wave.yaml")
        wave.write_text(f"""thud: 1
data: {{wave: {{breaks: [0.5], pieces: [0, "{piece}"], at_breaks: right}}}}
quasistatic:
  unknowns: [n, x]
  stiffness: [[1, 0], [0, 1]]
  load: {{n: 1, x: "{load}"}}
  contacts: [{{name: foot, normal: -n, tangential: x, mu: 0.5}}]
simulate: {{method: increments, end: 1, steps: 4}}
""")
        result = thud_json("run", wave, "--no-record", cwd=here)
        report(f"{load} with {piece}: warnings {expected}", codes(result) == expected, result["warnings"])

    # A load that is not finite ends the run with what was reached.
    text = scene.read_text().replace("load: {n: 2, x: push}", 'load: {n: 2, x: "if(t > 0.6, log(-1), 0.1*t)"}')
    scene.write_text(text.replace("data: {push: {breaks: [0.3, 0.7], pieces: [0, 1.5, 0.2]}}\n", ""))
    result = thud_json("run", scene, "--no-record", cwd=here, code=1)
    report("a load that is not finite", "bad data" in result["reason"] and 0.5 <= result["time"] <= 0.6, result["reason"])
end()
