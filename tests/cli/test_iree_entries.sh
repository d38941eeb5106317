# hone iree tune: entries that need more than a matcher, and what goes wrong between a model and its spec.
# With the real compiler, on the CPU; nothing is timed.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/iree.sh"
export COLUMNS=100 HONE_STORE="$TMP/hone.db" HONE_CACHE="$TMP/cache" RUN_TIMEOUT=300
need_iree "an entry applies to a model"
. "$(dirname "$0")/iree_models.sh"
export HONE_IREE=$QUICK_IREE

case_begin "the entry of a convolution with batch 1 applies to the model"
cat >"$TMP/conv.mlir" <<'END'
func.func @conv(%in: tensor<1x18x18x16xf32>, %w: tensor<3x3x16x32xf32>) -> tensor<1x16x16x32xf32> {
  %cst = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x16x16x32xf32>
  %fill = linalg.fill ins(%cst : f32) outs(%empty : tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32>
  %res = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%in, %w : tensor<1x18x18x16xf32>, tensor<3x3x16x32xf32>) outs(%fill : tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32>
  return %res : tensor<1x16x16x32xf32>
}
END
tune "$TMP/conv.mlir" --evals 1 --model-candidates 1 -o "$TMP/conv.out" --keep-slower
expect_status 0
case $ERR in *not_applied*) fail "not applied: $ERR" ;; esac
expect_contains "the spec" "iree-codegen-insert-batch-dim-for-batchless-conv" "$(cat "$TMP/conv.out")"
rm "$TMP/conv.out"

case_begin "an entry that the model does not take is no candidate"
deaf=$TMP/deaf
mkdir "$deaf"
cp -P "$QUICK_IREE"/iree-{opt,run-module,benchmark-module} "$deaf"
cat >"$deaf/iree-compile" <<END
#!/bin/sh
# Applies specs to dispatches, not to candidates of the model.
case \$* in *--compile-from=executable-sources*) ;; *dispatch.mlir*)
  for word; do
    shift
    case \$word in --iree-codegen-tuning-spec-path=*) ;; *) set -- "\$@" "\$word" ;; esac
  done ;;
esac
exec "$QUICK_IREE/iree-compile" "\$@"
END
chmod +x "$deaf/iree-compile"
sed 's/x32xf32/x48xf32/g' "$TMP/conv.mlir" >"$TMP/other.mlir"
HONE_IREE=$deaf tune "$TMP/other.mlir" --evals 1 --model-candidates 1 -o "$TMP/conv.out"
expect_status 0
expect_err_contains "not_applied"
expect_out_contains "matches no operation of the model"
expect_out_contains "NO IMPROVEMENT"
[ ! -e "$TMP/conv.out" ] || fail "a spec was written"

case_begin "equal operations are searched once, and have one entry"
three_dispatches >"$TMP/three.mlir"
tune "$TMP/three.mlir" --evals 1 --model-candidates 1 --keep-slower --share 0 -o "$TMP/three.out" --format json
expect_status 0
expect_err_contains "with 1 equal one)"
expect_same "entries of the products" "True" "$(field 'sum("matmul" in x["operation"] and x["used"] for x in d["dispatches"]) <= 1')"
# Which entries the model keeps is a matter of times; the second product follows the first.
expect_same "the other product" "True" \
  "$(field 'any(text in str(x["why_not"]) for x in d["dispatches"] for text in ("their operations are equal", "as main_dispatch_0"))')"
expect_same "calls" "True" "$(field 'all(x["calls"] == 1 for x in d["dispatches"])')"
[ -s "$TMP/three.out" ] || fail "no spec was written"

case_begin "a model that crashes with all entries at once is not the end"
frail=$TMP/frail
mkdir "$frail"
cp -P "$QUICK_IREE"/iree-{compile,opt,run-module} "$frail"
cat >"$frail/iree-benchmark-module" <<END
#!/bin/sh
case \$* in *profile-[12].vmfb*) kill -SEGV \$\$ ;; esac
exec "$QUICK_IREE/iree-benchmark-module" "\$@"
END
chmod +x "$frail/iree-benchmark-module"
HONE_IREE=$frail tune "$TMP/three.mlir" --evals 1 --model-candidates 1 --keep-slower --share 0 --work "$TMP/frail-work" \
  -o "$TMP/frail.out" --format json
