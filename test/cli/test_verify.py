"""thud verify: exit codes, several files, JSON, and trajectories against a scene."""
import math
import pathlib

from thudcli import ROOT, close, end, example, folder, report, some, thud, thud_json

SCENES = ROOT / "examples" / "dynamics"
METHODS = ("moreau", "mabrouk", "moreau-jean", "stabilised", "second-order", "regularised",
           "event-driven")


def swept(t):
    """Case S2: the exact motion of a point that a unit ball with centre (t, 0) carries along."""
    start = math.sqrt(3) / 2
    theta = 2 * math.atan(math.tan(math.pi / 12) * math.exp(min(0, start - t)))
    return (0.0, 0.5) if t <= start else (t - math.cos(theta), math.sin(theta))


with folder() as here:
    for name in ("jump", "rotating-segment", "regularised-ball"):
        thud("run", example(name), "-o", f"{name}.h5", cwd=here)
        result = thud_json("verify", f"{name}.h5", cwd=here)
        report(f"{name} passes", result["verdict"] == "good" and result["file"] == f"{name}.h5", result)
        names = [check["name"] for check in result["checks"]]
        report(f"{name}: the checks have their names", {"membership", "law", "reaction", "jumps"} <= set(names), names)
    done = thud("verify", "jump.h5", "rotating-segment.h5", cwd=here)
    report("two good files end with 0", done.returncode == 0 and done.stdout.count("verdict: good") == 2, done)

    for method, unit in (("moreau-jean", "steps"), ("event-driven", "arcs")):
        result = thud_json("run", example("bouncing-ball"), "--set", f"simulate.method={method}", "-o", "ball.h5", "-f", cwd=here)
        checked = thud_json("verify", "ball.h5", cwd=here)["checked"]
        recorded, of = (result["frames"] - 1, result["steps"]) if unit == "steps" else (checked["of"], checked["of"])
        report(f"{method}: all {unit} that are recorded are checked", checked["unit"] == unit and checked["count"] == recorded > 1
               and checked["of"] == of, (checked, recorded, of))
        said = thud("verify", "ball.h5", cwd=here).stdout.splitlines()[-1]
        report(f"{method}: the verdict says so", said.startswith(f"verdict: good; checked {checked['count']} of {checked['of']} {unit}"), said)
    checked = thud_json("verify", "jump.h5", cwd=here)["checked"]
    report("of a sweeping process rows are counted, and no contacts", checked["unit"] == "rows" and checked["count"] == checked["of"] > 1
           and checked["contacts"] is None, checked)

    pathlib.Path(here, "text.h5").write_text("no record")
    done = thud("verify", "jump.h5", "text.h5", cwd=here)
    report("an unreadable file ends with 2", done.returncode == 2 and "text.h5" in done.stderr, done)
    result = thud_json("verify", "jump.h5", "nowhere.h5", cwd=here, code=2)
    report("several files make an array", [r["verdict"] for r in result] == ["good", "failed"], result)

    good, bad = pathlib.Path(here, "good.csv"), pathlib.Path(here, "bad.csv")
    times = [3 * k / 600 for k in range(601)]
    good.write_text("t,x,y\n" + "".join(f"{t!r},{swept(t)[0]!r},{swept(t)[1]!r}\n" for t in times))
    bad.write_text("t,x,y\n" + "".join(f"{t!r},0,0.5\n" for t in times))
    result = thud_json("verify", example("translating-ball"), "--trajectory", good, cwd=here)
    report("the exact motion passes", result["verdict"] == "good", result)
    result = thud_json("verify", example("translating-ball"), "--trajectory", bad, cwd=here, code=1)
    report("a point left behind fails", result["reason"].startswith("membership"), result)
    result = thud_json("verify", example("translating-ball"), "--trajectory", good, "--set", "speed=1.1", cwd=here, code=1)
    report("against another scene it fails", result["verdict"] == "failed", result)
    result = thud_json("verify", example("translating-ball"), "--trajectory", good, "--trajectory-tolerance", "1e-6",
                       cwd=here, code=1)
    report("to a tolerance below the rows' distance it fails", result["reason"].startswith("law"), result)

    # A block on springs that slides, in closed form: 20 rows resolve it to 1e-6, and mu or g wrong by 1 % is seen.
    spring = pathlib.Path(here, "spring.yaml")
    spring.write_text("""thud: 1
parameters: {g: 9.81, mu: 0.3}
system:
  coordinates: [x, y]
  mass: [1, 1]
  potential_energy: g*y + 2*x^2
  constraints: [{name: floor, gap: y, friction: {mu: mu, slip: ["x'"]}}]
initial: {x: 2, y: 0}
simulate: {method: event-driven, end: 1}
""")
    rest = 0.3 * 9.81 / 4
    slides = pathlib.Path(here, "slides.csv")
    slides.write_text("t,x,y,x',y'\n" + "".join(
        f"{t!r},{rest + (2 - rest) * math.cos(2 * t)!r},0,{-2 * (2 - rest) * math.sin(2 * t)!r},0\n"
        for t in (k / 20 for k in range(21))))
    for wrong, tolerance, code in (([], [], 0), ([], ["1e-6"], 0), (["mu=0.303"], [], 1), (["g=9.9081"], [], 1),
                                   (["mu=0.30003"], ["1e-6"], 1)):
        options = [word for value in wrong for word in ("--set", value)]
        options += [word for value in tolerance for word in ("--trajectory-tolerance", value)]
        done = thud("verify", spring, "--trajectory", slides, *options, cwd=here)
        report(f"a sliding block with {options}: exit code {code}",
               done.returncode == code and (code != 0 or "resolve accelerations to" in done.stdout), done.stdout)

    # Every scene of examples/dynamics that runs good is verified good, by every method that it takes; also contacts at rest
    # whose gaps are open by rounding (graded-corner).
    verified = 0
    tried = some(((scene, method) for scene in sorted(SCENES.glob("*.yaml")) for method in METHODS), 5)
    for scene, method in tried:
        if thud("run", scene, "--set", f"simulate.method={method}", "-o", "motion.h5", "--force", cwd=here).returncode != 0:
            continue
        done = thud("verify", "motion.h5", cwd=here)
        report(f"{scene.stem} by {method} is verified", done.returncode == 0, done.stdout)
        verified += 1
    report("most motions were verified", verified > len(tried) / 2, (verified, len(tried)))
    names = ["structure", "resolved", "initial", "continuity", "motion", "gap", "proof", "law", "friction", "modes",
             "impacts", "zeno", "energy", "residual", "events", "summary", "finished", "seal"]
    for scene in sorted((ROOT / "examples" / "event-driven").glob("*.yaml")):
        ran = thud("run", scene, "-o", "motion.h5", "--force", cwd=here).returncode == 0
        result = thud_json("verify", "motion.h5", "--tolerance", "1e-11", cwd=here, code=0 if ran else 1)
        failed = [check["name"] for check in result["checks"] if check["status"] in ("failed", "not checkable")]
        report(f"{scene.stem} from event to event is verified to 1e-11", failed == ([] if ran else ["finished"]), result)
        report(f"{scene.stem}: the checks have their names", [check["name"] for check in result["checks"]] == names, result)

    # C13: both solutions pass; wrong ones do not.
    trajectories = SCENES / "trajectories"
    table = (trajectories / "bressan-schatzman-2.csv").read_text()
    bs = SCENES / "bressan-schatzman.yaml"
    for name in ("bressan-schatzman-1.yaml", "bressan-schatzman-2.csv"):
        result = thud_json("verify", bs, "--trajectory", trajectories / name, cwd=here)
        report(f"C13: {name} is a solution", result["verdict"] == "good", result)
    result = thud_json("verify", bs, "--trajectory", trajectories / "bressan-schatzman-2.csv", "--trajectory-tolerance", "1e-5",
                       cwd=here)
    report("C13: the table is accurate to 1e-5", result["verdict"] == "good", result)
    wrong = pathlib.Path(here, "wrong.csv")
    after = f",+,0.0,{-1 / math.factorial(8)!r}\n"
    for what, change, check in (
            ("a rebound too slow", table.replace(after, f",+,0.0,{-0.9 / math.factorial(8)!r}\n"), "impact"),
            ("a rebound too fast", table.replace(after, f",+,0.0,{-1.1 / math.factorial(8)!r}\n"), "energy"),
            ("a jump in the air", table.replace("-,0.0,", "-,-1e-3,").replace("+,0.0,", "+,-1e-3,"), "impact"),
            ("penetration", table.replace(",-", ",").replace(",,", ",,", 1), "constraints")):
        wrong.write_text(change)
        result = thud_json("verify", bs, "--trajectory", wrong, cwd=here, code=1)
        failed = [c["name"] for c in result["checks"] if c["status"] == "failed"]
        report(f"C13: {what} is found", change != table and check in failed, (check, failed, result["reason"]))

    # Started at a_1 with -1/4! a run follows solution 2 up to the next impact at a_0: 1e-8 relative.
    a_0, a_1 = 65 / 36, 55 / 72
    result = thud_json("run", bs, "--no-record", "--set", f"simulate.start={a_1!r}", "--set", f"initial.q'={-1 / 24!r}",
                       "--set", "simulate.steps=20000", cwd=here)
    close("C13: a run from a_1 arrives at a_0 with 1/3!", result["state"]["q'"], 1 / 6, 1e-8 / 6)
    close("C13: and at the wall", result["state"]["q"], 0, 1e-8 * (a_0 - a_1) / 24)

    # Closed forms as pieces.
    def pieces(name, scene, text, *arguments, reason=None):
        path = pathlib.Path(here, "pieces.yaml")
        path.write_text("pieces:\n" + "".join(f"  - {{{piece}}}\n" for piece in text))
        result = thud_json("verify", SCENES / f"{scene}.yaml", "--trajectory", path, *arguments, cwd=here,
                           code=0 if reason is None else 1)
        failed = [c["name"] for c in result["checks"] if c["status"] == "failed"]
        report(f"{name} {'passes' if reason is None else 'fails'}", not failed if reason is None else reason in failed, result)

    zeno = "family: {index: n, from: 0, to: 30}, until: 3 - 2^(-n), q: (t - (3 - 2^(1-n)))*(t - (3 - 2^(-n)))"
    pieces("C1", "bouncing-particle", ["until: 1, q: t^2 - 1", zeno, "until: 4, q: 0"])
    pieces("C1 cut off too early", "bouncing-particle", ["until: 1, q: t^2 - 1", zeno.replace("30", "5"), "until: 4, q: 0"],
           reason="impact")
    pieces("C1 with another force", "bouncing-particle", ["until: 1, q: t^2 - 1", zeno, "until: 4, q: 0"], "--set", "g=2.001",
           reason="motion")
    pieces("C1 with adhesion", "bouncing-particle", ["until: 1, q: t^2 - 1", "until: 4, q: 0"], "--set", "e=0", "--set", "g=2")
    pieces("a body that hangs on the wall", "release", ["until: 2, q: 0"], reason="motion")
    pieces("C8", "release", ["until: 1, q: 0", "until: 2, q: -(t-1)^3/6"])
    first, then = "until: 5/7, x: t - 0.6, y: t - 0.8", "until: 1, x: 5/7 - 0.6 - A*(t-5/7), y: 5/7 - 0.8 - B*(t-5/7)"
    pieces("C7", "oblique-impact", [first, then.replace("A", "0.26").replace("B", "0.68")])
    pieces("C7 reflected too far", "oblique-impact", [first, then.replace("A", "0.27").replace("B", "0.68")], reason="impact")
    first = "until: 0.5, n: t - 0.5, x: 0.6*t, y: 0.8*t"
    pieces("K7", "percussion", [first, "until: 1, n: (0.5-t)/2, x: 0.3 + 0.42*(t-0.5), y: 0.4 + 0.56*(t-0.5)"])
    pieces("K7 without friction", "percussion", [first, "until: 1, n: (0.5-t)/2, x: 0.6*t, y: 0.8*t"], reason="friction")
    pieces("K7 with friction askew", "percussion", [first, "until: 1, n: (0.5-t)/2, x: 0.3 + 0.3*(t-0.5), y: 0.8*t"],
           reason="friction")
    slide = "n: 0, s: -3 + 3*cos(t) + 4*sin(t)"
    pieces("K2", "klarbring-slip",
           [f"until: atan(4/3), {slide}", "until: atan(4/3) + pi/sqrt(3), n: 0, s: 1 + cos(sqrt(3)*(t - atan(4/3)))",
            "until: 3.5, n: 0, s: 0"])
    pieces("K2 that slides on", "klarbring-slip", [f"until: 3.5, {slide}"], reason="friction")
    pieces("C9", "graded-corner", ["until: 1, x: 0, y: 0"])
    pieces("C9 that opens", "graded-corner", ["until: 1, x: 0, y: -t^3/6"], "--set", "s=-1")
    pieces("C9 that stays where it opens", "graded-corner", ["until: 1, x: 0, y: 0"], "--set", "s=-1", reason="motion")
    roll = "x: 5*Fx/(14*M)*t^2, y: 5*Fy/(14*M)*t^2, p: 5*Fx/(14*M)*t^2/R, r: 5*Fy/(14*M)*t^2/R, s: 1.5*t"
    pieces("C16", "rolling-ball", [f"until: 1, {roll}"])
    pieces("C16 with another spin", "rolling-ball", [f"until: 1, {roll.replace('1.5*t', '1.5*t + t^2')}"], reason="motion")
    pieces("C17", "freewheel", ["until: 0.5, a1: t^2 - t, a2: 0", "until: 2, a1: (t^2 - t)/2 - 1/8, a2: (t - 0.5)^2/2"])
    pieces("the table that stops", "sliding-table",
           [f"until: {1.2**2 + 0.8**2 + 1.5**2}^0.5/(mu*g), x: 1.2*t*k, y: -0.8*t*k, psi: 3*t*k".replace(
               "k", f"(1 - mu*g*t/2/{1.2**2 + 0.8**2 + 1.5**2}^0.5)"),
            "until: 1, x: 1.2*K, y: -0.8*K, psi: 3*K".replace("K", f"{1.2**2 + 0.8**2 + 1.5**2}^0.5/(2*mu*g)")])
    cradle = "until: 1, x1: t - 1, x2: 0, x3: 0"
    for law, velocities, reason in (("canonical", (-1 / 3, 2 / 3, 2 / 3), None), ("canonical", (0, 0, 1), "impact"),
                                    ("sequential", (0, 0, 1), None), ("sequential", (-1, 1, 1), "energy"),
                                    ("sequential", (0.5, 0.5, 0), "impact"), ("sequential", (0, 0.5, 0.5), None),
                                    ("canonical", (0.5, 0.5, 0), "impact")):
        after = ", ".join(f"x{k + 1}: {v!r}*(t-1)" for k, v in enumerate(velocities))
        pieces(f"C10 {law} {velocities}", "newton-cradle", [cradle, f"until: 1.5, {after}"], "--set", f"system.impact_law={law}",
               reason=reason)

    # What cannot be read.
    for text in ("pieces: []", "pieces: [{q: 0}]", "pieces: [{until: 0, q: 0}]", "pieces: [{until: 4, q: 0, x: 1}]",
                 "pieces: [{until: t, q: 0}]", "pieces: [{until: 4, q: nothing}]", "{}",
                 "pieces: [{until: n, family: {index: n, from: 1}, q: 0}]"):
        pathlib.Path(here, "bad.yaml").write_text(text)
        done = thud("verify", SCENES / "bouncing-particle.yaml", "--trajectory", "bad.yaml", cwd=here)
        report(f"'{text}' is refused", done.returncode == 2 and "bad.yaml" in done.stderr, done)
    for text in ("t,q\n0,0\n", "t,q,q'\n1,0,0\n0,0,0\n", "t,q,q'\n0,0,0\n0,0,0\n"):
        pathlib.Path(here, "bad.csv").write_text(text)
        done = thud("verify", SCENES / "bouncing-particle.yaml", "--trajectory", "bad.csv", cwd=here)
        report(f"{text!r} is refused", done.returncode == 2 and "bad.csv" in done.stderr, done)
    done = thud("verify", bs, "--trajectory", wrong, "--trajectory-samples", "0.5", cwd=here)
    report("half a sample is refused", done.returncode == 2, done)
    done = thud("verify", bs, "--trajectory", wrong, "--trajectory-samples", "1", cwd=here)
    report("one sample is enough to ask for", done.returncode == 1 and done.stderr == "", done)

    for arguments in (("jump.h5", "--set", "a=1"), (example("jump"), "jump.h5", "--trajectory", good),
                      ("jump.h5", "--tolerance", "-1"), (example("jump"), "--trajectory", "nowhere.csv")):
        done = thud("verify", *arguments, cwd=here)
        report(f"{' '.join(map(str, arguments[1:]))} is refused", done.returncode == 2 and done.stderr, done)

