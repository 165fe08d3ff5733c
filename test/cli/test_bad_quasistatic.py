"""Bad quasi-static scenes, one by one: exit code 2, one line with file, line, column and path, nothing left behind. What
goes wrong on the way is a verdict: exit code 1. What is only unusual is allowed."""
import pathlib

from thudcli import end, folder, refused, report, thud, thud_json

GOOD = """thud: 1
quasistatic:
  unknowns: [n, x]
  stiffness: [[1, 0.5], [0.5, 1]]
  load: {n: 2, x: t}
  contacts:
    - {name: foot, normal: -n, tangential: x, mu: 0.5}
simulate: {method: event-driven, end: 1, steps: 4}
"""
MATRIX = "[[1, 0.5], [0.5, 1]]"
CONTACT = "mu: 0.5}"
SECOND = CONTACT + "\n    - {name: other, normal: -x"
FREE = GOOD.replace("[n, x]", "[n, x, y]").replace(MATRIX, "[[1, 0.5, 0], [0.5, 1, 0], [0, 0, 0]]")
BOUND = GOOD.replace("event-driven", "threshold")
FILE = GOOD.replace(MATRIX, "{file: k.mtx}")
MARKET = "%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 1\n2 1 0.5\n2 2 1\n"


def change(old, new, base=GOOD):
    assert base.count(old) >= 1, old
    return base.replace(old, new, 1)


def start(state, base=GOOD):
    return base + f"initial: {state}\n"


SCENES = [
    # name, scene, pieces of the message
    ("not symmetric", change("[0.5, 1]]", "[0.4, 1]]"), ["not symmetric", "'n'", "'x'", "0.4"]),
    ("indefinite, seen by contacts", change("[0.5, 1]]", "[0.5, 0.1]]"), ["indefinite", "-0.122681", "'x'"]),
    ("indefinite, not seen", change("[0, 0, 0]]", "[0, 0, -1]]", FREE), ["indefinite", "eigenvalue is -1", "'y'"]),
    ("a motion that nothing holds", FREE, ["nothing holds the unknown 'y'"]),
    ("not square", change(MATRIX, "[[1, 0.5]]"), ["/quasistatic/stiffness", "square", "1 x 2"]),
    ("rows of different lengths", change(MATRIX, "[[1, 0.5], [0.5]]"), ["/quasistatic/stiffness/1"]),
    ("no rows", change(MATRIX, "[]"), ["expected a matrix"]),
    ("an entry that is not finite", change("[0.5, 1]]", "[0.5, 1/0]]"), ["/quasistatic/stiffness/1/1", "finite"]),
    ("an entry that depends on time", change("[0.5, 1]]", "[0.5, t]]"), ["depends on time"]),
    ("too few names", change("[n, x]", "[n]"), ["2 rows, 1 unknowns"]),
    ("a name twice", change("[n, x]", "[n, n]"), ["twice"]),
    ("a load of nothing", change("x: t", "z: t"), ["/quasistatic/load/z", "none of the 2 unknowns"]),
    ("a load of displacements", change("x: t", "x: n"), ["unknown name 'n'"]),
    ("a list of loads", change("{n: 2, x: t}", "[2, t]"), ["expected a map"]),
    ("no load", change("  load: {n: 2, x: t}\n", ""), ["'load' is missing"]),
    ("a load that is not finite at the start", change("x: t", 'x: "log(t - 1)"'), ["the load of the unknown 'x'", "t = 0"]),
    ("a normal of nothing", change("-n", "-z"), ["/contacts/0/normal", "'z'"]),
    ("a zero normal", change("normal: -n", "normal: {n: 0}"), ["/contacts/0/normal", "this row is zero"]),
    ("an empty tangent", change("tangential: x", "tangential: {}"), ["/contacts/0/tangential", "this row is zero"]),
    ("three tangents", change("tangential: x", "tangential: [x, x, x]"), ["1 or 2 tangential rows"]),
    ("a tangent along the normal", change("tangential: x", "tangential: n"), ["depend on each other"]),
    ("different numbers of tangents", change(CONTACT, SECOND + "}"), ["/contacts/1", "the same number", "1 as the first"]),
    ("one and two tangents", change(CONTACT, SECOND + ", tangential: [n, x], mu: 1}"), ["the same number", "not 2"]),
    ("a contact twice", change(CONTACT, CONTACT + "\n    - {normal: -n, tangential: x, mu: 1}"), ["depend on each other"]),
    ("one name for two contacts", change(CONTACT, SECOND.replace("other", "foot") + ", tangential: n, mu: 1}"), ["two contacts"]),
    ("no contacts", change("\n    - {name: foot, normal: -n, tangential: x, mu: 0.5}", " []"), ["contacts are needed"]),
    ("a key of no contact", change("mu: 0.5", "friction: 0.5"), ["unknown key 'friction'"]),
    ("negative friction", change("mu: 0.5", "mu: -0.5"), ["/contacts/0/mu", "0 or greater", "-0.5"]),
    ("no friction", change(", mu: 0.5", ""), ["'mu' is missing"]),
    ("friction that is not finite", change("mu: 0.5", "mu: 1/0"), ["finite"]),
    ("friction without tangents", change("tangential: x, ", ""), ["/contacts/0/mu", "tangential"]),
    ("a bound for another method", change("mu: 0.5", "mu: 0.5, threshold: 1"), ["belongs to the method threshold"]),
    ("no bound", BOUND, ["needs 'threshold'"]),
    ("a negative bound", change("mu: 0.5", "threshold: -1", BOUND), ["the bound of friction of contact 'foot' is -1"]),
    ("a bound without tangents", change("tangential: x, mu: 0.5", "threshold: 1", BOUND), ["tangential"]),
    ("a gap that is not finite", change("mu: 0.5", "gap: 1/0, mu: 0.5"), ["/contacts/0/gap"]),
    ("a start inside the obstacle", start("{n: 0.1}"), ["/initial", "negative gap, -0.1"]),
    ("a start that pulls", start("{n: 0, x: 5}"), ["/initial", "would have to pull", "-0.5"]),
    ("an open start with a reaction", start("{n: -0.1, x: 0}"), ["/initial", "is open and would need a reaction"]),
    ("a start beyond the cone", start("{n: 0, x: 1.1}"), ["/initial", "more friction than mu r_N", "0.375"]),
    ("a start out of balance", start("{n: 0, x: 0, y: 0.5}", change("[0, 0, 0]]", "[0, 0, 1]]", FREE)),
     ["/initial", "no equilibrium", "'y' is off by 0.5", "no contact acts"]),
    ("a start of nothing", start("{n: 0, z: 0}"), ["/initial/z"]),
    ("a start that is not finite", start("{n: 0, x: 1/0}"), ["/initial/x", "finite"]),
    ("no such method", change("event-driven", "newmark"), ["'newmark' is none of increments, event-driven"]),
    ("a step and steps", change(", steps: 4", ", steps: 4, step: 0.25"), ["'step'", "'steps'"]),
    ("too many steps", change("steps: 4", "steps: 1e10"), ["/simulate/steps", "1e+09"]),
    ("a tolerance of 1", change("steps: 4", "steps: 4, tolerance: 1"), ["/simulate/tolerance", "0.01"]),
    ("no such jump", change("steps: 4", "steps: 4, on_jump: fly"), ["stop, dissipative, branches"]),
    ("too much to enumerate", change("steps: 4", "steps: 4, enumerate_up_to: 99"), ["at most 12"]),
    ("a period between nodes", change("contacts:", "period: 0.3\n  contacts:"), ["/quasistatic/period", "whole number of steps"]),
    ("a negative period", change("contacts:", "period: -1\n  contacts:"), ["/quasistatic/period", "greater than 0"]),
    ("an unknown key", change("contacts:", "stifness: 3\n  contacts:"), ["did you mean 'stiffness'"]),
    ("two kinds of scenes", GOOD + "sweeping: {}\n", ["make two of it"]),
    ("contacts in space from event to event", change("tangential: x", "tangential: [x, y]", change("[0, 0, 0]]", "[0, 0, 1]]", FREE)),
     ["slip directions turn", "increments"]),
]

