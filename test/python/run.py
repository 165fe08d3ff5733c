"""Tests of the Python module, by a Python that has what they need: the one named, this one or the system's.

run.py pytest FILE... [-- pytest's arguments] | doctests | declarations | script FILE. Prints TAP; where packages are missing it
says which, as one skipped test. THUD_PYTHON_MODULE: the folder that holds the module's folder `thud`.
"""
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PACKAGES = {"numpy": "python3-numpy", "_cffi_backend": "python3-cffi-backend", "cffi": "python3-cffi", "pytest": "python3-pytest"}
NEEDS = {"pytest": ("numpy", "_cffi_backend", "pytest"), "doctests": ("numpy", "_cffi_backend", "pytest"),
         "declarations": ("cffi",), "script": ("numpy", "_cffi_backend")}


def lacking(python, modules):
    """Those that this Python cannot import."""
    probe = "import importlib.util as u, sys; print(*[m for m in sys.argv[1:] if u.find_spec(m) is None])"
    done = subprocess.run([python, "-c", probe, *modules], capture_output=True, text=True)
    return done.stdout.split() if done.returncode == 0 else list(modules)


def find_python(modules):
    """(a Python with these modules, or None; what the last one lacks)."""
    missing = list(modules)
    for python in (os.environ.get("THUD_PYTHON"), sys.executable, "/usr/bin/python3"):
        if python and shutil.which(python):
            missing = lacking(python, modules)
            if not missing:
                return python, []
    return None, missing


def environment():
    """Nothing is written beside the sources, and nothing of the user's own packages is seen."""
    module = os.environ.get("THUD_PYTHON_MODULE") or str(ROOT / "build" / "release" / "python")
    paths = [module, str(HERE), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths)), "PYTHONDONTWRITEBYTECODE": "1",
            "OPENBLAS_NUM_THREADS": "1", "THUD_SOURCE_DIR": str(ROOT), "THUD_PYTHON_MODULE": module}


def command(python, task, arguments):
    if task == "declarations":
        return [python, str(ROOT / "tools" / "generate-python"), "--check"]
    if task == "script":
        return [python, *arguments]
    paths = ["--doctest-modules", environment()["THUD_PYTHON_MODULE"] + "/thud"] if task == "doctests" else []
    return [python, "-m", "pytest", "-p", "tap", "-p", "no:cacheprovider", "--rootdir", str(ROOT / "python"), "-q", *paths, *arguments]


def main():
    task, arguments = sys.argv[1], sys.argv[2:]
    python, missing = find_python(NEEDS[task])
    if python is None:
        print(f"ok - {task} # SKIP needs {' '.join(PACKAGES[name] for name in missing)}: make deps-dev")
        return 0
    status = subprocess.call(command(python, task, arguments), env=environment(), cwd=os.environ.get("THUD_TEST_DIR"))
    if task == "declarations":
        print(f"{'ok' if status == 0 else 'not ok'} - the declarations are those of the headers")
    return status if status >= 0 else 128 - status


if __name__ == "__main__":
    sys.exit(main())
