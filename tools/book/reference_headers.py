"""Reference of the C library: a page for each public header, with its comments, functions, types and macros."""
import re
from dataclasses import dataclass, field

import public_headers
from reference_text import heading, indented, inline, literal, paragraphs

COMMENT = re.compile(r"/\*(.*?)\*/", re.S)
SECTION = re.compile(r"\s*----+\s*(.*?)\s*-{3,}[\s-]*?(?:\n|$)", re.S)
DEFINE = re.compile(r"^#define (\w+)(\([^)]*\))?((?:[^\n\\]|\\.|\\\n)*)", re.M | re.S)

INTERNAL = {"THUD_API", "THUD_PRINTF"}  # attributes of compilers, which signatures do not show


@dataclass
class Item:
    kind: str  # comment, section, function, inline, type, macro
    begin: int
    end: int
    text: str = ""  # of a comment, a declaration (comments in it are kept), a macro
    above: str = ""
    beside: str = ""
    group: list = field(default_factory=list)  # further functions below the same comment


def comment_text(raw):
    """The inside of a comment without stars, as lines."""
    lines = raw.strip().split("\n")
    rest = [re.sub(r"^\s*\*( |$)", "", line) for line in lines[1:]]
    if rest and all(re.match(r"\s", line) for line in lines[1:] if line.strip()) and not any("*" == line.strip()[:1] for line in lines[1:]):
        return " ".join(line.strip() for line in lines)
    return "\n".join([re.sub(r"^\*?\s?", "", lines[0])] + [line.rstrip() for line in rest])


def items_of(text):
    """The header as a list of items in their order, comments put to what they belong to."""
    code = public_headers.blank_comments(text)
    found = []
    for begin, end in public_headers.declarations(code):
        declaration = code[begin:end]
        kind = ("function" if declaration.startswith("THUD_API") else "inline" if re.match(r"static inline", declaration)
                else "type" if re.match(r"typedef|struct", declaration) else "call")
        found.append(Item(kind, begin, end, text[begin:end]))
    uncommented = COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)
    for match in DEFINE.finditer(uncommented):
        name = match.group(1)
        if name.endswith("_H") or name in INTERNAL or any(item.kind == "macro" and re.match(rf"#define {name}\b", item.text) for item in found):
            continue
        if not any(item.begin <= match.start() < item.end for item in found):
            found.append(Item("macro", match.start(), match.end(), text[match.start():match.end()]))
    for match in COMMENT.finditer(text):
        if not any(item.begin <= match.start() < item.end for item in found):
            found.append(Item("comment", match.start(), match.end(), match.group(1)))
    found.sort(key=lambda item: item.begin)
    return attach(text, found)


def attach(text, found):
    made = []
    for k, item in enumerate(found):
        before = made[-1] if made else None
        if item.kind == "comment":
            gap = text[before.end:item.begin] if before else "\n"
            if before and "\n" not in gap and before.kind != "comment":
                before.beside, before.end = comment_text(item.text), item.end
                continue
            section = SECTION.match(item.text)
            if section:
                made.append(Item("section", item.begin, item.end, " ".join(section.group(1).split())))
                rest = comment_text(item.text[section.end():]) if item.text[section.end():].strip() else ""
                if rest:
                    made.append(Item("comment", item.begin, item.end, rest))
                continue
            item.text = comment_text(item.text)
            made.append(item)
            continue
        if before and before.kind == "comment" and text[before.end:item.begin].count("\n") == 1 and len(made) > 1:
            item.above = before.text
            made.pop()
        elif before and before.kind == item.kind and item.kind in ("function", "inline") and not text[before.end:item.begin].count("\n\n"):
            if not item_has_comment(text, found, k):
                before.group.append(item.text)
                before.end = item.end
                continue
        made.append(item)
    return made


def item_has_comment(text, found, k):
    """A comment beside it, so that it stands for itself."""
    after = found[k + 1] if k + 1 < len(found) else None
    return bool(after and after.kind == "comment" and "\n" not in text[found[k].end:after.begin])


# ---- what is known by name -----------------------------------------------------------------------------------------

def names_of(headers):
    """{name: role of the C domain} of everything that has an entry."""
    known = {}
    for found in headers.values():
        for item in found:
            if item.kind in ("function", "inline"):
                for text in [item.text, *item.group]:
                    known[function_name(text)] = "func"
            elif item.kind == "macro":
                known[DEFINE.match(item.text).group(1)] = "macro"
            elif item.kind == "call":
                name = re.search(r"\((\w+),", item.text)
                if name:
                    known[f"{name.group(1)}_default"] = "func"
            elif item.kind == "type":
                kind, name, body = type_parts(item.text)
                known[name] = {"struct": "struct", "union": "union", "enum": "enum"}.get(kind, "type")
                if kind == "enum":
                    known.update({entry: "enumerator" for entry, _, _ in enumerators(body, macros_of(found))})
    return known


