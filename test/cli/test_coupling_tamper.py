"""Changed numbers in records of couplings and of laws at joints are found by the checks of the motion: forces of teeth, ropes, springs,
threads and limits, angles of wheels, a shift of a rack. The seal, which finds every change, is left out of what is looked at."""
import os
import pathlib
import subprocess

from thudcli import ROOT, end, example, folder, report, thud, thud_json

TAMPER = os.environ.get("THUD_TAMPER") or str(ROOT / "build" / "release" / "test" / "record_tamper")
# Scene, settings, dataset, number of a row of it, what may find it.
PLACES = (("gear-train", ["simulate.end=0.1"], "joint_force", 6, ("momentum", "joints")),
          ("gear-train", ["simulate.end=0.1"], "joint_moment", 3, ("momentum", "joints")),
          ("gear-train", ["simulate.end=0.1"], "angle", 1, ("joints", "drift")),
          ("gear-train", ["simulate.end=2", "record.every=0.1"], "angle", 1, ("joints",)),
          ("rack-and-pinion", ["simulate.end=0.1"], "position", 3, ("joints", "drift")),
          ("nut-on-screw", ["simulate.end=0.1"], "position", 2, ("joints", "drift")),
          ("block-and-tackle", ["simulate.end=0.1"], "joint_force", 1, ("momentum", "joints")),
          ("block-and-tackle", ["simulate.end=0.1"], "position", 3, ("joints", "drift")),
          ("door-closer", ["simulate.end=0.1"], "joint_spring", 0, ("joints",)),
          ("door-closer", ["simulate.end=0.1"], "joint_coordinate", 0, ("joints",)),
          ("sprung-gimbal", ["simulate.end=0.1"], "joint_spring", 1, ("joints",)),
          ("sprung-gimbal", ["simulate.end=0.1"], "joint_rate", 0, ("joints",)),
          ("ball-in-socket", ["simulate.end=0.1"], "joint_coordinate", 0, ("joints",)),
          ("air-table", ["simulate.end=0.1"], "joint_friction", 2, ("joints", "momentum")),
          ("screw-jack", ["simulate.step=0.01"], "joint_friction", 0, ("joints", "momentum")),
          ("slack-rope", ["simulate.end=0.5"], "joint_limit", 1, ("joints", "momentum")))


def changed(here, name, settings, dataset, number, finders):
    thud_json("run", example(f"joints/{name}"), "--force", "-o", "run.h5", *[f"--set={x}" for x in settings], cwd=here)
    sizes = [line.split("\t") for line in subprocess.run([TAMPER, "run.h5"], cwd=here, capture_output=True, text=True).stdout.splitlines()]
    path = f"/frames/data/{dataset}"
    count = next((int(size) for at, kind, size in sizes if at == path), 0)
    if not report(f"{name}: the record has {dataset}", count > 0, sizes[:40]):
        return
    frames = len(thud("export", "run.h5", "--channels", "t", "--no-units", cwd=here).stdout.split()) - 1
    where = count // frames * (frames - 2) + number  # of the last row but one
    done = subprocess.run([TAMPER, "run.h5", "changed.h5", path, str(where), "1e-5"], cwd=here, capture_output=True, text=True)
    report(f"{name}: {dataset} is changed", done.returncode == 0, done.stdout + done.stderr)
    lines = [line.split() for line in thud("verify", "changed.h5", cwd=here).stdout.splitlines()]
    failed = [words[0] for words in lines if len(words) > 1 and words[1] == "failed"]
    report(f"{name}: a change of 1e-5 in {dataset} is found by the motion", any(check in finders for check in failed), failed)


def main():
    with folder() as here:
        for place in PLACES:
            changed(pathlib.Path(here), *place)
    end()


main()
