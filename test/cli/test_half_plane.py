"""Punches on an elastic half-plane: the shipped scenes against closed forms, orders of convergence, refusals, resumed
runs, pictures; thud verify accepts random scenes and finds changed numbers."""
import math
import os
import pathlib
import random
import re
import sys

import test_tamper
from thudcli import ROOT, close, end, folder, refused, report, some, stopped_early, thud, thud_json

EXAMPLES = ROOT / "examples" / "elastic"
GAMMA = 2 / 7  # nu = 0.3
SCENE = """thud: 1
half_plane:
  material: {material}
  mesh: {mesh}
  profile: {profile}
  friction: {friction}
  load: {load}
simulate: {{method: {method}, end: 1, steps: 4}}
"""
PLAIN = {"material": "{modulus: 2, coupling: 0.2}", "mesh": "{elements: 20, left: -1, right: 1}", "profile": "{}",
         "friction": "0.3", "load": "{P: 1}", "method": "incremental"}


def run(name, *sets):
    more = [part for text in sets for part in ("--set", text)]
    return thud_json("run", EXAMPLES / f"{name}.yaml", "--no-record", *more, cwd=here)


def rows(name, *sets):
    """Header and rows of the record as numbers; modes are words."""
    more = [part for text in sets for part in ("--set", text)]
    thud("run", EXAMPLES / f"{name}.yaml", "-o", "rows.h5", "-f", "-q", *more, cwd=here)
    lines = thud("export", "rows.h5", "--rows", "-o", "-", cwd=here).stdout.splitlines()
    return lines[0].split(","), [line.split(",") for line in lines[1:]]


def field(head, row, letter):
    """[(x, value)]"""
    return [(float(name[len(letter) + 1:-1]), float(value)) for name, value in zip(head, row)
            if name.startswith(letter + "(")]


def worst(values, exact, skipped):
    """Largest relative error without the elements at both ends."""
    return max(abs(value / exact(x) - 1) for x, value in values[skipped:len(values) - skipped])


def check_flat_punches():
    head, table = rows("punch-frictionless")
    close("P1 depth", run("punch-frictionless")["state"]["depth"], math.log(2) / math.pi, 1e-5)
    error = worst(field(head, table[-1], "p"), lambda x: 1 / (math.pi * math.sqrt(1 - x * x)), 14)
    close("P1 pressure to three digits but for 0.006 at each end", error, 0, 1e-3)
    slopes = [v for x, v in field(head, table[-1], "v") if abs(x) < 0.5]
    places = [x for x, v in field(head, table[-1], "v") if abs(x) < 0.5]
    turned = max(abs(v - slopes[0] + GAMMA / math.pi * (math.asin(x) - math.asin(places[0]))) for x, v in zip(places, slopes))
    close("P1 the surface moves by -(gamma/pi) asin x", turned, 0, 1e-4)

    al = math.atan(GAMMA * 0.5) / math.pi
    head, table = rows("punch-sliding")
    error = worst(field(head, table[-1], "p"), lambda x: math.cos(math.pi * al) / math.pi * (1 + x) ** (-0.5 - al) *
                  (1 - x) ** (-0.5 + al), 14)
    close("P2 pressure to three digits but for 0.006 at each end", error, 0, 1e-3)
    pairs = zip(field(head, table[-1], "p"), field(head, table[-1], "q"))
    close("P2 q = F p", max(abs(q - 0.5 * p) / p for (x, p), (y, q) in pairs), 0, 1e-14)

    kappa = math.log((1 + GAMMA) / (1 - GAMMA)) / (2 * math.pi)
    head, table = rows("punch-bonded")

    def bonded(x):
        turn = kappa * math.log((1 + x) / (1 - x))
        size = 1 / (math.pi * math.sqrt(1 - GAMMA ** 2) * math.sqrt(1 - x * x))
        return complex(1, 0.3) * size * complex(math.cos(turn), math.sin(turn))
    p, q = (dict(field(head, table[-1], letter)) for letter in "pq")
    inner = sorted(p)[14:-14]
    close("P3 p + iq to three digits but for 0.006 at each end", max(abs(complex(p[x], q[x]) / bonded(x) - 1) for x in inner), 0, 1e-3)

    errors = {}
    for n in (100, 200, 400):
        result = run("punch-coulomb", "half_plane.load.Q=0", "simulate.steps=1", f"half_plane.mesh.elements={n}")
        errors[n] = result["state"]["depth"] - 0.207181
        if n == 400:
            close("P4 stick half-width", result["stick_right"], 0.360386, 5e-4)
            close("P4 stick half-width, left", result["stick_left"], -0.360386, 5e-4)
            close("P4 depth", result["state"]["depth"], 0.207181, 5e-6)
    close("P4 order of the depth", math.log2(errors[100] / errors[200]), 2, 0.3)
    for nu, friction, c, depth in ((0.3, 0.5, 0.941018, 0.199110), (0, 0.3, 0.177347, 0.186399), (0, 0.5, 0.521908, 0.169995)):
        result = run("punch-coulomb", "half_plane.load.Q=0", "simulate.steps=1", f"half_plane.friction={friction}",
                     f"half_plane.material.coupling={(1 - 2 * nu) / (2 * (1 - nu))}")
        close(f"P4 nu = {nu}, F = {friction}: stick half-width", result["stick_right"], c, 1e-3)
        close(f"P4 nu = {nu}, F = {friction}: depth", result["state"]["depth"], depth, 1e-5)
    result = run("punch-coulomb")
    close("P4 with Q = 0.05, left", result["stick_left"], -0.66693, 5e-4)
    close("P4 with Q = 0.05, right", result["stick_right"], -0.05049, 5e-4)
    result = run("punch-order")
    close("P then Q: depth", result["state"]["depth"], 0.2020, 5e-5)
    report("P then Q: the stick zone reaches the left edge", result["stick_left"] == -1, result["stick_left"])
    together = run("punch-order", "simulate.method=static")
    close("both together: depth", together["state"]["depth"], 0.20155, 5e-5)
    report("and no stick at the left edge", together["stick_left"] > -0.999, together["stick_left"])
    # Proportional loading in steps is the static law: for every ratio the same stick zone.
    steps = run("punch-order", "half_plane.load.P=t/2", "half_plane.load.Q=0.1*t")
    close("P and Q grown together in steps", steps["state"]["depth"], together["state"]["depth"], 2e-5)


