"""A scenario in time."""

from __future__ import annotations

import math
import os
import pathlib
import sys
import time as clock
from ctypes import byref, c_double, c_void_p
from typing import TYPE_CHECKING, Any, Callable, Iterable, Mapping, Optional, Union

import numpy as np

from . import _arrays
from ._library import Handle, Status, View, check, lib, override_texts, read_bytes, read_json, texts
from ._moving import Move, Use, busy
from ._results import Picture, write_results
from .catalogue import Names, names_text
from .scenario import Scenario

if TYPE_CHECKING:
    import pandas

Array = np.ndarray[Any, Any]
Path = Union[str, os.PathLike[str]]

_now = clock.perf_counter
_SLICE = 0.05  # [s] of wall time that steps take between two looks for Ctrl-C
_TABLES = {"series": _arrays.SERIES, "contacts": _arrays.CONTACTS, "probes": _arrays.PROBES,
           "contact_events": _arrays.EVENTS}


class Simulation:
    """A scenario in time, as ``cairn run`` takes it: with its emitters, changes and guards, and the same bits.

    Simulation(scenario, threads)            at the start of a scenario
    Simulation.from_checkpoint(checkpoint)   where a run of the program or of Python was saved

    run, until, step    move it; the interpreter is free for other threads meanwhile, and Ctrl-C stops between two steps
    positions, velocities, spins, radii, masses, materials, ids, images
                        numpy arrays of all grains, in an order that changes during a run; grains() is ordered by id
    series, probes, contacts, contact_events
                        numpy arrays with named fields; dataframe(name) is a pandas.DataFrame of one; units(name)
    now, summary, hash, messages, stability
                        the state in other words
    change              changes keys that may change during a run
    picture, report     a PNG file of the present state; a results folder with report.html
    checkpoint, save    for later, also for ``cairn resume``

    Arrays are read-only and cost no copy. An array that is alive when the simulation moves on keeps what it shows, as a
    picture of its time; ask again for the present one.

    One thread uses a simulation at a time; another one gets a RuntimeError. Raises GuardError where a guard stops the run.
    """

    def __init__(self, scenario: Scenario, threads: Optional[int] = None):
        given, handle = scenario._given(), c_void_p()
        check(lib.cairn_simulation_new(byref(given), threads or 0, byref(handle)))
        self._begin(handle)

    @classmethod
    def from_checkpoint(cls, checkpoint: Union[bytes, Path], overrides: Optional[Mapping[str, Any]] = None,
                        threads: Optional[int] = None) -> Simulation:
        """From bytes, from a file, or from the newest checkpoint in the folder of a run.

        `overrides` may set run.end, run.threads, output.* and guards.*; change() takes others. The series starts anew.
        """
        given = override_texts(overrides)
        data = checkpoint if isinstance(checkpoint, bytes) else _newest(pathlib.Path(checkpoint)).read_bytes()
        handle = c_void_p()
        check(lib.cairn_simulation_resume(data, len(data), texts(given), len(given), threads or 0, byref(handle)))
        simulation = cls.__new__(cls)
        simulation._begin(handle)
        return simulation

    def _begin(self, at: c_void_p) -> None:
        self._held = Handle(at)
        self._handle = at
        self._taken: list[_arrays.Window] = []  # from which arrays were taken since the last move
        self._windows = [_arrays.Window() for _ in range(_arrays.COUNT)]
        self._using = Use()
        self._moving = Move(self._using, self._held, self._taken)
        self._slice = 1  # [steps] that take about _SLICE
        self._seconds = 0.0  # [s] of wall time in steps

    # --- Moving ---------------------------------------------------------------------------------------------------

    def step(self, steps: int = 1) -> int:
        """Takes this many steps, or fewer where the run ends before; returns how many."""
        if steps < 0:
            raise ValueError(f"expected a number of steps >= 0; found {steps}")
        status = self._look()
        before = status.steps
        if not _is_at(math.inf, status):
            self._advance(steps, math.inf, status)
        return status.steps - before

    def until(self, time: float) -> Simulation:
        """Steps to the first step that ends at `time` [s] or later, or to the end of the run."""
        _require_time(time)
        status = self._look()
        if not _is_at(time, status):
            self._advance(None, time, status)
        return self

    def run(self, until: float = math.inf, *, callback: Optional[Callable[[Simulation], Any]] = None,
            every: Optional[int] = None, interval: Optional[float] = None,
            progress: Union[bool, Callable[[float], Any]] = False) -> Simulation:
        """Steps to the end of the run, or to `until` [s].

        callback   called with the simulation every `every` steps, or at every multiple of `interval` [s] of simulated time,
                   and at the end; it may read all and change keys, and stops the run if it returns True
        progress   True: a line on standard error; or a function of the part that is done, 0 to 1
        """
        if every is not None and (every < 1 or interval is not None):
            raise ValueError("run takes either every, a number of steps >= 1, or interval, a time in s")
        if interval is not None and not interval > 0:
            raise ValueError("run takes an interval > 0, in s")
        _require_time(until)
        shown = _Progress(progress, min(until, self.end)) if progress else None
        steps = every if callback is not None else None
        status = self._look()
        done = _is_at(until, status)
        while True:
            if not done:
                target = until
                if interval is not None:
                    target = min(until, (math.floor(self.time / interval * (1 + 1e-12)) + 1) * interval)
                done = self._advance(steps, target, status, shown) and (target == until or _is_at(until, status))
            if callback is not None and callback(self) is True:
                break
            if done:
                break
        if shown:
            shown.end(self)
        return self

    def _advance(self, steps: Optional[int], until: float, status: Status, shown: Optional[_Progress] = None) -> bool:
        """In slices, between which Ctrl-C and progress are seen; no result depends on where they end. Returns whether it is
        at `until` or at the end of the run; `status` becomes the one there.
        """
        left, there = steps, False
        while not there and left != 0:
            asked = self._slice if left is None or left > self._slice else left
            start = _now()
            with self._moving:
                if code := lib.cairn_advance(self._handle, asked, until) or lib.cairn_look(self._handle, 0, byref(status)):
                    check(code)
            taken = _now() - start
            self._seconds += taken
            if asked == self._slice and taken < _SLICE / 2:
                self._slice *= 2
            elif taken > 2 * _SLICE and self._slice > 1:
                self._slice //= 2
            if left is not None:
                left -= asked
            if shown:
                shown.show(self)
            there = _is_at(until, status)
        return there

    def change(self, overrides: Mapping[str, Any]) -> None:
        """Changes keys that may change during a run, from now on: ``simulation.change({"contact.friction": 0.1})``.

        docs/scenario.md marks these keys. scenario then has a [[change]] at this instant, so that ``cairn run`` of it takes
        the same way. The series keeps its rows unless its columns change.
        """
        given = override_texts(overrides)
        with self._moving:
            check(lib.cairn_change(self._handle, texts(given), len(given)))

    # --- The state ------------------------------------------------------------------------------------------------

    def _look(self, with_hash: bool = False) -> Status:
        status = Status()
        with self._using:
            check(lib.cairn_look(self._handle, with_hash, byref(status)))
        return status

    @property
    def time(self) -> float:
        """[s] reached."""
        return self._look().time

    @property
    def end(self) -> float:
        """[s] run.end."""
        return self._look().end

    @property
    def step_length(self) -> float:
        """[s] of the last step; before the first, of the scenario."""
        return self._look().step

    @property
    def steps(self) -> int:
        """Steps done."""
        return self._look().steps

    @property
    def over(self) -> bool:
        """Whether the run has reached its end."""
        return bool(self._look().over)

    @property
    def dimension(self) -> int:
        return self._look().dimension

    @property
    def hash(self) -> str:
        """The hash of the state, 16 hexadecimal digits: as ``cairn run`` prints it."""
        return f"{self._look(True).hash:016x}"

    def __len__(self) -> int:
        """The number of grains."""
        return self._look().grains

    def __repr__(self) -> str:
        s = self._look()
        return f"<cairn.Simulation at t = {s.time:.6g} s of {s.end:.6g} s, {s.steps} steps, {s.grains} grains>"

    @property
    def scenario(self) -> Scenario:
        """With the changes made by change()."""
        with self._using:
            given = read_json(lambda to: lib.cairn_scenario_of(self._handle, to))
        return Scenario._of(given["text"], given["name"], given["overrides"])

    @property
    def messages(self) -> dict[str, str]:
        """Of guards that only warn, by the name of the guard."""
        with self._using:
            return read_json(lambda to: lib.cairn_messages(self._handle, to))

    def now(self) -> dict[str, float]:
        """The columns of the series at this instant, a row or not: time [s], energies [J], contacts ...; units("series")."""
        names = list(self.units("series"))
        values = (c_double * len(names))()
        with self._using:
            check(lib.cairn_sample(self._handle, values, len(names)))
        return dict(zip(names, values))

    def summary(self) -> dict[str, Any]:
        """summary.json of the program, for this instant."""
        with self._using:
            return read_json(lambda to: lib.cairn_summary(self._handle, self._seconds, to))

    def stability(self, schemes: Names = None, *, own_maps: bool = False) -> dict[str, Any]:
        """Steps [s] up to which schemes are stable on the present contacts, as ``cairn stability FILE --json``."""
        with self._using:
            return read_json(lambda to: lib.cairn_case_stability(self._handle, names_text(schemes), own_maps, to))

    # --- Arrays ---------------------------------------------------------------------------------------------------

    def _view(self, which: int, is_table: bool = False) -> Array:
        moving, lock, taken = self._moving, self._using.lock, self._taken
        if not lock.acquire(False):
            raise busy()
        try:
            window = self._windows[which]
            while True:
                if moving.now:  # and a signal handler or a finalizer asks
                    raise RuntimeError("this simulation is about to step; look at its arrays before or after")
                moves = moving.count
                if code := lib.cairn_view_of(self._handle, which, window.to):
                    check(code)
                if window not in taken:
                    taken.append(window)
                array = _arrays.table_of(window, self._held) if is_table else _arrays.array_of(window, self._held)
                if moving.count == moves:  # or else a signal handler stepped meanwhile
                    return array
        finally:
            lock.release()

    def _table(self, which: int) -> Array:
        return self._view(which, True)

    @property
    def ids(self) -> Array:
        """(grains,) int64: numbers of the grains in order of insertion, from 0; the order of all arrays of grains."""
        return self._view(_arrays.IDS)

    @property
    def positions(self) -> Array:
        """(grains, 3) [m]: x, y, z, within the periodic cell. In 2D y is 0, in 1D x too: the last is height."""
        return self._view(_arrays.POSITIONS)

    @property
    def velocities(self) -> Array:
        """(grains, 3) [m/s], at the time of the positions."""
        return self._view(_arrays.VELOCITIES)

    @property
    def spins(self) -> Array:
        """(grains, 3) [rad/s]."""
        return self._view(_arrays.SPINS)

    @property
    def radii(self) -> Array:
        """(grains,) [m]."""
        return self._view(_arrays.RADII)

    @property
    def masses(self) -> Array:
        """(grains,) [kg]."""
        return self._view(_arrays.MASSES)

    @property
    def materials(self) -> Array:
        """(grains,) int32: as the scenario lists its materials, from 0."""
        return self._view(_arrays.MATERIALS)

    @property
    def images(self) -> Array:
        """(grains, 3) int32: periods travelled in x, y, z."""
        return self._view(_arrays.IMAGES)

    @property
    def contacts(self) -> Array:
        """(contacts,) with fields: closed contacts, ordered by ids.

        first, second                   ids of the grains; second is -1 for the first wall of the scenario, -2 for the next
        start, end (3) [m]              centre of the first; centre of the second, or the contact point on the wall
        normal_force, tangential_force (3) [N]  on the first
        spring (3) [m], overlap [m], approach_speed [m/s]
        rolling_torque (3) [N m]        on the first
        surface, first_material, second_material
        """
        return self._table(_arrays.CONTACTS)

    @property
    def series(self) -> Array:
        """(rows,) with fields: the record so far, as series.csv has it; units("series") has the units."""
        return self._table(_arrays.SERIES)

    @property
    def probes(self) -> Array:
        """(rows,) with fields: the rows of all probes so far, as probes.csv; "probe" counts from 0 in the scenario."""
        return self._table(_arrays.PROBES)

    @property
    def contact_events(self) -> Array:
        """(events,) with fields: contacts that ended, where output.contact_events asks for them, as contact_events.csv."""
        return self._table(_arrays.EVENTS)

    def units(self, table: str = "series") -> dict[str, str]:
        """The unit of each field of "series", "contacts", "probes" or "contact_events"; "1": a number without."""
        view = View()
        with self._using:
            check(lib.cairn_view_of(self._handle, _TABLES[table], byref(view)))
            return _arrays.units_of(view)

    def grains(self) -> Array:
        """(grains,) with fields, a copy ordered by id: id, material, radius [m], mass [kg], position (3) [m], velocity (3)
        [m/s], spin (3) [rad/s], image (3)."""
        order = np.argsort(self.ids)
        vector = ("<f8", (3,))
        columns = {"id": (self.ids, "<i8"), "material": (self.materials, "<i4"), "radius": (self.radii, "<f8"),
                   "mass": (self.masses, "<f8"), "position": (self.positions, vector),
                   "velocity": (self.velocities, vector), "spin": (self.spins, vector), "image": (self.images, ("<i4", (3,)))}
        grains = np.empty(len(order), np.dtype([(name, kind) for name, (_, kind) in columns.items()]))
        for name, (values, _) in columns.items():
            grains[name] = values[order]
        return grains

    def dataframe(self, table: str = "series") -> pandas.DataFrame:
        """A pandas.DataFrame, a copy, of "series", "contacts", "probes", "contact_events" or "grains"; vectors as _x, _y,
        _z. Needs pandas."""
        import pandas

        rows = self.grains() if table == "grains" else self._table(_TABLES[table])
        columns = {}
        for name in rows.dtype.names or ():
            if rows[name].ndim == 1:
                columns[name] = rows[name]
            else:
                columns.update({f"{name}_{axis}": rows[name][:, k] for k, axis in enumerate("xyz")})
        return pandas.DataFrame({name: np.array(values) for name, values in columns.items()})

    # --- Pictures and files ---------------------------------------------------------------------------------------

    def picture(self, file: Optional[Path] = None) -> Picture:
        """The present state as the program draws it: the bytes of a PNG file, which Jupyter shows; also written to `file`.

        The view and the colours (output.colour) are those of the first picture of this simulation, so that pictures can be
        compared.
        """
        with self._using:
            picture = Picture(read_bytes(lambda to: lib.cairn_picture(self._handle, to)))
        if file is not None:
            pathlib.Path(file).write_bytes(picture)
        return picture

    def report(self, folder: Path, pictures: Iterable[tuple[float, bytes]] = ()) -> pathlib.Path:
        """Writes a results folder as ``cairn run`` has it, with report.html, whose path is returned: scenario.toml,
        summary.json, the tables as CSV files and pictures/. The folder must be new or empty.

        pictures   times [s] and pictures taken on the way, as ``callback=lambda s: taken.append((s.time, s.picture()))`` does;
                   one of the present state comes after them
        """
        return write_results(self, pathlib.Path(folder), pictures)

    def _text_of(self, table: str) -> bytes:
        with self._using:
            return read_bytes(lambda to: lib.cairn_table(self._handle, table.encode(), to))

    # --- Checkpoints ----------------------------------------------------------------------------------------------

    def checkpoint(self) -> bytes:
        """The present state with its scenario, in the format of the program."""
        with self._moving:
            return read_bytes(lambda to: lib.cairn_checkpoint(self._handle, to))

    def save(self, folder: Path) -> pathlib.Path:
        """Writes a checkpoint that ``cairn resume FOLDER`` continues; the folder must not be that of a run."""
        target = pathlib.Path(folder) / "checkpoint" / "checkpoint.1"
        if target.parent.exists():
            raise FileExistsError(f"{target.parent} has checkpoints of a run already; expected another folder")
        data = self.checkpoint()
        target.parent.mkdir(parents=True)
        part = target.with_suffix(".part")
        with open(part, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.rename(target)
        return target

    def __reduce__(self) -> Any:
        return Simulation.from_checkpoint, (self.checkpoint(),)


def _is_at(time: float, status: Status) -> bool:
    return status.over == 1 or status.time >= time * (1 - 1e-12)


def _require_time(time: float) -> None:
    if math.isnan(time):
        raise ValueError("expected a time in s; found nan")


def _newest(path: pathlib.Path) -> pathlib.Path:
    if not path.is_dir():
        return path
    found = [f for f in (path / "checkpoint").glob("checkpoint.*") if f.suffix[1:].isdigit()]
    if not found:
        raise FileNotFoundError(f"{path} has no checkpoint; expected the folder of a run")
    return max(found, key=lambda f: int(f.suffix[1:]))


class _Progress:
    """A line on standard error, or calls of a function."""

    def __init__(self, to: Union[bool, Callable[[float], Any]], end: float):
        self._call = to if callable(to) else None
        self._end = end
        self._started = self._last = clock.monotonic()
        self._from: Optional[float] = None
        self._pause = 0.2 if sys.stderr.isatty() else 10.0  # [s]

    def show(self, simulation: Simulation) -> None:
        now = clock.monotonic()
        if self._from is None:
            self._from = simulation.time
        if now - self._last < self._pause:
            return
        self._last = now
        self._write(simulation, now, "\r" if sys.stderr.isatty() else "\n")

    def _write(self, simulation: Simulation, now: float, end: str) -> None:
        time = simulation.time
        share = min(1.0, time / self._end) if self._end > 0 else 1.0
        if self._call is not None:
            self._call(share)
            return
        rate = (time - (self._from or 0)) / max(now - self._started, 1e-9)
        rest = f", {max(self._end - time, 0) / rate:.0f} s left" if rate > 0 and share < 1 - 1e-9 else ""
        print(f"{100 * share:5.1f} %  t = {time:.4g} s, {len(simulation)} grains{rest}    ", end=end, file=sys.stderr, flush=True)

    def end(self, simulation: Simulation) -> None:
        self._write(simulation, clock.monotonic(), "\n")
