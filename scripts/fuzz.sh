#!/usr/bin/env bash
# Feeds damaged input to the readers of scenarios, data files, tables and checkpoints.
# scripts/fuzz.sh [SECONDS for each reader, 20]
# Needs clang with libFuzzer. What makes a reader fail is kept in build/asan as crash-*; the exit code is not 0 then.
source "$(dirname "$0")/setup.sh"
seconds=${1:-20}
readers="scenario data csv archive"
build asan -DCAIRN_TESTS=ON --target cairn_fuzzers
kept=build/asan/fuzz
for reader in $readers; do mkdir -p "$kept/$reader"; done
cp scenarios/*.toml "$kept/scenario/"
printf -- '--set grains.0.radius=5 mm\n[run]\nstep = "20 us"\n' >"$kept/scenario/override"
printf 'bed\n\n2 atoms\n1 atom types\n0 1 xlo xhi\n0 1 ylo yhi\n0 1 zlo zhi\n\nAtoms # sphere\n\n1 1 0.1 2500 0 0 0\n2 1 0.1 2500 .5 0 0\n\nVelocities\n\n1 0 0 0 0 0 0\n2 0 0 0 0 0 0\n' >"$kept/data/bed"
printf '# units: m\n"x", y,z,radius,material\n1,-2e-3,+3,0.5,glass\n\n4,5,6,.5,"a b"\n' >"$kept/csv/grains"
printf '\1\0\0\0\10\0\0\0\20\0\0\0\0\0\0\0x\0\0\0\0\0\0\0aaaaaaaabbbbbbbb' >"$kept/archive/section"
found=0
for reader in $readers; do
  log=$kept/$reader.log
  build/asan/tests/fuzz_$reader -max_total_time="$seconds" -max_len=8192 -timeout=5 -verbosity=0 -print_final_stats=1 \
    -artifact_prefix="$kept/crash-$reader-" "$kept/$reader" >"$log" 2>&1 || found=1
  grep -E "number_of_executed|ERROR|SUMMARY|crash-" "$log" | sed "s/^/$reader: /"
done
if [ $found -ne 0 ]; then
  echo "findings in $kept"
  exit 1
fi
echo "no findings"
