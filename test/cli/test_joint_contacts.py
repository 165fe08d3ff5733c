"""Contacts together with limits, motors and friction of joints: mechanisms that stand on floors reach the tolerance of their steps, and
`thud verify`, which derives everything again, accepts them."""
import pathlib

from thudcli import end, folder, report, thud

HEAD = """thud: 1
title: %s
planar: true
materials:
  m: {friction: 0.8}
bodies:
  - {name: ground, fixed: true, shape: half_plane, material: m}
"""

# Parallel cranks 1e-4 rad from the line of their couplers, where such a linkage branches: its equations nearly depend on each other.
CRANKS = HEAD.replace("material: m}\n", "material: m, position: [0, -y]}\n") % "A machine on two feet" + """
  - {name: body, group: 1, shape: {box: [0.6, 0.15]}, mass: 10, position: [0, 0.4]}
  - {name: front, group: 1, shape: {box: [0.2, 0.02]}, mass: 0.5, position: [0.25, 0.4]}
  - {name: rear, group: 1, shape: {box: [0.2, 0.02]}, mass: 0.5, position: [-0.25, 0.4]}
  - {name: foot-a, group: 1, mass: 1, position: [x, 0.4 + y], parts: [{shape: {box: [0.9, 0.04]}, position: [0, -0.38], material: m}]}
  - {name: foot-b, group: 1, mass: 1, position: [-x, 0.4 - y], parts: [{shape: {box: [0.9, 0.04]}, position: [0, -0.38], material: m}]}
joints:
  - {joint: hinge, name: shaft, a: front, b: body, at: [0.25, 0.4], motor: {speed: -3, at_most: 40}}
  - {joint: hinge, name: bearing, a: rear, b: body, at: [-0.25, 0.4]}
  - {joint: hinge, name: pin-1, a: foot-a, b: front, at: [0.25 + x, 0.4 + y]}
  - {joint: hinge, name: pin-2, a: foot-a, b: rear, at: [x - 0.25, 0.4 + y]}
  - {joint: hinge, name: pin-3, a: foot-b, b: front, at: [0.25 - x, 0.4 - y]}
  - {joint: hinge, name: pin-4, a: foot-b, b: rear, at: [-0.25 - x, 0.4 - y]}
parameters: {x: 0.1*cos(1e-4), y: 0.1*sin(1e-4)}
simulate: {end: 0.04, step: 0.002}
"""

# Struts whose friction has nothing to do at the start: the body that they carry rests.
CAR = HEAD % "A car with dry struts" + """
  - {name: body, group: 1, shape: {box: [1, 0.2]}, mass: 10, position: [0, 0.5]}
  - {name: arm-1, group: 1, shape: {box: [0.05, 0.3]}, mass: 1, position: [-0.4, 0.35]}
  - {name: wheel-1, group: 1, shape: {disc: 0.2}, mass: 1, position: [-0.4, 0.2], material: m}
  - {name: arm-2, group: 1, shape: {box: [0.05, 0.3]}, mass: 1, position: [0.4, 0.35]}
  - {name: wheel-2, group: 1, shape: {disc: 0.2}, mass: 1, position: [0.4, 0.2], material: m}
joints:
  - {joint: slider, name: strut-1, a: arm-1, b: body, at: [-0.4, 0.5], axis: [0, 1], limits: [-0.05, 0.1], friction: {bound: 8}}
  - {joint: hinge, name: hub-1, a: wheel-1, b: arm-1, at: [-0.4, 0.2], motor: {position: 0.36*sin(6.7*t), at_most: 5, time: 0.05}}
  - {joint: slider, name: strut-2, a: arm-2, b: body, at: [0.4, 0.5], axis: [0, 1], limits: [-0.05, 0.05], friction: {bound: 54}}
  - {joint: hinge, name: hub-2, a: wheel-2, b: arm-2, at: [0.4, 0.2], motor: {position: 0.34*sin(6.6*t), at_most: 500, time: 0.05}}
simulate: {end: 0.2, step: 0.002}
"""

