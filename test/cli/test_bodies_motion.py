"""Motions of rigid bodies whose outcome is known: Euler's disc, tippe top, rattleback, dominoes, hourglass, the collapse of
a column. Each example is run at coarse steps, its physics is measured, and thud verify accepts the record."""
import csv
import io
import math
import pathlib

from thudcli import close, end, example, folder, report, thud, thud_json

G = 9.81


def run(here, name, record="motion", **settings):
    """The result of an example with changed settings (`__` of a key stands for `.`), and its rows as numbers."""
    changes = [f"--set={key.replace('__', '.')}={value}" for key, value in settings.items()]
    result = thud_json("run", example(f"bodies/{name}"), "--force", "-o", f"{record}.h5", *changes, cwd=here)
    return result, rows(here, record)


def rows(here, record, channels="t,position,rotation,spin"):
    done = thud("export", f"{record}.h5", "--no-units", "--channels", channels, cwd=here)
    if done.returncode:
        raise AssertionError(done.stderr)
    return [{key: float(value) for key, value in row.items()} for row in csv.DictReader(io.StringIO(done.stdout))]


def planar_rows(here, record):
    return rows(here, record, "t,position,angle")


def verified(here, name, record="motion"):
    done = thud("verify", f"{record}.h5", cwd=here)
    report(f"{name}: thud verify accepts it", done.returncode == 0, done.stdout[-1500:] + done.stderr)


def axis(row, body):
    """The z axis of the body's frame."""
    w, x, y, z = (row[f"{body}.q{c}"] for c in "wxyz")
    return 2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)


def first_time(series, is_there):
    return next((t for t, value in series if is_there(value)), None)


def crossing(series, level):
    """When a falling series passes the level, by straight lines."""
    for (t0, a0), (t1, a1) in zip(series, series[1:]):
        if a1 < level <= a0:
            return t0 + (a0 - level) / (a0 - a1) * (t1 - t0)
    return None


def slope(points):
    """Of the straight line through the points, by least squares."""
    n, t, c = len(points), sum(p[0] for p in points), sum(p[1] for p in points)
    return (n * sum(p[0] * p[1] for p in points) - t * c) / (n * sum(p[0] ** 2 for p in points) - t * t)


def numbers(name, values):
    print(f"# {name}: " + ", ".join(f"{value:.6g}" for value in values))


def disc_without_rolling_friction(here):
    R, b, a = 0.0375, 0.0015, 0.1
    A, C, s, c = R * R / 4 + b * b / 3, R * R / 2, math.sin(a), math.cos(a)
    omega = math.sqrt(G * (R * c - b * s) / (s * (A * c - C * b / R * s)))
    energy = 1.5 * 0.1 * G * R * s  # of a thin disc, above the one that lies flat
    lost, rates = [], []
    for h in (0.0005, 0.00025):
        result, frames = run(here, "eulers-disc", rolling=0, simulate__step=h, simulate__end=1)
        ledger = result["ledger"]
        report(f"disc without rolling friction, h = {h}: it sticks", abs(ledger["friction_loss"]) < 1e-6 * energy, ledger)
        lost.append((ledger["contact_loss"] + ledger["impact_loss"]) / energy)
        turned, last = 0, 0
        for row in frames:
            angle = math.atan2(*reversed(axis(row, "disc")[:2]))
            turned += (angle - last + math.pi) % (2 * math.pi) - math.pi
            last = angle
        rates.append(turned / frames[-1]["t"])
        tilt = math.acos(axis(frames[-1], "disc")[2])
        close(f"disc without rolling friction, h = {h}: the tilt stays", tilt, a, 30 * h * a)
    verified(here, "disc without rolling friction")
    numbers("disc without rolling friction: part of the energy lost", lost)
    numbers(f"disc without rolling friction: precession, {omega:.6g} rad/s", rates)
    report("disc without rolling friction: losses go to 0 with the step",
           0 <= lost[1] < lost[0] / 3 and lost[0] < 0.01, lost)
    close("disc without rolling friction: precession", rates[1], omega, 0.01 * omega)


