"""A small WebDriver client: headless Chromium, driven by chromedriver over plain HTTP (standard library only).

    with Browser(size=(1200, 900)) as browser:
        browser.open("file:///tmp/report.html")
        browser.wait("return document.querySelector('canvas') !== null")
        browser.click("button.play")
        browser.keys(" ")
        browser.screenshot("page.png")
        assert browser.console() == []

Each Browser starts a chromedriver of its own on a free port, with a fresh profile below a temporary folder, and ends it.
Selectors are CSS selectors. Whatever the browser refuses is raised as WebDriverError.
"""
import base64
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the key that WebDriver gives elements in JSON
KEYS = {  # names of keys that are no characters (WebDriver, "Keyboard actions")
    "Tab": "\ue004", "Enter": "\ue007", "Shift": "\ue008", "Control": "\ue009", "Escape": "\ue00c", "Space": " ",
    "PageUp": "\ue00e", "PageDown": "\ue00f", "End": "\ue010", "Home": "\ue011", "ArrowLeft": "\ue012",
    "ArrowUp": "\ue013", "ArrowRight": "\ue014", "ArrowDown": "\ue015", "Delete": "\ue017",
}
FLAGS = ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--use-angle=swiftshader",
         "--enable-unsafe-swiftshader", "--disable-background-networking", "--disable-component-update",
         "--disable-sync", "--no-first-run", "--hide-scrollbars", "--force-color-profile=srgb"]


class WebDriverError(Exception):
    """What chromedriver or the page refused, with its message."""


def available():
    """Whether Chromium and its driver are installed."""
    return shutil.which("chromedriver") is not None and (
        shutil.which("chromium") is not None or shutil.which("google-chrome") is not None)


