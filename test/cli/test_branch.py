"""thud run --branch: the outcomes of multiple impacts and of friction that leaves several motions open, as a tree."""
import math
import os
import pathlib

from thudcli import ROOT, close, end, folder, refused, report, thud, thud_json

FORKS = ROOT / "examples" / "event-driven"
DYNAMICS = ROOT / "examples" / "dynamics"
EVENTS = ["--set", "simulate.method=event-driven"]

CHAIN = """\
thud: 1
title: Two points and two corners
parameters: {delay: 1}
system:
  coordinates: [a, b, c, d]
  kinetic_energy: "(a'^2 + b'^2 + c'^2 + d'^2)/2"
  impact_law: canonical
  constraints:
    - {name: roof, phi: b, restitution: 1}
    - {name: slope, phi: a + b, restitution: 1}
    - {name: ceiling, phi: d, restitution: 1}
    - {name: ramp, phi: c + d, restitution: 1}
initial: {a: -1, b: -1, c: -1 - delay, d: -1 - delay, "a'": 1, "b'": 1, "c'": 1, "d'": 1}
simulate: {method: event-driven, end: 3}
"""

CRADLE = """\
thud: 1
title: Newton's cradle
system:
  coordinates: [a, b, c]
  kinetic_energy: "0.5*0.1*0.3^2*(a'^2 + b'^2 + c'^2)"
  potential_energy: -0.1*9.81*0.3*(cos(a) + cos(b) + cos(c))
  constraints:
    - {name: ab, gap: 0.3*(b - a), restitution: 1}
    - {name: bc, gap: 0.3*(c - b), restitution: 1}
initial: {a: -0.5, b: 0, c: 0}
simulate: {method: event-driven, end: 3}
"""

STACK = """\
thud: 1
title: Three balls dropped as a stack
system:
  coordinates: [a, b, c]
  mass: [3, 2, 1]
  potential_energy: 9.81*(3*a + 2*b + c)
  constraints:
    - {name: floor, gap: a, restitution: 0.6}
    - {name: ab, gap: b - a - 0.1, restitution: 0.6}
    - {name: bc, gap: c - b - 0.1, restitution: 0.6}
initial: {a: 1, b: 1.1, c: 1.2}
simulate: {method: event-driven, end: 6}
"""


def near(name, state, expected, tolerance=1e-12):
    good = all(abs(state[key] - value) <= tolerance for key, value in expected.items())
    report(name, good, f"{state}\n{expected}")


def case_c11(here):
    result = thud_json("run", FORKS / "discontinuous-branches.yaml", "--branch", 8, cwd=here)
    first, second = result["branches"]
    report("C11: two motions and nothing left out", result["motions"] == 2 and result["left_out"] == 0, result)
    report("C11: verdict", result["verdict"] == "good" and first["verdict"] == "good", result["reason"])
    near("C11: the law throws the point back", first["state"], {"x": -1, "y": -1, "x'": -1, "y'": -1})
    near("C11: the roof alone lets it go on", second["state"], {"x": 1, "y": -1, "x'": 1, "y'": -1})
    step = second["path"][0]
    report("C11: the path", step == {"t": 1, "text": "'roof' alone", "outcome": 2, "of": 2}, second["path"])
    report("C11: the records", [first["record"], second["record"]] ==
           ["discontinuous-branches.h5", "discontinuous-branches.branch-2.h5"], [first["record"], second["record"]])
    for branch in result["branches"]:
        rows = thud("export", branch["record"], "--rows", "-o", "-", cwd=here).stdout.splitlines()
        report(f"{branch['record']}: can be read", len(rows) == branch["frames"] + 1, rows[:2])
    law = [thud("verify", branch["record"], cwd=here) for branch in result["branches"]]
    report("C11: both verify, and the second is taken to be a branch", [done.returncode for done in law] == [0, 0] and
           "branch: outcome 2 of 2 at t = 1" in law[1].stdout and "branch: outcome" not in law[0].stdout, law[1].stdout)
    perturbed = {-1e-7: second, 1e-7: first}
    for eta, branch in perturbed.items():
        alone = thud_json("run", FORKS / "discontinuous-branches.yaml", "--no-record", "--set", f"eta={eta}", cwd=here)
        near(f"C11: eta = {eta} tends to its outcome", alone["state"], branch["state"], 1e-6)