def bare(text):
    """Without comments, on one line."""
    return " ".join(COMMENT.sub(" ", text).split())


def signature(text):
    text = re.sub(r"\s*THUD_PRINTF\([^)]*\)", "", bare(text))
    text = re.sub(r"^(THUD_API|static inline) ", "", text)
    return re.sub(r"\s*\{.*\}$", "", text).rstrip(";").strip()


def function_name(text):
    return re.match(r".*?(\w+)\(", signature(text)).group(1)


def type_parts(text):
    """(struct, union, enum, function, alias or opaque; name; body with its comments)."""
    matched = re.match(r"(?:typedef )?(struct|union|enum)\s+(\w+)?\s*\{(.*)\}\s*(\w*)\s*;\s*\Z", text, re.S)
    if matched:
        return matched.group(1), matched.group(4) or matched.group(2), matched.group(3)
    plain = bare(text)
    matched = re.fullmatch(r"typedef .*\(\*(\w+)\)\(.*\);", plain)
    if matched:
        return "function", matched.group(1), ""
    matched = re.fullmatch(r"typedef (?:struct|enum) \w+ (\w+);|struct (\w+);", plain)
    if matched:
        return "opaque", matched.group(1) or matched.group(2), ""
    return "alias", re.fullmatch(r"typedef .*?(\w+)(?:\[.*\])?;", plain).group(1), ""


def entries(body, separator):
    """[(text, comment)] of the members of a body: comments above, beside and behind."""
    blank = public_headers.blank_comments(body)
    found, begin, depth = [], 0, 0
    for place, letter in enumerate(blank):
        depth += letter in "({["
        depth -= letter in ")}]"
        if letter == separator and depth == 0:
            found.append((begin, place))
            begin = place + 1
    if blank[begin:].strip():
        found.append((begin, len(blank)))
    spans = [(match.start(), match.end(), comment_text(match.group(1))) for match in COMMENT.finditer(body)]
    made = [[" ".join(blank[b:e].split()), []] for b, e in found]
    starts = [b + len(blank[b:e]) - len(blank[b:e].lstrip()) for b, e in found]
    ends = [b + len(blank[b:e].rstrip()) for b, e in found]
    for start, end, text in spans:
        beside = [k for k in range(len(made)) if ends[k] <= start and "\n" not in body[ends[k]:start]]
        inside = [k for k in range(len(made)) if starts[k] <= start < ends[k]]
        below = [k for k in range(len(made)) if starts[k] >= end]
        owner = beside[-1:] or inside[:1] or below[:1] or [len(made) - 1]
        if made:
            made[owner[0]][1].append(text)
    return [(text, "\n".join(comments)) for text, comments in made if text]


def from_table(body, macros):
    """Enumerators of a table of macros: rows X(NAME, number, "text") and `#define E(name, number, text) PREFIX_##name = number`."""
    used = re.search(r"^\s*#define (\w+)\([^)]*\) (?:(\w+)##)?name = number,\s*(\w+)\(\1\)", body, re.M)
    if not used or used.group(3) not in macros:
        return []
    prefix = used.group(2) or ""
    rows = re.findall(r'X\((\w+), (-?\d+), "(.*?)"\)(?:\s*/\*(.*?)\*/)?', macros[used.group(3)])
    return [(prefix + name, value, ": ".join(filter(None, [text, comment.strip()]))) for name, value, text, comment in rows]


def macros_of(found):
    return {DEFINE.match(item.text).group(1): item.text for item in found if item.kind == "macro"}


def enumerators(body, macros):
    """[(name, value, comment)]"""
    made = from_table(body, macros)
    for text, comment in entries(re.sub(r"^\s*#.*$", "", body, flags=re.M), ","):
        matched = re.fullmatch(r"(\w+)(?:\s*=\s*(.*))?", text)
        if matched:
            made.append((matched.group(1), matched.group(2), comment))
    return made


# ---- pages ---------------------------------------------------------------------------------------------------------

def directive(kind, signatures, content):
    head = f".. c:{kind}:: " + ("\n" + " " * (len(kind) + 9)).join(signatures) + "\n"
    return head + ("\n" + indented(content.rstrip() + "\n") if content.strip() else "") + "\n"