def _free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Browser:
    """A headless Chromium with one window. size: of the window; webgl=False: a browser without WebGL; flags: further ones."""

    def __init__(self, size=(1280, 900), webgl=True, flags=(), timeout=60.0):
        self.timeout = timeout
        self.folder = tempfile.mkdtemp(prefix="thud-browser-")
        self.driver = None
        self.session = None
        try:
            self._start_driver()
            self._start_session(size, list(flags) + ([] if webgl else ["--disable-gpu", "--disable-3d-apis"]))
            self.resize(*size)
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    # ---- beginning and end ----

    def _start_driver(self):
        self.port = _free_port()
        self.log = open(os.path.join(self.folder, "chromedriver.log"), "wb")
        # A process group of its own: Chromium's processes are in it, and they end with it.
        self.driver = subprocess.Popen(["chromedriver", f"--port={self.port}"], stdout=self.log, stderr=self.log,
                                       start_new_session=True)
        end = time.monotonic() + self.timeout
        while True:
            try:
                if self._request("GET", "/status")["ready"]:
                    return
            except (OSError, WebDriverError):
                pass
            if self.driver.poll() is not None:
                raise WebDriverError(f"chromedriver ended with code {self.driver.returncode}")
            if time.monotonic() > end:
                raise WebDriverError("chromedriver does not answer")
            time.sleep(0.05)

    def _start_session(self, size, flags):
        arguments = [flag for flag in FLAGS if not ("--disable-3d-apis" in flags and "swiftshader" in flag)]
        arguments += [f"--user-data-dir={os.path.join(self.folder, 'profile')}", f"--window-size={size[0]},{size[1]}"]
        capabilities = {"browserName": "chrome", "goog:chromeOptions": {"args": arguments + flags},
                        "goog:loggingPrefs": {"browser": "ALL"}}
        binary = shutil.which("chromium")
        if binary:
            capabilities["goog:chromeOptions"]["binary"] = binary
        answer = self._request("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})
        self.session = answer["sessionId"]
        self.capabilities = answer["capabilities"]
        self.command("POST", "/timeouts", {"script": int(1000 * self.timeout), "pageLoad": int(1000 * self.timeout)})

    def close(self):
        """Ends the browser and its driver and removes the profile; allowed more than once."""
        if self.session is not None:
            try:
                self._request("DELETE", f"/session/{self.session}")
            except (OSError, WebDriverError):
                pass  # the driver ends below in any case
            self.session = None
        if self.driver is not None:
            self._end_driver()
            self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _end_driver(self):
        for how in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(self.driver.pid, how)
            except ProcessLookupError:
                break
            try:
                self.driver.wait(5)
                break
            except subprocess.TimeoutExpired:
                continue
        self.driver = None

    # ---- the protocol ----

    def _request(self, method, path, body=None):
        data = None if method != "POST" else json.dumps(body if body is not None else {}).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data=data, method=method,
                                         headers={"Content-Type": "application/json; charset=utf-8"})
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=self.timeout + 10) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            value = json.load(error).get("value", {})
            raise WebDriverError(f"{value.get('error')}: {value.get('message', '').splitlines()[:1]}") from None

    def command(self, method, path, body=None):
        """A command of the session, as the WebDriver specification has it."""
        return self._request(method, f"/session/{self.session}{path}", body)

    def devtools(self, command, **parameters):
        """A command of the DevTools protocol."""
        return self.command("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    # ---- pages ----

    def open(self, url):
        """Opens an address, or a file by its path."""
        if "://" not in str(url):
            url = pathlib.Path(url).resolve().as_uri()
        self.command("POST", "/url", {"url": url})

    def execute(self, script, *arguments):
        """Runs JavaScript in the page; its `return` value, promises awaited."""
        return self.command("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def wait(self, script, *arguments, timeout=20.0):
        """Waits until the script returns something true, and returns it."""
        end = time.monotonic() + timeout
        while True:
            value = self.execute(script, *arguments)
            if value:
                return value
            if time.monotonic() > end:
                raise WebDriverError(f"not within {timeout:g} s: {script}")
            time.sleep(0.05)

    def console(self, levels=("SEVERE", "WARNING")):
        """Messages of the console since the last call, of these levels, as texts."""
        entries = self.command("POST", "/se/log", {"type": "browser"})
        return [f"{entry['level']}: {entry['message']}" for entry in entries if entry["level"] in levels]

    # ---- what a reader does ----

    def find(self, selector):
        """The first element of a CSS selector."""
        return self.command("POST", "/element", {"using": "css selector", "value": selector})

    def text(self, selector):
        """The text of an element as it is seen."""
        return self.command("GET", f"/element/{self.find(selector)[ELEMENT]}/text")

    def click(self, selector, x=None, y=None):
        """Clicks the middle of an element, or a place at shares x, y (0 to 1) of its width and height."""
        if x is None:
            self._moves(selector, [])  # brings it into the window at once, even if the page scrolls smoothly
            self.command("POST", f"/element/{self.find(selector)[ELEMENT]}/click")
        else:
            self.drag(selector, [(x, y)])

    def drag(self, selector, shares):
        """Presses the mouse at the first place, moves over the others, and lets it go; places as shares of the element."""
        places = self._moves(selector, shares)
        actions = places[:1] + [{"type": "pointerDown", "button": 0}] + places[1:] + [{"type": "pointerUp", "button": 0}]
        self._act({"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": actions})

    def double_click(self, selector, x=0.5, y=0.5):
        """Clicks a place of an element twice."""
        press = [{"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        self._act({"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"},
                   "actions": self._moves(selector, [(x, y)]) + press + press})

    def hover(self, selector, x=0.5, y=0.5):
        """Moves the mouse to a place of an element, without a press."""
        self._act({"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"},
                   "actions": self._moves(selector, [(x, y)])})

    def _moves(self, selector, shares):
        """Moves of the mouse to places of an element, which is brought to the middle of the window first."""
        box = self.execute("const e = document.querySelector(arguments[0]);"
                           "e.scrollIntoView({block: 'center', behavior: 'instant'});"
                           "const b = e.getBoundingClientRect(); return [b.left, b.top, b.width, b.height]", selector)
        return [{"type": "pointerMove", "duration": 30, "x": round(box[0] + x * box[2]), "y": round(box[1] + y * box[3])}
                for x, y in shares]

    def keys(self, *keys):
        """Presses keys one after the other where the focus is: characters, or names such as Tab, Home, Shift+ArrowLeft."""
        actions = []
        for key in keys:
            held = [KEYS.get(part, part) for part in (key.split("+") if len(key) > 1 else [key])]
            actions += [{"type": "keyDown", "value": value} for value in held]
            actions += [{"type": "keyUp", "value": value} for value in reversed(held)]
        self._act({"type": "key", "id": "keyboard", "actions": actions})

    def wheel(self, selector, delta, x=0.5, y=0.5, control=False):
        """Turns the wheel by delta pixels (positive: down) at a place of an element, with Control held or not."""
        place = self._moves(selector, [(x, y)])[0]
        turn = {"type": "scroll", "x": place["x"], "y": place["y"], "deltaX": 0, "deltaY": delta, "duration": 0}
        wait = {"type": "pause"}
        held = [{"type": "keyDown", "value": KEYS["Control"]}, wait, {"type": "keyUp", "value": KEYS["Control"]}]
        keyboard = {"type": "key", "id": "keyboard", "actions": held if control else [wait, wait, wait]}
        self._act(keyboard, {"type": "wheel", "id": "wheel", "actions": [wait, turn, wait]})

    def _act(self, *sources):
        self.command("POST", "/actions", {"actions": list(sources)})
        self.command("DELETE", "/actions")

    # ---- what it looks like ----

    def resize(self, width, height, ratio=1.0, mobile=False):
        """Size of the page in CSS pixels; also below what a window can be made to."""
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=ratio,
                      mobile=mobile)

    def media(self, scheme=None, reduced_motion=None, kind=""):
        """Emulates scheme "light" or "dark", reduced motion, and the medium "print" or "screen" ("": as it is)."""
        features = []
        if scheme is not None:
            features.append({"name": "prefers-color-scheme", "value": scheme})
        if reduced_motion is not None:
            features.append({"name": "prefers-reduced-motion", "value": "reduce" if reduced_motion else "no-preference"})
        self.devtools("Emulation.setEmulatedMedia", media=kind, features=features)

    def picture(self, selector):
        """PNG of an element as it is seen, which is brought to the middle of the window first."""
        box = self.execute("const e = document.querySelector(arguments[0]);"
                           "e.scrollIntoView({block: 'center', behavior: 'instant'});"
                           "const b = e.getBoundingClientRect();"
                           "return [b.left + scrollX, b.top + scrollY, b.width, b.height].map(Math.round)", selector)
        clip = dict(zip(("x", "y", "width", "height"), box), scale=1)
        return base64.b64decode(self.devtools("Page.captureScreenshot", format="png", clip=clip)["data"])

    def screenshot(self, path, whole=False):
        """PNG of what is seen, or of the whole page."""
        if whole:
            width, height = self.execute("const e = document.documentElement; return [e.scrollWidth, e.scrollHeight]")
            data = self.devtools("Page.captureScreenshot", format="png", captureBeyondViewport=True,
                                 clip={"x": 0, "y": 0, "width": width, "height": height, "scale": 1})["data"]
        else:
            data = self.command("GET", "/screenshot")
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
