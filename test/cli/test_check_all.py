"""No false alarm: a seeded part of tools/check-all. No good run of an example is rejected by thud verify."""
import os
import shlex
import subprocess

from thudcli import PROGRAM, ROOT, end, folder, report

RUNS = 20

with folder() as here:
    done = subprocess.run([str(ROOT / "tools" / "check-all"), "--runs", str(RUNS), "--seed", "1", "--jobs", "2"],
                          capture_output=True, text=True, env={**os.environ, "THUD_PROGRAM": PROGRAM}, cwd=here)
    report("no good run is rejected", done.returncode == 0 and ", 0 good runs rejected" in done.stdout,
           done.stdout + done.stderr)
    verified = done.stdout.splitlines()[-1].split(", ")[1].split()[0] if done.stdout else "0"
    report("many runs were verified", int(verified) > RUNS // 2, done.stdout)

    # The tool finds what it looks for: a scene whose record verify refuses, because the run that made it is not the scene's.
    wrapper = os.path.join(here, "thud")
    with open(wrapper, "w") as out:
        out.write(f"#!/bin/sh\n[ \"$1\" = run ] && exec {shlex.quote(PROGRAM)} \"$@\"\necho '{{\"verdict\": \"failed\", \"reason\": \"x\"}}'\nexit 1\n")
    os.chmod(wrapper, 0o755)
    done = subprocess.run([str(ROOT / "tools" / "check-all"), str(ROOT / "examples" / "jump.yaml")], capture_output=True,
                          text=True, env={**os.environ, "THUD_PROGRAM": wrapper}, cwd=here)
    report("what verify rejects is counted", done.returncode == 1 and "failed: jump" in done.stdout, done.stdout)
end()
