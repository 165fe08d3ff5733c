"""Rolling that holds while a contact does: landings against closed forms, the limit of large mu, both methods, tampering."""
import json
import pathlib
import random

from test_tamper import change, targets_of
from thudcli import ROOT, close, end, folder, report, some, thud

ROAD = ROOT / "examples" / "dynamics" / "rolls-and-flies.yaml"
SCHEMES = ("moreau-jean", "moreau", "implicit", "second-order", "stabilised")


def write(here, scene, name="scene.yaml"):
    path = pathlib.Path(here) / name
    path.write_text(json.dumps(scene))
    return path


def run(here, scene, *arguments):
    done = thud("run", scene, "-f", "-o", "a.h5", *arguments, "--json", cwd=here)
    if done.returncode not in (0, 1):
        raise AssertionError(done.stderr + done.stdout)
    return json.loads(done.stdout)


def verified(here, name):
    done = thud("verify", "a.h5", cwd=here)
    report(f"{name}: the record is verified", "verdict: good" in done.stdout, done.stdout)


def ball(e, method, **simulate):
    """A sphere of radius 1/2, J = 0.4 m r^2, thrown over a floor."""
    return {"thud": 1, "parameters": {"r": 0.5},
            "system": {"coordinates": ["x", "y", "z", "a", "b"], "potential_energy": "9.81*z",
                       "kinetic_energy": "0.5*(x'^2 + y'^2 + z'^2) + 0.2*r^2*(a'^2 + b'^2)",
                       "constraints": [{"name": "floor", "gap": "z - r", "restitution": e},
                                       {"name": "roll", "velocity_form": ["x' - r*b'", "y' + r*a'"], "while": "floor"}]},
            "initial": {"x": 0, "y": 0, "z": 1, "a": 0, "b": 0, "x'": 3, "y'": 1},
            "simulate": {"method": method, "end": 1.5, **simulate}}


def test_landing(here):
    """x+ = x- m r^2/(m r^2 + J) = 5/7 x-, whatever e; nothing acts in the air."""
    fall = (2 * 0.5 / 9.81) ** 0.5
    for e in (0, 0.5):
        for method in ("event-driven", *SCHEMES):
            steps = {} if method == "event-driven" else {"steps": 1000}
            result = run(here, write(here, ball(e, method, **steps)))
            state, exact = result["state"], 1e-12
            for name, expected in (("x'", 15 / 7), ("y'", 5 / 7), ("a'", -10 / 7), ("b'", 30 / 7)):
                close(f"{method}, e = {e}: {name} after the landing", state[name], expected, exact)
            close(f"{method}, e = {e}: x", state["x"], 3 * fall + 15 / 7 * (1.5 - fall), 1e-12 if method == "event-driven" else 3e-3)
            verified(here, f"{method}, e = {e}")


def coulomb(mu):
    scene = ROAD.read_text()
    law = "friction: {mu: " + repr(mu) + ", normal_scale: n, slip: [\"(x' + dh*y')/n + r*a'\"]}}"
    lines = [line for line in scene.splitlines() if "while: road" not in line]
    return "\n".join(lines).replace("gap: y - h}", "gap: y - h, " + law)


def test_large_mu(here):
    """Coulomb's law tends to it like 1/mu."""
    rolling = run(here, ROAD)
    verified(here, "the example")
    report("every arc is proved", rolling["proved_arcs"] == rolling["arcs"], (rolling["proved_arcs"], rolling["arcs"]))
    kinds = [(event["kind"], round(event["t"], 5)) for event in rolling["events"]]
    report("flights and landings", kinds == [("impact", 0.34281), ("open", 0.70636), ("impact", 1.18148), ("open", 1.64854)], kinds)
    errors = []
    for mu in (100, 1000, 10000):
        path = pathlib.Path(here) / "coulomb.yaml"
        path.write_text(coulomb(mu))
        errors.append(abs(run(here, path)["state"]["x"] - rolling["state"]["x"]))
    report("Coulomb's law comes nearer like 1/mu", all(9 < a / b < 11 for a, b in zip(errors, errors[1:])), errors)
    report("and is 5.8e-7 away at mu = 10000", errors[2] < 1e-6, errors)


def test_orders(here):
    """Between an impact and a take-off the schemes have their order, beside the step in which they land: order 1."""
    end_of_rolling = "0.7"
    exact = run(here, ROAD, "--set", f"simulate.end={end_of_rolling}")["state"]
    for method in some(SCHEMES, 2):
        errors = []
        for steps in (1000, 16000):
            state = run(here, ROAD, "--set", f"simulate.end={end_of_rolling}", "--set", f"simulate.method={method}",
                        "--set", f"simulate.steps={steps}")["state"]
            errors.append(max(abs(state[k] - exact[k]) for k in ("x", "y", "x'")))
        verified(here, method)
        report(f"{method} comes nearer with its steps", errors[1] < errors[0] / 4, errors)


def test_refused(here):
    def refused(name, scene, *pieces):
        done = thud("run", write(here, scene), "-f", "-o", "b.h5", cwd=here)
        text = done.stdout + done.stderr
        report(name, done.returncode != 0 and all(piece in text for piece in pieces), text)

    for key, value, piece in (("while", "roof", "no gap, phi or string called 'roof'"), ("while", "roll", "called 'roll'"),
                              ("one_sided", True, "unknown key 'one_sided'"), ("name", "floor", "given twice"),
                              ("velocity_form", "x'^2", "affine in the velocities"), ("velocity_form", [], "from 1 to 100")):
        scene = ball(0, "event-driven")
        scene["system"]["constraints"][1][key] = value
        refused(f"{key}: {value}", scene, piece)
    still = ball(0, "event-driven")
    still["initial"]["z"] = 0.5
    refused("contact that begins without an impact", still, "begins without an impact", "'roll'", "is 3")
    still["simulate"] = {"method": "moreau-jean", "end": 1, "steps": 100}
    close("a time step stops the slip", run(here, write(here, still))["state"]["x'"], 15 / 7, 1e-12)
    jam = ball(0, "moreau-jean", steps=100)
    jam["system"]["constraints"][1]["velocity_form"] = "x' + 20*z'"
    jam["initial"]["x'"] = -100
    refused("a tangential impulse that takes back the normal one", jam, "the velocity problem was left", "solver-limit")


def test_tampering(here):
    chance = random.Random(5)
    for scene, sets in ((ROAD, ()), (write(here, ball(0.5, "moreau-jean", steps=40)), ())):
        run(here, scene, *sets)
        record = str(pathlib.Path(here) / "a.h5")
        for path, kind, length in targets_of(record):
            if kind != "real" or path.rsplit("/", 1)[-1] not in ("reaction", "v", "q", "impulse", "a"):
                continue
            for k in range(max(some((1, 2), 2))):
                seen, found, what = change(record, k, path, chance.randrange(length), length, 1e-3)
                report(f"tampering is found: {what}", seen is None or found)


with folder() as here:
    test_landing(here)
    test_large_mu(here)
    test_orders(here)
    test_refused(here)
    test_tampering(here)
end()
