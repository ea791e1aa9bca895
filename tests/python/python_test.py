#!/usr/bin/env python3
"""The Python package: python_test.py CAIRN [unittest options], with the package on PYTHONPATH."""
import gc
import json
import math
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

try:
    import numpy as np
except ImportError:
    print("skipped: numpy is missing (apt-get install python3-numpy)")
    sys.exit(77)

import cairn
from cases import CASES, SOURCE, TEXT

PROGRAM = sys.argv[1] if len(sys.argv) > 1 else "cairn"
CHUNK = 37  # [steps] no result depends on where the steps pause


def scenario(case):
    file, overrides = CASES[case]
    if file is None:
        return cairn.Scenario.parse(TEXT, "case.toml", overrides)
    return cairn.Scenario.read(SOURCE / "scenarios" / file, overrides)


def program(*words):
    return subprocess.run([PROGRAM, *map(str, words)], check=True, stdout=subprocess.PIPE, text=True).stdout


def run_program(of, folder):
    file = pathlib.Path(folder) / "case.toml"
    file.write_text(of.text)
    words = [w for o in of.overrides for w in ("--set", o)]
    return json.loads(program("run", file, "--out", pathlib.Path(folder) / "out", "--json", *words))


def assert_same(one, other):
    """All bits, but for what stands between the fields; NaN is NaN."""
    for name in one.dtype.names or [...]:
        np.testing.assert_array_equal(one[name], other[name])


def columns_of(file):
    return np.genfromtxt(file, delimiter=",", names=True, comments=None, skip_header=2, deletechars="")


class SameBits(unittest.TestCase):
    def test_hash_and_rows_are_the_programs(self):
        for case in CASES:
            with self.subTest(case), tempfile.TemporaryDirectory() as folder:
                of = scenario(case)
                expected = run_program(of, folder)
                s = cairn.Simulation(of)
                rows = []
                while not s.over:
                    s.step(CHUNK)
                    rows.append((s.positions, s.velocities))  # looking changes nothing
                self.assertEqual(s.hash, expected["state_hash"])
                self.assertEqual(s.summary()["state_hash"], expected["state_hash"])
                self.assertEqual(s.steps, expected["steps"])
                series = columns_of(pathlib.Path(folder) / "out/series.csv")
                self.assertEqual(len(series), len(s.series))
                for name in s.series.dtype.names:
                    np.testing.assert_array_equal(s.series[name].astype(float), series[name], name)
                probes = pathlib.Path(folder) / "out/probes.csv"
                if probes.exists():
                    np.testing.assert_array_equal(s.probes["packing_fraction"], columns_of(probes)["packing_fraction"])
                events = pathlib.Path(folder) / "out/contact_events.csv"
                if events.exists():
                    ended = columns_of(events)["peak_force"]
                    self.assertGreater(len(s.contact_events), 10)
                    # The program also lists those that stand at the end.
                    np.testing.assert_array_equal(s.contact_events["peak_force"], ended[:len(s.contact_events)])

    def test_a_run_goes_from_python_to_the_program_and_back(self):
        with tempfile.TemporaryDirectory() as folder:
            of = scenario("splitting, onsets corrected")
            whole = cairn.Simulation(of).run().hash
            first = cairn.Simulation(of)
            first.step(150)
            path = pathlib.Path(folder) / "half"
            first.save(path)
            with self.assertRaises(FileExistsError):
                first.save(path)
            program("resume", path, "--stop-after", 300, "--quiet")
            last = cairn.Simulation.from_checkpoint(path)
            self.assertEqual(last.steps, 300)
            self.assertEqual(last.run().hash, whole)
            self.assertEqual(first.run().hash, whole)  # a checkpoint changes nothing
            self.assertEqual(pickle.loads(pickle.dumps(first)).hash, whole)

    def test_checkpoint_of_staggered_velocities(self):
        of = scenario("staggered")
        whole = cairn.Simulation(of).run().hash
        s = cairn.Simulation(of)
        s.step(101)
        seen = s.velocities
        copied = seen.copy()
        again = cairn.Simulation.from_checkpoint(s.checkpoint())
        np.testing.assert_array_equal(seen, copied)
        np.testing.assert_array_equal(again.velocities, copied)
        self.assertEqual(again.run().hash, whole)

    def test_change_is_that_of_the_program(self):
        of = cairn.Scenario.parse(TEXT.replace("[[change]]", "#").replace("at = ", "#").replace("contact.friction", "#")
                                  .replace("space.gravity", "#"))
        s = cairn.Simulation(of)
        s.step(200)
        seen = s.positions
        s.change({"contact.friction": 0.05, "space.gravity": [1.0, 0, -9.81]})
        rows = len(s.series)
        s.run()
        self.assertGreater(len(s.series), rows)
        self.assertEqual(len(seen), 60 + 7)  # the emitter had brought seven
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(run_program(s.scenario, folder)["state_hash"], s.hash)
        with self.assertRaisesRegex(cairn.Error, "cannot change"):
            s.change({"contact.law": "hertz_mindlin"})

    def test_threads(self):
        of = scenario("Runge-Kutta")
        self.assertEqual(cairn.Simulation(of, threads=2).run().hash, cairn.Simulation(of).run().hash)


