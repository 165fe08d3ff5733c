"""Scenes of rigid bodies: every key, bad input of every kind, generators (counts, no overlap, the same bits from the same
seed), tables in files, units, resumed runs, whole rows, dumped problems, the keys of the JSON result."""
import json
import math
import pathlib
import re
import struct
import sys

from thudcli import ROOT, close, end, folder, refused, report, stopped_early, thud, thud_json

STONE = "materials: {stone: {friction: 0.5, density: 2600}, ice: {friction: 0}}\n"
BALL = "{name: ball, shape: {sphere: 0.1}, material: stone, position: [0, 0, 1]}"
SIMULATE = "simulate: {end: 0.02, step: 0.005}\n"


def scene(*bodies, head=STONE, simulate=SIMULATE, more=""):
    return f"thud: 1\n{head}bodies:\n" + "".join(f"  - {body}\n" for body in bodies) + more + simulate


def planar(*bodies, **keywords):
    return scene(*bodies, head="planar: true\n" + STONE, **keywords)


def written(name, text):
    (here / name).write_text(text)
    return name


def shaped(shape):
    return scene(f"{{name: ball, shape: {shape}, material: stone}}")


def of_ball(what):
    return scene(f"{{name: ball, shape: {{sphere: 0.1}}, material: stone, {what}}}")


def generated(what, body="body: {shape: {sphere: 0.1}, material: stone}"):
    return scene(f"{{generate: {what}, {body}}}")


def table(text, body="{material: stone}", name="grains.csv"):
    (here / name).write_text(text)
    return scene(f"{{file: {name}, name: grain, body: {body}}}")


def of_files(text, shape="hull"):
    (here / "grains.csv").write_text(text)
    return scene(f"{{fixed: true, material: stone, shape: {{{shape}: {{file: grains.csv}}}}}}")


