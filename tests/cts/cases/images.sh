# Tensors that kernels take as images: textures and surfaces of CUDA and HIP, images and samplers of OpenCL.

if is opencl; then
  picture='image: true' smooth='image: true' colours='image: {channels: 4}' canvas='image: true' line='role: in' old='image: true' drawn='image: true'
  samplers='  - {name: nearest, sampler: {address: clamp}}
  - {name: between, sampler: {filter: linear, address: clamp}}'
else
  picture='texture: {address: clamp}' smooth='texture: {filter: linear}' colours='texture: {channels: 4}' canvas='surface: true'
  line='texture: {memory: linear}' old='symbol: true, texture: true' drawn='symbol: true, surface: true' samplers=''
fi
cat >"$TMP/images_reference.c" <<'END'
static float at(const float *x, int row, int column)
{
  return x[13 * row + (column < 0 ? 0 : column > 12 ? 12 : column)];
}
void reference(const float *picture, const float *smooth, const unsigned char *colours, const float *line, const float *old, float *canvas,
               float *state, float *drawn, float *y, int n)
{
  for (int i = 0; i < n; i++) {
    int row = i / 13, column = i % 13;
    const unsigned char *c = colours + 4 * i;
    y[i] = at(picture, row, column - 1) + 0.5f * (at(smooth, row, column) + at(smooth, row, column + 1)) +
           (float)(c[0] + 2 * c[1] + 3 * c[2] + 4 * c[3]) + line[i] + old[i];
    canvas[i] = 3 * picture[i];
    drawn[i] = 2 * i;
    if (column % 2) state[i] = (float)i;
  }
}
END
spec images images images <<END
problem: {H: 7, W: 13}
params: {WAY: [BASE, RIGHT, WRONG, FORGETS, STATE_WRONG, SMOOTH_WRONG, COLOUR_WRONG, DRAWN_WRONG]}
baseline: {WAY: BASE}
args:
  - {name: picture, type: f32, shape: [H, W], fill: {kind: integer, low: 1, high: 100}, $picture}
  - {name: smooth, type: f32, shape: [H, W], fill: {kind: integer, low: 1, high: 100}, $smooth}
  - {name: colours, type: u8, shape: [H, W, 4], range: [1, 100], $colours}
  - {name: line, type: f32, shape: [H * W], fill: {kind: integer, low: 1, high: 100}, $line}
  - {name: old, type: f32, shape: [H, W], fill: {kind: integer, low: 1, high: 100}, $old}
$samplers
  - {name: canvas, type: f32, shape: [H, W], role: out, $canvas}
  - {name: state, type: f32, shape: [H, W], role: inout, fill: {kind: integer, low: 1, high: 100}, $canvas}
  - {name: drawn, type: f32, shape: [H, W], role: out, $drawn}
  - {name: y, type: f32, shape: [H, W], role: out}
  - {name: n, type: i32, value: H * W}
check: {rtol: 0, atol: 0}
END
if command -v cc >"$TMP/null" 2>&1; then
  sed -i 's/^reference:.*//' "$TMP/images.yaml"
  echo 'reference: {file: images_reference.c, entry: reference}' >>"$TMP/images.yaml"
fi

case_begin "images are filled, read, written and put back"
tune images
expect_status 0
expect_outcome WAY=BASE ok
expect_outcome WAY=RIGHT ok

case_begin "what is wrong in them is seen"
expect_outcome WAY=WRONG wrong_result "y: "
expect_outcome WAY=FORGETS wrong_result "canvas: 1 of 91 elements differ (1.1 %, allowed 0 %); first at [3, 11]: never written"
expect_outcome WAY=STATE_WRONG wrong_result "state: 42 of 91 elements differ"
expect_outcome WAY=DRAWN_WRONG wrong_result "drawn: 13 of 91 elements differ (14.3 %, allowed 0 %); first at [6, 0]"
expect_outcome WAY=SMOOTH_WRONG wrong_result "y: "
expect_outcome WAY=COLOUR_WRONG wrong_result "y: 91 of 91 elements differ"

case_begin "what no image can be"
refused() { # refused NAME OLD NEW WORDS: the spec with another argument ends with these words
  sed "s/$2/$3/" "$TMP/images.yaml" >"$TMP/$1.yaml"
  try "$1"
  expect_status 2
  expect_said "$1.yaml:9:"
  expect_said "$4"
}
refused wide 'picture, type: f32' 'picture, type: f64' "'picture' is f64, which images do not support: known are f16, f32, and integers"
refused deep 'picture, type: f32, shape: \[H, W\]' 'picture, type: f32, shape: [1, 1, H, W]' "'picture' has 4 sizes: images have 1 to 3"
way=${picture%%:*}
refused mixed "$picture" "$way: {channels: 2}" "'picture' has 2 channels: they must be the last size of its 'shape', such as"

# The shares of stages are timed launch by launch.
if is opencl; then
  case_begin "an image that is scratch keeps its content from one stage to the next"
  cat >"$TMP/passed.cl" <<'END'
__constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
__kernel void first(__read_only image2d_t in, __write_only image2d_t between)
{
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(between, at, 2 * read_imagef(in, nearest, at));
}
__kernel void second(__read_only image2d_t between, __global float *out)
{
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  out[16 * at.y + at.x] = read_imagef(between, nearest, at).x + ADD;
}
END
  cat >"$TMP/passed.yaml" <<'END'
backend: opencl
file: passed.cl
params: {X: [4, 8], ADD: [1, 2]}
baseline: {X: 4, ADD: 1}
args:
  - {name: in, type: f32, shape: [8, 16], fill: uniform, image: true}
  - {name: between, type: f32, shape: [8, 16], role: scratch, image: true}
  - {name: out, type: f32, shape: [8, 16], role: out}
stages:
  - {entry: first, args: [in, between], launch: {global: [16, 8], local: [X, 1]}}
  - {entry: second, args: [between, out], launch: {global: [16, 8], local: [X, 1]}}
END
  tune passed
  expect_status 0
  expect_outcome X=8,ADD=1 ok
  expect_outcome X=8,ADD=2 wrong_result "out: "
fi
