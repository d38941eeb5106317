# What the compiler makes of configurations, legal and not: each that it refuses is classified, with its
# first error as the evidence; those that give the same module are known as such; the legal ones of
# llvm-cpu are run, and their answers are right however odd they are.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/iree.sh"
export HONE_STORE=$TMP/store.db HONE_CACHE=$TMP/cache COLUMNS=100
unset NO_COLOR
need_iree "configurations are compiled"
small_dispatch
export HONE_IREE=$QUICK_IREE

# NAME | entries of the lowering_config | pipeline | class, words of the evidence; `= NAME`: the module
# is that one's.
double='#iree_cpu.pipeline<DoubleTilingExpert>'
rows="
default | distribution = [8, 64, 0], vector_common_parallel = [8, 16, 0], vector_reduction = [0, 0, 16] | $double | ok = compiler
plain | distribution = [32, 32, 0], vector_common_parallel = [8, 32, 0], vector_reduction = [0, 0, 16] | $double | ok
narrow | distribution = [64, 64, 0], vector_common_parallel = [1, 16, 0], vector_reduction = [0, 0, 1] | $double | ok
odd_vectors | distribution = [64, 64, 0], vector_common_parallel = [12, 32, 0], vector_reduction = [0, 0, 16] | $double | ok
odd_reduction | distribution = [64, 64, 0], vector_common_parallel = [8, 32, 0], vector_reduction = [0, 0, 31] | $double | ok
all_odd | distribution = [50, 50, 0], vector_common_parallel = [7, 13, 0], vector_reduction = [0, 0, 5] | $double | ok
all_odd_peeled | distribution = [50, 50, 0], vector_common_parallel = [7, 13, 0], vector_reduction = [0, 0, 5] | $double, {enable_loop_peeling} | ok
cached | distribution = [64, 64, 0], cache_parallel = [32, 32, 0], cache_reduction = [0, 0, 32], vector_common_parallel = [8, 32, 0], vector_reduction = [0, 0, 16] | $double | ok
whole | distribution = [64, 64, 0], vector_common_parallel = [8, 32, 0], vector_reduction = [0, 0, 16] | $double | ok
beyond | distribution = [100000, 1024, 0], vector_common_parallel = [8, 32, 0], vector_reduction = [0, 0, 16] | $double | ok = whole
zeros | distribution = [0, 0, 0], vector_common_parallel = [8, 32, 0], vector_reduction = [0, 0, 16] | $double | ok = whole
no_tiles | distribution = [], vector_common_parallel = [8, 32, 0], vector_reduction = [0, 0, 16] | $double | ok = whole
rank_two | distribution = [32, 32], vector_common_parallel = [8, 32], vector_reduction = [0, 0, 16] | $double | ok = plain
rank_four | distribution = [32, 32, 0, 0], vector_common_parallel = [8, 32, 0, 0], vector_reduction = [0, 0, 16, 0] | $double | ok = plain
unknown_key | distribution = [32, 32, 0], foo = 3, vector_common_parallel = [8, 32, 0], vector_reduction = [0, 0, 16] | $double | ok = plain
inner_parallel | distribution = [32, 32, 0], vector_common_parallel = [8, 32, 0], vector_inner_parallel = [0, 0, 0], vector_reduction = [0, 0, 16] | $double | ok = plain
of_convolutions | distribution = [32, 32, 0], vector_common_parallel = [8, 32, 0], vector_reduction = [0, 0, 16] | #iree_cpu.pipeline<ConvTileAndDecomposeExpert> | ok = plain
of_tiles | distribution = [32, 32, 0], vector_common_parallel = [8, 32, 0], vector_reduction = [0, 0, 16] | #iree_cpu.pipeline<Mmt4dTilingExpert> | ok = plain
of_attention | distribution = [32, 32, 0], vector_common_parallel = [8, 32, 0], vector_reduction = [0, 0, 16] | #iree_cpu.pipeline<LinalgExtTileAndVectorize> | ok = plain
no_vectors | distribution = [32, 32, 0], vector_common_parallel = [8, 32, 0], vector_reduction = [0, 0, 16] | #iree_cpu.pipeline<Default> | ok
of_buffers | distribution = [32, 32, 0], vector_common_parallel = [8, 32, 0], vector_reduction = [0, 0, 16] | #iree_cpu.pipeline<BufferOpsTileAndVectorize> | compile_error large vector sizes
of_layouts | distribution = [32, 32, 0], vector_common_parallel = [8, 32, 0], vector_reduction = [0, 0, 16] | #iree_cpu.pipeline<DataTiling> | compile_error large vector sizes
large | distribution = [64, 64, 0], vector_common_parallel = [8, 32, 0], vector_reduction = [0, 0, 32] | $double | compile_error error: One or more operations with large vector sizes (32768 bytes) were found:
larger | distribution = [64, 64, 0], vector_common_parallel = [16, 32, 0], vector_reduction = [0, 0, 16] | $double | compile_error large vector sizes
no_reduction | distribution = [64, 64, 0], vector_common_parallel = [64, 64, 0] | $double | compile_error large vector sizes
no_common | distribution = [64, 64, 0], vector_reduction = [0, 0, 16] | $double | compile_error large vector sizes
half_cached | distribution = [64, 64, 0], cache_reduction = [0, 0, 64], vector_common_parallel = [8, 32, 0] | $double | compile_error large vector sizes
scalable | distribution = [64, 64, 0], vector_common_parallel = [8, [32], 0], vector_reduction = [0, 0, 16] | $double | compile_error error: One or more operations with
no_distribution | vector_common_parallel = [8, 32, 0], vector_reduction = [0, 0, 16] | $double | compile_error error: 'func.func' op failed to build pass pipeline
negative | distribution = [-64, 64, 0], vector_common_parallel = [8, 32, 0], vector_reduction = [0, 0, 16] | $double | compile_error error: expected sizes to be non-negative, but got -64
reduction_shared_out | distribution = [64, 64, 16], vector_common_parallel = [8, 32, 0], vector_reduction = [0, 0, 16] | $double | compile_error expected only parallel dims to be set in the distribution tiling level, but tile size at index (2) was also set
reduction_in_common | distribution = [64, 64, 0], vector_common_parallel = [8, 32, 4], vector_reduction = [0, 0, 16] | $double | compile_error expected only parallel dims to be set in the vector_common_parallel tiling level
parallel_in_reduction | distribution = [64, 64, 0], vector_common_parallel = [8, 32, 0], vector_reduction = [4, 0, 16] | $double | compile_error expected only reduction dims to be set in the vector_reduction tiling level, but tile size at index (0) was also set
old_name | distribution = [64, 64, 0], vector_common_parallel = [8, 32, 0], vector_reduction = [0, 0, 16] | CPUDoubleTilingExpert | compile_error error: expected attribute value
bad_name | distribution = [64, 64, 0], vector_common_parallel = [8, 32, 0], vector_reduction = [0, 0, 16] | #iree_cpu.pipeline<TripleTilingExpert> | compile_error LoweringPipeline to be one of: Default, DoubleTilingExpert
bad_key | distribution = [64, 64, 0], vector_common_paralel = [8, 32, 0], vector_reduction = [0, 0, 16] | $double | compile_error large vector sizes
no_list | distribution = 64, vector_common_parallel = [8, 32, 0], vector_reduction = [0, 0, 16] | $double | compile_error error: 
unbalanced | distribution = [64, 64, 0, vector_common_parallel = [8, 32, 0], vector_reduction = [0, 0, 16] | $double | compile_error error: 
"

trim() { # trim TEXT: into $REPLY
  REPLY=${1#"${1%%[! ]*}"}
  REPLY=${REPLY%"${REPLY##*[! ]}"}
}
read_row() { # into name, entries, pipeline, expected
  IFS='|' read -r name entries pipeline expected || return 1
  trim "$name" && name=$REPLY
  trim "$entries" && entries=$REPLY
  trim "$pipeline" && pipeline=$REPLY
  trim "$expected" && expected=$REPLY
}
alternative() { # alternative NAME COMPILATION_INFO
  cat <<YAML
  - params: {pipeline: [own], CASE: [$1]}
    texts:
      compilation_info: >-
        $2
YAML
}
info() { # info DIALECT: of $entries and $pipeline
  echo "#iree_codegen.compilation_info<lowering_config = $1.lowering_config<$entries>, translation_info = <pipeline = $pipeline>>"
}
spec_with() { # spec_with NAME DIALECT WHICH: all of $rows whose expectation begins so
  echo "name: $1"
  cat "$TMP/settings.yaml"
  echo "alternatives:"
  echo "  - params: {pipeline: [compiler], CASE: [compiler]}"
  while read_row; do
    case $expected in
    "$3"*) if [ -n "$name" ]; then alternative "$name" "$(info "$2")"; fi ;;
    esac
  done <<<"$rows"
  if [ -n "${4-}" ]; then cat <<<"$4"; fi
  echo "baseline: {pipeline: compiler, CASE: compiler}"
}
rows_of_run() { # CASE OUTCOME OBJECT EVIDENCE, of the last run
  "$HONE" show last --format json | python3 -c '
import json, sys
for e in json.load(sys.stdin)["evaluations"]:
    print(e["config"].rpartition("=")[2], e["outcome"], e["object"], (e["evidence"] or "").split("\n")[0])'
}
object_of() { awk -v name="$1" '$1 == name {print $3}' "$TMP/outcomes"; }

compile_all() { # compile_all DIALECT [MORE ALTERNATIVES]: of $rows
  spec_with compiled "$1" "" "${2-}" >"$TMP/all.yaml"
  RUN_TIMEOUT=120 run "$HONE" tune "$TMP/all.yaml" --strategy exhaustive --stop-after build --quiet
  expect_status 0
  rows_of_run >"$TMP/outcomes"
}
judge() { # a case for each row on standard input
  while read_row; do
    if [ -z "$name" ]; then continue; fi
    case_begin "$name: $expected"
    got=$(awk -v name="$name" '$1 == name' "$TMP/outcomes")
    read -r class words <<<"$expected"
    expect_contains "outcome" "$name $class " "$got"
    case $words in
    '= '*) expect_same "module" "$(object_of "${words#= }")" "$(object_of "$name")" ;;
    '!= '*) [ "$(object_of "${words#!= }")" != "$(object_of "$name")" ] || fail "it is the same module" ;;
    *) expect_contains "evidence" "$words" "$got" ;;
    esac
  done
}

case_begin "all configurations are compiled, and the run goes on"
compile_all '#iree_cpu' "$(
  entries='{workgroup = [64, 64, 0]}'
  pipeline='#iree_gpu.pipeline<TileAndFuse> workgroup_size = [64, 1, 1] subgroup_size = 64'
  alternative of_gpus "$(info '#iree_gpu')"
  alternative nonsense "this is no attribute"
  alternative half "#iree_codegen.compilation_info<"
)"
expect_same "number of evaluations" "$((4 + $(grep -c '|' <<<"$rows")))" "$(wc -l <"$TMP/outcomes")"
judge <<<"$rows
of_gpus | | | compile_error error: 'func.func' op failed to build pass pipeline
nonsense | | | compile_error error:
half | | | compile_error error:"

