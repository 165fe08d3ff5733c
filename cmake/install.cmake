# Headers, libraries, program, manual pages, thudConfig.cmake (targets thud::thud, thud::io), thud.pc, thud-io.pc. Every rule
# names its component; cmake/package.cmake makes a Debian package of each. What only an installation without packages has
# (plain manual pages, the licence) is the component `unpackaged`.
include(CMakePackageConfigHelpers)

set(THUD_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/thud)
foreach(target thud thud_io)
  string(REPLACE thud_io io component ${target})
  string(REPLACE thud library component ${component})
  install(TARGETS ${target} EXPORT ${target}_targets
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${component} NAMELINK_COMPONENT dev)
endforeach()
# The installed libthud-io.so finds the libthud.so beside it wherever the tree lies; in /usr the system finds both.
if(NOT CMAKE_INSTALL_PREFIX STREQUAL "/usr")
  set_target_properties(thud_io PROPERTIES INSTALL_RPATH "\$ORIGIN")
endif()
install(DIRECTORY include/thud DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev FILES_MATCHING PATTERN "*.h")
if(TARGET thud_program)
  install(TARGETS thud_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
endif()
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT unpackaged)
install(FILES CHANGELOG.md README.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT doc)
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs COMPONENT doc PATTERN man EXCLUDE
        PATTERN conf.py EXCLUDE)
install(FILES docs/scene.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/thud COMPONENT program)
if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/examples)
  install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT doc FILES_MATCHING PATTERN "*.yaml"
          PATTERN "*.c" PATTERN "*.md" PATTERN "*.py" PATTERN "*.ipynb" PATTERN "*.mtx" PATTERN "*.msh" PATTERN "*.pgm"
          PATTERN "*.csv" PATTERN "*.h5" PATTERN "*.dat")
