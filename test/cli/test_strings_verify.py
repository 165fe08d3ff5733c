"""thud verify on strings and beams: no sound record is rejected, no changed number passes.

Random scenes, seeded: meshes of uneven cells, obstacles with kinks, loads on and off the mesh that move, jump and turn back,
ends that move, thinned records. Then of every dataset of some records numbers are changed, each in a copy of its own.
`test_strings_verify.py SCENES CHANGES [SEED]` does more of both.
"""
import os
import random
import sys

import test_tamper
from thudcli import end, folder, report, some, thud

OBSTACLES = ("-0.1", "-abs(x - 0.4)/3 - 0.02", "-0.05 - 0.4*(x - 0.5)^2", "-0.1 + 0.05*cos(15*x)", None)
PLACES = ("0.3", "0.5 - 0.3*t", "if(t < 0.5, 0.2 + t, 1.2 - t)", "0.6180339887 - 0.1*t")
TIMES = ("1", "t", "if(t > 0.3, 1, 0.2)", "1 - 2*t", "sin(7*t)")


def random_nodes(chance):
    count = chance.choice((2, 3, 5, 17, 33, 65, 100))
    if chance.random() < 0.6 or count < 3:
        return str(count)
    cells = [chance.uniform(0.2, 1) for _ in range(count - 1)]
    places = [0.0]
    for cell in cells:
        places.append(places[-1] + cell)
    return "[" + ", ".join(f"{x / places[-1]:.12g}" for x in places) + "]"


def random_scene(chance):
    """Text of a scene; a force of a beam is a hundred times that of a string."""
    beam = chance.random() < 0.4
    scale = 100 if beam else 2
    loads = []
    for _ in range(chance.randrange(4)):
        along = ", direction: longitudinal" if chance.random() < 0.3 else ""
        force = chance.uniform(-1, 0.2) * (1 if along else scale)
        if chance.random() < 0.5:
            loads.append(f'{{density: "{force:.6g}*(1 + 0.3*sin(5*x))", factor: "{chance.choice(TIMES)}"{along}}}')
        else:
            width = f", width: {chance.uniform(0.01, 0.3):.4g}" if chance.random() < 0.5 else ""
            loads.append(f'{{at: "{chance.choice(PLACES)}", force: "{force:.6g}*({chance.choice(TIMES)})"{width}{along}}}')
    obstacle = chance.choice(OBSTACLES)
    lines = ["thud: 1", f"{'beam' if beam else 'string'}:", f"  nodes: {random_nodes(chance)}",
             f"  {'bending' if beam else 'tension'}: {chance.uniform(0.5, 2):.4g}",
             f"  extension: {chance.uniform(0.2, 3):.4g}", f"  friction: {chance.choice((0, 0.3, 1, 5))}",
             f'  ends: {{v_left: "0.3 + 0.1*t", u_left: "0.02*t", u_right: "{chance.uniform(-1, 1):.3g}*({chance.choice(TIMES)})"}}',
             f"  loads: [{', '.join(loads)}]" if loads else ""]
    if obstacle is not None:
        lines.append(f'  obstacle: "{obstacle}"')
        lines.append(f'  lift: "{chance.choice(("0", "-0.1*t", "0.05*sin(9*t)", "if(t > 0.6, -0.2, 0)"))}"')
    lines.append('initial: {u: "0.1*x*(1 - x)"}' if chance.random() < 0.4 else "")
    lines.append(f"simulate: {{end: 1, steps: {chance.choice((1, 7, 40))}}}")
    lines.append("record: {every: 0.2}" if chance.random() < 0.2 else "")
    return "\n".join(line for line in lines if line) + "\n"


def make_record(here, number, chance):
    """The record of a random scene, and whether run and verify are good."""
    text = random_scene(chance)
    scene, record = os.path.join(here, f"{number}.yaml"), os.path.join(here, f"{number}.h5")
    with open(scene, "w", encoding="utf-8") as file:
        file.write(text)
    done = thud("run", scene, "-o", record, "--force", cwd=here)
    judged = thud("verify", record, cwd=here)
    return record, done.returncode == 0 and judged.returncode == 0, text + done.stdout + done.stderr + judged.stdout


UNEVEN = """thud: 1
{section}:
  nodes: [{nodes}]
  {stiffness}: 1
  friction: 0.1
  obstacle: 0.1*sin(9*x) - 0.1
  ends: {{v_left: 0, v_right: 0, u_left: sin(2*t), u_right: "if(t > 0.5, 1, 0)"}}
  loads:
    - {{at: 0.5 + 0.4*sin(1.8*t), force: -{force}*(1 + t)}}
    - {{at: 0.5 + 0.4*sin(0.7*t), force: -{force}*(1 + t)}}
simulate: {{end: 1, steps: 4}}
"""


def check_uneven(here):
    """Cells whose lengths differ by 1e3 to 1e5: rounding is that of the cells around a node, not of the smallest."""
    bad = []
    for number in some(range(12), 3):
        chance, section = random.Random(f"uneven {number}"), ("string", "beam")[number % 2]
        places = sorted([0.0, 1.0] + [chance.random() for _ in range(chance.choice((63, 127)))])
        scene, record = os.path.join(here, "uneven.yaml"), os.path.join(here, "uneven.h5")
        with open(scene, "w", encoding="utf-8") as file:
            file.write(UNEVEN.format(section=section, nodes=", ".join(map(repr, places)), force=3 if number % 2 else 1,
                                     stiffness="bending" if number % 2 else "tension"))
        done = thud("run", scene, "-o", record, "--force", cwd=here)
        judged = thud("verify", record, cwd=here)
        if done.returncode != 0 or judged.returncode != 0:
            bad.append(f"{section} {number}: {done.stdout}{judged.stdout}")
    report("lines of very uneven cells are verified", not bad, "\n".join(bad[:3]))


def main():
    scenes, changes = (int(sys.argv[1]), int(sys.argv[2])) if len(sys.argv) > 2 else (60, 2)
    seed = sys.argv[3] if len(sys.argv) > 3 else "1"
    with folder() as here:
        bad, all_found, missed = [], 0, []
        for number in some(range(scenes), 3):
            record, good, text = make_record(here, number, random.Random(f"{seed} {number}"))
            if not good:
                bad.append(text)
            elif number % 6 == 0 and "record:" not in text:  # thinned records: variation is an inequality there
                results = test_tamper.tamper_with(record, changes, f"{seed} {number}")
                all_found += sum(1 for _, seen, hit, _ in results if seen or hit)
                missed += [f"scene {number}: {what}" for path, seen, _, what in results
                           if test_tamper.is_motion(path) and seen is False]
        report(f"{scenes} random strings and beams are verified", not bad, "\n".join(bad[:3]))
        report(f"{all_found} changed numbers are found", not missed and all_found > 20, "\n".join(missed))
        check_uneven(here)
    end()


if __name__ == "__main__":
    main()
