"""Bad input, one by one: exit code 2, one line that says what and where, nothing left behind."""
import pathlib
import re

from thudcli import end, example, folder, refused, report, thud

GOOD = """thud: 1
parameters: {r: 1}
sweeping:
  coordinates: [x, y]
  set: {ball: {centre: [t, 0], radius: r}}
initial: {x: 0, y: 0.5}
simulate: {method: catching-up, end: 1, steps: 10}
"""

CASES = [
    # name, text of the scene, pieces of the message
    ("malformed YAML", GOOD.replace("[x, y]", "[x, y"), ["scene.yaml:"]),
    ("malformed JSON", '{"thud": 1, "sweeping": {', ["scene.yaml:"]),
    ("empty file", "", ["scene.yaml"]),
    ("a list instead of a map", "- 1\n- 2\n", ["scene.yaml:1:", "map"]),
    ("a scalar instead of a map", "hello\n", ["scene.yaml:1:", "map"]),
    ("tabs as indentation", GOOD.replace("  coordinates", "\tcoordinates"), ["scene.yaml:4"]),
    ("two documents", GOOD + "---\n" + GOOD, ["scene.yaml:"]),
    ("not UTF-8", None, ["scene.yaml"]),
    ("contact problem", "thud_problem: 1\n" + GOOD, [":1:1:", "contact problem", "thud solve"]),
    ("unknown key", GOOD.replace("initial:", "initail:"), [":6:1:", "'initail'", "did you mean 'initial'"]),
    ("unknown nested key", GOOD.replace("radius: r", "radus: r"), [":5:", "did you mean 'radius'"]),
    ("duplicate key", GOOD + "thud: 1\n", [":8:1:", "thud"]),
    ("duplicate nested key", GOOD.replace("end: 1", "end: 1, end: 2"), [":7:", "end"]),
    ("wrong type: string for a list", GOOD.replace("[x, y]", "x"), [":4:", "/sweeping/coordinates"]),
    ("wrong type: map for a number", GOOD.replace("radius: r", "radius: {a: 1}"), ["/sweeping/set/ball/radius"]),
    ("wrong type: number for a title", GOOD + "title: 3\n", ["/title"]),
    ("empty set: negative radius", GOOD.replace("r: 1", "r: -1"), ["/sweeping/set/ball", "-1"]),
    ("empty set: box", GOOD.replace("{ball: {centre: [t, 0], radius: r}}", "{box: {lower: [0, 1], upper: [1, 0]}}"),
     ["/sweeping/set/box", "empty"]),
    ("empty set: polyhedron",
     GOOD.replace("{ball: {centre: [t, 0], radius: r}}", "{polyhedron: {A: [[1, 1], [-1, -1]], b: [-1, 0]}}"),
     ["/sweeping/set/polyhedron", "empty"]),
    ("empty set: polyhedral intersection",
     GOOD.replace("{ball: {centre: [t, 0], radius: r}}",
                  "{intersection: [{half_space: {normal: [1, 0], offset: 0}}, "
                  "{half_space: {normal: [-1, 0], offset: -1}}]}"), ["/sweeping/set/intersection", "empty"]),
    ("non-SPD metric", GOOD.replace("[x, y]", "[x, y]\n  metric: [[1, 2], [2, 1]]"), ["/sweeping/metric", "definite"]),
    ("non-symmetric metric", GOOD.replace("[x, y]", "[x, y]\n  metric: [[1, 2], [3, 9]]"),
     ["/sweeping/metric", "symmetric"]),
    ("NaN", GOOD.replace("y: 0.5", "y: .nan"), [":6:"]),
    ("infinity", GOOD.replace("y: 0.5", "y: .inf"), [":6:"]),
    ("infinity by overflow", GOOD.replace("y: 0.5", "y: 1e999"), [":6:"]),
    ("division by zero in an expression", GOOD.replace("y: 0.5", "y: 1/0"), ["/initial/y", "finite"]),
    ("NaN at the start in the set", GOOD.replace("[t, 0]", '["log(t - 1)", 0]'), ["/sweeping/set/ball"]),
    ("step 0", GOOD.replace("steps: 10", "step: 0"), ["/simulate/step", "greater than 0"]),
    ("negative step", GOOD.replace("steps: 10", "step: -1"), ["/simulate/step", "greater than 0"]),
    ("a step and steps", GOOD.replace(", steps: 10", ", steps: 10, step: 0.1"), ["/simulate", "step"]),
    ("end before start", GOOD.replace("end: 1", "start: 2, end: 1"), ["/simulate/end"]),
    ("unknown name in an expression", GOOD.replace("[t, 0]", '["spede*t", 0]').replace("{r: 1}", "{r: 1, speed: 2}"),
     ["/sweeping/set/ball/centre/0", "spede", "did you mean 'speed'"]),
    ("syntax error in an expression", GOOD.replace("[t, 0]", '["2*(t + 1", 0]'), ["/sweeping/set/ball/centre/0"]),
    ("nonlinear jump", GOOD.replace("[t, 0]", '["step(sin(t))", 0]'), ["/sweeping/set/ball/centre/0", "data"]),
    ("alias bomb", "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"{chr(98 + k)}: &{chr(98 + k)} [{', '.join(['*' + chr(97 + k)] * 9)}]\n" for k in range(9)), ["scene.yaml:"]),
    ("very deep nesting", "thud: " + "[" * 100000, ["scene.yaml:"]),
    ("huge dimension", GOOD.replace("{ball: {centre: [t, 0], radius: r}}", "{coulomb_cone: {mu: 1, dimension: 1e9}}"),
     ["dimension"]),
    ("too many steps", GOOD.replace("steps: 10", "steps: 1e12"), ["/simulate/steps"]),
    ("wrong scene version", GOOD.replace("thud: 1", "thud: 9"), [":1:", "9"]),
]


with folder() as here:
    scene = pathlib.Path(here, "scene.yaml")
    for name, text, pieces in CASES:
        scene.write_bytes(b"thud: 1\ntitle: \xff\xfe\n" if text is None else text.encode())
        for command in ("check", "run"):
            refused(f"{name} ({command})", thud(command, "scene.yaml", cwd=here), pieces, here, {"scene.yaml"})

    scene.write_text(GOOD)
    kept = {"scene.yaml"}
    refused("missing file", thud("run", "nowhere.yaml", cwd=here), ["nowhere.yaml"], here, kept)
    refused("a folder instead of a file", thud("run", ".", cwd=here), ["."], here, kept)
    refused("unwritable output", thud("run", "scene.yaml", "-o", "no/such/folder/x.h5", cwd=here),
            ["no/such/folder"], here, kept)
    refused("output is a folder", thud("run", "scene.yaml", "-o", "/tmp", cwd=here), ["/tmp"], here, kept)
    before = scene.read_bytes()
    refused("output is the scene itself", thud("run", "scene.yaml", "-o", "scene.yaml", "--force", cwd=here),
            ["the file to be read"], here, kept)
    report("the scene is still there", scene.read_bytes() == before)
    refused("full device", thud("run", "scene.yaml", "-o", "/dev/full", cwd=here), ["/dev/full"], here, kept)
    refused("--set without a value", thud("run", "scene.yaml", "--set", "r", cwd=here), ["KEY=VALUE"], here, kept)
    refused("--set of an unknown parameter", thud("run", "scene.yaml", "--set", "q=1", cwd=here), ["q"], here, kept)
    refused("--set of an unknown path", thud("run", "scene.yaml", "--set", "simulate.stpes=1", cwd=here),
            ["stpes", "did you mean 'steps'"], here, kept)
    refused("--set makes the set empty", thud("run", "scene.yaml", "--set", "r=-1", cwd=here), ["-1"], here, kept)
    refused("--at outside the run", thud("run", "scene.yaml", "--at", "7", cwd=here), ["7"], here, kept)
    refused("--at with garbage", thud("run", "scene.yaml", "--at", "1,x", cwd=here), ["'x'"], here, kept)
    refused("unknown option", thud("run", "scene.yaml", "--jsn", cwd=here), ["did you mean --json"], here, kept)
    refused("option without its value", thud("run", "scene.yaml", "--set", cwd=here), ["--set KEY=VALUE"], here, kept)
    refused("unknown command", thud("rnu", "scene.yaml", cwd=here), ["did you mean 'run'"], here, kept)
    refused("no operand", thud("run", cwd=here), ["SCENE"], here, kept)
    refused("unknown starter", thud("new", "jmp", cwd=here), ["did you mean 'jump'"], here, kept)
    refused("export of a scene", thud("export", "scene.yaml", cwd=here), ["scene.yaml"], here, kept)
    refused("export of nothing", thud("export", "none.h5", cwd=here), ["none.h5"], here, kept)
    refused("plot of a scene", thud("plot", "scene.yaml", "-o", "x.png", cwd=here), ["scene.yaml"], here, kept)
    refused("verify of nothing", thud("verify", "none.h5", cwd=here), ["none.h5"], here, kept)

    # Each option of each command with its first letter twice: however many there are, the right one is found.
    for command in re.findall(r"^  ([a-z]+) {2,}", thud("--help").stdout, re.M):
        flags = re.findall(r"^  (?:-\w, |    )?--([a-z-]+)", thud(command, "--help").stdout.split("Options:")[1], re.M)
        said = {flag: thud(command, f"--{flag[0]}{flag}", cwd=here).stderr for flag in flags}
        report(f"slips of every option of {command}", len(flags) > 1 and all(
            text == f"thud: {command}: unknown option --{flag[0]}{flag} (did you mean --{flag}?) [usage]\n" for flag, text in said.items()), said)

    # A failing run keeps what it has: verdict in the record, exit code 1.
    scene.write_text(GOOD.replace("radius: r", "radius: 0.55 - t"))
    done = thud("run", "scene.yaml", cwd=here)
    report("a set that vanishes on the way: exit 1 and a record",
           done.returncode == 1 and "t = 0.6" in done.stdout and pathlib.Path(here, "scene.h5").exists(),
           done.stdout + done.stderr)
    before = pathlib.Path(here, "scene.h5").read_bytes()
    done = thud("run", "scene.yaml", cwd=here)
    report("an existing record is not overwritten",
           done.returncode == 2 and "--force" in done.stderr and
           pathlib.Path(here, "scene.h5").read_bytes() == before, done.stderr)
    done = thud("run", "scene.yaml", "--set", "simulate.end=-1", "--force", cwd=here)
    report("a refused run keeps the old record even with --force",
           done.returncode == 2 and pathlib.Path(here, "scene.h5").read_bytes() == before, done.stderr)
    done = thud("run", example("jump"), "nowhere.yaml", "--no-record", cwd=here)
    report("several files: the largest exit code", done.returncode == 2 and "verdict: good" in done.stdout, done)
end()
