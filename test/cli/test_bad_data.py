"""Data that fail on the way: every kind of motion ends with the verdict failed and a finished record that says when and why
(exit code 1); data that fail at the start are bad input (exit code 2), and no file is left behind."""
import json
import pathlib

from thudcli import end, folder, report, some, thud

# Per kind: a scene with VALUE and END, and texts for VALUE that are good before t = 0.5 and not afterwards. Each of them is also
# used with t + 0.6 for t: bad from the start on.
LINE = """thud: 1
{0}: {{nodes: 21, {1}: 1, friction: 0.5, obstacle: -0.1, extension: 1, VALUE}}
simulate: {{end: END, steps: 10}}
"""
SURFACE = """thud: 1
{0}:
  mesh: {{rectangle: [0, 0, 1, 1], cells: [4, 4]}}
  {1}: 1
  obstacle: -0.01
  load: -1
  edges: {{left: {{v: 0, u: [0, 0]}}, right: {{v: 0, u: [1, 0]}}, bottom: {{v: 0}}, top: {{v: 0}}}}
  in_plane: {{stretch: 1, friction: 0.4, load: [1, 0]}}
  VALUE
simulate: {{end: END, steps: 10}}
"""
HALF_PLANE = """thud: 1
half_plane:
  material: {modulus: 2, coupling: 0.2}
  mesh: {elements: 20, left: -1, right: 1}
  friction: MU
  load: {VALUE}
simulate: {method: METHOD, end: END, steps: 10}
"""
SWEEPING = """thud: 1
sweeping:
  coordinates: [x, y]
  set: {VALUE}
initial: {x: 0, y: 0}
simulate: {method: catching-up, end: END, steps: 10}
"""
SYSTEM = """thud: 1
system:
  coordinates: [x, y]
  mass: [1, 1]
  potential_energy: 10*y
  forces: {x: FORCE}
  constraints:
    - {name: floor, gap: GAP, friction: {mu: MU, slip: ["x'"]}}
  friction:
    - {name: brake, slip: ["x'"], threshold: THRESHOLD}
initial: {x: 0, y: 0, "x'": 1}
simulate: {method: METHOD, end: END, steps: 20}
"""
FREE = """thud: 1
system:
  coordinates: [x]
  mass: [1]
  forces: {x: FORCE}
  friction:
    - {name: brake, slip: ["x'"], threshold: THRESHOLD}
initial: {x: 0, "x'": 1}
simulate: {method: METHOD, end: END, steps: 20}
"""
QUASISTATIC = """thud: 1
quasistatic:
  unknowns: [n, x]
  stiffness: [[2, 0], [0, 1]]
  load: {VALUE}
  contacts: [{name: foot, normal: -n, tangential: x, mu: 0.5}]
initial: {n: 0, x: 0}
simulate: {method: METHOD, end: END, steps: 10}
"""
BODIES = """thud: 1
planar: true
gravity: [0, 0]
materials: {steel: {friction: 0.4, density: 1000}}
bodies:
  - {name: table, shape: {box: [1, 0.1]}, material: steel, path: {PATH}}
  - {name: disc, shape: {disc: 0.1}, material: steel, position: [0, 2], FORCE}
simulate: {end: END, step: 0.05}
"""


# Without a singularity at 0.5, where a method would get stuck.
ENDS = '"0.4*if(TIME < 0.5, 1, log(0.25 - TIME))"'


def filled(text, **changes):
    for name, value in changes.items():
        text = text.replace(name, value)
    return text


def system(text, method, **changes):
    usual = {"FORCE": "0", "GAP": "y", "MU": "0.3", "THRESHOLD": "0.1", "METHOD": method}
    return filled(text, **{**usual, **changes})


