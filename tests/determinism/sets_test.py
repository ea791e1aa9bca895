#!/usr/bin/env python3
"""sets_test.py LIBRARY [--inlined]: no function compiled for one instruction set alone may serve others; with --inlined
no loop over contacts may call a formula, either.

Files compiled once per set leave functions that the linker takes from any of them. Such a function must have the set in
its name, or a processor without the set could run it.

Formulas are templates over a number. One that a compiler does not inline into the loop over packs of contacts takes its
numbers through memory: with AVX-512 that once was the normal force, and 11 % of a step."""
import re
import subprocess
import sys


def output_of(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


library = sys.argv[1]
faults, entries = set(), 0
for member in output_of("nm", "--demangle", library).split("\n\n"):
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

if "--inlined" in sys.argv:
    listing = output_of("objdump", "--disassemble", "--reloc", "--demangle", "--no-show-raw-insn", library)
    loops = re.findall(r"^[0-9a-f]+ <(void cairn::(?:avx2|avx512)::packs_in_row<.*)>:\n((?:.+\n)*)", listing, re.M)
    calls = {(loop, name) for loop, body in loops
             for name in re.findall(r"R_X86_64_PLT32\t(.* cairn::\w+<cairn::(?:avx2|avx512)::Lanes\b.*)-0x", body)}
    if calls:
        sys.exit("formulas that a loop over contacts calls:\n  " +
                 "\n  ".join(f"{name}\n    in {loop}" for loop, name in sorted(calls)))
    if entries and not loops:
        sys.exit("found no loop over contacts")
    print(f"{len(loops)} loops over packs of contacts call no formula")
