"""The recipes of examples/python print numbers that they check themselves."""
import pathlib
import subprocess
import sys

import pytest

RECIPES = pathlib.Path(__file__).resolve().parents[2] / "examples" / "python"


@pytest.mark.parametrize("name, needs, words", [("bifurcation", "numpy", "theory: 38.702"), ("basin", "numpy", "0.500 of them end on the right"),
                                                ("restitution", "scipy", "made with 0.74"),
                                                ("rough_surface", "numpy", "good and verified: good"),
                                                ("hopper", "numpy", "the run is good, its record is good"),
                                                ("environment", "numpy", "balanced for 10.00 s, reward 500"),
                                                ("compare_with_siconos", "numpy", "50  thud")])
def test_a_recipe_runs(name, needs, words, tmp_path):
    pytest.importorskip(needs)
    done = subprocess.run([sys.executable, "-W", "error::RuntimeWarning", RECIPES / f"{name}.py"], capture_output=True, text=True,
                          cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert words in done.stdout and not list(tmp_path.iterdir())
