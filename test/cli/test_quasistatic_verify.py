"""thud verify of quasi-static motions: all examples by all methods, branches, thinned records, wrong physics, numbers that
were changed, and supplied histories: both solutions of the problem that has two with any friction, however small."""
import collections
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys

import test_tamper
from thudcli import ROOT, end, folder, report, some, thud, thud_json

EXAMPLES = sorted((ROOT / "examples" / "quasistatic").glob("*.yaml"))
METHODS = ("increments", "event-driven", "static", "fixed-point")
SCENES = {"beside": """thud: 1
# Jumps of the load beside nodes: another rounding of the same time.
quasistatic:
  unknowns: [n, x]
  stiffness: [[1, 0.5], [0.5, 1]]
  load: {n: 2, x: "0.3*floor(t/0.3) + step(t - 0.6000000000000001)"}
  contacts: [{name: foot, normal: -n, tangential: x, mu: 0.5}]
simulate: {method: increments, end: 3, steps: 30}
""",

    # A pulse that is shorter than the slack of nodes.
    "pulse": """thud: 1
quasistatic:
  unknowns: [n, x]
  stiffness: [[1, 0.5], [0.5, 1]]
  load: {n: 2, x: 1.5*(step(t - 0.5) - step(t - 0.5000000001)) + 0.1*t}
  contacts: [{name: foot, normal: -n, tangential: x, mu: 0.5}]
simulate: {method: increments, end: 1, steps: 4}
""",

    # Three contacts that open, close, stick and slip; the load jumps twice at t = 0.35 (value and limit) and once at 1.
    "blocks": """thud: 1
data:
  f: {breaks: [0.35, 1], pieces: [0.5*t, 1 - t, 2*t - 3]}
  g: {breaks: [0.35], pieces: [1, 1.6], at_breaks: [1.3]}
quasistatic:
  unknowns: [n1, t1, n2, t2, n3, t3]
  stiffness: [[4, 1, -1, 0.5, 0, 0], [1, 3, -0.5, -1, 0, 0], [-1, -0.5, 4, 0, -1, 0.5], [0.5, -1, 0, 3, -0.5, -1],
              [0, 0, -1, -0.5, 4, -1], [0, 0, 0.5, -1, -1, 3]]
  load: {n1: g + 1.8*sin(3*t), t1: sin(2*t) + f, n2: 1 + 1.5*sin(2.5*t + 1), t2: cos(t), n3: 0.5 + 0.8*cos(t), t3: 1.5*sin(t)}
  contacts:
    - {name: a, normal: -n1, tangential: t1, mu: 0.4}
    - {normal: {n2: -1}, tangential: {t2: 1}, mu: 0.6}
    - {name: c, normal: -n3, tangential: t3, mu: 1, gap: 0.1}
simulate: {method: increments, end: 2, steps: 40}
""",
    "space": """thud: 1
quasistatic:
  unknowns: [n, x, y, m, v, w]
  stiffness: [[4, 1, 0, -1, 0, 0], [1, 3, 0, 0, -1, 0], [0, 0, 3, 0, 0, -1], [-1, 0, 0, 4, 1, 0], [0, -1, 0, 1, 3, 0],
              [0, 0, -1, 0, 0, 3]]
  load: {n: 1 + t, x: 2*sin(3*t), y: cos(5*t), m: 2 - t, v: sin(2*t), w: t}
  contacts:
    - {name: foot, normal: -n, tangential: [x, y], mu: 0.25}
    - {name: hand, normal: -m, tangential: [v, w], mu: 0.4}
simulate: {method: increments, end: 3, steps: 30}
""",
    "line": """thud: 1
quasistatic:
  stiffness:
    matrix_market: |
      %%MatrixMarket matrix coordinate real symmetric
      % the lower half
      2 2 3
      1 1 2
      2 1 -1
      2 2 2
  load: {u1: 2*sin(3*t), u2: t}
  contacts: [{name: foot, normal: -u1, gap: 0.1}, {name: hand, normal: -u2, gap: 0.3}]
simulate: {method: increments, end: 3, steps: 30}
""",
    "bounds": """thud: 1
quasistatic:
  unknowns: [n, x]
  stiffness: [[2, 1], [1, 1]]
  load: {n: 1 + 0.5*sin(t), x: 2*sin(2*t)}
  contacts: [{name: foot, normal: -n, tangential: x, threshold: 0.5 + 0.1*t}]
simulate: {method: threshold, end: 6, steps: 40}
""",
    # Three rate solutions, and none: forks and jumps among which one may choose.
    "forks": """thud: 1
parameters: {mu: 1.6}
quasistatic:
  unknowns: [n1, t1, n2, t2]
  stiffness: [[3, 1, -1, 0], [1, 2, 0, -0.5], [-1, 0, 3, -1], [0, -0.5, -1, 2]]
  load: {n1: 1, t1: mu + t, n2: 1, t2: -mu - t}
  contacts: [{name: a, normal: -n1, tangential: t1, mu: mu}, {name: b, normal: -n2, tangential: t2, mu: mu}]
initial: {n1: 0, t1: 0, n2: 0, t2: 0}
simulate: {method: event-driven, end: 1, steps: 20, on_jump: branches}
"""}


