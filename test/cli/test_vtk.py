"""thud export to VTK: fields of a string read back by a parser of its own and, where python3-vtk9 is installed, by VTK."""
import base64
import os
import pathlib
import struct
import subprocess
import sys
import xml.etree.ElementTree

from thudcli import close, end, example, folder, report, thud

READ_BY_VTK = """
import sys, vtk
reader = vtk.vtkXMLUnstructuredGridReader()
reader.SetFileName(sys.argv[1])
reader.Update()
grid = reader.GetOutput()
data = grid.GetPointData()
print(grid.GetNumberOfPoints(), grid.GetNumberOfCells(), *[data.GetArrayName(k) for k in range(data.GetNumberOfArrays())],
      repr(sum(data.GetArray('s').GetValue(k) for k in range(grid.GetNumberOfPoints()))))
"""


def arrays(path):
    """Name -> numbers of a .vtu file."""
    types = {"Float64": "d", "Int64": "q", "UInt8": "B"}
    found = {}
    for array in xml.etree.ElementTree.parse(path).iter("DataArray"):
        data = base64.b64decode(array.text.strip())
        length = struct.unpack("=Q", data[:8])[0]
        letter = types[array.get("type")]
        found[array.get("Name")] = struct.unpack(f"={length // struct.calcsize(letter)}{letter}", data[8:])
    return found


def python_with_vtk():
    for program in (sys.executable, "/usr/bin/python3"):
        if os.path.exists(program) and subprocess.run([program, "-c", "import vtk"], capture_output=True).returncode == 0:
            return program
    return None


def check_states(here):
    done = thud("export", "a.h5", "-o", "film.pvd", cwd=here)
    report("a series is written", done.returncode == 0, done.stderr)
    listed = [(float(row.get("timestep")), row.get("file"))
              for row in xml.etree.ElementTree.parse(here / "film.pvd").iter("DataSet")]
    report("81 times in order", len(listed) == 81 and listed == sorted(listed) and listed[-1][0] == 2, listed[-2:])
    last = arrays(here / listed[-1][1])
    rows = thud("export", "a.h5", "--channels", "u,v,s,r", "--at", "2", cwd=here).stdout.splitlines()
    numbers = [float(cell) for cell in rows[-1].split(",")[2:]]
    same = numbers == [x for name in "uvsr" for x in last[name]]
    report("the last state is that of the CSV, bit for bit", same, (len(numbers), len(last["u"])))
    report("401 points on the axis", last["Points"][::3] == tuple(k / 400 for k in range(401)) and not any(last["Points"][1::3]))
    report("400 lines", set(last["types"]) == {3} and last["offsets"][-1] == 800 and last["connectivity"][:4] == (0, 1, 1, 2))
    close("the density of the floor's reaction", last["s"][200] * 400, 20, 1e-9)


def check_choices(here):
    done = thud("export", "a.h5", "-o", "one.vtu", "--at", "1", "--channels", "s", cwd=here)
    one = arrays(here / "one.vtu") if done.returncode == 0 else {}
    report("one state, one field", "s" in one and "u" not in one, done.stderr)
    close("weight less the free spans", sum(one.get("s", [0])), 20 * (1 - 2 * (2 * 0.1 / 20) ** 0.5), 1e-9)
    for name, arguments in (("an existing file", ["-o", "one.vtu"]), ("no file", ["--to", "vtk"]),
                            ("another name", ["--to", "vtk", "-o", "a.txt"]), ("a field that is none", ["-o", "b.vtu", "--channels", "variation"])):
        done = thud("export", "a.h5", *arguments, cwd=here)
        report(f"{name} is refused", done.returncode == 2 and done.stderr != "", (done.returncode, done.stderr))
    thud("run", example("jump"), "-o", "jump.h5", cwd=here)
    done = thud("export", "jump.h5", "-o", "c.pvd", cwd=here)
    report("a motion without mesh is refused", done.returncode == 2 and "mesh" in done.stderr, done.stderr)


with folder() as name_of_folder:
    here = pathlib.Path(name_of_folder)
    done = thud("run", example("elastic/string-on-floor"), "-o", "a.h5", cwd=here)
    report("the run", done.returncode == 0, done.stderr)
    check_states(here)
    check_choices(here)
    program = python_with_vtk()
    if program is not None:
        read = subprocess.run([program, "-c", READ_BY_VTK, str(here / "film" / "80.vtu")], capture_output=True, text=True)
        words = read.stdout.split()
        report("VTK reads it", words[:6] == ["401", "400", "u", "v", "s", "r"], read.stdout + read.stderr)
        close("the sum of the forces by VTK", float(words[-1]) if words else None, 16, 1e-9)
    else:
        report("VTK reads it # SKIP python3-vtk9 is not installed", True)
end()
