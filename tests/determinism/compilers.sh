#!/usr/bin/env bash
# The same bits from g++ and clang++, at low and high levels, as from the library itself, which PRINT_HASH is linked to:
# compilers.sh SOURCE_FOLDER BUILD_FOLDER PRINT_HASH [COMPILER LEVEL]
# BUILDS="g++ -O3,clang++ -O1" compilers.sh ... for others.
set -euo pipefail
source=$1 build=$2 shipped=$3
mkdir -p "$build"
flags=(-std=c++20 -pthread -ffp-contract=off -fno-math-errno -fno-trapping-math -w -DCAIRN_NOT_FLATTENED
       -I"$source/src" -I"$source/tests" -I"$source/tests/determinism" -isystem /usr/include/eigen3)
mapfile -t files < <(cd "$source" && find src/cairn/{core,state,geometry,search,contact,integrate,hard,domain,world} -name '*.cpp' | sort)
files=("${files[@]/#/$source/}")
# The files of a room as one source, as in CMakeLists.txt: most of a file's time goes into the headers they share.
alone='_pass[.]cpp$|/taylor[.]cpp$'
if [ $# -eq 3 ]; then
  rm -f "$build"/room_of_*.cpp
  for file in $(printf '%s\n' "${files[@]}" | grep -vE "$alone"); do
    echo "#include \"$file\"" >>"$build/room_of_$(basename "$(dirname "$file")").cpp"
  done
fi
mapfile -t files < <(printf '%s\n' "${files[@]}" | grep -E "$alone")
files+=("$build"/room_of_*.cpp "$source/tests/determinism/print_hash.cpp")
make_one() {
  local compiler=$1 level=$2 out=$build/$1$2 at
  local objects=()
  mkdir -p "$out"
  for file in "${files[@]}"; do
    at=$level
    [[ $file$level != */taylor.cpp-O3 ]] || at=-O1  # as CMakeLists.txt builds it: the highest there is of it
    "$compiler" "${flags[@]}" "$at" -c "$file" -o "$out/$(basename "$file" .cpp).o"
    objects+=("$out/$(basename "$file" .cpp).o")
  done
  "$compiler" -pthread "${objects[@]}" -o "$out/print_hash"
  "$out/print_hash" >"$out/hashes"
}
if [ $# -eq 5 ]; then  # one of them
  make_one "$4" "$5"
  exit
fi
status=0
rm -f "$build"/*/hashes  # of other builds, made by older sources
"$shipped" >"$build/shipped"
cat "$build/shipped"
builds=$(tr , '\n' <<<"${BUILDS:-clang++ -O3,g++ -O1}")
xargs -P 2 -L 1 "$0" "$source" "$build" "$shipped" <<<"$builds"  # two at a time
for out in "$build"/*/hashes; do
  diff "$build/shipped" "$out" || { echo "differs: $out"; status=1; }
done
[ $status -eq 0 ] && echo "the library and $(wc -l <<<"$builds") builds, 0 differ" || echo "builds differ"
exit $status
