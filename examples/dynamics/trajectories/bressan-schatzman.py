#!/usr/bin/env python3
"""bressan-schatzman.py FOLDER: writes the second solution of A. Bressan and M. Schatzman's counterexample.

The force is 0 on [a_(n+1), a_(n+1) + d_n] and rho(x)/(2 n!) on the rest [.., a_n] of the interval, n = 0, 1, 2, ...,
rho(x) = C exp(1/(x(x-1))) with integral 1. The levels n <= LEVELS are written, as in ../bressan-schatzman.yaml; before a_(LEVELS+1) the force is
replaced by 0, where it is less than 4e-8 and the second solution moves with less than 1/(LEVELS+4)! = 1.2e-11.
"""
import math
import pathlib
import sys
from fractions import Fraction

LEVELS, ROWS, PANELS = 10, 64, 4096
C = 142.2503757770958


def a(n):
    return Fraction(8, 3) / (n + 1) - Fraction(11, 6) / (n + 2) + Fraction(1, 6) / (n + 3)


def d(n):
    return Fraction(n + 5, (n + 1) * (n + 2) * (n + 4))


def w(n):
    return Fraction(2 * (n + 5), (n + 1) * (n + 2) * (n + 3) * (n + 4))


def rho(x):
    return C * math.exp(1 / (x * (x - 1))) if 0 < x < 1 else 0.0


def integrals():
    """I1 = integral of rho, I2 = integral of I1, at k/ROWS: trapezoids are exact to rounding, rho being flat at its ends.

    On parts of [0, 1] they are not: composite Gauss with 5 points there.
    """
    r1, r2 = math.sqrt(5 - 2 * math.sqrt(10 / 7)) / 3, math.sqrt(5 + 2 * math.sqrt(10 / 7)) / 3
    w1, w2 = (322 + 13 * math.sqrt(70)) / 900, (322 - 13 * math.sqrt(70)) / 900
    points = ((0.0, 128 / 225), (-r1, w1), (r1, w1), (-r2, w2), (r2, w2))
    first, second = [0.0], [0.0]
    h = 1 / PANELS
    sums, moments = [], []  # of rho and of (end - x) rho over the panels
    for k in range(PANELS):
        middle, end = (k + 0.5) * h, (k + 1) * h
        values = [(middle + p * h / 2, weight * h / 2) for p, weight in points]
        sums.append(math.fsum(weight * rho(x) for x, weight in values))
        moments.append(math.fsum(weight * (end - x) * rho(x) for x, weight in values))
    one = two = 0.0
    for k in range(PANELS):
        two += one * h + moments[k]
        one += sums[k]
        if (k + 1) % (PANELS // ROWS) == 0:
            first.append(one)
            second.append(two)
    return first, second


def rows():
    first, second = integrals()
    yield 0.0, "", 0.0, 0.0
    for n in range(LEVELS, -1, -1):
        begin, start, width = a(n + 1), a(n + 1) + d(n), w(n)
        v0, f = -1 / math.factorial(n + 4), 1 / (2 * math.factorial(n))
        yield float(begin), "-", 0.0, 0.0 if n == LEVELS else -v0
        yield float(begin), "+", 0.0, v0
        q0 = v0 * float(d(n))
        for k in range(ROWS + 1):
            elapsed = float(width) * k / ROWS
            if k < ROWS:
                yield (float(start + width * k / ROWS), "", q0 + v0 * elapsed + f * float(width) ** 2 * second[k],
                       v0 + f * float(width) * first[k])
    yield float(a(0)), "-", 0.0, 1 / math.factorial(3)
    yield float(a(0)), "+", 0.0, -1 / math.factorial(3)


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent)
    (folder / "trajectories").mkdir(exist_ok=True)
    table = "t,side,q,q'\n" + "".join(f"{t!r},{side},{q!r},{v!r}\n" for t, side, q, v in rows())
    (folder / "trajectories" / "bressan-schatzman-2.csv").write_text(table, encoding="utf-8")


if __name__ == "__main__":
    main()
