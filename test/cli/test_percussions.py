"""Percussions of systems (Monteiro Marques et al.) through the program: the scenes of examples/friction, bad input, records, plots."""
import math
import pathlib

from thudcli import ROOT, close, end, folder, report, thud, thud_json, without_excerpt

SCENES = ROOT / "examples" / "friction"

GOOD = """thud: 1
system:
  coordinates: [a, b]
  mass: [1, 2]
  potential_energy: a^2 - a*b + b^2
  friction:
    - {name: left, slip: ["a'"], threshold: 0.5}
    - {name: right, slip: ["b'"], threshold: "0.5*(1 + t)"}
  percussions:
    - {time: 0.5, weight: 1, impulse: {a: 0.1}}
    - {time: 0.1, every: 0.1, weight: 0.1}
    - {time: "1 - 2^(-n)", weight: "2^(-n-1)", tail: "2^(-n)"}
initial: {a: 0, b: 1}
simulate: {method: event-driven, end: 1}
"""

OLD = """thud: 1
particles_on_line: {masses: 1, friction: 1, normal: {density: 1}}
initial: {q: 0}
simulate: {method: event-driven, end: 1}
"""

BAD = [
    ("thresholds in the regularised method", GOOD.replace("event-driven, end: 1", "regularised, end: 1, "
     "steps: 100"), ["takes no percussions of thresholds"]),
    ("unknown key", GOOD.replace("every: 0.1", "evry: 0.1"), [":11:", "did you mean 'every'"]),
    ("no list", GOOD.replace("  percussions:\n    - {time: 0.5, weight: 1, impulse: {a: 0.1}}\n", "  percussions: 3\n")
     .replace("    - {time: 0.1", "#").replace("    - {time: \"1", "#"), ["/system/percussions", "sequence"]),
    ("nothing acts", GOOD.replace("weight: 1, impulse: {a: 0.1}", "time: 1").replace("time: 0.5, ", ""),
     [":10:", "/percussions/0", "'impulse', or a 'weight'"]),
    ("a weight without friction", GOOD[:GOOD.index("  friction")] + GOOD[GOOD.index("  percussions"):],
     ["/percussions/0", "of which there is none"]),
    ("weight 0", GOOD.replace("weight: 1,", "weight: 0,"), [":10:", "/percussions/0/weight", "> 0"]),
    ("no time", GOOD.replace("time: 0.5, ", ""), ["/percussions/0", "time"]),
    ("a time that moves", GOOD.replace("time: 0.5", "time: a"), ["/percussions/0/time", "not by the motion"]),
    ("a time that depends on t", GOOD.replace("time: 0.5", "time: t/2"), ["/percussions/0/time", "constant"]),
    ("negative threshold", GOOD.replace("weight: 1,", "weight: 1, threshold: -1,"), ["/percussions/0", "-1", "'left'"]),
    ("threshold without weight", GOOD.replace("weight: 1,", "threshold: 1,"), ["/percussions/0/threshold", "weight"]),
    ("threshold of no law", GOOD.replace("weight: 1,", "weight: 1, threshold: {lef: 1},"), ["/threshold", "'left'"]),
    ("threshold with a wrong name", GOOD.replace("weight: 1,", "weight: 1, threshold: {left: 1 + s},"),
     [":10:", "/percussions/0/threshold/left", "'s'"]),
    ("impulse on no coordinate", GOOD.replace("impulse: {a", "impulse: {c"), ["/percussions/0/impulse", "'c'"]),
    ("impulse by the motion", GOOD.replace("impulse: {a: 0.1", "impulse: {a: \"0.1*b'\""),
     ["/percussions/0/impulse/a", "not by the motion"]),
    ("period 0", GOOD.replace("every: 0.1", "every: 0"), [":11:", "/percussions/1/every", "greater than 0"]),
    ("too many", GOOD.replace("every: 0.1", "every: 1e-9"), ["/percussions/1", "1000000"]),
    ("count without every", GOOD.replace("every: 0.1", "count: 3"), ["/percussions/1/count", "'every' is missing"]),
    ("a family that repeats", GOOD.replace("every: 0.1", "every: 0.1, limit: 1"), ["/percussions/1/limit", "'every'"]),
    ("family without a tail", GOOD.replace(', tail: "2^(-n)"', ", index: n"), ["/percussions/2", "'tail'"]),
    ("tail that is not a bound", GOOD.replace('tail: "2^(-n)"', 'tail: "2^(-n-2)"'), ["/percussions/2/tail", "not a bound"]),
    ("tail that does not fall", GOOD.replace('tail: "2^(-n)"', "tail: 1"), ["/percussions/2/weight", "> 0"]),
    ("family with a bad name", GOOD.replace('"1 - 2^(-n)"', '"1 - 2^(-m)"'), ["/percussions/2/time", "'m'"]),
    ("family's weight negative", GOOD.replace('"2^(-n-1)"', '"-1"'), ["/percussions/2/weight", "> 0"]),
    ("index called t", GOOD.replace('tail: "2^(-n)"', 'tail: "2^(-n)", index: t'), ["/percussions/2/index", "'t'"]),
    ("lump without a limit", GOOD.replace('tail: "2^(-n)"', 'tail: "2^(-n)", lump: true'), ["/percussions/2/lump", "limit"]),
    ("a limit elsewhere", GOOD.replace('tail: "2^(-n)"', 'tail: "2^(-n)", limit: 0.5'),
     ["/percussions/2/time", "n = 2", "0.75", "farther from the limit 0.5"]),
    ("truncation and tolerance", GOOD.replace('tail:', 'truncation: 3, tolerance: 1, tail:'), ["either 'truncation'"]),
    ("unknown method", GOOD.replace("event-driven", "implicitt"), ["/simulate/method", "implicit"]),
    ("implicit without time", GOOD.replace("event-driven, end: 1", "implicit, end: 1, steps: 0"), ["/simulate/steps", "whole number from 1"]),
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
    last = events(result, "percussion")[-1]
    report("F1 accumulation", last["t"] == 1 and result["families"][0]["limit"] == 1, result["events"][-1])
    for n in (1, 3, 10):
        cut = run("accumulating-percussions", "--set", f"system.percussions.0.truncation={n}")
        family = cut["families"][0]
        report(f"F1 {n} atoms: the tail is reported", family["kept"] == n and family["velocity_error"] == 2.0**-n, family)
        close(f"F1 {n} atoms: error 2^-n", cut["state"]["q'"], 2.0**-n, 1e-15)
        report(f"F1 {n} atoms: warning", cut["warnings"][0]["code"] == "truncated-family", cut["warnings"])

    # F3
    result = run("struck-oscillator", "--at", "5.5")
    hits, stops = events(result, "percussion"), events(result, "slip")
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
    report("F5", math.dist(hit["impulse"]["on_a"] + hit["impulse"]["on_b"], (1, -0.5)) < 1e-15, hit)
    report("F5 the second one is stopped", hit["after"]["b'"] == 0, hit)

    close("belt q(4)", run("belt")["state"]["q"], 0.5 + math.sin(math.sqrt(2) * 3.5) / math.sqrt(2), 1e-13)
    result = run("chain")
    report("chain", result["verdict"] == "good" and result["ledger"]["identity"] < 1e-13, result["ledger"])
    report("chain: slips and percussions", events(result, "slip") and len(events(result, "percussion")) == 21, result)
    close("chain: energy", result["ledger"]["defect"], 0, 1e-12)

    # Records, plots, tables, the checker of scenes.
    for name in sorted(path.stem for path in SCENES.glob("*.yaml")):
        done = thud("run", SCENES / f"{name}.yaml", cwd=here)
        report(f"{name}: recorded", done.returncode == 0 and "verdict: good" in done.stdout, done)
        done = thud("verify", f"{name}.h5", cwd=here)
        report(f"{name}: verified", done.returncode == 0 and "verdict: good" in done.stdout, done)
        done = thud("plot", f"{name}.h5", cwd=here)
        report(f"{name}: plotted", done.returncode == 0, done)
        done = thud("export", f"{name}.h5", "--rows", "--to", "csv", cwd=here)
        report(f"{name}: exported", done.returncode == 0, done)
        found = thud_json("check", SCENES / f"{name}.yaml", cwd=here)
        report(f"{name}: checked", found["kind"] == "system" and ("percussions" in found or name == "belt"), found)

    # Every scene by both methods, and the steps by the checker too.
    for name in sorted(path.stem for path in SCENES.glob("*.yaml")):
        states = []
        for method in ("event-driven", "implicit"):
            result = thud_json("run", SCENES / f"{name}.yaml", "-o", "both.h5", "--force", "--set",
                               f"simulate.method={method}", "--set", "simulate.steps=4000", cwd=here)
            states.append(result["state"])
            checked = thud_json("verify", "both.h5", cwd=here)
            report(f"{name} by {method}: verified", checked["verdict"] == "good", checked)
        apart = max(abs(states[0][key] - states[1][key]) for key in states[0])
        report(f"{name}: the methods agree", apart < 0.05, states)
        report(f"{name}: the steps lose what they say", abs(result["ledger"]["defect"]) < 1e-11, result["ledger"])

    # Piecewise data and definitions: pushed with 1 on [1, 3[ against friction 1/2, it stops at t = 5, q = 2.
    for method in ("{method: event-driven, end: 6}", "{method: implicit, end: 6, steps: 6000}"):
        pathlib.Path(here, "pushed.yaml").write_text(
            "thud: 1\nparameters: {a: 2}\ndefinitions: {half: 1/2, push: f*half, bound: 1}\n"
            "data: {f: {breaks: [1, 3], pieces: [0, a, 0]}}\n"
            "system: {coordinates: [q], mass: [1], forces: {q: push}, friction: "
            "[{name: line, slip: [q'], threshold: bound*half}], percussions: [{time: 0.5, weight: 1}]}\n"
            f"initial: {{q: 0}}\nsimulate: {method}\n", encoding="utf-8")
        result = thud_json("run", "pushed.yaml", "--force", cwd=here)
        exact = "event" in method
        close(f"data and definitions, {method}: q", result["state"]["q"], 2, 1e-13 if exact else 5e-3)
        if exact:
            close("data and definitions: start", events(result, "slip")[0]["t"], 1, 1e-13)
            close("data and definitions: stop", events(result, "stick")[-1]["t"], 5, 1e-13)
        checked = thud_json("verify", "pushed.h5", cwd=here)
        report(f"data and definitions, {method}: verified", checked["verdict"] == "good", checked)

    # The old model: an error that shows the new form, which is a scene once title and simulation are around it.
    old = pathlib.Path(here) / "old.yaml"
    old.write_text(OLD, encoding="utf-8")
    done = thud("run", old, "--no-record", cwd=here)
    lines = without_excerpt(done.stderr).rstrip().splitlines()
    good = done.returncode == 2 and "old.yaml:2:" in lines[0] and "docs/percussions.md" in lines[0]
    report("particles_on_line: refused", good and lines[1] == "  system:", (done.returncode, done.stderr))
    old.write_text("thud: 1\n" + "\n".join(line[2:] for line in lines[1:]) +
                   "\ninitial: {q: 0}\nsimulate: {method: event-driven, end: 2}\n", encoding="utf-8")
    done = thud("run", old, "--no-record", cwd=here)
    report("particles_on_line: the form that is shown can be run", done.returncode == 0, (old.read_text(), done))

    # Bad input: exit code 2, one line with the place.
    scene = pathlib.Path(here) / "scene.yaml"
    scene.write_text(GOOD, encoding="utf-8")
    report("the good scene is good", thud("check", scene, cwd=here).returncode == 0, thud("check", scene, cwd=here))
    for name, text, pieces in BAD:
        scene.write_text(text, encoding="utf-8")
        done = thud("run", "scene.yaml", "-o", "out.h5", cwd=here)
        lines = without_excerpt(done.stderr).strip().splitlines()
        good = done.returncode == 2 and len(lines) == 1 and "scene.yaml:" in done.stderr
        good = good and all(piece in done.stderr for piece in pieces) and not (pathlib.Path(here) / "out.h5").exists()
        report(f"bad input: {name}", good, (done.returncode, done.stderr))

end()
