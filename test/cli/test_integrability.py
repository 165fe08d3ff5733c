"""Frobenius' condition of velocity forms in `thud check`, and several friction laws on one slip."""
import json
import pathlib

from thudcli import close, end, example, folder, report, thud, thud_json

# Forms in x, y, z, a and t, equations -> integrable?
FORMS = (("a derivative", ["2*x*x' + z'*cos(z)"], [], True), ("an integrating factor", ["y*x' - x*y'"], [], True),
         ("an integrating factor of three variables", ["z*(y*x' + x*y') + 2*x*y*z'"], [], True),
         ("Heisenberg's form", ["z' - y*x'"], [], False), ("a skate", ["x'*sin(a) - y'*cos(a)"], [], False),
         ("two forms of which one needs the other", ["z' - y*x'", "x'"], [], True),
         ("two rolling forms", ["x' - cos(a)*z'", "y' - sin(a)*z'"], [], False),
         ("a form that depends on time", ["x' - t*y'"], [], False), ("a given velocity", ["x' - t"], [], True),
         ("a form on a surface", ["z' - y*x'"], ["x - 1"], True), ("a form on no surface of use", ["z' - y*x'"], ["a - 1"], False),
         ("a steep derivative", ["exp(30*x)*(x' + y')*1e-9"], [], True), ("a steep skate", ["sin(40*a)*x' - cos(40*a)*y'"], [], False))


def scene(forms, equations):
    constraints = [{"name": f"form{k}", "velocity_form": text} for k, text in enumerate(forms)]
    constraints += [{"name": f"equation{k}", "equation": text} for k, text in enumerate(equations)]
    return {"thud": 1, "system": {"coordinates": ["x", "y", "z", "a"], "mass": [1, 1, 1, 1], "constraints": constraints},
            "initial": {"x": 1, "y": 2, "z": 0.5, "a": 1}, "simulate": {"method": "moreau", "end": 1, "steps": 10}}


def write(here, content):
    path = pathlib.Path(here) / "scene.yaml"
    path.write_text(json.dumps(content))
    return path


def test_forms(here):
    for name, forms, equations, integrable in FORMS:
        path = write(here, scene(forms, equations))
        found = thud_json("check", path)
        report(f"{name}: integrable is {integrable}", found.get("integrable") is integrable, found)
        places = found["integrable_places"]
        report(f"{name}: places", places == 1 if equations else 1 <= places <= 17, places)
        text = thud("check", path).stdout
        report(f"{name}: a line says it", ("not integrable" in text) is not integrable and "frobenius" in text, text)
    free = scene([], [])
    report("nothing is said without forms", "integrable" not in thud_json("check", write(here, free)))


def test_examples(here):
    good = thud_json("run", example("dynamics/integrable-form"), "-o", "a.h5", cwd=here)["state"]
    close("the point on its ray, x", good["x"], 1.4, 1e-13)
    close("the point on its ray, y", good["y"], 2.8, 1e-13)
    report("the ray is integrable", thud_json("check", example("dynamics/integrable-form"))["integrable"] is True)
    report("the rolling ball is not", thud_json("check", example("dynamics/rolling-ball"))["integrable"] is False)


def braked(laws, method):
    return {"thud": 1, "system": {"coordinates": ["x"], "mass": [2], "forces": {"x": 5},
                                  "friction": [{"name": f"law{k}", "slip": ["x'"], **law} for k, law in enumerate(laws)]},
            "initial": {"x": 0, "x'": 3}, "simulate": {"method": method, "end": 1, **({} if method == "event-driven" else {"steps": 100})}}


def test_several_laws(here):
    """Forces of laws on one slip add: 2 x'' = 5 - 3 (1 + ...) while it slides; asymmetric sets by a law on one side."""
    one_sided = {"law": {"interval": {"lower": -1, "upper": 0}}}
    for method in ("event-driven", "moreau-jean", "implicit"):
        for name, laws, force in (("two discs", ({"threshold": 3}, {"threshold": 4}), 7), ("one disc", ({"threshold": 7},), 7),
                                  ("a disc and a side", ({"threshold": 3}, {"threshold": 2, **one_sided}), 5)):
            done = thud("run", write(here, braked(laws, method)), "-f", "-o", "a.h5", "--json", cwd=here)
            state = json.loads(done.stdout)["state"]
            close(f"{name}, {method}: velocity", state["x'"], 3 + (5 - force) / 2, 1e-12)
            verified = thud("verify", "a.h5", cwd=here)
            report(f"{name}, {method}: verified", "verdict: good" in verified.stdout, verified.stdout)


with folder() as here:
    test_forms(here)
    test_examples(here)
    test_several_laws(here)
end()