def check_cycles():
    n, l = 0.3, 2 / 3
    loss = 2 * n ** 2 / (math.pi * 2) * (2 * (1 - l) * math.log(1 - l) + 2 * l - l ** 2)
    errors = []
    for steps in (50, 100, 200):
        whole = run("punch-cycle", f"simulate.steps={steps}")
        first = run("punch-cycle", f"simulate.steps={steps // 5}", "simulate.end=0.25")
        errors.append((whole["dissipation"] - first["dissipation"]) / loss - 1)
    close("a cycle loses what Cattaneo and Mindlin say", errors[-1], 0, 5e-4)
    report("more steps, better", abs(errors[0]) > abs(errors[1]) > abs(errors[2]), errors)
    close("its balance has no defect on equal elements", whole["defect"], 0, 1e-14)
    close("stick half-width a sqrt(1 - l)", whole["stick_right"], math.sqrt(2 / math.pi / 3), 3e-4)
    close("contact half-width", whole["contact_right"], math.sqrt(2 / math.pi), 2e-4)


def check_edges():
    """Beside slip that has just begun the pressure follows no power: the edge is that of the elements, not one far off."""
    (here / "edges.yaml").write_text("""thud: 1
half_plane:
  material: {young: 1, poisson: 0.3}
  mesh: {elements: 200, left: -1, right: 1, grading: uniform}
  profile: {parabola: 0.5}
  friction: 0.4
  load: {P: 0.3, Q: 0.08*sin(2*pi*t)}
simulate: {end: 0.4, steps: 16}
""")
    result = thud_json("run", "edges.yaml", "-o", "edges.h5", cwd=here)
    line = thud("export", "edges.h5", "--rows", "--channels", "pressure", cwd=here).stdout.splitlines()[-1].split(",")
    last = max(i for i, value in enumerate(line) if float(value) > 0)
    edge = result["state"]["contact_right"]
    report("the contact ends within an element of where the pressure does", abs(edge - (-1 + 0.01 * (last + 1))) <= 0.01 + 1e-12,
           (edge, last))


