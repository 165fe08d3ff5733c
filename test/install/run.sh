#!/usr/bin/env bash
# run.sh SOURCE BUILD WORK: installs the libraries static or shared, as BUILD is, and with THUD_TEST_ALL=1 also the other
# kind, which is built here; builds consumer/ against each with CMake and with pkg-config, and runs it. Of shared libraries it also makes the Debian
# packages and looks at them. Prints one TAP line per check.
set -uo pipefail
source=$1 build=$2 work=$3
failures=0 linked=
mkdir -p "$work"
# The clone may lie in a folder with a space in its name, but $(pkg-config ...) cannot name an installed tree there.
prefixes=$(mktemp -d)
trap 'rm -rf "$prefixes"' EXIT

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
  "$CMAKE_COMMAND" -S "$source" -B "$work/build-$1" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG= -DBUILD_SHARED_LIBS=$shared \
    -DCMAKE_INSTALL_PREFIX=/usr -DTHUD_TESTS=OFF -DCMAKE_C_COMPILER="$CC" && "$CMAKE_COMMAND" --build "$work/build-$1"
}

install_from() { # install_from BUILD PREFIX
  rm -rf "$2"
  "$CMAKE_COMMAND" --install "$1" --prefix "$2"
}

run_consumer() { # run_consumer PROGRAM
  local answer
  answer=$(LD_LIBRARY_PATH=$library_path "$1") && [ "$answer" = "$THUD_VERSION" ]
}

# A program that solves an LCP: the closed form, and nothing of what libthud-io is built on, directly or not.
run_lcp() { # run_lcp PROGRAM
  local answer libraries
  answer=$(LD_LIBRARY_PATH=$library_path "$1") || return
  echo "$answer"
  grep -qF 'z = (3, 2), w = (0, 0)' <<<"$answer" || return
  libraries=$(LD_LIBRARY_PATH=$library_path ldd "$1") || return
  echo "$libraries"
  ! grep -E 'thud-io|cairo|hdf5|yaml|libz\.|png' <<<"$libraries" || return
  grep -q 'libc\.' <<<"$libraries" # the listing is one
}

with_cmake() { # with_cmake PREFIX FOLDER
  rm -rf "$2"
  "$CMAKE_COMMAND" -S "$consumer" -B "$2" -G Ninja -DCMAKE_PREFIX_PATH="$1" \
    -DWANTED_VERSION="$THUD_VERSION" -DCMAKE_C_COMPILER="$CC" &&
    "$CMAKE_COMMAND" --build "$2" && run_consumer "$2/consumer" && run_consumer "$2/io"
}

