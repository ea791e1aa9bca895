#!/usr/bin/env python3
"""Every command the documentation shows is run: commands_test.py SOURCE PROGRAM [--long]

Commands stand in ```sh blocks of the Markdown pages, and in the first comment of a scenario as `#   cairn ...`. Those of
the program are run page by page, in order, each page in a folder of its own, a few steps each; those that neither read
nor leave what a page has, studies and lists, once for all pages that show them. Whole scenarios in ```toml blocks are
run too. A block below a line <!-- not run: why --> is left alone. Studies that take long have fewer schemes and cases,
since tests of their own measure them; with --long they are as the page has them.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading

SOURCE, PROGRAM = (pathlib.Path(a).resolve() for a in sys.argv[1:3])
LONG = "--long" in sys.argv
BLOCK = re.compile(r"(?P<skip><!-- not run: .+? -->\n+)?^ *```(?P<language>[^\n`]*)\n(?P<text>.*?)^ *```$", re.M | re.S)
CAIRN = re.compile(r"(build/release/)?cairn ")
# What other tests and continuous integration run, or what needs LAMMPS or an idle machine.
ELSEWHERE = re.compile(r"\./(run|check)\b|scripts/|bench/|cmake --(build|install|preset) |ctest |(sudo )?apt(-get)? install |"
                       r"g\+\+ main.cpp |export |cd |git clone ")
STEPS = {"run": 20, "resume": 40}
# What makes studies shorter; tests of their own measure them.
LESS = [(r"(cairn study (impact|ledger|onset|orders|stability|work-precision))\b(?!.*--(scheme|exact))",
         r"\1 --scheme velocity_verlet_predicted,rk4"),
        (r"(cairn study (impact|stability))\b(?!.*--(quick|exact))", r"\1 --quick"),
        (r"(cairn study onset)\b(?!.*--case)", r"\1 --case impact --steps 10,20"),
        (r"(cairn study bulk)\b(?!.*--case)", r"\1 --case hopper"),
        (r"(cairn study bulk .*--case) drum,hopper", r"\1 hopper"),
        (r"(cairn study bulk)\b(?!.*--scheme)", r"\1 --scheme velocity_verlet"),
        (r"(cairn study bulk .*--scheme) velocity_verlet_implicit", r"\1 velocity_verlet"),
        (r"(cairn study validation)\b(?!.*--(case|markdown))", r"\1 --case oblique,rolling"),
        (r"(cairn study impact .*--steps) (\d+):\d+", r"\1 \2:\2"),
        (r"(cairn study energy)\b", r"\1 --help")]  # its shortest takes a minute
EMPTY = {"README.md", "docs/first-steps.md", "docs/sweep.md"}  # work in an empty folder, with the program alone
ALONE = re.compile(r"cairn (study|stability|schemes|laws|restitution)\b[\w ,:.=-]*$")  # no folder, no redirection
FILES = re.compile(r"--(csv|out|plot|case)\b")
alone = set()
alone_lock = threading.Lock()


def commands(block):
    joined = re.sub(r"\\\n\s*", "", block)
    return [line.strip().removeprefix("$ ") for line in joined.splitlines() if line.strip() and line.strip()[0] != "#"]


def of_page(text):
    """The page's blocks in order, as (language, text)."""
    for block in BLOCK.finditer(text):
        if block["skip"]:
            continue
        lines = commands(block["text"])
        shell = block["language"] in ("sh", "bash", "console")
        if shell or not block["language"] and lines and (CAIRN.match(lines[0]) or ELSEWHERE.match(lines[0])):
            for line in lines:
                yield "sh", line
        elif block["language"] == "toml" and re.search(r"^\[run\]", block["text"], re.M):
            yield "toml", block["text"]


def of_scenario(text):
    head = re.match(r"(#.*\n)*", text)[0]
    return [("sh", line) for line in re.findall(r"^#   (cairn .*)$", head, re.M) if "/path/to/" not in line]


def shortened(command, drawn):
    """A command of the program, ended after a few steps; a study, of less."""
    def end(match):
        unseen = "" if drawn or match[1] != "run" else " --set output.pictures=0"
        return f"{match[0]}{unseen} --stop-after {STEPS[match[1]]}"
    if not LONG:
        for study, less in LESS:
            command = re.sub(study, less, command)
    return command if "--stop-after" in command else re.sub(r"cairn (run|resume)\b", end, command)


def shown_elsewhere(command):
    """Whether a command that needs nothing of its page is another page's too, which runs it."""
    command = re.sub(r"\s*#.*", "", command).removeprefix("build/release/")
    if not ALONE.match(command) or FILES.search(command):
        return False
    with alone_lock:
        known = command in alone
        alone.add(command)
    return known


def try_page(name, items):
    """The faults of one page, and how many commands were run. Each scenario draws its pictures on its own page."""
    items = list(items)
    faults, count, drawn = [], 0, LONG or name.endswith(".toml") or any("picture" in text for _, text in items)
    with tempfile.TemporaryDirectory(prefix="cairn_docs_") as folder:
        desk = pathlib.Path(folder)
        if name in EMPTY:
            place = desk / ".bin"
        else:
            shutil.copytree(SOURCE / "scenarios", desk / "scenarios")
            place = desk / "build/release"
        place.mkdir(parents=True)
        (place / "cairn").symlink_to(PROGRAM)
        environment = {**os.environ, "PATH": f"{place}:{os.environ['PATH']}"}
        for language, text in items:
            command = text
            if language == "toml":
                (desk / "block.toml").write_text(text)
                command = "cairn run block.toml"
            elif not CAIRN.match(text):
                if not ELSEWHERE.match(text):
                    faults.append(f"{name}: is '{text}' run by a test? if not: <!-- not run: why --> above the block")
                for file in re.findall(r"\b(?:scenarios|scripts|bench)/[\w./-]+", text):
                    if not (SOURCE / file).exists():
                        faults.append(f"{name}: '{text}': there is no {file}")
                continue
            count += 1
            if shown_elsewhere(command):
                continue
            done = subprocess.run(["bash", "-c", "set -o pipefail; " + shortened(command, drawn)], cwd=desk, env=environment,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            if done.returncode != 0:
                faults.append(f"{name}: '{command}' ends with {done.returncode}: {done.stdout[-2000:]}")
    return faults, count


pages = {}
for path in sorted(SOURCE.glob("*.md")) + sorted((SOURCE / "docs").rglob("*.md")):
    pages[path.relative_to(SOURCE).as_posix()] = list(of_page(path.read_text()))
for path in sorted((SOURCE / "scenarios").glob("*.toml")):
    pages[path.relative_to(SOURCE).as_posix()] = of_scenario(path.read_text())
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    results = list(pool.map(try_page, pages.keys(), pages.values()))
faults = [fault for page_faults, _ in results for fault in page_faults]
count = sum(page_count for _, page_count in results)
told = re.search(r"\*\*(\d+) time-integration schemes and (\d+) contact laws", (SOURCE / "README.md").read_text())
for word, number in (("schemes", told[1]), ("laws", told[2])):
    found = len(json.loads(subprocess.run([PROGRAM, word, "--json"], stdout=subprocess.PIPE, check=True).stdout))
    if found != int(number):
        faults.append(f"README.md: {number} {word}, but the program has {found}")
print("\n".join(faults) if faults else f"{count} commands and scenarios of {len(pages)} pages ran")
assert count > 10, "the commands were not found"
sys.exit(1 if faults else 0)