def check_rolling():
    friction, P, R, l, E = 0.3, 50, 10, 0.75, 115384.61538461539
    a = math.sqrt(4 * P * R / (math.pi * E))
    creep = friction * a / R * (1 - math.sqrt(1 - l))
    errors = {}
    for n in (40, 80, 160, 320):
        result = run("punch-rolling", f"half_plane.mesh.elements={n}", f"simulate.steps={2 * n}")
        errors[n] = abs(-result["creep"] / creep - 1)
    close("Carter's creep with 320 elements", errors[320], 0, 3e-4)
    # The contact ends within elements of 40 and 160, and of 80 and 320, at the same place: two halvings each.
    for coarse, fine in ((40, 160), (80, 320)):
        close(f"order from {coarse} to {fine} elements", math.log2(errors[coarse] / errors[fine]) / 2, 1, 0.15)
    close("Carter's stick zone ends at a - 2c", result["stick_left"], 0, 1e-3 * a)
    left = run("punch-rolling", "simulate.roll=-1", "half_plane.load.Q=-l*F*P", "half_plane.mesh.elements=80", "simulate.steps=160")
    right = run("punch-rolling", "half_plane.mesh.elements=80", "simulate.steps=160")
    close("to the left it is the mirror image", left["creep"], right["creep"], 1e-12)


def check_moves():
    result = run("punch-rocking", "simulate.end=0.5")
    close("rocking: tilt = -(4/(pi E')) M", result["state"]["tilt"], -0.4 * 2 / math.pi, 2e-4)
    result = run("punch-rocking")
    close("rocking: contact of the length 4 (1 - M/P)", result["contact_left"], 0.2, 3e-3)
    result = run("punch-lifts")
    kinds = [event["kind"] for event in result["events"]]
    report("it lifts off and comes down again", kinds.count("lifted") == 2 and kinds[-2] == "slides", kinds)
    # A long mesh: nothing has another sign, displacements scale with lengths (same P, flat: the same but for the log).
    for length in (0.01, 1, 1.9, 2.1, 1000):
        result = run("punch-frictionless", f"half_plane.mesh.left={-length}", f"half_plane.mesh.right={length}")
        close(f"half-width {length}: depth (ln 2 - ln a)/pi", result["state"]["depth"],
              (math.log(2) - math.log(length)) / math.pi, 1e-5)


def check_refusals():
    def attempt(name, pieces, **changes):
        (here / "bad.yaml").write_text(SCENE.format(**{**PLAIN, **changes}))
        refused(name, thud("check", "bad.yaml", cwd=here), pieces, here, {"bad.yaml", "rows.h5"})

    attempt("one element", ["2"], mesh="{elements: 1, left: -1, right: 1}")
    attempt("a mesh from right to left", ["left to right"], mesh="{elements: 9, left: 1, right: -1}")
    attempt("edges that do not grow", ["not right of"], mesh="{edges: [0, 2, 1]}")
    attempt("a table with nan", ["nan"], profile="{table: {x: [-1, 1], gap: [0, .nan]}}")
    attempt("a table that is too short", ["cover"], profile="{table: {x: [-0.5, 0.5], gap: [0, 1]}}")
    attempt("a table with another length", ["as many"], profile="{table: {x: [-1, 1], gap: [0, 1, 2]}}")
    attempt("two profiles", ["one profile"], profile="{wedge: 1, parabola: 2}")
    attempt("a profile of time", ["depends on t"], profile="{gap: x*t}")
    attempt("a profile with a pole", ["inf"], profile="{gap: 1/(x - 0.05)}", mesh="{elements: 20, left: -1, right: 1, grading: uniform}")
    attempt("Poisson's ratio 0.6", ["nu"], material="{young: 1, poisson: 0.6}")
    attempt("negative friction", ["friction"], friction="-0.1")
    attempt("P and depth", ["not both"], load="{P: 1, depth: 1}")
    attempt("neither P nor depth", ["'P' or 'depth'"], load="{Q: 1}")
    attempt("depth and moment", ["moment"], load="{depth: 0.1, moment: 1}")
    attempt("a datum within the mesh", ["datum"], load="{depth: 0.1, datum: 0.4}")
    attempt("rolling on a graded mesh", ["uniform"], method="rolling")
    attempt("friction without friction", ["frictionless"], method="frictionless")

    def fails(name, pieces, **changes):
        (here / "bad.yaml").write_text(SCENE.format(**{**PLAIN, **changes}))
        done = thud("run", "bad.yaml", "--no-record", cwd=here)
        text = done.stdout + done.stderr
        report(name, done.returncode == 1 and all(piece in text for piece in pieces), text)

    fails("|Q| > F P", ["slides away", "t = 0.75"], load="{P: 1, Q: 0.45*t}")
    fails("P < 0", ["pulls the punch off", "t = 0.75"], load="{P: 1 - 1.5*t}")
    fails("a moment beyond the punch", ["topples"], load="{P: 1, moment: 1.2}", friction="0", method="frictionless")
    fails("a load that is not finite", ["is inf"], load="{P: 1/t}")


