# hone space on files of MLIR: the options that only they have, and that they are like other specs
# from there on. Nothing here needs a compiler: the file names its target itself.
. "$(dirname "$0")/lib.sh"
export COLUMNS=100 HONE_CACHE="$TMP/cache"
unset NO_COLOR VIRTUAL_ENV HONE_IREE
data=$(dirname "$0")/../data/iree
matmul=$data/dumps/matmul_gfx942.mlir
attention=$data/dumps/attention_gfx942.mlir

case_begin "counts what a dispatch allows"
run "$HONE" space "$matmul" --knobs hone --count
expect_status 0
expect_out 2442
run "$HONE" space "$matmul" --knobs hone --pipeline VD --all --count
expect_status 0
expect_out 1265
run "$HONE" space "$matmul" --knobs hone --codegen-pipeline=llvmgpu_vector_distribute \
  --num-subgroups 4 --all --count
expect_status 0
expect_out 358

case_begin "a list of values multiplies the space, however it is written"
run "$HONE" space "$matmul" --knobs hone --waves-per-eu-options 1,2 --count
expect_out 4884
run "$HONE" space "$matmul" --knobs hone --waves-per-eu-options 1 --waves-per-eu-options 2 --count
expect_out 4884

case_begin "each configuration is an object with its texts"
run "$HONE" space "$attention" --knobs hone --list --format json
expect_status 0
python3 - "$TMP/stdout" <<'PY' || fail "$OUT"
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
assert len(rows) > 100
for row in rows:
    assert row["compilation_info"].startswith("#iree_codegen.compilation_info<")
    assert "qk_attrs" in row["decomposition_config"]
    assert "$" not in row["compilation_info"] + row["decomposition_config"]
assert len({row["compilation_info"] + row["decomposition_config"] for row in rows}) == len(rows)
PY

case_begin "other formats have no texts"
run "$HONE" space "$matmul" --knobs hone --at 0 --format csv
expect_status 0
case $OUT in *compilation_info*) fail "$OUT" ;; esac

case_begin "the spec that a file became can be seen, and loaded"
run "$HONE" space "$matmul" --knobs hone --show-spec
expect_status 0
expect_out_contains "alternatives:"
cp "$TMP/stdout" "$TMP/matmul.yaml"
run "$HONE" space "$TMP/matmul.yaml" --count
expect_status 0
expect_out 2442

case_begin "such a file stands by itself"
run "$HONE" space "$matmul" "$attention"
expect_status 2
expect_err_contains "cannot be combined with other files"
run "$HONE" space "$matmul" "$TMP/matmul.yaml"
expect_status 2
expect_err_contains "cannot be combined with other files"

case_begin "its options are for it alone, and are checked"
run "$HONE" space "$TMP/matmul.yaml" --iree-target gfx942
expect_status 2
expect_err_contains "'--iree-target' needs an .mlir file"
run "$HONE" space "$matmul" --knobs mine
expect_status 2
expect_err_contains "'--knobs' is auto, hone or compiler, not 'mine'"
run "$HONE" space "$matmul" --num-subgroups -7
expect_status 2
expect_err_contains "'--num-subgroups' needs a number"

case_begin "a file that is not there, or holds nothing, is said so"
run "$HONE" space "$TMP/none.mlir"
expect_status 2
expect_err_contains "none.mlir"
: >"$TMP/empty.mlir"
run "$HONE" space "$TMP/empty.mlir" --knobs hone
expect_status 2
expect_err_contains "empty.mlir"

cases_end
