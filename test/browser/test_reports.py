"""Pages of `thud report` in headless Chromium: nine kinds of motion, what a reader can do with them, and hostile records.

Pictures of the pages stay in build/browser. Without Chromium and its driver everything is skipped (exit code 77)."""
import csv
import http.server
import io
import math
import pathlib
import sys
import threading

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "cli"))

from reader import Reader, value  # noqa: E402
from records import (HOSTILE, NAME, REPORTS, SCENE, SYSTEM, make_all, make_damaged, make_hostile,  # noqa: E402
                     make_killed)
from thudcli import ROOT, end, folder, report, skipped, some, thud  # noqa: E402
from webdriver import available  # noqa: E402

SKIPPED = 77
NINE = [name for name in REPORTS if name not in ("membrane", "linkage", "platform")]
WIDE, NARROW = (1200, 900), (400, 800)
PICTURES = ROOT / "build" / "browser"
NOT_BLANK = 0.002  # share of the pixels of a moving picture that are drawn: a small ball with its floor has more


# ---- what is on the page ------------------------------------------------------------------------------------------------


def last_row(here, record):
    """The state at the end as `thud export` writes it: {name: number}, names without units."""
    done = thud("export", f"{record}.h5", "-o", "-", cwd=here)
    row = list(csv.DictReader(io.StringIO(done.stdout)))[-1]
    numbers = {}
    for name, text in row.items():
        try:
            numbers[name.split(" [")[0]] = float(text)
        except ValueError:
            pass
    return numbers


def check_numbers(reader, here, name):
    """Beside the curves of the motion stand, at the end of the clock, the numbers of the record to four digits."""
    reader.press("End")
    records = REPORTS[name][3]
    rows = {record: last_row(here, record) for record in records}
    wrong, compared = [], 0
    for heading, series, shown in reader.legend("motion"):
        expected = rows[heading or records[0]].get(series.replace(" ", "_"))
        if expected is None:
            continue
        compared += 1
        if shown is None or not math.isclose(shown, expected, rel_tol=5.1e-4, abs_tol=1e-300):
            wrong.append((heading, series, shown, expected))
    report(f"{name}: numbers at the end are those of the record", compared >= len(records) and wrong == [],
           f"{compared} compared, wrong: {wrong}")


def check_contents(reader, here, name):
    verdict, records = REPORTS[name][2:]
    report(f"{name}: loads nothing", reader.loaded() == [], reader.loaded())
    badges = reader.texts(".verdict .badge")
    report(f"{name}: verdict", badges == [verdict] * len(records), badges)
    count, blank = reader.charts()
    report(f"{name}: charts are drawn", count >= 2 and blank == [], f"{count} charts, blank: {blank}")
    for k, view in enumerate(reader.views()):
        seen = reader.look(view)
        report(f"{name}: moving picture {k + 1} is drawn", seen["drawn"] > NOT_BLANK and seen["colours"] > 12, seen)
    report(f"{name}: a moving picture for every record", len(reader.views()) == len(records), reader.views())
    check_numbers(reader, here, name)


# ---- the clock ----------------------------------------------------------------------------------------------------------


def pictures(reader):
    return [reader.look(view)["digest"] for view in reader.views()]


def all_differ(before, after):
    return len(before) == len(after) > 0 and all(a != b for a, b in zip(before, after))


def check_play(reader, name):
    start = reader.span()[0]
    before, line = pictures(reader), reader.clock_line()
    reader.press("-", "-")  # slowly: the end must not be reached before Space is pressed, however busy the machine is
    reader.click(".tool.play")
    playing = reader.playing()
    reader.wait("return Number(document.querySelector('.scrub').value) > 0.02")
    reader.press("Space")
    reader.press("+", "+")
    stopped = reader.time()
    after = pictures(reader)
    report(f"{name}: play moves clock and picture, Space stops both", playing and not reader.playing() and
           stopped > start and all_differ(before, after) and reader.time() == stopped,
           f"playing {playing}, from {start} to {stopped}, then {reader.time()}")
    report(f"{name}: the curves follow", reader.clock_line() > line, f"{line} {reader.clock_line()}")


