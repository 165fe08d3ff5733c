"""The viewer of pages without a browser: its own tests (node), and whether viewer/dist is what its sources give.

Without node or viewer/node_modules (npm ci) it is skipped (exit code 77)."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(os.environ.get("THUD_SOURCE_DIR") or pathlib.Path(__file__).resolve().parents[2])
VIEWER = ROOT / "viewer"
SKIPPED = 77
LEAST = 18  # version of node


def node(*arguments):
    return subprocess.run(["node", *map(str, arguments)], cwd=VIEWER, capture_output=True, text=True, timeout=240)


def main():
    version = re.match(r"v(\d+)", node("--version").stdout) if shutil.which("node") else None
    if version is None or int(version[1]) < LEAST:
        print(f"ok - tests of the viewer # SKIP needs node {LEAST} or newer, then: cd viewer && npm ci")
        sys.exit(SKIPPED)
    if not (VIEWER / "node_modules").is_dir():
        print("ok - tests of the viewer # SKIP needs viewer/node_modules: cd viewer && npm ci")
        sys.exit(SKIPPED)
    done = node("--test", "--test-reporter=tap", *sorted(VIEWER.glob("test/*.test.mjs")))
    results = re.findall(r"^ *((?:not )?ok) \d+ - (.*)$", done.stdout, re.MULTILINE)
    for word, name in results:
        print(f"{word} - viewer: {name}")
    good = done.returncode == 0 and len(results) > 0
    if not good:
        print("\n".join("# " + line for line in (done.stdout + done.stderr).splitlines()[-60:]))
    check = node("build.mjs", "--check")
    print(check.stdout + check.stderr, end="")
    good = good and check.returncode == 0
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
