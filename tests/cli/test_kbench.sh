# kbench's files load as they are and give the same mesh, line by line. The expectations are what
# kbench itself prints for these files.
. "$(dirname "$0")/lib.sh"
groups=tests/data/kbench/groups.yaml
export SAMPLE_ROOT=/nowhere

mesh() { # mesh FILE OPTION...: the mesh, a line each
  run "$HONE" space "$@" --list --format spec
}

mesh_of() { # mesh_of PARAMS: of one group
  printf 'name: t\nfile: sample.mojo\nparams:\n- %s\n' "$1" >"$TMP/t.yaml"
  mesh "$TMP/t.yaml"
}

values() { # values TEXT WANT...: what A becomes, when it is written so
  mesh_of "A: $1"
  expect_status 0
  expect_out "$(shift; printf 'sample/A=%s\n' "$@")"
}

case_begin "groups, runtime parameters and rules"
mesh $groups
expect_status 0
expect_err ""
expect_out 'sample/dtype=DType.float16/shape=1024x512x256/stages=4/$x=0
sample/dtype=DType.float16/shape=1024x512x256/stages=4/$x=1
sample/dtype=DType.float16/shape=32x32x32/stages=4/$x=0
sample/dtype=DType.float16/shape=32x32x32/stages=4/$x=1
sample/dtype=DType.float32/shape=64x64x64/stages=2'

count() { # count WANT OPTION...
  run "$HONE" space $groups --count "${@:2}"
  expect_out "$1"
}

case_begin "--param replaces values, or adds a parameter at the end"
count 10 --param 'stages:[4,2]'
count 3 --param 'x:[0]'
count 0 --param '$x:7'
count 10 --param 'foo:[1,2]'
mesh $groups --param 'x:[0]'
expect_out 'sample/dtype=DType.float16/shape=1024x512x256/stages=4/$x=0
sample/dtype=DType.float16/shape=32x32x32/stages=4/$x=0
sample/dtype=DType.float32/shape=64x64x64/stages=2/x=0'
mesh $groups --param engine:aiter --filter stages=2
expect_out 'sample/dtype=DType.float32/shape=64x64x64/stages=2/engine=aiter'
count 15 --param 'a:range(0, 3)'
mesh $groups --param 'a:[ x , y ]' --filter stages=2
expect_out 'sample/dtype=DType.float32/shape=64x64x64/stages=2/a=x
sample/dtype=DType.float32/shape=64x64x64/stages=2/a=y'
mesh $groups --param a: --filter stages=2
expect_out 'sample/dtype=DType.float32/shape=64x64x64/stages=2/a='
run "$HONE" space $groups --param foo
expect_status 2
expect_err_contains "bad --param 'foo': expected NAME:VALUE"

case_begin "--filter: the same name is or, different names are and"
count 4 --filter stages=4
count 2 --filter x=1
count 2 --filter '$x=1'
count 5 --filter stages=4 --filter stages=2
count 2 --filter stages=4 --filter x=0
count 0 --filter stages=99
count 5 --filter bogus=1
expect_err_contains "no file has the parameter 'bogus': the filter is ignored"
run "$HONE" space $groups --filter nonsense
expect_status 2

case_begin "files are joined, with their own rules"
run "$HONE" space $groups $groups --count
expect_out 10
run "$HONE" space $groups $groups --count --unique
expect_out 5

case_begin "--shapes is an outer loop, --partition a part of it"
mesh $groups --shapes tests/data/kbench/shapes.yaml --filter stages=2
expect_out 'sample/dtype=DType.float32/shape=64x64x64/stages=2/$M=1/N=3
sample/dtype=DType.float32/shape=64x64x64/stages=2/$M=2/N=3
sample/dtype=DType.float32/shape=64x64x64/stages=2/$M=3/N=3'
mesh $groups --shapes tests/data/kbench/shapes.yaml --filter stages=2 --partition 1:2
expect_out 'sample/dtype=DType.float32/shape=64x64x64/stages=2/$M=3/N=3'
mesh $groups --shapes tests/data/kbench/shapes.yaml --filter stages=2 --partition 2:2
expect_status 2

