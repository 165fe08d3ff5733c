"""Faults that end well: full disks, limits of files and memory, links, devices. Nothing hangs, crashes or is claimed."""
import os
import pathlib
import resource
import shutil
import subprocess

from thudcli import PROGRAM, ROOT, end, example, folder, report, skipped, thud


def limited(arguments, here, **limits):
    """Runs the program with limits of the process and without settings for OpenBLAS' threads."""
    def limit():
        for name, value in limits.items():
            resource.setrlimit(getattr(resource, name), (value, value))

    environment = {key: value for key, value in os.environ.items() if not key.startswith(("OPENBLAS_", "OMP_"))}
    return subprocess.run([PROGRAM, *map(str, arguments)], cwd=here, capture_output=True, text=True, timeout=60,
                          preexec_fn=limit, env=environment)


def files(here):
    return sorted(os.listdir(here))


with open("/dev/full", "w") as full:
    for words in (["--help"], ["--version"], ["run", "--help"], ["help", "solve"], ["new", "--list"], ["schema"],
                  ["check", example("jump")], ["solve", ROOT / "examples" / "problems" / "friction-3d.yaml"]):
        done = subprocess.run([PROGRAM, *map(str, words)], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
        report(f"{words[0]} to a full disk: exit code 2 and one message", done.returncode == 2 and
               done.stderr == "thud: cannot write to standard output: No space left on device [file]\n",
               f"{done.returncode} {done.stderr}")

with folder() as here:
    for kib in (0, 1, 16, 64):
        done = limited(["run", example("bouncing-ball"), "-o", "r.h5", "-q"], here, RLIMIT_FSIZE=1024 * kib)
        report(f"files of at most {kib} KiB: exit code 2, no file", done.returncode == 2 and
               done.stderr == "thud: r.h5: cannot be written (File too large) [file]\n" and files(here) == [],
               f"{done.returncode} {done.stderr} {files(here)}")
    done = limited(["run", example("bouncing-ball"), "-o", "r.h5", "-q"], here, RLIMIT_FSIZE=100 * 1024)
    report("files of at most 100 KiB: the record claims no frames", done.returncode == 1 and done.stderr ==
           "thud: r.h5: the record cannot be continued; none of its frames has reached the file (File too large) [file]\n",
           f"{done.returncode} {done.stderr}")
    rows = thud("export", "r.h5", "--channels", "t", cwd=here).stdout.splitlines()
    report("files of at most 100 KiB: and holds none", len(rows) == 1 and files(here) == ["r.h5"], f"{rows[:3]}")

with folder() as here:
    target, link = pathlib.Path(here, "target.h5"), pathlib.Path(here, "link.h5")
    target.write_text("old")
    link.symlink_to("target.h5")
    done = thud("run", example("jump"), "-o", "link.h5", "-q", cwd=here)
    report("a link to an existing file: refused without --force", done.returncode == 2 and target.read_text() == "old",
           done.stderr)
    done = thud("run", example("jump"), "-o", "link.h5", "-q", "--force", cwd=here)
    report("--force through a link: the link stays, its target is the record", done.returncode == 0 and
           link.is_symlink() and not target.is_symlink() and target.read_bytes()[1:4] == b"HDF", done.stderr)
    for command, name in ((["run", example("jump"), "-q"], "nowhere.h5"), (["export", "target.h5"], "nowhere.csv"),
                          (["new", "play"], "nowhere.yaml")):
        pathlib.Path(here, name).symlink_to("missing")
        done = thud(*command, "-o", name, "--force", cwd=here)
        report(f"{command[0]}: a link that leads nowhere is refused", done.returncode == 2 and
               "a symbolic link to a file that does not exist" in done.stderr and
               os.path.islink(os.path.join(here, name)), done.stderr)
    before = files(here)
    with open(os.path.join(here, "redirected"), "w") as out:
        done = subprocess.run([PROGRAM, "new", "play", "-o", "/dev/stdout", "--force"], cwd=here, stdout=out,
                              stderr=subprocess.PIPE, text=True, timeout=60)
    report("/dev/stdout by name is refused and stays", done.returncode == 2 and "'-' for standard output" in done.stderr
           and os.path.islink("/dev/stdout"), done.stderr)

    done = limited(["verify", example("jump"), "--trajectory", "/dev/zero"], here, RLIMIT_AS=1 << 30)
    report("--trajectory /dev/zero: not a text file", done.returncode == 2 and done.stderr ==
           "thud: /dev/zero: not a text file [format]\n", f"{done.returncode} {done.stderr}")

# Root may have any number of processes: the user 'nobody' may not.
if os.geteuid() == 0 and shutil.which("setpriv") and shutil.which("prlimit"):
    with folder() as here:
        os.chmod(here, 0o777)
        program = shutil.copy(PROGRAM, here)
        for scene in ("bouncing-ball", "bodies/cradle", "elastic/plate-over-pin"):
            shutil.copy(example(scene), f"{here}/scene.yaml")
            for threads, good in ((1, True), (4, False)):
                done = subprocess.run(["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "prlimit", "--nproc=1", program,
                                       "run", "scene.yaml", "--threads", str(threads), "-o", "x.h5", "--quiet", "--force"], cwd=here,
                                      capture_output=True, text=True, timeout=60)
                report(f"{scene}, no further processes, {threads} threads: " + ("runs" if good else "says so"), done.returncode ==
                       0 and not done.stderr if good else done.returncode == 2 and "cannot start 4 threads (Resource temporarily "
                       "unavailable)" in done.stderr and done.stderr.endswith("[too-many-threads]\n"), done)
else:
    skipped("runs without further processes", "needs root, setpriv and prlimit")

# The sweep is tools/memory-sweep; here a few limits. What the dynamic linker and libraries that start before main (the
# Fortran one of LAPACK) refuse is not thud's.
with folder() as here:
    thud("run", example("bouncing-ball"), "-o", "sound.h5", "-q", cwd=here)
    problem = ROOT / "examples" / "problems" / "pile-local.h5"
    for words in (["--version"], ["verify", "sound.h5"], ["export", "sound.h5", "-o", "x.csv", "--force"],
                  ["plot", "sound.h5", "-o", "x.png", "--force"], ["solve", problem],
                  ["run", example("bouncing-ball"), "-o", "x.h5", "--force"]):
        ends = []
        for mebibytes in (40, 84, 90, 104, 120, 200, 260, 1000):
            done = limited(words, here, RLIMIT_AS=mebibytes << 20, RLIMIT_CORE=0)
            loaded = not (done.returncode == 127 and "error while loading shared libraries" in done.stderr or
                          done.stderr.startswith("Operating system error: Cannot allocate memory"))
            ends.append("good" if done.returncode == 0 else
                        "not loaded" if not loaded else
                        "memory" if done.returncode == 3 and "memory" in done.stderr else
                        f"{mebibytes} MiB: {done.returncode} {done.stderr}")
        report(f"{words[0]} with little memory: good, or exit code 3 with a message",
               set(ends) <= {"good", "not loaded", "memory"} and ends[-1] == "good", "\n".join(ends))
    report("no files of other names are left", set(files(here)) <= {"sound.h5", "x.csv", "x.png", "x.h5"}, files(here))
end()
