# Overruns end the program instead of changing it (THUD_HARDEN), and the same sources give the same bytes in every folder.
# Sanitizers are left alone: they replace the functions that _FORTIFY_SOURCE checks, and look at stacks themselves.

if(THUD_HARDEN AND NOT THUD_SANITIZE AND NOT THUD_FUZZ)
  add_compile_options(-fstack-protector-strong)
  if(CMAKE_BUILD_TYPE MATCHES "^(Release|RelWithDebInfo|MinSizeRel)$") # without optimisation nothing is checked
    add_compile_options(-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
  endif()
  if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
    # Functions of other libraries are looked up at the start; their addresses are read-only afterwards.
    add_link_options(LINKER:-z,relro LINKER:-z,now)
  endif()
endif()

# Names of files in debugging information do not tell where sources and build lie; other optimised builds hold no names.
if(CMAKE_BUILD_TYPE STREQUAL "RelWithDebInfo")
  add_compile_options("-ffile-prefix-map=${PROJECT_SOURCE_DIR}=." "-ffile-prefix-map=${PROJECT_BINARY_DIR}=build")
endif()
# The folder of the build would stay in libthud-io.so, as room for the path that an installation replaces.
set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)
