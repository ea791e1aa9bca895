#!/usr/bin/env bash
# The same bits from g++ and clang++ at -O1 and -O3: compilers.sh SOURCE_FOLDER BUILD_FOLDER [COMPILER LEVEL]
# LEVELS="-O3 -O2 -O1" compilers.sh ... for others, those that take long first.
set -euo pipefail
source=$1 build=$2
mkdir -p "$build"
flags=(-std=c++20 -fopenmp -ffp-contract=off -fno-math-errno -fno-trapping-math -w -DCAIRN_BASELINE_ONLY
       -I"$source/src" -I"$source/tests" -I"$source/tests/determinism" -isystem /usr/include/eigen3)
mapfile -t files < <(cd "$source" && find src/cairn/{core,state,geometry,search,contact,integrate,world} -name '*.cpp' | sort)
files+=(tests/determinism/print_hash.cpp)
make_one() {
  local compiler=$1 level=$2 out=$build/$1$2 at
  local objects=()
  mkdir -p "$out"
  for file in "${files[@]}"; do
    at=$level
    [[ $file$level != */taylor.cpp-O3 ]] || at=-O2  # as CMakeLists.txt builds it: the highest there is of it
    "$compiler" "${flags[@]}" "$at" -c "$source/$file" -o "$out/$(basename "$file" .cpp).o"
    objects+=("$out/$(basename "$file" .cpp).o")
  done
  "$compiler" -fopenmp "${objects[@]}" -o "$out/print_hash"
  "$out/print_hash" >"$out/hashes"
}
if [ $# -eq 4 ]; then  # one of them
  make_one "$3" "$4"
  exit
fi
reference=
status=0
rm -f "$build"/*/hashes  # of other levels, made by older sources
builds=$(for level in ${LEVELS:--O3 -O1}; do printf '%s\n' "g++ $level" "clang++ $level"; done)
xargs -P 2 -L 1 "$0" "$source" "$build" <<<"$builds"  # two at a time
for out in "$build"/*/hashes; do
  if [ -z "$reference" ]; then
    reference=$out
    cat "$out"
  elif ! diff "$reference" "$out"; then
    echo "differs: $reference and $out"
    status=1
  fi
done
[ $status -eq 0 ] && echo "$(wc -l <<<"$builds") builds, 0 differ" || echo "builds differ"
exit $status
