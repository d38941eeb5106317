#!/bin/sh
# setup.sh [--dry-run] build|check: installs what is missing to build Hone, or to check it.
#
# Needs are probed, not looked up as packages, so that it works wherever the tools come from.
# --dry-run installs nothing and fails if something is missing.
set -eu

dry_run=false
if [ "${1-}" = --dry-run ]; then
  dry_run=true
  shift
fi
level=${1-build}
missing= offered=
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

need() { # need PACKAGE COMMAND...: the package is missing if the command fails
  package=$1
  shift
  "$@" >/dev/null 2>&1 || missing="$missing $package"
}
want() { # want PACKAGE COMMAND...: the same, where there is such a package; tests are skipped without it
  if apt-cache show "$1" >/dev/null 2>&1; then need "$@"; fi
}
offer() { # offer PACKAGE COMMAND...: the same; where it cannot be installed, such as in a container, tests are skipped
  package=$1
  shift
  "$@" >/dev/null 2>&1 || offered="$offered $package"
}
program() { command -v "$1"; }
library() { pkg-config --exists "$1"; }
c_headers() { echo '#include <stdio.h>' | cc -E -; }
fuzzer() { echo 'int LLVMFuzzerTestOneInput(void) { return 0; }' | clang -fsanitize=fuzzer -x c - -o "$scratch/fuzzer"; }
archive() { echo 'int main(void) { return 0; }' | cc -x c - "-l:lib$1.a" -o "$scratch/archive"; }
libclang() { ls /usr/lib/*/libclang[-.]*so* /usr/lib/llvm-*/lib/libclang[-.]*so* 2>/dev/null | grep -qv libclang-cpp; }
shared_library() { PATH=$PATH:/sbin:/usr/sbin ldconfig -p | grep -q "$1"; }

python_venv() { python3 -c 'import ensurepip, venv'; }
sbin_program() { PATH=$PATH:/sbin:/usr/sbin command -v "$1"; }
device_libraries() { ls /usr/lib/*/amdgcn/bitcode/ockl.bc /opt/rocm/amdgcn/bitcode/ockl.bc 2>/dev/null | grep -q .; }
opencl_platform() { ls /etc/OpenCL/vendors/*.icd; }

case $level in
build | check) ;;
*) echo "usage: tools/setup.sh [--dry-run] build|check" >&2; exit 2 ;;
esac
need gcc program cc
need libc6-dev c_headers
need pkg-config program pkg-config
need meson program meson
need ninja-build program ninja
need libyaml-dev library yaml-0.1
need libuv1-dev library libuv
need libjansson-dev library jansson
need libsqlite3-dev library sqlite3
need libffi-dev library libffi
need libxxhash-dev library libxxhash
need libzstd-dev library libzstd
need zlib1g-dev library zlib
need libevent-dev library libevent_extra
need libdw-dev library libdw
need libbz2-dev archive bz2 # of libdw
if [ "$level" = check ]; then
  need gcc program gcc
  need g++ program c++
  need clang program clang
  need clang-format program clang-format
  need libclang-rt-dev fuzzer
  need libcmocka-dev library cmocka
  need procps program pgrep
  want libclang1-14 libclang
  want lld program ld.lld
  need python3 program python3
  need python3-venv python_venv
  need ca-certificates test -e /etc/ssl/certs/ca-certificates.crt
  need libz3-4 shared_library libz3.so.4
  need ocl-icd-libopencl1 shared_library libOpenCL.so.1
  need pocl-opencl-icd opencl_platform
  want libamdhip64-5 shared_library libamdhip64.so
  want libhiprtc-builtins5 shared_library libhiprtc-builtins.so
  want rocm-device-libs device_libraries
  want chromium program chromium
  want librsvg2-bin program rsvg-convert
  need mandoc program mandoc
  want iproute2 sbin_program ip
  offer munge sbin_program munged
  offer slurmctld sbin_program slurmctld
  offer slurmd sbin_program slurmd
  offer slurm-client program srun
  need openssh-client program ssh
  need openssh-server sbin_program sshd
  need zsh program zsh
  need fish program fish
fi

if [ -z "$missing$offered" ]; then
  echo "setup: all that '$level' needs is here"
  exit 0
fi
if $dry_run; then
  echo "setup: missing:$missing$offered (Debian's names); 'make setup' installs them" >&2
  exit 1
fi
if ! command -v apt-get >/dev/null; then
  echo "setup: install these with your package manager (Debian's names):$missing$offered" >&2
  exit 1
fi

if [ "$(id -u)" = 0 ]; then
  as_root=env
elif command -v sudo >/dev/null; then
  as_root="sudo env"
else
  echo "setup: not root and no sudo; run as root: apt-get install$missing$offered" >&2
  exit 1
fi
install() { # install PACKAGE...: what apt-get prints is in the log
  $as_root DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >>"$scratch/log" 2>&1
}
echo "setup: installing$missing$offered"
# shellcheck disable=SC2086 # these are lists
if ! $as_root apt-get update -qq >"$scratch/log" 2>&1 || ! { [ -z "$missing" ] || install $missing; }; then
  cat "$scratch/log" >&2
  echo "setup: apt-get failed" >&2
  exit 1
fi
# shellcheck disable=SC2086
if [ -n "$offered" ] && ! install $offered; then
  tail -n 5 "$scratch/log" >&2
  echo "setup: could not be installed, tests that need them are skipped:$offered" >&2
fi
echo "setup: done"
