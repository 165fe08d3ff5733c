"""Pictures as SVG: well-formed, text as text, names for groups, the same bytes again, whatever their texts are."""
import base64
import pathlib
import xml.etree.ElementTree as xml

from thudcli import ROOT, end, folder, report, thud

EXAMPLES = ROOT / "examples"
SVG = "{http://www.w3.org/2000/svg}"
LINK = "{http://www.w3.org/1999/xlink}href"


def texts(root):
    return ["".join(node.itertext()) for node in root.iter(SVG + "text")]


def draw(name, here, *arguments):
    """The parsed picture; it is drawn twice."""
    files = [pathlib.Path(here) / f"{name}-{k}.svg" for k in range(2)]
    for file in files:
        done = thud(*arguments, "--plot" if arguments[0] == "study" else "-o", file, cwd=here)
        if not report(f"{name}: drawn", done.returncode == 0, done.stderr):
            return None
    report(f"{name}: the same bytes again", files[0].read_bytes() == files[1].read_bytes())
    root = xml.parse(files[0]).getroot()
    ids = [node.get("id") for node in root.iter() if node.get("id")]
    report(f"{name}: every id once", len(ids) == len(set(ids)), ids)
    used = {node.get("clip-path")[5:-1] for node in root.iter() if node.get("clip-path")}
    report(f"{name}: every clip path is there", used <= set(ids), used)
    report(f"{name}: title and description", root[0].tag == SVG + "title" and root[1].tag == SVG + "desc")
    report(f"{name}: no letters as shapes", not list(root.iter(SVG + "use")) and not list(root.iter(SVG + "symbol")))
    return root


def test_series(here):
    thud("run", EXAMPLES / "bouncing-ball.yaml", cwd=here)
    root = draw("ball", here, "plot", "bouncing-ball.h5")
    shown = texts(root)
    report("ball: title and axes are text", {"Bouncing ball", "t [s]"} <= set(shown), shown)
    groups = [node.get("id") for node in root.iter(SVG + "g") if node.get("id")]
    report("ball: panels and series are groups", "panel-0" in groups and "panel-0-series-0" in groups, groups)
    titles = [node.find(SVG + "title").text for node in root.iter(SVG + "g") if node.find(SVG + "title") is not None]
    report("ball: with titles", {"z", "floor"} <= set(titles), titles)


def test_hostile_texts(here):
    title = "</title><script>alert(1)</script> & \"quotes\" \u2028 \x01 end"
    root = draw("hostile", here, "plot", "bouncing-ball.h5", "--title", title)
    report("hostile: text stays text", root.find(SVG + "title").text == title.replace("\x01", "\ufffd"), root[0].text)
    report("hostile: nothing else comes of it", not list(root.iter(SVG + "script")))


def test_images_and_fields(here):
    thud("run", EXAMPLES / "bodies" / "fast-cube.yaml", cwd=here)
    root = draw("cube", here, "plot", "fast-cube.h5", "--snapshot", "0")
    images = [node.get(LINK) for node in root.iter(SVG + "image")]
    data = base64.b64decode(images[0].split(",", 1)[1], validate=True) if images else b""
    report("cube: a picture of space is an embedded PNG", len(images) == 1 and data[:4] == b"\x89PNG", images[:1])
    thud("run", EXAMPLES / "bodies" / "dominoes.yaml", cwd=here)
    root = draw("dominoes", here, "plot", "dominoes.h5", "--snapshot", "0,0.1")
    pictures = [node.get("id") for node in root.iter(SVG + "g") if (node.get("id") or "").startswith("picture-")]
    report("dominoes: several pictures are groups", pictures[0] == "picture-0" and "picture-1" in pictures, pictures)
    thud("run", EXAMPLES / "elastic" / "membrane-on-floor.yaml", cwd=here)
    root = draw("membrane", here, "plot", "membrane-on-floor.h5", "--field", "v")
    report("membrane: its scale is text", "v" in texts(root), texts(root))


def test_studies(here):
    root = draw("sweep", here, "study", EXAMPLES / "dynamics" / "vibrating-table.yaml", "--set",
                "simulate.method=event-driven", "--set", "simulate.end=2", "--sweep", "w=33:36:4", "--section",
                "impacts:table", "--quantity", "z'", "--after", "1")
    shown = texts(root)
    report("sweep: title, names and units", {"Ball on a vibrating table", "w [rad/s]", "z' [m/s]"} <= set(shown), shown)
    notes = [text for text in shown if "points before impacts on table; 4 runs, from t = 1 on" in text]
    report("sweep: how many points", len(notes) == 1, shown)
    count = int(notes[0].split()[0]) if notes else 0
    dots = "".join(node.get("d") for node in root.iter(SVG + "path") if node.get("stroke-linecap") == "round").count("M")
    report("sweep: and all of them are there", dots == count > 0, f"{dots} of {count}")
    methods = ["moreau", "mabrouk", "moreau-jean", "stabilised"]
    root = draw("twelve", here, "study", EXAMPLES / "dynamics" / "bouncing-particle.yaml", "--against", "event-driven",
                "--method", ",".join(methods), "--levels", "6:9")
    shown = texts(root)
    wanted = ["method", *methods, "distance", "sup |dq|", "L1 |dv|", "graphs of v"]
    report("twelve: every method and every distance once", [text for text in shown if text in wanted] == wanted, shown)
    looks = set()
    for k in range(12):
        group = root.find(f".//{SVG}g[@id='panel-0-series-{k}']")
        line = next(node for node in group.iter(SVG + "path") if node.get("stroke-width") == "1.3")
        looks.add((line.get("stroke"), line.get("stroke-dasharray")))
    report("twelve: curves differ in colour or dash", len(looks) == 12, looks)
    report("twelve: four colours, three dashes", len({a for a, _ in looks}) == 4 and len({b for _, b in looks}) == 3)


with folder() as place:
    test_series(place)
    test_hostile_texts(place)
    test_images_and_fields(place)
    test_studies(place)
end()
