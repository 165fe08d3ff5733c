"""`definitions` in every kind of scene: named expressions mean what stands in their place, for runs, the checker, pictures and
`draw`; mistakes in them are found where they are."""
import pathlib

from thudcli import end, example, folder, report, thud, thud_json

# Per kind: an example, definitions, and what of its text they stand for.
KINDS = [
    ("play", '{centre: "amplitude*sin(t)", low: centre - r}', {'lower: "amplitude*sin(t) - r"': "lower: low"}),
    ("elastic-contact", '{pushed: "push*sin(turn)", turn: "2*pi*t"}', {'x: "push*sin(2*pi*t)"': "x: pushed"}),
    ("composed/rope", "{reach: c, half: 0.5}", {"x' + c*w2'": "x' + reach*w2'", "threshold: 0.5": "threshold: half"}),
    ("bodies/ball-on-slope", "{away: r*sin(a)}", {"position: [r*sin(a), 0,": "position: [away, 0,"}),
    ("elastic/wedge-ramp", '{ramp: "min(t, 1)", wedge: "-abs(x - 0.5)"}',
     {'obstacle: "-abs(x - 0.5)"': "obstacle: wedge", 'v_left: "-min(t, 1)/4"': "v_left: -ramp/4"}),
    ("elastic/beam-on-floor", "{pressed: 2*t - t}", {"factor: t": "factor: pressed"}),
    ("elastic/membrane-on-floor", "{pressed: t}", {"load_factor: t": "load_factor: pressed", "[64, 64]": "[16, 16]"}),
    ("elastic/plate-over-pin", "{one: 1}", {}),
    ("elastic/punch-cycle", "{full: F*P}", {"Q: l*F*P*sin(2*pi*t)": "Q: l*full*sin(2*pi*t)"}),
    ("bouncing-ball", "{level: 0}", {}),
]


def last(result):
    return {key: result[key] for key in ("state", "verdict") if key in result}


def test_kind(here, name, definitions, replaced):
    text = pathlib.Path(example(name)).read_text()
    plain, named = text.replace("[64, 64]", "[16, 16]"), text
    for old, new in replaced.items():
        if old not in named:
            report(f"{name}: the example has {old}", False, text)
        named = named.replace(old, new, 1)
    if "definitions:" in text:
        return
    (here / "plain.yaml").write_text(plain)
    (here / "named.yaml").write_text(named + f"\ndefinitions: {definitions}\n")
    first = thud_json("run", "plain.yaml", "--json", "--force", cwd=here)
    second = thud_json("run", "named.yaml", "--json", "--force", cwd=here)
    report(f"{name}: definitions mean what they stand for", first["verdict"] == "good" and last(first) == last(second),
           f"{last(first)}\n{last(second)}")
    done = thud("verify", "named.h5", cwd=here)
    report(f"{name}: the checker reads them, too", done.returncode == 0, done.stdout + done.stderr)


def refused(here, name, definitions, says):
    (here / "bad.yaml").write_text(pathlib.Path(example(name)).read_text() + f"\ndefinitions: {definitions}\n")
    done = thud("check", "bad.yaml", cwd=here)
    report(f"{name}: definitions: {definitions} is refused at its place", done.returncode == 2 and says in done.stderr and
           "bad.yaml:" in done.stderr, done.stderr)


def test_uses(here):
    text = pathlib.Path(example("play")).read_text()
    (here / "seen.yaml").write_text(text + "\ndefinitions: {upper: amplitude*sin(t) + r}\n")
    done = [thud("run", "seen.yaml", cwd=here), thud("plot", "seen.h5", "--panels", "u,upper - u", "-o", "seen.svg", cwd=here)]
    report("pictures take definitions of a sweeping process", [one.returncode for one in done] == [0, 0], done[1].stderr)
    drawn = text[:text.index("\ndraw:")] + "\ndefinitions: {upper: amplitude*sin(t) + r}\ndraw:\n  - circle: {at: [upper, 0], radius: 0.1}\n"
    (here / "drawn.yaml").write_text(drawn)
    done = [thud("run", "drawn.yaml", cwd=here), thud("plot", "drawn.h5", "--snapshot", "1", "-o", "drawn.svg", cwd=here)]
    report("and so do drawings", [one.returncode for one in done] == [0, 0], [one.stderr for one in done])


with folder() as place:
    place = pathlib.Path(place)
    for kind in KINDS:
        test_kind(place, *kind)
    for one in ("play", "elastic-contact", "composed/rope", "bodies/ball-on-slope", "elastic/beam-on-floor",
                "elastic/membrane-on-floor", "elastic/punch-cycle"):
        refused(place, one, "{a1: b1 + 1}", "unknown name 'b1'")
    refused(place, "play", "{a1: b1, b1: a1}", "defined by itself")
    refused(place, "play", "{a1: [1]}", "expected a number or an expression")
    refused(place, "elastic/beam-on-floor", "[1]", "definitions")
    test_uses(place)
end()