BAD = [
    ("an unknown key of a body", lambda: of_ball("colour: red"), ["bad.yaml:4:", "/bodies/0", "unknown key 'colour'"]),
    ("a key that is nearly right", lambda: of_ball("centre_of_mass: 0"), ["unknown key"]),
    ("center", lambda: of_ball("mass: 1, center: [0, 0, 0]"), ["did you mean 'centre'?"]),
    ("an unknown material", lambda: scene(BALL.replace("stone", "ston")), ["there is no material 'ston'; did you mean 'stone'?"]),
    ("an unknown shape", lambda: shaped("{spere: 1}"), ["there is no shape 'spere'; did you mean 'sphere'? There are: sphere, "]),
    ("an unknown named shape", lambda: shaped("brck").replace("bodies:", "shapes: {brick: {box: [1, 1, 1]}}\nbodies:"), ["did you mean 'brick'?"]),
    ("a shape of the plane", lambda: shaped("{disc: 1}"), ["'disc' is a shape of the plane"]),
    ("a shape of space", lambda: planar("{shape: {sphere: 1}, material: stone}"), ["'sphere' is a shape of space"]),
    ("a shape without its size", lambda: shaped("sphere"), ["'sphere' needs its size"]),
    ("a size of a plane", lambda: shaped("{plane: 1}"), ["'plane' has no size"]),
    ("two shapes at once", lambda: shaped("{sphere: 1, box: [1, 1, 1]}"), ["one entry like {sphere: 0.1}"]),
    ("a shape and parts", lambda: of_ball("parts: []"), ["either a 'shape' or 'parts'"]),
    ("no parts", lambda: scene("{name: ball, parts: []}"), ["at least one part"]),
    ("a name of a shape that is taken", lambda: shaped("sphere").replace("bodies:", "shapes: {box: {sphere: 1}}\nbodies:"), ["is a shape already"]),
    ("a radius of 0", lambda: shaped("{sphere: 0}"), ["greater than 0"]),
    ("a negative edge", lambda: shaped("{box: [1, -1, 1]}"), ["/bodies/0/shape/box/1", "longer than 0"]),
    ("two edges in space", lambda: shaped("{box: [1, 1]}"), ["3 numbers are needed here, not 2"]),
    ("a flat hull", lambda: shaped("{hull: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]}"), ["/bodies/0/shape/hull"]),
    ("a mesh with a hole", lambda: scene("{fixed: true, material: stone, shape: {mesh: {vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], triangles: [[0, 2, 1], [0, 1, 3], [1, 2, 3]]}}}"), ["/bodies/0/shape/mesh"]),
    ("a corner that is no vertex", lambda: scene("{fixed: true, material: stone, shape: {mesh: {vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0]], triangles: [[0, 1, 3]]}}}"), ["from 0 to 2, not 3"]),
    ("heights without a size", lambda: scene("{fixed: true, material: stone, shape: {height_field: {heights: [[0, 0], [0, 0]]}}}"), ["either 'size'", "'spacing'"]),
    ("one line of heights", lambda: scene("{fixed: true, material: stone, shape: {height_field: {size: [1, 1], heights: [[0, 0]]}}}"), ["2 x 2 heights"]),
    ("a plane that falls", lambda: scene("{name: ball, shape: plane, mass: 1, material: stone}"), ["/bodies/0", "ball"]),
    ("no mass", lambda: scene(BALL.replace("stone", "ice")), ["this body has no mass"]),
    ("a mass of 0", lambda: of_ball("mass: 0"), ["'mass' must be greater than 0, not 0"]),
    ("a negative mass", lambda: of_ball("mass: -1"), ["'mass' must be greater than 0, not -1"]),
    ("a negative density", lambda: of_ball("density: -1"), ["'density' must be 0 or greater"]),
    ("an inertia without a mass", lambda: of_ball("inertia: [1, 1, 1]"), ["goes with a given 'mass'"]),
    ("an inertia of no body", lambda: of_ball("mass: 1, inertia: [1, 1, 3]"), ["this is no inertia"]),
    ("an inertia that is not symmetric", lambda: of_ball("mass: 1, inertia: [[1, 0.1, 0], [0, 1, 0], [0, 0, 1]]"), ["this is no inertia"]),
    ("not a number", lambda: of_ball("mass: .nan"), ["bad.yaml:4:"]),
    ("an expression that is not finite", lambda: of_ball("mass: 1/0"), ["give a finite number"]),
    ("a mass that changes", lambda: of_ball("mass: t"), ["depends on time"]),
    ("a quaternion of norm 2", lambda: of_ball("rotation: [2, 0, 0, 0]"), ["of norm 1 is needed, not 2"]),
    ("an axis without a direction", lambda: of_ball("rotation: {axis: [0, 0, 0], angle: 1}"), ["an axis needs a direction"]),
    ("an axis without an angle", lambda: of_ball("rotation: {axis: [0, 0, 1]}"), ["angle"]),
    ("two names", lambda: scene(BALL, BALL), ["bad.yaml:5:", "/bodies/1", "'ball' is named twice; the first one is on line 4"]),
    ("an empty name", lambda: scene(BALL.replace("ball", "''")), ["a name has from 1 to"]),
    ("a name with a comma", lambda: scene(BALL.replace("name: ball", "name: 'a,b'")), ["no commas"]),
    ("a fixed body that moves", lambda: scene("{shape: plane, fixed: true, material: stone, velocity: [1, 0, 0]}"), ["'velocity' is of bodies that forces move"]),
    ("a fixed body with a path", lambda: of_ball("fixed: true, path: {position: [0, 0, 0]}"), ["leave out one of them"]),
    ("a path and a position", lambda: of_ball("position: [0, 0, 0], path: {position: [0, 0, 0]}"), ["the path says where the body is"]),
    ("a path with a typing error", lambda: of_ball("path: {position: [0, 0, 'sin(t']}"), ["/bodies/0/path/position/2"]),
    ("a path that jumps", lambda: of_ball("path: {position: [0, 0, 'step(t - 0.01)']}"), ["this path jumps at t = 0.01, from 0 to 1"]),
    ("a path that is not finite", lambda: of_ball("path: {position: [0, 0, 'log(t)']}"), ["not finite at t = 0"]),
    ("an angle without an axis", lambda: of_ball("path: {angle: t}"), ["an angle needs the 'axis'"]),
    ("a path of x", lambda: of_ball("path: {position: [0, 0, x]}"), ["unknown name 'x'"]),
    ("a force of an unknown name", lambda: of_ball("force: [0, 0, zz]"), ["/bodies/0/force/2", "unknown name 'zz'"]),
    ("a force of two numbers", lambda: of_ball("force: [0, 0]"), ["3 numbers or expressions are needed here, not 2"]),
    ("a parameter called x", lambda: of_ball("force: [0, 0, x]").replace("bodies:", "parameters: {x: 1}\nbodies:"), ["/bodies/0/force", "'x'"]),
    ("friction below 0", lambda: scene(BALL).replace("friction: 0.5", "friction: -1"), ["/materials/stone/friction", "'friction' must be 0 or greater"]),
    ("restitution above 1", lambda: scene(BALL).replace("friction: 0.5", "restitution: 1.5"), ["'restitution' is from 0 to 1, not 1.5"]),
    ("two frictions without an axis", lambda: scene(BALL).replace("friction: 0.5", "friction: [0.5, 0.2]"), ["need the 'axis'"]),
    ("an axis with one friction", lambda: scene(BALL).replace("friction: 0.5", "friction: 0.5, axis: [1, 0, 0]"), ["an axis goes with two frictions"]),
    ("two frictions in the plane", lambda: planar("{shape: {disc: 1}, material: stone}").replace("friction: 0.5", "friction: [0.5, 0.2], axis: [1, 0, 0]"), ["in the plane friction is one number"]),
    ("spinning in the plane", lambda: planar("{shape: {disc: 1}, material: stone}").replace("friction: 0.5", "spinning: 0.5"), ["'spinning' needs a scene in space"]),
    ("a pair of one material", lambda: scene(BALL, more="pairs:\n  - {materials: [stone]}\n"), ["a pair is two materials, not 1"]),
    ("a pair with an unknown material", lambda: scene(BALL, more="pairs:\n  - {materials: [stone, icy]}\n"), ["/pairs/0/materials/1", "did you mean 'ice'?"]),
    ("a pair with a density", lambda: scene(BALL, more="pairs:\n  - {materials: [stone, ice], density: 1}\n"), ["unknown key 'density'"]),
    ("a spring of an unknown body", lambda: scene(BALL, more="springs:\n  - {a: bll, stiffness: 1}\n"), ["there is no body 'bll'; did you mean 'ball'?"]),
    ("a spring of negative stiffness", lambda: scene(BALL, more="springs:\n  - {a: ball, stiffness: -1}\n"), ["'stiffness' must be 0 or greater"]),
    ("a spring from a body to itself", lambda: scene(BALL, more="springs:\n  - {a: ball, b: ball, stiffness: 1}\n"), ["/springs/0"]),
    ("no bodies", lambda: "thud: 1\nbodies: []\n" + SIMULATE, ["at least one body"]),
    ("bodies as a map", lambda: "thud: 1\nbodies: {a: 1}\n" + SIMULATE, ["/bodies"]),
    ("initial", lambda: scene(BALL, more="initial: {x: 1}\n"), ["bodies have no 'initial'"]),
    ("gravity in the plane with three numbers", lambda: planar("{shape: {disc: 1}, material: stone}", more="gravity: [0, 0, -9.81]\n"), ["/gravity", "2 numbers are needed here, not 3"]),
    ("planar: 1", lambda: scene(BALL, more="planar: 1\n"), ["/planar"]),
    ("an unknown unit", lambda: scene(BALL, more="units: {lenght: mm}\n"), ["did you mean 'length'?"]),
    ("an empty unit", lambda: scene(BALL, more="units: {length: ''}\n"), ["/units/length", "from 1 to 20 bytes"]),
    ("an unknown option", lambda: scene(BALL, simulate="simulate: {end: 1, step: 0.1, tolerence: 1}\n"), ["did you mean 'tolerance'?"]),
    ("a tolerance of 0", lambda: scene(BALL, simulate="simulate: {end: 1, step: 0.1, tolerance: 0}\n"), ["/simulate/tolerance"]),
    ("the solver's tolerance", lambda: scene(BALL, simulate="simulate: {end: 1, step: 0.1, solver: {tolerance: 1}}\n"), ["'tolerance' of 'simulate'"]),
    ("a step and steps", lambda: scene(BALL, simulate="simulate: {end: 1, step: 0.1, steps: 10}\n"), ["give either 'step'"]),
    ("an unknown key of record", lambda: scene(BALL, more="record: {contact: true}\n"), ["did you mean 'contacts'?"]),
    ("a key of bodies in another scene", lambda: "thud: 1\nmaterials: {}\nsystem: {coordinates: [x], mass: [1]}\ninitial: {x: 0}\n" + SIMULATE, ["unknown key 'materials'"]),
    ("overlapping bodies", lambda: scene(BALL, BALL.replace("ball", "second").replace("[0, 0, 1]", "[0, 0.15, 1]")), ["bad.yaml:4:", "/bodies/0", "'ball' and 'second' by 0.05", "relax: true"]),
    ("an unknown generator", lambda: generated("gird"), ["/bodies/0/generate", "grid"]),
    ("a key of another generator", lambda: generated("grid, counts: [1, 1, 1], spacing: 1, gap: 1"), ["unknown key 'gap'"]),
    ("a grid of two counts", lambda: generated("grid, counts: [1, 1], spacing: 1"), ["3 numbers are needed here, not 2"]),
    ("a thousand million bodies", lambda: generated("grid, counts: [1000, 1000, 1000], spacing: 1"), ["1e+09 bodies are asked for, at most 1000000"]),
    ("a thousand million bodies in a box", lambda: generated("packing, count: 1.0e+9, low: [0, 0, 0], high: [1, 1, 1]"), ["from 1 to 1e+06"]),
    ("a grid that overlaps", lambda: generated("grid, name: g, counts: [2, 1, 1], spacing: 0.15"), ["'g-1' and 'g-2' by 0.05"]),
    ("a packing that is too dense", lambda: generated("packing, count: 126, low: [0, 0, 0], high: [1, 1, 1]"), ["126 bodies of radius 0.1 do not fit", "at most 125 do"]),
    ("a box like a thread", lambda: generated("packing, count: 3, low: [0, 0, 0], high: [1, 1, 1.0e+9]"), ["too long for its width: it has 1e+09 cells"]),
    ("a box like a leaf", lambda: generated("packing, count: 3, low: [0, 0, 0], high: [1, 1, 1.0e-320]"), ["3 bodies of radius 0.1 do not fit", "at most 0 do"]),
    ("an empty box", lambda: generated("packing, count: 1, low: [0, 0, 0], high: [1, 0, 1]"), ["the box is empty: 0 is not above 0"]),
    ("a heap that is too dense", lambda: generated("heap, count: 5, spacing: 0.2"), ["overlap with a spacing of 0.2"]),
    ("a wall of balls", lambda: generated("wall, columns: 2, courses: 2"), ["a wall is built of boxes"]),
    ("an arch with a shape", lambda: generated("arch, count: 5, radius: 1, thickness: 0.1"), ["get their shape from the generator"]),
    ("an arch of one", lambda: generated("arch, count: 1, radius: 1, thickness: 0.1", "body: {material: stone}"), ["needs more voussoirs than 1"]),
    ("an arch that is too thick", lambda: generated("arch, count: 9, radius: 1, thickness: 2", "body: {material: stone}"), ["leaves nothing of the radius 1"]),
    ("a chain of one", lambda: generated("chain, count: 1, from: [0, 0, 0], to: [1, 0, 0], stiffness: 1"), ["two bodies at least"]),
    ("a chain without stiffness", lambda: generated("chain, count: 2, from: [0, 0, 0], to: [1, 0, 0]"), ["stiffness"]),
    ("a drum with a body", lambda: generated("drum, radius: 1, length: 1, angle: t"), ["a drum has 'material'"]),
    ("a generated body with a position", lambda: generated("grid, counts: [1, 1, 1], spacing: 1", "body: {shape: {sphere: 1}, material: stone, position: [0, 0, 0]}"), ["unknown key 'position'"]),
    ("no file", lambda: scene("{file: nothing.csv, body: {material: stone}}"), ["/bodies/0/file", "nothing.csv"]),
    ("a file elsewhere", lambda: scene("{file: ../x.csv, body: {material: stone}}"), ["a name without '/'"]),
    ("an unknown column", lambda: table("x,y,z,radios\n0,0,0,1\n"), ["grains.csv, line 1: unknown column 'radios'; did you mean 'radius'?"]),
    ("a missing column", lambda: table("x,y,radius\n0,0,1\n"), ["there is no column 'z'"]),
    ("a column of the plane", lambda: table("x,y,z,angle,radius\n0,0,0,0,1\n"), ["bodies of space have no column 'angle'"]),
    ("a ragged line", lambda: table("x,y,z,radius\n0,0,0,1\n0,0,5\n"), ["grains.csv, line 3: 3 fields, 4 are needed"]),
    ("a word for a number", lambda: table("x,y,z,radius\n0,0,here,1\n"), ["grains.csv, line 2: a finite number is needed, not 'here'"]),
    ("nan in a table", lambda: table("x,y,z,radius\n0,0,nan,1\n"), ["grains.csv, line 2: a finite number is needed, not 'nan'"]),
    ("a radius of 0 in a table", lambda: table("x,y,z,radius\n0,0,0,0\n"), ["line 2: a size must be greater than 0"]),
    ("three columns of a quaternion", lambda: table("x,y,z,qw,qx,qy,radius\n0,0,0,1,0,0,1\n"), ["come together"]),
    ("a quaternion that is none", lambda: table("x,y,z,qw,qx,qy,qz,radius\n0,0,0,1,1,0,0,1\n"), ["line 2: the quaternion has not the norm 1"]),
    ("two columns of one name", lambda: table("x,y,z,x\n0,0,0,1\n"), ["two columns are called 'x'"]),
    ("an empty table", lambda: table(""), ["is empty"]),
    ("a table without bodies", lambda: table("x,y,z,radius\n"), ["has no bodies"]),
    ("a table of bytes", lambda: table("x\0y"), ["a text with a table is needed"]),
    ("a name twice in a table", lambda: table("x,y,z,radius,name\n0,0,0,0.1,a\n1,0,0,0.1,a\n"), ["grains.csv, line 3: another body has the name 'a'"]),
    ("a radius of boxes", lambda: table("x,y,z,radius\n0,0,0,1\n", "{shape: {box: [1, 1, 1]}, material: stone}"), ["goes with spheres and discs"]),
    ("a mass of bodies with radii", lambda: table("x,y,z,radius\n0,0,0,1\n", "{mass: 1, material: stone}"), ["have a 'density', not one mass"]),
    ("points of a file with a ragged line", lambda: of_files("0 0 0\n1 0\n"), ["line 2 has 2 numbers, the first one 3"]),
    ("points of a file with a word", lambda: of_files("0 0 0\n1 0 up\n"), ["line 2", "a number is needed, not 'up'"]),
    ("points of a file with two numbers each", lambda: of_files("0 0\n1 0\n"), ["3 numbers per point are needed, not 2"]),
    ("a mesh file without triangles", lambda: of_files("v 0 0 0\n", "mesh"), ["no triangles; OFF, OBJ and STL files are read"]),
    ("a mesh file with a vertex too few", lambda: of_files("v 0 0 0\nv 1 0 0\nf 1 2 3\n", "mesh"), ["line 3: there is no vertex '3'"]),
    ("a mesh file that ends too early", lambda: of_files("OFF\n3 1 0\n0 0 0\n1 0 0\n", "mesh"), ["the file ends where a number is needed"]),
    ("a file that is no HDF5", lambda: table("x,y,z\n", name="grains.h5"), ["grains.h5"]),
]


