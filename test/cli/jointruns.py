"""Runs of examples/joints with changed settings, and what is read from their records."""
import csv
import io
import json
import math
import pathlib

from thudcli import example, report, thud, thud_json


def run(here, name, record="motion", **settings):
    """Rows of an example, or of a scene by its path, with changed settings (`__` of a key stands for `.`)."""
    changes = [f"--set={key.replace('__', '.')}={value}" for key, value in settings.items()]
    scene = name if isinstance(name, pathlib.Path) else example(f"joints/{name}")
    thud_json("run", scene, "--force", "-o", f"{record}.h5", *changes, cwd=here)
    return rows(here, record)


def rows(here, record="motion"):
    names = "t,position,rotation,velocity,spin,joint_force,joint_moment,joint_gap,ledger"
    done = thud("export", f"{record}.h5", "--no-units", "--channels", names.replace("rotation", rotation(here, record)), cwd=here)
    if done.returncode:
        raise AssertionError(done.stderr)
    return [{key: float(value) for key, value in row.items()} for row in csv.DictReader(io.StringIO(done.stdout))]


def rotation(here, record):
    return "angle" if '"angle"' in json.dumps(thud_json("info", f"{record}.h5", cwd=here)) else "rotation"


def at(found, t):
    return min(found, key=lambda row: abs(row["t"] - t))


def verified(here, name, record="motion"):
    done = thud("verify", f"{record}.h5", cwd=here)
    report(f"{name}: thud verify accepts it", done.returncode == 0, done.stdout[-1500:] + done.stderr)


def second_order(name, errors, largest):
    """errors[k] at steps h/2^k."""
    order = math.log2(errors[0] / errors[-1]) / (len(errors) - 1)
    report(f"{name}: errors {', '.join(f'{e:.2g}' for e in errors)} are of second order", order > 1.7, f"order {order}")
    report(f"{name}: the smallest step errs by at most {largest:g}", errors[-1] <= largest, errors)


def turned(angle):
    return (angle + math.pi) % (2 * math.pi) - math.pi


def distance(row, body, place, keys="xyz"):
    return math.dist([row[f"{body}.{k}"] for k in keys[:len(place)]], place)
