"""thud check --resolved: the scene with its defaults is a scene, resolves to itself, and runs to the same bits."""
import json
import pathlib

from thudcli import ROOT, end, folder, report, skipped, some, thud

try:
    import jsonschema
    VALIDATOR = jsonschema.Draft202012Validator(json.loads(thud("schema").stdout))
except ImportError:
    VALIDATOR = None
    skipped("resolved scenes follow the schema", "needs python3-jsonschema: make deps-dev")


def without_clock(value):
    """The result without wall-clock figures and names of files."""
    if isinstance(value, dict):
        return {key: without_clock(entry) for key, entry in value.items() if key not in ("wall_seconds", "file", "record")}
    return [without_clock(entry) for entry in value] if isinstance(value, list) else value


def ran(scene, here, *settings):
    done = thud("run", scene, "--json", "--no-record", *settings, cwd=here, timeout=600)
    return done.returncode, without_clock(json.loads(done.stdout)) if done.stdout else done.stderr


def is_scene(path):
    return any(line.startswith("thud:") for line in path.read_text().splitlines())


with folder() as here:
    scenes = sorted(path for path in (ROOT / "examples").rglob("*.yaml") if is_scene(path))
    report("there are examples", len(scenes) > 40, len(scenes))
    to_run = set(some(scenes, 5))
    for path in scenes:
        done = thud("check", "--resolved", path, cwd=here)
        if path.stem == "unqualified":  # made to be refused
            report("a scene that is refused is not printed", done.returncode == 2 and done.stdout == "", done.stdout)
            continue
        if not report(f"{path.stem} is resolved", done.returncode == 0, done.stderr):
            continue
        copy = pathlib.Path(here) / "resolved.json"
        copy.write_text(done.stdout)
        again = thud("check", "--resolved", copy, cwd=here)
        report(f"{path.stem} resolves to itself", again.stdout == done.stdout, again.stderr)
        # piles take long: their first steps do
        settings = ["--set", "simulate.end=0.1"] if path.parent.name == "bodies" else []
        if path not in to_run:
            continue
        given, resolved = ran(path, here, *settings), ran(copy, here, *settings)
        report(f"{path.stem} runs to the same bits", given == resolved, f"{given}\n{resolved}"[:2000])
        if VALIDATOR is not None:
            wrong = [error.message for error in VALIDATOR.iter_errors(json.loads(done.stdout))]
            report(f"{path.stem} follows the schema when it is resolved", not wrong, "\n".join(wrong)[:1000])

    # What was given stays, changes by --set included; what is filled in comes after it.
    done = thud("check", "--resolved", ROOT / "examples/dynamics/bouncing-particle.yaml", "--set", "simulate.theta=0.75",
                cwd=here)
    scene = json.loads(done.stdout)
    report("--set is part of what was given", scene["simulate"]["theta"] == 0.75, scene["simulate"])
    report("defaults come after what was given", list(scene["simulate"])[:4] == ["method", "end", "steps", "theta"],
           list(scene["simulate"]))
    report("defaults of the system", scene["system"]["impact_law"] == "newton" and scene["initial"]["q'"] == 0
           and scene["system"]["on_energy_gain"] == "reduce_e" and scene["record"]["every_step"] is False, scene)

    every = """{thud: 1, definitions: {r2: x^2 + y^2}, data: {d: {breaks: [1], pieces: [0, t]}}, system: {coordinates: [x, y, w],
      mass: [1, 1, 1], forces: {x: d}, impact_law: {table: {y: "-0.5*y'"}}, constraints: [{gap: y}, {phi: y - 3},
      {velocity_form: "w' - 2*x'"}, {equation: "w - 2*x"}, {string: {length: 9, distance: sqrt(r2 + 1)}, friction: {slip: ["x'"],
      law: {polyhedron: {A: [[1], [-1]], b: [1, 1]}}}}], friction: [{name: brake, threshold: 0.1, slip: ["w'"]}]},
      initial: {x: 0, y: 1, w: 0}, simulate: {method: moreau, end: 1, steps: 10}}"""
    path = pathlib.Path(here) / "every.yaml"
    path.write_text(every)
    done = thud("check", "--resolved", path, cwd=here)
    scene = json.loads(done.stdout) if report("a scene of many defaults", done.returncode == 0, done.stderr) else None
    if scene is not None:
        system = scene["system"]
        report("names, restitution and sides of constraints",
               [(c["name"], c.get("restitution"), c.get("one_sided")) for c in system["constraints"]] ==
               [("constraint0", 0, None), ("constraint1", 0, None), ("constraint2", None, False), ("constraint3", None, None),
                ("constraint4", 0, None)], system["constraints"])
        friction = system["constraints"][4]["friction"]
        report("friction laws", system["friction"][0]["law"] == "disc" and friction["mu"] == 1
               and friction["law"]["polyhedron"]["equalities"] == 0, system)
        report("tables keep velocities", system["impact_law"]["table"] == {"y": "-0.5*y'", "x": "x'", "w": "w'"}, system)
        report("data, units, record", scene["data"]["d"]["at_breaks"] == "right" and scene["units"]["t"] == "s"
               and scene["record"] == {"every_step": True, "checkpoint_every": None}, scene)
end()
