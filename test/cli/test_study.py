"""thud study through the program: verdicts, exit codes, tables, pictures, bad input, interruption."""
import csv
import math
import pathlib

from thudcli import ROOT, close, end, folder, interrupted, needs_terminal, report, thud, thud_json

SCENES = ROOT / "examples" / "dynamics"
TABLE = SCENES / "vibrating-table.yaml"
SHORT = ("--set", "simulate.end=6", "--set", "simulate.steps=30000")


FALL = """thud: 1
title: Fall
system: {coordinates: [z], mass: [1], forces: {z: -10 - z}}
initial: {z: 2}
until: z < 1
simulate: {method: moreau-jean, end: 100, step: 0.001}
"""


def test_until(here):
    """Motions are compared up to where the scene ends: z = 12 cos(t) - 10 is 1 at acos(11/12)."""
    pathlib.Path(here, "fall.yaml").write_text(FALL, encoding="utf-8")
    end_time = math.acos(11 / 12)
    for flags in ([], ["--against", "event-driven"]):
        text = thud("study", "fall.yaml", "--levels", "5:9", *flags, cwd=here).stdout
        shown = [line for line in text.splitlines() if "until" in line]
        report(f"until {flags}: a note says where it ends", len(shown) == 1, text)
        close(f"until {flags}: there", float(shown[0].split()[-1]), end_time, 0.0011)
    result = thud_json("study", "fall.yaml", "--levels", "5:9", cwd=here)
    close("until: end in JSON", result["end"], end_time, 0.0011)
    close("until: the coarsest step", result["table"][0]["step"], result["end"] / 32, 1e-12)
    pathlib.Path(here, "never.yaml").write_text(FALL.replace("z < 1", "z < -30"), encoding="utf-8")
    never = thud_json("study", "never.yaml", "--levels", "5:9", "--set", "simulate.end=2", cwd=here)
    close("until that is never met: the whole span", never["end"], 2, 0)
    pathlib.Path(here, "at-once.yaml").write_text(FALL.replace("z < 1", "z < 5"), encoding="utf-8")
    refused = thud("study", "at-once.yaml", "--levels", "5:9", cwd=here)
    report("until at the start: refused", refused.returncode == 2 and "holds at the start" in refused.stderr, refused.stderr)


def test_refinement(here):
    result = thud_json("study", SCENES / "bouncing-particle.yaml", "--set", "simulate.method=moreau", "--levels", "8:14",
                       "-o", "orders.csv", "--plot", "orders.svg", cwd=here)
    report("C1: good", result["verdict"] == "good" and result["flags"] == [], result)
    close("C1: order of q", result["q_order"], 1, 0.1)
    close("C1: order of v in L1", result["v_order"], 1, 0.1)
    close("C1: order of the graphs of v", result["graph_order"], 1, 0.25)
    rows = list(csv.DictReader((pathlib.Path(here) / "orders.csv").open()))
    report("one row per level", [int(row["steps"]) for row in rows] == [2**n for n in range(8, 15)], rows)
    report("a picture is drawn", (pathlib.Path(here) / "orders.svg").stat().st_size > 1000)
    table = thud("study", SCENES / "bouncing-particle.yaml", "--levels", "8:11", "-o", "-", cwd=here).stdout
    rows = list(csv.DictReader(table.splitlines()))
    report("-o - is standard output, with the table alone", [row["level"] for row in rows] == ["8", "9", "10", "11"]
           and not (pathlib.Path(here) / "-").exists(), table)
    text = thud("study", SCENES / "bouncing-particle.yaml", "--levels", "8:11", cwd=here).stdout
    lines = text.splitlines()[1:6]
    report("the table is aligned", len({len(line) for line in lines}) == 1, text)


def test_parity(here):
    result = thud_json("study", SCENES / "parity.yaml", "--levels", "6:11", cwd=here, code=1)
    report("C12 is flagged", result["flags"] == ["parity"] and "even and odd" in result["reason"], result)
    result = thud_json("study", SCENES / "parity.yaml", "--levels", "6:11", "--set", "simulate.method=mabrouk", cwd=here)
    report("C12 by Mabrouk's scheme is not", result["flags"] == [], result)
    result = thud_json("study", SCENES / "blow-up.yaml", "--levels", "8:11", cwd=here, code=1)
    report("a run that ends early is flagged", result["flags"] == ["run-failed"] and "ended at t = " in result["reason"], result)
    report("what was not measured is null", result["q_order"] is None and result["table"][0]["q_next"] is None, result)


def test_sweep(here):
    result = thud_json("study", TABLE, *SHORT, "--sweep", "w=33:38:6", "--section", "impacts:table", "--quantity", "z'",
                       "--after", "5", "-o", "points.csv", "--plot", "points.png", cwd=here)
    h = 6 / 30000
    points = result["points"]
    report("every run has points", {round(p[0]) for p in points} == set(range(33, 39)), len(points))
    worst = max(abs(v + math.pi * 9.81 / w) for w, _, v in points)
    close("the ball comes with -pi g/w", worst, 0, 6 * 9.81 * h)
    rows = list(csv.reader((pathlib.Path(here) / "points.csv").open()))
    report("the table has the points", rows[0] == ["run", "w", "t", "quantity"] and len(rows) == len(points) + 1, rows[0])
    (pathlib.Path(here) / "points.csv").write_text("mine\n")
    done = thud("study", TABLE, *SHORT, "--sweep", "w=33:38:6", "--quantity", "z'", "-o", "points.csv", cwd=here)
    report("files that are not its own are not replaced", done.returncode == 2 and "points.csv" in done.stderr, done)


def test_bad_input(here):
    cases = [
        ("a constraint that is not there", ("--sweep", "w=33:38:2", "--section", "impacts:ceiling", "--quantity", "z"),
         "ceiling"),
        ("an expression that cannot be read", ("--sweep", "w=33:38:2", "--quantity", "z +"), "quantity"),
        ("an unknown parameter", ("--sweep", "v=33:38:2", "--quantity", "z"), "'v'"),
        ("a sweep without numbers", ("--sweep", "w=33", "--quantity", "z"), "NAME=A:B:N"),
        ("a sweep without quantity", ("--sweep", "w=33:38:2"), "--quantity"),
        ("an unknown section", ("--sweep", "w=33:38:2", "--section", "never", "--quantity", "z"), "--section"),
        ("a section that needs more", ("--sweep", "w=33:38:2", "--section", "zeros", "--quantity", "z"), "zeros:"),
        ("levels that are not numbers", ("--levels", "a:b"), "--levels"),
        ("too few levels", ("--levels", "5:6"), "three levels"),
    ]
    for name, arguments, word in cases:
        done = thud("study", TABLE, *arguments, cwd=here)
        report(f"bad input: {name}", done.returncode == 2 and word in done.stderr, done)


@needs_terminal("Ctrl-C ends a study")
def test_interruption(here):
    code, out, shown = interrupted(here, "study", TABLE, "--levels", "18:24", until=lambda shown: "%" in shown)
    report("Ctrl-C ends a study", code == 130 and "interrupted" in out + shown, (code, out, shown))


with folder() as place:
    test_refinement(place)
    test_until(place)
    test_parity(place)
    test_sweep(place)
    test_bad_input(place)
    test_interruption(place)
end()
