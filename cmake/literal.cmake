# as_literal(PATH RESULT): a text file as a C string literal, one piece per line of text, which keeps diffs and compilers
# calm. '?' is escaped because C17 knows trigraphs: a??(b) in a script is one.
function(as_literal path result)
  file(READ "${path}" text)
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  string(REPLACE "?" "\\?" text "${text}")
  string(REPLACE "\n" "\\n\"\n    \"" text "${text}")
  set(${result} "\"${text}\"" PARENT_SCOPE)
endfunction()
