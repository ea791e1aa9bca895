#!/usr/bin/env python3
"""The files that took longest to compile, from the logs of builds by ninja: slowest.py BUILD [--most SECONDS]

Times are those of a core: where more jobs run than there are cores, each counts by its share. With --most, exits with 1
if a file took longer.
"""
import argparse
import os
import pathlib
import sys

SHOWN = 10


def builds_of(log):
    """The jobs (begin, end, output) of each build; times are in milliseconds since it began."""
    builds, last = [], None
    for line in log.splitlines()[1:]:
        begin, end, _, output, _ = line.split("\t")
        begin, end = int(begin), int(end)
        if last is None or end < last:
            builds.append([])
        last = end
        builds[-1].append((begin, end, output))
    return builds


def seconds_of(jobs, cores):
    """{output: seconds of a core}"""
    changes = sorted({t for begin, end, _ in jobs for t in (begin, end)})
    share, sums = {}, {changes[0]: 0.0} if changes else {}  # of a core, summed until each change
    for t, until in zip(changes, changes[1:]):
        running = sum(begin <= t < end for begin, end, _ in jobs)
        share[t] = min(1, cores / max(1, running))
        sums[until] = sums[t] + share[t] * (until - t) / 1000
    return {output: sums[end] - sums[begin] for begin, end, output in jobs}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", help="folder of a build by ninja, for example build/release")
    parser.add_argument("--most", type=float, metavar="SECONDS", help="that a file may take")
    args = parser.parse_args()
    build = pathlib.Path(args.build)
    if not (build / ".ninja_log").is_file():
        sys.exit(f"found no {build / '.ninja_log'}; expected the log of a build by ninja")
    seconds = {}
    for log in (build / ".ninja_log", build / "lab/engine/.ninja_log"):  # the page's engine is a build within
        within = log.parent.relative_to(build)
        for jobs in builds_of(log.read_text()) if log.is_file() else []:
            seconds.update({str(within / output): s for output, s in seconds_of(jobs, os.cpu_count() or 1).items()})
    slowest = sorted(((s, output) for output, s in seconds.items() if output.endswith((".o", ".gch", ".pch"))), reverse=True)
    for took, output in slowest[:SHOWN]:
        print(f"{took:7.1f} s  {output}")
    if args.most and slowest and slowest[0][0] > args.most:
        sys.exit(f"{slowest[0][1]} took {slowest[0][0]:.1f} s to compile; expected at most {args.most:g} s")


if __name__ == "__main__":
    main()
