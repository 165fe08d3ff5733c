"""thud verify on records of rigid bodies: sound ones of every kind of scene are good, and one changed number is found by the
check that it concerns."""
import json
import os
import pathlib
import random
import subprocess

from thudcli import PROGRAM, ROOT, end, folder, report, thud

TAMPER = os.environ.get("THUD_TAMPER") or str(ROOT / "build" / "release" / "test" / "record_tamper")
MATERIALS = """thud: 1
materials:
  stone: {friction: 0.5, density: 2600}
  wood: {friction: [0.4, 0.2], axis: [1, 0, 0], density: 600}
  rubber: {friction: 0.6, restitution: 0.5, density: 1000}
  tyre: {friction: 0.5, rolling: 0.002, density: 1000}
pairs:
  - {materials: [wood, stone], friction: 0.6, restitution: 0.1}
"""
PLANE = "{name: floor, fixed: true, shape: plane, material: stone}"


def scene(*bodies, more="", head=MATERIALS, simulate="{end: 0.6, step: 0.004}"):
    return head + "bodies:\n" + "".join(f"  - {body}\n" for body in bodies) + more + f"simulate: {simulate}\n"


SLOPE = scene("{name: floor, fixed: true, shape: plane, material: stone, rotation: {axis: [0, 1, 0], angle: 0.3}}",
              "{name: ball, shape: {sphere: 0.1}, material: tyre, position: [0, 0, 0.3], velocity: [1, 0, 0], spin: [0, 0, 5]}",
              "{name: brick, shape: {box: [0.2, 0.1, 0.06]}, material: wood, position: [1, 0, 0.3]}",
              "{name: hopper, shape: {sphere: 0.08}, material: rubber, position: [-1, 0, 1]}",
              "{name: dumbbell, position: [-0.3, 0.5, 0.6], parts: [{shape: {sphere: 0.1}, position: [0, 0, 0.2], material: stone}, "
              "{shape: {capsule: {radius: 0.02, length: 0.4}}, material: wood}]}",
              "{name: rocket, shape: {box: [0.1, 0.1, 0.3]}, material: rubber, position: [0, -1, 0.6], "
              "force: [0, 0.1*y, 30*step(1-t)], torque: [0, 0, 0.01*sin(t)]}",
              more="springs:\n  - {name: s, a: ball, at_a: [0, 0, 0.1], b: hopper, length: 0.5, stiffness: 100, damping: 1}\n")
