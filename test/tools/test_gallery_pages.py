"""The gallery of examples is what its tool writes, and the tool finds what is wrong with it. Prints TAP."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(os.environ.get("THUD_SOURCE_DIR") or pathlib.Path(__file__).resolve().parents[2])
failures = 0


def report(name, good, detail=""):
    global failures
    print(f"{'ok' if good else 'not ok'} - {name}")
    if not good:
        failures += 1
        print(detail)


def check(root):
    return subprocess.run([sys.executable, str(ROOT / "tools" / "generate-gallery"), "--check", "--root", str(root)],
                          capture_output=True, text=True)


def changed(name, change, fault):
    """A copy of the gallery with one change is found out."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        shutil.copytree(ROOT / "examples", root / "examples")
        shutil.copytree(ROOT / "docs" / "images" / "gallery", root / "docs" / "images" / "gallery")
        shutil.copy(ROOT / "docs" / "gallery.md", root / "docs" / "gallery.md")
        change(root)
        result = check(root)
        report(name, result.returncode == 1 and fault in result.stdout, result.stdout + result.stderr)


def replaced(path, old, new):
    def change(root):
        text = (root / path).read_text()
        assert old in text, path
        (root / path).write_text(text.replace(old, new, 1))
    return change


def twice(root):
    path = root / "examples" / "gallery.json"
    plan = json.loads(path.read_text())
    plan["topics"][0]["examples"].append(plan["topics"][0]["examples"][0])
    path.write_text(json.dumps(plan))


result = check(ROOT)
report("the gallery is up to date", result.returncode == 0, result.stdout + result.stderr)
size = sum(path.stat().st_size for path in (ROOT / "docs" / "images" / "gallery").glob("*.png"))
report("its pictures take less than 3 MB", size < 3e6, size)
changed("a changed title", replaced("examples/play.yaml", "title: ", "title: Other "), "examples/README.md: not what")
changed("a changed page", replaced("docs/gallery.md", "# Examples", "# Example"), "docs/gallery.md: not what")
changed("a scene that is in no topic", lambda root: shutil.copy(root / "examples/play.yaml", root / "examples/bodies/new.yaml"),
        "'bodies/new' is missing")
changed("two files of one name", lambda root: shutil.copy(root / "examples/play.yaml", root / "examples/bodies/play.yaml"),
        "two files are called play.yaml")
changed("an example named twice", twice, "'bodies/dominoes' twice")
changed("a missing picture", lambda root: (root / "docs/images/gallery/play.png").unlink(), "play.png: missing")
changed("a picture of nothing", lambda root: (root / "docs/images/gallery/none.png").touch(), "none.png: of no example")
changed("no first sentence", replaced("examples/jump.yaml", "# A disc", "x: 1 # A disc"), "examples/jump.yaml: the first comment")
changed("a number of a case", replaced("examples/dynamics/zeno.yaml", "# First impact", "# Case C2: first impact"),
        "examples/dynamics/zeno.yaml: '# Case C2")
sys.exit(1 if failures else 0)
