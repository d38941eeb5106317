#!/usr/bin/env bash
# A space divided among several runs, each with its own store, and the stores merged.
. "$(dirname "$0")/lib.sh"
export COLUMNS=200 HONE_CACHE=$TMP/cache
unset HONE_STORE
cd "$TMP"
recording r.json "A=range(1, 5), B=[1, 2, 4, 8, 16], C=range(3)" "1 + abs(A - 3) / 10 + abs(B - 4) / 20 + C / 7" 10

configs() { # configs STORE...: all that were evaluated as candidates, one a line
  python3 - "$@" <<'END'
import sqlite3, sys
for path in sys.argv[1:]:
    for config, in sqlite3.connect(path).execute("SELECT config FROM evaluations WHERE NOT is_baseline"): print(config)
END
}
baselines() {
  python3 -c 'import sqlite3, sys
print(*{row[0] for path in sys.argv[1:] for row in sqlite3.connect(path).execute("SELECT baseline FROM runs")})' "$@"
}
part() { # part I/N OPTION...: a run of it, in a store of its own
  run "$HONE" tune r.json --partition "$1" --store "${1%/*}.db" --quiet "${@:2}"
  expect_status 0
}

case_begin "the parts of a space are disjoint, and together they are the whole"
run "$HONE" space r.json --list --format csv
sort "$TMP/stdout" | grep -v A,B,C >whole
for i in 1 2 3 4 5 6 7; do
  run "$HONE" space r.json --list --format csv --partition $i/7
  expect_status 0
  grep -v A,B,C "$TMP/stdout"
done >parts
expect_same "parts" "$(cat whole)" "$(sort parts)"
run "$HONE" space r.json --count --partition 7/7
expect_out 9

case_begin "a part that is empty is said to be so, and no constraint is blamed"
printf '%s\n' 'params: {A: [1, 2, 3]}' 'constraints: [A > 1]' >few.yaml
run "$HONE" space few.yaml --count --partition 1/100
expect_status 1
expect_err_contains "this part of the space is empty"
case $ERR in *contradict*) fail "a constraint is blamed: $ERR" ;; esac

case_begin "three runs evaluate exactly the configurations of the whole, with one baseline"
for strategy in exhaustive auto genetic; do
  rm -f ./*.db*
  for i in 1 2 3; do part $i/3 --strategy $strategy --no-confirm --evals 100; done
  expect_same "baselines" A=1,B=1,C=0 "$(baselines 1.db 2.db 3.db)"
  # The baseline itself is a candidate of no part.
  expect_same "$strategy" "$(sed 's/\(.*\),\(.*\),\(.*\)/A=\1,B=\2,C=\3/' whole | grep -vx A=1,B=1,C=0)" \
    "$(configs 1.db 2.db 3.db | sort)"
done

case_begin "seeds of other parts are left to them"
rm -f 3.db*
part 3/3 --evals 1 --no-confirm --seed-config A=1,B=2,C=0 --seed-config A=4,B=4,C=0
expect_same "first" A=4,B=4,C=0 "$(configs 3.db)"

case_begin "wrong parts are refused"
for part in 0/3 4/3 1/0 x/3 1/; do
  run "$HONE" tune r.json --partition $part
  expect_status 2
  expect_err_contains "'--partition' needs M:N with M below N, or I/N with I from 1 to N, not '$part'"
done
run "$HONE" tune r.json --partition 1/100 --store none.db
expect_status 1
expect_err_contains "part 1 of 100 parts is empty"
echo 'params: {A: "range(1000000000)", B: "range(1000000000)", C: "range(1000)", D: "range(1000)"}' >huge.yaml
run "$HONE" space huge.yaml --count --partition 1/2
expect_err_contains "has no parts: divide it with --filter"

case_begin "the runs of a part say so"
rm -f ./*.db*
for i in 1 2 3; do part $i/3 --strategy exhaustive; done
run "$HONE" show last --store 2.db
expect_out_contains "part 2/3 of the space with 20 legal"

case_begin "stores are merged once, however often"
run "$HONE" merge 1.db 2.db -o all.db
expect_status 0
expect_err_contains "'2.db': 1 run added, 0 known"
expect_out_contains "part 3/3 is missing or not finished"
run "$HONE" merge 1.db 2.db 3.db all.db -o all.db
expect_status 0
expect_err_contains "'2.db': 0 runs added, 1 known"
expect_same "merged" "$(configs 1.db 2.db 3.db | sort)" "$(configs all.db | sort)"

case_begin "the best of all parts, and the command that confirms it"
expect_out_contains "r: 3 of 3 parts"
expect_out_contains "best of all parts: A=3,B=4,C=0, 1.35x (run 2)"
expect_out_contains "were confirmed in different runs, not against each other"
command=$(tail -n 1 "$TMP/stdout")
[[ $command != *--partition* ]] || fail "it is of one part: $command"
run bash -c "${command/#*hone /\"$HONE\" }"
expect_status 0
run "$HONE" merge all.db -o all.db
expect_out_contains "best of all parts: A=3,B=4,C=0, 1.35x (run 4)"
expect_out_contains "were confirmed against each other in run 4"

case_begin "what is not a store is not merged with one"
echo '{}' >some.wisdom
run "$HONE" merge 1.db some.wisdom -o all.db
expect_status 2
expect_err_contains "stores and wisdom files cannot be merged with each other"
run "$HONE" merge 1.db 2.db
expect_status 2
expect_err_contains "'--output FILE' is needed"

cases_end
