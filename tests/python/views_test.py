#!/usr/bin/env python3
"""Arrays of a Simulation never dangle and never change: views_test.py [unittest options], with the package on PYTHONPATH.

An array that stands on freed memory need not show it; with the address sanitizer it does (docs/developing.md).
"""
import gc
import os
import pickle
import random
import signal
import subprocess
import sys
import threading
import time
import unittest
import weakref

try:
    import numpy as np
except ImportError:
    print("skipped: numpy is missing (apt-get install python3-numpy)")
    sys.exit(77)

import cairn
from cases import CASES, SOURCE, TEXT

ARRAYS = ("ids", "positions", "velocities", "spins", "radii", "masses", "materials", "images", "contacts", "series", "probes",
          "contact_events")
SINK = '\n[[removal]]\nname = "sink"\npoint = [0, 0, 0.012]\nnormal = [0, 0, 1]\nevery = "1 ms"\n'  # below which grains go


def scenario(case, more=""):
    file, overrides = CASES[case]
    text = TEXT + more if file is None else (SOURCE / "scenarios" / file).read_text() + more
    return cairn.Scenario.parse(text, str(SOURCE / "scenarios" / (file or "case.toml")), overrides)


class Held:
    """Arrays and what they showed when they were taken."""

    def __init__(self):
        self.kept = []

    def take(self, array):
        self.kept.append((array, array.tobytes()))
        return array

    def take_all(self, simulation):
        for name in ARRAYS:
            self.take(getattr(simulation, name))

    def check(self, test):
        rubbish = [np.full(2000, 7.25) for _ in range(100)]  # takes memory that was freed
        for array, shown in self.kept:
            test.assertEqual(array.tobytes(), shown)
        del rubbish