def is_good(here, record):
    done = thud("verify", record, cwd=here)
    return done.returncode == 0, done.stdout + done.stderr


def copy_matrices(here):
    """Files of stiffness matrices, beside the scenes."""
    for path in EXAMPLES[0].parent.glob("*.mtx"):
        shutil.copy(path, here)


def methods_of(here, name, text):
    """The methods that take a scene."""
    copy_matrices(here)
    if "threshold:" in text:
        return ("threshold",)
    return tuple(m for m in METHODS if not (m == "event-driven" and (name == "space" or "tangential: [" in text)))


def check_runs(here):
    """Every scene by every method, whole and thinned. Methods that a scene refuses (exit code 2) have no record; runs that end
    badly (1) are not good for the verifier either."""
    copy_matrices(here)
    scenes = [(path.stem, path.read_text()) for path in EXAMPLES] + list(SCENES.items())
    ends = collections.Counter()
    tried = some(((name, text, method, thinning) for name, text in scenes for method in (*METHODS, "threshold")
                  for thinning in ("", "record: {every: 0.07}\n")), 7)
    for name, text, method, thinning in tried:
        pathlib.Path(here, "scene.yaml").write_text(text + thinning)
        done = thud("run", "scene.yaml", "--set", f"simulate.method={method}", "--set",
                    "simulate.on_jump=dissipative", "-f", "-o", "run.h5", cwd=here)
        ends[done.returncode] += 1
        if done.returncode == 2:
            continue
        good, said = is_good(here, "run.h5")
        report(f"{name} by {method}{' thinned' if thinning else ''} is {'verified' if done.returncode == 0 else 'bad'}",
               good == (done.returncode == 0) and done.returncode in (0, 1), done.stdout + done.stderr + said)
    report("most scenes take most methods", ends[0] >= len(tried) / 2 and ends[1] <= 6, ends)


def check_ratchets(here):
    """A definite K, however soft, lets nothing advance for ever: ratchetting needs a semidefinite one."""
    scene = next(path for path in EXAMPLES if path.stem == "ratchet")
    for k0 in ("0", "1e-12", "1e-9", "1e-8", "0.01"):
        result = thud_json("run", scene, "--set", f"k0={k0}", "-f", "-o", "ratchet.h5", cwd=here)
        expected = "ratchetting" if result["held_by_contacts"] else "transient"
        report(f"k0 = {k0}: {expected}", result["cycle"] == expected and result["held_by_contacts"] == (k0 == "0"), result)
        report(f"k0 = {k0} is verified", *is_good(here, "ratchet.h5"))


def check_branches(here):
    three_ways = next(path.read_text() for path in EXAMPLES if path.stem == "three-ways")
    for name, text, mu, count in (("three-ways", three_ways, 2, 3), ("forks", SCENES["forks"], 1.6, 3),
                                  ("jumps", SCENES["forks"], 2.6, 5)):
        pathlib.Path(here, f"{name}.yaml").write_text(text)
        thud("run", f"{name}.yaml", "--set", f"mu={mu}", "--branch", "8", "-q", cwd=here)
        records = sorted(path.name for path in pathlib.Path(here).glob(f"{name}*.h5"))
        report(f"{name} has {count} branches", len(records) == count, records)
        for record in records:
            report(f"{record} is verified", *is_good(here, record))


