#!/usr/bin/env bash
# check.sh: builds Hone in every way and runs all tests. The last line is `N passed, N failed`.
#
# Each step counts as one test. Unit tests, command-line tests and fuzz targets count besides one
# by one: a test is a TAP line, `ok N - name`, `not ok N - name` or `ok N - name # SKIP reason`.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
export LC_ALL=C.UTF-8

passed=0 failed=0 skipped=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT
exec 3>&1

step() { # step TITLE COMMAND...: the command's output is shown if it fails
  local title=$1 start=$SECONDS
  shift
  printf '\n== %s\n' "$title"
  if "$@" >"$log" 2>&1; then
    passed=$((passed + 1))
    echo "   ok ($((SECONDS - start)) s)"
  else
    failed=$((failed + 1))
    tail -n 100 "$log"
    echo "   FAILED: $title ($((SECONDS - start)) s)"
    return 1
  fi
}

tests() { # tests TITLE FOLDER OPTION...: runs tests of a build and adds up their TAP lines
  local title=$1 folder=$2 start=$SECONDS counts
  shift 2
  printf '\n== %s\n' "$title"
  rm -f "$folder/meson-logs/testlog.json"
  # More at once than there are processors: many of them wait for a deadline most of their time.
  meson test -C "$folder" --no-rebuild --num-processes $((3 * $(nproc))) "$@" >"$log" 2>&1
  if ! tools/count-tests.py "$folder/meson-logs/testlog.json" >"$log.counted" 2>>"$log"; then
    failed=$((failed + 1))
    tail -n 100 "$log"
    echo "   FAILED: $title"
  else
    read -r -a counts < <(tail -n 1 "$log.counted")
    sed '$d' "$log.counted"
    passed=$((passed + counts[0])) failed=$((failed + counts[1])) skipped=$((skipped + counts[2]))
    echo "   ${counts[0]} passed, ${counts[1]} failed ($((SECONDS - start)) s)"
  fi
  rm -f "$log.counted"
}

fuzz() { # fuzz FOLDER
  local start=$SECONDS
  printf '\n== fuzz each parser for %s seconds\n' "${FUZZ_SECONDS:=2}"
  export FUZZ_SECONDS
  tools/fuzz.sh "$1" 2>&1 | tee "$log"
  if ! grep -q '^1\.\.' "$log"; then failed=$((failed + 1)); fi
  passed=$((passed + $(grep -c '^ok ' "$log")))
  failed=$((failed + $(grep -c '^not ok ' "$log")))
  echo "   ($((SECONDS - start)) s)"
}

sanitized_build() { # one build for the sanitizers and the fuzzers; what computes much is optimized even so (src/meson.build)
  build clang build-clang --werror -Doptimization=0 -Db_sanitize=address,undefined -Db_lundef=false -Dfuzz=light
}

# What takes time but not both processors is begun early, behind everything else: downloads while the compiler works,
# builds while tests of faults wait for deadlines.
declare -A begun began_log
begin() { # begin NAME COMMAND...
  local name=$1
  shift
  began_log[$name]=$(mktemp)
  (renice -n 19 $BASHPID && "$@") >"${began_log[$name]}" 2>&1 &
  begun[$name]=$!
}

end() { # end NAME: its output and its status
  local status=0
  wait "${begun[$1]}" || status=$?
  cat "${began_log[$1]}"
  rm -f "${began_log[$1]}"
  return "$status"
}

downloads() { # without them the tests that need them are skipped
  tools/install-iree.sh
  tools/install-nvrtc.sh
}

setup() { # what it installs is shown
  tools/setup.sh check >&3
}

build() { # build CC FOLDER OPTION...
  local linker= # lld links the many programs of the tests in a quarter of the time; what is installed is linked as usual
  if [ "$1" = clang ] && command -v ld.lld >/dev/null; then linker=lld; fi
  CC=$1 ${linker:+env CC_LD=$linker} tools/configure.sh "${@:2}" -Dtests=enabled && ninja -C "$2"
}

thread_build() { # of this build three tests are run: what takes no threads needs no such sanitizer
  CC=gcc tools/configure.sh build-tsan -Db_sanitize=thread -Doptimization=0 -Dtests=enabled &&
    ninja -C build-tsan tests/test_threads tests/test_kernel_table tests/test_wisdom
}

man_pages() { mandoc -T lint -W warning docs/man/*.[1-8]; }

finish() {
  printf '\n%d passed, %d failed' "$passed" "$failed"
  if [ "$skipped" -gt 0 ]; then printf ', %d skipped' "$skipped"; fi
  printf '\n'
  [ "$failed" = 0 ]
  exit
}

step "setup" setup || finish
begin downloads downloads
step "clang-format" tools/format.sh --check
step "includes point down" tools/check-includes.py
step "prefixes belong to one room" tools/check-names.py
step "man pages" man_pages
release=false sanitized=false
if step "gcc, release, -Werror" build gcc build-gcc --werror --buildtype=release -Dbench=true; then
  release=true
  step "portable program" tools/dist-binary.sh build-gcc
fi
begin sanitized sanitized_build
printf '\n== IREE and NVRTC\n'
end downloads
if $release; then
  tests "faults, conformance of the backends, Python package, tests with other compilers" build-gcc --suite fault --suite cts --suite python --suite release
fi
step "clang, address and undefined sanitizers, -Werror" end sanitized && sanitized=true
begin threads thread_build
if $sanitized; then
  tests "unit and command-line tests" build-clang --suite unit --suite cli --no-suite release
  INSTALL_FROM=$PWD/build-gcc tests "install" build-clang --suite install
  fuzz build-clang
fi
if step "gcc, thread sanitizer" end threads; then
  tests "threads" build-tsan --suite unit threads kernel_table wisdom
fi
finish
