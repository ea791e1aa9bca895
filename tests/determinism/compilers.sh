#!/usr/bin/env bash
# The same bits from g++ and clang++, at low and high levels, as from the library itself, which PRINT_HASH is linked to:
# compilers.sh SOURCE_FOLDER BUILD_FOLDER PRINT_HASH [COMPILER LEVEL FILE]
# BUILDS="g++ -O3,clang++ -O1" compilers.sh ... for others. CACHED=ccache: what has not changed is not compiled again.
set -euo pipefail
source=$1 build=$2 shipped=$3
mkdir -p "$build"
flags=(-std=c++20 -pthread -ffp-contract=off -fno-math-errno -fno-trapping-math -w -DCAIRN_NOT_FLATTENED
       -I"$source/src" -I"$source/tests" -I"$source/tests/determinism" -isystem /usr/include/eigen3)
if [ $# -eq 6 ]; then  # one object
  compiler=$4 level=$5 file=$6 out=$build/$4$5
  [[ $file$level != */taylor.cpp-O3 ]] || level=-O1  # as CMakeLists.txt builds it: the highest there is of it
  exec ${CACHED:-} "$compiler" "${flags[@]}" "$level" -c "$file" -o "$out/$(basename "$file" .cpp).o"
fi
# Several files as one source, as in CMakeLists.txt: most of a file's time goes into the headers they share.
sources() { find "$source"/src/cairn/{core,state,geometry,search,contact,integrate,hard,domain,world} "$@" | sort; }
joined() { sed 's/.*/#include "&"/' >"$build/$1.cpp"; }
sources -name '*_pass.cpp' | grep -v /pair_pass.cpp | joined passes
sources -name '*.cpp' | grep -vE '_pass.cpp|/world/' | joined rooms
sources -path '*/world/*.cpp' | grep -vE '_pass.cpp|/taylor.cpp' | joined world
# Longest first: none is left to run alone at the end.
files=("$build/world.cpp" "$source/src/cairn/world/taylor.cpp" "$build/rooms.cpp" "$build/passes.cpp"
       "$(sources -name pair_pass.cpp)" "$source/tests/determinism/print_hash.cpp")
objects_of() {
  local file
  for file in "${files[@]}"; do echo "$build/$1$2/$(basename "$file" .cpp).o"; done
}
status=0
rm -f "$build"/*/hashes  # of other builds, made by older sources
"$shipped" >"$build/shipped" &
running=($!)
mapfile -t builds < <(tr , '\n' <<<"${BUILDS:-clang++ -O3,g++ -O1}")
for one in "${builds[@]}"; do mkdir -p "$build/${one/ /}"; done
# Two at a time, those of all builds together: none is left to compile the rest of its files alone.
for file in "${files[@]}"; do
  printf "%s $file\n" "${builds[@]}"
done | xargs -P 2 -L 1 "$0" "$source" "$build" "$shipped"
for one in "${builds[@]}"; do
  read -r compiler level <<<"$one"
  mapfile -t objects < <(objects_of "$compiler" "$level")
  "$compiler" -pthread "${objects[@]}" -o "$build/$compiler$level/print_hash"
  "$build/$compiler$level/print_hash" >"$build/$compiler$level/hashes" &
  running+=($!)
done
for one in "${running[@]}"; do wait "$one"; done
cat "$build/shipped"
for out in "$build"/*/hashes; do
  diff "$build/shipped" "$out" || { echo "differs: $out"; status=1; }
done
[ $status -eq 0 ] && echo "the library and ${#builds[@]} builds, 0 differ" || echo "builds differ"
exit $status
