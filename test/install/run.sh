#!/usr/bin/env bash
# run.sh SOURCE BUILD WORK: installs libthud static and shared (the kind that BUILD is not is built here), builds
# consumer/ against each with CMake and with pkg-config, and runs it. Prints one TAP line per check.
set -uo pipefail
source=$1 build=$2 work=$3
failures=0
mkdir -p "$work"

check() { # check NAME COMMAND...
  local name=$1 log="$work/check.log"
  shift
  if "$@" >"$log" 2>&1; then
    echo "ok - $name"
  else
    echo "not ok - $name"
    sed 's/^/    /' "$log"
    failures=$((failures + 1))
  fi
}

# build_other KIND: the library alone, unoptimised, of the kind that the present build is not.
build_other() {
  local shared=OFF
  [ "$1" = static ] || shared=ON
  "$CMAKE_COMMAND" -S "$source" -B "$work/build-$1" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DBUILD_SHARED_LIBS=$shared \
    -DTHUD_TESTS=OFF -DCMAKE_C_COMPILER="$CC" && "$CMAKE_COMMAND" --build "$work/build-$1"
}

install_from() { # install_from BUILD PREFIX
  rm -rf "$2"
  "$CMAKE_COMMAND" --install "$1" --prefix "$2"
}

run_consumer() { # run_consumer PROGRAM
  local answer
  answer=$(LD_LIBRARY_PATH=$library_path "$1") && [ "$answer" = "$THUD_VERSION" ]
}

with_cmake() { # with_cmake PREFIX FOLDER
  rm -rf "$2"
  "$CMAKE_COMMAND" -S "$source/test/install/consumer" -B "$2" -G Ninja -DCMAKE_PREFIX_PATH="$1" \
    -DWANTED_VERSION="$THUD_VERSION" -DCMAKE_C_COMPILER="$CC" &&
    "$CMAKE_COMMAND" --build "$2" && run_consumer "$2/consumer"
}

# with_pkg_config PROGRAM [pkg-config options]; PKG_CONFIG_PATH and linker_prefix are set by the caller.
with_pkg_config() {
  local program=$1 flags libraries
  shift
  flags=$(pkg-config --cflags thud) && libraries=$(pkg-config "$@" --libs thud) || return
  # shellcheck disable=SC2086 # lists of flags
  "$CC" -std=c17 $flags "$source/test/install/consumer/consumer.c" -o "$program" $linker_prefix $libraries &&
    run_consumer "$program"
}

# The command that README.md gives for its C example, in a folder with that example.
with_readme_command() {
  local command folder=$work/readme-$1
  # shellcheck disable=SC2016 # the quotes and the dollar are those of the document
  command=$(sed -n 's/.*`\(cc wedge\.c \$(pkg-config[^`]*)\)`.*/\1/p' "$source/README.md")
  [ -n "$command" ] || return
  rm -rf "$folder" && mkdir -p "$folder" && cp "$source/examples/c/wedge.c" "$folder" &&
    (cd "$folder" && eval "${command/#cc/$CC}") &&
    LD_LIBRARY_PATH=$library_path "$folder/a.out" | grep -F 'v+ = (0.36, 0.48)'
}

# Every object of the archive, not only those the consumer needs: Libs.private and Requires.private are complete.
with_whole_archive() {
  local linker_prefix="-Wl,--whole-archive $1/libthud.a -Wl,--no-whole-archive"
  with_pkg_config "$work/consumer-whole" --static
}

not_found_message() {
  ! "$CMAKE_COMMAND" -S "$source/test/install/consumer" -B "$work/wrong-version" -G Ninja \
    -DCMAKE_PREFIX_PATH="$1" -DWANTED_VERSION=99.0 -DCMAKE_C_COMPILER="$CC"
}

for kind in static shared; do
  prefix="$work/prefix-$kind" from=$build
  if { [ $kind = shared ] && [ "$SHARED" != ON ]; } || { [ $kind = static ] && [ "$SHARED" = ON ]; }; then
    from="$work/build-$kind"
    check "build of a $kind library" build_other $kind
  fi
  check "installation, $kind" install_from "$from" "$prefix"
  pc=$(find "$prefix" -name thud.pc)
  library_path=$(dirname "$(dirname "$pc")")
  export PKG_CONFIG_PATH=${pc%/*}
  linker_prefix=
  check "consumer by find_package, $kind" with_cmake "$prefix" "$work/consumer-$kind"
  check "the C example of README.md by its command, $kind" with_readme_command $kind
  if [ $kind = static ]; then
    check "consumer by pkg-config --static" with_pkg_config "$work/consumer-pc-static" --static
    check "every object of the static library links" with_whole_archive "$library_path"
    check "another version is refused by find_package" not_found_message "$prefix"
    if [ -e "$prefix/bin/thud" ]; then
      check "the installed program runs" "$prefix/bin/thud" --version
    fi
  else
    check "consumer by pkg-config, shared" with_pkg_config "$work/consumer-pc-shared"
  fi
done
exit $((failures > 0))
