"""Silent traps become words, and what a scene leaves out is chosen: each trap as people fall into it, and without it."""
import json
import math
import pathlib

from thudcli import ROOT, end, folder, report, some, thud, thud_json

BALL = {"thud": 1, "materials": {"steel": {"friction": 0.3, "density": 7800}}, "simulate": {"end": 0.4, "step": 1e-3},
        "bodies": [{"name": "floor", "fixed": True, "shape": "plane", "material": "steel"},
                   {"name": "ball", "shape": {"sphere": 0.1}, "material": "steel", "position": [0, 0, 1]}]}
MILLIMETRES = {"units": {"length": "mm"}, "materials": {"steel": {"friction": 0.3, "density": 7.8e-6}},
               "bodies": [BALL["bodies"][0], {**BALL["bodies"][1], "shape": {"sphere": 100}, "position": [0, 0, 1000]}]}
OSCILLATOR = {"thud": 1, "parameters": {"k": 100, "m": 1}, "initial": {"x": 1},
              "system": {"coordinates": ["x"], "kinetic_energy": "m*x'^2/2", "forces": {"x": "-k*x"}},
              "simulate": {"end": 10}}
# The lower half of a pyramid, open above: its triangles turn their upper side to what falls in. Flipped: outside.
FUNNEL = {"vertices": [[0, 0, 0], [1, 1, 1], [-1, 1, 1], [-1, -1, 1], [1, -1, 1]],
          "triangles": [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 1]], "open": True}


def flipped(mesh):
    return {**mesh, "triangles": [[a, c, b] for a, b, c in mesh["triangles"]]}


def hopper(mesh, x=0.0, z=1.5):
    return {**BALL, "bodies": [{"name": "hopper", "fixed": True, "shape": {"mesh": mesh}, "material": "steel"},
                               {"name": "grain", "shape": {"sphere": 0.05}, "material": "steel", "position": [x, 0, z]}]}


def write(here, scene):
    path = pathlib.Path(here) / "scene.yaml"
    path.write_text(json.dumps(scene))  # JSON is YAML
    return path


def codes(here, scene):
    return {warning["code"] for warning in thud_json("check", write(here, scene))["warnings"]}


def trap(here, name, code, scene, without):
    """The trap is named by check and by run, in the record, too; without it nothing is said."""
    found = codes(here, scene)
    report(f"{name}: check warns of {code}", found == {code}, found)
    report(f"{name}: without it nothing is said", codes(here, without) == set(), codes(here, without))
    path = write(here, scene)
    done = thud("run", path, "-o", "trap.h5", "-f", "--json", cwd=here)
    listed = {warning["code"] for warning in json.loads(done.stdout)["warnings"]}
    report(f"{name}: run warns, too", code in listed, listed)
    report(f"{name}: verify accepts the record", thud("verify", "trap.h5", cwd=here).returncode in (0, 1)
           and "is in the resolved scene" not in thud("verify", "trap.h5", cwd=here).stdout)


def test_units(here):
    trap(here, "9.81 in a scene in mm", "gravity-units", {**BALL, **MILLIMETRES, "gravity": [0, 0, -9.81]},
         {**BALL, **MILLIMETRES})
    text = thud("check", write(here, {**BALL, **MILLIMETRES})).stdout
    report("the default in mm is said", "9810 mm/s^2, which is 9.81 m/s^2" in text, text)
    trap(here, "steel of kg/m^3 in a scene in mm", "density-units",
         {**BALL, **MILLIMETRES, "materials": BALL["materials"]}, {**BALL, **MILLIMETRES})
    falling = {"thud": 1, "parameters": {"g": 9.81}, "units": {"x": "mm"}, "initial": {"x": 1000},
               "system": {"coordinates": ["x"], "kinetic_energy": "x'^2/2", "forces": {"x": "-g"}}, "simulate": {"end": 1}}
    trap(here, "g = 9.81 in a system in mm", "gravity-units", falling, {**falling, "parameters": {"g": 9810}})
    unknown = thud("check", write(here, {**BALL, "units": {"length": "cubit"}}))
    report("a unit of unknown size asks for gravity", unknown.returncode == 2 and unknown.stderr.count("[unknown-unit]") == 1,
           unknown.stderr)


