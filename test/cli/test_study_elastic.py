"""thud study of elastic motions and of numbers of any motion: measured orders, limits against closed forms, sweeps, refusals."""
import csv
import json
import math
import pathlib

from thudcli import ROOT, close, end, folder, report, thud, thud_json

ELASTIC = ROOT / "examples" / "elastic"


def study(scene, *arguments, code=0):
    done = thud("study", ELASTIC / f"{scene}.yaml", "--json", *arguments, cwd=here)
    report(f"{scene} {' '.join(arguments)}: exit code {code}", done.returncode == code, done.stderr + done.stdout[-300:])
    return json.loads(done.stdout)["studies"] if done.stdout else []


def quantity(one, name):
    return next(item for item in one["quantities"] if item["name"] == name)


def check_meshes():
    # A membrane over a dome: the reaction of order 2, towards the closed form.
    one, = study("membrane-over-dome", "--set", "membrane.mesh.rings=4", "--set", "simulate.steps=1", "--mesh", "0:3")
    found = quantity(one, "reaction")
    report("dome: order 2", abs(found["order"] - 2) < 0.1, found["order"])
    close("dome: the limit", found["limit"], 3.9659541, 2e-4)
    report("dome: the area is known to a cell", 0.8 < quantity(one, "contact_area")["order"] < 1.3, one)
    report("the top is exact", quantity(one, "highest")["exact"] and quantity(one, "highest")["error"] == 0, one)
    # Friction on a floor: what is lost is of order 2 in the mesh, towards 2/15.
    one, = study("string-on-floor", "--set", "string.nodes=31", "--mesh", "0:4", "--quantity", "friction,u(0.5), reaction/20")
    found = quantity(one, "friction")
    report("floor: order 2", abs(found["order"] - 2) < 0.05, found["order"])
    close("floor: the limit", found["limit"], 2 / 15, 1e-7)
    report("commas within names", [item["name"] for item in one["quantities"]] == ["friction", "u(0.5)", " reaction/20"], one)
    close("an expression", quantity(one, " reaction/20")["table"][0]["value"], 0.8, 1e-12)
    # Fields on the nodes that both meshes have.
    one, = study("beam-on-parabola", "--set", "simulate.classify=0", "--set", "beam.nodes=11", "--mesh", "0:4")
    report("fields of displacements only", [item["name"] for item in one["quantities"]] == ["u", "v"], one)
    report("a contact point off the mesh: order 1", 0.7 < quantity(one, "v")["order"] < 1.6, quantity(one, "v"))
    # A list of nodes, a number by a parameter, a plate, a punch.
    (here / "list.yaml").write_text("""thud: 1
parameters: {n: 4}
string: {nodes: [0, 0.25, 0.5, 1], tension: 1, obstacle: -0.02, loads: [{density: -sin(3*x)}]}
simulate: {end: 1, steps: 1}
""")
    for nodes in ("[0, 0.25, 0.5, 1]", "n + 1"):
        done = thud("study", "list.yaml", "--set", f"string.nodes={nodes}", "--mesh", "0:5", "--quantity", "v(0.5),v(0)+loaded_nodes",
                    "--json", cwd=here)
        report(f"nodes: {nodes}", done.returncode in (0, 1), done.stderr)
        last = json.loads(done.stdout)["studies"][0]["quantities"][1]["table"][-1]["value"]
        report("many more of them touch on the finest mesh", last > 10, last)
    one, = study("plate-under-wheel", "--set", "plate.mesh.rings=6", "--set", "simulate.steps=1", "--set", "simulate.end=0.25",
                 "--mesh", "0:3", "--quantity", "reaction")
    b = 0.4
    close("wheel: the limit", quantity(one, "reaction")["limit"], 1 - b * b + 2 * b * b * math.log(b), 2e-3)
    one, = study("punch-coulomb", "--set", "half_plane.mesh.elements=25", "--set", "simulate.steps=1", "--mesh", "0:3")
    report("punch: the depth is of order 2", abs(quantity(one, "depth")["order"] - 2) < 0.15, quantity(one, "depth"))
    close("punch: the stick zone", quantity(one, "stick_left")["limit"], -0.66693, 2e-3)


def check_steps():
    # Under a load that moves the loss is booked as friction or as that of the steps: order 1 of each, and their sum stays.
    both = study("spread-load", "--set", "string.nodes=121", "--set", "simulate.classify=0", "--levels", "5:9",
                 "--mesh", "0:2", "--quantity", "quadratic,friction + quadratic")
    report("two tables, one after the other", [one["refined"] for one in both] == ["steps", "mesh"], both)
    found = quantity(both[0], "quadratic")
    report("loss of the steps: order 1", abs(found["order"] - 1) < 0.2 and abs(found["limit"] - 1) < 0.02, found)
    values = [row["value"] for row in quantity(both[0], "friction + quadratic")["table"]]
    report("their sum depends on the step little", max(values) - min(values) < 0.1 * found["table"][0]["value"], values)
    # What oscillates too fast for every step has no order.
    (here / "fast.yaml").write_text("""thud: 1
string: {nodes: 3, tension: 1, friction: 1, obstacle: 0, ends: {u_right: "sin(1e4*t)"}, loads: [{at: 0.5, force: "-1 - sin(7e3*t)"}]}
simulate: {end: 1, steps: 4}
""")
    done = thud("study", "fast.yaml", "--levels", "2:7", "--quantity", "quadratic", "--json", cwd=here)
    one = json.loads(done.stdout)["studies"][0]
    report("no order: flagged", done.returncode == 1 and one["flags"] == ["order"] and "quadratic" in one["reason"], done.stdout)
    # Numbers of motions that are compared as a whole otherwise.
    done = thud("study", ROOT / "examples" / "dynamics" / "bouncing-particle.yaml", "--set", "simulate.method=moreau",
                "--levels", "7:11", "--quantity", "q", "--json", cwd=here)
    report("of systems, too", done.returncode in (0, 1) and json.loads(done.stdout)["studies"][0]["refined"] == "steps", done.stderr)


