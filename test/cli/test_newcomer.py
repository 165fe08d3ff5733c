"""What a newcomer meets first: arrays of JSON, units, what Ctrl-C leaves, threads."""
import json
import os
import pathlib
import re

from thudcli import end, example, folder, interrupted, needs_terminal, report, thud

BALL = """thud: 1
units: {UNITS}
system:
  coordinates: [z]
  kinetic_energy: "0.5*z'^2"
  potential_energy: "9.81*z"
  constraints:
    - {name: floor, gap: z, restitution: 0.5}
initial: {z: 1, "z'": 0}
simulate: {method: moreau-jean, end: 1, steps: 100}
"""


def test_several_files_make_one_array():
    with folder() as here:
        for command in (["check"], ["run", "--no-record"]):
            done = thud(*command, "--json", example("jump"), example("play"), cwd=here)
            report(f"{command[0]}: an array of two", done.returncode == 0 and len(json.loads(done.stdout)) == 2,
                   done.stdout[:500] + done.stderr)
            done = thud(*command, "--json", example("jump"), "missing.yaml", example("play"), cwd=here)
            found = json.loads(done.stdout)
            report(f"{command[0]}: a file that cannot be read has its place", done.returncode == 2 and
                   [item["verdict"] for item in found] == ["good", "failed", "good"], done.stdout[:500])
            done = thud(*command, "--json", example("jump"), cwd=here)
            report(f"{command[0]}: one file is an object", json.loads(done.stdout)["verdict"] == "good", done.stdout)


def test_units_are_not_made_up():
    with folder() as here:
        for units, impulse, energy in (("{z: m}", " [N s]", " [J]"), ("{z: mm, t: ms}", "", ""), ("{z: rad}", "", ""),
                                       ("{z: m, t: ms}", "", "")):
            pathlib.Path(here, "ball.yaml").write_text(BALL.replace("{UNITS}", units))
            for method in ("moreau-jean", "event-driven"):
                done = thud("run", "ball.yaml", "-q", "--force", "--set", f"simulate.method={method}", cwd=here)
                head = thud("export", "ball.h5", "--rows", cwd=here).stdout.splitlines()[0].split(",")
                density = impulse.replace("N s", "N") if method == "event-driven" else impulse
                name = "reaction" if method == "event-driven" else "reaction[floor]"
                report(f"units {units} by {method}: reactions", done.returncode == 0 and name + density in head,
                       f"{head} {done.stderr}")
                report(f"units {units} by {method}: energies", f"kinetic{energy}" in head, head)


def percent(least):
    """A study has shown at least this part of its work."""
    return lambda shown: max(map(int, re.findall(r"(\d+) ?%", shown)), default=0) >= least


def time_above(least):
    """A run has shown a time at least this far."""
    return lambda shown: max((float(t) for t in re.findall(r"t = ([-+.e\d]+) ", shown)), default=0) > least


@needs_terminal("Ctrl-C loses nothing")
def test_ctrl_c_loses_nothing():
    with folder() as here:
        pathlib.Path(here, "ball.yaml").write_text(BALL.replace("{UNITS}", "{z: m}"))
        code, out, err = interrupted(here, "study", "ball.yaml", "--levels", "4:24", until=percent(1))
        report("study: the levels before Ctrl-C are there", code == 130 and "the levels before are complete" in out + err
               and len([line for line in out.splitlines() if line.split()[:1] == ["32"]]) == 1, f"{code} {out} {err}")
        code, out, err = interrupted(here, "study", "ball.yaml", "--against", "event-driven", "--levels", "4:24",
                                     until=percent(1))
        report("study --against: the levels before Ctrl-C are there", code == 130 and
               "the levels before are complete" in out + err and
               len([line for line in out.splitlines() if line.split()[:1] == ["32"]]) >= 1, f"{code} {out} {err}")
        with open(os.path.join(here, "kept.yaml"), "w") as scene:
            scene.write(BALL.replace("{UNITS}", "{z: m}") + "record: {checkpoint_every: 1e-6}\n")
        code, out, err = interrupted(here, "run", "kept.yaml", "-o", "a b.h5", "--set", "simulate.steps=500000000",
                                     until=time_above(1e-5))
        report("run: the command that continues", code == 130 and "continue with: thud run --resume 'a b.h5'\n" in err,
               f"{code} {out} {err}")
        code, out, err = interrupted(here, "run", "ball.yaml", "-o", "c.h5", "--set", "simulate.steps=500000000",
                                     until=time_above(0))
        report("run: without checkpoints it says so", code == 130 and "this run cannot be continued" in err,
               f"{code} {out} {err}")


def test_threads_do_not_change_the_table():
    with folder() as here:
        pathlib.Path(here, "ball.yaml").write_text(BALL.replace("{UNITS}", "{z: m}") .replace("9.81", "g") + "parameters: {g: 1}\n")
        sweep = ["study", "ball.yaml", "--sweep", "g=1:2:5", "--section", "end", "--quantity", "z", "-o", "-"]
        tables = {thud(*sweep, "--threads", n, cwd=here).stdout for n in (1, 3)}
        report("one and three threads: the same table", len(tables) == 1 and len(tables.pop().splitlines()) == 6, tables)
        for bad in ("0", "1.5", "65"):
            done = thud(*sweep, "--threads", bad, cwd=here)
            report(f"--threads {bad} is refused", done.returncode == 2 and
                   done.stderr == "thud: study: --threads is a whole number from 1 to 64 [usage]\n", done.stderr)
        done = thud("study", "ball.yaml", "--threads", "2", cwd=here)
        report("--threads goes with --sweep", done.returncode == 2 and os.listdir(here) == ["ball.yaml"], done.stderr)


test_several_files_make_one_array()
test_units_are_not_made_up()
test_ctrl_c_loses_nothing()
test_threads_do_not_change_the_table()
end()