def test_directions(here):
    trap(here, "gravity upwards", "gravity-upwards", {**BALL, "gravity": [0, 0, 9.81]}, {**BALL, "gravity": [0, 0, -9.81]})
    body = BALL["bodies"][1]
    turned = [BALL["bodies"][0], {**body, "rotation": {"axis": [0, 0, 1], "angle": 30}}]
    trap(here, "an angle of 30", "angle-in-degrees", {**BALL, "bodies": turned},
         {**BALL, "bodies": [BALL["bodies"][0], {**body, "rotation": {"axis": [0, 0, 1], "angle": "30*pi/180"}}]})


def test_materials(here):
    bare = [BALL["bodies"][0], {"name": "ball", "shape": {"sphere": 0.1}, "mass": 1, "position": [0, 0, 1]}]
    trap(here, "a body without a material", "no-material", {**BALL, "bodies": bare}, BALL)
    report("without gravity nothing rests", codes(here, {**BALL, "bodies": bare, "gravity": [0, 0, 0]}) == set())
    floor = {key: value for key, value in BALL["bodies"][0].items() if key != "material"}
    trap(here, "a floor without a material", "no-material", {**BALL, "bodies": [floor, BALL["bodies"][1]]}, BALL)
    ice = {**BALL["materials"], "ice": {"density": 900}}
    iced = {**BALL, "materials": ice, "bodies": [BALL["bodies"][0], {**BALL["bodies"][1], "material": "ice"}]}
    trap(here, "a material without friction", "no-material", iced,
         {**iced, "materials": {**ice, "ice": {"density": 900, "friction": 0}}})
    pair = {"materials": ["steel", "ice"], "friction": 0.05}
    report("a pair says its friction", codes(here, {**iced, "pairs": [pair]}) == set())
    report("a material that nobody has", codes(here, {**BALL, "materials": ice}) == set())


def test_flat(here):
    """A scene of the plane without planar: true is refused with that word; bodies that stay in a plane get a note."""
    for name, scene, where in (
            ("two numbers for a place", {**BALL, "bodies": [BALL["bodies"][0], {**BALL["bodies"][1], "position": [0, 1]}]}, "/position"),
            ("gravity of two numbers", {**BALL, "gravity": [0, -9.81]}, "/gravity"),
            ("a half-plane as a floor", {**BALL, "bodies": [{**BALL["bodies"][0], "shape": "half_plane"}]}, "/shape")):
        done = thud("check", write(here, scene))
        report(f"{name}: planar is named", done.returncode == 2 and where in done.stderr and "'planar: true'" in done.stderr,
               done.stderr)
    planar = thud("check", write(here, {**BALL, "planar": True}))
    report("and the other way round", planar.returncode == 2 and "'plane' is a shape of space" in planar.stderr
           and "'planar: true'" in planar.stderr, planar.stderr)
    boxes = [{"name": f"box-{k}", "shape": {"box": [1, 1, 1]}, "material": "steel", "position": [k, 0, 0.5]} for k in (0, 2)]
    moving = {**boxes[0], "velocity": [0, 1, 0]}
    for name, bodies, noted in (("boxes in the plane across y", boxes, True), ("one that leaves it", [moving, boxes[1]], False)):
        text = thud("check", write(here, {**BALL, "bodies": [BALL["bodies"][0], *bodies]})).stdout
        report(f"{name}: a note {'says so' if noted else 'would be wrong'}", ("planar: true" in text) == noted, text)


SYSTEM = OSCILLATOR["system"]


