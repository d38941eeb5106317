# A user installs Hone and builds a program on it.
. "$(dirname "$0")/lib.sh"

unset LD_LIBRARY_PATH # the test runner's own: what is installed must do without
version=0.1.0
prefix=$TMP/opt/hone
build=${INSTALL_FROM:-$TMP/build} # a release that is built already, or a new one

case_begin "installs into a prefix"
RUN_TIMEOUT=800 run make --no-print-directory install PREFIX="$prefix" RELEASE="$build"
expect_status 0
run "$prefix/bin/hone" --version
expect_status 0
expect_out_contains "hone $version"

case_begin "a C program builds against it with pkg-config"
# the program that README.md shows
sed -n '/^#include <hone.h>/,/^}/p' README.md >"$TMP/user.c"
spec=examples/hotspot/hotspot.yaml
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
run cc "$TMP/user.c" -o "$TMP/user" $(pkg-config --cflags --libs hone)
expect_status 0
run env LD_LIBRARY_PATH="$prefix/lib" "$TMP/user" $spec
expect_status 0
expect_out 349853

case_begin "a C program builds against the static library"
run cc "$TMP/user.c" -o "$TMP/user-static" \
  $(pkg-config --static --cflags --libs hone | sed 's/-lhone/-l:libhone.a/')
expect_status 0
run "$TMP/user-static" $spec
expect_out 349853

case_begin "a C program builds against libhone-wisdom, which needs libc alone"
sed -n '/program: lookup.c/,/^```$/p' docs/library.md | sed '1,2d; $d' >"$TMP/lookup.c"
echo '{"hone_wisdom": 1, "entries": []}' >"$TMP/empty.wisdom"
run cc "$TMP/lookup.c" -o "$TMP/lookup" $(pkg-config --cflags --libs hone-wisdom)
expect_status 0
run env LD_LIBRARY_PATH="$prefix/lib" "$TMP/lookup" "$TMP/empty.wisdom" gemm
expect_out "default: K=0"
run cc "$TMP/lookup.c" -o "$TMP/lookup-static" $(pkg-config --cflags hone-wisdom) "$prefix/lib/libhone-wisdom.a"
expect_status 0
run "$TMP/lookup-static" "$TMP/empty.wisdom" gemm
expect_out "default: K=0"
run sh -c "ldd '$prefix/lib/libhone-wisdom.so.0' | grep -vE 'linux-vdso|libc\\.so|ld-linux'"
expect_out ""

case_begin "only what is public is visible"
run sh -c "nm -D --defined-only '$prefix/lib/libhone.so.0' | awk '{ print \$3 }' | grep -v '^hone_[a-z]'"
expect_out ""

case_begin "installs below DESTDIR"
run make --no-print-directory install PREFIX=/usr DESTDIR="$TMP/root" RELEASE="$build"
expect_status 0
run ls "$TMP/root/usr/bin" "$TMP/root/usr/include"
expect_out_contains "hone"
expect_out_contains "hone.h"

cases_end