# ---- wrong physics: one number of the resolved scene in a record is changed by 1 % --------------------------------------

NUMBER = re.compile(r"(?<![A-Za-z0-9_.])\d+\.?\d*(?:[eE][+-]?\d+)?(?![A-Za-z_0-9.])")
SECTIONS = (("stiffness", '"stiffness"', '"load"'), ("load", '"load"', '"contacts"'), ("mu", '"mu"', ','),
            ("gap", '"gap": 0.1', '}'))


def numbers_of(text, first, last):
    """Places among all numbers of the text of those between the words, not 0."""
    begin = text.index(first)
    finish = text.index(last, begin + len(first))
    return [k for k, found in enumerate(NUMBER.finditer(text))
            if begin < found.start() < finish and float(found.group()) != 0]


def failed_checks(here, record, path, index, part):
    subprocess.run([test_tamper.TAMPER, record, "wrong.h5", path, str(index), str(part)], cwd=here, check=True)
    result = json.loads(thud("verify", "--json", "wrong.h5", cwd=here).stdout)
    return {check["name"] for check in result["checks"] if check["status"] == "failed"}


def check_wrong_physics(here):
    pathlib.Path(here, "scene.yaml").write_text(SCENES["blocks"])
    for method in METHODS:
        sets = ("--set", f"simulate.method={method}")
        thud("run", "scene.yaml", *sets, "-f", "-o", "run.h5", cwd=here)
        text = thud("check", "--resolved", "scene.yaml", *sets, cwd=here).stdout
        for what, first, last in SECTIONS:
            missed = [k for k in numbers_of(text, first, last)
                      if not failed_checks(here, "run.h5", "/resolved", k, 0.01) - {"resolved"}]
            count = len(numbers_of(text, first, last))
            report(f"{method}: {count} numbers of {what} wrong by 1 % are found", count > 0 and not missed, missed)


# A pulse below 0 is none; with a hundredth of 6.5 or 7.25 the load turns at t = 0.55, between two nodes at which it is 0.
SKIPPED = """thud: 1
data: {{pulse: {{breaks: [0.5], pieces: [0, "max(0, 5*(1 - abs(t - 0.55)/0.01) - 7.25)"], at_breaks: right}}}}
quasistatic:
  unknowns: [n, x]
  stiffness: [[2, 0], [0, 2]]
  load: {{n: 1, x: "{load}"}}
  contacts: [{{name: foot, normal: -n, tangential: x, mu: 0.5}}]
simulate: {{method: {method}, end: 1, steps: 4}}
"""


def check_skipped_turn(here):
    """A record that has every frame but that of the time at which a load turns is none of the whole run."""
    for load, number in (("max(0, 5*(1 - abs(t - 0.55)/0.01) - 6.5)", "6.5"), ("2*pulse", "7.25")):
        for method in ("increments", "event-driven"):
            pathlib.Path(here, "skipped.yaml").write_text(SKIPPED.format(load=load, method=method))
            thud_json("run", "skipped.yaml", "-f", "-o", "skipped.h5", cwd=here)
            text = thud("check", "--resolved", "skipped.yaml", cwd=here).stdout
            place = [found.group() for found in NUMBER.finditer(text)].index(number)
            failed = failed_checks(here, "skipped.h5", "/resolved", place, -0.99)
            report(f"{method}: a turn of '{load}' that has no frame is found", "structure" in failed, failed)


# ---- numbers of records ---------------------------------------------------------------------------------------------------


