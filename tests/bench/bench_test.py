#!/usr/bin/env python3
"""The benchmark programs run, on a small bed, and notice what is wrong: bench_test.py SOURCE PROGRAM"""
import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

SOURCE, PROGRAM = (pathlib.Path(a).resolve() for a in sys.argv[1:3])
faults = []


def check(right, what):
    if not right:
        faults.append(what)


def run(name, *arguments, **kinds):
    return subprocess.run([sys.executable, "-B", SOURCE / "bench" / name, *arguments], capture_output=True, text=True,
                          **kinds)


with tempfile.TemporaryDirectory(prefix="cairn_bench_") as folder:
    desk = pathlib.Path(folder)
    (desk / "bed.data").write_text((SOURCE / "scenarios/chute.data").read_text())
    for name in ("chute", "scaling", "profile", "instructions", "ranks", "callbacks.py"):
        done = run(name, "--help")
        check(done.returncode == 0 and f"bench/{name}" in done.stdout, f"{name} --help: {done.stderr}")

    done = run("ranks", "--beds", desk, env={**os.environ, "PATH": str(desk)})
    check(done.returncode == 1 and "apt-get install libopenmpi-dev" in done.stderr, f"ranks without MPI: {done.stderr}")

    # Without other codes: they are named, with what to install, and left out.
    (desk / "bin").mkdir()
    common = ["--beds", desk, "--work", desk / "work", "--program", PROGRAM, "--steps", "20", "--no-roofline"]
    done = run("chute", *common, "--json", "--csv", desk / "runs.csv", "--rounds", "2",
               env={**os.environ, "PATH": str(desk / "bin")})
    check(done.returncode == 0, f"chute ends with {done.returncode}: {done.stdout}{done.stderr}")
    check("SKIPPED lammps" in done.stderr and "apt-get install lammps" in done.stderr, "LAMMPS is not named")
    check("SKIPPED yade" in done.stderr and "apt-get install yade" in done.stderr, "YADE is not named")
    result = json.loads(done.stdout)["results"][0]
    check(result["grains"] == 4000 and len(result["codes"]) == 4, f"codes: {result['codes']}")
    check(all(0 < c["least"] <= c["median"] and c["peak_bytes_per_grain"] > 0 for c in result["codes"]), "figures")
    with open(desk / "runs.csv") as file:
        rows = list(csv.DictReader(file))
    check(len(rows) == 8 and all(r["processor"] and r["date"] and float(r["load"]) >= 0 for r in rows), "runs.csv")
    check(len({r["state_hash"] for r in rows if "off" in r["code"]}) == 1, "state hashes of runs.csv")

    # What a force call costs in schemes of algebra verbs: as many calls as the scheme claims.
    done = run("chute", *common, "--json", "--threads", "1", "--rounds", "1", "--steps", "400", "--schemes", "rk4,midpoint2")
    check(done.returncode == 0, f"chute --schemes ends with {done.returncode}: {done.stdout}{done.stderr}")
    schemes = {r["scheme"]: r for r in json.loads(done.stdout)["results"][0]["schemes"]}
    check([round(s["calls_per_step"]) for s in schemes.values()] == [1, 4, 2], f"calls per step: {schemes}")
    check(schemes["velocity_verlet"]["over"] == 1 and all(s["least"] > 0 for s in schemes.values()), f"{schemes}")

    # Side by side, in one file: as many grains, as much energy per grain.
    done = run("chute", *common, "--json", "--codes", "cairn", "--onset", "off", "--threads", "1", "--rounds", "1",
               "--sizes", "32k,255k")
    energies = [c["kinetic_per_grain"] for r in json.loads(done.stdout)["results"] for c in r.get("codes", [])]
    check(len(energies) == 2 and abs(energies[1] / energies[0] - 1) < 1e-9,
          f"the energy of eight beds side by side: {energies} {done.stderr}")

    # Other physics is noticed.
    liar = desk / "bin/lmp"
    liar.write_text("#!/bin/sh\necho 'Loop time of 1 on 1 procs for 20 steps with 4000 atoms'\n"
                    "echo '      20     4000   0.123'\n")
    liar.chmod(0o755)
    done = run("chute", *common, "--threads", "1", "--rounds", "1", "--codes", "cairn,lammps",
               env={**os.environ, "PATH": f"{desk / 'bin'}:{os.environ['PATH']}"})
    check(done.returncode == 1 and "FAULT cairn, onset off" in done.stdout, f"another energy: {done.stdout}")

    # Instructions by pass, from such a file as callgrind writes: names once, then numbers; positions after a call are the
    # caller's. `both` is called by two passes, for 300 of 400 instructions by the first, and calls itself.
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(SOURCE / "bench"))
    import callgrind
    profile = callgrind.Profile("""\
version: 1
events: Ir
fn=(1) main
1 7
cfn=(2) cairn::pair_pass_avx2(int)
calls=3 10
+4 1300
cfn=(3) wall(int)
calls=1 20
* 150
fn=(2)
10 1000
cfn=(4) both
calls=2 30
12 300
fn=(3)
fi=(9) other.hpp
20 50
cfn=(4)
calls=1 30
22 100
fn=(4)
30 380
-2 20
cfn=(4)
calls=5 30
+1 90
""")
    check(dict(profile.cost) == {"main": 7, "cairn::pair_pass_avx2(int)": 1000, "wall(int)": 50, "both": 400},
          f"instructions of functions: {profile.cost}")
    passes = profile.by_pass([("pair", r"\bpair_pass"), ("wall", r"^wall")])
    check({k: round(v, 9) for k, v in passes.items()} == {"pair": 1300, "wall": 150, "other": 7}, f"passes: {passes}")
    difference = callgrind.per_grain_step({"pair": 100, "begin": 40}, {"pair": 700, "begin": 40, "late": 30}, 10, 3)
    check(difference.get("pair") == 20 and difference["begin"] == 0 and difference["late"] == 1, f"{difference}")
    done = run("instructions", "--beds", desk, "--program", PROGRAM, env={**os.environ, "PATH": str(desk / "bin")})
    check(done.returncode == 1 and "apt-get install valgrind" in done.stderr, f"valgrind is not named: {done.stderr}")

    rows = [{"date": "2026-01-01T00:00:00Z", "processor": "a <processor>", "scene": "bed", "code": code, "threads": t,
             "grains": n, "ns_per_grain_step": 50 / t} for code in ("cairn", "lammps, skin 0.02") for t in (1, 2)
            for n in (1000, 30000)]
    with open(desk / "scaling.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    done = run("scaling", "--draw", desk / "scaling.csv", "--figures", desk / "figures")
    check(done.returncode == 0, f"scaling --draw: {done.stderr}")
    for name in ("cost_by_grains.svg", "speed_by_threads.svg"):
        tree = xml.etree.ElementTree.parse(desk / "figures" / name)
        check(len(tree.findall(".//{*}circle")) >= 4, f"{name}: points")

print("\n".join(faults) if faults else "bench: ok")
sys.exit(1 if faults else 0)