FILES = [
    # name, scene, text of k.mtx (None: there is none), pieces of the message
    ("no file", FILE, None, ["/quasistatic/stiffness/file", "cannot be read"]),
    ("an empty file", FILE, "", ["k.mtx:1", "%%matrixmarket"]),
    ("a file of something else", FILE, "hello\n", ["k.mtx:1", "found 'hello'"]),
    ("fewer entries than announced", FILE, MARKET.replace("2 2 3", "2 2 5"), ["5 numbers are announced"]),
    ("more entries than announced", FILE, MARKET.replace("2 2 3", "2 2 2"), ["k.mtx:5", "follows the last entry"]),
    ("1e9 unknowns", FILE, MARKET.replace("2 2 3", "1000000000 1000000000 3"), ["1000000000 rows", "a size in the file is wrong"]),
    ("1e9 unknowns without names", change("  unknowns: [n, x]\n", "", FILE), MARKET.replace("2 2 3", "1000000000 1000000000 3"),
     ["1000000000 rows"]),
    ("1e9 entries", FILE, MARKET.replace("2 2 3", "2 2 1000000000"), ["only 21 bytes follow"]),
    ("2^40 unknowns", FILE, MARKET.replace("2 2 3", "1099511627776 1099511627776 3"), ["from 1 to 2147483647"]),
    ("-2 unknowns", FILE, MARKET.replace("2 2 3", "-2 -2 3"), ["from 1 to 2147483647"]),
    ("1e10 numbers", FILE, "%%MatrixMarket matrix array real general\n100000 100000\n1\n", ["10000000000 numbers are announced"]),
    ("NaN", FILE, MARKET.replace("0.5", "nan"), ["k.mtx:4", "finite"]),
    ("a number out of range", FILE, MARKET.replace("0.5", "1e999"), ["k.mtx:4", "finite"]),
    ("an index out of range", FILE, MARKET.replace("2 1 0.5", "3 1 0.5"), ["k.mtx:4", "from 1 to 2"]),
    ("a file that is not square", FILE, MARKET.replace("2 2 3", "2 3 3"), ["columns"]),
    ("both triangles of a symmetric matrix", FILE, MARKET.replace("2 2 3", "2 2 4") + "1 2 0.5\n",
     ["k.mtx:6: duplicate entry", "is in line 4 already"]),
    ("an entry twice", FILE, MARKET.replace("symmetric", "general").replace("2 2 3", "2 2 5") + "1 2 0.5\n2 2 1\n",
     ["k.mtx:7: duplicate entry: row 2, column 2 is in line 5 already"]),
    ("complex numbers", FILE, MARKET.replace("real", "complex"), ["'real' or 'integer'"]),
    ("a file elsewhere", FILE.replace("k.mtx", "../k.mtx"), MARKET, ["a name without '/'"]),
    ("a folder", FILE.replace("k.mtx", "."), MARKET, ["not a regular file"]),
    ("no file but a path", FILE.replace("file:", "path:"), MARKET, ["unknown key 'path'"]),
    ("a file that is not symmetric", FILE, MARKET.replace("symmetric", "general").replace("2 2 3", "2 2 4") + "1 2 0.4\n", ["not symmetric"]),
    ("names and a file", FILE.replace("[n, x]", "[n, x, y]"), MARKET, ["2 rows, 3 unknowns"]),
]

