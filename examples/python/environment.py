"""An environment for reinforcement learning with the interface of Gymnasium, which it does not need: a cart with a pole between
two walls that it hits.

    python3 environment.py

reset() and step(action) return what learning code expects; clone() is a copy that goes its own way (planning, tree search). The
force on the cart is the one Python function of the system; it is a closure over the action, which is changed between steps.
"""
import copy
import math

import numpy as np

import thud

CART, POLE, LENGTH, G, WALL = 1.0, 0.1, 0.5, 9.81, 1.0  # kg, kg, m (half of the pole), m/s^2, m


class CartPole:
    """Observations are (x, angle, x', angle'); actions are forces in N, -10 to 10; an episode ends when the pole is down."""

    control_steps = 20  # of the motion in one of the environment

    def __init__(self, seconds=10.0, step=1e-3):
        self.action, self.seconds, self.step_length = 0.0, seconds, step
        self.random = np.random.default_rng(0)

    def _system(self):
        # The pole turns about the cart: T = (M + m) x'^2/2 + m l cos(a) x' a' + (2/3) m l^2 a'^2, V = m g l cos(a)
        return thud.System(
            ["x", "a"], kinetic_energy="(M + m)*x'^2/2 + m*l*cos(a)*x'*a' + 2/3*m*l^2*a'^2", potential_energy="m*g*l*cos(a)",
            forces={"x": lambda t, q, v: self.action}, parameters={"M": CART, "m": POLE, "l": LENGTH, "g": G, "a0": 0},
            constraints=[{"name": "left", "gap": f"x + {WALL}", "restitution": 0.5},
                         {"name": "right", "gap": f"{WALL} - x", "restitution": 0.5}],
            initial={"a": "a0"}, simulate={"method": "moreau", "end": self.seconds, "step": self.step_length})

    def reset(self, seed=None):
        """(observation, info)."""
        if seed is not None:
            self.random = np.random.default_rng(seed)
        self.action = 0.0
        self.motion = thud.Motion(self._system(), a0=self.random.uniform(-0.1, 0.1))
        return self._observe(self.motion.step()), {}

    def step(self, action):
        """(observation, reward, terminated, truncated, info)."""
        self.action = float(np.clip(action, -10, 10))
        frame = self.motion.run(steps=self.control_steps)
        fallen = abs(frame["a"]) > math.pi / 4
        return self._observe(frame), 0.0 if fallen else 1.0, fallen, not self.motion.going, {"t": frame.t}

    def clone(self):
        """The same state, in an environment of its own."""
        other = copy.copy(self)
        other.random = copy.deepcopy(self.random)
        other.motion = thud.Motion(other._system())  # with a force that reads the action of the copy
        other.motion.restore(self.motion.save())
        return other

    @staticmethod
    def _observe(frame):
        return np.concatenate([frame.q, frame.v])


def main():
    environment, gains = CartPole(), np.array([2.0, 40.0, 3.0, 8.0])
    observation, _ = environment.reset(seed=1)
    total, ended = 0.0, False
    while not ended:
        if environment.motion.t == 0:
            twin = environment.clone()
        observation, reward, fallen, over, _ = environment.step(gains @ observation)
        total, ended = total + reward, fallen or over
    print(f"balanced for {environment.motion.t:.2f} s, reward {total:.0f}, angle {observation[1]:.1e}")
    observation, _, fallen, over, info = twin._observe(twin.motion.frame), 0, False, False, {}
    while not (fallen or over):
        observation, _, fallen, over, info = twin.step(0.0)
    print(f"its copy without control falls after {info['t']:.2f} s")
    assert total == 500 and 0 < info["t"] < 2


if __name__ == "__main__":
    main()
