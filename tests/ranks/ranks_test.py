#!/usr/bin/env python3
"""Runs on several ranks have the bits of a run on one: hash, series.csv, final.csv, probes.csv, contact_events.csv,
frames and pictures, for families of schemes, with and without the correction of onsets, rolling, emitters, removals, periods, moving walls, changes
in time; and after a resume on another number of ranks. Arguments: the program; --long for more numbers of ranks. Without
MPI the test is skipped (77)."""
import filecmp
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

PROGRAM = sys.argv[1]
LONG = "--long" in sys.argv
NUMBERS = [(2, 1), (3, 2), (4, 1), (5, 1)] if LONG else [(4, 2)]  # ranks, threads of each


FLOOR = """[[wall]]
name = "floor"
point = [0, 0, 0]
normal = [0, 0, 1]"""


def scenario(scheme="velocity_verlet", onset="on", end=0.008, contact="", wall="", grains="velocity = [0.3, 0, -1]", more="",
             floor=True):
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
{FLOOR if floor else ""}
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




def crowd(scheme):
    """More grains than implicit schemes leave to one rank; two clouds that meet."""
    return scenario(scheme, "off", end=0.0005, grains="velocity = [0.3, 0.2, -0.8]", more="""
[[grains]]
kind = "random"
low = [0, 0, 0.002]
high = [0.04, 0.03, 0.035]
radius = 1.7e-3
count = 250
velocity = [-0.3, 0, 0.8]
""").replace("2.5e-3", "1.7e-3").replace("count = 140", "count = 250")


def many(scheme):
    """So many contacts that each rank sweeps over them in several blocks, on its threads."""
    return scenario(scheme, end=0.0006, more=PERIODS).replace("random", "lattice").replace("2.5e-3", "0.7e-3").replace(
        "count = 140", "spacing = 1.397e-3\njitter = 1e-6")


PERIODS = "[space]\nperiodic_x = [0, 0.04]\nperiodic_y = [0, 0.03]\ngravity = [3, 0, -9]\n"
ALONE = "[space]\nperiodic_x = [0, 0.04]\nperiodic_y = [0, 0.03]\nperiodic_z = [-0.01, 0.05]\ngravity = [0, 0, 0]\n" + """
[[grains]]
kind = "random"
low = [0, 0, 0.037]
high = [0.04, 0.03, 0.047]
radius = 2e-3
count = 60
velocity = [9, 0, -3]
"""
LID = """
[[wall]]
name = "lid"
point = [0, 0, 0.04]
normal = [0, 0, -1]
load.mass = 0.05
load.axes = "z"
load.force = [0, 0, -1]
load.damping = 2
"""
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
NO_ROOM = """
[[emitter]]
name = "narrow"
region_radius = 0.004
center = [0.02, 0.015, 0.02]
axis = [0, 0, 1]
region_length = 0.006
velocity = [0, 0, -1]
radius = 2e-3
rate = 3000
count = 20
[[emitter]]
name = "column"
place = "top"
radius = 1e-3
rate = 400
count = 2
"""
PLANES = PERIODS + """
[[probe]]
name = "across"
point = [0.02, 0.015, 0.01]
normal = [1, 0, 0.2]
every = 0.001
[[probe]]
name = "border"
point = [0, 0, 0]
normal = [0, 1, 0]
every = 0.002
"""
REGIONS = """
[[probe]]
name = "box"
low = [0.01, 0, 0]
high = [0.03, 0.03, 0.01]
every = 0.001
[[probe]]
name = "cylinder"
center = [0.02, 0.015, 0.01]
axis = [1, 0, 1]
region_radius = 0.01
region_length = 0.02
every = 0.002
"""
SECOND_MATERIAL = """
[[material]]
name = "glass"
[[material]]
name = "wood"
density = 700
[[grains]]
kind = "random"
low = [0, 0, 0.036]
high = [0.04, 0.03, 0.047]
radius = 2e-3
count = 40
velocity = [0, 0, -2]
material = "wood"
"""


def pictured(colour, text):
    return text.replace("pictures = 0", f"pictures = 0.002\ncolour = \"{colour}\"")


def framed(text):
    return text.replace("pictures = 0", """pictures = 0
frames = 0.002
format = "both"
fields = ["force", "torque", "stress", "pressure", "coordination", "temperature"]""")


