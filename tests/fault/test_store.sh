#!/usr/bin/env bash
# The store and the cache after errors of the operating system: full disks, foreign files, several processes at
# once, missing folders, closed descriptors. What was acknowledged stays, and what is refused is left as
# it is.
. "$(dirname "$0")/../cli/lib.sh"
. "$(dirname "$0")/left.sh"
. "$(dirname "$0")/store.sh"
export HONE_STORE=$TMP/store.db HONE_CACHE=$TMP/cache
export HOME=$TMP/home
RUN_TIMEOUT=150
mkdir "$HOME"
cp tests/fault/steady.c tests/fault/steady.yaml "$TMP"
cd "$TMP" || exit 1
# What is stored does not depend on how it was measured: a recording where many rows are needed.
python3 - >large.json <<'PY'
import json
cache = {str(k): {"KNOB": k, "time": 1 + k / 1000, "compile_time": 5} for k in range(5000)}
print(json.dumps({"device_name": "none", "kernel_name": "k", "tune_params_keys": ["KNOB"],
                  "tune_params": {"KNOB": list(range(5000))}, "cache": cache}))
PY
printf '%s\n' 'name: large' 'backend: sim' 'file: large.json' 'sim: {pace: 1}' >large.yaml
sed 's/name: steady/name: other/; s/N: 1024/N: 2048/' steady.yaml >other.yaml

expect_whole() { # expect_whole STORE: it is sound, and nothing is in it twice
  expect_same "integrity of $1" ok "$(ask "$1" 'pragma integrity_check')"
  expect_same "duplicates in $1" "" \
    "$(ask "$1" 'select run, config, count(*) from evaluations where not is_baseline
                 group by 1, 2 having count(*) > 1')"
}
tune() { # tune ARGUMENTS: a short run
  run "$HONE" tune steady.yaml --evals 5 --no-confirm --quiet "$@"
}

# ---- Full disks ----

disk=$TMP/disk
mkdir "$disk"
small_disk() { # small_disk SIZE: false where that is not allowed
  mount -t tmpfs -o "size=$1" tmpfs "$disk" 2>"$TMP/why"
}
trap 'umount "$disk" 2>/dev/null; rm -rf "$TMP"' EXIT

if small_disk 600k; then
  case_begin "the store's disk is full: said by name, and the store is sound"
  run "$HONE" tune large.yaml --evals 200 --no-confirm --quiet --store "$disk/store.db"
  expect_status 1
  expect_err_contains "$disk/store.db"
  expect_err_contains "full"
  expect_whole "$disk/store.db"
  kept=$(ask "$disk/store.db" 'select config, id from evaluations where not is_baseline')
  [ -n "$kept" ] || fail "nothing was kept"

  case_begin "a report can be read from a full disk"
  run "$HONE" show last --store "$disk/store.db"
  expect_status 0
  expect_out_contains "continue"

  case_begin "with room again the same command goes on"
  mount -o remount,size=32m "$disk"
  run "$HONE" tune large.yaml --evals 200 --no-confirm --quiet --store "$disk/store.db"
  expect_status 0
  expect_whole "$disk/store.db"
  expect_same "runs" "1 finished" "$(ask "$disk/store.db" 'select id, state from runs')"
  count=$(ask "$disk/store.db" 'select count(*) from evaluations')
  [ "$count" = 200 ] || [ "$count" = 201 ] || fail "$count evaluations" # the baseline may be among the 200
  now=$(ask "$disk/store.db" 'select config, id from evaluations where not is_baseline')
  lost=$(comm -23 <(sort <<<"$kept") <(sort <<<"$now"))
  expect_same "lost evaluations" "" "$lost"
  umount "$disk"

  case_begin "no room for a new store"
  small_disk 8k
  dd if=/dev/zero of="$disk/filler" bs=1k count=8 2>/dev/null
  tune --store "$disk/store.db"
  expect_status 1
  expect_err_contains "$disk/store.db"
  umount "$disk"

  case_begin "the cache's disk is full: the run goes on"
  small_disk 40k
  HONE_CACHE=$disk/cache tune --no-cap --store "$TMP/cacheless.db"
  expect_status 0
  expect_same "outcomes" ok "$(ask "$TMP/cacheless.db" 'select distinct outcome from evaluations')"
  umount "$disk"

  case_begin "files of init, bench and report on a full disk: said by name, and nothing half is left"
  small_disk 64k
  echo 'old' >"$disk/steady.yaml"
  echo 'old' >"$disk/run.html"
  cp "$disk/run.html" "$disk/run.svg"
  dd if=/dev/zero of="$disk/filler" bs=1k count=64 2>/dev/null
  "$HONE" tune large.yaml --evals 5 --no-confirm --quiet --store "$TMP/kept.db" >/dev/null 2>&1
  full() { # full FILE COMMAND...: it fails, and names the file, which stays as it is
    local file=$1 before
    before=$(cat "$file" 2>/dev/null)
    shift
    run "$HONE" "$@"
    expect_status 1
    expect_err_contains "$file"
    expect_err_contains "no space left on device"
    expect_same "the old file" "$before" "$(cat "$file" 2>/dev/null)"
  }
  full "$disk/steady.yaml" init steady.c --force -o "$disk/steady.yaml"
  full "$disk/new.yaml" init steady.c -o "$disk/new.yaml"
  full "$disk/run.html" report last --store "$TMP/kept.db" -o "$disk/run.html"
  full "$disk/run.svg" report last --store "$TMP/kept.db" -o "$disk/run.svg"
  full "$disk/bars.svg" report last --store "$TMP/kept.db" --svg bars -o "$disk/bars.svg"
  full "$disk/spec.yaml" bench true --spec "$disk/spec.yaml"
  expect_same "files" "filler run.html run.svg steady.yaml" "$(ls "$disk" | xargs)"

  case_begin "the folder that bench works in is full"
  TMPDIR=$disk run "$HONE" bench true 'sleep 0' --budget 2s
  expect_status 1
  expect_err_contains "$disk"
  expect_same "files" "filler run.html run.svg steady.yaml" "$(ls "$disk" | xargs)"
  run "$HONE" bench true --budget 2s --store "$disk/bench.db"
  expect_status 1
  expect_err_contains "$disk/bench.db"
  umount "$disk"
