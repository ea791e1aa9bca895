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
COUNT = EVENTS + 1
_TYPES = ("<f8", "<i8", "<i4")


class _Kept:
    """Memory that the engine gave away, once `at` is not null."""

    __slots__ = ("at",)

    def __init__(self) -> None:
        self.at = c_void_p()

    def __del__(self, _release: Any = lib.cairn_release) -> None:  # an argument: at the end of Python, lib may be gone
        _release(self.at)


class Memory:
    """What the arrays of a block stand on: memory of the engine, which then stays, or memory that it gave away."""

    __slots__ = ("handle", "_kept", "__weakref__")

    def __init__(self, handle: Handle):
        self.handle: Optional[Handle] = handle
        self._kept: Optional[_Kept] = None

    @property
    def kept(self) -> bool:
        return self._kept is not None and bool(self._kept.at)

    def keep(self, handle: Handle, block: int) -> None:
        kept = self._kept = _Kept()  # before the call: Ctrl-C may strike right behind it
        check(lib.cairn_keep(handle.at, block, byref(kept.at)))
        self.handle = None


Memories = dict[int, weakref.ref[Memory]]  # that arrays may stand on, by block


def memory_of(memories: Memories, block: int, handle: Handle) -> Memory:
    """The one that arrays of this block share now."""
    known = memories.get(block)
    memory = known() if known is not None else None
    if memory is None or memory.kept:
        memory = Memory(handle)
        memories[block] = weakref.ref(memory)
    return memory


def keep_all(memories: Memories, handle: Handle) -> None:
    """Before memory of the engine moves. Ctrl-C may strike between any two lines."""
    for block in list(memories):
        memory = memories[block]()
        if memory is not None and not memory.kept:
            memory.keep(handle, block)
        del memories[block]


class Window:
    """What the library says about one of its arrays. It stays, because to make it takes longer than to ask the library.

    Signal handlers may come between the library's answer and its use. What they ask here has the same answer, unless they
    move the simulation; then the array is taken again.
    """

    __slots__ = ("view", "to", "known")

    def __init__(self) -> None:
        self.view = View()
        self.to = byref(self.view)
        self.known: tuple[Optional[int], int, Any] = (None, -1, None)  # data, rows and what numpy asks for


class _Interface:
    """The base of an array, which numpy holds as long as the array or a part of it lives. Not a buffer, which would be 0.4
    microseconds faster: `flags.writeable = True` would then be allowed."""

    __slots__ = ("__array_interface__", "memory")

    memory: Memory
    __array_interface__: dict[str, Any]


def _on(memory: Memory, interface: dict[str, Any]) -> np.ndarray[Any, Any]:
    base = _Interface()
    base.memory = memory
    base.__array_interface__ = interface
    return np.asarray(base)


def _interface(shape: tuple[int, ...], typestr: str, strides: Optional[tuple[int, ...]], data: int) -> dict[str, Any]:
    return {"version": 3, "shape": shape, "typestr": typestr, "strides": strides, "data": (data, True)}


def _format(field: Any) -> Any:
    kind = _TYPES[field.type]
    return kind if field.components == 1 else (kind, (field.components,))


def fields_of(view: View) -> list[Any]:
    return [view.fields[k] for k in range(view.count)]


def units_of(view: View) -> dict[str, str]:
    return {field.name.decode(): field.unit.decode() for field in fields_of(view)}


def table_of(window: Window, memory: Memory) -> np.ndarray[Any, Any]:
    """With a name for each field; read-only."""
    view = window.view
    fields = fields_of(view)
    dtype = np.dtype({"names": [f.name.decode() for f in fields], "formats": [_format(f) for f in fields],
                      "offsets": [f.offset for f in fields], "itemsize": view.stride})
    if view.rows == 0:
        return _empty((0,), dtype)
    bytes_of = _on(memory, _interface((view.rows, view.stride), "|u1", None, view.data))
    return bytes_of.view(dtype)[:, 0]


def array_of(window: Window, memory: Memory) -> np.ndarray[Any, Any]:
    """The single field as it is; read-only."""
    view = window.view
    data, rows, interface = window.known
    if data != view.data or rows != view.rows:
        data, rows, interface = window.known = _known(view)
    if rows == 0:
        return _empty(interface["shape"], np.dtype(interface["typestr"]))
    return _on(memory, interface)


def _known(view: View) -> tuple[Optional[int], int, dict[str, Any]]:
    field, rows, stride = view.fields[0], view.rows, view.stride
    typestr = _TYPES[field.type]
    shape, strides = (rows,), (stride,)
    if field.components > 1:
        shape, strides = (rows, field.components), (stride, int(typestr[2]))
    return view.data, rows, _interface(shape, typestr, strides, view.data)


def _empty(shape: tuple[int, ...], dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    empty: np.ndarray[Any, Any] = np.zeros(shape, dtype)
    empty.flags.writeable = False
    return empty
