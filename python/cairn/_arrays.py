"""Arrays of a simulation as numpy arrays without copies. Internal.

An array that is alive when the simulation moves on keeps its memory and shows what it showed; the engine goes on with a
copy. Nothing is copied where no array is alive.
"""

from __future__ import annotations

from ctypes import byref, c_void_p
from sys import getrefcount
from typing import Any, Optional
from weakref import getweakrefcount

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


class _Base:
    """The base of a root, which numpy holds as long as the root, and the root as long as arrays that are made of it live.

    Not a buffer, which would be faster: `flags.writeable = True` would then be allowed.
    """

    __slots__ = ("__array_interface__", "handle", "kept")

    __array_interface__: dict[str, Any]
    handle: Optional[Handle]  # of the engine whose memory it is
    kept: Optional[_Kept]  # by which the engine gave that memory away


class Window:
    """What the library says about one of its arrays, and the root on that memory: an array that stays here, because to make
    one takes longer than to ask the library. Every array that is handed out is a view of it.

    Signal handlers may come between the library's answer and its use. What they ask here has the same answer, unless they
    move the simulation; then the array is taken again.
    """

    __slots__ = ("view", "to", "known")

    def __init__(self) -> None:
        self.view = View()
        self.to = byref(self.view)
        self.forget()

    def forget(self) -> None:
        # data, rows, stride; the root and its base, or None where no memory is
        self.known: tuple[Optional[int], int, int, Any, Any] = (None, -1, 0, None, None)

    def root_on(self, handle: Handle, shape: tuple[int, ...], typestr: str, strides: Optional[tuple[int, ...]], data: int) -> Any:
        base = _Base()
        base.handle, base.kept = handle, None
        base.__array_interface__ = {"version": 3, "shape": shape, "typestr": typestr, "strides": strides, "data": (data, True)}
        root = np.asarray(base)
        del base.__array_interface__  # or else others could make arrays of it that are no views of the root
        self.known = data, shape[0], (strides or shape)[0 if strides else 1], root, base
        return root


def _references_of_one_alone() -> int:  # versions of Python count differently
    window = Window()
    window.known = None, 0, 0, np.empty(0), None
    return getrefcount(window.known[3])


_ALONE = _references_of_one_alone()


def keep_all(taken: list[Window], handle: Handle) -> None:
    """Before memory of the engine moves: what arrays stand on leaves with them. Ctrl-C may strike between any two lines.

    Every array, part of an array or memoryview that was made of a root refers to it.

    taken   windows from which arrays were taken since this was called; then none
    """
    for window in taken:
        if getrefcount(window.known[3]) > _ALONE or getweakrefcount(window.known[3]):
            _keep(taken, window.view.block, handle)
    taken.clear()


def _keep(taken: list[Window], block: int, handle: Handle) -> None:
    kept, windows = _Kept(), []
    for window in taken:
        base = window.known[4]
        if base is None or window.view.block != block:
            continue
        if base.kept is not None and base.kept.at:  # Ctrl-C came behind the call
            window.forget()
        else:
            base.kept = kept  # before the call: Ctrl-C may strike right behind it
            windows.append(window)
    if not windows:
        return
    check(lib.cairn_keep(handle.at, block, byref(kept.at)))
    for window in windows:
        window.known[4].handle = None
        window.forget()


def _format(field: Any) -> Any:
    kind = _TYPES[field.type]
    return kind if field.components == 1 else (kind, (field.components,))


def fields_of(view: View) -> list[Any]:
    return [view.fields[k] for k in range(view.count)]


def units_of(view: View) -> dict[str, str]:
    return {field.name.decode(): field.unit.decode() for field in fields_of(view)}


def table_of(window: Window, handle: Handle) -> np.ndarray[Any, Any]:
    """With a name for each field; read-only."""
    view = window.view
    fields = fields_of(view)
    dtype = np.dtype({"names": [f.name.decode() for f in fields], "formats": [_format(f) for f in fields],
                      "offsets": [f.offset for f in fields], "itemsize": view.stride})
    if view.rows == 0:
        return _empty((0,), dtype)
    data, rows, stride, root, _ = window.known
    if data != view.data or rows != view.rows or stride != view.stride:
        root = window.root_on(handle, (view.rows, view.stride), "|u1", None, view.data)
    return root.view(dtype)[:, 0]  # type: ignore[no-any-return]


def array_of(window: Window, handle: Handle) -> np.ndarray[Any, Any]:
    """The single field as it is; read-only."""
    view = window.view
    data, rows, _, root, _ = window.known
    if data != view.data or rows != view.rows:
        root = _root_of(window, handle)
    return root[...]  # type: ignore[no-any-return]


def _root_of(window: Window, handle: Handle) -> Any:
    view = window.view
    field, rows, stride = view.fields[0], view.rows, view.stride
    typestr = _TYPES[field.type]
    shape, strides = (rows,), (stride,)
    if field.components > 1:
        shape, strides = (rows, field.components), (stride, int(typestr[2]))
    return window.root_on(handle, shape, typestr, strides, view.data) if rows > 0 else _empty(shape, np.dtype(typestr))


def _empty(shape: tuple[int, ...], dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    empty: np.ndarray[Any, Any] = np.zeros(shape, dtype)
    empty.flags.writeable = False
    return empty
