"""Families of `data`: the same bits as lists written by hand, the checker's own reading, and what is refused."""
import os
import pathlib

from thudcli import ROOT, end, folder, refused, report, thud, thud_json

DYNAMICS = ROOT / "examples" / "dynamics"
SCENE = """thud: 1
title: force by pieces
parameters: {q: 2}
data:
  f: FAMILY
system:
  coordinates: [x]
  mass: [1]
  forces: {x: f}
initial: {x: 0}
simulate: {method: METHOD, end: 4, steps: 64}
"""
# f = 1/n! + n t/q from t = 3 - n on, n = 3, 2, 1, 0
FAMILY = "{family: {index: n, from: 3, to: 0, with: {a: 3 - n, b: a/q, s: 3}}, before: 5, breaks: [a + s - 3], " \
         "pieces: [1/factorial(n) + n*t/q + 0*b]}"
LISTS = "{breaks: [0, 1, 2, 3], pieces: [5, 1/6 + 3*t/q, 1/2 + 2*t/q, 1 + t/q, 1]}"
# By hand: x'(4) = sum over the pieces of the integral of f.
SPEED = (1 / 6 + 3 / 4) + (1 / 2 + 3 / 2) + (1 + 5 / 4) + 1

with folder() as here:
    def run(name, family, method="moreau-jean", code=0):
        path = pathlib.Path(here, name + ".yaml")
        path.write_text(SCENE.replace("FAMILY", family).replace("METHOD", method))
        return thud_json("run", path, "-o", name + ".h5", "--force", cwd=here, code=code)

    for method in ("moreau-jean", "event-driven"):
        family, lists = run("family", FAMILY, method), run("lists", LISTS, method)
        report(f"{method}: a family gives the bits of its lists", family["state"] == lists["state"],
               (family["state"], lists["state"]))
        found = thud("verify", "family.h5", cwd=here).stdout
        report(f"{method}: the record is verified", "verdict: good" in found, found)
    report("speed at the end", abs(family["state"]["x'"] - SPEED) < 1e-12, (family["state"], SPEED))

    # Members in rising order, the left value at breaks, names as whole words: nn is not n.
    text = "{family: {index: n, from: 0, to: 2, with: {nn: 7}}, before: 1, breaks: [n + 1], pieces: [nn - n], at_breaks: left}"
    rising = run("rising", text, "event-driven")
    report("rising order", abs(rising["state"]["x'"] - (1 + 7 + 6 + 5)) < 1e-12, rising["state"])

    # The checker reads members by itself: a motion of another family is refused.
    table = DYNAMICS / "trajectories" / "bressan-schatzman-2.csv"
    for first, expected in ((10, "good"), (2, "failed")):
        scene = pathlib.Path(here, "other.yaml")
        scene.write_text((DYNAMICS / "bressan-schatzman.yaml").read_text().replace("from: 10", f"from: {first}"))
        result = thud_json("verify", scene, "--trajectory", table, cwd=here, code=0 if expected == "good" else 1)
        report(f"the checker counts members from {first} down: {expected}", result["verdict"] == expected, result["verdict"])

    allowed = set(os.listdir(here)) | {"bad.yaml"}
    for what, family, phrase in (
            ("breaks that do not increase", "{family: {index: n, from: 0, to: 3}, before: 0, breaks: [-n], pieces: [0]}",
             "breaks must increase"),
            ("another number of pieces", "{family: {index: n, from: 0, to: 3}, before: 0, breaks: [n], pieces: [0, 1]}",
             "a piece for each of its 1 breaks, found 2"),
            ("nothing before", "{family: {index: n, from: 0, to: 3}, breaks: [n], pieces: [0]}", "'before'"),
            ("no index", "{family: {from: 0, to: 3}, before: 0, breaks: [n], pieces: [0]}", "'index'"),
            ("a name that is none", "{family: {index: 2n, from: 0, to: 3}, before: 0, breaks: [n], pieces: [0]}",
             "'2n' cannot name a number"),
            ("a number that depends on time",
             "{family: {index: n, from: 0, to: 3, with: {a: n + t}}, before: 0, breaks: [n], pieces: [a]}",
             "'n + t' is no constant number for n = 0"),
            ("a fraction as an end", "{family: {index: n, from: 0, to: 1/2}, before: 0, breaks: [n], pieces: [0]}", "whole"),
            ("too many members",
             "{family: {index: n, from: 0, to: 999999}, before: 0, breaks: [n], pieces: [0]}", "from 1 to 100000 breaks"),
            ("a list of values at breaks",
             "{family: {index: n, from: 0, to: 3}, before: 0, breaks: [n], pieces: [0], at_breaks: [1]}", "at_breaks"),
            ("the factorial of t", "{breaks: [1], pieces: [0, factorial(t)]}", "constant whole number from 0 to 170"),
            ("the factorial of a fraction", "{breaks: [1], pieces: [0, factorial(1/2)]}", "constant whole number"),
            ("a factorial that is misspelt", "{breaks: [1], pieces: [0, factoral(2)]}", "did you mean 'factorial'"),
    ):
        path = pathlib.Path(here, "bad.yaml")
        path.write_text(SCENE.replace("FAMILY", family).replace("METHOD", "moreau-jean"))
        done = thud("run", path, "-o", "bad.h5", cwd=here)
        refused(what, done, [phrase], here, allowed)
end()