VERDICTS = [
    # name, scene, exit code, pieces of the reason
    ("the scene that all of this is made of", GOOD, 0, []),
    ("a load that ends", change("x: t", 'x: "if(t > 0.4, log(-1), t)"'), 1, ["bad data", "the load of the unknown 'x' is", "after t = 0.4"]),
    ("a load whose energy overflows", change("x: t", "x: 1e200*t"), 1, ["bad data", "the energies are not finite", "too large"]),
    ("a load that goes to infinity", change("x: t", "x: 1/(0.5 - t)"), 1, ["bad data", "the unknown 'x' is inf", "t = 0.5"]),
    ("a bound that becomes negative", change("mu: 0.5", "threshold: 0.5 - t", BOUND), 1, ["bad data", "is -0.25"]),
    ("friction is not enough", change("x: t", "x: 3*t", change(MATRIX, "[[1, 0], [0, 0]]")), 1, ["nothing holds", "0.333333333333"]),
    ("friction is not enough for increments", change("event-driven", "increments", change("x: t", "x: 3*t", change(MATRIX, "[[1, 0], [0, 0]]"))),
     1, ["nothing holds"]),
    ("a contact that opens holds nothing", change("n: 2", "n: 1 - 2*t", change(MATRIX, "[[0, 0], [0, 1]]")), 1, ["nothing holds"]),
    ("friction above the critical value", change("mu: 0.5", "mu: 50"), 0, []),
    ("friction at the critical value", change("mu: 0.5", "mu: 2"), 0, []),
    ("a contact that starts inside its obstacle", change("mu: 0.5", "gap: -0.1, mu: 0.5"), 0, []),
    ("an unknown without stiffness that friction holds", change(MATRIX, "[[1, 0], [0, 0]]"), 0, []),
    ("huge loads", change("{n: 2, x: t}", "{n: 2e150, x: 1e150*t}"), 0, []),
    ("tiny loads", change("{n: 2, x: t}", "{n: 2e-150, x: 1e-150*t}"), 0, []),
]

with folder() as here:
    scene, market = pathlib.Path(here, "s.yaml"), pathlib.Path(here, "k.mtx")
    for name, text, pieces in SCENES:
        scene.write_text(text)
        refused(name, thud("run", "s.yaml", cwd=here), pieces + ["s.yaml:"], here, {"s.yaml"})
    for name, text, content, pieces in FILES:
        scene.write_text(text)
        market.unlink(missing_ok=True)
        if content is not None:
            market.write_text(content)
        refused(name, thud("run", "s.yaml", cwd=here), pieces + ["s.yaml:"], here, {"s.yaml", "k.mtx"})
    for name, text, code, pieces in VERDICTS:
        scene.write_text(text)
        result = thud_json("run", "s.yaml", "--no-record", cwd=here, code=code)
        report(name, all(piece in result["reason"] for piece in pieces), result["reason"])
        report(f"{name}: the state is finite", all(value == value for value in result["state"].values()), result["state"])
end()