case_begin "different configurations are different modules"
expect_same "number of modules" "$(awk '$2 == "ok" && !/ = /' <<<"$(while read_row; do echo "$name $expected"; done <<<"$rows")" | wc -l)" \
  "$(awk '$2 == "ok" && $1 != "compiler" {print $3}' "$TMP/outcomes" | sort -u | grep -vc "$(object_of compiler)")"

case_begin "what is legal is right, however odd, and equal modules are measured once"
spec_with measured "#iree_cpu" ok >"$TMP/legal.yaml"
RUN_TIMEOUT=120 run "$HONE" tune "$TMP/legal.yaml" --strategy exhaustive --no-confirm --screen-samples 1 --quiet
expect_status 0
rows_of_run >"$TMP/outcomes"
expect_same "outcomes" "" "$(awk '$2 != "ok" && $2 != "slow"' "$TMP/outcomes")"
expect_same "measured twice" "" "$("$HONE" show last --format json | python3 -c '
import json, sys
measured = [e["object"] for e in json.load(sys.stdin)["evaluations"] if e["same_as"] is None and not e["is_baseline"]]
print(*{o for o in measured if measured.count(o) > 1})')"
expect_same "compiled" "0" "$("$HONE" show last --format json | python3 -c '
import json, sys
print(sum(not e["cached"] for e in json.load(sys.stdin)["evaluations"]))')"

