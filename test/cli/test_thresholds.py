"""Thresholds of friction that several reactions give: a pendulum on a dry pin against its own equation, frames, impacts, tampering."""
import json
import pathlib
import random
from math import cos, hypot, pi, sin

from test_tamper import change, targets_of
from thudcli import ROOT, close, end, folder, report, some, thud

PIN = ROOT / "examples" / "dynamics" / "pendulum-on-pin.yaml"
G, MU, R, I = 9.81, 0.2, 0.1, 0.5  # m = l = 1


def pendulum(steps=1000, friction=hypot):
    """th(1), th'(1) by the Runge-Kutta method: (I + 1) th'' = -g sin th - mu R |force| sgn th', where the force on the bob along and
    across the rod is (g cos th + th'^2, th'' + g sin th), which the friction changes."""
    def acceleration(th, w):
        a, way = -G * sin(th) / (I + 1), (w > 0) - (w < 0) or (1 if sin(th) < 0 else -1)
        for _ in range(60):
            a = (-G * sin(th) - MU * R * friction(G * cos(th) + w * w, a + G * sin(th)) * way) / (I + 1)
        return a

    th, w, h = 1.0, 0.0, 1 / steps
    for _ in range(steps):
        a = w, acceleration(th, w)
        b = w + h / 2 * a[1], acceleration(th + h / 2 * a[0], w + h / 2 * a[1])
        c = w + h / 2 * b[1], acceleration(th + h / 2 * b[0], w + h / 2 * b[1])
        d = w + h * c[1], acceleration(th + h * c[0], w + h * c[1])
        th += h / 6 * (a[0] + 2 * b[0] + 2 * c[0] + d[0])
        w += h / 6 * (a[1] + 2 * b[1] + 2 * c[1] + d[1])
    return th, w


def turned(angle, law):
    c, s = cos(angle), sin(angle)
    x, y = "(x - sin(th))", "(y + cos(th))"
    return {"thud": 1,
            "system": {"coordinates": ["x", "y", "th"], "mass": [1, 1, I], "potential_energy": f"{G}*y",
                       "constraints": [{"name": "px", "equation": f"{c!r}*{x} + {s!r}*{y}"},
                                       {"name": "py", "equation": f"-({s!r})*{x} + {c!r}*{y}"}],
                       "friction": [{"name": "pin", "slip": ["th'"], **law}]},
            "initial": {"x": "sin(1)", "y": "-cos(1)", "th": 1},
            "simulate": {"method": "second-order", "end": 1, "steps": 1000}}


def write(here, scene, name="scene.yaml"):
    path = pathlib.Path(here) / name
    path.write_text(json.dumps(scene))
    return path


def run(here, scene, *arguments):
    """The result of a run that ends, however coarse."""
    done = thud("run", scene, "-f", "-o", "a.h5", *arguments, "--json", cwd=here)
    if done.returncode not in (0, 1):
        raise AssertionError(done.stderr + done.stdout)
    return json.loads(done.stdout)


def verified(here, name):
    done = thud("verify", "a.h5", cwd=here)
    report(f"{name}: the record is verified", "verdict: good" in done.stdout, done.stdout)


def refused(here, name, scene, *pieces):
    done = thud("run", write(here, scene), "-f", "-o", "b.h5", cwd=here)
    text = done.stdout + done.stderr
    report(name, done.returncode != 0 and all(piece in text for piece in pieces), text)


def test_pendulum(here):
    th, w = pendulum()
    close("the pendulum's own equation, th(1)", th, -0.6989914, 1e-7)
    close("the pendulum's own equation, th'(1)", w, -1.5381086, 1e-7)
    result = run(here, PIN)
    close("the example reaches th(1)", result["state"]["th"], th, 1.5e-6)
    close("the example reaches th'(1)", result["state"]["th'"], w, 4e-6)
    report("the residual is that of the coupled problem", result["residual"] < 1e-12, result["residual"])
    report("the contraction is reported", 0.003 < result["contraction"] < 0.02, result["contraction"])
    verified(here, "the example")


def test_orders(here):
    th, w = pendulum()
    for method, order in (("moreau-jean", 1), ("moreau", 1), ("implicit", 1), ("stabilised", 1), ("second-order", 2)):
        states = [run(here, PIN, "--set", f"simulate.method={method}", "--set", f"simulate.steps={n}")["state"] for n in (500, 1000)]
        verified(here, method)
        errors = [max(abs(s["th"] - th), abs(s["th'"] - w)) for s in states]
        report(f"{method} is of order {order}", 0.85 * 2 ** order < errors[0] / errors[1] < 1.2 * 2 ** order, errors)


def test_axes(here):
    """The friction of a vector does not see the axes; that of its components does."""
    ends = [run(here, write(here, turned(a, {"of": ["px", "py"], "mu": MU, "radius": R})))["state"]["th"]
            for a in some((0, pi / 4, 0.3, -1.1, 2.5), 2)]
    for th in ends:
        close("turned axes", th, ends[0], 1e-12)
    same = run(here, write(here, turned(0, {"threshold": f"{MU}*{R}*sqrt(px^2 + py^2)"})))["state"]["th"]
    close("of: [px, py] is the root of the sum of squares", same, ends[0], 1e-13)
    for angle, expected in ((0, -0.6882), (pi / 4, -0.6849)):
        sizes = run(here, write(here, turned(angle, {"threshold": f"{MU}*{R}*(abs(px) + abs(py))"})))["state"]["th"]
        close(f"the sum of sizes turned by {angle:.2g}", sizes, expected, 6e-5)