SOUND = {
    "slope": SLOPE,
    "table": scene("{name: table, path: {position: [0.01*sin(20*t), 0, -0.05], axis: [0, 0, 1], angle: 0.5*t}, "
                   "shape: {box: [1, 1, 0.1]}, material: stone}",
                   "{name: brick, shape: {box: [0.2, 0.1, 0.06]}, material: stone, position: [0.1, 0, 0.031]}",
                   "{name: top, shape: {sphere: 0.05}, material: tyre, position: [-0.2, 0, 0.06], spin: [0, 0, 30]}"),
    "shaken": scene("{name: table, path: {position: [0, 0, 0.01*sin(80*t) - 0.05], axis: [0, 1, 0], angle: 0.01*sin(30*t)}, "
                    "shape: {box: [1, 1, 0.1]}, material: stone}",
                    "{name: apart, shape: {sphere: 0.02}, material: rubber, position: [0.2, 0, 0.05]}",
                    "{generate: grid, name: ball, counts: [3, 3, 1], spacing: 0.08, jitter: 0.01, seed: 3, position: [-0.1, -0.1, 0.04], "
                    "body: {shape: {sphere: 0.02}, material: rubber}}", simulate="{end: 0.6, step: 0.001}"),
    "plane": scene("{name: floor, fixed: true, shape: half_plane, material: stone}",
                   "{name: bar, fixed: true, shape: {segment: [[-1, 0.3], [-0.2, 0.3]]}, material: stone}",
                   "{name: a, shape: {disc: 0.1}, material: rubber, position: [0, 0.5], velocity: [0.1, 0]}",
                   "{name: b, shape: {box: [0.2, 0.1]}, material: stone, position: [0.15, 0.2], rotation: 0.3}",
                   "{name: c, shape: {capsule: {radius: 0.05, length: 0.2}}, material: stone, position: [0.5, 0.3], rotation: 1, spin: 2}",
                   "{name: d, shape: {polygon: [[0.1, 0], [-0.1, 0.08], [-0.06, -0.1]]}, material: tyre, position: [-0.4, 0.6]}",
                   head="planar: true\n" + MATERIALS.replace("[0.4, 0.2], axis: [1, 0, 0]", "0.3")),
    "hills": scene("{name: hill, fixed: true, shape: {height_field: {size: [4, 4], heights: [[0.3, 0.2, 0.1, 0, 0], "
                   "[0.2, 0.1, 0, 0, 0.1], [0.1, 0, 0, 0.1, 0.2], [0, 0, 0.1, 0.2, 0.3], [0, 0.1, 0.2, 0.3, 0.4]]}}, material: stone}",
                   "{name: block, fixed: true, position: [5, 0, 0], shape: {mesh: {vertices: [[-1, -1, 0], [1, -1, 0], [1, 1, 0], "
                   "[-1, 1, 0], [0, 0, -1]], triangles: [[0, 1, 2], [0, 2, 3], [0, 4, 1], [1, 4, 2], [2, 4, 3], [3, 4, 0]]}}, material: stone}",
                   "{name: a, shape: {sphere: 0.1}, material: stone, position: [0.3, 0.2, 0.3]}",
                   "{name: b, shape: {box: [0.2, 0.2, 0.1]}, material: stone, position: [5.2, 0.3, 0.2]}"),
    "valley": scene("{name: g, fixed: true, shape: {height_field: {size: [2, 2], heights: [[0, 0.2, 0], [0.1, -0.3, 0.1], [0, 0, 0.3]]}}, "
                    "material: stone}",
                    "{generate: packing, name: k, count: 12, low: [-1.1, -1.1, 0.6], high: [1.1, 1.1, 2], turned: true, "
                    "body: {shape: {box: [0.3, 0.2, 0.1]}, material: stone, density: 1000}}",
                    simulate="{end: 1, step: 0.005}"),
    "eggs": scene(PLANE, "{generate: packing, name: k, count: 8, low: [-0.3, -0.3, 0.2], high: [0.3, 0.3, 1], seed: 4, turned: true, "
                  "body: {shape: {ellipsoid: [0.15, 0.1, 0.05]}, material: stone}}"),
    "upright": scene(PLANE.replace("stone", "wood"), "{name: a, shape: {box: [0.1, 0.1, 0.1]}, material: wood, position: [0, 0, 0.06], "
                     "rotation: {axis: [0, 1, 0], angle: 1.5707963267948966}, velocity: [1, 1, 0], spin: [0, 0, 3]}"),
    "sleep": scene(PLANE, "{name: a, shape: {box: [0.2, 0.2, 0.2]}, material: stone, position: [0, 0, 0.1]}",
                   "{name: b, shape: {sphere: 0.1}, material: stone, position: [0, 0, 1.5]}",
                   simulate="{end: 1, step: 0.005, sleep: true, sleep_time: 0.2}"),
    "blow": scene("{name: a, shape: {sphere: 0.1}, material: steel, position: [-0.5, 0, 0], velocity: [1, 0, 0]}",
                  "{name: b, shape: {sphere: 0.1}, material: steel, position: [0, 0, 0]}",
                  "{name: c, shape: {sphere: 0.1}, material: steel, position: [0.2, 0, 0]}",
                  simulate="{end: 0.5, step: 0.005, impact_law: lzb}",
                  head="thud: 1\ngravity: [0, 0, 0]\nmaterials: {steel: {restitution: 1, density: 7800}}\n"),
    "thinned": scene(PLANE, "{generate: grid, name: ball, counts: [2, 2, 1], spacing: 0.25, position: [0, 0, 0.15], jitter: 0.01, "
                     "seed: 1, body: {shape: {sphere: 0.1}, material: stone}}", more="record: {every: 0.02, whole_every: 3}\n"),
    # everything that can happen to a running motion, with sleepers and in the plane with a spring that one body brings and another takes
    "changes": """thud: 1
materials:
  wood: {friction: 0.5, restitution: 0.3, density: 700}
  ice: {friction: 0.02, density: 900}
bodies:
  - {name: plate, shape: plane, fixed: true, material: wood}
  - {name: a, shape: {box: [0.2, 0.2, 0.1]}, material: wood, position: [0, 0, 0.05], velocity: [3, 0, 0]}
  - {name: b, shape: {sphere: 0.1}, material: wood, position: [0, 2, 0.1], absent: true, velocity: [0, 1, 0]}
  - {name: c, shape: {sphere: 0.1}, material: wood, position: [0, 4, 0.1]}
changes:
  - {at: 0.1, do: add, body: b, spin: [0, 0, 3]}
  - {at: 0.2, do: material, body: plate, material: ice}
  - {at: 0.3, do: impulse, body: c, impulse: [0, 0, 5], moment: [0, 0.1, 0], point: [0.1, 0, 0]}
  - {at: 0.35, do: force, body: b, force: [1, 0, 0], torque: [0, 0, 0.1], lasting: true}
  - {at: 0.45, do: release, body: b}
  - {at: 0.45, do: pair, materials: [wood, ice], friction: 0.3}
  - {at: 0.5, do: set, body: a, position: [5, 0, 0.5], velocity: [0, 0, 1]}
  - {at: 0.6, do: remove, body: c}
simulate: {end: 0.7, step: 0.005, sleep: true, sleep_time: 0.1, sleep_speed: 0.01}
""",
    "planar_changes": """thud: 1
planar: true
gravity: [0, -9.81]
materials:
  wood: {friction: 0.5, restitution: 0.3, density: 700}
  ice: {friction: 0.02, density: 900}
bodies:
  - {name: ground, shape: half_plane, fixed: true, material: wood}
  - {name: a, shape: {box: [0.2, 0.1]}, material: wood, position: [0, 0.05], velocity: [3, 0]}
  - {name: b, shape: {disc: 0.1}, material: wood, position: [-1, 0.3], absent: true, velocity: [1, 0], spin: 3}
  - {name: c, shape: {disc: 0.1}, material: wood, position: [4, 0.1]}
springs:
  - {a: c, b: b, length: 4, stiffness: 20, damping: 0.5}
changes:
  - {at: 0.1, do: add, body: b, spin: -3}
  - {at: 0.2, do: material, body: ground, material: ice}
  - {at: 0.3, do: impulse, body: c, impulse: [0, 5], moment: 0.2, point: [0.05, 0.02]}
  - {at: 0.35, do: force, body: b, force: [1, 0], torque: 0.1, point: [0, 0.1], lasting: true}
  - {at: 0.4, do: force, body: b, force: [30, 0]}
  - {at: 0.45, do: release, body: b}
  - {at: 0.45, do: pair, materials: [wood, ice], friction: 0.3}
  - {at: 0.5, do: set, body: a, position: [5, 0.5], rotation: 0.3, velocity: [0, 1]}
  - {at: 0.6, do: remove, body: c}
simulate: {end: 0.7, step: 0.005}
""",
}