def asked(key, text):
    return text.replace("pictures = 0", f"pictures = 0\n{key} = true", 1)


CASES = {
    "onsets corrected": scenario(),
    "extrapolated": scenario("velocity_verlet_extrapolated"),
    "onsets not corrected": scenario(onset="off"),
    "staggered": scenario("central_difference"),
    "four forces a step": scenario("rk4", "off", end=0.004),
    "multistep": scenario("adams_bashforth3", end=0.004),
    "steps of its own": scenario("dormand_prince54", "off", end=0.002),
    "implicit": crowd("implicit_midpoint"),
    "implicit, of few grains": scenario("implicit_midpoint", "off", end=0.002),
    "implicit in two stages": crowd("gauss2_newton"),
    "implicit dashpots": crowd("velocity_verlet_implicit"),
    "Taylor series": scenario("taylor3", "off", end=0.002),
    "predictor and corrector": scenario("gear4", "off", end=0.002),
    "rolling": scenario(contact="rolling_friction = 0.1"),
    "periods": scenario(more=PERIODS),
    "grains that cross borders": scenario(more=PERIODS, grains="velocity = [3, 2, -1]"),
    "many grains": many("velocity_verlet"),
    "many grains, four forces a step": many("rk4"),
    "a wall that moves": scenario(wall="motion = { amplitude = [0, 0, 1e-3], frequency = 60 }"),
    "a wall that moves under forces": scenario("velocity_verlet_extrapolated", wall=LID),
    "grains that pass planes": scenario(more=PLANES, grains="velocity = [3, 2, -1]"),
    "probes of regions": scenario(more=REGIONS + PERIODS + SECOND_MATERIAL, grains="velocity = [3, 2, -1]"),
    "no walls": scenario(more=ALONE, grains="velocity = [9, 0, 0]", floor=False),
    "grains that come and go": scenario(more=COME_AND_GO),
    "grains that wait for room": scenario(more=NO_ROOM),
    "a change by a condition": scenario(more="[[change]]\nwhen = \"kinetic < 0.0105\"\nlook = 5\ncontact.friction = 0.1\n"),
    "a change in time": scenario(more="[[change]]\nat = 0.004\ncontact.friction = 0.1\n"),
    "events of contacts": asked("contact_events", scenario(more=COME_AND_GO + PERIODS)),
    "events of contacts, four forces a step": asked("contact_events", scenario("rk4", "off", end=0.004)),
    "events of contacts, staggered": asked("contact_events", scenario("central_difference", end=0.003)),
    "events of contacts, implicit": asked("contact_events", crowd("velocity_verlet_implicit")),
    "energy expected": asked("expected_energy", scenario(wall=LID)),
    "pictures of materials": pictured("material", scenario(more=SECOND_MATERIAL + COME_AND_GO)),
    "pictures of pressures": pictured("pressure", scenario("velocity_verlet_extrapolated", wall=LID)),
    "pictures of numbers of contacts": pictured("coordination", scenario(more=PERIODS)),
    "pictures of temperatures": pictured("temperature", scenario(more=PERIODS)),
    "pictures, staggered": pictured("speed", scenario("central_difference", end=0.004)),
    "frames": framed(scenario(more=SECOND_MATERIAL + COME_AND_GO, contact="rolling_friction = 0.1")),
    "frames of contacts": asked("contacts", framed(scenario(more=PERIODS + SECOND_MATERIAL))),
    "frames, periods": framed(scenario("velocity_verlet_extrapolated", more=PERIODS)),
    "frames, staggered": framed(scenario("central_difference", end=0.004)),
    "ledger by parts": asked("ledger_split", scenario(more=SECOND_MATERIAL)),
}
# Where more ranks than processors wait for each other in every inner product, a step takes seconds.
REDUCE_OFTEN = {"implicit", "implicit in two stages", "implicit dashpots", "events of contacts, implicit"}


# A checkpoint has what no rank has alone, unless it gathers the grains: events of contacts make it do so.
RESUMED = ["multistep", "rolling", "periods", "grains that come and go", "events of contacts"]


class Failed(Exception):
    pass


def command(*arguments, ranks=1, threads=1):
    return [PROGRAM, *map(str, arguments), "--threads", str(threads)] + (["--ranks", str(ranks)] if ranks > 1 else [])


