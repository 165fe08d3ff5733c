"""`make install` builds what is installed and nothing of the tests. Prints TAP."""
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(os.environ.get("THUD_SOURCE_DIR") or pathlib.Path(__file__).resolve().parents[2])
BUILD = pathlib.Path(os.environ.get("THUD_PROGRAM") or ROOT / "build" / "release" / "thud").parent
failures = 0


def report(name, good, detail=""):
    global failures
    print(f"{'ok' if good else 'not ok'} - {name}")
    if not good:
        failures += 1
        print(detail)


def lines(*command, cwd=ROOT):
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True).stdout.splitlines()


steps = [line for line in lines("make", "-n", "install") if "cmake --build" in line]
report("make install builds the products", len(steps) == 1 and "--target thud_products" in steps[0], steps)
if not (BUILD / "build.ninja").exists():
    print("ok - the products are built without the tests # SKIP needs a build with ninja")
else:
    commands = lines("ninja", "-t", "commands", "thud_products", cwd=BUILD)
    of_tests = [line for line in commands if "/test/" in line or "/bench/" in line]
    report("the products are built without the tests", commands and not of_tests, of_tests[:3])
    report("and with all that is installed", all(any(piece in line for line in commands) for piece in (
        "libthud.", "libthud-io.", "-o thud ", "completions/thud", "completions/_thud", "completions/thud.fish")), len(commands))
sys.exit(failures > 0)
