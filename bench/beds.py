"""Beds of the chute, each a LAMMPS data file (atom_style sphere), which every code reads."""
import collections
import csv
import gzip
import itertools
import math
import pathlib
import shutil
import subprocess
import sys
import zlib

import measure
from measure import ROOT

Size = collections.namedtuple("Size", "width copies steps")  # of a bed, in diameters; side by side; for some seconds a run
WIDE = 40.0  # of the beds that are there as files
SIZES = {"1k": Size(7.2, (1, 1), 20000), "4k": Size(14.0, (1, 1), 8000), "8k": Size(20.0, (1, 1), 5000),
         "32k": Size(WIDE, (1, 1), 2200), "127k": Size(WIDE, (2, 2), 600), "255k": Size(WIDE, (2, 4), 300),
         "1M": Size(WIDE, (8, 4), 100)}


def read_text(path):
    path = pathlib.Path(path)
    return gzip.decompress(path.read_bytes()).decode() if path.suffix == ".gz" else path.read_text()


def checksum(text):
    return zlib.crc32(text.encode())


def read_bed(text):
    """[(low, high)] of the box, and id: (words of its line of Atoms, words of its line of Velocities)."""
    box, atoms, velocities, section = [None] * 3, {}, {}, None
    for line in text.splitlines():
        words = line.split("#")[0].split()
        if not words:
            continue
        if words[-1] in ("xhi", "yhi", "zhi"):
            box["xyz".index(words[-1][0])] = (float(words[0]), float(words[1]))
        elif words[0] in ("Atoms", "Velocities"):
            section = atoms if words[0] == "Atoms" else velocities
        elif section is not None:
            section[int(words[0])] = words
    return box, {i: (atoms[i], velocities.get(i)) for i in sorted(atoms)}


def write_bed(path, title, box, count, rows):
    """rows(): of each grain, in the order of ids, type, diameter, density, x, y, z, ix, iy, iz, velocity and spin, as
    text. It is called twice, for a million rows are better not kept."""
    temporary = path.with_suffix(".part")
    with open(temporary, "w") as out:
        out.write(f"{title}\n\n{count} atoms\n1 atom types\n\n")
        for axis, (low, high) in zip("xyz", box):
            out.write(f"{low!r} {high!r} {axis}lo {axis}hi\n")
        out.write("\nAtoms # sphere\n\n")
        out.writelines(f"{k} {' '.join(row[:9])}\n" for k, row in enumerate(rows(), 1))
        out.write("\nVelocities\n\n")
        out.writelines(f"{k} {' '.join(row[9:])}\n" for k, row in enumerate(rows(), 1))
    temporary.replace(path)


def replicated(text, nx, ny, name):
    """The bed side by side nx and ny times. The copies are in one file, so that every code starts from the same one."""
    path = measure.work / f"{name}_{checksum(text):08x}_{nx}x{ny}.data"
    if path.exists():
        return path
    measure.work.mkdir(parents=True, exist_ok=True)
    if nx == ny == 1:
        path.write_text(text)
        return path
    box, grains = read_bed(text)
    widths = [high - low for low, high in box]

    def rows():
        # Images stay: a grain that left the small box n times has not left the large one so often, but no force looks.
        for i, j in itertools.product(range(nx), range(ny)):
            for atom, velocity in grains.values():
                x, y = float(atom[4]) + i * widths[0], float(atom[5]) + j * widths[1]
                yield (*atom[1:4], repr(x), repr(y), atom[6], *(atom[7:10] or "000"), *(velocity or "0" * 7)[1:])
    large = [(low, low + n * (high - low)) for (low, high), n in zip(box, (nx, ny, 1))]
    write_bed(path, f"{name}, {nx} x {ny} times", large, len(grains) * nx * ny, rows)
    return path


def bed_of_run(folder, path, title, box):
    """A bed from the final.csv of a run of Cairn."""
    with open(folder / "final.csv") as file:
        table = list(csv.DictReader(line for line in file if not line.startswith("#")))
    names = {name.split(" ")[0].split("[")[0]: name for name in table[0]}
    rows = []
    for grain in table:
        value = {short: grain[name] for short, name in names.items()}
        radius, mass = float(value["radius"]), float(value["mass"])
        density = mass / (4 / 3 * math.pi * radius**3)
        images = [value[k] for k in ("ix", "iy", "iz")]
        rows.append(("1", repr(2 * radius), repr(density), value["x"], value["y"], value["z"], *images,
                     *(value[k] for k in ("vx", "vy", "vz", "wx", "wy", "wz"))))
    write_bed(path, title, box, len(rows), lambda: rows)


# --- Found and made --------------------------------------------------------------------------------------------------

def found(folder, name):
    for file in (f"{name}.data", f"{name}.data.gz"):
        if folder and (pathlib.Path(folder) / file).exists():
            return read_text(pathlib.Path(folder) / file)
    return None


def cairn_run(program, scene, out, settings):
    command = [str(program), "run", str(ROOT / scene), "--quiet", "--out", str(out), "--checkpoint-every", "0"]
    subprocess.run(command + [a for s in settings for a in ("--set", s)], check=True)


def made(program, name, width):
    """A bed, or its flow, made by Cairn; the same bits everywhere. Kept in build/bench."""
    path = measure.work / f"{name}_{width:g}.data"
    if path.exists():
        return path.read_text()
    measure.work.mkdir(parents=True, exist_ok=True)
    out = measure.work / f"making_{name}_{width:g}"
    cell = [f"space.periodic_x=[0,{width}]", f"space.periodic_y=[0,{width}]"]
    if name == "bed":
        print(f"making {path} with Cairn, once" + (", some minutes" if width > 10 else ""), file=sys.stderr)
        inner = width - 0.2
        cairn_run(program, "bench/scenes/settle.toml", out, [*cell, f"grains.high=[{inner},{inner},30.8]"])
    else:
        made(program, "bed", width)
        print(f"making {path} with Cairn, once" + (", some minutes" if width > 10 else ""), file=sys.stderr)
        cairn_run(program, "scenarios/chute.toml", out, [
            *cell, f"grains.file={measure.work / f'bed_{width:g}.data'}", "run.end=20", "output.pictures=0",
            "output.report=false", "output.series=0"])
    bed_of_run(out, path, f"{name} of the chute, {width:g} wide", [(0.0, width), (0.0, width), (0.0, 60.0)])
    shutil.rmtree(out)
    return path.read_text()


class Bed:
    """One that is there as a file."""

    def __init__(self, path, checksum):
        self.path, self.checksum = path, checksum  # the latter of the bed it is made of
        with open(path) as file:
            head = [line.split() for line in file.read(2000).splitlines()]
        self.grains = next(int(words[0]) for words in head if words[1:] == ["atoms"])
        self.box = [next((float(w[0]), float(w[1])) for w in head if w[3:] == [f"{axis}hi"]) for axis in "xyz"]

    def settings(self):
        """Of scenarios/chute.toml and the like."""
        return [f"grains.file={self.path}", *self.cell()]

    def cell(self):
        return [f"space.periodic_{axis}=[{low!r}, {high!r}]" for axis, (low, high) in zip("xy", self.box)]


def bed(folder, program, name, size):
    width, copies, _ = SIZES[size]
    text = (found(folder, name) if width == WIDE else None) or made(program, name, width)
    return Bed(replicated(text, *copies, name), checksum(text))
