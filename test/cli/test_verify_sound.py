"""Sound records that are hard to judge are not rejected: narrow and saturated forces, numbers that underflow, data that
switch at a contact, impulses that cancel. Each scene is run by the methods beside it; every run is good, and so says
thud verify."""
import os

from thudcli import end, folder, report, thud

STEPPING = ("moreau", "mabrouk", "moreau-jean", "stabilised", "second-order", "regularised", "implicit")


def one_mass(force, mass=1, more="", velocity=1, steps=500):
    """A mass on a line under a force, in t in [0, 1]."""
    return f"""thud: 1
system:
  coordinates: [z]
  mass: [{mass}]
  forces: {{z: "{force}"}}
{more}initial: {{z: 0, "z'": {velocity}}}
simulate: {{method: event-driven, end: 1, steps: {steps}}}
"""


def stairs(law):
    """A body that slides off every stair: the gap jumps from 0 to the height of the stair."""
    return f"""thud: 1
system:
  coordinates: [x, y]
  mass: [1, 1]
  potential_energy: 9.81*y
  constraints:
    - {{name: stairs, gap: "y + 0.2*floor(x)", {law}}}
initial: {{x: 0.5, y: 0, "x'": 2.1}}
simulate: {{method: event-driven, end: 3, steps: 3000}}
"""


SCENES = {
    # Bounds of the defect that are attained: at the end of an arc, inside of one, by rounding of a steep force.
    "a pulse of width 1e-2": (one_mass("exp(-((t - 0.5)/1e-2)^2)", velocity=0.1), ("event-driven",)),
    "a pulse of width 1e-6": (one_mass("1e6*exp(-((t - 0.5)/1e-6)^2)", velocity=0.1), ("event-driven",)),
    "a pulse of width 1e-6 on a floor": (one_mass(
        "2e6*exp(-((t - 0.5)/1e-6)^2) - 10", velocity=0,
        more="  constraints:\n    - {name: floor, gap: z, restitution: 0.5}\n"), ("event-driven",)),
    "a steep force in space": (one_mass("1600*exp(-((z - 0.7413)/6.13e-4)^2)", velocity=0.93), ("event-driven",)),
    "a force that is saturated": (one_mass("3e5*(1 + tanh((z - 0.4138)/3.4e-6))", 3, velocity=1.445), ("event-driven",)),
    "a force of the velocity that is saturated": (one_mass("1 + tanh((z' - 1.1109)/3.14e-6) - 40*z", velocity=1.3059),
                                                 ("event-driven",)),
    # Each factor of a law by itself rubs alone: one stops while the other slides on.
    "a law of two factors": ("""thud: 1
system:
  coordinates: [x, y]
  mass: [1, 1]
  forces: {y: 6*t}
  friction:
    - name: rub
      threshold: 5
      slip: ["x'", "y'"]
      law: {product: [{interval: {lower: -0.5, upper: 0.4}}, {interval: {lower: -0.7, upper: 0.7}}]}
initial: {x: 0, y: 0, "x'": -1, "y'": 1.3}
simulate: {method: event-driven, end: 1, steps: 200}
""", ("event-driven",)),
    # Works and velocities below the smallest normal number.
    "forces that underflow": (one_mass("exp(-((t - 0.5)*52)^2)", 3, velocity=0), STEPPING),
    # The switch of the force is where the body comes to: no slope shows that the force depends on where that is.
    "a switch at the floor": (one_mass("-2 + 12*step(z + 1)", velocity=-6.5, steps=1000, more=
                                       "  constraints:\n    - {name: floor, gap: z + 1, restitution: 0.5}\n"),
                              ("moreau-jean", "stabilised")),
    "stairs": (stairs("restitution: 0"), ("event-driven",)),
    "stairs with friction": (stairs("restitution: 0.2, friction: {mu: 0.05, slip: [\"x'\"]}"), ("event-driven",)),
    # The gap jumps open when the body arrives: it is closed by its left limit, and nothing is struck.
    "a floor that drops when it is reached": ("""thud: 1
system:
  coordinates: [z]
  mass: [1]
  forces: {z: "if(t < 0.25, -8, 3)"}
  constraints:
    - {name: floor, gap: z + 0.1*step(t - 0.25), restitution: 0.5}
initial: {z: 0.5, "z'": -1}
simulate: {method: event-driven, end: 0.5, steps: 2000}
""", ("event-driven",)),
    # A light body between the floor and a heavy one: it is struck again within the rounding of its position, and what
    # corrects its position moves the heavy one.
    "a light body under a heavy one": ("""thud: 1
system:
  coordinates: [a, b]
  mass: [53.515161959514245, 14850317.33295573]
  potential_energy: 9.81*53.515161959514245*a + 9.81*14850317.33295573*b
  constraints:
    - {name: floor, gap: a, restitution: 0.3}
    - {name: between, gap: b - a - 1, restitution: 0.3}
initial: {a: 0.3320634390016566, b: 1.7137410412597136}
simulate: {method: event-driven, end: 1, steps: 1000}
""", ("event-driven", "stabilised")),
    # Normal impulse and friction are 1e10 times what is left of them, at a place that a thinned record knows roughly.
    # Held by friction while its load grows from 0: velocities are rounding, and no blow-up.
    "a held body": ("""thud: 1
system:
  coordinates: [n, x]
  mass: [0.01, 0.01]
  potential_energy: n^2 + n*x + x^2/2
  forces: {n: "min(t, 1)", x: "max(0, t - 1)"}
  constraints: [{name: wall, phi: n, friction: {mu: 2, slip: ["x'"]}}]
initial: {n: 0, x: 0}
simulate: {method: moreau-jean, end: 2, steps: 2048}
""", ("moreau", "moreau-jean", "stabilised")),
    "impulses that cancel": ("""thud: 1
system:
  coordinates: [a, b]
  kinetic_energy: "2/3*a'^2 + 1/6*b'^2 + 0.5*a'*b'*cos(a-b)"
  potential_energy: -9.81*(1.5*cos(a) + 0.5*cos(b))
  constraints:
    - {name: ground, gap: 1.7 - cos(a) - cos(b), restitution: 0.5, friction: {mu: 4e9, slip: ["a'*cos(a) + b'*cos(b)"]}}
initial: {a: 0.6, b: 0.9, "a'": -0.5, "b'": -3}
simulate: {method: stabilised, end: 1, steps: 10000}
record: {every: 0.005}
""", ("stabilised",)),
}

with folder() as here:
    for name, (text, methods) in SCENES.items():
        scene = os.path.join(here, "scene.yaml")
        with open(scene, "w") as out:
            out.write(text)
        for method in methods:
            run = thud("run", scene, "--set", f"simulate.method={method}", "-o", "motion.h5", "--force", cwd=here)
            done = thud("verify", "motion.h5", cwd=here)
            report(f"{name} by {method}: the run is good", run.returncode == 0, run.stdout + run.stderr)
            report(f"{name} by {method}: the record is good", done.returncode == 0, done.stdout + done.stderr)
end()
