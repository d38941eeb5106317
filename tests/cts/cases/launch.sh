# Sizes of launches, in both ways to say them.

if is c; then
  case_skip "sizes of launches" "a function of C has none"
  return
fi

launch_spec() { # launch_spec NAME DIMENSIONS LAUNCH CONFIGS: every candidate covers 4096 items; all are one object
  spec "$1" launch launch <<END
configs: [$4]
args:
  - {name: y, type: i32, shape: [4096], role: out}
  - {name: dimensions, type: i32, value: $2}
  - {name: gx, type: i32, value: GX}
  - {name: gy, type: i32, value: GY}
  - {name: gz, type: i32, value: GZ}
  - {name: lx, type: i32, value: LX}
  - {name: ly, type: i32, value: LY}
  - {name: lz, type: i32, value: LZ}
reference: {files: [items.npy]}
launch: $3
END
}
npy items.npy '<i4' '(4096,)' i 'range(4096)'

expect_all_ok() { # expect_all_ok COUNT
  expect_status 0
  expect_figure 'len(all)' "$1"
  expect_figure '[(e["config"], e["outcome"], e["evidence"]) for e in all if e["outcome"] not in ("ok", "slow")]' '[]'
}
flat() { echo "{GX: 4096, GY: 1, GZ: 1, LX: $1, LY: 1, LZ: 1}"; }

case_begin "one dimension, from a block of one to the largest"
launch_spec line 1 '{grid: [GX // LX], block: [LX]}' \
  "$(flat 1), $(flat 2), $(flat 32), $(flat 64), $(flat '"min(4096, device.max_threads)"')"
tune line
expect_all_ok 5

case_begin "two dimensions, global and local"
launch_spec plane 2 '{global: [GX, GY], local: [LX, LY]}' '
  {GX: 64, GY: 64, GZ: 1, LX: 8, LY: 4, LZ: 1}, {GX: 1024, GY: 4, GZ: 1, LX: 1, LY: 4, LZ: 1},
  {GX: 4, GY: 1024, GZ: 1, LX: 4, LY: 16, LZ: 1}'
tune plane
expect_all_ok 3

for words in '{global: [GX, GY, GZ], local: [LX, LY, LZ]}' '{grid: [GX // LX, GY // LY, GZ // LZ], block: [LX, LY, LZ]}'; do
  case_begin "three dimensions: $words"
  launch_spec cube 3 "$words" '
    {GX: 16, GY: 16, GZ: 16, LX: 4, LY: 4, LZ: 4}, {GX: 64, GY: 32, GZ: 2, LX: 16, LY: 2, LZ: 1},
    {GX: 2, GY: 64, GZ: 32, LX: 1, LY: 1, LZ: 32}'
  tune cube
  expect_all_ok 3
done

case_begin "where nothing but the launch differs, each is measured, and too small a grid is wrong"
launch_spec small 1 '{global: [G], local: [64]}' '
  {G: 4096, GX: 4096, GY: 1, GZ: 1, LX: 0, LY: 0, LZ: 0}, {G: 4032, GX: 4096, GY: 1, GZ: 1, LX: 0, LY: 0, LZ: 0},
  {G: 8192, GX: 4096, GY: 1, GZ: 1, LX: 0, LY: 0, LZ: 0}'
tune small
expect_status 0
expect_outcome G=4096,GX=4096,GY=1,GZ=1,LX=0,LY=0,LZ=0 ok
expect_outcome G=8192,GX=4096,GY=1,GZ=1,LX=0,LY=0,LZ=0 ok
expect_outcome G=4032,GX=4096,GY=1,GZ=1,LX=0,LY=0,LZ=0 wrong_result "y: 64 of 4096 elements differ"
expect_figure '[e["same_as"] for e in all]' '[None, None, None]'
expect_figure 'len({e["object"] for e in all})' 1

