"""thud study of quasi-static scenes: refinement, the event-driven motion, and the dynamics whose limit they are."""
import csv
import math
import pathlib

from thudcli import ROOT, close, end, folder, interrupted, needs_terminal, report, thud, thud_json

SCENES = ROOT / "examples" / "quasistatic"
TWO = """thud: 1
quasistatic:
  unknowns: [n1, x1, n2, x2]
  stiffness: [[3, 1, -1, 0], [1, 2, 0, -0.5], [-1, 0, 3, -1], [0, -0.5, -1, 2]]
  load: {n1: 2, x1: "2*sin(3*t)", n2: 2 + cos(2*t), x2: "1.5*sin(4*t) + 0.3*t"}
  mass: [1, 2, 1, 2]
  rate: 0.1
  contacts:
    - {name: a, normal: -n1, tangential: x1, mu: 0.5}
    - {name: b, normal: -n2, tangential: x2, mu: 0.4}
simulate: {method: increments, end: 4, steps: 100}
"""
SPACE = """thud: 1
quasistatic:
  unknowns: [n, x, y]
  stiffness: [[1, 0.3, 0.1], [0.3, 1, 0], [0.1, 0, 2]]
  load: {n: 2, x: 0.75*(1 - cos(pi*t)), y: sin(2*t)}
  mass: 1
  rate: 0.1
  contacts:
    - {name: foot, normal: -n, tangential: [x, y], mu: 0.5}
simulate: {method: increments, end: 2, steps: 256}
"""


def write(here, name, text):
    path = pathlib.Path(here) / name
    path.write_text(text, encoding="utf-8")
    return path


def test_refinement(here):
    cycle = thud_json("study", SCENES / "cycle.yaml", "--set", "simulate.method=increments", "--levels", "6:12",
                      "-o", "levels.csv", "--plot", "levels.svg", cwd=here)
    report("cycle: good", cycle["verdict"] == "good" and cycle["method"] == "increments", cycle)
    # the peaks of 1.5 sin are nodes, and between them the load is monotone: nothing depends on the step
    report("cycle: exact in U with any step, and in r",
           all(row["q_next"] == 0 and row["v_next"] == 0 for row in cycle["table"][:-1]), cycle["table"])
    rows = list(csv.DictReader((pathlib.Path(here) / "levels.csv").open()))
    report("cycle: one row per level", [int(row["steps"]) for row in rows] == [2**n for n in range(6, 13)], rows)
    report("cycle: a picture is drawn", (pathlib.Path(here) / "levels.svg").stat().st_size > 1000)
    space = thud_json("study", write(here, "space.yaml", SPACE), "--levels", "5:10", cwd=here)
    close("space: turning slip has order 1 in U", space["q_order"], 1, 0.1)
    close("space: and in r", space["v_order"], 1, 0.1)
    text = thud("study", SCENES / "no-rate.yaml", "--set", "simulate.method=increments", "--levels", "6:9", cwd=here).stdout
    report("a jump: the nodes next to it are left out, which is said",
           "first at t = 3" in text and "3 nodes next to jumps are left out" in text and "verdict: good" in text, text)
    jump = thud_json("study", SCENES / "no-rate.yaml", "--levels", "6:9", cwd=here)
    report("a jump: in JSON", jump["left_out"] == 3 and abs(jump["first_jump"] - 3) < 1e-9, jump)
    early = thud_json("study", SCENES / "no-rate.yaml", "--set", "simulate.on_jump=stop", "--levels", "6:9", cwd=here, code=1)
    report("a run that ends early is flagged", early["flags"] == ["run-failed"] and "ended at t = 3" in early["reason"], early)