# Narrow features: what a run has proved of its arcs the checker proves by code of its own; every arc counts.
NARROW = {
    "wall": """thud: 1
system: {coordinates: [x], mass: [1], constraints: [{name: o, gap: '-tanh((x-5)*5)', restitution: 1}]}
initial: {x: 0, "x'": 1}
simulate: {method: event-driven, end: 10}
""",
    "hammer": """thud: 1
system:
  coordinates: [z]
  mass: [1]
  potential_energy: 10*z
  constraints: [{name: f, gap: z}]
  forces: {z: "exp(-((t-5)*50)^2)*50"}
initial: {z: 0}
simulate: {method: event-driven, end: 10}
""",
    "circle": """thud: 1
system:
  coordinates: [x, y]
  mass: [1, 1]
  constraints: [{name: o, gap: sqrt((x-50)^2+y^2)-1e-6, restitution: 1}]
initial: {x: 0, y: 0.3*1e-6, "x'": 1}
simulate: {method: event-driven, end: 100}
""",
    "pulse": """thud: 1
system: {coordinates: [z], mass: [1], forces: {z: 'exp(-((t-5)*5)^2)'}}
initial: {z: 0}
simulate: {method: event-driven, end: 10}
""",
    "chain": """thud: 1
data: {f: {breaks: [1, 3], pieces: [0, (t - 1)*(3 - t), 0]}}
system:
  coordinates: [a, b]
  mass: [1, 2]
  potential_energy: 5*(a - b)^2 + a^2
  forces: {a: f}
initial: {a: 0, b: 0}
simulate: {method: event-driven, end: 5}
"""}

