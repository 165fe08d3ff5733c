"""No blind spot: one changed number anywhere in a record is found by thud verify.

Seeded: of every dataset of the records below some numbers are changed, each in a copy of its own (test/tamper): reals by
1e-3 to 1e-6 of their size, whole numbers by 1, numbers in texts likewise. Two things are counted: what the checks of the
motion find, as if the record had no seal ("physics"), and what is found in all; the latter also of attributes, checkpoints
and the seal itself. `test_tamper.py RECORDS CHANGES [SEED]` reports a table per dataset for more records and changes: there
the checks of the motion do not find some, namely numbers at the level of rounding (docs/verification.md).
"""
import collections
import concurrent.futures
import json
import os
import random
import subprocess
import sys

from thudcli import PROGRAM, ROOT, end, example, folder, report, some, thud

TAMPER = os.environ.get("THUD_TAMPER") or str(ROOT / "build" / "release" / "test" / "record_tamper")
# Scene, method ("": the only one), number of steps (0: of the scene).
RECORDS = (("bouncing-ball", "moreau-jean", 200), ("brick-on-incline", "event-driven", 0),
           ("translating-ball", "catching-up", 100), ("block-on-belt", "moreau", 4000),
           ("event-driven/thrown-sphere", "event-driven", 0), ("dynamics/double-pendulum", "event-driven", 0),
           ("jump", "catching-up", 0), ("bodies/slip-to-roll", "", 0), ("friction/chain", "implicit", 100),
           ("dynamics/oblique-impact", "event-driven", 0), ("dynamics/newton-cradle", "second-order", 300),
           ("event-driven/bouncing-ball-to-rest", "event-driven", 0), ("dynamics/kane-pendulum", "event-driven", 0),
           ("brick-on-incline", "stabilised", 200), ("dynamics/mabrouk", "mabrouk", 0),
           ("regularised-ball", "regularised", 0), ("dynamics/woodpecker", "event-driven", 0),
           ("dynamics/percussion", "event-driven", 0), ("dynamics/regularised-impact", "regularised", 400),
           ("event-driven/two-springs", "event-driven", 0), ("plasticity", "catching-up", 100),
           ("event-driven/orthotropic-slider", "event-driven", 0), ("event-driven/lens-friction", "event-driven", 0),
           ("event-driven/four-bars", "event-driven", 0))

ATTRIBUTES = 6  # that are changed, of every record

# Numbers that a sample may miss: scene, method, steps, path, index of the number, what is said of it.
PLACES = (("brick-on-incline", "event-driven", 0, "/frames/data/order", 2, ""),   # of the last frame, which has no arc
          ("brick-on-incline", "event-driven", 0, "/summary", 10, '"order"'),
          ("brick-on-incline", "event-driven", 0, "/summary", 16, '"assumed_arcs"'),
          ("friction/chain", "implicit", 100, "/summary", 14, '"defect_part"'),
          ("jump", "catching-up", 0, "/frames/data/atom", 10, ""),                # of a left limit
          ("jump", "catching-up", 0, "/frames/data/atom", 12, ""))                # of a right limit where nothing moves


def targets_of(record):
    """(path, kind, count) of everything that has numbers."""
    listed = subprocess.run([TAMPER, record], capture_output=True, text=True, check=True).stdout.splitlines()
    rows = [line.split("\t") for line in listed]
    return [(path, kind, int(count)) for path, kind, count in rows if int(count) > 0]


def is_motion(path):
    """What a motion is judged by: not what a reader needs to read at all (attributes), states for --resume, the seal,
    the text of the scene for people."""
    return "@" not in path and not path.startswith(("/checkpoints", "/seal", "/source"))


def is_found(record, number, target, chance):
    """Changes one number; None: nothing was changed."""
    path, kind, count = target
    index, part = chance.randrange(count), 10 ** chance.uniform(-6, -3) * chance.choice((-1, 1))
    return change(record, number, path, index, count, part)


