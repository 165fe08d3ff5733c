"""Writes the C test of NULL arguments: generate.py ROOT OUTPUT.

For every public function: one call with all pointers NULL, and, where valid objects are at hand (objects.h), one call
per pointer with that pointer NULL and everything else valid. Each call runs in a process of its own; a crash is a
failure, and so is a function that returns thud_error and accepts a NULL that its comment does not allow. New functions
take part without anybody's doing."""
import pathlib
import re
import sys

INDEX = {"k", "i", "j", "index", "contact", "slot", "time_slot", "output", "channel", "row", "first", "law", "order",
         "byte", "table"}
COUNTED_BY_K = {"thud_set_cone_of_generators", "thud_generated_cone_project", "thud_dense_multiply"}


class Writer:
    def __init__(self, headers, objects, motions):
        self.motions = motions
        self.types = {kind.name: kind for header in headers for kind in header.types}
        self.objects = objects
        self.cases = []

    def plain(self, parameter, function):
        """A value of a parameter that is not a pointer."""
        if parameter.is_function or parameter.type in ("double", "bool"):
            return "0" if parameter.type != "double" else "0.5"
        kind = self.types.get(parameter.type)
        if kind is not None and kind.kind == "struct":
            return f"({parameter.type}){{0}}"
        if kind is not None and kind.kind == "enum":
            return f"({parameter.type})0"
        return "0" if parameter.name in INDEX and function not in COUNTED_BY_K else "1"

    def motion(self, function):
        """The motion that a function takes: that of its family, or any."""
        family = re.match(r"thud_(\w+_motion)_", function)
        return f"objects->{family.group(1) if family and family.group(1) in self.motions else self.motions[0]}"

    def valid(self, parameter, function):
        """A valid pointer, or None when there is none at hand."""
        base = re.sub(r"\bconst\b|\*", "", parameter.type).strip()
        stars = parameter.type.count("*")
        kind = self.types.get(base)
        if stars == 1 and base == "thud_motion":
            return self.motion(function)
        if stars == 1 and base in self.objects:
            return f"objects->{base[5:]}"
        if stars == 1 and base == "char":
            return '"x"' if "const" in parameter.type else "(char *)objects->room"
        if stars == 1 and base == "FILE":
            return "objects->file"
        if stars == 2 and base == "char" and parameter.type.startswith("const char *const"):
            return "objects->names"
        if stars == 2 and base in self.objects and "const" in parameter.type:
            return f"({parameter.type})&objects->{base[5:]}"
        if stars == 1 and kind is not None and kind.kind == "opaque":
            return None
        if stars == 1 and base == "double" and "const" in parameter.type:
            return "objects->numbers"
        return f"({parameter.type})objects->rooms[{len(self.used)}]"

    def call(self, function, values):
        text = f"{function.name}({', '.join(values)})"
        return f"return (int){text}" if function.result == "thud_error" else f"(void){text}; return 2"

    def case(self, function, what, values, needed):
        number = len(self.cases)
        expected = "true" if needed and function.result == "thud_error" else "false"
        self.cases.append((f'{{"{function.name}", "{what}", call_{number}, {expected}}}',
                           f"static int call_{number}(null_objects *objects) {{\n  (void)objects;\n"
                           f"  {self.call(function, values)};\n}}\n"))

    def function(self, function, optional):
        pointers = [parameter for parameter in function.parameters if parameter.is_pointer]
        if not pointers or function.variadic and function.name not in ("thud_node_fail",):
            return len(pointers) > 0
        nothing = ["NULL" if parameter.is_pointer else self.plain(parameter, function.name) for parameter in function.parameters]
        self.case(function, "every pointer", nothing, any(pointer.name not in optional for pointer in pointers))
        values, self.used = [], []
        for parameter in function.parameters:
            values.append(self.valid(parameter, function.name) if parameter.is_pointer else self.plain(parameter, function.name))
            self.used.append(parameter)
        if None in values:
            return False
        for place, parameter in enumerate(function.parameters):
            if parameter.is_pointer and len(pointers) > 1:
                self.case(function, parameter.name, values[:place] + ["NULL"] + values[place + 1:],
                          parameter.name not in optional)
        return True


def main(root, output):
    sys.path.insert(0, str(pathlib.Path(root, "tools")))
    import public_headers
    headers = public_headers.read_all(root)
    text = pathlib.Path(root, "test/null/objects.h").read_text(encoding="utf-8")
    objects = set(re.findall(r"^  (?:const )?(thud_\w+) \*\w+;", text, re.M))
    writer = Writer(headers, objects, re.findall(r"^  thud_motion \*(\w+);", text, re.M))
    alone = []
    for header in headers:
        for function in header.functions:
            if not writer.function(function, public_headers.optional_parameters(function)):
                alone.append(function.name)
    names = "\n".join(f" *   {name}" for name in alone)
    text = ('/* Generated by test/null/generate.py. Functions that get only one call with every pointer NULL:\n'
            f'{names}\n */\n#include "null/objects.h"\n\n' + "\n".join(code for _, code in writer.cases)
            + "\nconst null_case null_cases[] = {\n    " + ",\n    ".join(row for row, _ in writer.cases)
            + "};\nconst size_t null_case_count = sizeof null_cases / sizeof null_cases[0];\n")
    pathlib.Path(output).write_text(text, encoding="utf-8")


main(sys.argv[1], sys.argv[2])