def check_sweeps():
    reference = {0.1: 0.036448, 0.2: 0.360386, 0.5: 0.941018}
    done = thud("study", ELASTIC / "punch-coulomb.yaml", "--set", "half_plane.load.Q=0", "--set", "simulate.steps=1",
                "--sweep", "half_plane.friction=0.1:0.5:5", "--quantity", "(stick_right - stick_left)/2", "-o", "sweep.csv", cwd=here)
    report("a sweep of a half-plane", done.returncode == 0, done.stderr)
    rows = list(csv.DictReader((here / "sweep.csv").open()))
    for row in rows:
        F = float(row["half_plane.friction"])
        if round(F, 3) in reference:
            close(f"F = {F:g}: stick half-width", float(row["quantity"]), reference[round(F, 3)], 2e-3)
    for threads in ("1", "2"):
        thud("study", ELASTIC / "wedge-ramp.yaml", "--set", "simulate.classify=0", "--sweep", "mu=0.2:0.8:4", "--quantity", "u(0.5)",
             "--threads", threads, "-o", f"mu{threads}.csv", cwd=here)
    report("the same on any number of threads", (here / "mu1.csv").read_bytes() == (here / "mu2.csv").read_bytes())
    for row in csv.DictReader((here / "mu1.csv").open()):
        mu = float(row["mu"])
        close(f"mu = {mu:g}: u(1/2) = (t - 1 - mu)/4", float(row["quantity"]), (1 - mu) / 4, 1e-12)
    done = thud("study", ROOT / "examples" / "quasistatic" / "cycle.yaml", "--sweep", "quasistatic.contacts.0.mu=0.3:0.5:3",
                "--quantity", "cycle_loss", "-o", "loss.csv", cwd=here)
    report("a number of quasi-static scenes", done.returncode == 0, done.stderr)
    close("mu = 0.5: lost per cycle", [float(row["quantity"]) for row in csv.DictReader((here / "loss.csv").open())][-1],
          2.0622222222, 1e-9)
    done = thud("study", ELASTIC / "plate-under-wheel.yaml", "--set", "plate.mesh.rings=4", "--sweep", "simulate.end=0.5:1.5:3",
                "--quantity", "reaction", cwd=here)
    report("a run that fails is counted", done.returncode == 1 and "is not on the plate" in done.stdout, done.stdout)


def refused(name, pieces, *arguments, scene="string-on-floor", code=2):
    path = scene if str(scene).endswith(".yaml") else ELASTIC / f"{scene}.yaml"
    done = thud("study", path, *arguments, cwd=here)
    report(f"refused: {name}", done.returncode == code and all(piece in done.stderr for piece in pieces), done.stderr)


def check_refusals():
    refused("an unknown number", ["reacton", "summary"], "--quantity", "reacton", "--levels", "1:3")
    refused("no quantity", ["--quantity"], "--quantity", "reaction,", "--levels", "1:3")
    refused("two levels", ["three levels"], "--levels", "1:2")
    refused("a mesh of a file", ["numbers of cells"], "--mesh", "0:2", scene="plate-of-gmsh")
    refused("a mesh of a system", ["no mesh"], "--mesh", "0:2", scene=ROOT / "examples" / "dynamics" / "bouncing-particle.yaml")
    refused("sections of a string", ["--section end"], "--sweep", "simulate.end=1:2:2", "--quantity", "reaction", "--section", "zeros:t")
    refused("a sweep without a quantity", ["--quantity"], "--sweep", "simulate.end=1:2:2")
    refused("a mesh and a sweep", ["--sweep"], "--sweep", "simulate.end=1:2:2", "--quantity", "reaction", "--mesh", "0:2")
    done = thud("study", ELASTIC / "string-on-floor.yaml", "--set", "string.nodes=11", "--mesh", "0:3", "--quantity", "friction",
                "--plot", "orders.svg", "-o", "orders.csv", cwd=here)
    report("a picture and a table", done.returncode == 0 and "order 2.0" in done.stdout and (here / "orders.svg").stat().st_size > 3000
           and (here / "orders.csv").read_text().startswith('level,parts,"friction"'), done.stdout + done.stderr)


with folder() as name_of_folder:
    here = pathlib.Path(name_of_folder)
    check_meshes()
    check_steps()
    check_sweeps()
    check_refusals()
end()
