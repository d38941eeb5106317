# iree.sh - a dispatch of IREE on the CPU, with its executables. For failures scripts stand in for them, which do what
# a configuration says badly, and leave the rest to the real ones.
. tests/cli/iree.sh
if [ -d build-iree ]; then export HONE_IREE=${HONE_IREE:-$PWD/build-iree}; fi
all_parts=(failures devices restart)
on_gpu() { false; }
has_kernels() { false; }
but_baseline() { echo "$1"; } # the compiler's own choice is none of them

own='#iree_codegen.compilation_info<lowering_config = #iree_cpu.lowering_config<NOTE, vector_common_parallel = [8, 16, 0], vector_reduction = [0, 0, 8]>, translation_info = <pipeline = #iree_cpu.pipeline<DoubleTilingExpert>>>'
probe_spec() { work_spec probe 'KNOB: "range(1)"'; }
work_spec() { # work_spec NAME PARAMS BASELINE: KNOB is a tile size, from 1 on; the baseline is the compiler's
  spec "$1" >"$TMP/$1.yaml" <<END
    params: {pipeline: [own], $(sed 's/range(\([0-9]*\))/range(1, \1 + 1)/' <<<"$2")}
    texts: {compilation_info: '${own/NOTE/distribution = [\$\{KNOB\}, 64, 0]}'}
END
  echo "search: {strategy: exhaustive}" >>"$TMP/$1.yaml"
}

# ---- Failures ----

declare -A behaviour=([FAST]=good [NO_COMPILE]=compiler_binary [COMPILE_FOREVER]=compiler_hangs [WRONG]=answer_wrong
  [ILLEGAL]=bench_segfaults [TRAPS]=bench_aborts [HANGS]=bench_hangs [NO_RESULT]=bench_mute [BAD_RESULT]=bench_nan)
failures_spec() { # and `ways`, in each of which a configuration fails if TWICE is 0
  local listed
  ways=${!behaviour[*]}
  listed=$(tr ' ' , <<<"${behaviour[*]}")
  export HONE_IREE=$data/stand-ins STAND_IN_LOG=$TMP/log
  spec failures >"$TMP/failures.yaml" <<END
    params: {pipeline: [own], WAY: [$listed], TWICE: [0]}
    texts: {compilation_info: '${own/NOTE/behaviour = \"\$\{WAY\}\", distribution = [64, 64, 0]}'}
  - name: again
    params: {pipeline: [again], WAY: [$listed], TWICE: [1]}
    texts: {compilation_info: '${own/NOTE/behaviour = \"\$\{WAY\}_again\", distribution = [64, 64, 0]}'}
END
  printf '%s\n' "search: {strategy: exhaustive}" "build: {timeout: 15s}" >>"$TMP/failures.yaml"
  expected=$((1 + 2 * ${#behaviour[@]}))
  failure=(
    [NO_COMPILE]='compile_error is no text'
    [COMPILE_FOREVER]='compile_timeout'
    [WRONG]='wrong_result'
    [ILLEGAL]='crash SIGSEGV'
    [TRAPS]='crash SIGABRT'
    [HANGS]='hang still running after'
    [NO_RESULT]='no_result'
    [BAD_RESULT]='bad_result'
  )
}
config_of() { echo "pipeline=own,WAY=${behaviour[$1]},TWICE=0"; } # config_of WAY: the configuration that fails so
after_failures() { export HONE_IREE=$REAL_IREE; }

# ---- Devices ----

missing_device() { # why there is none
  python3 -c '
import json, sys
known = json.load(open(sys.argv[1]))
print("" if known["devices"] else known["missing"][0]["reason"])' "$TMP/devices.json" 2>&1
}
two_devices() { if [ "$(nproc)" -gt 1 ]; then echo iree:0,iree:1; fi; }
begin_backend() {
  need_iree "conformance of backend iree"
  small_dispatch
  export HONE_IREE=$REAL_IREE
}
