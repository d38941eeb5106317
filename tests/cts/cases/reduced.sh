# Outputs whose shape depends on parameters, and those that are compared by what they are reduced to.

ways='BASE RIGHT WRONG_SUM WRONG_MIN WRONG_MAX WRONG_ORDER WRONG_NORM FORGETS PAST_SHAPE LATER_WRONG'
spec reduced reduced reduced <<END
problem: {N: 1003}
params: {WAY: [${ways// /, }], GRID: [1, 7, 300]}
derived: {PARTS: GRID}
baseline: {WAY: BASE, GRID: 7}
search: {strategy: exhaustive}
args:
  - {name: x, type: f32, shape: [N], fill: {kind: integer, low: -50, high: 100}}
  - {name: sums, type: f32, shape: [GRID], role: out, check: {reduce: sum}}
  - {name: lows, type: f32, shape: [PARTS], role: out, check: {reduce: min}}
  - {name: highs, type: f32, shape: GRID, role: out, check: {reduce: max}}
  - {name: y, type: f32, shape: [N], role: out, check: {reduce: sorted}}
  - {name: z, type: f32, shape: [N], role: out, check: {reduce: norm, rtol: 1e-5}}
  - {name: n, type: i32, value: N}
check: {rtol: 0, atol: 0}
END

case_begin "partial results of every number, and results in any order, are right"
tune reduced
expect_status 0
for grid in 1 7 300; do
  expect_outcome "WAY=RIGHT,GRID=$grid" ok
done

case_begin "what is wrong in them is seen, for every number"
for grid in 1 7 300; do
  s=$([ $grid = 1 ] || echo s)
  expect_outcome "WAY=WRONG_SUM,GRID=$grid" wrong_result "sums: the sum of $grid element$s is"
  expect_outcome "WAY=WRONG_MIN,GRID=$grid" wrong_result "lows: the least element of $grid element$s is"
  expect_outcome "WAY=WRONG_MAX,GRID=$grid" wrong_result "highs: the greatest element of $grid element$s is"
  expect_outcome "WAY=WRONG_ORDER,GRID=$grid" wrong_result "sorted y: "
  expect_outcome "WAY=WRONG_NORM,GRID=$grid" wrong_result "z: the norm of 1003 elements is"
  expect_outcome "WAY=FORGETS,GRID=$grid" wrong_result \
    "sums: 1 of $grid elements were never written; first at [$((grid - 1))]"
  expect_outcome "WAY=LATER_WRONG,GRID=$grid" nondeterministic "correct at first"
done

case_begin "writing past the end of an own shape"
expect_outcome WAY=PAST_SHAPE,GRID=1 wrong_result "wrote past the end of 'lows': element 1 of 1"
expect_outcome WAY=PAST_SHAPE,GRID=7 wrong_result "wrote past the end of 'lows': element 7 of 7"
expect_outcome WAY=PAST_SHAPE,GRID=300 wrong_result "wrote past the end of 'lows'"

if command -v cc >"$TMP/null" 2>&1; then
  case_begin "a reference in C leaves one element of each"
  cat >"$TMP/whole.c" <<'END'
void whole(const float *x, float *sums, float *lows, float *highs, float *y, float *z, int n)
{
  sums[0] = 0, lows[0] = highs[0] = x[0];
  for (int i = 0; i < n; i++) {
    sums[0] += x[i];
    lows[0] = x[i] < lows[0] ? x[i] : lows[0];
    highs[0] = x[i] > highs[0] ? x[i] : highs[0];
    y[i] = z[i] = x[i];
  }
}
END
  { cat "$TMP/reduced.yaml" && echo 'reference: {file: whole.c, entry: whole}'; } >"$TMP/reduced_by_c.yaml"
  tune reduced_by_c --filter 'WAY == "BASE" or WAY == "RIGHT" or WAY == "WRONG_SUM"'
  expect_status 0
  expect_outcome WAY=RIGHT,GRID=300 ok
  expect_outcome WAY=RIGHT,GRID=1 ok
  expect_outcome WAY=WRONG_SUM,GRID=300 wrong_result "sums: the sum of 300 elements is"
else
  case_skip "a reference in C leaves one element of each" "no C compiler here"
fi

case_begin "commands get the shape of the configuration"
cat >"$TMP/total.py" <<'END'
import struct, sys

def read(name):
    data = open(sys.argv[1] + "/" + name + ".npy", "rb").read()
    size = struct.unpack("<H", data[8:10])[0]
    values = data[10 + size:]
    return eval(data[10:10 + size])["shape"], struct.unpack("<%df" % (len(values) // 4), values)

shape, sums = read("sums")
if shape not in ((1,), (7,), (300,)) or len(sums) != shape[0]: sys.exit("a shape of %r" % (shape,))
if sum(sums) != sum(read("x")[1]): sys.exit("a sum of %g" % sum(sums))
END
sed 's/^check:.*/check: {command: "python3 total.py {dir}"}/' "$TMP/reduced.yaml" >"$TMP/reduced_by_command.yaml"
try reduced_by_command --config WAY=RIGHT,GRID=300
expect_ok
try reduced_by_command --config WAY=WRONG_SUM,GRID=1
expect_said "a sum of"

case_begin "elements of different outputs cannot be compared"
sed '/name: sums/s/, check: .*}/}/' "$TMP/reduced.yaml" >"$TMP/unreduced.yaml"
try unreduced
expect_status 2
expect_said "unreduced.yaml:12:"
expect_said "the shape of 'sums' depends on parameters, so its elements cannot be compared one by one"
