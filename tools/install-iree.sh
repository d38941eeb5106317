#!/bin/sh
# install-iree.sh: puts IREE's released executables into build-iree/, from the wheels on PyPI.
#
# They are no Python: the wheels are unpacked (350 MB), nothing is installed into any Python. pip
# fetches them where it is there, for it knows about mirrors; else Python does. Nothing is done if
# they are there already, or if HONE_IREE names others. IREE_VERSION asks for another version.
set -eu
cd "$(dirname "$0")/.."
version=${IREE_VERSION:-3.13.0}
folder=build-iree
python=3.11 # of the wheels; the executables do not care
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
if [ "$(cat $folder/version 2>/dev/null)" = "$version" ]; then
  say "$folder/ has IREE $version"
  exit 0
fi
case $machine in
x86_64 | aarch64) ;;
*) give_up "there are no wheels of IREE for $machine" ;;
esac
command -v python3 >/dev/null || give_up "there is no python3 to unpack IREE's wheels"

scratch=$(mktemp -d "$PWD/$folder.XXXXXX") # here, for the last step is a rename
trap 'rm -rf "$scratch"' EXIT

by_pip() { # by_pip PACKAGE
  python3 -m pip download --quiet --no-deps --only-binary=:all: --disable-pip-version-check \
    --platform "manylinux_2_28_$machine" --python-version $python --implementation cp \
    --dest "$scratch" "$1==$version"
}

by_python() { # by_python PACKAGE: PyPI's list links the files, with their checksums
  python3 - "$1" "$version" "cp$(echo $python | tr -d .)" "$machine" "$scratch" <<'END'
import hashlib, html, os, re, sys, urllib.parse, urllib.request
package, version, tag, machine, folder = sys.argv[1:]
url = f"https://pypi.org/simple/{package}/"
page = urllib.request.urlopen(url, timeout=60).read().decode()
for link in re.findall(r'href="([^"]+)"', page):
    link, _, digest = urllib.parse.urljoin(url, html.unescape(link)).partition("#sha256=")
    name = link.rsplit("/", 1)[-1]
    if f"-{version}-{tag}-" in name and "manylinux" in name and name.endswith(f"{machine}.whl"):
        data = urllib.request.urlopen(link, timeout=600).read()
        if hashlib.sha256(data).hexdigest() != digest:
            sys.exit(f"{name} has the wrong checksum")
        with open(os.path.join(folder, name), "wb") as out:
            out.write(data)
        break
else:
    sys.exit(f"{url} lists no wheel {version} for {tag} on {machine}")
END
}

fetch() { # fetch PACKAGE
  say "fetching $1 $version"
  if by_pip "$1" >"$scratch/log" 2>&1 || by_python "$1" >>"$scratch/log" 2>&1; then return; fi
  give_up "cannot fetch $1 $version from PyPI ($(tail -n 1 "$scratch/log"))"
}

unpack() { # what is needed of the wheels, with the permissions that it has there
  python3 - "$scratch" "$scratch/new" <<'END'
import glob, os, sys, zipfile
wanted = ("iree/compiler/_mlir_libs/iree", "iree/compiler/_mlir_libs/libIREECompiler",
          "iree/_runtime_libs/iree-")
for wheel in glob.glob(sys.argv[1] + "/*.whl"):
    with zipfile.ZipFile(wheel) as file:
        for entry in file.infolist():
            if entry.filename.startswith(wanted) and not entry.is_dir():
                path = file.extract(entry, sys.argv[2])
                os.chmod(path, (entry.external_attr >> 16) & 0o777 or 0o644)
END
}

fetch iree-base-compiler
fetch iree-base-runtime
say "unpacking into $folder/"
unpack || give_up "cannot unpack the wheels"
compiler=$scratch/new/iree/compiler/_mlir_libs/iree-compile
"$compiler" --version >"$scratch/log" 2>&1 || give_up "'iree-compile --version' fails ($(tail -n 1 "$scratch/log"))"
echo "$version" >"$scratch/new/version"
rm -rf $folder
mv "$scratch/new" $folder
say "$(sed -n 's/^ *\(IREE compiler version [^ ]*\).*/\1/p' "$scratch/log") is in $folder/"