def change(record, number, path, index, count, part):
    """(found by the checks of the motion, found at all, what was changed)."""
    copy = f"{record}.{number}"
    done = subprocess.run([TAMPER, record, copy, path, str(index), repr(part)], capture_output=True, text=True)
    if done.returncode != 0:
        return None, None, f"{path}[{index}]: {done.stderr}"
    verdict = subprocess.run([PROGRAM, "verify", "--json", copy], capture_output=True, text=True)
    os.unlink(copy)
    checks = json.loads(verdict.stdout)["checks"] if verdict.returncode == 1 else []
    seen = verdict.returncode not in (0, 1) or any(
        check["status"] in ("failed", "not checkable", "incomplete") and check["name"] != "seal" for check in checks)
    return seen, verdict.returncode != 0, f"{path}[{index}] of {count} by {part:.3g} ({done.stdout.strip()})"


def tamper_with(record, changes, seed):
    """(path, found by the checks of the motion, found, what) of every change; of attributes a sample."""
    targets = targets_of(record)
    attributes = [target for target in targets if "@" in target[0]]
    sample = random.Random(f"{seed} attributes").sample(attributes, min(len(attributes), ATTRIBUTES * changes))
    jobs = [(target, random.Random(f"{seed} {target[0]} {k}")) for target in targets for k in range(changes)
            if "@" not in target[0]] + [(target, random.Random(f"{seed} {target[0]}")) for target in sample]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(lambda job: is_found(record, job[0], job[1][0], job[1][1]), enumerate(jobs))
        return [(job[0][0], *result) for job, result in zip(jobs, results)]


def missed(results):
    """What the checks of the motion do not find, and what nothing finds."""
    return ([what for path, seen, _, what in results if is_motion(path) and not seen],
            [what for _, _, hit, what in results if not hit])


class Table:
    """Counts per dataset; attributes are one line."""

    def __init__(self):
        self.seen, self.found, self.total = collections.Counter(), collections.Counter(), collections.Counter()

    def add(self, results):
        for path, seen, hit, _ in results:
            name = "attributes" if "@" in path else path
            self.total[name] += 1
            self.seen[name] += bool(seen)
            self.found[name] += bool(hit)

    def show(self):
        print(f"# {'':36}{'physics':>8}{'all':>8}{'of':>8}")
        for path in sorted(self.total):
            seen = self.seen[path] if is_motion(path) and path != "attributes" else "-"
            print(f"# {path:36}{seen:>8}{self.found[path]:>8}{self.total[path]:>8}")
        motion = [path for path in self.total if is_motion(path) and path != "attributes"]
        print(f"# {'of the motion':36}{sum(self.seen[p] for p in motion):>8}{sum(self.found[p] for p in motion):>8}"
              f"{sum(self.total[p] for p in motion):>8}")
        print(f"# {'everything':36}{'':>8}{sum(self.found.values()):>8}{sum(self.total.values()):>8}")


def make_record(here, number, scene, method, steps):
    """The record and whether its run and verify are good."""
    record = os.path.join(here, f"{number}.h5")
    sets = (["--set", f"simulate.method={method}"] if method else []) + (["--set", f"simulate.steps={steps}"] if steps else [])
    done = thud("run", example(scene), *sets, "-o", record, "--force", cwd=here)
    good = done.returncode == 0 and thud("verify", record, cwd=here).returncode == 0
    return record, report(f"{scene} by {method} is verified", good, done.stdout + done.stderr)


def main():
    by_hand = len(sys.argv) > 2
    count, changes = (int(sys.argv[1]), int(sys.argv[2])) if by_hand else (8, 1)
    seed, table = sys.argv[3] if len(sys.argv) > 3 else "1", Table()
    with folder() as here:
        for number, (scene, method, steps) in some(enumerate(RECORDS[:count]), 1 if by_hand else 3):
            record, good = make_record(here, number, scene, method, steps)
            if not good:
                continue
            results = tamper_with(record, changes, f"{seed} {scene}")
            unseen, unfound = missed(results)
            table.add(results)
            report(f"{scene} by {method}: {len(results)} changed numbers are found", not unfound, "\n".join(unfound))
            report(f"{scene} by {method}: those of the motion by its checks", not unseen or by_hand, "\n".join(unseen))
            for what in unseen if by_hand else ():
                print(f"# by the seal alone: {what}", flush=True)
        for scene, method, steps, path, index, what in PLACES if not by_hand else ():
            record, _ = make_record(here, "place", scene, method, steps)
            seen, _, said = change(record, 0, path, index, index + 1, 1e-3)
            report(f"{scene} by {method}: {path}[{index}] is found", seen and what in said, said)
    if by_hand:
        table.show()
    end()


if __name__ == "__main__":
    main()
