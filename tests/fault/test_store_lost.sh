#!/usr/bin/env bash
# A store that goes away or is overwritten while a run is made, and stores that are damaged, locked or out
# of reach: said by name and reason before anything is written, and what was measured is not lost.
. "$(dirname "$0")/../cli/lib.sh"
. "$(dirname "$0")/left.sh"
. "$(dirname "$0")/store.sh"
export HONE_STORE=$TMP/store.db HONE_CACHE=$TMP/cache HOME=$TMP/home
RUN_TIMEOUT=150
mkdir "$HOME"
cp tests/fault/steady.c tests/fault/steady.yaml "$TMP"
cd "$TMP" || exit 1
sed 's/range(40)/range(3000)/; s/name: steady/name: large/' steady.yaml >large.yaml
large=(tune large.yaml --strategy exhaustive --no-confirm)


# ---- While a run is made ----

lose() { # lose COMMAND...: does this to the store of a run that has measured something
  rm -rf "$HONE_STORE"* "$TMP"/tmp
  mkdir "$TMP/tmp"
  TMPDIR=$TMP/tmp timeout 100 "$HONE" "${large[@]}" >out 2>err &
  driver=$!
  wait_for_rows 8
  "$@"
  wait $driver
  STATUS=$? OUT=$(cat out) ERR=$(cat err) COMMAND="\$ $* while hone tunes"
  expect_status 1
  expect_err_contains "'$HONE_STORE'"
}
expect_rescued() { # expect_rescued FILE: it is named, has what was measured, and can be gone on with
  expect_err_contains "'$1'"
  [ -s "$1" ] || fail "there is no '$1': $(ls "$(dirname "$1")")"
  expect_same "integrity" ok "$(ask "$1" 'pragma integrity_check')"
  count=$(ask "$1" 'select count(*) from evaluations')
  [ "${count:-0}" -ge "$rows" ] || fail "$rows evaluations were acknowledged, $count rescued"
  run "$HONE" show last --store "$1"
  expect_status 0
  expect_out_contains "interrupted"
}

case_begin "deleted: noticed, and all that it held is beside it"
lose rm "$HONE_STORE"
expect_err_contains "was deleted"
expect_rescued "$HONE_STORE.rescued-1.db"
[ ! -e "$HONE_STORE" ] || fail "the store is there again"

case_begin "what was rescued goes on as a store"
mv "$HONE_STORE.rescued-1.db" "$HONE_STORE"
kept=$(ask "$HONE_STORE" 'select count(*) from evaluations')
"$HONE" "${large[@]}" >out 2>err &
driver=$!
wait_for_rows $((kept + 3))
kill -INT $driver
wait $driver
expect_contains "what it says" "resuming run 1" "$(cat err)"

case_begin "deleted with all files beside it"
remove_all() { rm -f "$HONE_STORE"*; }
lose remove_all
expect_err_contains "was deleted"
expect_rescued "$HONE_STORE.rescued-1.db"

case_begin "replaced by another file, which stays as it is"
replace() { echo "another text" >other && mv other "$HONE_STORE"; }
lose replace
expect_err_contains "was replaced by another file"
expect_rescued "$HONE_STORE.rescued-1.db"
expect_same "the other file" "another text" "$(cat "$HONE_STORE")"

case_begin "moved away"
lose mv "$HONE_STORE" "$HONE_STORE.moved"
expect_err_contains "was deleted or moved"
expect_rescued "$HONE_STORE.rescued-1.db"

case_begin "truncated"
lose truncate -s 0 "$HONE_STORE"
expect_err_contains "was truncated"
expect_rescued "$HONE_STORE.rescued-1.db"

case_begin "an earlier rescue is not overwritten"
keep_earlier() { echo earlier >"$HONE_STORE.rescued-1.db" && rm "$HONE_STORE"; }
lose keep_earlier
expect_rescued "$HONE_STORE.rescued-1-2.db"
expect_same "the earlier one" earlier "$(cat "$HONE_STORE.rescued-1.db")"

case_begin "its folder is removed: what was measured is in TMPDIR"
mkdir "$TMP/gone"
HONE_STORE=$TMP/gone/s.db
lose rm -r "$TMP/gone"
expect_rescued "$TMP/tmp/s.db.rescued-1.db"
HONE_STORE=$TMP/store.db

# ---- Damaged before ----

commands=("tune steady.yaml --evals 2 --no-confirm" "tune steady.yaml --fresh" "sweep steady.yaml"
  "import spec.mlir")
readers=("show" "show last" "report last" "compare last last" "export last --format json"
  "export last --format t4")
echo 'module attributes { transform.with_named_sequence } { }' >spec.mlir

