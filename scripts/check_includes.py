#!/usr/bin/env python3
"""The include order of the rooms (ARCHITECTURE.md): a room includes only itself and what stands after its arrow."""
import pathlib
import re
import sys

ROOMS = {
    "core": "",
    "state": "core",
    "geometry": "core",
    "search": "core state geometry",
    "contact": "core state geometry",
    "integrate": "core state",
    "hard": "core",
    "domain": "core state",
    "mpi": "core domain",
    "world": "core state geometry search contact integrate hard domain",
    "analysis": "core state geometry contact integrate world",
    "statics": "core state geometry contact integrate world analysis",
    "run": "core state geometry contact integrate domain world analysis",
    "formats": "core geometry",
    "scenario": "core geometry contact run formats",
    "render": "core geometry domain world run formats",
    "report": "core contact run formats render",
    "catalogue": "core contact integrate run formats scenario",
    "output": "core geometry world run formats render report",
    "facade": "core world run formats scenario render report output catalogue studies",
    "studies": "core state geometry contact integrate hard world analysis statics run formats scenario render report output",
}
# Other people's headers stay out of ours, which are installed.
FOREIGN = {"fmt", "nlohmann", "toml++", "CLI", "png.h", "Eigen"}
# What users of the library include, above all rooms.
PUBLIC = "src/cairn/cairn.hpp"
# World knows the System a scheme asks, not the schemes.
WORLD_MAY_INCLUDE = {"cairn/integrate/system.hpp"}
# A room does not know the rooms inside it: contact/ knows no law, integrate/ no scheme. Stability is measured on toys.
KNOWS_INNER = {"analysis"}
# Heavy headers stay where they are needed.
HEAVY = {"mpi.h": ("src/cairn/mpi/",), "zoltan.h": ("src/cairn/mpi/",), "toml++": ("src/cairn/formats/document.cpp",), "CLI/CLI.hpp": ("apps/",), "png.h": ("src/cairn/formats/image.cpp",),
         "Eigen/": ("src/cairn/analysis/eigenvalues.cpp", "src/cairn/analysis/linearised_map.cpp", "src/cairn/analysis/stability.cpp", "src/cairn/world/sparse.cpp")}

root = pathlib.Path(__file__).resolve().parent.parent
errors = []
for path in sorted((root / "src").rglob("*.[ch]pp")) + sorted((root / "apps").rglob("*.[ch]pp")):
    name = path.relative_to(root).as_posix()
    room = name.split("/")[2] if name.startswith("src/cairn/") and name != PUBLIC else None
    if room is not None and room not in ROOMS:
        errors.append(f"{name}: room '{room}' is not in the plan")
        continue
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = re.match(r'\s*#\s*include\s*[<"]([^>"]+)[>"]', line)
        if not match:
            continue
        header = match[1]
        for heavy, home in HEAVY.items():
            if header.startswith(heavy) and not name.startswith(home):
                errors.append(f"{name}:{number}: {heavy} may be included in {' '.join(home)} only")
        if path.suffix == ".hpp" and header.split("/")[0] in FOREIGN:
            errors.append(f"{name}:{number}: {header} may not be included in a header")
        if room is None or not header.startswith("cairn/"):
            continue
        target = header.split("/")[1]
        if target != room and target not in ROOMS[room].split():
            errors.append(f"{name}:{number}: {room} must not include {target} ({header})")
        folder = name.removeprefix("src/").rsplit("/", 1)[0]
        if header.rsplit("/", 1)[0].startswith(folder + "/") and room not in KNOWS_INNER:
            errors.append(f"{name}:{number}: {folder} must not include what stands inside it ({header})")
        if room == "world" and target == "integrate" and header not in WORLD_MAY_INCLUDE:
            errors.append(f"{name}:{number}: world may include of integrate only {', '.join(WORLD_MAY_INCLUDE)}")
print("\n".join(errors) if errors else "include order: ok")
sys.exit(1 if errors else 0)
