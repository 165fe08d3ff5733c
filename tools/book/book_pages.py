"""Pages of the book: which files of the repository they are, and their links.

The book is docs/ with a few documents from elsewhere and the generated reference. Its sources are written for a code host:
plain Markdown with relative links. `stage` copies them into one folder for Sphinx and changes there what the two forms
need differently: where links lead, and lists of pages into tables of contents."""
import json
import os
import pathlib
import re
import shutil
import subprocess

# Documents outside docs/ that are pages of the book.
ELSEWHERE = {"CHANGELOG.md": "changelog", "CONTRIBUTING.md": "contributing", "bench/README.md": "benchmarks",
             "examples/problems/README.md": "problems"}
# Pages below another page in the table of contents.
CHILDREN = {"solvers": "methods/*"}
# Files that the generated reference shows: pattern of the file, page.
REFERENCE = [(re.compile(r"include/thud/(\w+)\.h"), r"reference/headers/\1"), (re.compile(r"include/thud/?"), "reference/headers"),
             (re.compile(r"docs/man/([\w.-]+)\.scd"), r"reference/man/\1"), (re.compile(r"docs/man/?"), "reference/man"),
             (re.compile(r"docs/scene\.schema\.json"), "reference/schema"), (re.compile(r"examples(/|/README\.md)?"), "gallery"),
             (re.compile(r"python/thud/?"), "reference/python"), (re.compile(r"python/thud/(?!_)(\w+)\.py"), r"reference/python/\1")]
# Copied into the book, so that links to them work without the repository.
COPIED = re.compile(r"(examples/.*\.(yaml|c|py|ipynb|csv|msh|mtx|dat|hdf5|txt|json|png|jpg|gif|svg|webp))|docs/.*\.(png|jpg|gif|svg|webp|html|json|yaml)|LICENSE|CITATION\.cff")

FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.S)
LINK = re.compile(r"(?P<head>\]\()(?P<target>[^()\s]+(?:\([^()\s]*\))?)(?P<tail>(?:\s+\"[^\"]*\")?\))")
DEFINITION = re.compile(r"(?P<head>^ {0,3}\[[^\]]+\]:\s*)(?P<target>\S+)(?P<tail>)", re.M)
ATTRIBUTE = re.compile(r"(?P<head><[a-zA-Z][^<>]*?\b(?:href|src)=\")(?P<target>[^\"]*)(?P<tail>\")")
HEADING = re.compile(r"^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$")
OUTSIDE = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//")


def tracked(root):
    """Files of the repository: what git tracks or would track; without git all but build folders."""
    listed = subprocess.run(["git", "-C", str(root), "ls-files", "-co", "--exclude-standard"], capture_output=True, text=True)
    if listed.returncode == 0 and listed.stdout:
        return sorted(name for name in set(listed.stdout.splitlines()) if (root / name).is_file())
    return sorted(str(path.relative_to(root)) for path in root.rglob("*")
                  if path.is_file() and not re.match(r"build|\.git/|.*node_modules/", str(path.relative_to(root))))


def page_of(name):
    """The page of the book that a document is; None: none."""
    if name.startswith("docs/") and name.endswith(".md"):
        return name[len("docs/"):-len(".md")]
    return ELSEWHERE.get(name)


def shown_by(name, names):
    """The page that shows a file, by itself or in the reference; None: none."""
    if name in names and page_of(name):
        return page_of(name)
    for pattern, page in REFERENCE:
        matched = pattern.fullmatch(name)
        if matched and (page != "gallery" or "docs/gallery.md" in names):
            return matched.expand(page)
    return None


# ---- Markdown --------------------------------------------------------------------------------------------------------