def scenes():
    """(name, scene): t stands as TIME in what fails."""
    for kind, stiffness in (("string", "tension"), ("beam", "bending")):
        for name, value in (("load leaves the line", 'loads: [{at: "0.5 + TIME", force: -1}]'),
                            ("spread load leaves the line", 'loads: [{at: "0.4 + TIME", width: 0.2, force: -1}]'),
                            ("force", 'loads: [{at: 0.5, force: "-sqrt(0.5 - TIME)"}]'),
                            ("factor", 'loads: [{density: -1, factor: "log(0.5 - TIME)"}]'),
                            ("end", 'ends: {v_left: "sqrt(0.5 - TIME)"}'), ("end below", 'ends: {v_right: "0.3 - TIME"}'),
                            ("end along", 'ends: {u_right: "1/max(0, 0.5 - TIME)"}'), ("lift", 'lift: "-sqrt(0.5 - TIME)"'),
                            ("lift above the ends", 'lift: "TIME - 0.35"')):
            yield f"{kind}: {name}", filled(LINE.format(kind, stiffness), VALUE=value)
    for kind, stiffness in (("membrane", "tension"), ("plate", "bending")):
        for name in ("lift", "load_factor", "u_factor", "force_factor"):
            yield f"{kind}: {name}", filled(SURFACE.format(kind, stiffness), VALUE=f'{name}: "-sqrt(0.5 - TIME)"')
        yield f"{kind}: lift above the edges", filled(SURFACE.format(kind, stiffness), VALUE='lift: "TIME - 0.48"')
    for method in ("static", "incremental", "frictionless"):
        for name, value in (("P", 'P: "sqrt(0.5 - TIME)"'), ("depth", 'depth: "0.1 + log(0.5 - TIME)", datum: 5'),
                            ("tilt", 'P: 1, tilt: "sqrt(0.5 - TIME)"')):
            yield f"half-plane, {method}: {name}", filled(HALF_PLANE, VALUE=value, METHOD=method, MU="0" if method == "frictionless" else "0.3")
    for name, value in (("centre", 'ball: {centre: ["sqrt(0.5 - TIME)", 0], radius: 2}'),
                        ("radius", 'ball: {centre: [0, 0], radius: "0.5 - TIME"}'),
                        ("radius that is none", 'ball: {centre: [0, 0], radius: "sqrt(0.5 - TIME)"}'),
                        ("empty", 'polyhedron: {A: [[1, 0], [-1, 0]], b: ["0.5 - TIME", 0]}')):
        yield f"sweeping: {name}", filled(SWEEPING, VALUE=value)
    for method in ("moreau-jean", "moreau", "second-order", "event-driven"):
        for changes in ({"FORCE": ENDS}, {"GAP": '"y + sqrt(0.47 - TIME) - sqrt(0.47 - TIME)"'},
                        {"MU": '"0.5 - TIME"'}, {"MU": ENDS}, {"THRESHOLD": '"0.5 - TIME"'},
                        {"THRESHOLD": ENDS}):
            yield f"system, {method}: {' '.join(changes.values())}", system(SYSTEM, method, **changes)
    for method in ("implicit", "event-driven"):
        for changes in ({"FORCE": ENDS}, {"THRESHOLD": '"0.5 - TIME"'}, {"THRESHOLD": ENDS}):
            yield f"friction, {method}: {' '.join(changes.values())}", system(FREE, method, **changes)
    for method in ("increments", "event-driven"):
        yield f"quasistatic, {method}: load", filled(QUASISTATIC, VALUE='n: 1, x: "0.1*sqrt(0.5 - TIME)"', METHOD=method)
    for path, force in (('position: ["sqrt(0.5 - TIME)", 0]', "velocity: [0, 0]"),
                        ('position: [0, 0], angle: "log(0.5 - TIME)"', "velocity: [0, 0]"),
                        ("position: [0, 0]", 'force: ["sqrt(0.5 - TIME)", 0]')):
        yield f"bodies: {path} {force}", filled(BODIES, PATH=path, FORCE=force)


def run(here, text, last):
    """(exit code, verdict of the record or None, what was said)."""
    scene, record = here / "scene.yaml", here / "record.h5"
    scene.write_text(text.replace("END", last))
    record.unlink(missing_ok=True)
    done = thud("run", "scene.yaml", "-o", "record.h5", "-q", cwd=here)
    verdict = json.loads(thud("info", "record.h5", "--json", cwd=here).stdout)["verdict"] if record.exists() else None
    return done.returncode, verdict, done.stderr + done.stdout


def wrong(here):
    """Checks of the record that fail, but for the one that says how the run ended and those that meet the same data."""
    checks = json.loads(thud("verify", "--json", "record.h5", cwd=here).stdout)["checks"]
    return [check for check in checks if check["name"] != "finished" and check["status"] in ("failed", "not checkable")
            and "cannot be evaluated" not in check["detail"]]


def check_links(here, text):
    """A symbolic link to the record stays, and the file behind it is gone."""
    (here / "scene.yaml").write_text(text.replace("END", "1"))
    (here / "target.h5").write_text("something")
    (here / "record.h5").unlink(missing_ok=True)
    (here / "record.h5").symlink_to("target.h5")
    done = thud("run", "scene.yaml", "-o", "record.h5", "--force", cwd=here)
    report("a link stays, its file does not", done.returncode == 2 and (here / "record.h5").is_symlink()
           and not (here / "target.h5").exists(), done.stderr)


with folder() as name_of_folder:
    place = pathlib.Path(name_of_folder)
    both_ends = {title for title, _ in some(scenes(), 3)}  # the scenes that also run with good data, and with bad ones from the start
    for title, scene_text in scenes():
        code, found, said = run(place, scene_text.replace("TIME", "t"), "1")
        report(f"{title}: failed on the way", code == 1 and found == "failed" and said.strip() != "", (code, found, said))
        if found is not None:
            report(f"{title}: verified up to there", wrong(place) == [], wrong(place))
        if title not in both_ends:
            continue
        code, found, said = run(place, scene_text.replace("TIME", "(t + 0.6)"), "1")
        report(f"{title}: bad from the start", (code, found) in ((2, None), (1, "failed")), (code, found, said))
        code, found, said = run(place, scene_text.replace("TIME", "t"), "0.3")
        report(f"{title}: good before", code == 0 and found in ("good", "coarse"), (code, found, said))
    check_links(place, next(scenes())[1].replace("TIME", "(t + 0.6)"))
end()