def check_scrub(reader, name):
    first, last = reader.span()
    reader.away()
    before = pictures(reader)
    reader.scrub(0.5)
    middle = pictures(reader)
    report(f"{name}: the slider moves clock and picture",
           abs(reader.time() - 0.5 * (first + last)) < 2e-3 * (last - first) and all_differ(before, middle), reader.time())
    reader.press("Home", "ArrowRight", "ArrowRight")
    report(f"{name}: arrow keys step by a two-hundredth", abs(reader.share() - 0.01) < 1e-9, reader.share())
    reader.press("Home")
    report(f"{name}: Home shows the start again", reader.time() == first and pictures(reader) == before, reader.time())


def check_events(reader, name):
    """A click on a row of the table of events sets the clock; Shift and an arrow go from event to event."""
    if reader.count(".events tbody tr") < 1:
        report(f"{name}: no table without events", reader.count("table.events") == 0)
        return
    first, last = reader.span()
    row = "table.events tbody tr"  # of the first table
    shown = value(reader.texts(f"{row} .link")[0])
    reader.click(f"{row} td:nth-child(2)")
    reader.settle()
    report(f"{name}: a row of the events sets the clock", shown > first and abs(reader.time() - shown) < 1e-3 * (last - first) and
           reader.count(f"{row}.now") >= 1, f"{reader.time()} instead of {shown}")
    reader.press("Home", "Shift+ArrowRight")
    report(f"{name}: Shift and an arrow go to the next event", 0 < reader.share(), reader.share())


def check_zoom(reader, name):
    first, last = reader.range()
    over = ".panel .u-over"
    chart = "return document.querySelector('.panel canvas').toDataURL()"
    before = reader.execute(chart)
    reader.drag(over, [(0.25, 0.5), (0.4, 0.5), (0.5, 0.5)])
    reader.settle()
    low, high = reader.range()
    near = 0.01 * (last - first)
    report(f"{name}: dragging zooms the curves", abs(low - first - 0.25 * (last - first)) < near and
           abs(high - first - 0.5 * (last - first)) < near and reader.execute(chart) != before, (low, high))
    reader.double_click(over)
    reader.settle()
    report(f"{name}: a double click shows the whole time", reader.range() == [first, last] and
           reader.execute(chart) == before, reader.range())
    reader.click(".toolbar [aria-label='Zoom in']")
    zoomed = reader.range()
    reader.click(".toolbar [aria-label='Show the whole time']")
    report(f"{name}: buttons zoom", zoomed[1] - zoomed[0] < 0.51 * (last - first) and reader.range() == [first, last], zoomed)


# ---- keys, widths, colours ----------------------------------------------------------------------------------------------


def check_keys(reader, name):
    count, missed, unseen = reader.tab_through()
    report(f"{name}: Tab reaches all {count} controls", count > 8 and missed == [], missed)
    report(f"{name}: the focus is seen on each", unseen == [], unseen)
    reader.press("?")
    opened = reader.count("dialog[open]")
    reader.keys("Escape")
    report(f"{name}: ? opens the help, Escape closes it", opened == 1 and reader.count("dialog[open]") == 0, opened)
    reader.press("Home", "Space")
    playing = reader.playing()
    reader.press("Space")
    report(f"{name}: Space plays and pauses", playing and not reader.playing())


