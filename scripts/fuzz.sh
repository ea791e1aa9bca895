#!/usr/bin/env bash
# Feeds damaged input to the readers of scenarios, data files and tables.  scripts/fuzz.sh [SECONDS for each reader, 20]
# Needs clang with libFuzzer. What makes a reader fail is kept in build/fuzz as crash-*; the exit code is not 0 then.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
seconds=${1:-20}
build=build/fuzz
mkdir -p "$build/scenario" "$build/data" "$build/csv"
cp scenarios/*.toml "$build/scenario/"
printf -- '--set grains.0.radius=5 mm\n[run]\nstep = "20 us"\n' >"$build/scenario/override"
printf 'bed\n\n2 atoms\n1 atom types\n0 1 xlo xhi\n0 1 ylo yhi\n0 1 zlo zhi\n\nAtoms # sphere\n\n1 1 0.1 2500 0 0 0\n2 1 0.1 2500 .5 0 0\n\nVelocities\n\n1 0 0 0 0 0 0\n2 0 0 0 0 0 0\n' >"$build/data/bed"
printf '# units: m\n"x", y,z,radius,material\n1,-2e-3,+3,0.5,glass\n\n4,5,6,.5,"a b"\n' >"$build/csv/grains"
flags="-std=c++20 -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -Isrc"
readers="src/cairn/io/document.cpp src/cairn/io/files.cpp src/cairn/io/quantity.cpp src/cairn/io/scenario_file.cpp
         src/cairn/io/values.cpp src/cairn/run/sizes.cpp"
clang++ $flags tests/fuzz/scenario_fuzz.cpp $readers -o "$build/fuzz_scenario" &
clang++ $flags tests/fuzz/csv_fuzz.cpp src/cairn/io/csv.cpp src/cairn/io/files.cpp -o "$build/fuzz_csv"
clang++ $flags tests/fuzz/data_fuzz.cpp src/cairn/io/lammps_data.cpp src/cairn/io/files.cpp -o "$build/fuzz_data"
wait %1
for reader in scenario data csv; do
  "$build/fuzz_$reader" -max_total_time="$seconds" -max_len=8192 -timeout=5 -artifact_prefix="$build/crash-$reader-" \
    -verbosity=0 -print_final_stats=1 "$build/$reader" 2>&1 | grep -E "number_of_executed|ERROR|SUMMARY|crash-" |
    sed "s/^/$reader: /"
done
if ls "$build"/crash-* >/dev/null 2>&1; then
  echo "findings in $build"
  exit 1
fi
echo "no findings"
