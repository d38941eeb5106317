# hone iree merge and verify: tuning specs put together, and what they do to a model.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/iree.sh"
export COLUMNS=100 HONE_STORE="$TMP/store.db" HONE_CACHE="$TMP/cache"
unset NO_COLOR
data=tests/data/iree

edit() { # edit FROM TO: the matmul's spec for gfx942 with another text, as $TMP/spec.mlir
  FROM=$1 TO=$2 python3 -c '
import os, sys
text = open(sys.argv[1]).read()
assert os.environ["FROM"] in text, os.environ["FROM"]
open(sys.argv[2], "w").write(text.replace(os.environ["FROM"], os.environ["TO"]))' \
    $data/spec_gfx942_matmul.mlir "$TMP/spec.mlir"
}

# ---- The command ----

case_begin "hone iree lists its commands"
run "$HONE" iree --help
expect_status 0
expect_out_contains "  merge                     merge tuning specs"
expect_out_contains "  verify                    show the effect of a tuning spec on a model"

case_begin "hone iree needs a command"
run "$HONE" iree
expect_status 2
expect_err_contains "'hone iree' needs a command"
run "$HONE" iree verfy
expect_status 2
expect_err_contains "unknown command 'verfy'; did you mean 'verify'?"

case_begin "help of a subcommand, three ways"
run "$HONE" iree verify --help
expect_status 0
expect_out_contains "usage: hone iree verify SPEC.mlir --on MODEL.mlir"
help=$OUT
run "$HONE" iree help verify
expect_same "hone iree help verify" "$help" "$OUT"
run "$HONE" help iree verify
expect_same "hone help iree verify" "$help" "$OUT"

case_begin "bash completes subcommands and their options"
complete_words() { # complete_words WORDS...: what may stand for the last one
  bash -c 'source <("$HONE" completion bash); COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _hone
printf "%s\n" "${COMPREPLY[@]}"' - "$@"
}
expect_same "hone iree m" merge "$(complete_words hone iree m)"
expect_same "hone iree verify --o" --on "$(complete_words hone iree verify --o)"

# ---- merge ----

case_begin "merge needs files, and says which is none"
run "$HONE" iree merge
expect_status 2
run "$HONE" iree merge "$TMP/absent.mlir"
expect_status 1
expect_err_contains "absent.mlir"
run "$HONE" iree merge $data/problems/mm_1024x1280x1280_f16.mlir
expect_err_contains "not a tuning spec"

case_begin "merge writes one spec, the first counts"
run "$HONE" iree merge $data/spec_cuda_matmul.mlir $data/spec_gfx942_matmul.mlir \
  $data/spec_gfx942_conv.mlir -o "$TMP/merged.mlir"
expect_status 0
expect_out ""
expect_err_contains "@match_mmt_1024x1280x1280 is dropped"
if grep -q MFMA_F32_16x16x16_F16, "$TMP/merged.mlir"; then fail "the second spec is there"; fi
expect_same "matchers" 2 "$(grep -c ' -> @apply' "$TMP/merged.mlir")"

case_begin "a starter that is covered is left out"
run "$HONE" iree merge $data/spec_gfx942_matmul.mlir --starter $data/spec_cuda_matmul.mlir
expect_status 0
expect_err_contains "spec_cuda_matmul.mlir' is skipped"
expect_out_contains "@match_mmt_1024x1280x1280 -> @apply_op_config"

case_begin "a starter with something of its own stays"
run "$HONE" iree merge $data/spec_gfx942_matmul.mlir --starter $data/spec_gfx942_attention.mlir
expect_status 0
expect_out_contains "@match_attn -> @apply_attn_config"

case_begin "older words are carried over and told"
run "$HONE" iree merge $data/spec_guide.mlir $data/spec_attention_2025.mlir -o "$TMP/new.mlir"
expect_status 0
expect_err_contains "pipeline LLVMGPUVectorDistribute is #iree_gpu.pipeline<VectorDistribute> now"
expect_err_contains "prefetch_shared_memory = true is prefetch_num_stages = 2 now"
if grep -qE 'LLVMGPU|prefetch_shared|_m_count|cast_compatible_dag' "$TMP/new.mlir"; then
  fail "there are older words: $(cat "$TMP/new.mlir")"
fi

case_begin "verify needs a spec and a model"
run "$HONE" iree verify
expect_status 2
run "$HONE" iree verify $data/spec_cpu_matmul.mlir
expect_status 2
expect_err_contains "no model given: name it with '--on MODEL.mlir'"

