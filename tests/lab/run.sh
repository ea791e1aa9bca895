#!/bin/sh
# run.sh TEST CAIRN BUILD_FOLDER: runs a test of the laboratory where its tools are, else says what is missing.
for tool in node npm emcmake; do
  command -v $tool >/dev/null || { echo "skipped: $tool is missing (apt-get install emscripten nodejs npm)"; exit 77; }
done
if [ ! -e "$3/lab.html" ]; then
  echo "the laboratory is not built: cmake --build $3 --target lab"
  exit 1
fi
exec node "$(dirname "$0")/$1" "$2" "$3"
