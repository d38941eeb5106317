# hone doctor: what is found on this machine, and what is missing.
. "$(dirname "$0")/lib.sh"
export COLUMNS=400 HONE_STORE="$TMP/store.db" HONE_CACHE="$TMP/cache"
iree=${HONE_IREE-}
unset NO_COLOR VIRTUAL_ENV HONE_IREE
PATH=/usr/bin:/bin

field() { # field NAME KEY: of the fact of this name, in $TMP/stdout
  python3 -c '
import json, sys
for fact in json.load(open(sys.argv[1])):
    if fact["name"] == sys.argv[2]:
        print(fact[sys.argv[3]])' "$TMP/stdout" "$1" "$2"
}

case_begin "places, machine and compilers are shown"
run "$HONE" doctor
expect_status 0
expect_err ""
expect_out_contains "store    $TMP/store.db"
expect_out_contains "cache    $TMP/cache"
expect_out_contains "isolation  "
expect_out_contains "cores  "
expect_out_contains "C compilers
  cc   /"

case_begin "a place that cannot be written is told"
echo >"$TMP/file"
HONE_STORE="$TMP/file/store.db" run "$HONE" doctor --format json
expect_status 0
expect_same "missing" True "$(field store missing)"
expect_same "advice" "it is not writable; set HONE_STORE to another path" "$(field store advice)"

case_begin "without libclang it is told what it is for"
HONE_LIBCLANG=$TMP/file run "$HONE" doctor --format json
expect_status 0
expect_same "missing" True "$(field clang missing)"
expect_same "advice" "'hone init' understands more with it: install libclang1 (apt-get install libclang1), or set HONE_LIBCLANG to the path of libclang.so" "$(field clang advice)"

case_begin "without IREE it is told how to get it"
mkdir "$TMP/empty"
HONE_IREE="$TMP/empty" run "$HONE" doctor
expect_status 0
expect_out_contains "cannot find 'iree-compile' of IREE in HONE_IREE '$TMP/empty'"
expect_out_contains "pip install iree-base-compiler"
expect_out_contains "iree-run-module        missing"

case_begin "what a version lacks is named with the version that has it"
mkdir "$TMP/old"
cat >"$TMP/old/iree-compile" <<'END'
#!/bin/sh
for word; do
  case $word in
  --iree-codegen-emit*) echo "iree-compile: Unknown command line argument '$word'." >&2 ;;
  --version) echo '  IREE compiler version 3.11.0rc20260316 @ 0123456789' ;;
  esac
done
END
chmod +x "$TMP/old/iree-compile"
run "$HONE" doctor --iree-dir "$TMP/old" --format json
expect_status 0
expect_same "version" 3.11.0 "$(field version value | tail -n 1)"
expect_same "value" yes "$(field --iree-codegen-add-tuner-attributes value)"
expect_same "missing" True "$(field --iree-codegen-emit-pipeline-constraints missing)"
expect_same "advice" "needs IREE 3.12 or later" \
  "$(field --iree-codegen-emit-pipeline-constraints advice)"

case_begin "executables that misbehave do not harm it"
mkdir "$TMP/bad"
printf '#!/bin/sh\nkill -SEGV $$\n' >"$TMP/bad/iree-compile"
printf '#!/bin/sh\necho "error: no devices today" >&2\nexit 1\n' >"$TMP/bad/iree-run-module"
printf 'no program' >"$TMP/bad/iree-opt"
chmod +x "$TMP/bad"/*
run "$HONE" doctor --iree-dir "$TMP/bad"
expect_status 0
expect_out_contains "version                                   unknown"
expect_out_contains "missing (iree-run-module: no devices today)"

if [ -x "$iree/iree/compiler/_mlir_libs/iree-compile" ]; then
  case_begin "the release can do everything, and has devices"
  HONE_IREE=$iree run "$HONE" doctor --format json
  expect_status 0
  expect_same "missing" "" "$(python3 -c '
import json, sys
for fact in json.load(open(sys.argv[1])):
    if fact["part"] == "iree" and fact["missing"]:
        print(fact["name"])' "$TMP/stdout")"
  expect_contains "devices" "local-sync://" "$(field device value)"
  expect_contains "path" "/_mlir_libs/iree-compile" "$(field iree-compile value)"
else
  case_skip "the release can do everything, and has devices" "no IREE in HONE_IREE: 'make iree'"
fi

case_begin "words are refused"
run "$HONE" doctor house
expect_status 2
expect_err_contains "takes options only, not 'house'"

case_begin "libraries of OpenCL and CUDA that are not here are told with how to get them"
HONE_OPENCL="$TMP/no-opencl" HONE_CUDA="$TMP/no-cuda" HONE_NVML="$TMP/no-nvml" \
  HONE_NVRTC="$TMP/no-nvrtc" OCL_ICD_VENDORS="$TMP" run "$HONE" doctor --format json
expect_status 0
expect_err ""
expect_same "library" True "$(field library missing)"
expect_contains "advice" "apt-get install ocl-icd-libopencl1" "$(field library advice)"
expect_same "drivers" True "$(field drivers missing)"
expect_contains "advice" "no *.icd in $TMP: 'apt install pocl-opencl-icd'" "$(field drivers advice)"
expect_same "driver" True "$(field driver missing)"
expect_contains "advice" "install NVIDIA's driver" "$(field driver advice)"
expect_same "nvrtc" True "$(field nvrtc missing)"
expect_contains "advice" "no-nvrtc" "$(field nvrtc advice)"
expect_same "nvml" True "$(field nvml missing)"
expect_same "parts" "cuda
opencl" "$(python3 -c '
import json, sys
parts = {fact["part"] for fact in json.load(open(sys.argv[1]))}
print("\n".join(sorted(parts & {"cuda", "opencl"})))' "$TMP/stdout")"

case_begin "drivers of OpenCL are listed"
touch "$TMP/vendor.icd"
HONE_OPENCL="$TMP/no-opencl" OCL_ICD_VENDORS="$TMP" run "$HONE" doctor --format json
expect_same "drivers" vendor.icd "$(field drivers value)"

case_begin "a multi-process server is told"
mkdir "$TMP/mps"
CUDA_MPS_PIPE_DIRECTORY="$TMP/mps" run "$HONE" doctor --format json
expect_same "mps" off "$(field mps value)"
touch "$TMP/mps/control"
CUDA_MPS_PIPE_DIRECTORY="$TMP/mps" run "$HONE" doctor --format json
expect_same "mps" on "$(field mps value)"
expect_contains "advice" "processes share the GPU through it" "$(field mps advice)"

case_begin "what does not fit beside a value stands below it"
COLUMNS=80 HONE_IREE="$TMP/empty" HONE_CUDA="$TMP/none" run "$HONE" doctor
expect_status 0
expect_out_contains "  driver        missing
                '$TMP/none' cannot be opened ("
expect_same "lines of advice over 80 columns" "" "$(grep -E '^ {14}.{67}' "$TMP/stdout")"

cases_end
