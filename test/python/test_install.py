"""The installation of docs/python.md, offline: the module runs a ball from another folder, and nothing is left in the sources.

THUD_LIBRARY: the folder of the libraries to take; with THUD_TEST_ALL=1 they are built once more, as for anybody who has none.
"""
import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(os.environ["THUD_SOURCE_DIR"])
failures = 0
BALL = """
import thud, pathlib, sys
run = thud.run('''
thud: 1
system:
  coordinates: [z]
  kinetic_energy: z'^2/2
  forces: {z: -9.81}
  constraints: [{name: floor, gap: z, restitution: 0.5}]
initial: {z: 1, "z'": 0}
simulate: {method: event-driven, end: 1}
''')
assert run.verdict == "good" and abs(run.events[0].t - (2 / 9.81) ** 0.5) < 1e-12
assert run.verify().verdict == "good"
print(thud.__version__, pathlib.Path(thud.__file__).resolve().is_relative_to(pathlib.Path(sys.prefix).resolve()))
"""


def report(name, good, detail=""):
    global failures
    print(f"{'ok' if good else 'not ok'} - {name}", flush=True)
    if not good:
        failures += 1
        print(detail)


def run(*command, **changed):
    """Without what would let another copy of the module in."""
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "THUD_LIBRARY", "PYTHONDONTWRITEBYTECODE")}
    return subprocess.run([*map(str, command)], capture_output=True, text=True, env={**environment, **changed}, cwd=tempfile.gettempdir())


def tree():
    """What lies in the sources, without what other programs write below build."""
    skipped = (ROOT / "build", ROOT / ".git")
    names = []
    for folder, folders, files in os.walk(ROOT):
        folders[:] = [f for f in folders if pathlib.Path(folder, f) not in skipped and f not in ("__pycache__", "node_modules")]
        names += [os.path.join(folder, name) for name in folders + files]
    return sorted(names)


def install(python, **changed):
    return run(python, "-m", "pip", "install", "--no-index", "--no-build-isolation", "--no-deps", "--no-cache-dir",
               "--disable-pip-version-check", "--force-reinstall", ROOT, **changed)


def install_as_documented(home, **changed):
    """The commands of the page, in the sources, for a user who lives in this folder."""
    commands = re.search(r"^```bash\n(.*?)^```$", (ROOT / "docs" / "python.md").read_text(encoding="utf-8"), re.S | re.M).group(1)
    script = f"python3() {{ '{sys.executable}' \"$@\"; }}\nset -e\ncd '{ROOT}'\n{commands}"
    return run("bash", "-c", script, HOME=home, PIP_NO_INDEX="1", PIP_DISABLE_PIP_VERSION_CHECK="1", **changed)


def check_install(python, name, how, **changed):
    before = tree()
    done = how(**changed)
    report(f"{name}: pip installs the module", done.returncode == 0, done.stdout + done.stderr)
    report(f"{name}: nothing is written into the sources", tree() == before, sorted(set(tree()) ^ set(before)))
    done = run(python, "-c", BALL)
    version = [line.split('"')[1] for line in (ROOT / "include/thud/base.h").read_text().splitlines()
               if line.startswith("#define THUD_VERSION ")]
    report(f"{name}: the module runs a ball", done.returncode == 0 and done.stdout.split() == [*version, "True"],
           done.stdout + done.stderr)


def main():
    packages = {"ensurepip": "python3-venv", "pip": "python3-pip", "setuptools": "python3-setuptools", "wheel": "python3-wheel"}
    missing = [package for module, package in packages.items() if importlib.util.find_spec(module) is None]
    if missing:
        print(f"ok - pip install # SKIP needs {' '.join(missing)}: make deps-dev")
        return 0
    with tempfile.TemporaryDirectory(prefix="a space ") as folder:
        python = pathlib.Path(folder, "thud-venv", "bin", "python")
        check_install(python, "libraries of THUD_LIBRARY", install_as_documented, home=folder, THUD_LIBRARY=os.environ["THUD_LIBRARY"])
        tags = [p.read_text() for p in pathlib.Path(folder).glob("thud-venv/lib/python*/site-packages/thud-*.dist-info/WHEEL")]
        report("the wheel is of this platform and of any Python 3", len(tags) == 1 and "Tag: py3-none-linux_" in tags[0] and
               "Root-Is-Purelib: false" in tags[0], tags)
        done = install(python, THUD_LIBRARY=folder)
        report("a folder without libraries is refused", done.returncode != 0 and
               f"THUD_LIBRARY={folder}: libthud.so and libthud-io.so not found" in done.stdout + done.stderr, done.stdout + done.stderr)
        if os.environ.get("THUD_TEST_ALL"):
            check_install(python, "libraries built by CMake", lambda: install(python))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