case_begin "import keeps what it understands"
run "$HONE" import
expect_status 2
run "$HONE" import $data/spec_cpu_matmul.mlir $data/spec_guide.mlir
expect_status 0
expect_err_contains "imported 2 configurations"
run "$HONE" import $data/spec_cpu_matmul.mlir --on $data/dumps/matmul_cpu.mlir
expect_status 1
expect_err_contains "@match_matmul_512x512x512 is skipped: m is 256, the spec says 512"
expect_err_contains "imported 0 configurations"
run "$HONE" import "$TMP/absent.mlir"
expect_status 1
expect_err_contains "absent.mlir"

case_begin "export as a spec needs runs"
run "$HONE" export --format mlir
expect_status 2
run "$HONE" export a.csv --format mlir
expect_status 2
expect_err_contains "'a.csv' is not a run"
run "$HONE" export last --format mlir
expect_status 1

case_begin "without a compiler verify says where it was looked for"
run env HONE_IREE="$TMP" PATH=/usr/bin:/bin VIRTUAL_ENV= "$HONE" iree verify \
  $data/spec_cpu_matmul.mlir --on $data/problems/mm_1024x1280x1280_f16.mlir llvm-cpu
expect_status 1
expect_err_contains "iree-compile"

need_iree "specs on models"

# ---- verify, with the compiler ----

mm=$data/problems/mm_1024x1280x1280_f16.mlir
on_matmul() { run "$HONE" iree verify "$TMP/spec.mlir" --on $mm gfx942; }

case_begin "a spec that applies, on a model and on a dump"
run "$HONE" iree verify $data/spec_gfx942_matmul.mlir --on $mm gfx942
expect_status 0
expect_out_contains "@match_mmt_1024x1280x1280  contraction f16 f16 f32, m 1024, n 1280, k 1280"
expect_out_contains "  applied      main_dispatch_0"
run "$HONE" iree verify $data/spec_gfx942_matmul.mlir --on $data/dumps/matmul_gfx942.mlir
expect_status 0
expect_out_contains "  applied      "

case_begin "on NVIDIA, where IREE ignores the flag of tuning specs"
run "$HONE" iree verify $data/spec_cuda_matmul.mlir --on $mm sm_80
expect_status 0
expect_out_contains "  applied      "

case_begin "to the end: compiled, run, outputs compared"
small=$TMP/product.mlir
spec=$data/spec_cpu_matmul.mlir
cat >"$small" <<'END'
!t = tensor<512x512xf32>
func.func @main(%a: !t, %b: !t) -> !t {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : !t
  %fill = linalg.fill ins(%zero : f32) outs(%empty : !t) -> !t
  %c = linalg.matmul ins(%a, %b : !t, !t) outs(%fill : !t) -> !t
  return %c : !t
}
END
run "$HONE" iree verify $spec --on "$small" llvm-cpu --full
expect_status 0
expect_out_contains "  applied      "
expect_out_contains "main was run on local-sync: its output equals that of the untuned model"
run "$HONE" iree verify $spec --on "$small" llvm-cpu --full --format json -- --iree-opt-data-tiling
expect_status 1
expect_same "what fails" "False True" "$(python3 -c '
import json, sys
found = json.load(open(sys.argv[1]))
print(found["good"], "failed to build pass pipeline" in found["failure"])' "$TMP/stdout")"
expect_out_contains "data tiling has taken products of the model"
run "$HONE" iree verify $data/spec_gfx942_matmul.mlir --on $data/dumps/matmul_gfx942.mlir --full
expect_status 2
expect_err_contains "is a dispatch: only a model is compiled to the end and run"

case_begin "a model that names its target"
"$REAL_IREE/iree-compile" $mm --iree-hal-target-device=cuda --iree-cuda-target=sm_80 \
  --compile-to=preprocessing -o "$TMP/own.mlir"
run "$HONE" iree verify $data/spec_cuda_matmul.mlir --on "$TMP/own.mlir"
expect_status 0
expect_out_contains "  applied      "

case_begin "JSON"
run "$HONE" iree verify $data/spec_gfx942_matmul.mlir --on $mm gfx942 --format json
expect_status 0
expect_same "answers" "True True match_mmt_1024x1280x1280" "$(python3 -c '
import json, sys
found = json.load(open(sys.argv[1]))
use = found["matchers"][0]
print(found["good"], use["hits"][0]["applied"], use["matcher"])' "$TMP/stdout")"

