"""A simulation as data."""

from __future__ import annotations

import os
import pathlib
from ctypes import byref
from typing import TYPE_CHECKING, Any, Mapping, NamedTuple, Optional, Union

from . import _toml
from ._library import Error, lib, override_texts, read_json, scenario_text

if TYPE_CHECKING:
    from .simulation import Simulation


class Fault(NamedTuple):
    """One thing that is wrong with a scenario, as the program tells it."""

    place: Optional[str]  #: the file, or the override "--set key=value"
    line: Optional[int]  #: from 1; in Scenario.text
    column: Optional[int]  #: from 1
    key: Optional[str]  #: "grain.0.radius"; None: the text is no TOML
    message: str  #: what was found and what was expected

    def __str__(self) -> str:
        place = self.place or ""
        if self.line is not None:
            place += f":{self.line}:{self.column}"
        return ": ".join(part for part in (place, self.key, self.message) if part)


class ScenarioError(Error, ValueError):
    """A scenario cannot be run. `faults` lists what is wrong, all of it at once."""

    def __init__(self, faults: list[Fault]):
        super().__init__("\n".join(map(str, faults)), 2)
        self.faults = faults


class Scenario:
    """A simulation as data, with the keys of scenario files (docs/scenario.md). It does not change once it is made.

    Scenario(sections, **more)        from a dict, from keyword arguments, or both:
                                      ``Scenario(run={"step": 1e-4, "end": 1}, grain=[{"radius": 0.01, ...}])``
    Scenario.parse(text)              from TOML text
    Scenario.read(path)               from a file

    Each takes ``overrides``, ``{"contact.friction": 0.3}``, as ``--set`` of the program. Numbers are in SI units; texts may
    have units, "5 mm". Values of numpy count as numbers and lists.

    Raises ScenarioError with all faults, each with its line and key.
    """

    def __init__(self, sections: Optional[Mapping[str, Any]] = None, /, *, name: str = "scenario",
                 overrides: Optional[Mapping[str, Any]] = None, **more: Any):
        self._make(_toml.document({**(sections or {}), **more}), name, override_texts(overrides))

    def _make(self, text: str, name: str, overrides: list[str]) -> None:
        self._text, self._name, self._overrides = text, name, tuple(overrides)
        given = self._given()
        faults = [Fault(**f) for f in read_json(lambda to: lib.cairn_validate(byref(given), to))]
        if faults:
            raise ScenarioError(faults)

    @classmethod
    def parse(cls, text: str, name: str = "scenario", overrides: Optional[Mapping[str, Any]] = None) -> Scenario:
        """From TOML text. `name` stands for the file in faults, and files that the text names are relative to its folder."""
        return cls._of(text, name, override_texts(overrides))

    @classmethod
    def read(cls, path: Union[str, os.PathLike[str]], overrides: Optional[Mapping[str, Any]] = None) -> Scenario:
        """From a file."""
        return cls.parse(pathlib.Path(path).read_text(encoding="utf-8"), os.fspath(path), overrides)

    @classmethod
    def _of(cls, text: str, name: str, overrides: list[str]) -> Scenario:
        scenario = cls.__new__(cls)
        scenario._make(text, name, overrides)
        return scenario

    @property
    def text(self) -> str:
        """TOML, without the overrides."""
        return self._text

    @property
    def name(self) -> str:
        return self._name

    @property
    def overrides(self) -> tuple[str, ...]:
        """As ``--set`` takes them: ("contact.friction=0.3",)."""
        return self._overrides

    def with_overrides(self, overrides: Mapping[str, Any]) -> Scenario:
        """The same with more overrides: ``scenario.with_overrides({"run.scheme": "rk4"})``."""
        return self._of(self._text, self._name, [*self._overrides, *override_texts(overrides)])

    def write(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes the text for ``cairn run``; overrides stand in a comment above it."""
        head = "".join(f"# --set {o}\n" for o in self._overrides)
        pathlib.Path(path).write_text(head + self._text, encoding="utf-8")

    def simulate(self, threads: Optional[int] = None) -> Simulation:
        """Simulation(self, threads)."""
        from .simulation import Simulation

        return Simulation(self, threads)

    def _given(self) -> Any:
        return scenario_text(self._text, self._name, self._overrides)

    def __repr__(self) -> str:
        return f"<cairn.Scenario {self._name!r}{''.join(' --set ' + o for o in self._overrides)}>"

    # Texts alone, so that a scenario goes to other processes.
    def __reduce__(self) -> Any:
        return Scenario._of, (self._text, self._name, list(self._overrides))
