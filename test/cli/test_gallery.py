"""The collection of examples: names are unique."""
import collections

from thudcli import ROOT, end, report

EXAMPLES = ROOT / "examples"

# `thud new --from NAME` names examples without their folder, and records are named after scenes.
names = collections.Counter(path.name for path in EXAMPLES.glob("**/*.yaml"))
report("no two examples have the same name", max(names.values()) == 1, [name for name, count in names.items() if count > 1])

end()
