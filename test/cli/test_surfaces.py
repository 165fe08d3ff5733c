"""Membranes and plates: the shipped scenes against closed forms, verified and changed, refusals, meshes, resumed runs."""
import json
import math
import os
import pathlib
import random
import subprocess

from thudcli import ROOT, close, end, folder, interrupted, needs_terminal, report, some, thud, thud_json

EXAMPLES = ROOT / "examples" / "elastic"
TAMPER = os.environ.get("THUD_TAMPER") or str(ROOT / "build" / "release" / "test" / "record_tamper")
SCENE = """thud: 1
{section}:
  mesh: {mesh}
  {stiffness}: 1
  load: {load}
  obstacle: {obstacle}
  edges: {edges}
{more}simulate: {{end: 1, steps: 2{simulate}}}
"""
SQUARE = "{rectangle: [0, 0, 1, 1], cells: [4, 4]}"
HELD = "{left: {v: 0}, right: {v: 0}, bottom: {v: 0}, top: {v: 0}}"


def scene(name, section="membrane", mesh=SQUARE, load="-1", obstacle="-0.01", edges=HELD, more="", simulate=""):
    path = here / f"{name}.yaml"
    path.write_text(SCENE.format(section=section, stiffness="tension" if section == "membrane" else "bending", mesh=mesh,
                                 load=load, obstacle=obstacle, edges=edges, more=more, simulate=simulate))
    return path


def run(name, *arguments):
    return thud_json("run", EXAMPLES / f"{name}.yaml", "-o", f"{name}.h5", "-f", *arguments, cwd=here)


def refused(name, pieces, **changes):
    done = thud("check", scene("refused", **changes), cwd=here)
    report(f"refused: {name}", done.returncode != 0 and all(piece in done.stderr for piece in pieces), done.stderr)


def check_examples():
    result = run("membrane-over-dome")
    close("dome: reaction", result["reaction"], 3.9659541, 0.01)
    close("dome: contact radius", math.sqrt(result["contact_area"] / math.pi), 0.5024744, 0.025)
    result = run("membrane-on-floor")
    close("floor: reaction", result["reaction"], 1.7911, 0.01)
    result = run("strip-over-wedge")
    close("strip: reaction t per width", result["reaction"], 0.25, 1e-12)
    result = run("plate-on-floor")
    close("plate on the floor: reaction", result["reaction"], 189.04939, 2)
    close("plate on the floor: along the rim", result["reaction_rim"], 141.2110961, result["reaction_rim_error"])
    report("the estimate is useful", result["reaction_rim_error"] < 0.02 * result["reaction_rim"], result)
    result = run("plate-over-pin")
    report("one atom", result["atoms"] == 1 and result["reaction_atoms"] == result["reaction"], result)
    close("pin: 178.18883 h", result["reaction"], 178.18883, 0.05 * 178.18883)
    for name in ("membrane-dragged", "membrane-over-hills", "plate-of-gmsh"):
        report(f"{name} ends well", run(name)["verdict"] == "good")
    for path in sorted(here.glob("*.h5")):
        done = thud("verify", path.name, cwd=here)
        report(f"{path.stem} is verified", done.returncode == 0, done.stdout)


def check_changes(name, changes):
    """One changed number anywhere is found."""
    record, chance = str(here / f"{name}.h5"), random.Random(7)
    listed = subprocess.run([TAMPER, record], capture_output=True, text=True, check=True).stdout.splitlines()
    for path, kind, count in (line.split("\t") for line in listed):
        if int(count) == 0 or "@" in path or path.startswith("/checkpoints"):
            continue
        for k in range(changes):
            index, part = chance.randrange(int(count)), 10 ** chance.uniform(-5, -3) * chance.choice((-1, 1))
            copy = record + ".changed"
            done = subprocess.run([TAMPER, record, copy, path, str(index), repr(part)], capture_output=True, text=True)
            if done.returncode != 0:
                continue
            done = thud("verify", copy, cwd=here)
            report(f"{name}: {path}[{index}] changed by {part:.1e} is found", done.returncode != 0, done.stdout)
            os.remove(copy)


