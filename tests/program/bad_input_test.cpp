// Bad input, as the program's user meets it: each fault with its exit code and the very words that should let its
// reader mend it without a manual.
#include <doctest/doctest.h>
#include <unistd.h>

#include "program/desk.hpp"

namespace cairn {
namespace {

// Two grains above a floor; each case replaces a part of it.
const std::string sound =
    "[run]\nstep = 1e-5\nend = 1e-3\n"
    "[contact]\nstiffness = 1e4\nrestitution = 0.5\nfriction = 0.3\n"
    "[[material]]\nname = \"glass\"\ndensity = 2500\n"
    "[[wall]]\nname = \"floor\"\ntype = \"plane\"\nnormal = [0, 0, 1]\n"
    "[[grain]]\nposition = [0, 0, 0.02]\nradius = 0.01\n"
    "[[grain]]\nposition = [0.05, 0, 0.02]\nradius = 0.01\n";

struct Case {
  const char *from, *to;
  int code;
  const char* message;
};

const Case cases[] = {
    {"step = 1e-5", "stepp = 1e-5", 2,
     "f.toml:2:1: run.stepp: no such key; expected one of scheme, step, accuracy, end, threads, tolerance, "
     "smallest_step, "
     "largest_step, seed, onset; did you mean "
     "'step'?"},
    {"[run]", "[runn]", 2,
     "f.toml:1:2: runn: no such key; expected one of title, run, space, material, contact, pair, wall, grain, grains, "
     "emitter, removal, probe, change, output, search, initial, guards; did you mean 'run'?"},
    {"[contact]", "[contacts]", 2,
     "f.toml:4:2: contacts: no such key; expected one of title, run, space, material, contact, pair, wall, grain, "
     "grains, emitter, removal, probe, change, output, search, initial, guards; did you mean 'contact'?"},
    {"[[wall]]", "[wall]", 2, "f.toml:11:1: wall: found a table; expected sections [[wall]]"},
    {"[run]", "[[run]]", 2, "f.toml:1:1: run: found an array of 1 value; expected one section [run]"},
    {"friction = 0.3", "fricton = 0.3", 2,
     "f.toml:7:1: contact.fricton: no such key; expected one of law, stiffness, damping, damping_per_mass, "
     "damping_exponent, restitution, duration, restitution_speed, restitution_factor, restitution_exponent, "
     "duration_factor, duration_exponent, slowest_impact, friction, tangential_ratio, tangential_damping, "
     "tangential_damping_per_mass, rolling_friction, rolling_stiffness_ratio, rolling_damping, twisting_friction, "
     "twisting_stiffness_ratio, twisting_damping, attraction, tangential, damping_map, projection, impulses; did you "
     "mean 'friction'?"},
    {"friction = 0.3", "density = 2500", 2,
     "f.toml:7:1: contact.density: no such key; expected one of law, stiffness, damping, damping_per_mass, "
     "damping_exponent, restitution, duration, restitution_speed, restitution_factor, restitution_exponent, "
     "duration_factor, duration_exponent, slowest_impact, friction, tangential_ratio, tangential_damping, "
     "tangential_damping_per_mass, rolling_friction, rolling_stiffness_ratio, rolling_damping, twisting_friction, "
     "twisting_stiffness_ratio, twisting_damping, attraction, tangential, damping_map, projection, impulses; it is a "
     "key of [[material]]"},
    {"radius = 0.01\n[[grain]]", "diameter = 0.02\n[[grain]]", 2,
     "f.toml:17:1: grain.0.diameter: no such key; expected one of position, velocity, spin, radius, mass, material"},
    {"normal = [0, 0, 1]", "normal = [0, 0, 1]\nradius = 3", 2,
     "f.toml:15:10: wall.0.radius: does not belong to type 'plane'; expected only type, name, material, point, normal, "
     "present, load, motion"},
    {"type = \"plane\"", "type = \"plan\"", 2,
     "f.toml:13:8: wall.0.type: found the text 'plan'; expected 'plane', 'box' or 'cylinder'; did you mean 'plane'?"},
    {"type = \"plane\"", "type = \"sphere\"", 2,
     "f.toml:13:8: wall.0.type: found the text 'sphere'; expected 'plane', 'box' or 'cylinder'"},
    {"stiffness = 1e4", "law = \"hertz\"", 2,
     "f.toml:5:7: contact.law: found the text 'hertz'; expected 'linear', 'hertz_mindlin', 'kuwabara_kono', "
     "'extended_nonlinear', 'extended_linear', 'impulse' or 'dynamics'; did you mean "
     "'hertz_mindlin'?"},
    {"stiffness = 1e4", "law = \"hertz_mindlin\"", 2,
     "f.toml:8:1: material.0.young: missing; expected a number > 0 in Pa, which law 'hertz_mindlin' needs, here or by "
     "--set material.0.young=..."},
    {"step = 1e-5", "step = 1e-5\nscheme = \"lsoda\"", 2,
     "f.toml:3:10: run.scheme: found the text 'lsoda'; expected a name that `cairn schemes` lists, or \"auto\""},
    {"step = 1e-5", "step = 1e-5\nscheme = \"velocity_verlet_predictd\"", 2,
     "f.toml:3:10: run.scheme: found the text 'velocity_verlet_predictd'; expected a name that `cairn schemes` lists, "
     "or "
     "\"auto\"; did you mean 'velocity_verlet_predicted'?"},
    {"step = 1e-5", "step = 1e-5\nscheme = 4", 2,
     "f.toml:3:10: run.scheme: found 4; expected a name that `cairn schemes` lists, or \"auto\""},
    {"name = \"glass\"", "name = \"glass\"\nyoungs_modulus = 7e10", 2,
     "f.toml:10:1: material.0.youngs_modulus: no such key; expected one of name, density, young, poisson; did you mean "
     "'young'?"},
    {"[[grain]]\nposition = [0.05", "[[grains]]\nposition = [0.05", 2,
     "f.toml:19:1: grains.0.position: no such key; expected one of kind, material, file, materials, radius, "
     "radius_spread, sizes, "
     "count, velocity, seed, spacing, jitter, low, high, region_radius, center, axis, region_length; it is a key of "
     "[[grain]] and [[emitter]]"},
    {"step = 1e-5\n", "", 2,
     "f.toml:1:1: run.step: missing; expected a number > 0 in s, or \"auto\" (time step; with an adaptive scheme the "
     "first step; \"auto\": chosen by the program), "
     "here or by --set run.step=..."},
    {"end = 1e-3\n", "", 2,
     "f.toml:1:1: run.end: missing; expected a number > 0 in s (time at which the run ends), here or by --set "
     "run.end=..."},
    {"stiffness = 1e4\n", "", 2,
     "f.toml:4:1: contact.stiffness: missing; expected a number > 0 in N/m, or restitution with duration, here or by "
     "--set contact.stiffness=..."},
    {"radius = 0.01\n[[grain]]", "[[grain]]", 2,
     "f.toml:15:1: grain.0.radius: missing; expected a number > 0 in m (radius of the grain), here or by --set "
     "grain.0.radius=..."},
    {"position = [0, 0, 0.02]\n", "", 2,
     "f.toml:15:1: grain.0.position: missing; expected 3 numbers [x, y, z] in m (position of the grain's centre), here "
     "or by --set grain.0.position=..."},
    {"[run]\nstep = 1e-5\nend = 1e-3\n", "", 2,
     "f.toml:1:1: run.step: missing; expected a number > 0 in s, or \"auto\" (time step; with an adaptive scheme the "
     "first step; \"auto\": chosen by the program), "
     "here or by --set run.step=...\nf.toml:1:1: run.end: missing; expected a number > 0 in s (time at which the run "
     "ends), here or by --set run.end=..."},
    {"end = 1e-3", "end = 1e-3\nstep = 1e-6", 2,
     "f.toml:4:8: found text that is not valid TOML: Error while parsing key-value pair: cannot redefine existing "
     "floating-point 'step'; expected key = value, each key once, text and numbers with units in quotes"},
    {"[contact]", "[run]\n[contact]", 2,
     "f.toml:4:1: found text that is not valid TOML: Error while parsing table header: cannot redefine existing table "
     "'run'; expected key = value, each key once, text and numbers with units in quotes"},
    {"name = \"glass\"", "name = \"glass\"\n[[material]]\nname = \"glass\"", 2,
     "f.toml:11:8: material.1.name: found 'glass', a name already in use; expected a different name"},
    {"name = \"floor\"\n", "name = \"floor\"\ntype = \"plane\"\n[[wall]]\nname = \"floor\"\n", 2,
     "f.toml:15:8: wall.1.name: found 'floor', a name already in use; expected a different name"},
    {"step = 1e-5", "step 1e-5", 2,
     "f.toml:2:6: found text that is not valid TOML: Error while parsing key-value pair: expected '=', saw '1'; "
     "expected key = value, each key once, text and numbers with units in quotes"},
    {"step = 1e-5", "step = ", 2,
     "f.toml:2:8: found text that is not valid TOML: Error while parsing key-value pair: expected value, saw '\\n'; "
     "expected key "
     "= value, each key once, text and numbers with units in quotes"},
    {"[run]", "[run", 2,
     "f.toml:1:5: found text that is not valid TOML: Error while parsing table header: expected ']', saw '\\n'; "
     "expected key = "
     "value, each key once, text and numbers with units in quotes"},
    {"name = \"glass\"", "name = \"glass", 2,
     "f.toml:9:14: found text that is not valid TOML: Error while parsing string: unescaped control characters other "
     "than TAB (U+0009) are explicitly prohibited; expected key = value, each key once, text and numbers with units in "
     "quotes"},
    {"name = \"glass\"", "name = glass", 2,
     "f.toml:9:8: found text that is not valid TOML: Error while parsing value: could not determine value type; "
     "expected key = value, each key once, text and numbers with units in quotes"},
    {"normal = [0, 0, 1]", "normal = [0, 0, 1", 2,
     "f.toml:15:1: found text that is not valid TOML: Error while parsing array: expected comma or closing ']', saw "
     "'['; expected key = value, each key once, text and numbers with units in quotes"},
    {"normal = [0, 0, 1]", "normal = (0, 0, 1)", 2,
     "f.toml:14:10: found text that is not valid TOML: Error while parsing value: could not determine value type; "
     "expected key = value, each key once, text and numbers with units in quotes"},
    {"step = 1e-5", "step = 1e-5 s", 2,
     "f.toml:2:13: found text that is not valid TOML: Error while parsing key-value pair: expected a comment or "
     "whitespace, saw 's'; expected key = value, each key once, text and numbers with units in quotes"},
    {"step = 1e-5", "step = 0,00001", 2,
     "f.toml:2:9: found text that is not valid TOML: Error while parsing key-value pair: expected a comment or "
     "whitespace, saw ','; expected key = value, each key once, text and numbers with units in quotes"},
    {"step = 1e-5", "step: 1e-5", 2,
     "f.toml:2:5: found text that is not valid TOML: Error while parsing key-value pair: expected '=', saw ':'; "
     "expected key = value, each key once, text and numbers with units in quotes"},
    {"name = \"glass\"", "name = “glass”", 2, "f.toml:9:8: found '“'; expected only ASCII outside quotes and comments"},
    {"step = 1e-5", "step = \"fast\"", 2,
     "f.toml:2:8: run.step: found the text 'fast'; expected a number > 0 in s, or \"auto\", or a number with a unit as "
     "in \"0.5 "
     "s\""},
    {"step = 1e-5", "step = true", 2, "f.toml:2:8: run.step: found true; expected a number > 0 in s, or \"auto\""},
    {"step = 1e-5", "step = [1e-5]", 2,
     "f.toml:2:8: run.step: found an array of 1 value; expected a number > 0 in s, or \"auto\""},
    {"step = 1e-5", "step = 1979-05-27", 2,
     "f.toml:2:8: run.step: found a date or time; expected a number > 0 in s, or \"auto\""},
    {"radius = 0.01\n[[grain]]", "radius = \"big\"\n[[grain]]", 2,
     "f.toml:17:10: grain.0.radius: found the text 'big'; expected a number > 0 in m, or a number with a unit as in "
     "\"0.5 m\""},
    {"normal = [0, 0, 1]", "normal = 1", 2, "f.toml:14:10: wall.0.normal: found 1; expected 3 numbers [x, y, z]"},
    {"normal = [0, 0, 1]", "normal = [0, 1]", 2,
     "f.toml:14:10: wall.0.normal: found an array of 2 values; expected 3 numbers [x, y, z]"},
    {"normal = [0, 0, 1]", "normal = [0, 0, \"up\"]", 2,
     "f.toml:14:17: wall.0.normal.2: found the text 'up'; expected 3 numbers [x, y, z]"},
    {"type = \"plane\"", "type = 3", 2, "f.toml:13:8: wall.0.type: found 3; expected 'plane', 'box' or 'cylinder'"},
    {"name = \"glass\"", "name = 5", 2, "f.toml:9:8: material.0.name: found 5; expected text in quotes"},
    {"end = 1e-3", "end = 1e-3\nthreads = 1.5", 2,
     "f.toml:4:11: run.threads: found 1.5; expected a whole number >= 1 and <= 4096"},
    {"end = 1e-3", "end = 1e-3\nthreads = \"2\"", 2,
     "f.toml:4:11: run.threads: found the text '2'; expected a whole number >= 1 and <= 4096"},
    {"end = 1e-3", "end = 1e-3\n[space]\nrotation = \"yes\"", 2,
     "f.toml:5:12: space.rotation: found the text 'yes'; expected true or false"},
    {"step = 1e-5", "step = \"10 mm\"", 2,
     "f.toml:2:8: run.step: found '10 mm', which is not a quantity in s; expected a number > 0 in s, or \"auto\""},
    {"step = 1e-5", "step = \"10 usec\"", 2,
     "f.toml:2:8: run.step: there is no unit 'usec'; did you mean 'us'?; expected a number > 0 in s, or \"auto\""},
    {"stiffness = 1e4", "stiffness = \"10 kN\"", 2,
     "f.toml:5:13: contact.stiffness: found '10 kN', which is not a quantity in N/m; expected a number > 0 in N/m"},
    {"density = 2500", "density = \"2.5 g/cm3/m\"", 2,
     "f.toml:10:11: material.0.density: found '2.5 g/cm3/m', which is not a quantity in kg/m^3; expected a number > 0 "
     "in kg/m^3"},
    {"friction = 0.3", "friction = \"30 deg\"", 2,
     "f.toml:7:12: contact.friction: found '30 deg', which is not a number without unit; expected a number >= 0"},
    {"radius = 0.01\n[[grain]]", "radius = \"10\"\n[[grain]]", 2,
     "f.toml:17:10: grain.0.radius: found the text '10' without a unit; expected a number > 0 in m"},
    {"position = [0, 0, 0.02]", "position = \"0 0 2 cm\"", 2,
     "f.toml:16:12: grain.0.position: found the text '0 0 2 cm'; expected 3 numbers [x, y, z] in m"},
    {"step = 1e-5", "step = nan", 2, "f.toml:2:8: run.step: found nan; expected a number > 0 in s, or \"auto\""},
    {"step = 1e-5", "step = inf", 2, "f.toml:2:8: run.step: found inf; expected a number > 0 in s, or \"auto\""},
    {"step = 1e-5", "step = 1e400", 2,
     "f.toml:2:13: found text that is not valid TOML: Error while parsing floating-point: '1e400' could not be "
     "interpreted as a value; expected key = value, each key once, text and numbers with units in quotes"},
    {"step = 1e-5", "step = 0", 2, "f.toml:2:8: run.step: found 0; expected a number > 0 in s, or \"auto\""},
    {"step = 1e-5", "step = -1e-5", 2, "f.toml:2:8: run.step: found -1e-05; expected a number > 0 in s, or \"auto\""},
    {"end = 1e-3", "end = 0", 2, "f.toml:3:7: run.end: found 0; expected a number > 0 in s"},
    {"end = 1e-3", "end = 1e300", 2,
     "run.end = 1e+300 s takes 1e+305 steps of run.step = 1e-05 s; expected at most 1e+15"},
    {"step = 1e-5", "step = 1e-300", 2,
     "run.end = 0.001 s takes 1e+297 steps of run.step = 1e-300 s; expected at most 1e+15"},
    {"[[wall]]", "[[emitter]]\nposition = [0, 0, 1]\nradius = 0.01\nrate = 1e20\n[[wall]]", 2,
     "emitter 'emitter1': a grain every 1e-20 s makes 1e+17 grains by run.end = 0.001 s; expected at most 1e+15"},
    {"[[wall]]", "[[emitter]]\nplace = \"top\"\nradius = 0.01\nevery = 1e-25\ncount = 3\n[[wall]]", 2,
     "emitter 'emitter1': a grain every 1e-25 s makes 1e+22 grains by run.end = 0.001 s; expected at most 1e+15"},
    {"[[wall]]", "[[grains]]\nlow = [0, 0, 1]\nhigh = [1, 1, 2]\nradius = 1e-12\nspacing = 1e-10\n[[wall]]", 2,
     "grains.0: the lattice has 1e+30 places; expected at most 1e+09; enlarge the spacing or reduce the region"},
    {"step = 1e-5", "step = 1", 2, "f.toml:2:8: run.step: found a step longer than run.end; expected a shorter step"},
    {"radius = 0.01\n[[grain]]", "radius = 0\n[[grain]]", 2,
     "f.toml:17:10: grain.0.radius: found 0; expected a number > 0 in m"},
    {"radius = 0.01\n[[grain]]", "radius = -0.01\n[[grain]]", 2,
     "f.toml:17:10: grain.0.radius: found -0.01; expected a number > 0 in m"},
    {"radius = 0.01\n[[grain]]", "radius = nan\n[[grain]]", 2,
     "f.toml:17:10: grain.0.radius: found nan; expected a number > 0 in m"},
    {"density = 2500", "density = 0", 2, "f.toml:10:11: material.0.density: found 0; expected a number > 0 in kg/m^3"},
    {"restitution = 0.5", "restitution = 0", 2,
     "f.toml:6:15: contact.restitution: found restitution = 0, which a clipped contact cannot realise with any finite "
     "damping: its force ends before the grains stop separating; expected at least 0.01, about five times critical "
     "damping, or attraction = \"allowed\""},
    {"restitution = 0.5", "restitution = 1.5", 2,
     "f.toml:6:15: contact.restitution: found 1.5; expected a number >= 0 and <= 1"},
    {"restitution = 0.5", "restitution = -0.5", 2,
     "f.toml:6:15: contact.restitution: found -0.5; expected a number >= 0 and <= 1"},
    {"friction = 0.3", "friction = -1", 2, "f.toml:7:12: contact.friction: found -1; expected a number >= 0"},
    {"stiffness = 1e4", "stiffness = -1", 2, "f.toml:5:13: contact.stiffness: found -1; expected a number > 0 in N/m"},
    {"normal = [0, 0, 1]", "normal = [0, 0, 0]", 2,
     "f.toml:14:10: wall.0.normal: found a direction of length zero; expected any other"},
    {"normal = [0, 0, 1]", "normal = [0, 0, inf]", 2,
     "f.toml:14:17: wall.0.normal.2: found inf; expected 3 numbers [x, y, z]"},
    {"end = 1e-3", "end = 1e-3\nthreads = 0", 2,
     "f.toml:4:11: run.threads: found 0; expected a whole number >= 1 and <= 4096"},
    {"end = 1e-3", "end = 1e-3\n[space]\ndimension = 4", 2,
     "f.toml:5:13: space.dimension: found 4; expected a whole number >= 1 and <= 3"},
    {"position = [0, 0, 0.02]", "position = [0, 0, 1e999]", 2,
     "f.toml:16:24: found text that is not valid TOML: Error while parsing floating-point: '1e999' could not be "
     "interpreted as a value; expected key = value, each key once, text and numbers with units in quotes"},
    {"end = 1e-3", "end = 1e-3\n[space]\nperiodic_x = [1, 0]", 2,
     "f.toml:5:14: space.periodic_x: found low >= high; expected low < high"},
    {"end = 1e-3", "end = 1e-3\n[space]\nperiodic_x = [0, 0.03]", 2,
     "found a period of 0.03 m and a grain of radius 0.01 m; expected periods of at least two diameters, because "
     "otherwise two grains would touch each other twice"},
    {"restitution = 0.5", "restitution = 0.5\ndamping = 3", 2,
     "f.toml:6:15: contact.restitution: found beside damping; expected only one of them"},
    {"stiffness = 1e4", "duration = 1e-3\nstiffness = 1e4", 2,
     "f.toml:5:12: contact.duration: found beside stiffness; expected only one of the two"},
    {"radius = 0.01\n[[grain]]", "radius = 0.01\nmaterial = \"steel\"\n[[grain]]", 2,
     "f.toml:18:12: grain.0.material: found the unknown material 'steel'; expected 'glass'"},
    {"radius = 0.01\n[[grain]]", "radius = 0.01\nmaterial = \"glas\"\n[[grain]]", 2,
     "f.toml:18:12: grain.0.material: found the unknown material 'glas'; expected 'glass'; did you mean 'glass'?"},
    {"end = 1e-3", "end = 1e-3\n[output]\nseries = -1", 2,
     "f.toml:5:10: output.series: found -1; expected a number >= 0 in s"},
    {"position = [0.05, 0, 0.02]", "position = [0.015, 0, 0.02]", 3,
     "overlap at the start: grain 0 and grain 1 overlap by 50 % of the smaller radius (allowed: 1 %); move them apart, "
     "or set initial.overlap = \"allow\""},
    {"position = [0, 0, 0.02]", "position = [0, 0, 0.005]", 3,
     "overlap at the start: grain 0 and wall 'floor' overlap by 50 % of the smaller radius (allowed: 1 %); move them "
     "apart, or set initial.overlap = \"allow\""},
    {"step = 1e-5\nend = 1e-3", "step = 5e-3\nend = 1", 3,
     "run.step = 0.005 s is above the stability limit 0.0014472 s of velocity_verlet_implicit on the stiffest pair "
     "of materials ('glass' and 'glass', along the normal, 1381.98 rad/s, damping ratio 0.255276): every such contact "
     "would be unstable; lower run.step: 0.0014472 s holds, or set guards.step = \"warn\""},
    {"[[grain]]\nposition = [0, 0, 0.02]\nradius = 0.01\n[[grain]]\nposition = [0.05, 0, 0.02]\nradius = 0.01\n", "", 2,
     "the scenario has no grains; expected [[grain]], [[grains]] or [[emitter]]"},
    {"[[grain]]\nposition = [0, 0, 0.02]", "[[emitter]]\nrate = 10\nradius = 0.01\n[[grain]]\nposition = [0, 0, 0.02]",
     2,
     "f.toml:15:1: emitter.0.position: missing; expected a position in m, or place = \"top\", or a region (low and "
     "high, or region_radius), here or by --set emitter.0.position=..."},
    {"[[grain]]\nposition = [0, 0, 0.02]",
     "[[emitter]]\nplace = \"top\"\nrate = 10\nevery = 0.1\ncount = 3\nradius = 0.01\n[[grain]]\nposition = [0, 0, "
     "0.02]",
     2, "f.toml:18:9: emitter.0.every: found beside rate; expected only one of them"},
    {"[[grain]]\nposition = [0, 0, 0.02]",
     "[[emitter]]\nlow = [0, 0, 1]\nhigh = [1, 1, 0]\nrate = 10\ncount = 3\nradius = 0.01\n[[grain]]\nposition = [0, "
     "0, 0.02]",
     2, "f.toml:17:8: emitter.0.high: found no room between low and high; expected high > low in every direction"},
    {"[[grain]]\nposition = [0, 0, 0.02]",
     "[[emitter]]\nlow = [0, 0, 1]\nhigh = [1, 1, 2]\nrate = 0\ncount = 3\nradius = 0.01\n[[grain]]\nposition = [0, 0, "
     "0.02]",
     2, "f.toml:18:8: emitter.0.rate: found 0; expected a number > 0 in 1/s"},
    {"[[grain]]\nposition = [0, 0, 0.02]",
     "[[emitter]]\nposition = [0, 0, 1]\ntimes = [0.2, 0.1]\nradius = 0.01\n[[grain]]\nposition = [0, 0, 0.02]", 2,
     "f.toml:17:9: emitter.0.times: found numbers out of order; expected ascending times in s"},
    {"[[grain]]\nposition = [0, 0, 0.02]",
     "[[grains]]\nkind = \"random\"\nlow = [0, 0, 1]\nhigh = [1, 1, 2]\nradius = 0.01\n[[grain]]\nposition = [0, 0, "
     "0.02]",
     2, "f.toml:15:1: grains.0.count: missing; expected a whole number >= 1, here or by --set grains.0.count=..."},
    {"[[grain]]\nposition = [0, 0, 0.02]",
     "[[grains]]\nkind = \"random\"\nlow = [0, 0, 1]\nhigh = [0.1, 0.1, 1.1]\nradius = 0.01\ncount = "
     "100000\n[[grain]]\nposition = [0, 0, 0.02]",
     2, "grains.0: only 67 of 100000 random grains fit without overlap; enlarge the region or lower the count"},
    {"[[grain]]\nposition = [0, 0, 0.02]",
     "[[grains]]\nlow = [0, 0, 1]\nhigh = [0.1, 0.1, 1.1]\nradius = 0.01\ncount = "
     "100000\n[[grain]]\nposition = [0, 0, 0.02]",
     2,
     "grains.0: only 64 of 100000 grains of the lattice fit; enlarge the region, reduce the spacing or lower the "
     "count"},
    {"[[grain]]\nposition = [0, 0, 0.02]",
     "[[grains]]\nkind = \"grid\"\nlow = [0, 0, 1]\nhigh = [1, 1, 2]\nradius = 0.01\n[[grain]]\nposition = [0, 0, "
     "0.02]",
     2, "f.toml:16:8: grains.0.kind: found the text 'grid'; expected 'lattice', 'random', 'data' or 'csv'"},
    {"[[grain]]\nposition = [0, 0, 0.02]",
     "[[grains]]\nlow = [0, 0, 1]\nradius = 0.01\n[[grain]]\nposition = [0, 0, 0.02]", 2,
     "f.toml:15:1: grains.0.high: missing; expected a corner of the region in m, or region_radius for a cylinder, here "
     "or by --set grains.0.high=..."},
    {"[[grain]]\nposition = [0, 0, 0.02]",
     "[[grains]]\nlow = [0, 0, 1]\nhigh = [1, 1, 2]\nsizes = { kind = \"normal\", mean = 0.01 }\n[[grain]]\nposition = "
     "[0, 0, 0.02]",
     2,
     "f.toml:18:9: grains.0.sizes.deviation: missing; expected a number > 0 in m (standard deviation before cutting: "
     "\"normal\": of the radius; \"lognormal\": of ln(radius), without a unit), here or by --set "
     "grains.0.sizes.deviation=..."},
    {"[[grain]]\nposition = [0, 0, 0.02]",
     "[[grains]]\nlow = [0, 0, 1]\nhigh = [1, 1, 2]\nsizes = { kind = \"list\", radii = [0.01, 0.02], shares = [1] "
     "}\n[[grain]]\nposition = [0, 0, 0.02]",
     2, "f.toml:18:9: grains.0.sizes.shares: found 1; expected one for each of the 2 radii"},
    {"[[grain]]\nposition = [0, 0, 0.02]",
     "[[grains]]\nlow = [0, 0, 1]\nhigh = [1, 1, 2]\nradius = 0.01\nsizes = { kind = \"list\", radii = [0.01], shares "
     "= [1] }\n[[grain]]\nposition = [0, 0, 0.02]",
     2, "f.toml:18:10: grains.0.radius: found beside sizes; expected only one of them"},
    {"[[grain]]\nposition = [0, 0, 0.02]",
     "[[grains]]\nkind = \"data\"\nfile = \"nowhere.data\"\n[[grain]]\nposition = [0, 0, 0.02]", 4,
     "cannot read nowhere.data: No such file or directory"},
    {"[[grain]]\nposition = [0, 0, 0.02]",
     "[[grains]]\nkind = \"csv\"\nfile = \"nowhere.csv\"\n[[grain]]\nposition = [0, 0, 0.02]", 4,
     "cannot read nowhere.csv: No such file or directory"},
    {"[[grain]]\nposition = [0, 0, 0.02]", "[[removal]]\n[[grain]]\nposition = [0, 0, 0.02]", 2,
     "f.toml:15:1: removal.0.low: missing; expected a corner of the region in m, or region_radius for a cylinder, here "
     "or by --set removal.0.low=..."},
    {"[[grain]]\nposition = [0, 0, 0.02]",
     "[[removal]]\npoint = [0, 0, 0]\nlow = [0, 0, 0]\nhigh = [1, 1, 1]\n[[grain]]\nposition = [0, 0, 0.02]", 2,
     "f.toml:15:1: removal.0.normal: missing; expected both a point of the plane and its normal, here or by --set "
     "removal.0.normal=..."},
    {"[[grain]]\nposition = [0, 0, 0.02]", "[[grain]]\nposition = [0, 0, 0.02]\nmass = 0", 2,
     "f.toml:17:8: grain.0.mass: found 0; expected a number > 0 in kg"},
    {"normal = [0, 0, 1]", "normal = [0, 0, 1]\nmotion = { rate = 3 }", 2,
     "f.toml:15:10: wall.0.motion.axis: missing; expected the direction of the axis of rotation, [x, y, z], here or by "
     "--set wall.0.motion.axis=..."},
    {"normal = [0, 0, 1]", "normal = [0, 0, 1]\nmotion = { speed = 3 }", 2,
     "f.toml:15:12: wall.0.motion.speed: no such key; expected one of velocity, axis, center, rate, amplitude, "
     "frequency, phase, times, factors"},
    {"type = \"plane\"\nnormal = [0, 0, 1]", "type = \"box\"\nlow = [0, 0, 0]\nhigh = [1, 1, 0]", 2,
     "f.toml:15:8: wall.0.high: found no room between low and high; expected high > low in every direction"},
    {"type = \"plane\"\nnormal = [0, 0, 1]", "type = \"cylinder\"", 2,
     "f.toml:11:1: wall.0.radius: missing; expected a number > 0 in m (radius of the cylinder), here or by --set "
     "wall.0.radius=..."},
    {"name = \"floor\"", "name = \"\"", 2, "f.toml:12:8: wall.0.name: found an empty text; expected a name"},
    {"name = \"floor\"", "name = \"my, floor\"", 2,
     "f.toml:12:8: wall.0.name: found 'my, floor'; expected a name without quotes, commas, # or line breaks"},
    {"end = 1e-3", "end = 1e-3\n[guards]\noverlap = \"ignore\"", 2,
     "f.toml:5:11: guards.overlap: found the text 'ignore'; expected 'refuse', 'warn' or 'off'"},
    {"end = 1e-3", "end = 1e-3\n[space]\ndimension = 2", 2,
     "f.toml:16:10: wall.0.normal: found an array of 3 values; expected 2 numbers [x, z]\nf.toml:18:12: "
     "grain.0.position: found an array of 3 values; expected 2 numbers [x, z] in m\nf.toml:21:12: grain.1.position: "
     "found an array of 3 values; expected 2 numbers [x, z] in m"},
};

TEST_CASE("bad input: each fault of a scenario has its words and its code") {
  static_assert(std::size(cases) > 80);
  const Desk desk;
  write(desk / "f.toml", sound);
  REQUIRE(desk.cairn({"run", "f.toml", "--quiet", "--out", "sound"}).code == 0);
  for (const Case& c : cases) {
    CAPTURE(c.to);
    std::string text = sound;
    REQUIRE(text.find(c.from) != std::string::npos);
    text.replace(text.find(c.from), std::string_view(c.from).size(), c.to);
    write(desk / "f.toml", text);
    const Outcome o = desk.cairn({"run", "f.toml", "--quiet", "--out", "out"});
    CHECK(o.code == c.code);
    CHECK(o.err == "error: " + std::string(c.message) + "\n");
    CHECK(o.out == "");
    CHECK_MESSAGE(!fs::exists(desk / "out"), "nothing is written where nothing is run");
  }
}

TEST_CASE("bad input: files and paths") {
  const Desk desk;
  const std::string data =
      "bed\n\n1 atoms\n1 atom types\n0 1 xlo xhi\n0 1 ylo yhi\n0 1 zlo zhi\n\nAtoms # sphere\n\n1 1 0.1 2500 .5 .5 "
      ".5\n";
  write(desk / "f.toml", sound);
  write(desk / "empty.toml", "");
  write(desk / "binary.toml", std::string("\x7f"
                                          "ELF\x02\x01\x01\0\0\0\xff\xfe",
                                          12));
  write(desk / "utf16.toml", std::string("\xff\xfe[\0r\0u\0n\0]\0", 12));
  write(desk / "cut.toml", sound.substr(0, sound.size() - 14));
  write(desk / "bed.toml", sound + "[[grains]]\nkind = \"data\"\nfile = \"bed.data\"\n");
  write(desk / "table.toml", sound + "[[grains]]\nkind = \"csv\"\nfile = \"table.csv\"\n");
  fs::create_directory(desk / "folder");
  write(desk / "file", "in the way");
  {
    std::ofstream hole(desk / "huge.toml");  // takes no room on the disk
    hole.seekp(std::streamoff{1} << 33);
    hole << "x";
  }
  const auto refused = [&](const Words& arguments, int code, const std::string& message,
                           const std::function<void()>& prepare = {}) {
    CAPTURE(arguments.back());
    const Outcome o = desk.cairn(arguments, prepare);
    CHECK(o.code == code);
    CHECK(o.err == "error: " + message + "\n");
  };
  refused({"run", "nowhere.toml"}, 4, "cannot read nowhere.toml: No such file or directory");
  refused({"run", "folder"}, 4, "cannot read folder: Is a directory");
  refused({"run", "empty.toml"}, 2,
          "empty.toml:1:1: run.step: missing; expected a number > 0 in s, or \"auto\" (time step; with an adaptive "
          "scheme the first "
          "step; \"auto\": chosen by the program), here or by --set run.step=...\nempty.toml:1:1: run.end: missing; "
          "expected a number > 0 in s (time at "
          "which the run ends), here or by --set run.end=...\nempty.toml:1:1: contact.stiffness: missing; expected a "
          "number > 0 in N/m, or restitution with duration, here or by --set contact.stiffness=...");
  refused({"run", "binary.toml"}, 2, "binary.toml:1:11: found a byte that is not UTF-8; expected a text file in UTF-8");
  refused({"run", "utf16.toml"}, 2, "utf16.toml:1:1: found a byte that is not UTF-8; expected a text file in UTF-8");
  refused({"run", "cut.toml"}, 2,
          "cut.toml:18:1: grain.1.radius: missing; expected a number > 0 in m (radius of the grain), here or by --set "
          "grain.1.radius=...");
  for (const std::string endless : {"huge.toml", "/dev/zero"})  // in a memory that would not hold it
    refused({"check", endless}, 2,
            endless +
                ": found more than 64 MiB; expected a scenario: put large numbers of grains into a file of their own, "
                "[[grains]] kind = \"csv\" or \"data\"",
            [] {
#ifndef __SANITIZE_ADDRESS__
              const rlimit limited{2'000'000'000, 2'000'000'000};
              ::setrlimit(RLIMIT_AS, &limited);
#endif
            });
  refused({"run", "f.toml", "--out", "file"}, 4, "cannot make the folder file: File exists");
  refused({"check", "nowhere.toml"}, 4, "cannot read nowhere.toml: No such file or directory");

  const auto bed = [&](const std::string& text, const std::string& message) {
    write(desk / "bed.data", text);
    refused({"run", "bed.toml"}, 2, message);
  };
  write(desk / "bed.data", data);
  CHECK(desk.cairn({"run", "bed.toml", "--quiet"}).code == 0);
  bed("", "bed.data:1: found an empty file, expected a title line and 'N atoms'");
  bed(data.substr(0, data.size() - 6),
      "bed.data:11: found a last line without a line end, expected a line end (is the file cut off?)");
  bed(std::string("\0\0\0", 3), "bed.data:1: found binary data, expected text");
  const auto table = [&](const std::string& text, const std::string& message) {
    write(desk / "table.csv", text);
    refused({"run", "table.toml"}, 2, message);
  };
  write(desk / "table.csv", "x,y,z,radius\n1,1,1,0.1\n");
  CHECK(desk.cairn({"run", "table.toml", "--quiet"}).code == 0);
  table("", "table.csv:1: found no row, expected a row with the names of the columns");
  table("x,y,z\n1,1,1\n", "table.csv:1: found no column 'radius' among 'x, y, z', expected x, y, z and radius in m");
  table("x,y,z,radius\n1,1,1\n", "table.csv:2: found 3 cells, expected 4, one for each column");
  table("x,y,z,radius\n1,1,one,0.1\n", "table.csv:2: column 'z': found 'one', expected a finite number");
  table("x,y,z,radius\n1,1,1,-0.1\n", "table.csv:2: column 'radius': found '-0.1', expected a radius > 0 in m");
  table("x,y,z,radius\n1,1,1e999,0.1\n", "table.csv:2: column 'z': found '1e999', expected a finite number");

  // Odd, but sound.
  for (const char* name : {"with a blank.toml", "B\xc3\xb6schung.toml", "-dash.toml", "a'b\"c.toml"}) {
    CAPTURE(name);
    write(desk / name, sound);
    const Outcome o = desk.cairn({"run", "--quiet", "--out", std::string("of ") + name, std::string("./") + name});
    CHECK_MESSAGE(o.code == 0, o.err);
    CHECK(fs::exists(desk / (std::string("of ") + name) / "summary.json"));
  }
  std::string crlf = sound;
  for (std::size_t at = 0; (at = crlf.find('\n', at)) != std::string::npos; at += 2) crlf.replace(at, 1, "\r\n");
  write(desk / "crlf.toml", "\xef\xbb\xbf" + crlf);
  CHECK(desk.cairn({"run", "crlf.toml", "--quiet"}).code == 0);
  if (geteuid() == 0) {
    MESSAGE("left out: nothing is read-only to root");
  } else {
    fs::create_directory(desk / "locked");
    fs::permissions(desk / "locked", fs::perms::owner_read | fs::perms::owner_exec);
    refused({"run", "f.toml", "--out", "locked/out"}, 4, "cannot make the folder locked/out: Permission denied");
  }
}

}  // namespace
}  // namespace cairn
