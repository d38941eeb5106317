# suite.sh - what the cases are made of: kernels for one backend, specs, and what became of their candidates.
#
#   spec NAME KERNEL ENTRY <<'END'      $TMP/NAME.yaml, and the kernel in the backend's language
#   params: {WAY: [BASE, OTHER]}
#   args: ...
#   END
#   tune NAME [OPTION...]               a run of its own in the store
#   expect_outcome OTHER ok             class of the configuration that has this value
#
# A `launch` stands in specs of GPUs only: a line that begins with it is left out for backend c, and is
# added if there is none for others.
export COLUMNS=200 HONE_STORE=$TMP/store.db HONE_CACHE=$TMP/cache
kernels=$PWD/tests/cts/kernels
RUN_TIMEOUT=${RUN_TIMEOUT:-120}

case $backend in
c) suffix=c ;;
opencl) suffix=cl ;;
cuda) suffix=cu ;;
*)
  echo "run.sh: no backend '$backend'; there are c, opencl and cuda" >&2
  exit 2
  ;;
esac

is() { [ "$backend" = "$1" ]; }
on_gpu() { [ "$backend" != c ]; }
devices=(${device:+--devices "$device"})

# ---- Specs ----

kernel() { # kernel NAME KERNEL: the prologue and the kernel are one file; includes are no matter of this suite
  cat "$kernels/prologue.$suffix" "$kernels/$2.kernel" >"$TMP/$1.$suffix"
}

spec() { # spec NAME KERNEL ENTRY, and further lines of YAML on standard input
  local lines
  lines=$(cat)
  kernel "$1" "$2"
  printf '%s\n' "name: $1" "backend: $backend" "file: $1.$suffix" "entry: $3" >"$TMP/$1.yaml"
  if on_gpu; then
    printf '%s\n' "$lines" >>"$TMP/$1.yaml"
    grep -q '^launch:' "$TMP/$1.yaml" || echo 'launch: {grid: [4], block: [64]}' >>"$TMP/$1.yaml"
  else
    printf '%s\n' "$lines" | sed '/^launch:/d' >>"$TMP/$1.yaml"
    grep -q '^build:' "$TMP/$1.yaml" || echo 'build: {flags: [-O1]}' >>"$TMP/$1.yaml"
  fi
}

work_spec() { # work_spec NAME PARAMS BASELINE: y = x after WORK steps
  spec "$1" work work <<END
problem: {N: 64}
params: {$2}
baseline: {$3}
args:
  - {name: x, type: f32, shape: [N], fill: {kind: uniform, low: 1, high: 2}}
  - {name: y, type: f32, shape: [N], role: out}
  - {name: one, type: f32, value: 1}
  - {name: zero, type: f32, value: 0}
  - {name: n, type: i32, value: N}
check: {rtol: 0, atol: 0}
launch: {grid: [1], block: [64]}
END
}

npy() { # npy FILE DESCR SHAPE CODE VALUES: the last are an expression of Python's; CODE is struct's
  python3 - "$TMP/$1" "$2" "$3" "$4" "$5" <<'END'
import struct, sys
path, descr, shape, code, values = sys.argv[1:]
head = "{'descr': '%s', 'fortran_order': False, 'shape': %s, }" % (descr, shape)
head += " " * (-(11 + len(head)) % 64) + "\n"
values = list(eval(values))
data = struct.pack("<%d%s" % (len(values), code), *values)
open(path, "wb").write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + data)
END
}

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
  run "$HONE" tune "$TMP/$name.yaml" "${devices[@]}" --quiet "$@"
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

two_devices() { # two of one kind, or one twice; nothing if there is but one CPU
  if is c; then
    if [ "$(nproc)" -gt 1 ]; then echo c:0,c:1; fi
  else
    known_device '",".join([own["device"], (alike + [own["device"]])[0]])'
  fi
}

look_for_device() {
  run "$HONE" devices --backend "$backend" --format json
  cp "$TMP/stdout" "$TMP/devices.json"
  case_begin "devices of $backend are listed"
  expect_status 0
  reason=$(python3 -c '
import json, sys
known = json.load(open(sys.argv[1]))
print("" if known["devices"] else known["missing"][0]["reason"])' "$TMP/devices.json" 2>&1)
  if [ -n "$reason" ] && ! $case_failed; then
    case_name='' # there is nothing to conform
    skip_all "$reason"
  fi
  spec probe copy copy <<'END'
problem: {N: 64}
params: {V: [0]}
args:
  - {name: x, type: u8, shape: [N], fill: arange}
  - {name: y, type: u8, shape: [N], role: out}
  - {name: n, type: i64, value: N}
END
  try probe
  expect_ok
  if $case_failed; then cases_end; fi
}
