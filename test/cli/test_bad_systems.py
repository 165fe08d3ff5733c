"""Bad Lagrangian scenes, one by one: exit code 2, one line with file, line, column and path, nothing left behind. The JSON
Schema refuses what is wrong by its form alone. What goes wrong on the way is a verdict: exit code 1 and a valid record."""
import json
import pathlib
import re

from thudcli import end, folder, refused, report, skipped, thud

try:
    import jsonschema
    import yaml
except ImportError:
    jsonschema = None

GOOD = """thud: 1
title: Everything once
units: {x: m, y: m, t: s}
parameters: {m: 2, g: 9.81, mu: 0.3}
definitions: {r2: x^2 + y^2, far: r2 + 1}
data: {push: {breaks: [0.5], pieces: [0, 1]}}
system:
  coordinates: [x, y, w]
  kinetic_energy: "0.5*m*(x'^2 + y'^2) + 0.1*w'^2"
  potential_energy: m*g*y + 0*far
  forces: {x: "push - 0.1*x'"}
  constraints:
    - {name: floor, gap: y, restitution: 0.5, friction: {mu: mu, slip: ["x'"]}}
    - {name: roof, phi: y - 3}
    - {name: roll, velocity_form: "w' - 2*x'"}
    - {name: rope, string: {length: 9, distance: sqrt(r2)}}
  friction:
    - {name: brake, threshold: 0.1, slip: ["w'"]}
  impact_law: newton
  on_energy_gain: reduce_e
  allow_any_restitution: false
initial: {x: 0, y: 1, w: 0, "x'": 0.5, "w'": 1}
simulate: {method: moreau-jean, end: 1, steps: 100, theta: 0.5}
record: {every: 0.1, checkpoint_every: 0.5}
"""
SMALL = """thud: 1
system:
  coordinates: [q]
  kinetic_energy: "0.5*q'^2"
  forces: {q: -1}
  constraints:
    - {name: floor, gap: q, restitution: 0.5}
initial: {q: 1}
simulate: {method: moreau-jean, end: 2, steps: 200}
"""
FORM, SENSE = True, False  # is it the form that is wrong (the schema sees it), or what is said


def change(old, new, base=GOOD):
    assert base.count(old) >= 1, old
    return base.replace(old, new, 1)


def rename(name):
    return SMALL.replace("[q]", f"[{name}]").replace("{q:", f"{{{name}:").replace("thud: 1", "thud: 1\nparameters: {g: 1}")


def masses(rows):
    return change("""kinetic_energy: "0.5*m*(x'^2 + y'^2) + 0.1*w'^2\"""", f"mass: {rows}")