def check_bad_input():
    for name, make, pieces in BAD:
        text = make()
        (here / "bad.yaml").write_text(text)
        refused(name, thud("run", "bad.yaml", cwd=here), pieces, here, {"bad.yaml", "grains.csv", "grains.h5"})


# ---- every key ----

EVERYTHING = f"""thud: 1
title: Every key of bodies
units: {{length: m, mass: kg, time: s}}
parameters: {{a: 0.3}}
planar: false
gravity: [0, 0, -9.81]
materials:
  stone: {{friction: 0.5, restitution: 0, rolling: 0.001, spinning: 0.001, density: 2600}}
  wood: {{friction: [0.4, 0.2], axis: [1, 0, 0], density: 600}}
pairs:
  - {{materials: [stone, wood], friction: 0.6, restitution: 0.1}}
shapes:
  brick: {{box: [0.2, 0.1, 0.06]}}
bodies:
  - {{name: floor, fixed: true, shape: plane, material: stone, rotation: {{axis: [0, 1, 0], angle: a}}}}
  - {{name: ball, shape: {{sphere: 0.1}}, material: stone, position: [0, 0, 1], velocity: [1, 0, 0], spin: [0, 0, 5]}}
  - {{name: given, shape: brick, mass: 2, inertia: [1, 1, 1], centre: [0.01, 0, 0], material: wood, position: [1, 0, 2]}}
  - name: dumbbell
    position: [0, 1, 2]
    rotation: [0.6, 0.8, 0, 0]
    parts:
      - {{shape: {{sphere: 0.1}}, position: [0, 0, 0.2], material: stone}}
      - {{shape: {{capsule: {{radius: 0.02, length: 0.4}}}}, material: wood, density: 600}}
  - name: table
    path: {{position: ["3 + 0.01*sin(20*t)", 3, 0], axis: [0, 0, 1], angle: 0.5*t}}
    shape: {{box: [1, 1, 0.1]}}
  - {{name: rocket, material: stone, position: [-2, 0, 3], shape: {{cylinder: {{radius: 0.1, length: 1}}}},
     force: [0, 0, "20*step(1 - t)"], torque: [0, 0, "-z'"], gravity_scale: 0.5, group: 1, category: 2, mask: 255}}
  - {{name: egg, shape: {{ellipsoid: [0.1, 0.1, 0.2]}}, material: wood, position: [-4, 0, 3]}}
  - {{name: hat, shape: {{cone: {{radius: 0.1, height: 0.3}}}}, material: wood, position: [-6, 0, 4]}}
  - {{name: tetra, shape: {{hull: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}}, material: wood, position: [-8, 0, 5]}}
  - {{name: dust, shape: particle, mass: 0.1, material: wood, position: [-9, 4, 5]}}
  - {{name: hills, fixed: true, shape: {{height_field: {{size: [2, 2], heights: [[0, 0], [0, 0.1]]}}}}, position: [20, 0, 0], material: wood}}
springs:
  - {{name: s, a: ball, at_a: [0, 0, 0.1], b: given, length: 0.1, stiffness: 100, damping: 1}}
  - {{a: dust, at_b: [-9, 4, 6], stiffness: 1}}
simulate: {{end: 0.1, step: 0.005, tolerance: 1.0e-8, predicted: true, solver: {{max_iterations: 20000}}}}
record: {{every: 0.01, contacts: true, whole_every: 2, checkpoint_every: 0.05}}
"""