# What is changed in the record of the slope: dataset, number of the value, by which part of it, checks one of which
# fails: which part of a body a number concerns depends on the motion.
CHANGES = (
    ("/frames/data/position", 3 * (6 * 100 + 1), 1e-3, "drift"),
    ("/frames/data/rotation", 4 * (6 * 100 + 4), 1e-3, "structure"),
    ("/frames/data/velocity", 3 * (6 * 100 + 4) + 2, 1e-3, "momentum"),
    ("/frames/data/spin", 3 * (6 * 100 + 1) + 1, 1e-3, "momentum"),
    ("/frames/data/velocity_left/values", 3 * (6 * 100 + 1), 1e-3, "momentum"),
    ("/frames/data/contact_impulse/values", 62, 1e-3, "momentum"),
    ("/frames/data/contact_point/values", 61, 1e-3, "momentum contacts"),
    ("/frames/data/contact_normal/values", 62, 1e-3, "contacts"),
    ("/frames/data/contact_law/values", 60, 1e-3, "law"),
    ("/frames/data/contact_part_a/values", 20, 1, "structure contacts"),
    ("/frames/data/ledger", 9 * 100, 1e-3, "energy"),
    ("/frames/data/ledger", 9 * 100 + 5, 1e-3, "energy"),
    ("/frames/data/islands", 100, 1, "residual"),
    ("/frames/data/residual", 100, 1, "residual"),
    # overlaps are held to a factor of 2, beside what bodies turn within a step: in this row the two that overlap do not spin
    ("/frames/data/penetration", 90, 3, "penetration"),
    ("/events/data/impulse", 4, 1e-3, "events"),
)


def checks_of(record, here):
    """Name -> status of every check, and the verdict."""
    done = thud("verify", "--json", record, cwd=here)
    found = json.loads(done.stdout)
    return {check["name"]: check["status"] for check in found["checks"]}, found["verdict"], done.stdout