case_begin "sizes that the model does not have"
edit '%n_dims, [1280]' '%n_dims, [512]'
on_matmul
expect_status 1
expect_out_contains "  no operation nearest is main_dispatch_0"
expect_out_contains "n is 1280, the spec says 512"

case_begin "an attribute that IREE ignores"
edit '"compilation_info"' '"compilatoin_info"'
on_matmul
expect_status 1
expect_out_contains "  not applied  main_dispatch_0"
expect_out_contains 'did you mean "compilation_info"?'

case_begin "a key that IREE ignores"
edit 'promote_operands =' 'foo = 3, promote_operands ='
on_matmul
expect_status 1
expect_out_contains "unknown key 'foo' in lowering_config: IREE ignores it"
edit 'workgroup = [128' 'wrkgroup = [128'
on_matmul
expect_status 1
expect_out_contains "unknown key 'wrkgroup' in lowering_config: IREE ignores it; did you mean 'workgroup'?"

case_begin "lists of another length"
edit 'workgroup = [128, 128, 0]' 'workgroup = [128, 128]'
on_matmul
expect_status 1
expect_out_contains "workgroup has 2 entries, but the operation has 3 loops"

case_begin "no promoted operands is a configuration like others"
edit 'promote_operands = [0, 1], ' ''
on_matmul
expect_status 0

