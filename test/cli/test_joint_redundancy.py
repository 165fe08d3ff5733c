"""Which forces of joints are determined: doors on two ball joints and two hinges, and mechanisms with
and without redundancy. Summaries that claim something else: unit/test_verify_bodies_tamper.c."""
import pathlib

from jointruns import rows, verified
from thudcli import close, end, example, folder, report, thud, thud_json


DOOR = """thud: 1
bodies:
  - {name: door, shape: {box: [1, 0.04, 2]}, mass: 20, position: [0.5, 0, 0]}
joints:
  - {joint: %s, name: top, a: door, at: [0, 0, 0.8]%s}
  - {joint: %s, name: bottom, a: door, at: [0, 0, -0.8]%s}
simulate: {end: 0.1, step: 0.01}
"""


def door(here, kind, axis):
    (here / "door.yaml").write_text(DOOR % (kind, axis, kind, axis))
    return thud_json("run", "door.yaml", "--force", "-o", "door.h5", cwd=here)


def two_balls(here):
    result = door(here, "ball", "")
    report("two ball joints: one equation depends on the others", result["redundant_equations"] == 1, result)
    report("two ball joints: the vertical forces are not determined", result["undetermined"] == "top.Fz, bottom.Fz", result["undetermined"])
    row = rows(here, "door")[-1]
    close("two ball joints: the top pulls towards the post", row["top.Fx"], -61.3125, 1e-9)
    close("two ball joints: the bottom pushes away", row["bottom.Fx"], 61.3125, 1e-9)
    close("two ball joints: the sum that is determined", row["top.Fz"] + row["bottom.Fz"], 196.2, 1e-9)
    said = thud("info", "door.h5", cwd=here).stdout
    report("two ball joints: info of the record says so", "any real number: top.Fz, bottom.Fz" in said, said)
    verified(here, "two ball joints", "door")


def two_hinges(here):
    result = door(here, "hinge", ", axis: [0, 0, 1]")
    report("two hinges: ten equations of rank five", result["redundant_equations"] == 5, result)
    names = [f"{joint}.{part}" for joint in ("top", "bottom") for part in ("Fx", "Fy", "Fz", "Mx", "My")]
    report("two hinges: no force alone is determined", result["undetermined"].split(", ") == names, result["undetermined"])
    row = rows(here, "door")[-1]
    close("two hinges: their sum is", row["top.Fz"] + row["bottom.Fz"], 196.2, 1e-9)
    moment = sum(row[f"{joint}.My"] + z * row[f"{joint}.Fx"] for joint, z in (("top", 0.8), ("bottom", -0.8)))
    close("two hinges: so is their moment about the middle", moment, -98.1, 1e-8)
    verified(here, "two hinges", "door")


def others(here):
    for name, equations in (("slider-crank", 0), ("bricard-linkage", 1), ("n-four-bar", 0), ("universal-joint", 3)):
        result = thud_json("run", example(f"joints/{name}"), "--force", "-o", "other.h5", "--set=simulate.end=0.3", cwd=here)
        report(f"{name}: {equations} equations depend on others", result["redundant_equations"] == equations, result["undetermined"])
        report(f"{name}: forces are named where some do", (result["undetermined"] == "") == (equations == 0), result["undetermined"])
        verified(here, name, "other")
    report("universal joint: the moment of its cross is determined", "cross.M" not in result["undetermined"], result["undetermined"])


def main():
    with folder() as here:
        here = pathlib.Path(here)
        two_balls(here)
        two_hinges(here)
        others(here)
    end()


main()
