"""A run that has ended goes on with --resume and a later end: the same rows, events and ledger as of a run in one go, bit
by bit where the times of the nodes are the same (a length doubled)."""
import json
import pathlib
import re

from thudcli import ROOT, end, folder, refused, report, thud

SCENES = ROOT / "examples" / "dynamics"


def scene_of(name, simulate, record):
    text = re.sub(r"(?m)^(simulate|record):.*\n", "", (SCENES / f"{name}.yaml").read_text())
    text = text.replace("impact_law: sequential", "impact_law: canonical")  # which all methods take
    return f"{text}simulate: {simulate}\nrecord: {{{record}}}\n"


def rows_of(here, name):
    return thud("export", name, "--rows", cwd=here).stdout, thud("export", name, "--events", cwd=here).stdout


def result_of(done):
    result = json.loads(done.stdout)
    return {key: value for key, value in result.items() if key not in ("wall_seconds", "record")}


def test_bits(here):
    for name, method, checkpoint, later in (("vibrating-table", "moreau-jean", 0.7, 4), ("vibrating-table", "moreau", 0.5, 4),
                                            ("woodpecker", "moreau-jean", 0.3, 4), ("rocking-block", "stabilised", 1, 4),
                                            ("newton-cradle", "mabrouk", 0.25, 8)):
        path = pathlib.Path(here) / "scene.yaml"
        path.write_text(scene_of(name, f"{{method: {method}, end: 2, steps: 4000}}",
                                 f"every: 0.05, checkpoint_every: {checkpoint}"))
        first = thud("run", "scene.yaml", "-o", "part.h5", "--force", "-q", cwd=here)
        went = thud("run", "--resume", "part.h5", "--set", f"simulate.end={later}", "--json", cwd=here)
        whole = thud("run", "scene.yaml", "-o", "whole.h5", "--force", "--json", "--set", f"simulate.end={later}", "--set",
                     f"simulate.steps={2000 * later}", cwd=here)
        good = first.returncode == 0 and went.returncode == whole.returncode == 0
        label = f"{name} by {method}, a checkpoint every {checkpoint}"
        report(f"{label}: the result", good and result_of(went) == result_of(whole),
               f"{first.stderr}{went.stderr}{went.stdout[:600]}\n{whole.stdout[:600]}")
        report(f"{label}: rows and events", good and rows_of(here, "part.h5") == rows_of(here, "whole.h5"))
        judged = thud("verify", "part.h5", cwd=here)
        report(f"{label}: verified", judged.returncode == 0, judged.stdout + judged.stderr)


BODIES = """thud: 1
materials: {stone: {friction: 0.5, restitution: 0.2, density: 2600}}
bodies:
  - {name: table, path: {position: [0.02*sin(20*t), 0, -0.05]}, shape: {box: [2, 2, 0.1]}, material: stone}
  - {generate: grid, name: ball, counts: [2, 2, 2], spacing: 0.22, position: [-0.1, -0.1, 0.15], jitter: 0.005,
     body: {shape: {sphere: 0.1}, material: stone}}
simulate: {end: 0.5, step: 0.003}
record: {every: 0.05, checkpoint_every: 0.2}
"""


def test_bodies(here):
    """0.5 s are 167 steps, which are a little shorter than asked for; 1 s is 334 of them, 0.7 s no whole number."""
    (pathlib.Path(here) / "bodies.yaml").write_text(BODIES)
    thud("run", "bodies.yaml", "-o", "part.h5", "-q", cwd=here)
    refused("bodies: no whole number of steps", thud("run", "--resume", "part.h5", "--set", "simulate.end=0.7", cwd=here),
            ["a whole number"], here, {"bodies.yaml", "part.h5"})
    went = thud("run", "--resume", "part.h5", "--set", "simulate.end=1", "--json", cwd=here)
    whole = thud("run", "bodies.yaml", "-o", "whole.h5", "--json", "--set", "simulate.end=1", cwd=here)
    good = went.returncode == whole.returncode == 0
    report("bodies: the result", good and result_of(went) == result_of(whole), went.stderr + went.stdout[:600])
    report("bodies: rows and events", good and rows_of(here, "part.h5") == rows_of(here, "whole.h5"))
    judged = thud("verify", "part.h5", cwd=here)
    report("bodies: verified", judged.returncode == 0, judged.stdout + judged.stderr)


def test_event_driven(here):
    """From the newest checkpoint, with the sizes of the first run. Arcs that do not see the end have the same bits; a flight
    that is proved as far as the end begins with another step, which changes the last digit of its event."""
    path = pathlib.Path(here) / "scene.yaml"
    for name, checkpoint, exact in (("woodpecker", 0.3, True), ("double-pendulum", 0.7, True), ("rocking-block", 0.3, True),
                                    ("bouncing-particle", 0.3, False), ("bouncing-particle", 0.5, False)):
        path.write_text(scene_of(name, "{method: event-driven, end: 2}", f"checkpoint_every: {checkpoint}"))
        first = thud("run", "scene.yaml", "-o", "part.h5", "--force", "-q", cwd=here)
        went = thud("run", "--resume", "part.h5", "--set", "simulate.end=4", "--json", cwd=here)
        whole = thud("run", "scene.yaml", "-o", "whole.h5", "--force", "--json", "--set", "simulate.end=4", cwd=here)
        label = f"{name} from event to event, a checkpoint every {checkpoint}"
        if not report(f"{label}: goes on", first.returncode == went.returncode == whole.returncode == 0,
                      first.stderr + went.stderr):
            continue
        one, other = result_of(went), result_of(whole)
        if exact:
            report(f"{label}: rows and events", rows_of(here, "part.h5") == rows_of(here, "whole.h5"))
        times = [[event["t"] for event in result["events"]] for result in (one, other)]
        near = len(times[0]) == len(times[1]) and all(abs(a - b) <= 1e-12 for a, b in zip(*times))
        report(f"{label}: the same events", near and one["impacts"] == other["impacts"], f"{times}")
        report(f"{label}: the same state",
               all(abs(one["state"][key] - value) <= 1e-9 for key, value in other["state"].items()), f"{one['state']}")
        judged = thud("verify", "part.h5", cwd=here)
        report(f"{label}: verified", judged.returncode == 0, judged.stdout + judged.stderr)


