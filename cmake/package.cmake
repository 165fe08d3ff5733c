# Debian packages: one row of thud_package for each, by components of the rules in cmake/install.cmake. `make package` builds
# shared libraries for them, with the prefix /usr, SOURCE_DATE_EPOCH (the time of the last commit) and a fixed umask: the same
# sources give the same bytes. A further package is one more row, and COMPONENT in its install rules.
set(THUD_MAINTAINER "thud developers <thud@noreply.example.org>" CACHE STRING
    "Name and address of who makes the Debian packages")
set(THUD_DEBIAN_DIR ${CMAKE_CURRENT_BINARY_DIR}/debian)
find_program(THUD_GZIP gzip)
mark_as_advanced(THUD_GZIP)

string(TIMESTAMP THUD_PACKAGE_DATE "%a, %d %b %Y %H:%M:%S +0000" UTC) # honours SOURCE_DATE_EPOCH
string(TIMESTAMP THUD_PACKAGE_YEAR "%Y" UTC)
configure_file(cmake/debian/copyright.in ${THUD_DEBIAN_DIR}/copyright @ONLY)
configure_file(cmake/debian/changelog.in ${THUD_DEBIAN_DIR}/changelog @ONLY)

# thud_compress(FILE RESULT): FILE.gz without name and time, made with everything else.
set(THUD_COMPRESSED)
function(thud_compress file result)
  add_custom_command(OUTPUT ${file}.gz DEPENDS ${file} VERBATIM
                     COMMAND sh -c "\"$1\" -9nc \"$2\" >\"$2.gz\"" gzip ${THUD_GZIP} ${file})
  set(THUD_COMPRESSED ${THUD_COMPRESSED} ${file}.gz PARENT_SCOPE)
  set(${result} ${file}.gz PARENT_SCOPE)
endfunction()

set(CPACK_COMPONENTS_ALL)
# thud_package(COMPONENT NAME SECTION ARCHITECTURE DEPENDS RECOMMENDS SUMMARY TEXT): DEPENDS beside what the shared libraries
# of the package need and what CPACK_COMPONENT_<COMPONENT>_DEPENDS says. ARCHITECTURE: any or all.
macro(thud_package component name section architecture depends recommends summary text)
  string(TOUPPER ${component} upper)
  list(APPEND CPACK_COMPONENTS_ALL ${component})
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name})
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section})
  set(CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS "${depends}")
  set(CPACK_DEBIAN_${upper}_PACKAGE_RECOMMENDS "${recommends}")
  set(CPACK_COMPONENT_${upper}_DESCRIPTION "${summary}\n${text}")
  if(${architecture} STREQUAL all)
    set(CPACK_DEBIAN_${upper}_PACKAGE_ARCHITECTURE all)
  endif()
  # The documents that Debian asks for in every package; an installation without packages has neither.
  install(FILES ${THUD_DEBIAN_DIR}/copyright ${THUD_DEBIAN_DIR}/changelog.gz DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name}
          COMPONENT ${component} EXCLUDE_FROM_ALL)
endmacro()

if(THUD_GZIP AND BUILD_SHARED_LIBS)
  set(THUD_SONAME ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  set(THUD_ABOUT "thud computes motions that are not smooth: bodies that touch, stick and hit.
It has sweeping processes, Lagrangian systems by time stepping and from event
to event, rigid bodies, quasi-static motion, elastic contact, and solvers of
contact problems with friction, with residuals that justify each result.")
  thud_compress(${THUD_DEBIAN_DIR}/changelog changelog)
  thud_package(library libthud${THUD_SONAME} libs any "" "" "nonsmooth mechanics: shared library"
    "${THUD_ABOUT}\n.\nThis package contains the library that computes. It needs neither file formats
nor graphics.")
  set(CPACK_COMPONENT_IO_DEPENDS library)
  thud_package(io libthud-io${THUD_SONAME} libs any "" "fonts-dejavu-core"
    "nonsmooth mechanics: scenes, records and pictures, shared library"
    "${THUD_ABOUT}\n.\nThis package contains the library that reads scenes, runs them, writes and
verifies records, and draws them.")
  set(CPACK_COMPONENT_DEV_DEPENDS library io)
  thud_package(dev libthud-dev libdevel any "" "pkg-config" "nonsmooth mechanics: files for development"
    "${THUD_ABOUT}\n.\nThis package contains the headers of libthud and libthud-io and what CMake and
pkg-config need to find them.")
  if(TARGET thud_program)
    thud_package(program thud science any "fonts-dejavu-core" "" "nonsmooth mechanics: command-line program"
      "${THUD_ABOUT}\n.\nThis package contains the program thud, which runs scene files, verifies,
draws and exports their records, and solves contact problems.")
  endif()
  set(CPACK_COMPONENT_PYTHON_DEPENDS io)
  thud_package(python python3-thud python all "python3:any, python3-numpy, python3-cffi-backend" "python3-scipy" "nonsmooth mechanics: Python module"
    "${THUD_ABOUT}\n.\nThis package contains the Python module thud, whose results are numpy arrays.")
  thud_package(doc thud-doc doc all "" "" "nonsmooth mechanics: documentation and examples"
    "${THUD_ABOUT}\n.\nThis package contains the documentation in Markdown, and examples: scenes and
programs in C and Python.")
endif()

# Manual pages of packages are compressed. Static builds make no packages.
if(TARGET thud_man AND THUD_GZIP AND BUILD_SHARED_LIBS)
  foreach(page ${THUD_MAN_PAGES})
    get_filename_component(section ${page} LAST_EXT)
    string(SUBSTRING ${section} 1 -1 section)
    thud_compress(${page} compressed)
    install(FILES ${compressed} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section} COMPONENT program EXCLUDE_FROM_ALL)
  endforeach()
endif()
if(THUD_COMPRESSED)
  add_custom_target(thud_compressed ALL DEPENDS ${THUD_COMPRESSED})
endif()

# dpkg knows new shared libraries by a trigger; the calls of ldconfig that CPack writes are for older systems.
file(WRITE ${THUD_DEBIAN_DIR}/triggers "activate-noawait ldconfig\n")
foreach(component LIBRARY IO)
  set(CPACK_DEBIAN_${component}_PACKAGE_CONTROL_EXTRA ${THUD_DEBIAN_DIR}/triggers)
endforeach()
# Python compiles its files when the package is installed.
foreach(script postinst prerm)
  configure_file(cmake/debian/python-${script} ${THUD_DEBIAN_DIR}/python/${script} COPYONLY)
  list(APPEND CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${THUD_DEBIAN_DIR}/python/${script})
endforeach()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "${THUD_MAINTAINER}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # every package has its own
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SOURCE thud)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_CURRENT_BINARY_DIR}) # libthud, which libthud-io needs
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON)
set(CPACK_STRIP_FILES ON)
include(CPack)
