"""Particles on a line (seed 004) through the program: the scenes of examples/friction, bad input, records and plots."""
import math
import pathlib

from thudcli import ROOT, close, end, folder, report, thud, thud_json

SCENES = ROOT / "examples" / "friction"

GOOD = """thud: 1
particles_on_line:
  names: [a, b]
  masses: [1, 2]
  stiffness: [[2, -1], [-1, 2]]
  friction: [0.5, 0.5]
  normal:
    density: [1, "1 + t"]
    atoms: [{time: 0.5, weight: 1}]
    trains: [{start: 0.1, period: 0.1, weight: 0.1}]
    families: [{time: "1 - 2^(-n)", weight: "2^(-n-1)", tail: "2^(-n)"}]
initial: {a: 0, b: 1}
simulate: {method: event-driven, end: 1}
"""

BAD = [
    ("two models", GOOD + "sweeping: {}\n", ["sweeping", "particles_on_line", "two"]),
    ("unknown key", GOOD.replace("friction: [", "fricton: ["), [":6:", "did you mean 'friction'"]),
    ("no friction", GOOD.replace("  friction: [0.5, 0.5]\n", ""), ["/particles_on_line", "friction"]),
    ("no normal reaction", GOOD[:GOOD.index("  normal")] + GOOD[GOOD.index("initial"):], ["normal"]),
    ("masses and mass", GOOD.replace("masses: [1, 2]", "masses: [1, 2]\n  mass: [1, 2]"), ["either 'masses'"]),
    ("no masses", GOOD.replace("  masses: [1, 2]\n", ""), ["either 'masses'"]),
    ("mass 0", GOOD.replace("[1, 2]", "[1, 0]"), [":4:", "/particles_on_line/masses", "positive definite"]),
    ("three masses", GOOD.replace("[1, 2]", "[1, 2, 3]"), ["/particles_on_line/masses", "found 3"]),
    ("stiffness not symmetric", GOOD.replace("[-1, 2]]", "[1, 2]]"), ["/particles_on_line/stiffness", "symmetric"]),
    ("stiffness negative", GOOD.replace("[[2, -1], [-1, 2]]", "[[-2, 0], [0, 1]]"), ["/stiffness", "negative"]),
    ("stiffness of three rows", GOOD.replace("[[2, -1], [-1, 2]]", "[[2, -1], [-1, 2], [0, 0]]"), ["2 rows"]),
    ("negative friction", GOOD.replace("[0.5, 0.5]", "[0.5, -1]"), ["/particles_on_line/friction/1", "-1"]),
    ("density with a wrong name", GOOD.replace('"1 + t"', '"1 + s"'), [":8:23:", "/normal/density/1", "'s'"]),
    ("density that uses the index", GOOD.replace('"1 + t"', '"1 + n"'), ["/normal/density/1", "'n'"]),
    ("three densities", GOOD.replace('[1, "1 + t"]', "[1, 1, 1]"), ["/normal/density", "found 3"]),
    ("weight 0", GOOD.replace("weight: 1}", "weight: 0}"), [":9:", "/normal/atoms/0", "> 0"]),
    ("atom without a time", GOOD.replace("time: 0.5, ", ""), ["/normal/atoms/0", "time"]),
    ("negative reaction at an atom", GOOD.replace("weight: 1}", "weight: 1, value: -1}"), ["/normal/atoms/0", "-1"]),
    ("period 0", GOOD.replace("period: 0.1", "period: 0"), [":10:", "/normal/trains/0", "period"]),
    ("too many atoms", GOOD.replace("period: 0.1", "period: 1e-9"), ["/normal/trains/0", "1000000"]),
    ("family without a tail", GOOD.replace(', tail: "2^(-n)"', ""), ["/normal/families/0", "tail"]),
    ("tail that is no bound", GOOD.replace('tail: "2^(-n)"', 'tail: "2^(-n-2)"'), ["/families/0/tail", "no bound"]),
    ("tail that does not fall", GOOD.replace('tail: "2^(-n)"', "tail: 1"), ["/families/0/weight", "not 0"]),
    ("family with a bad name", GOOD.replace('"1 - 2^(-n)"', '"1 - 2^(-m)"'), ["/families/0/time", "'m'"]),
    ("family's weight negative", GOOD.replace('"2^(-n-1)"', '"-1"'), ["/families/0/weight", "> 0"]),
    ("lump without a limit", GOOD.replace('tail: "2^(-n)"', 'tail: "2^(-n)", lump: true'), ["/families/0/lump", "limit"]),
    ("truncation and tolerance", GOOD.replace('tail:', 'truncation: 3, tolerance: 1, tail:'), ["either 'truncation'"]),
    ("initial position missing", GOOD.replace("{a: 0, b: 1}", "{a: 0}"), ["/initial", "b"]),
    ("unknown initial name", GOOD.replace("{a: 0, b: 1}", "{a: 0, b: 1, c: 2}"), ["/initial", "'c'"]),
    ("unknown method", GOOD.replace("event-driven", "moreau"), ["/simulate/method", "event-driven"]),
    ("steps of the event-driven method", GOOD.replace("end: 1", "end: 1, steps: 5"), ["/simulate/steps", "no steps"]),
    ("implicit without steps", GOOD.replace("event-driven", "implicit"), ["/simulate", "step"]),
    ("order too high", GOOD.replace("end: 1", "end: 1, order: 100"), ["/simulate/order"]),
    ("data with values at breaks", GOOD + "data: {s: {breaks: [1], pieces: [1, 2], at_breaks: [0]}}\n",
     ["/data/s", "from the left or from the right"]),
    ("a definition of coordinates", GOOD + "definitions: {s: q + t}\n", ["/definitions/s", "'q'"]),
    ("a cycle of definitions", GOOD + "definitions: {s: z, z: s}\n", ["/definitions/"]),
    ("checkpoints", GOOD + "record: {checkpoint_every: 1}\n", ["/record", "checkpoint_every"]),
]


