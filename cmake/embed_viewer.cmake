# cmake -DOUTPUT=file.c -DSCRIPT=viewer.js -DSTYLE=viewer.css -P embed_viewer.cmake
# Turns the built viewer into C strings (src/page/viewer.h).
include(${CMAKE_CURRENT_LIST_DIR}/literal.cmake)

set(code "#include \"page/viewer.h\"\n")
foreach(part SCRIPT STYLE)
  as_literal("${${part}}" literal)
  string(TOLOWER ${part} name)
  string(APPEND code "\nconst char thud_viewer_${name}[] =\n    ${literal};\n"
                     "const size_t thud_viewer_${name}_length = sizeof thud_viewer_${name} - 1;\n")
endforeach()
file(WRITE "${OUTPUT}" "${code}")
