# Wisdom: exported, merged, kept up to date by hone tune, and looked up by a program.
. "$(dirname "$0")/lib.sh"
export COLUMNS=200 HONE_STORE=$TMP/store.db HONE_CACHE=$TMP/cache

cat >"$TMP/gemm.json" <<'END'
{"device_name": "none", "kernel_name": "k", "tune_params_keys": ["K", "mode"],
 "tune_params": {"K": [0, 1, 2], "mode": ["plain"]},
 "cache": {"0,plain": {"K": 0, "mode": "plain", "time": 2.0, "compile_time": 1.0},
           "1,plain": {"K": 1, "mode": "plain", "time": 1.0, "compile_time": 1.0},
           "2,plain": {"K": 2, "mode": "plain", "time": 3.0, "compile_time": 1.0}}}
END
spec() { # spec NAME BASELINE PROBLEM
  printf 'name: %s\nbackend: sim\nfile: gemm.json\nproblem: %s\nbaseline: {K: %s, mode: plain}\nsim: {pace: 0}\n' \
    "$1" "$3" "$2" >"$TMP/$1.yaml"
}
tune() { # tune NAME [OPTIONS]
  local name=$1
  shift
  RUN_TIMEOUT=120 run "$HONE" tune "$TMP/$name.yaml" --strategy exhaustive --builders 1 --no-warm-start "$@"
}
ask() { # ask FILE EXPRESSION: of a wisdom file `w`, with its `entries`
  python3 -c 'import json, sys
w = json.load(open(sys.argv[1])); entries = w["entries"]
print(eval(sys.argv[2]))' "$1" "$2"
}
spec gemm 0 '{M: [256, 512]}'
spec best 1 '{M: 64}'

# ---- Export ----

case_begin "several problems of one run give one file"
tune gemm
expect_status 0
run "$HONE" export 1 2 --format wisdom -o "$TMP/a.wisdom"
expect_status 0
expect_err ""
expect_same "version" 1 "$(ask "$TMP/a.wisdom" 'w["hone_wisdom"]')"
expect_same "entries" "[('gemm', {'M': 256}, {'K': 1, 'mode': 'plain'}, 'IMPROVED'), ('gemm', {'M': 512}, {'K': 1, 'mode': 'plain'}, 'IMPROVED')]" \
  "$(ask "$TMP/a.wisdom" '[(e["kernel"], e["problem"], e["config"], e["verdict"]) for e in entries]')"
expect_same "interval" True "$(ask "$TMP/a.wisdom" 'all(1.5 < e["low"] <= e["speedup"] <= e["high"] < 2.5 for e in entries)')"
expect_same "environment" "0.1.0 K=0,mode=plain" \
  "$(ask "$TMP/a.wisdom" '" ".join(entries[0]["environment"][k] for k in ("hone", "baseline"))')"
expect_same "device" "$("$HONE" show 1 -f json | python3 -c 'import json, sys
e = json.load(sys.stdin)["environment"]
n = e["cpus"]; print("%s, %d CPU%s" % (e["cpu"], n, "s" if n != 1 else ""))')" "$(ask "$TMP/a.wisdom" 'entries[0]["device"]')"

case_begin "that the default is best is an entry"
tune best
expect_status 0
run "$HONE" export last --format wisdom -o "$TMP/b.wisdom"
expect_status 0
expect_same "entry" "[({'K': 1, 'mode': 'plain'}, 'NO IMPROVEMENT')]" \
  "$(ask "$TMP/b.wisdom" '[(e["config"], e["verdict"]) for e in entries]')"

case_begin "what is not proved needs --force, and the file says so"
tune gemm --problem M=256 --no-confirm --fresh
run "$HONE" export last --format wisdom -o "$TMP/c.wisdom"
expect_status 1
expect_err_contains "proves nothing: it has no verdict; '--force' exports it and says so in the output"
[ ! -e "$TMP/c.wisdom" ] || fail "a file was written"
run "$HONE" export last --format wisdom --force -o "$TMP/c.wisdom"
expect_status 0
expect_err_contains "proves nothing: it has no verdict; the output says so"
expect_same "entry" "UNPROVED it has no verdict" \
  "$(ask "$TMP/c.wisdom" 'entries[0]["verdict"] + " " + entries[0]["environment"]["unproved"]')"

