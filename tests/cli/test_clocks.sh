#!/usr/bin/env bash
# Locked clocks and limits of power, with stand-ins of CUDA's driver and of NVML.
. "$(dirname "$0")/lib.sh"
export HONE_STORE=$TMP/store.db HONE_CACHE=$TMP/cache COLUMNS=200
cc -shared -fPIC -o "$TMP/cuda.so" tests/fault/device_stub.c -lm || exit 1
cc -shared -fPIC -o "$TMP/nvml.so" tests/stand-in/nvml.c || exit 1
export HONE_CUDA=$TMP/cuda.so HONE_NVRTC=$TMP/cuda.so HONE_NVML=$TMP/nvml.so NVML_STATE=$TMP/device.txt
usual='0 600000'
echo "$usual" >"$NVML_STATE"

# Commands that check are how a test sees the device while candidates run.
cat >"$TMP/add.yaml" <<'SPEC'
file: add.cu
entry: add_one
params: {V: [1, 2]}
baseline: {V: 1}
args:
  - {name: x, type: f32, shape: [64]}
  - {name: y, type: f32, shape: [64], role: out}
  - {name: n, type: i32, value: 64}
launch: {grid: 1, block: 64}
check: {command: "sh look.sh"}
SPEC
echo '__global__ void add_one(float *x, float *y, int n) { y[threadIdx.x] = x[threadIdx.x] + V; }' >"$TMP/add.cu"
echo 'cat "$NVML_STATE" >>seen.log' >"$TMP/look.sh"
tune() { # tune OPTION...
  : >"$TMP/seen.log"
  run "$HONE" tune "$TMP/add.yaml" --fresh --stop-after screen "$@"
}
state() { cat "$NVML_STATE"; }
left() { ls "$HONE_CACHE/clocks" 2>/dev/null; }

case_begin "clocks are locked while candidates run, and released afterwards"
tune --lock-clocks
expect_status 0
run "$HONE" show last --format json
expect_out_contains "its clocks are locked to 1980 MHz"
expect_same "the device meanwhile" "1980 600000" "$(sort -u "$TMP/seen.log")"
expect_same "the device afterwards" "$usual" "$(state)"
expect_same "files that are left" "" "$(left)"

case_begin "without the option nothing is changed"
tune
expect_status 0
expect_same "the device meanwhile" "$usual" "$(sort -u "$TMP/seen.log")"

case_begin "a killed program: its worker releases them"
echo 'cat "$NVML_STATE" >>seen.log; kill -KILL $(cat program.pid)' >"$TMP/look.sh"
: >"$TMP/seen.log"
sh -c 'echo "$$" >"$1/program.pid"; shift; exec "$@"' sh "$TMP" "$HONE" tune "$TMP/add.yaml" --fresh --lock-clocks >"$TMP/killed.log" 2>&1
expect_same "the device while it ran" "1980 600000" "$(sort -u "$TMP/seen.log")"
is_released() { [ "$(state)" = "$usual" ] && [ -z "$(left)" ]; }
wait_until is_released
echo 'cat "$NVML_STATE" >>seen.log' >"$TMP/look.sh"

case_begin "a killed worker, too: the next start releases them"
mkdir -p "$HONE_CACHE/clocks"
echo '1 650000' >"$HONE_CACHE/clocks/GPU-07070707-0707-0707-0707-070707070707"
echo '1980 300000' >"$NVML_STATE"
tune
expect_status 0
expect_same "the device in the next run" "0 650000" "$(sort -u "$TMP/seen.log")"
expect_same "files that are left" "" "$(left)"
echo "$usual" >"$NVML_STATE"

case_begin "nothing is taken back from a process that lives"
echo '1 600000' >"$HONE_CACHE/clocks/GPU-07070707-0707-0707-0707-070707070707"
echo '1500 600000' >"$NVML_STATE"
exec 9<>"$HONE_CACHE/clocks/GPU-07070707-0707-0707-0707-070707070707"
flock 9
tune --lock-clocks
expect_status 0
expect_same "the device meanwhile" "1500 600000" "$(sort -u "$TMP/seen.log")"
run "$HONE" show last --format json
expect_out_contains "its clocks could not be locked: another process has set them"
exec 9>&-
rm "$HONE_CACHE/clocks/"*
echo "$usual" >"$NVML_STATE"

case_begin "where it is not permitted, the run goes on and says so"
NVML_REFUSES=1 tune --lock-clocks
expect_status 0
run "$HONE" show last --format json
expect_out_contains "its clocks could not be locked: this user may not change it"
expect_same "files that are left" "" "$(left)"

case_begin "the limit of power as a knob"
sed -e 's/^params:.*/params: {V: [1], W: [0, 300, 400, 900]}/; s/^baseline:.*/baseline: {V: 1, W: 0}/' \
  -e '$ameasure: {power_limit: W}' -i "$TMP/add.yaml"
tune
expect_status 0
expect_same "the device afterwards" "$usual" "$(state)"
run "$HONE" show last --format json
expect_out_contains "a power limit of 900 W cannot be set: the device takes 200 to 700 W"
expect_same "files that are left" "" "$(left)"

cases_end