def cairn(*arguments, **numbers):
    words = command(*arguments, **numbers)
    done = subprocess.run(words, capture_output=True, text=True, timeout=600)
    if done.returncode != 0:
        raise Failed(f"{' '.join(words)} ended with {done.returncode}: {done.stderr}")
    return re.search(r"state hash (\w+)", done.stdout)[1]


def killed(folder, *arguments, **numbers):
    """A run that loses all its ranks at once, after its first checkpoint."""
    words = command(*arguments, **numbers)
    run = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while run.poll() is None and all(file.suffix == ".part" for file in (folder / "checkpoint").glob("*")):
        time.sleep(0.01)
    subprocess.run(["pkill", "-KILL", "-f", str(folder)], check=False)
    if run.wait() == 0:
        raise Failed("the run ended before it could be killed")


def main(folder):
    file, alone, shared = folder / "case.toml", folder / "alone", folder / "shared"

    def same(expected, found, what):
        if found != expected:
            raise Failed(f"{what}: hash {found}, expected {expected}")
        names = ["series.csv", "final.csv", *(n for n in ("probes.csv", "contact_events.csv") if (alone / n).exists())]
        for pattern in ("pictures/*.png", "frames*", "frames/*", "contacts*", "contacts/*"):
            names += [str(file.relative_to(alone)) for file in sorted(alone.glob(pattern)) if file.is_file()]
        for name in names:
            if not filecmp.cmp(alone / name, shared / name, shallow=False):
                raise Failed(f"{what}: {name} differs")

    for name, text in CASES.items():
        file.write_text(text)
        expected = cairn("run", file, "--out", alone, "--force")
        numbers = [(2, 1)] if name in REDUCE_OFTEN and not LONG else NUMBERS
        # One that comes to another rank in the step in which it leaves the cell: on three ranks there was one.
        for ranks, threads in [(3, 1), *numbers] if name == "grains that cross borders" else numbers:
            found = cairn("run", file, "--out", shared, "--force", ranks=ranks, threads=threads)
            same(expected, found, f"{name} on {ranks} ranks of {threads} threads")
        print(f"ok: {name}, {expected}", flush=True)

    for name in CASES if LONG else RESUMED:
        file.write_text(CASES[name])
        expected = cairn("run", file, "--out", alone, "--force")
        half = round(float(re.search(r"end = (.*)", CASES[name])[1]) / 2e-5 / 2)
        for ranks in (1, 2):
            cairn("run", file, "--out", shared, "--force", "--stop-after", half, ranks=3)
            same(expected, cairn("resume", shared, ranks=ranks), f"{name}, stopped on 3 ranks, resumed on {ranks}")
        print(f"ok: {name}, stopped on 3 ranks, resumed on 1 and 2", flush=True)

    file.write_text(scenario(end=0.04, more=COME_AND_GO))
    expected = cairn("run", file, "--out", alone, "--force", "--set", "output.checkpoint=0.001")
    shutil.rmtree(shared)
    killed(shared, "run", file, "--out", shared, "--set", "output.checkpoint=0.001", ranks=4)
    same(expected, cairn("resume", shared, ranks=3), "killed on 4 ranks, resumed on 3")
    print("ok: killed on 4 ranks, resumed on 3")

    # A guard that stops a run, and what cannot be shared: an error, and nobody waits for ever.
    for text, code, words in [
        (scenario(onset="off", end=0.2, more="[guards]\nstep = 'off'\n").replace("2e-5", "4e-4"), 3, "the state at the stop is in"),
        (scenario("moreau_theta", "off").replace("stiffness = 2000", 'law = "dynamics"'), 2, "cannot be used on several ranks"),
    ]:
        file.write_text(text)
        done = subprocess.run(command("run", file, "--out", shared, "--force", ranks=2), capture_output=True, text=True, timeout=60)
        if done.returncode != code or not re.search(words, done.stderr):
            raise Failed(f"expected exit code {code} and {words}; found {done.returncode}: {done.stderr}")
        print(f"ok: ends with {code}")


if not shutil.which("mpirun"):
    print("skipped: there is no mpirun")
    sys.exit(77)
with tempfile.TemporaryDirectory(prefix="cairn_ranks_") as name:
    try:
        main(pathlib.Path(name))
    except Failed as failed:
        print(f"FAILED: {failed}")
        sys.exit(1)
