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

# What a spec sets, by number.
infos() {
  sed -n 's/.*param.constant \(#iree_codegen.compilation_info<.*>\) -> .*/\1/p' "$@"
}

case_begin "--write-specs writes candidates as tuning specs"
on_target mi300x problems/mm_5369x112x112_f16
space --num-subgroups 4 --order none --write-specs "$TMP/all"
expect_status 0
expect_out "wrote 226 of 226 candidates to '$TMP/all'"
space --num-subgroups 4 --list --format json
infos "$TMP"/all/*_spec.mlir >"$TMP/infos"
sed -e 's/.*"compilation_info": "\(.*\)"}$/\1/' -e 's/\\"/"/g' "$TMP/stdout" >"$TMP/listed"
expect_same "configurations" "$(cat "$TMP/listed")" "$(cat "$TMP/infos")"
expect_contains "a spec" "dims_equal %m_dims, [5369] : " "$(cat "$TMP/all/0225_spec.mlir")"

case_begin "--write-specs goes by --order, --seed and --limit"
for order in none shuffle heuristic; do
  space --num-subgroups 4 --order $order --limit 9 --write-specs "$TMP/$order"
  expect_out "wrote 9 of 226 candidates to '$TMP/$order'"
done
space --num-subgroups 4 --limit 9 --write-specs "$TMP/again"
space --num-subgroups 4 --limit 9 --seed 7 --write-specs "$TMP/seven"
diff -r "$TMP/shuffle" "$TMP/again" || fail "the same seed gives other candidates"
diff -q "$TMP/shuffle/0000_spec.mlir" "$TMP/seven/0000_spec.mlir" >/dev/null &&
  fail "another seed gives the same candidates"
expect_same "first by order" "$(infos "$TMP/all/0000_spec.mlir")" "$(infos "$TMP/none/0000_spec.mlir")"
expect_contains "the most promising" "reduction = [0, 0, 1]" "$(cat "$TMP/heuristic/0000_spec.mlir")"

case_begin "--write-specs never writes over a file"
space --num-subgroups 4 --write-specs "$TMP/again"
expect_status 1
expect_err "hone: '$TMP/again/0000_spec.mlir' already exists: give a new or empty folder"
touch "$TMP/file"
space --num-subgroups 4 --write-specs "$TMP/file"
expect_status 1
expect_err_contains "'$TMP/file'"
printf 'name: t\nparams: {A: [1, 2]}\n' >"$TMP/t.yaml"
run "$HONE" space "$TMP/t.yaml" --write-specs "$TMP/none2"
expect_err_contains "'t' is not an IREE operation"

case_begin "--for-tuning leaves out what the compiler rejects, --all keeps it"
cp "$data/dumps/matmul_gfx942.mlir" "$TMP/p.mlir"
space --pipeline VD --for-tuning --count
kept=$OUT
space --pipeline VD --for-tuning --count --all
all=$OUT
space --pipeline VD --count
expect_same "with the compiler's own choice" "$((OUT + 1))" "$all"
[ "$kept" -lt "$all" ] || fail "$kept of $all are kept"
space --pipeline VD --for-tuning --at 0
expect_out "pipeline=compiler"
cp "$data/dumps/attention_gfx942.mlir" "$TMP/p.mlir"
space --for-tuning --count
expect_out 711
space --for-tuning --all --count
expect_out 839
space --for-tuning --explain \
  pipeline=VectorDistribute,qk_mma_idx=2,pv_mma_idx=2,m_tile=128,n_tile=32,red_k2=16,sg_m_cnt=1
expect_out_contains "red_k2 % [16, 16, 32, 32][qk_mma_idx] == 0"

case_begin "options that have no effect are named"
cp "$data/dumps/matmul_gfx942.mlir" "$TMP/p.mlir"
space --pipeline VD --denorm-flushing-options true --count
expect_err_contains "--denorm-flushing-options is for attention"

cases_end