def pieces(text):
    """The text as [(is code, piece)], where code is a fenced block or a code span."""
    lines, found, fence, piece = text.splitlines(keepends=True), [], None, ""
    for line in lines:
        matched = FENCE.match(line)
        if fence is None and matched:
            found.append((False, piece))
            piece, fence = line, matched.group(1)
        elif fence is not None and matched and matched.group(1).startswith(fence) and line.strip() == matched.group(1):
            found.append((True, piece + line))
            piece, fence = "", None
        else:
            piece += line
    found.append((fence is not None, piece))
    split = []
    for is_code, part in found:
        if is_code:
            split.append((True, part))
            continue
        at = 0
        for span in CODE_SPAN.finditer(part):
            if "\n\n" in span.group():
                continue
            split += [(False, part[at:span.start()]), (True, span.group())]
            at = span.end()
        split.append((False, part[at:]))
    return [(is_code, part) for is_code, part in split if part]


def with_links(text, change):
    """The text with change(target, is_image) in place of each target outside code."""
    # A link's text may hold code: links are found in a copy of the text whose code is blanked.
    code = "".join(re.sub(r"[^\n]", "\0", part) if is_code else part for is_code, part in pieces(text))
    found = sorted({match.span("target"): (match, pattern) for pattern in (LINK, DEFINITION, ATTRIBUTE)
                    for match in pattern.finditer(code)}.items())
    made, at = "", 0
    for (begin, end), (match, pattern) in found:
        opening = code.rfind("[", 0, begin)
        is_image = (pattern is LINK and code[opening - 1:opening] == "!") or (pattern is ATTRIBUTE and "src=" in match["head"])
        made += text[at:begin] + change(text[begin:end], is_image, pattern is ATTRIBUTE)
        at = end
    return made + text[at:]


def links(text):
    """[(line, target)] of a Markdown text."""
    found, at = [], 0

    def note(target, *_):
        nonlocal at
        at = text.index(target, at)
        found.append((text.count("\n", 0, at) + 1, target))
        at += len(target)
        return target
    with_links(text, note)
    return found


def plain_heading(text):
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"<[^>]*>", "", text)
    return text


def anchors(text):
    """The anchors that code hosts give to the headings of a text, and those that it sets itself."""
    found, counts = set(), {}
    for is_code, part in [(bool(FENCE.match(part)) and is_code, part) for is_code, part in fences(text)]:
        if is_code:
            continue
        for line in part.splitlines():
            matched = HEADING.match(line)
            if matched:
                slug = re.sub(r"[^\w\- ]", "", plain_heading(matched.group(2)).lower()).replace(" ", "-")
                count = counts.get(slug, 0)
                counts[slug] = count + 1
                found.add(f"{slug}-{count}" if count else slug)
        found |= set(re.findall(r"<a [^>]*?(?:id|name)=\"([^\"]+)\"", part))
    return found


def fences(text):
    """Like pieces, but code spans stay where they are: headings may hold them."""
    joined = []
    for is_code, part in pieces(text):
        block = is_code and bool(FENCE.match(part))
        if joined and joined[-1][0] == block is False:
            joined[-1] = (False, joined[-1][1] + part)
        else:
            joined.append((block, part))
    return joined


def title_of(text):
    for is_code, part in fences(text):
        for line in [] if is_code else part.splitlines():
            matched = HEADING.match(line)
            if matched:
                return plain_heading(matched.group(2))
    return None


def target_of(name, target):
    """(file or folder of the repository, anchor) that a relative target of a document leads to."""
    path, _, anchor = target.partition("#")
    place = os.path.normpath(os.path.join(os.path.dirname(name), path)) if path else name
    return place.replace(os.sep, "/"), anchor


# ---- the folder for Sphinx -------------------------------------------------------------------------------------------

def relative(page, other):
    return os.path.relpath(other, os.path.dirname(page) or ".").replace(os.sep, "/")