else
  case_skip "the store's disk is full" "no file system can be mounted: $(cat "$TMP/why")"
fi

case_begin "a limit of file sizes is a full disk"
rm -f "$HONE_STORE"*
(ulimit -f 200 && exec "$HONE" tune large.yaml --evals 100 --no-confirm --quiet) >out 2>err
STATUS=$? OUT=$(cat out) ERR=$(cat err) COMMAND="\$ hone tune with ulimit -f"
expect_status 1
expect_err_contains "cannot write to the store '$HONE_STORE'"
expect_whole "$HONE_STORE"

case_begin "results that cannot be written"
for command in "tune steady.yaml --evals 5 --no-confirm --quiet" "show" "show last" "show last --format json"; do
  "$HONE" $command >/dev/full 2>err
  STATUS=$? ERR=$(cat err) COMMAND="\$ hone $command >/dev/full"
  expect_status 1
  expect_err_contains "cannot write to standard output: no space left"
done

# ---- Files that are no store ----

refuse() { # refuse STATUS WORD: the store is left as it is
  before=$(sha256sum "$TMP/refused" 2>/dev/null)
  for command in "tune steady.yaml --evals 2 --no-confirm" "show"; do
    run "$HONE" $command --store "$TMP/refused"
    expect_status "$1"
    expect_err_contains "refused"
    expect_err_contains "$2"
  done
  expect_same "the file" "$before" "$(sha256sum "$TMP/refused" 2>/dev/null)"
  [ ! -e "$TMP/refused-wal" ] || fail "there is a refused-wal"
}

case_begin "the store is a folder"
mkdir "$TMP/refused"
refuse 2 "is a folder"
rmdir "$TMP/refused"

case_begin "the store is a text"
echo "dear diary" >"$TMP/refused"
refuse 2 "not an SQLite file"

case_begin "the store is of another program"
rm "$TMP/refused"
ask "$TMP/refused" 'create table t (x)'
refuse 2 "another program"

case_begin "the store is newer"
rm -f "$HONE_STORE"*
tune
cp "$HONE_STORE" "$TMP/refused"
ask "$TMP/refused" 'pragma journal_mode=delete' >/dev/null
ask "$TMP/refused" 'pragma user_version=999'
refuse 1 "newer version of hone"

