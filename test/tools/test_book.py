"""The book: the checks of links find what is broken, and the generated reference has everything. Prints TAP. The book itself
is built by tools/check-book, in continuous integration."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(os.environ.get("THUD_SOURCE_DIR") or pathlib.Path(__file__).resolve().parents[2])
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "tools/book")]
sys.dont_write_bytecode = True
import book_pages  # noqa: E402
import public_headers  # noqa: E402
import reference_headers  # noqa: E402
import reference_manual  # noqa: E402
import reference_python  # noqa: E402
import reference_schema  # noqa: E402

failures = 0


def report(name, good, detail=""):
    global failures
    print(f"{'ok' if good else 'not ok'} - {name}")
    if not good:
        failures += 1
        print(detail)


def check_book(files, *arguments):
    """tools/check-book on a folder made of {path: text}."""
    with tempfile.TemporaryDirectory() as folder:
        for path, text in files.items():
            place = pathlib.Path(folder, path)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")
        given = [argument.replace("FOLDER", folder) for argument in arguments]
        return subprocess.run([sys.executable, str(ROOT / "tools/check-book"), *given], capture_output=True, text=True)


def link_case(name, files, offence):
    done = check_book(files, "--markdown", "--root", "FOLDER")
    good = done.returncode == 0 if offence is None else done.returncode == 1 and offence in done.stdout
    report(f"documents: {name}", good, f"status {done.returncode}: {done.stdout}{done.stderr}")


def test_links():
    other = "# Other page\n\n## A `b-c` (d)\n\n## Twice\n\n## Twice\n"
    for name, text, offence in (
            ("a file that is there", "[x](docs/other.md)\n", None),
            ("a folder that is there", "[x](docs/)\n", None),
            ("a file that is not", "\n[x](docs/others.md)\n", "page.md:2: there is no 'docs/others.md'"),
            ("a picture that is not there", "![x](x.png)\n", "there is no 'x.png'"),
            ("a picture in HTML", '<img width="3" src="x.png">\n', "there is no 'x.png'"),
            ("a definition of a link", "[x]\n\n[x]: nowhere.md\n", "there is no 'nowhere.md'"),
            ("a heading with code", "[x](docs/other.md#a-b-c-d)\n", None),
            ("a heading that occurs twice", "[x](docs/other.md#twice-1)\n", None),
            ("a heading that is not there", "[x](docs/other.md#twice-2)\n", "has no heading '#twice-2'"),
            ("a heading of the page itself", "# Here\n\n[x](#here) [y](#there)\n", "has no heading '#there'"),
            ("the text of a link may be code", "[`x`](docs/others.md)\n", "there is no 'docs/others.md'"),
            ("blocks of code have no links", "```sh\n[x](nowhere.md)\n```\n", None),
            ("code in a sentence has none", "`[x](nowhere.md)`\n", None),
            ("headings in code do not count", "```sh\n# Here\n```\n[x](#here)\n", "has no heading '#here'"),
            ("other sites are not asked", "[x](https://nowhere.invalid/a)\n", None)):
        link_case(name, {"page.md": text, "docs/other.md": other}, offence)
    index = {"docs/index.md": "# All\n\n[x](listed.md)\n", "docs/listed.md": "# A page\n", "docs/methods/one.md": "# Below another\n"}
    link_case("pages that docs/index.md lists, and those below others", index, None)
    link_case("a page that it does not list", {**index, "docs/new.md": "# New\n"}, "docs/new.md:1: no part of docs/index.md")
    done = subprocess.run([sys.executable, str(ROOT / "tools/check-book"), "--markdown"], capture_output=True, text=True)
    report("documents: all links of the repository", done.returncode == 0, done.stdout + done.stderr)


def page_case(name, text, offence):
    done = check_book({"a.html": text, "b/c.html": '<p id="place">'}, "--pages", "FOLDER")
    good = done.returncode == 0 if offence is None else done.returncode == 1 and offence in done.stdout
    report(f"pages: {name}", good, f"status {done.returncode}: {done.stdout}{done.stderr}")


def test_pages():
    page_case("a place of another page", '<a href="b/c.html#place">x</a>', None)
    page_case("a place that is not there", '<a href="b/c.html#palace">x</a>', "a.html:1: 'b/c.html#palace' leads to no place")
    page_case("a page that is not there", '\n<a href="c.html">x</a>', "a.html:2: there is no 'c.html'")
    page_case("a link to another site", '<a href="https://nowhere.invalid">x</a>', None)
    page_case("a script of another site", '<script src="https://nowhere.invalid/x.js"></script>', "fetches 'https://nowhere.invalid/x.js'")
    page_case("a style of another site", '<link rel="stylesheet" href="//nowhere.invalid/x.css">', "from the network")
    page_case("a picture that is not there", '<img src="x.png">', "there is no 'x.png'")
    done = check_book({"readme": ""}, "--pages", "FOLDER")
    report("pages: an empty folder is not a success", done.returncode == 1 and "no pages" in done.stdout, done.stdout)


def test_staging():
    names = {"docs/index.md", "docs/a.md", "docs/b/c.md", "CONTRIBUTING.md", "examples/x.yaml", "include/thud/base.h"}
    text = book_pages.stage_text("docs/a.md", "[x](b/c.md#d) ![y](i.png) [z](../examples/x.yaml) `[x](y)`\n```math\na\n```\n", names)
    wanted = "[x](repository:docs/b/c.md#d) ![y](files/docs/i.png) [z](repository:examples/x.yaml) `[x](y)`\n```{math}\na\n```\n"
    report("sources: links name files of the repository, code stays", text == wanted, text)
    text = book_pages.stage_text("docs/index.md", "# I\n\n## One\n\n[a page](a.md#x), [c](../CONTRIBUTING.md)\n\n## Two\n\n<!-- pages: b/* -->\n", names)
    lists = re.findall(r"```\{toctree\}\n:hidden:\n:caption: (\w+)\n\n(.*?)```", text, re.S)
    report("sources: parts become tables of contents", lists == [("One", "a page <a>\nc <contributing>\n"), ("Two", "b/c\n")], text)


def test_headers():
    """Every public function and type has an entry, with the comment that tools/check-types asks for."""
    pages = reference_headers.pages(ROOT)
    functions = re.findall(r"^(?:\.\. c:function::|               ) .*?(\w+)\(.*\)$", "\n".join(pages.values()), re.M)
    types = re.findall(r"^\.\. c:(?:struct|union|enum|type):: .*?(\w+)\)?(?:\(.*\))?$", "\n".join(pages.values()), re.M)
    headers = public_headers.read_all(ROOT)
    public = {function.name for header in headers for function in header.functions}
    report("reference: every public function", len(public) > 400 and public <= set(functions), sorted(public - set(functions)))
    named = {kind.name for header in headers for kind in header.types}
    report("reference: every public type", len(named) > 100 and named <= set(types), sorted(named - set(types)))
    report("reference: no function twice", len(functions) == len(set(functions)), sorted(n for n in set(functions) if functions.count(n) > 1))
    text = pages["headers/convex"]
    report("reference: comments of functions", "Frees the set with its operands" in text)
    report("reference: comments of members", re.search(r"c:member:: bool is_bounded\n\n +support function finite everywhere", text))
    report("reference: comments of enumerators", re.search(r"c:enumerator:: THUD_ITERATIVE = 1\n\n +iteration with a certified gap", text))
    errors = re.findall(r"c:enumerator:: (THUD_(?:OK|ERROR_\w+)) =", pages["headers/base"])
    report("reference: errors, which are a table of macros", len(errors) > 15 and "THUD_ERROR_MEMORY" in errors, errors)


def test_other_reference():
    text = "\n".join(reference_python.pages().values())
    missing = [name for name in reference_python.names() if not re.search(rf"py:(?:class|function):: {name}\b", text)]
    report("reference: every public class and function of the Python module", not missing and len(text) > 10000, missing)
    pages, sources = reference_manual.pages(ROOT), sorted(path.stem for path in (ROOT / "docs/man").glob("*.scd"))
    report("reference: every manual page", sorted(name.removeprefix("man/") for name in pages if "/" in name) == sources, sorted(pages))
    marks = [line for text in pages.values() for line in text.splitlines() if line.startswith("; ")]
    report("reference: marks of the manual are left out", not marks, marks)
    program = os.environ.get("THUD_PROGRAM")
    if program:
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, str(ROOT / "tools/generate-reference"), "--program", program, folder], capture_output=True, text=True)
            commands = pathlib.Path(folder, "commands.rst").read_text() if done.returncode == 0 else ""
            options = pathlib.Path(folder, "options.rst").read_text() if done.returncode == 0 else ""
        named = re.findall(r"^thud (\w+)$", commands, re.M)
        report("reference: every command", len(named) >= 13 and "``--resume FILE``" in commands, done.stderr)
        kinds = json.loads(subprocess.run([program, "schema", "--options"], capture_output=True, text=True, check=True).stdout)
        absent = [row["key"] for kind in kinds for row in kind["options"] if f"``{row['key']}``" not in options]
        report("reference: every option", not absent and len(kinds) > 8, absent)


def test_schema():
    schema = json.loads((ROOT / "docs/scene.schema.json").read_text(encoding="utf-8"))
    found = reference_schema.keys(schema)
    bare = reference_schema.without_description(schema)
    report(f"schema: every one of {len(found)} keys has a description", len(found) > 500 and not bare, "\n".join(bare))
    sample = {"properties": {"a": {"description": "x", "items": {"properties": {"b": {"type": "string"}}}}}, "$defs": {
        "c": {"oneOf": [{"properties": {"d": {"description": " "}}}], "if": {"properties": {"e": {}}}}}}
    report("schema: keys without one are found, conditions are none", reference_schema.without_description(sample) == ["a[].b", "$c.d"],
           reference_schema.without_description(sample))


def test_figures():
    """Figures of docs/comparison.md are those of bench/results, and the citation is of this version."""
    page = (ROOT / "docs/comparison.md").read_text(encoding="utf-8")
    found = re.findall(r"^\| (?:\d+ [\w ]+)? ?\| (1e-[48]) \| (\d+) \| (\d+) \| ([\d.]+) \| ([\d.]+) \|$", page, re.M)
    measured = []
    for kind in ("contact", "piles"):
        for tolerance in ("1e-4", "1e-8"):
            text = (ROOT / f"bench/results/{kind}-{tolerance}.md").read_text(encoding="utf-8")
            solved = re.search(r"problems; solved by auto: (\d+)", text).group(1)
            best, mean, worst = re.search(r"Solved by the best of Siconos: (\d+),.*?best of Siconos\) ([\d.]+) .*?worst ([\d.]+)", text).groups()
            measured.append((tolerance, solved, best, mean, worst))
    report("comparison: contact problems as measured", found[:4] == measured, f"{found}\n{measured}")
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in
            (ROOT / "bench/results/bodies.md").read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    piles = {(f"{row[1]} {row[0]}", row[2]): (float(row[3]), float(row[6]), row[9], float(row[10])) for row in rows
             if len(row) == 16 and row[3][:1].isdigit()}
    names = {"Bullet": "bullet", "Bullet, two directions": "bullet-2"}
    wrong, pile, count = [], None, 0
    for first, engine, *cells in re.findall(r"^\| ([\w, ]*) \| ([\w, ]+) \| ([\d.]+) \| ([\d.e-]+) \| (\d+ of \d+) \| ([\d.]+) \|$", page.replace("| |", "|  |"), re.M):
        pile = first.partition(",")[0] or pile
        ms, residual, above, overlap = piles[pile, names.get(engine, engine.lower())]
        count += 1
        shown = (float(cells[0]), float(cells[1]), cells[2], float(cells[3]))
        near = abs(shown[0] - ms) <= 0.05 * ms and shown[1] == residual and shown[2] == above and abs(shown[3] - overlap) <= 0.1 * overlap
        wrong += [] if near else [(pile, engine, shown, (ms, residual, above, overlap))]
    report(f"comparison: {count} rows of piles as measured", count >= 16 and not wrong, wrong)
    version = re.search(r'THUD_VERSION "([\d.]+)"', (ROOT / "include/thud/base.h").read_text(encoding="utf-8")).group(1)
    report("citation: this version", f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8"))


test_links()
test_pages()
test_staging()
test_headers()
test_other_reference()
test_schema()
test_figures()
sys.exit(1 if failures else 0)
