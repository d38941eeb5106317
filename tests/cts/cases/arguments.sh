# Arguments of every type, in every role and number.

case_begin "every type by value and as input, output and inout"
count=1003
{
  printf '%s\n' "problem: {N: $count}" 'params: {$BAD: "range(-1, 15)"}' 'baseline: {BAD: -1}' \
    'check: {rtol: 0, atol: 0}' 'args:'
  python3 tests/cts/values.py "$TMP" $count >"$TMP/types.txt"
  answers=''
  while read -r type value; do
    cat <<END
  - {name: in_$type, type: $type, shape: [N], file: in_$type.npy}
  - {name: out_$type, type: $type, shape: [N], role: out}
  - {name: inout_$type, type: $type, shape: [N], role: inout, file: inout_$type.npy}
  - {name: by_value_$type, type: $type, value: $value}
  - {name: said_$type, type: $type, shape: [1], role: out}
END
    answers+="${answers:+, }in_$type.npy, turned_$type.npy, said_$type.npy"
  done <"$TMP/types.txt"
  echo '  - {name: bad, type: i32, value: BAD}'
  echo "reference: {files: [$answers]}"
} | spec types types kernel_of_types
tune types
expect_status 0
expect_outcome BAD=-1 ok
expect_figure 'run["counts"]["compiled"]' 1

case_begin "of every type it is seen if what was passed by value is not what arrives"
number=0
while read -r type value; do
  expect_outcome BAD=$number wrong_result "said_$type: 1 of 1 elements differ"
  number=$((number + 1))
done <"$TMP/types.txt"

case_begin "sizes that are no multiple of anything"
spec sizes copy copy <<'END'
problem: {N: [1, 63, 1003, 4096, 4097, 70001]}
params: {V: [0, 1]}
args:
  - {name: x, type: u8, shape: [N], fill: {kind: integer}}
  - {name: y, type: u8, shape: [N], role: out}
  - {name: n, type: i64, value: N}
END
run "$HONE" tune "$TMP/sizes.yaml" "${devices[@]}" --quiet --no-cap --stop-after screen --format json
expect_status 0
got=$(python3 -c '
import json, sys
for run in json.load(open(sys.argv[1])):
    print(run["problem"], *sorted(e["config"] + " " + e["outcome"].replace("slow", "ok") for e in run["evaluations"]))
' "$TMP/stdout")
expect_same "what became of each size" "$(for n in 1 63 1003 4096 4097 70001; do
  echo "N=$n V=0 ok V=1 wrong_result"
done)" "$got"

case_begin "one argument"
spec one copy one <<'END'
params: {V: [0, 1]}
args: [{name: y, type: i32, shape: [1], role: out}]
END
tune one
expect_status 0
expect_outcome V=0 ok
expect_outcome V=1 wrong_result "got 43, expected 42"

case_begin "no argument: it runs, and nothing can be checked"
spec nothing copy nothing <<'END'
params: {V: [0, 1]}
args: []
check: {enabled: false}
END
try nothing
expect_ok

case_begin "a number beyond 32 bits"
spec wide wide wide <<'END'
problem: {FAR: 2 ** 40 + 3}
params: {V: [0, 1]}
args:
  - {name: far, type: i64, value: FAR}
  - {name: farther, type: u64, value: 18446744073709551615}
  - {name: y, type: u64, shape: [2], role: out}
reference: {files: [wide.npy]}
END
npy wide.npy '<u8' '(2,)' Q '[2**40 + 3, 2**64 - 1]'
tune wide
expect_status 0
expect_outcome V=0 ok
expect_outcome V=1 wrong_result "first at [0]"

if [ -n "${CTS_LARGE-}" ]; then
  case_begin "an array of $CTS_LARGE bytes"
  spec large wide large <<END
problem: {N: $CTS_LARGE}
params: {V: [0, 1]}
args:
  - {name: y, type: u8, shape: [N], role: out}
  - {name: n, type: i64, value: N}
launch: {grid: [4096], block: [256]}
END
  RUN_TIMEOUT=300 tune large
  expect_status 0
  expect_outcome V=0 ok
  expect_outcome V=1 wrong_result "first at [$((CTS_LARGE - 1))]"
