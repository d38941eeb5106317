#!/usr/bin/env bash
# kill -9 of driver, supervisor and runner at random moments: the next start goes on, every result that was
# acknowledged is there once, and the store is whole.
. "$(dirname "$0")/../cli/lib.sh"
. "$(dirname "$0")/left.sh"
export HONE_STORE=$TMP/store.db HONE_CACHE=$TMP/cache
KILLS=${KILLS:-100}
spec=tests/fault/steady.yaml

case_begin "$KILLS kills, and the run is finished"
python3 - "$HONE" "$spec" "$KILLS" "$HONE_STORE" >"$TMP/log" 2>&1 <<'PY'
import os, random, signal, sqlite3, subprocess, sys, time

sys.path.insert(0, "tests/fault")
from processes import descendants

hone, spec, kills, store = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
random.seed(7)

def start():
    return subprocess.Popen([hone, "tune", spec, "--quiet"], stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True)

def is_of_kills(said):
    """Whoever kills two workers in a row while they build the baseline, or its compiler, ends the run; the next start
    continues it."""
    return "worker_lost" in said or "compile_crash: the compiler: signal 9" in said

def acknowledged():
    """Of all runs: a finished one that lacks a candidate, whose worker was killed again and again, is no answer, and the
    next start makes another."""
    if not os.path.exists(store):
        return set()
    with sqlite3.connect(store, timeout=10) as db:  # a read-only connection cannot recover the log of a killed driver
        try:
            return set(db.execute("select config, id from evaluations where is_baseline = 0").fetchall())
        except sqlite3.OperationalError as error:
            if "no such table" not in str(error):
                raise
            return set()

def whole_runs(db):
    """The last one, and those before it that would have been an answer."""
    lacking = "select distinct run from evaluations where outcome = 'worker_lost'"
    return db.execute(f"select count(*) from runs where id = (select max(id) from runs) or id not in ({lacking})").fetchone()[0]

driver, done, seen = start(), 0, set()
while done < kills:
    time.sleep(random.uniform(0.01, 0.35))
    if driver.poll() is not None:
        said = driver.stdout.read() if driver.returncode not in (0, -9) else ""
        if said and not is_of_kills(said):
            sys.exit(f"status {driver.returncode}: {said}")
        if driver.returncode == 0:
            for suffix in ("", "-wal", "-shm"):
                if os.path.exists(store + suffix):
                    os.unlink(store + suffix)
            seen = set()
        driver = start()
        continue
    below = descendants(driver.pid)
    victim = random.choice([driver.pid] + below) if below else driver.pid
    try:
        os.kill(victim, signal.SIGKILL)
    except ProcessLookupError:
        continue
    done += 1
    if victim == driver.pid:
        driver.wait()
        now = acknowledged()
        if seen - now:
            sys.exit(f"lost: {sorted(seen - now)}")
        seen = now
        driver = start()
out, _ = driver.communicate(timeout=250)
if driver.returncode != 0 and is_of_kills(out):  # by the last one
    driver = start()
    out, _ = driver.communicate(timeout=250)
if driver.returncode != 0:
    sys.exit(f"status {driver.returncode}: {out}")
db = sqlite3.connect(store)
print(db.execute("pragma integrity_check").fetchone()[0])
rows = db.execute("select count(*), count(distinct config) from evaluations where is_baseline = 0 "
                  "and run = (select max(id) from runs)").fetchone()
print("runs", whole_runs(db), "rows", *rows)
PY
cat "$TMP/log" | sed 's/^/# /'
grep -qx ok "$TMP/log" || fail "$(cat "$TMP/log")"
count=$("$HONE" space $spec --count)
grep -qx "runs 1 rows $((count - 1)) $((count - 1))" "$TMP/log" || fail "expected one run of $((count - 1))"

case_begin "folders of whoever was killed go with the next start"
rooms=$TMP/rooms
mkdir "$rooms"
rm -f "$HONE_STORE"*
TMPDIR=$rooms python3 - "$HONE" "$spec" "$rooms" >"$TMP/log" 2>&1 <<'PY'
import os, signal, subprocess, sys, time

hone, spec, rooms = sys.argv[1:]
driver = subprocess.Popen([hone, "tune", spec, "--quiet"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

def supervisors():
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            words = open(f"/proc/{name}/cmdline", "rb").read().split(b"\0")
            parent = int(open(f"/proc/{name}/stat").read().rpartition(")")[2].split()[1])
        except OSError:
            continue
        if parent == driver.pid and b"worker" in words:
            found.append(int(name))
    return found

while not os.listdir(rooms):
    time.sleep(0.01)
before = supervisors()
driver.kill()
for pid in before:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
driver.wait()
print("killed", len(before) > 0)
PY
expect_same "log" "killed True" "$(cat "$TMP/log")"
mkdir "$rooms/hone-backup"
TMPDIR=$rooms run "$HONE" run $spec
expect_status 0
only_that() { [ "$(ls "$rooms")" = hone-backup ]; } # a supervisor removes its own folder when its driver is gone
wait_until only_that
expect_same "folders" hone-backup "$(ls "$rooms")"

case_begin "nothing is left running"
expect_nothing_left

cases_end