def check_everything():
    written("all.yaml", EVERYTHING)
    result = thud_json("run", "all.yaml", "-o", "all.h5", "-f", cwd=here)
    report("every key runs", result["verdict"] == "good" and result["bodies"] == 11 and result["steps"] == 20, result)
    wanted = {"bodies", "steps", "residual", "residual_time", "residual_a", "residual_b", "usual_residual", "penetration",
              "penetration_time", "penetration_a", "penetration_b", "contacts", "most_contacts", "islands", "impacts",
              "reduced_restitutions", "unsolved_islands", "projections", "largest_lift", "lost_starts", "ledger", "state"}
    report("keys of the result", wanted <= set(result), wanted - set(result))
    names = ["kinetic", "potential", "work", "kinematic_work", "impact_loss", "friction_loss", "contact_loss", "lift", "defect"]
    report("entries of the ledger", list(result["ledger"]) == names, result["ledger"])
    resolved = json.loads(thud("check", "--resolved", "all.yaml", cwd=here).stdout)
    everyone = resolved["all_bodies"]
    report("the resolved scene has every body", everyone["name"] == ["floor", "ball", "given", "dumbbell", "table", "rocket",
           "egg", "hat", "tetra", "dust", "hills"] and len(everyone["type"]) == 11, everyone["name"])
    kinds = [shape["kind"] for shape in everyone["shapes"]]
    report("and every shape", kinds == ["box", "plane", "sphere", "capsule", "box", "cylinder", "ellipsoid", "cone", "hull",
                                        "sphere", "height-field"], kinds)
    given = everyone["types"][everyone["type"][2]]
    report("a given mass", given["mass"] == 2 and given["centre"] == [0.01, 0, 0] and given["inertia"][::4] == [1, 1, 1], given)
    rocket = everyone["types"][everyone["type"][5]]
    report("forces as they are written", rocket["force"] == ["0", "0", "20*step(1 - t)"] and rocket["torque"][2] == "-z'" and
           rocket["group"] == 1 and rocket["mask"] == 255 and rocket["gravity_scale"] == 0.5, rocket)
    path = everyone["types"][everyone["type"][4]]
    report("paths as they are written", path["role"] == "kinematic" and path["path"] == ["3 + 0.01*sin(20*t)", "3", "0", "0.5*t"], path)
    written("again.yaml", json.dumps(resolved))
    again = thud_json("run", "again.yaml", "-o", "again.h5", "-f", cwd=here)
    report("the resolved scene runs to the same bits", again["state"] == result["state"] and
           thud("check", "--resolved", "again.yaml", cwd=here).stdout == thud("check", "--resolved", "all.yaml", cwd=here).stdout)
    checked = thud_json("check", "all.yaml", cwd=here)
    report("thud check counts", (checked["bodies"], checked["dynamic"], checked["fixed"], checked["kinematic"], checked["springs"],
                                 checked["shapes"]) == (11, 8, 2, 1, 2, 11), checked)


# ---- what moves ----

def rows_of(name, table="--rows"):
    lines = thud("export", name, table, "-o", "-", cwd=here).stdout.splitlines()
    head = [re.sub(r" \[.*", "", word) for word in lines[0].split(",")]
    return [dict(zip(head, line.split(","))) for line in lines[1:]]


def check_paths_and_forces():
    """A body on a path is where its expression says, with the exact derivatives; a force is what it is."""
    text = scene("{name: table, material: stone, shape: {box: [1, 1, 1]}, path: {position: ['sin(3*t)', t^2, 1], axis: [0, 0, 2], angle: 'cos(2*t)'}}",
                 "{name: free, mass: 2, shape: {sphere: 0.1}, position: [9, 9, 9], gravity_scale: 0, force: [4, 0, '-2*t'], torque: [0, 0, 0.016]}",
                 simulate="simulate: {end: 1, steps: 200}\n")
    thud("run", written("path.yaml", text), "-f", "-q", cwd=here)
    last = {key: float(value) for key, value in rows_of("path.h5")[-1].items() if key.split(".")[0] in ("table", "free")}
    for key, value in (("table.x", math.sin(3)), ("table.y", 1), ("table.z", 1), ("table.vx", 3 * math.cos(3)), ("table.vy", 2),
                       ("table.wz", -2 * math.sin(2)), ("table.qw", math.cos(math.cos(2) / 2)), ("table.qz", math.sin(math.cos(2) / 2))):
        close(f"path: {key}", last[key], value, 1e-12)
    # the midpoint rule is exact for forces linear in time as far as velocities go; x'' = 2: exact; I = 2/5 m r^2 = 0.008
    for key, value in (("free.vx", 2), ("free.x", 10), ("free.vz", -0.5), ("free.wz", 2)):
        close(f"force: {key}", last[key], value, 1e-12)