class Stay(unittest.TestCase):
    """Arrays that were taken before something happens show the same after it."""

    def test_emitters_and_removal(self):
        s = cairn.Simulation(scenario("splitting, onsets corrected", SINK))
        held, sizes = Held(), []
        while not s.over:
            held.take_all(s)
            sizes.append(len(s))
            self.assertEqual(s.positions.shape, (len(s), 3))
            s.step(20)
        changes = np.sign(np.diff(sizes))
        self.assertTrue((changes > 0).any() and (changes < 0).any())  # grains came and went
        held.check(self)

    def test_change_and_checkpoints(self):
        for case in ("splitting, onsets corrected", "staggered", "implicit"):
            with self.subTest(case):
                s = cairn.Simulation(scenario(case))
                held = Held()
                s.step(250)
                held.take_all(s)
                s.change({"contact.friction": 0.2})  # makes the simulation of the library anew
                held.take_all(s)
                data = s.checkpoint()
                again = cairn.Simulation.from_checkpoint(data)
                held.take_all(s)
                held.take_all(again)
                copied = pickle.loads(pickle.dumps(again))
                held.take_all(copied)
                del s, copied
                gc.collect()
                again.run()
                held.check(self)
                del again
                gc.collect()
                held.check(self)

    def test_a_simulation_begun_anew(self):
        s = cairn.Simulation(scenario("Runge-Kutta"))
        held = Held()
        held.take_all(s)
        s.__init__(scenario("Adams"))
        held.take_all(s)
        s.step(10)
        held.check(self)

    def test_a_guard_that_stops(self):
        s = cairn.Simulation(scenario("splitting, onsets corrected").with_overrides({"run.step": 2e-3, "run.onset": "off"}))
        held = Held()
        held.take_all(s)
        with self.assertRaises(cairn.GuardError):
            s.run(callback=held.take_all, every=1)
        held.take_all(s)
        del s
        held.check(self)

    def test_parts_of_arrays(self):
        s = cairn.Simulation(scenario("splitting, onsets corrected"))
        s.step(300)
        held = Held()
        for part in (s.positions[::3, 1:].T, s.contacts["normal_force"][:, 2], s.velocities.reshape(-1, 1), s.series[-1:],
                     np.asarray(memoryview(s.radii)), np.asarray(s.spins.base)[8:], s.masses[:, None],
                     s.ids.view("<i4"), s.positions.base, np.lib.stride_tricks.as_strided(s.images, (2, 3))):
            held.take(part)
        s.step(1)
        del s
        gc.collect()
        held.check(self)

    def test_weak_references(self):
        s = cairn.Simulation(scenario("Runge-Kutta"))
        base = weakref.ref(s.positions.base)  # which the simulation has, too
        shown = base().tobytes()
        s.step(20)
        self.assertTrue(base() is None or base().tobytes() == shown)

    def test_arrays_without_a_view_are_not_copied(self):
        s = cairn.Simulation(scenario("Runge-Kutta"))
        for _ in range(3):
            at = s.positions.ctypes.data
            s.step(1)
        self.assertEqual(s.positions.ctypes.data, at)
        view = s.positions
        s.step(1)
        self.assertNotEqual(s.positions.ctypes.data, at)
        self.assertEqual(view.ctypes.data, at)

    def test_none_can_be_written(self):
        s = cairn.Simulation(scenario("Runge-Kutta"))
        s.step(20)
        for name in ARRAYS:
            array = getattr(s, name)
            if array.size == 0:
                continue
            with self.assertRaises(ValueError):
                array.flags.writeable = True
            self.assertTrue(memoryview(array).readonly)

    def test_library_lives_as_long_as_its_last_view(self):
        s = cairn.Simulation(scenario("Runge-Kutta"))
        library, view = weakref.ref(s._held), s.positions
        del s
        gc.collect()
        self.assertIsNotNone(library())
        del view
        gc.collect()
        self.assertIsNone(library())
        s = cairn.Simulation(scenario("Runge-Kutta"))
        library, view = weakref.ref(s._held), s.positions
        s.step(1)  # the view has its memory for itself now
        del s
        gc.collect()
        self.assertIsNone(library())
        self.assertTrue(np.isfinite(view).all())

    def test_circles(self):
        # A finalizer of a circle, whose parts are finalized in any order, brings an array back to life.
        back = []

        class Owner:
            def __del__(self):
                back.append(self.array)

        held = Held()
        for _ in range(20):
            s, owner = cairn.Simulation(scenario("Runge-Kutta")), Owner()
            s.own, owner.array, s.owner, owner.simulation = s.positions, s.radii, owner, s
            held.take(owner.array)
            del s, owner
            gc.collect()
        self.assertEqual(len(back), 20)
        held.check(self)

    def test_end_of_python(self):
        code = ("import cairn, sys\nfrom cases import TEXT\ns = cairn.Scenario.parse(TEXT, 'case.toml').simulate()\n"
                "s.step(3)\nkept = s.positions\ns.step(3)\nview = s.radii\ns.own = s.spins\nsys.kept = s.masses\n")
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=os.path.dirname(__file__))
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_at_random(self):
        of = random.Random(7)
        for case in CASES:
            with self.subTest(case):
                more = SINK if CASES[case][0] is None else ""
                s, held = cairn.Simulation(scenario(case, more)), Held()
                deeds = [lambda: held.take(getattr(s, of.choice(ARRAYS))), lambda: s.step(of.randrange(40)), held.kept.clear,
                         lambda: held.take(getattr(s, of.choice(ARRAYS))[of.randrange(3)::2]), s.summary, s.now, s.grains,
                         lambda: s.hash, s.checkpoint, lambda: s.units("contacts"), lambda: s.stability("rk4"),
                         lambda: s.change({"output.series": of.choice(["2 ms", "1 ms"])}), lambda: held.check(self)]
                for _ in range(150):
                    of.choices(deeds, [12, 8, 0.5, 6, 1, 1, 1, 1, 1, 1, 0.2, 0.5, 1])[0]()
                held.check(self)


