"""A few scenes of every random family (test/families); make check-all runs more of them."""
import os
import re
import subprocess

from thudcli import PROGRAM, ROOT, end, folder, report

COUNT = 2
MECHANISMS = 16  # one of every kind


def families(here, count, *names):
    done = subprocess.run([str(ROOT / "tools" / "check-families"), "--count", str(count), "--seed", "7", *names],
                          capture_output=True, text=True, env={**os.environ, "THUD_PROGRAM": PROGRAM}, cwd=here)
    found = re.findall(r"^([\w-]+): (\d+) of (\d+) right$", done.stdout, re.M)
    for name, right, of in found:
        report(f"{name}: {of} random scenes", right == of, done.stdout + done.stderr)
    report("there are families", len(found) > 0, done.stdout + done.stderr)


with folder() as here:
    families(here, COUNT)
    families(here, MECHANISMS, "mechanisms")
end()
