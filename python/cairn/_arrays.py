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


def array_of(view: View, memory: Memory, table: bool) -> np.ndarray[Any, Any]:
    """Read-only; `table`: with a name for each field, else the single field as it is."""
    if table:
        fields = fields_of(view)
        dtype = np.dtype({"names": [f.name.decode() for f in fields], "formats": [_format(f) for f in fields],
                          "offsets": [f.offset for f in fields], "itemsize": view.stride})
        shape: tuple[int, ...] = (view.rows, view.stride)
        typestr, strides = "|u1", None
    else:
        field = view.fields[0]
        dtype, typestr = np.dtype(_TYPES[field.type]), _TYPES[field.type]
        shape = (view.rows,) if field.components == 1 else (view.rows, field.components)
        strides = (view.stride,) if field.components == 1 else (view.stride, dtype.itemsize)
    if view.rows == 0:
        empty: np.ndarray[Any, Any] = np.zeros((0,) if table else shape, dtype)
        empty.flags.writeable = False
        return empty
    interface = {"version": 3, "shape": shape, "typestr": typestr, "strides": strides, "data": (view.data, True)}
    array = np.asarray(_Interface(memory, interface))
    return array.view(dtype)[:, 0] if table else array