CASES = [
    # keys
    ("unknown key in the system", change("potential_energy", "potential_enrgy"), FORM,
     [":10:3: /system/potential_enrgy", "did you mean 'potential_energy'"]),
    ("unknown key at the top", change("definitions:", "definitons:"), FORM, [":5:1:", "did you mean 'definitions'"]),
    ("unknown key in a constraint", change("restitution: 0.5", "restitusion: 0.5"), FORM,
     [":13:", "/system/constraints/0", "did you mean 'restitution'"]),
    ("unknown key in friction", change("{mu: mu", "{nu: mu"), FORM, ["/constraints/0/friction", "did you mean 'mu'"]),
    ("unknown key in a law", change("threshold: 0.1", "treshold: 0.1"), FORM,
     ["/system/friction/0", "did you mean 'threshold'"]),
    ("unknown key in a string", change("length: 9", "lenght: 9"), FORM, ["/string", "did you mean 'length'"]),
    ("unknown key in simulate", change("theta: 0.5", "tehta: 0.5"), FORM, ["/simulate", "did you mean 'theta'"]),
    ("unknown key in record", change("checkpoint_every", "chekpoint_every"), FORM,
     ["/record", "did you mean 'checkpoint_every'"]),
    ("unknown coordinate in forces", change("forces: {x:", "forces: {z:"), SENSE, [":11:", "/system/forces/z"]),
    ("unknown name in initial", change("\"x'\": 0.5", "\"z'\": 0.5"), SENSE, [":22:", "/initial"]),
    ("unknown unit", change("units: {x: m", "units: {z: m"), SENSE, [":3:", "/units/z"]),
    ("duplicate key", change("impact_law: newton", "impact_law: newton\n  impact_law: newton"), FORM,
     [":20:3:", "impact_law"]),
    ("duplicate key in a constraint", change("gap: y,", "gap: y, gap: y,"), FORM, [":13:", "gap"]),
    ("keys of a sweeping process", change("steps: 100", "steps: 100, refinements: 1"), FORM,
     ["/simulate/refinements", "unknown key"]),
    ("system and sweeping", GOOD + "sweeping: {coordinates: [u], set: {interval: {lower: 0, upper: 1}}}\n", FORM,
     ["'sweeping' and 'system'"]),
    ("neither system nor sweeping", re.sub(r"(?s)system:.*?\ninitial", "initial", GOOD), FORM, ["a model"]),
    # missing keys
    ("no coordinates", change("  coordinates: [x, y, w]\n", ""), FORM, ["/system", "'coordinates'"]),
    ("neither energy nor mass", re.sub(r"  kinetic_energy.*\n", "", GOOD), FORM, ["/system", "kinetic_energy", "mass"]),
    ("energy and mass", change("  potential", "  mass: [1, 1, 1]\n  potential"), FORM, ["kinetic_energy", "mass"]),
    ("no initial state", re.sub(r"initial:.*\n", "", GOOD), FORM, ["initial"]),
    ("a coordinate without initial value", change("y: 1, ", ""), SENSE, ["/initial", "'y'"]),
    ("no simulate", re.sub(r"simulate:.*\n", "", GOOD), FORM, ["simulate"]),
    ("no end", change("end: 1, ", ""), FORM, ["/simulate", "'end'"]),
    ("a step and steps", change("steps: 100, ", "steps: 100, step: 0.01, "), FORM, ["/simulate", "step"]),
    ("friction without slip", change(", slip: [\"x'\"]", ""), FORM, ["/constraints/0/friction", "'slip'"]),
    ("friction without mu", change("mu: mu, ", ""), FORM, ["/constraints/0/friction", "'mu'"]),
    ("law without threshold", change("threshold: 0.1, ", ""), FORM, ["/system/friction/0", "'threshold'"]),
    ("law without name", change("{name: brake, ", "{"), FORM, ["/system/friction/0", "'name'"]),
    ("string without distance", change(", distance: sqrt(r2)", ""), FORM, ["/string", "'distance'"]),
    ("constraint of no kind", change("gap: y, ", ""), FORM, ["/constraints/0", "'gap' is missing", "phi, equation"]),
    ("constraint of two kinds", change("gap: y", "gap: y, equation: x"), FORM, ["/constraints/0", "'gap' and 'equation'"]),
    # types
    ("system is a list", re.sub(r"(?s)system:.*?\ninitial", "system: [1]\ninitial", GOOD), FORM, [":7:", "/system"]),
    ("coordinates are a word", change("[x, y, w]", "x"), FORM, [":8:", "/system/coordinates", "sequence"]),
    ("a coordinate is a number", change("[x, y, w]", "[x, 1, w]"), FORM, ["/system/coordinates/1"]),
    ("no coordinate at all", change("[x, y, w]", "[]"), FORM, ["/system/coordinates", "from 1 to"]),
    ("energy is a list", change("potential_energy: m*g*y + 0*far", "potential_energy: [1]"), FORM,
     ["/system/potential_energy", "number or an expression"]),
    ("energy is true", change("potential_energy: m*g*y + 0*far", "potential_energy: true"), FORM,
     ["/system/potential_energy"]),
    ("forces are a list", change("forces: {x: \"push - 0.1*x'\"}", "forces: [0, 0, 0]"), FORM, ["/system/forces", "map"]),
    ("constraints are a map", re.sub(r"(?s)constraints:.*?  friction:", "constraints: {a: 1}\n  friction:", GOOD), FORM,
     ["/system/constraints", "sequence"]),
    ("a constraint is a word", change("{name: roof, phi: y - 3}", "roof"), FORM, ["/system/constraints/1", "map"]),
    ("slip is a word", change("[\"w'\"]", "\"w'\""), FORM, ["/system/friction/0/slip", "sequence"]),
    ("slip is empty", change("[\"w'\"]", "[]"), FORM, ["/system/friction/0/slip", "1 to 100"]),
    ("too many slip rows", change("[\"w'\"]", "[" + "1, " * 101 + "1]"), FORM, ["/slip", "102"]),
    ("one_sided is a number", change("\"w' - 2*x'\"", "\"w' - 2*x'\", one_sided: 1"), FORM, ["/one_sided", "true or false"]),
    ("allow_any_restitution is a word", change("restitution: false", "restitution: maybe"), FORM,
     ["/system/allow_any_restitution"]),
    ("unknown impact law", change("newton", "newtn"), FORM, ["/system/impact_law", "did you mean 'newton'"]),
    ("two impact laws", change("newton", "{lzb: {}, table: {}}"), FORM, ["/system/impact_law", "one impact law"]),
    ("negative exponent", change("newton", "{lzb: {exponent: -1}}"), FORM, ["/impact_law/lzb/exponent", "-1"]),
    ("unknown on_energy_gain", change("reduce_e", "reduce"), FORM, ["/system/on_energy_gain", "did you mean 'reduce_e'"]),
    ("unknown method", change("moreau-jean", "moreau-jaen"), FORM, ["/simulate/method", "did you mean 'moreau-jean'"]),
    ("method of a sweeping process", change("moreau-jean", "catching-up"), FORM, ["/simulate/method"]),
    ("map for a definition", change("r2: x^2 + y^2", "r2: {x: 1}"), FORM, ["/definitions/r2"]),
    # numbers
    ("NaN", change("y: 1", "y: .nan"), SENSE, [":22:"]),
    ("infinity", change("restitution: 0.5", "restitution: .inf"), SENSE, [":13:"]),
    ("infinity by overflow", change("length: 9", "length: 1e999"), SENSE, [":16:"]),
    ("infinite parameter", change("mu: 0.3", "mu: 1/0"), SENSE, ["/parameters/mu", "finite"]),
    ("infinite constant in an expression", change("length: 9", "length: 1/0"), SENSE, ["/initial", "rope"]),
    ("huge number of steps", change("steps: 100", "steps: 1e12"), FORM, ["/simulate/steps", "1e+09"]),
    ("half a step", change("steps: 100", "steps: 10.5"), FORM, ["/simulate/steps", "whole"]),
    ("no steps", change("steps: 100", "steps: 0"), FORM, ["/simulate/steps"]),
    ("tiny step", change("steps: 100", "step: 1e-30"), SENSE, ["/simulate/step", "1e9"]),
    ("negative step", change("steps: 100", "step: -1"), FORM, ["/simulate/step", "greater than 0"]),
    ("step and steps", change("steps: 100", "step: 1, steps: 100"), FORM, ["/simulate", "either"]),
    ("step and tolerance", change("steps: 100", "step: 0.1, tolerance: 1e-3"), FORM, ["/simulate", "either"]),
    ("steps and tolerance", change("steps: 100", "steps: 100, tolerance: 1e-3"), FORM, ["/simulate", "either"]),
    ("negative tolerance", change("steps: 100", "tolerance: -1e-3"), FORM, ["/simulate/tolerance"]),
    ("theta too small", change("theta: 0.5", "theta: 0.2"), FORM, ["/simulate/theta", "0.5"]),
    ("lambda 0", change("theta: 0.5", "lambda: 0"), FORM, ["/simulate/lambda"]),
    ("blow_up below 1", change("theta: 0.5", "blow_up: 0.5"), FORM, ["/simulate/blow_up"]),
    ("negative gap_tolerance", change("theta: 0.5", "gap_tolerance: -1"), FORM, ["/simulate/gap_tolerance"]),
    ("end before start", change("end: 1", "start: 2, end: 1"), SENSE, ["/simulate/end", "after"]),
    ("end that depends on time", change("end: 1", "end: t"), SENSE, ["/simulate/end", "time"]),
    ("checkpoint_every 0", change("checkpoint_every: 0.5", "checkpoint_every: 0"), FORM,
     ["/record/checkpoint_every", "greater than 0"]),
    ("checkpoint_every negative", change("checkpoint_every: 0.5", "checkpoint_every: -1"), FORM,
     ["/record/checkpoint_every", "greater than 0"]),
    ("every 0", change("every: 0.1", "every: 0"), FORM, ["/record/every", "greater than 0"]),
    ("every and every_step", change("every: 0.1", "every: 0.1, every_step: true"), FORM, ["/record", "contradict"]),
    # expressions
    ("unknown name in the energy", change("0.5*m*(x'", "0.5*M*(x'"), SENSE, [":9:24: /system/kinetic_energy", "'M'"]),
    ("unknown name in the potential", change("m*g*y", "m*G*y"), SENSE, [":10:23: /system/potential_energy", "'G'"]),
    ("unknown name in a force", change("push -", "psh -"), SENSE, [":11:16: /system/forces/x", "did you mean 'push'"]),
    ("unknown name in a gap", change("gap: y", "gap: y - z"), SENSE, [":13:30: /system/constraints/0/gap", "'z'"]),
    ("unknown name in a restitution", change("restitution: 0.5", "restitution: ee"), SENSE,
     ["/system/constraints/0/restitution", "'ee'"]),
    ("unknown name in mu", change("{mu: mu", "{mu: nu"), SENSE, ["/system/constraints/0/friction/mu", "'nu'"]),
    ("unknown name in slip", change("slip: [\"x'\"]", "slip: [\"x' + z'\"]"), SENSE,
     ["/system/constraints/0/friction/slip/0", "z'"]),
    ("unknown name in a string", change("sqrt(r2)", "sqrt(r3)"), SENSE, [":16:", "/string", "'r3'"]),
    ("unknown name in a definition", change("r2: x^2", "r2: z^2"), SENSE, [":5:", "/definitions/", "'z'"]),
    ("unknown name in a table", change("newton", "{table: {x: \"-x' + z\"}}"), SENSE, ["/impact_law/table/x", "'z'"]),
    ("unknown name in initial", change("x: 0, y", "x: z, y"), SENSE, ["/initial/x", "'z'"]),
    ("initial value that uses a coordinate", change("x: 0, y", "x: y, y"), SENSE, ["/initial/x"]),
    ("syntax error", change("m*g*y + 0*far", "m*g*(y"), SENSE, [":10:", "/system/potential_energy"]),
    ("cyclic definitions", change("r2: x^2 + y^2, far: r2 + 1", "r2: x^2 + far, far: r2 + 1"), SENSE, ["/definitions/"]),
    ("a definition of itself", change("far: r2 + 1", "far: far + 1"), SENSE, ["/definitions/far"]),
    ("a cycle of definitions that nobody uses", change("far: r2 + 1", "far: r2 + 1, a: b, b: a"), SENSE, ["/definitions/"]),
    ("T of degree 3", change("0.1*w'^2", "0.1*w'^3"), SENSE, [":9:", "/system/kinetic_energy", "quadratic"]),
    ("T of degree 1", change("0.1*w'^2", "0.1*w'^2 + x'"), SENSE, ["/system/kinetic_energy"]),
    ("T that depends on t", change("0.1*w'^2", "0.1*t*w'^2"), SENSE, ["/system/kinetic_energy"]),
    ("T without a velocity of w", change(" + 0.1*w'^2", ""), SENSE, ["/system/kinetic_energy", "'w'", "definite"]),
    ("negative T", change("+ 0.1*w'^2", "- 0.1*w'^2"), SENSE, ["/system/kinetic_energy", "'w'", "definite"]),
    ("mass of the wrong size", masses("[1, 1]"), SENSE, ["/system/mass", "3"]),
    ("row of the wrong size", masses("[[1, 0, 0], [0, 1], [0, 0, 1]]"), SENSE, ["/system/mass/1", "3"]),
    ("mixed rows", masses("[[1, 0, 0], 1, 1]"), FORM, ["/system/mass/1"]),
    ("mass asymmetric", masses("[[1, 0.5, 0], [0, 1, 0], [0, 0, 1]]"), SENSE, ["/system/mass", "symmetric"]),
    ("mass not definite", masses("[[1, 2, 0], [2, 1, 0], [0, 0, 1]]"), SENSE, ["/system/mass", "definite"]),
    ("mass not definite at the start", masses("[y - 1, 1, 1]"), SENSE, ["/system/mass", "definite"]),
    ("mass with velocities", masses("[1, \"1 + x'^2\", 1]"), SENSE, ["/system/mass/1"]),
    ("potential with velocities", change("0*far", "x'"), SENSE, ["/system/potential_energy"]),
    ("gap with velocities", change("gap: y", "gap: \"y + x'\""), SENSE, ["/constraints/0/gap"]),
    ("velocity form not affine", change("\"w' - 2*x'\"", "\"w'^2 - 1\""), SENSE, ["/constraints/2/velocity_form", "affine"]),
    ("slip not affine", change("slip: [\"x'\"]", "slip: [\"x'^2\"]"), SENSE, ["/friction/slip/0", "affine"]),
    ("restitution above 1", change("restitution: 0.5", "restitution: 1.5"), SENSE, ["/constraints/0/restitution", "1.5"]),
    ("restitution below 0", change("restitution: 0.5", "restitution: -0.5"), SENSE, ["/constraints/0/restitution", "-0.5"]),
    ("restitution above 1 at the start", change("restitution: 0.5", "restitution: 1 + y"), SENSE, ["floor", "[0, 1]"]),
    ("negative mu", change("{mu: mu", "{mu: -1"), FORM, ["/constraints/0/friction/mu", "-1"]),
    ("negative mu by a parameter", change("mu: 0.3", "mu: -0.3"), SENSE, ["/constraints/0/friction/mu", "-0.3"]),
    ("negative threshold", change("threshold: 0.1", "threshold: -y"), SENSE, ["brake", ">= 0"]),
    ("restitution of an equation", change("phi: y - 3", "equation: y - 1, restitution: 0.5"), FORM,
     ["/constraints/1/restitution", "unilateral"]),
    ("a gap that is one-sided", change("phi: y - 3", "phi: y - 3, one_sided: true"), FORM, ["/constraints/1/one_sided"]),
    ("friction of a velocity form", change("\"w' - 2*x'\"", "\"w' - 2*x'\", friction: {mu: 1, slip: [\"x'\"]}"), SENSE,
     ["/constraints/2/friction"]),
    ("law of the wrong dimension", change("slip: [\"w'\"]", "slip: [\"w'\"], law: {ball: {centre: [0, 0], radius: 1}}"), SENSE,
     ["/system/friction/0/law"]),
    ("law that does not contain 0", change("slip: [\"w'\"]", "slip: [\"w'\"], law: {interval: {lower: 1, upper: 2}}"), SENSE,
     ["/system", "brake", "contain 0"]),
    ("law that moves", change("slip: [\"w'\"]", "slip: [\"w'\"], law: {interval: {lower: -1, upper: t}}"), SENSE,
     ["/system/friction/0/law", "time"]),
    ("law that is not bounded", change("slip: [\"x'\"]", "slip: [\"x'\"], law: {interval: {lower: null, upper: 1}}"), SENSE,
     ["/system", "floor", "bounded"]),
    # names
    ("a coordinate named twice", change("[x, y, w]", "[x, y, x]"), FORM, ["/system/coordinates/2", "twice"]),
    ("a coordinate named t", change("[x, y, w]", "[x, y, t]"), SENSE, ["/system/coordinates/2", "'t'"]),
    ("a coordinate named like a parameter", rename("g"), SENSE, ["/system", "'g'"]),
    ("a coordinate named like a definition", change("far: r2 + 1", "w: r2 + 1"), SENSE, ["'w'"]),
    ("a coordinate named like a function", rename("sin"), SENSE, ["/system", "'sin'"]),
    ("a coordinate named like a constant", rename("pi"), SENSE, ["/system", "'pi'"]),
    ("a coordinate that is not a name", rename("a b"), SENSE, ["/system", "'a b'"]),
    ("a parameter named like data", change("mu: 0.3", "mu: 0.3, push: 1"), SENSE, ["'push'"]),
    ("a definition named like a parameter", change("far: r2 + 1", "far: r2 + 1, g: 1"), SENSE, ["/definitions/g", "'g'"]),
    ("two constraints of one name", change("name: roof", "name: floor"), SENSE, ["/constraints/1/name", "'floor'"]),
    ("two laws of one name", change("slip: [\"w'\"]}", "slip: [\"w'\"]}\n    - {name: brake, threshold: 1, slip: [\"y'\"]}"), SENSE,
     ["/system/friction/1", "'brake'"]),
    ("a law named like a constraint with friction", change("name: brake", "name: floor"), SENSE, ["/system/friction/0", "'floor'"]),
    ("an empty name", change("name: roof", "name: ''"), SENSE, ["/constraints/1/name"]),
    ("a very long name", change("name: roof", "name: " + "a" * 100), SENSE, ["/constraints/1/name"]),
    # the start
    ("penetration at the start", change("y: 1", "y: -0.5"), SENSE, [":22:", "/initial", "floor", "0.5"]),
    ("phi violated at the start", change("y: 1", "y: 4"), SENSE, ["/initial", "roof", "1"]),
    ("string too long at the start", change("x: 0, y", "x: 10, y"), SENSE, ["/initial", "rope"]),
    ("equation violated at the start", change("phi: y - 3", "equation: y - 2"), SENSE, ["/initial", "roof", "1"]),
    ("velocity violates an equation", change("phi: y - 3", "equation: x + y - 1"), SENSE, ["/initial", "roof", "0.5"]),
    ("velocity form violated at the start", change("\"w'\": 1", "\"w'\": 2"), SENSE, ["/initial", "roll"]),
    ("constraints without a way out", change("phi: y - 3", "phi: y").replace("y: 1,", "y: 0,").replace("sqrt(r2)", "x"), SENSE,
     ["/initial", "floor", "roof", "dependent"]),
    ("not finite at the start", change("m*g*y", "m*g*y + log(x)"), SENSE, ["x = 0"]),
    ("division by zero in a force at the start", change("0.1*x'", "1/x"), SENSE, ["x = 0"]),
    ("a method without friction", change("moreau-jean", "mabrouk"), SENSE, ["/simulate/method", "friction"]),
    ("a method without restitution", SMALL.replace("moreau-jean", "regularised"), SENSE, ["/simulate/method", "floor"]),
    ("a method that knows no impact law", SMALL.replace("moreau-jean", "mabrouk").replace(
        "  forces", "  impact_law: sequential\n  forces"), SENSE, ["/simulate/method", "newton or canonical"]),
    ("obstacle moved by data with values at breaks", change("gap: y", "gap: y - push").replace(
        "pieces: [0, 1]", "pieces: [0, 1], at_breaks: [0.5]"), SENSE, ["/data/push", "left or from the right"]),
    ("checkpoints without distance", "thud: 1\nsweeping: {coordinates: [u], set: {interval: {lower: 0, upper: 1}}}\n"
     "initial: {u: 0}\nsimulate: {method: catching-up, end: 1, steps: 2}\nrecord: {checkpoint_every: 0}\n", FORM,
     ["/record/checkpoint_every"]),
    ("deep expression", change("m*g*y", "(" * 100000 + "y" + ")" * 100000), SENSE, ["/system/potential_energy"]),
]