endif()
# The Python module of the Debian package, which finds the libraries of the system. Without packages: pip install .
file(GLOB THUD_PYTHON_SOURCES CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/python/thud/*.py)
install(FILES ${THUD_PYTHON_SOURCES} ${CMAKE_CURRENT_SOURCE_DIR}/python/thud/py.typed DESTINATION lib/python3/dist-packages/thud
        COMPONENT python EXCLUDE_FROM_ALL)

# ---- CMake package ---------------------------------------------------------------------------------------

# Two files: a program that uses thud::thud alone needs nothing of what thud::io is built on.
install(EXPORT thud_targets FILE thudTargets.cmake NAMESPACE thud:: DESTINATION ${THUD_CMAKE_DIR} COMPONENT dev)
install(EXPORT thud_io_targets FILE thudIoTargets.cmake NAMESPACE thud:: DESTINATION ${THUD_CMAKE_DIR} COMPONENT dev)
configure_package_config_file(cmake/thudConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/thudConfig.cmake
                              INSTALL_DESTINATION ${THUD_CMAKE_DIR})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/thudConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/thudConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/thudConfigVersion.cmake
              cmake/dependencies.cmake DESTINATION ${THUD_CMAKE_DIR} COMPONENT dev)

# ---- pkg-config -------------------------------------------------------------------------------------------

# Relative to the file itself, so that the installed tree can be moved (packages are made in a staging folder).
file(RELATIVE_PATH THUD_PC_UP "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
set(THUD_PC_PREFIX "\${pcfiledir}/${THUD_PC_UP}")
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  set(THUD_PC_PREFIX "${CMAKE_INSTALL_PREFIX}")
endif()
foreach(kind LIBDIR INCLUDEDIR)
  if(IS_ABSOLUTE "${CMAKE_INSTALL_${kind}}")
    set(THUD_PC_${kind} "${CMAKE_INSTALL_${kind}}")
  else()
    set(THUD_PC_${kind} "\${prefix}/${CMAKE_INSTALL_${kind}}")
  endif()
endforeach()
# Programs that link static libraries need what they are built on by name; shared ones bring it along. So that
# `pkg-config --libs thud` is enough for both, with and without --static. Libraries are named, not required as modules:
# with --static a module also names what its own archive needs (OpenBLAS: libgfortran, which a machine without a Fortran
# compiler lacks), but Debian has no archives of METIS and Qhull, so that what thud is built on is always linked shared.
# thud_write_pc(NAME PART DESCRIPTION REQUIRES LIBRARIES): for CORE or IO what dependencies.cmake found, then LIBRARIES
function(thud_write_pc THUD_PC_NAME part THUD_PC_DESCRIPTION THUD_PC_REQUIRES libraries)
  string(JOIN " " THUD_PC_LIBS_PRIVATE ${THUD_${part}_PC_LIBS} ${libraries})
  set(THUD_PC_LIBS)
  if(NOT BUILD_SHARED_LIBS)
    set(THUD_PC_LIBS " ${THUD_PC_LIBS_PRIVATE}")
    set(THUD_PC_LIBS_PRIVATE)
  endif()
  configure_file(cmake/thud.pc.in ${CMAKE_CURRENT_BINARY_DIR}/${THUD_PC_NAME}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${THUD_PC_NAME}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)
endfunction()
thud_write_pc(thud CORE "${PROJECT_DESCRIPTION}" "" "-lpthread -lm")
thud_write_pc(thud-io IO "${PROJECT_DESCRIPTION}: files, records, runs, pictures, studies" "thud = ${PROJECT_VERSION}" "")

# ---- manual pages -------------------------------------------------------------------------------------------

# docs/man/NAME.SECTION.scd, made with scdoc.
file(GLOB THUD_MAN_SOURCES CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/docs/man/*.scd)
find_program(THUD_SCDOC scdoc)
mark_as_advanced(THUD_SCDOC)
if(THUD_MAN AND THUD_MAN_SOURCES AND THUD_SCDOC)
  set(THUD_MAN_PAGES)
  foreach(source ${THUD_MAN_SOURCES})
    get_filename_component(page ${source} NAME_WLE)
    get_filename_component(section ${page} LAST_EXT)
    string(SUBSTRING ${section} 1 -1 section)
    set(made ${CMAKE_CURRENT_BINARY_DIR}/man/${page})
    add_custom_command(OUTPUT ${made} DEPENDS ${source}
                       COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_CURRENT_BINARY_DIR}/man
                       COMMAND sh -c "\"$1\" <\"$2\" >\"$3\"" scdoc ${THUD_SCDOC} ${source} ${made} VERBATIM)
    list(APPEND THUD_MAN_PAGES ${made})
    install(FILES ${made} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section} COMPONENT unpackaged)
  endforeach()
  add_custom_target(thud_man ALL DEPENDS ${THUD_MAN_PAGES})
elseif(THUD_MAN AND THUD_MAN_SOURCES)
  message(FATAL_ERROR "Missing, with Debian's package name: scdoc (scdoc), for the manual pages. Run: make deps, or "
                      "configure with -DTHUD_MAN=OFF to install none")
endif()

# ---- completion of command lines -------------------------------------------------------------------------------

# Written by the program that was built, where bash, zsh and fish look for them.
set(THUD_COMPLETIONS)
if(TARGET thud_program AND NOT CMAKE_CROSSCOMPILING)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/completions)
  # thud_completion(SHELL FILE DESTINATION)
  function(thud_completion shell file destination)
    add_custom_command(OUTPUT ${folder}/${file} DEPENDS thud_program VERBATIM
                       COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
                       COMMAND sh -c "\"$1\" completion $2 >\"$3\"" thud $<TARGET_FILE:thud_program> ${shell} ${folder}/${file})
    install(FILES ${folder}/${file} DESTINATION ${CMAKE_INSTALL_DATADIR}/${destination} COMPONENT program)
    set(THUD_COMPLETIONS ${THUD_COMPLETIONS} ${folder}/${file} PARENT_SCOPE)
  endfunction()
  thud_completion(bash thud bash-completion/completions)
  thud_completion(zsh _thud zsh/site-functions)
  thud_completion(fish thud.fish fish/vendor_completions.d)
endif()
add_custom_target(thud_completions ALL DEPENDS ${THUD_COMPLETIONS})

# What an installation consists of, without the tests: `make install` builds this.
add_custom_target(thud_products DEPENDS thud thud_io thud_completions)
foreach(target thud_program thud_man)
  if(TARGET ${target})
    add_dependencies(thud_products ${target})
  endif()
endforeach()

include(cmake/package.cmake)
