#!/usr/bin/env python3
"""Runs on several ranks have the bits of a run on one: hash, series.csv and final.csv, for families of schemes, with and
without the correction of onsets, rolling, emitters, removals, periods, moving walls, changes in time; and after a resume
on another number of ranks. Arguments: the program; --long for more numbers of ranks. Without MPI the test is skipped (77)."""
import filecmp
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PROGRAM = sys.argv[1]
NUMBERS = [(2, 1), (3, 2), (4, 1), (5, 1)] if "--long" in sys.argv else [(2, 1), (4, 2)]  # ranks, threads of each


def scenario(scheme="velocity_verlet", onset="on", end=0.008, contact="", wall="", grains="velocity = [0.3, 0, -1]", more=""):
    return f"""
[run]
scheme = "{scheme}"
step = 2e-5
end = {end}
onset = "{onset}"
[contact]
stiffness = 2000
restitution = 0.5
friction = 0.4
{contact}
[output]
pictures = 0
report = false
series = {end / 40}
[[wall]]
name = "floor"
point = [0, 0, 0]
normal = [0, 0, 1]
{wall}
[[grains]]
kind = "random"
low = [0, 0, 0.002]
high = [0.04, 0.03, 0.035]
radius = 2.5e-3
count = 140
{grains}
{more}
"""


PERIODS = "[space]\nperiodic_x = [0, 0.04]\nperiodic_y = [0, 0.03]\ngravity = [3, 0, -9]\n"
COME_AND_GO = """
[[emitter]]
name = "spout"
region_radius = 0.01
center = [0.02, 0.015, 0.06]
axis = [0, 0, 1]
region_length = 0.01
velocity = [0, 0, -1]
radius = 2e-3
rate = 3000
count = 40
[[removal]]
name = "drain"
point = [0, 0, 0.003]
normal = [0, 0, 1]
from = 0.005
"""
CASES = {
    "onsets corrected": scenario(),
    "extrapolated": scenario("velocity_verlet_extrapolated"),
    "onsets not corrected": scenario(onset="off"),
    "staggered": scenario("central_difference"),
    "four forces a step": scenario("rk4", "off", end=0.004),
    "multistep": scenario("adams_bashforth3", end=0.004),
    "rolling": scenario(contact="rolling_friction = 0.1"),
    "periods": scenario(more=PERIODS),
    "a wall that moves": scenario(wall="motion = { amplitude = [0, 0, 1e-3], frequency = 60 }"),
    "grains that come and go": scenario(more=COME_AND_GO),
    "a change in time": scenario(more="[[change]]\nat = 0.004\ncontact.friction = 0.1\n"),
}


class Failed(Exception):
    pass


def cairn(*arguments, ranks=1, threads=1):
    command = [PROGRAM, *map(str, arguments), "--threads", str(threads)] + (["--ranks", str(ranks)] if ranks > 1 else [])
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    if done.returncode != 0:
        raise Failed(f"{' '.join(command)} ended with {done.returncode}: {done.stderr[-600:]}")
    return re.search(r"state hash (\w+)", done.stdout)[1]


def main(folder):
    file, alone, shared = folder / "case.toml", folder / "alone", folder / "shared"

    def same(expected, found, what):
        if found != expected:
            raise Failed(f"{what}: hash {found}, expected {expected}")
        for name in ("series.csv", "final.csv"):
            if not filecmp.cmp(alone / name, shared / name, shallow=False):
                raise Failed(f"{what}: {name} differs")

    for name, text in CASES.items():
        file.write_text(text)
        expected = cairn("run", file, "--out", alone, "--force")
        for ranks, threads in NUMBERS:
            found = cairn("run", file, "--out", shared, "--force", ranks=ranks, threads=threads)
            same(expected, found, f"{name} on {ranks} ranks of {threads} threads")
        print(f"ok: {name}, {expected}", flush=True)

    file.write_text(CASES["grains that come and go"])
    expected = cairn("run", file, "--out", alone, "--force")
    cairn("run", file, "--out", shared, "--force", "--stop-after", 250, ranks=3)
    same(expected, cairn("resume", shared, ranks=2), "stopped on 3 ranks, resumed on 2")
    print("ok: stopped on 3 ranks, resumed on 2")

    # Refused, and nobody waits for ever.
    file.write_text(scenario("implicit_midpoint"))
    try:
        cairn("run", file, "--out", shared, "--force", ranks=2)
    except Failed as refused:
        if "cannot be used on several ranks" not in str(refused):
            raise
        print("ok: implicit schemes are refused")
    else:
        raise Failed("an implicit scheme was not refused")


if not shutil.which("mpirun"):
    print("skipped: there is no mpirun")
    sys.exit(77)
with tempfile.TemporaryDirectory(prefix="cairn_ranks_") as name:
    try:
        main(pathlib.Path(name))
    except Failed as failed:
        print(f"FAILED: {failed}")
        sys.exit(1)
