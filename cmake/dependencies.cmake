# Finds what thud is built on; every message names the Debian package that brings the missing piece.
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)

set(THUD_DEPENDENCIES)

function(thud_require_pkg target module package)
  pkg_check_modules(${target} IMPORTED_TARGET ${module})
  if(NOT ${target}_FOUND)
    message(FATAL_ERROR "${module} is missing: apt-get install ${package} (or: make deps)")
  endif()
  set(THUD_DEPENDENCIES ${THUD_DEPENDENCIES} PkgConfig::${target} PARENT_SCOPE)
endfunction()

# SuiteSparse ships neither pkg-config nor CMake files on Debian.
function(thud_require_library library header package)
  find_library(THUD_${library}_LIBRARY ${library})
  find_path(THUD_${library}_INCLUDE ${header} PATH_SUFFIXES suitesparse)
  if(NOT THUD_${library}_LIBRARY OR NOT THUD_${library}_INCLUDE)
    message(FATAL_ERROR "${library} is missing: apt-get install ${package} (or: make deps)")
  endif()
  add_library(thud_dep_${library} INTERFACE IMPORTED)
  set_target_properties(thud_dep_${library} PROPERTIES INTERFACE_LINK_LIBRARIES ${THUD_${library}_LIBRARY}
                        INTERFACE_INCLUDE_DIRECTORIES ${THUD_${library}_INCLUDE})
  set(THUD_DEPENDENCIES ${THUD_DEPENDENCIES} thud_dep_${library} PARENT_SCOPE)
endfunction()

thud_require_pkg(LAPACKE lapacke liblapacke-dev)
thud_require_pkg(OPENBLAS openblas libopenblas-dev)
thud_require_pkg(YAML yaml-0.1 libyaml-dev)
thud_require_pkg(HDF5 hdf5-serial libhdf5-dev)
thud_require_pkg(CAIRO cairo libcairo2-dev)
if(THUD_WITH_GPL)
  thud_require_library(cholmod cholmod.h libsuitesparse-dev)
else()
  thud_require_library(amd amd.h libsuitesparse-dev)
endif()