def test_scenes(here, scene, schema):
    for name, text, form, pieces in CASES:
        scene.write_text(text)
        for command in ("check", "run"):
            refused(f"{name} ({command})", thud(command, "scene.yaml", cwd=here), ["scene.yaml", *pieces], here,
                    {"scene.yaml"})
        if schema is None or "duplicate" in name:  # duplicate keys do not survive a YAML reader
            continue
        found = schema.is_valid(yaml.load(text, Loader=core_loader()))
        report(f"{name} (schema)", found != form, "the schema " + ("accepts it" if found else "refuses it"))
    scene.write_text("thud: 1\nsystem: {coordinates: [x], mass: [1], constraints: [" + "0," * 1000001 + "]}\n"
                     "initial: {x: 0}\nsimulate: {method: moreau, end: 1, steps: 2}\n")  # long for a reader in Python
    refused("many constraints", thud("check", "scene.yaml", cwd=here), ["/system/constraints", "1000000"], here,
            {"scene.yaml"})


def core_loader():
    """YAML 1.2 core numbers: 1e-3 is one."""
    class Loader(yaml.SafeLoader):
        pass
    Loader.yaml_implicit_resolvers = {key: [(tag, rule) for tag, rule in rules if tag != "tag:yaml.org,2002:float"]
                                      for key, rules in yaml.SafeLoader.yaml_implicit_resolvers.items()}
    Loader.add_implicit_resolver("tag:yaml.org,2002:float", re.compile(
        r"^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$|^[-+]?\.inf$|^\.nan$"), list("-+0123456789."))
    return Loader


