# The shared library behind the Python package, and the package as it runs from the build folder: cmake --build ...
# --target cairn_python; PYTHONPATH=build/release/python. It needs no headers of Python: python/cairn/_library.py calls
# the C interface, cairn/facade/cairn.h, so one build serves every Python 3.
add_library(cairn_shared SHARED $<TARGET_OBJECTS:cairn_facade>)
target_link_libraries(cairn_shared PRIVATE cairn::cairn)
target_link_options(cairn_shared PRIVATE -Wl,--gc-sections -Wl,--version-script=${PROJECT_SOURCE_DIR}/python/exports.map)
set_target_properties(cairn_shared PROPERTIES OUTPUT_NAME cairn LINK_DEPENDS ${PROJECT_SOURCE_DIR}/python/exports.map
                      LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/python/cairn)
add_custom_target(cairn_python ALL DEPENDS cairn_shared)
file(GLOB cairn_python_files CONFIGURE_DEPENDS python/cairn/*.py python/cairn/*.pyi python/cairn/py.typed)
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/python/cairn)
foreach(file ${cairn_python_files})
  get_filename_component(name ${file} NAME)
  file(CREATE_LINK ${file} ${PROJECT_BINARY_DIR}/python/cairn/${name} SYMBOLIC)
endforeach()