def check_examples():
    """Uniform acceleration is exact in this scheme: the error is that of the contact problems, 1e-8 each."""
    ball = thud_json("run", ROOT / "examples/bodies/ball-on-slope.yaml", "--no-record", cwd=here)
    gone = 5 / 14 * 9.81 * math.sin(0.3)
    close("a rolling ball: how far", ball["state"]["ball.x"], 0.1 * math.sin(0.3) + gone * math.cos(0.3), 1e-7)
    close("a rolling ball: how fast it turns", ball["state"]["ball.wy"], 2 * gone / 0.1, 1e-5)
    close("a rolling ball loses nothing", ball["ledger"]["friction_loss"], 0, 1e-6)
    drum = thud_json("run", ROOT / "examples/bodies/drum.yaml", "--no-record", cwd=here)
    report("a drum", drum["verdict"] == "good" and drum["bodies"] == 61 and drum["ledger"]["kinematic_work"] > 0, drum["ledger"])
    close("a drum turns a quarter", drum["state"]["drum.angle"], -math.pi / 2, 1e-12)
    far = max(math.hypot(drum["state"][f"grain-{k}.x"], drum["state"][f"grain-{k}.y"]) for k in range(1, 61))
    report("no grain leaves it", far < 0.5 / math.cos(math.pi / 24), far)


def check_units():
    """The same fall in m, kg, s and in mm, mg, s; labels follow the units."""
    si = scene("{name: floor, fixed: true, shape: plane, material: stone}",
               "{name: ball, shape: {sphere: 0.001}, density: 1000, position: [0, 0, 0.002]}", simulate="simulate: {end: 0.1, step: 0.001}\n")
    mm = si.replace("bodies:", "units: {length: mm, mass: mg}\ngravity: [0, 0, -9810]\nbodies:").replace("sphere: 0.001", "sphere: 1")
    mm = mm.replace("density: 1000", "density: 1").replace("[0, 0, 0.002]", "[0, 0, 2]")
    first, second = (thud_json("run", written(name, text), "-f", cwd=here) for name, text in (("si.yaml", si), ("mm.yaml", mm)))
    close("m and mm: the same height", second["state"]["ball.z"] / 1000, first["state"]["ball.z"], 1e-12)
    report("the same verdict", first["verdict"] == second["verdict"] == "good", (first["verdict"], second["verdict"]))
    head = thud("export", "mm.h5", "--rows", "-o", "-", cwd=here).stdout.splitlines()[0]
    wanted = ["ball.x [mm]", "ball.vx [mm/s]", "ball.wx [rad/s]", "contact_impulse [mg mm/s]", "kinetic [mg mm^2/s^2]"]
    report("labels of mm and mg", all(word in head for word in wanted) and "[J]" not in head, head)
    shown = thud("run", "mm.yaml", "--no-record", cwd=here).stdout
    report("the report's labels", "mg mm^2/s^2" in shown and " J" not in shown, shown)


# ---- generators ----

GENERATORS = [
    ("grid", "{generate: grid, name: g, counts: [3, 4, 5], spacing: 0.21, jitter: 0.004, seed: 3, body: {shape: {sphere: 0.1}, material: stone}}", 60),
    ("packing", "{generate: packing, name: g, count: 150, low: [0, 0, 0], high: [1.5, 1, 2], seed: 3, scale: [0.5, 1], body: {shape: {sphere: 0.1}, material: stone}}", 150),
    ("packing of boxes", "{generate: packing, name: g, count: 100, low: [0, 0, 0], high: [1, 1, 1], turned: true, body: {shape: {box: [0.1, 0.05, 0.08]}, material: stone}}", 100),
    ("heap", "{generate: heap, name: g, count: 100, body: {shape: {sphere: 0.1}, material: stone}}", 100),
    ("wall", "{generate: wall, name: g, columns: 5, courses: 4, gap: 0.001, body: {shape: {box: [0.2, 0.1, 0.06]}, material: stone}}", 22),
    ("arch", "{generate: arch, name: g, count: 30, radius: 1, thickness: 0.12, body: {material: stone}}", 32),
    ("arch with fixed springers", "{generate: arch, name: g, count: 30, radius: 1, thickness: 0.12, depth: 0.3, springers: fixed, body: {material: stone}}", 30),
    ("tower", "{generate: tower, name: g, count: 20, twist: 0.1, body: {shape: {box: [0.2, 0.1, 0.06]}, material: stone}}", 20),
    ("chain", "{generate: chain, name: g, count: 7, from: [0, 0, 0], to: [1, 0, 0], stiffness: 100, fixed_ends: true, body: {shape: {sphere: 0.05}, material: stone}}", 7),
    ("drum", "{generate: drum, name: g, radius: 1, length: 0.5, segments: 16, angle: t, material: stone, grains: {count: 60, body: {shape: {sphere: 0.06}, material: stone}}}", 61),
]
PLANAR = [
    ("grid of the plane", "{generate: grid, name: g, counts: [3, 4], spacing: 0.21, body: {shape: {disc: 0.1}, material: stone}}", 12),
    ("packing of the plane", "{generate: packing, name: g, count: 40, low: [0, 0], high: [2, 1], turned: true, body: {shape: {box: [0.1, 0.05]}, material: stone}}", 40),
    ("heap of the plane", "{generate: heap, name: g, count: 40, body: {shape: {disc: 0.1}, material: stone}}", 40),
    ("wall of the plane", "{generate: wall, name: g, columns: 5, courses: 4, body: {shape: {box: [0.2, 0.06]}, material: stone}}", 22),
    ("arch of the plane", "{generate: arch, name: g, count: 30, radius: 1, thickness: 0.12, body: {material: stone}}", 32),
    ("tower of the plane", "{generate: tower, name: g, count: 20, body: {shape: {box: [0.2, 0.06]}, material: stone}}", 20),
    ("drum of the plane", "{generate: drum, name: g, radius: 1, angle: t, material: stone, grains: {count: 60, body: {shape: {disc: 0.06}, material: stone}}}", 61),
]


def start_of(name):
    return thud("export", name, "--rows", "--from", "0", "--to", "0", "-o", "-", cwd=here).stdout


def check_generators():
    """A start that overlaps is refused (above), so what runs does not."""
    for make, rows in ((scene, GENERATORS), (planar, PLANAR)):
        for name, body, count in rows:
            text = make(body)
            written("generated.yaml", text)
            first = thud_json("run", "generated.yaml", "-f", cwd=here)
            starts = [rows_of("generated.h5")[0]]
            for other in (text, text.replace("seed: 3", "seed: 4")):
                written("generated.yaml", other)
                thud("run", "generated.yaml", "-f", "-q", cwd=here)
                starts.append(rows_of("generated.h5")[0])
            report(f"{name}: {count} bodies", first["bodies"] == count and first["verdict"] == "good", (first["bodies"], first["verdict"]))
            report(f"{name}: the same bits", starts[0] == starts[1])
            if "seed: 3" in text:
                report(f"{name}: another seed, other places", starts[0] != starts[2])


def check_packing():
    """Balls of different sizes, distances computed here; names in order."""
    written("pack.yaml", scene(GENERATORS[1][1]))
    thud("run", "pack.yaml", "-f", "-q", cwd=here)
    first = rows_of("pack.h5")[0]
    resolved = json.loads(thud("check", "--resolved", "pack.yaml", cwd=here).stdout)["all_bodies"]
    report("names of generated bodies", resolved["name"] == [f"g-{k + 1}" for k in range(150)])
    radii = [resolved["shapes"][resolved["types"][kind]["parts"][0]["shape"]]["radius"] for kind in resolved["type"]]
    places = [[float(first[f"{name}.{axis}"]) for axis in "xyz"] for name in resolved["name"]]
    gaps = [math.dist(a, b) - r - s for i, (a, r) in enumerate(zip(places, radii)) for b, s in list(zip(places, radii))[:i]]
    report("no two balls overlap", min(gaps) >= -1e-12, min(gaps))
    report("sizes within their range", 0.05 <= min(radii) < 0.06 and 0.09 < max(radii) <= 0.1, (min(radii), max(radii)))
    inside = all(-1e-12 <= p[k] - r and p[k] + r <= top + 1e-12 for p, r in zip(places, radii) for k, top in enumerate((1.5, 1, 2)))
    report("all within the box", inside)


