# Several devices: each has a baseline of its own, and all have a share of the work.

two=$(two_devices)
if [ -z "$two" ]; then
  case_skip "two devices" "there is one CPU only"
else
  case_begin "two devices share the work: $two"
  work=4000
  if is hip; then work=150000; fi # a device is open after a second: the other has not done everything by then
  work_spec shared "WORK: [$work], KNOB: \"range(24)\"" "WORK: $work, KNOB: 0"
  devices=(--devices "$two")
  tune shared
  devices=(${device:+--devices "$device"})
  expect_status 0
  expect_figure 'sorted({e["device"] for e in all if e["is_baseline"]}) == sorted({e["device"] for e in candidates})' True
  expect_figure 'len(candidates)' "$(but_baseline 24)"
  expect_figure 'sorted({s["facts"]["slot"] for e in all if e["is_baseline"] for s in e["samples"]})' '[0, 1]'
  expect_figure 'sorted({s["facts"]["slot"] for e in candidates for s in e["samples"]})' '[0, 1]'
  expect_figure '[e["config"] for e in all if e["outcome"] not in ("ok", "slow")]' '[]'
fi

if ! is hip || [ -z "${STAND_IN_DEVICES-}" ]; then
  case_skip "all devices, and one that is gone" "of the stand-in of HIP only"
else
  case_begin "all devices: each has its own baseline and its share of the candidates"
  devices=(--devices all)
  tune shared
  devices=(${device:+--devices "$device"})
  expect_status 0
  expect_figure 'sorted({e["device"] for e in all if e["is_baseline"]})' "['hip:0', 'hip:1']"
  expect_figure 'sorted({e["device"] for e in candidates})' "['hip:0', 'hip:1']"
  expect_figure 'sorted({s["facts"]["slot"] for e in candidates for s in e["samples"]})' '[0, 1]'

  case_begin "all devices, one of which is gone"
  rm -f "$HONE_STORE"*
  STAND_IN_DEVICES=2 STAND_IN_LOST=1 run "$HONE" tune "$TMP/shared.yaml" --devices hip:0,hip:1 --stop-after screen
  expect_status 0
  expect_err_contains "device 'hip:1' is no longer used"
fi

if ! is opencl || [[ $(known_device 'own["device"]') != *pocl* ]]; then
  case_skip "two parts of a processor" "of OpenCL's PoCL only"
else
  case_begin "two parts of a processor: each has its own baseline and its share of the candidates"
  rm -f "$HONE_STORE"*
  export POCL_DEVICES='pthread pthread' # PoCL lists its processor twice
  devices=(--devices opencl:pocl:0,opencl:pocl:1)
  tune shared
  unset POCL_DEVICES
  devices=(${device:+--devices "$device"})
  expect_status 0
  expect_figure 'sorted({e["device"] for e in all if e["is_baseline"]})' "['opencl:pocl:0', 'opencl:pocl:1']"
  expect_figure 'sorted({e["device"] for e in candidates})' "['opencl:pocl:0', 'opencl:pocl:1']"
  expect_figure '[e["config"] for e in all if e["outcome"] not in ("ok", "slow")]' '[]'
fi

other=$(if is opencl; then known_device '(others + [""])[0]'; fi)
if [ -z "$other" ]; then
  case_skip "a device of another kind" "it takes two kinds of OpenCL devices"
else
  case_begin "a device of another kind is given up, and the others go on: $other"
  rm -f "$HONE_STORE"*
  run "$HONE" tune "$TMP/probe.yaml" --devices "$(known_device 'own["device"]'),$other" --stop-after screen
  expect_status 0
  expect_err_contains "device '$other' is no longer used"
  expect_err_contains "cannot run binaries built for"
fi

if is sim; then
  case_skip "a device that is not there" "recordings are on as many devices as are asked for"
  return
fi
case_begin "a device that is not there"
run "$HONE" run "$TMP/probe.yaml" --devices "$backend:4711"
[ "$STATUS" != 0 ] || fail "it ran"
expect_err_contains "4711"
