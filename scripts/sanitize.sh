#!/usr/bin/env bash
# Random drops with every scheme, guards on and off, on several threads and restarted (tests/drops), under the address,
# undefined-behaviour and thread sanitizers; and the tests of Python, whose arrays stand on memory of the engine, under the
# first two.  scripts/sanitize.sh [DROPS of each scheme, 6]  or  scripts/sanitize.sh python, for those of Python alone
source "$(dirname "$0")/setup.sh"
case ${1:-} in
  -h | --help) sed -n '2,4s/^# //p' scripts/sanitize.sh; exit ;;
  python) drops= ;;
  *) drops=${1:-6} ;;
esac

# Python itself leaks at its end, so leaks are not looked for. numpy is not instrumented and may read freed memory unseen:
# what is freed is overwritten, so that arrays there show something else.
python_tests() {
  if ! /usr/bin/python3 -c "import numpy" 2>/dev/null; then
    echo "no tests of Python: python3-numpy is missing"
    return
  fi
  build asan -DCAIRN_TESTS=ON --target cairn_python
  build release -DCAIRN_TESTS=ON --target cairn
  # Into files, because the symbolizer outlives a fault and would hold a pipe open.
  local log=build/asan/python_tests.log
  for test in views python; do
    echo "Python, ${test}_test.py, asan:"
    LD_PRELOAD=$(clang++ -print-file-name=libclang_rt.asan-x86_64.so) PYTHONPATH=$PWD/build/asan/python \
      ASAN_OPTIONS=detect_leaks=0:max_free_fill_size=1000000000:free_fill_byte=165 \
      /usr/bin/python3 "tests/python/${test}_test.py" $([ $test = views ] || echo build/release/cairn) >"$log" 2>&1 </dev/null ||
      { cat "$log"; exit 1; }
    tail -n 3 "$log"
  done
}

if [ -n "$drops" ]; then
  for preset in asan tsan; do
    build $preset -DCAIRN_TESTS=ON --target test_drops
    echo "random drops, $preset:"
    CAIRN_DROPS=$drops TSAN_OPTIONS="halt_on_error=1" "build/$preset/tests/test_drops"
  done
fi
python_tests
