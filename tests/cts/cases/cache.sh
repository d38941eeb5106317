# What is built is kept; what was found can be looked at and run again.

case_begin "a second run builds nothing anew"
work_spec kept 'WORK: [3000], KNOB: "range(6)"' 'WORK: 3000, KNOB: 0'
tune kept
expect_status 0
expect_figure 'sum(e["compile_s"] is not None and not e["cached"] for e in all)' 6
tune kept --fresh
expect_status 0
expect_figure 'sum(e["compile_s"] is not None and not e["cached"] for e in all)' 0
expect_figure 'len({e["object"] for e in all})' 6

if has_kernels; then
  case_begin "a comment is no other text"
  echo '/* nothing */' >>"$TMP/kept.$suffix"
  tune kept --fresh
  expect_figure 'sum(e["compile_s"] is not None and not e["cached"] for e in all)' 0
else
  case_skip "a comment is no other text" "what programs are made of is not looked into"
fi

case_begin "another text is another object"
another_text kept
tune kept --fresh
expect_figure 'sum(e["compile_s"] is not None and not e["cached"] for e in all)' 6

case_begin "one of them by itself"
try kept --config WORK=3000,KNOB=3
expect_ok
expect_out_contains "KNOB=3"

if on_gpu; then
  case_begin "what it costs is kept with it"
  expect_figure 'all and [e["config"] for e in all if not e["costs"]]' '[]'
  if is cuda || is hip; then
    expect_figure '[e["config"] for e in all if not 1 <= e["costs"]["registers"] <= 255]' '[]'
    expect_figure '[e["config"] for e in all if e["costs"]["spills"] != 0]' '[]'
  fi
else
  case_skip "what it costs is kept with it" "of GPUs only"
fi

case_begin "the same command again answers from the store"
tune kept
expect_figure 'run["state"]' finished
first=$(figure '[run["run"]] + [e["id"] for e in all]')
run "$HONE" tune "$TMP/kept.yaml" "${devices[@]}" --quiet --no-cap --stop-after screen
expect_status 0
remember
expect_figure '[run["run"]] + [e["id"] for e in all]' "$first"
