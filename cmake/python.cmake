# The Python module (python/thud) in the build tree: `PYTHONPATH=BUILD/python python3` imports it. It is plain Python; beside its
# files stand the shared libraries, linked from objects that the build makes anyway. pip and `make package` install the same
# files (setup.py, cmake/install.cmake).
set(THUD_PYTHON_DIR ${CMAKE_BINARY_DIR}/python/thud)
file(GLOB THUD_PYTHON_FILES CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}/python/thud
     ${CMAKE_CURRENT_SOURCE_DIR}/python/thud/*.py ${CMAKE_CURRENT_SOURCE_DIR}/python/thud/py.typed)
file(MAKE_DIRECTORY ${THUD_PYTHON_DIR})
foreach(file ${THUD_PYTHON_FILES})
  file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR}/python/thud/${file} ${THUD_PYTHON_DIR}/${file} SYMBOLIC)
endforeach()

# thud_python_library(TARGET LIBRARY DEPENDENCIES...): without a version in its name, found beside whatever needs it.
function(thud_python_library target library)
  add_library(${target} SHARED $<TARGET_OBJECTS:${library}_objects>)
  get_target_property(name ${library} OUTPUT_NAME)
  if(NOT name)
    set(name ${library})
  endif()
  target_link_libraries(${target} PRIVATE ${ARGN} Threads::Threads m)
  if(NOT THUD_SANITIZE) # the program brings what sanitizers call
    target_link_options(${target} PRIVATE LINKER:--no-undefined)
  endif()
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE C OUTPUT_NAME ${name} BUILD_RPATH "\$ORIGIN"
                                             LIBRARY_OUTPUT_DIRECTORY ${THUD_PYTHON_DIR})
endfunction()
thud_python_library(thud_python_core thud ${THUD_CORE_DEPENDENCIES})
thud_python_library(thud_python_io thud_io thud_python_core ${THUD_IO_DEPENDENCIES})
add_custom_target(thud_python DEPENDS thud_python_core thud_python_io)