case_begin "the store is truncated"
for size in 50 8192 20000; do
  ask "$HONE_STORE" 'pragma wal_checkpoint(truncate)' >/dev/null
  head -c $size "$HONE_STORE" >"$TMP/refused"
  refuse 1 "damaged"
done

case_begin "a store with a torn page in its middle"
cp "$HONE_STORE" "$TMP/refused"
dd if=/dev/urandom of="$TMP/refused" bs=4096 seek=1 count=12 conv=notrunc 2>/dev/null
run "$HONE" show last --store "$TMP/refused"
expect_status 1
expect_err_contains "refused"
rm -f "$TMP/refused"*

case_begin "a folder that cannot be written"
mkdir -p "$TMP/locked"
chmod 555 "$TMP/locked"
if [ "$(id -u)" = 0 ]; then
  drop=(setpriv --reuid=65534 --regid=65534 --clear-groups)
  chmod 755 "$TMP"
else
  drop=()
fi
if "${drop[@]}" true 2>/dev/null; then
  HONE_CACHE='' run "${drop[@]}" "$HONE" tune steady.yaml --evals 2 --no-confirm -q --store "$TMP/locked/s.db"
  expect_status 1
  expect_err_contains "$TMP/locked/s.db"
  chmod 755 "$TMP/locked"
  cp "$HONE_STORE" "$TMP/locked/s.db"
  chmod 444 "$TMP/locked/s.db"
  chmod 555 "$TMP/locked"
  run "${drop[@]}" "$HONE" show --store "$TMP/locked/s.db"
  expect_status 0
  run "${drop[@]}" "$HONE" tune steady.yaml --evals 2 --no-confirm -q --store "$TMP/locked/s.db"
  expect_status 1
  expect_err_contains "$TMP/locked/s.db"
fi

# ---- Several at once ----

case_begin "the same spec twice at once with --no-wait: one goes on, the other names it"
rm -f "$HONE_STORE"*
"$HONE" tune large.yaml --strategy exhaustive --no-confirm --quiet >/dev/null 2>&1 &
driver=$!
wait_for_rows 5
run "$HONE" tune large.yaml --strategy exhaustive --no-confirm --quiet --no-wait
expect_status 1
expect_err_contains "pid $driver"

case_begin "hone show beside a run"
for _ in 1 2 3 4 5; do
  run "$HONE" show last
  expect_status 0
  expect_out_contains "still running"
  run "$HONE" show
  expect_status 0
  expect_out_contains "running"
done

case_begin "a run whose process was killed is taken over"
kill -9 $driver
wait $driver 2>/dev/null
run "$HONE" show last
expect_out_contains "interrupted"
kept=$(ask "$HONE_STORE" 'select count(*) from evaluations')
"$HONE" tune large.yaml --strategy exhaustive --no-confirm --quiet >/dev/null 2>&1 &
driver=$!
wait_for_rows $((kept + 5))
kill -TERM $driver
wait $driver
STATUS=$? ERR=''
expect_status 130
expect_same "runs" "1 interrupted" "$(ask "$HONE_STORE" 'select id, state from runs')"
expect_whole "$HONE_STORE"

case_begin "two specs at once on one store: no row is lost or there twice"
rm -f "$HONE_STORE"*
"$HONE" tune steady.yaml --no-confirm --quiet >/dev/null 2>err1 &
first=$!
"$HONE" tune other.yaml --no-confirm --quiet >/dev/null 2>err2 &
second=$!
wait $first
expect_same "status of the first" 0 "$?$(cat err1)"
wait $second
expect_same "status of the second" 0 "$?$(cat err2)"
expect_whole "$HONE_STORE"
expect_same "rows" "other 40
steady 40" "$(ask "$HONE_STORE" 'select name, count(*) from evaluations e join runs on run = runs.id
  group by name order by name')"

# ---- Surroundings ----

case_begin "without HOME"
run env -u HOME -u HONE_STORE -u HONE_CACHE -u XDG_DATA_HOME -u XDG_CACHE_HOME "$HONE" tune steady.yaml
expect_status 1
expect_err_contains "HOME is not set"
expect_err_contains "--store"
run env -u HOME -u HONE_CACHE -u XDG_CACHE_HOME "$HONE" tune steady.yaml --evals 2 --no-confirm --quiet
expect_status 0
run env -u HOME -u HONE_CACHE -u XDG_CACHE_HOME "$HONE" cache
expect_err_contains "HOME"

case_begin "without TMPDIR"
TMPDIR=$TMP/none tune --fresh
case $STATUS in
0) ;;
*) expect_status 1 && expect_err_contains "$TMP/none" ;;
esac

