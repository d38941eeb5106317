# reference.command and check.command as hone-spec(5) describes them: its example is what runs here.
. "$(dirname "$0")/lib.sh"
export HONE HONE_STORE="$TMP/store.db" HONE_CACHE="$TMP/cache"

example() { # example FIRST-LINE FILE: the display of the manual that begins so
  sed -n "/^$1/,/^\.Ed/p" docs/man/hone-spec.5 | sed '$d' >"$TMP/$2"
  [ -s "$TMP/$2" ] || fail "the manual has no example that begins with '$1'"
}

case_begin "the manual's example: a sort, its reference and its checker"
example 'file: sort.c' sort.yaml
example '# reference.py:' reference.py
example '# check.py:' check.py
cat >>"$TMP/sort.yaml" <<'END'
params: {KIND: [0, 1, 2]}
baseline: {KIND: 0}
END
cat >"$TMP/sort.c" <<'END'
#include <stdlib.h>
#include <string.h>
static int compare(const void *a, const void *b)
{
  float x = *(const float *)a, y = *(const float *)b;
  return KIND == 2 ? (x < y) - (x > y) : (x > y) - (x < y);
}
void sort(const float *x, float *y)
{
  memcpy(y, x, 1000 * sizeof *y);
  qsort(y, 1000, sizeof *y, compare);
}
END
run "$HONE" run "$TMP/sort.yaml" --processes 1 --config KIND=1
expect_status 0
expect_out_contains "outcome     ok"
run "$HONE" run "$TMP/sort.yaml" --processes 1 --config KIND=2
expect_status 1
expect_out_contains "wrong_result: y is not x in rising order (check.command: exit status 1)"

case_begin "a function that checks is named"
printf '%s\n' 'int is_right(const float *x, const float *y)' \
  '{ for (int i = 1; i < 1000; i++) if (y[i] < y[i - 1]) return 1; return x == y; }' >"$TMP/check.c"
sed '/^reference:/d; s/^check:.*/check: {file: check.c}/' "$TMP/sort.yaml" >"$TMP/function.yaml"
run "$HONE" run "$TMP/function.yaml" --processes 1 --config KIND=1
expect_status 0
expect_out_contains "answer      accepted by check.file"
run "$HONE" tune "$TMP/function.yaml" --no-confirm --quiet
expect_out_contains "judged by check.file"
run "$HONE" show last --format json
expect_out_contains '"answers": "function"'

case_begin "a checker that takes longer than a candidate may is waited for"
sed 's/^check:.*/check: {command: "sh slow.sh {dir}"}/' "$TMP/sort.yaml" >"$TMP/slow.yaml"
echo 'sleep 2; exec python3 check.py "$1"' >"$TMP/slow.sh"
run "$HONE" tune "$TMP/slow.yaml" --stop-after screen --no-cap
expect_status 0
expect_out_contains "evaluated    3 of 3 legal: 2 ok, 1 failed"
expect_out_contains "y is not x in rising order (check.command: exit status 1)"

case_begin "a checker that is not there is named"
sed 's/^check:.*/check: {command: "no-such-checker {dir}"}/' "$TMP/sort.yaml" >"$TMP/missing.yaml"
run "$HONE" run "$TMP/missing.yaml" --processes 1
expect_status 1
expect_out_contains "check.command: 'no-such-checker' cannot be started: no such file or directory"

case_begin "the reference alone is compared with"
sed -i '/^check:/d' "$TMP/sort.yaml"
run "$HONE" run "$TMP/sort.yaml" --processes 1 --config KIND=1
expect_out_contains "outcome     ok"
run "$HONE" run "$TMP/sort.yaml" --processes 1 --config KIND=2
expect_out_contains "wrong_result: y: "

case_begin "names that these commands do not know are found before anything runs"
cp "$TMP/sort.yaml" "$TMP/name.yaml"
printf 'check:\n  command: [python3, check.py, "{dir}", "{KIND}"]\n' >>"$TMP/name.yaml"
run "$HONE" tune "$TMP/name.yaml"
expect_status 2
expect_err_contains "name.yaml:$(wc -l <"$TMP/name.yaml"):12: error: unknown name {KIND}: this command supports only {dir}"
sed -i '/^check:/,$d; s/reference.py/reference.py {folder}/' "$TMP/name.yaml"
run "$HONE" tune "$TMP/name.yaml"
expect_status 2
expect_err_contains "error: unknown name {folder}: this command supports only {dir}"

case_begin "what is in the folder, where commands work, and what they are given"
cat >"$TMP/list.sh" <<'END'
# list.sh WHAT: into a file beside the spec
{
  pwd
  [ "$2" = "$HONE_OUTPUT_DIR" ] && echo "the same folder"
  (cd "$2" && find . -type f | sort)
  cat
} >"$1.txt"
if [ "$1" = reference ]; then cp "$2/x.npy" "$2/y.npy" && cp "$2/x.npy" "$2/z.npy"; fi
END
cat >"$TMP/copy.c" <<'END'
void copy(const float *x, float *y, float *z, int n)
{
  for (int i = 0; i < n; i++)
    y[i] = z[i] = x[i] + 0 * A;
}
END
cat >"$TMP/copy.yaml" <<'END'
file: copy.c
entry: copy
params: {A: [1]}
args:
- {name: x, type: f32, shape: [10], fill: normal}
- {name: y, type: f32, shape: [10], role: out}
- {name: z, type: f32, shape: [10], role: inout, fill: zero}
- {name: n, type: i32, value: 10}
reference: {command: "sh list.sh reference {dir}"}
check: {command: "sh list.sh check {dir}"}
END
run "$HONE" run "$TMP/copy.yaml" --processes 1
expect_status 0
expect_same "what the reference finds" "$(realpath "$TMP")
the same folder
./x.npy
./z.npy" "$(cat "$TMP/reference.txt")"
expect_same "what the check finds" "$(realpath "$TMP")
the same folder
./expected/y.npy
./expected/z.npy
./inputs/z.npy
./x.npy
./y.npy
./z.npy" "$(cat "$TMP/check.txt")"

cases_end