class Scenarios(unittest.TestCase):
    def test_dict_keywords_and_text_are_one(self):
        sections = {"run": {"step": 1e-4, "end": 0.1}, "contact": {"stiffness": "1 kN/m", "restitution": 0.5},
                    "wall": [{"type": "plane", "normal": [0, 0, 1], "motion": {"velocity": np.array([0.1, 0, 0])}}]}
        grain = [{"position": np.array([0, 0, 0.02]), "radius": np.float64(0.01), "mass": 1e-3}]
        one = cairn.Scenario(sections, grain=grain)
        two = cairn.Scenario.parse("""
[run]
step = 1e-4
end = 0.1
[contact]
stiffness = 1e3
restitution = 0.5
[[wall]]
type = "plane"
normal = [0, 0, 1]
motion = { velocity = [0.1, 0, 0] }
[[grain]]
position = [0, 0, 0.02]
radius = 0.01
mass = 1e-3
""")
        self.assertEqual(one.simulate().run().hash, two.simulate().run().hash)
        self.assertNotEqual(one.with_overrides({"space.gravity": [0, 0, -1]}).simulate().run().hash, one.simulate().run().hash)

    def test_numbers_keep_their_bits(self):
        x = math.pi / 3
        s = cairn.Scenario(run={"step": 1e-4, "end": 1}, contact={"stiffness": 1e3},
                           grain=[{"position": [x, np.float64(x), -1e-300], "radius": 0.1 + 0.2, "mass": 1}]).simulate()
        self.assertEqual(s.positions[0].tolist(), [x, x, -1e-300])
        self.assertEqual(s.radii[0], 0.1 + 0.2)

    def test_changes_of_a_dict_merge(self):
        s = cairn.Scenario(run={"step": 1e-4, "end": 0.1}, grain=[{"position": [0, 0, 1], "radius": 0.01, "mass": 1}],
                           wall=[{"name": "floor", "type": "plane", "normal": [0, 0, 1]}],
                           contact={"stiffness": 1e3}, change=[{"at": 0.05, "wall": {"floor": {"present": False}}}])
        self.assertIn("wall.floor.present = false", s.text)
        self.assertEqual(s.simulate().run().summary()["changes"], {"change1": {
            "time": 0.05, "step": 500, "settings": ["wall.floor.present = false"]}})

    def test_faults_are_data(self):
        with self.assertRaises(cairn.ScenarioError) as caught:
            cairn.Scenario.parse("[run]\nstep = -1\nend = 1\n[contact]\nstifness = 3\n", "bad.toml",
                                 {"run.scheme": "rk5"})
        faults = caught.exception.faults
        self.assertIsInstance(caught.exception, ValueError)
        where = [(f.place, f.line, f.column, f.key) for f in faults]
        self.assertIn(("bad.toml", 2, 8, "run.step"), where)
        self.assertIn(('--set run.scheme="rk5"', None, None, "run.scheme"), where)
        self.assertIn("did you mean", next(f.message for f in faults if f.key == "run.scheme"))
        # The words are the program's.
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "bad.toml"
            file.write_text("[run]\nstep = -1\nend = 1\n[contact]\nstifness = 3\n")
            told = subprocess.run([PROGRAM, "check", file], capture_output=True, text=True).stderr
            with self.assertRaises(cairn.ScenarioError) as caught:
                cairn.Scenario.read(file)
            for fault in caught.exception.faults:
                self.assertIn(str(fault), told)
        with self.assertRaises(cairn.ScenarioError) as caught:
            cairn.Scenario.parse("[run", "bad.toml")
        self.assertEqual([(f.line, f.key) for f in caught.exception.faults], [(1, None)])
        with self.assertRaises(cairn.ScenarioError) as caught:
            cairn.Scenario(run={"step": 1e-4, "end": 1}, grain=[{"radius": 0.01}, {"radius": -1}])
        self.assertIn("grain.1.radius", [f.key for f in caught.exception.faults])
        with self.assertRaisesRegex(TypeError, "a scenario holds"):
            cairn.Scenario(run={"step": object()})

    def test_errors_that_no_text_shows(self):
        with self.assertRaisesRegex(cairn.Error, "no grains"):
            cairn.Scenario(run={"step": 1e-4, "end": 1}, contact={"stiffness": 1}).simulate()
        with self.assertRaises(cairn.Error) as caught:
            cairn.Simulation.from_checkpoint(b"nothing")
        self.assertEqual(caught.exception.code, 8)
        with self.assertRaisesRegex(cairn.Error, "gone.data") as caught:
            cairn.Scenario(run={"step": 1e-4, "end": 1}, contact={"stiffness": 1},
                           grains=[{"kind": "data", "file": "gone.data"}]).simulate()
        self.assertEqual(caught.exception.code, 4)


