"""Reference of the manual pages: docs/man/*.scd (the language of scdoc) as pages of the book."""
import re

from reference_text import code, escape, heading, indented, literal

EMPHASIS = re.compile(r"\\(.)|(?<![\w*])\*(?=\S)(.+?)(?<=[^\s\\])\*|(?<![\w_])_(?=\S)((?:[^_\\]|\\.|_(?=\w))*?)_(?!\w)", re.S)


def plain(text):
    return re.sub(r"\\(.)", r"\1", text)


def inline(text):
    made, at = "", 0
    for found in EMPHASIS.finditer(text):
        made += escape(text[at:found.start()])
        at = found.end()
        if found.group(1):
            made += escape(found.group(1))
        elif found.group(2):
            page = re.match(r"\((\d)\)", text[at:])
            name = plain(found.group(2))
            if page and name.startswith("thud"):
                made += f"\\ :doc:`{name}({page.group(1)}) <{name}.{page.group(1)}>`\\ "
                at += page.end()
            else:
                made += code(name)
        else:
            made += "\\ *" + escape(plain(found.group(3))) + "*\\ "
    return made + escape(text[at:])


def body(lines):
    """Paragraphs, lists, literal blocks and indented parts of scdoc."""
    made, paragraph, k = [], [], 0

    def flush():
        if paragraph:
            made.append(inline(" ".join(paragraph)) + "\n")
            paragraph.clear()
    while k < len(lines):
        line = lines[k]
        if line.startswith("```"):
            flush()
            end = lines.index("```", k + 1)
            made.append(literal("\n".join(lines[k + 1:end])))
            k = end + 1
            continue
        if line.startswith("\t"):
            inside = []
            while k < len(lines) and (lines[k].startswith("\t") or not lines[k].strip()):
                inside.append(lines[k][1:])
                k += 1
            terms = inline(" ".join(paragraph)) if paragraph else ""
            paragraph.clear()
            made.append((terms + "\n" if terms else "") + indented(body(inside) or "\\ \n"))
            continue
        if re.match(r"[-.] ", line):
            flush()
            item = [line[2:]]
            while k + 1 < len(lines) and lines[k + 1].startswith("  "):
                k += 1
                item.append(lines[k].strip())
            made.append(("- " if line[0] == "-" else "#. ") + inline(" ".join(item)) + "\n")
        elif not line.strip():
            flush()
        elif not line.startswith(";"):
            paragraph.append(line.rstrip().removesuffix("++").rstrip())
        k += 1
    flush()
    return "\n".join(made)


def page(name, text):
    lines = [line for line in text.split("\n") if not line.startswith("; ")]
    section = name.rpartition(".")[2]
    made = heading(f"{name.rpartition('.')[0]}({section})", "=") + "\n"
    for part in re.split(r"\n(?=#+ )", "\n".join(lines[1:]).strip("\n")):
        head, _, rest = part.partition("\n")
        marks, _, title = head.partition(" ")
        made += heading(title.capitalize() if title.isupper() else title, "-" if len(marks) == 1 else "^") + "\n"
        made += body(rest.split("\n")) + "\n"
    return made


def pages(root):
    sources = sorted((root / "docs/man").glob("*.scd"))
    made = {f"man/{path.stem}": page(path.stem, path.read_text(encoding="utf-8")) for path in sources}
    names = sorted(made, key=lambda name: (name != "man/thud.1", name))
    lines = heading("Manual pages", "=") + "\nWhat ``man thud-run`` and the like show.\n\n"
    for name in names:
        summary = re.search(r"# NAME\n+\S+ - (.*)", (root / "docs" / f"{name}.scd").read_text(encoding="utf-8"))
        page_name, _, section = name.removeprefix("man/").rpartition(".")
        lines += f"- :doc:`{page_name}({section}) <{name}>`: {inline(summary.group(1) if summary else '')}\n"
    made["man"] = lines + "\n.. toctree::\n   :hidden:\n\n" + "".join(f"   {name}\n" for name in names)
    return made