FLAT = """thud: 1
system:
  coordinates: [x, y]
  kinetic_energy: "0.5*(x'^2 + y'^2)"
  forces: {y: -10}
  constraints:
    - {name: floor, gap: y, friction: {mu: 0.1, slip: ["x'"]}}
initial: {x: 0, y: 0, "x'": 1}
simulate: {method: moreau-jean, end: 2, steps: 200}
"""
FAILURES = [
    # name, scene, start of the reason, pieces of it, time at which it must have ended
    ("mass matrix that degenerates", change("kinetic_energy: \"0.5*(x'^2 + y'^2)\"", "mass: [1, 1 - x]", FLAT).replace(
        "mu: 0.1", "mu: 0"), "mass matrix not positive definite", ["coordinate 'y'", "x = 1"], 1),
    ("logarithm of 0", change("{y: -10}", "{x: \"0*log(max(1 - x, 0))\", y: -10}", FLAT).replace("mu: 0.1", "mu: 0"),
     "bad data", ["force of coordinate 'x'", "logarithm of 0", "column 3", "x = 1"], 1),
    ("division by zero", change("{y: -10}", "{x: \"0/max(1 - x, 0)\", y: -10}", FLAT).replace("mu: 0.1", "mu: 0"),
     "bad data", ["division by zero"], 1),
    ("negative mu", change("mu: 0.1", "mu: 0.5 - t", FLAT), "bad data", ["floor", ">= 0"], 0.5),
    ("negative threshold", change("  constraints", "  friction: [{name: brake, threshold: 1 - t, slip: [\"x'\"]}]\n  constraints",
                                  FLAT), "bad data", ["brake", ">= 0"], 1),
    ("restitution above 1 at an impact", change("restitution: 0.5", "restitution: 1.5 - q", SMALL), "bad data",
     ["floor", "[0, 1]"], None),
    ("table that divides by zero", change("  forces", "  impact_law: {table: {q: \"q'/(q - q)\"}}\n  forces", SMALL),
     "bad data", [], 2 ** 0.5),
    ("table that is not admissible", change("  forces", "  impact_law: {table: {q: \"q'/2\"}}\n  forces", SMALL), "bad data",
     ["violates the acting constraints"], 2 ** 0.5),
    ("walls that close", "thud: 1\nsystem:\n  coordinates: [x]\n  mass: [1]\n  constraints:\n    - {name: left, gap: x - t + "
     "1}\n    - {name: right, phi: x - 1}\ninitial: {x: 0}\nsimulate: {method: moreau, end: 3, steps: 300}\n",
     "no admissible motion", [], 2),
    ("energy gain that is refused", change("  forces", "  allow_any_restitution: true\n  on_energy_gain: refuse\n  forces",
                                           SMALL).replace("0.5}", "1.2}"), "energy created", ["restitution"], 2 ** 0.5),
    ("blow-up", "thud: 1\nsystem:\n  coordinates: [q]\n  mass: [1]\n  forces: {q: \"q'^2\"}\ninitial: {q: 0, \"q'\": 1}\n"
     "simulate: {method: moreau-jean, end: 2, steps: 2000}\n", "blow-up", ["|v|"], 1),
    ("controlled blow-up", "thud: 1\nsystem:\n  coordinates: [q]\n  mass: [1]\n  forces: {q: \"q'^2\"}\ninitial: {q: 0, "
     "\"q'\": 1}\nsimulate: {method: second-order, end: 2, tolerance: 1e-3}\n", "blow-up", ["|v|"], 1),
]


