#!/usr/bin/env python3
"""bench/page.py [--bodies N] [--frames N] [--folder FOLDER] [--write]: the page of many bodies: its size, how long it takes to
write, and what a frame of its moving picture costs in headless Chromium.

Balls fall, tumble and pile up on a floor; every step is a frame. Prints a table; with --write also into
bench/results/page.md. THUD_PROGRAM names the program (default: build/release/thud). The run itself takes some minutes for
10000 bodies; a record that is there already is taken. Without Chromium and its driver the second half is left out."""
import argparse
import os
import pathlib
import resource
import statistics
import subprocess
import sys
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

ENOUGH, SECONDS = 150, 25.0  # frames that are measured, or as many as there are in so many seconds
# Before anything of the page runs: what every animation frame costs the main thread, and when it began.
WATCH = """
window.frames_seen = [];
const ask = window.requestAnimationFrame.bind(window);
window.requestAnimationFrame = (fn) => ask((now) => {
  const start = performance.now();
  fn(now);
  const cost = performance.now() - start;
  const last = window.frames_seen[window.frames_seen.length - 1];
  if (last && last[0] === now) last[1] += cost; // another part of the same frame
  else window.frames_seen.push([now, cost]);
});
"""
READY = "return document.querySelector('.host canvas') !== null && document.querySelector('.panel canvas') !== null"
RESULTS = """
const views = performance.getEntriesByName('thud-view').map((entry) => entry.duration);
return [window.frames_seen, views, performance.memory.usedJSHeapSize];
"""


def in_browser(page):
    """Rows of the table that a browser gives: [(what, value)]."""
    sys.path.insert(0, str(ROOT / "test" / "browser"))
    from webdriver import Browser, available
    if not available():
        return [("browser", "chromium or chromium-driver is not installed")]
    # Without a graphics card the page is put together by the processor as well; WebGL for it would only be slower.
    with Browser(size=(1200, 900), timeout=300, flags=["--disable-gpu-compositing"]) as browser:
        browser.devtools("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
        start = time.monotonic()
        browser.open(page)
        browser.wait(READY, timeout=200)
        opened = time.monotonic() - start
        browser.execute("document.querySelector('.host').scrollIntoView()")
        browser.click("[aria-label=Loop]")
        browser.click(".tool.play")
        browser.wait("return performance.getEntriesByName('thud-view').length > 3")  # the first frames prepare much
        browser.execute("window.frames_seen = []; performance.clearMeasures('thud-view')")
        browser.wait(f"const f = window.frames_seen; return f.length > {ENOUGH} || "
                     f"(f.length > 1 && f[f.length - 1][0] - f[0][0] > {1000 * SECONDS})", timeout=60 + 4 * SECONDS)
        frames, views, heap = browser.execute(RESULTS)
        version = browser.capabilities["browserVersion"]
    scripting = sorted(cost for _, cost in frames)
    seconds = (frames[-1][0] - frames[0][0]) / 1000
    return [("opened, all parts drawn", f"{opened:.1f} s"), ("memory of the page's JavaScript", f"{heap / 1e6:.0f} MB"),
            ("main thread per frame, all scripts", f"{spread(scripting)} ms"),
            ("main thread per frame, the moving picture", f"{spread(sorted(views))} ms"),
            ("frames per second, software rendering", f"{(len(frames) - 1) / seconds:.1f}"), ("Chromium", version)]


def spread(costs):
    """Median and 95 per cent of increasing numbers."""
    return f"{statistics.median(costs):.1f} (95 %: {costs[min(len(costs) - 1, int(0.95 * len(costs)))]:.1f})"


def table(rows):
    return "| what | |\n| --- | --- |\n" + "".join(f"| {what} | {value} |\n" for what, value in rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bodies", type=int, default=10000)
    parser.add_argument("--frames", type=int, default=500)
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build" / "bench-page")
    parser.add_argument("--write", action="store_true", help="keep the table in bench/results/page.md")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    side = max(1, round((given.bodies / 10) ** 0.5))
    stem = f"balls-{10 * side * side}-{given.frames}"
    scene, record, page = (given.folder / f"{stem}{suffix}" for suffix in (".yaml", ".h5", ".html"))
    scene.write_text(SCENE.format(bodies=10 * side * side, x=side, y=side, end=0.005 * given.frames))
    if not record.exists():
        subprocess.run([PROGRAM, "run", str(scene), "-o", str(record)], check=True)
    start = time.monotonic()
    subprocess.run([PROGRAM, "report", str(record), "-o", str(page), "--frames", str(given.frames), "--force"], check=True,
                   stdout=subprocess.DEVNULL)
    taken = time.monotonic() - start
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    rows = [("bodies", 10 * side * side), ("frames", given.frames + 1), ("record", f"{record.stat().st_size / 1e6:.1f} MB"),
            ("page", f"{page.stat().st_size / 1e6:.1f} MB"), ("thud report", f"{taken:.1f} s"),
            ("largest process", f"{memory / 1e3:.0f} MB")] + in_browser(page)
    text = table(rows)
    print(text, end="")
    if given.write:
        cores = os.cpu_count()
        load = os.getloadavg()[0]
        (ROOT / "bench" / "results" / "page.md").write_text(
            f"Page of many bodies (bench/README.md, `make bench-page`). {cores} cores, no graphics card, load {load:.1f} "
            f"when it was measured.\n\n{text}", encoding="utf-8")


if __name__ == "__main__":
    main()
