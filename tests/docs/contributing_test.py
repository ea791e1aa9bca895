#!/usr/bin/env python3
"""The recipes of CONTRIBUTING.md, performed as they stand there: contributing_test.py SOURCE BUILD

Each is done with the example of the page, in an overlay before the sources, and the program is linked anew with the
objects that see the change.
* A scheme touches two files: the new one, and all.hpp. The program must know it, and the tests of claims, on a list of
  this scheme alone, must find its claims true.
* An output column touches one file. series.csv must have it.
* A command touches two files: the new one, and commands.hpp. It must run, and stand in --help.
* A wall shape touches two files: the new one, and all.hpp. The schema must know it, a scenario with it must be read and built,
  its distances and rates must pass the test of walls, and all that visit shapes must compile. (To run it, the whole engine
  would have to be compiled again.)
* A key touches two files, scenario.hpp and run_keys.hpp. The schema must know it, and the reader must read it.
* A study touches four files: three new ones, and studies.hpp. It must run, and write its report and table.

CACHED=ccache: what has not changed is not compiled again.
"""
import contextlib
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

SOURCE, BUILD = (pathlib.Path(a).resolve() for a in sys.argv[1:3])
LIST = "cairn/integrate/schemes/all.hpp"
CLAIMS_TESTS = ["every scheme keeps its claims", "a free body flies straight at its own velocity in every scheme",
                "the tables of Runge-Kutta methods meet the order conditions of their claims"]


def run(command, cwd=BUILD):
    done = subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        sys.exit(f"{shlex.join(map(str, command))} ends with {done.returncode}:\n{done.stdout[-8000:]}")
    return done.stdout


def once(pattern, text, what):
    found = re.findall(pattern, text, re.M | re.S)
    if len(found) != 1:
        sys.exit(f"found {len(found)} times instead of once: {what}")
    return found[0]


def insert_after_last(pattern, text, line):
    last = list(re.finditer(pattern, text, re.M))[-1]
    return text[:last.end()] + line + text[last.end():]


