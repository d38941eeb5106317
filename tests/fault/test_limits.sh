#!/usr/bin/env bash
# Small limits of the shell: a message says which one it is and what to do; nothing crashes, nothing waits.
. "$(dirname "$0")/../cli/lib.sh"
. "$(dirname "$0")/left.sh"
export HONE_STORE=$TMP/store.db HONE_CACHE=$TMP/cache
spec=tests/fault/steady.yaml
commands=("tune $spec --evals 2 --no-confirm --quiet --fresh" "run $spec" "show last" "worker --role run --device c")

# limited LIMITS COMMAND...: the program under limits, with input that has ended. The environment lies on the stack: a
# large one would leave nothing of 16 KiB to the program's loader.
limited() {
  COMMAND="\$ ulimit $1; hone ${*:2}"
  (unset $(compgen -e | grep -vE '^(PATH|HOME|TMP|TMPDIR|LD_LIBRARY_PATH|HONE.*)$') && ulimit $1 && exec "$HONE" "${@:2}") <"$TMP/empty" >"$TMP/stdout" 2>"$TMP/stderr"
  STATUS=$?
  ERR=$(cat "$TMP/stderr")
}
: >"$TMP/empty"
run "$HONE" tune $spec --evals 2 --no-confirm --quiet

for limit in "-n 5" "-n 6" "-n 8" "-n 12" "-n 16" "-n 24" "-s 16" "-s 64" "-s 128" "-s 256"; do
  case_begin "ulimit $limit: the limit is named"
  for command in "${commands[@]}"; do
    limited "$limit" $command
    expect_status 1
    expect_err_contains "raise it with 'ulimit ${limit% *} "
  done
done

case_begin "a limit that may be raised is raised"
for limit in "-S -n 16" "-S -s 64"; do
  limited "$limit" ${commands[0]}
  expect_status 0
done

case_begin "limits that suffice for the program but not for so many workers"
limited "-n 64" tune $spec --evals 2 --no-confirm --builders 40 --fresh
expect_status 1
expect_err_contains "raise it with 'ulimit -n "

case_begin "nothing is left running"
expect_nothing_left

cases_end
