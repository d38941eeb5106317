# serve.sh - a program in Python that stays, and answers requests. It builds, checks and measures itself.
. tests/cts/backends/program.sh
backend=program # whose devices it uses
suffix=py
all_parts=(failures timing devices restart)

program_spec() { # program_spec NAME PARAMS BASELINE
  cp tests/cts/kernels/served.py "$TMP/$1.py"
  printf '%s\n' "name: $1" "backend: program" "file: $1.py" "run: {mode: serve, builders: 2}" "params: {$2}" "baseline: {$3}" \
    "search: {strategy: exhaustive}" "build: {timeout: 5s}" >"$TMP/$1.yaml"
}

failures_spec() {
  program_failures WRONG
  failure[WRONG]='wrong_result it is 1, not 2'
}

missing_device() { command -v python3 >"$TMP/null" || echo "no python3 here"; }
