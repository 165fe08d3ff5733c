"""The pages of the documentation as a reader uses them (test/cli/test_documents.py, python/tests, tools/generate-pictures).

A page is run in a folder that holds a copy of examples/. Its blocks are taken in order:

- a ```yaml block whose first line is a comment with a file name (`# chute.yaml`) is written to this file;
- a ```sh block is run by bash, which stops at the first command that fails;
- a ```text block right behind a ```sh block is what it prints.

In a ```text block numbers may differ by one part in a thousand (whole numbers may not), numbers below 1e-7 count as 0, and blanks
count as one. A line `...` stands for any lines, the character … for any text within a line.
"""
import collections
import os
import pathlib
import re
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
STEP = re.compile(r"^```(sh|yaml)\n(.*?)^```$(?:\n\n^```text\n(.*?)^```$)?", re.S | re.M)
PICTURE = re.compile(r"!\[[^]]*\]\(([^)]+)\)")
NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w]|\.\d)")
SMALL = 1e-7
TOLERANCE = 1e-3

Done = collections.namedtuple("Done", "command status printed shown")


def named_file(block):
    """The file name in the first line of a YAML block, or None."""
    found = re.match(r"# ([\w-]+\.yaml)$", block.splitlines()[0]) if block else None
    return found.group(1) if found else None


def write_scenes(text, folder):
    """Writes the files that the page's YAML blocks name; of one name the last one stays."""
    for language, block, _ in STEP.findall(text):
        if language == "yaml" and named_file(block):
            pathlib.Path(folder, named_file(block)).write_text(block, encoding="utf-8")


def run(page, folder, program, timeout=120):
    """Runs a page in this folder; gives a Done for each of its commands."""
    search = os.pathsep.join([str(pathlib.Path(program).resolve().parent), os.environ.get("PATH", "")])
    shutil.copytree(ROOT / "examples", pathlib.Path(folder) / "examples")
    for language, block, shown in STEP.findall(page.read_text(encoding="utf-8")):
        if language == "yaml":
            if named_file(block):
                pathlib.Path(folder, named_file(block)).write_text(block, encoding="utf-8")
            continue
        if block.startswith("make "):  # the two set-up commands: continuous integration runs them
            continue
        done = subprocess.run(["bash", "-e", "-c", block], cwd=folder, env={**os.environ, "PATH": search}, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=timeout, check=False)
        yield Done(block, done.returncode, done.stdout, shown)


def pictures(page):
    """The pictures that a page shows, as paths."""
    return [page.parent / target for target in PICTURE.findall(page.read_text(encoding="utf-8")) if "//" not in target]


def same_number(shown, printed):
    if not re.search(r"[.eE]", shown + printed):
        return int(shown) == int(printed)
    a, b = float(shown), float(printed)
    return abs(a - b) <= TOLERANCE * max(abs(a), abs(b)) or max(abs(a), abs(b)) < SMALL


def same_text(shown, printed):
    """Whether two pieces of a line agree: words as they are, numbers within the tolerance."""
    a, b = " ".join(shown.split()), " ".join(printed.split())
    if NUMBER.sub("#", a) != NUMBER.sub("#", b):
        return False
    return all(map(same_number, NUMBER.findall(a), NUMBER.findall(b)))


def same_line(shown, printed):
    if "…" not in shown:
        return same_text(shown, printed)
    head, _, tail = shown.partition("…")
    head, tail = " ".join(head.split()), " ".join(tail.split())
    line = " ".join(printed.split())
    cuts = [k for k in range(len(line) + 1) if same_text(head, line[:k])]
    return any(same_line(tail, line[k:]) for cut in cuts for k in range(cut, len(line) + 1))


def difference(shown, printed):
    """The first lines that are shown and not printed, in words; empty if all are."""
    lines = printed.rstrip("\n").split("\n")
    parts, part = [], []
    for line in shown.rstrip("\n").split("\n"):
        if line.strip() == "...":
            parts.append(part)
            part = []
        else:
            part.append(line)
    parts.append(part)
    at = 0
    for k, part in enumerate(parts):
        last = k == len(parts) - 1
        starts = [0] if k == 0 else [len(lines) - len(part)] if last else range(at, len(lines) - len(part) + 1)
        fits = [s for s in starts if s >= at and s + len(part) <= len(lines) and all(map(same_line, part, lines[s:]))]
        if not fits or (last and fits[0] + len(part) != len(lines)):
            return "shown, but not printed:\n" + "\n".join(part) + "\nprinted:\n" + printed
        at = fits[0] + len(part)
    return ""


def renewed(text, runs):
    """The page with what its commands print now, and the shown blocks that leave something out and do not fit any more."""
    runs, stale = iter(runs), []

    def replace(match):
        language, block, shown = match.groups()
        if language != "sh" or block.startswith("make "):
            return match.group(0)
        done = next(runs)
        if not shown or not difference(shown, done.printed):
            return match.group(0)
        if "…" in shown or re.search(r"^\.\.\.$", shown, re.M):
            stale.append(shown)
            return match.group(0)
        lines = "\n".join(line.rstrip() for line in done.printed.rstrip("\n").split("\n"))
        return f"```sh\n{block}```\n\n```text\n{lines}\n```"

    return STEP.sub(replace, text), stale
