"""What thud is built with is one list: the Containerfile and docs/install.md name every package of it. Prints TAP."""
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(os.environ.get("THUD_SOURCE_DIR") or pathlib.Path(__file__).resolve().parents[2])
failures = 0


def report(name, good, detail=""):
    global failures
    print(f"{'ok' if good else 'not ok'} - {name}")
    if not good:
        failures += 1
        print(detail)


lines = [line.split() for line in (ROOT / "tools/packages.txt").read_text().splitlines()]
core = {line[1] for line in lines if line and line[0] == "core"}
stages = (ROOT / "Containerfile").read_text().split("\nFROM ")[1:]
installed = [set(re.search(r"--no-install-recommends \\\n(.*?)&&", stage, re.S).group(1).replace("\\", "").split())
             for stage in stages]
report("the Containerfile builds with the packages of tools/packages.txt", installed[0] == core | {"make"},
       installed[0] ^ (core | {"make"}))
report("its result has no headers or compilers", installed[1] and not [name for name in installed[1] if name.endswith("-dev") or name in ("gcc", "g++", "cmake")],
       installed[1])
goals = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.M))
report("its targets of make exist", set(re.findall(r"^RUN make ([a-z-]+)", "\nFROM ".join(stages), re.M)) <= goals)
rows = [line.split("|") for line in (ROOT / "docs/install.md").read_text().splitlines() if line.startswith("| ") and "`" in line]
named = {name for row in rows for name in re.findall(r"`([^`]+)`", row[2])}
report("docs/install.md names the packages of tools/packages.txt", named == core, named ^ core)
report("every row names packages of the other systems", all(re.findall("`", row[3]) and re.findall("`", row[4]) for row in rows))
sys.exit(failures > 0)