case_begin "neither is a run that is interrupted, inconclusive or suspicious"
alter() { # alter STATEMENT: in a copy of the store
  cp "$TMP/store.db" "$TMP/altered.db"
  python3 -c 'import sqlite3, sys
db = sqlite3.connect(sys.argv[1]); db.execute(sys.argv[2]); db.commit()' "$TMP/altered.db" "$1"
}
refused() { # refused REASON: in each format that makes a claim
  for format in wisdom header flags vllm; do
    run "$HONE" export 1 --format $format --store "$TMP/altered.db"
    expect_status 1
    expect_err_contains "run 1 proves nothing: $1"
  done
}
run "$HONE" show # the store is written to its file
alter "UPDATE runs SET state = 'interrupted' WHERE id = 1"
refused "it is interrupted"
alter "UPDATE runs SET verdict = 'INCONCLUSIVE' WHERE id = 1"
refused "its verdict is INCONCLUSIVE"
alter "UPDATE evaluations SET suspicious = 'too fast' WHERE run = 1 AND config LIKE 'K=1%'"
refused "its configuration is SUSPICIOUS: too fast"

case_begin "--check says whether the file is up to date, and writes nothing"
run "$HONE" export 1 2 --format wisdom -o "$TMP/a.wisdom" --check
expect_status 0
expect_err "hone: '$TMP/a.wisdom' is up to date"
run "$HONE" export 1 --format wisdom -o "$TMP/a.wisdom" --check
expect_status 1
expect_err_contains "is out of date"
expect_same "entries" 2 "$(ask "$TMP/a.wisdom" 'len(entries)')"
run "$HONE" export 1 --format wisdom --check
expect_status 2
expect_err_contains "'--check' needs '--output FILE'"

# ---- Merge ----

case_begin "files are merged, whatever their order"
run "$HONE" merge "$TMP/a.wisdom" "$TMP/b.wisdom" -o "$TMP/all.wisdom"
expect_status 0
expect_err "hone: wrote 3 entries into '$TMP/all.wisdom'"
run "$HONE" merge "$TMP/b.wisdom" "$TMP/a.wisdom"
expect_status 0
expect_same "the other way round" "$(cat "$TMP/all.wisdom")" "$OUT"
run "$HONE" merge "$TMP/b.wisdom" "$TMP/a.wisdom" "$TMP/all.wisdom" -o "$TMP/all.wisdom" --check
expect_status 0

case_begin "of two entries the one whose interval begins higher stays, and a note says so"
change() { # change FROM TO EXPRESSION
  python3 -c 'import json, sys
w = json.load(open(sys.argv[1])); e = w["entries"][0]
exec(sys.argv[3]); json.dump(w, open(sys.argv[2], "w"))' "$1" "$2" "$3"
}
change "$TMP/a.wisdom" "$TMP/better.wisdom" 'e.update(speedup=3.0, low=2.9, high=3.1); e["config"]["K"] = 2'
change "$TMP/a.wisdom" "$TMP/wider.wisdom" 'e.update(speedup=3.0, low=1.1, high=9.0); e["config"]["K"] = 2'
change "$TMP/a.wisdom" "$TMP/unproved.wisdom" 'e.update(speedup=9.0, low=9.0, high=9.0, verdict="UNPROVED"); e["config"]["K"] = 2'
for name in better wider unproved; do
  run "$HONE" merge "$TMP/a.wisdom" "$TMP/$name.wisdom" -o "$TMP/merged.wisdom"
  expect_status 0
  expect_err_contains "'gemm' M=256 on '"
  expect_err_contains "kept the first of these"
  expect_same "$name" "$([ $name = better ] && echo 2 || echo 1)" "$(ask "$TMP/merged.wisdom" 'entries[0]["config"]["K"]')"
  expect_same "entries" 2 "$(ask "$TMP/merged.wisdom" 'len(entries)')"
