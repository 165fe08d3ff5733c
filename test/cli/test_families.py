"""A few scenes of every random family (test/families); make check-all runs more of them."""
import os
import re
import subprocess

from thudcli import PROGRAM, ROOT, end, folder, report

COUNT = 2

with folder() as here:
    done = subprocess.run([str(ROOT / "tools" / "check-families"), "--count", str(COUNT), "--seed", "7"],
                          capture_output=True, text=True, env={**os.environ, "THUD_PROGRAM": PROGRAM}, cwd=here)
    found = re.findall(r"^([\w-]+): (\d+) of (\d+) right$", done.stdout, re.M)
    for name, right, count in found:
        report(f"{name}: {count} random scenes", right == count, done.stdout + done.stderr)
    report("there are families", len(found) > 0, done.stdout + done.stderr)
end()