def first_motion_is_the_plain_one(here):
    branched = thud_json("run", FORKS / "discontinuous-branches.yaml", "--branch", 1, "-o", "one.h5", cwd=here)
    plain = thud_json("run", FORKS / "discontinuous-branches.yaml", "-o", "plain.h5", cwd=here)
    one = branched["branches"][0]
    report("the first motion is that of a run without --branch",
           one["state"] == plain["state"] and one["events"] == plain["events"], one)
    report("what was left out is counted", branched["motions"] == 1 and branched["left_out"] == 1, branched["left_out"])
    same = [thud("export", name, "--rows", "-o", "-", cwd=here).stdout for name in ("one.h5", "plain.h5")]
    report("and so is its record", same[0] == same[1] and len(same[0]) > 0)
    text = thud("run", FORKS / "discontinuous-branches.yaml", "--branch", 1, "--no-record", cwd=here).stdout
    at = thud("run", FORKS / "discontinuous-branches.yaml", "--branch", 2, "--no-record", "--at", "1.5", cwd=here).stdout
    report("samples of every motion", "sample      t = 1.5, x = -0.5" in at and "sample      t = 1.5, x = 0.5" in at, at)
    report("the report says so", "left out: 1 more outcome\n" in text, text)


def cradle(here):
    result = thud_json("run", DYNAMICS / "newton-cradle.yaml", *EVENTS, "--set", "system.impact_law=canonical", "--branch", 5,
                       "--no-record", cwd=here)
    law, observed = result["branches"]
    near("C10: the canonical law", law["state"], {"x1'": -1 / 3, "x2'": 2 / 3, "x3'": 2 / 3})
    near("C10: the observed motion", observed["state"], {"x1'": 0, "x2'": 0, "x3'": 1})
    report("C10: its path", observed["path"][0]["text"] == "'left' before 'right'", observed["path"])
    report("no record was asked for", law["record"] is None and not list(pathlib.Path(here).glob("newton*")), law["record"])


def pendulum(length, angle, times):
    """Angles of a pendulum let go at `angle`, by Runge-Kutta steps of 1e-4 s."""
    def slope(a, w):
        return w, -9.81 / length * math.sin(a)
    found, a, w, h, k = [], angle, 0.0, 1e-4, 0
    while len(found) < len(times):
        if k == round(times[len(found)] / h):
            found.append(a)
            continue
        a1, w1 = slope(a, w)
        a2, w2 = slope(a + h / 2 * a1, w + h / 2 * w1)
        a3, w3 = slope(a + h / 2 * a2, w + h / 2 * w2)
        a4, w4 = slope(a + h * a3, w + h * w3)
        a, w, k = a + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4), w + h / 6 * (w1 + 2 * w2 + 2 * w3 + w4), k + 1
    return found


def swinging_cradle(here):
    """Ball after ball through all impacts: the outer balls swing in turn like one pendulum, the middle one rests."""
    pathlib.Path(here, "cradle.yaml").write_text(CRADLE)
    times = [0.5, 1.0, 1.6, 2.2, 2.9]
    result = thud_json("run", "cradle.yaml", "--branch", 2, "--no-record", "--at", ",".join(map(str, times)), cwd=here)
    observed = result["branches"][1]
    report("the second motion leaves the law first", observed["path"][0]["text"] == "'ab' before 'bc'", observed["path"])
    for sample, angle in zip(observed["samples"], pendulum(0.3, -0.5, times)):
        near(f"ball after ball at t = {sample['t']}", sample["state"], {"a": min(angle, 0), "b": 0, "c": max(angle, 0)}, 1e-9)
    text = thud("run", "cradle.yaml", "--branch", 3, "--no-record", cwd=here).stdout
    law = text.split("motion 2")[0]
    report("the motion of the law says so in one line", "the law at 5 forks" in law and "outcome" not in law.split("motion 1")[1], law)
    report("energies and warnings of every motion", text.count("  energy ") == 3 and text.count("  losses ") == 3 and
           text.count("multiple impact") == 3, text)