def run(name, text, here):
    (here / f"{name}.yaml").write_text(text)
    done = thud("run", f"{name}.yaml", "-o", f"{name}.h5", "--force", cwd=here)
    return report(f"{name}: runs", done.returncode == 0, done.stdout + done.stderr)


def changed(record, here, path, index, part):
    """Name -> status of the checks of a copy with one number changed, and what was changed."""
    done = subprocess.run([TAMPER, record, "changed.h5", path, str(index), repr(part)], capture_output=True, text=True, cwd=here)
    if done.returncode != 0:
        return {}, done.stderr
    found = checks_of("changed.h5", here)[0]
    os.unlink(here / "changed.h5")
    return found, done.stdout.strip()


def numbers_of_mass(record, here):
    """The number in the resolved scene that is the first mass: `record_tamper` shows the text around what it changes."""
    for index in range(200, 400):
        done = subprocess.run([TAMPER, record, "mass.h5", "/resolved", str(index), "1e-3"], capture_output=True, text=True, cwd=here)
        if '"mass"' in done.stdout:
            return index
    return None


# A wrong program: bodies of these shapes move with a wrong inertia or mass, which the run writes into its list as well.
PEBBLE = "[[0, 0, 0], [0.2, 0, 0], [0, 0.2, 0], [0, 0, 0.2], [0.1, 0.15, 0.2]]"
WRONG = {
    "sphere": "shape: {sphere: 0.1}", "box": "shape: {box: [0.2, 0.1, 0.06]}", "ellipsoid": "shape: {ellipsoid: [0.1, 0.08, 0.06]}",
    "capsule": "shape: {capsule: {radius: 0.05, length: 0.2}}", "cylinder": "shape: {cylinder: {radius: 0.1, length: 0.2}}",
    "cone": "shape: {cone: {radius: 0.1, height: 0.2}}", "hull": f"shape: {{hull: {PEBBLE}}}",
    "parts": "parts: [{shape: {sphere: 0.1}, position: [0, 0, 0.2]}, {shape: {box: [0.1, 0.1, 0.2]}, rotation: {axis: [1, 0, 0], angle: 1}}]",
}
WRONG_PLANE = {"disc": "shape: {disc: 0.1}", "box of the plane": "shape: {box: [0.2, 0.1]}", "polygon": "shape: {polygon: [[0, 0], [0.2, 0], [0, 0.2]]}",
               "capsule of the plane": "shape: {capsule: {radius: 0.05, length: 0.2}}"}


def wrong_scene(body, planar, mass=""):
    place = "position: [0, 0.3], velocity: [1, 0], spin: 5" if planar else "position: [0, 0, 0.35], velocity: [1, 0, 0], spin: [1, 2, 5]"
    floor = PLANE.replace("plane", "half_plane") if planar else PLANE
    head = "thud: 1\n" + ("planar: true\n" if planar else "") + "materials: {stone: {friction: 0.5, density: 2600}}\n"
    return scene(floor, f"{{name: it, {body}, material: stone, {mass}{place}}}", head=head, simulate="{end: 0.3, step: 0.01}")


def resolved_of(text, here):
    (here / "resolved.yaml").write_text(text)
    return json.loads(thud("check", "--resolved", "resolved.yaml", cwd=here).stdout)


def pretend(record, given, resolved, here, paths=("/scene", "/source")):
    """The record with another scene, as if the program had read that one."""
    (here / "given.txt").write_text(given)
    (here / "resolved.txt").write_text(json.dumps(resolved))
    (here / "pretended.h5").write_bytes((here / record).read_bytes())
    for path in (*paths, "/resolved"):
        os.replace(here / "pretended.h5", here / "before.h5")
        text = "resolved.txt" if path == "/resolved" else "given.txt"
        subprocess.run([TAMPER, "before.h5", "pretended.h5", path, "=", text], check=True, cwd=here)
    done = json.loads(thud("verify", "--json", "--no-seal", "pretended.h5", cwd=here).stdout)
    return {check["name"]: (check["status"], check.get("detail", "")) for check in done["checks"]}