def test_missing_keys(here):
    """A missing key is named together with what may stand there."""
    body = {"name": "a", "shape": {"sphere": 1}, "mass": 1}
    for key, what, scene in (
            ("initial", '{x: 1, "x\'": 0}', {**OSCILLATOR, "initial": None}),
            ("coordinates", "[x, y]", {**OSCILLATOR, "system": {"mass": [1]}}),
            ("mass", "kinetic_energy", {**OSCILLATOR, "system": {"coordinates": ["x"]}}),
            ("gap", "must not become negative", {**OSCILLATOR, "system": {**SYSTEM, "constraints": [{"name": "floor"}]}}),
            ("slip", "tangential velocities", {**OSCILLATOR, "system": {**SYSTEM, "constraints": [
                {"name": "floor", "gap": "x", "friction": {"mu": 0.3}}]}}),
            ("shape", "{sphere: 0.1}", {**BALL, "bodies": [{"name": "a"}]}),
            ("joint", "one of ball, hinge, slider", {**BALL, "bodies": [body], "joints": [{"a": "a"}]}),
            ("do", "one of add, remove, set", {**BALL, "bodies": [body], "changes": [{"at": 0.1}]}),
            ("length", "a number > 0", {**BALL, "bodies": [{"name": "a", "shape": {"cylinder": {"radius": 1}}, "mass": 1}]}),
            ("body", "material: stone", {**BALL, "bodies": [{"generate": "grid"}]}),
            ("mesh", "{disc: [x, y, radius], rings: n}", {"thud": 1, "membrane": {}, "simulate": {"end": 1}}),
            ("nodes", "the number of nodes", {"thud": 1, "string": {}, "simulate": {"end": 1}}),
            ("material", "{young: 1, poisson: 0.3}", {"thud": 1, "half_plane": {}, "simulate": {"end": 1}}),
            ("stiffness", "{file: stiffness.mtx}", {"thud": 1, "quasistatic": {}, "simulate": {"end": 1}}),
            ("set", "{ball: {centre: [t, 0], radius: 1}}",
             {"thud": 1, "sweeping": {"coordinates": ["x"]}, "initial": {"x": 0}, "simulate": {"end": 1}})):
        scene = {name: value for name, value in scene.items() if value is not None}
        done = thud("check", write(here, scene))
        first = done.stderr.partition("\n")[0]
        report(f"without '{key}': what may stand there", done.returncode == 2 and first.endswith("[missing-key]") and what in first
               and f"the key '{key}' is missing; add '{key}: ...', " in first, done.stderr)
    for name, scene, what in (
            ("an unknown material", {**BALL, "bodies": [{**body, "material": "iron"}]}, "there are: steel"),
            ("no materials at all", {"thud": 1, "bodies": [{**body, "material": "iron"}], "simulate": {"end": 1}}, "the scene has none"),
            ("an unknown shape", {**BALL, "bodies": [{**body, "shape": {"ball": 1}}]}, "There are: sphere, ")):
        done = thud("check", write(here, scene))
        report(f"{name}: the names that there are", done.returncode == 2 and what in done.stderr, done.stderr)


