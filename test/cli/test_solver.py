"""`simulate.solver`: every registered method solves the velocity problems of a scene, stepping and event-driven, with the
motion of the run that names none; what a method does not take and what is not a method is refused."""
import csv
import io
import pathlib

from thudcli import end, folder, refused, report, thud, thud_json

# Each stops at 1e-10 of the largest velocity of its problem (residual_tolerance); the few impacts of these runs multiply
# that by less than 1000.
TOLERANCE = 1e-7
# The gap_tolerance of the scenes keeps contacts at rest closed although their velocities are 0 to 1e-10 only.

STACK = """thud: 1
title: two blocks on a slope, the upper one thrown onto the lower one; planar friction
system:
  coordinates: [x, y, a, b]
  kinetic_energy: "(x'^2 + y'^2)/2 + a'^2 + b'^2"
  potential_energy: "9.81*(y*cos(0.3) + x*sin(0.3) + 2*(b*cos(0.3) + a*sin(0.3)))"
  constraints:
    - {name: floor, gap: y, restitution: 0.2, friction: {mu: 0.2, slip: ["x'"]}}
    - {name: top, gap: b - y - 0.1, restitution: 0.5, friction: {mu: 0.6, slip: ["a' - x'"]}}
initial: {x: 0, y: 0, a: 0, b: 0.3, "a'": 1}
simulate: {method: moreau-jean, end: 0.5, steps: 500, gap_tolerance: 1e-9}
"""
SPACE = """thud: 1
title: two particles that slide on a plane and push each other; friction in space
system:
  coordinates: [x, y, z, u, v, w]
  kinetic_energy: "(x'^2 + y'^2 + z'^2)/2 + u'^2 + v'^2 + w'^2"
  potential_energy: "9.81*(z + 2*w) + 3*(x - u)^2"
  constraints:
    - {name: first, gap: z, friction: {mu: 0.3, slip: ["x'", "y'"]}}
    - {name: second, gap: w, friction: {mu: 0.5, slip: ["u'", "v'"]}}
initial: {x: 0, y: 0, z: 0, u: 1, v: 0, w: 0, "x'": 1, "y'": 0.5, "v'": -0.7}
simulate: {method: moreau, end: 0.4, steps: 200, gap_tolerance: 1e-9}
"""
CHAIN = """thud: 1
title: five masses in a row above a floor, no friction
system:
  coordinates: [a, b, c, d]
  kinetic_energy: "(a'^2 + 2*b'^2 + c'^2 + 3*d'^2)/2"
  potential_energy: "9.81*(a + 2*b + c + 3*d)"
  constraints:
    - {name: floor, gap: a, restitution: 0.5}
    - {name: ab, gap: b - a, restitution: 0.3}
    - {name: bc, gap: c - b, restitution: 0.6}
    - {name: cd, gap: d - c, restitution: 0.2}
initial: {a: 0, b: 0, c: 0, d: 0.2, "a'": 0}
simulate: {method: stabilised, end: 0.3, steps: 300, gap_tolerance: 1e-9}
"""
IMPACT = """thud: 1
title: two balls that touch fall onto a floor, one impact of three contacts
system:
  coordinates: [x, y, u, v]
  kinetic_energy: "x'^2 + y'^2 + (u'^2 + v'^2)/2"
  potential_energy: "9.81*(2*y + v)"
  constraints:
    - {name: left, gap: y, restitution: 0.5, friction: {mu: 0.2, slip: ["x'"]}}
    - {name: right, gap: v, restitution: 0.4, friction: {mu: 0.4, slip: ["u'"]}}
    - {name: between, gap: u - x, restitution: 0.7}
initial: {x: 0, y: 0.1, u: 0, v: 0.1, "x'": 1, "u'": 1}
simulate: {method: event-driven, end: 0.25}
"""
SET = """thud: 1
title: a particle on a plane with friction of a rectangle
system:
  coordinates: [x, y, z]
  kinetic_energy: "(x'^2 + y'^2 + z'^2)/2"
  potential_energy: "9.81*z"
  constraints:
    - name: floor
      gap: z
      friction: {mu: 0.3, slip: ["x'", "y'"], law: {box: {lower: [-1, -0.5], upper: [1, 0.5]}}}
initial: {x: 0, y: 0, z: 0, "x'": 1, "y'": 0.5}
simulate: {method: moreau, end: 0.1, steps: 20}
"""
LAWS = """thud: 1
title: two masses on a spring, each with friction of its own
system:
  coordinates: [x, y]
  kinetic_energy: "x'^2 + y'^2 + x'*y'"
  potential_energy: "(x - y)^2"
  friction:
    - {name: first, slip: ["x'"], threshold: 0.5}
    - {name: second, slip: ["y'"], threshold: 0.7}
initial: {x: 0, y: 1, "x'": 1, "y'": -2}
simulate: {method: moreau, end: 1, steps: 20}
"""
REST = """thud: 1
title: a brick that slows down on a slope and stays
system:
  coordinates: [x, y]
  mass: [2, 2]
  forces: {x: -2*9.81*sin(0.3), y: -2*9.81*cos(0.3)}
  constraints:
    - {name: plane, gap: y, friction: {mu: 0.4, slip: ["x'"]}}
initial: {x: 0, y: 0, "x'": 2}
simulate: {method: moreau-jean, end: 1, steps: 1000}
"""


def methods():
    """Name -> what it takes."""
    return {row["method"]: row["takes"] for row in thud_json("solve", "--list-methods")}


