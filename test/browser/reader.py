"""A page of `thud report` as somebody who reads it meets it: its clock, its pictures, the numbers beside its curves."""
import base64
import re

from webdriver import Browser

# Every picture and every chart is there, and the numbers beside the charts are written.
READY = """
const every = (selector, test) => [...document.querySelectorAll(selector)].every(test);
return document.querySelector('footer') !== null && every('.host', (host) => host.querySelector('canvas, .failed')) &&
  every('.plot', (plot) => plot.querySelector('canvas')) && every('.panel button.series .value', (value) => value.textContent)
  && (document.querySelector('section.series') === null || document.querySelector('.panel') !== null)
"""
FRAMES = "return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"
# What is seen in an element: how many colours, the share of the pixels that have not the most frequent one, and a digest of
# all pixels. Canvases of the plane are read themselves; what WebGL has drawn can be read from a picture (PNG) of the screen only.
LOOK = """
const [host, png] = [document.querySelector(arguments[0]), arguments[1]];
const read = (image) => {
  const canvas = new OffscreenCanvas(image.width, image.height);
  const pen = canvas.getContext('2d');
  pen.drawImage(image, 0, 0);
  return new Uint32Array(pen.getImageData(0, 0, image.width, image.height).data.buffer);
};
const summary = (images) => {
  const counts = new Map();
  let [digest, total] = [0, 0];
  for (const pixels of images) {
    total += pixels.length;
    for (const pixel of pixels) {
      counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
      digest = (Math.imul(digest, 31) + pixel) | 0;
    }
  }
  return { colours: counts.size, drawn: 1 - Math.max(...counts.values()) / total, digest };
};
if (png !== null) {
  const bytes = Uint8Array.from(atob(png), (c) => c.charCodeAt(0));
  return createImageBitmap(new Blob([bytes], { type: 'image/png' })).then((image) => summary([read(image)]));
}
const canvases = [...host.querySelectorAll('canvas')];
return canvases.some((canvas) => canvas.getContext('2d') === null) ? null : summary(canvases.map(read));
"""
# The canvases of all charts: how many there are, and those with fewer than two colours beside the paper.
CHARTS = """
const all = [...document.querySelectorAll('.plot canvas')];
const blank = all.filter((canvas) => {
  const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
  return new Set(new Uint32Array(data.buffer)).size < 4;
});
return [all.length, blank.map((canvas) => canvas.getAttribute('aria-label'))];
"""
# Numbers beside the curves of a group: [heading, name, text] of each series.
LEGEND = """
let heading = '';
return [...document.querySelectorAll(`#group-${arguments[0]} ~ .rows .legend > *`)].flatMap((part) => {
  if (part.matches('.legend-heading')) { heading = part.textContent; return []; }
  return [[heading, part.querySelector('.name').textContent, part.querySelector('.value').textContent]];
});
"""
# Contrast (WCAG 2) of every visible text with what is behind it; colours by way of a canvas, which knows all notations.
# Returns [the lowest, its text, the smallest size of letters, its text].
TEXTS = """
const pen = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
const known = new Map();
const rgba = (colour) => {
  if (!known.has(colour)) {
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
    known.set(colour, [...pen.getImageData(0, 0, 1, 1).data]);
  }
  return known.get(colour);
};
const over = (top, below) => [0, 1, 2].map((k) => (top[k] * top[3] + below[k] * (255 - top[3])) / 255);
const behind = (element) => {
  if (element === null) return [255, 255, 255];
  const own = rgba(getComputedStyle(element).backgroundColor);
  return own[3] === 255 ? own.slice(0, 3) : over(own, behind(element.parentElement));
};
const light = (colour) => {
  const [r, g, b] = colour.map((v) => (v / 255 <= 0.04045 ? v / 3294.6 : ((v / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
let lowest = [Infinity, ''];
let smallest = [Infinity, ''];
const walker = document.createTreeWalker(document.getElementById('app'), NodeFilter.SHOW_TEXT);
for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
  const element = node.parentElement;
  if (node.data.trim() === '' || !element.checkVisibility({ visibilityProperty: true })) continue;
  if (element.closest('.unseen, :disabled, option')) continue;
  const style = getComputedStyle(element);
  const [a, b] = [light(over(rgba(style.color), behind(element))), light(behind(element))];
  const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  if (contrast < lowest[0]) lowest = [contrast, node.data];
  if (parseFloat(style.fontSize) < smallest[0]) smallest = [parseFloat(style.fontSize), node.data];
}
return [...lowest, ...smallest];
"""
# What can be operated and is seen; of a group of radio buttons Tab reaches one.
CONTROLS = """
window.controls = [...document.querySelectorAll('a[href], button, input, select, summary, [tabindex="0"]')].filter(
  (e) => !e.disabled && e.checkVisibility({ visibilityProperty: true }) && !(e.type === 'radio' && !e.checked));
window.reached = new Map();
document.addEventListener('focusin', ({ target }) => {
  const shown = target.type === 'radio' ? target.nextElementSibling : target;
  const style = getComputedStyle(shown);
  window.reached.set(target, style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1);
});
document.activeElement.blur();
window.scrollTo(0, 0);
return window.controls.length;
"""
REACHED = """
const name = (e) => `${e.tagName} ${e.className} ${e.getAttribute('aria-label') ?? e.textContent.slice(0, 40)}`;
return [window.controls.filter((e) => !window.reached.has(e)).map(name),
        [...window.reached].filter(([, seen]) => !seen).map(([e]) => name(e))];
"""
SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")


