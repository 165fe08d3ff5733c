"""Sphinx extension of the book: links to files of the repository, documents that are mentioned by name, formulas."""
import json
import pathlib
import re
import shutil

from docutils import nodes
from sphinx import addnodes

MENTION = re.compile(r"(?<![\w/.-])(?:(?:docs|examples|include|bench)/[\w./-]+\.(?:md|h|yaml|c|py|ipynb|json)|thud/\w+\.h|CONTRIBUTING\.md|CHANGELOG\.md)(?![\w/-])")
# The parts of MathJax that TeX in, SVG out needs: pictures of formulas need no fonts, so that pages work from the disk.
MATHJAX = pathlib.Path("/usr/share/javascript/mathjax")
MATHJAX_PARTS = ["MathJax.js", "config/TeX-AMS_SVG.js", "jax/element", "jax/input/TeX", "jax/output/SVG/autoload",
                 "jax/output/SVG/fonts/TeX", "jax/output/SVG/jax.js", "jax/output/SVG/config.js", "extensions"]


def place_of(app, page, name):
    """Where a page finds a file or document of the repository; None: the book has neither."""
    shown = app.book_pages.get(f"include/{name}" if name.startswith("thud/") else name)
    if shown in app.env.found_docs:
        return app.builder.get_relative_uri(page, shown)
    if (pathlib.Path(app.confdir_of_files) / "files" / name).exists():
        up = "../" * page.count("/")
        return f"{up}files/{name}"
    return None


def link_files(app, doctree, page):
    for node in list(doctree.findall(nodes.reference)):
        target = node.get("refuri", "")
        if target.startswith("repository:"):
            name, _, anchor = target.removeprefix("repository:").partition("#")
            found = place_of(app, page, name)
            if found is None:
                app.book_log.warning("a link to '%s', which the book does not have", name, location=node)
                continue
            node["refuri"] = found + (f"#{anchor}" if anchor else "")
            node["internal"] = True


def link_mentions(app, doctree, page):
    """`docs/x.md` in a sentence becomes a link, also within inline code."""
    for node in list(doctree.findall(nodes.Text)):
        up = node.parent
        inside = node
        while inside is not None:
            if isinstance(inside, (nodes.reference, nodes.literal_block, nodes.title, nodes.math, nodes.raw, nodes.comment)):
                break
            inside = inside.parent
        if inside is not None:
            continue
        text, at, made = node.astext(), 0, []
        for found in MENTION.finditer(text):
            place = place_of(app, page, found.group())
            if place is None or place.startswith("#") or not place:
                continue
            reference = nodes.reference("", found.group(), internal=True, refuri=place)
            made += [nodes.Text(text[at:found.start()]), reference]
            at = found.end()
        if made:
            up.replace(node, [part for part in made + [nodes.Text(text[at:])] if part.astext()])


def name_headings(app, doctree):
    """Headings get the anchors that code hosts give them, so that one link works in both forms."""
    for section in doctree.findall(nodes.section):
        slug = section.get("myst-anchor", "").partition("#")[2]
        if slug and slug not in section["ids"]:
            section["ids"].insert(0, slug)


def resolve(app, doctree, page):
    link_files(app, doctree, page)
    link_mentions(app, doctree, page)


def titles_of(tocs):
    """Tables of contents of pages without their sections: all that the navigation shows."""
    made = {}
    for page, toc in tocs.items():
        made[page] = toc.deepcopy()
        for item in made[page]:
            if len(item) > 1:
                below = list(item.findall(addnodes.toctree))
                item[1:] = [nodes.bullet_list("", *below)] if below else []
    return made


def navigate_by_titles(app, page, template, context, doctree):
    """The theme asks for the whole navigation on every page, and Sphinx copies the contents of all pages for it: a quarter of
    the time of a build, for sections that it then leaves out."""
    ask = context.get("toctree")
    if ask is None:
        return
    if not hasattr(app, "book_titles"):
        app.book_titles = titles_of(app.env.tocs)

    def toctree(**keywords):
        whole, app.env.tocs = app.env.tocs, app.book_titles
        try:
            return ask(**keywords)
        finally:
            app.env.tocs = whole
    context["toctree"] = toctree


def copy_mathjax(app, failed):
    if failed or app.builder.format != "html":
        return
    for part in MATHJAX_PARTS:
        source, target = MATHJAX / part, pathlib.Path(app.outdir) / "_static/mathjax" / part
        if source.is_dir():
            shutil.copytree(source, target, dirs_exist_ok=True)
        elif source.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)


def setup(app):
    from pygments.lexers.special import TextLexer
    from sphinx.util import logging
    app.add_lexer("csv", TextLexer)
    folder = pathlib.Path(app.srcdir).parent
    app.book_log = logging.getLogger(__name__)
    app.book_pages = json.loads((folder / "pages.json").read_text())
    app.confdir_of_files = str(folder / "extra")
    app.connect("doctree-read", name_headings, priority=100)  # before the table of contents is made of them
    app.connect("doctree-resolved", resolve)
    app.connect("html-page-context", navigate_by_titles, priority=100)  # before the theme's
    app.connect("build-finished", copy_mathjax)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