def check_arch():
    """Voussoirs between two radii: volume of the whole, weight of each."""
    written("arch.yaml", scene(GENERATORS[5][1]))
    mass = thud_json("check", "arch.yaml", cwd=here)["mass"]
    half, outer, inner = math.pi / 60, 1.06, 0.94
    close("mass of the arch", mass, 2600 * 0.12 * 30 * math.sin(half) * math.cos(half) * (outer ** 2 - inner ** 2), 1e-9)


def check_large():
    text = scene("{name: floor, fixed: true, shape: plane, material: stone}",
                 "{generate: grid, name: ball, counts: [50, 20, 10], spacing: 0.21, position: [0, 0, 0.2], body: {shape: {sphere: 0.1}, material: stone}}")
    report("ten thousand bodies in ten lines", text.count("\n") <= 10 and
           thud_json("check", written("large.yaml", text), cwd=here)["bodies"] == 10001)
    written("large.yaml", text.replace("[50, 20, 10]", "[6, 6, 6]"))
    result = thud_json("run", "large.yaml", "-f", cwd=here)
    rows = rows_of("large.h5")
    whole, touching = [row["whole"] for row in rows], [row["islands"] != "0" for row in rows]
    report("of many bodies the first rows are whole, and the first two steps with contacts", result["verdict"] == "good" and
           len(whole) == 5 and whole[0] == whole[1] == "1" and "0" in whole and
           all(whole[k] == "1" for k in [k for k in range(5) if touching[k]][:2]), (whole, touching))


# ---- tables ----

def check_tables():
    (here / "grains.csv").write_text("# made by hand\nname, x, y, z, radius, vx, vz, wz\nfirst,0,0,1,0.1,1,0,0\n\nsecond,1,0,1,0.2,0,-1,3\n")
    written("table.yaml", scene("{file: grains.csv, body: {material: stone}}"))
    thud("run", "table.yaml", "-f", "-q", cwd=here)
    row = rows_of("table.h5")[0]
    report("a table", row["first.vx"] == "1" and row["second.x"] == "1" and row["second.wz"] == "3" and row["second.vz"] == "-1", row)
    (here / "grains.csv").unlink()
    text = thud("check", "--resolved", "table.yaml", cwd=here)
    report("without its file the scene is refused", text.returncode == 2 and "grains.csv" in text.stderr, text.stderr)
    (here / "grains.csv").write_text("x,y,angle,vx,w,scale\n0,0,0.5,1,2,1\n3,0,0,0,0,2\n")
    written("flat.yaml", planar("{file: grains.csv, name: g, body: {shape: {box: [0.2, 0.1]}, density: 10}}"))
    resolved = json.loads(thud("check", "--resolved", "flat.yaml", cwd=here).stdout)["all_bodies"]
    masses = [resolved["types"][kind]["mass"] for kind in resolved["type"]]
    report("a table of the plane, scaled", resolved["name"] == ["g-1", "g-2"] and abs(masses[0] - 0.2) < 1e-12 and
           abs(masses[1] - 0.8) < 1e-12, masses)


def check_mesh_files():
    """The same tetrahedron as OFF, OBJ and STL of both kinds."""
    points = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    faces = [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)]
    (here / "m.off").write_text("OFF\n4 4 0\n" + "".join("%g %g %g\n" % p for p in points) + "".join("3 %d %d %d\n" % f for f in faces))
    (here / "m.obj").write_text("o tetra\n" + "".join("v %g %g %g\n" % p for p in points) + "".join("f %d//1 %d//1 %d//1\n" % tuple(i + 1 for i in f) for f in faces))
    text = "".join("facet normal 0 0 0\nouter loop\n" + "".join("vertex %g %g %g\n" % points[i] for i in f) + "endloop\nendfacet\n" for f in faces)
    (here / "m.stl").write_text("solid tetra\n" + text + "endsolid\n")
    (here / "b.stl").write_bytes(b"solid but binary".ljust(80) + struct.pack("<I", 4) +
                                 b"".join(struct.pack("<12fH", 0, 0, 0, *(c for i in f for c in points[i]), 0) for f in faces))
    shapes = []
    for name in ("m.off", "m.obj", "m.stl", "b.stl"):
        written("mesh.yaml", scene(f"{{fixed: true, material: stone, shape: {{mesh: {{file: {name}}}}}}}", BALL.replace("[0, 0, 1]", "[5, 5, 5]")))
        shapes.append(json.loads(thud("check", "--resolved", "mesh.yaml", cwd=here).stdout)["all_bodies"]["shapes"][0])
    report("OFF, OBJ, STL: the same mesh", shapes[0]["kind"] == "mesh" and sorted(map(tuple, zip(*[iter(shapes[0]["points"])] * 3))) == sorted(points)
           and all(len(s["triangles"]) == 12 and len(s["points"]) == 12 for s in shapes) and shapes[0] == shapes[1] and shapes[2] == shapes[3], shapes)


def check_number_files():
    """Points and heights from files are those of lists."""
    (here / "points.csv").write_text("# a tetrahedron\n0, 0, 0\n1 0 0\n0;1;0\n\n0 0 1\n")
    (here / "heights.txt").write_text("0 0.1 0\n0.2 0 0\n")
    hulls, fields = (("{file: points.csv}", "[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]"),
                     ("{size: [2, 1], file: heights.txt}", "{spacing: [1, 1], heights: [[0, 0.1, 0], [0.2, 0, 0]]}"))
    both = []
    for hull, field in zip(hulls, fields):
        written("files.yaml", scene(f"{{shape: {{hull: {hull}}}, material: stone, position: [9, 9, 9]}}",
                                    f"{{fixed: true, material: stone, shape: {{height_field: {field}}}}}"))
        both.append(json.loads(thud("check", "--resolved", "files.yaml", cwd=here).stdout)["all_bodies"]["shapes"])
    report("hulls and height fields of files", both[0] == both[1] and both[0][1]["columns"] == 3, both)


# ---- records and runs ----

PILE = scene("{name: floor, fixed: true, shape: plane, material: stone}",
             "{generate: heap, name: b, count: 14, position: [0, 0, 0.05], body: {shape: {sphere: 0.1}, material: stone}}",
             simulate="simulate: {end: 1, steps: STEPS}\n", more="record: {every: 0.01, checkpoint_every: 0.01}\n")