def test_against(here):
    cycle = thud_json("study", SCENES / "cycle.yaml", "--against", "event-driven", "--levels", "6:11", cwd=here)
    method = cycle["methods"][0]
    report("cycle: increments are compared", method["method"] == "increments" and method["flags"] == [], method)
    report("cycle: increments are exact at the nodes", all(row["q_error"] == 0 and row["v_error"] == 0 for row in method["table"]),
           method["table"])
    close("cycle: what they lose in friction has order 1", method["energy_order"], 1, 0.1)
    # 11 legs between -0.4 and 2/3 after the first one from 0: the integral of mu (F_N - w x)
    leg = 0.5 * (2 * (2 / 3 + 0.4) - 0.25 * (4 / 9 - 0.16))
    close("cycle: what the reference loses in friction", cycle["reference"]["energy_loss"], 11 / 18 + 11 * leg, 1e-4)
    ratchet = thud_json("study", SCENES / "ratchet.yaml", "--against", "event-driven", "--levels", "6:11", cwd=here)
    rows = ratchet["methods"][0]["table"]
    report("ratchet: increments are exact at the nodes", all(row["q_error"] == 0 and row["v_error"] == 0 for row in rows), rows)
    close("ratchet: what they lose in friction has order 1", ratchet["methods"][0]["energy_order"], 1, 0.1)
    two = thud_json("study", write(here, "two.yaml", TWO), "--against", "event-driven", "--levels", "6:11", cwd=here)["methods"][0]
    report("two contacts: at least order 1", two["q_order"] > 0.9 and two["v_order"] > 0.9 and two["flags"] == [], two)
    close("two contacts: the friction loss has order 1", two["energy_order"], 1, 0.2)
    errors = [row["q_error"] for row in two["table"]]
    report("two contacts: errors end below 1e-5", errors[0] > 1e-3 and errors[-1] < 1e-5, errors)


def test_rates(here):
    slow = thud_json("study", SCENES / "slow-loading.yaml", "--rates", "0:7", "-o", "rates.csv", "--plot", "rates.svg", cwd=here)
    report("slow loading: good", slow["verdict"] == "good" and slow["first_jump"] is None, slow)
    close("slow loading: order 1 in the rate", slow["order"], 1, 0.05)
    # slip begins at F_x = 1 with F_x' = 0.75 pi sin(pi t), cos(pi t) = -1/3; then x oscillates about its limit with
    # the stiffness k = k_T - mu w = 3/4 and the amplitude (F_x'/k) rate/sqrt(k)
    amplitude = 0.75 * math.pi * math.sqrt(8) / 3 / 0.75**1.5
    last = slow["table"][-1]
    close("slow loading: the distance is the amplitude of the oscillation", last["distance"] / last["rate"], amplitude,
          0.01 * amplitude)
    rows = list(csv.DictReader((pathlib.Path(here) / "rates.csv").open()))
    report("slow loading: rates halve", [float(row["rate"]) for row in rows] == [0.125 / 2**k for k in range(8)], rows)
    report("slow loading: a picture is drawn", (pathlib.Path(here) / "rates.svg").stat().st_size > 1000)
    for name, text in (("two contacts", TWO), ("space", SPACE)):
        result = thud_json("study", write(here, "scene.yaml", text), "--rates", "2:6", cwd=here)
        close(f"{name}: order 1 in the rate", result["order"], 1, 0.2)
    fast = thud_json("study", SCENES / "slow-loading.yaml", "--set", "quasistatic.rate=1000", "--rates", "0:2", cwd=here, code=1)
    report("rates that are too fast: no convergence is flagged", fast["flags"] == ["order"], fast)


def test_jumps(here):
    text = (SCENES / "no-rate.yaml").read_text(encoding="utf-8").replace("  contacts:", "  mass: 1\n  contacts:")
    scene = write(here, "jump.yaml", text)
    result = thud_json("study", scene, "--rates", "4:9", cwd=here)
    report("a jump: no failure", result["verdict"] == "good" and result["flags"] == [], result)
    close("a jump: when", result["first_jump"], 3, 1e-9)
    report("a jump: dynamics sticks before it", all(row["distance"] == 0 for row in result["table"]), result)
    # it leaves U = 0 only then, and oscillates about the equilibrium U = (-1, 3)
    close("a jump: dynamics begins it at the old state", result["table"][-1]["distance_after_jump"], math.sqrt(10), 0.05)
    shown = thud("study", scene, "--rates", "4:6", cwd=here).stdout
    report("a jump: that nothing converges after it is said", "undamped dynamics does not converge" in shown, shown)