def check_wrong_programs(here):
    """A motion with a wrong inertia: given instead of that of the shape, and the scene of the record is the one without it."""
    for name, body in [*WRONG.items(), *WRONG_PLANE.items()]:
        planar = name in WRONG_PLANE
        true = wrong_scene(body, planar)
        resolved = resolved_of(true, here)
        right = resolved["all_bodies"]["types"][1]
        inertia = right["inertia"] * 1.01 if planar else [right["inertia"][3 * k:3 * k + 3] for k in range(3)]
        if not planar:
            inertia = [[1.01 * moment for moment in row] for row in inertia]
        false = wrong_scene(body, planar, f"mass: {right['mass']!r}, centre: {right['centre']}, inertia: {inertia}, ")
        if not run("false", false, here):
            continue
        says_so = dict(resolved, all_bodies=resolved_of(false, here)["all_bodies"])
        found = pretend("false.h5", true, says_so, here)
        report(f"{name}: a wrong inertia that the run writes is found by its name",
               found["model"][0] == "failed" and "inertia" in found["model"][1] and "'it'" in found["model"][1], found)
        found = pretend("false.h5", true, resolved, here)
        report(f"{name}: a wrong inertia that the run hides is found in the motion",
               found["model"][0] == "passed" and found["momentum"][0] == "failed" and found["resolved"][0] == "passed", found)


def check_wrong_changes(here):
    """A motion whose changes are others than those of its scene, with the events that belong to them."""
    for name, false, true in (("changes", "do: add, body: b, spin", "do: add, body: b, position: [0, 2, 0.11], spin"),
                              ("changes", "friction: 0.3}\n  - {at: 0.5", "friction: 0.31}\n  - {at: 0.5"),
                              ("changes", "friction: 0.3}\n  - {at: 0.5", "friction: 0.3, restitution: 0.2}\n  - {at: 0.5"),
                              ("changes", "materials: [wood, ice]", "materials: [wood, wood]"),
                              ("changes", ", lasting: true", ""),
                              ("changes", "point: [0.1, 0, 0]", "point: [0.09, 0, 0]"),
                              ("changes", "material: ice}\n  - {at: 0.3,", "material: ice, part: 0}\n  - {at: 0.3,"),
                              ("changes", "position: [5, 0, 0.5]", "position: [5, 0, 0.501]"),
                              ("planar_changes", "point: [0, 0.1]", "point: [0.01, 0.1]"),
                              ("planar_changes", "position: [5, 0.5]", "position: [5.001, 0.5]")):
        text = SOUND[name].replace(false, true)
        found = pretend(f"{name}.h5", text, resolved_of(text, here), here)
        report(f"{name}: a scene with {true!r} in place of {false!r} is found", text != SOUND[name] and found["resolved"][0] == "passed"
               and found["events"][0] == "failed" and "is not among the events" in found["events"][1], found)


SIZES = (("sphere", "{%s}"), ("box", "{[%s, %s, %s]}"), ("ellipsoid", "{[%s, %s, %s]}"), ("capsule", "{{radius: %s, length: %s}}"),
         ("cylinder", "{{radius: %s, length: %s}}"), ("cone", "{{radius: %s, height: %s}}"), ("hull", ""))


def random_shape(draw, scale):
    """Sizes over two decades; hulls of points that are rounded to 3, 9 or 17 digits, some of them on common planes."""
    word, form = draw.choice(SIZES)
    if word == "hull":
        digits = draw.choice((3, 9, 17))
        points = [[scale * draw.choice((-0.1, 0.1, draw.uniform(-0.1, 0.1))) for _ in "xyz"] for _ in range(draw.randint(8, 30))]
        leaning = [(0.8 * x - 0.6 * y, 0.6 * x + 0.8 * y, z) for x, y, z in points + [[scale * c for c in p] for p in ((0.2, 0, 0), (0, 0.2, 0), (0, 0, 0.2))]]
        return "{hull: [" + ", ".join("[" + ", ".join(f"{c:.{digits}g}" for c in p) + "]" for p in leaning) + "]}"
    numbers = tuple(f"{scale * 10 ** draw.uniform(-3, -0.7):.17g}" for _ in range(form.count("%s")))
    return "{" + word + ": " + form[1:-1] % numbers + "}"


