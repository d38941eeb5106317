# sim.sh - recordings: times are those of a file, failures are scripted, and both really happen in the processes.
all_parts=(failures timing devices restart)
on_gpu() { false; }
has_kernels() { false; }
but_baseline() { echo $(($1 - 1)); }

# WORK takes as many nanoseconds, and a build 20 ms.
recording_spec() { # recording_spec NAME PARAMS BASELINE TIME: the last is an expression of Python's, in ms
  python3 - "$2" "$4" >"$TMP/$1.json" <<'END'
import itertools, json, re, sys
def values(text):
    return [int(v) if v.strip().isdigit() else v.strip() for v in text.split(",")]
params = {name: values(listed) if listed else list(range(int(count)))
          for name, listed, count in re.findall(r'(\w+): (?:\[(.*?)\]|"range\((\d+)\)")', sys.argv[1])}
cache = {}
for row in itertools.product(*params.values()):
    config = dict(zip(params, row))
    cache[",".join(map(str, row))] = dict(config, time=eval(sys.argv[2], {}, config), compile_time=20)
json.dump({"device_name": "none", "kernel_name": "k", "tune_params_keys": list(params), "tune_params": params,
           "cache": cache}, sys.stdout)
END
  printf '%s\n' "name: $1" "backend: sim" "file: $1.json" "baseline: {$3}" "search: {strategy: exhaustive}" \
    "build: {timeout: 2s}" >"$TMP/$1.yaml"
}
probe_spec() { recording_spec probe 'V: [0]' 'V: 0' 1; }
work_spec() { # work_spec NAME PARAMS BASELINE
  recording_spec "$1" "$2" "$3" 'WORK / 1e6'
  echo 'sim: {pace: 1}' >>"$TMP/$1.yaml"
}

# ---- Failures ----

failures_spec() { # and `ways`, in each of which a configuration fails if TWICE is 0
  local way
  ways='BASE FAST'
  failure=(
    [NO_COMPILE]='compile_error'
    [COMPILE_FOREVER]='compile_timeout'
    [WRONG]='wrong_result'
    [ILLEGAL]='device_fault'
    [TRAPS]='crash SIGABRT'
    [HANGS]='hang'
    [NO_RESULT]='no_result'
    [BAD_RESULT]='bad_result'
    [LARGE_BLOCK]='launch_failure'
  )
  ways+=" ${!failure[*]}"
  recording_spec failures "WAY: [${ways// /, }], TWICE: [0, 1]" 'WAY: BASE, TWICE: 0' '0.1 if WAY == "FAST" else 1'
  echo 'sim: {faults: [' >>"$TMP/failures.yaml"
  for way in "${!failure[@]}"; do
    echo "  {when: \"WAY == '$way' and not TWICE\", outcome: ${failure[$way]%% *}}," >>"$TMP/failures.yaml"
  done
  echo ']}' >>"$TMP/failures.yaml"
  expected=$((2 * $(set -- $ways && echo $#)))
}
config_of() { echo "WAY=$1,TWICE=0"; } # config_of WAY: the configuration that fails so

# ---- Devices ----

missing_device() { :; } # none is needed
two_devices() { echo sim:0,sim:1; }
