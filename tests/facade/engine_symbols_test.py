#!/usr/bin/env python3
"""The rooms of the engine, core to run, call no function of files, of the terminal, of processes or of another library, so
that they can stand in a page: engine_symbols_test.py OBJECT... asks the linker's names of what they need."""
import re
import subprocess
import sys

# Of the C library: memory and its pages, text in memory, arithmetic, threads of our own, the environment variable CAIRN_SIMD.
C = re.compile(r"_GLOBAL_OFFSET_TABLE_|__\w+|_Unwind_\w+|mem\w+|str(len|cmp|ncmp|chr|to\w+)|malloc|calloc|realloc|free|"
               r"aligned_alloc|madvise|posix_memalign|v?snprintf|to(low|upp)er|is\w+|getenv|pthread_\w+|sched_yield|nanosleep|clock_gettime|"
               r"c?(a?(sin|cos|tan)h?|exp|log|sqrt|pow|abs|arg)f?|sincos|atan2|cbrt|exp2|exp10|expm1|log(10|1p|2|b)|hypot|"
               r"fmod|fma|floor|ceil|l?l?round|trunc|rint|nextafter|[lf]dexp|frexp|ldexp|modf|remainder|lgamma|tgamma|erfc?|"
               r"qsort|abs")
CXX = re.compile(r"basic_(file|[io]?f)|filesystem|\bstd::(cout|cerr|clog|cin|exit|abort|random_device)\b|fmt::\w+::v?print")


def foreign(lines):
    """Names that the engine must not need."""
    for line in lines:
        name = line.split(" U ", 1)[1].strip()
        plain = re.fullmatch(r"\w+", name)
        if (plain and not C.fullmatch(name)) or CXX.search(name):
            yield name


assert list(foreign([" U fopen", " U memcpy", " U png_write_png", " U GOMP_parallel", " U std::basic_filebuf<char>::open(",
                     " U cairn::World::begin(bool)", " U std::cout", " U exit"])) == [
    "fopen", "png_write_png", "GOMP_parallel", "std::basic_filebuf<char>::open(", "std::cout", "exit"]
told = subprocess.run(["nm", "--undefined-only", "--demangle", *sys.argv[1:]], check=True, capture_output=True, text=True).stdout
lines = [line for line in told.splitlines() if " U " in line]
assert len(lines) > 100, "no objects with symbols"
wrong = sorted(set(foreign(lines)))
if wrong:
    sys.exit("the engine (src/cairn/core to run) calls " + ", ".join(wrong) + "; expected nothing of files, terminals, processes "
             "or other libraries")