def check_resume():
    """Bodies of a file, which is gone when the run goes on."""
    grains = "x,y,z,radius\n" + "".join(f"{0.19 * (k % 2)},{0.1 * k},{0.11 + 0.21 * (k % 3)},0.1\n" for k in range(12))
    pile = PILE.replace("{generate: heap, name: b, count: 14, position: [0, 0, 0.05], body: {shape: {sphere: 0.1}, material: stone}}",
                        "{file: grains.csv, name: b, body: {material: stone}}")
    (here / "grains.csv").write_text(grains)
    written("part.yaml", pile.replace("STEPS", "1000"))
    code, _ = stopped_early(here, "run", "part.yaml", "-o", "part.h5", "-f")
    (here / "grains.csv").unlink()
    done = thud("run", "--resume", "part.h5", "-q", cwd=here)
    (here / "grains.csv").write_text(grains)
    thud("run", "part.yaml", "-o", "whole.h5", "-f", "-q", cwd=here)
    both = [thud("export", name, "--rows", "-o", "-", cwd=here).stdout for name in ("part.h5", "whole.h5")]
    report("stopped and resumed, the same bits", code == 130 and done.returncode == 0 and both[0] == both[1] and both[0].count("\n") > 90,
           (code, done.stderr, both[0].count("\n"), both[1].count("\n")))


def check_whole_rows():
    """Of a whole row the positions before the step are q - lift - h/2 v - h/2 v_left."""
    text = PILE.replace("STEPS", "200").replace("every: 0.01, checkpoint_every: 0.01", "whole_every: 5, contacts: false")
    thud("run", written("rows.yaml", text), "-f", "-q", cwd=here)
    rows = rows_of("rows.h5")
    marks = [row["whole"] == "1" for row in rows]
    report("every fifth row is whole", len(marks) == 201 and all(marks[::5]), marks)
    touching, struck = ([k for k, row in enumerate(rows) if row["islands"] != "0"],
                        sorted({int(event["frame"]) for event in rows_of("rows.h5", "--events") if event["kind"] == "impact"}))
    report("and the first two steps with contacts, and with impacts", struck and all(marks[k] for k in touching[:2] + struck[:2]), struck)
    report("and few others", 0 < sum(marks) - 41 <= 2 + 2 + 2 + 2 * 8 + 1, sum(marks))
    empty = all(not row["contact_a"] and not row["velocity_left"] for row in rows if row["whole"] == "0")
    report("the others have neither contacts nor velocities before", empty and any(row["contact_a"] for row in rows))
    worst = 0
    for before, row in zip(rows, rows[1:]):
        if row["whole"] != "1":
            continue
        left = [[float(x) for x in part.split(";")] for part in row["velocity_left"].split(" ")]
        lifts = dict(zip(row["lift_body"].split(), (part.split(";") for part in row["lift"].split())))
        for k in range(14):
            for axis, letter in enumerate("xyz"):
                name, h = f"b-{k + 1}", float(row["step"])
                old = float(row[f"{name}.{letter}"]) - float(lifts.get(name, (0, 0, 0))[axis])
                old -= h / 2 * (float(row[f"{name}.v{letter}"]) + left[k + 1][axis])
                worst = max(worst, abs(old - float(before[f"{name}.{letter}"])))
    close("a whole row leads back to the row before", worst, 0, 1e-14)


def check_relax():
    text = scene(BALL, BALL.replace("ball", "second").replace("[0, 0, 1]", "[0, 0.15, 1]"),
                 simulate="simulate: {end: 0.01, step: 0.005, relax: true}\n")
    state = thud_json("run", written("relax.yaml", text), "--no-record", cwd=here)["state"]
    report("relax moves an overlapping start apart", state["second.y"] - state["ball.y"] >= 0.2 * (1 - 1e-3), state)


def check_dumps():
    text = PILE.replace("STEPS", "50").replace("record: {every: 0.01, checkpoint_every: 0.01}\n", "")
    written("dump.yaml", text)
    result = thud_json("run", "dump.yaml", "--no-record", "--dump-problems", "problems", "--dump-if", "contacts > 8", cwd=here)
    files = sorted(path.name for path in (here / "problems").iterdir())
    report("contact problems are dumped", result["dumped"] == len(files) > 3 and all(re.fullmatch(r"step-\d{8}\.hdf5", f) for f in files), files)
    solved = thud("solve", *(f"problems/{name}" for name in files), cwd=here)
    report("and solved", solved.returncode == 0, solved.stdout + solved.stderr)
    none = thud_json("run", "dump.yaml", "--no-record", "--dump-problems", "none", "--dump-if", "residual > 1", cwd=here)
    report("a condition that never holds", none["dumped"] == 0 and not list((here / "none").iterdir()))
    allowed = {path.name for path in here.iterdir()}
    refused("dumps of another run", thud("run", "dump.yaml", "-o", "new.h5", "--dump-problems", "problems", cwd=here), ["problems already", "--force"], here, allowed)
    refused("a condition with an unknown name", thud("run", "dump.yaml", "-o", "new.h5", "--dump-problems", "fresh", "--dump-if", "residul > 1", cwd=here),
            ["--dump-if", "did you mean 'residual'?"], here, allowed)
    refused("a condition without a directory", thud("run", "dump.yaml", "-o", "new.h5", "--dump-if", "1", cwd=here), ["--dump-problems"], here, allowed)
    refused("a directory that is a file", thud("run", "dump.yaml", "-o", "new.h5", "--dump-problems", "dump.yaml", cwd=here), ["is no directory"], here, allowed)
    refused("a directory that cannot be made", thud("run", "dump.yaml", "-o", "new.h5", "--dump-problems", "no/where", cwd=here), ["cannot be made"], here, allowed)
    other = "thud: 1\nsystem: {coordinates: [x], mass: [1]}\ninitial: {x: 0}\nsimulate: {method: moreau-jean, end: 1, steps: 9}\n"
    written("other.yaml", other)
    allowed.add("other.yaml")
    refused("dumps of another kind", thud("run", "other.yaml", "-o", "new.h5", "--dump-problems", "fresh", cwd=here),
            ["the kind 'stepping' have no contact problems"], here, allowed)


def check_failure():
    """A motion that cannot keep its tolerance fails, with names."""
    text = PILE.replace("STEPS", "50").replace("steps: 50", "steps: 50, tolerance: 1.0e-15, solver: {max_iterations: 1}")
    done = thud_json("run", written("fail.yaml", text), "--no-record", cwd=here, code=1)
    report("not converged, with the names of the bodies", done["verdict"] == "failed" and "not converged" in done["reason"] and
           "'floor'" in done["reason"] or "'b-" in done["reason"], done["reason"])
    report("and a warning", any(warning["code"] == "unsolved-islands" for warning in done["warnings"]), done["warnings"])
    text = scene("{name: box, shape: {box: [0.1, 0.1, 0.1]}, material: stone, position: [0, 0, 0.05], gravity_scale: 0}",
                 *(f"{{name: {name}, path: {{position: [{sign}0.12 {other} 0.05*t, 0, 0.05]}}, shape: {{box: [0.04, 0.1, 0.08]}}, material: stone}}"
                   for name, sign, other in (("left", "-", "+"), ("right", "", "-"))),
                 head="materials: {stone: {friction: 0.8, density: 1000}}\n", simulate="simulate: {end: 2, step: 0.01}\n")
    done = thud_json("run", written("squeezed.yaml", text), "--no-record", cwd=here, code=1)
    report("squeezed between two paths", done["verdict"] == "failed" and "do not give way" in done["reason"], done["reason"])
    done = thud("verify", "squeezed.yaml", "--trajectory", "none.csv", cwd=here)
    report("trajectories of bodies are not judged", done.returncode == 2 and "not of 'bodies'" in done.stderr, done.stderr)
    done = thud("run", "squeezed.yaml", "--no-record", "--set", "bodies.0.velocity.0=1", cwd=here)
    report("a list that is not there", done.returncode == 2 and "bodies.0.velocity=[...]" in done.stderr, done.stderr)