refuse_all() { # refuse_all WORD COMMANDS: each ends with the store's name and WORD; the file stays
  local word=$1 before
  shift
  before=$(sha256sum "$TMP/bad.db")
  for command in "$@"; do
    run "$HONE" $command --store "$TMP/bad.db"
    expect_status 1
    expect_err_contains "'$TMP/bad.db'"
    expect_err_contains "$word"
    case $ERR in *"not an error"*) fail "$ERR" ;; esac
    expect_same "the file after hone $command" "$before" "$(sha256sum "$TMP/bad.db")"
    [ ! -s "$TMP/bad.db-wal" ] || fail "hone $command wrote to a -wal file"
  done
}

case_begin "a page of zeros anywhere: nothing is written"
rm -rf "$HONE_STORE"*
run "$HONE" tune steady.yaml --no-confirm --quiet
expect_status 0
ask "$HONE_STORE" 'pragma wal_checkpoint(truncate)' >/dev/null
pages=$(($(stat -c %s "$HONE_STORE") / 4096))
for page in 2 $((pages / 3)) $((pages / 2)) $((pages - 3)); do
  cp "$HONE_STORE" bad.db
  dd if=/dev/zero of=bad.db bs=4096 seek="$page" count=1 conv=notrunc 2>/dev/null
  refuse_all "is damaged" "${commands[@]:0:2}"
done

case_begin "a store of an older version with a damaged page is not brought up to date"
cp "$HONE_STORE" bad.db
ask bad.db 'pragma user_version=4' && ask bad.db 'alter table runs drop column fresh'
ask bad.db 'pragma wal_checkpoint(truncate)' >/dev/null
dd if=/dev/zero of=bad.db bs=4096 seek=$((pages - 3)) count=1 conv=notrunc 2>/dev/null
refuse_all "is damaged" "${commands[@]:0:2}" "${readers[@]:0:2}"

case_begin "many bad pages: every command says so"
cp "$HONE_STORE" bad.db
dd if=/dev/urandom of=bad.db bs=4096 seek=1 count=$((pages - 1)) conv=notrunc 2>/dev/null
refuse_all "is damaged" "${commands[@]}" "${readers[@]}"
expect_err_contains ".recover"

# ---- Out of reach ----

case_begin "locked by another process: its number is said"
rm -f bad.db*
cp "$HONE_STORE" bad.db
command python3 - bad.db <<'PY' &
import os, sqlite3, sys, time
database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.execute('begin immediate')
open('locked', 'w').close()
while os.path.exists('locked'):
    time.sleep(0.05)
PY
holder=$!
wait_until [ -e locked ]
run "$HONE" tune steady.yaml --no-confirm --fresh --store bad.db
expect_status 1
expect_err_contains "'bad.db' has been locked by pid $holder"
rm locked
wait $holder

if [ "$(id -u)" = 0 ]; then
  drop=(setpriv --reuid=65534 --regid=65534 --clear-groups)
  chmod 755 "$TMP"
else
  drop=()
fi
say() { # say WORDS STORE: what tuning into it ends with
  HONE_CACHE='' run "${drop[@]}" "$HONE" tune steady.yaml --evals 2 --no-confirm -q --store "$2"
  expect_status 1
  expect_err_contains "'$2'"
  expect_err_contains "$1"
}
if "${drop[@]}" true 2>/dev/null; then
  case_begin "what may not be written: the file, its folder, a folder that is to be made"
  mkdir -m 755 ro
  cp "$HONE_STORE" ro/s.db
  chmod 444 ro/s.db
  chmod 555 ro
  say "permission denied" "$TMP/ro/s.db"
  chmod 666 ro/s.db
  say "the folder '$TMP/ro' cannot be written: permission denied" "$TMP/ro/s.db"
  say "the folder '$TMP/ro' cannot be written: permission denied" "$TMP/ro/new.db"
  say "permission denied" "$TMP/ro/below/new.db"
  chmod 000 ro/s.db
  say "permission denied" "$TMP/ro/s.db"
  run "${drop[@]}" "$HONE" show --store "$TMP/ro/s.db"
  expect_status 1
  expect_err_contains "cannot open the store '$TMP/ro/s.db': permission denied"
fi
if mkdir mounted && cp "$HONE_STORE" mounted/s.db && mount --bind mounted mounted 2>/dev/null; then
  trap 'umount "$TMP/mounted" 2>/dev/null; rm -rf "$TMP"' EXIT
  case_begin "a read-only file system"
  mount -o remount,ro,bind mounted
  drop=()
  say "read-only file system" "$TMP/mounted/s.db"
  say "read-only file system" "$TMP/mounted/new.db"
  run "$HONE" show --store "$TMP/mounted/s.db"
  expect_status 0
  umount mounted
fi

case_begin "a file where a folder should be, and no HOME"
drop=()
say "not a directory" "$TMP/steady.c/s.db"
for command in "${commands[@]}" "${readers[@]}"; do
  run env -u HOME -u HONE_STORE -u XDG_DATA_HOME "$HONE" $command
  expect_status 1
  expect_err_contains "HOME is not set"
done

case_begin "nothing is left running"
expect_nothing_left

cases_end
