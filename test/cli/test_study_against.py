"""thud study --against event-driven through the program: errors, partners of impacts, verdicts, tables, bad input."""
import csv
import math
import pathlib

from thudcli import ROOT, close, end, folder, report, thud, thud_json

SCENES = ROOT / "examples" / "dynamics"
AGAINST = ("--against", "event-driven")


def test_bouncing_particle(here):
    result = thud_json("study", SCENES / "bouncing-particle.yaml", *AGAINST, "--method", "moreau,mabrouk", "--levels", "8:13",
                       "-o", "levels.csv", "--impacts", "impacts.csv", "--plot", "errors.svg", cwd=here)
    report("C1: good", result["verdict"] == "good" and result["against"] == "event-driven", result["reason"])
    report("C1: both methods", [m["method"] for m in result["methods"]] == ["moreau", "mabrouk"])
    close("C1: total impulse of the reference", result["reference"]["impulse"][0], 8, 1e-10)
    moreau = result["methods"][0]
    close("C1: order of q", moreau["q_order"], 1, 0.05)
    close("C1: sup error of 2.5 steps", moreau["table"][-1]["q_error"] / moreau["table"][-1]["step"], 2.5, 0.1)
    impacts = [event for event in moreau["events"] if event["kind"] == "impact"]
    for n, event in enumerate(impacts[:5]):
        close(f"C1: time of impact {n}", event["t"], 3 - 2.0**(1 - n), 1e-10)
        close(f"C1: impulse of impact {n}", event["impulse"][0], 3 * 2.0**-n, 1e-10)
        for key in ("t_order", "v_order", "impulse_order"):
            close(f"C1: {key} of impact {n}", event[key], 1, 0.05)
    limit = next(event for event in moreau["events"] if event["kind"] == "zeno")
    close("C1: limit of the accumulation", limit["t"], 3, 1e-10)
    report("C1: the stepped motion comes to rest", all(level["partner"] == "found" for level in limit["levels"]), limit)
    counted = [(row["found"] + row["missed"] + row["unresolved"], row["stray"]) for row in moreau["table"]]
    report("C1: every event is accounted for", all(c == (len(moreau["events"]), 0) for c in counted), counted)
    rows = list(csv.DictReader((pathlib.Path(here) / "levels.csv").open()))
    report("a row per method and level", [(r["method"], int(r["steps"])) for r in rows] ==
           [(m, 2**n) for m in ("moreau", "mabrouk") for n in range(8, 14)], rows[:1])
    rows = list(csv.DictReader((pathlib.Path(here) / "impacts.csv").open()))
    report("a row per event and level", len(rows) == sum(6 * len(m["events"]) + len(m["strays"]) for m in result["methods"]),
           len(rows))
    report("errors of missing partners are empty", all((r["t_error"] == "") == (r["partner"] != "found") for r in rows))
    report("a picture is drawn", (pathlib.Path(here) / "errors.svg").stat().st_size > 1000)
    (pathlib.Path(here) / "impacts.csv").write_text("mine\n")
    done = thud("study", SCENES / "bouncing-particle.yaml", *AGAINST, "--levels", "6:8", "--impacts", "impacts.csv", cwd=here)
    report("files that are not its own are not replaced", done.returncode == 2 and "impacts.csv" in done.stderr, done)


def test_every_method(here):
    result = thud_json("study", SCENES / "bouncing-particle.yaml", *AGAINST, "--method", "second-order,implicit", "--levels", "6:9",
                       cwd=here)
    report("every scheme can be compared", [m["method"] for m in result["methods"]] == ["second-order", "implicit"], result)
    close("C1: order of q of the implicit scheme", result["methods"][1]["q_order"], 1, 0.3)


