# The public headers: each compiles by itself as C11 and as C++17, with every compiler that is here,
# and so does the example at its top. What they declare has C names in C++, too.
. "$(dirname "$0")/lib.sh"

# In C++ a function hides the struct of its name (hone_report_row), which g++ -Wshadow warns of.
warnings="-Wall -Wextra -Wpedantic -Wundef -Werror"
library=$(cd "$(dirname "$HONE")/../src" && pwd)/libhone.so

alone() { # alone COMPILER STANDARD SUFFIX [WARNING]: every header, included twice, without anything before it
  local header
  for header in include/*.h; do
    printf '#include "%s"\n#include "%s"\n' "${header#include/}" "${header#include/}" >"$TMP/one.$3"
    run "$1" "-std=$2" $warnings ${4-} -Iinclude -fsyntax-only "$TMP/one.$3"
    expect_status 0
  done
}

compilers() { # compilers NAME...: those that are here
  local name
  for name in "$@"; do
    if command -v "$name" >/dev/null; then echo "$name"; fi
  done
}

for compiler in $(compilers gcc clang); do
  case_begin "$compiler takes each header alone as C11"
  alone "$compiler" c11 c -Wshadow
done
for compiler in $(compilers g++ clang++); do
  case_begin "$compiler takes each header alone as C++17"
  alone "$compiler" c++17 cpp
done

example_of() { # example_of HEADER: the lines of its first comment that are indented as code
  sed -n '/\*\//q; s/^ \*   //p; s/^ \*$//p' "$1"
}

case_begin "the example of each header compiles"
for header in include/hone_results.h include/hone_replay.h include/hone_iree.h; do
  {
    printf '#include "%s"\n#include <stdio.h>\n' "${header#include/}"
    echo 'hone_status example(void);'
    echo 'hone_status example(void) { hone_status status = NULL;'
    example_of "$header"
    echo 'return status; }'
  } >"$TMP/example.c"
  expect_same "$header: the calls" yes "$(grep -q 'hone_.*_free(' "$TMP/example.c" && echo yes)"
  run cc -std=c11 $warnings -Iinclude -fsyntax-only "$TMP/example.c"
  expect_status 0
done

case_begin "every function that a header declares is in the library"
declared=$(sed 's/HONE_API/\nHONE_API/g' include/*.h | tr '\n' ' ' | sed 's/HONE_API/\n&/g' |
  grep -o '^HONE_API [^(]*(' | grep -o 'hone_[a-z0-9_]*(' | tr -d '(' | sort -u)
exported=$(nm -D --defined-only "$library" | awk '$2 == "T" { print $3 }' |
  grep '^hone_' | sort -u)
expect_same "what is declared and not defined" "" "$(comm -23 <(echo "$declared") <(echo "$exported"))"
expect_same "what is defined and not declared" "" "$(comm -13 <(echo "$declared") <(echo "$exported"))"

cpp=$(compilers g++ clang++ | head -n 1)
if [ -z "$cpp" ]; then
  case_skip "a program in C++ links" "there is no compiler of C++ here"
else
  case_begin "a program in C++ links"
  cat >"$TMP/user.cpp" <<'END'
#include "hone_iree.h"
#include "hone_replay.h"
#include "hone_results.h"
#include "hone_text.h"

#include <cstdio>

int main()
{
  struct hone_params *params = hone_params_parse("BM=64,USE=True,NAME='a,b'");
  struct hone_replay_options replay;
  struct hone_iree_tune_options tune;
  struct hone_value value;

  hone_replay_options_init(&replay);
  hone_iree_tune_options_init(&tune);
  std::printf("%d %d\n", replay.size == sizeof replay, tune.size == sizeof tune);
  std::printf("%zu %s %s\n", hone_params_count(params), hone_params_name(params, 2),
              hone_params_text(params, 2));
  if (hone_params_find(params, "BM", &value) && value.type == HONE_INT)
    std::printf("%lld\n", (long long)value.integer);
  std::printf("%d %d\n", hone_params_value(params, 1).type == HONE_BOOL,
              hone_params_find(params, "XX", &value));
  hone_params_free(params);
  return 0;
}
END
  sanitizers= # a library with a sanitizer needs a program with it
  if grep -aq __asan_init "$library"; then sanitizers=-fsanitize=address,undefined; fi
  run "$cpp" -std=c++17 $warnings $sanitizers -Iinclude "$TMP/user.cpp" -o "$TMP/user" "$library" \
    "-Wl,-rpath,$(dirname "$library")"
  expect_status 0
  run "$TMP/user"
  expect_status 0
  expect_same "its output" "$(printf '1 1\n3 NAME a,b\n64\n1 0')" "$OUT"
fi

cases_end