def check_resume():
    text = (EXAMPLES / "punch-cycle.yaml").read_text().replace("elements: 200", "elements: 30")
    text = text[:text.index("simulate")]
    for method in ("incremental", "rolling"):
        (here / "part.yaml").write_text(f"{text}simulate: {{method: {method}, end: 1, steps: 1000}}\n"
                                        "record: {every: 0.01, checkpoint_every: 0.01}\n")
        code, _ = stopped_early(here, "run", "part.yaml", "-o", "part.h5", "-f")
        done = thud("run", "--resume", "part.h5", "-q", cwd=here)
        thud("run", "part.yaml", "-o", "whole.h5", "-f", "-q", cwd=here)
        both = [thud("export", name, "--rows", "-o", "-", cwd=here).stdout for name in ("part.h5", "whole.h5")]
        report(f"{method}: stopped and resumed, the same bits", code == 130 and done.returncode == 0 and both[0] == both[1] and
               both[0].count("\n") > 90, (code, done.stderr, both[0].count("\n"), both[1].count("\n")))
        report(f"{method}: and verified", thud("verify", "part.h5", cwd=here).returncode == 0)


def random_scene(chance):
    """Any material, mesh, profile, drive and method."""
    F, L = chance.choice((0, 0.05, 0.2, 0.5, 0.9)), 10 ** chance.uniform(-2, 1.5)
    c, method = chance.uniform(-1, 1) * L, chance.choice(("static", "incremental", "incremental", "rolling"))
    if F == 0:
        method = chance.choice(("frictionless", "incremental"))
    grading = "uniform" if method == "rolling" else chance.choice(("uniform", "graded"))
    material = chance.choice((f"{{young: {10 ** chance.uniform(0, 3)}, poisson: {chance.uniform(0, 0.49)}}}",
                              f"{{modulus: {10 ** chance.uniform(-2, 3)}, coupling: {chance.uniform(-0.3, 0.6)}}}",
                              f"[{{young: 2, poisson: {chance.uniform(0, 0.4)}}}, {{young: 3, poisson: 0.1}}]"))
    heights = [0.1 * L * chance.random() for _ in range(3)]
    profile = chance.choice(("{}", f"{{wedge: {chance.uniform(0.001, 0.3)}}}",
                             f"{{parabola: {L * chance.uniform(0.5, 30)}, centre: {c + 0.2 * L * chance.uniform(-1, 1)}}}",
                             f"{{gap: '{0.01 * L * chance.random()}*(1 - cos({chance.uniform(1, 9) / L}*x))'}}",
                             f"{{table: {{x: [{c - 2 * L}, {c}, {c + 2 * L}], gap: {heights}}}}}"))
    a, b, d = (chance.uniform(0.3, 3) for _ in range(3))
    loads, force = [f"pivot: {c}", f"datum: {L * chance.uniform(0.6, 4)}"], chance.random() < 0.7
    P = 10 ** chance.uniform(-3, 2)
    loads.append(f"P: {P}*(1 + {chance.choice((0.2, 0.5, 1))}*sin({a}*t))" if force else
                 f"depth: {0.05 * L * chance.random()}*(sin({a}*t) + 0.3)")
    if force and chance.random() < 0.6:
        loads.append(f"Q: {0.5 * F * P * chance.random()}*sin({b}*t)")
    elif chance.random() < 0.6:
        loads.append(f"shift: {0.03 * L * chance.random()}*sin({b}*t)")
    if chance.random() < 0.4:
        loads.append(f"tilt: {0.02 * chance.random()}*sin({d}*t)")
    elif force and chance.random() < 0.4:
        loads.append(f"moment: {0.15 * L * P * chance.random()}*sin({d}*t)")
    period = chance.choice((0, 0, 0, 2 * L * chance.uniform(1, 2)))
    thinned = "record: {every: 0.3}\n" if chance.random() < 0.25 else ""
    return (f"thud: 1\nhalf_plane:\n  material: {material}\n  mesh: {{elements: {chance.randint(2, 60)}, left: {c - L!r}, "
            f"right: {c + L!r}, grading: {grading}}}\n  period: {period!r}\n  profile: {profile}\n  friction: {F}\n"
            f"  load: {{{', '.join(loads)}}}\nsimulate: {{method: {method}, end: {chance.uniform(1, 8)}, "
            f"steps: {chance.randint(1, 30)}}}\n{thinned}")