case_begin "a failure is known the next time"
run "$HONE" tune "$TMP/all.yaml" --strategy exhaustive --stop-after build --fresh --quiet
expect_status 0
expect_out_contains "built before"

# ---- gfx942: compiled, not run ----

case_begin "configurations for AMD are compiled without a device"
settings_of "$data/dumps/matmul_gfx942.mlir"
mma='mma_kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>'
fuse='#iree_gpu.pipeline<TileAndFuse>'
threads='workgroup_size = [256, 1, 1] subgroup_size = 64'
rows="
plain | {$mma, promote_operands = [0, 1], reduction = [0, 0, 4], subgroup = [4, 4, 0], workgroup = [128, 128, 0]} | $fuse $threads | ok
unknown_key | {foo = 3, $mma, promote_operands = [0, 1], reduction = [0, 0, 4], subgroup = [4, 4, 0], workgroup = [128, 128, 0]} | $fuse $threads | ok = plain
rank_two | {$mma, promote_operands = [0, 1], reduction = [0, 0, 4], subgroup = [4, 4, 0], workgroup = [128, 128]} | $fuse $threads | ok = plain
no_promotion | {$mma, reduction = [0, 0, 4], subgroup = [4, 4, 0], workgroup = [128, 128, 0]} | $fuse $threads | ok != plain
bad_intrinsic | {mma_kind = #iree_gpu.mma_layout<MFMA_F32_17x17x17_F16>, reduction = [0, 0, 4], workgroup = [128, 128, 0]} | $fuse $threads | compile_error IREE::GPU::MMAIntrinsic to be one of:
bad_pipeline | {$mma, reduction = [0, 0, 4], workgroup = [128, 128, 0]} | #iree_gpu.pipeline<TileAndFusion> $threads | compile_error IREE::GPU::LoweringPipeline to be one of: Default
key_typo | {$mma, promote_operands = [0, 1], reduction = [0, 0, 4], subgroup = [4, 4, 0], wrkgroup = [128, 128, 0]} | $fuse $threads | compile_error bytes of shared memory; exceeded the limit of 65536 bytes
odd_workgroup | {$mma, promote_operands = [0, 1], reduction = [0, 0, 4], subgroup = [4, 4, 0], workgroup = [100, 128, 0]} | $fuse $threads | compile_error error: op was not bufferized
odd_reduction | {$mma, promote_operands = [0, 1], reduction = [0, 0, 7], subgroup = [4, 4, 0], workgroup = [128, 128, 0]} | $fuse $threads | compile_error is not equivalent to the corresponding iter bbArg
few_threads | {$mma, promote_operands = [0, 1], reduction = [0, 0, 4], subgroup = [4, 4, 0], workgroup = [128, 128, 0]} | $fuse workgroup_size = [64, 1, 1] subgroup_size = 64 | compile_error of shared memory; exceeded the limit of 65536 bytes
many_threads | {$mma, promote_operands = [0, 1], reduction = [0, 0, 4], subgroup = [4, 4, 0], workgroup = [128, 128, 0]} | $fuse workgroup_size = [2048, 1, 1] subgroup_size = 64 | compile_error of shared memory; exceeded the limit of 65536 bytes
deep_reduction | {$mma, promote_operands = [0, 1], reduction = [0, 0, 40], subgroup = [4, 4, 0], workgroup = [128, 128, 0]} | $fuse $threads | compile_error uses 327680 bytes of shared memory; exceeded the limit of 65536 bytes
wide_subgroup | {$mma, promote_operands = [0, 1], reduction = [0, 0, 4], subgroup = [4, 4, 0], workgroup = [128, 128, 0]} | $fuse workgroup_size = [256, 1, 1] subgroup_size = 128 | compile_error error: invalid subgroup size 128
no_subgroup | {$mma, promote_operands = [0, 1], reduction = [0, 0, 4], workgroup = [128, 128, 0]} | $fuse $threads | compile_error lane distributed scf.forall must have a parent subgroup distributed loop
other_type | {mma_kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_BF16>, promote_operands = [0, 1], reduction = [0, 0, 4], subgroup = [4, 4, 0], workgroup = [128, 128, 0]} | $fuse $threads | compile_error write affecting operations on shared resources are restricted
"
compile_all '#iree_gpu'
judge <<<"$rows"

cases_end