def test_text(here):
    text = thud("study", SCENES / "bouncing-particle.yaml", *AGAINST, "--levels", "8:11", cwd=here).stdout
    lines = text.splitlines()
    report("the tables are aligned", len({len(line) for line in lines[1:6]}) == 1, text)
    report("the verdict is last", lines[-1] == "verdict: good" and "zeno" in text and "too close together" in text, text)


def test_friction(here):
    result = thud_json("study", SCENES / "klarbring-slip.yaml", *AGAINST, "--levels", "6:12", cwd=here)
    events = result["methods"][0]["events"]
    report("K2: turn and stick", [event["kind"] for event in events] == ["slip", "stick"], events)
    close("K2: the slip turns", events[0]["t"], math.atan2(4, 3), 1e-10)
    close("K2: it sticks", events[1]["t"], 2.7410945822358, 1e-10)
    step = result["methods"][0]["table"][-1]["step"]
    for event in events:
        close(f"K2: the {event['kind']} of the stepped motion", event["levels"][-1]["t_error"], 0, 1.5 * step)


def test_woodpecker(here):
    result = thud_json("study", SCENES / "woodpecker.yaml", *AGAINST, "--set", "simulate.end=0.3", "--levels", "11:15",
                       cwd=here)
    method = result["methods"][0]
    finest = method["table"][-1]
    report("woodpecker: nothing missed or made up", finest["missed"] == 0 and finest["stray"] == 0, finest)
    close("woodpecker: order of q", method["q_order"], 1, 0.5)
    beak = [event for event in method["events"] if event["constraints"] == ["beak"]]
    report("woodpecker: it pecks twice", len(beak) == 2, [event["t"] for event in beak])
    for event in beak:
        match = event["levels"][-1]
        close("woodpecker: time of a peck", match["t_error"], 0, 30 * finest["step"])
        close("woodpecker: impulse of a peck, relative", match["impulse_error"] / abs(event["impulse"][0]), 0, 0.01)


def test_verdicts(here):
    result = thud_json("study", SCENES / "parity.yaml", *AGAINST, "--levels", "6:11", cwd=here, code=1)
    method = result["methods"][0]
    report("C12: parity", method["flags"] == ["parity"] and "even refinements converge" in result["reason"], result["reason"])
    close("C12: order of even refinements", method["even_order"], 1, 0.1)
    close("C12: odd ones go elsewhere", method["table"][-1]["q_end"][0], 8, 0.05)
    close("C12: the reference", result["reference"]["q_end"][0], 4, 1e-10)
    close("C12: cosine", result["reference"]["worst_cosine"], math.sqrt(0.5), 1e-10)
    report("C12: whose", result["reference"]["worst_cosine_constraints"] == ["roof", "slope"], result["reference"])
    result = thud_json("study", SCENES / "parity.yaml", *AGAINST, "--levels", "6:11", "--method", "mabrouk", cwd=here)
    report("C12 by Mabrouk's scheme is good", result["methods"][0]["flags"] == [], result["reason"])
    text = thud("study", SCENES / "discontinuous.yaml", *AGAINST, "--levels", "6:9", cwd=here).stdout
    report("C11: the multiple impact is reported", "'roof', 'slope': cosine 0.707107" in text, text)
    result = thud_json("study", SCENES / "bouncing-particle.yaml", *AGAINST, "--set", "simulate.method=event-driven", "--set",
                       "simulate.max_events=2", "--levels", "6:9", cwd=here, code=1)
    method = result["methods"][0]
    report("a reference that ends early is reported", method["flags"] == ["run-failed"] and "ended at t = 2" in method["reason"],
           method["reason"])
    report("event-driven scenes are stepped by moreau-jean", method["method"] == "moreau-jean", method["method"])
    close("and compared as far as it goes", method["q_order"], 1, 0.1)
    result = thud_json("study", SCENES / "painleve-rod.yaml", "--set", "mu=2", *AGAINST, "--levels", "6:8", cwd=here, code=1)
    method = result["methods"][0]
    report("a reference that ends at once is reported", method["flags"] == ["run-failed"] and method["table"] == [] and
           "nothing to compare" in method["reason"], method)


