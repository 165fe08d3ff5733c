# cmake -DOUTPUT=file.c -DSTARTERS=a.yaml,b.yaml -DSCHEMA=x.json -P embed.cmake
# Turns text files into C string tables (src/cli/embedded.h).
include(${CMAKE_CURRENT_LIST_DIR}/literal.cmake)

set(code "#include \"cli/embedded.h\"\n\nconst cli_embedded cli_starters[] = {\n")
string(REPLACE "," ";" STARTERS "${STARTERS}")
set(count 0)
foreach(path ${STARTERS})
  get_filename_component(name "${path}" NAME_WE)
  as_literal("${path}" literal)
  string(APPEND code "  {\"${name}\",\n    ${literal}},\n")
  math(EXPR count "${count} + 1")
endforeach()
string(APPEND code "};\nconst size_t cli_starter_count = ${count};\n\n")
as_literal("${SCHEMA}" literal)
string(APPEND code "const cli_embedded cli_schema_file[] = {{\"scene\",\n    ${literal}}};\n")
file(WRITE "${OUTPUT}" "${code}")
