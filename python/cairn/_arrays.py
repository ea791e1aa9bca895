"""Arrays of a simulation as numpy arrays without copies. Internal.

An array that is alive when the simulation moves on keeps its memory and shows what it showed; the engine goes on with a
copy. Nothing is copied where no array is alive.
"""

from __future__ import annotations

import weakref
from ctypes import byref, c_void_p
from typing import Any, Optional

import numpy as np

from ._library import Handle, View, check, lib

IDS, POSITIONS, VELOCITIES, SPINS, RADII, MASSES, MATERIALS, IMAGES, CONTACTS, SERIES, PROBES, EVENTS = range(12)
_TYPES = ("<f8", "<i8", "<i4")


class Memory:
    """What the arrays of a block stand on: memory of the engine, which then stays, or memory that it gave away."""

    __slots__ = ("handle", "kept", "__weakref__")

    def __init__(self, handle: Handle):
        self.handle: Optional[Handle] = handle
        self.kept: Optional[c_void_p] = None

    def keep(self, handle: Handle, block: int) -> None:
        kept = c_void_p()
        check(lib.cairn_keep(handle.at, block, byref(kept)))
        self.kept, self.handle = kept, None

    def __del__(self, _release: Any = lib.cairn_release) -> None:  # an argument: at the end of Python, lib may be gone
        if self.kept is not None:
            _release(self.kept)


Memories = dict[int, weakref.ref[Memory]]  # that arrays may stand on, by block


def memory_of(memories: Memories, block: int, handle: Handle) -> Memory:
    """The one that arrays of this block share now."""
    known = memories.get(block)
    memory = known() if known is not None else None
    if memory is None or memory.kept is not None:
        memory = Memory(handle)
        memories[block] = weakref.ref(memory)
    return memory


def keep_all(memories: Memories, handle: Handle) -> None:
    """Before memory of the engine moves. Ctrl-C may strike between any two lines."""
    for block in list(memories):
        memory = memories[block]()
        if memory is not None and memory.kept is None:
            memory.keep(handle, block)
        del memories[block]


class _Interface:
    """The base of an array, which numpy holds as long as the array or a part of it lives. Not a buffer, which would be 0.4
    microseconds faster: `flags.writeable = True` would then be allowed."""

    __slots__ = ("__array_interface__", "memory")

    def __init__(self, memory: Memory, shape: tuple[int, ...], typestr: str, strides: Optional[tuple[int, ...]], data: int):
        self.memory = memory
        self.__array_interface__ = {"version": 3, "shape": shape, "typestr": typestr, "strides": strides, "data": (data, True)}


def _format(field: Any) -> Any:
    kind = _TYPES[field.type]
    return kind if field.components == 1 else (kind, (field.components,))


def fields_of(view: View) -> list[Any]:
    return [view.fields[k] for k in range(view.count)]


def units_of(view: View) -> dict[str, str]:
    return {field.name.decode(): field.unit.decode() for field in fields_of(view)}


def table_of(_which: int, view: View, memory: Memory) -> np.ndarray[Any, Any]:
    """With a name for each field; read-only."""
    fields = fields_of(view)
    dtype = np.dtype({"names": [f.name.decode() for f in fields], "formats": [_format(f) for f in fields],
                      "offsets": [f.offset for f in fields], "itemsize": view.stride})
    if view.rows == 0:
        return _empty((0,), dtype)
    bytes_of = _Interface(memory, (view.rows, view.stride), "|u1", None, view.data)
    return np.asarray(bytes_of).view(dtype)[:, 0]


_types: dict[int, tuple[str, int]] = {}  # of arrays of one field, once it was looked at


def array_of(which: int, view: View, memory: Memory) -> np.ndarray[Any, Any]:
    """The single field as it is; read-only."""
    known = _types.get(which)
    if known is None:
        field = view.fields[0]
        known = _types[which] = _TYPES[field.type], field.components
    typestr, components = known
    rows, stride = view.rows, view.stride
    shape, strides = ((rows,), (stride,)) if components == 1 else ((rows, components), (stride, int(typestr[2])))
    if rows == 0:
        return _empty(shape, np.dtype(typestr))
    return np.asarray(_Interface(memory, shape, typestr, strides, view.data))


def _empty(shape: tuple[int, ...], dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    empty: np.ndarray[Any, Any] = np.zeros(shape, dtype)
    empty.flags.writeable = False
    return empty
