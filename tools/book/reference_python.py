"""Reference of the Python module: public classes and functions with their texts, read without importing them."""
import ast
import functools
import pathlib
import re

from reference_text import code, escape, heading, indented, literal, table

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "python/thud"
SKIPPED = {"__init__", "_declarations", "_library"}


def public(name):
    return not name.startswith("_") or name in ("__call__", "__getitem__", "__len__", "__iter__", "__contains__")


def signature(node, method):
    """Arguments with their types and defaults."""
    arguments = ast.unparse(node.args)
    if method and not any(isinstance(mark, ast.Name) and mark.id == "staticmethod" for mark in node.decorator_list):
        arguments = re.sub(r"^(self|cls)(: [^,]+)?(, |$)", "", arguments)
    return f"{node.name}({arguments})" + (f" -> {ast.unparse(node.returns)}" if node.returns else "")


ROLE = re.compile(r":(\w+):`([^`]+)`|``(.+?)``|`([^`\n]+)`", re.S)
ENTRY = re.compile(r"(\S(?:.*?\S)?) {2,}(\S.*)")


@functools.lru_cache(maxsize=None)
def homes():
    """{class: where it is defined} of the names that `thud` itself has."""
    found = {}
    for node in ast.parse((FOLDER / "__init__.py").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [alias.name for alias in node.names]
            tree = ast.parse((FOLDER / f"{node.module}.py").read_text(encoding="utf-8"))
            found.update({part.name: f"thud.{node.module}.{part.name}" for part in tree.body
                          if isinstance(part, ast.ClassDef) and public(part.name) and (part.name in names or "*" in names)})
    return found


def sentence(text):
    """Running text: roles and code stay, everything else is plain."""
    made, at = "", 0
    for found in ROLE.finditer(text):
        made += escape(text[at:found.start()])
        at = found.end()
        role, target = found.group(1), found.group(2)
        place = homes().get(target.removeprefix("thud.")) if role == "class" else None
        if place:
            made += f"\\ :py:class:`{target} <{place}>`\\ "
        elif role:
            made += code(target + ("()" if role in ("meth", "func") else ""))
        else:
            made += code(found.group(3) or found.group(4))
    return made + escape(text[at:])


def text_of(node):
    """A docstring: paragraphs, examples, and lists of names with their meaning in a second column."""
    made, is_literal = [], False
    for block in re.split(r"\n[ ]*\n", ast.get_docstring(node) or ""):
        lines = block.strip("\n").split("\n")
        if lines[0].lstrip().startswith(">>>"):
            made.append(literal(block, "pycon"))
        elif is_literal and lines[0].startswith(" "):
            made.append(literal("\n".join(line[2:] for line in lines)))
            continue
        elif len(lines) > 1 and ENTRY.fullmatch(lines[0]) and not re.search(r"[.:] {2}", lines[0]):
            made.append(names_and_meanings(lines))
        elif block.strip():
            made.append(sentence(re.sub(r"::$", ":", block.strip())) + "\n")
        is_literal = block.rstrip().endswith("::")
    return "\n".join(made)


def names_and_meanings(lines):
    column = ENTRY.fullmatch(lines[0]).start(2)
    rows = []
    for line in lines:
        matched = ENTRY.fullmatch(line)
        if line.startswith(" ") and rows:
            place = 1 if len(line) - len(line.lstrip()) >= column or not matched else 0
            rows[-1][place] += " " + line.strip()
        elif matched:
            rows.append([matched.group(1), matched.group(2)])
        else:
            rows.append([line, ""])
    return table(["name", "meaning"], [[sentence(name) if "`" in name else code(name), sentence(text)] for name, text in rows], [25, 75])


def is_property(node):
    return any((isinstance(mark, ast.Name) and mark.id == "property") or (isinstance(mark, ast.Attribute) and mark.attr == "cached_property")
               or (isinstance(mark, ast.Name) and mark.id == "cached_property") for mark in node.decorator_list)


def function(node, method=False):
    if method and is_property(node):
        kind = f"\n   :type: {ast.unparse(node.returns)}" if node.returns else ""
        return f".. py:property:: {node.name}{kind}\n\n{indented(text_of(node))}\n"
    word = "method" if method else "function"
    marks = {mark.id for mark in node.decorator_list if isinstance(mark, ast.Name)}
    option = "".join(f"\n   :{mark}:" for mark in ("classmethod", "staticmethod") if mark in marks)
    return f".. py:{word}:: {signature(node, method)}{option}\n\n{indented(text_of(node))}\n"


def is_overload(node):
    return any("overload" in ast.unparse(mark) or mark_is_setter(mark) for mark in node.decorator_list)


def mark_is_setter(mark):
    return isinstance(mark, ast.Attribute) and mark.attr in ("setter", "deleter")


def class_text(node):
    starts = [part for part in node.body if isinstance(part, ast.FunctionDef) and part.name == "__init__"]
    arguments = re.sub(r"^[^(]*|( -> .*)$", "", signature(starts[0], True)) if starts else ""
    bases = [ast.unparse(base) for base in node.bases if public(ast.unparse(base))]
    inside = text_of(node) + ("\n" + text_of(starts[0]) if starts else "")
    inside += f"\nBases: {', '.join(f'``{base}``' for base in bases)}\n" if bases else ""
    for part in node.body:
        if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name) and public(part.target.id):
            inside += f"\n.. py:attribute:: {part.target.id}\n   :type: {ast.unparse(part.annotation)}\n"
    inside += "".join("\n" + function(part, True) for part in node.body
                      if isinstance(part, ast.FunctionDef) and public(part.name) and not is_overload(part))
    return f".. py:class:: {node.name}{arguments}\n\n{indented(inside)}\n"


