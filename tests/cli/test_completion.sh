# The completion scripts: made by hone itself, accepted by the shells, and they complete.
. "$(dirname "$0")/lib.sh"

case_begin "unknown shells are refused"
run "$HONE" completion tcsh
expect_status 2
expect_err_contains "no completion for 'tcsh': supported shells are bash, zsh and fish"
run "$HONE" completion
expect_status 2

for shell in bash zsh fish; do
  if ! command -v $shell >/dev/null; then
    case_skip "$shell accepts its script" "there is no $shell"
    continue
  fi
  case_begin "$shell accepts its script"
  run "$HONE" completion $shell
  expect_status 0
  cp "$TMP/stdout" "$TMP/hone.$shell"
  run $shell -n "$TMP/hone.$shell"
  expect_status 0
  expect_err ""
done

complete_bash() { # complete_bash WORD...: what bash offers for the last word
  run bash --norc -c '. "$1"; shift
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_POINT=${#COMP_LINE}
    compopt() { :; }
    _hone hone "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
    printf "%s\n" "${COMPREPLY[@]}"' - "$TMP/hone.bash" "$@"
}

case_begin "bash completes commands"
complete_bash hone sp
expect_out "space"
complete_bash hone help s
expect_out "space
sweep
show"
complete_bash hone t
expect_out "tune"
complete_bash hone --v
expect_out "--version"

case_begin "bash completes options"
complete_bash hone space --form
expect_out "--format"
complete_bash hone space gemm.yaml --s
expect_out "--sample
--stats
--show-spec
--shapes
--seed
--solver"

case_begin "bash completes devices, kinds of them and backends"
complete_bash hone tune gemm.yaml --devices opencl
expect_out "opencl:0
opencl:all"
complete_bash hone space gemm.yaml --device sm_9
expect_out "sm_90"
complete_bash hone devices --backend c
expect_out "c
cuda"
complete_bash hone devices --a
expect_out "--all-facts"

case_begin "bash completes the names of accelerators"
complete_bash hone sweep --target-accelerator metal
expect_out "metal:1
metal:2
metal:3
metal:4"
complete_bash hone sweep --plot s
expect_out "summary"
complete_bash hone sweep bench.yaml --partition
expect_out "--partition"

case_begin "bash completes the words of an option, in both ways of writing it"
complete_bash hone space --format js
expect_out "json"
complete_bash hone space --format = js
expect_out "json"
complete_bash hone space --solver =
expect_out "native
z3"
complete_bash hone space -f c
expect_out "csv"
complete_bash hone tune --stop-after s
expect_out "screen"

case_begin "bash completes the words of a command"
complete_bash hone cache p
expect_out "prune"
complete_bash hone show l
expect_out "last"

case_begin "bash leaves files to readline"
complete_bash hone space gem
expect_out ""

if command -v fish >/dev/null; then
  complete_fish() { # complete_fish LINE
    run env HOME="$TMP" fish --no-config -c "source $TMP/hone.fish; complete -C '$1'"
  }
  case_begin "fish completes commands, options and their words"
  complete_fish "hone sp"
  expect_out_contains "space"
  complete_fish "hone space --fo"
  expect_out_contains "--format"
  complete_fish "hone space --format j"
  expect_out_contains "json"
fi

cases_end
