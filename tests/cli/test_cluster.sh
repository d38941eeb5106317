#!/usr/bin/env bash
# hone cluster, and --cluster: nodes of an allocation, host files and pods. The launchers are stand-ins that run the
# command here as theirs would: ssh through a shell of the host, srun and kubectl as it is.
. "$(dirname "$0")/lib.sh"
export HONE_STORE=$TMP/store.db HONE_CACHE=$TMP/cache
unset $(compgen -e | grep '^SLURM_') HONE_REMOTE_PROGRAM 2>/dev/null
mkdir "$TMP/bin" "$TMP/log"
PATH=$TMP/bin:$PATH

stand_in() { # stand_in NAME: a script from standard input; it notes its words, in one write: several run at once
  { echo '#!/bin/bash'; echo "printf -v words '%s|' \"\$@\"; echo \"\$words\" >>'$TMP/log/$1'"; cat; } >"$TMP/bin/$1"
  chmod +x "$TMP/bin/$1"
}
# What is behind the options and the host goes to a shell there, as one line, with a banner before it.
stand_in ssh <<'E'
while [ $# -gt 0 ]; do
  case $1 in
  -T) shift ;;
  -o | -p) shift 2 ;;
  *) break ;;
  esac
done
host=$1
shift
case $host in
gone) echo "ssh: connect to host gone port 22: No route to host" >&2; exit 255 ;;
old) echo "hone: '--role' takes build or run, not 'probe'" >&2; echo "hone: try 'hone worker --help'" >&2; exit 2 ;;
none) eval "set -- $*"; echo "bash: line 1: $1: No such file or directory" >&2; exit 127 ;;
esac
echo "Welcome to $host"
export STAND_IN_HOST=$host
exec sh -c "$*"
E
stand_in srun <<'E'
while [ $# -gt 0 ]; do
  case $1 in
  -w) node=$2; shift 2 ;;
  -p | -c) shift 2 ;;
  -*) shift ;;
  *) break ;;
  esac
done
export SLURMD_NODENAME=$node
exec "$@"
E
stand_in kubectl <<'E'
case $1 in
apply) cat >>"${0%/*}/../log/pods" ;;
wait) ;;
exec) shift 4; exec "$@" ;;
delete) echo "$3" >>"${0%/*}/../log/deleted" ;;
esac
E