def check_random(count, seed):
    """What runs is verified; a run ends early only where there is no equilibrium or where the states were not found, and
    then all rows before are good."""
    wrong, good, stuck = [], 0, 0
    tried = some(range(count), 4)
    for k in tried:
        (here / "random.yaml").write_text(random_scene(random.Random(f"{seed} {k}")))
        done = thud("run", "random.yaml", "-o", "random.h5", "-f", cwd=here)
        stuck += "not converged" in done.stdout
        early = done.returncode == 1 and ("no equilibrium" in done.stdout or "not converged" in done.stdout)
        checked = thud("verify", "random.h5", cwd=here).stdout
        bad = [line for line in checked.splitlines() if " failed " in line and " finished " not in line
               and "no frames" not in line]
        good += done.returncode == 0
        if not (done.returncode == 0 or early) or bad or "structure" not in checked:
            wrong.append((k, done.stdout[-300:], done.stderr, bad))
    report(f"{len(tried)} random scenes are verified", not wrong, wrong)
    report("nearly all run to their end", good >= 0.8 * len(tried) and stuck <= 0.03 * len(tried), (good, stuck))


def check_tampering(changes, seed):
    for name in some(("punch-order", "punch-cycle", "punch-rolling", "punch-lifts", "punch-rocking", "punch-coulomb"), 3):
        record = os.path.join(here, "tamper.h5")
        thud("run", EXAMPLES / f"{name}.yaml", "--set", "half_plane.mesh.elements=24", "-o", record, "-f", "-q", cwd=here)
        results = test_tamper.tamper_with(record, changes, f"{seed} {name}")
        missed = [what for path, seen, _, what in results if test_tamper.is_motion(path) and not seen]
        report(f"{name}: of {len(results)} changed numbers all but rounding are found", len(results) > 10 and
               len(missed) <= 0.02 * len(results), "\n".join(missed))


def check_pictures():
    thud("run", EXAMPLES / "punch-cycle.yaml", "-o", "cycle.h5", "-f", "-q", cwd=here)
    for k, arguments in enumerate((("--profile", "pressure,traction,mode", "--at", "0.25"),
                                   ("--profile", "slip", "--at", "0.1,0.2,0.3"),
                                   ("--panels", "load,contact,stick"), ("--phase", "motion.shift,load.Q"))):
        done = thud("plot", "cycle.h5", *arguments, "-o", f"{k}.svg", "-f", cwd=here)
        text = (here / f"{k}.svg").read_text() if done.returncode == 0 else ""
        longest = max(map(len, re.findall(r' d="([^"]*)"', text)), default=0)  # the curves
        report(f"a picture with {' '.join(arguments)}", done.returncode == 0 and text.count("<text") > 8 and longest > 300,
               f"{done.stderr}{longest}")
    for arguments, piece in ((("--profile", "load"), "has no place"), (("--profile", "wind"), "no field 'wind'"),
                             (("--profile", "gap", "--at", "soon"), "'soon' is not a number")):
        done = thud("plot", "cycle.h5", *arguments, "-o", "bad.svg", cwd=here)
        report(f"no picture with {' '.join(arguments)}", done.returncode == 2 and piece in done.stderr, done.stderr)


def check_units():
    """Millimetres or nanometres: a stick zone smaller than an element is judged in units of the mesh, not of 1."""
    for size in ("1e-9", "1", "1e9", "1e12"):
        (here / "size.yaml").write_text(SCENE.format(**PLAIN | {
            "mesh": f"{{elements: 20, left: -{size}, right: {size}}}", "load": f"{{P: {size}, Q: 0.2999*{size}}}",
            "method": "static"}))
        done = thud("run", "size.yaml", "-o", "size.h5", "-f", cwd=here)
        judged = thud("verify", "size.h5", cwd=here)
        report(f"a punch of {size} with one stuck element is verified",
               done.returncode == 0 and judged.returncode == 0, done.stderr + judged.stdout)


with folder() as name_of_folder:
    here = pathlib.Path(name_of_folder)
    if len(sys.argv) > 2:
        check_random(int(sys.argv[1]), sys.argv[2])
        check_tampering(int(sys.argv[1]) // 20, sys.argv[2])
    else:
        check_flat_punches()
        check_cycles()
        check_rolling()
        check_moves()
        check_refusals()
        check_resume()
        check_units()
        check_random(40, "1")
        check_tampering(1, "1")
        check_pictures()
        check_edges()
        for scene in sorted(EXAMPLES.glob("punch-*.yaml")):
            thud("run", scene, "-o", "example.h5", "-f", "-q", cwd=here)
            done = thud("verify", "example.h5", cwd=here)
            report(f"{scene.stem} is verified", done.returncode == 0, done.stdout)
end()