case_begin "32 descriptors"
(ulimit -n 32 && exec "$HONE" tune steady.yaml --evals 5 --no-confirm --quiet --fresh) >out 2>err
STATUS=$? OUT=$(cat out) ERR=$(cat err) COMMAND="\$ hone tune with 32 descriptors"
case $STATUS in
0) expect_out_contains "evaluated" ;;
*) expect_status 1 && expect_err_contains "open files" ;;
esac

case_begin "closed descriptors do no harm"
rm -f "$HONE_STORE"*
for closed in 0 1 2 "0 1 2"; do
  (
    for fd in $closed; do eval "exec $fd>&-"; done
    exec "$HONE" tune steady.yaml --evals 5 --no-confirm --fresh
  ) >out 2>err </dev/null
  STATUS=$? ERR=$(cat err) COMMAND="\$ hone tune, closed: $closed"
  case $closed in
  *1*) expect_status 1 ;; # results were wanted, and could not be written
  *) expect_status 0 ;;
  esac
done
expect_whole "$HONE_STORE"
expect_same "runs" "finished 4" "$(ask "$HONE_STORE" 'select state, count(*) from runs group by state')"

case_begin "a broken pipe: the run is finished and kept"
rm -f "$HONE_STORE"*
for _ in 1 2 3; do
  "$HONE" tune steady.yaml --evals 5 --no-confirm --fresh 2>err | head -n 1 >/dev/null
  STATUS=${PIPESTATUS[0]} ERR=$(cat err)
  case $STATUS in
  0 | 141) ;;
  *) fail "status $STATUS: $ERR" ;;
  esac
done
"$HONE" tune steady.yaml --evals 5 --no-confirm --fresh --format json 2>err | true
expect_same "runs" "finished 4" "$(ask "$HONE_STORE" 'select state, count(*) from runs group by state')"
for option in --fresh ''; do # measured, and answered from the store
  "$HONE" tune steady.yaml --evals 5 --no-confirm $option -v 2>&1 >out | true
  STATUS=${PIPESTATUS[0]} OUT=$(cat out) ERR=''
  expect_status 0
  expect_out_contains "evaluated"
done

case_begin "blanks, quotes and foreign letters in names"
odd="$TMP/a b 'c' \"d\" ü 漢字 %41 ?x #y"
mkdir "$odd"
cp steady.c steady.yaml "$odd"
run "$HONE" tune "$odd/steady.yaml" --evals 5 --no-confirm --quiet --store "$odd/s t.db"
expect_status 0
[ -s "$odd/s t.db" ] || fail "the store is not there: $(ls "$odd")"
again=$(sed -n 's/^ *\(hone show [0-9]* --store.*\)$/\1/p' <<<"$OUT" | head -n 1)
run bash -c "hone() { \"\$HONE\" \"\$@\"; }; $again"
expect_status 0
expect_out_contains "steady"
HONE_STORE="$odd/s t.db" run "$HONE" show
expect_status 0

case_begin "relative names, from another folder"
rm -f "$HONE_STORE"*
mkdir -p here/below
(cd here/below && HONE_STORE=rel.db "$HONE" tune ../../steady.yaml --evals 5 --no-confirm) >out 2>err
STATUS=$? OUT=$(cat out) ERR=$(cat err) COMMAND="\$ hone tune ../../steady.yaml"
expect_status 0
[ -s here/below/rel.db ] || fail "the store is not in the folder"
(cd here && HONE_STORE=below/rel.db "$HONE" show last) >out 2>err
STATUS=$? OUT=$(cat out) ERR=$(cat err)
expect_status 0
expect_out_contains "steady"

case_begin "a spec from standard input"
rm -f "$HONE_STORE"*
run "$HONE" tune - --evals 5 --no-confirm --quiet <steady.yaml
expect_status 0
expect_out_contains " of 40 legal"

case_begin "nothing is left running"
expect_nothing_left

cases_end
