// Cairn as a library. SI units throughout; docs/library.md has a tutorial.
//
// Describe. A Scenario is a simulation as plain data: fill it in code (run/scenario.hpp names every field and its
// unit), or read it:
//   Scenario read_scenario(path, overrides)           from a TOML file; overrides as "contact.friction=0.3"
//   Scenario parse_scenario(text, name, overrides)    from text
//   void load_data(scenario)                          then the data files it names, if any
//
// Run. A Simulation takes a scenario through time, with its emitters and guards:
//   Simulation simulation(scenario);  simulation.start();
//   simulation.advance(pause)                         to the next occasion (Occasion::series, ..., Occasion::finished),
//   or to a pause simulation.synchronised(), .observe()             velocities at the time of positions; the ledger
//   brought up to date
// Or move a World by hand, with any scheme, any step and grains of your own:
//   World world(world_settings(scenario));  world.insert(grains);  world.begin();
//   world.remove(ids)                                 between steps, as insert
//   scheme_named("rk4").advance(world, h)             one step of at most h; scheme_catalogue() lists them all
//
// Observe, between steps, simulation.world() or the world by hand:
//   time(), size(), energies(), momenta()             [s], [-], [J], [kg m/s] and [kg m^2/s]
//   energy_ledger()[Channel::dashpot], [slip], ...; residual() [J] where energy went; the numerical error of the ledger
//   grains().index(id), grains().by_id()              where a grain stands in the arrays, which are re-ordered at will
//   position(i), velocity(i), spin(i)                 [m], [m/s], [rad/s]; grains() has radius, mass, material
//   contacts(), coordination(), wall_loads()          closed contacts, those of each grain, forces [N] on the walls
//   closed_contacts()                                 with their forces; contact_events() of a Simulation: those ended
//   moments_of(scene(), state(), dimension)           stress times volume; grain_loads_of: forces on each grain
//   probes().take(world) of a Simulation              what its probes saw that were due
//   hash()                                            64 bits that are equal where two states are
//
// Errors are thrown as Error (core/error.hpp), whose code() says of which kind; the library neither prints nor ends the
// program. It writes files only where a RunFolder (output/run_folder.hpp) is made, as `cairn run` makes one. One World
// may be used by one thread at a time; different ones are independent.
#pragma once
#include "cairn/core/error.hpp"
#include "cairn/output/run_folder.hpp"
#include "cairn/run/build.hpp"
#include "cairn/run/registry.hpp"
#include "cairn/run/simulation.hpp"
#include "cairn/scenario/scenario_data.hpp"
#include "cairn/scenario/scenario_file.hpp"
#include "cairn/world/world.hpp"