def stack(here):
    """Balls dropped on each other: accumulations do not fork in their tails, and the first forks are followed first."""
    pathlib.Path(here, "stack.yaml").write_text(STACK)
    result = thud_json("run", "stack.yaml", "--branch", 4, "--no-record", cwd=here)
    law, second = result["branches"][:2]
    report("no motion fails", result["verdict"] == "good", result["reason"])
    flights = [b["t"] - a["t"] for a, b in zip(law["path"], law["path"][1:])]
    report("only long flights fork", 5 <= len(law["path"]) <= 10 and min(flights) > 0.5 * 0.06, law["path"])
    report("what is left is at the first fork", second["path"][0]["outcome"] == 2 and
           second["path"][0]["t"] == law["path"][0]["t"], second["path"])
    every = thud_json("run", "stack.yaml", "--branch", 1, "--no-record", "--set", "simulate.fork_flight=0", cwd=here)
    report("without a shortest flight the tolerance ends the forks", 12 <= len(every["branches"][0]["path"]) <= 30,
           len(every["branches"][0]["path"]))
    fine = thud_json("run", "stack.yaml", "--branch", 1, "--no-record", "--set", "simulate.fork_flight=0", "--set",
                     "simulate.fork_tolerance=1e-12", cwd=here)
    report("and without both every impact is one", len(fine["branches"][0]["path"]) >= 45, len(fine["branches"][0]["path"]))
    lines = thud("run", "stack.yaml", "--branch", 6, "--no-record", cwd=here).stdout.splitlines()
    report("the report stays short", len(lines) <= 4 + 6 * 10, lines)


def limits_of_outcomes(here):
    """Both points at once: four outcomes, of which as many are collected as asked for."""
    both = ["run", "chain.yaml", "--no-record", "--set", "delay=0"]
    flag = thud_json(*both, "--branch", 10, "--max-outcomes", 3, cwd=here)
    key = thud_json(*both, "--branch", 10, "--set", "simulate.max_outcomes=3", cwd=here)
    report("--max-outcomes", flag["motions"] == 3 and flag["branches"][0]["path"][0]["of"] == 3, flag["motions"])
    report("simulate.max_outcomes", key["motions"] == 3, key["motions"])
    for words in (["--max-outcomes", 3], ["--branch", 2, "--max-outcomes", 1], ["--branch", 2, "--max-outcomes", "few"]):
        done = thud(*both, *words, cwd=here)
        report(f"refused: {words}", done.returncode == 2 and "--max-outcomes" in done.stderr, done.stderr)


def tree(here):
    """Two forks one after the other: four motions, the outcomes of the first fork first; a motion that leaves the law goes
    on with contacts struck one after the other."""
    pathlib.Path(here, "chain.yaml").write_text(CHAIN)
    result = thud_json("run", "chain.yaml", "--branch", 10, "--no-record", cwd=here)
    paths = [tuple(step["outcome"] for step in branch["path"]) for branch in result["branches"]]
    report("two forks give four motions", paths == [(1, 1), (2, 2), (1, 2), (2, 1)], paths)
    for branch, path in zip(result["branches"], paths):
        signs = [-1 if outcome == 1 else 1 for outcome in path]
        near(f"motion {path}", branch["state"], {"a": 2 * signs[0], "b": -2, "c": signs[1], "d": -1})
    times = [step["t"] for step in result["branches"][0]["path"]]
    report("at their times", times == [1, 2], times)
    few = thud_json("run", "chain.yaml", "--branch", 2, "--no-record", cwd=here)
    report("the first two of them", few["branches"][1]["state"] == result["branches"][1]["state"] and
           few["motions"] == 2 and few["left_out"] == 2, few["left_out"])
    # both corners at once: one fork, whose outcomes are the combinations
    both = thud_json("run", "chain.yaml", "--branch", 10, "--no-record", "--set", "delay=0", cwd=here)
    ends = sorted((round(b["state"]["a"]), round(b["state"]["c"])) for b in both["branches"])
    report("at the same time they are one fork", ends == [(-2, -2), (-2, 2), (2, -2), (2, 2)], ends)