def test_bad_input(here):
    cases = [
        ("no mass", SCENES / "cycle.yaml", ("--rates", "0:4"), "need 'mass'"),
        ("a system", ROOT / "examples" / "bouncing-ball.yaml", ("--rates", "0:4"), "'quasistatic' scenes"),
        ("rates beside levels", SCENES / "slow-loading.yaml", ("--rates", "0:4", "--levels", "6:9"), "--levels"),
        ("too few rates", SCENES / "slow-loading.yaml", ("--rates", "3:4"), "three rates"),
        ("rates that are not numbers", SCENES / "slow-loading.yaml", ("--rates", "fast"), "--rates"),
        ("a negative mass", SCENES / "slow-loading.yaml", ("--rates", "0:4", "--set", "quasistatic.mass=-1"), "mass"),
        ("too many masses", SCENES / "slow-loading.yaml", ("--rates", "0:4", "--set", "quasistatic.mass=[1,2,3]"), "mass"),
        ("a rate of 0", SCENES / "slow-loading.yaml", ("--rates", "0:4", "--set", "quasistatic.rate=0"), "rate"),
        ("no history", SCENES / "slow-loading.yaml", ("--rates", "0:4", "--set", "simulate.method=static"), "static"),
        ("a method of time stepping", SCENES / "cycle.yaml", ("--against", "event-driven", "--method", "moreau"), "time stepping"),
        ("impacts", SCENES / "cycle.yaml", ("--against", "event-driven", "--impacts", "i.csv"), "--impacts"),
        ("space", here / "space.yaml", ("--against", "event-driven"), "space"),
        ("a sweep with a section", SCENES / "three-ways.yaml", ("--sweep", "mu=1:2:3", "--section", "end"), "does not go with --section"),
    ]
    for name, scene, arguments, word in cases:
        done = thud("study", scene, *arguments, cwd=here)
        report(f"bad input: {name}", done.returncode == 2 and word in done.stderr, done)


def test_sweep(here):
    """Klarbring's system: one way on up to k_T/|w| = 1.5, three above; jumps that stop a run are failures of their values."""
    swept = thud_json("study", SCENES / "three-ways.yaml", "--sweep", "mu=0.2:3:8", "-o", "sweep.csv", "--plot", "sweep.svg", cwd=here)
    found = [(row["value"], row["most_solutions"]) for row in swept["table"]]
    report("sweep: one solution up to 1.5, three above", swept["failed"] == 0 and len(found) == 8 and
           all(count == (3 if mu > 1.5 else 1) for mu, count in found), found)
    with open(here / "sweep.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    report("sweep: the same as CSV", [(float(row["mu"]), int(row["solutions"])) for row in rows] == found, rows)
    for row in swept["table"][::3]:
        one = thud_json("run", SCENES / "three-ways.yaml", "--set", f"mu={row['value']!r}", "-f", "-o", "one.h5", cwd=here)
        report(f"sweep: mu = {row['value']} as a run", one["most_solutions"] == row["most_solutions"] and
               one["ledger"]["friction"] == row["friction"], (one, row))
    done = thud("study", SCENES / "no-rate.yaml", "--sweep", "simulate.on_jump=1:1:1", cwd=here)
    report("sweep: a value that is none", done.returncode == 2, done)
    done = thud("study", SCENES / "no-rate.yaml", "--sweep", "simulate.end=2:4:3", "--set", "simulate.on_jump=stop", cwd=here)
    report("sweep: runs that must jump fail", done.returncode == 1 and "1 run failed; first: simulate.end = 4" in done.stdout, done)


@needs_terminal("Ctrl-C ends a study")
def test_interruption(here):
    for flag, value in (("--levels", "14:22"), ("--rates", "0:16")):
        code, out, shown = interrupted(here, "study", SCENES / "slow-loading.yaml", flag, value, until=lambda shown: "%" in shown)
        report(f"Ctrl-C ends {flag}", code == 130 and "interrupted" in out + shown, (code, out, shown))


with folder() as place:
    place = pathlib.Path(place)
    test_refinement(place)
    test_against(place)
    test_rates(place)
    test_jumps(place)
    test_bad_input(place)
    test_sweep(place)
    test_interruption(place)
end()
