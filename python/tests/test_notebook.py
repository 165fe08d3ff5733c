"""The tutorial runs from its first cell to its last one, and shows its pictures."""
import json
import os
import pathlib
import subprocess
import sys

import pytest
import thud

FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(thud.__file__)))
NOTEBOOK = pathlib.Path(__file__).resolve().parents[2] / "examples" / "python" / "tutorial.ipynb"


def test_the_committed_tutorial_holds_no_results():
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    assert all(cell["execution_count"] is None and not cell["outputs"] for cell in cells if cell["cell_type"] == "code")


def test_the_tutorial_runs(tmp_path):
    pytest.importorskip("nbconvert", reason="needs jupyter-nbconvert")
    pytest.importorskip("ipykernel", reason="needs python3-ipykernel")
    kernel = tmp_path / "kernels" / "python3"  # that of this Python, whatever kernels the machine has
    kernel.mkdir(parents=True)
    (kernel / "kernel.json").write_text(json.dumps({"argv": [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"],
                                                    "display_name": "Python 3", "language": "python"}), encoding="utf-8")
    environment = dict(os.environ, JUPYTER_PATH=str(tmp_path), HOME=str(tmp_path), PYTHONPATH=FOLDER, JUPYTER_PLATFORM_DIRS="1")
    done = subprocess.run([sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute", "--ExecutePreprocessor.kernel_name=python3",
                           "--ExecutePreprocessor.timeout=300", "--output-dir", str(tmp_path), str(NOTEBOOK)],
                          capture_output=True, text=True, env=environment, cwd=tmp_path)
    assert done.returncode == 0, done.stderr[-4000:]
    cells = json.loads((tmp_path / NOTEBOOK.name).read_text(encoding="utf-8"))["cells"]
    kinds = [kind for cell in cells if cell["cell_type"] == "code" for output in cell["outputs"] for kind in output.get("data", {})]
    assert kinds.count("image/png") >= 2 and "text/html" in kinds
