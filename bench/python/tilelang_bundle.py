"""Packs TileLang for a machine without a network that has PyTorch: build-tilelang/tilelang.tar.xz, about 40 MB.

    python bench/python/tilelang_bundle.py [--python 3.12]

downloads the wheels (83 MB) and packs what is needed of them. On the other machine, anywhere:

    tar xf tilelang.tar.xz -C FOLDER && PYTHONPATH=FOLDER python3 -c 'import tilelang'

What is left out: the program z3 and the second copy of its library (19 MB of a 29 MB wheel: TileLang
needs libz3.so.4.15 and the Python module), torch-c-dlpack-ext (PyTorch 2.10 and later have it built
in), backends for other vendors' sources, tests, and numpy, which PyTorch's machine has.
"""
from __future__ import annotations

import argparse
import io
import os
import subprocess
import sys
import tarfile
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WHEELS = ["tilelang==0.1.15", "apache-tvm-ffi>=0.1.11,<0.1.13", "z3-solver>=4.13.0,<4.15.5", "ml-dtypes", "cloudpickle",
          "psutil", "tqdm", "typing-extensions"]
PLATFORMS = ["manylinux_2_28_x86_64", "manylinux_2_27_x86_64", "manylinux_2_24_x86_64", "manylinux_2_17_x86_64",
             "manylinux2014_x86_64"]
LEFT_OUT = ("/data/bin/z3", "z3/lib/libz3.so", "/include/cutlass/experimental/", "/src/ascend/",
            "/src/rocm/", "tvm_ffi/3rdparty/")


def download(folder: str, version: str) -> None:
    command = [sys.executable, "-m", "pip", "download", "-q", "-d", folder, "--no-deps", "--only-binary", ":all:",
               "--python-version", version]
    for platform in PLATFORMS:
        command += ["--platform", platform]
    for wheel in WHEELS:
        subprocess.run([*command, wheel], check=True)


def is_wanted(name: str) -> bool:
    return not name.endswith("/") and not any(name.endswith(part) or (part.endswith("/") and part in name) for part in LEFT_OUT)


def pack(folder: str, output: str) -> None:
    with tarfile.open(output, "w:xz", preset=6) as tar:
        for wheel in sorted(os.listdir(folder)):
            with zipfile.ZipFile(os.path.join(folder, wheel)) as archive:
                for entry in archive.infolist():
                    if not is_wanted(entry.filename):
                        continue
                    member = tarfile.TarInfo(entry.filename)
                    member.size = entry.file_size
                    member.mode = 0o755
                    tar.addfile(member, io.BytesIO(archive.read(entry)))
        link = tarfile.TarInfo("z3/lib/libz3.so")
        link.type, link.linkname = tarfile.SYMTYPE, "libz3.so.4.15"
        tar.addfile(link)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", default="3.12", help="the version of Python there")
    parser.add_argument("--wheels", help="a folder with the wheels, instead of downloading them")
    options = parser.parse_args()
    base = os.path.join(ROOT, "build-tilelang")
    folder = options.wheels or os.path.join(base, "wheels")
    os.makedirs(base, exist_ok=True)
    if not options.wheels:
        os.makedirs(folder, exist_ok=True)
        download(folder, options.python)
    output = os.path.join(base, "tilelang.tar.xz")
    pack(folder, output)
    print(f"{output}: {os.path.getsize(output) / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
