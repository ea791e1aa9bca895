#!/usr/bin/env bash
# Random drops with every scheme, guards on and off, on several threads and restarted (tests/drops), under the address,
# undefined-behaviour and thread sanitizers.  scripts/sanitize.sh [DROPS of each scheme, 6]
source "$(dirname "$0")/setup.sh"
drops=${1:-6}
# Without archer the thread sanitizer does not see the barriers of OpenMP's own library.
archer=$(find /usr/lib -name libarcher.so | tail -1)
if [ -z "$archer" ]; then
  echo "sanitize: libarcher.so of LLVM's OpenMP is missing; expected the package libomp-dev" >&2
  exit 1
fi
for preset in asan tsan; do
  build $preset -DCAIRN_TESTS=ON --target test_drops
  echo "random drops, $preset:"
  CAIRN_DROPS=$drops OMP_WAIT_POLICY=passive OMP_TOOL_LIBRARIES="$archer" \
    TSAN_OPTIONS="ignore_noninstrumented_modules=1 halt_on_error=1" "build/$preset/tests/test_drops"
done
