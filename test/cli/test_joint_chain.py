"""A taut chain of 100 links with a load of 1000 times the mass of a link, and joints over 1e5 steps: do they stay closed?"""
import math

from jointruns import run, second_order, verified
from thudcli import folder, end, report


def loaded_chain(here):
    wanted, errors = (.366180230487, -.930530938457), []  # minimal coordinates, Runge and Kutta's method, 4000 steps
    for step in (5e-4, 2.5e-4, 1.25e-4):
        found = run(here, "loaded-chain", simulate__step=step)
        errors.append(math.dist([found[-1]["load.x"], found[-1]["load.y"]], wanted))
    second_order("loaded chain: place of the load at t = 0.25", errors, 2e-9)
    report("loaded chain: closed to rounding", max(row["joint_gap"] for row in found) < 1e-12)
    verified(here, "loaded-chain")


def long_run(here):
    found = run(here, "hinged-rods", simulate__step=0.005, simulate__end=500, record__every=10)
    gaps = [row["joint_gap"] for row in found]
    report("1e5 steps of two rods: joints are closed to rounding, with no trend", max(gaps) < 2e-12, max(gaps))
    total = [row["kinetic"] + row["potential"] - row["lift"] - row["work"] for row in found]
    report("1e5 steps of two rods: the energy keeps its balance", max(total) - min(total) < 1e-10, max(total) - min(total))
    report("1e5 steps of two rods: closing the joints lifts little", abs(found[-1]["lift"]) < 0.02, found[-1]["lift"])


def main():
    with folder() as here:
        loaded_chain(here)
        long_run(here)
    end()


main()