def disc_with_rolling_friction(here):
    # sqrt(tilt) falls as a straight line to 0 at T; the tilt is a tenth of the first one at T (1 - sqrt(0.1))
    T = 1.5 * 0.0375 / 0.001 * math.sqrt(0.0375 * 0.1 / G)
    times = []
    for h in (0.001, 0.0005, 0.00025):
        result, frames = run(here, "eulers-disc", simulate__step=h, record__every=0.001)
        times.append(crossing([(row["t"], math.acos(min(1, axis(row, "disc")[2]))) for row in frames], 0.01))
        report(f"disc with rolling friction, h = {h}: it has stopped", result["ledger"]["kinetic"] < 1e-12, result["ledger"])
    report("disc with rolling friction: verdict", result["verdict"] == "good", result["verdict"])
    verified(here, "disc with rolling friction")
    numbers(f"disc with rolling friction: tilt 0.01 at, theory {T * (1 - math.sqrt(0.1)):.6g} s", times)
    report("disc with rolling friction: the time converges", abs(times[2] - times[1]) < abs(times[1] - times[0]) / 3, times)
    close("disc with rolling friction: the time of a thin, flat disc", times[2], T * (1 - math.sqrt(0.1)), 0.005 * T)


def jellett(row):
    """Angular momentum along the line from the centre of mass to the contact, which friction there cannot change."""
    n, w = axis(row, "top"), [row[f"top.w{c}"] for c in "xyz"]
    along = sum(p * q for p, q in zip(n, w))
    L = [8e-7 * w[k] + (7e-7 - 8e-7) * along * n[k] for k in range(3)]
    lever = [0.003 * n[k] - (0.015 if k == 2 else 0) for k in range(3)]
    return sum(p * q for p, q in zip(L, lever))


def tippe_top(here):
    at_one = []
    for h in (0.0004, 0.0002, 0.0001):
        result, frames = run(here, "tippe-top", simulate__step=h)
        upright = [axis(row, "top")[2] for row in frames]
        at_one.append(upright[100])
        drift = max(abs(jellett(row) / jellett(frames[0]) - 1) for row in frames)
        report(f"tippe top, h = {h}: Jellett's integral", drift < 10 * h, drift)
    report("tippe top with friction: it inverts", upright[0] > 0.99 and upright[-1] < -0.7, (upright[0], upright[-1]))
    report("tippe top with friction: verdict", result["verdict"] == "good", result["verdict"])
    report("tippe top with friction: the centre of mass rises by what the energy pays",
           frames[-1]["top.z"] > 0.0169 and result["ledger"]["friction_loss"] > 0.005, result["ledger"])
    numbers("tippe top with friction: cosine of the tilt at 1 s", at_one)
    report("tippe top with friction: it converges", abs(at_one[2] - at_one[1]) < 0.75 * abs(at_one[1] - at_one[0]), at_one)
    verified(here, "tippe top")
    result, frames = run(here, "tippe-top", mu=0)
    upright = [axis(row, "top")[2] for row in frames]
    report("tippe top without friction: it stays upright", min(upright) > 0.99, min(upright))


def rattleback(here):
    turns = []
    for h in (0.0005, 0.00025):
        result, frames = run(here, "rattleback", simulate__step=h)
        turns.append(first_time([(row["t"], row["stone.wz"]) for row in frames], lambda w: w > 0))
    numbers("rattleback: turns back at", turns)
    report("rattleback: spun one way it turns back", None not in turns and all(4.4 < t < 5 for t in turns), turns)
    report("rattleback: in the end it spins as fast the other way", 4.5 < frames[-1]["stone.wz"] < 5.3,
           frames[-1]["stone.wz"])
    ledger = result["ledger"]
    report("rattleback: it rolls", abs(ledger["friction_loss"]) < 1e-3 * 0.02125, ledger)
    verified(here, "rattleback")
    _, frames = run(here, "rattleback", simulate__step=0.0005, direction=1)
    least = min(row["stone.wz"] for row in frames)
    report("rattleback: spun the other way it goes on", least > 4.9, least)


def dominoes(here):
    speeds = []
    for h in (0.002, 0.001, 0.0005):
        result = thud_json("run", example("bodies/dominoes"), "--force", "-o", "motion.h5", f"--set=simulate.step={h}",
                           "--set=simulate.end=1.05", "--set=record.every=0.002", cwd=here)
        frames = planar_rows(here, "motion")
        at = {k: crossing([(row["t"], row[f"stone-{k}.angle"]) for row in frames], -0.1) for k in (10, 15, 25)}
        speeds.append(15 * 0.024 / (at[25] - at[10]))
        steady = 10 * 0.024 / (at[25] - at[15])
    report("dominoes: verdict", result["verdict"] == "good", result["verdict"])
    numbers("dominoes: speed of the wave, m/s", speeds)
    close("dominoes: the wave is steady", steady, speeds[-1], 0.01 * steady)
    report("dominoes: the speed converges", abs(speeds[2] - speeds[1]) < 0.7 * abs(speeds[1] - speeds[0]) < 0.01, speeds)
    verified(here, "dominoes")
    thud_json("run", example("bodies/dominoes"), "--force", "-o", "motion.h5", cwd=here)
    last = rows(here, "motion", "t,angle,spin")[-1]
    tilts = [abs(last[f"{name}.angle"]) for name in ["first", *(f"stone-{k}" for k in range(1, 40))]]
    fastest = max(abs(value) for name, value in last.items() if name.endswith(".w"))
    report("dominoes: in the end all forty lie, the last one flat and the others on their neighbours",
           all(1.2 < tilt < 1.6 for tilt in tilts) and abs(tilts[-1] - math.pi / 2) < 1e-3 and fastest < 1e-3, (tilts, fastest))


