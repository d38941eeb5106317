# Kernels that are fast because they do not compute. None of them may win, and none may keep others from winning.

always='NOTHING ZEROS MEAN COPY NOT_A_NUMBER INFINITE FIRST_FOR_ALL NEIGHBOUR REVERSED ONE_MISSING LAST_MISSING ROUGH
BEYOND_THE_END RARE_INPUT'
there='LAST_IS_THERE FIRST_IS_THERE SOME_ARE_THERE HALF_IS_LEFT ODD_ARE_LEFT TAIL_IS_LEFT THERE_IS_WRONG'
later=$(is opencl || # OpenCL C has no memory of its own
  echo TWO_CALLS HUNDRED_CALLS EVERY_TENTH_NOTHING EVERY_TENTH_ONE EVERY_TENTH_LAST HALF_LATER ROUGH_LATER \
    BY_INPUT BY_OUTPUT BY_BOTH ONE_BEHIND FIRST_INPUTS POINTER_SLOT)
ways=$(echo $always $there $later)
cheats_spec() { # cheats_spec NAME WAYS [LINE]
  spec "$1" cheats cheats <<END
problem: {N: 1003}
params: {WAY: [HONEST, FAST, ${2//[[:space:]]/, }]}
baseline: {WAY: HONEST}
args:
  - {name: x, type: f32, shape: [N], fill: {kind: uniform, low: 1, high: 2}}
  - {name: y, type: f32, shape: [N], role: out}
  - {name: zero, type: f32, value: 0}
  - {name: n, type: i32, value: N}
launch: {grid: [1], block: [64]}
check: {rtol: 1e-6, atol: 1e-6}
${3-}
END
}
expect_harmless() { # each was found out, or computes, and is no faster than the baseline then, which a busy machine may slow down
  expect_figure "[c for c, e in of.items() if c != 'WAY=FAST' and e['outcome'] == 'ok'
    and min(each['baseline_ns'] for each in candidates if each['baseline_ns']) > 3 * e['time_ns']]" '[]'
}

cheats_spec cheats "$ways"
case_begin "kernels that only seem to compute never win"
confirm cheats --no-cap --screen-samples 9 # more than ten calls of each, also where a sample is one call
expect_status 0
expect_figure "run['verdict'], run['winner']" "('IMPROVED', 'WAY=FAST')"
expect_outcome WAY=FAST ok
expect_harmless

case_begin "what is wrong in every call is found out"
for way in $always; do
  expect_outcome "WAY=$way" wrong_result
done

case_begin "what waits until it was checked is found out"
for way in ${later/HUNDRED_CALLS/}; do # those are more calls than what is no faster gets
  expect_outcome "WAY=$way" 'wrong_result|nondeterministic'
done

case_begin "an answer that is kept by address is found out where other contents are at the address"
for way in $(is opencl || echo BY_INPUT BY_BOTH POINTER_SLOT); do
  expect_outcome "WAY=$way" wrong_result 'called with other contents at the same addresses: y: 1003 of 1003'
done

case_begin "nor do they win without a confirmation"
confirm cheats --no-cap --no-confirm
expect_status 0
expect_outcome WAY=FAST ok
expect_harmless

case_begin "all answers of all calls are compared, if that is asked for"
cheats_spec every "$ways" 'measure: {check: every}'
confirm every --no-cap
expect_status 0
expect_figure "run['winner']" WAY=FAST
expect_harmless