done

case_begin "a device has the names that either file gives it"
change "$TMP/a.wisdom" "$TMP/named.wisdom" 'e["aliases"] = ["one", "two"]'
change "$TMP/better.wisdom" "$TMP/renamed.wisdom" 'e["aliases"] = ["two", "three"]'
run "$HONE" merge "$TMP/named.wisdom" "$TMP/renamed.wisdom" -o "$TMP/merged.wisdom"
expect_same "aliases" "['one', 'three', 'two']" "$(ask "$TMP/merged.wisdom" 'sorted(entries[0]["aliases"])')"

case_begin "other devices and versions are reported"
change "$TMP/a.wisdom" "$TMP/other.wisdom" 'e["device"] = "NVIDIA H200"; e["environment"]["hone"] = "9.9"'
run "$HONE" merge "$TMP/a.wisdom" "$TMP/other.wisdom" -o "$TMP/merged.wisdom"
expect_status 0
expect_err_contains "the entries have several devices: "
expect_err_contains "'NVIDIA H200'"
expect_err_contains "the entries have several versions of hone: '0.1.0', '9.9'"
expect_same "entries" 3 "$(ask "$TMP/merged.wisdom" 'len(entries)')"

case_begin "all or nothing: a bad input leaves the output as it was"
cp "$TMP/all.wisdom" "$TMP/before"
head -c 300 "$TMP/a.wisdom" >"$TMP/cut.wisdom"
run "$HONE" merge "$TMP/a.wisdom" "$TMP/cut.wisdom" -o "$TMP/all.wisdom"
expect_status 2
expect_err_contains "$TMP/cut.wisdom:"
expect_err_contains "the file ends here and is incomplete"
expect_same "the output" "$(cat "$TMP/before")" "$(cat "$TMP/all.wisdom")"
run "$HONE" merge "$TMP/a.wisdom" "$TMP/absent.wisdom" -o "$TMP/new.wisdom"
expect_status 1
expect_err_contains "cannot read the wisdom file '$TMP/absent.wisdom'"
[ ! -e "$TMP/new.wisdom" ] || fail "a file was written"
run "$HONE" merge "$TMP/gemm.json"
expect_status 2
expect_err_contains "not a wisdom file"
expect_err_contains "No file is a store ('hone tune --store FILE' writes one)"
run "$HONE" merge
expect_status 2
expect_err_contains "no wisdom files given"
run "$HONE" merge "$TMP/a.wisdom" --check
expect_status 2

# ---- hone tune --all-problems-to ----

case_begin "hone tune keeps a file up to date"
tune gemm --all-problems-to "$TMP/kept.wisdom" --check
expect_status 1
expect_err_contains "'$TMP/kept.wisdom' is out of date"
[ ! -e "$TMP/kept.wisdom" ] || fail "a file was written"
tune gemm --all-problems-to "$TMP/kept.wisdom"
expect_status 0
expect_err_contains "wrote 2 entries into '$TMP/kept.wisdom'"
tune gemm --problem M=256 --no-confirm --all-problems-to "$TMP/kept.wisdom"
expect_status 0
expect_err_contains "left out run"
expect_err_contains "it has no verdict"
expect_err_contains "'$TMP/kept.wisdom' is up to date: 2 entries"
tune best --all-problems-to "$TMP/kept.wisdom"
expect_err_contains "wrote 3 entries into '$TMP/kept.wisdom'"
tune gemm --all-problems-to "$TMP/kept.wisdom" --check
expect_status 0
tune gemm --check
expect_status 2
expect_err_contains "'--check' needs '--all-problems-to FILE'"