def check_tampering(here, changes, seed):
    """Counts per dataset when run by hand: test_quasistatic_verify.py CHANGES [SEED], as test_tamper.py."""
    table = test_tamper.Table()
    scenes = [(path.stem, path.read_text()) for path in EXAMPLES] + list(SCENES.items())
    for name, text in scenes:
        for method in methods_of(here, name, text):
            pathlib.Path(here, "scene.yaml").write_text(text)
            record = os.path.join(here, "tamper.h5")
            thud("run", "scene.yaml", "--set", f"simulate.method={method}", "--set", "simulate.on_jump=dissipative", "-f",
                 "-o", record, cwd=here)
            results = test_tamper.tamper_with(record, changes, f"{seed} {name} {method}")
            unseen, unfound = test_tamper.missed(results)
            table.add(results)
            report(f"{name} by {method}: {len(results)} changed numbers are found", not unfound, "\n".join(unfound))
            report(f"{name} by {method}: those of the motion by its checks", not unseen, "\n".join(unseen))
    table.show()


# ---- supplied histories ---------------------------------------------------------------------------------------------------


def write_table(path, names, rows):
    """Rows (t, side, values)."""
    path.write_text(",".join(("t", "side", *names)) + "\n" +
                    "".join(",".join((repr(t), side, *map(repr, map(float, values)))) + "\n" for t, side, values in rows))


def check_three_ways(here):
    """Sticking, slipping, lifting off, slipping until some time and then sticking: all are solutions; others are not."""
    scene = next(path for path in EXAMPLES if path.stem == "three-ways")
    table, names = pathlib.Path(here, "ways.csv"), ("n", "x", "foot.n", "foot.t")
    times = [k / 10 for k in range(11)]
    ways = {
        "stick": lambda t: (0, 0, t, -1.5 * t),
        "slip": lambda t: (0, t / 2, t / 2, -t),
        "lift off": lambda t: (-t / 2, 2 * t, 0, 0),
        "slip, then stick": lambda t: (0, min(t, 0.4) / 2, t - min(t, 0.4) / 2, min(t, 0.4) / 2 - 1.5 * t)}
    for name, way in ways.items():
        write_table(table, names, [(t, "", way(t)) for t in times])
        result = thud_json("verify", scene, "--trajectory", table, cwd=here)
        report(f"{name} is a solution", result["verdict"] == "good", result)
        result = json.loads(thud("verify", "--json", scene, "--trajectory", table, "--set", "mu=2.02", cwd=here).stdout)
        slips = name.startswith("slip")
        report(f"{name} with mu wrong by 1 %: {'found' if slips else 'still one'}",
               result["verdict"] == ("failed" if slips else "good"), result)
    wrong = {
        "equilibrium": lambda t: (0, t / 2, t / 2, -1.001 * t),
        "friction": lambda t: (0, t / 4, 0.75 * t, -1.25 * t),      # slips inside the cone
        "law": lambda t: (t / 10, 0, 1.2 * t, -1.4 * t),            # penetrates
        "initial": lambda t: (0, 0.1, t - 0.1, 0.1 - 1.5 * t)}
    for check, way in wrong.items():
        write_table(table, names, [(t, "", way(t)) for t in times])
        result = json.loads(thud("verify", "--json", scene, "--trajectory", table, cwd=here).stdout)
        failed = {entry["name"] for entry in result["checks"] if entry["status"] == "failed"}
        report(f"a history against the {check} fails", result["verdict"] == "failed" and (check in failed or check == "initial"),
               result)


def check_creep(here):
    """Slip inside the cone in steps of 1e-8 of the displacements, each of which rounding might have left: they add up. Decimal
    numbers that are rounded do not. Histories that end before the scene are none."""
    scene = next(path for path in EXAMPLES if path.stem == "three-ways")
    table, names = pathlib.Path(here, "creep.csv"), ("n", "x", "foot.n", "foot.t")
    for name, creep, digits, last, verdict in (("nothing", 0, 17, 1000, "good"), ("rounded numbers", 0, 8, 1000, "good"),
                                               ("1e-8 a row", 1e-8, 17, 1000, "failed"), ("3e-10 a row", 3e-10, 17, 1000, "failed"),
                                               ("a history that ends early", 0, 17, 900, "failed")):
        rows = []
        for k in range(last + 1):
            t, x = k / 1000, creep * k + (3e-9 * (-1) ** k if digits < 10 and k > 0 else 0)
            rows.append((t, "", (0, x, t - x, x - 1.5 * t)))
        write_table(table, names, rows)
        result = json.loads(thud("verify", "--json", scene, "--trajectory", table, cwd=here).stdout)
        why = "creeps" if creep > 0 else "the trajectory ends at t = 0.9, the scene at 1" if last < 1000 else ""
        report(f"{name}: {verdict}", result["verdict"] == verdict and why in result["reason"], result)