# with_pkg_config MODULE NAME PROGRAM [pkg-config options]: NAME.c of the consumer; PKG_CONFIG_PATH and linker_prefix are
# set by the caller.
with_pkg_config() {
  local module=$1 name=$2 program=$3 flags libraries
  shift 3
  flags=$(pkg-config --cflags "$module") && libraries=$(pkg-config "$@" --libs "$module") || return
  # shellcheck disable=SC2086 # lists of flags
  "$CC" -std=c17 $flags "$consumer/$name.c" -o "$program" $linker_prefix $libraries || return
  if [ "$name" = lcp ]; then run_lcp "$program"; else run_consumer "$program"; fi
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

# The libraries that a static libthud-io is linked to, sorted: `linked` of the first kind, the static one. With --static
# both kinds name these and no others: what only the archives of other projects need (libgfortran) may not be installed.
names_no_others() {
  local named
  named=$(pkg-config --static --libs-only-l thud-io | tr ' ' '\n' | sort -u) || return
  printf '%s\n' "linked:" "$linked" "named:" "$named"
  [ "$linked" = "$named" ]
}

# Every object of the archives, not only those the consumer needs: the pkg-config files are complete.
with_whole_archive() { # with_whole_archive LIBRARY_FOLDER MODULE NAME
  local linker_prefix="-Wl,--whole-archive $1/lib$2.a -Wl,--no-whole-archive"
  with_pkg_config "$2" "$3" "$work/whole-$3" --static
}

not_found_message() {
  ! "$CMAKE_COMMAND" -S "$consumer" -B "$work/wrong-version" -G Ninja \
    -DCMAKE_PREFIX_PATH="$1" -DWANTED_VERSION=99.0 -DCMAKE_C_COMPILER="$CC"
}

# Every installed file belongs to one component, those of the packages or `unpackaged`, and the parts are where they should be.
split_into_components() { # split_into_components BUILD WHOLE
  local parts="$prefixes/parts" component
  rm -rf "$parts"
  for component in library io dev program doc unpackaged; do
    "$CMAKE_COMMAND" --install "$1" --prefix "$parts/$component" --component $component >/dev/null || return
  done
  (cd "$2" && find . ! -type d | sort) >"$work/whole.txt"
  for component in "$parts"/*; do (cd "$component" && find . ! -type d); done |
    grep -Ev '/share/doc/(libthud|thud-doc|thud/(copyright|changelog)|thud-dev)|/man/man[0-9]/.*\.gz$' | sort >"$work/parts.txt"
  diff "$work/whole.txt" "$work/parts.txt" || return
  [ -e "$parts/dev/include/thud/thud.h" ] && [ -e "$parts/program/bin/thud" ] && [ ! -e "$parts/program/include" ] &&
    [ ! -e "$parts/doc/bin" ]
}

# The Debian packages of a shared build: names, texts, dependencies, no file twice; unpacked, the program runs a scene and a
# consumer is built against libthud-dev. lintian, where it is installed, finds no error.
make_packages() { # make_packages BUILD
  (cd "$1" && rm -f ./*.deb && umask 022 && cpack) || return
  [ "$(cd "$1" && echo *.deb | tr ' ' '\n' | sed 's/_.*//' | sort | tr '\n' ' ')" = \
    "libthud-dev libthud-io${THUD_VERSION%.*} libthud${THUD_VERSION%.*} python3-thud thud thud-doc " ]
}

look_at_packages() { # look_at_packages BUILD
  local package name text twice
  for package in "$1"/*.deb; do
    text=$(dpkg-deb -f "$package" Maintainer Description Version) || return
    echo "$text"
    ! grep -q localhost <<<"$text" && grep -q '^Version: '"$THUD_VERSION"'$' <<<"$text" &&
      [ "$(wc -l <<<"$text")" -gt 6 ] || return
    name=$(dpkg-deb -f "$package" Package)
    dpkg-deb -c "$package" >"$work/contents.txt" || return
    grep -q "/usr/share/doc/$name/copyright" "$work/contents.txt" &&
      grep -q "/usr/share/doc/$name/changelog.gz" "$work/contents.txt" || return
    grep -v '/$' "$work/contents.txt" | sed 's/.* \.\//\//; s/ -> .*//'
  done >"$work/packages.txt"
  twice=$(grep '^/usr' "$work/packages.txt" | sort | uniq -d)
  echo "files in several packages: $twice"
  [ -z "$twice" ] && dpkg-deb -f "$1"/libthud-io*.deb Depends | grep 'libthud[0-9].*libhdf5' &&
    ! dpkg-deb -f "$1"/libthud[0-9]*.deb Depends | grep -E 'hdf5|cairo|yaml'
}

use_packages() { # use_packages BUILD
  local root="$prefixes/root" package
  rm -rf "$root" && mkdir -p "$root"
  for package in "$1"/*.deb; do dpkg-deb -x "$package" "$root" || return; done
  "$root/usr/bin/thud" run "$source/examples/bouncing-ball.yaml" --no-record | grep 'verdict: good' || return
  # An example with its mesh, without the source tree.
  (cd "$root" && usr/bin/thud new --from plate-of-gmsh && usr/bin/thud run plate-of-gmsh.yaml --no-record) | grep 'verdict: good' || return
  library_path=$(dirname "$(find "$root" -name libthud.so)")
  PKG_CONFIG_PATH=$library_path/pkgconfig with_pkg_config thud-io io "$work/packaged-io"
}

# The packaged module beside the packaged libraries, by the system's Python, which has numpy in dist-packages.
use_python_package() { # use_python_package, after use_packages
  local root="$prefixes/root" module
  module=$(find "$root" -path '*/dist-packages/thud/__init__.py') && [ -n "$module" ] || return
  [ "$(dpkg-deb -f "$from"/python3-thud_*.deb Architecture)" = all ] || return
  dpkg-deb -f "$from"/python3-thud_*.deb Depends | grep 'libthud-io.*python3-numpy, python3-cffi-backend' || return
  (cd / && env -u THUD_LIBRARY PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$(dirname "$(dirname "$module")")" LD_LIBRARY_PATH="$library_path" \
    /usr/bin/python3 -c "import sys, thud; print(thud.__file__, thud.run(sys.argv[1]).verdict)" "$source/examples/bouncing-ball.yaml") |
    grep "^$root/.* good$"
}

# A user's folder may have a space in its name.
consumer="$work/a consumer"
rm -rf "$consumer" && mkdir -p "$consumer"
cp "$source"/test/install/consumer/* "$source/examples/c/lcp.c" "$consumer"

for kind in static shared; do
  prefix="$prefixes/$kind" from=$build
  if { [ $kind = shared ] && [ "$SHARED" != ON ]; } || { [ $kind = static ] && [ "$SHARED" = ON ]; }; then
    [ -n "${THUD_TEST_ALL:-}" ] || continue
    from="$work/build-$kind"
    check "build of a $kind library" build_other $kind
  fi
  check "installation, $kind" install_from "$from" "$prefix"
  check "every installed file belongs to one component, $kind" split_into_components "$from" "$prefix"
  pc=$(find "$prefix" -name thud.pc)
  library_path=$(dirname "$(dirname "$pc")")
  export PKG_CONFIG_PATH=${pc%/*}
  linker_prefix=
  [ $kind = shared ] || linked=$(pkg-config --libs-only-l thud-io | tr ' ' '\n' | sort -u)
  [ -z "$linked" ] || check "pkg-config --static names what thud is linked to and nothing else, $kind" names_no_others
  check "the $kind libraries export what test/abi lists" "$source/tools/abi" "$library_path"
  check "consumers by find_package, $kind" with_cmake "$prefix" "$consumer/build-$kind"
  check "an LCP by find_package links no files and no pictures, $kind" run_lcp "$consumer/build-$kind/lcp"
  check "the C example of README.md by its command, $kind" with_readme_command $kind
  option=
  [ $kind = shared ] || option=--static
  check "consumer by pkg-config $option, $kind" with_pkg_config thud consumer "$consumer/pc-$kind" $option
  check "consumer of thud-io by pkg-config $option, $kind" with_pkg_config thud-io io "$consumer/pc-io-$kind" $option
  check "an LCP by pkg-config links no files and no pictures, $kind" with_pkg_config thud lcp "$consumer/pc-lcp-$kind"
  if [ $kind = static ]; then
    check "every object of libthud.a links" with_whole_archive "$library_path" thud consumer
    check "every object of libthud-io.a links" with_whole_archive "$library_path" thud-io io
    check "another version is refused by find_package" not_found_message "$prefix"
    if [ -e "$prefix/bin/thud" ]; then
      check "the installed program runs" "$prefix/bin/thud" --version
    fi
  fi
  [ $kind = shared ] || continue
  missing=
  for tool in dpkg-deb dpkg-shlibdeps file gzip; do command -v $tool >/dev/null || missing="$missing $tool"; done
  if [ -n "$missing" ]; then
    echo "ok - Debian packages # SKIP needs$missing: make deps-dev"
    continue
  fi
  check "the six Debian packages are made" make_packages "$from"
  check "they have texts and documents, and share no file" look_at_packages "$from"
  check "unpacked, the program runs and a consumer is built" use_packages "$from"
  if /usr/bin/python3 -c 'import numpy, _cffi_backend' 2>/dev/null; then
    check "unpacked, the Python module runs a scene" use_python_package
  else
    echo "ok - unpacked, the Python module runs a scene # SKIP needs python3-numpy python3-cffi-backend: make deps-dev"
  fi
  if command -v lintian >/dev/null; then
    check "lintian finds no error" lintian --allow-root --tag-display-limit 0 --fail-on error "$from"/*.deb
  else
    echo "ok - lintian finds no error # SKIP needs lintian: make deps-dev"
  fi
done
exit $((failures > 0))