class Arrays(unittest.TestCase):
    def test_shapes_units_and_order(self):
        s = cairn.Simulation(scenario("splitting, onsets corrected"))
        s.step(400)
        n = len(s)
        for array, shape in ((s.ids, (n,)), (s.positions, (n, 3)), (s.velocities, (n, 3)), (s.spins, (n, 3)),
                             (s.radii, (n,)), (s.masses, (n,)), (s.materials, (n,)), (s.images, (n, 3))):
            self.assertEqual(array.shape, shape)
            self.assertFalse(array.flags.writeable)
        kinetic = 0.5 * (s.masses * (s.velocities**2).sum(axis=1)).sum()
        self.assertAlmostEqual(kinetic, s.now()["kinetic"], delta=1e-12 * kinetic)
        self.assertEqual(s.units("series")["kinetic"], "J")
        self.assertEqual(s.units("contacts")["normal_force"], "N")
        contacts = s.contacts
        self.assertEqual(len(contacts), s.now()["contacts"])
        # The overlap is that of the two bodies: radii less the distance.
        pairs = contacts[contacts["second"] >= 0]
        self.assertGreater(len(pairs), 0)
        radius = np.empty(s.ids.max() + 1)
        radius[s.ids] = s.radii
        apart = np.linalg.norm(pairs["end"] - pairs["start"], axis=1)
        np.testing.assert_allclose(radius[pairs["first"]] + radius[pairs["second"]] - apart, pairs["overlap"], atol=1e-15)
        grains = s.grains()
        np.testing.assert_array_equal(grains["id"], np.sort(s.ids))
        np.testing.assert_array_equal(grains["position"][s.ids == s.ids[0]].shape, (1, 3))

    def test_no_copies(self):
        s = cairn.Simulation(scenario("splitting, onsets corrected"))
        self.assertEqual(s.positions.__array_interface__["data"], s.positions.__array_interface__["data"])
        s.step(300)
        there = s.radii.__array_interface__["data"]
        s.step(1)
        # No array was alive, and the list was not renewed: the memory of the engine stayed where it was.
        self.assertEqual(s.radii.__array_interface__["data"], there)

    def test_views_outlive_steps_and_simulation(self):
        for case in ("splitting, onsets corrected", "Runge-Kutta", "staggered", "impulses"):
            with self.subTest(case):
                s = cairn.Simulation(scenario(case))
                kept = []
                while not s.over:
                    s.step(CHUNK)
                    for one in (s.ids, s.positions, s.velocities[:, 2], s.spins, s.radii, s.masses, s.materials, s.images,
                                s.contacts, s.series["kinetic"], s.probes, s.contact_events):
                        kept.append((one, one.copy()))
                    if len(kept) > 600:
                        break
                last = s.positions
                copied = last.copy()
                del s
                gc.collect()
                np.testing.assert_array_equal(last, copied)
                rubbish = [np.full(2000, 7.25) for _ in range(200)]  # would take freed memory
                for one, before in kept:
                    assert_same(one, before)
                del rubbish

    def test_dataframe(self):
        try:
            import pandas
        except ImportError:
            self.skipTest("pandas is missing (apt-get install python3-pandas)")
        s = cairn.Simulation(scenario("splitting, onsets corrected")).run()
        for table in ("series", "contacts", "probes", "contact_events", "grains"):
            self.assertIsInstance(s.dataframe(table), pandas.DataFrame)
        np.testing.assert_array_equal(s.dataframe("series")["kinetic"], s.series["kinetic"])
        self.assertIn("normal_force_z", s.dataframe("contacts").columns)


