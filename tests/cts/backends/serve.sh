# serve.sh - a program in Python that stays, and answers requests. It builds, checks and measures itself.
backend=program # whose devices it uses
suffix=py
all_parts=(failures timing devices restart)
on_gpu() { false; }
has_kernels() { false; }
but_baseline() { echo $(($1 - 1)); }

program_spec() { # program_spec NAME PARAMS BASELINE
  cp tests/cts/kernels/served.py "$TMP/$1.py"
  printf '%s\n' "name: $1" "backend: program" "file: $1.py" "run: {mode: serve, builders: 2}" "params: {$2}" "baseline: {$3}" \
    "search: {strategy: exhaustive}" "build: {timeout: 5s}" >"$TMP/$1.yaml"
}
probe_spec() { program_spec probe 'KNOB: [0]' 'KNOB: 0'; }
work_spec() { program_spec "$@"; } # work_spec NAME PARAMS BASELINE

# ---- Failures ----

failures_spec() { # and `ways`, in each of which a configuration fails if TWICE is 0
  ways='BASE FAST NO_COMPILE COMPILE_FOREVER WRONG ILLEGAL TRAPS HANGS EXITS NO_RESULT BAD_RESULT'
  program_spec failures "WAY: [${ways// /, }], TWICE: [0, 1]" 'WAY: BASE, TWICE: 0'
  expected=22
  failure=(
    [NO_COMPILE]='compile_error nobody can compile this'
    [COMPILE_FOREVER]='compile_timeout'
    [WRONG]='wrong_result it is 1, not 2'
    [ILLEGAL]='crash SIGSEGV'
    [TRAPS]='crash SIGABRT'
    [HANGS]='hang'
    [EXITS]='crash 3'
    [NO_RESULT]='no_result'
    [BAD_RESULT]='bad_result'
  )
}
config_of() { echo "WAY=$1,TWICE=0"; } # config_of WAY: the configuration that fails so

# ---- Devices ----

missing_device() { command -v python3 >"$TMP/null" || echo "no python3 here"; }
two_devices() { if [ "$(nproc)" -gt 1 ]; then echo program:0,program:1; fi; }
