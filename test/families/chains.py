"""Elastic chains between walls: n masses in a row, springs of random stiffness, one wall or two, restitution 0 or e, with gravity
or without. Some fly into a wall, others lie on it at rest while a mass far away is struck or pushed: the foot of the wave that
comes falls faster than any power of the distance.

Between events the motion is linear. The reference follows it by a Taylor series of its own with short steps, finds the zeros of
gaps and reactions by bisection and applies Newton's law; with e > 0 impacts may accumulate, and the energies alone are checked.
"""
import math

from . import Case

NAME = "chains"
ORDER = 18  # of the series of the reference
REACH = 0.5  # its steps in units of 1/omega: the terms cut off are below 0.5^19/19! < 2e-23
ACCURACY = 1e-10  # of states; both sides accumulate rounding of n terms over some hundred steps, and 1e-12 of the forces


class Chain:
    def __init__(self, chance, number):
        n = chance.randint(5, 40)
        self.n, self.end = n, chance.uniform(0.3, 0.8)
        self.m = [chance.uniform(0.5, 2) / n for _ in range(n)]
        self.k = [chance.uniform(0.5, 2) * n for _ in range(n - 1)]
        self.g = chance.choice((0, 1))
        self.e = 0 if number % 3 else chance.uniform(0.1, 0.9)
        self.start = chance.choice(("flies", "struck", "pushed"))
        self.far = chance.choice((None, 0.0, 0.2)) if self.start != "flies" else chance.choice((None, 0.3))
        self.push = -chance.uniform(0.5, 2) if self.start == "pushed" else 0
        height = 0.1 if self.start == "flies" else 0
        self.q = [height] * n
        self.v = [-1.0 if self.start == "flies" else 0.0] * n
        if self.start == "struck":
            self.v[chance.randint(n // 2, n - 1)] = -1.0
        self.omega = 2 * math.sqrt(max(self.k) / min(self.m))  # Gershgorin: no frequency of the chain is higher

    def text(self):
        n = self.n
        springs = " + ".join(f"{self.k[i]!r}/2*(q{i + 1} - q{i})^2" for i in range(n - 1))
        weights = "".join(f" + {self.m[i]!r}*{self.g}*q{i}" for i in range(n)) if self.g else ""
        walls = [f"{{name: wall, gap: q0, restitution: {self.e!r}}}"]
        if self.far is not None:
            walls.append(f'{{name: far, gap: "{self.far} - q{n - 1}", restitution: {self.e!r}}}')
        state = ", ".join(f"q{i}: {self.q[i]}, \"q{i}'\": {self.v[i]}" for i in range(n))
        forces = f"\n  forces: {{q{n - 1}: {self.push!r}}}" if self.push else ""
        return f"""thud: 1
system:
  coordinates: [{", ".join(f"q{i}" for i in range(n))}]
  mass: [{", ".join(repr(m) for m in self.m)}]
  potential_energy: "{springs}{weights}"{forces}
  constraints: [{", ".join(walls)}]
initial: {{{state}}}
simulate: {{method: event-driven, end: {self.end!r}}}
"""

    def forces(self, q, first):
        """Forces of order 0 (with the constant ones), or of a higher order of the series."""
        f = [(-m * self.g if first else 0.0) for m in self.m]
        if first:
            f[-1] += self.push
        for i, k in enumerate(self.k):
            pull = k * (q[i + 1] - q[i])
            f[i] += pull
            f[i + 1] -= pull
        return f

    def energy(self, q, v):
        return (sum(m * x * x for m, x in zip(self.m, v)) + sum(k * (b - a) ** 2 for k, a, b in zip(self.k, q, q[1:]))) / 2 \
            + sum(m * self.g * x for m, x in zip(self.m, q))

    def walls(self):
        """Mass and direction of the gap of each wall, and where it is."""
        return [(0, 1, 0.0)] + ([(self.n - 1, -1, self.far)] if self.far is not None else [])


def series(chain, q, v, held):
    """Coefficients of q while the masses of `held` stay where they are."""
    rows = [list(q), list(v)]
    for order in range(ORDER - 1):
        f = chain.forces(rows[order], order == 0)
        rows.append([0.0 if i in held else f[i] / chain.m[i] / ((order + 1) * (order + 2)) for i in range(chain.n)])
    return rows


def at(rows, s):
    q, v = [0.0] * len(rows[0]), [0.0] * len(rows[0])
    for order in range(len(rows) - 1, -1, -1):
        q = [x * s + c for x, c in zip(q, rows[order])]
        if order:
            v = [x * s + order * c for x, c in zip(v, rows[order])]
    return q, v


def follow(chain):
    """The state at the end, without restitution."""
    q, v, t = list(chain.q), list(chain.v), 0.0
    walls = chain.walls()

    def gap(wall, x):
        return wall[1] * x[wall[0]] + (wall[2] or 0.0)

    def presses(wall, x):
        return wall[1] * chain.forces(x, True)[wall[0]]
    held = {wall for wall in walls if gap(wall, q) <= 0 and presses(wall, q) <= 0}
    while t < chain.end:
        rows = series(chain, q, v, {wall[0] for wall in held})
        h = min(REACH / chain.omega, chain.end - t)

        def broken(s):
            x, u = at(rows, s)
            return [wall for wall in walls
                    if (presses(wall, x) > 1e-13 if wall in held else gap(wall, x) < 0 and wall[1] * u[wall[0]] < 0)]
        found = broken(h)
        if found:
            low = 0.0
            for _ in range(60):
                middle = (low + h) / 2
                low, h, found = (low, middle, broken(middle)) if broken(middle) else (middle, h, found)
        t += h
        q, v = at(rows, h)
        for wall in found:
            if wall in held:
                held.remove(wall)
            else:
                q[wall[0]] = wall[1] * -(wall[2] or 0.0)
                v[wall[0]] = 0.0
                if presses(wall, q) <= 0:
                    held.add(wall)
    return q, v


def draw(chance, number):
    chain = Chain(chance, number)
    sampled = number % 4 == 3  # Runge-Kutta arcs, as many as their tolerance asks for

    def check(summary):
        ledger = summary["ledger"]
        q = [summary["state"][f"q{i}"] for i in range(chain.n)]
        v = [summary["state"][f"q{i}'"] for i in range(chain.n)]
        before, after = chain.energy(chain.q, chain.v), chain.energy(q, v)
        work = chain.push * (q[-1] - chain.q[-1])
        size = abs(before) + abs(after) + abs(work)
        left = before + work - ledger["impact_loss"] - after
        if abs(left) > 1e-11 * size:
            return f"{left:g} J of {size:g} J are left"
        # A series of order 20 holds for 1/omega at least, and each event ends an arc.
        most = chain.omega * chain.end + 4 * (summary["events_total"] + 2)
        if summary["arcs"] > most and not sampled:
            return f"{summary['arcs']} arcs, {most:.0f} are enough for n = {chain.n}"
        if chain.e > 0:
            return None
        right = follow(chain)
        worst = max(abs(a - b) for a, b in zip(q + v, right[0] + right[1]))
        return None if worst <= ACCURACY else f"the state is off by {worst:g} ({chain.start}, n = {chain.n}, far {chain.far})"
    return Case(chain.text(), ("--set", "simulate.arcs=runge-kutta") if sampled else (), check=check)