refused() { # refused FROM TO MESSAGE [PROBLEM]
  case_begin "refused: $3"
  edit "$1" "$2"
  on_matmul
  expect_status 1
  expect_out_contains "rejected by the compiler"
  expect_out_contains "$3"
  if [ $# -gt 3 ]; then expect_out_contains "$4"; fi
}
refused match.contraction match.contractoin "custom op 'transform.iree.match.contractoin' is unknown" \
  "did you mean 'transform.iree.match.contraction'?"
refused MFMA_F32_16x16x16_F16 MFMA_F32_16x16x16_F61 "MMAIntrinsic to be one of"
refused 'pipeline<TileAndFuse>' 'pipeline<TileAndFus>' "LoweringPipeline to be one of" \
  "did you mean 'TileAndFuse'?"
refused '@__kernel_config(' '@__kernel_confg(' "Missing named sequence '__kernel_config'"
refused ' attributes {iree_codegen.tuning_spec_entrypoint}' '' \
  "Missing attribute 'iree_codegen.tuning_spec_entrypoint'" "has no attribute"
refused '-> @apply_op_config' '-> @nope' "unresolved action symbol @nope" \
  "its action @nope does not exist"

case_begin "files that are none"
run "$HONE" iree verify "$TMP/absent.mlir" --on $mm gfx942
expect_status 1
expect_err_contains "absent.mlir"
echo 'module {}' >"$TMP/empty.mlir"
run "$HONE" iree verify "$TMP/empty.mlir" --on $mm gfx942
expect_err_contains "not a tuning spec"
run "$HONE" iree verify $data/spec_gfx942_matmul.mlir --on "$TMP/absent.mlir" gfx942
expect_err_contains "absent.mlir"
run "$HONE" iree verify $data/spec_gfx942_matmul.mlir --on $mm
expect_err_contains "has no target: give one"

case_begin "a matcher that is never reached"
run "$HONE" iree verify $data/spec_linked.mlir --on $mm gfx942
expect_status 1
expect_out_contains "is never reached: @match_matmul_512x512x512 before it"

case_begin "the published guide's form, refused as it is, applies after a merge"
sed 's/2048x5120/1024x1280/; s/1280x5120/1280x1280/' $data/spec_guide.mlir >"$TMP/guide.mlir"
run "$HONE" iree verify "$TMP/guide.mlir" --on $mm gfx942
expect_status 1
expect_out_contains "rejected by the compiler"
expect_out_contains "pipeline LLVMGPUVectorDistribute is #iree_gpu.pipeline<VectorDistribute> now"
run "$HONE" iree merge "$TMP/guide.mlir" -o "$TMP/guide_new.mlir"
expect_status 0
run "$HONE" iree verify "$TMP/guide_new.mlir" --on $mm gfx942
expect_status 0
expect_out_contains "  applied      main_dispatch_0"

case_begin "a convolution with batch 1 on a CPU: the spec runs the pass that adds its batch dim"
conv=$data/problems/conv_1x10x10x16_3x3_32_f32.mlir
run "$HONE" space $conv --iree-target llvm-cpu --write-specs "$TMP/batch1" --limit 1
expect_status 0
mv "$TMP"/batch1/0000_spec.mlir "$TMP/batch1.mlir"
run "$HONE" iree verify "$TMP/batch1.mlir" --on $conv llvm-cpu
expect_status 0
expect_out_contains "  applied      main_dispatch_0"
run "$HONE" iree merge $data/spec_cpu_matmul.mlir "$TMP/batch1.mlir" -o "$TMP/merged.mlir"
expect_status 0
run "$HONE" iree verify "$TMP/merged.mlir" --on $conv llvm-cpu
expect_out_contains "  applied      main_dispatch_0"
sed 's/^module attributes {/&iree_codegen.tuning_spec_with_default_entrypoint, /' "$TMP/batch1.mlir" >"$TMP/default.mlir"
run "$HONE" iree verify "$TMP/default.mlir" --on $conv llvm-cpu
expect_status 1
expect_out_contains "the default entry point runs a pass, which IREE rejects"
sed 's/insert-batch-dim-for-batchless-conv/generic-vectorization/' "$TMP/batch1.mlir" >"$TMP/other.mlir"
run "$HONE" iree merge "$TMP/other.mlir"
expect_status 2
expect_err_contains "the entry point runs the pass 'iree-codegen-generic-vectorization': it cannot be merged"

case_begin "an operation without a named matcher is matched as a whole, or by loops and operands"
for name in depthwise_cpu elementwise_cpu; do
  run "$HONE" space $data/dumps/$name.mlir --write-specs "$TMP/$name" --limit 1
  expect_status 0
  run "$HONE" iree verify "$TMP/$name/0000_spec.mlir" --on $data/dumps/$name.mlir
  expect_status 0
  expect_out_contains "  applied      main_dispatch_0"
done
run "$HONE" iree merge "$TMP"/{depthwise,elementwise}_cpu/0000_spec.mlir -o "$TMP/merged.mlir"
expect_status 0
run "$HONE" iree verify "$TMP/merged.mlir" --on $data/dumps/depthwise_cpu.mlir
expect_out_contains "  applied      main_dispatch_0"

# ---- There and back ----

export HONE_IREE=$QUICK_IREE

# The search of two configurations may find none better: the first one is declared the winner.
case_begin "a winner is exported, applies, is imported, and comes first in the next search"
RUN_TIMEOUT=250 run "$HONE" tune $data/dumps/matmul_cpu.mlir -o "$TMP/tuned.mlir" --evals 2 --quiet
if [ "$STATUS" != 0 ]; then fail "tune: $ERR"; fi
case $OUT in # only what is proved to be faster is left as a spec
IMPROVED* | *$'\n'IMPROVED*) verdict=improved ;;
*) verdict=other ;;
esac
if [ -e "$TMP/tuned.mlir" ]; then written=improved; else written=other; fi
expect_same "a spec, and the verdict" "$verdict" "$written"
winner() { # winner N: the N-th configuration of the newest run
  python3 -c '
import sqlite3, sys
store = sqlite3.connect(sys.argv[1])
print(store.execute("select config from evaluations where not is_baseline and run = (select "
                    "max(id) from runs) order by id limit 1 offset ?", (sys.argv[2],)).fetchone()[0])
' "$HONE_STORE" "$1"
}
declare_winner() {
  python3 -c '
import sqlite3, sys
store = sqlite3.connect(sys.argv[1])
store.execute("update runs set winner = ?", (sys.argv[2],))
store.commit()' "$HONE_STORE" "$1"
}
second=$(winner 1)
declare_winner "$second"
run "$HONE" export last --format mlir -o "$TMP/won.mlir"
expect_status 0
run "$HONE" iree verify "$TMP/won.mlir" --on $data/dumps/matmul_cpu.mlir
expect_status 0
expect_out_contains "  applied      "
run "$HONE" import "$TMP/won.mlir" --on $data/dumps/matmul_cpu.mlir
expect_status 0
expect_err_contains "imported 1 configuration"
RUN_TIMEOUT=250 run "$HONE" tune $data/dumps/matmul_cpu.mlir -o "$TMP/tuned.mlir" --evals 1 --fresh --quiet
expect_status 0
expect_same "the first configuration" "$second" "$(winner 0)"

case_begin "an imported configuration that the space does not have is told"
sed 's/distribution = \[[0-9]*,/distribution = [77,/' "$TMP/won.mlir" >"$TMP/odd.mlir"
run "$HONE" import "$TMP/odd.mlir"
expect_status 0
RUN_TIMEOUT=250 run "$HONE" tune $data/dumps/matmul_cpu.mlir -o "$TMP/tuned.mlir" --evals 1 --fresh
expect_err_contains "1 starting configuration is not in the space"

cases_end