def bar(here):
    scene = FORKS / "corner-bar.yaml"
    alone = thud_json("run", scene, "--no-record", cwd=here, code=1)
    report("the bar in the corner is not determined", "not determined" in alone["reason"] and
           "'right' sticks, 'left' sticks" in alone["reason"] and "--branch" in alone["reason"], alone["reason"])
    result = thud_json("run", scene, "--branch", 4, "--no-record", cwd=here)
    ends = {branch["path"][0]["text"]: branch["state"] for branch in result["branches"]}
    recorded = thud("run", scene, "--branch", 4, cwd=here)
    verified = thud("verify", "corner-bar.h5", "corner-bar.branch-2.h5", cwd=here)
    report("both motions verify", recorded.returncode == 0 and verified.returncode == 0, verified.stdout)
    for name in ("corner-bar.h5", "corner-bar.branch-2.h5"):
        pathlib.Path(here, name).unlink()
    report("it falls or stays", sorted(ends) == ["'right' opens, 'left' opens", "'right' sticks, 'left' sticks"], ends)
    near("it falls freely", ends["'right' opens, 'left' opens"], {"y": -1 - 9.81 / 8, "y'": -9.81 / 2, "th": 0})
    near("it stays", ends["'right' sticks, 'left' sticks"], {"x": 0, "y": -1, "th": 0, "y'": 0})
    loose = thud_json("run", scene, "--branch", 4, "--no-record", "--set", "mu=0.9", cwd=here)
    report("with mu < 1 it can only fall", loose["motions"] == 1 and loose["branches"][0]["path"] == [], loose["motions"])


def rod(here):
    scene = FORKS / "painleve-impact.yaml"
    result = thud_json("run", scene, "--no-record", cwd=here)
    first = result["events"][0]
    angle, u = math.atan(2), 20
    s, c = math.sin(angle), math.cos(angle)
    normal, tangent = 3 * c * s * u / 4, -(1 + 3 * c * c) * u / 4
    report("the rod is struck at once", first["t"] == 0 and first["kind"] == "impact" and first["tangential"] is True, first)
    near("by its friction", dict(enumerate(first["impulse"]["ground"])), {0: normal, 1: tangent}, 1e-10)
    near("and stopped", first["after"], {"x'": u + tangent, "y'": normal, "th'": -3 * (c * normal + s * tangent)}, 1e-10)
    close("the energy lost", result["ledger"]["impact_loss"], (1 + 3 * c * c) * u * u / 8, 1e-10)
    verified = [thud(*words, cwd=here).returncode for words in (("run", scene, "-o", "rod.h5"), ("verify", "rod.h5"))]
    report("its record verifies", verified == [0, 0], verified)
    failed = thud_json("run", scene, "--no-record", "--set", "simulate.painleve=stop", cwd=here, code=1)
    report("without leave it ends there", "Painleve" in failed["reason"], failed["reason"])
    below = thud_json("run", scene, "--no-record", "--set", "mu=1.3", cwd=here)
    report("below mu = 4/3 nothing is struck", all(e["kind"] != "impact" or e["t"] > 0 for e in below["events"]), below["events"])


def refusals(here):
    allowed = set(os.listdir(here))
    refused("time stepping takes one outcome", thud("run", DYNAMICS / "newton-cradle.yaml", "--branch", 3, cwd=here),
            ["--branch", "'moreau'", "event-driven"], here, allowed)
    refused("sweeping does not fork", thud("run", ROOT / "examples" / "jump.yaml", "--branch", 3, cwd=here),
            ["--branch", "catching-up"], here, allowed)
    for number in ("0", "-1", "1.5", "many"):
        refused(f"--branch {number}", thud("run", FORKS / "corner-bar.yaml", f"--branch={number}", cwd=here),
                ["--branch", "whole number"], here, allowed)
    refused("--branch with --resume", thud("run", "--resume", "one.h5", "--branch", 2, cwd=here), ["--resume"], here, allowed)
    pathlib.Path(here, "corner-bar.branch-2.h5").write_text("mine")
    allowed.add("corner-bar.branch-2.h5")
    refused("a file in the way of a branch", thud("run", FORKS / "corner-bar.yaml", "--branch", 2, cwd=here),
            ["corner-bar.branch-2.h5", "--force"], here, allowed)
    report("is left alone", pathlib.Path(here, "corner-bar.branch-2.h5").read_text() == "mine")
    forced = thud("run", FORKS / "corner-bar.yaml", "--branch", 2, "--force", cwd=here)
    report("--force replaces it", forced.returncode == 0 and "motion 2" in forced.stdout, forced.stdout + forced.stderr)


with folder() as here:
    case_c11(here)
    first_motion_is_the_plain_one(here)
    cradle(here)
    swinging_cradle(here)
    stack(here)
    tree(here)
    limits_of_outcomes(here)
    bar(here)
    rod(here)
    refusals(here)
end()