def test_one_reaction(here):
    """A law of one equation is the case of one reaction."""
    scene = {"thud": 1, "initial": {"x": 0, "y": 0, "x'": 1, "y'": 0.1}, "simulate": {"end": 1, "steps": 100},
             "system": {"coordinates": ["x", "y"], "mass": [1, 1], "forces": {"y": "-9.81"},
                        "constraints": [{"name": "rail", "equation": "y - 0.1*x"}]}}
    on_constraint, by_name, by_key = (json.loads(json.dumps(scene)) for _ in range(3))
    on_constraint["system"]["constraints"][0]["friction"] = {"mu": 0.3, "slip": ["x'"]}
    by_name["system"]["friction"] = [{"name": "rub", "threshold": "0.3*abs(rail)", "slip": ["x'"]}]
    by_key["system"]["friction"] = [{"name": "rub", "of": ["rail"], "mu": 0.3, "slip": ["x'"]}]
    ends = [run(here, write(here, s))["state"]["x"] for s in (on_constraint, by_name, by_key)]
    verified(here, "one reaction")
    close("abs(rail) is the law of the rail", ends[1], ends[0], 1e-13)
    close("of: [rail] is the law of the rail", ends[2], ends[0], 1e-13)


def struck(threshold):
    """A pendulum at rest in a pin with friction is struck: impulses J on x at the bob."""
    scene = turned(0, {"threshold": threshold})
    scene["system"]["percussions"] = [{"time": 0, "impulse": {"x": 3, "th": -1}}]
    scene["initial"] = {"x": 0, "y": -1, "th": 0}
    scene["simulate"] = {"method": "moreau-jean", "end": 1e-3, "steps": 1}
    return scene


def test_impact(here):
    """Under a percussion the forces are impulses: (1 + I) w = 3 - 1 - mu R |(Px, Py)|, Px = w - 3, Py = 0; a constant part of the
    threshold has no part in it."""
    w = 2 / (1 + I)
    for _ in range(100):
        w = (2 - 0.5 * abs(w - 3)) / (1 + I)
    for name, threshold in (("homogeneous", "0.5*hypot(px, py)"), ("with a constant part", "0.1 + 0.5*hypot(px, py)")):
        result = run(here, write(here, struck(threshold)), "--at", "0")
        close(f"percussion, {name}", result["samples"][0]["state"]["th'"], w, 1e-9)
        verified(here, f"percussion, {name}")
    refused(here, "a threshold that grows faster than reactions", struck("px^2"), "must not grow faster than the reactions")


def test_refused(here):
    good = {"threshold": "0.02*hypot(px, py)"}
    refused(here, "a negative threshold", turned(0, {"threshold": "px - 1e3"}), "out-of-range", "px =")
    refused(here, "an unknown name", turned(0, {"threshold": "0.1*pz"}), "unknown name 'pz'", "did you mean")
    refused(here, "of a constraint that is not there", turned(0, {"of": ["pz"], "mu": 1}), "there is no constraint 'pz'")
    refused(here, "both ways", turned(0, {"of": ["px"], "mu": 1, **good}), "contradictory-keys")
    refused(here, "radius without of", turned(0, {"radius": 1, **good}), "misplaced-key")
    taken = turned(0, {"of": ["px"], "mu": 1})
    taken["parameters"] = {"px": 1}
    refused(here, "a name that means something else", taken, "'px' is another name")
    twice = turned(0, good)
    twice["system"]["constraints"].append({"name": "pz", "equation": "x - sin(th)"})
    refused(here, "reactions that are not unique", twice, "indeterminate-threshold")
    refused(here, "several collisions", {**turned(0, good), "system": {**turned(0, good)["system"], "impact_law": "sequential"}},
            "unsupported-method", "sequential")
    forced = turned(0, good)
    forced["system"]["forces"] = {"x": "px"}
    refused(here, "a reaction in a force", forced, "unknown name 'px'")
    much = turned(0, {"threshold": "2*hypot(px, py)"})
    result = run(here, write(here, much))
    report("a contraction of more than 1 is warned of", "threshold-not-contracting" in [w["code"] for w in result["warnings"]], result["warnings"])


def test_tampering(here):
    """A changed friction force, velocity or reaction is found."""
    run(here, PIN, "--set", "simulate.steps=50", "--set", "simulate.method=moreau-jean")
    chance, record = random.Random(7), str(pathlib.Path(here) / "a.h5")
    for path, _, length in targets_of(record):
        if path not in ("/frames/data/reaction", "/frames/data/v", "/frames/data/q", "/frames/data/ledger"):
            continue
        for k in range(max(some((1, 3), 2))):
            seen, found, what = change(record, k, path, chance.randrange(length // 5, length), length, 1e-3)
            report(f"tampering is found: {what}", seen and found)


with folder() as here:
    test_pendulum(here)
    test_orders(here)
    test_axes(here)
    test_one_reaction(here)
    test_impact(here)
    test_refused(here)
    test_tampering(here)
end()