spec=tests/fault/steady.yaml
tune() { # tune OPTION...
  rm -f "$HONE_STORE"* "$TMP"/log/*
  run "$HONE" tune $spec --evals 6 --no-confirm "$@"
}
expect_devices() { # expect_devices NAME...: baselines were timed there
  "$HONE" show last --format json >"$TMP/run.json"
  expect_same "devices" "$*" "$(python3 -c '
import json, sys
run = json.load(open(sys.argv[1]))
print(*sorted({e["device"] for e in run["evaluations"] if e["is_baseline"]}))' "$TMP/run.json")"
}

case_begin "a host file: names, ports, GPUs, CPUs and environment"
cat >"$TMP/hosts" <<'E'
# the lab
alpha
me@beta:2222 gpus=2 "WORDS=a b's"

gamma cpus=0 cpus=1 slots=1
E
run "$HONE" cluster check ssh:"$TMP/hosts" --format json
expect_status 0
python3 - "$TMP/stdout" >"$TMP/names" <<'E'
import json, sys
for host in json.load(open(sys.argv[1])):
    assert host["usable"] and host["hone"] and host["cores"] >= 1 and abs(host["clock_ahead_s"]) < 5, host
    print(host["worker"], end=" ")
E
expect_same "workers" "alpha me@beta me@beta#2 gamma gamma#2 gamma#3 " "$(cat "$TMP/names")"
grep -q '|-p|2222|me@beta|env|' "$TMP/log/ssh" || fail "no port: $(cat "$TMP/log/ssh")"
grep -q 'CUDA_VISIBLE_DEVICES=1|' "$TMP/log/ssh" || fail "no second GPU: $(cat "$TMP/log/ssh")"

case_begin "a table, and a line for each host that cannot be used"
printf 'alpha\ngone\nold\nnone\n' >"$TMP/some"
run "$HONE" cluster check ssh:"$TMP/some"
expect_status 1
expect_out_contains "alpha"
expect_out_contains "gone cannot be used: ssh: connect to host gone port 22: No route to host"
expect_out_contains "old cannot be used: '$HONE' is an older hone there"
expect_out_contains "none cannot be used: bash: line 1: $HONE: No such file or directory"

case_begin "what is wrong in a host file is told with its line"
for line in 'a gpus=0' 'a slots=x' 'a speed=9' '-oProxyCommand=x' 'a "b'; do
  printf '\n%s\n' "$line" >"$TMP/wrong"
  run "$HONE" cluster check ssh:"$TMP/wrong"
  expect_status 2
  expect_err_contains "$TMP/wrong:2"
done
run "$HONE" cluster check ssh
expect_err_contains "'ssh' needs a file"
run "$HONE" cluster check pbs:x
expect_err_contains "unknown cluster 'pbs:x'"
: >"$TMP/empty"
run "$HONE" tune $spec --cluster ssh:"$TMP/empty"
expect_status 2
expect_err_contains "has no hosts"

case_begin "a run over ssh, with a host that is gone"
printf 'alpha\nbeta A=1\ngone\n' >"$TMP/hosts"
tune --cluster ssh:"$TMP/hosts"
expect_status 0
expect_err_contains "device 'gone/c'"
expect_err_contains "No route to host"
expect_devices alpha/c beta/c

case_begin "an allocation of Slurm: one worker for each GPU, with its share of the CPUs"
export SLURM_JOB_NODELIST='gpu[01-02]' SLURM_GPUS_ON_NODE=2 SLURM_JOB_CPUS_PER_NODE='8(x2)'
run "$HONE" cluster check slurm --format json
expect_status 0
expect_same "steps" "2 2" "$(grep -c -- '-N1|-n1|-w|gpu01|--exact|--gpus=1|-c|4|' "$TMP/log/srun") $(grep -c '|gpu02|' "$TMP/log/srun")"
unset SLURM_GPUS_ON_NODE

case_begin "an allocation without GPUs: one worker for each node"
tune --cluster slurm --host-builders 2
expect_status 0
expect_devices gpu01/c gpu02/c
expect_same "builders" 4 "$(grep -c -- '^-N1|-n1|-w|gpu0[12]|--overlap|.*|--role|build|' "$TMP/log/srun")"
tune --cluster 'slurm:-N1'
expect_devices gpu01/c
run "$HONE" tune $spec --cluster 'slurm:-N3'
expect_status 2
expect_err_contains "needs 3 nodes, but this allocation has 2"
unset SLURM_JOB_NODELIST SLURM_JOB_CPUS_PER_NODE

case_begin "without an allocation each worker is a job"
tune --cluster 'slurm:-p fast -N2'
expect_status 0
expect_devices "job 1/c" "job 2/c"
expect_same "jobs" 2 "$(grep -c -- '^-N1|-n1|--job-name=hone|-p|fast|' "$TMP/log/srun")"

case_begin "pods are made of a template, and deleted"
printf 'kind: Pod\nmetadata: {name: HONE_POD}\n' >"$TMP/pod.yaml"
tune --cluster k8s:"$TMP/pod.yaml":2 --host-builders 1
expect_status 0
expect_same "builders" 2 "$(grep -c '^exec|-i|hone-[0-9]*-[12]|--|.*|--role|build|' "$TMP/log/kubectl")"
expect_same "pods" 2 "$(grep -c 'name: hone-[0-9]*-[12]}' "$TMP/log/pods")"
pods_deleted() { [ "$(sort -u "$TMP/log/deleted" 2>/dev/null | wc -l)" = 2 ]; }
wait_until pods_deleted || fail "pods are left: $(cat "$TMP/log/deleted")"
echo 'kind: Pod' >"$TMP/pod.yaml"
run "$HONE" tune $spec --cluster k8s:"$TMP/pod.yaml"
expect_status 2
expect_err_contains "does not contain 'HONE_POD'"

case_begin "the program is copied to hosts that lack it, checked, and removed"
export LD_LIBRARY_PATH=$(dirname "$HONE")/../src # what it needs besides libc, if it is not the portable one
printf 'alpha slots=2\nbeta\ngone\n' >"$TMP/hosts"
run "$HONE" cluster install ssh:"$TMP/hosts" --folder "$TMP/remote"
expect_status 1
copy=$(ls "$TMP"/remote/hone-*)
cmp -s "$copy" "$HONE" || fail "it is not a copy: $(ls "$TMP/remote")"
expect_out_contains "alpha#2: $copy"
expect_out_contains "gone: 'mkdir -p' failed: ssh: connect to host gone port 22: No route to host"
echo damage >>"$copy"
rm -f "$TMP/log/ssh"
HONE_REMOTE_DIR=$TMP/remote tune --cluster ssh:"$TMP/hosts"
expect_status 0
cmp -s "$copy" "$HONE" || fail "the damaged copy was not replaced"
grep -q "|$copy|worker|" "$TMP/log/ssh" || fail "it was not used: $(cat "$TMP/log/ssh")"
run "$HONE" cluster install ssh:"$TMP/hosts" --folder "some where"
expect_status 2
expect_err_contains "must be a plain name"
run "$HONE" cluster remove ssh:"$TMP/hosts" --folder "$TMP/remote"
expect_status 1 # one host is gone
expect_same "left" "" "$(ls "$TMP/remote")"

case_begin "a batch file for sbatch"
run "$HONE" cluster script 'my spec.yaml' -N 4 --gpus 8 --time 2:00:00 -p gpu --store s.db -- --budget 30m
expect_status 0
for line in --nodes=4 --gpus-per-node=8 --time=2:00:00 --partition=gpu --no-kill --signal=B:TERM@120; do
  expect_out_contains "#SBATCH $line"
done
expect_out_contains "tune --cluster slurm --store s.db 'my spec.yaml' --budget 30m"
bash -n "$TMP/stdout" || fail "it is not a script"
run "$HONE" cluster script spec.yaml
expect_out_contains 'tune --cluster slurm --host-builders "${SLURM_CPUS_ON_NODE:-1}" spec.yaml'
run "$HONE" cluster script spec.yaml -- --host-builders 3
expect_out_contains 'tune --cluster slurm spec.yaml --host-builders 3'
run "$HONE" cluster script
expect_status 2

case_begin "the store has what each worker did, and the page shows it"
jobs() { # jobs SQL: of the last run
  python3 -c 'import sqlite3, sys
print(";".join(" ".join(map(str, row)) for row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2])))' "$HONE_STORE" "$1"
}
rm -f "$HONE_STORE"*
recording "$TMP/r.json" "X=range(40)" "1 + X / 10" 500
printf 'name: k\nbackend: sim\nfile: r.json\nbaseline: {X: 4}\n' >"$TMP/k.yaml"
run "$HONE" tune "$TMP/k.yaml" --strategy exhaustive --devices sim:0,sim:1 --builders 2 --evals 20 -q
expect_status 0
expect_same "workers" "build 2;run 2" "$(jobs 'SELECT role, count(*) FROM workers GROUP BY role')"
expect_same "every candidate has a build and a measurement" "20 20" "$(jobs "SELECT
  count(DISTINCT CASE phase WHEN 'build' THEN candidate END), count(DISTINCT CASE phase WHEN 'screen' THEN candidate END)
  FROM jobs JOIN evaluations ON evaluations.run = jobs.run AND asked = candidate")"
expect_same "a worker does one job at a time" "" "$(jobs 'SELECT a.number FROM jobs a JOIN jobs b ON a.worker = b.worker
  AND a.number < b.number AND b.began_us + 2 < a.began_us + a.took_us AND a.began_us + 2 < b.began_us + b.took_us')"
until=$(jobs 'SELECT max(began_us + took_us) FROM jobs')
run "$HONE" tune "$TMP/k.yaml" --strategy exhaustive --devices sim:0,sim:1 --builders 2 --evals 20 -q --fresh
expect_same "another run has its own" "2" "$(jobs 'SELECT count(DISTINCT run) FROM jobs')"
timeline() { # timeline EXPRESSION RESULT: of the data t of the page
  "$HONE" report 1 -q -o "$TMP/page.html"
  expect_same "$1" "$2" "$(python3 -c 'import json, re, sys
t = json.loads(re.search(r"id=\"data\">(.*?)</script>", open(sys.argv[1]).read(), re.S).group(1))["timeline"]
print(eval(sys.argv[2]))' "$TMP/page.html" "$1")"
}
timeline 'sorted(lane["name"] for lane in t["lanes"] if lane["role"] == "run"), len(t["jobs"]) == t["count"]' "(['sim:0', 'sim:1'], True)"
timeline "abs(t['end'] - $until / 1e6) < 0.001" True

case_begin "a page of 50,000 jobs of 64 workers stays small"
python3 - "$HONE_STORE" <<'E'
import sqlite3, sys
store = sqlite3.connect(sys.argv[1])
store.execute("DELETE FROM jobs WHERE run = 1")
store.execute("DELETE FROM workers WHERE run = 1")
for w in range(1, 65): store.execute("INSERT INTO workers VALUES (1, ?, 'run', ?, NULL)", (w, f"gpu{w}/<b>:0"))
rows = [(1, n, n % 64 + 1, "screen", n // 64 * 1000000, 700000, "ok", 0, n) for n in range(1, 50001)]
rows.append((1, 50001, 9, "left", 100000000, 0, None, 0, None))
store.executemany("INSERT INTO jobs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
store.commit()
E
timeline 't["count"], len(t["jobs"]), len(t["lanes"]), {len(lane["cells"]) for lane in t["lanes"]}' "(50001, 1, 64, {500})"
timeline 'sum(lane["jobs"] for lane in t["lanes"]), t["lanes"][8]["losses"]' "(50000, 1)"
[ "$(stat -c %s "$TMP/page.html")" -lt 600000 ] || fail "the page has $(stat -c %s "$TMP/page.html") bytes"

cases_end