def test_failures(here, scene):
    """The run stops with time, state and reason; the record up to there is valid."""
    record = pathlib.Path(here, "scene.h5")
    for name, text, reason, pieces, time in FAILURES:
        scene.write_text(text)
        done = thud("run", "scene.yaml", "--json", "--force", cwd=here)
        if not report(f"{name}: exit code 1", done.returncode == 1, done.stderr + done.stdout):
            continue
        result = json.loads(done.stdout)
        reported = result["verdict"] == "failed" and result["reason"].startswith(f"{reason} after t = ")
        report(f"{name}: the reason", reported and all(piece in result["reason"] for piece in pieces), result["reason"])
        report(f"{name}: the time", time is None or abs(result["time"] - time) < 0.03, result["time"])
        rows = thud("export", record, "--channels", "t,q", "--no-units").stdout.splitlines()
        last = dict(zip(rows[0].split(","), map(float, rows[-1].split(","))))
        state = {key: value for key, value in result["state"].items() if "'" not in key}
        report(f"{name}: the record ends at that state", last == {"t": result["time"], **state}, (last, result["state"]))
        report(f"{name}: all frames are there", len(rows) == 1 + result["frames"] and result["frames"] > 10, len(rows))
        checks = json.loads(thud("verify", record, "--json").stdout)["checks"]
        failed = [check["name"] for check in checks if check["status"] not in ("passed", "not applicable")]
        report(f"{name}: verify finds fault with nothing but the end", failed == ["finished"], checks)
        report(f"{name}: the record cannot be resumed", thud("run", "--resume", record).returncode == 2)
        plain = thud("run", "scene.yaml", "--no-record", cwd=here).stdout
        report(f"{name}: the report shows state and verdict", "  state       t = " in plain and
               f"verdict: failed: {reason}" in plain, plain)
    record.unlink()