def check_changes():
    """`changes` at given times, against closed forms: a block slides (mu = 0.5), then on ice (0), then with mu = 0.2 again; a ball without
    gravity is added, kicked, pushed for 0.2 s and put elsewhere; another is removed."""
    block = "{name: block, shape: {box: [0.4, 0.4, 0.1]}, material: wood, position: [0, 0, 0.05], velocity: [5, 0, 0]}"
    ball = "shape: {sphere: 0.1}, material: wood, mass: 2, gravity_scale: 0"
    text = scene("{name: floor, fixed: true, shape: plane, material: wood}", block,
                 f"{{name: late, {ball}, position: [0, 5, 1], absent: true, velocity: [0, 0, 9]}}",
                 f"{{name: gone, {ball}, position: [0, -5, 1]}}",
                 head="gravity: [0, 0, -10]\nparameters: {kick: 4}\n"
                      "materials: {wood: {friction: 0.5, density: 700}, ice: {friction: 0, density: 900}}\n",
                 more="changes:\n"
                      "  - {at: 0.2, do: material, body: block, material: ice}\n"
                      "  - {at: 0.4, do: pair, materials: [wood, ice], friction: 0.2}\n"
                      "  - {at: 0.1, do: add, body: late, velocity: [0, 1, 0]}\n"
                      "  - {at: 0.3, do: impulse, body: late, impulse: [kick, 0, 0], point: [0, 0, 0.1]}\n"
                      "  - {at: 0.3, do: force, body: late, force: [0, 0, 10], lasting: true}\n"
                      "  - {at: 0.5, do: release, body: late}\n"
                      "  - {at: 0.6, do: remove, body: gone}\n",
                 simulate="simulate: {end: 0.8, step: 0.005}\n")
    written("changes.yaml", text)
    result = thud_json("run", "changes.yaml", "-o", "changes.h5", "--force", cwd=here)
    state = result["state"]
    report("changes: verdict", result["verdict"] == "good", result)
    close("changes: the block, 5 - 0.5 g 0.2 - 0.2 g 0.4", state["block.vx"], 5 - 1 - 0.8, 1e-6)
    close("changes: the impulse gives 4/2 m/s", state["late.vx"], 2, 1e-12)
    close("changes: it was added with its own velocity", state["late.vy"], 1, 1e-12)
    close("changes: the force gives 10/2 0.2 m/s", state["late.vz"], 1, 1e-12)
    close("changes: the impulse at a point turns it by lever P/I", state["late.wy"], 0.1 * 4 / (0.4 * 2 * 0.01), 1e-10)
    close("changes: its way in 0.7 s", state["late.y"], 5.7, 1e-12)
    found = thud_json("verify", "changes.h5", cwd=here)
    checks = {check["name"]: check for check in found["checks"]}
    report("changes: verified", found["verdict"] == "good" and "7 of them changes" in checks["events"]["detail"], found)
    for what, old, new, place in (("body", "body: gone}", "body: gon}", "/changes/6/body"), ("time", "at: 0.6", "at: 0.8", "/changes/6/at"),
                                  ("kind", "do: remove", "do: vanish", "/changes/6/do"), ("key", "do: remove,", "do: remove, force: [0, 0, 0],", "/changes/6")):
        done = thud("run", written("bad.yaml", text.replace(old, new)), "--no-record", cwd=here)
        report(f"changes: a wrong {what} is refused", done.returncode == 2 and place in done.stderr, done.stderr)
    done = thud_json("run", written("bad.yaml", text.replace("velocity: [0, 1, 0]}", "position: [0, -5, 1]}")), "--no-record", cwd=here, code=1)
    report("changes: one that cannot be made ends the run", done["verdict"] == "failed" and "would overlap 'gone'" in done["reason"], done["reason"])


def check_threads():
    """Ten heaps, islands of their own: states, ledger and residuals are the same bits on any number of threads."""
    text = scene("{name: floor, fixed: true, shape: plane, material: stone}",
                 "{generate: grid, name: box, counts: [10, 1, 3], spacing: [0.5, 0.5, 0.1], position: [0, 0, 0.15], "
                 "body: {shape: {box: [0.1, 0.1, 0.1]}, material: stone}}",
                 "{name: ball, shape: {sphere: 0.05}, material: stone, position: [-3, 0, 0.2], velocity: [5, 0, 1]}",
                 head="materials: {stone: {friction: 0.5, restitution: 0.4, density: 1000}}\n", simulate="simulate: {end: 0.2, step: 0.005}\n")
    written("heaps.yaml", text)
    found = []
    for threads in (1, 2, 4, 8):
        result = thud_json("run", "heaps.yaml", "--threads", str(threads), "--no-record", cwd=here)
        found.append({key: result[key] for key in ("verdict", "state", "ledger", "residual", "usual_residual", "penetration")})
    report("1, 2, 4 and 8 threads give the same bits", found[0]["verdict"] == "good" and all(one == found[0] for one in found), found)
    done = thud("run", "heaps.yaml", "--threads", "0", cwd=here)
    report("no threads are refused", done.returncode == 2 and "from 1 to 64" in done.stderr, done.stderr)


def check_coarse():
    """Steps in which a small ball goes further than it is wide, and that look neither ahead nor back: moved back by more than itself, and said so."""
    text = scene("{name: floor, fixed: true, shape: plane, material: stone}",
                 "{name: ball, shape: {sphere: 0.02}, material: stone, position: [0, 0, 1], velocity: [3, 0, -6]}",
                 head="materials: {stone: {friction: 0.5, density: 1000}}\n",
                 simulate="simulate: {end: 2, step: 0.05, predicted: false, continuous: false}\n")
    for step, verdict in ((0.05, "coarse"), (0.0005, "good")):
        result = thud_json("run", written("coarse.yaml", text.replace("step: 0.05", f"step: {step}")), "--no-record", cwd=here)
        codes = {warning["code"] for warning in result["warnings"]}
        report(f"a step of {step} is {verdict}", result["verdict"] == verdict and (codes == {"coarse", "large-lift", "step-coarse"} or step < 0.05),
               (result["verdict"], result["warnings"]))


with folder() as name:
    here = pathlib.Path(name)
    for check in (check_bad_input, check_everything, check_paths_and_forces, check_examples, check_units, check_generators, check_packing, check_arch,
                  check_large, check_tables, check_mesh_files, check_number_files, check_resume, check_whole_rows, check_relax, check_dumps, check_failure, check_changes, check_threads, check_coarse):
        check()
end()