class Pictures(unittest.TestCase):
    def test_pictures_and_tables_are_the_programs(self):
        with tempfile.TemporaryDirectory() as folder:
            desk = pathlib.Path(folder)
            of = scenario("staggered").with_overrides({"output.pictures": 0.015})
            run_program(of, desk)
            s, taken = cairn.Simulation(of), []
            taken.append((s.time, s.picture(desk / "first.png")))
            s.run(callback=lambda s: taken.append((s.time, s.picture())), interval=0.015)
            for k, (_, picture) in enumerate(taken):
                self.assertEqual(picture, (desk / f"out/pictures/picture_{k:06}.png").read_bytes())
            self.assertEqual((desk / "first.png").read_bytes(), taken[0][1])
            self.assertEqual(taken[0][1]._repr_png_()[1:4], b"PNG")
            page = s.report(desk / "mine", taken[:-1])
            for name in ("series.csv", "probes.csv", "final.csv"):
                self.assertEqual((desk / "mine" / name).read_bytes(), (desk / "out" / name).read_bytes(), name)
            text = page.read_text()
            self.assertEqual(text.count("data:image/png"), program("report", desk / "out") and
                             (desk / "out/report.html").read_text().count("data:image/png"))
            self.assertIn(s.hash, text)
            program("report", desk / "mine")  # takes the folder as its own
            self.assertEqual(page.read_text(), text)
            with self.assertRaises(FileExistsError):
                s.report(desk / "mine")


class Driving(unittest.TestCase):
    def test_callbacks(self):
        s = cairn.Simulation(scenario("splitting, onsets corrected"))
        steps, shares = [], []
        s.run(callback=lambda s: steps.append(s.steps), every=100)
        self.assertEqual(steps, [100, 200, 300, 400, 500, 600])
        s = cairn.Simulation(scenario("splitting, onsets corrected"))
        times = []
        s.run(callback=lambda s: times.append(s.time), interval=0.005, progress=shares.append)
        np.testing.assert_allclose(times, [0.005, 0.01, 0.015, 0.02, 0.025, 0.03])
        self.assertEqual(shares[-1], 1)
        s = cairn.Simulation(scenario("splitting, onsets corrected"))
        s.run(callback=lambda s: s.steps >= 200, every=100)
        self.assertEqual(s.steps, 200)
        self.assertEqual(s.until(0.02).steps, 400)
        self.assertEqual(s.step(1000), 200)
        self.assertEqual(s.step(), 0)
        with self.assertRaisesRegex(ZeroDivisionError, ""):
            cairn.Simulation(scenario("Runge-Kutta")).run(callback=lambda s: 1 / 0, every=10)
        with self.assertRaises(ValueError):
            s.run(every=10, interval=0.1)

    def test_guards(self):
        of = scenario("splitting, onsets corrected").with_overrides({"run.step": 2e-3, "run.onset": "off"})
        s = cairn.Simulation(of)
        with self.assertRaises(cairn.GuardError) as caught:
            s.run()
        self.assertEqual(caught.exception.code, 3)
        self.assertGreater(s.steps, 0)
        self.assertEqual(s.positions.shape, (len(s), 3))
        of = scenario("splitting, onsets corrected").with_overrides({"run.step": 2e-3, "run.onset": "off",
                                                                     "guards.step": "warn"})
        self.assertIn("step", cairn.Simulation(of).messages)

    def test_control_c(self):
        # Long enough that it would not end by itself.
        s = cairn.Simulation(scenario("Runge-Kutta").with_overrides({"run.end": 1e6, "output.series": 0,
                                                                     "output.contact_events": False}))
        timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
        timer.start()
        start = time.monotonic()
        with self.assertRaises(KeyboardInterrupt):
            s.run()
        self.assertLess(time.monotonic() - start, 20)
        before = s.steps
        self.assertGreater(before, 0)
        self.assertEqual(s.step(3), 3)  # it can go on

    def test_the_interpreter_is_free_while_stepping(self):
        s = cairn.Simulation(scenario("Runge-Kutta").with_overrides({"run.end": 1e6}))
        s.step(5)
        stop, errors = threading.Event(), []

        def step():
            while not stop.is_set():
                s.step(500)

        other = threading.Thread(target=step)
        other.start()
        counted = 0
        while other.is_alive() and (counted < 1000 or not errors):
            counted += 1
            try:
                s.positions.sum()
            except RuntimeError as e:  # in use by the other thread
                errors.append(str(e))
            if counted > 2_000_000:
                break
        stop.set()
        other.join()
        self.assertTrue(errors and "another thread" in errors[0])


