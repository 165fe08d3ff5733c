"""The collection of examples: names are unique, every starter runs and is verified, thud new --from copies any of them."""
import collections
import pathlib

from thudcli import ROOT, end, folder, report, thud, thud_json

EXAMPLES = ROOT / "examples"
KINDS = ["bodies", "stepping", "event-driven", "sweeping", "quasistatic", "friction", "string", "beam", "membrane", "plate",
         "half-plane", "problem"]
FILES = {"plate-of-gmsh": {"l-shape.msh"}, "membrane-over-hills": {"hills.pgm"}, "block": {"block.mtx"},
         "laws-3d": {"laws-3d.inverse_mass.mtx"},
         "pile": {"pile.inverse_mass.mtx", "pile.jacobian_a.mtx", "pile.jacobian_b.mtx"}}


def names_are_unique():
    # thud new --from names examples without their folder, and records are named after scenes.
    names = collections.Counter(path.name for path in EXAMPLES.glob("**/*.yaml"))
    report("no two examples have the same name", max(names.values()) == 1, [name for name, k in names.items() if k > 1])


def starters(here):
    listed = thud_json("new", "--list")
    kinds = {starter["kind"] for starter in listed}
    report("there is a starter of every kind", kinds == set(KINDS), kinds)
    for starter in listed:
        name = starter["name"]
        thud("new", name, cwd=here)
        if starter["kind"] == "problem":
            done = thud_json("solve", f"{name}.yaml", cwd=here)
            report(f"starter {name} is solved", done[0]["verdict"] == "solved", done)
            continue
        ran, judged = thud_json("run", f"{name}.yaml", cwd=here), thud_json("verify", f"{name}.h5", cwd=here)
        report(f"starter {name} runs and is verified", (ran["verdict"], judged["verdict"]) == ("good", "good"), (ran, judged))
    for kind in [*KINDS, "joints"]:
        done = thud("new", kind, "-o", f"of-{kind}.yaml", cwd=here)
        text = pathlib.Path(here, f"of-{kind}.yaml").read_text()
        section = {"event-driven": "method: event-driven", "stepping": "\nsystem:", "problem": "thud_problem:"}.get(kind, f"\n{kind.replace('-', '_')}:")
        report(f"new {kind} writes a scene of this kind", done.returncode == 0 and section in text, done)


def copies(here):
    wrong = []
    for path in [path for path in sorted(EXAMPLES.glob("**/*.yaml")) if path.parent.name != "trajectories"]:
        place = pathlib.Path(here, path.stem)
        place.mkdir()
        done = thud("new", "--from", path.stem, cwd=place)
        text = path.read_text()
        beside = {file.name for file in path.parent.iterdir() if file.suffix in (".mtx", ".msh", ".pgm") and file.name in text}
        made = {copy.name for copy in place.iterdir()}
        if done.returncode != 0 or made != {path.name} | beside:
            wrong.append((path.stem, done.stderr, made))
        wrong += [copy for copy in place.iterdir() if copy.read_bytes() != (path.parent / copy.name).read_bytes()]
    report("new --from copies every example, and the files that it reads", not wrong, wrong)
    for name in FILES:
        made = {copy.name for copy in pathlib.Path(here, name).iterdir()}
        report(f"new --from {name} brings its files", made == {f"{name}.yaml"} | FILES[name], made)
    done = thud("run", "plate-of-gmsh.yaml", cwd=pathlib.Path(here, "plate-of-gmsh"))
    report("a copy with a mesh runs", done.returncode == 0, done)


def refusals(here):
    place = pathlib.Path(here, "block")
    (place / "block.yaml").write_text("mine\n")
    done = thud("new", "--from", "block", cwd=place)
    report("new --from does not overwrite", done.returncode == 2 and "--force" in done.stderr and
           (place / "block.yaml").read_text() == "mine\n", done)
    (place / "block.mtx").write_text("mine\n")
    done = thud("new", "--from", "block", "-o", "other.yaml", cwd=place)
    report("nor a file that the scene reads", done.returncode == 2 and (place / "block.mtx").read_text() == "mine\n" and
           not (place / "other.yaml").exists(), done)
    done = thud("new", "--from", "block", "--force", cwd=place)
    report("new --from --force does", done.returncode == 0 and (place / "block.yaml").read_text() != "mine\n", done)
    for name, given, pieces in (("a misspelt example", ["--from", "dominos"], ["did you mean 'dominoes'"]),
                                ("a name that is near none", ["--from", "qqqqqqqqqq"], ["thud new --examples"]),
                                ("an example as a starter", ["dominoes"], ["thud new --from dominoes"]),
                                ("a starter and an example", ["jump", "--from", "dominoes"], ["one of them"])):
        done = thud("new", *given, cwd=here)
        report(f"{name} is refused", done.returncode == 2 and all(piece in done.stderr for piece in pieces), done)


def topics():
    listed = thud_json("new", "--examples")
    names = collections.Counter(example["name"] for example in listed)
    scenes = {path.stem for path in EXAMPLES.glob("**/*.yaml") if "trajectories" not in path.parts} - {"one-contact"}
    report("new --examples lists every example once", set(names) == scenes and max(names.values()) == 1,
           (set(names) ^ scenes, names.most_common(3)))
    report("each with a sentence", all(e["description"].endswith(".") for e in listed if e["kind"] != "problem"))


names_are_unique()
with folder() as place:
    starters(place)
with folder() as place:
    copies(place)
    refusals(place)
topics()
end()