else
  case_skip "an array of more than 4 GiB" "takes 20 GiB; CTS_LARGE=4294967301 asks for it"
fi

case_begin "a value that depends on a parameter"
spec depends wide depends <<'END'
params: {V: [1, 2, 3], $R: [10, 20]}
baseline: {V: 1, R: 10}
args:
  - {name: r, type: i32, value: V * R}
  - {name: y, type: i32, shape: [1], role: out}
END
tune depends
expect_status 0
expect_outcome V=3,R=20 ok
expect_figure 'len(all)' 6

if on_gpu; then
  case_begin "a struct by value"
  spec structure struct structure <<'END'
params: {V: [0, 1]}
args:
  - name: s
    struct:
      - {type: u8, value: 200}
      - {type: f64, value: -1.5}
      - {type: i16, value: -3 * (V + 1)}
      - {type: f32, value: 0.25}
      - {type: i64, value: 2 ** 40}
      - {type: u8, value: 7}
  - {name: y, type: f64, shape: [6], role: out}
  - {name: after, type: i32, value: 5}
reference: {files: [structure.npy]}
END
  npy structure.npy '<f8' '(6,)' d '[200, -1.5, -3, 0.25, 2**40, 12]'
  tune structure
  expect_status 0
  expect_outcome V=0 ok
  expect_outcome V=1 wrong_result "first at [2]: got -6, expected -3"
else
  case_skip "a struct by value" "of GPUs only"
fi

if on_gpu; then
  case_begin "local memory whose size is an expression, up to all that there is"
  most_local=device.shared_bytes
  if is opencl; then
    most_local='device.shared_bytes - 256' # a driver may need some for itself
    local_argument='  - {name: tile, type: f32, local: BYTES // 4}'
    launch='launch: {global: [64 * 4], local: [64]}'
  else
    local_argument=
    launch='launch: {grid: [4], block: [64], shared: BYTES}'
  fi
  spec local local local_memory <<END
params: {BYTES: [256, 1024, $most_local, device.shared_optin_bytes], BAD: [0, 1]}
baseline: {BYTES: 256, BAD: 0}
args:
  - {name: x, type: f32, shape: [256], fill: arange}
$local_argument
  - {name: y, type: f32, shape: [256], role: out}
reference: {files: [local.npy]}
$launch
END
  sed -i '/^  *$/d' "$TMP/local.yaml"
  if is opencl; then sed -i 's/, device.shared_optin_bytes//' "$TMP/local.yaml"; fi
  npy local.npy '<f4' '(256,)' f '[i // 64 * 64 + 63 - i % 64 for i in range(256)]'
  tune local
  expect_status 0
  expect_figure '[e["config"] for e in all if "BAD=0" in e["config"] and e["outcome"] not in ("ok", "slow")]' '[]'
  expect_figure '[e["config"] for e in all if "BAD=1" in e["config"] and e["outcome"] != "wrong_result"]' '[]'
  expect_figure "max(int(e['config'].split(',')[0][6:]) for e in all) >= 32768" True
else
  case_skip "local memory whose size is an expression, up to all that there is" "of GPUs only"
fi

if is cuda || is hip; then
  case_begin "a template is named by an expression"
  spec template template 'scale<FACTOR, float>' <<'END'
params: {FACTOR: [2, 3]}
args:
  - {name: x, type: f32, shape: [100], fill: arange}
  - {name: y, type: f32, shape: [100], role: out}
  - {name: n, type: i32, value: 100}
reference: {files: [template.npy]}
END
  sed -i 's/^entry: .*/entry: "scale<FACTOR, float>"/' "$TMP/template.yaml"
  npy template.npy '<f4' '(100,)' f '[2 * i for i in range(100)]'
  tune template
  expect_status 0
  expect_outcome FACTOR=2 ok
  expect_outcome FACTOR=3 wrong_result "first at [1]: got 3, expected 2"
  try template --config FACTOR=2
  expect_ok
else
  case_skip "a template is named by an expression" "of CUDA and HIP only"
fi

if is cuda && [ "$(fact compute_capability)" -ge 90 ]; then
  case_begin "clusters of blocks"
  spec cluster cluster cluster_sizes <<'END'
params: {C: [1, 2, 4]}
args:
  - {name: y, type: i32, shape: [8], role: out}
