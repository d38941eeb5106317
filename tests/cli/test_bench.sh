# Commands that are timed from outside, without a spec.
. "$(dirname "$0")/lib.sh"
export HONE COLUMNS=100 HONE_STORE="$TMP/store.db" HONE_CACHE="$TMP/cache" TMPDIR="$TMP"
cd "$TMP" || exit 1
cat >count.sh <<'END'
i=0
while [ $i -lt $1 ]; do i=$((i + 1)); done
END

case_begin "a longer command is slower, a shorter one faster than the baseline, and no file stays"
before=$(ls /tmp | grep -c '^hone-bench-')
run "$HONE" bench 'sh count.sh {COUNT}' --param COUNT=20000,1,90000 --progress none --margin 5
expect_status 0
printf '%s\n' "$OUT" | grep -q '^  COUNT=20000 .*baseline$' || fail "no baseline: $OUT"
printf '%s\n' "$OUT" | grep -q '^  COUNT=1 .*faster$' || fail "not faster: $OUT"
printf '%s\n' "$OUT" | grep -Eq '^  COUNT=90000 .*(slower|beaten early)$' || fail "not slower: $OUT"
expect_out_contains "IMPROVED: COUNT=1 is "
case $ERR in *answers*) fail "answers are of no interest: $ERR" ;; esac
expect_same "folders" "$before" "$(ls /tmp | grep -c '^hone-bench-')"
[ ! -e "$HONE_STORE" ] || fail "the user's store was written"

case_begin "several commands, commands around them, Markdown, a baseline that is not the first"
run "$HONE" bench 'sh count.sh 1' "sh count.sh 20000; echo x >>runs" --baseline COMMAND=2 --format markdown -n short \
  --export-csv out/rows.csv --export-json all.json --export-markdown rows.md \
  --setup 'echo setup >>around' --prepare 'echo {COMMAND} >>prepared' --cleanup 'echo cleanup >>around' -q --margin 5
expect_status 0
printf '%s\n' "$OUT" | grep -qF '| sh count.sh 20000; echo x >>runs | ' || fail "no baseline: $OUT"
printf '%s\n' "$OUT" | grep -q '^| short | .* | faster |$' || fail "not faster: $OUT"
expect_same "Markdown in a file" "$OUT" "$(cat rows.md)"
expect_same "names" '"short"
"sh count.sh 20000; echo x >>runs"' "$(sed '1d; s/.*,"/"/' out/rows.csv | sort -r)"
expect_contains json '"evaluations"' "$(cat all.json)"
expect_same "around" "setup
cleanup" "$(cat around)"
expect_same "each run is prepared" "$(wc -l <runs)" "$(grep -c 2 prepared)"

case_begin "a command that fails is one row"
run "$HONE" bench 'sh -c "exit {STATUS}"' --param STATUS=0,3 --format text
expect_status 0
expect_out_contains "crash, as STATUS=3: exit status 3"
case $ERR in *"hone run"*) fail "the spec is gone: $ERR" ;; esac
run "$HONE" bench 'sh -c "exit {STATUS}"' --param STATUS=0,3 -i --spec -
expect_status 0
expect_out_contains 'exit {STATUS}\"\u000a:"]'

case_begin "processor time, a store, CSV"
run "$HONE" bench 'sh count.sh {COUNT}' --param COUNT=9000 --time cpu --store kept.db --format csv -q
expect_status 0
expect_out_contains "configuration,time_ns,least_ns,greatest_ns,speedup,low,high,pairs,verdict,command
\"COUNT=9000\","
run "$HONE" show --store kept.db
expect_status 0
expect_out_contains "bench"

case_begin "the spec, for hone tune"
run "$HONE" bench 'sh count.sh {COUNT}' --param 'COUNT=range(1, 3)' --param 'X=a b' --spec spec.yaml
expect_status 2
expect_err_contains "'--param X=a b': no command contains {X}"
run "$HONE" bench 'sh count.sh {COUNT} | cat' --param 'COUNT=range(1, 3)' --spec spec.yaml
expect_status 0
expect_contains spec 'command: ["/bin/sh", "-c", "sh count.sh {COUNT} | cat"]' "$(cat spec.yaml)"
run "$HONE" space spec.yaml --count
expect_same "count" 2 "$OUT"
run "$HONE" tune spec.yaml --stop-after screen
expect_status 0

case_begin "what cannot be timed"
run "$HONE" bench
expect_status 2
run "$HONE" bench './missing {A}' --param A=1
expect_status 2
expect_err_contains "'./missing' is not a program: it is not in PATH, or cannot be executed"
run "$HONE" bench true false -N
expect_status 2
expect_err_contains "'--shell never' takes one command and no '--ignore-failure'"
run "$HONE" bench true --setup false
expect_status 1
expect_err_contains "'--setup' failed: false"

case_begin "run.time of a spec is for processes"
printf 'file: /bin/true\nbackend: program\nparams: {$A: [1]}\nrun: {mode: serve, time: wall}\n' >serve.yaml
run "$HONE" tune serve.yaml
expect_status 2
expect_err_contains "serve.yaml:4:26: error: 'run.time' is for programs that are started for each run"
printf 'file: /bin/true\nbackend: program\nparams: {$A: [1]}\nrun: {time: wal}\n' >serve.yaml
run "$HONE" tune serve.yaml
expect_status 2
expect_err_contains "'time' takes reported, wall or cpu, not 'wal'; did you mean 'wall'?"

cases_end