# Dry pins: their friction follows the forces of the joints, which follow those of the contacts.
LEGS = HEAD % "Two legs with dry knees" + """
  - {name: body, group: 1, shape: {box: [1, 0.15]}, mass: 10, position: [0, 0.86], material: m}
  - {name: thigh-1, group: 1, shape: {box: [0.06, 0.4]}, mass: 1, position: [-0.445355, 0.61521], rotation: -0.228763, material: m}
  - {name: shin-1, group: 1, shape: {box: [0.05, 0.35]}, mass: 0.5, position: [-0.44674, 0.251035], rotation: 0.253972, material: m}
  - {name: thigh-2, group: 1, shape: {box: [0.06, 0.4]}, mass: 1, position: [-0.213498, 0.620348], rotation: -0.32308, material: m}
  - {name: shin-2, group: 1, shape: {box: [0.05, 0.35]}, mass: 0.5, position: [-0.216048, 0.266651], rotation: 0.355724, material: m}
joints:
  - {joint: hinge, name: hip-1, a: thigh-1, b: body, at: [-0.4, 0.81], motor: {position: 0.117*sin(7.72*t), at_most: 400, time: 0.05}}
  - {joint: hinge, name: knee-1, a: shin-1, b: thigh-1, at: [-0.490709319, 0.420420972], motor: {speed: -2.33, at_most: 2000}}
  - {joint: hinge, name: hip-2, a: thigh-2, b: body, at: [-0.15, 0.81], motor: {speed: 2.24, at_most: 40}, limits: [-0.307, 0.477], restitution: 0.3, friction: {mu: 0.38, radius: 0.02}}
  - {joint: hinge, name: knee-2, a: shin-2, b: thigh-2, at: [-0.276995328, 0.430695127], motor: {speed: -0.367, at_most: 2}, limits: [-0.53, 0.5], restitution: 0.3, friction: {mu: 0.27, radius: 0.02}}
simulate: {end: 0.4, step: 0.002, on_energy_gain: allow}
"""

# A chain that strikes the floor: the friction of its pins presses back on what presses them.
CHAIN = """thud: 1
title: A chain with dry pins and motors falls on a floor
materials:
  m: {friction: 0.81, restitution: 0.3}
bodies:
  - {name: ground, fixed: true, shape: plane, material: m}
  - {name: first, group: 1, shape: {box: [0.26, 0.08, 0.06]}, mass: 0.2, position: [0, 0, 0.420651], material: m}
  - {name: second, group: 1, shape: {box: [0.26, 0.08, 0.06]}, mass: 1, position: [0.3, 0, 0.420651], material: m}
  - {name: third, group: 1, shape: {box: [0.26, 0.08, 0.06]}, mass: 0.2, position: [0.6, 0, 0.420651], material: m}
joints:
  - {joint: hinge, name: pin-1, a: second, b: first, at: [0.15, 0, 0.420651], axis: [0, 0, 1], motor: {speed: 1.36, at_most: 1}, limits: [-0.0118, 0.441], restitution: 0.3, friction: {mu: 0.21, radius: 0.02}}
  - {joint: hinge, name: pin-2, a: third, b: second, at: [0.45, 0, 0.420651], axis: [0, 0.6, 0.8], motor: {speed: 0.464, at_most: 50}, limits: [-0.37, 0.339], friction: {mu: 0.4, radius: 0.02}}
simulate: {end: 0.6, step: 0.005, on_energy_gain: allow}
"""


# No weight, and a motor that presses a door against its stop: where it rests by rounding, only the motor says that the stop must act.
DOOR = """thud: 1
title: A door with a motor, stops and dry hinges
planar: true
gravity: [0, 0]
bodies:
  - {name: door, shape: {box: [0.9, 0.04]}, mass: 20, position: [0.45, 0]}
joints:
  - {joint: hinge, name: post, a: door, at: [0, 0], limits: [0, pi/2], restitution: 0.3, motor: {speed: 1, at_most: 8}, friction: {mu: 0.2, radius: 0.01}}
simulate: {end: 3, step: 0.005}
"""


def holds(here, name, scene, tolerances):
    (here / f"{name}.yaml").write_text(scene)
    for tolerance in tolerances:
        done = thud("run", f"{name}.yaml", "--force", "-o", f"{name}.h5", f"--set=simulate.tolerance={tolerance}", cwd=here)
        if not report(f"{name}: every step reaches {tolerance:g}", done.returncode == 0, done.stdout + done.stderr):
            continue
        done = thud("verify", f"{name}.h5", cwd=here)
        report(f"{name}: thud verify accepts it at {tolerance:g}", done.returncode == 0, done.stdout[-1500:] + done.stderr)


def main():
    with folder() as here:
        here = pathlib.Path(here)
        holds(here, "cranks", CRANKS, (1e-4, 1e-6, 1e-8))
        holds(here, "car", CAR, (1e-4, 1e-8))
        holds(here, "legs", LEGS, (1e-4, 1e-6, 1e-8))
        holds(here, "door", DOOR, (1e-8,))
        holds(here, "chain", CHAIN, (1e-6, 1e-8))
    end()


main()