reference: {files: [cluster.npy]}
launch: {grid: [8], block: [32], cluster: [C]}
END
  npy cluster.npy '<i4' '(8,)' i '[2] * 8'
  tune cluster
  expect_status 0
  expect_outcome C=1 wrong_result "got 1, expected 2"
  expect_outcome C=2 ok
  expect_outcome C=4 wrong_result "got 4, expected 2"

  case_begin "tensor maps"
  spec map map tensor_map <<'END'
params: {BOX: [8, 32], SWIZZLE: [0, 128], BAD: [0, 1]}
baseline: {BOX: 8, SWIZZLE: 0, BAD: 0}
args:
  - {name: a, type: f32, shape: [64, 128], fill: arange}
  - {name: map, tensor_map: {of: a, box: [32, BOX], swizzle: SWIZZLE}}
  - {name: y, type: f32, shape: [64, 128], role: out}
reference: {files: [map.npy]}
launch: {grid: [4, 64 // BOX], block: [32]}
END
  npy map.npy '<f4' '(64, 128)' f 'range(64 * 128)'
  tune map
  expect_status 0
  for way in BOX={8,32},SWIZZLE={0,128}; do
    expect_outcome "$way,BAD=0" ok
    expect_outcome "$way,BAD=1" wrong_result
  done
else
  for name in "clusters of blocks" "tensor maps"; do
    if is cuda; then case_skip "$name" "needs compute capability 9.0"; else case_skip "$name" "of CUDA only"; fi
  done
fi

case_begin "inputs by a program, and from files, for each problem"
cat >"$TMP/supply.py" <<'END'
import struct, sys
folder, count = sys.argv[1], int(sys.argv[2])
head = "{'descr': '|u1', 'fortran_order': False, 'shape': (%d,), }" % count
head += " " * (-(11 + len(head)) % 64) + "\n"
with open(folder + "/x.npy", "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + bytes([7]) * count)
END
for count in 5 70; do npy "sevens_$count.npy" '|u1' "($count,)" B "[7] * $count"; done
spec supplied copy copy <<'END'
problem: {N: [5, 70]}
params: {V: [0, 1]}
args:
  - {name: x, type: u8, shape: [N]}
  - {name: y, type: u8, shape: [N], role: out}
  - {name: n, type: i64, value: N}
supply: {command: "python3 supply.py {dir} {N}"}
reference: {files: ["sevens_{N}.npy"]}
END
run "$HONE" tune "$TMP/supplied.yaml" "${devices[@]}" --quiet --no-cap --stop-after screen --format json
expect_status 0
expect_same "what became of each problem" "$(for n in 5 70; do echo "N=$n V=0 ok V=1 wrong_result"; done)" "$(python3 -c '
import json, sys
for run in json.load(open(sys.argv[1])):
    print(run["problem"], *sorted(e["config"] + " " + e["outcome"].replace("slow", "ok") for e in run["evaluations"]))
' "$TMP/stdout")"
sed -i 's/supply.py {dir}/supply.py nowhere/' "$TMP/supplied.yaml"
try supplied --problem N=5
expect_status 2
expect_said "supplied.yaml:11:"
expect_said "'supply.command' failed: exit status 1"

case_begin "arguments that only some configurations have"
spec optional optional scale <<'END'
problem: {N: 1000}
params: {PACK: [0, 1]}
baseline: {PACK: 0}
args:
  - {name: x, type: f32, shape: [N]}
  - {name: t, type: f32, shape: [N], role: scratch, when: PACK == 1}
  - {name: factor, type: f32, value: 3, when: PACK == 1}
  - {name: y, type: f32, shape: [N], role: out}
  - {name: n, type: i32, value: N}
reference: {file: optional_ref.c}
END
echo 'void scale(const float *x, float *y, int n) { for (int i = 0; i < n; i++) y[i] = 3 * x[i]; }' >"$TMP/optional_ref.c"
tune optional
expect_status 0
expect_outcome PACK=0 ok
expect_outcome PACK=1 ok
sed -i 's/role: out}/role: out, when: PACK == 0}/' "$TMP/optional.yaml"
try optional
expect_status 2
expect_said "'when' is for inputs and scratch memory: outputs are compared, so all configurations have them"