def value(text):
    """The number of a text such as `−6.322·10⁻⁷ m`; None when there is none."""
    match = re.match(r"(−?[\d.]+)(?:·10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+))?", text)
    if match is None:
        return None
    return float(match[1].replace("−", "-")) * 10.0 ** int((match[2] or "⁰").translate(SUPERSCRIPTS))


class Reader(Browser):
    """WebGL is drawn by the processor; with the rest of the page beside it every frame would take ten times as long."""

    def __init__(self, **keywords):
        super().__init__(flags=["--disable-gpu-compositing"], **keywords)

    def read(self, path):
        """Opens a page and waits until all of it is there."""
        self.open(path)
        self.wait(READY)
        self.settle()

    def settle(self):
        """Waits until what has changed is on the screen."""
        self.execute(FRAMES)

    def complaints(self):
        """Errors and warnings of the console, without those about the speed of the graphics of this machine."""
        return [line for line in self.console() if "GL Driver Message" not in line]

    def count(self, selector):
        return self.execute("return document.querySelectorAll(arguments[0]).length", selector)

    def texts(self, selector):
        return self.execute("return [...document.querySelectorAll(arguments[0])].map((e) => e.textContent)", selector)

    def loaded(self):
        """Addresses that the page has fetched from somewhere else."""
        return self.execute("return performance.getEntriesByType('resource').map((e) => e.name)"
                            ".filter((name) => !/^(blob|data):/.test(name))")

    # ---- the clock ----

    def time(self):
        return value(self.texts("output.time")[0])

    def span(self):
        """First and last time of the clock, by its keys; the clock is at its start afterwards."""
        self.press("End")
        last = self.time()
        self.press("Home")
        return self.time(), last

    def share(self):
        """Where the slider is, 0 to 1."""
        return float(self.execute("return document.querySelector('.scrub').value"))

    def scrub(self, share):
        self.execute("const s = document.querySelector('.scrub'); s.value = arguments[0];"
                     "s.dispatchEvent(new Event('input', { bubbles: true }))", share)
        self.settle()

    def press(self, *keys):
        """Keys that belong to the page, not to a control."""
        self.execute("document.activeElement.blur()")
        self.keys(*keys)
        self.settle()

    def away(self):
        """Moves the mouse to where it shows nothing."""
        self._act({"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"},
                   "actions": [{"type": "pointerMove", "x": 1, "y": 1, "duration": 0}]})
        self.settle()

    def playing(self):
        return self.execute("return document.querySelector('.tool.play').getAttribute('aria-label')") == "Pause"

    # ---- pictures and numbers ----

    def views(self):
        """Selectors of the moving pictures."""
        return [f"figure.view:nth-of-type({k + 1}) .host" for k in range(self.count("figure.view"))]

    def look(self, selector):
        """{colours, drawn, digest} of an element with canvases."""
        self.execute("document.querySelector(arguments[0]).scrollIntoView({ block: 'center', behavior: 'instant' })", selector)
        self.settle()  # pictures that are not seen are not drawn
        seen = self.execute(LOOK, selector, None)
        return seen or self.execute(LOOK, selector, base64.b64encode(self.picture(selector)).decode())

    def charts(self):
        return self.execute(CHARTS)

    def legend(self, group):
        """[(heading, name, number)] of the series of a group of time series, at the clock's time."""
        return [(heading, name, value(text)) for heading, name, text in self.execute(LEGEND, group)]

    def range(self):
        """The times between which the curves are shown."""
        return [value(text) for text in re.findall(r"−?[\d.]+(?:·10[⁻⁰-⁹¹²³]+)?", self.texts("output.range")[0])]

    def clock_line(self):
        """Place of the line of the clock in the first chart, in pixels."""
        return self.execute("return new DOMMatrix(getComputedStyle(document.querySelector('.clock-line')).transform).e")

    # ---- how it can be read and operated ----

    def readable(self):
        """(lowest contrast, its text, size of the smallest letters in pixels, their text)"""
        return self.execute(TEXTS)

    def background(self):
        return self.execute("return getComputedStyle(document.body).backgroundColor")

    def tab_through(self):
        """(controls, those that Tab does not reach, those whose focus is not seen)"""
        count = self.execute(CONTROLS)
        self.keys(*["Tab"] * (count + 2))
        return (count, *self.execute(REACHED))
