#!/bin/sh
# install-iree.sh: puts IREE's released executables into build-iree/, from the wheels on PyPI.
#
# The wheels are unpacked (350 MB), nothing is installed into any Python. The executables are no
# Python; iree-import-onnx, which reads .onnx files, is: it gets the packages that it needs (onnx and
# numpy, 30 MB) in build-iree/python, and runs with the python3 of this installation. Without pip and
# venv, or for a python3 that IREE has no wheels for, only the importer is missing. Nothing is done if all is
# there already, or if HONE_IREE names others. IREE_VERSION asks for another version.
set -eu
cd "$(dirname "$0")/.."
version=${IREE_VERSION:-3.13.0}
folder=build-iree
importer=iree-import-onnx
machine=$(uname -m)

say() { echo "iree: $1"; }
give_up() { # give_up REASON
  say "$1; tests that need IREE will be skipped (HONE_IREE names one that is there)"
  exit 1
}

if [ -n "${HONE_IREE-}" ]; then
  say "HONE_IREE is set: '$HONE_IREE' is used, nothing is installed"
  exit 0
fi
if [ "$(cat $folder/version 2>/dev/null)" = "$version" ] && [ -e $folder/python ]; then
  say "$folder/ has IREE $version"
  exit 0
fi
case $machine in
x86_64 | aarch64) ;;
*) give_up "there are no wheels of IREE for $machine" ;;
esac
command -v python3 >/dev/null || give_up "there is no python3 to unpack IREE's wheels"

# The wheels' Python: the executables do not care, the importer needs that of python3.
python=$(python3 -c 'import sys; print("3%d" % sys.version_info[1])')
case $python in
31[0-4]) ;;
*) python=311 ;;
esac

scratch=$(mktemp -d "$PWD/$folder.XXXXXX") # here, for the last step is a rename
trap 'rm -rf "$scratch"' EXIT

fetch() { # fetch PACKAGE
  say "fetching $1 $version"
  if tools/fetch-wheel.sh "$1" "$version" "$scratch" cp$python >"$scratch/log" 2>&1; then return; fi
  give_up "cannot fetch $1 $version from PyPI ($(tail -n 1 "$scratch/log"))"
}

pip_install() { # Debian's python3 has no pip, but that of its venv has
  if ! python3 -m pip --version >/dev/null 2>&1; then
    python3 -m venv "$scratch/venv" >/dev/null 2>&1 || { echo "neither pip nor venv: install python3-venv"; return 1; }
    PATH=$scratch/venv/bin:$PATH
  fi
  python3 -m pip install --quiet --disable-pip-version-check --no-compile --only-binary=:all: "$@"
}

fetch_onnx() { # the importer's packages; while the compiler is fetched
  pip_install --target "$scratch/new/python" onnx >"$scratch/log-onnx" 2>&1
}

unpack() { # what is needed of the wheels, with the permissions that it has there
  python3 - "$scratch" "$scratch/new" <<'END'
import glob, os, sys, zipfile
wanted = ("iree/compiler/", "iree/_runtime_libs/iree-")
for wheel in glob.glob(sys.argv[1] + "/*.whl"):
    with zipfile.ZipFile(wheel) as file:
        for entry in file.infolist():
            if entry.filename.startswith(wanted) and not entry.is_dir():
                path = file.extract(entry, sys.argv[2])
                os.chmod(path, (entry.external_attr >> 16) & 0o777 or 0o644)
END
}

write_importer() {
  cat >"$scratch/new/$importer" <<END
#!/bin/sh
# $importer of the packages beside this file; written by tools/install-iree.sh.
folder=\$(dirname "\$(readlink -f "\$0")")
PYTHONPATH=\$folder:\$folder/python PYTHONDONTWRITEBYTECODE=1 \\
  exec $(command -v python3) -m iree.compiler.tools.import_onnx "\$@"
END
  chmod +x "$scratch/new/$importer"
  "$scratch/new/$importer" --help >"$scratch/log-onnx" 2>&1
}

mkdir "$scratch/new"
fetch_onnx &
onnx=$!
fetch iree-base-compiler
fetch iree-base-runtime
say "unpacking into $folder/"
unpack || give_up "cannot unpack the wheels"
compiler=$scratch/new/iree/compiler/_mlir_libs/iree-compile
"$compiler" --version >"$scratch/log" 2>&1 || give_up "'iree-compile --version' fails ($(tail -n 1 "$scratch/log"))"
if ! wait $onnx || ! write_importer; then
  say "without $importer: .onnx files cannot be read ($(tail -n 1 "$scratch/log-onnx"))"
  rm -f "$scratch/new/$importer"
  mkdir -p "$scratch/new/python" # it is not tried again
fi
echo "$version" >"$scratch/new/version"
rm -rf $folder
mv "$scratch/new" $folder
say "$(sed -n 's/^ *\(IREE compiler version [^ ]*\).*/\1/p' "$scratch/log") is in $folder/"
