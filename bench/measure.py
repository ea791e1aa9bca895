"""What the programs of this folder share: the machine, a process and what it takes, beds, rows of results."""
import csv
import datetime
import gzip
import itertools
import os
import pathlib
import platform
import subprocess
import tempfile
import time
import zlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "bench"  # beds made here are kept


def processor():
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    return next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), platform.machine())


def available_memory():
    """[bytes]"""
    for line in pathlib.Path("/proc/meminfo").read_text().splitlines():
        if line.startswith("MemAvailable:"):
            return 1024 * int(line.split()[1])
    return 0


# --- A process ------------------------------------------------------------------------------------------------------

TICK = os.sysconf("SC_CLK_TCK")


def busy_seconds():
    """Of all cores since the machine started."""
    fields = [int(f) for f in pathlib.Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]]
    return (sum(fields[:8]) - fields[3] - fields[4]) / TICK  # all but idle and waiting for a disk


def descendants(pid):
    """Of a process and itself."""
    children = {}
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            text = stat.read_text()
        except OSError:
            continue
        children.setdefault(int(text.rsplit(")", 1)[1].split()[1]), []).append(int(stat.parent.name))
    found, at = [pid], 0
    while at < len(found):
        found += children.get(found[at], [])
        at += 1
    return found


def memory(pids):
    """[bytes] resident now and at most so far, of all these processes."""
    now = peak = 0
    for pid in pids:
        try:
            fields = dict(line.split(":", 1) for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines())
            now += 1024 * int(fields["VmRSS"].split()[0])
            peak += 1024 * int(fields["VmHWM"].split()[0])
        except (OSError, KeyError, ValueError):
            pass  # it has just ended
    return now, peak


class Failed(Exception):
    pass


class Process:
    """Runs a command to its end.

    output         what it printed
    peak, resident [bytes] at most, and as last seen while `steps()` held: while it stepped, where that can be told
    load           of the machine before
    others         cores that all other processes kept busy meanwhile
    """

    def __init__(self, command, folder, environment=None, ranks=1, steps=None):
        self.load = os.getloadavg()[0]
        self.peak = self.resident = 0
        own, busy, start = os.times(), busy_seconds(), time.monotonic()
        with tempfile.TemporaryFile("w+") as out:
            child = subprocess.Popen(command, cwd=folder, stdout=out, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                                     env={**os.environ, **(environment or {})})
            pause = 0.01
            try:
                while child.poll() is None:
                    now, peak = memory(descendants(child.pid) if ranks > 1 else [child.pid])
                    self.peak = max(self.peak, peak)
                    if steps and now and steps():
                        self.resident = now
                    time.sleep(pause)
                    pause = min(0.1, 1.2 * pause)
            except BaseException:
                child.terminate()
                child.wait()
                raise
            seconds = time.monotonic() - start
            then = os.times()
            used = sum(then[:4]) - sum(own[:4])  # of this program and the child
            self.others = max(0.0, (busy_seconds() - busy - used) / seconds)
            self.resident = self.resident or self.peak
            out.seek(0)
            self.output = out.read()
        if child.returncode:
            raise Failed(f"{' '.join(command)} ends with {child.returncode}:\n{self.output[-2000:]}")


# --- Beds: LAMMPS data files, atom_style sphere, which every code reads -----------------------------------------------

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


def write_bed(path, title, box, rows):
    """rows: (type, diameter, density, x, y, z, ix, iy, iz, velocities and spins) as text, ids in order."""
    temporary = path.with_suffix(".part")
    with open(temporary, "w") as out:
        out.write(f"{title}\n\n{len(rows)} atoms\n1 atom types\n\n")
        for axis, (low, high) in zip("xyz", box):
            out.write(f"{low!r} {high!r} {axis}lo {axis}hi\n")
        out.write("\nAtoms # sphere\n\n")
        out.writelines(f"{k} {' '.join(row[:9])}\n" for k, row in enumerate(rows, 1))
        out.write("\nVelocities\n\n")
        out.writelines(f"{k} {' '.join(row[9:])}\n" for k, row in enumerate(rows, 1))
    temporary.replace(path)


def replicated(text, nx, ny, folder, name):
    """The bed side by side nx and ny times. The copies are in one file, so that every code starts from the same one."""
    path = folder / f"{name}_{checksum(text):08x}_{nx}x{ny}.data"
    if path.exists():
        return path
    folder.mkdir(parents=True, exist_ok=True)
    if nx == ny == 1:
        path.write_text(text)
        return path
    box, grains = read_bed(text)
    widths = [high - low for low, high in box]
    rows = []
    for i, j in itertools.product(range(nx), range(ny)):
        for atom, velocity in grains.values():
            x, y = float(atom[4]) + i * widths[0], float(atom[5]) + j * widths[1]
            # Images stay: a grain that has left the first copy n times has not left the larger box so often, but no
            # code's forces look at them.
            rows.append((*atom[1:4], repr(x), repr(y), *atom[6:7], *(atom[7:10] or "000"), *(velocity or "0" * 7)[1:]))
    box[0] = (box[0][0], box[0][0] + nx * widths[0])
    box[1] = (box[1][0], box[1][0] + ny * widths[1])
    write_bed(path, f"{name}, {nx} x {ny} times", box, rows)
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
        density = mass / (4 / 3 * 3.141592653589793 * radius**3)
        images = [value[k] for k in ("ix", "iy", "iz")]
        rows.append(("1", repr(2 * radius), repr(density), value["x"], value["y"], value["z"], *images,
                     *(value[k] for k in ("vx", "vy", "vz", "wx", "wy", "wz"))))
    write_bed(path, title, box, rows)


# --- Results ----------------------------------------------------------------------------------------------------------

def stamp():
    return {"date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "processor": processor(), "cores": os.cpu_count(), "kernel": platform.release()}


def append_csv(path, rows):
    """Adds rows, all with the same keys, to a table that may be there already."""
    path = pathlib.Path(path)
    new = not path.exists() or path.stat().st_size == 0
    with open(path, "a", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]))
        if new:
            writer.writeheader()
        writer.writerows(rows)
