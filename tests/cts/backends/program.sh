# program.sh - programs that measure themselves, written in C. They give no answers that could be checked.
suffix=c
all_parts=(failures timing devices restart cache)
on_gpu() { false; }
has_kernels() { false; }
but_baseline() { echo $(($1 - 1)); }

program_spec() { # program_spec NAME PARAMS BASELINE: $TMP/NAME.c does what these define
  cp tests/cts/kernels/program.c "$TMP/$1.c"
  printf '%s\n' "name: $1" "backend: program" "file: $1.c" "params: {$2}" "baseline: {$3}" \
    "search: {strategy: exhaustive}" "build: {timeout: 10s}" >"$TMP/$1.yaml"
}
probe_spec() { program_spec probe 'KNOB: [0]' 'KNOB: 0'; }
work_spec() { program_spec "$@"; } # work_spec NAME PARAMS BASELINE
another_text() { sed -i 's/+= KNOB/-= KNOB/' "$TMP/$1.c"; } # another_text NAME: of the same meaning

# ---- Failures ----

program_failures() { # program_failures [WAY...]: `ways`, in each of which a configuration fails if TWICE is 0
  ways="BASE FAST NO_COMPILE COMPILE_FOREVER $* ILLEGAL TRAPS HANGS EXITS NO_RESULT BAD_RESULT"
  ways=$(echo $ways)
  program_spec failures "WAY: [${ways// /, }], TWICE: [0, 1]" 'WAY: BASE, TWICE: 0'
  expected=$((20 + 2 * $#))
  failure=(
    [NO_COMPILE]='compile_error nobody can compile this'
    [COMPILE_FOREVER]='compile_timeout'
    [ILLEGAL]='crash SIGSEGV'
    [TRAPS]='crash SIGABRT'
    [HANGS]='hang'
    [EXITS]='crash 3'
    [NO_RESULT]='no_result'
    [BAD_RESULT]='bad_result'
  )
}
failures_spec() { program_failures; }
config_of() { echo "WAY=$1,TWICE=0"; } # config_of WAY: the configuration that fails so

# ---- Devices ----

missing_device() { command -v cc >"$TMP/null" || echo "no C compiler here"; }
two_devices() { if [ "$(nproc)" -gt 1 ]; then echo program:0,program:1; fi; }
