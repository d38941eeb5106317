"""Finds the program ``hone``.

It is searched for in this order:
  1. the file that $HONE_PROGRAM names
  2. hone/bin/hone inside the package, where a wheel has put it
  3. a build of the checkout that the package lies in: build-release/cli/hone, dist/hone, build/cli/hone
  4. the folder of scripts of this Python, then PATH
"""
from __future__ import annotations

import os
import re
import shutil
import subprocess
import sysconfig
from typing import Dict, Iterator, Optional, Tuple

from ._errors import HoneError
from ._version import __version__

_PACKAGE = os.path.dirname(os.path.abspath(__file__))
_BUILDS = ("build-release/cli/hone", "dist/hone", "build/cli/hone")
_ADVICE = """Do one of these:
  - install a wheel that has it inside: 'make wheel' in Hone's source writes it to dist/
  - build and install it: 'make install' in Hone's source, and put its folder in PATH
  - name its file: HONE_PROGRAM=/path/to/hone"""

_checked: Dict[Tuple[str, float], str] = {}  # (file, time of its change): its version


def find_program() -> str:
    """The path of a program ``hone`` that this package can use. Raises `HoneError` if there is none."""
    named = os.environ.get("HONE_PROGRAM")
    if named:
        if not _is_executable(named):
            raise HoneError(f"HONE_PROGRAM: '{named}' is not an executable file")
        path: Optional[str] = os.path.abspath(named)
    else:
        path = next(_candidates(), None)
    if path is None:
        raise HoneError(f"the program 'hone' was not found: it is not in the package, not in PATH\n{_ADVICE}")
    program_version(path)
    return path


def program_version(path: str) -> str:
    """The version of the program, such as "0.1.0". Raises `HoneError` if this package cannot use it."""
    key = (path, os.stat(path).st_mtime)
    if key not in _checked:
        _checked[key] = _check_version(path)
    return _checked[key]


def _candidates() -> Iterator[str]:
    inside = os.path.join(_PACKAGE, "bin", "hone")
    if _is_executable(inside):
        yield inside
    root = os.path.dirname(os.path.dirname(_PACKAGE))
    if os.path.exists(os.path.join(root, "meson.build")) and os.path.exists(os.path.join(root, "include", "hone.h")):
        for name in _BUILDS:
            path = os.path.join(root, name)
            if _is_executable(path):
                yield path
    folders = [sysconfig.get_path("scripts"), *os.environ.get("PATH", os.defpath).split(os.pathsep)]
    for folder in folders:
        found = shutil.which("hone", path=folder) if folder else None
        if found and not _is_python_script(found):
            yield os.path.abspath(found)


def _is_executable(path: str) -> bool:
    return os.path.isfile(path) and os.access(path, os.X_OK)


def _is_python_script(path: str) -> bool:
    """Whether it is a command that pip installed, such as this package's own: it would start itself."""
    try:
        with open(path, "rb") as file:
            head = file.read(256)
    except OSError:
        return True
    return head.startswith(b"#!") and b"python" in head


def _check_version(path: str) -> str:
    try:
        done = subprocess.run([path, "--version"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=60)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise HoneError(f"cannot run '{path}': {error}\n{_ADVICE}") from None
    text = done.stdout.decode("utf-8", "replace").strip()
    match = re.match(r"hone (\d+)\.(\d+)\.(\d+)", text)
    if done.returncode or not match:
        last = text.splitlines()[-1] if text else f"it ended with status {done.returncode} and printed nothing"
        raise HoneError(f"'{path} --version' is not Hone's: {last}\n{_ADVICE}")
    version = ".".join(match.groups())
    if version.split(".")[:2] != __version__.split(".")[:2]:
        wanted = ".".join(__version__.split(".")[:2])
        raise HoneError(f"'{path}' has version {version}, but this package needs {wanted}\n{_ADVICE}")
    return version
