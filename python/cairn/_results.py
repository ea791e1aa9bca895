"""Pictures, and the results folder of a simulation. Internal."""

from __future__ import annotations

import json
import os
import pathlib
from ctypes import byref, c_int32
from typing import TYPE_CHECKING, Iterable

from ._library import check, lib

if TYPE_CHECKING:
    from .simulation import Simulation


class Picture(bytes):
    """The bytes of a PNG file. Jupyter shows the picture."""

    def _repr_png_(self) -> bytes:
        return bytes(self)

    def __repr__(self) -> str:
        return f"<cairn.Picture, a PNG file of {len(self)} bytes>"


def write_results(simulation: Simulation, target: pathlib.Path, pictures: Iterable[tuple[float, bytes]]) -> pathlib.Path:
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise FileExistsError(f"{target} is not an empty folder")
    (target / "pictures").mkdir(parents=True)
    shown = [*pictures, (simulation.time, simulation.picture())]
    summary = simulation.summary()
    summary["pictures"] = [{"time": time, "file": f"pictures/picture_{k:06}.png"} for k, (time, _) in enumerate(shown)]
    for picture, (_, data) in zip(summary["pictures"], shown):
        (target / picture["file"]).write_bytes(data)
    (target / "summary.json").write_text(json.dumps(summary, indent=2) + "\n")
    (target / "scenario.toml").write_text(simulation.scenario.text)
    tables = ["series", "final"] + [name for name in ("probes", "contact_events") if len(getattr(simulation, name)) > 0]
    for table in tables:
        (target / f"{table}.csv").write_bytes(simulation._text_of(f"{table}.csv"))
    check(lib.cairn_report(os.fsencode(target), byref(c_int32())))
    return target / "report.html"