case_begin "a group of another size than the spec says is seen"
launch_spec other 1 '{grid: [64], block: [64]}' "$(flat 64), $(flat 32)"
tune other
expect_status 0
expect_outcome GX=4096,GY=1,GZ=1,LX=64,LY=1,LZ=1 ok
expect_outcome GX=4096,GY=1,GZ=1,LX=32,LY=1,LZ=1 wrong_result "y: 4096 of 4096 elements differ"

case_begin "a block that does not divide the grid"
launch_spec uneven 1 '{global: [GX], local: [LX]}' "$(flat 64), $(flat 96)"
tune uneven
expect_status 0
if is cuda || is hip; then
  expect_outcome GX=4096,GY=1,GZ=1,LX=96,LY=1,LZ=1 ok
else # OpenCL 3.0 need not have such groups
  expect_outcome GX=4096,GY=1,GZ=1,LX=96,LY=1,LZ=1 'launch_failure|ok'
fi

if is opencl; then
  case_begin "the device chooses the local size"
  launch_spec free 2 '{global: [GX, GY]}' '{GX: 64, GY: 64, GZ: 1, LX: 0, LY: 0, LZ: 0}'
  tune free
  expect_all_ok 1
else
  case_skip "the device chooses the local size" "of OpenCL only"
fi

case_begin "a block larger than the device has"
launch_spec large 1 '{grid: [GX // 64], block: [LX]}' "$(flat 64), $(flat '2 * device.max_threads')"
tune large
expect_status 0
expect_figure 'sorted(e["outcome"].replace("slow", "ok") for e in all)' "['launch_failure', 'ok']"

if is cuda; then
  case_begin "cooperative launches"
  spec cooperative cooperative cooperative <<'END'
problem: {N: 8192}
params: {WAY: [0, 1, 2, 3]}
baseline: {WAY: 0}
args:
  - {name: x, type: f32, shape: [N]}
  - {name: y, type: f32, shape: [N], role: out}
  - {name: z, type: f32, shape: [N], role: out}
  - {name: n, type: i32, value: N}
check: {rtol: 0, atol: 0}
launch: {grid: "2 ** 20 if WAY == 3 else 64", block: 64, cooperative: true}
END
  tune cooperative
  expect_status 0
  expect_outcome WAY=1 wrong_result "y: "
  expect_outcome WAY=2 ok
  expect_outcome WAY=3 launch_failure
elif on_gpu; then
  case_begin "cooperative launches are CUDA's"
  spec cooperative copy copy <<'END'
problem: {N: 64}
params: {V: [0]}
args:
  - {name: x, type: u8, shape: [N], fill: arange}
  - {name: y, type: u8, shape: [N], role: out}
  - {name: n, type: i64, value: N}
launch: {grid: 1, block: 64, cooperative: true}
END
  try cooperative
  expect_status 2
  expect_said "does not support 'launch.cooperative'"
fi

case_begin "launch bounds from expressions"
spec bounds bounds bounds <<'END'
problem: {N: 1024}
params: {BLOCK: [32, 64], LIMIT: [1, 2]}
derived: {THREADS: BLOCK // LIMIT}
baseline: {BLOCK: 64, LIMIT: 1}
args:
  - {name: x, type: f32, shape: [N]}
  - {name: y, type: f32, shape: [N], role: out}
  - {name: n, type: i32, value: N}
launch: {grid: [4], block: [BLOCK]}
END
tune bounds
expect_status 0
expect_outcome BLOCK=32,LIMIT=1 ok
if [[ "${HONE_HIP-}" != *stand-in* ]]; then # which has no bounds
  expect_outcome BLOCK=32,LIMIT=2 launch_failure
  expect_outcome BLOCK=64,LIMIT=2 launch_failure
fi

case_begin "a reference in the kernel's language has a launch of its own"
spec own_launch runs runs <<END
params: {RUN: [4, 8, 16]}
args:
  - {name: y, type: i32, shape: [4096], role: out}
reference: {file: own_launch_ref.$suffix, entry: runs, launch: {global: 4096, local: 64}}
launch: {grid: [4096 // RUN // 64], block: [64]}
END
kernel own_launch_ref runs
tune own_launch
expect_all_ok 3
