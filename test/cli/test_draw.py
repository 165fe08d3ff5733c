"""`draw` of scenes through the program: the numbers of records are those without it, verify and study take no notice."""
import pathlib

from thudcli import ROOT, end, folder, report, thud, thud_json

SYSTEM = """thud: 1
system:
  coordinates: [z]
  mass: [1]
  potential_energy: 9.81*z
  constraints: [{name: floor, gap: z, restitution: 0.6}]
initial: {z: 1}
simulate: {METHOD, end: 2}
"""
SWEEPING = """thud: 1
sweeping: {coordinates: [x, y], set: {ball: {centre: [t, 0], radius: 1}}}
initial: {x: 0, y: 0.5}
simulate: {method: catching-up, end: 3, steps: 60}
"""
FRICTION = """thud: 1
friction: {coordinates: [x], laws: [{name: line, slip: ["x'"]}], velocity: {x: cos(t)}}
simulate: {end: 3, steps: 12}
"""
BALL = """draw:
  - circle: {at: [0, z], radius: 0.1}
  - arrow: {at: [0, 0], force: floor, along: [0, 1]}
  - trace: {at: [t, z]}
"""
SCENES = {
    "stepping": (SYSTEM.replace("METHOD", "method: moreau-jean, steps: 200"), BALL),
    "event-driven": (SYSTEM.replace("METHOD", "method: event-driven"), BALL),
    "sweeping": (SWEEPING, "draw: [{trace: {at: [x, y]}}, {circle: {at: [t, 0], radius: 1}}]\n"),
    "friction": (FRICTION, "draw:\n  - arrow: {at: [0, 0], vector: [\"x'\", F_x]}\n"),
}

with folder() as place:
    here = pathlib.Path(place)
    for name, (scene, draw) in SCENES.items():
        tables = []
        for file, text in (("plain", scene), ("drawn", scene + draw)):
            (here / f"{file}.yaml").write_text(text)
            thud("run", f"{file}.yaml", "-o", f"{file}.h5", "--force", cwd=here)
            tables.append(thud("export", f"{file}.h5", cwd=here).stdout)
        report(f"{name}: the record has the same numbers", tables[0] == tables[1] and tables[0].count("\n") > 5, tables)
        done = thud_json("verify", "drawn.h5", cwd=here)
        report(f"{name}: verify takes no notice", done["verdict"] == "good", done)

    (here / "ball.yaml").write_text(SCENES["stepping"][0] + BALL)
    result = thud_json("study", "ball.yaml", "--levels", "5:8", cwd=here)
    report("study takes no notice", result["verdict"] == "good" and len(result["table"]) == 4, result)
    resolved = thud("check", "--resolved", "ball.yaml", cwd=here)
    report("the resolved scene has it as it was given", '"trace"' in resolved.stdout, resolved)

    (here / "bad.yaml").write_text(SCENES["stepping"][0] + BALL.replace("force: floor", "force: flor"))
    done = thud("run", "bad.yaml", cwd=here)
    message = "bad.yaml:11:32: /draw/1/arrow/force: 'flor' is none of floor (did you mean 'floor'?)"
    report("what is wrong is refused where it is, before the run", done.returncode == 2 and message in done.stderr and
           not (here / "bad.h5").exists(), done)

    for starter in sorted((ROOT / "examples").glob("*.yaml")):
        if "\nsystem:" in starter.read_text():
            thud("new", starter.stem, "--force", cwd=here)
            made = here / f"{starter.stem}.yaml"
            report(f"thud new {starter.stem} brings its picture", made.exists() and "\ndraw:\n" in made.read_text())
end()