def run(name, *arguments, code=0):
    return thud_json("run", SCENES / f"{name}.yaml", "--no-record", *arguments, cwd=here, code=code)


def events(result, kind):
    return [event for event in result["events"] if event["kind"] == kind]


with folder() as here:
    # F1
    result = run("accumulating-percussions", "--at", "0.5,0.6")
    close("F1 q(1)", result["state"]["q"], 5 / 6, 1e-14)
    close("F1 q'(1)", result["state"]["q'"], 0, 1e-14)
    close("F1 u(0.5-)", result["samples_left"][0]["state"]["q'"], 1, 1e-15)
    close("F1 u(0.5+)", result["samples"][0]["state"]["q'"], 0.75, 1e-15)
    close("F1 u(0.6)", result["samples"][1]["state"]["q'"], 1.25 - 0.6, 1e-15)
    report("F1 accumulation", events(result, "accumulation")[0]["t"] == 1, result["events"][-1])
    for n in (1, 3, 10):
        cut = run("accumulating-percussions", "--set", f"particles_on_line.normal.families.0.truncation={n}")
        family = cut["families"][0]
        report(f"F1 {n} atoms: the tail is told", family["kept"] == n and family["velocity_error"] == 2.0**-n, family)
        close(f"F1 {n} atoms: error 2^-n", cut["state"]["q'"], 2.0**-n, 1e-15)
        report(f"F1 {n} atoms: warning", cut["warnings"][0]["code"] == "truncated-family", cut["warnings"])

    # F3
    result = run("struck-oscillator", "--at", "5.5")
    hits, stops = events(result, "percussion"), events(result, "stop")
    close("F3 before the first atom", hits[0]["before"]["q'"], -3.0927647979904, 1e-12)
    close("F3 after it", hits[0]["after"]["q'"], -2.9427647979904, 1e-12)
    close("F3 before the second", hits[1]["before"]["q'"], 1.8875951246292, 1e-12)
    close("F3 after it", hits[1]["after"]["q'"], 1.7375951246292, 1e-12)
    for k, t in enumerate((1.5642747136275, 3.1251151229818, 4.6904588890243)):
        close(f"F3 stop {k + 1}", stops[k]["t"], t, 1e-12)
    close("F3 q(5.5)", result["samples"][0]["state"]["q"], -0.1862643976193, 1e-12)
    close("F3 q'(5.5)", result["samples"][0]["state"]["q'"], 0.5690967062869, 1e-12)
    close("F3 energy", result["ledger"]["defect"], 0, 1e-12)
    errors = []
    for steps in (6000, 12000, 24000):
        state = run("struck-oscillator-steps", "--at", "5.5", "--set", f"simulate.steps={steps}")
        report(f"F3 implicit, {steps} steps: identity", state["ledger"]["identity"] < 1e-14, state["ledger"])
        sample = state["samples"][0]["state"]
        errors.append(math.hypot(sample["q"] + 0.1862643976193, sample["q'"] - 0.5690967062869))
    orders = [math.log2(a / b) for a, b in zip(errors, errors[1:])]
    report("F3 implicit: order 1", all(abs(p - 1) < 0.1 for p in orders), (errors, orders))

    # F5
    (hit,) = events(run("coupled-percussion"), "percussion")
    report("F5", math.dist((hit["impulse"]["a"], hit["impulse"]["b"]), (1, -0.5)) < 1e-15, hit)
    report("F5 the second one sticks", hit["modes"]["b"] == "stick" and hit["after"]["b'"] == 0, hit)

    close("belt q(4)", run("belt")["state"]["q"], 0.5 + math.sin(math.sqrt(2) * 3.5) / math.sqrt(2), 1e-13)
    result = run("chain")
    report("chain", result["verdict"] == "good" and result["ledger"]["identity"] < 1e-13, result["ledger"])
    report("chain: starts and stops", events(result, "start") and events(result, "stop"), result["events"])

    # Records, plots, tables, the checker of scenes.
    for name in sorted(path.stem for path in SCENES.glob("*.yaml")):
        done = thud("run", SCENES / f"{name}.yaml", cwd=here)
        report(f"{name}: recorded", done.returncode == 0 and "verdict: good" in done.stdout, done)
        done = thud("verify", f"{name}.h5", cwd=here)
        report(f"{name}: verified", done.returncode == 0 and "verdict: good" in done.stdout, done)
        done = thud("plot", f"{name}.h5", cwd=here)
        report(f"{name}: plotted", done.returncode == 0, done)
        done = thud("export", f"{name}.h5", "--to", "csv", cwd=here)
        report(f"{name}: exported", done.returncode == 0, done)
        found = thud_json("check", SCENES / f"{name}.yaml", cwd=here)
        report(f"{name}: checked", found["kind"] == "particles_on_line" and "percussions" in found, found)

    # Piecewise data and definitions: pushed with 1 on [1, 3[ against friction 1/2, it stops at t = 5, q = 2.
    for method in ("{method: event-driven, end: 6}", "{method: implicit, end: 6, steps: 6000}"):
        pathlib.Path(here, "pushed.yaml").write_text(
            "thud: 1\nparameters: {a: 2}\ndefinitions: {half: 1/2, push: f*half, bound: 1}\n"
            "data: {f: {breaks: [1, 3], pieces: [0, a, 0]}}\n"
            "particles_on_line: {masses: [1], friction: 0.5, force: push, normal: {density: bound}}\n"
            f"initial: {{q: 0}}\nsimulate: {method}\n", encoding="utf-8")
        result = thud_json("run", "pushed.yaml", "--force", cwd=here)
        exact = "event" in method
        close(f"data and definitions, {method}: q", result["state"]["q"], 2, 1e-13 if exact else 5e-3)
        if exact:
            close("data and definitions: start", events(result, "start")[0]["t"], 1, 1e-13)
            close("data and definitions: stop", events(result, "stop")[0]["t"], 5, 1e-13)
        checked = thud_json("verify", "pushed.h5", cwd=here)
        report(f"data and definitions, {method}: verified", checked["verdict"] == "good", checked)

    # What breaks down on the way is a verdict.
    negative = pathlib.Path(here) / "negative.yaml"
    negative.write_text(GOOD.replace('"1 + t"', '"cos(3*t)"'), encoding="utf-8")
    done = thud("run", negative, "--no-record", cwd=here)
    report("a negative reaction at an atom", done.returncode == 2 and "/normal/" in done.stderr, done)
    negative.write_text(GOOD.replace('"1 + t"', '"cos(3*t)"').replace("    atoms", "#").replace("    trains", "#").replace(
        "    families", "#"), encoding="utf-8")
    result = thud_json("run", negative, "--no-record", cwd=here, code=1)
    report("a normal reaction that becomes negative", "negative at t = 0.52359877" in result["reason"], result["reason"])

    # Bad input: exit code 2, one line with the place.
    scene = pathlib.Path(here) / "scene.yaml"
    scene.write_text(GOOD, encoding="utf-8")
    report("the good scene is good", thud("check", scene, cwd=here).returncode == 0, thud("check", scene, cwd=here))
    for name, text, pieces in BAD:
        scene.write_text(text, encoding="utf-8")
        done = thud("run", "scene.yaml", "-o", "out.h5", cwd=here)
        lines = done.stderr.strip().splitlines()
        good = done.returncode == 2 and len(lines) == 1 and "scene.yaml:" in done.stderr
        good = good and all(piece in done.stderr for piece in pieces) and not (pathlib.Path(here) / "out.h5").exists()
        report(f"bad input: {name}", good, (done.returncode, done.stderr))

end()