def check_rim():
    """A wrong force along the rim, or an error that is too large or small, is found by the summary's own check."""
    record = str(here / "plate-on-floor.h5")
    listed = subprocess.run([TAMPER, record], capture_output=True, text=True, check=True).stdout.splitlines()
    count = next(int(line.split("\t")[2]) for line in listed if line.startswith("/summary\t"))
    for key, part in (("reaction_rim", 0.05), ("reaction_rim", -0.05), ("reaction_rim_error", 5), ("reaction_rim_error", -0.9)):
        found = []
        for index in range(count):
            done = subprocess.run([TAMPER, record, record + ".changed", "/summary", str(index), repr(part)],
                                  capture_output=True, text=True)
            if f'"{key}"' not in done.stdout:
                os.path.exists(record + ".changed") and os.remove(record + ".changed")
                continue
            checks = json.loads(thud("verify", "--json", record + ".changed", cwd=here).stdout)["checks"]
            found += [check["status"] for check in checks if check["name"] == "summary"]
            os.remove(record + ".changed")
        report(f"{key} changed by {part} is found", found == ["failed"], found)
    path = scene("narrow", section="plate", obstacle="-1", load="-640", mesh="{disc: [0, 0, 1], rings: 8}", edges="{edge: {v: 0}}")
    result = thud_json("run", path, "-o", "narrow.h5", "-f", cwd=here)
    report("a coarse mesh does not resolve it", result["verdict"] == "good" and result["reaction_rim"] is None, result)
    report("which is verified", thud("verify", "narrow.h5", cwd=here).returncode == 0)


def check_refusals():
    refused("an unknown group", ["lefd", "left"], edges="{lefd: {v: 0}}")
    refused("nothing holds it", ["not held"], edges="{}")
    refused("a hinge", ["plate is not held"], section="plate", edges="{left: {v: 0, support: held}}")
    refused("u without a plane", ["in_plane"], edges="{left: {v: 0, u: [0, 0]}}")
    refused("a pin beside the nodes", ["nearest one is at [0.25, 0.5]"], more="  pins: [[0.3, 0.5, 0]]\n")
    refused("multigrid for a plate", ["multigrid is for membranes"], section="plate", simulate=", method: multigrid")
    refused("no mesh", ["cells"], mesh="{rectangle: [0, 0, 1, 1]}")
    refused("no area", ["no area"], mesh="{rectangle: [0, 0, 0, 1], cells: [1, 1]}")
    refused("a box that is too small", ["does not reach (0, 0)"], obstacle='{table: "1 2\\n3 4", box: [0.5, 0, 1, 1]}')
    refused("a table that is none", ["line 2", "numbers"], obstacle='{table: "1 2\\n3", box: [0, 0, 1, 1]}')
    (here / "broken.msh").write_text("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1000000\n1 0 0 0\n$EndNodes\n")
    refused("a mesh whose sizes lie", ["broken.msh, line 5", "file is too short"], mesh="{file: broken.msh}")
    (here / "broken.pgm").write_text("P2\n1000 1000\n255\n1 2 3\n")
    refused("a picture whose sizes lie", ["1000 x 1000"], obstacle="{file: broken.pgm, box: [0, 0, 1, 1]}")
    done = thud("run", scene("below", obstacle="0.5"), "--no-record", cwd=here)
    report("an edge below the obstacle", done.returncode == 1 and "below the obstacle" in done.stdout + done.stderr,
           done.stdout + done.stderr)
    done = thud("plot", "membrane-on-floor.h5", "--field", "u", "-o", "u.png", cwd=here)
    report("a field that is not there", done.returncode != 0 and "there are v, pressure, status" in done.stderr, done.stderr)


def check_heights():
    """A table by bilinear interpolation: contact at the node in the middle only, whose height is the mean."""
    path = scene("table", load="-100", obstacle='{table: "0 -1\\n-1 -2", box: [0, 0, 1, 1]}'.replace("0 -1", "-1 -1"),
                 edges=HELD, mesh="{rectangle: [0, 0, 1, 1], cells: [2, 2]}")
    result = thud_json("run", path, "-o", "table.h5", "-f", cwd=here)
    close("the middle lies on the table", result["state"]["lowest"], -1.25, 1e-14)
    report("and is verified", thud("verify", "table.h5", cwd=here).returncode == 0)


