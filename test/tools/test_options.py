"""The tables of options: schema, pages and manual are what they give, and scenes accept their keys and no others."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(os.environ.get("THUD_SOURCE_DIR") or pathlib.Path(__file__).resolve().parents[2])
PROGRAM = os.environ.get("THUD_PROGRAM") or str(ROOT / "build" / "release" / "thud")
failures = 0


def report(name, good, detail=""):
    global failures
    print(f"{'ok' if good else 'not ok'} - {name}")
    if not good:
        failures += 1
        print(detail)


def check(root):
    return subprocess.run([sys.executable, str(ROOT / "tools" / "generate-options"), "--check", "--root", str(root),
                           PROGRAM], capture_output=True, text=True)


def changed(name, path, old, new, offence):
    """A copy of docs in which one text is changed is found out."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(ROOT / "docs", pathlib.Path(folder, "docs"))
        page = pathlib.Path(folder, "docs", path)
        text = page.read_text()
        page.write_text(text.replace(old, new, 1))
        result = check(folder)
        report(name, old in text and result.returncode == 1 and offence in result.stdout, result.stdout + result.stderr)


def check_pages():
    result = check(ROOT)
    report("schema, pages and manual are up to date", result.returncode == 0, result.stdout + result.stderr)
    changed("a default that a page gets wrong", "bodies.md", "| `penetration` |", "| `penetration`  |", "docs/bodies.md: not")
    changed("a row that a page lacks", "bodies.md", "<!-- options: bodies record -->", "",
            "docs: 'whole_every' of bodies record stands in no list")
    changed("a row that the manual lacks", "man/thud-scene.5.scd", "; options: sweeping simulate", "",
            "docs/man: 'refinements' of sweeping simulate stands in no list")
    changed("a range that the schema gets wrong", "scene.schema.json", '"maximum": 12}', '"maximum": 13}',
            "docs/scene.schema.json: not")
    changed("a text that the manual gets wrong", "man/thud-scene.5.scd", "halvings of", "halves of",
            "docs/man/thud-scene.5.scd: not")


def scene_with(section):
    """The text of the first example with this section and no files beside it, with a section `record`."""
    for path in sorted((ROOT / "examples").rglob("*.yaml")):
        text = path.read_text()
        if re.search(rf"^{section}:", text, re.M) and "file:" not in text:
            return text if re.search("^record:", text, re.M) else text + "\nrecord: {every_step: true}\n"
    return None


def is_unknown(scene, key):
    done = subprocess.run([PROGRAM, "check", "-", "--set", f"{key}=null"], input=scene, capture_output=True, text=True)
    return "unknown key" in done.stderr


def check_scenes():
    """What the tables list is known to the readers of scenes, whatever they say of its value."""
    kinds = json.loads(subprocess.run([PROGRAM, "schema", "--options"], capture_output=True, text=True, check=True).stdout)
    seen = set()
    for kind in kinds[1:]:
        section = kind["section"]
        if section in seen:
            continue
        seen.add(section)
        scene = scene_with(section)
        report(f"{section} has an example", scene is not None)
        keys = [f"{row['section']}.{row['key']}" for row in kind["options"] + kinds[0]["options"]]
        unknown = [key for key in dict.fromkeys(keys) if "solver" not in key and is_unknown(scene, key)]
        report(f"{section}: all keys are known", not unknown, unknown)
        refused = [key for key in ("simulate.fork", "simulate.nonsense", "record.nonsense") if not is_unknown(scene, key)]
        report(f"{section}: others are not", not refused, refused)


if __name__ == "__main__":
    check_pages()
    check_scenes()
    sys.exit(1 if failures else 0)