def check_colours(reader, name):
    backgrounds = []
    for scheme in ("dark", "light"):
        reader.media(scheme)
        reader.settle()
        backgrounds.append(reader.background())
        contrast, text = reader.readable()[:2]
        report(f"{name}: contrast of texts, {scheme}", 4.5 <= contrast <= 21, f"{contrast:.2f}: {text!r}")
        if scheme == "dark" and name in ("stepped", "space", "history"):
            reader.screenshot(PICTURES / f"{name}-dark.png")
    report(f"{name}: dark is not light", backgrounds[0] != backgrounds[1], backgrounds)
    before = reader.background()
    reader.press("d")
    after = reader.background()
    reader.press("d")
    report(f"{name}: D changes the colours", after == backgrounds[0] and before == reader.background(), after)


def check_narrow(reader, name):
    reader.resize(*NARROW)
    reader.settle()
    width = reader.execute("return document.scrollingElement.scrollWidth")
    report(f"{name}: nothing is wider than 400 pixels", width <= NARROW[0], width)
    size, text = reader.readable()[2:]
    report(f"{name}: letters can be read", size >= 11, f"{size} px: {text!r}")
    view = reader.execute("const b = document.querySelector('.host').getBoundingClientRect(); return [b.width, b.height]")
    report(f"{name}: the picture fills the width", view[0] >= 0.85 * NARROW[0] and view[1] >= 240, view)
    reader.execute("window.scrollTo(0, 0)")
    if name in ("branches", "events", "plane"):
        reader.screenshot(PICTURES / f"{name}-400.png", whole=True)
    else:
        reader.screenshot(PICTURES / f"{name}-400.png")
    reader.resize(*WIDE)
    reader.settle()


def keep_picture(reader, name):
    """The whole page in one picture; the window is as high as the page, so that everything in it is drawn."""
    reader.scrub(0.6)
    reader.resize(WIDE[0], reader.execute("return document.documentElement.scrollHeight"))
    reader.settle()
    reader.screenshot(PICTURES / f"{name}.png", whole=True)
    reader.resize(*WIDE)
    reader.settle()


def check_report(reader, here, page, name):
    reader.read(page)
    check_contents(reader, here, name)
    check_play(reader, name)
    check_scrub(reader, name)
    check_events(reader, name)
    check_zoom(reader, name)
    check_keys(reader, name)
    check_colours(reader, name)
    check_narrow(reader, name)
    keep_picture(reader, name)
    messages = reader.complaints()
    report(f"{name}: the console is silent", messages == [], "\n".join(messages))


# ---- single pages -------------------------------------------------------------------------------------------------------


def check_branches(reader, page):
    """Several records have one clock; wide windows show them side by side."""
    reader.read(page)
    places = "return [...document.querySelectorAll('.host')].map((e) => [e.getBoundingClientRect().left, e.getBoundingClientRect().top])"
    (left, top), (right, other) = reader.execute(places)
    report("branches: side by side", right > left + 300 and top == other)
    reader.execute("document.querySelector('input[value=beside]').click()")
    reader.settle()
    report("branches: curves side by side", reader.count(".row.beside") > 0 and reader.charts()[1] == [])
    reader.press("End")
    ends = {heading: shown for heading, shown in zip(reader.texts(".row.beside:first-of-type .of"),
                                                     [s[2] for s in reader.legend("motion") if s[1] == "x"])}
    report("branches: each with its own end", ends == {"branches": -1.0, "branches.branch-2": 1.0}, ends)
    report("branches: modes have names", all(text in ("open", "leaving", "lasting", "undecided") for text in
                                             mode_values(reader)), mode_values(reader))
    reader.resize(*NARROW)
    reader.settle()
    (left, top), (right, other) = reader.execute(places)
    report("branches: below each other in a narrow window", right == left and other > top)
    reader.resize(*WIDE)


def mode_values(reader):
    return reader.execute("return [...document.querySelectorAll('.panel')].filter((p) => p.querySelector('h4')"
                          "?.textContent.startsWith('mode')).flatMap((p) => [...p.querySelectorAll('.value')])"
                          ".map((e) => e.textContent)")


def check_proofs(reader, page):
    reader.read(page)
    words = reader.texts(".proofs tbody td:first-child")
    report("events: proofs of the arcs", "proved" in words and reader.count(".proofs canvas") == 1, words)


