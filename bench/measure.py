"""What the programs of this folder share: the machine, a process and what it takes, rows of results."""
import csv
import datetime
import os
import pathlib
import platform
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
work = ROOT / "build" / "bench"  # what is made once and kept
PROGRAM = ROOT / "build" / "release" / "cairn"


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
            child = subprocess.Popen(command, cwd=folder, env={**os.environ, **(environment or {})}, stdout=out,
                                     stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
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
