#!/bin/sh
# install-nvrtc.sh: puts NVIDIA's run-time compiler into build-nvrtc/, from its wheel on PyPI.
#
# It compiles CUDA kernels without a GPU, so that tests of building need none. Nothing is done if it
# is there already, or if HONE_NVRTC names another. NVRTC_VERSION asks for another version.
set -eu
cd "$(dirname "$0")/.."
version=${NVRTC_VERSION:-12.9.86}
folder=build-nvrtc

say() { echo "nvrtc: $1"; }
give_up() { # give_up REASON
  say "$1; tests that need NVRTC will be skipped (HONE_NVRTC names one that is there)"
  exit 1
}

if [ -n "${HONE_NVRTC-}" ]; then
  say "HONE_NVRTC is set: '$HONE_NVRTC' is used, nothing is installed"
  exit 0
fi
if [ "$(cat $folder/version 2>/dev/null)" = "$version" ]; then
  say "$folder/ has NVRTC $version"
  exit 0
fi
command -v python3 >/dev/null || give_up "there is no python3 to unpack NVRTC's wheel"

scratch=$(mktemp -d "$PWD/$folder.XXXXXX") # here, for the last step is a rename
trap 'rm -rf "$scratch"' EXIT
say "fetching nvidia-cuda-nvrtc-cu12 $version (90 MB)"
tools/fetch-wheel.sh nvidia-cuda-nvrtc-cu12 "$version" "$scratch" >"$scratch/log" 2>&1 ||
  give_up "cannot fetch it from PyPI ($(tail -n 1 "$scratch/log"))"
say "unpacking into $folder/"
python3 - "$scratch" <<'END' || give_up "cannot unpack the wheel"
import glob, os, sys, zipfile
for wheel in glob.glob(sys.argv[1] + "/*.whl"):
    with zipfile.ZipFile(wheel) as file:
        for entry in file.infolist():
            name = os.path.basename(entry.filename)
            if name.startswith("libnvrtc") and ".alt." not in name:
                entry.filename = name
                file.extract(entry, sys.argv[1] + "/new")
END
echo "$version" >"$scratch/new/version"
rm -rf $folder
mv "$scratch/new" $folder
say "NVRTC $version is in $folder/"