# Unknowns in units that are far apart: (n, x, y) with x in units of 1/d.
UNITS = """thud: 1
quasistatic:
  unknowns: [n, x, y]
  stiffness: [[2, {d}, 0.5], [{d}, {dd}, {e}], [0.5, {e}, 1]]
  load: {{n: 1 + 0.3*sin(t), x: {f}*sin(2*t), y: 0.3*cos(t)}}
  contacts: [{{name: foot, normal: -n, tangential: {{x: {d}}}, mu: 0.4}}]
simulate: {{method: {method}, end: 6, steps: 60}}
"""


def check_units(here):
    """Sound records are verified in all units, and what is wrong is found in all of them."""
    for method in ("increments", "event-driven"):
        for power in (0, 4, 8, 12, -8):
            d = 10.0 ** -power
            pathlib.Path(here, "units.yaml").write_text(
                UNITS.format(d=repr(d), dd=repr(1.5 * d * d), e=repr(0.2 * d), f=repr(2 * d), method=method))
            thud_json("run", "units.yaml", "-f", "-o", "units.h5", cwd=here)
            report(f"x in units of 1e{power} by {method} is verified", *is_good(here, "units.h5"))
            states = 3 * thud_json("run", "units.yaml", "-f", "-o", "units.h5", cwd=here)["frames"]
            missed = [index for index in range(states // 2, states // 2 + 6)
                      if not failed_checks(here, "units.h5", "/frames/data/U", index, 1e-5)]
            report(f"x in units of 1e{power} by {method}: displacements wrong by 1e-5 are found", not missed, missed)


def check_jump(here):
    """Sticks until t = 3 and must then jump; without the jump, or with one too early, it is none."""
    scene = next(path for path in EXAMPLES if path.stem == "no-rate")
    table, names = pathlib.Path(here, "jump.csv"), ("n", "x", "foot.n", "foot.t")

    def stuck(t):
        return 0, 0, min(t, 1), -max(0, t - 1)

    def free(t):
        return 2 - t, 2 * t - 3, 0, 0

    def rows(jump):
        return ([(t, "", stuck(t)) for t in (0.0, 1.0, 2.0) if t < jump] + [(jump, "-", stuck(jump)), (jump, "+", free(jump))] +
                [(t, "", free(t)) for t in (3.5, 4.0)])
    write_table(table, names, rows(3.0))
    result = thud_json("verify", scene, "--trajectory", table, cwd=here)
    report("the jump at t = 3 is a solution", result["verdict"] == "good", result)
    plain = pathlib.Path(here, "plain.yaml")
    plain.write_text(scene.read_text().replace("method: event-driven, ", ""))
    result = thud_json("verify", plain, "--trajectory", table, cwd=here)
    report("no method is asked for", result["verdict"] == "good" and "method" not in plain.read_text(), result)
    write_table(table, names, [(t, "", stuck(t)) for t in (0.0, 1.0, 3.0, 4.0)])
    result = json.loads(thud("verify", "--json", scene, "--trajectory", table, cwd=here).stdout)
    report("sticking beyond the cone is none", result["reason"].startswith("law"), result)


def check_two_solutions(here, e=0.8, mu=1.0, cycles=61):
    """Two solutions from the same state although mu e < 1 may be as small as one likes (Ballard 1999)."""
    ep = mu * e
    sg, c, h = math.sqrt(1 - ep * ep), ep / (1 - ep * ep), 0.5 * math.sqrt((4 - ep * ep) / (1 - ep * ep))
    beta = 1 + (1 - sg) / math.sqrt(4 - ep * ep)
    g = (1 - sg) / (beta * sg)
    directions = ((0, 1), (0, g), (-c / 2, -1 - h), ((1 - beta) * c / beta, -g), (c / 2, h))
    moves = ((0, 0), (0, 1), (0, 1), (-c / 2, -h), (-c / 2, -h), (0, 0))
    sticks = ((-c / beta, 0), (-c / beta, 1), (-c / beta, 1 + g), (-(0.5 + 1 / beta) * c, -h + g), (-1.5 * c, -h), (-c, 0))
    nodes = []  # t, S, F_T, R_T of the two solutions
    for m in reversed(range(cycles)):
        top, low = beta ** -m, beta ** (-m - 1)
        t1, S = low * (beta + 1) / 2, top
        load, step = [c * low, 0.0], (top - t1) / 5
        if not nodes:
            nodes.append((low, low, tuple(load), (0.0, 0.0), (-c * low, 0.0)))
        for k in range(6):
            nodes.append((top if k == 5 else t1 + k * step, S, tuple(load), *((S * way[k][0], S * way[k][1]) for way in (moves, sticks))))
            if k < 5:
                load = [load[j] - 5 * S / (top - t1) * step * directions[k][j] for j in range(2)]
    report("the load comes to c at t = 1", abs(load[0] - c) < 1e-9 and abs(load[1]) < 1e-9, load)
    nodes.insert(0, (0.0, 0.0, (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)))
    scene = two_solutions_scene(e, mu, nodes)
    pathlib.Path(here, "two.yaml").write_text(scene)
    names = ("n", "x", "y", "foot.n", "foot.t1", "foot.t2")
    for name, place, last in (("a slips twice per cycle", 3, c), ("b sticks for ever", 4, 0)):
        rows = [(node[0], "", history(e, mu, node, node[place])) for node in nodes]
        write_table(pathlib.Path(here, "two.csv"), names, rows)
        result = thud_json("verify", "two.yaml", "--trajectory", "two.csv", cwd=here)
        report(f"{name}: U_T1(1) = {rows[-1][2][1]:.6g}, a solution",
               result["verdict"] == "good" and abs(rows[-1][2][1] - last) < 1e-9, result)
        rows = [(node[0], "", history(e, mu, node, [1.01 * value for value in node[place]])) for node in nodes]
        write_table(pathlib.Path(here, "two.csv"), names, rows)
        result = json.loads(thud("verify", "--json", "two.yaml", "--trajectory", "two.csv", cwd=here).stdout)
        report(f"{name}: with friction 1 % larger, none", result["verdict"] == "failed", result)


def history(e, mu, node, friction):
    """U and reactions (pressing > 0) from U_T = F_T + R_T, R_N = -S/mu + e R_T1."""
    _, S, load, *_ = node
    return 0, load[0] + friction[0], load[1] + friction[1], S / mu - e * friction[0], *friction


def two_solutions_scene(e, mu, nodes):
    def pieces(value):
        parts = []
        for before, after in zip(nodes, nodes[1:]):
            slope = (value(after) - value(before)) / (after[0] - before[0])
            parts.append(f"{value(before)!r} + ({slope!r})*(t - {before[0]!r})")
        return f"{{breaks: {[node[0] for node in nodes[1:-1]]}, pieces: {parts}}}"
    return f"""thud: 1
data:
  normal: {pieces(lambda node: node[1] / mu + e * node[2][0])}
  first: {pieces(lambda node: node[2][0])}
  second: {pieces(lambda node: node[2][1])}
quasistatic:
  unknowns: [n, x, y]
  stiffness: [[1, {e}, 0], [{e}, 1, 0], [0, 0, 1]]
  load: {{n: normal, x: first, y: second}}
  contacts: [{{name: foot, normal: -n, tangential: [x, y], mu: {mu}}}]
simulate: {{method: increments, end: 1, steps: 100}}
"""


if __name__ == "__main__":
    with folder() as here:
        if len(sys.argv) > 1:
            check_tampering(here, int(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "1")
        else:
            check_runs(here)
            check_branches(here)
            check_ratchets(here)
            check_wrong_physics(here)
            check_skipped_turn(here)
            check_three_ways(here)
            check_jump(here)
            check_creep(here)
            check_units(here)
            check_two_solutions(here)
    end()
