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
# the program that docs/recipes.md shows
sed -n '/^#include <hone.h>/,/^}/p' docs/recipes.md >"$TMP/user.c"
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

case_begin "a plug-in builds against the installed header, which has a manual"
run cc -shared -fPIC examples/plugin-c/plugin.c -o "$TMP/plugin.so" $(pkg-config --cflags hone)
expect_status 0
[ -e "$prefix/share/man/man7/hone-serve.7" ] || fail "there is no hone-serve(7)"
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
run sh -c "ldd '$prefix/lib/libhone-wisdom.so.0.1' | grep -vE 'linux-vdso|libc\\.so|ld-linux'"
expect_out ""

case_begin "only what is public is visible"
run sh -c "nm -D --defined-only '$prefix/lib/libhone.so.0.1' | awk '{ print \$3 }' | grep -v '^hone_[a-z]'"
expect_out ""
run tools/symbols.sh "$prefix/lib/libhone.so.0.1"
expect_status 0

# ---- Programs that tune ----

export HONE_CACHE=$TMP/cache HOST_TRACE=$TMP/trace
unset HONE_PROGRAM HONE_STORE
mkdir "$TMP/page"

# blocks KIND: writes the fenced blocks of docs/library.md that follow a line <!-- KIND: NAME -->, and prints their names.
blocks() {
  awk -v kind="$1" -v folder="$TMP/page" '
    $0 ~ "^<!-- " kind ": .* -->$" { name = $3; next }
    /^```/ { if (name != "" && !open) { open = 1; print name } else { open = 0; name = "" } next }
    open { print >(folder "/" name) }' docs/library.md
}

case_begin "every program of docs/library.md builds and runs"
blocks file >/dev/null
spec=$TMP/page/copy.yaml
flags=$(pkg-config --cflags --libs hone)
for program in $(blocks program); do
  if [ "$program" = lookup.c ]; then continue; fi # see libhone-wisdom above
  run cc -std=c11 -Wall -Wextra -Werror -D_DEFAULT_SOURCE "$TMP/page/$program" -o "$TMP/page/${program%.c}" $flags
  expect_status 0
  run env -C "$TMP/page" LD_LIBRARY_PATH="$prefix/lib" HONE_STORE="$TMP/page.db" "./${program%.c}" copy.yaml
  expect_status 0
  cp "$TMP/stdout" "$TMP/page/${program%.c}.out"
done
expect_same "count.c" 4 "$(cat "$TMP/page/count.out")"
if ! grep -q '^run 1: ' "$TMP/page/tune.out"; then fail "tune.c printed: $(cat "$TMP/page/tune.out")"; fi

case_begin "the library finds hone in its own prefix, also after both were moved"
cp -r "$prefix" "$TMP/moved"
mv "$prefix" "$prefix.away"
rm -f "$TMP/page/copy.db"
run env -C "$TMP/page" LD_LIBRARY_PATH="$TMP/moved/lib" PATH=/usr/bin:/bin ./tune copy.yaml
expect_status 0
expect_out_contains "run 1: "
mv "$prefix.away" "$prefix"

case_begin "a host that is linked statically tunes"
run cc "$TMP/page/tune.c" -o "$TMP/page/tune-static" \
  $(pkg-config --static --cflags --libs hone | sed 's/-lhone/-l:libhone.a/')
expect_status 0
rm -f "$TMP/page/copy.db"
run env -C "$TMP/page" PATH=/usr/bin:/bin ./tune-static copy.yaml
expect_status 0
expect_out_contains "run 1: "

case_begin "a host in C++ tunes, and is not started again"
run c++ -std=c++17 -Wall -Wextra -Werror tests/cli/library_host.cpp -o "$TMP/host" $flags
expect_status 0
run env LD_LIBRARY_PATH="$prefix/lib" HONE_STORE="$TMP/cpp.db" "$TMP/host" "$spec"
expect_status 0
expect_out_contains "finished"
expect_out_contains "winner"
if [ -e "$HOST_TRACE" ]; then fail "the host was started as a worker"; fi

case_begin "a host in Python tunes"
run python3 tests/cli/library_host.py "$prefix/lib/libhone.so.0.1" "$spec" "$TMP/python.db"
expect_status 0
expect_out_contains "finished"
expect_out_contains "winner"

case_begin "installs below DESTDIR"
RUN_TIMEOUT=800 run make --no-print-directory install PREFIX=/usr DESTDIR="$TMP/root" RELEASE="$build"
expect_status 0
run ls "$TMP/root/usr/bin" "$TMP/root/usr/include"
expect_out_contains "hone"
expect_out_contains "hone.h"

cases_end