expect_status 0
[ -e "$TMP/frail-work/profile-1.vmfb" ] || fail "the model was not profiled"
[ ! -e "$TMP/frail-work/profile.txt" ] || fail "there is a profile"
[ -s "$TMP/frail.out" ] || fail "no spec was written"

case_begin "a model whose outputs change is no candidate"
liar=$TMP/liar
mkdir "$liar"
cp -P "$QUICK_IREE"/iree-{compile,opt,benchmark-module} "$liar"
cat >"$liar/iree-run-module" <<END
#!/bin/sh
# Runs models that are not the reference with another input.
for word; do case \$word in --module=*) module=\${word#--module=} ;; esac; done
if ! cmp -s "\${module-}" "\${module%/*}/reference.vmfb"; then
  for word; do
    shift
    case \$word in --input=@*input0.npy) word=--input=48x64xf32=1 ;; esac
    set -- "\$@" "\$word"
  done
fi
exec "$REAL_IREE/iree-run-module" "\$@"
END
chmod +x "$liar/iree-run-module"
product 48 32 64 >"$TMP/wrong.mlir"
run env HONE_IREE="$liar" "$HONE" iree tune "$TMP/wrong.mlir" llvm-cpu --no-options --evals 1 --model-candidates 1 \
  -o "$TMP/wrong.out"
expect_status 0
expect_err_contains "wrong_result"
expect_err_contains "output 0"
expect_out_contains "nothing was proved to be faster than plain iree-compile"
expect_out_contains "iree-compile $TMP/wrong.mlir $flags -o model.vmfb"
[ ! -e "$TMP/wrong.out" ] || fail "a spec was written"

case_begin "where nothing can be written, nothing is tuned"
for option in -o --candidates-csv; do
  tune "$TMP/small.mlir" --evals 1 $option /proc/none/file
  expect_status 1
  expect_err_contains "cannot make the folder '/proc/none': no such file or directory"
  case $ERR in *"the model as it is"*) fail "the model was compiled" ;; esac
done
tune "$TMP/small.mlir" --evals 1 -o "$TMP"
expect_status 1
expect_err_contains "cannot write '$TMP': is a directory"

case_begin "if the disk is full at the end, the result is shown, with the spec in the work folder"
tune "$TMP/small.mlir" --evals 1 --model-candidates 1 --keep-slower --work "$TMP/full-work" -o /dev/full
expect_status 1
expect_err_contains "cannot write '/dev/full': no space left on device"
expect_out_contains "$TMP/full-work/tuning-spec.mlir  1 entry"
expect_out_contains "--iree-codegen-tuning-spec-path=$TMP/full-work/tuning-spec.mlir"

case_begin "entries that are never built do not outlast the budget, and the model's figures are of its options"
stuck=$TMP/stuck
mkdir "$stuck"
cp -P "$QUICK_IREE"/iree-{opt,run-module,benchmark-module} "$stuck"
cat >"$stuck/iree-compile" <<END
#!/bin/sh
# Never ends with an entry for the model, except in the trial.
case \$* in
*trial-spec.mlir*) ;;
*stuck.mlir*--iree-codegen-tuning-spec-path=*) exec sleep 3600 ;;
esac
exec "$REAL_IREE/iree-compile" "\$@"
END
chmod +x "$stuck/iree-compile"
product 48 32 64 >"$TMP/stuck.mlir"
run env HONE_IREE="$stuck" "$HONE" iree tune "$TMP/stuck.mlir" llvm-cpu --threads 1 --budget 30s --model-candidates 1 \
  --keep-slower -o "$TMP/stuck.out" --format json
expect_status 0
expect_same "figures and sentence agree" "True" \
  "$(field 'd["model"]["speedup"] is None or "no candidate was timed" not in d["model"]["sentence"]')"
expect_same "a verdict" "True" "$(field 'd["model"]["verdict"] in ("INCONCLUSIVE", "NO_IMPROVEMENT", "IMPROVED", "NO IMPROVEMENT")')"
[ ! -e "$TMP/stuck.out" ] || fail "a spec was written"

cases_end