JUMPING = """thud: 1
data:
  push: {breaks: [0.123, 0.777, 2.5001], pieces: [0, 2, "t - 1", 0], at_breaks: left}
system:
  coordinates: [x, z]
  kinetic_energy: "(x'^2 + z'^2)/2"
  potential_energy: "9.81*z*if(t < 0.4501, 1, 0.5)"
  forces: {x: "3*step(sin(9*t)) + push"}
  constraints:
    - {name: floor, gap: "z + 0.3*step(t - 1.2345)", restitution: 0.3,
       friction: {slip: ["x' - 0.5*step(t - 0.6017)"], mu: "0.2 + 0.3*step(t - 0.9)"}}
initial: {x: 0, z: 0.2}
simulate: {method: moreau-jean, end: 2, steps: 500}
"""


def test_jumping_data(here):
    """Steps end where data jump: up to t = 4 eleven zeros of sin(9 t), the data three times, the formulas at 0.4501, 0.6017,
    1.2345 and, at a node, at 0.9."""
    for method in ("moreau", "moreau-jean", "stabilised", "second-order", "implicit"):
        for every in ("", "record: {every: 0.05, checkpoint_every: 0.4}\n"):
            text = JUMPING.replace("moreau-jean", method) + every
            (pathlib.Path(here) / "jumping.yaml").write_text(text)
            thud("run", "jumping.yaml", "-o", "part.h5", "--force", "-q", cwd=here)
            first = thud("verify", "part.h5", cwd=here)
            went = thud("run", "--resume", "part.h5", "--set", "simulate.end=4", "--json", cwd=here)
            whole = thud("run", "jumping.yaml", "-o", "whole.h5", "--force", "--json", "--set", "simulate.end=4", "--set",
                         "simulate.steps=1000", cwd=here)
            label = f"jumping data by {method}{', not every step' if every else ''}"
            report(f"{label}: verified", first.returncode == 0, first.stdout + first.stderr)
            if not every:
                continue
            good = went.returncode == whole.returncode == 0
            report(f"{label}: goes on", good and result_of(went) == result_of(whole),
                   went.stderr + whole.stderr + went.stdout[:500])
            report(f"{label}: rows and events", good and rows_of(here, "part.h5") == rows_of(here, "whole.h5"))
            result = json.loads(whole.stdout) if good else {}
            report(f"{label}: steps", result.get("steps") == 1017 and result.get("data_jumps") == 18,
                   f"{result.get('steps')} steps, {result.get('data_jumps')} jumps")


def test_refusals(here):
    path = pathlib.Path(here) / "scene.yaml"
    path.write_text(scene_of("vibrating-table", "{method: moreau-jean, end: 2, steps: 4000}",
                             "every: 0.05, checkpoint_every: 0.5"))
    thud("run", "scene.yaml", "-o", "part.h5", "-q", cwd=here)
    before = (pathlib.Path(here) / "part.h5").read_bytes()
    there = {"scene.yaml", "part.h5"}
    for name, arguments, piece in (("an earlier end", ["--set", "simulate.end=1"], "verdict good"),
                                   ("the same end", [], "nothing is left to resume"),
                                   ("half a step", ["--set", "simulate.end=2.00025"], "whole number of steps"),
                                   ("other steps", ["--set", "simulate.end=4", "--set", "simulate.steps=4001"],
                                    "other options"),
                                   ("another parameter", ["--set", "e=0.1"], "needs the scene file")):
        refused(name, thud("run", "--resume", "part.h5", *arguments, cwd=here), [piece], here, there)
        report(f"{name}: the record is as it was", (pathlib.Path(here) / "part.h5").read_bytes() == before)
    done = thud("run", "scene.yaml", "--resume", "part.h5", "--set", "simulate.end=4", "--set", "simulate.steps=8000", "-q",
                cwd=here)
    report("the scene file with a later end", done.returncode == 0, done.stderr)
    path.write_text(scene_of("newton-cradle", "{method: event-driven, end: 2, arcs: runge-kutta}", "checkpoint_every: 0.5"))
    thud("run", "scene.yaml", "-o", "part.h5", "--force", "-q", cwd=here)
    refused("event-driven, arcs as long as a part of the run",
            thud("run", "--resume", "part.h5", "--set", "simulate.end=4", cwd=here), ["unless max_step is given"], here, there)


with folder() as place:
    test_bits(place)
with folder() as place:
    test_bodies(place)
with folder() as place:
    test_event_driven(place)
with folder() as place:
    test_jumping_data(place)
with folder() as place:
    test_refusals(place)
end()
