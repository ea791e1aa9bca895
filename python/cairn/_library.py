"""The C interface of the engine, src/cairn/facade/cairn.h, as Python sees it. Internal."""

from __future__ import annotations

import ctypes
import json
import os
import pathlib
import queue
import threading
from ctypes import POINTER, Structure, byref, c_char_p, c_double, c_int, c_int32, c_int64, c_size_t, c_uint64, c_void_p
from typing import Any, Callable, Mapping, Optional, Sequence

INTERFACE = 1  # CAIRN_INTERFACE that this package was written for


class Error(Exception):
    """The engine refused or could not go on. `code` is the exit code that the program has for it (docs/running.md)."""

    def __init__(self, message: str, code: int = 2):
        super().__init__(message)
        self.code = code


class GuardError(Error):
    """A guard stopped the run; the state at the stop can still be observed."""


class Stopped(Error):
    """A progress callback stopped advice or a study."""


class Buffer(Structure):
    _fields_ = [("data", c_void_p), ("size", c_size_t)]


class ScenarioText(Structure):
    _fields_ = [("text", c_char_p), ("size", c_size_t), ("name", c_char_p), ("overrides", POINTER(c_char_p)),
                ("count", c_size_t)]


class Status(Structure):
    _fields_ = [("time", c_double), ("end", c_double), ("step", c_double), ("steps", c_int64), ("steps_left", c_int64),
                ("grains", c_int64), ("over", c_int32), ("dimension", c_int32), ("hash", c_uint64)]


class Field(Structure):
    _fields_ = [("name", c_char_p), ("unit", c_char_p), ("type", c_int32), ("components", c_int32), ("offset", c_size_t)]


class View(Structure):
    _fields_ = [("data", c_void_p), ("rows", c_int64), ("stride", c_size_t), ("fields", POINTER(Field)), ("count", c_int64),
                ("block", c_int32)]


Progress = ctypes.CFUNCTYPE(c_int, c_double, c_char_p, c_void_p)


def _load() -> ctypes.CDLL:
    path = pathlib.Path(__file__).parent / "libcairn.so"
    lib = ctypes.CDLL(os.environ.get("CAIRN_LIBRARY", str(path)))
    scenario, buffer, texts, simulation = POINTER(ScenarioText), POINTER(Buffer), POINTER(c_char_p), c_void_p
    for name, result, arguments in [
        ("cairn_interface", c_int32, []),
        ("cairn_version", c_char_p, []),
        ("cairn_error", c_char_p, []),
        ("cairn_free", None, [buffer]),
        ("cairn_validate", c_int, [scenario, buffer]),
        ("cairn_simulation_new", c_int, [scenario, c_int32, POINTER(simulation)]),
        ("cairn_simulation_resume", c_int, [c_char_p, c_size_t, texts, c_size_t, c_int32, POINTER(simulation)]),
        ("cairn_simulation_free", None, [simulation]),
        ("cairn_advance", c_int, [simulation, c_int64, c_double]),
        ("cairn_look", c_int, [simulation, c_int32, POINTER(Status)]),
        ("cairn_change", c_int, [simulation, texts, c_size_t]),
        ("cairn_checkpoint", c_int, [simulation, buffer]),
        ("cairn_scenario_of", c_int, [simulation, buffer]),
        ("cairn_summary", c_int, [simulation, c_double, buffer]),
        ("cairn_messages", c_int, [simulation, buffer]),
        ("cairn_view_of", c_int, [simulation, c_int32, POINTER(View)]),
        ("cairn_keep", c_int, [simulation, c_int32, POINTER(c_void_p)]),
        ("cairn_release", None, [c_void_p]),
        ("cairn_sample", c_int, [simulation, POINTER(c_double), c_int64]),
        ("cairn_table", c_int, [simulation, c_char_p, buffer]),
        ("cairn_picture", c_int, [simulation, buffer]),
        ("cairn_report", c_int, [c_char_p, POINTER(c_int32)]),
        ("cairn_schemes", c_int, [c_char_p, buffer]),
        ("cairn_laws", c_int, [c_char_p, buffer]),
        ("cairn_schema", c_int, [buffer]),
        ("cairn_stability", c_int, [c_char_p, POINTER(c_double), c_size_t, buffer]),
        ("cairn_case_stability", c_int, [simulation, c_char_p, c_int32, buffer]),
        ("cairn_advise", c_int, [scenario, c_double, c_char_p, c_int32, c_double, Progress, c_void_p, buffer]),
        ("cairn_restitution", c_int, [scenario, c_char_p, POINTER(c_double), c_size_t, c_char_p, c_double, buffer]),
        ("cairn_study", c_int, [c_char_p, c_char_p, c_int32, scenario, Progress, c_void_p, buffer]),
        ("cairn_studies", c_int, [buffer]),
    ]:
        function = getattr(lib, name)
        function.restype, function.argtypes = result, arguments
    for quick in (lib.cairn_look, lib.cairn_view_of):  # called a lot, and their arguments are what ctypes takes unseen
        quick.argtypes = None
    if lib.cairn_interface() != INTERFACE:
        raise ImportError(f"{lib._name} has interface {lib.cairn_interface()} of the engine; this package needs {INTERFACE}: "
                          "install both from one version of Cairn")
    return lib


