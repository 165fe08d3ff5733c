"""A hopping robot: a body on a springy leg whose rest length a controller changes between two steps.

    python3 hopper.py [apex height in m]

The controller stretches the leg while the foot pushes off, shortens it in flight, and after each flight corrects the stroke by
what was missing of the wanted height. The force of the leg is a Python function of the state and of the controller's stroke; the
floor is an expression, and every landing of the foot is an inelastic impact of the library. The record of the whole motion is
verified in the end.
"""
import sys

import thud

BODY, FOOT, LEG, STIFFNESS, DAMPING, G = 4.0, 0.2, 0.5, 3000.0, 40.0, 9.81  # kg, kg, m, N/m, N s/m, m/s^2
STEP = 1e-3


class Controller:
    """Changes the stroke (m) of the leg; what it has seen of a flight corrects the next one."""

    def __init__(self, height):
        self.height, self.push, self.stroke, self.rising, self.apexes = height, 0.02, 0.0, False, []

    def leg(self, t, q, v):
        """Forces on body and foot: a spring and a damper along the leg."""
        force = STIFFNESS * (LEG + self.stroke - (q[0] - q[1])) - DAMPING * (v[0] - v[1])
        return force - BODY * G, -force - FOOT * G

    def decide(self, frame):
        """Between two steps."""
        on_the_ground, rising = frame.gap[0] < 1e-6, frame["z'"] > 0
        self.stroke = self.push if on_the_ground and rising else 0.0
        if self.rising and not rising and not on_the_ground:  # the highest point
            self.apexes.append(frame["z"])
            self.push = min(0.15, max(0.0, self.push + 0.1 * (self.height - frame["z"])))
        self.rising = rising


def hop(height=0.7, end=20.0):
    controller = Controller(height)
    robot = thud.System(["z", "f"], mass=[BODY, FOOT], forces=controller.leg,
                        constraints=[{"name": "floor", "gap": "f", "restitution": 0}],
                        force_dq=[[-STIFFNESS, STIFFNESS], [STIFFNESS, -STIFFNESS]],
                        # without them: differences, 8 calls per step
                        force_dv=[[-DAMPING, DAMPING], [DAMPING, -DAMPING]],
                        initial={"z": 0.6, "f": 0.1}, title="Hopping robot", units={"z": "m", "f": "m"},
                        simulate={"method": "moreau-jean", "theta": 0.5, "end": end, "step": STEP})
    motion = thud.Motion(robot, record=True)
    for frame in motion:
        controller.decide(frame)
    return motion.finish(), controller.apexes


def main(height="0.7"):
    run, apexes = hop(float(height))
    for k, apex in enumerate(apexes):
        if k < 3 or k >= len(apexes) - 3:
            print(f"hop {k + 1:3d}: {apex:.4f} m")
    print(f"{len(apexes)} hops; the run is {run.verdict}, its record is {run.verify().verdict}")
    assert abs(apexes[-1] - float(height)) < 0.005


if __name__ == "__main__":
    main(*sys.argv[1:])