def flow(frames, grains, part):
    """Grains per second while the share of those that are through is within `part`."""
    names = [key for key in frames[0] if key.startswith("grain-") and key.endswith(".y")]
    through = [(row["t"], sum(row[name] < -0.02 for name in names)) for row in frames]
    return slope([p for p in through if part[0] * grains <= p[1] <= part[1] * grains])


def hourglass(here):
    grains, rates = 300, []
    for h, opening in ((0.002, "7*d"), (0.001, "7*d"), (0.002, "5.5*d")):
        result = thud_json("run", example("bodies/hourglass"), "--force", "-o", "motion.h5", f"--set=simulate.step={h}",
                           "--set=simulate.end=1.6", f"--set=grains={grains}", f"--set=D={opening}", cwd=here)
        report(f"hourglass, h = {h}, D = {opening}: verdict", result["verdict"] == "good", result["reason"])
        rates.append(flow(planar_rows(here, "motion"), grains, (0.2, 0.8)))
        if h == 0.001:
            verified(here, "hourglass")
    numbers("hourglass: grains per second", rates)
    # 300 grains scatter by about a tenth
    close("hourglass: the rate does not depend on the step", rates[0], rates[1], 0.15 * rates[1])
    beverloo = 0.8 / (math.pi / 4 * 0.01 ** 2) * math.sqrt(G) * (0.07 - 1.4 * 0.01) ** 1.5
    close("hourglass: Beverloo's law with C = 1, k = 1.4", rates[1], beverloo, 0.25 * beverloo)
    narrower = ((5.5 - 1.4) / (7 - 1.4)) ** 1.5
    close("hourglass: less runs through a narrower neck", rates[2] / rates[0], narrower, 0.2)


def heap_radius(points, d):
    """Mean over eight sectors of how far the heap reaches that hangs together around the axis."""
    cells = {}
    for i, p in enumerate(points):
        cells.setdefault(tuple(math.floor(c / (1.2 * d)) for c in p), []).append(i)
    start = min(range(len(points)), key=lambda i: math.hypot(*points[i][:2]))
    seen, todo = {start}, [start]
    while todo:
        i = todo.pop()
        at = tuple(math.floor(c / (1.2 * d)) for c in points[i])
        near = [j for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1)
                for j in cells.get((at[0] + x, at[1] + y, at[2] + z), ())]
        for j in near:
            if j not in seen and math.dist(points[i], points[j]) < 1.15 * d:
                seen.add(j)
                todo.append(j)
    reach = [0.0] * 8
    for i in seen:
        sector = int((math.atan2(points[i][1], points[i][0]) + math.pi) / (math.pi / 4)) % 8
        reach[sector] = max(reach[sector], math.hypot(*points[i][:2]) + d / 2)
    return sum(reach) / 8


def column(here):
    result = thud_json("run", example("bodies/column-collapse"), "--force", "-o", "motion.h5", "--set=grains=300",
                       "--set=release=0.3", "--set=simulate.end=0.9", "--set=simulate.step=0.003", cwd=here)
    frames = rows(here, "motion", "t,position")
    names = sorted({key[:-2] for key in frames[0] if key.startswith("grain-")})
    def places(row):
        return [tuple(row[f"{name}.{c}"] for c in "xyz") for name in names]
    before = min(frames, key=lambda row: abs(row["t"] - 0.3))
    a = 2 * sum(p[2] for p in places(before)) / len(names) / 0.05  # twice the height of the middle over the radius
    spread = (heap_radius(places(frames[-1]), 0.01) - 0.05) / 0.05
    print(f"# column: a = {a:.4g}, runout {spread:.4g}, Lube et al. 1.24 a = {1.24 * a:.4g}")
    report("column: verdict", result["verdict"] == "good", result["reason"])
    report("column: it runs out about as far as measured ones", 0.5 * 1.24 * a < spread < 1.5 * 1.24 * a, (a, spread))
    verified(here, "column")


with folder() as here:
    here = pathlib.Path(here)
    disc_without_rolling_friction(here)
    disc_with_rolling_friction(here)
    tippe_top(here)
    rattleback(here)
    dominoes(here)
    hourglass(here)
    column(here)
end()
