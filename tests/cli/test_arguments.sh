# Arguments of a spec that are not those of its kernel: a crash is the kernel's, not the device's, and
# the source tells which argument it is.
. "$(dirname "$0")/lib.sh"
export HONE COLUMNS=80 HONE_STORE="$TMP/store.db" HONE_CACHE="$TMP/cache"
cd "$TMP" || exit 1

# kernel FILE ARGUMENTS PARAMETERS [LINES]: `y = x + 1`, with an absurd address it crashes
kernel() {
  cat >"$1" <<END
/*@hone
name: $(basename "$1" .c)
problem: {n: 1000}
params: {A: [1, 2]}
baseline: {A: 1}
entry: add
args:
$2
${4-reference: baseline}
*/
void add($3)
{
  y[0] = x[0] + 1; /* whatever n is */
  for (volatile int k = 0; k < A; k++)
    for (long i = 0; i < n; i++)
      y[i] = x[i] + 1;
}
END
}
x='  - {name: x, type: f32, shape: [n], fill: uniform}'
y='  - {name: y, type: f32, shape: [n], role: out}'
n='  - {name: n, type: i64, value: n}'
all='const float *x, float *y, long n'

refused() { # refused FILE PLACE WORDS: neither tune nor run builds anything
  for command in tune run; do
    run "$HONE" $command "$1"
    expect_status 2
    expect_err_contains "$1:$2: error: $3"
    case $ERR in *"device 'c'"* | *worker* | *crash*) fail "it was called: $ERR" ;; esac
  done
}

case_begin "swapped arguments"
kernel swapped.c "$n
$x
$y" "$all"
refused swapped.c 8:5 "argument 1 'n' of the spec is parameter 3 of 'add', 'long n' in swapped.c:13"
expect_err_contains "argument 2 'x' of the spec is parameter 1 of 'add', 'const float *x'"

case_begin "a stage may pass its arguments to other parameters, but not of other types"
cat >stages.c <<'END'
void add(const float *x, float *y, long n) { for (long i = 0; i < n; i++) y[i] = x[i] + A; }
void keep(const float *x, float *y, long n) { for (long i = 0; i < n; i++) y[i] = x[i]; }
END
cat >stages.yaml <<'END'
file: stages.c
problem: {N: 64}
params: {A: [1, 2]}
baseline: {A: 1}
args:
  - {name: x, type: f32, shape: [N], role: inout}
  - {name: y, type: f32, shape: [N], role: scratch}
  - {name: n, type: i64, value: N}
stages:
  - {entry: add, args: [x, y, n]}
  - {entry: keep, args: [y, x, n]}
END
run "$HONE" run stages.yaml --processes 1
expect_status 0
expect_out_contains "outcome     ok"
sed 's/\[y, x, n\]/[n, x, y]/' stages.yaml >mixed.yaml
run "$HONE" run mixed.yaml --processes 1
expect_status 2
expect_err_contains "argument 1 'n' is i64 in the spec and 'const float *x' in stages.c:2"

case_begin "a missing argument"
kernel missing.c "$n
$y" "$all"
refused missing.c 8:3 "the spec has 2 arguments, 'add' in missing.c:12 takes 3; the spec has no argument for 'const float *x'"

kernel sometimes.c "  - {name: x, type: f32, shape: [n], fill: uniform, when: A > 1}
$y
$n" "$all"
refused sometimes.c 8:3 "the spec has 2 arguments, 'add' in sometimes.c:13 takes 3; 'when' leaves 'x' out, which the function takes nevertheless"

case_begin "an argument too many"
kernel extra.c "$x
  - {name: m, type: i32, value: 0}
$y
$n" "$all"
refused extra.c 9:5 "the spec has 4 arguments, 'add' in extra.c:14 takes 3; argument 2 'm' of the spec has no matching parameter"