class Qualified(ast.NodeTransformer):
    """Annotations with classes of other modules by their full names: two modules may have a class of one name."""

    def __init__(self, tree):
        self.homes = {alias.asname or alias.name: f"thud.{node.module}.{alias.name}" for node in tree.body
                      if isinstance(node, ast.ImportFrom) and node.level == 1 and node.module for alias in node.names
                      if alias.name[0].isupper()}

    def name(self, annotation):
        for node in ast.walk(annotation) if annotation is not None else ():
            if isinstance(node, ast.Name):
                node.id = self.homes.get(node.id, node.id)

    def visit_FunctionDef(self, node):
        self.name(node.returns)
        return self.generic_visit(node)

    def visit_arg(self, node):
        self.name(node.annotation)
        return node

    def visit_AnnAssign(self, node):
        self.name(node.annotation)
        return node


def module_page(name, tree):
    tree = Qualified(tree).visit(tree)
    made = heading(f"thud.{name}", "=") + f"\n.. py:module:: thud.{name}\n\n" + text_of(tree) + "\n"
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and public(node.name):
            made += class_text(node)
        elif isinstance(node, ast.FunctionDef) and public(node.name) and not is_overload(node):
            made += function(node)
    return made


def pages():
    made = {}
    for path in sorted(FOLDER.glob("*.py")):
        if path.stem not in SKIPPED:
            made[f"python/{path.stem}"] = module_page(path.stem, ast.parse(path.read_text(encoding="utf-8")))
    package = ast.parse((FOLDER / "__init__.py").read_text(encoding="utf-8"))
    lines = heading("Python modules", "=") + "\n" + text_of(package) + "\n"
    lines += ":doc:`thud in Python <../python>` is the guide; these pages list every public class and function. Names of all "
    lines += "modules but :doc:`thud.sets <python/sets>` are in ``thud`` itself.\n\n"
    for name in made:
        tree = ast.parse((FOLDER / f"{name.removeprefix('python/')}.py").read_text(encoding="utf-8"))
        first = " ".join((ast.get_docstring(tree) or "").partition("\n\n")[0].split())
        lines += f"- :doc:`thud.{name.removeprefix('python/')} <{name}>`: {sentence(first)}\n"
    made["python"] = lines + "\n.. toctree::\n   :hidden:\n\n" + "".join(f"   {name}\n" for name in sorted(made) if "/" in name)
    return made


def names():
    """Public functions and classes, for the test that none is missing."""
    found = []
    for path in sorted(FOLDER.glob("*.py")):
        if path.stem not in SKIPPED:
            found += [node.name for node in ast.parse(path.read_text(encoding="utf-8")).body
                      if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and public(node.name)]
    return found