case_begin "merged keys come first and keep their place"
mesh tests/data/kbench/merges.yaml
expect_err ""
expect_out 'sample/A=1/B=7/Z=9
sample/dtype=f16/unroll=4/tile=64
sample/C=3/A=1/B=1
sample/C=3/A=1/B=2'

case_begin "params as one mapping, and fixed_params behind the grid"
printf 'file: sample.mojo\nparams: {A: [1, 2], B: [1, 2, 3]}\nfixed_params:\n- {A: 9, B: 9}\n' >"$TMP/m.yaml"
run "$HONE" space "$TMP/m.yaml" --count
expect_out 7
run "$HONE" space "$TMP/m.yaml" --at 6
expect_out "A=9 B=9"

case_begin "YAML 1.1 scalars"
values '[yes, Off, 010, 0x10, 1_000, 1:30]' True False 8 16 1000 90
values '[0.00001, 1.50, 1.5e+3]' 1e-05 1.5 1500.0
values 2024-01-01 2024-01-01
values "['010', foo]" 010 foo

case_begin "expressions in values"
values '4096*4096' 16777216
values "'[2**i for i in range(14, 28, 3)]'" 16384 131072 1048576 8388608 67108864
values 'list(range(1, 128+1, 32))' 1 33 65 97
values "'[4, 8, 2**18]'" 4 8 262144
values 1e3 1000.0
values "[1, '2*8', 3]" 1 16 3
values '[1, [2, 3], [4, [5]]]' 1 2 3 4 5
values '{a: 1, b: 2}' a b
values '[null, 1]' None 1
values 1,2 1 2

case_begin "one word keeps its list as it is written, and someone is told"
values "[1, foo, '2*8']" 1 foo '2*8'
expect_err_contains "'2*8' is treated as text because 'foo' in the same list is not an expression"

case_begin "in a file of Hone's own each element is taken by itself"
printf 'params: {A: [1, foo, 2*8]}\nconstraints: [A != 1]\n' >"$TMP/own.yaml"
run "$HONE" space "$TMP/own.yaml" --list
expect_err ""
expect_out "A=foo
A=16"

case_begin "words are never Python's"
values '[time, max, aiter]' time max aiter
values max max
values copy copy
values '"1024x512x256"' 1024x512x256
values 'a=b' 'a=b'
values 'hello world' 'hello world'
values '1/0' 1/0

case_begin "equal values are one, the first stays"
values '[1, true, 1.0]' 1
values '[64, 64, 32, 64]' 64 32
values '[0, false]' 0

case_begin "two groups that yield the same configuration yield it twice"
printf 'file: s.mojo\nparams:\n- {A: [1, 2]}\n- {A: [2, 3]}\n' >"$TMP/d.yaml"
mesh "$TMP/d.yaml"
expect_out 's/A=1
s/A=2
s/A=2
s/A=3'
mesh "$TMP/d.yaml" --unique
expect_out 's/A=1
s/A=2
s/A=3'
run "$HONE" space "$TMP/d.yaml" --unique --index-of A=3
expect_out 2

case_begin "a variable of the environment that is not set is a warning"
env -u SAMPLE_ROOT "$HONE" space $groups --count >"$TMP/out" 2>"$TMP/err"
if [ "$(cat "$TMP/out")" != 5 ]; then fail "$(cat "$TMP/out" "$TMP/err")"; fi
if ! grep -q "the environment variable 'SAMPLE_ROOT' is not set" "$TMP/err"; then fail "$(cat "$TMP/err")"; fi

case_begin "the stem loses two suffixes"
printf 'file: dir/sample.v2.mojo\nparams: {A: 1}\n' >"$TMP/s.yaml"
mesh "$TMP/s.yaml"
expect_out sample/A=1

cases_end