def test_resume(here, scene):
    """Records that cannot be continued are refused and left as they are."""
    with_checkpoints = SMALL + "record: {checkpoint_every: 0.5}\n"
    scene.write_text(with_checkpoints)
    thud("run", "scene.yaml", "-o", "done.h5", cwd=here)
    scene.write_text(SMALL)
    thud("run", "scene.yaml", "-o", "none.h5", cwd=here)
    whole = pathlib.Path(here, "done.h5").read_bytes()
    for name, cut in (("cut.h5", len(whole) // 2), ("short.h5", 100), ("empty.h5", 0)):
        pathlib.Path(here, name).write_bytes(whole[:cut])
    pathlib.Path(here, "garbage.h5").write_bytes(bytes(range(256)) * 100)
    pathlib.Path(here, "sweep.yaml").write_text(
        "thud: 1\nsweeping: {coordinates: [u], set: {interval: {lower: t, upper: 5}}}\ninitial: {u: 0}\n"
        "simulate: {method: catching-up, end: 1, steps: 2}\n")
    thud("run", "sweep.yaml", cwd=here)
    scene.write_text(with_checkpoints)
    files = {path.name: path.read_bytes() for path in pathlib.Path(here).iterdir()}
    for name, arguments, pieces in [
        ("a run that has ended", ["--resume", "done.h5"], ["done.h5", "has ended"]),
        ("a run that has ended, with its scene", ["scene.yaml", "--resume", "done.h5"], ["done.h5", "has ended"]),
        ("a run without checkpoints that has ended", ["--resume", "none.h5"], ["none.h5", "has ended"]),
        ("a record of another scene", ["scene.yaml", "--resume", "none.h5"], ["none.h5"]),
        ("a record of a sweeping process that has ended", ["--resume", "sweep.h5"], ["sweep.h5", "has ended"]),
        ("a record of a sweeping process for a system", ["scene.yaml", "--resume", "sweep.h5"], ["sweep.h5"]),
        ("a scene instead of a record", ["--resume", "scene.yaml"], ["scene.yaml"]),
        ("a cut record", ["--resume", "cut.h5"], ["cut.h5"]),
        ("a very short record", ["--resume", "short.h5"], ["short.h5"]),
        ("an empty record", ["--resume", "empty.h5"], ["empty.h5"]),
        ("garbage", ["--resume", "garbage.h5"], ["garbage.h5"]),
        ("nothing", ["--resume", "nowhere.h5"], ["nowhere.h5"]),
        ("a folder", ["--resume", "."], ["."]),
        ("--output besides", ["scene.yaml", "--resume", "done.h5", "-o", "x.h5"], ["--output"]),
        ("--no-record besides", ["scene.yaml", "--resume", "done.h5", "--no-record"], ["--no-record"]),
        ("--set without a scene", ["--resume", "done.h5", "--set", "simulate.theta=0.7"], ["--set"]),
        ("two scenes", ["scene.yaml", "scene.yaml", "--resume", "done.h5"], ["at most one scene"]),
    ]:
        refused(f"--resume: {name}", thud("run", *arguments, cwd=here), pieces, here, set(files))
    kept = {path.name: path.read_bytes() for path in pathlib.Path(here).iterdir()}
    report("--resume: refused records are left as they were", kept == files,
           [name for name in files if kept.get(name) != files[name]])
    for path in pathlib.Path(here).glob("*.h5"):
        path.unlink()


def test_command_line(here, scene):
    scene.write_text(GOOD)
    kept = {path.name for path in pathlib.Path(here).iterdir()}
    for name, arguments, pieces in [
        ("--at after the end", ["--at", "1.5"], ["1.5", "outside"]),
        ("--at before the start", ["--at", "-1"], ["-1", "outside"]),
        ("--at NaN", ["--at", "nan"], ["nan"]),
        ("--set of an unknown constraint", ["--set", "system.constraints.9.gap=1"], ["9"]),
        ("--set that penetrates", ["--set", "initial.y=-1"], ["/initial", "floor"]),
        ("--set of a wrong expression", ["--set", "system.potential_energy=y+"], ["/system/potential_energy"]),
        ("--set of a wrong method", ["--set", "simulate.method=euler"], ["/simulate/method", "euler"]),
    ]:
        refused(name, thud("run", "scene.yaml", *arguments, cwd=here), pieces, here, kept)


with folder() as here:
    scene = pathlib.Path(here, "scene.yaml")
    schema = None
    if jsonschema is None:
        skipped("the schema refuses wrong forms", "needs python3-jsonschema and python3-yaml: make deps-dev")
    else:
        schema = jsonschema.Draft202012Validator(json.loads(thud("schema").stdout))
    for text in (GOOD, SMALL):
        scene.write_text(text)
        done = thud("run", "scene.yaml", "--no-record", cwd=here)
        report("the scene that is spoilt below is good", done.returncode == 0, done.stderr + done.stdout)
        report("the schema accepts it", schema is None or schema.is_valid(yaml.load(text, Loader=core_loader())))
    test_scenes(here, scene, schema)
    test_failures(here, scene)
    test_resume(here, scene)
    test_command_line(here, scene)
end()
