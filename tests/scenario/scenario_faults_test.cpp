// A message about a fault in a scenario file names the place, what was found and what was expected.
#include <doctest/doctest.h>

#include "scenario/scenario_checks.hpp"

namespace cairn {
namespace {

TEST_CASE("scenario: what is wrong is told with its place, what was found and what was expected") {
  const Refused refused[] = {
      {"step = 1e-4", "step 1e-4",
       "f:2:6: found text that is not valid TOML: Error while parsing key-value pair: expected '=', saw '1'; expected "
       "key = value, each key once, text and numbers with units in quotes"},
      {"step = 1e-4", "step = fast",
       "f:2:10: found text that is not valid TOML: Error while parsing boolean: expected 'false', saw 'fas'; expected "
       "key = value, each key once, text and numbers with units in quotes"},
      {"step = 1e-4", "step = 1e-4\nstep = 1e-5",
       "f:3:8: found text that is not valid TOML: Error while parsing key-value pair: cannot redefine existing "
       "floating-point 'step'; expected key = value, each key once, text and numbers with units in quotes"},
      {"step = 1e-4", "step = 1e400",
       "f:2:13: found text that is not valid TOML: Error while parsing floating-point: '1e400' could not be "
       "interpreted as a value; expected key = value, each key once, text and numbers with units in quotes"},
      {"", "[run]\nthreads = 2\n",
       "f:6:1: found text that is not valid TOML: Error while parsing table header: cannot redefine existing table "
       "'run'; expected key = value, each key once, text and numbers with units in quotes"},
      {"", "[[wall]\n",
       "f:6:8: found text that is not valid TOML: Error while parsing table header: expected ']', saw '\\n'; expected "
       "key = "
       "value, each key once, text and numbers with units in quotes"},
      {"", "title = 'x\n",
       "f:6:11: found text that is not valid TOML: Error while parsing literal string: control characters other than "
       "TAB (U+0009) are explicitly prohibited; expected key = value, each key once, text and numbers with units in "
       "quotes"},
      {"", std::string("[grain\000]\n", 9),
       "f:6:7: found text that is not valid TOML: Error while parsing table header: expected ']', saw '\\u0000'; "
       "expected key = value, each key once, text and numbers with units in quotes"},
      {"", "[output]\ncolour_range = [0, 1]\n",
       "f:7:16: output.colour_range: found without a number as output.colour; expected this key only beside one, for "
       "example colour = \"speed\""},
      {"", "[output]\ncolour = \"material\"\ncolour_range = [0, 1]\n",
       "f:8:16: output.colour_range: found without a number as output.colour; expected this key only beside one, for "
       "example colour = \"speed\""},
      {"", "[output]\ncolour = \"sped\"\n",
       "f:7:10: output.colour: found the text 'sped'; expected 'material', 'size', 'speed', 'coordination', 'spin', "
       "'velocity_x', 'velocity_y', 'velocity_z', 'force', 'pressure' or 'temperature'; did you mean 'speed'?"},
      {"", "[output]\nséries = 1\n", "f:7:2: found 'é'; expected only ASCII outside quotes and comments"},
      {"", "[output]\n“series” = 1\n", "f:7:1: found '“'; expected only ASCII outside quotes and comments"},
      {"step = 1e-4", "stpe = 1e-4",
       "f:2:1: run.stpe: no such key; expected one of scheme, step, accuracy, end, threads, tolerance, smallest_step, "
       "largest_step, seed, onset; did you mean "
       "'step'?"},
      {"stiffness = 1e5", "stifness = 1e5",
       "f:5:1: contact.stifness: no such key; expected one of ~; did you mean 'stiffness'?"},
      {"stiffness = 1e5", "stiffness = 1e5\ndensity = 2500",
       "f:6:1: contact.density: no such key; expected one of ~; it is a key of [[material]]"},
      {"stiffness = 1e5", "stiffness = 1e5\nhaze = 1", "f:6:1: contact.haze: no such key; expected one of ~"},
      {"[run]", "g = 9.81\n[run]", "f:1:1: g: no such key; expected one of ~"},
      {"[run]", "step = 1\n[run]", "f:1:1: step: no such key; expected one of ~; it is a key of [run] and [guards]"},
      {"[run]", "contcat = 1\n[run]", "f:1:1: contcat: no such key; expected one of ~; did you mean 'contact'?"},
      {"", "[[walls]]\n", "f:6:3: walls: no such key; expected one of ~; did you mean 'wall'?"},
      {"", "[[wall]]\nmotion = { sped = 1 }\n",
       "f:7:12: wall.0.motion.sped: no such key; expected one of velocity, axis, center, rate, amplitude, frequency, "
       "phase, times, factors"},
      {"", "[[grain]]\n\"radi\\nus\" = 1\n",
       "f:7:1: grain.0.radi?us: no such key; expected one of position, velocity, spin, radius, mass, material; did you "
       "mean 'radius'?"},
      {"", "[guards]\noverlaps = 'warn'\n",
       "f:7:1: guards.overlaps: no such key; expected one of overlap, travel, step, residual, finite, round_off; did "
       "you mean "
       "'overlap'?"},
      {"step = 1e-4\n", "",
       "f:1:1: run.step: missing; expected a number > 0 in s, or \"auto\" (time step; with an adaptive scheme the "
       "first step; \"auto\": chosen by the program), here "
       "or by --set run.step=..."},
      {"[run]\nstep = 1e-4\nend = 1\n", "",
       "f:1:1: run.step: missing; expected a number > 0 in s, or \"auto\" (time step; with an adaptive scheme the "
       "first step; \"auto\": chosen by the program), here "
       "or by --set run.step=..."},
      {"end = 1", "",
       "f:1:1: run.end: missing; expected a number > 0 in s (time at which the run ends), here or by --set "
       "run.end=..."},
      {"stiffness = 1e5", "",
       "f:4:1: contact.stiffness: missing; expected a number > 0 in N/m, or restitution with duration, here or by "
       "--set contact.stiffness=..."},
      {"[contact]\nstiffness = 1e5\n", "",
       "f:1:1: contact.stiffness: missing; expected a number > 0 in N/m, or restitution with duration, here or by "
       "--set contact.stiffness=..."},
      {"", "[[grain]]\nradius = 1\n",
       "f:6:1: grain.0.position: missing; expected 3 numbers [x, y, z] in m (position of the grain's centre), here or "
       "by --set grain.0.position=..."},
      {"", "[[grain]]\nposition = [0, 0, 0]\n",
       "f:6:1: grain.0.radius: missing; expected a number > 0 in m (radius of the grain), here or by --set "
       "grain.0.radius=..."},
      {"", "[[pair]]\nfriction = 1\n",
       "f:6:1: pair.0.materials: missing; expected the names of two materials, [\"first\", \"second\"] (the two "
       "materials in contact), here or by --set pair.0.materials=..."},
      {"", "[[wall]]\ntype = 'box'\nlow = [0, 0, 0]\n",
       "f:6:1: wall.0.high: missing; expected 3 numbers [x, y, z] in m (highest corner), here or by --set "
       "wall.0.high=..."},
      {"", "[[wall]]\ntype = 'cylinder'\n",
       "f:6:1: wall.0.radius: missing; expected a number > 0 in m (radius of the cylinder), here or by --set "
       "wall.0.radius=..."},
      {"", "[[wall]]\nmotion = { rate = 1 }\n",
       "f:7:10: wall.0.motion.axis: missing; expected the direction of the axis of rotation, [x, y, z], here or by "
       "--set wall.0.motion.axis=..."},
      {"", "[[wall]]\nmotion = { amplitude = [0, 0, 1] }\n",
       "f:7:24: wall.0.motion.amplitude: found without frequency; expected amplitude and frequency"},
      {"", "[[wall]]\nmotion = { frequency = 1 }\n",
       "f:7:24: wall.0.motion.frequency: found without amplitude; expected frequency and amplitude"},
      {"", "[[wall]]\nmotion = { axis = [0, 0, 1] }\n",
       "f:7:19: wall.0.motion.axis: found without rate; expected axis and rate"},
      {"", "[[wall]]\nmotion = { center = [0, 0, 1] }\n",
       "f:7:21: wall.0.motion.center: found without rate; expected center and rate"},
      {"", "[[grains]]\nkind = 'data'\n",
       "f:6:1: grains.0.file: missing; expected text in quotes (path of a LAMMPS data file or a CSV table, relative to "
       "the scenario file, or else to the working folder), here or by --set grains.0.file=..."},
      {"", "[[grains]]\nradius = 1\n",
       "f:6:1: grains.0.low: missing; expected a corner of the region in m, or region_radius for a cylinder, here or "
       "by --set grains.0.low=..."},
      {"", "[[grains]]\nradius = 1\nhigh = [1, 1, 1]\n",
       "f:6:1: grains.0.low: missing; expected a corner of the region in m, or region_radius for a cylinder, here or "
       "by --set grains.0.low=..."},
      {"", "[[grains]]\nradius = 1\nregion_radius = 1\n",
       "f:6:1: grains.0.region_length: missing; expected a number > 0 in m, here or by --set "
       "grains.0.region_length=..."},
      {"", "[[grains]]\nkind = 'random'\nradius = 1\nlow = [0, 0, 0]\nhigh = [9, 9, 9]\n",
       "f:6:1: grains.0.count: missing; expected a whole number >= 1, here or by --set grains.0.count=..."},
      {"", "[[emitter]]\nradius = 1\n",
       "f:6:1: emitter.0.position: missing; expected a position in m, or place = \"top\", or a region (low and high, "
       "or "
       "region_radius), here or by --set emitter.0.position=..."},
      {"", "[[emitter]]\nradius = 1\nplace = 'top'\ncount = 2\n",
       "f:6:1: emitter.0.every: missing; expected a number > 0 in s, because count is above 1, here or by --set "
       "emitter.0.every=..."},
      {"step = 1e-4", "step = '1e-4'",
       "f:2:8: run.step: found the text '1e-4' without a unit; expected a number > 0 in s, or \"auto\""},
      {"step = 1e-4", "step = true", "f:2:8: run.step: found true; expected a number > 0 in s, or \"auto\""},
      {"step = 1e-4", "step = [1e-4]",
       "f:2:8: run.step: found an array of 1 value; expected a number > 0 in s, or \"auto\""},
      {"step = 1e-4", "step = 1979-05-27",
       "f:2:8: run.step: found a date or time; expected a number > 0 in s, or \"auto\""},
      {"step = 1e-4", "step = 1e-4\nthreads = 1.5",
       "f:3:11: run.threads: found 1.5; expected a whole number >= 1 and <= 4096"},
      {"step = 1e-4", "step = 1e-4\nscheme = 4",
       "f:3:10: run.scheme: found 4; expected a name that `cairn schemes` lists, or \"auto\""},
      {"step = 1e-4", "step = 1e-4\nscheme = 'rk5'",
       "f:3:10: run.scheme: found the text 'rk5'; expected a name that `cairn schemes` lists, or \"auto\"; did you "
       "mean 'rk4'?"},
      {"", "[space]\nrotation = 1\n", "f:7:12: space.rotation: found 1; expected true or false"},
      {"", "[space]\nrotation = 'no'\n", "f:7:12: space.rotation: found the text 'no'; expected true or false"},
      {"", "[guards]\nstep = 1\n", "f:7:8: guards.step: found 1; expected 'refuse', 'warn' or 'off'"},
      {"", "[output]\nseries = { every = 1 }\n", "f:7:10: output.series: found a table; expected a number >= 0 in s"},
      {"[run]", "run = 1\n[space]", "f:1:7: run: found 1; expected one section [run]"},
      {"[run]", "[[run]]", "f:1:1: run: found an array of 1 value; expected one section [run]"},
      {"", "[wall]\nradius = 1\n", "f:6:1: wall: found a table; expected sections [[wall]]"},
      {"[run]", "wall = [1, 2]\n[run]", "f:1:9: wall.0: found 1; expected sections [[wall]]"},
      {"", "[[wall]]\nmotion = 3\n", "f:7:10: wall.0.motion: found 3; expected a table { key = value, ... }"},
      {"", "[[pair]]\nmaterials = 'default'\n",
       "f:7:13: pair.0.materials: found the text 'default'; expected the names of two materials, [\"first\", "
       "\"second\"]"},
      {"", "[[pair]]\nmaterials = ['default', 3]\n",
       "f:7:25: pair.0.materials.1: found 3; expected the names of two materials, [\"first\", \"second\"]"},
      {"step = 1e-4", "step = 0", "f:2:8: run.step: found 0; expected a number > 0 in s, or \"auto\""},
      {"step = 1e-4", "step = nan", "f:2:8: run.step: found nan; expected a number > 0 in s, or \"auto\""},
      {"step = 1e-4", "step = -inf", "f:2:8: run.step: found -inf; expected a number > 0 in s, or \"auto\""},
      {"step = 1e-4", "step = 1e-400", "f:2:8: run.step: found 0; expected a number > 0 in s, or \"auto\""},
      {"step = 1e-4", "step = 'often'",
       "f:2:8: run.step: found the text 'often'; expected a number > 0 in s, or \"auto\", or a number with a unit as "
       "in "
       "\"0.5 s\""},
      {"step = 1e-4", "step = 'auto'\nscheme = 'rkf45_relative'",
       "f:2:8: run.step: found \"auto\" with the adaptive scheme rkf45_relative, which chooses its steps itself; "
       "expected "
       "its first step in s"},
      {"step = 1e-4", "step = 'auto'\naccuracy = 0.6",
       "f:3:12: run.accuracy: found 0.6; expected a number >= 1e-06 and <= 0.5"},
      {"end = 1", "end = 1\naccuracy = '1 %'",
       "f:4:12: run.accuracy: found with a fixed step; expected this key only with step = \"auto\""},
      {"step = 1e-4", "step = 2", "f:2:8: run.step: found a step longer than run.end; expected a shorter step"},
      {"end = 1", "end = 1\nthreads = 0", "f:4:11: run.threads: found 0; expected a whole number >= 1 and <= 4096"},
      {"end = 1", "end = 1\nthreads = 1e9",
       "f:4:11: run.threads: found 1e+09; expected a whole number >= 1 and <= 4096"},
      {"end = 1", "end = 1\nseed = -1", "f:4:8: run.seed: found -1; expected a whole number >= 0"},
      {"end = 1", "end = 1\nseed = 1e19", "f:4:8: run.seed: found 1e+19; expected a whole number >= 0"},
      {"end = 1", "end = 1\ntolerance = 1", "f:4:13: run.tolerance: found 1; expected a number > 0 and < 1"},
      {"", "[space]\ndimension = 4\n", "f:7:13: space.dimension: found 4; expected a whole number >= 1 and <= 3"},
      {"", "[space]\nperiodic_x = [1, 1]\n", "f:7:14: space.periodic_x: found low >= high; expected low < high"},
      {"", "[space]\nperiodic_x = [1, inf]\n",
       "f:7:18: space.periodic_x.1: found inf; expected 2 numbers [low, high] in m"},
      {"", "[[material]]\npoisson = 0.6\n", "f:7:11: material.0.poisson: found 0.6; expected a number > -1 and <= 0.5"},
      {"", "[[material]]\ndensity = 0\n", "f:7:11: material.0.density: found 0; expected a number > 0 in kg/m^3"},
      {"stiffness = 1e5", "stiffness = 1e5\nrestitution = 0",
       "f:6:15: contact.restitution: found restitution = 0, which a clipped contact cannot realise with any finite "
       "damping: its force ends before the grains stop separating; expected at least 0.01, about five times critical "
       "damping, or attraction = \"allowed\""},
      {"stiffness = 1e5", "stiffness = 1e5\nfriction = -0.1",
       "f:6:12: contact.friction: found -0.1; expected a number >= 0"},
      {"", "[[grain]]\nposition = [0, 0, 0]\nradius = -1\n",
       "f:8:10: grain.0.radius: found -1; expected a number > 0 in m"},
      {"", "[[grains]]\nradius = 1\nradius_spread = 1\n",
       "f:8:17: grains.0.radius_spread: found 1; expected a number >= 0 and < 1"},
      {"", "[[emitter]]\ncount = 0\n", "f:7:9: emitter.0.count: found 0; expected a whole number >= 1"},
      {"", "[search]\nskin = -1\n", "f:7:8: search.skin: found -1; expected a number >= 0 in m"},
      {"[contact]", "[contact]\nlaw = 'hertz'",
       "f:5:7: contact.law: found the text 'hertz'; expected 'linear', 'hertz_mindlin', 'kuwabara_kono', "
       "'extended_nonlinear', 'extended_linear', 'impulse' or 'dynamics'; did you mean 'hertz_mindlin'?"},
      {"stiffness = 1e5", "law = 'dynamics'\nrestitution = 0.5\n[output]\nledger_split = true",
       "f:8:16: output.ledger_split: found true with contact.law = \"dynamics\", whose contacts have no duration; "
       "expected false"},
      {"stiffness = 1e5", "stiffness = 1e5\nattraction = 'clip'",
       "f:6:14: contact.attraction: found the text 'clip'; expected 'clipped' or 'allowed'; did you mean 'clipped'?"},
      {"", "[guards]\nstep = 'never'\n",
       "f:7:8: guards.step: found the text 'never'; expected 'refuse', 'warn' or 'off'"},
      {"", "[initial]\noverlap = 'alow'\n",
       "f:7:11: initial.overlap: found the text 'alow'; expected 'refuse' or 'allow'; did you mean 'allow'?"},
      {"", "[[wall]]\ntype = 'sphere'\n",
       "f:7:8: wall.0.type: found the text 'sphere'; expected 'plane', 'box' or 'cylinder'"},
      {"", "[[emitter]]\nplace = 'bottom'\n", "f:7:9: emitter.0.place: found the text 'bottom'; expected 'top'"},
      {"", "[space]\ngravity = [0, -9.81]\n",
       "f:7:11: space.gravity: found an array of 2 values; expected 3 numbers [x, y, z] in m/s^2"},
      {"", "[space]\ngravity = -9.81\n", "f:7:11: space.gravity: found -9.81; expected 3 numbers [x, y, z] in m/s^2"},
      {"", "[space]\ngravity = [0, 0, '-9.81']\n",
       "f:7:18: space.gravity.2: found the text '-9.81' without a unit; expected 3 numbers [x, y, z] in m/s^2"},
      {"", "[space]\ngravity = [0, 0, nan]\n",
       "f:7:18: space.gravity.2: found nan; expected 3 numbers [x, y, z] in m/s^2"},
      {"", "[space]\ndimension = 2\ngravity = [0, 0, -9.81]\n",
       "f:8:11: space.gravity: found an array of 3 values; expected 2 numbers [x, z] in m/s^2"},
      {"", "[space]\ndimension = 1\ngravity = [0, -9.81]\n",
       "f:8:11: space.gravity: found an array of 2 values; expected one number, the height z, in m/s^2"},
      {"", "[space]\ndimension = 2\n[[grain]]\nposition = [0, 0]\nspin = [0, 1, 0]\nradius = 1\n",
       "f:10:8: grain.0.spin: found an array of 3 values; expected one number, about +y, in rad/s"},
      {"", "[[grain]]\nposition = [0, 0, 0]\nspin = 1\nradius = 1\n",
       "f:8:8: grain.0.spin: found 1; expected 3 numbers [x, y, z] in rad/s"},
      {"", "[[wall]]\nnormal = [0, 0, 0]\n",
       "f:7:10: wall.0.normal: found a direction of length zero; expected any other"},
      {"", "[[wall]]\ntype = 'box'\nlow = [0, 0, 0]\nhigh = [1, 0, 1]\n",
       "f:9:8: wall.0.high: found no room between low and high; expected high > low in every direction"},
      {"", "[[grains]]\nradius = 1\nlow = [0, 0, 0]\nhigh = [1, 1, -1]\n",
       "f:9:8: grains.0.high: found no room between low and high; expected high > low in every direction"},
      {"", "[space]\ndimension = 2\nperiodic_y = [0, 1]\n",
       "f:8:14: space.periodic_y: does not exist here; expected only where space.dimension >= 3"},
      {"", "[space]\ndimension = 1\nrotation = true\n",
       "f:8:12: space.rotation: found true; expected false where space.dimension = 1, because nothing spins there"},
      {"", "[space]\ndimension = 1\n[[grain]]\nposition = 0\nspin = 1\nradius = 1\n",
       "f:10:8: grain.0.spin: does not exist here; expected only where space.dimension >= 2"},
      {"", "[space]\ndimension = 1\n[[wall]]\ntype = 'cylinder'\nradius = 1\npoint = [0, 0, 0]\naxis = [0, 0, 1]\n",
       "f:9:8: wall.0.type: found 'cylinder' where space.dimension = 1; expected 'cylinder' only where space.dimension "
       ">= 2"},
      {"", "[space]\ndimension = 2\n[[wall]]\ntype = 'cylinder'\nradius = 1\naxis = [0, 1]\n",
       "f:11:8: wall.0.axis: does not exist here; expected only where space.dimension >= 3"},
      {"", "[space]\ndimension = 2\n[[wall]]\nmotion = { rate = 1, axis = [0, 1] }\n",
       "f:9:29: wall.0.motion.axis: does not exist here; expected only where space.dimension >= 3"},
      {"", "[space]\ndimension = 1\n[[wall]]\nmotion = { rate = 1 }\n",
       "f:9:19: wall.0.motion.rate: does not exist here; expected only where space.dimension >= 2"},
      {"", "[space]\ndimension = 1\n[[grains]]\nradius = 1\nregion_radius = 1\n",
       "f:10:17: grains.0.region_radius: does not exist here; expected only where space.dimension >= 2"},
      {"stiffness = 1e5", "stiffness = 1e5\ndamping = 1\nrestitution = 0.5",
       "f:7:15: contact.restitution: found beside damping; expected only one of them"},
      {"stiffness = 1e5", "stiffness = 1e5\ndamping = 1\ndamping_per_mass = 0.5",
       "f:7:20: contact.damping_per_mass: found beside damping; expected only one of them"},
      {"stiffness = 1e5", "stiffness = 1e5\nrestitution = 0.5\nduration = 1e-3",
       "f:7:12: contact.duration: found beside stiffness; expected only one of the two"},
      {"stiffness = 1e5", "stiffness = 1e5\ntangential_damping = 1\ntangential_damping_per_mass = 1",
       "f:7:31: contact.tangential_damping_per_mass: found beside tangential_damping; expected only one of the two"},
      {"stiffness = 1e5", "duration = 1e-3",
       "f:5:12: contact.duration: found without restitution; expected duration and restitution, or stiffness in place "
       "of duration"},
      {"stiffness = 1e5", "restitution = 0.5",
       "f:4:1: contact.stiffness: missing; expected a number > 0 in N/m, or restitution with duration, here or by "
       "--set contact.stiffness=..."},
      {"stiffness = 1e5", "duration = 1e-3\ndamping = 1",
       "f:5:12: contact.duration: found without restitution; expected duration and restitution, or stiffness in place "
       "of duration"},
      {"", "[[pair]]\nmaterials = ['default', 'default']\nduration = 1\n",
       "f:8:12: pair.0.duration: found without restitution; expected duration and restitution, or stiffness in place "
       "of duration"},
      {"", "[[pair]]\nmaterials = ['default', 'default']\ndamping = 1\nrestitution = 1\n",
       "f:9:15: pair.0.restitution: found beside damping; expected only one of them"},
      {"", "[[pair]]\nmaterials = ['default', 'default']\nlaw = 'linear'\n",
       "f:8:1: pair.0.law: no such key; expected one of ~; it is a key of [contact]"},
      {"stiffness = 1e5", "law = 'hertz_mindlin'\nstiffness = 1e5",
       "f:6:13: contact.stiffness: does not belong to law 'hertz_mindlin'; expected only law, restitution, friction, "
       "rolling_friction, rolling_stiffness_ratio, rolling_damping, twisting_friction, twisting_stiffness_ratio, "
       "twisting_damping, attraction, tangential, damping_map"},
      {"stiffness = 1e5", "law = 'hertz_mindlin'\ndamping = 1",
       "f:6:11: contact.damping: does not belong to law 'hertz_mindlin'; expected only law, restitution, friction, "
       "rolling_friction, rolling_stiffness_ratio, rolling_damping, twisting_friction, twisting_stiffness_ratio, "
       "twisting_damping, attraction, tangential, damping_map"},
      {"stiffness = 1e5", "law = 'hertz_mindlin'\nduration = 1",
       "f:6:12: contact.duration: does not belong to law 'hertz_mindlin'; expected only law, restitution, friction, "
       "rolling_friction, rolling_stiffness_ratio, rolling_damping, twisting_friction, twisting_stiffness_ratio, "
       "twisting_damping, attraction, tangential, damping_map"},
      {"stiffness = 1e5", "law = 'hertz_mindlin'",
       "f:5:7: contact.law: found 'hertz_mindlin' without a [[material]]; expected at least one [[material]] with "
       "young"},
      {"stiffness = 1e5", "law = 'hertz_mindlin'\n[[material]]\nyoung = 1e7\n[[material]]\nname = 'soft'",
       "f:8:1: material.1.young: missing; expected a number > 0 in Pa, which law 'hertz_mindlin' needs, here or by "
       "--set material.1.young=..."},
      {"stiffness = 1e5",
       "law = 'hertz_mindlin'\n[[material]]\nyoung = 1e7\n[[pair]]\nmaterials = ['default', 'default']\nstiffness = 1",
       "f:10:13: pair.0.stiffness: does not belong to law 'hertz_mindlin'; expected only materials, restitution, "
       "friction, "
       "rolling_friction, rolling_stiffness_ratio, rolling_damping, twisting_friction, twisting_stiffness_ratio, "
       "twisting_damping, attraction, tangential, damping_map"},
      {"", "[[wall]]\nradius = 1\n",
       "f:7:10: wall.0.radius: does not belong to type 'plane'; expected only type, name, material, point, normal, "
       "present, load, motion"},
      {"", "[[wall]]\ntype = 'plane'\nside = 'inside'\n",
       "f:8:8: wall.0.side: does not belong to type 'plane'; expected only type, name, material, point, normal, "
       "present, load, motion"},
      {"", "[[wall]]\ntype = 'box'\nnormal = [0, 0, 1]\n",
       "f:8:10: wall.0.normal: does not belong to type 'box'; expected only type, name, material, side, low, high, "
       "present, load, motion"},
      {"", "[[wall]]\ntype = 'cylinder'\nradius = 1\ncaps = true\n",
       "f:9:8: wall.0.caps: found without length; expected caps and length"},
      {"", "[[grains]]\nkind = 'data'\nfile = 'x'\nmaterial = 'default'\nmaterials = ['default']\n",
       "f:10:13: grains.0.materials: found beside material; expected only one of them"},
      {"", "[[grains]]\nkind = 'data'\nfile = 'x'\nmaterials = ['default', 'glas']\n",
       "f:9:25: grains.0.materials.1: found the unknown material 'glas'; expected 'default'"},
      {"", "[[grains]]\nkind = 'csv'\nfile = 'x'\nmaterials = []\n",
       "f:9:13: grains.0.materials: found an array of 0 values; expected names of materials, [\"first\", ...]"},
      {"", "[[grains]]\nfile = 'x'\n", "f:7:8: grains.0.file: does not belong to kind 'lattice'; expected only ~"},
      {"", "[[grains]]\nkind = 'data'\nfile = 'x'\nradius = 1\n",
       "f:9:10: grains.0.radius: does not belong to kind 'data'; expected only kind, material, file, materials"},
      {"", "[[grains]]\nkind = 'data'\nfile = ''\n", "f:8:8: grains.0.file: found an empty text; expected a path"},
      {"", "[[grains]]\nkind = 'random'\nradius = 1\nspacing = 1\n",
       "f:9:11: grains.0.spacing: does not belong to kind 'random'; expected only ~"},
      {"", "[[grains]]\nradius = 1\nregion_radius = 1\nregion_length = 1\nlow = [0, 0, 0]\n",
       "f:10:7: grains.0.low: found beside region_radius; expected a box or a cylinder, not both"},
      {"", "[[grains]]\nradius = 1\ncenter = [0, 0, 0]\n",
       "f:8:10: grains.0.center: found without region_radius; expected region_radius too"},
      {"", "[[emitter]]\nradius = 1\nplace = 'top'\nposition = [0, 0, 0]\n",
       "f:9:12: emitter.0.position: found beside place; expected only one of them"},
      {"", "[[emitter]]\nradius = 1\nplace = 'top'\nvelocity = [0, 0, 0]\n",
       "f:9:12: emitter.0.velocity: found beside place; expected only one of them"},
      {"", "[[emitter]]\nradius = 1\nposition = [0, 0, 0]\nlow = [0, 0, 0]\nhigh = [1, 1, 1]\n",
       "f:8:12: emitter.0.position: found beside a region; expected only one of them"},
      {"", "[[emitter]]\nradius = 1\nplace = 'top'\nregion_radius = 1\n",
       "f:9:17: emitter.0.region_radius: found beside place; expected only one of them"},
      {"", "[[emitter]]\nplace = 'top'\n",
       "f:6:1: emitter.0.radius: missing; expected a number > 0 in m, or sizes, here or by --set emitter.0.radius=..."},
      {"", "[[emitter]]\nplace = 'top'\nradius = 1\nsizes = { kind = 'normal', mean = 1, deviation = 0.1 }\n",
       "f:8:10: emitter.0.radius: found beside sizes; expected only one of them"},
      {"", "[[emitter]]\nplace = 'top'\nmass = 1\nsizes = { kind = 'normal', mean = 1, deviation = 0.1 }\n",
       "f:8:8: emitter.0.mass: found beside sizes; expected only one of them"},
      {"", "[[emitter]]\nplace = 'top'\nmass = 1\nradius = 1\nradius_spread = 0.1\n",
       "f:8:8: emitter.0.mass: found beside radius_spread; expected only one of them"},
      {"", "[[emitter]]\nplace = 'top'\nradius = 1\nrate = 1\nevery = 1\n",
       "f:10:9: emitter.0.every: found beside rate; expected only one of them"},
      {"", "[[emitter]]\nplace = 'top'\nradius = 1\ntimes = [1]\ncount = 1\n",
       "f:10:9: emitter.0.count: found beside times; expected only one of them"},
      {"", "[[emitter]]\nplace = 'top'\nradius = 1\ntimes = [2, 1]\n",
       "f:9:9: emitter.0.times: found numbers out of order; expected ascending times in s"},
      {"", "[[emitter]]\nplace = 'top'\nradius = 1\ntimes = [2, -1]\n",
       "f:9:13: emitter.0.times.1: found -1; expected numbers >= 0 in s, as in [a, b, c]"},
      {"", "[[emitter]]\nplace = 'top'\nsizes = { kind = 'normal', mean = 1, deviation = 0.5 }\n",
       "f:8:9: emitter.0.sizes.low: found -0.5 m (the default is 3 deviations below the mean or the median); expected "
       "a number > 0"},
      {"", "[[emitter]]\nplace = 'top'\nsizes = { kind = 'list', radii = [1, 2], shares = [1] }\n",
       "f:8:9: emitter.0.sizes.shares: found 1; expected one for each of the 2 radii"},
      {"", "[[emitter]]\nplace = 'top'\nsizes = { kind = 'normal', mean = 1, deviation = 0.1, median = 1 }\n",
       "f:8:64: emitter.0.sizes.median: does not belong to kind 'normal'; expected only kind, by, mean, deviation, "
       "low, "
       "high"},
      {"", "[[emitter]]\nplace = 'top'\nsizes = { mean = 1 }\n",
       "f:8:9: emitter.0.sizes.kind: missing; expected 'normal', 'lognormal', 'list' or 'table' (kind of size "
       "distribution), here or by --set emitter.0.sizes.kind=..."},
      {"", "[[emitter]]\nplace = 'top'\nsizes = { kind = 'lognormal', median = 1, deviation = '1 mm' }\n",
       "f:8:55: emitter.0.sizes.deviation: ~"},
      {"", "[[removal]]\n",
       "f:6:1: removal.0.low: missing; expected a corner of the region in m, or region_radius for a cylinder, here or "
       "by --set removal.0.low=..."},
      {"", "[[removal]]\npoint = [0, 0, 0]\n",
       "f:6:1: removal.0.normal: missing; expected both a point of the plane and its normal, here or by --set "
       "removal.0.normal=..."},
      {"", "[[probe]]\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\nlow = [0, 0, 0]\n",
       "f:9:7: probe.0.low: found beside a plane; expected a box, a cylinder or a plane, whose region_radius makes it "
       "a "
       "disc"},
      {"", "[space]\nperiodic_x = [0, 1]\n[[probe]]\nlow = [0, 0, 0]\nhigh = [2, 1, 1]\n",
       "f:9:7: probe.0.low: found 0 to 2 m along x, beyond the periodic cell; expected a probe within 0 to 1 m"},
      {"", "[space]\nperiodic_x = [0, 1]\n[[probe]]\npoint = [2, 0, 0]\nnormal = [1, 0, 0]\n",
       "f:9:9: probe.0.point: found 2 m along x, beyond the periodic cell; expected a probe within 0 to 1 m"},
      {"", "[[probe]]\nnormal = [0, 0, 1]\n",
       "f:6:1: probe.0.point: missing; expected both a point of the plane and its normal, here or by --set "
       "probe.0.point=..."},
      {"", "[[probe]]\n",
       "f:6:1: probe.0.low: missing; expected a corner of the region in m, or region_radius for a cylinder, here or "
       "by --set probe.0.low=..."},
      {"", "[output]\nfields = ['forces']\n",
       "f:7:11: output.fields.0: found the text 'forces'; expected a list of 'force', 'torque', 'stress', 'pressure', "
       "'coordination' or 'temperature', each once; did you mean 'force'?"},
      {"", "[output]\nfields = ['force', 'force']\n",
       "f:7:20: output.fields.1: found the text 'force' a second time; expected a list of 'force', 'torque', 'stress', "
       "'pressure', "
       "'coordination' or 'temperature', each once"},
      {"", "[[removal]]\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\nlow = [0, 0, 0]\n",
       "f:9:7: removal.0.low: found beside a plane; expected a box, a cylinder or a plane"},
      {"", "[[removal]]\nname = 'a,b'\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\n",
       "f:7:8: removal.0.name: found 'a,b'; expected a name without quotes, commas, # or line breaks"},
      {"",
       "[[removal]]\nname = 'a'\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\n"
       "[[removal]]\nname = 'a_mass'\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\n",
       "f:11:8: removal.1.name: found 'a_mass', which adds a second column 'removed_a_mass' in series.csv; expected "
       "another name"},
      {"", "[[wall]]\nname = 'removed_a'\n[[removal]]\nname = 'a_force_x'\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\n",
       "f:9:8: removal.0.name: found 'a_force_x', which adds a second column 'removed_a_force_x' in series.csv; "
       "expected another name"},
      {"", "[[material]]\nname = 'a'\n[[material]]\nname = 'a'\n",
       "f:9:8: material.1.name: found 'a', a name already in use; expected a different name"},
      {"", "[[material]]\n[[material]]\n",
       "f:7:1: material.1.name: found 'default' (given by default), a name already in use; expected a different name"},
      {"", "[[material]]\nname = ''\n", "f:7:8: material.0.name: found an empty text; expected a name"},
      {"", "[[wall]]\nname = 'wall2'\n[[wall]]\n",
       "f:8:1: wall.1.name: found 'wall2' (given by default), a name already in use; expected a different name"},
      {"", "[[emitter]]\nname = 'e'\nradius = 1\nplace = 'top'\n[[emitter]]\nname = 'e'\nradius = 1\nplace = 'top'\n",
       "f:11:8: emitter.1.name: found 'e', a name already in use; expected a different name"},
      {"", "[[wall]]\nmaterial = 'glas'\n[[material]]\nname = 'glass'\n[[material]]\nname = 'steel'\n",
       "f:7:12: wall.0.material: found the unknown material 'glas'; expected 'glass' or 'steel'; did you mean "
       "'glass'?"},
      {"", "[[grain]]\nposition = [0, 0, 0]\nradius = 1\nmaterial = ''\n",
       "f:9:12: grain.0.material: found the unknown material ''; expected 'default'"},
      {"", "[[pair]]\nmaterials = ['default', 'steel']\n",
       "f:7:25: pair.0.materials.1: found the unknown material 'steel'; expected 'default'"},
      {"", "[[pair]]\nmaterials = ['default']\n",
       "f:7:13: pair.0.materials: found an array of 1 value; expected the names of two materials, [\"first\", "
       "\"second\"]"},
      {"",
       "[[material]]\nname = 'a'\n[[material]]\nname = 'b'\n[[pair]]\nmaterials = ['a', 'b']\n[[pair]]\nmaterials = "
       "['b', 'a']\n",
       "f:13:13: pair.1.materials: found a second [[pair]] of the same two materials; expected one"},
      {"", "title = '''x'''\n", "f:6:9: found text of several lines; expected one line in single quotes"},
      {"", "[[grain]]\nposition = [0, 0, 0]\nradius = 1\nradius.x = 2\n",
       "f:9:1: found text that is not valid TOML: Error while parsing key-value pair: cannot redefine existing integer "
       "as dotted key-value pair; expected key = value, each key once, text and numbers with units in quotes"},
      {"", "[search]\nskin = '1'\"x\"\n",
       "f:7:11: found \" inside a key or a value; expected quotes around the whole key or value"},
      {"", "[[grain]]\nposition = { x = 1 }\n",
       "f:7:12: grain.0.position: found a table; expected 3 numbers [x, y, z] in m"},
      {"", "[[grain]]\nposition = [[0, 0, 0]]\n",
       "f:7:12: grain.0.position: found an array of 1 value; expected 3 numbers [x, y, z] in m"},
      {"", "[[grain]]\nposition = [0, 0\n",
       "f:7:18: found text that is not valid TOML: Error while parsing array: encountered end-of-file; expected key = "
       "value, each key once, text and numbers with units in quotes"},
      {"", "a.b.c.d.e.f.g.h.i.j = 1\n", "f:6:18: found a key of too many parts; expected at most 3 parts"},
      {"", "[search]\nskin = 1\"x\"\n",
       "f:7:9: found \" inside a key or a value; expected quotes around the whole key or value"},
      {"", "[search]\n1=2=3\n", "f:7:2: found = after a number; expected a key that begins with a letter"},
  };
  for (const Refused& r : refused) check_refused([&] { parse_scenario(replaced(r), "f"); }, r.message);
}

}  // namespace
}  // namespace cairn
