"""Springs and joints in snapshots: a governor in space, a rope over two places and a slider in the plane."""
import pathlib
import re

from thudcli import end, example, folder, report, thud, thud_json


def drawn(here, name, t):
    """Rings, and other strokes of the colour of joints (and of frames in the plane) with their numbers of corners."""
    thud_json("run", example(f"joints/{name}"), "--force", "-o", "seen.h5", "--set=simulate.end=0.02", cwd=here)
    done = thud("plot", "seen.h5", "--snapshot", t, "-o", "seen.svg", "--force", cwd=here)
    if done.returncode:
        raise AssertionError(done.stderr)
    text = pathlib.Path(here, "seen.svg").read_text()
    rings = re.findall(r'<path fill="#ffffff" stroke="#262626"', text)
    lines = re.findall(r'<path stroke="#262626" stroke-width="[.0-9]+" d="(M[^"]*)"', text)
    return len(rings), sorted(len(re.findall("[lhvLHV]", line)) for line in lines)


def main():
    with folder() as here:
        rings, lines = drawn(here, "governor", 0.01)
        report("governor: a ring for each of four joints", rings == 4, rings)
        report("governor: two springs as zigzags, four axes", lines == [1, 1, 1, 1, 2 * 19], lines)
        rings, lines = drawn(here, "block-and-tackle", 0.01)
        report("block and tackle: a rope of three pieces from ring to ring", rings == 2 and 3 in lines, (rings, lines))
        rings, lines = drawn(here, "rack-and-pinion", 0.01)
        report("rack and pinion: the pin, the guide with its axis", rings == 2 and 1 in lines, (rings, lines))
    end()


main()
