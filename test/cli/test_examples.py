"""Every shipped example against its closed form, through the program; the schema accepts them all."""
import math
import pathlib

from thudcli import ROOT, close, end, example, folder, report, skipped, thud, thud_json

with folder() as here:
    # S1: catching-up with n steps gives rho0 cos(T/n)^n along the segment.
    result = thud_json("run", example("rotating-segment"), cwd=here)
    t, n, rho0 = 1.5, 300, 0.75
    x, y = result["state"]["x"], result["state"]["y"]
    close("S1 radius is rho0 cos(T/n)^n", x * math.cos(t) + y * math.sin(t), rho0 * math.cos(t / n) ** n, 1e-13)
    close("S1 stays on the segment", -x * math.sin(t) + y * math.cos(t), 0, 1e-13)
    true_error = rho0 * (1 - math.cos(t / n) ** n)
    close("S1 error estimate is within 1 % of the truth", result["error_estimate"] / true_error, 1, 0.01)
    close("S1 observed order is 1", result["refinement"][-1]["order"], 1, 0.02)
    report("S1 verdict", result["verdict"] == "good" and result["residual"] < 1e-13, result)

    # S2: closed form after the contact at sqrt(3)/2, error of first order.
    def exact(t):
        start = math.sqrt(3) / 2
        if t <= start:
            return 0.0, 0.5
        theta = 2 * math.atan(math.tan(math.pi / 12) * math.exp(-(t - start)))
        return t - math.cos(theta), math.sin(theta)

    errors = []
    for steps in (300, 600, 1200, 2400):
        result = thud_json("run", example("translating-ball"), "--no-record", "--set", f"simulate.steps={steps}",
                           "--at", "0.5,1,2,3", cwd=here)
        errors.append(max(math.dist((s["state"]["x"], s["state"]["y"]), exact(s["t"])) for s in result["samples"]))
    orders = [math.log2(a / b) for a, b in zip(errors, errors[1:])]
    print(f"# S2 errors {errors}, orders {orders}")
    report("S2 converges with order 1 over three octaves", all(abs(p - 1) < 0.1 for p in orders), orders)
    report("S2 error at 2400 steps", errors[-1] < 1.3e-4, errors)

    # S3: one projection at the jump.
    result = thud_json("run", example("jump"), "--at", "1", cwd=here)
    length = math.hypot(3, 0.5)
    close("S3 x after the jump", result["samples"][0]["state"]["x"], 3 - 3 / length, 1e-15)
    close("S3 y after the jump", result["samples"][0]["state"]["y"], 0.5 / length, 1e-15)
    report("S3 left limit", result["samples_left"][0]["state"] == {"x": 0, "y": 0.5}, result["samples_left"])
    event = result["events"][0]
    report("S3 one event", result["events_total"] == 1 and event["t"] == 1 and event["kind"] == "jump", result)
    close("S3 impulse", event["impulse"]["x"], 3 - 3 / length, 1e-15)

    # Play: after the first turn u lags by r; at t = 4 pi it rests where the upper edge left it, at -(1 - r) + ... = -r.
    result = thud_json("run", example("play"), "--at", f"{math.pi / 2},{3 * math.pi / 2},{4 * math.pi}", cwd=here)
    values = [s["state"]["u"] for s in result["samples"]]
    close("play at the first crest: a - r", values[0], 0.6, 1e-5)
    close("play at the first trough: r - a", values[1], -0.6, 1e-5)
    close("play at 4 pi: the lower edge drags it to -r", values[2], -0.4, 1e-12)
    close("play: variation 0.6 + 1.2 + 1.2 + 1.2 + 0.2", result["variation"], 4.4, 2e-5)

    # C4: both signs of theta.
    for theta in (-1.2, -math.pi / 6, -0.1, 0.0, 0.4, 1.5):
        result = thud_json("run", example("wedge"), "--no-record", "--set", f"theta={theta!r}", "--set", "w=2", cwd=here)
        s, c = math.sin(theta), math.cos(theta)
        expected = (2 * s * s, -2 * s * c) if theta < 0 else (0, 0)
        got = (result["state"]["v1"], result["state"]["v2"])
        report(f"C4 theta = {theta:.3g}", math.dist(got, expected) < 1e-14, (got, expected))

    # Yosida: the point trails the wall by lambda times its speed, first order in lambda.
    x, y = exact(3)
    errors = []
    for lam in (0.04, 0.02, 0.01):
        state = thud_json("run", example("regularised-ball"), "--no-record", "--set", f"simulate.lambda={lam}",
                          cwd=here)["state"]
        errors.append(math.dist((state["x"], state["y"]), (x, y)))
    orders = [math.log2(a / b) for a, b in zip(errors, errors[1:])]
    report("regularised ball: order 1 in lambda", all(abs(p - 1) < 0.05 for p in orders), (errors, orders))

    # Plasticity: the stress never leaves the yield set (disc of radius 1 cut by |s2| <= 0.6).
    times = [0.1 * k for k in range(41)]
    result = thud_json("run", example("plasticity"), "--at", ",".join(map(str, times)), cwd=here)
    worst = 0
    for sample in result["samples"]:
        t = sample["t"]
        e1, e2 = math.sin(t) + (0.4 if t >= 1 else 0), 0.3 * t
        s1 = sample["state"]["u1"] + 2 * e1 + 0.5 * e2
        s2 = sample["state"]["u2"] + 0.5 * e1 + e2
        worst = max(worst, math.hypot(s1, s2) - 1, abs(s2) - 0.6)
    report("plasticity: stresses stay in the yield set", worst < 1e-9 and result["verdict"] == "good", worst)
    report("plasticity: the jump of the loading is one event", [e["t"] for e in result["events"]] == [1], result["events"])

    # Hardening: with the stress s = su + E eps, |s - X| <= sy; while it flows upwards s - X = sy and, from
    # M du along the normal (1, -1): su' / E = -X' / H, hence X = H (E eps - sy)/(E + H) at t = 1.
    result = thud_json("run", example("hardening"), "--at", "1,3,5", cwd=here)
    E, H, sy, eps = 200, 50, 1, 0.02
    x1 = H * (E * eps - sy) / (E + H)
    at = {s["t"]: s["state"] for s in result["samples"]}
    close("hardening: back stress at the first crest", at[1]["X"], x1, 1e-12)
    close("hardening: stress at the first crest", at[1]["su"] + E * eps, sy + x1, 1e-12)
    close("hardening: back stress at the trough, by symmetry", at[3]["X"], -H * (E * eps - sy) / (E + H), 1e-12)
    report("hardening: kinks are not jumps", result["events_total"] == 0, result["events"])

    # A moving floor that jumps: u(1-) = 1, u(1) = 2, impulse 1, whatever the number of steps.
    floor = pathlib.Path(here, "floor.yaml")
    floor.write_text("thud: 1\ndata: {f: {breaks: [1], pieces: [t, t + 1]}}\n"
                     "sweeping: {coordinates: [u], set: {interval: {lower: f, upper: null}}}\n"
                     "initial: {u: 0}\nsimulate: {method: catching-up, end: 2, steps: 7}\n")
    result = thud_json("run", floor, "--at", "1", cwd=here)
    close("a floor that rises and jumps: left limit", result["samples_left"][0]["state"]["u"], 1, 1e-15)
    close("a floor that rises and jumps: right limit", result["samples"][0]["state"]["u"], 2, 1e-15)
    close("a floor that rises and jumps: impulse", result["events"][0]["impulse"]["u"], 1, 1e-15)

    # Bouncing ball: impacts at sqrt(2 h/g) (1, 1 + 2 e, 1 + 2 e + 2 e^2, ...), each with e times the speed; then rest.
    result = thud_json("run", example("bouncing-ball"), cwd=here)
    g, e, step = 9.81, 0.7, 3 / 6000
    fall, at = math.sqrt(2 / g), math.sqrt(2 / g)
    for k, event in enumerate(result["events"][:4]):
        close(f"bouncing ball: impact {k}", event["t"], at, 4 * step)
        close(f"bouncing ball: speed after impact {k}", event["after"]["z'"], g * fall * e ** (k + 1), 4 * g * step)
        at += 2 * fall * e ** (k + 1)
    ledger = result["ledger"]
    close("bouncing ball: all energy is lost", ledger["impact_loss"] + ledger["contact_loss"], 0.2 * g, 1e-4)
    report("bouncing ball: the balance of each step closes", ledger["identity"] < 1e-13, ledger)

    # Pendulum: rod and wall hold to rounding, the wall takes e times the normal speed, energy goes at impacts only.
    result = thud_json("run", example("pendulum-with-wall"), cwd=here)
    report("pendulum: nothing penetrates or stretches", result["penetration"] < 1e-14, result["penetration"])
    event = result["events"][0]
    close("pendulum: speed at the wall", event["before"]["x'"], -math.sqrt(2 * g * (math.sqrt(1 - 0.09) - 0.6)) *
          math.sqrt(1 - 0.09), 0.01)
    close("pendulum: rebound", event["after"]["x'"], -0.6 * event["before"]["x'"], 1e-12)

    # Brick: stops after v0/(g (sin th + mu cos th)) and stays.
    result = thud_json("run", example("brick-on-incline"), "--at", "0.2", cwd=here)
    slow = g * (math.sin(0.3) + 0.4 * math.cos(0.3))
    close("brick: slows down", result["samples"][0]["state"]["x'"], 2 - 0.2 * slow, 1e-12)
    close("brick: where it stops", result["state"]["x"], 4 / (2 * slow), 1e-5)
    report("brick: sticks exactly", result["state"]["x'"] == 0, result["state"])
    close("brick: energy", result["ledger"]["friction_loss"], 4 + result["ledger"]["work"], 1e-12)

    # Belt: takes the belt's speed at pi/6, is carried to x = 2, slides back as 2 + sin(t - t2); to rounding.
    result = thud_json("run", example("block-on-belt"), "--at", "0.25,1.5,7.5", cwd=here)
    t1, t2 = math.pi / 6, math.pi / 6 + math.sqrt(3)
    report("belt: sticks, then slips", [e["kind"] for e in result["events"]] == ["stick", "slip"], result["events"])
    close("belt: when it sticks", result["events"][0]["t"], t1, 1e-12)
    close("belt: when it slips", result["events"][1]["t"], t2, 1e-12)
    for sample, x in zip(result["samples"], (2 - 2 * math.cos(0.25), 2 - math.sqrt(3) + 1.5 - t1, 2 + math.sin(7.5 - t2))):
        close(f"belt: x({sample['t']})", sample["state"]["x"], x, 1e-12)

    try:
        import jsonschema
        import yaml
    except ImportError:
        skipped("examples follow the schema", "needs python3-jsonschema and python3-yaml: make deps-dev")
    else:
        import json
        schema = json.loads(thud("schema").stdout)
        jsonschema.Draft202012Validator.check_schema(schema)
        validator = jsonschema.Draft202012Validator(schema)
        folders = [ROOT / "examples" / name for name in ("", "bodies", "composed", "dynamics", "event-driven", "elastic", "friction", "quasistatic", "sweeping")]
        for path in sorted(path for place in folders for path in place.glob("*.yaml") if "\nthud: 1\n" in "\n" + path.read_text()):
            wrong = [error.message for error in validator.iter_errors(yaml.safe_load(path.read_text()))]
            report(f"{path.name} follows the schema", not wrong, "\n".join(wrong))
end()
