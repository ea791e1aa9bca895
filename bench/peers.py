"""How each code is run on the same work, and what it says of it. Nothing is installed here."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass

import measure

STEP = 1e-4  # of all cases, in units of the grain


@dataclass
class Sample:
    """One run. `seconds` are those of the steps: without reading files, setting up, and writing the last state."""
    seconds: float
    steps: int
    grains: int
    kinetic: float  # per grain
    process: measure.Process
    rebuilds: float = 0
    hash: str = ""
    calls: int = 0  # of the force, by Cairn

    @property
    def cost(self):
        """[ns] per grain and step"""
        return 1e9 * self.seconds / self.steps / self.grains

    @property
    def cost_of_call(self):
        """[ns] per grain and force call"""
        return 1e9 * self.seconds / self.calls / self.grains


@dataclass
class Case:
    name: str
    bed: str           # which bed it starts from
    scene: str         # of Cairn
    pair_style: str    # of LAMMPS
    young: float = 0   # of Hertz-Mindlin
    yade: bool = False
    settings: tuple = ()


HOOKE = "hooke/history 200000.0 NULL 50.0 NULL 0.5 0"
# F_n = 4/3 E* sqrt(R delta) delta and k_t = 8 G* sqrt(R delta) in both codes; LAMMPS has sqrt(R delta) outside and asks
# for K_n = 4/3 E* and K_t = 8 G*. With two grains, or grain and wall, of one material E* = E / (2 (1 - nu^2)),
# G* = G / (2 (2 - nu)), G = E / (2 (1 + nu)). Without friction the kinetic energies after 200 steps agree in all nine
# digits; with it to 3.5e-4 at this step and 1.0e-4 at a fourth of it: how the springs follow the drift.
YOUNG, POISSON = 8e7, 0.3
HERTZ_N = 4 / 3 * YOUNG / (2 * (1 - POISSON**2))
HERTZ_T = 8 * YOUNG / (2 * (1 + POISSON)) / (2 * (2 - POISSON))
HERTZ = f"hertz/history {HERTZ_N!r} {HERTZ_T!r} {{damping}} {{damping}} 0.5 1"
CASES = {c.name: c for c in (
    Case("bed", "bed", "scenarios/chute.toml", HOOKE, yade=True),
    Case("flow", "flow", "scenarios/chute.toml", HOOKE, yade=True),
    Case("hertz", "bed", "bench/scenes/hertz.toml", HERTZ.format(damping="0.0")),
    # Dashpots of both codes, for the speed alone: they differ (bench/scenes/hertz.toml).
    Case("hertz_damped", "bed", "bench/scenes/hertz.toml", HERTZ.format(damping="15000.0"),
         settings=("contact.restitution=0.9",)),
)}


class Cairn:
    name = "cairn"

    def __init__(self, threads, onset, program=None, settings=(), ranks=False):
        """`ranks`: as many processes of one thread in place of threads."""
        self.program = str(program or measure.PROGRAM)
        self.threads, self.onset, self.settings, self.ranks = threads, onset, list(settings), ranks
        self.label = f"cairn, onset {onset}"
        self.unit = f"{threads} {'rank' if ranks else 'thread'}{'s' * (threads > 1)}"

    def missing(self):
        if not pathlib.Path(self.program).exists():
            return "build it: cmake --preset release && cmake --build build/release --target cairn"
        return None

    def version(self):
        return subprocess.run([self.program, "--version"], capture_output=True, text=True).stdout.strip()

    def command(self, case, bed, steps, out):
        # A row of the series every thousand steps, as a run of a hundred thousand has; the ledger's guard looks there.
        settings = [*bed.settings(), f"run.end={steps * STEP!r}", f"output.series={1000 * STEP!r}", "output.pictures=0",
                    "output.report=false", *case.settings, *self.settings]
        if case.scene == "scenarios/chute.toml":
            settings.append(f"run.onset={self.onset}")
        workers = ["--threads", "1", "--ranks"] if self.ranks else ["--threads"]
        return [self.program, "run", str(measure.ROOT / case.scene), "--quiet", "--out", str(out), "--checkpoint-every",
                "0", *workers, str(self.threads)] + [a for s in settings for a in ("--set", s)]

    def run(self, case, bed, steps):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "out"

            def stepping():
                return (out / "checkpoint").exists() and not (out / "final.csv").exists()
            process = measure.Process(self.command(case, bed, steps, out), folder, steps=stepping)
            s = json.loads((out / "summary.json").read_text())
        return Sample(s["wall_seconds"], s["steps"], s["particles"], s["energy"]["kinetic"] / s["particles"], process,
                      s["list_rebuilds"] - 1, s["state_hash"], s["force_passes"] - 1)  # the first of each is set-up


LAMMPS_INPUT = """\
units           lj
atom_style      sphere
processors      * * 1
boundary        p p fm
newton          off
comm_modify     vel yes
read_data       {bed}
pair_style      gran/{pair}
pair_coeff      * *
neighbor        {skin} bin
neigh_modify    delay 0 every 1
timestep        {step}
fix             1 all nve/sphere
fix             2 all gravity 1.0 chute 22.0
fix             3 all wall/gran {pair} zplane 0.0 NULL
thermo          1000000
thermo_style    custom step atoms ke
run             {steps}
"""


class Lammps:
    name = "lammps"

    def __init__(self, ranks, skin):
        self.ranks, self.skin = ranks, skin
        self.label = f"lammps, skin {skin}"
        self.unit = f"{ranks} rank{'s' * (ranks > 1)}"
        self.threads = ranks

    def missing(self):
        if not shutil.which("lmp"):
            return "apt-get install lammps"
        if self.ranks > 1 and not shutil.which("mpirun"):
            return "apt-get install openmpi-bin"
        return None

    def version(self):
        text = subprocess.run(["lmp", "-h"], capture_output=True, text=True).stdout
        found = re.search(r"Simulator - (.+)", text)
        return "LAMMPS " + found[1] if found else "LAMMPS"

    def run(self, case, bed, steps):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "in.chute").write_text(
                LAMMPS_INPUT.format(bed=bed.path, pair=case.pair_style, skin=self.skin, step=STEP, steps=steps))
            command = ["lmp", "-in", "in.chute", "-log", "none"]
            if self.ranks > 1:
                root = ["--allow-run-as-root"] if os.geteuid() == 0 else []
                command = ["mpirun", *root, "-np", str(self.ranks), *command]
            process = measure.Process(command, folder, {"OMP_NUM_THREADS": "1"}, ranks=self.ranks)
        loop = re.search(r"Loop time of (\S+) on \d+ procs for (\d+) steps with (\d+) atoms", process.output)
        if not loop:
            raise measure.Failed(f"no loop time from LAMMPS:\n{process.output[-2000:]}")
        grains = int(loop[3])
        kinetic = float(re.findall(rf"^ +{steps} +{grains} +(\S+)", process.output, re.M)[-1])
        rebuilds = re.search(r"Neighbor list builds = (\d+)", process.output)
        return Sample(float(loop[1]), int(loop[2]), grains, kinetic, process, int(rebuilds[1]) if rebuilds else 0)


class Yade:
    name = "yade"
    memory = 15000  # [bytes] per grain: what it needs, about

    def __init__(self, threads):
        self.threads = threads
        self.label = "yade"
        self.unit = f"{threads} thread{'s' * (threads > 1)}"

    def missing(self):
        return None if shutil.which("yade") else "apt-get install yade"

    def version(self):
        text = subprocess.run(["yade", "--version"], capture_output=True, text=True)
        found = re.search(r"[Vv]ersion:? *(\S+)", text.stdout + text.stderr)
        return "YADE " + found[1] if found else "YADE"

    def run(self, case, bed, steps):
        script = str(measure.ROOT / "bench/yade_chute.py")
        with tempfile.TemporaryDirectory() as folder:
            process = measure.Process(["yade", "-j", str(self.threads), "-n", "-x", script], folder,
                                      {"BED": str(bed.path), "STEPS": str(steps)})
        result = re.search(r"RESULT (\S+) (\d+) (\d+) (\S+)", process.output)
        if not result:
            raise measure.Failed(f"no result from YADE:\n{process.output[-2000:]}")
        return Sample(float(result[1]), int(result[2]), int(result[3]), float(result[4]), process)
