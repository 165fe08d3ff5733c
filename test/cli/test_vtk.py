"""thud export to VTK: fields of a string read back by a parser of its own and, where python3-vtk9 is installed, by VTK."""
import pathlib

from thudcli import close, end, example, folder, report, skipped, thud
from vtufiles import arrays, listed, python_with_vtk, read_by_vtk


def check_states(here):
    done = thud("export", "a.h5", "-o", "film.pvd", cwd=here)
    report("a series is written", done.returncode == 0, done.stderr)
    files = listed(here / "film.pvd")
    times = [t for t, _ in files]
    report("81 times in order", len(times) == 81 and times == sorted(times) and times[-1] == 2, times[-2:])
    last = arrays(here / files[-1][1]["file"])
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
    (here / "mine.vtu").write_text("<?xml version=\"1.0\"?>\n")
    for name, arguments in (("a file that is not its own", ["-o", "mine.vtu"]), ("no file", ["--to", "vtk"]),
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
        read, said = read_by_vtk(program, here / "film" / "80.vtu")
        report("VTK reads it", read is not None and len(read["points"]) == 3 * 401 and len(read["cells"]) == 400
               and list(read["point_data"]) == ["u", "v", "s", "r"], said)
        close("the sum of the forces by VTK", sum(read["point_data"]["s"]) if read else None, 16, 1e-9)
    else:
        skipped("VTK reads it", "needs python3-vtk9: apt-get install python3-vtk9")
end()
