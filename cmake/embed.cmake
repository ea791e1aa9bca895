# Files inside the program: cairn_embed(NAME FILE...) writes NAME.cpp into the build tree, which defines
# std::span<const EmbeddedFile> cairn::NAME() (formats/embedded.hpp), and appends it to cairn_embedded.
set(cairn_embedded)
function(cairn_embed name)
  set(source ${PROJECT_BINARY_DIR}/embedded/${name}.cpp)
  set(text "#include \"cairn/formats/embedded.hpp\"\n\nnamespace cairn {\n\nstatic constexpr EmbeddedFile files[] = {\n")
  foreach(file IN LISTS ARGN)
    file(READ "${file}" content)
    get_filename_component(base "${file}" NAME)
    string(APPEND text "{\"${base}\", R\"embedded(${content})embedded\"},\n")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
  endforeach()
  string(APPEND text "};\n\nstd::span<const EmbeddedFile> ${name}() {\n  return files;\n}\n\n}  // namespace cairn\n")
  file(CONFIGURE OUTPUT "${source}" CONTENT "${text}" @ONLY)  # touches it only if it changed
  set(cairn_embedded ${cairn_embedded} "${source}" PARENT_SCOPE)
endfunction()
