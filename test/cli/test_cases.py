"""The cases of the founding texts through the program: every scene of examples/dynamics with its expected result."""
import math

from thudcli import ROOT, close, end, folder, report, thud, thud_json

SCENES = ROOT / "examples" / "dynamics"


def run(name, *arguments, code=0):
    return thud_json("run", SCENES / f"{name}.yaml", "--no-record", *arguments, cwd=here, code=code)


def samples(result, *names):
    return [tuple(s["state"][n] for n in names) for s in result["samples"]]


def distance(state, expected):
    return max(abs(state[name] - value) for name, value in expected.items())


def state_is(name, result, expected, tolerance):
    report(name, distance(result["state"], expected) <= tolerance, (result["state"], expected, tolerance))


with folder() as here:
    # C1: all schemes within 3 h; impact n at 3 - 2^(1-n) with impulse 3*2^-n.
    h = 4 / 4096
    for method in ("moreau", "mabrouk", "moreau-jean", "stabilised", "second-order"):
        result = run("bouncing-particle", "--set", f"simulate.method={method}", "--at", "0.5,1.5,2.25,2.625")
        got = [q for (q,) in samples(result, "q")]
        errors = [abs(a - b) for a, b in zip(got, (-0.75, -0.25, -0.0625, -1 / 64))]
        report(f"C1 {method}: positions within 3 h", max(errors) <= 3 * h, (got, errors))
        report(f"C1 {method}: penetration within h", result["penetration"] <= h, result["penetration"])
        first = result["events"][:4]
        good = all(abs(e["t"] - (3 - 2 ** (1 - n))) <= 6 * h and abs(e["impulse"]["floor"][0] - 3 * 2.0**-n) <= 12 * h
                   for n, e in enumerate(first))
        report(f"C1 {method}: first impacts", good, first)
    total = result["ledger"]
    close("C1 all energy is lost at the impacts", total["impact_loss"] + total["contact_loss"], 2, 2 * h)

    # C2
    result = run("zeno", "--at", "2")
    ((q, v),) = samples(result, "q", "q'")
    close("C2 q(2)", q, -0.2607417283271, 2e-3)
    close("C2 q'(2)", v, 0.1658691358365, 2e-2)
    times = (0.4515236409857, 1.1739614665629, 1.7519117270246, 2.2142719353940)
    report("C2 impact times", all(abs(e["t"] - t) <= 2e-3 for e, t in zip(result["events"], times)), result["events"][:4])

    # C3: an input error without the override.
    done = thud("run", SCENES / "energy-gain.yaml", "--no-record", "--set", "system.allow_any_restitution=false", cwd=here)
    report("C3 restitution 2 is refused", done.returncode == 2 and "restitution" in done.stderr, done)
    state_is("C3 with the override it rests", run("energy-gain"), {"q": 0, "q'": 0}, 0)

    # C4
    for th in (-1.2, -0.6, -0.1, 0.0, 0.7, 1.3):
        result = run("moreau-wedge", "--set", f"th={th}")
        s, c = math.sin(th), math.cos(th)
        state_is(f"C4 th = {th}", result, {"q1'": s * s, "q2'": -s * c} if th < 0 else {"q1'": 0, "q2'": 0}, 1e-13)

    # C5
    done = thud("run", SCENES / "unqualified.yaml", "--no-record", cwd=here)
    report("C5 names the dependent constraints", done.returncode == 2 and "first, second" in done.stderr, done)

    # C6: exact bits.
    table = [(-1, .5), (-7 / 8, 1), (-5 / 8, 1.5), (-.25, 2), (.25, -1), (0, -.5), (-1 / 8, 0), (-1 / 8, .5), (0, -.25),
             (-1 / 16, .25), (0, -1 / 8), (-1 / 32, 3 / 8), (1 / 16, -3 / 16)]
    result = run("mabrouk", "--at", ",".join(str(k / 4) for k in range(13)))
    report("C6 to the last bit", samples(result, "q", "q'") == table, result["samples"])

    # C7
    for method in ("moreau", "mabrouk", "moreau-jean", "stabilised", "second-order"):
        result = run("oblique-impact", "--set", f"simulate.method={method}")
        state_is(f"C7 {method}: velocity", result, {"x'": -0.26, "y'": -0.68}, 1e-13)
        close(f"C7 {method}: impact at 5/7", result["events"][0]["t"], 5 / 7, 2 / 1400)
        close(f"C7 {method}: energy", result["ledger"]["kinetic"], 0.265, 1e-13)

    # C8, C9
    result = run("release", "--at", "1,1.5,2")
    good = all(abs(q + max(t - 1, 0) ** 3 / 6) <= 1e-6 for (q,), t in zip(samples(result, "q"), (1, 1.5, 2)))
    report("C8 cubic release", good, result["samples"])
    # The second contact is noticed one step late: (force t) h^2 = h^3, h = 1e-3.
    state_is("C9 both contacts hold", run("graded-corner"), {"x": 0, "y": 0}, 2e-9)
    state_is("C9 the second opens", run("graded-corner", "--set", "s=-1"), {"x": 0, "y": -1 / 6}, 1e-6)

    # C10: canonical, Newton's, sequential and energetic laws.
    third = 1 / 3
    for law, e, expected in (("canonical", 1, (-third, 2 * third, 2 * third)), ("newton", 1, (-third, 2 * third, 2 * third)),
                             ("canonical", 0.5, (0, 0.5, 0.5)), ("sequential", 1, (0, 0, 1)), ("lzb", 1, (0, 0, 1))):
        result = run("newton-cradle", "--set", f"system.impact_law={law}", "--set", f"e={e}")
        tolerance = 0.15 if law == "lzb" else 1e-13  # the energetic law disperses: equal stiffnesses, exponent 3/2
        state_is(f"C10 {law}, e = {e}", result, dict(zip(("x1'", "x2'", "x3'"), expected)), tolerance)
        codes = [w["code"] for w in result["warnings"]]
        report(f"C10 {law}, e = {e}: the multiple impact is reported", codes == ["multiple-impact"], codes)

    # C11
    h = 2 / 16384
    state_is("C11 eta = 0", run("discontinuous"), {"x": -1, "y": -1, "x'": -1, "y'": -1}, 4 * h)
    result = run("discontinuous", "--set", "eta=-0.01")
    state_is("C11 eta = -0.01", result, {"x": 0.99, "y": -1, "x'": 1, "y'": -1}, 4 * h)
    result = run("discontinuous")
    report("C11 reports the multiple impact with its cosine", "cosine 0.707107" in result["warnings"][0]["message"],
           result["warnings"])

    # C12
    for n in (10, 11, 12, 13):
        goal, h = (4 if n % 2 == 0 else 8), 3 * 2.0**-n
        state_is(f"C12 moreau n = {n}", run("parity", "--set", f"n={n}"), {"x": goal, "y": -goal}, 20 * h)
        result = run("parity", "--set", f"n={n}", "--set", "simulate.method=mabrouk")
        state_is(f"C12 mabrouk n = {n}", result, {"x": 4, "y": -4}, 20 * h)

    study = thud_json("study", SCENES / "parity.yaml", "--levels", "6:11", cwd=here, code=1)
    report("C12 the study flags the parity", study["flags"] == ["parity"], study)
    study = thud_json("study", SCENES / "parity.yaml", "--levels", "6:11", "--set", "simulate.method=mabrouk", cwd=here)
    report("C12 the study of Mabrouk's scheme is good", study["flags"] == [] and study["q_order"] > 0.8, study)
    study = thud_json("study", SCENES / "incline.yaml", "--levels", "6:9", cwd=here)
    report("a motion that is exact is not a failure", study["flags"] == [] and study["error_estimate"] == 0, study)

    # C14
    for method in ("moreau", "moreau-jean", "second-order"):
        result = run("blow-up", "--set", f"simulate.method={method}", code=1)
        report(f"C14 {method}: blow-up", "blow-up near t" in result["reason"] and abs(result["time"] - 1) < 0.01, result)

    # C15
    result = run("double-pendulum")
    energy = result["ledger"]["kinetic"] + result["ledger"]["potential"]
    close("C15 energy is conserved", energy, math.pi**2 / 4, 2 * 5e-4)  # 2 h: an impact falls anywhere into its step
    report("C15 hits the wall", result["events_total"] >= 3, result["events_total"])

    # C16, C17
    result = run("rolling-ball")
    state_is("C16", result, {"x": 0.125, "y": -0.0714285714285714, "s'": 1.5}, 1e-12)
    result = run("freewheel", "--at", "0.25,0.75,2")
    got = samples(result, "a1'", "a2'")
    good = all(math.dist(a, b) <= 2e-3 for a, b in zip(got, ((-0.5, 0), (0.25, 0.25), (1.5, 1.5))))
    report("C17 engages at 1/2", good, got)
    done = thud("run", SCENES / "freewheel.yaml", "--no-record", "--set", "initial.a1'=1", cwd=here)
    report("C17 a wheel that starts ahead is an input error", done.returncode == 2 and "wheel" in done.stderr, done)

    # K1: percussions with friction.
    result = run("klarbring-impacts")
    first, second = result["events"][:2]
    close("K1 first impact", first["t"], math.pi / 2, 2e-4)
    good = math.dist((first["after"]["n'"], first["after"]["s'"]), (-0.5, 0.25)) < 1e-3
    report("K1 velocity after the first impact", good, first)
    report("K1 first impulse", math.dist(first["impulse"]["wall"], (1.5, -0.75)) < 1e-3, first)
    close("K1 second impact", second["t"], 3 * math.pi / 2, 4e-4)
    good = math.dist((second["after"]["n'"], second["after"]["s'"]), (-0.25, 0)) < 1e-3
    report("K1 sticks at the second impact", good, second)

    # K2
    result = run("klarbring-slip", "--at", "0.5,1.5,2.5,3.2")
    expected = (1.5504498400879, 1.5470554034067, 0.0859302251969, 0)
    errors = [abs(s - x) for (s,), x in zip(samples(result, "s"), expected)]
    report("K2 slip, back slip, stick", max(errors) < 2e-4, (errors, result["samples"]))

    # K6
    result = run("slip-onset", "--at", "0.5,1,2")
    a, mu, k = 0.8, 0.3, 4
    errors = [abs(s - (a - mu) * (t / k - math.sin(math.sqrt(k) * t) / k**1.5))
              for (s,), t in zip(samples(result, "s"), (0.5, 1, 2))]
    report("K6 slips from the start", max(errors) < 1e-4, errors)
    state_is("K6 sticks for alpha <= mu", run("slip-onset", "--set", "alpha=0.3"), {"s": 0, "s'": 0}, 0)

    # K7
    result = run("percussion")
    state_is("K7 velocity", result, {"n'": -0.5, "x'": 0.42, "y'": 0.56}, 1e-13)
    impulse = result["events"][0]["impulse"]["wall"]
    report("K7 impulse", math.dist(impulse, (1.5, -0.18, -0.24)) < 1e-13, impulse)

    # Classical cases.
    for mu, a in ((0.3, 9.81 * (math.sin(0.5) - 0.3 * math.cos(0.5))), (0.6, 0)):
        result = run("incline", "--set", f"mu={mu}")
        state_is(f"incline mu = {mu}", result, {"x'": a, "x": a / 2, "y": 0, "y'": 0}, 1e-12)
    result = run("sliding-table", "--at", "0.1,0.2,0.3")
    s0, start = math.sqrt(1.2**2 + 0.8**2 + 1.5**2), (1.2, -0.8, 3)
    for sample in result["samples"]:
        v, left = sample["state"], 1 - 0.4 * 9.81 * sample["t"] / s0
        error = max(abs(v[n] - left * x) for n, x in zip(("x'", "y'", "psi'"), start))
        report(f"table: straight sliding at t = {sample['t']}", error < 1e-6, (v, left))
    state_is("table: translation and spin stop together", result, {"x'": 0, "y'": 0, "psi'": 0}, 1e-12)

    result = run("rocking-block")
    ratio = 1 - 1.5 * math.sin(math.atan(0.25)) ** 2
    rocks = [e for e in result["events"] if abs(e["before"]["th'"]) > 0.1]
    good = len(rocks) >= 2 and all(abs(e["after"]["th'"] / e["before"]["th'"] - ratio) < 0.01 for e in rocks)
    report("rocking block: Housner's ratio", good, [(e["t"], e["before"], e["after"]) for e in rocks])

    result = run("string", "--at", "3")
    ((x, y),) = samples(result, "x", "y")
    report("string: never longer than it is", math.hypot(x, y) <= 1 + 1e-12 and result["penetration"] < 1e-12, result)

    result = run("woodpecker")
    beaks = [e for e in result["events"] if "beak" in e["constraints"] and abs(e["before"]["pS'"]) > 10]
    late = [e["t"] for e in beaks if e["t"] > 5]
    period = (late[-1] - late[0]) / (len(late) - 1)
    close("woodpecker: period 0.1460 s", period, 0.1460, 2e-4)
    last = beaks[-1]
    close("woodpecker: beak before the impact", last["before"]["pS'"], 16.913, 0.05)
    close("woodpecker: beak after the impact", last["after"]["pS'"], -8.457, 0.03)
    drops = run("woodpecker", "--at", f"{late[-1] - 20 * period!r},{late[-1]!r}")
    (y0,), (y1,) = samples(drops, "y")
    close("woodpecker: drop of 19.45 mm per cycle", (y0 - y1) / 20 * 1000, 19.45, 0.05)

    # An impact that would create energy: 0.50 -> 0.63.
    result = run("slender-rod", "--set", "system.on_energy_gain=allow")
    close("slender rod: Newton's law with friction gains", result["ledger"]["kinetic"], 0.6327, 1e-3)
    result = run("slender-rod")
    close("slender rod: e is reduced until nothing is gained", result["ledger"]["kinetic"], 0.5, 1e-4)
    codes = [w["code"] for w in result["warnings"]]
    report("slender rod: and it is said", codes == ["energy-gain-reduced"], result["warnings"])
    result = run("slender-rod", "--set", "system.on_energy_gain=refuse", code=1)
    report("slender rod: refused", "creates energy" in result["reason"] and "energy created" in result["reason"], result)

    result = run("kane-pendulum")
    report("Kane's pendulum: energy does not rise at any impact",
           result["verdict"] == "good" and result["ledger"]["impact_loss"] > 0 and result["events_total"] > 2, result)
    state_is("Kane's pendulum comes to rest", result, {"a'": 0, "b'": 0}, 1e-9)

    # K4: the accelerations are degenerate.
    close("K4 w = 1 detaches", run("klarbring-degenerate", "--at", "1")["samples"][0]["state"]["n"], -0.0364227573035, 1e-7)
    result = run("klarbring-degenerate", "--set", "w=-1", "--at", "1")
    sample = result["samples"][0]["state"]
    close("K4 w = -1 slides", sample["s"], (1 - math.cos(math.sqrt(3))) / 3, 1e-6)
    close("K4 w = -1 keeps contact", sample["n"], 0, 1e-12)
    close("K4 w = -1 sticks at 2/3", result["state"]["s"], 2 / 3, 1e-4)

    # Braked wheel: the force is the corner (-1/2, -sqrt(3)/2) of the cut disc all the time.
    state_is("braked wheel", run("braked-vehicle"), {"x'": 2.5, "y'": 3 - math.sqrt(3) / 2}, 1e-6)

    # Yosida: the penetration is lambda v, first order in lambda.
    for lam in (0.02, 0.01, 0.005):
        result = run("regularised-impact", "--set", f"simulate.lambda={lam}")
        close(f"regularised impact, lambda = {lam}", result["state"]["q"], lam, 1e-2 * lam)

    result = run("painleve-rod")
    report("sliding rod below the paradox", result["verdict"] == "good" and result["penetration"] < 1e-12, result)
    result = run("vibrating-table")
    report("vibrating table", result["verdict"] == "good" and result["events_total"] > 50, result["events_total"])

end()
