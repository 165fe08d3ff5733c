"""Completion of command lines: bash is asked as it asks the script; zsh and fish where they are installed."""
import pathlib
import re
import shutil
import subprocess

from thudcli import end, folder, report, skipped, thud

# Words up to the cursor, and what must be offered, what must not.
CASES = [
    (["thud", ""], ["run", "plot", "completion", "--version"], ["ball.yaml"]),
    (["thud", "exp"], ["export"], ["run"]),
    (["thud", "help", "st"], ["study"], []),
    (["thud", "run", "--no"], ["--no-record"], ["--output"]),
    (["thud", "run", "-"], ["--set", "--json", "--help"], []),
    (["thud", "run", ""], ["ball.yaml", "scene.json", "runs"], ["ball.h5", "notes.txt"]),
    (["thud", "plot", ""], ["ball.h5", "old.hdf5", "runs"], ["ball.yaml"]),
    (["thud", "plot", "runs/"], ["runs/a b.h5"], []),
    (["thud", "plot", "-o", ""], ["notes.txt", "ball.yaml"], []),
    (["thud", "run", "--dump-problems", ""], ["runs"], ["ball.yaml"]),
    (["thud", "export", "--to", ""], ["csv", "vtk"], ["ball.h5"]),
    (["thud", "export", "--to", "=", "c"], ["csv"], ["vtk"]),
    (["thud", "solve", "-m", "new"], ["newton"], ["auto"]),
    (["thud", "new", "bou"], ["bouncing-ball"], ["play"]),
    (["thud", "completion", ""], ["bash", "zsh", "fish"], []),
]


def offered(here, words):
    script = """source thud.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _thud; printf '%s\\n' "${COMPREPLY[@]}" """
    done = subprocess.run(["bash", "-c", script, "bash", *words], cwd=here, capture_output=True, text=True, timeout=60)
    return done.stdout.splitlines(), done.stderr


def test_bash(here):
    for words, wanted, unwanted in CASES:
        got, errors = offered(here, words)
        report(f"bash: {' '.join(words)}...", set(wanted) <= set(got) and not set(unwanted) & set(got) and errors == "",
               (got, errors))


def flags(command):
    return re.findall(r"^  (?:-\w,|   ) --([\w-]+)", thud(command, "--help").stdout, re.M)


def test_flags():
    listed = re.findall(r"^  (\S+) +\S", thud("--help").stdout.partition("Commands:\n")[2].partition("\n\n")[0], re.M)
    scripts = {shell: thud("completion", shell).stdout for shell in ("bash", "zsh", "fish")}
    for command in listed:
        pieces = {"bash": scripts["bash"].partition(f"\n  {command})\n")[2].partition("esac ;;")[0],
                  "zsh": scripts["zsh"].partition(f"\n  {command})\n")[2].partition(";;")[0],
                  "fish": "\n".join(line for line in scripts["fish"].splitlines() if f"__thud_uses {command}'" in line)}
        for shell, piece in pieces.items():
            sign = "-l " if shell == "fish" else "--"
            missing = [flag for flag in flags(command) if not re.search(rf"{sign}{flag}\b", piece)]
            report(f"{shell} knows all options of {command}", not missing, missing)


def test_shells(here):
    for shell in ("bash", "zsh", "fish"):
        if shutil.which(shell) is None:
            skipped(f"{shell} reads its script", f"needs {shell}")
            continue
        done = subprocess.run([shell, "-n", f"thud.{shell}"], cwd=here, capture_output=True, text=True, timeout=60)
        report(f"{shell} reads its script", done.returncode == 0 and done.stderr == "", done.stderr)
    if shutil.which("fish") is None:
        skipped("fish offers words", "needs fish")
        return
    for line, wanted in [("thud exp", "export"), ("thud export --to ", "csv"), ("thud plot --comp", "--components"),
                         ("thud new bou", "bouncing-ball"), ("thud plot ball", "ball.h5")]:
        done = subprocess.run(["fish", "-N", "-c", f"source thud.fish; complete -C '{line}'"], cwd=here, capture_output=True,
                              text=True, timeout=60)
        report(f"fish: {line}...", wanted in re.split(r"\s", done.stdout), done.stdout + done.stderr)


def test_unknown(here):
    done = thud("completion", "tcsh", cwd=here)
    report("another shell is refused", done.returncode == 2 and "bash, zsh or fish" in done.stderr, done.stderr)


with folder() as place:
    place = pathlib.Path(place)
    for name in ("ball.yaml", "scene.json", "ball.h5", "old.hdf5", "notes.txt", "runs/a b.h5"):
        (place / name).parent.mkdir(exist_ok=True)
        (place / name).write_text("")
    for shell in ("bash", "zsh", "fish"):
        (place / f"thud.{shell}").write_text(thud("completion", shell).stdout)
    test_bash(place)
    test_flags()
    test_shells(place)
    test_unknown(place)
end()
