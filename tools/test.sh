#!/usr/bin/env bash
# test.sh [PROGRAM[:CASE]]: runs unit and command-line tests of build/ and tests of the Python package, but for those
# whose time is that of other compilers or of a browser; or one program, of any suite; or those of its cases whose names have CASE in
# them. The last line is `N passed, N failed`.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
export LC_ALL=C.UTF-8
log=build/meson-logs/testlog.json
program=${1-}
case $program in
*:*) export TEST_CASE=${program#*:} ;;
esac
program=${program%%:*}

if ! grep -q cmocka build/build.ninja; then # it was installed after this build was set up, or never
  pkg-config --exists cmocka || { echo "test: the tests need packages that are missing; 'tools/setup.sh check' installs them" >&2; exit 2; }
  tools/configure.sh build -Dtests=enabled && ninja -C build --quiet || exit 1
fi
rm -f "$log"
if [ -z "$program" ]; then
  # More at once than there are processors: many of them wait for a deadline most of their time.
  meson test -C build --no-rebuild --print-errorlogs --num-processes $((3 * $(nproc))) \
    --suite unit --suite cli --suite python --no-suite compilers --no-suite release
else
  meson test -C build --no-rebuild "$program" >build/meson-logs/test.txt 2>&1
fi
if [ ! -s "$log" ]; then
  echo "test: no test program '$program'; 'meson test -C build --list' names them all" >&2
  exit 2
fi
tools/count-tests.py --cases "$log" >build/meson-logs/cases.txt
if [ -n "$program" ]; then sed '$d' build/meson-logs/cases.txt; fi
read -r passed failed skipped < <(tail -n 1 build/meson-logs/cases.txt)
if [ $((passed + failed + skipped)) = 0 ]; then
  echo "test: no case of '$program' has '$TEST_CASE' in its name" >&2
  exit 2
fi
if [ -z "$program" ]; then
  echo "left to 'make check': the tests whose time is that of compilers (of IREE, OpenCL, CUDA, HIP, Triton, TileLang, and of all examples) or of a browser, and those that repeat much ('make test T=iree_tune' runs one)"
fi
printf '\n%d passed, %d failed%s\n' "$passed" "$failed" "$([ "$skipped" = 0 ] || echo ", $skipped skipped")"
[ "$failed" = 0 ]