def check_scene(reader, page):
    """The scene stands as it was given."""
    reader.read(page)
    given = (ROOT / "examples" / "bouncing-ball.yaml").read_text(encoding="utf-8")
    shown = reader.execute("const d = document.querySelector('details.scene'); d.open = true;"
                           "return d.querySelector('pre').textContent")
    report("stepped: the scene as given", shown.rstrip("\n") == given.rstrip("\n"), shown[:200])


def check_hostile(reader, page, name):
    reader.read(page)
    reader.execute("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    for body in range(3 if reader.count(".view-controls select") else 0):  # names of bodies stand on the picture, too
        reader.execute("const s = [...document.querySelectorAll('.view-controls select')].pop();"
                       "s.selectedIndex = arguments[0]; s.dispatchEvent(new Event('change'))", body)
        reader.settle()
    reader.press("End")
    made = reader.execute("return [document.querySelectorAll('x-h, img, iframe, [onclick], [onerror]').length,"
                          "typeof window.hacked, [...document.querySelectorAll('a')].filter((a) => a.protocol === 'javascript:').length]")
    report(f"{name}: hostile texts make no elements and run nothing", made == [0, "undefined", 0], made)
    report(f"{name}: the title is text", reader.texts("h1") == [HOSTILE] and
           reader.execute("return document.title").startswith("</script><x-h onclick=1>"), reader.texts("h1"))
    seen = reader.execute("return document.getElementById('app').textContent.split(arguments[0]).length - 1", NAME)
    report(f"{name}: names stand as they are", seen >= 4, seen)
    report(f"{name}: hostile, and nothing fails", reader.count(".failed") == 0 and reader.charts()[1] == [] and
           reader.complaints() == [], reader.texts(".failed"))


def check_damaged(reader, page):
    """A picture that cannot be shown says so in its place; curves and clock stay."""
    reader.read(page)
    report("damaged: the picture says so", reader.count(".view.broken .failed") == 1, reader.texts(".failed"))
    reader.press("End")
    report("damaged: the rest of the page stays", reader.share() == 1 and reader.charts()[1] == [])
    reader.console()


def check_killed(reader, page):
    reader.read(page)
    report("killed: the page says so", reader.texts(".verdict .badge") == ["unfinished"] and
           any("not ended" in note for note in reader.texts(".notes li, .verdict .reason")), reader.texts(".notes li"))
    report("killed: the console is silent", reader.complaints() == [])


def check_joints(reader, page, name):
    """Joints are on the picture, and can be left out."""
    label = "//label[text()='Joints']"
    toggle = f"document.evaluate(\"{label}\", document, null, 9).singleNodeValue.click()"
    reader.read(page)
    reader.scrub(0.2)
    before = pictures(reader)
    reader.execute(toggle)
    reader.settle()
    bare = pictures(reader)
    report(f"{name}: joints are drawn over the bodies", all_differ(before, bare))
    reader.execute(toggle)
    reader.settle()
    report(f"{name}: joints come back", pictures(reader) == before)
    reader.scrub(0.8)
    report(f"{name}: the picture moves", all_differ(before, pictures(reader)))
    reader.screenshot(PICTURES / f"{name.replace(' ', '-')}.png")
    report(f"{name}: the console is silent", reader.complaints() == [])


def check_still(reader, page):
    """Nothing moves by itself, and readers who want no motion are not scrolled."""
    for reduced, scrolling in ((True, "auto"), (False, "smooth")):
        reader.media("light", reduced)
        reader.read(page)
        reader.settle()
        style = reader.execute("return getComputedStyle(document.documentElement).scrollBehavior")
        opens = (2 / 9.81) ** 0.5 * 2.4  # the second impact of a ball with e = 0.7: amid what happens
        report(f"stepped: nothing moves by itself, scrolling {scrolling}", not reader.playing() and style == scrolling and
               abs(reader.time() - opens) < 2e-3, (style, reader.time()))
        reader.press("Space")
        reader.press("Space")
        report("stepped: playing begins at the start", reader.share() < 0.3, reader.share())
    reader.media("light")


class Knocks(http.server.BaseHTTPRequestHandler):
    """Counts who asks."""

    def do_GET(self):
        self.server.knocks.append(self.path)
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


def check_policy(reader, here, page):
    """The page cannot reach a server that a page without its policy does reach."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Knocks)
    server.knocks = []
    threading.Thread(target=server.serve_forever, daemon=True).start()
    knock = ("const a = `http://127.0.0.1:${arguments[0]}/`; const i = new Image(); i.src = a + 'image';"
             "return fetch(a + 'fetch', { mode: 'no-cors' }).then(() => 'answered', () => 'refused')")
    (here / "free.html").write_text("<!doctype html><title>free</title><footer></footer><div id=app></div>")
    reader.open(here / "free.html")
    reader.execute(knock, server.server_port)
    report("a page without a policy reaches the server", "/fetch" in server.knocks, server.knocks)
    reader.read(page)
    server.knocks.clear()
    answer = reader.execute(knock, server.server_port)
    refused = reader.console()
    report("the page refuses the network", answer == "refused" and server.knocks == [] and
           sum("Content Security Policy" in line for line in refused) >= 2, f"{answer} {server.knocks} {refused}")
    server.shutdown()
    server.server_close()


def check_without_webgl(pages):
    with Reader(size=WIDE, webgl=False) as reader:
        for name in ("linkage", "platform"):
            check_joints(reader, pages[name], f"{name} without WebGL")
        for name in ("space", "membrane"):
            reader.read(pages[name])
            report(f"{name} without WebGL: a word", any("no WebGL" in word for word in reader.texts(".word")),
                   reader.texts(".word"))
            seen = reader.look(".host")
            report(f"{name} without WebGL: a picture", seen["drawn"] > NOT_BLANK and seen["colours"] > 12 and reader.execute(
                "return document.createElement('canvas').getContext('webgl2') === null"), seen)
            before = pictures(reader)
            reader.press("Home")  # a membrane opens at its end
            report(f"{name} without WebGL: it moves", all_differ(before, pictures(reader)))
            reader.execute("window.scrollTo(0, 0)")
            reader.screenshot(PICTURES / f"{name}-without-webgl.png")
            report(f"{name} without WebGL: the console is silent", reader.complaints() == [])


def main():
    if not available():
        skipped("pages in a browser", "needs chromium and chromium-driver: make deps-dev")
        sys.exit(SKIPPED)
    PICTURES.mkdir(parents=True, exist_ok=True)
    with folder() as name:
        here = pathlib.Path(name)
        pages = make_all(here)
        with Reader(size=WIDE) as reader:
            reader.media("light")
            for name in some(NINE, 3):
                check_report(reader, here, pages[name], name)
            check_branches(reader, pages["branches"])
            check_proofs(reader, pages["events"])
            check_scene(reader, pages["stepped"])
            check_still(reader, pages["stepped"])
            for name in ("linkage", "platform"):
                check_joints(reader, pages[name], name)
            check_hostile(reader, make_hostile(here, "bodies", SCENE, records=["bodies"]), "hostile bodies")
            check_hostile(reader, make_hostile(here, "system", SYSTEM, "--branch", "4", records=["system", "system.branch-2"]),
                          "hostile system")
            report("hostile system: warnings are text", any(NAME in text for text in reader.texts(".warning li")),
                   reader.texts(".warning li"))
            check_damaged(reader, make_damaged(here, pages["stepped"]))
            check_killed(reader, make_killed(here))
            check_policy(reader, here, pages["stepped"])
        check_without_webgl(pages)
    end()


if __name__ == "__main__":
    main()