def test_meshes(here):
    trap(here, "a funnel inside out", "mesh-winding", hopper(flipped(FUNNEL)), hopper(FUNNEL))
    report("of a body beside the mesh nothing is said", codes(here, hopper(flipped(FUNNEL), 30)) == set())
    path = write(here, hopper(flipped(FUNNEL)))
    result = thud_json("run", path, "--no-record", code=0)
    cures = [warning["message"] for warning in result["warnings"] if warning["code"] in ("coarse", "large-lift")]
    report("what follows from it names it instead of shorter steps", all("mesh-winding" in cure for cure in cures), cures)
    done = thud("check", write(here, hopper(flipped(FUNNEL), z=0.8)))
    report("a body within the turned funnel: the mesh is named, not the place of the body", done.returncode == 2 and
           "turn its triangles over" in done.stderr and done.stderr.splitlines()[0].endswith("[mesh-winding]"), done.stderr)
    closed = {"vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], "triangles": [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]}
    done = thud("check", write(here, hopper(flipped(closed))))
    report("a closed mesh inside out is refused", done.returncode == 2 and "[mesh-inside-out]" in done.stderr, done.stderr)


def test_steps(here):
    """Period 2 pi sqrt(m/k) = 0.628 s."""
    given = {**OSCILLATOR, "simulate": {"end": 10, "step": 0.01}}
    trap(here, "three steps per period", "step-coarse", {**OSCILLATOR, "simulate": {"end": 10, "step": 0.21}}, given)
    fine = {**OSCILLATOR, "simulate": {"end": 1, "step": 1e-8}}
    report("1e-9 of everything: check warns of step-fine", codes(here, fine) == {"step-fine"}, codes(here, fine))
    trap(here, "one step", "one-step", {**OSCILLATOR, "simulate": {"end": 0.01, "step": 1}}, given)


def test_chosen_steps(here):
    """A scene needs an end and no more: the step resolves the shortest scale by the number of parts, rounded down to 1, 2, 5."""
    for k, m in some([(100, 1), (4e4, 1), (1, 100), (1e-3, 0.1)], 1):
        period = 2 * math.pi * math.sqrt(m / k)
        scene = {**OSCILLATOR, "parameters": {"k": k, "m": m}, "simulate": {"end": 1000 * period}}
        chosen = thud_json("check", write(here, scene))
        step = 1000 * period / chosen["steps"]
        report(f"k = {k:g}, m = {m:g}: from 40 to 100 steps per period", 40 <= period / step * (1 + 1e-6) <= 100.1 and
               "period" in chosen["step_chosen"], (period / step, chosen["step_chosen"]))
    falling = {"thud": 1, "initial": {"x": 2}, "simulate": {"end": 100}, "system": {
        "coordinates": ["x"], "kinetic_energy": "x'^2/2", "forces": {"x": -10}, "constraints": [{"name": "floor", "gap": "x"}]}}
    chosen = thud_json("check", write(here, falling))
    fall = math.sqrt(2 * 2 / 10)
    report("a fall takes from 200 to 500 steps", 200 <= fall / (100 / chosen["steps"]) <= 500.1 and
           "until 'floor' closes" in chosen["step_chosen"], chosen["step_chosen"])
    turning = {**OSCILLATOR, "parameters": {"k": 0, "m": 1}, "simulate": {"end": 100}}
    turning["system"] = {**OSCILLATOR["system"], "forces": {"x": "sin(20*t)"}}
    chosen = thud_json("check", write(here, turning))
    report("a force over time takes from 40 to 100 steps per period", 39 <= 2 * math.pi / 20 / (100 / chosen["steps"]) <= 101
           and "over time" in chosen["step_chosen"], chosen["step_chosen"])
    text = thud("check", write(here, {**OSCILLATOR, "simulate": {"end": 100}})).stdout
    report("check says which step and why", " chosen: 1/" in text and "of the fastest period" in text, text)


def test_chosen_runs(here):
    """What was chosen stands in the record: verify accepts it, a resolved scene repeats the run."""
    ball = json.loads(json.dumps(BALL))
    del ball["simulate"]["step"]
    sweeping = {"thud": 1, "sweeping": {"coordinates": ["x"], "set": {"interval": {"lower": "t", "upper": "t + 1"}}},
                "initial": {"x": 0.5}, "simulate": {"end": 1}}
    for name, scene, method in (("a system", OSCILLATOR, "moreau-jean"), ("bodies", ball, "moreau-midpoint"),
                                ("a sweeping process", sweeping, "catching-up")):
        path = write(here, scene)
        done = thud("run", path, "-o", "chosen.h5", "-f", "--json", cwd=here)
        result = json.loads(done.stdout)
        report(f"{name} runs with an end alone", result["verdict"] == "good" and result["method"] == method
               and result["step_chosen"].startswith("step "), done.stdout[:400] + done.stderr)
        checked = thud("verify", "chosen.h5", cwd=here)
        report(f"{name}: the record is verified", checked.returncode == 0, checked.stdout)
        resolved = json.loads(thud("check", path, "--resolved").stdout)
        report(f"{name}: the resolved scene has the step and why", resolved["simulate"]["step"] > 0
               and resolved["chosen"]["step"] == result["step_chosen"], resolved["simulate"])
        again = thud_json("run", write(here, resolved), "--no-record", cwd=here)
        report(f"{name}: the resolved scene repeats the run", again["state"] == result["state"] and again["step_chosen"] is None)


def test_no_end(here):
    for name, simulate in (("without simulate", None), ("without an end", {"step": 0.1})):
        scene = {key: value for key, value in OSCILLATOR.items() if key != "simulate"}
        if simulate:
            scene["simulate"] = simulate
        done = thud("check", write(here, scene))
        report(f"{name}: asked for, with an example", done.returncode == 2 and "simulate: {end: 2} [no-end]" in done.stderr,
               done.stderr)
    both = thud("check", write(here, {**OSCILLATOR, "simulate": {"end": 1, "step": 0.1, "steps": 10}}))
    report("both a step and steps", both.returncode == 2 and "[no-step]" in both.stderr, both.stderr)


def test_no_wolf():
    """The examples have none of the traps."""
    traps = {"gravity-units", "gravity-upwards", "no-material", "mesh-winding", "step-coarse", "step-fine", "angle-in-degrees",
             "density-units", "one-step"}
    for path in some(sorted(ROOT.glob("examples/**/*.yaml")), 3):
        if "thud_problem" in path.read_text():
            continue
        done = thud("check", path, "--json")
        if done.returncode == 0:
            found = {warning["code"] for warning in json.loads(done.stdout)["warnings"]} & traps
            report(f"{path.relative_to(ROOT)}: no trap", not found, found)


with folder() as here:
    test_units(here)
    test_directions(here)
    test_materials(here)
    test_flat(here)
    test_missing_keys(here)
    test_meshes(here)
    test_steps(here)
    test_chosen_steps(here)
    test_chosen_runs(here)
    test_no_end(here)
test_no_wolf()
end()
