"""`pip install .`: the module of python/thud with the shared libraries beside it, in a wheel of this platform.

CMake builds the libraries in a temporary folder, or those of the folder THUD_LIBRARY (`make python` leaves them in
build/release/python/thud) are taken. Nothing is written into the source tree. CMAKE_ARGS: further settings of CMake.
"""
import atexit
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py
from wheel.bdist_wheel import bdist_wheel

ROOT = pathlib.Path(__file__).resolve().parent
LIBRARIES = ("libthud.so", "libthud-io.so")
WORK = tempfile.mkdtemp(prefix="thud-")
atexit.register(shutil.rmtree, WORK, ignore_errors=True)


def version():
    text = (ROOT / "include" / "thud" / "base.h").read_text(encoding="utf-8")
    return re.search(r'^#define THUD_VERSION "([^"]+)"', text, re.M).group(1)


def build_libraries():
    """The folder with the shared libraries."""
    named = os.environ.get("THUD_LIBRARY")
    if named:
        missing = [name for name in LIBRARIES if not os.path.isfile(os.path.join(named, name))]
        if missing:
            raise SystemExit(f"THUD_LIBRARY={named}: {' and '.join(missing)} not found; name the folder that `make python` fills, "
                             "build/release/python/thud, or unset THUD_LIBRARY to build them")
        return pathlib.Path(named)
    folder = os.path.join(WORK, "libraries")
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    settings = ["-DCMAKE_BUILD_TYPE=Release", *(f"-DTHUD_{part}=OFF" for part in ("TESTS", "CLI", "MAN"))]
    for command in (["cmake", "-S", str(ROOT), "-B", folder, *generator, *settings, *shlex.split(os.environ.get("CMAKE_ARGS", ""))],
                    ["cmake", "--build", folder, "--target", "thud_python", "--parallel", str(os.cpu_count() or 1)]):
        try:
            subprocess.run(command, check=True)
        except FileNotFoundError:
            raise SystemExit("the libraries of thud are built with CMake, which is missing: make deps") from None
        except subprocess.CalledProcessError as failure:
            raise SystemExit(f"'{' '.join(command[:2])}' ended with status {failure.returncode}: the lines above say why") from None
    return pathlib.Path(folder, "python", "thud")


class BuildWithLibraries(build_py):
    def run(self):
        super().run()
        source = build_libraries()
        for name in LIBRARIES:
            target = os.path.join(self.build_lib, "thud", name)
            self.mkpath(os.path.dirname(target))
            shutil.copyfile(source / name, target)


class PlatformWheel(bdist_wheel):
    """For this platform, whatever the version of Python: the libraries know nothing of it."""

    def get_tag(self):
        return ("py3", "none", super().get_tag()[2])


class PlatformDistribution(Distribution):
    def has_ext_modules(self):
        return True


setup(
    version=version(),
    packages=["thud"],
    package_dir={"thud": "python/thud"},
    package_data={"thud": ["py.typed"]},
    zip_safe=False,
    distclass=PlatformDistribution,
    cmdclass={"build_py": BuildWithLibraries, "bdist_wheel": PlatformWheel},
    options={"egg_info": {"egg_base": WORK}, "build": {"build_base": os.path.join(WORK, "build")}},
)
