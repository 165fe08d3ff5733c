# Headers, library, program, manual pages, thudConfig.cmake (target thud::thud), thud.pc, and a Debian package.
include(CMakePackageConfigHelpers)

set(THUD_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/thud)
install(TARGETS thud EXPORT thudTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/thud DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
if(TARGET thud_program)
  install(TARGETS thud_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(FILES LICENSE CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/examples)
  install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.yaml" PATTERN "*.c"
          PATTERN "*.md")
endif()

# ---- CMake package ---------------------------------------------------------------------------------------

install(EXPORT thudTargets NAMESPACE thud:: DESTINATION ${THUD_CMAKE_DIR})
configure_package_config_file(cmake/thudConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/thudConfig.cmake
                              INSTALL_DESTINATION ${THUD_CMAKE_DIR})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/thudConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/thudConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/thudConfigVersion.cmake
              cmake/dependencies.cmake DESTINATION ${THUD_CMAKE_DIR})

# ---- pkg-config -------------------------------------------------------------------------------------------

list(JOIN THUD_PC_REQUIRES ", " THUD_PC_REQUIRES_TEXT)
list(JOIN THUD_PC_LIBS " " THUD_PC_LIBS_TEXT)
string(APPEND THUD_PC_LIBS_TEXT " -lpthread -lm")
# Programs that link a static libthud need what it is built on by name; a shared one brings it along. So that
# `pkg-config --libs thud` is enough for both, with and without --static.
set(THUD_PC_PRIVATE)
set(THUD_PC_LIBS_PUBLIC)
if(BUILD_SHARED_LIBS)
  set(THUD_PC_PRIVATE .private)
else()
  set(THUD_PC_LIBS_PUBLIC " ${THUD_PC_LIBS_TEXT}")
endif()
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
configure_file(cmake/thud.pc.in ${CMAKE_CURRENT_BINARY_DIR}/thud.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/thud.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# ---- manual pages -------------------------------------------------------------------------------------------

# docs/man/NAME.SECTION.scd, made with scdoc when it is there.
file(GLOB THUD_MAN_SOURCES CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/docs/man/*.scd)
find_program(THUD_SCDOC scdoc)
mark_as_advanced(THUD_SCDOC)
if(THUD_MAN_SOURCES AND THUD_SCDOC)
  set(pages)
  foreach(source ${THUD_MAN_SOURCES})
    get_filename_component(page ${source} NAME_WLE)
    get_filename_component(section ${page} LAST_EXT)
    string(SUBSTRING ${section} 1 -1 section)
    set(made ${CMAKE_CURRENT_BINARY_DIR}/man/${page})
    add_custom_command(OUTPUT ${made} DEPENDS ${source}
                       COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_CURRENT_BINARY_DIR}/man
                       COMMAND sh -c "\"$1\" <\"$2\" >\"$3\"" scdoc ${THUD_SCDOC} ${source} ${made} VERBATIM)
    list(APPEND pages ${made})
    install(FILES ${made} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section})
  endforeach()
  add_custom_target(thud_man ALL DEPENDS ${pages})
elseif(THUD_MAN_SOURCES)
  message(STATUS "The manual pages are not built: scdoc is missing (Debian's package scdoc)")
endif()

# ---- package --------------------------------------------------------------------------------------------------

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "the thud developers <thud@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS fonts-dejavu-core)
set(CPACK_STRIP_FILES ON)
include(CPack)
