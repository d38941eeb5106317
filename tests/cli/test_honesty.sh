# The parts of bench/honesty that must be right by themselves: exact bounds, and loads that end.
. "$(dirname "$0")/lib.sh"

export PYTHONPATH="$PWD/bench/honesty" PYTHONDONTWRITEBYTECODE=1

case_begin "shares have the bounds that tables give"
run python3 - <<'END'
from shares import Share, Target

def bounds(hits, count):
    return " ".join(f"{100 * bound:.2f}" for bound in Share(hits, count).bounds())

print(bounds(0, 100), bounds(5, 100), bounds(100, 100), bounds(0, 0), bounds(1, 1))
most, least = Target(most=0.05), Target(least=0.95)
print(most.judge(Share(0, 100)), most.judge(Share(0, 10)), most.judge(Share(6, 100)))
print(least.judge(Share(100, 100)), least.judge(Share(10, 10)), least.judge(Share(94, 100)))
print(Share(2, 100), "|", Share(0, 0))
END
expect_out "0.00 3.62 1.64 11.28 96.38 100.00 0.00 100.00 2.50 100.00
yes open NO
yes open NO
2 of 100 (0.2-7.0 %) | none"

case_begin "scenarios are listed and chosen"
run bench/honesty/run "$HONE" --list --scenarios 'modes-*/quiet,equal/minutes'
expect_status 0
expect_same "scenarios" "modes-equal/quiet modes-10/quiet equal/minutes" "$(cut -d ' ' -f 1 <<<"$OUT" | xargs)"
run bench/honesty/run "$HONE" --list --scenarios nothing
expect_status 1
expect_err_contains "no scenario is called 'nothing'"

# ---- Loads

holder() { # holder LOAD: a process that has this load until it is ended; says its groups
  cat >"$TMP/holder.py" <<'END'
import signal, sys, time
from loads import Load

def leave(*_):
    raise KeyboardInterrupt

signal.signal(signal.SIGTERM, leave)
try:
    with Load(sys.argv[1], sys.argv[2]) as load:
        print(*load.children, flush=True)
        while True:
            time.sleep(1)
except KeyboardInterrupt:
    sys.exit(130)
END
  : >"$TMP/groups"
  command python3 "$TMP/holder.py" "$1" "$TMP" >"$TMP/groups" 2>"$TMP/stderr" &
  holder=$!
  until [ -s "$TMP/groups" ] || ! kill -0 $holder; do sleep 0.05; done
}
alive() { # processes of the load's groups; dead ones that nobody asked for do not count
  for group in $(cat "$TMP/groups"); do
    cat /proc/[0-9]*/stat 2>/dev/null | awk -v group="$group" '{ sub(/.*\) /, "") } $1 != "Z" && $3 == group { print group }'
  done | wc -l
}
some_alive() { [ "$(alive)" -ge "$(wc -w <"$TMP/groups")" ]; }
none_alive() { [ "$(alive)" = 0 ]; }

for load in bursts compilers memory minutes; do
  case_begin "load '$load' ends with the benchmark, also when that is killed"
  for signal in TERM KILL; do
    holder $load
    wait_until some_alive
    kill -$signal $holder
    wait $holder 2>/dev/null
    wait_until none_alive
  done
done

cases_end
