# Options that SHARK Tuner's programs have: under their names, or it is said what does it here. Nothing
# is compiled: the dispatch has its target in it.
. "$(dirname "$0")/lib.sh"
export HONE_STORE=$TMP/store.db HONE_CACHE=$TMP/cache COLUMNS=100
unset NO_COLOR HONE_IREE
dump=tests/data/iree/dumps/matmul_gfx942.mlir

plan() { # plan OPTION...
  run "$HONE" tune "$dump" --knobs hone --dry-run "$@"
}

case_begin "names of SHARK Tuner's options"
plan --codegen-pipeline llvmgpu_vector_distribute --candidate-order no-sort \
  --search-space-shuffle-seed 7 --num-candidates 5 --max-cpu-workers 2 \
  --dispatch-tuner-num-dispatch-candidates 3 --benchmark-timing-method iree_benchmark_module \
  --output-td-spec "$TMP/spec.mlir" --stop-after compile-dispatches
expect_status 0
expect_out_contains "exhaustive, seed 7, at most 5 configurations"
expect_out_contains "confirm 3 finalists"
expect_out_contains "pipeline=VectorDistribute"

case_begin "devices as IREE names them"
plan --devices hip://0,hip://1
expect_status 0
expect_out_contains "devices     hip://0,hip://1"
run "$HONE" tune "$dump" --knobs hone --devices c:0 --evals 1
expect_status 2
expect_err_contains "devices are written 'iree:...'"

case_begin "a random seed by its other name is printed, and kept in the command"
printf 'name: t\nparams: {A: [1, 2]}\nbackend: program\nfile: t.sh\n' >"$TMP/t.yaml"
plan --enable-random-seed
expect_status 0
expect_err_contains "seed "
plan --enable-random-seed --seed 3
expect_status 2

case_begin "a file of flags that cannot be read is an error"
plan --compile-flags-file "$TMP"
expect_status 2
expect_err_contains "cannot read '$TMP': is a directory"
plan --compile-flags-file "$TMP/none.txt"
expect_status 2
expect_err_contains "cannot open '$TMP/none.txt': no such file or directory"

case_begin "what is done otherwise here"
while read -r option words; do
  run "$HONE" tune "$dump" "--$option" 1
  expect_status 2
  expect_err_contains "'--$option' is not supported: "
  expect_err_contains "$words"
done <<'END'
lhs-dims dims are read from the operation
rhs-dims dims are read from the operation
tile-dims dims are read from the operation
dispatch-benchmark-timeout-mins --budget TIME
prefetch-shared-memory-options --prefetch-num-stages-options
END
while read -r option words; do
  run "$HONE" iree tune model.mlir gfx942 "--$option=1"
  expect_status 2
  expect_err_contains "'--$option' is not supported: "
  expect_err_contains "$words"
done <<'END'
model-benchmark-timeout-mins --model-budget TIME
model-tuner-num-model-candidates --model-candidates N
fusilli-driver --dump-command
boo-tuner-num-dispatch-candidates --model-candidates
END

case_begin "the compiler's own choice is told"
plan
expect_out_contains "baseline    pipeline=compiler is the compiler's own choice: TileAndFuse, mma_kind"

case_begin "the help of all commands for IREE fits 80 columns"
for command in tune space 'iree dispatches' 'iree tune' 'iree merge' 'iree configure' 'iree verify' iree; do
  # shellcheck disable=SC2086
  run "$HONE" $command --help
  expect_same "lines of '$command' over 80 columns" "" "$(grep -E '.{81}' "$TMP/stdout")"
done

cases_end
