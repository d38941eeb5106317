# The examples for GPUs: they load without a word, have the numbers of configurations that they should
# have, their references are right, and those in OpenCL are tuned without a failure where there is a
# device, which may be a CPU.
. "$(dirname "$0")/lib.sh"
export COLUMNS=100 HONE_STORE="$TMP/hone.db" HONE_CACHE="$TMP/cache"
export POCL_CACHE_DIR="$TMP/pocl" XDG_CACHE_HOME="$TMP/xdg"

convolution=examples/convolution/convolution
reduction=examples/gpu-reduction/reduction
transpose=examples/transpose/transpose
matmul=examples/matmul-opencl/matmul
blur=examples/pipeline-blur/blur
scan=examples/scan-host/scan

expect_count() { # expect_count SPEC COUNT OPTION...
  run "$HONE" space "$1" --count --device sm_90 "${@:3}"
  expect_status 0
  expect_out "$2"
  expect_err ""
}

case_begin "they have as many configurations as brute force finds"
expect_count $convolution.yaml 73224
expect_count $reduction.yaml 3136
expect_count $transpose.yaml 1860
expect_count $convolution-opencl.yaml 14904
expect_count $reduction-opencl.yaml 3840
expect_count $transpose-opencl.yaml 1896
expect_count $matmul.yaml 13796
expect_count $blur-cuda.yaml 120
expect_count $blur-opencl.yaml 120
expect_count $scan-cuda.yaml 18
expect_count $scan-opencl.yaml 18

case_begin "they have some for other sizes too"
expect_count $convolution.yaml 61968 --problem W=1024,H=512,FW=7,FH=5
expect_count $convolution-opencl.yaml 14985 --problem W=4096,H=4096,FW=17,FH=17
expect_count $reduction-opencl.yaml 3304 --problem N=67108864
expect_count $matmul.yaml 13796 --problem M=2048,N=2048,K=2048

case_begin "their baselines are legal"
for file in {$convolution,$reduction,$transpose}{,-opencl}.yaml $matmul.yaml {$blur,$scan}-{cuda,opencl}.yaml; do
  baseline=$(sed -n '/^baseline:/{:a;/}/!{N;ba};p}' $file | tr -d ' \n' | sed 's/.*{//; s/}.*//; s/:/=/g')
  run "$HONE" space $file --device sm_90 --explain "$baseline"
  expect_status 0
  expect_same "first line of $file" "legal: 0 of" "$(head -n 1 "$TMP/stdout" | cut -d ' ' -f 1-3)"
done

case_begin "a tile beyond the shared memory of a block is not legal"
run "$HONE" space $convolution.yaml --device sm_75 --count --filter INPUT=tile --filter BX=256 \
  --filter TX=8
expect_status 1
expect_err_contains "SHARED_BYTES <= device.shared_optin_bytes"

# ---- References

compile() { # compile SPEC DEFINE...: $TMP/reference of its reference and $TMP/main.c
  run cc -std=c11 -O1 -Wall -Wextra -Werror "${@:2}" "$1"_ref.c "$TMP/main.c" -o "$TMP/reference"
  expect_status 0
  expect_err ""
  run "$TMP/reference"
  expect_status 0
}

case_begin "convolution_ref.c: the sum of pixels under the filter"
cat >"$TMP/main.c" <<'END_OF_C'
#include <stdio.h>
void convolution_ref(const float *in, const float *filter, float *out);
int main(void)
{
  float in[3 * 4], filter[] = {1, 10, 100, 1000}, out[2 * 3];
  for (int i = 0; i < 12; i++)
    in[i] = i % 4 + i / 4;
  convolution_ref(in, filter, out);
  for (int i = 0; i < 6; i++)
    printf("%g ", out[i]);
}
END_OF_C
compile $convolution -DW=3 -DH=2 -DFW=2 -DFH=2
expect_out "2110 3221 4332 3221 4332 5443 "

