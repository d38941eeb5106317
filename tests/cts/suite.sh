# suite.sh - what the cases are made of: specs for one backend, and what became of their candidates.
#
#   work_spec NAME PARAMS BASELINE      $TMP/NAME.yaml: candidates that differ in WORK and KNOB
#   tune NAME [OPTION...]               a run of its own in the store
#   expect_outcome CONFIG ok            class of a configuration
#
# What a backend needs for that is in backends/NAME.sh: `all_parts`, which apply to it; probe_spec, work_spec,
# failures_spec; its devices. Backends that call kernels share backends/kernels.sh.
export COLUMNS=200 HONE_STORE=$TMP/store.db HONE_CACHE=$TMP/cache
RUN_TIMEOUT=${RUN_TIMEOUT:-120}

declare -A failure # WAY: the class of the configuration that fails so, and words of the evidence
begin_backend() { :; } # what is needed before anything is run
after_failures() { :; }

case $backend in
c | opencl | cuda | hip) . tests/cts/backends/kernels.sh ;;
program | serve | iree | sim) . "tests/cts/backends/$backend.sh" ;;
*)
  echo "run.sh: no backend '$backend'; there are c, opencl, cuda, hip, hip-stand-in, program, serve, iree and sim" >&2
  exit 2
  ;;
esac

is() { [ "$backend" = "$1" ]; }
devices=(${device:+--devices "$device"})
# Every process that compiles with PoCL reads its library of functions, for half a second.
builders=()
if is opencl; then builders=(--builders 1); fi

# ---- Runs ----

tune() { # tune NAME [OPTION...]: every candidate is checked and timed to the end; no claims
  local name=$1
  shift
  confirm "$name" --no-cap --stop-after screen "$@"
}

confirm() { # confirm NAME [OPTION...]: to the end, in a store of its own
  local name=$1
  shift
  rm -f "$HONE_STORE"*
  run "$HONE" tune "$TMP/$name.yaml" "${devices[@]}" "${builders[@]}" --quiet "$@"
  remember
}

try() { # try NAME [OPTION...]: one configuration, by hone run
  local name=$1
  shift
  run "$HONE" run "$TMP/$name.yaml" "${devices[@]}" "$@"
}

remember() { # the last run, as JSON and as lines of configuration, class and evidence
  if ! "$HONE" show last --format json >"$TMP/run.json" 2>"$TMP/show_error"; then echo '{}' >"$TMP/run.json"; fi
  figure '"\n".join("\t".join([e["config"], e["outcome"], e["evidence"] or ""]) for e in all)' >"$TMP/classes"
}

figure() { # figure EXPRESSION: of the last run; `of` are its evaluations by configuration
  python3 - "$TMP/run.json" "$1" <<'END'
import json, sys
run = json.load(open(sys.argv[1]))
all = run.get("evaluations", [])
of = {e["config"]: e for e in all if not e["is_baseline"]}
candidates = list(of.values())
try:
    print(eval(sys.argv[2]))
except Exception as error:
    print(f"{type(error).__name__}: {error}")
END
}

expect_figure() { # expect_figure EXPRESSION VALUE
  local got
  got=$(figure "$1")
  [ "$got" = "$2" ] || fail "$1 is $got, not $2"
}

# A busy machine may find slow what works; both are right answers.
outcome() { awk -F '\t' -v c="$1" '$1 == c { o = $2 } END { sub("slow", "ok", o); print o ? o : "not there" }' "$TMP/classes"; }
evidence() { awk -F '\t' -v c="$1" '$1 == c { e = $3 } END { print e }' "$TMP/classes"; }

expect_outcome() { # expect_outcome CONFIG CLASS|CLASS [PART OF THE EVIDENCE]
  local got
  got=$(outcome "$1")
  case "|$2|" in
  *"|$got|"*) ;;
  *) fail "$1 is $got, not $2: $(evidence "$1")" ;;
  esac
  if [ -n "${3-}" ]; then expect_contains "the evidence of $1" "$3" "$(evidence "$1")"; fi
}

expect_ok() { # of hone run
  expect_status 0
  expect_out_contains "outcome     ok"
}

expect_said() { # in what it says, wherever
  expect_contains "the output" "$1" "$OUT
$ERR"
}

seconds() { # seconds COMMAND...: how long it takes, in $SECONDS_TAKEN
  local began=$EPOCHREALTIME
  "$@"
  SECONDS_TAKEN=$(awk -v a="$began" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.1f", b - a }')
}

expect_below() { # expect_below WHAT FIGURE LIMIT
  awk -v a="$2" -v b="$3" 'BEGIN { exit !(a < b) }' || fail "$1 is $2, not below $3"
}

workers_left() { # processes of hone that this suite started
  local process
  for process in /proc/[0-9]*; do
    if [ "$(readlink "$process/exe")" = "$HONE" ] &&
      tr '\0' '\n' <"$process/environ" | grep -qxF "HONE_STORE=$HONE_STORE"; then
      echo "${process#/proc/}"
    fi
  done 2>"$TMP/null"
}

# ---- The device ----

skip_all() { # skip_all REASON
  if [ -n "${CTS_REQUIRE-}" ]; then
    case_begin "there is a device of $backend"
    fail "$1"
    cases_end
  fi
  case_skip "conformance of backend $backend" "$1"
  cases_end
}

fact() { # fact NAME: of the device; 0 if it is not known
  known_device 'own.get("'"$1"'", 0)'
}

known_device() { # known_device EXPRESSION: of all devices, and the one that is used
  python3 - "$TMP/devices.json" "$device" "$1" <<'END'
import json, sys
path, device, expression = sys.argv[1:]
all = json.load(open(path))["devices"]
default = next((each for each in all if each.get("is_default")), all[0])
own = next((each for each in all if each["device"] == device), default)
kind = lambda each: [each.get(fact) for fact in ("name", "arch", "driver")]
alike = [each["device"] for each in all if kind(each) == kind(own) and each is not own]
others = [each["device"] for each in all if kind(each) != kind(own)]
print(eval(expression))
END
}

look_for_device() {
  run "$HONE" devices --backend "$backend" --format json
  cp "$TMP/stdout" "$TMP/devices.json"
  case_begin "devices of $backend are listed"
  expect_status 0
  reason=$(missing_device)
  if [ -n "$reason" ] && ! $case_failed; then
    case_name='' # there is nothing to conform
    skip_all "$reason"
  fi
  begin_backend
  probe_spec
  try probe
  expect_ok
  if $case_failed; then cases_end; fi
}
