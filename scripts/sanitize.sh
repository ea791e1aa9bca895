#!/usr/bin/env bash
# Random drops with every scheme, guards on and off, on several threads and restarted (tests/drops), under the address,
# undefined-behaviour and thread sanitizers.  scripts/sanitize.sh [DROPS of each scheme, 6]
source "$(dirname "$0")/setup.sh"
drops=${1:-6}
for preset in asan tsan; do
  build $preset -DCAIRN_TESTS=ON --target test_drops
  echo "random drops, $preset:"
  CAIRN_DROPS=$drops TSAN_OPTIONS="halt_on_error=1" "build/$preset/tests/test_drops"
done