with folder() as here:
    for name, scene in NARROW.items():
        pathlib.Path(here, "narrow.yaml").write_text(scene)
        ran = thud_json("run", "narrow.yaml", "-o", "narrow.h5", "--force", cwd=here)
        result = thud_json("verify", "narrow.h5", cwd=here)
        proof = next(check for check in result["checks"] if check["name"] == "proof")
        report(f"{name}: verified", result["verdict"] == "good", result)
        report(f"{name}: proved", proof["status"] == "passed" and proof["worst"] <= 1e-11, proof)
        report(f"{name}: all arcs", proof["detail"].startswith(f"{ran['arcs']} arcs proved"), (proof, ran["arcs"]))

RESTS_AND_STRIKES = """thud: 1
system:
  coordinates: [a, b]
  mass: [1, 1]
  potential_energy: 9.81*(a + b) + 0.5*100*(a - b)^2
  constraints: [{name: first, gap: a}, {name: second, gap: b}]
initial: {a: 0, b: 1}
simulate: {end: 0.6, steps: 600}
record: {checkpoint_every: 0.1}
"""

# One contact rests while the other is struck: an event lists the impulses of what was struck, and of nothing else.
# Equal runs give equal files: no byte of a checkpoint is left to chance. Constraints that are orthogonal in the kinetic
# metric are so in every scheme, whatever metric it solves in.
with folder() as here:
    pathlib.Path(here, "two.yaml").write_text(RESTS_AND_STRIKES)
    for method in ("moreau", "moreau-jean", "stabilised", "second-order", "implicit", "event-driven"):
        done = thud("run", "two.yaml", "--set", f"simulate.method={method}", "-o", "a.h5", "--force", cwd=here)
        report(f"{method}: one rests, one is struck", done.returncode == 0, done.stderr)
        report(f"{method}: orthogonal constraints raise no warning", "orthogonal" not in done.stdout, done.stdout)
        thud("run", "two.yaml", "--set", f"simulate.method={method}", "-o", "b.h5", "--force", cwd=here)
        same = pathlib.Path(here, "a.h5").read_bytes() == pathlib.Path(here, "b.h5").read_bytes()
        report(f"{method}: equal runs are equal files", same)
        done = thud("verify", "a.h5", cwd=here)
        report(f"{method}: one rests, one is struck: verified", done.returncode == 0, done.stdout)

end()
