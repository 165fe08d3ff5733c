"""thud verify: exit codes, several files, JSON, and trajectories against a scene."""
import math
import pathlib

from thudcli import ROOT, end, example, folder, report, thud, thud_json


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

    # Every motion that ends well, also contacts at rest whose gaps are open by rounding (graded-corner).
    runs = [(path.stem, ()) for path in sorted((ROOT / "examples" / "dynamics").glob("*.yaml"))]
    runs += [("graded-corner", ("--set", f"simulate.method={method}")) for method in ("moreau-jean", "stabilised", "mabrouk")]
    checked = 0
    for name, options in runs:
        scene = ROOT / "examples" / "dynamics" / f"{name}.yaml"
        if thud("run", scene, *options, "--force", "-o", "motion.h5", cwd=here).returncode == 0:
            done = thud("verify", "motion.h5", cwd=here)
            checked += report(f"the record of {' '.join((name, *options))} passes", done.returncode == 0, done.stdout)
    report("most examples have such a record", checked >= 25, checked)

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

    for arguments in (("jump.h5", "--set", "a=1"), (example("jump"), "jump.h5", "--trajectory", good),
                      ("jump.h5", "--tolerance", "-1"), (example("jump"), "--trajectory", "nowhere.csv")):
        done = thud("verify", *arguments, cwd=here)
        report(f"{' '.join(map(str, arguments[1:]))} is refused", done.returncode == 2 and done.stderr, done)
end()