lib = _load()
version: str = lib.cairn_version().decode()

_GUARD, _STOPPED = 3, 130


def check(code: int) -> None:
    """Raises what an error code means."""
    if code == 0:
        return
    text = lib.cairn_error().decode(errors="replace")
    if code == 6:
        raise MemoryError(text)
    raise {_GUARD: GuardError, _STOPPED: Stopped}.get(code, Error)(text, code)


class Handle:
    """A simulation of the library, freed with the last that holds this: a Simulation, or an array on its memory."""

    __slots__ = ("at", "__weakref__")

    def __init__(self, at: c_void_p):
        self.at = at

    def __del__(self, _free: Any = lib.cairn_simulation_free) -> None:  # an argument: at the end of Python, lib may be gone
        _free(self.at)


def read_bytes(call: Callable[[Any], int]) -> bytes:
    """The bytes that a function of the library gives."""
    buffer = Buffer()
    try:
        check(call(byref(buffer)))
        return ctypes.string_at(buffer.data, buffer.size)
    finally:
        lib.cairn_free(byref(buffer))


def read_json(call: Callable[[Any], int]) -> Any:
    return json.loads(read_bytes(call).decode(errors="replace"))


def texts(values: Sequence[str]) -> Any:
    return (c_char_p * len(values))(*[v.encode() for v in values])


def scenario_text(text: str, name: str, overrides: Sequence[str]) -> ScenarioText:
    encoded = text.encode()
    return ScenarioText(encoded, len(encoded), name.encode(), texts(overrides), len(overrides))


def override_texts(overrides: Optional[Mapping[str, Any]]) -> list[str]:
    """{"contact.friction": 0.3} as the command line has it: ["contact.friction=0.3"]."""
    from ._toml import value_text

    return [f"{key}={value_text(value)}" for key, value in (overrides or {}).items()]


class ProgressCall:
    """Long work of the library, in a thread of its own, so that the caller's takes reports of progress and Ctrl-C at once.
    What the callable raises, or Ctrl-C, stops the work and is raised when it has stopped; a second Ctrl-C does not wait."""

    def __init__(self, on_progress: Optional[Callable[[float, str], Any]]):
        self.on_progress = on_progress
        self.raised: Optional[BaseException] = None
        self.reports: queue.SimpleQueue[Optional[tuple[float, str]]] = queue.SimpleQueue()  # None: the work is over

        def call(done: float, doing: bytes, _context: Any) -> int:
            self.reports.put((done, doing.decode(errors="replace")))
            return int(self.raised is not None)

        self.function = Progress(call)

    def read_json(self, call: Callable[[Any], int]) -> Any:
        results: list[Any] = []

        def work() -> None:
            try:
                results.append(read_json(call))
            except BaseException as e:
                results.append(e)
            self.reports.put(None)

        threading.Thread(target=work, daemon=True).start()
        while True:
            try:
                report = self.reports.get()
                if report is None:
                    break
                if self.on_progress is not None and self.raised is None:
                    self.on_progress(*report)
            except BaseException as e:
                if self.raised is not None:
                    raise
                self.raised = e
        if self.raised is not None:
            raise self.raised from (results[0] if isinstance(results[0], Stopped) else None)
        if isinstance(results[0], BaseException):
            raise results[0]
        return results[0]
