"""No blind spot: one changed number anywhere in a record is found by thud verify.

Seeded: of every dataset of the records below some numbers are changed, each in a copy of its own (test/tamper): reals by
1e-3 to 1e-6 of their size, whole numbers by 1, numbers in texts likewise. `test_tamper.py RECORDS CHANGES [SEED]` reports
a table found/changed per dataset for more records and changes: there some are not found, namely coefficients whose part of
the motion is below the arc's bound of the defect, and bounds that only the run knows (docs/verification.md).
"""
import collections
import concurrent.futures
import os
import random
import subprocess
import sys

from thudcli import PROGRAM, ROOT, end, example, folder, report, thud

TAMPER = os.environ.get("THUD_TAMPER") or str(ROOT / "build" / "release" / "test" / "record_tamper")
# Scene, method, number of steps (0: of the scene).
RECORDS = (("bouncing-ball", "moreau-jean", 200), ("brick-on-incline", "event-driven", 0),
           ("translating-ball", "catching-up", 100), ("block-on-belt", "moreau", 4000),
           ("event-driven/slip-to-roll", "event-driven", 0), ("dynamics/double-pendulum", "event-driven", 0),
           ("jump", "catching-up", 0), ("friction/chain", "implicit", 100),
           ("dynamics/oblique-impact", "event-driven", 0), ("dynamics/newton-cradle", "second-order", 300),
           ("event-driven/bouncing-ball", "event-driven", 0), ("dynamics/kane-pendulum", "event-driven", 0),
           ("dynamics/rocking-block", "stabilised", 200), ("dynamics/mabrouk", "mabrouk", 0),
           ("regularised-ball", "regularised", 0), ("dynamics/woodpecker", "event-driven", 0),
           ("dynamics/percussion", "event-driven", 0), ("dynamics/regularised-impact", "regularised", 400),
           ("event-driven/two-springs", "event-driven", 0), ("plasticity", "catching-up", 100),
           ("event-driven/orthotropic-slider", "event-driven", 0), ("event-driven/lens-friction", "event-driven", 0))

# Numbers that a sample may miss: scene, method, steps, path, index of the number.
PLACES = (("brick-on-incline", "event-driven", 0, "/frames/data/order", 2),   # of the last frame, which has no arc
          ("brick-on-incline", "event-driven", 0, "/summary", 10),            # switches
          ("brick-on-incline", "event-driven", 0, "/summary", 25),            # unexamined_modes
          ("friction/chain", "implicit", 100, "/summary", 14),                # defect_part
          ("jump", "catching-up", 0, "/frames/data/atom", 10),                # of a left limit
          ("jump", "catching-up", 0, "/frames/data/atom", 12))                # of a right limit where nothing moves


def targets_of(record):
    """(path, kind, count) of everything that has numbers. What a reader needs to read at all (attributes), and the states
    for --resume, are not what a motion is judged by."""
    listed = subprocess.run([TAMPER, record], capture_output=True, text=True, check=True).stdout.splitlines()
    rows = [line.split("\t") for line in listed]
    return [(path, kind, int(count)) for path, kind, count in rows
            if int(count) > 0 and "@" not in path and not path.startswith("/checkpoints")]


def is_found(record, number, target, chance):
    """Changes one number; None: nothing was changed."""
    path, kind, count = target
    index, part = chance.randrange(count), 10 ** chance.uniform(-6, -3) * chance.choice((-1, 1))
    return change(record, number, path, index, count, part)


def change(record, number, path, index, count, part):
    copy = f"{record}.{number}"
    done = subprocess.run([TAMPER, record, copy, path, str(index), repr(part)], capture_output=True, text=True)
    if done.returncode != 0:
        return None, f"{path}[{index}]: {done.stderr}"
    verdict = subprocess.run([PROGRAM, "verify", copy], capture_output=True, text=True)
    os.unlink(copy)
    return verdict.returncode != 0, f"{path}[{index}] of {count} by {part:.3g} ({done.stdout.strip()})"


def tamper_with(record, changes, seed):
    """(path, found, what) of every change."""
    jobs = [(target, random.Random(f"{seed} {target[0]} {k}")) for target in targets_of(record) for k in range(changes)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(lambda job: is_found(record, job[0], job[1][0], job[1][1]), enumerate(jobs))
        return [(job[0][0], *result) for job, result in zip(jobs, results)]


def make_record(here, number, scene, method, steps):
    """The record and whether its run and verify are good."""
    record = os.path.join(here, f"{number}.h5")
    sets = ["--set", f"simulate.method={method}"] + (["--set", f"simulate.steps={steps}"] if steps else [])
    done = thud("run", example(scene), *sets, "-o", record, "--force", cwd=here)
    good = done.returncode == 0 and thud("verify", record, cwd=here).returncode == 0
    return record, report(f"{scene} by {method} is verified", good, done.stdout + done.stderr)


def main():
    count, changes = (int(sys.argv[1]), int(sys.argv[2])) if len(sys.argv) > 2 else (7, 1)
    seed = sys.argv[3] if len(sys.argv) > 3 else "1"
    found, total = collections.Counter(), collections.Counter()
    with folder() as here:
        for number, (scene, method, steps) in enumerate(RECORDS[:count]):
            record, good = make_record(here, number, scene, method, steps)
            if not good:
                continue
            results = tamper_with(record, changes, f"{seed} {scene}")
            missed = [what for _, hit, what in results if not hit]
            for path, hit, _ in results:
                total[path] += 1
                found[path] += bool(hit)
            report(f"{scene} by {method}: {len(results)} changed numbers are found", not missed, "\n".join(missed))
        for scene, method, steps, path, index in PLACES if len(sys.argv) <= 2 else ():
            record, _ = make_record(here, "place", scene, method, steps)
            hit, what = change(record, 0, path, index, index + 1, 1e-3)
            report(f"{scene} by {method}: {path}[{index}] is found", hit, what)
    if len(sys.argv) > 2:
        for path in sorted(total):
            print(f"{path:36}{found[path]:5} of {total[path]:5}")
        print(f"{'all':36}{sum(found.values()):5} of {sum(total.values()):5}")
    end()


if __name__ == "__main__":
    main()
