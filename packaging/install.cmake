# What `cmake --install` puts where, and the Debian package of it: cpack, or the target `package`.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(packaging ${PROJECT_SOURCE_DIR}/packaging)
set(generated ${PROJECT_BINARY_DIR}/packaging)
set(config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/cairn)
set(pkgconfig_folder ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(TARGETS cairn RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS cairn_library EXPORT cairn ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/cairn DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h")

# The Python package, where Debian's Python looks for packages
if(TARGET cairn_shared)
  set(python_folder lib/python3/dist-packages/cairn)
  install(TARGETS cairn_shared LIBRARY DESTINATION ${python_folder} COMPONENT python)
  install(FILES ${cairn_python_files} DESTINATION ${python_folder} COMPONENT python)
  install(FILES ${packaging}/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/python3-cairn COMPONENT python)
endif()

# find_package(cairn)
install(EXPORT cairn NAMESPACE cairn:: FILE cairnTargets.cmake DESTINATION ${config_folder})
configure_package_config_file(${packaging}/cairnConfig.cmake.in ${generated}/cairnConfig.cmake
                              INSTALL_DESTINATION ${config_folder} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${generated}/cairnConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${generated}/cairnConfig.cmake ${generated}/cairnConfigVersion.cmake DESTINATION ${config_folder})

# pkg-config, from wherever the prefix was moved to
file(RELATIVE_PATH prefix_from_pkgconfig ${CMAKE_INSTALL_PREFIX}/${pkgconfig_folder} ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" prefix_from_pkgconfig "${prefix_from_pkgconfig}")
configure_file(${packaging}/cairn.pc.in ${generated}/cairn.pc @ONLY)
install(FILES ${generated}/cairn.pc DESTINATION ${pkgconfig_folder})

install(FILES ${PROJECT_BINARY_DIR}/lab.html DESTINATION ${CMAKE_INSTALL_DATADIR}/cairn OPTIONAL)  # cairn lab looks there
install(DIRECTORY ${PROJECT_SOURCE_DIR}/scenarios DESTINATION ${CMAKE_INSTALL_DATADIR}/cairn)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs)
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/ARCHITECTURE.md
              ${PROJECT_SOURCE_DIR}/CONTRIBUTING.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md
        DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${packaging}/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})

# The manual page tells what the program tells of itself.
add_custom_command(OUTPUT ${generated}/cairn.1 COMMAND cairn man > ${generated}/cairn.1 DEPENDS cairn VERBATIM)
add_custom_target(cairn_manual ALL DEPENDS ${generated}/cairn.1)
install(FILES ${generated}/cairn.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)

install(FILES ${packaging}/completion.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME cairn)
install(FILES ${packaging}/completion.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d RENAME cairn.fish)
# Debian's zsh looks into the second of these only, others into the first.
foreach(folder site-functions vendor-completions)
  install(FILES ${packaging}/completion.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/${folder} RENAME _cairn)
endforeach()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME cairn)
set(CPACK_PACKAGE_VENDOR Cairn)
set(CPACK_PACKAGE_CONTACT "The Cairn developers <maintainers@cairn.invalid>")
set(CPACK_PACKAGE_DESCRIPTION
    "Grains with friction and rotation, any time-integration scheme with any contact\nlaw, every joule booked, and the same bits on any number of threads.\nThis package holds the program, the C++ library with its headers, ready\nscenarios and the documentation.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
# Two packages: cairn, and python3-cairn, which is complete without it.
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_NAME cairn)
set(CPACK_COMPONENT_UNSPECIFIED_DESCRIPTION ${CPACK_PACKAGE_DESCRIPTION})
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-cairn)
set(CPACK_COMPONENT_PYTHON_DESCRIPTION
    "Python package of the discrete element engine Cairn\nScenarios, runs, arrays without copies, checkpoints, schemes and laws as data.")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3 (>= 3.9), python3-numpy")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-pandas, cairn")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "g++, cmake, pkg-config, libpng-dev, libfmt-dev, gnuplot-nox, paraview")  # to build on the library; to see figures, frames
include(CPack)