@contextlib.contextmanager
def emptied(folder):
    """Of one name every time, by which a cache knows again what is compiled there."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    yield folder
    shutil.rmtree(folder)


def overlay(folder, header, code, listing):
    place = folder / LIST
    place.parent.mkdir(parents=True)
    place.write_text(listing)
    (place.parent / header).write_text(code)
    return folder


def link_program(objects, target):
    """The program, with these objects before its own, of which those with the same symbols are passed over."""
    link = run(["ninja", "-t", "commands", "cairn"]).strip().splitlines()[-1]
    link = link.replace(" -o cairn ", f" -o {target} ")
    compiler = once(r"(?:^|&& )(\S+(?:\+\+)\S*) ", link, "the compiler")
    run(["bash", "-c", link.replace(compiler, f"{compiler} -Wl,-z,muldefs {words_of(objects)}", 1)])
    return target


def words_of(objects):
    return shlex.join(map(str, dict.fromkeys(objects)))


def command_of(source):
    """That of the file, or of the room that it is compiled with."""
    return commands.get(str(source)) or room_of[str(source)]


def compile_with(folder, command, source, target, only_syntax=False, precompiled=False, level="-O1"):
    """As the build does, but with the overlay before everything else, and fast to compile."""
    words = shlex.split(command["command"])
    del words[words.index("-o"):words.index("-o") + 2]
    words = [w for w in words if not re.fullmatch(r"-O\w", w)]
    if "-include" in words and not precompiled:  # those headers are the project's, not the overlay's
        del words[words.index("-include"):words.index("-include") + 2]
    at = next(k for k, w in enumerate(words) if w.startswith(("-D", "-I")))
    last = ["-fsyntax-only"] if only_syntax else [level, "-o", str(target)]
    run(os.environ.get("CACHED", "").split() + words[:at] + ["-I", str(folder)] + words[at:] + last, command["directory"])
    return target


def compile_alone(folder, path, target, **options):
    """A source of the project without its room."""
    command = command_of(path)
    words = command["command"].replace(command["file"], str(path))
    return compile_with(folder, dict(command, command=words), path, target, **options)


def compile_text(folder, like, name, text, precompiled=True, level="-O1"):
    """A source of this text and name, as the build compiles the source `like`."""
    (folder / name).write_text(text)
    command, source = command_of(like), folder / name
    words = command["command"].replace(command["file"], str(source)) + f" -I{like.parent}"
    return compile_with(folder, dict(command, command=words), like, folder / f"{name}.o", precompiled=precompiled,
                        level=level)


page = (SOURCE / "CONTRIBUTING.md").read_text()
section = once(r"^## Add a scheme\n(.*?)^## ", page, "the section 'Add a scheme'")
code = once(r"^```cpp\n(.*?)^```$", section, "the example")
struct = once(r"^struct (\w+) {$", code, "the struct of the example")
name = once(r"\.name = \"(\w+)\"", code, "the name of the example")
header = once(r"For example `(\w+\.hpp)`", section, "the file of the example")

listing = (SOURCE / "src" / LIST).read_text()
if f'"{name}"' in "".join(p.read_text() for p in (SOURCE / "src" / LIST).parent.glob("*.hpp")):
    sys.exit(f"{name} is a scheme of Cairn; the example must be another")
listing = insert_after_last(r'^#include "cairn/integrate/schemes/\w+\.hpp"\n', listing,
                            f'#include "cairn/integrate/schemes/{header}"\n')
alone = re.sub(r"(using Schemes = std::tuple<).*?(>;)", rf"\1schemes::{struct}\2", listing, flags=re.S)
listing = re.sub(r"(using Schemes = std::tuple<.*?)(>;)", rf"\1,\nschemes::{struct}\2", listing, flags=re.S)

commands = {str(pathlib.Path(c["directory"], c["file"]).resolve()): c
            for c in json.loads((BUILD / "compile_commands.json").read_text())}
room_of = {include: c for file, c in commands.items() if "/Unity/" in file
           for include in re.findall(r'^#include "(.*)"$', pathlib.Path(file).read_text(), re.M)}
seen_by = [block.split(":", 1)[0] for block in run(["ninja", "-t", "deps"]).split("\n\n") if f"src/{LIST}" in block]

with emptied(BUILD / "contributing") as desk:
    among_others = overlay(desk / "others", header, code, listing)
    by_itself = overlay(desk / "alone", header, code, alone)

    # The program: objects before the library replace its own.
    objects = []
    for source, command in commands.items():
        if shlex.split(command["command"])[shlex.split(command["command"]).index("-o") + 1] in seen_by \
                and source.startswith(str(SOURCE / "src")):
            objects.append(compile_with(among_others, command, source, desk / f"{len(objects)}.o"))
    if not objects:
        sys.exit("nothing in the library sees the list of schemes")
    link_program(objects, desk / "cairn")
    explained = run([desk / "cairn", "schemes", name])
    if not explained.startswith(name + ":") or name not in run([desk / "cairn", "schemes"]):
        sys.exit(f"cairn schemes {name} does not explain it:\n{explained}")
    run([desk / "cairn", "run", SOURCE / "scenarios/starter.toml", "--out", desk / "out", "--stop-after", "20", "--quiet",
         "--set", f"run.scheme={name}"])

    # Its claims.
    test = SOURCE / "tests/integrate/claims_test.cpp"
    measured = compile_alone(by_itself, test, desk / "claims_test.o")
    registry = SOURCE / "src/cairn/run/registry.cpp"
    catalogue = compile_with(by_itself, commands[str(registry)], registry, desk / "registry.o")
    linker = shlex.split(command_of(test)["command"])[0]
    run([linker, measured, catalogue, BUILD / "tests/CMakeFiles/cairn_test_main.dir/main.cpp.o", BUILD / "libcairn.a", "-pthread",
         "-lpng", "-lfmt", "-o", desk / "claims"])
    told = run([desk / "claims", "-tc=" + ",".join(CLAIMS_TESTS)])
    ran = int(once(r"test cases: +(\d+) ", told, "the number of tests run"))
    if ran != len(CLAIMS_TESTS):
        sys.exit(f"{ran} of {len(CLAIMS_TESTS)} tests of claims ran: are they named otherwise now?\n{told}")

    # An output column: one row of one file.
    section = once(r"^## Add an output column\n(.*?)^## ", page, "the section 'Add an output column'")
    row = once(r"^```cpp\n(.*?)^```$", section, "the example").rstrip().rstrip(",")
    column = once(r'^ *\{"(\w+)"', row, "the name of the example")
    record = SOURCE / "src/cairn/run/record.cpp"
    before, after = record.read_text().split('    {"force_calls"')
    longer = before + row + ',\n    {"force_calls"' + after
    link_program([compile_text(desk, record, record.name, longer)], desk / "cairn_column")
    run([desk / "cairn_column", "run", SOURCE / "scenarios/starter.toml", "--out", desk / "columns", "--stop-after", "20",
         "--quiet"])
    if column not in (desk / "columns/series.csv").read_text():
        sys.exit(f"series.csv has no column {column}")

    # A command: one new file, and commands.hpp, which apps/cairn.cpp sees.
    section = once(r"^## Add a command\n(.*?)^## ", page, "the section 'Add a command'")
    code = once(r"^```cpp\n(.*?)^```$", section, "the example")
    file = once(r"For example `(\w+\.cpp)`", section, "the file of the example")
    function = once(r"^void (add_\w+)\(CLI::App& app\) {$", code, "the function of the example")
    word = function.removeprefix("add_")
    apps = desk / "apps"
    apps.mkdir()
    listing = (SOURCE / "apps/commands.hpp").read_text()
    listing = insert_after_last(r"^void add_\w+\(CLI::App& app\);\n", listing, f"void {function}(CLI::App& app);\n")
    (apps / "commands.hpp").write_text(re.sub(r"= \{(\s*)add_", rf"= {{\1{function}, add_", listing))
    main = SOURCE / "apps/cairn.cpp"
    objects = [compile_text(apps, main, main.name, main.read_text()), compile_text(apps, main, file, code)]
    link_program(objects, desk / "with_command")
    if not re.fullmatch(r"[0-9.]+ kg\n", run([desk / "with_command", word, SOURCE / "scenarios/starter.toml"])):
        sys.exit(f"cairn {word} does not print a mass")
    if word not in run([desk / "with_command", "--help"]):
        sys.exit(f"cairn --help does not list {word}")

    def blocks(title, following):
        found = once(rf"^## {title}\n(.*?)^## {following}", page, f"the section '{title}'")
        return found, re.findall(r"^ *```cpp\n(.*?)^ *```$", found, re.M | re.S)

    def put(folder, path, text):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)

    def source_of(path):
        return (SOURCE / "src" / path).read_text()

    def compiled(folder, *paths):
        objects = {}
        for path in paths:
            command = command_of(SOURCE / "src" / path)
            target = folder / f"{pathlib.Path(command['file']).name}.o"
            if not target.exists():
                compile_with(folder, command, path, target, level="-O0")
            objects[target] = None
        return list(objects)

    def check_program(folder, text, objects):
        """A program of its own, with these objects before the library's; it must end with 0."""
        like = SOURCE / "src/cairn/run/build.cpp"
        main = compile_text(folder, like, "main.cpp", text, precompiled=False, level="-O0")
        run([linker, "-Wl,-z,muldefs", main, *dict.fromkeys(objects), BUILD / "libcairn.a", "-pthread", "-lpng", "-lfmt", "-o",
             folder / "main"])
        run([folder / "main"])

    # All of it: in an object that was not compiled again a Scenario would have its members in other places.
    scenario_room = [f"cairn/scenario/{p.name}" for p in sorted((SOURCE / "src/cairn/scenario").glob("*.cpp"))]

    # A wall shape: the new file, and the list. And a key, below: the reader of scenarios is compiled once for both.
    section, (code,) = blocks("Add a wall shape", "Add an output column")
    file = once(r"For example `(\w+\.hpp)`", section, "the file of the example")
    wall = once(r"^struct (\w+Wall) {$", code, "the wall of the example")
    shape = once(rf"^struct {wall} {{\n.*?name = \"(\w+)\"", code, "the name of the example")
    desk_of_both = desk / "both"
    shapes = "cairn/geometry/shapes/"
    listing = insert_after_last(r'^#include "cairn/geometry/shapes/\w+\.hpp"\n', source_of(shapes + "all.hpp"),
                                f'#include "{shapes}{file}"\n')
    listing = re.sub(r"(using WallShapes = std::tuple<.*?)(>;)", rf"\1, {wall}\2", listing, flags=re.S)
    put(desk_of_both, shapes + "all.hpp", listing)
    put(desk_of_both, shapes + file, code)
    # A key: a member of Scenario, and a row.
    section, (member, row) = blocks("Add a key", "Add a study")
    key = once(r'\.key = "(\w+)"', row, "the name of the example")
    for path, beginning, line in (("cairn/run/scenario.hpp", r"^struct Scenario {\n", member),
                                  ("cairn/scenario/run_keys.hpp", r"top_keys\[\] = {\n", row)):
        longer = re.sub(rf"({beginning}.*?)(^}};)", lambda m: m[1] + line + m[2], source_of(path), flags=re.M | re.S)
        put(desk_of_both, path, longer)

    objects = compiled(desk_of_both, *scenario_room)
    schema = run([link_program(objects, desk_of_both / "cairn_both"), "schema", "--markdown"])
    if f'"{shape}"' not in schema:
        sys.exit(f"cairn schema does not know the shape {shape}")
    objects += [compile_alone(desk_of_both, SOURCE / "src/cairn/run/build.cpp", desk_of_both / "build.o", level="-O0")]
    check_program(desk_of_both, f"""#include <cmath>
#include "cairn/run/build.hpp"
#include "cairn/scenario/scenario_file.hpp"
using namespace cairn;
int main() {{
  const Scenario s = parse_scenario("[run]\\nstep = 1\\nend = 1\\n[contact]\\nstiffness = 1\\nrestitution = 1\\n"
                                    "[[wall]]\\ntype = '{shape}'\\nradius = 2\\npoint = [1, 0, 0]\\n", "example", {{}});
  const WorldSettings world = world_settings(s);
  const Surface& surface = world.surfaces.at(0);
  return std::fabs(wall_distance(surface, pose_at(surface, 0.0), PeriodicCell{{}}, Vector{{1, 0, -1.5}}) - 0.5) < 1e-12 ? 0 : 1;
}}
""", objects)
    test = SOURCE / "tests/geometry/wall_test.cpp"
    measured = compile_alone(desk_of_both, test, desk_of_both / "wall_test.o")
    run([linker, measured, BUILD / "tests/CMakeFiles/cairn_test_main.dir/main.cpp.o", BUILD / "libcairn.a", "-o",
         desk_of_both / "walls"])
    run([desk_of_both / "walls"])
    for visitor in ("contact/kernels/wall_pass.cpp", "contact/kernels/onset_pass.cpp", "search/neighbour_list.cpp",
                    "world/contact_list.cpp", "run/lost_grains.cpp", "run/seams.cpp", "render/scene.cpp"):
        compile_alone(desk_of_both, SOURCE / "src/cairn" / visitor, None, only_syntax=True)

    if f"`{key}`" not in schema:
        sys.exit(f"cairn schema does not know the key {key}")
    check_program(desk_of_both, f"""#include "cairn/scenario/scenario_file.hpp"
int main() {{
  return cairn::parse_scenario("{key} = 'somebody'\\n[run]\\nstep = 1\\nend = 1\\n[contact]\\nstiffness = 1\\n"
                               "restitution = 1\\n", "example", {{}}).{key} == "somebody" ? 0 : 1;
}}
""", objects)

    # A study: its header, its source, its command, and the list of studies.
    section, (header, code, command) = blocks("Add a study", "Add a ready case")
    name = once(r"For example `(\w+)\.hpp`", section, "the file of the example")
    word = once(r'add_subcommand\("([\w-]+)"', command, "the word of the example")
    desk_of_study = desk / "study"
    put(desk_of_study, f"cairn/studies/{name}.hpp", header)
    like = SOURCE / "src/cairn/studies/orders.cpp"
    objects = [compile_text(desk_of_study, like, f"{name}.cpp", code)]
    listing = (SOURCE / "apps/studies.hpp").read_text()
    listing = insert_after_last(r"^void add_\w+_study\(CLI::App& studies\);\n", listing,
                                f"void add_{name}_study(CLI::App& studies);\n")
    put(desk_of_study, "studies.hpp", re.sub(r"= \{\s*add_", f"= {{add_{name}_study, add_", listing))
    like = SOURCE / "apps/study.cpp"
    objects += [compile_text(desk_of_study, like, "study.cpp", like.read_text()),
                compile_text(desk_of_study, like, f"study_{name}.cpp", command)]
    program = link_program(objects, desk_of_study / "with_study")
    results = desk_of_study / "results"
    run([program, "study", word, "--quick", "--scheme", "rk4,forward_euler", "--out", results, "--csv",
         desk_of_study / "x.csv", "--quiet"])
    if "rk4" not in (desk_of_study / "x.csv").read_text() or "<figure" not in (results / "report.html").read_text():
        sys.exit(f"cairn study {word} writes no report with a table and a figure")
    if word not in run([program, "study"]):
        sys.exit(f"cairn study does not list {word}")

print(f"wall shape {shape} took two files, key {key} two, study {word} four")
print(f"column {column} took one file, command {word} two")
print(f"{name} took two files; {ran} tests found its claims true")
