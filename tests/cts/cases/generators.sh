# Code generators: build.command writes a source, or code.

generated_spec() { # generated_spec COMMAND
  spec generated generated generated <<SPEC
problem: {N: 1000}
params: {FACTOR: [1, 2, 3]}
baseline: {FACTOR: 1}
build: {command: [sh, write.sh, '{source}', '{output}', '{FACTOR}', $1]}
args:
  - {name: x, type: f32, shape: [N]}
  - {name: y, type: f32, shape: [N], role: out}
  - {name: n, type: i32, value: N}
reference: {file: generated_ref.c, build: {compiler: cc}}
SPEC
  mkdir -p "$TMP/templates" # any file beside the source may be one that the command reads
  mv "$TMP/generated.$suffix" "$TMP/templates/"
  sed -i 's,^file: ,file: templates/,' "$TMP/generated.yaml"
}

cat >"$TMP/generated_ref.c" <<'SPEC'
void generated(const float *x, float *y, int n) { for (int i = 0; i < n; i++) y[i] = x[i]; }
SPEC
cat >"$TMP/write.sh" <<'SPEC'
# write.sh SOURCE OUTPUT FACTOR HOW
echo "$3" >>calls.log
if [ "$3" = 3 ]; then echo 'nobody generates this'; exit 1; fi
if [ "$4" = source ]; then sed "s/@FACTOR@/$3/" "$1" >"$2"; exit; fi
cp "$1" "$TMPDIR/kernel.${1##*.}" && sed -i "s/@FACTOR@/$3/" "$TMPDIR/kernel.${1##*.}" &&
  $4 "$2" "$TMPDIR/kernel.${1##*.}"
SPEC
calls() { wc -l <"$TMP/calls.log"; }

case_begin "a command writes the source of each configuration"
: >"$TMP/calls.log"
generated_spec source
tune generated
expect_status 0
expect_outcome FACTOR=1 ok
expect_outcome FACTOR=2 wrong_result
expect_outcome FACTOR=3 compile_error "nobody generates this"
expect_same "the number of its calls" 3 "$(calls)"

case_begin "what it wrote is kept until its words or a file that it may read change"
tune generated --fresh
expect_outcome FACTOR=2 wrong_result
expect_same "the number of its calls" 3 "$(calls)"
echo '# of another content' >>"$TMP/write.sh"
tune generated --fresh
expect_same "the number of its calls" 6 "$(calls)"

case_begin "the source is a program that writes the kernel, and is called by its name"
generated_spec source
mv "$TMP/templates/generated.$suffix" "$TMP/generated.txt"
printf '#!/bin/sh\nsed "s/@FACTOR@/$2/" generated.txt >"$1"\n' >"$TMP/generated.sh"
chmod +x "$TMP/generated.sh"
sed -i "s,^file: .*,file: generated.sh,;s,^build: .*,build: {command: '{source} {output} {FACTOR}'}," "$TMP/generated.yaml"
grep -q '^backend:' "$TMP/generated.yaml" || echo "backend: $backend" >>"$TMP/generated.yaml"
tune generated --fresh
expect_status 0
expect_outcome FACTOR=1 ok
expect_outcome FACTOR=2 wrong_result

code= # a command that takes OUTPUT and SOURCE
case $backend in
c) code='cc -shared -fPIC -o' ;;
cuda) if command -v nvcc >/dev/null; then code='nvcc -arch=native -cubin -o'; fi ;;
hip) if [ -n "${STAND_IN_COMPILER-}" ]; then code=$STAND_IN_COMPILER; elif command -v hipcc >/dev/null; then code='hipcc --genco -o'; fi ;;
esac
if [ -n "$code" ]; then
  case_begin "a command writes code"
  generated_spec "$code"
  tune generated
  expect_status 0
  expect_outcome FACTOR=1 ok
  expect_outcome FACTOR=2 wrong_result
else
  case_skip "a command writes code" "no compiler of such code is here"
fi
