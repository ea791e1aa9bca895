#!/usr/bin/env python3
"""Runs every ready case and makes docs/gallery.md and its pictures.

  scripts/gallery.py [CASE ...]     runs the cases (all, if none is named), then writes the page
  scripts/gallery.py --check        whether the page says what the scenarios say; runs nothing
  scripts/gallery.py --times [CASE ...]
                                    runs the cases as they are, and writes into each scenario how much processor time
                                    it took; `cairn new --list` shows that

Takes some minutes. The program is build/release/cairn.
"""
import json
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs/gallery"
PAGE = ROOT / "docs/gallery.md"
# The cases in the order of the page: which of the pictures, and options added to the run.
CASES = {
    "pour": (5, []),
    "hopper": (1, []),
    "silo": (7, []),
    "oedometer": (4, []),
    "drum": (2, []),
    "segregation": (-1, []),
    "vibrated": (2, []),
    "pile": (1, []),
    "heap": (-1, []),
    "chute": (2, ["--set", "run.end=4"]),
    "pyramid": (1, []),
    "column": (2, ["--set", "contact.stiffness=8000"]),
    "impulse_column": (1, []),
    "pile_2d": (-1, []),
    "pile_3d": (-1, []),
    "dropped_column": (2, []),
    "billiards": (0, []),
    "bounce": (1, ["--set", "run.end=2"]),
    "viscous": (1, []),
    "starter": (1, []),
}


def header(case):
    """The parts of a scenario's first comment: the words before its commands, the commands, the words after."""
    before, commands, behind = [], [], []
    for line in (ROOT / f"scenarios/{case}.toml").read_text().splitlines():
        if not line.startswith("#"):
            break
        text = line[1:].strip()
        if text.startswith("cairn "):
            commands.append(text)
        else:
            (behind if commands else before).append(text)
    return " ".join(before), commands, " ".join(behind)


def title(case):
    return re.search(r'^title = "(.*)"$', (ROOT / f"scenarios/{case}.toml").read_text(), re.M)[1]


def page():
    text = """# Gallery

This page shows the ready cases, each with a picture of its run. Each case is a scenario in `scenarios/`. The command
`cairn new CASE` writes a copy for you to change (except `chute`, which needs a data file). The program
`scripts/gallery.py` makes this page.
"""
    for case in CASES:
        before, commands, behind = header(case)
        name = title(case)
        shown = "\n".join(commands)
        text += f"\n## {name[0].upper()}{name[1:]}\n\n![{name}](gallery/{case}.png)\n\n{before}\n\n```sh\n{shown}\n```\n"
        if behind:
            text += f"\n{behind}\n"
    return text


def run(case, folder):
    number, changes = CASES[case]
    out = pathlib.Path(folder) / case
    scenario = ROOT / f"scenarios/{case}.toml"
    print(f"{case} ...", flush=True)
    subprocess.run([ROOT / "build/release/cairn", "run", scenario, "--out", out, "--quiet",
                    "--set", "output.frames=0", *changes], check=True)
    pictures = json.loads((out / "summary.json").read_text())["pictures"]
    shutil.copyfile(out / pictures[number]["file"], PICTURES / f"{case}.png")


def about(seconds):
    """Roughly, since machines differ by a factor of two."""
    if seconds < 10:
        return f"{max(1, round(seconds))} s"
    return f"{10 * round(seconds / 10)} s" if seconds < 55 else f"{round(seconds / 60)} min"


def measure(case, folder):
    scenario = ROOT / f"scenarios/{case}.toml"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([ROOT / "build/release/cairn", "run", scenario, "--out", pathlib.Path(folder) / case, "--quiet"],
                   check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = about(after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)
    print(f"{case}: {took}", flush=True)
    line = f"# Takes about {took} on one core."
    text, found = re.subn(r"^# Takes about .* on one core\.$", line, scenario.read_text(), count=1, flags=re.M)
    if not found:
        sys.exit(f"scenarios/{case}.toml has no line '{line}'")
    scenario.write_text(text)


def main():
    missing = {path.stem for path in (ROOT / "scenarios").glob("*.toml")} ^ set(CASES)
    if missing:
        sys.exit(f"not both in scenarios/ and in scripts/gallery.py: {', '.join(sorted(missing))}")
    if sys.argv[1:] == ["--check"]:
        if PAGE.read_text() != page():
            sys.exit("docs/gallery.md is not what the scenarios say; make it anew: scripts/gallery.py")
        return
    if {"-h", "--help"} & set(sys.argv[1:]):
        print(__doc__.strip())
        return
    job, cases = (measure, sys.argv[2:]) if sys.argv[1:2] == ["--times"] else (run, sys.argv[1:])
    unknown = set(cases) - set(CASES)
    if unknown:
        sys.exit(f"no case {', '.join(sorted(unknown))}; cases: {', '.join(CASES)}")
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for case in cases or CASES:
            job(case, folder)
    PAGE.write_text(page())
    print(f"wrote {PAGE.relative_to(ROOT)}")


main()
