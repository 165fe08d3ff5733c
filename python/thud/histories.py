"""What the record of a run has of one thing over all frames: bodies, joints, contacts, energies."""
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Iterator, NamedTuple

import numpy as np

from . import errors

if TYPE_CHECKING:
    from .records import Channel, Run

JOINT = "joint_"  # begins the names of channels of joints


class BodyHistory:
    """One rigid body of a run over the frames: arrays [frames, ...]."""

    __slots__ = ("_run", "name", "index", "planar")

    def __init__(self, run: Run, name: str, index: int, planar: bool):
        self._run, self.name, self.index, self.planar = run, name, index, planar

    def _part(self, channel: str, width: int) -> np.ndarray:
        values = self._run.frames._fixed(self._run.frames.channels[channel])
        return values.reshape(len(values), -1, width)[:, self.index]

    @property
    def position(self) -> np.ndarray:
        """[frames, 3] (in the plane [frames, 2]) of the centre of mass."""
        return self._part("position", 2 if self.planar else 3)

    @property
    def velocity(self) -> np.ndarray:
        """[frames, 3] (in the plane [frames, 2]) of the centre of mass."""
        return self._part("velocity", 2 if self.planar else 3)

    @property
    def rotation(self) -> np.ndarray:
        """In space [frames, 4], unit quaternions (w, x, y, z) of the body's frame; in the plane [frames], the angle."""
        return self._part("angle", 1)[:, 0] if self.planar else self._part("rotation", 4)

    @property
    def angle(self) -> np.ndarray:
        """[frames] in the plane: the angle (rad)."""
        if not self.planar:
            raise errors.ArgumentError(f"{self.name!r} moves in space: it has a rotation (quaternions), no angle", "argument")
        return self.rotation

    @property
    def spin(self) -> np.ndarray:
        """[frames, 3] (in the plane [frames]) angular velocity, in the axes of the world."""
        values = self._part("spin", 1 if self.planar else 3)
        return values[:, 0] if self.planar else values

    def __repr__(self) -> str:
        return f"<body {self.name!r}, {len(self._run.frames)} frames>"


class Bodies(Mapping):
    """The bodies of a run by name: ``run.bodies["ball"].position``."""

    def __init__(self, run: Run):
        self._run = run
        position = run.frames.channels.get("position")
        if position is None or run.record.kind != "bodies":
            raise errors.UnsupportedError(f"this record is of a motion of the kind {run.record.kind!r}, which has no rigid bodies; "
                                          "its numbers have names: run.keys()", "unsupported")
        self.planar = "angle" in run.frames.channels
        width = 2 if self.planar else 3
        self._names = [name.rpartition(".")[0] for name in position.components[::width]]

    def __getitem__(self, name: str) -> BodyHistory:
        if name not in self._names:
            raise errors.not_found("there is no body", name, self._names)
        return BodyHistory(self._run, name, self._names.index(name), self.planar)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return f"<bodies: {errors.some(self)}>"


class JointHistory:
    """One joint of a run over the frames. Every channel ``joint_...`` of the record is an attribute: ``force`` [frames, d] at the
    joint's point and ``moment`` about it on its body a (in the world; means over the step that ends at the frame), ..."""

    __slots__ = ("_run", "name")

    def __init__(self, run: Run, name: str):
        self._run, self.name = run, name

    def __dir__(self) -> list:
        return ["name", *self._names()]

    def _names(self) -> list:
        return [channel.name[len(JOINT):] for channel in self._run.frames.channels.values() if self._columns(channel)]

    def _columns(self, channel: Channel) -> list:
        """Places of this joint among the components of a channel."""
        own = channel.components if channel.width and channel.name.startswith(JOINT) else []
        return [k for k, component in enumerate(own) if component == self.name or component.rpartition(".")[0] == self.name]

    def __getattr__(self, name: str) -> np.ndarray:
        channel = None if name.startswith("_") else self._run.frames.channels.get(JOINT + name)
        columns = [] if channel is None else self._columns(channel)
        if channel is None or not columns:
            raise AttributeError(f"the record has no {name!r} of the joint {self.name!r}; it has {', '.join(self._names())}")
        values = self._run.frames._fixed(channel)
        return values[:, columns[0]] if len(columns) == 1 else values[:, columns]

    def __repr__(self) -> str:
        return f"<joint {self.name!r}, {len(self._run.frames)} frames: {', '.join(self._names())}>"


class Joints(Mapping):
    """The joints of a run by name: ``run.joints["hinge"].force``."""

    def __init__(self, run: Run):
        self._run = run
        forces = run.frames.channels.get(JOINT + "force")
        self._names = [] if forces is None else list(dict.fromkeys(part.rpartition(".")[0] for part in forces.components))

    def __getitem__(self, name: str) -> JointHistory:
        if name not in self._names:
            raise errors.not_found("there is no joint", name, self._names)
        return JointHistory(self._run, name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return f"<joints: {errors.some(self) or 'none'}>"


class Ledger(dict):
    """Where the energy went: name -> [frames]. It is shown by its last values."""

    def __repr__(self) -> str:
        return f"<ledger at the end: {', '.join(f'{name} {values[-1]:.6g}' for name, values in self.items() if len(values))}>"


class Contacts(NamedTuple):
    """Contacts of rigid bodies in one step, k of them, in space d = 3 (in the plane 2)."""
    t: float  #: of the frame
    a: list  #: [k] names of the first bodies
    b: list  #: [k] names of the second ones
    point: np.ndarray  #: [k, d]
    normal: np.ndarray  #: [k, d] from b to a
    gap: np.ndarray  #: [k]
    impulse: np.ndarray  #: [k, d] on a; on b its opposite
    part_a: np.ndarray  #: [k] which part of a, from 0
    part_b: np.ndarray
    moment: np.ndarray  #: [k, 3] (in the plane [k]) of rolling and spinning friction, on a