def check_random_bodies(here):
    """Compounds of random solids in m, mm and km: the run's masses, centres and inertias are the rebuilt ones to rounding."""
    for seed in range(12):
        draw = random.Random(seed)
        unit, scale = draw.choice((("m", 1), ("mm", 1e3), ("km", 1e-3)))
        bodies = []
        for k in range(4):
            parts = ", ".join(f"{{shape: {random_shape(draw, scale)}, density: {draw.uniform(1, 1e4):.6g}, position: [{scale * draw.uniform(-1, 1):.6g}, 0, "
                              f"{scale * draw.uniform(-1, 1):.6g}], rotation: {{axis: [1, {draw.uniform(-1, 1):.4g}, 1], angle: {draw.uniform(-3, 3):.4g}}}}}"
                              for _ in range(draw.randint(1, 4)))
            bodies.append(f"{{name: b{k}, position: [{9 * k * scale:g}, 0, 0], parts: [{parts}]}}")
        if run("random", scene(*bodies, head=f"thud: 1\nunits: {{length: {unit}}}\n", simulate="{end: 0.02, step: 0.01}"), here):
            statuses, verdict, said = checks_of("random.h5", here)
            report(f"random bodies {seed}: are rebuilt", verdict == "good", said)


def check_file(here):
    """A program that reads another friction than the file says: its scene, its list and its motion agree with each other."""
    true = wrong_scene(WRONG["box"], False)
    false = true.replace("friction: 0.5", "friction: 0.4")
    if run("file", false, here):
        found = pretend("file.h5", true, resolved_of(false, here), here, paths=("/source",))
        report("a scene that is not that of its file is found", found["resolved"][0] == "failed" and
               "0.5 in the file that was given, in the scene of the record the number 0.4" in found["resolved"][1], found)
    (here / "set.yaml").write_text(true)
    done = thud("run", "set.yaml", "-f", "-q", "--set", "materials.stone.friction=0.3", "--set", "bodies.1.density=5", cwd=here)
    statuses, verdict, said = checks_of("set.h5", here)
    report("changes by --set are no difference from the file", done.returncode == 0 and verdict == "good", said)


with folder() as name_of_folder:
    here = pathlib.Path(name_of_folder)
    check_wrong_programs(here)
    check_file(here)
    check_random_bodies(here)
    for name, text in SOUND.items():
        if not run(name, text, here):
            continue
        statuses, verdict, said = checks_of(f"{name}.h5", here)
        bad = [check for check, status in statuses.items() if status not in ("passed", "not applicable")]
        report(f"{name}: is verified", verdict == "good" and not bad, said)
        if name != "thinned":
            skipped = [check for check, status in statuses.items() if status != "passed"]
            report(f"{name}: every check could be made", not skipped, skipped)
    check_wrong_changes(here)
    for path, index, part, expected in CHANGES:
        statuses, what = changed("slope.h5", here, path, index, part)
        failed = [check for check, status in statuses.items() if status == "failed"]
        report(f"a changed number of {path}[{index}] fails '{expected}'", set(expected.split()) & set(failed), f"{what}; failed: {failed}")
    # Values of the changes in their order: add (position, rotation, velocity, spin), material (part, material), impulse (P, M, lever),
    # force (f, torque, lever, lasting), pair (two materials, friction, ...), state.
    for what, index, expected in (("place of an added body", 0, "drift"), ("rotation of an added body", 3, "structure events"), ("spin of an added body", 12, "drift events"),
                                  ("material", 14, "events"), ("impulse", 17, "drift events"), ("moment", 19, "drift events"), ("lever", 21, "drift"),
                                  ("force", 24, "momentum events"), ("torque", 29, "momentum events"), ("lasting", 33, "events"),
                                  ("friction of a pair", 36, "law"), ("state", 44, "drift"), ("velocity of a state", 53, "drift events")):
        statuses, said = changed("changes.h5", here, "/events/data/values/values", index, 1e-3)
        failed = [check for check, status in statuses.items() if status == "failed"]
        report(f"another {what} of a change fails '{expected}'", set(expected.split()) & set(failed), f"{said}; failed: {failed}")
    index = numbers_of_mass("slope.h5", here)
    statuses, what = changed("slope.h5", here, "/resolved", index, 1e-3) if index is not None else ({}, "no mass was found")
    report("a changed mass of the list of bodies fails 'model'", statuses.get("model") == "failed", f"{what}; {statuses}")
    plain = thud("verify", "slope.h5", cwd=here).stdout
    report("the report says how many steps were rebuilt", "150 whole steps" in plain, plain)
    report("the verdict says how many steps and contacts were checked", "verdict: good; checked 150 of 150 steps, " in plain, plain)
    checked = json.loads(thud("verify", "--json", "thinned.h5", cwd=here).stdout)["checked"]
    report("of a thinned record some", checked["unit"] == "steps" and 4 <= checked["count"] < 30 and checked["of"] == 150
           and checked["contacts"] > 4, checked)
end()