def last_row(scene, solver, here, *arguments):
    """The numbers at the end of a run, and whether its record was found good."""
    setting = ["--set", f"simulate.solver={{{solver}}}"] if solver else []
    thud_json("run", scene, *setting, *arguments, "-o", "run.h5", "--force", cwd=here)
    good = thud("verify", "run.h5", cwd=here).returncode == 0
    rows = list(csv.reader(io.StringIO(thud("export", "run.h5", "-o", "-", "--no-units", cwd=here).stdout)))
    cells = [number for cell in rows[-1] for number in cell.replace(";", " ").split()]  # a series is q and v at the end
    return [float(x) for x in cells[:1 + 2 * 6] if x[-1].isdigit()], good


def compare(name, scene, kind, here, *arguments):
    expected, _ = last_row(scene, "", here, *arguments)
    for method, takes in methods().items():
        solver = f"method: {method}"
        if kind not in takes:
            done = thud("run", scene, "--set", f"simulate.solver={{{solver}}}", "-o", "none.h5", *arguments, cwd=here)
            refused(f"{name}: {method} is refused", done, [f"'{method}' does not take", "/simulate/solver/method"], here, {scene, "run.h5"})
            continue
        got, good = last_row(scene, solver, here, *arguments)
        worst = max(abs(a - b) for a, b in zip(got, expected))
        report(f"{name}: {method} gives the same motion", worst <= TOLERANCE and good and len(got) == len(expected),
               f"largest difference {worst}, verified: {good}\n{got}\n{expected}")


with folder() as here:
    scenes = {"stack": STACK, "space": SPACE, "chain": CHAIN, "impact": IMPACT, "set": SET}
    for name, text in scenes.items():
        pathlib.Path(here, f"{name}.yaml").write_text(text)
        if name == "set":
            continue
        kind = {"space": "3d", "chain": "lcp"}.get(name, "2d")
        with folder() as inner:
            pathlib.Path(inner, f"{name}.yaml").write_text(text)
            compare(name, f"{name}.yaml", kind, inner)
            if name == "chain":
                compare("chain, event-driven", "chain.yaml", kind, inner, "--set", "simulate.method=event-driven")
    schema = thud_json("schema")["$defs"]["simulate_system"]["properties"]["solver"]["properties"]
    report("the schema names every method", schema["method"]["enum"] == list(methods()), list(methods()))

    allowed = {f"{name}.yaml" for name in scenes}

    def refuse(name, scene, solver, *pieces, also=()):
        done = thud("run", scene, *also, "--set", f"simulate.solver={solver}", "-o", "none.h5", cwd=here)
        refused(name, done, pieces, here, allowed)

    refuse("a method that does not take general sets", "set.yaml", "{method: newton}", "'newton' does not take",
           "friction in space with general sets")
    refuse("an unknown method", "stack.yaml", "{method: gaus-seidel}", "'gaus-seidel' is none of auto, gauss-seidel",
           "did you mean 'gauss-seidel'?", "/simulate/solver/method")
    refuse("an unknown key", "stack.yaml", "{max_iteration: 3}", "did you mean 'max_iterations'?")
    refuse("a limit out of its range", "stack.yaml", "{check_every: 0}", "'check_every' must be at least 1")
    refuse("two tolerances", "stack.yaml", "{tolerance: 1e-9}", "residual_tolerance", "give one of them",
           also=("--set", "simulate.residual_tolerance=1e-9"))
    refuse("no map", "stack.yaml", "newton", "/simulate/solver")

    run = thud_json("run", "stack.yaml", "--set", "simulate.solver={method: projected-gradient, max_iterations: 1}",
                    "-o", "limit.h5", cwd=here, code=1)
    report("a limit that is met ends the run", "worst constraint:" in run["reason"] and
           "method: projected-gradient, " in run["reason"] and "a larger residual_tolerance" in run["reason"], run)
    # Mass ratio 1e6: W r has terms 1e6 times larger than the velocities, so that their rounding errors are about 1e-10.
    pathlib.Path(here, "heavy.yaml").write_text(STACK.replace("a'^2 + b'^2", "1e6*(a'^2 + b'^2)").replace(
        "2*(b*cos", "2e6*(b*cos"))
    thud_json("run", "heavy.yaml", "--set", "simulate.residual_tolerance=1e-8", "-o", "heavy.h5", cwd=here)
    done = thud("verify", "heavy.h5", cwd=here)
    report("a heavy block on a light one, with the tolerance that is advised", done.returncode == 0, done.stdout)
    pathlib.Path(here, "laws.yaml").write_text(LAWS)
    run = thud_json("run", "laws.yaml", "--set", "simulate.solver={method: projected-gradient, max_iterations: 1}",
                    "-o", "laws.h5", cwd=here, code=1)
    report("a law by itself is named", "worst friction law: " in run["reason"] and
           "method: projected-gradient, " in run["reason"], run)
    # Contacts at rest drift with what the tolerance leaves of the kick of a step: no false alarm of `penetration`.
    pathlib.Path(here, "rest.yaml").write_text(REST)
    for method, takes in methods().items():
        if "2d" in takes:
            _, good = last_row("rest.yaml", f"method: {method}", here)
            report(f"a brick at rest by {method} is verified", good, thud("verify", "run.h5", cwd=here).stdout)
    loose, good = last_row("stack.yaml", "method: projected-gradient, tolerance: 1e-6", here)
    report("the solver's tolerance is that of the run, and verify knows it", good, loose)
    options, good = last_row("stack.yaml", "relaxation: 1.1, order: symmetric", here)
    report("options without a method are those of the methods that are turned to", good, options)
end()