def check_rest():
    """States whose energies or displacements are exactly 0: a surface that is lifted as a whole, edges that go home."""
    for section in ("membrane", "plate"):
        edges = HELD.replace("v: 0", "v: 0.1")
        path = scene("lifted", section=section, edges=edges, more="  load_factor: t\n", mesh="{rectangle: [0, 0, 1, 1], cells: [3, 3]}")
        thud("run", path, "-o", "lifted.h5", "-f", cwd=here)
        done = thud("verify", "lifted.h5", cwd=here)
        report(f"{section}, lifted as a whole: verified", done.returncode == 0, done.stdout)
    for friction, last in ((0, 0), (0, 1e-20), (0.4, 0)):  # loads that lift: friction has nothing to act on
        edges = HELD.replace("v: 0", "v: 0, u: [0.3 + y, x]")
        path = scene("home", load="1", edges=edges, more=f"  in_plane: {{stretch: 1, friction: {friction}}}\n"
                     f'  u_factor: "if(t < 1, 1, {last!r})"\n')
        result = thud_json("run", path, "-o", "home.h5", "-f", cwd=here)
        report(f"edges go back to {last}: good", result["verdict"] == "good", result["reason"])
        close("and nothing stays stored", result["ledger"]["stored"], 0, 1e-30)
        done = thud("verify", "home.h5", cwd=here)
        report("verified", done.returncode == 0, done.stdout)


@needs_terminal("stopped and resumed, the same bits")
def check_bits():
    """An interruption does not change a bit."""
    text = (EXAMPLES / "membrane-dragged.yaml").read_text().replace("steps: 24", "steps: 1200").replace("rings: 16", "rings: 8")
    (here / "drag.yaml").write_text(text + "record: {every: 0.01, checkpoint_every: 0.02}\n")
    thud("run", "drag.yaml", "-o", "whole.h5", "-q", cwd=here)
    code, out, shown = interrupted(here, "run", "drag.yaml", "-o", "part.h5", until=lambda shown: "###" in shown)
    done = thud("run", "--resume", "part.h5", "-q", cwd=here)
    rows = [thud("export", name, "--rows", cwd=here).stdout for name in ("part.h5", "whole.h5")]
    report("stopped and resumed, the same bits", done.returncode == 0 and rows[0] == rows[1] and rows[0].count("\n") > 200,
           (code, done.stderr, len(rows[0]), len(rows[1])))
    report("thinned rows are verified", thud("verify", "whole.h5", cwd=here).returncode == 0)


def check_pictures():
    for field in ("v", "pressure", "status", "u", "r"):
        done = thud("plot", "membrane-dragged.h5", "--field", field, "--at", "1.5", "-o", f"{field}.png", cwd=here)
        size = (here / f"{field}.png").stat().st_size if done.returncode == 0 else 0
        report(f"a picture of {field}", size > 5000, done.stderr)
    done = thud("plot", "membrane-dragged.h5", "--field", "v", "--at", "99", "-o", "late.png", cwd=here)
    report("no picture of a time outside of the record", done.returncode == 2 and "from 0 to 3, not 99" in done.stderr, done.stderr)
    done = thud("export", "plate-of-gmsh.h5", "-o", "plate.vtu", cwd=here)
    report("VTK's file", done.returncode == 0 and "UnstructuredGrid" in (here / "plate.vtu").read_text(), done.stderr)


with folder() as name_of_folder:
    here = pathlib.Path(name_of_folder)
    check_examples()
    for scene_name in some(("strip-over-wedge", "plate-over-pin", "membrane-dragged"), 2):
        check_changes(scene_name, len(some(range(2), 2)))
    check_rim()
    check_refusals()
    check_heights()
    check_rest()
    check_pictures()
    check_bits()
end()