def stage_text(name, text, names):
    """A document as Sphinx gets it."""
    page = page_of(name)

    def change(target, is_image, in_html):
        if OUTSIDE.match(target):
            return target
        place, anchor = target_of(name, target)
        tail = f"#{anchor}" if anchor else ""
        if not (is_image or in_html):
            return f"repository:{place}{tail}"  # resolved by book_sphinx.py
        shown = None if is_image else shown_by(place, names)
        return relative(page, f"{shown}.html{tail}" if shown else f"files/{place}")
    text = with_links(text, change)
    text = re.sub(r"^( {0,3}`{3,})math[ \t]*$", r"\1{math}", text, flags=re.M)  # code hosts know the word, MyST the braces
    if name == "docs/index.md":
        return with_contents(text, names)
    if page in CHILDREN:
        below = sorted(page_of(other) for other in names if other.startswith("docs/") and other.endswith(".md")
                       and pathlib.PurePath(page_of(other)).match(CHILDREN[page]))
        return text + contents(below)
    return text


def contents(pages, caption=None):
    heads = ["", "```{toctree}", ":hidden:"] + ([f":caption: {caption}"] if caption else []) + [""]
    return "\n".join(heads + list(pages) + ["```", ""]) if pages else ""


def with_contents(text, names):
    """The first page: each part (second-level heading) becomes one part of the table of contents, with the pages that it
    links to, under the names that it gives them, and those that match `<!-- pages: PATTERN ... -->`."""
    def linked(part):
        """{page: name} in the order of the links; the text has targets of book_sphinx.py already."""
        found = [(shown_by(target, names), name) for name, target in re.findall(r"\[([^\]]+)\]\(repository:([^)#]+)[^)]*\)", part)]
        return {page: name for page, name in reversed(found) if page}

    parts = re.split(r"(?m)^(?=## )", text)
    made, everywhere = parts[0], linked(text)
    all_pages = sorted([page for page in map(page_of, names) if page] + ["reference/commands", "reference/options"])
    below = {page for page in all_pages for pattern in CHILDREN.values() if pathlib.PurePath(page).match(pattern)}
    used = below | {"index"}
    for part in parts[1:]:
        entries = [f"{name} <{page}>" for page, name in reversed(linked(part).items()) if page not in used]
        used |= set(linked(part))
        for pattern in " ".join(re.findall(r"<!-- pages: (.*?) -->", part)).split():
            found = [page for page in all_pages if pathlib.PurePath(page).match(pattern) and page not in used | set(everywhere)]
            entries += found
            used |= set(found)
        made += part + contents(entries, part.partition("\n")[0].removeprefix("## ").strip())
    return made


def write(path, data):
    """Leaves a file alone that is as it should be, so that Sphinx reads again only what has changed."""
    data = data.encode() if isinstance(data, str) else data
    if not path.exists() or path.read_bytes() != data:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return path


def stage(root, folder):
    """Fills the folder: sources of pages in `folder/source`, files that they link to in `folder/files`; returns the
    pages that were written."""
    root, folder = pathlib.Path(root), pathlib.Path(folder)
    names = set(tracked(root))
    source, kept = folder / "source", set()
    twice = [(name, page_of(name)) for name in sorted(names) if page_of(name) in {page_of(other) for other in names - {name}} - {None}]
    if twice:
        raise SystemExit(f"two documents are one page of the book: {twice}; name one differently, or see ELSEWHERE")
    for name in sorted(names):
        page = page_of(name)
        if page:
            kept.add(write(source / f"{page}.md", stage_text(name, (root / name).read_text(encoding="utf-8"), names)))
        if COPIED.fullmatch(name):
            kept.add(write(folder / "extra/files" / name, (root / name).read_bytes()))
            if re.search(r"\.(png|jpg|gif|svg|webp)$", name):
                kept.add(write(source / "files" / name, (root / name).read_bytes()))
    places = sorted(names | {"include/thud", "docs/man", "python/thud", "examples"})  # folders have pages, too
    kept.add(write(folder / "pages.json", json.dumps({name: shown_by(name, names) for name in places if shown_by(name, names)})))
    return kept


def remove_others(folder, kept):
    """Files of earlier builds whose page is gone."""
    for path in sorted(pathlib.Path(folder).rglob("*"), reverse=True):
        if path.is_file() and path not in kept:
            path.unlink()
        elif path.is_dir() and not any(path.iterdir()):
            path.rmdir()


def clear(folder):
    shutil.rmtree(folder, ignore_errors=True)
