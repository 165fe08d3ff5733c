"""Half-planes: stress and displacement inside, recorded, verified, drawn and exported; the search for several solutions."""
import os
import pathlib
import subprocess

from thudcli import ROOT, close, end, folder, report, some, thud, thud_json

EXAMPLES = ROOT / "examples" / "elastic"
TAMPER = os.environ.get("THUD_TAMPER") or str(ROOT / "build" / "release" / "test" / "record_tamper")
PUNCH = """thud: 1
half_plane:
  material: {young: 2, poisson: 0.2}
  mesh: {elements: 40, left: -1, right: 1}
  friction: 0.3
  load: {P: 1, Q: 0.1*t}
  inside: {points: [[0, 0.01], [0.3, 0.5], [-2, 1], [1, 1e-4], [0.999, 3], [40, 25]]}
simulate: {method: static, end: 1, steps: 3, starts: 7}
"""


def tampered(record, path, index, part):
    copy = here / "changed.h5"
    done = subprocess.run([TAMPER, str(here / record), str(copy), path, str(index), repr(part)], capture_output=True, text=True)
    if done.returncode != 0:
        return None
    done = thud("verify", "changed.h5", cwd=here)
    copy.unlink()
    return done


def check_cylinder():
    result = thud_json("run", EXAMPLES / "cylinder-inside.yaml", "-o", "cylinder.h5", cwd=here)
    close("the largest shear", result["largest_shear"], 0.3002831, 1e-5)
    close("its depth", result["largest_shear_depth"], 0.78615, 0.0125)
    close("on the axis", result["largest_shear_x"], 0, 1e-12)
    judged = thud("verify", "cylinder.h5", cwd=here)
    report("verified by quadrature", judged.returncode == 0 and "by quadrature at 48 of 4880" in judged.stdout, judged.stdout)
    done = thud("plot", "cylinder.h5", "--snapshot", "1", "-o", "cylinder.svg", cwd=here)
    report("a picture of the shear inside", done.returncode == 0 and "largest shear inside" in (here / "cylinder.svg").read_text(), done.stderr)
    done = thud("export", "cylinder.h5", "-o", "cylinder.vtu", cwd=here)
    text = (here / "cylinder.vtu").read_text() if done.returncode == 0 else ""
    report("cells for ParaView", all(f'Name="{name}"' in text for name in ("sxx", "tau", "uy")) and 'NumberOfCells="4880"' in text, done.stderr)


def check_punch():
    (here / "punch.yaml").write_text(PUNCH)
    result = thud_json("run", "punch.yaml", "-o", "punch.h5", cwd=here)
    report("one solution from eight starts", (result["starts"], result["solutions"]) == (8, 1), result)
    judged = thud("verify", "punch.h5", cwd=here)
    report("stress and displacement with friction: verified", judged.returncode == 0 and "inside      passed" in judged.stdout, judged.stdout)
    record = str(here / "punch.h5")
    listed = subprocess.run([TAMPER, record], capture_output=True, text=True, check=True).stdout.splitlines()
    paths = {path.rsplit("/", 1)[-1]: path for path, kind, count in (line.split("\t") for line in listed) if "frames" in path}
    for name in some(("sxx", "syy", "sxy", "tau", "ux", "uy"), 6):
        for index in (0, 9, 20):
            done = tampered("punch.h5", paths[name], index, 1e-6)
            report(f"{name}[{index}] changed by 1e-6 is found", done is not None and done.returncode != 0, done and done.stdout)
    done = thud("export", "punch.h5", "-o", "punch.vtu", cwd=here)
    report("points are no mesh", done.returncode != 0 and "grid" in done.stderr, done.stderr)
    again = thud_json("run", "punch.yaml", "--no-record", cwd=here)
    report("a search is the same each time", (again["failed_starts"], again["state"]) == (result["failed_starts"], result["state"]), again)
    result = thud_json("run", EXAMPLES / "punch-starts.yaml", "-o", "starts.h5", cwd=here)
    report("a hundred starts", result["starts"] == 100 and result["solutions"] == 1, result["solutions"])
    report("are verified", thud("verify", "starts.h5", cwd=here).returncode == 0)
    shown = thud("check", EXAMPLES / "punch-starts.yaml", cwd=here).stdout
    report("check knows the bound", "F = 2 is not below 0.958315" in shown, shown)


def refused(name, inside, pieces, more=""):
    (here / "refused.yaml").write_text(PUNCH.replace("{points: [[0, 0.01], [0.3, 0.5], [-2, 1], [1, 1e-4], [0.999, 3], [40, 25]]}", inside)
                                       .replace("friction: 0.3", f"friction: 0.3{more}"))
    done = thud("check", "refused.yaml", cwd=here)
    report(f"refused: {name}", done.returncode == 2 and all(piece in done.stderr for piece in pieces), done.stderr)


with folder() as name_of_folder:
    here = pathlib.Path(name_of_folder)
    check_cylinder()
    check_punch()
    refused("a point on the surface", "{points: [[0, 0]]}", ["depth > 0"])
    refused("points and a grid", "{points: [[0, 1]], grid: [0, 1, 1]}", ["not both"])
    refused("neither", "{cells: [2, 2]}", ["'points' or 'grid'"])
    refused("a grid without cells", "{grid: [0, 1, 1]}", ["cells"])
    refused("a grid upwards", "{grid: [0, 1, -1], cells: [2, 2]}", ["depth > 0"])
    refused("a period", "{points: [[0, 1]]}", ["period"], "\n  period: 3")
end()
