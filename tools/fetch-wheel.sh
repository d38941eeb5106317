#!/bin/sh
# fetch-wheel.sh PACKAGE VERSION FOLDER [TAG]: puts a wheel of PyPI's into the folder.
#
# TAG is cp311 or the like, for a wheel that depends on Python; without one the wheel is py3. pip
# fetches it where it is there, for it knows about mirrors; else Python does.
set -eu
package=$1 version=$2 folder=$3 tag=${4-py3}
machine=$(uname -m)

by_pip() {
  set -- --quiet --no-deps --only-binary=:all: --disable-pip-version-check --dest "$folder"
  case $tag in
  cp3*) set -- "$@" --platform "manylinux_2_28_$machine" --implementation cp \
    --python-version "3.${tag#cp3}" ;;
  esac
  python3 -m pip download "$@" "$package==$version"
}

by_python() { # PyPI's list links the files, with their checksums
  python3 - "$package" "$version" "$tag" "$machine" "$folder" <<'END'
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

by_pip || by_python
