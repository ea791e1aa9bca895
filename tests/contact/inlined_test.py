#!/usr/bin/env python3
"""inlined_test.py LIBRARY: no loop over packs of contacts calls a formula, in the sets wider than the baseline.

Formulas are templates over a number. One that a compiler does not inline into such a loop takes its numbers through
memory: with AVX-512 that once was the normal force, and 11 % of a step."""
import re
import subprocess
import sys

listing = subprocess.run(["objdump", "--disassemble", "--reloc", "--demangle", "--no-show-raw-insn", sys.argv[1]],
                         capture_output=True, text=True, check=True).stdout
loops = re.findall(r"^[0-9a-f]+ <(void cairn::(?:avx2|avx512)::packs_in_row<.*)>:\n((?:.+\n)*)", listing, re.M)
if not loops:
    sys.exit("found no loop over contacts")
calls = {(loop, name) for loop, body in loops
         for name in re.findall(r"R_X86_64_PLT32\t(.* cairn::\w+<cairn::(?:avx2|avx512)::Lanes\b.*)-0x", body)}
if calls:
    sys.exit("formulas that a loop over contacts calls:\n  " +
             "\n  ".join(f"{name}\n    in {loop}" for loop, name in sorted(calls)))
print(f"{len(loops)} loops over packs of contacts call no formula")
