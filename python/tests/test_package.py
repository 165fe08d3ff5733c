"""What holds for the module as a whole: its version, its names, their texts, and what it leaves alone."""
import inspect
import os
import pathlib
import re
import subprocess
import sys

import pytest

import thud

ROOT = pathlib.Path(os.environ.get("THUD_SOURCE_DIR") or pathlib.Path(__file__).resolve().parents[2])


def public():
    """(name, object) of everything that `from thud import *` and the classes' own public members give."""
    for name in sorted(set(thud.__all__) | {n for n in dir(thud) if not n.startswith("_")}):
        thing = getattr(thud, name)
        if inspect.ismodule(thing) or not getattr(thing, "__module__", "thud").startswith("thud"):
            continue
        yield name, thing
        if inspect.isclass(thing) and not issubclass(thing, BaseException):
            for member, value in vars(thing).items():
                if not member.startswith("_") and (callable(value) or isinstance(value, (property, classmethod, staticmethod))):
                    yield f"{name}.{member}", value


def test_version_is_that_of_the_headers():
    text = (ROOT / "include" / "thud" / "base.h").read_text(encoding="utf-8")
    assert thud.__version__ == re.search(r'#define THUD_VERSION "([^"]+)"', text).group(1)


def test_every_listed_name_is_there():
    assert len(thud.__all__) == len(set(thud.__all__))
    assert [name for name in thud.__all__ if not hasattr(thud, name)] == []


def test_every_public_thing_says_what_it_does():
    silent = [name for name, thing in public() if not inspect.getdoc(thing)]
    assert silent == []


def test_every_public_function_has_an_example():
    """Examples are run as doctests, and the fuzzer changes their arguments. So have the classes that users make objects of."""
    classes = {"Scene", "System", "Bodies", "Motion", "ContactProblem", "Run"}
    assert classes <= set(thud.__all__)
    assert [name for name in thud.__all__ if (name in classes or inspect.isfunction(getattr(thud, name))) and
            ">>>" not in (inspect.getdoc(getattr(thud, name)) or "")] == []


def test_every_public_function_has_typed_parameters():
    untyped = []
    for name, thing in public():
        function = getattr(thing, "__func__", thing)
        if not inspect.isfunction(function):
            continue
        for parameter in inspect.signature(function).parameters.values():
            if parameter.name != "self" and parameter.name != "cls" and parameter.annotation is parameter.empty:
                untyped.append(f"{name}({parameter.name})")
    assert untyped == []


def test_import_leaves_signals_warnings_and_scipy_alone():
    code = ("import signal, sys, warnings, numpy; before = signal.getsignal(signal.SIGINT), list(warnings.filters); import thud; "
            "assert before == (signal.getsignal(signal.SIGINT), list(warnings.filters)); "
            "print(*[m for m in ('scipy', 'pandas', 'xarray', 'matplotlib', 'cffi', 'pycparser') if m in sys.modules])")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stdout.split(), done.stderr) == (0, [], "")


@pytest.mark.parametrize("path, says", [
    ("/nonexistent/libthud-io.so", "ImportError: the shared library of thud is not to be found (cannot load library "),
    ("libm.so.6", "ImportError: libm.so.6 is not a library of thud (")])
def test_a_wrong_library_is_refused(path, says):
    done = subprocess.run([sys.executable, "-c", "import thud"], capture_output=True, text=True, env={**os.environ, "THUD_LIBRARY": path})
    assert done.returncode == 1 and done.stderr.splitlines()[-1].startswith(says)


def test_typed_marker_is_installed():
    assert (pathlib.Path(thud.__file__).parent / "py.typed").exists()