def test_rocking_block(here):
    """Six impacts on alternate corners, each across a non-orthogonal multiple impact, with friction that sticks."""
    result = thud_json("study", SCENES / "rocking-block.yaml", *AGAINST, "--method", "moreau-jean", "--levels", "10:14",
                       cwd=here)
    method = result["methods"][0]
    impacts = [event for event in method["events"] if event["kind"] == "impact"]
    report("rocking block: corners in turn", [e["constraints"] for e in impacts] == 3 * [["left"], ["right"]], impacts)
    for n, event in enumerate(impacts):
        for key in ("t_order", "v_order", "impulse_order"):
            close(f"rocking block: {key} of impact {n}", event[key], 1, 0.4)
    report("rocking block: nothing missed or made up", all(r["missed"] == r["stray"] == 0 for r in method["table"]))


def test_bad_input(here):
    scene = SCENES / "bouncing-particle.yaml"
    cases = [
        ("another reference", (scene, "--against", "moreau"), "event-driven"),
        ("an unknown method", (scene, *AGAINST, "--method", "moreau,euler"), "euler"),
        ("too few levels", (scene, *AGAINST, "--levels", "5:6"), "three levels"),
        ("a sweeping process", (ROOT / "examples" / "wedge.yaml", *AGAINST), "'system' and 'quasistatic' scenes"),
        ("a method without reference", (scene, "--method", "moreau"), "--method goes with --against"),
        ("impacts without reference", (scene, "--impacts", "a.csv"), "--impacts goes with --against"),
        ("a sweep against a reference", (scene, *AGAINST, "--sweep", "e=0:1:3", "--quantity", "q"), "--sweep"),
        ("refining an event-driven scene", (scene, "--set", "simulate.method=event-driven"), "--against"),
    ]
    for name, arguments, word in cases:
        done = thud("study", *arguments, cwd=here)
        report(f"bad input: {name}", done.returncode == 2 and word in done.stderr, done)


DATA = """thud: 1
parameters: {e: 0.5}
data:
  push: {breaks: [1], pieces: [0, "2*t"], at_breaks: right}
system:
  coordinates: [x]
  kinetic_energy: "0.5*x'^2"
  forces: {x: push}
  constraints:
    - {name: wall, gap: 20/3 - x, restitution: e}
initial: {x: 0}
simulate: {method: moreau, end: 4.5, steps: 100}
"""


def test_data(here):
    """Piecewise data of a time-stepping scene: x = (t^3 - 3 t + 2)/3 from t = 1 on, at the wall
    when t = 3, a third or two thirds of a step from a node at all levels; the data jump between nodes."""
    (pathlib.Path(here) / "data.yaml").write_text(DATA)
    result = thud_json("study", "data.yaml", *AGAINST, "--levels", "8:14", cwd=here)
    method, = result["methods"]
    report("data: the scene's method", method["method"] == "moreau" and result["verdict"] == "good", result["reason"])
    impact = method["events"][0]["t"]
    close("data: the first impact", impact, 3, 1e-9)
    close("data: order", method["q_order"], 1, 0.2)
    shares = [row["q_error"] / row["step"] for row in method["table"]] # of first order: within fixed multiples of a step
    report("data: each error is a few steps' motion", all(5 < share < 10 for share in shares), shares)
    done = thud("study", "data.yaml", *AGAINST, "--set", "simulate={method: moreau, end: 4.5, tolerance: 0.01}", cwd=here)
    report("data: controlled steps are refused", done.returncode == 2, done)


with folder() as place:
    test_data(place)
    test_bouncing_particle(place)
    test_every_method(place)
    test_text(place)
    test_friction(place)
    test_woodpecker(place)
    test_rocking_block(place)
    test_verdicts(place)
    test_bad_input(place)
end()