class Data(unittest.TestCase):
    def test_schemes_and_laws_are_the_programs(self):
        self.assertEqual(cairn.schemes("rk4"), json.loads(program("schemes", "rk4", "--json")))
        self.assertEqual(cairn.schemes(), json.loads(program("schemes", "--json")))
        self.assertEqual(cairn.laws(), json.loads(program("laws", "--json")))
        self.assertEqual(cairn.laws("linear"), json.loads(program("laws", "linear", "--json")))
        self.assertEqual(cairn.schema(), json.loads(program("schema")))
        with self.assertRaisesRegex(cairn.Error, "did you mean 'rk4'"):
            cairn.schemes("rk5")

    def test_stability(self):
        self.assertEqual(cairn.stability(), json.loads(program("stability", "--json")))
        # Velocity Verlet: 2, exactly; and a limit without damping of the central difference scheme alike.
        row, = cairn.stability("velocity_verlet", 0)
        self.assertEqual(row["limit"], 2)
        s = cairn.Simulation(scenario("splitting, onsets corrected"))
        s.step(300)
        case = s.stability(["velocity_verlet", "rk4"])
        self.assertEqual([r["scheme"] for r in case["schemes"]], ["velocity_verlet", "rk4"])
        self.assertGreater(case["schemes"][0]["limit"], 0)

    def test_advice_and_studies(self):
        of = cairn.Scenario.read(SOURCE / "scenarios/starter.toml")
        told = []
        advice = cairn.advise(of, 0.02, ["rk4", "velocity_verlet_predicted"], on_progress=lambda done, doing: told.append(done))
        self.assertTrue(advice["findings"])
        self.assertEqual(told, sorted(told))
        orders = cairn.study("orders", schemes="rk4", quick=True)
        self.assertTrue(orders["findings"])
        self.assertIn("orders", cairn.studies())
        with self.assertRaisesRegex(cairn.Error, "expected one of orders"):
            cairn.study("order")

        def stop(done, doing):
            raise KeyboardInterrupt

        with self.assertRaises(KeyboardInterrupt):
            cairn.study("orders", schemes="rk4,heun2", quick=True, on_progress=stop)
        told.clear()
        ledger = cairn.study("ledger", schemes="rk4", quick=True, on_progress=lambda done, doing: told.append(threading.get_ident()))
        self.assertTrue(ledger["findings"])
        self.assertEqual(set(told), {threading.get_ident()})

    def test_studies_stop_at_ctrl_c(self):
        for name in ("orders", "onset", "validation"):  # runs one by one, and several at a time
            timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
            timer.start()
            with self.assertRaises(KeyboardInterrupt) as caught:
                cairn.study(name)
            timer.join()
            self.assertIsInstance(caught.exception.__cause__, cairn.Stopped, name)  # it did not run to its end

    def test_restitution(self):
        of = cairn.Scenario.read(SOURCE / "scenarios/starter.toml")
        found = cairn.restitution(of, [0.1, 1.0], scheme="velocity_verlet", steps=50)
        told = program("restitution", SOURCE / "scenarios/starter.toml", "--speeds", "0.1,1", "--scheme", "velocity_verlet",
                       "--steps", 50, "--json")
        self.assertEqual(found, json.loads(told))
        with self.assertRaisesRegex(cairn.Error, "speeds: expected numbers > 0"):
            cairn.restitution(of, 0.0)

    def test_help_is_readable(self):
        import pydoc

        page = pydoc.plain(pydoc.render_doc(cairn.Simulation))
        for word in ("positions", "[m]", "(grains, 3)", "cairn resume"):
            self.assertIn(word, page)
        for name in cairn.__all__:
            self.assertTrue(name == "__version__" or getattr(cairn, name).__doc__, name)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
