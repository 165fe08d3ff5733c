"""A plugin of pytest: one TAP line for each test, for tools/run-tests. A test counts once, however many phases it has."""
import re

import pytest

PACKAGES = {"scipy": "python3-scipy", "pandas": "python3-pandas", "xarray": "python3-xarray", "nbconvert": "jupyter-nbconvert",
            "ipykernel": "python3-ipykernel", "matplotlib": "python3-matplotlib"}


def why(report):
    """The reason of a skipped test; a module that cannot be imported by the package that brings it."""
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    reason = re.sub(r"^Skipped: ", "", reason)
    module = re.match(r"could not import '(\w+)", reason)
    if module:
        return f"needs {PACKAGES.get(module.group(1), 'python3-' + module.group(1))}: make deps-dev"
    return " ".join(reason.split())


class Lines:
    def __init__(self):
        self.bad = set()

    def say(self, line):
        print("\n" + line, flush=True)

    def pytest_collectreport(self, report):
        if report.failed:
            self.say(f"not ok - {report.nodeid or 'collection'}")
        elif report.skipped:
            self.say(f"ok - {report.nodeid} # SKIP {why(report)}")

    def pytest_runtest_logreport(self, report):
        if report.failed and report.nodeid not in self.bad:
            self.bad.add(report.nodeid)
            self.say(f"not ok - {report.nodeid}")
        elif report.skipped:
            self.say(f"ok - {report.nodeid} # SKIP {why(report)}")
        elif report.when == "call" and report.passed:
            self.say(f"ok - {report.nodeid}")


@pytest.hookimpl(trylast=True)
def pytest_configure(config):
    config.pluginmanager.register(Lines(), "thud-tap-lines")
