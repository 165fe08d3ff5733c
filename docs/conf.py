"""The book by Sphinx: `make book` (tools/make-book prepares the sources; docs/ itself is plain Markdown)."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools/book"))

project = "thud"
author = "the authors of thud"
copyright = author
release = re.search(r'THUD_VERSION "([^"]+)"', (ROOT / "include/thud/base.h").read_text()).group(1)

extensions = ["myst_parser", "sphinx.ext.mathjax", "book_sphinx"]
root_doc = "index"
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
language = "en"
smartquotes = False  # --set is no dash

# What code hosts render, and nothing else: formulas between dollars, anchors of headings.
myst_enable_extensions = ["dollarmath"]
myst_dmath_allow_space = False
myst_dmath_allow_digits = False
myst_update_mathjax = False  # it would set up version 3
myst_heading_anchors = 6
myst_disable_syntax = ["myst_line_comment", "myst_block_break", "myst_target", "myst_role"]
myst_url_schemes = ["http", "https", "mailto", "repository"]
highlight_language = "none"

html_theme = "furo"
html_title = f"thud {release}"
html_show_sphinx = False
html_show_copyright = False
html_copy_source = False
html_theme_options = {"sidebar_hide_name": False}
html_extra_path = []  # tools/make-book: files that pages link to
# Formulas are TeX in the sources and pictures on the pages. Nothing is fetched: the book is read from the disk.
mathjax_path = "mathjax/MathJax.js?config=TeX-AMS_SVG"
mathjax2_config = {"showMathMenu": False, "messageStyle": "none", "SVG": {"font": "TeX", "blacker": 0},
                   "tex2jax": {"inlineMath": [["\\(", "\\)"]], "displayMath": [["\\[", "\\]"]], "processEscapes": False,
                               "ignoreClass": "tex2jax_ignore", "processClass": "math"}}