case_begin "transpose_ref.c: rows become columns"
cat >"$TMP/main.c" <<'END_OF_C'
void transpose_ref(const float *in, float *out);
int main(void)
{
  static float in[H * W], out[W * H];
  int wrong = 0;
  for (int i = 0; i < H * W; i++)
    in[i] = i;
  transpose_ref(in, out);
  for (int i = 0; i < H * W; i++)
    wrong += out[i % W * H + i / W] != i;
  return wrong > 0;
}
END_OF_C
compile $transpose -DW=70 -DH=33

case_begin "reduction_ref.c: the sum"
cat >"$TMP/main.c" <<'END_OF_C'
void reduction_ref(const float *x, float *out, float *partials, unsigned *done);
int main(void)
{
  float x[N] = {1, 2, 3.5f}, out = 0;
  reduction_ref(x, &out, 0, 0);
  return out != 6.5f;
}
END_OF_C
compile $reduction -DN=3

case_begin "matmul_ref.c: the product"
cat >"$TMP/main.c" <<'END_OF_C'
#include <stdio.h>
void matmul_ref(const float *a, const float *b, float *c);
int main(void)
{
  float a[] = {1, 2, 3, 4, 5, 6}, b[] = {1, 0, 0, 1, 10, 100}, c[4];
  matmul_ref(a, b, c);
  printf("%g %g %g %g\n", c[0], c[1], c[2], c[3]);
}
END_OF_C
compile $matmul -DM=2 -DN=2 -DK=3
expect_out "31 302 64 605"

# ---- Tuning

has_opencl() { "$HONE" devices 2>"$TMP/devices" | grep -q '^opencl:'; }

expect_tuned() { # expect_tuned SPEC SIZES: a few candidates, and none of them fails
  local all='^  evaluated    3 of [0-9]+ legal: [0-9]+ ok(, [0-9]+ slow)?$'
  RUN_TIMEOUT=120 run "$HONE" tune "$1" --evals 2 --builders 1 --no-confirm --problem "$2"
  expect_status 0
  expect_same "problems without a failure" 1 "$(grep -Ec "$all" "$TMP/stdout")"
}

while read -r file sizes; do
  if ! has_opencl; then
    case_skip "$file is tuned" "no OpenCL device"
    continue
  fi
  case_begin "$file is tuned"
  expect_tuned "$file" "$sizes"
done <<END_OF_LIST
$convolution-opencl.yaml W=256,H=128,FW=5,FH=5
$reduction-opencl.yaml N=1048576
$transpose-opencl.yaml W=512,H=256
$matmul.yaml M=128,N=128,K=64
$blur-opencl.yaml W=128,H=64,R=2
$scan-opencl.yaml N=65536
END_OF_LIST

# ---- What the manuals show

files_of() { # files_of MANUAL: the files that it shows, into the folder $TMP/MANUAL
  mkdir -p "$TMP/$1"
  awk -v folder="$TMP/$1" '/^`scale|`scale[a-z_.]*`:$/ { match($0, /`scale[a-z_.]*`/); name = substr($0, RSTART + 1, RLENGTH - 2) }
    /^```/ { if (writing) { writing = 0; name = "" } else if (name != "") { writing = 1; next } }
    writing { print >(folder "/" name) }' "docs/$1.md"
}

for manual in opencl cuda; do
  case_begin "the spec in docs/$manual.md is right"
  files_of $manual
  run "$HONE" space "$TMP/$manual/scale.yaml" --count --device sm_90
  expect_status 0
  expect_err ""
done

if has_opencl; then
  case_begin "and is tuned: OpenCL"
  expect_tuned "$TMP/opencl/scale.yaml" N=65536
else
  case_skip "and is tuned: OpenCL" "no OpenCL device"
fi

if "$HONE" doctor | grep -q '^  nvrtc  *missing'; then
  case_skip "and is built: CUDA" "no NVRTC"
else
  case_begin "and is built: CUDA"
  run "$HONE" tune "$TMP/cuda/scale.yaml" --device sm_90 --stop-after build
  expect_status 0
  expect_out_contains "built 12 of 12 configurations"
fi

case_begin "nothing of this is too fast to be believed"
expect_same "marks" "" "$(marks)"

cases_end
