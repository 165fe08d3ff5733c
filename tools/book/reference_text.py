"""Comments and help texts as reStructuredText."""
import re

NAME = re.compile(r"\b(?:thud_\w+|THUD_\w+)\b")


def escape(text):
    return re.sub(r"([\\*`_|])", r"\\\1", text)


def inline(text, known=()):
    """A sentence with links from the names in `known` ({name: role}) and `code` in quotes of its own."""
    made, at = "", 0
    for found in re.finditer(r"`([^`\n]+)`|\b(?:thud_\w+|THUD_\w+)\b(?:\(\))?", text):
        made += escape(text[at:found.start()])
        at = found.end()
        if found.group(1):
            made += code(found.group(1))
            continue
        name = found.group().removesuffix("()")
        role = known.get(name) if known else None
        made += f"\\ :c:{role}:`{name}`\\ " if role else code(found.group())
    return made + escape(text[at:])


def code(text):
    text = text.strip()
    return f"\\ ``{text}``\\ " if text else ""


def heading(text, mark):
    return f"{escape(text)}\n{mark * max(3, len(escape(text)))}\n"


def indented(text, by=3):
    return "".join(" " * by + line if line.strip() else line for line in text.splitlines(keepends=True))


def literal(text, language=None):
    text = text.strip("\n")
    head = f".. code-block:: {language}\n\n" if language else "::\n\n"
    return head + indented(text + "\n")


ITEM = re.compile(r"(\s*)(?:- |\* |(\d+)[.)] )")


def paragraphs(text, known=()):
    """Plain text of a comment: paragraphs, lists that begin with '- ', and formulas on indented lines."""
    made, block, base = [], [], None

    def flush():
        nonlocal block
        if block:
            made.append(block_text(block, known))
        block = []
    for line in text.strip("\n").splitlines():
        if not line.strip():
            flush()
            continue
        kind = "item" if ITEM.match(line) else "deep" if indent(line) >= (base or 0) + 2 else "plain"
        if kind == "plain":
            base = indent(line)
        if block and kind == "item":
            flush()
        elif block and block[0][0] == "plain" and kind == "deep":
            flush()
        elif block and block[0][0] == "deep" and kind == "plain":
            flush()
        elif block and block[0][0] == "item" and kind == "plain":
            flush()
        block.append((kind, line))
    flush()
    return "\n".join(made)


def indent(line):
    return len(line) - len(line.lstrip())


def block_text(block, known):
    lines = [line for _, line in block]
    if block[0][0] == "deep":
        least = min(map(indent, lines))
        return literal("\n".join(line[least:] for line in lines))
    if block[0][0] == "item":
        first = ITEM.sub("", lines[0], count=1)
        return "- " + inline(" ".join([first.strip()] + [line.strip() for line in lines[1:]]), known) + "\n"
    return inline(" ".join(line.strip() for line in lines), known) + "\n"


def table(heads, rows, widths):
    """A table by rows; cells are reStructuredText."""
    lines = [".. list-table::", "   :header-rows: 1", f"   :widths: {' '.join(map(str, widths))}", ""]
    for row in [heads, *rows]:
        for k, cell in enumerate(row):
            lines.append(("   * - " if k == 0 else "     - ") + (cell.strip() or "\\ ").replace("\n", " "))
    return "\n".join(lines) + "\n"
