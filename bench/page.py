"""bench/page.py [--bodies N] [--frames N] [--folder FOLDER]: the size of the page of many bodies, and how long it takes.

Balls fall, tumble and pile up on a floor; every step is a frame. Prints one line per figure. THUD_PROGRAM names the
program (default: build/release/thud). The run itself takes some minutes for 10000 bodies; a record that is there already
is taken."""
import argparse
import os
import pathlib
import resource
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
PROGRAM = os.environ.get("THUD_PROGRAM") or str(ROOT / "build" / "release" / "thud")
SCENE = """thud: 1
title: {bodies} balls
materials:
  stone: {{friction: 0.5, density: 2000, restitution: 0.3}}
bodies:
  - {{name: floor, fixed: true, shape: plane, material: stone}}
  - {{generate: grid, name: ball, counts: [{x}, {y}, 10], spacing: 0.3, position: [0, 0, 1.5], jitter: 0.04, seed: 1,
     body: {{shape: {{sphere: 0.1}}, material: stone, velocity: [1, 0.5, 0], spin: [5, 7, 3]}}}}
simulate: {{end: {end}, step: 0.005, tolerance: 0.1}}
record: {{every: 0.005}}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bodies", type=int, default=10000)
    parser.add_argument("--frames", type=int, default=500)
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build" / "bench-page")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    side = max(1, round((given.bodies / 10) ** 0.5))
    stem = f"balls-{10 * side * side}-{given.frames}"
    scene, record, page = (given.folder / f"{stem}{suffix}" for suffix in (".yaml", ".h5", ".html"))
    scene.write_text(SCENE.format(bodies=10 * side * side, x=side, y=side, end=0.005 * given.frames))
    if not record.exists():
        subprocess.run([PROGRAM, "run", str(scene), "-o", str(record)], check=True)
    start = time.monotonic()
    subprocess.run([PROGRAM, "report", str(record), "-o", str(page), "--frames", str(given.frames), "--force"], check=True)
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"bodies {10 * side * side}, frames {given.frames + 1}")
    print(f"record {record.stat().st_size / 1e6:.1f} MB, page {page.stat().st_size / 1e6:.1f} MB")
    print(f"thud report {time.monotonic() - start:.1f} s, largest process {usage.ru_maxrss / 1e3:.0f} MB")


if __name__ == "__main__":
    main()
