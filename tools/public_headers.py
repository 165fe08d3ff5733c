"""Reads the public headers (include/thud/*.h): functions with their parameters and comments, and types.

For tools/check-headers and for the test of NULL arguments (test/null). It understands the plain C that these headers are
written in, not every C."""
import pathlib
import re
from dataclasses import dataclass, field


@dataclass
class Parameter:
    type: str  # "const double *"
    name: str
    is_pointer: bool = False  # to an object; functions are in is_function
    is_function: bool = False


@dataclass
class Function:
    name: str
    result: str
    parameters: list
    comment: str  # of its own, beside it, or of the group it stands in; "" when there is none
    header: str
    line: int
    variadic: bool = False


@dataclass
class Type:
    name: str
    kind: str  # struct, union, enum, alias, function or opaque
    body: str
    header: str
    line: int


@dataclass
class Header:
    name: str
    functions: list = field(default_factory=list)
    types: list = field(default_factory=list)


def blank_comments(text):
    """The text with comments replaced by as many spaces and line ends, preprocessor lines too."""
    def spaces(found):
        return re.sub(r"[^\n]", " ", found.group())
    text = re.sub(r"/\*.*?\*/|//[^\n]*", spaces, text, flags=re.S)
    text = re.sub(r"^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", spaces, text, flags=re.M | re.S)
    return re.sub(r'^extern "C" \{|^\}(?=\s*\Z)|^\}\s*$(?=\s*\Z)', spaces, text, flags=re.M)


def declarations(code):
    """(begin, end) of the declarations at the outermost level; definitions of inline functions end with their brace."""
    depth, begin, found = 0, None, []
    for place, letter in enumerate(code):
        if begin is None:
            if letter.isspace() or (letter in "};" and depth == 0):
                continue
            begin = place
        if letter in "{(":
            depth += 1
        elif letter in "})":
            depth -= 1
        text = code[begin:place + 1]
        if depth == 0 and (letter == ";" or (letter == "}" and re.match(r"(static )?inline\b|static inline", text))):
            found.append((begin, place + 1))
            begin = None
    return found


def split_parameters(text):
    parts, depth, piece = [], 0, ""
    for letter in text:
        depth += letter in "([{"
        depth -= letter in ")]}"
        if letter == "," and depth == 0:
            parts.append(piece)
            piece = ""
        else:
            piece += letter
    parts.append(piece)
    return [" ".join(part.split()) for part in parts if part.strip()]


def read_parameter(text, function_types):
    matched = re.fullmatch(r"(.*?)(\w+)((?:\[[^\]]*\])*)", text)
    kind, name, array = matched.group(1).strip(), matched.group(2), matched.group(3)
    base = re.sub(r"\bconst\b|\*", "", kind).strip()
    is_function = base in function_types and "*" not in kind
    return Parameter(kind + (" *" if array else ""), name, "*" in kind or bool(array), is_function)


def comment_of(text, begin, end, previous):
    """The comment that ends on the line above, one on the declaration's last line, or that of the declaration before
    when nothing but a line end lies between."""
    beside = re.match(r"[ \t]*/\*(.*?)\*/", text[end:], re.S)
    above = re.search(r"/\*((?:[^*]|\*(?!/))*)\*/[ \t]*\n[ \t]*\Z", text[:begin])
    if above and not text[:above.start()].endswith("\n") and text[:above.start()].rsplit("\n", 1)[-1].strip():
        above = None  # it is beside the declaration before
    own = " ".join(" ".join(re.sub(r"^\s*\*", "", line) for line in (found.group(1)).split("\n"))
                   for found in (above, beside) if found)
    own = " ".join(own.split())
    if above or previous is None:
        return own, own
    between = text[previous[0]:begin]
    if re.search(r"\n[ \t]*\n", between):
        return own, own
    shared = previous[1]
    return (own + " " + shared).strip(), shared


def read_header(path, function_types):
    text = path.read_text(encoding="utf-8")
    code = blank_comments(text)
    header = Header(path.name)
    previous = None
    for begin, end in declarations(code):
        declaration = " ".join(code[begin:end].split())
        line = text.count("\n", 0, begin) + 1
        comment, shared = comment_of(text, begin, end, previous)
        previous = (end, shared)
        if declaration.startswith("THUD_API"):
            function = read_function(declaration, function_types)
            function.comment, function.header, function.line = comment, path.name, line
            header.functions.append(function)
        elif declaration.startswith("typedef"):
            header.types += read_type(declaration, path.name, line, function_types)
    return header


def read_function(declaration, function_types):
    declaration = re.sub(r"\s*THUD_PRINTF\([^)]*\)", "", declaration)
    matched = re.fullmatch(r"THUD_API (.*?)(\w+)\((.*)\);", declaration)
    result, name, inside = matched.group(1).strip(), matched.group(2), matched.group(3)
    parts = [] if inside.strip() in ("void", "") else split_parameters(inside)
    variadic = "..." in parts
    parameters = [read_parameter(part, function_types) for part in parts if part != "..."]
    return Function(name, result, parameters, "", "", 0, variadic)


def read_type(declaration, header, line, function_types):
    matched = re.fullmatch(r"typedef (struct|union|enum) (?:\w+ )?\{(.*)\} (\w+);", declaration)
    if matched:
        return [Type(matched.group(3), matched.group(1), matched.group(2), header, line)]
    matched = re.fullmatch(r"typedef .*\(\*(\w+)\)\(.*\);", declaration)
    if matched:
        function_types.add(matched.group(1))
        return [Type(matched.group(1), "function", "", header, line)]
    matched = re.fullmatch(r"typedef struct (\w+) (\w+);", declaration)
    if matched:
        return [Type(matched.group(2), "opaque", "", header, line)]
    return [Type(re.fullmatch(r"typedef .*?(\w+);", declaration).group(1), "alias", "", header, line)]


def fields(body):
    """The members of a struct as (type, name, dimensions); functions have the type 'function'."""
    found = []
    for part in split_members(body):
        function = re.fullmatch(r".*\(\*(\w+)\)\(.*\)", part)
        if function:
            found.append(("function", function.group(1), ""))
            continue
        first, *others = split_parameters(part)
        matched = re.fullmatch(r"(.*?)(\w+)((?:\[[^\]]*\])*)", first)
        base = matched.group(1)
        found.append((base.strip(), matched.group(2), matched.group(3)))
        for other in others:
            more = re.fullmatch(r"(\**\s*)(\w+)((?:\[[^\]]*\])*)", other)
            found.append((re.sub(r"\*+\s*$", "", base).strip() + (" *" if "*" in more.group(1) else ""), more.group(2),
                          more.group(3)))
    return found


def split_members(body):
    return [" ".join(part.split()) for part in body.split(";") if part.strip()]


def read_all(root):
    function_types = set()
    paths = sorted((pathlib.Path(root) / "include/thud").glob("*.h"))
    for path in paths:  # types first: a callback may be declared in a later header
        read_header(path, function_types)
    return [read_header(path, function_types) for path in paths]


def optional_parameters(function):
    """Names of the pointers that may be NULL: those that a sentence of the comment names together with NULL ('x may be
    NULL', 'x (NULL: ...)'), functions, and `user` pointers, which only travel."""
    names = {parameter.name for parameter in function.parameters if parameter.is_pointer}
    found = {parameter.name for parameter in function.parameters
             if parameter.is_function or re.fullmatch(r"(\w+_)?user", parameter.name)}
    for sentence in re.split(r"\.\s|\.$", function.comment):
        if "NULL" in sentence:
            found |= names & set(re.findall(r"\w+", sentence))
    return found
