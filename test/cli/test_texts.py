"""What the program prints for people, against lists that are changed only on purpose (test/lists, as test/abi for the
interface of the libraries): the help of every command, and the phrases of check, run and verify of all examples, with
'#' for numbers. THUD_UPDATE_LISTS=1 writes the lists anew."""
import difflib
import os
import re

from thudcli import ROOT, end, folder, report, thud, without_excerpt

LISTS = ROOT / "test" / "lists"
SCENES = sorted(p for group in (".", "dynamics", "event-driven", "friction") for p in (ROOT / "examples" / group).glob("*.yaml")
                if p.stem != "one-contact")
MEANT = "\nif this is meant: THUD_UPDATE_LISTS=1, and commit the list with the change"
NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+(?:\.\d*)?(?:e[-+]?\d+)?|inf|nan)(?![\w])")


def known(name, found):
    """What the list says; with THUD_UPDATE_LISTS what was found becomes the list."""
    path = LISTS / f"{name}.txt"
    if os.environ.get("THUD_UPDATE_LISTS"):
        path.write_text(found)
    return path.read_text() if path.exists() else ""


def phrases(done):
    """What is printed, in pieces between commas and the like, without numbers and without what stands in quotes."""
    text = re.sub(r"'[^\n ]*'", "'*'", NUMBER.sub("#", done.stdout + without_excerpt(done.stderr)))
    return {" ".join(piece.split()) for piece in re.split(r"[,;:()]|\n|  +", text)} - {""}


def help_of_everything():
    text = thud("--help").stdout
    names = [line.split()[0] for line in text.partition("Commands:\n")[2].partition("\n\n")[0].splitlines()]
    for name in names:
        text += f"\n==== thud {name} --help\n" + thud(name, "--help").stdout
    return text + "\n==== thud solve --list-methods\n" + thud("solve", "--list-methods").stdout


def phrases_of_examples(here):
    """{command: phrases} over all examples."""
    found = {"check": set(), "run": set(), "verify": set()}
    for scene in SCENES:
        name = str(scene.relative_to(ROOT / "examples"))
        record = f"{here}/{name.replace('/', '-')}.h5"
        for command in (("check", scene), ("run", scene, "-o", record), ("verify", record)):
            done = thud(*command, cwd=here)
            for what, place in (("SCENE", scene), ("RECORD", record)):
                done.stdout, done.stderr = done.stdout.replace(str(place), what), done.stderr.replace(str(place), what)
            found[command[0]] |= phrases(done)
    return found


printed = help_of_everything()
listed = known("help", printed)
report("the help is that of test/lists/help.txt", printed == listed,
       "\n".join(difflib.unified_diff(listed.splitlines(), printed.splitlines(), "listed", "printed", "", "", 1)) + MEANT)
with folder() as temporary:
    for command, found in phrases_of_examples(temporary).items():
        unknown = found - set(known(command, "".join(f"{line}\n" for line in sorted(found))).splitlines())
        report(f"thud {command} prints phrases of test/lists/{command}.txt for the examples", not unknown,
               "\n".join(sorted(unknown)) + MEANT)
end()