case_begin "arguments of another type"
kernel typed.c "  - {name: x, type: f32, value: 2}
$y
$n" "$all"
refused typed.c 8:5 "argument 1 'x' is f32 in the spec and 'const float *x' in typed.c:13"
kernel wide.c "$x
$y
$n" "const double *x, double *y, long n"
refused wide.c 8:5 "argument 1 'x' is a tensor of f32 in the spec and 'const double *x' in wide.c:13"
kernel luck.c "$x
$y
$n" "const float *x, float *y, int n"
refused luck.c 10:5 "argument 3 'n' is i64 in the spec and 'int n' in luck.c:13"

case_begin "an output that the kernel takes as const"
kernel const.c "  - {name: x, type: f32, shape: [n], role: out}
  - {name: y, type: f32, shape: [n]}
$n" "$all"
refused const.c 8:5 "argument 1 'x' is an output (role: out) in the spec and 'const float *x' in const.c:13"

case_begin "a name of a type"
kernel named.c "$x
$y
$n" "const real *x, real *y, long n"
echo 'typedef double real;' >>named.c
refused named.c 8:5 "argument 1 'x' is a tensor of f32 in the spec and 'const real *x' (f64) in named.c:13"

case_begin "a reference of its own"
kernel own.c "$x
$y
$n" "$all" "reference: {file: reference.c, entry: right}"
echo 'void right(long n, const float *x, float *y) { for (long i = 0; i < n; i++) y[i] = x[i] + 1; }' >reference.c
refused own.c 11:19 "argument 1 'x' of the spec is parameter 2 of 'right', 'const float *x' in reference.c:1"

case_begin "a reference that needs the first arguments alone"
kernel first.c "$n
$x
$y
  - {name: unused, type: f64, value: 1}" "long n, const float *x, float *y, double unused" "reference: {file: first_ref.c, entry: right}"
echo 'void right(long n, const float *x, float *y) { for (long i = 0; i < n; i++) y[i] = x[i] + 1; }' >first_ref.c
run "$HONE" run first.c --processes 1
expect_status 0
expect_out_contains "agrees with the reference"

case_begin "what only a command of the user's can know crashes, and the call is shown"
kernel crash.c "$x
$y
$n" "PARAMETERS" "build: {command: [cc, '-DPARAMETERS=long n, const float *x, float *y', '{defines}', -shared, -fPIC, '{source}', -o, '{output}']}
reference: baseline"
for command in tune run; do
  run "$HONE" $command crash.c
  expect_status 1
  expect_err_contains "the reference fails (crash): signal 11 (SIGSEGV) in its first call
  it was called as add(f32 *x, f32 *y, i64 n)"
  case $ERR in *"device 'c'"* | *worker*) fail "a device is blamed: $ERR" ;; esac
done

case_begin "what only a command of the user's can know is not refused"
kernel macro.c "$x
$y
$n" "PARAMETERS" "build: {command: [cc, '-DPARAMETERS=const float *x, float *y, int n', '{defines}', -shared, -fPIC, '{source}', -o, '{output}']}
reference: baseline"
run "$HONE" tune macro.c --stop-after screen
expect_status 0
case $ERR in *argument*) fail "nothing is known of the arguments: $ERR" ;; esac

case_begin "an answer past the end of a tensor names the argument"
kernel past.c "$x
  - {name: y, type: f32, shape: [n - 1], role: out}
$n" "$all"
run "$HONE" tune past.c
expect_status 1
expect_err_contains "past the end of 'y'"

case_begin "structs by value, and return values as outputs"
cat >sum.c <<'END'
struct pair { signed char low; double scale; };
#ifdef REFERENCE
double sum(struct pair p, long n, const int *x) { double s = 0; for (long i = n; i-- > 0;) s += x[i]; return s * 3 - 5; }
#else
double sum(struct pair p, long n, const int *x)
{
  double s = 0;
  for (volatile int k = 0; k < A; k++) s = 0;
  for (long i = 0; i < n; i++) s += x[i];
  return s * p.scale + p.low + (A == 3);
}
#endif
END
cat >sum.yaml <<'END'
file: sum.c
problem: {n: 1000}
params: {A: [1, 2, 3]}
baseline: {A: 1}
entry: sum
args:
  - {name: p, struct: [{type: i8, value: -5}, {type: f64, value: 3}]}
  - {name: n, type: i64, value: n}
  - {name: x, type: i32, shape: [n], range: [0, 10]}
  - {name: total, type: f64, return: true, check: {rtol: 0, atol: 0}}
