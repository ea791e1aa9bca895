"""Cairn: granular dynamics that knows its time-integration error.

    >>> import cairn
    >>> scenario = cairn.Scenario.read("pile.toml", {"contact.friction": 0.3})
    >>> simulation = cairn.Simulation(scenario)
    >>> simulation.run(progress=True)
    >>> simulation.series["kinetic"][-1]            # [J]
    >>> simulation.positions                        # [m] numpy array (grains, 3), without a copy

Everything is in SI units. The engine, the keys of a scenario and the bits of the results are those of the program
``cairn``; docs/python.md is the guide.

Scenario       a simulation as data: from TOML, a dict or keyword arguments
Simulation     a scenario in time: run, step, until, arrays, series, pictures, reports, checkpoints
schemes, laws  what there is, as data with claims; schema: the keys of a scenario
stability      limits of h omega; Simulation.stability has those of a case
advise         which scheme and step a scenario should take
study          the studies of docs/studies.md, as data
restitution    of head-on collisions, over their speed

A contact law or the motion of a wall is not written in Python: it would run a million times a second. Laws are C++
(CONTRIBUTING.md), motions are keys of a scenario (docs/scenario.md).
"""

from ._library import Error, GuardError, Stopped, version as __version__
from .catalogue import advise, laws, restitution, schema, schemes, stability, studies, study
from ._results import Picture
from .scenario import Fault, Scenario, ScenarioError
from .simulation import Simulation

__all__ = ["Error", "Fault", "GuardError", "Picture", "Scenario", "ScenarioError", "Simulation", "Stopped", "__version__", "advise",
           "laws", "restitution", "schema", "schemes", "stability", "studies", "study"]