case_begin "a file that was edited, or is about an older kernel, is not up to date"
sed -i 's/"K": 1/"K": 2/' "$TMP/kept.wisdom"
tune gemm --all-problems-to "$TMP/kept.wisdom" --check
expect_status 1
tune gemm --all-problems-to "$TMP/kept.wisdom"
expect_same "configuration" "{'K': 1, 'mode': 'plain'}" "$(ask "$TMP/kept.wisdom" 'entries[-1]["config"]')"
cp "$TMP/gemm.json" "$TMP/older.json"
sed -i -e '/"1,plain"/s/"time": 1.0/"time": 4.0/' -e '/"2,plain"/s/"time": 3.0/"time": 1.5/' "$TMP/gemm.json"
tune gemm --all-problems-to "$TMP/kept.wisdom" --check
expect_status 1
tune gemm --all-problems-to "$TMP/kept.wisdom"
expect_status 0
expect_err_contains "kept the first of these, since the kernel or its build has changed"
expect_same "configuration" "{'K': 2, 'mode': 'plain'}" "$(ask "$TMP/kept.wisdom" 'entries[-1]["config"]')"
mv "$TMP/older.json" "$TMP/gemm.json"

# ---- libhone-wisdom ----

case_begin "the library needs libc alone"
built=$(find "$(dirname "$HONE")/../src" -maxdepth 1 -type f -name "libhone-wisdom.so.*")
needed() { readelf -d "$1" | sed -n 's/.*(NEEDED).*\(\[.*\]\)/\1/p' | grep -vE 'lib(asan|ubsan|tsan)\.'; }
expect_same "libraries" "[libc.so.6]" "$(needed "$built")"
run tools/symbols.sh "$built"
expect_status 0
expect_out ""
# A build with a sanitizer has a library that other programs cannot use.
library=$TMP/libhone-wisdom.so
run cc -O1 -fPIC -shared -D_GNU_SOURCE -DHONE_BUILDING_WISDOM -fvisibility=hidden -Iinclude -Isrc src/wisdom/*.c -o "$library"
expect_status 0
expect_same "libraries" "[libc.so.6]" "$(needed "$library")"
others=$(grep -h '^#include' src/wisdom/*.[ch] include/hone_wisdom.h | sort -u |
  grep -vE '<(errno|fcntl|locale|math|sched|stdarg|stdatomic|stdbool|stddef|stdint|stdio|stdlib|string|sys/stat|unistd)\.h>|"(wisdom/wisdom_parts|hone_wisdom)\.h"')
expect_same "headers of other libraries" "" "$others"
expect_same "what it shows" "" "$(nm -D --defined-only "$library" | awk '$3 !~ /^hone_wisdom_/')"

case_begin "a program finds what was tuned"
sed -n '/program: lookup.c/,/^```$/p' docs/library.md | sed '1,2d; $d' >"$TMP/lookup.c"
[ -s "$TMP/lookup.c" ] || fail "docs/library.md has no program lookup.c"
for compiler in "gcc -std=c11" "clang -std=c11" "g++ -std=c++17 -x c++" "clang++ -std=c++17 -x c++"; do
  command -v "${compiler%% *}" >/dev/null || continue
  run $compiler -Wall -Wextra -Werror -Iinclude "$TMP/lookup.c" -x none -o "$TMP/lookup" "$library" \
    -Wl,-rpath,"$(dirname "$library")"
  expect_status 0
done
device=$(ask "$TMP/a.wisdom" 'entries[0]["device"]')
run "$TMP/lookup" "$TMP/a.wisdom" gemm M=256
expect_status 0
expect_out "exact: K=1 (2.00x on '$device')"
run "$TMP/lookup" "$TMP/a.wisdom" gemm M=300
expect_out "nearest: K=1 (2.00x on '$device')"
run "$TMP/lookup" "$TMP/a.wisdom" gemm M=9999
expect_out "default: K=0"
change "$TMP/a.wisdom" "$TMP/family.wisdom" 'w["entries"] = [e]; e["device"] = "another"'
run "$TMP/lookup" "$TMP/family.wisdom" gemm M=256
expect_out "family: K=1 (2.00x on 'another')"
run "$TMP/lookup" "$TMP/cut.wisdom" gemm M=256
expect_status 1
expect_err_contains "the file ends here and is incomplete"

cases_end
