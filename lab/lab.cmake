# The laboratory in the browser: cmake --build build/release --target lab leaves lab.html in the build folder. It is no
# part of what is built by default, because emscripten takes minutes. The page is TypeScript in lab/src, the engine
# comes from cmake/engine.
find_program(CAIRN_EMCMAKE emcmake)
find_program(CAIRN_NODE node)
find_program(CAIRN_NPM npm)
if(NOT CAIRN_EMCMAKE OR NOT CAIRN_NODE OR NOT CAIRN_NPM)
  message(STATUS "No laboratory: emscripten, nodejs or npm is missing")
  add_custom_target(lab COMMAND ${CMAKE_COMMAND} -E echo "the laboratory needs emscripten, nodejs and npm (packaging/apt.txt)"
                    COMMAND ${CMAKE_COMMAND} -E false VERBATIM)
  return()
endif()

set(lab_folder ${PROJECT_BINARY_DIR}/lab)
set(lab_engine ${lab_folder}/engine/engine.wasm ${lab_folder}/engine/engine.mjs)
# Debian's emscripten finds its own libraries of node there, with a node that is not Debian's too.
set(lab_environment ${CMAKE_COMMAND} -E env NODE_PATH=/usr/share/nodejs)
cmake_host_system_information(RESULT lab_jobs QUERY NUMBER_OF_LOGICAL_CORES)  # ninja by itself starts more
add_custom_target(lab_engine
                  COMMAND ${lab_environment} ${CAIRN_EMCMAKE} ${CMAKE_COMMAND} -S ${PROJECT_SOURCE_DIR}/cmake/engine
                          -B ${lab_folder}/engine -G Ninja >${lab_folder}/engine.log
                  COMMAND ${lab_environment} ${CMAKE_COMMAND} --build ${lab_folder}/engine -j ${lab_jobs}
                  BYPRODUCTS ${lab_engine} USES_TERMINAL VERBATIM COMMENT "The engine as WebAssembly")
file(MAKE_DIRECTORY ${lab_folder})

set(lab_modules ${lab_folder}/node_modules.stamp)
add_custom_command(OUTPUT ${lab_modules} DEPENDS ${PROJECT_SOURCE_DIR}/lab/package-lock.json
                   COMMAND ${CAIRN_NPM} ci --silent COMMAND ${CMAKE_COMMAND} -E touch ${lab_modules}
                   WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/lab VERBATIM COMMENT "npm ci in lab/")

file(GLOB_RECURSE lab_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/lab/src/* ${PROJECT_SOURCE_DIR}/lab/profiles/*
     ${PROJECT_SOURCE_DIR}/lab/experiments/*
     ${PROJECT_SOURCE_DIR}/scenarios/*.toml ${PROJECT_SOURCE_DIR}/third_party/uplot/*)
list(APPEND lab_sources ${PROJECT_SOURCE_DIR}/lab/index.html ${PROJECT_SOURCE_DIR}/lab/vite.config.ts)
add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/lab.html DEPENDS ${lab_sources} ${lab_modules} ${lab_engine} lab_engine
                   COMMAND ${CAIRN_NPM} run --silent check
                   COMMAND ${CMAKE_COMMAND} -E env CAIRN_ENGINE=${lab_folder}/engine CAIRN_LAB=${lab_folder}/page
                           ${CAIRN_NPM} run --silent build -- --logLevel error
                   COMMAND ${CMAKE_COMMAND} -E copy ${lab_folder}/page/index.html ${PROJECT_BINARY_DIR}/lab.html
                   WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/lab VERBATIM COMMENT "lab.html")
add_custom_target(lab DEPENDS ${PROJECT_BINARY_DIR}/lab.html)