reference: {file: sum.c, entry: sum, build: {defines: {REFERENCE: 1}}}
END
run "$HONE" tune sum.yaml --stop-after screen --no-cap
expect_status 0
expect_out_contains "3 of 3 legal: 2 ok, 1 failed"
expect_out_contains "total: 1 of 1 elements differ"
sed 's/return: true,/return: true, fill: zero,/' sum.yaml >wrong.yaml
run "$HONE" tune wrong.yaml
expect_status 2
expect_err_contains "wrong.yaml:10:50: error: 'fill' cannot be combined with 'return': it is an output of the function"

case_begin "structs that are too large for registers are the same in each call"
cat >large.c <<'END'
struct three { long a, b, c; };
struct five { double a, b, c, d; int e; };
void large(struct three p, struct five q, const float *x, double *y)
{
  for (volatile int k = 0; k < A; k++) y[0] = p.a + 10 * p.b + 100 * p.c;
  y[1] = q.a + 10 * q.b + 100 * q.c + 1000 * q.d + 10000 * q.e;
  y[2] = x[0];
}
END
cat >large.yaml <<'END'
file: large.c
params: {A: [1, 2, 3]}
baseline: {A: 1}
args:
  - {name: p, struct: [{type: i64, value: 1}, {type: i64, value: 2}, {type: i64, value: 3}]}
  - {name: q, struct: [{type: f64, value: 1}, {type: f64, value: 2}, {type: f64, value: 3}, {type: f64, value: 4}, {type: i32, value: 5}]}
  - {name: x, type: f32, shape: [4]}
  - {name: y, type: f64, shape: [3], role: out}
END
run "$HONE" tune large.yaml --stop-after screen --no-cap
expect_status 0
expect_out_contains "3 of 3 legal: 3 ok"

case_begin "functions of C++: templates, namespaces, without extern \"C\""
cat >count.cpp <<'END'
namespace deep {
template <int LIMIT, typename T> int count(int n, const T *x)
{
  int found = 0;
  for (int i = 0; i < n; i++) found += x[i] > LIMIT;
  return found;
}
}
int plain(int n, const int *x) { return deep::count<4>(n, x); }
END
cat >count.yaml <<'END'
file: count.cpp
problem: {N: 1000}
params: {UPPER: [4, 5]}
baseline: {UPPER: 4}
entry: "deep::count<UPPER, int>"
args:
  - {name: n, type: i32, value: N}
  - {name: x, type: i32, shape: [N], range: [0, 10]}
  - {name: found, type: i32, return: true}
reference: {file: count.cpp, entry: "::plain"}
END
run "$HONE" tune count.yaml --stop-after screen # 5 counts less: the two are not one object
expect_status 0
expect_out_contains "2 of 2 legal: 1 ok, 1 failed"
expect_out_contains "found: 1 of 1 elements differ"
sed 's/::plain/plain/' count.yaml >linkage.yaml
run "$HONE" run linkage.yaml --processes 1
expect_status 1
expect_err_contains "no function 'plain' with C linkage: declare it extern \"C\", or name it in full, as in 'entry: ::f'"
sed 's/count.cpp/sum.c/' count.yaml >language.yaml
run "$HONE" run language.yaml --processes 1
expect_status 2
expect_err_contains "language.yaml:5:8: error: 'deep::count<UPPER, int>' is not a plain name: templates and namespaces are for sources in C++"

case_begin "parameters that macros, conditions and headers hide are compared too"
cat >hidden.h <<'END'
typedef double real;
#define REST real *y, int n
END
cat >hidden.c <<'END'
#include <math.h>
#include "hidden.h"

