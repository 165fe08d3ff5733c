"""Nonsmooth mechanics: motions with unilateral constraints, impacts and dry friction, with answers that carry their own proof.

>>> import thud
>>> run = thud.run('''
... thud: 1
... system:
...   coordinates: [z]
...   kinetic_energy: z'^2/2
...   forces: {z: -9.81}
...   constraints: [{name: floor, gap: z, restitution: 0.7}]
... initial: {z: 1, "z'": 0}
... simulate: {method: event-driven, end: 3}
... ''')
>>> run.verdict, run.events[0].kind, float(run["z"][-1])
('good', 'impact', 0.0)

Scenes are run by :func:`run`; the result is a :class:`Run`. Failures are :class:`Error`, a motion that is not good is a Run whose
verdict says so. docs/python.md of the project is the guide.
"""
from ._library import VERSION as __version__
from .bodies import Bodies, BodyState
from .errors import *  # noqa: F401,F403
from .messages import Explanation, explain, message_codes
from .motions import Frame, Hit, Motion
from .records import Event, Record, Run, State, open_record as open  # noqa: A004
from .results import Page, Picture, Verification, plot, report, verify
from .scenes import Diagnosis, Scene, check, run
from . import contact, errors, sets
from .contact import *  # noqa: F401,F403
from .structures import (beam, composed_friction, contacts, half_plane, membrane, plate, quasistatic, string, sweeping, table)
from .studies import Study, Sweep, study, sweep
from .system import System

__all__ = ["Scene", "run", "check", "open", "Run", "Record", "Event", "State", "Diagnosis", "Page", "Picture", "Verification",
           "plot", "report", "verify", "Study", "Sweep", "study", "sweep",
           "Bodies", "BodyState", "beam", "composed_friction", "contacts", "half_plane", "membrane", "plate", "quasistatic", "string",
           "sweeping", "table", "System", "Motion", "Frame", "Hit", "sets", "Explanation", "explain", "message_codes",
           "__version__"]
__all__ += contact.__all__ + errors.__all__
