"""The pages: every ```python block runs, in order and in one namespace, beside the scenes that the page writes; a ```text block
behind one is what it prints."""
import contextlib
import io
import os
import pathlib
import re
import sys

import pytest

import thud

ROOT = pathlib.Path(os.environ.get("THUD_SOURCE_DIR") or pathlib.Path(__file__).resolve().parents[2])
sys.path.insert(0, str(ROOT / "tools"))
import document_pages  # noqa: E402

PAGES = [path for path in [ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md"))] if "```python\n" in path.read_text(encoding="utf-8")]
BLOCK = re.compile(r"^```python\n(.*?)^```$(?:\n\n^```text\n(.*?)^```$)?", re.S | re.M)


@pytest.mark.parametrize("page", PAGES, ids=[page.name for page in PAGES])
def test_blocks_run_and_print_what_the_page_shows(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    document_pages.write_scenes(page.read_text(encoding="utf-8"), tmp_path)
    names = {}
    blocks = BLOCK.findall(page.read_text(encoding="utf-8"))
    assert blocks
    for block, shown in blocks:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(block, page.name, "exec"), names)
        assert printed.getvalue() == shown, block


def test_the_guide_is_among_them_and_names_what_there_is():
    guide = ROOT / "docs" / "python.md"
    assert guide in PAGES
    text = guide.read_text(encoding="utf-8")
    missing = [name for name in re.findall(r"thud\.([A-Za-z_]\w*)", text)
               if not hasattr(thud, name) and name not in ("py",)]
    assert missing == []
    examples = {path.name for path in (ROOT / "examples" / "python").iterdir() if path.suffix in (".py", ".ipynb")}
    assert examples == set(re.findall(r"^\| `([\w.]+)` \|", text, re.M))
