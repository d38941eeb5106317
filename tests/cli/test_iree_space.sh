# The space of an MLIR file: the candidate sets of AMD's SHARK Tuner from formulas, text by text, and
# the questions that any space answers. Targets stand in the files: no compiler is needed.
. "$(dirname "$0")/lib.sh"
data=tests/data/iree
unset HONE_IREE
export XDG_CACHE_HOME=$TMP/cache

on_target() { # on_target TARGET PROBLEM: a file of both in $TMP/p.mlir
  { head -n 1 "$data/targets/$1.mlir" && tail -n +2 "$data/$2.mlir"; } >"$TMP/p.mlir"
}

space() { # space OPTION...
  run "$HONE" space "$TMP/p.mlir" --knobs hone "$@"
}

# The attributes of each candidate, one line each, sorted.
texts() {
  sed -e 's/.*"compilation_info": "\(.*\)"}$/\1/' -e 's/", "decomposition_config": "/ | /' \
    -e 's/\\"/"/g' "$TMP/stdout" | LC_ALL=C sort
}

while read -r name problem target pipeline subgroups strategy count digest; do
  case $name in '#'*) continue ;; esac
  case_begin "SHARK Tuner's set: $name"
  on_target "$target" "$problem"
  space --pipeline "$pipeline" --num-subgroups "$subgroups" --conv-strategy "$strategy" \
    --list --format json
  expect_status 0
  texts >"$TMP/texts"
  expect_same "number of candidates" "$count" "$(uniq "$TMP/texts" | wc -l)"
  expect_same "number of lines" "$count" "$(wc -l <"$TMP/texts")"
  if [ "$(sha256sum <"$TMP/texts" | cut -d' ' -f1)" != "$digest" ]; then
    fail "the texts differ"
    if [ -f "$data/shark/$name.txt.gz" ]; then
      fail "$(gzip -dc "$data/shark/$name.txt.gz" | diff - "$TMP/texts" | head -n 4)"
    fi
  fi
done <"$data/shark/sets.txt"

case_begin "a space of MLIR answers as any other"
on_target mi300x problems/mm_30x30x30_f16
space --num-subgroups 4 --count
expect_out "2"
space --num-subgroups 4 --at 1 --format json
expect_out_contains '"red_2": 2, "compilation_info": "#iree_codegen.compilation_info<lowering_config'
space --num-subgroups 4 --explain mma_idx=1,wg_0=32,wg_1=32,sg_0=1,sg_1=1,red_2=1
expect_out_contains "== 4"

case_begin "options of pipelines are knobs"
space --num-subgroups 4 --prefetch-num-stages-options 2,3 --waves-per-eu-options 1,2,4 --count
expect_out "12"
space --num-subgroups 4 --prefetch-num-stages-options 2,3 \
  --no-reduce-shared-memory-bank-conflicts-options none,true --list --format json
expect_out_contains '<prefetch_num_stages = 3>'
expect_out_contains '<prefetch_num_stages = 2, no_reduce_shared_memory_bank_conflicts = true>'

case_begin "without candidates it is said why"
space --pipeline VD --count
expect_status 2
expect_err_contains "no tile"
space --pipeline Distribute --count
expect_status 2
expect_err_contains "'Distribute'"

cases_end