def type_text(item, known, bodies, macros):
    kind, name, body = type_parts(item.text)
    comment = paragraphs("\n\n".join(text for text in (item.above, item.beside) if text), known)
    if kind in ("struct", "union"):
        members = "".join(directive("member", [member], paragraphs(text, known)) for member, text in all_members(body))
        return directive(kind, [name], comment + "\n" + members)
    if kind == "enum":
        found = enumerators(body, macros)
        inside = "".join(directive("enumerator", [entry + (f" = {value}" if value else "")], paragraphs(text, known))
                         for entry, value, text in found)
        return directive("enum", [name], comment + "\n" + inside)
    if kind == "opaque":
        return "" if name in bodies else directive("struct", [name], comment)
    return directive("type", [re.sub(r"^typedef ", "", bare(item.text)).rstrip(";")], comment)


def all_members(body):
    """Members, one by one: `double x, y` are two."""
    made = []
    for text, comment in entries(body, ";"):
        inner = re.match(r"(struct|union)\s*\{", text)
        if inner or text.startswith("THUD_RESERVED"):
            continue
        if "(*" in text or text.startswith("#"):
            made.append((text, comment))
            continue
        first, *others = public_headers.split_parameters(text)
        made.append((first, comment))
        base = re.fullmatch(r"(.*?)\**\s*\**(\w+)((?:\[[^\]]*\])*)", first)
        stem = re.sub(r"[*\s]+$", "", base.group(1)) if base else ""
        made += [(f"{stem} {other}", comment) for other in others]
    return made


def capital(text):
    return text[:1].upper() + text[1:]


def header_page(name, found, known):
    first = found[0].text if found and found[0].kind == "comment" else ""
    summary = capital(re.sub(r"^thud/\w+\.h:\s*", "", first))
    made = heading(f"thud/{name}.h", "=") + "\n" + paragraphs(summary, known) + "\n"
    made += literal(f"#include <thud/{name}.h>", "c") + "\n"
    macros = macros_of(found)
    bodies = {type_parts(item.text)[1] for item in found if item.kind == "type" and type_parts(item.text)[2]}
    tables = {table for item in found if item.kind == "type" for table in macros if f"{table}(" in item.text}
    for item in found[1:] if first else found:
        both = paragraphs("\n\n".join(text for text in (item.above, item.beside) if text), known)
        if item.kind == "section":
            made += heading(capital(item.text), "-") + "\n"
        elif item.kind == "comment":
            made += paragraphs(item.text, known) + "\n"
        elif item.kind in ("function", "inline"):
            made += directive("function", [signature(text) for text in [item.text, *item.group]], both)
        elif item.kind == "call":
            matched = re.match(r"THUD_OPTIONS_DEFAULT\((\w+), (\w+)\)", bare(item.text))
            if matched:
                text = both or f"The defaults of :c:struct:`{matched.group(1)}`, from :c:func:`{matched.group(2)}`."
                made += directive("function", [f"{matched.group(1)} {matched.group(1)}_default(void)"], text)
        elif item.kind == "macro":
            matched = DEFINE.match(item.text)
            value = COMMENT.sub("", matched.group(3)).strip() if matched.group(1) not in tables else ""
            text = both + ("\n" + literal(item.text, "c") if "\n" in value else f"\nIts value: ``{value}``.\n" if value else "")
            made += directive("macro", [matched.group(1) + (matched.group(2) or "")], text)
        elif item.kind == "type":
            made += type_text(item, known, bodies, macros)
    return made


def read(root):
    return {path.stem: items_of(path.read_text(encoding="utf-8")) for path in sorted((root / "include/thud").glob("*.h"))}


def summary_of(found):
    first = found[0].text if found and found[0].kind == "comment" else ""
    text = " ".join(re.sub(r"^thud/\w+\.h:\s*", "", first).partition("\n\n")[0].split())
    sentence = re.match(r"(.*?[.:])(\s|$)", text)
    return (sentence.group(1) if sentence else text).rstrip(".:")


def pages(root):
    headers = read(root)
    known = names_of(headers)
    made = {f"headers/{name}": header_page(name, found, known) for name, found in headers.items()}
    lines = heading("C headers", "=") + "\nEvery public function, type and macro, from the comments of ``include/thud``. "
    lines += ":doc:`headers/base` states the rules that hold for all of them; :doc:`the architecture <../architecture>` says "
    lines += "how the pieces fit.\n\n"
    lines += "".join(f"- :doc:`thud/{name}.h <headers/{name}>`: {inline(summary_of(found), known)}\n" for name, found in headers.items())
    lines += "\n.. toctree::\n   :hidden:\n\n" + "".join(f"   headers/{name}\n" for name in headers)
    made["headers"] = lines
    return made
