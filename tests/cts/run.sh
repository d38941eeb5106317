#!/usr/bin/env bash
# run.sh BACKEND [DEVICE] [PART...]: the conformance suite of a backend: c, opencl, cuda, hip, hip-stand-in, program, serve (a served program), iree, sim.
#
# The same cases for each of them, in TAP, as far as they make sense for it; where there is no such device, all are skipped with the reason, or
# fail if CTS_REQUIRE is set. $HONE is the program; nothing else is needed but bash, the usual tools and
# python3, so that the suite can be carried to a machine that builds nothing:
#
#   HONE=dist/hone tests/cts/run.sh cuda
#   tests/cts/run.sh opencl opencl:pocl:0 answers failures
#
# hip-stand-in is backend hip with two devices that tests/stand-in/hip.c makes of the CPU; it needs cc and c++.
# A part is a file of cases/; `kernels` and `runs` are the two halves of those of backends that call kernels, `calls` and `results` those of `kernels`. Kernels are written once (kernels/*.kernel); a prologue for each language gives
# their words a meaning. What else a backend needs is in backends/.
. "$(dirname "$0")/../signals.sh"
if [ $# -lt 1 ]; then
  sed -n '2s/^# //p' "$0" >&2
  exit 2
fi
HONE=$(realpath "${HONE:-$(dirname "$0")/../../build/cli/hone}")
cd "$(dirname "$0")/../.." || exit 1
backend=$1 device=${2-}
shift $(($# > 2 ? 2 : $#))
. tests/cli/lib.sh
stand_in=false # a device made of the CPU
if [ "$backend" = hip-stand-in ]; then
  stand_in=true
  . tests/stand-in/hip.sh
  backend=hip
  export STAND_IN_DEVICES=2
fi
. tests/cts/suite.sh

case ${1-} in
'') parts=("${all_parts[@]}") ;;
kernels) parts=("${kernel_parts[@]}") ;;
calls) parts=("${call_parts[@]}") ;;
results) parts=("${result_parts[@]}") ;;
runs) parts=("${run_parts[@]}") ;;
*) parts=("$@") ;;
esac
look_for_device
for part in "${parts[@]}"; do
  echo "# $part"
  began=$SECONDS
  . "tests/cts/cases/$part.sh"
  case_finish
  echo "# $part took $((SECONDS - began)) s"
done
cases_end
