"""Schemes, laws, keys, advice and studies as data: dicts and lists, as the program prints them with --json."""

from __future__ import annotations

from ctypes import byref, c_double
from typing import Any, Callable, Optional, Sequence, Union

from ._library import ProgressCall, lib, read_json
from .scenario import Scenario

Names = Union[str, Sequence[str], None]
OnProgress = Optional[Callable[[float, str], Any]]


def names_text(names: Names) -> Optional[bytes]:
    if names is None:
        return None
    return (names if isinstance(names, str) else ",".join(names)).encode()


def schemes(name: Optional[str] = None) -> Any:
    """Every time-integration scheme with its claims: order, stability, force evaluations, reference; or one of them.

    >>> [s["name"] for s in cairn.schemes() if s["order"] >= 4]
    """
    return read_json(lambda to: lib.cairn_schemes(None if name is None else name.encode(), to))


def laws(name: Optional[str] = None) -> Any:
    """Every contact law, or one with its formula, parameters, units and defaults."""
    return read_json(lambda to: lib.cairn_laws(None if name is None else name.encode(), to))


def schema() -> dict[str, Any]:
    """JSON Schema of a scenario: every key with its type, unit, range and description."""
    return read_json(lib.cairn_schema)


def stability(schemes: Names = None, zetas: Union[float, Sequence[float]] = (0.0, 0.05, 0.1, 0.2, 0.5)) -> list[dict[str, Any]]:
    """Largest stable h omega [-] of schemes, by default all, for damping ratios zeta = c / (2 sqrt(k m)) [-].

    A row for each scheme and zeta: {"scheme", "zeta", "limit"}. limit is None where there is none, 0 where the scheme is
    weakly unstable. omega = sqrt(k/m) of the stiffest contact; Simulation.stability computes the limits of a case.
    """
    values = [zetas] if isinstance(zetas, (int, float)) else list(zetas)
    array = (c_double * len(values))(*values)
    rows = read_json(lambda to: lib.cairn_stability(names_text(schemes), array, len(values), to))
    return rows if isinstance(rows, list) else [rows]


def advise(scenario: Scenario, accuracy: float = 0.01, schemes: Names = None, *, measure: bool = False, window: float = 0,
           on_progress: OnProgress = None) -> dict[str, Any]:
    """Which scheme and step a scenario should take: {"findings", tables ...}.

    accuracy     [-] of restitution and tangential response of each collision
    schemes      names; by default ten
    measure      also runs the advised and the own setting against a reference, for `window` [s] of simulated time
    on_progress  called with the part that is done, 0 to 1, and a text; what it raises stops the work

    Prices are measured on this machine, so they differ from call to call.
    """
    given, progress = scenario._given(), ProgressCall(on_progress)
    return progress.read_json(lambda to: lib.cairn_advise(byref(given), accuracy, names_text(schemes), measure, window,
                                                          progress.function, None, to))


def restitution(scenario: Scenario, speeds: Union[float, Sequence[float]], pair: Optional[str] = None, *,
                scheme: Optional[str] = None, steps: float = 20) -> dict[str, Any]:
    """Restitution [-], duration [s] and overlap [m] of head-on collisions at these speeds [m/s]: {"points": [...], ...}.

    pair    "A,B", materials, or "A,wall:NAME"; by default the first that can touch
    scheme  adds what this scheme realises, at so many `steps` per collision; onsets are corrected as in a run
    """
    values = [speeds] if isinstance(speeds, (int, float)) else list(speeds)
    array, given = (c_double * len(values))(*values), scenario._given()
    return read_json(lambda to: lib.cairn_restitution(byref(given), None if pair is None else pair.encode(), array, len(values),
                                                      None if scheme is None else scheme.encode(), steps, to))


def studies() -> list[str]:
    """The studies that study() knows."""
    return read_json(lib.cairn_studies)


def study(name: str, *, schemes: Names = None, quick: bool = False, scenario: Optional[Scenario] = None,
          on_progress: OnProgress = None) -> dict[str, Any]:
    """A study of docs/studies.md: its findings and tables.

    quick        as --quick of the program: minutes become seconds, figures become coarser
    schemes      names; by default those of the study
    scenario     of "work-precision" alone, which needs one
    on_progress  as advise(). What it raises, and Ctrl-C, end the study once the runs of the moment have ended
    """
    given, progress = None if scenario is None else scenario._given(), ProgressCall(on_progress)
    return progress.read_json(lambda to: lib.cairn_study(name.encode(), names_text(schemes), quick,
                                                         None if given is None else byref(given), progress.function, None, to))
