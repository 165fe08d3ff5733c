"""thud verify on records of rigid bodies: sound ones of every kind of scene are good, and one changed number is found by the
check that it concerns."""
import json
import os
import pathlib
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
    ("/frames/data/penetration", 100, 1, "penetration"),
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


with folder() as name_of_folder:
    here = pathlib.Path(name_of_folder)
    for name, text in SOUND.items():
        if not run(name, text, here):
            continue
        statuses, verdict, said = checks_of(f"{name}.h5", here)
        bad = [check for check, status in statuses.items() if status not in ("passed", "not applicable")]
        report(f"{name}: is verified", verdict == "good" and not bad, said)
        if name != "thinned":
            skipped = [check for check, status in statuses.items() if status != "passed"]
            report(f"{name}: every check could be made", not skipped, skipped)
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
    report("a changed mass of the list of bodies fails 'momentum'", statuses.get("momentum") == "failed", f"{what}; {statuses}")
    plain = thud("verify", "slope.h5", cwd=here).stdout
    report("the report says how many steps were rebuilt", "150 whole steps" in plain, plain)
end()