void scale(const real *x,
#if WIDE
           long width,
#endif
           REST)
{
  for (int i = 0; i < n; i++) y[i] = 2 * x[i];
}
END
hidden() { # hidden FIRST: the spec, and its first argument
  cat >hidden.yaml <<END
file: hidden.c
problem: {N: 1000}
params: {WIDE: [0]}
entry: scale
args:
  - $1
  - {name: y, type: f64, shape: [N], role: out}
  - {name: n, type: i32, value: N}
END
  run "$HONE" run hidden.yaml --processes 1
}
hidden '{name: x, type: f64, shape: [N]}'
expect_status 0
hidden '{name: x, type: f32, shape: [N]}'
expect_status 2
expect_err_contains "hidden.yaml:6:5: error: argument 1 'x' is a tensor of f32 in the spec and 'const real *x' (f64) in hidden.c:4"
hidden '{name: x, type: f64, value: 1}'
expect_status 2
expect_err_contains "argument 1 'x' is f64 in the spec and 'const real *x' (f64) in hidden.c:4"
sed -i 's/WIDE: \[0\]/WIDE: [1]/; s/type: f64, value: 1/type: f64, shape: [N]/' hidden.yaml
run "$HONE" run hidden.yaml --processes 1
expect_status 2
expect_err_contains "the spec has 3 arguments, 'scale' in hidden.c:4 takes 4; the spec has no argument for 'long width'"
cat >order.c <<'END'
#include "hidden.h"
void order(const real *x, int n, real *y) { for (int i = 0; i < n; i++) y[i] = x[i]; }
END
sed 's/hidden.c/order.c/; s/entry: scale/entry: order/' hidden.yaml >order.yaml
run "$HONE" run order.yaml --processes 1
expect_status 2
expect_err_contains "order.yaml:7:5: error: argument 2 'y' of the spec is parameter 3 of 'order', 'real *y' in order.c:2"

case_begin "instances of templates are compared, as their compiler knows them"
cat >blur.cpp <<'END'
#include <cstddef>
namespace vision {
template <int R, typename T> void blur(const T *__restrict__ in, T *out, const std::size_t &n)
{
  for (std::size_t i = 0; i < n; i++) out[i] = R * in[i];
}
}
END
blur() { # blur TYPE LAST: the spec, with the type of the tensors and its last argument
  cat >blur.yaml <<END
file: blur.cpp
problem: {N: 1000}
params: {RADIUS: [2]}
entry: vision::blur<RADIUS, float>
args:
  - {name: in, type: $1, shape: [N]}
  - {name: out, type: f32, shape: [N], role: out}
  - $2
END
  run "$HONE" run blur.yaml --processes 1
}
blur f64 '{name: n, type: u64, shape: [1], fill: {kind: constant, value: 1000}}'
expect_status 2
expect_err_contains "blur.yaml:6:5: error: argument 1 'in' is a tensor of f64 in the spec and 'const float *restrict in' in blur.cpp:3"
blur f32 '{name: n, type: u64, value: N}'
expect_status 2
expect_err_contains "blur.yaml:8:5: error: argument 3 'n' is u64 in the spec and 'const size_t &n' (u64) in blur.cpp:3"
blur f32 '{name: n, type: u64, shape: [1], fill: {kind: constant, value: 1000}}'
expect_status 0

case_begin "what a function returns is compared"
cat >total.c <<'END'
float total(const float *x) { return x[0]; }
END
cat >total.yaml <<'END'
file: total.c
params: {A: [1]}
entry: total
args:
  - {name: x, type: f32, shape: [4]}
  - {name: sum, type: f64, return: true}
END
run "$HONE" run total.yaml --processes 1
expect_status 2
expect_err_contains "total.yaml:6:5: error: 'sum' is f64 in the spec, and 'total' in total.c:1 returns 'float'"

cases_end