class Refuse(unittest.TestCase):
    """Where an array cannot be had, an error says so."""

    def test_threads(self):
        s = cairn.Simulation(scenario("Runge-Kutta").with_overrides({"run.end": 1e6, "output.series": "1 ms"}))
        s.step(100)
        stop, held, refused = threading.Event(), Held(), []

        def look():
            while not stop.wait(1e-4):  # [s] in which the others come to their turn
                for name in ARRAYS:
                    try:
                        array = getattr(s, name)
                    except RuntimeError as e:
                        refused.append(str(e))
                    else:
                        if len(held.kept) < 3000:
                            held.take(array)

        others = [threading.Thread(target=look) for _ in range(3)]
        for other in others:
            other.start()
        steps = 0
        while steps < 300_000 and (steps < 300 or not refused or not held.kept):
            begin = time.monotonic()
            try:
                steps += s.step(10 + steps // 10)  # longer and longer: on a busy machine others come seldom
            except RuntimeError as e:
                refused.append(str(e))
            time.sleep(time.monotonic() - begin)  # as long again it is theirs
        stop.set()
        for other in others:
            other.join()
        self.assertTrue(refused)
        self.assertEqual(set(refused), {"this simulation is in use by another thread"})
        self.assertGreater(len(held.kept), 0)
        del s
        held.check(self)

    def test_signal_handlers(self):
        # They run between any two lines of the package. Here, at each call of the library that takes an array or moves.
        s = cairn.Simulation(scenario("Runge-Kutta").with_overrides({"run.end": 1e6, "output.series": 0}))
        held, refused = Held(), []

        def disturb():
            for deed in (lambda: held.take(s.positions), lambda: s.step(1), lambda: held.take(s.radii)):
                try:
                    deed()
                except RuntimeError as e:
                    refused.append(str(e))

        class Disturbed:
            def __init__(self, library, *names):
                self.library, self.names, self.at = library, names, 0

            def __getattr__(self, name):
                call = getattr(self.library, name)
                if name not in self.names:
                    return call

                def both(*given):
                    self.at += 1
                    if self.at % 2 == 0:
                        return call(*given)
                    names, self.names = self.names, ()  # once
                    disturb()
                    result = call(*given)
                    disturb()
                    self.names = names
                    return result

                return both

        modules = (cairn.simulation, cairn._arrays)
        library = cairn.simulation.lib
        for name in ("cairn_advance", "cairn_keep", "cairn_view_of", "cairn_look"):
            for module in modules:
                module.lib = Disturbed(library, name)
            try:
                for _ in range(20):
                    held.take(s.positions)
                    s.step(2)
                    s.summary()
            finally:
                for module in modules:
                    module.lib = library
        held.check(self)
        self.assertEqual(set(refused), {"this simulation is stepping already",
                                        "this simulation is about to step; look at its arrays before or after"})

    def test_ctrl_c_behind_the_call_that_gives_memory_away(self):
        s = cairn.Simulation(scenario("Runge-Kutta").with_overrides({"run.end": 1e6, "output.series": 0}))
        library = cairn._arrays.lib

        class Interrupted:
            def __getattr__(self, name):
                return getattr(library, name)

        def keep(*given):
            library.cairn_keep(*given)
            raise KeyboardInterrupt

        held = Held()
        for _ in range(5):
            held.take(s.velocities)
            cairn._arrays.lib = Interrupted()
            cairn._arrays.lib.cairn_keep = keep
            try:
                with self.assertRaises(KeyboardInterrupt):
                    s.step(10)
            finally:
                cairn._arrays.lib = library
            held.take(s.positions)  # of the copy with which the engine goes on; velocities are not taken anew
            s.step(10)
            held.check(self)

    def test_alarms(self):
        s = cairn.Simulation(scenario("Runge-Kutta").with_overrides({"run.end": 1e6, "output.series": 0}))
        held, of = Held(), random.Random(3)

        def disturb(*_):
            try:
                held.take(getattr(s, of.choice(ARRAYS)))
                if of.random() < 0.2:
                    s.step(1)
            except RuntimeError:
                pass

        signal.signal(signal.SIGALRM, disturb)
        try:
            for _ in range(300):
                signal.setitimer(signal.ITIMER_REAL, of.uniform(1e-6, 1e-3))
                s.step(1)
                held.take(s.spins)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
        self.assertGreater(len(held.kept), 300)
        held.check(self)


if __name__ == "__main__":
    unittest.main()
