"""Arrays of a simulation as numpy arrays without copies. Internal.

An array that is alive when the simulation moves on keeps its memory and shows what it showed; the engine goes on with a
copy. Nothing is copied where no array is alive.
"""

from __future__ import annotations

from ctypes import byref, c_void_p
from typing import TYPE_CHECKING, Any, Optional

import numpy as np

from ._library import View, check, lib

if TYPE_CHECKING:
    from .simulation import Simulation

IDS, POSITIONS, VELOCITIES, SPINS, RADII, MASSES, MATERIALS, IMAGES, CONTACTS, SERIES, PROBES, EVENTS = range(12)
_TYPES = ("<f8", "<i8", "<i4")


class Memory:
    """What arrays stand on: memory of the simulation, which then stays alive, or memory that it gave away."""

    __slots__ = ("simulation", "kept", "__weakref__")

    def __init__(self, simulation: Simulation):
        self.simulation: Optional[Simulation] = simulation
        self.kept: Optional[c_void_p] = None

    def keep(self, handle: c_void_p, block: int) -> None:
        kept = c_void_p()
        check(lib.cairn_keep(handle, block, byref(kept)))
        self.kept, self.simulation = kept, None

    def __del__(self) -> None:
        if self.kept is not None:
            lib.cairn_release(self.kept)


class _Interface:
    """The base of an array, which numpy holds as long as the array or a part of it lives."""

    __slots__ = ("__array_interface__", "memory")

    def __init__(self, memory: Memory, interface: dict[str, Any]):
        self.memory, self.__array_interface__ = memory, interface


def _format(field: Any) -> Any:
    kind = _TYPES[field.type]
    return kind if field.components == 1 else (kind, (field.components,))


def fields_of(view: View) -> list[Any]:
    return [view.fields[k] for k in range(view.count)]


def units_of(view: View) -> dict[str, str]:
    return {field.name.decode(): field.unit.decode() for field in fields_of(view)}


def table_of(view: View, memory: Memory) -> np.ndarray[Any, Any]:
    """With a name for each field; read-only."""
    fields = fields_of(view)
    dtype = np.dtype({"names": [f.name.decode() for f in fields], "formats": [_format(f) for f in fields],
                      "offsets": [f.offset for f in fields], "itemsize": view.stride})
    return _array((view.rows, view.stride), "|u1", None, view, memory).view(dtype)[:, 0] if view.rows else _empty((0,), dtype)


_types: dict[int, tuple[str, int]] = {}  # of arrays of one field, once it was looked at


def array_of(which: int, view: View, memory: Memory) -> np.ndarray[Any, Any]:
    """The single field as it is; read-only."""
    known = _types.get(which)
    if known is None:
        field = view.fields[0]
        known = _types[which] = _TYPES[field.type], field.components
    typestr, components = known
    one = components == 1
    shape = (view.rows,) if one else (view.rows, components)
    if view.rows == 0:
        return _empty(shape, np.dtype(typestr))
    return _array(shape, typestr, (view.stride,) if one else (view.stride, int(typestr[2])), view, memory)


def _array(shape: tuple[int, ...], typestr: str, strides: Optional[tuple[int, ...]], view: View,
           memory: Memory) -> np.ndarray[Any, Any]:
    interface = {"version": 3, "shape": shape, "typestr": typestr, "strides": strides, "data": (view.data, True)}
    return np.asarray(_Interface(memory, interface))


def _empty(shape: tuple[int, ...], dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    empty: np.ndarray[Any, Any] = np.zeros(shape, dtype)
    empty.flags.writeable = False
    return empty
