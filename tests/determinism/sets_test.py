#!/usr/bin/env python3
"""sets_test.py LIBRARY: no function compiled for one instruction set alone may serve others.

Files compiled once per set leave functions that the linker takes from any of them. Such a function must have the set in
its name, or a processor without the set could run it."""
import re
import subprocess
import sys

library = sys.argv[1]
faults, entries = set(), 0
listing = subprocess.run(["nm", "--demangle", library], capture_output=True, text=True, check=True).stdout
for member in listing.split("\n\n"):
    file = member.strip().split(":", 1)[0]
    symbols = re.findall(r"^[0-9a-f ]* ([A-Za-z]) (.*)$", member, re.M)
    own = [name for kind, name in symbols if kind == "T" and re.search(r"_(avx2|avx512)\(", name)]
    entries += len(own)
    if own:
        faults |= {f"{file}: {name}" for kind, name in symbols
                   if kind == "W" and not re.search(r"\b(avx2|avx512)::", name)}
if faults:
    sys.exit("functions that the linker may take from a file of another instruction set:\n  " + "\n  ".join(sorted(faults)))
print(f"{entries} entry points compiled for wider instruction sets; nothing else of theirs serves another set")
