"""Folders for the files of one tuning.

A program that is killed cannot remove its folder, and a folder in memory takes as much of it as the
arguments do. Therefore the owner of a folder holds a lock on the file `owner` in it, which ends with
the owner's processes, and whoever makes a folder removes those of the same user whose lock is free.
"""
from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import tempfile
from typing import Any, Optional

_PREFIX = "hone-"
_OWNER = "owner"
_MEMORY = "/dev/shm"


def memory_folder() -> Optional[str]:
    """Where files are in memory; None: the folder for temporary files."""
    return _MEMORY if os.access(_MEMORY, os.W_OK) else None


class Scratch:
    """A folder that only its user can read."""

    def __init__(self, kind: str, parent: Optional[str] = None) -> None:
        parent = parent or tempfile.gettempdir()
        remove_abandoned(parent)
        self.path = tempfile.mkdtemp(prefix=f"{_PREFIX}{kind}-", dir=parent)
        self._lock = self._take()

    def _take(self) -> int:
        """The file has its name only when it is locked: before, the folder looks like somebody else's."""
        unnamed = os.path.join(self.path, f".{_OWNER}")
        lock = os.open(unnamed, os.O_CREAT | os.O_RDWR, 0o600)
        with contextlib.suppress(OSError):  # a file system without locks
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.rename(unnamed, os.path.join(self.path, _OWNER))
        return lock

    def remove(self) -> None:
        if self._lock >= 0:
            shutil.rmtree(self.path, ignore_errors=True)
            os.close(self._lock)
            self._lock = -1

    def __enter__(self) -> "Scratch":
        return self

    def __exit__(self, *_: Any) -> None:
        self.remove()


def remove_abandoned(parent: str) -> None:
    """Removes the folders of programs that were killed."""
    with contextlib.suppress(OSError), os.scandir(parent) as entries:
        for entry in entries:
            if entry.name.startswith(_PREFIX) and entry.is_dir(follow_symlinks=False):
                _remove_if_abandoned(entry.path)


def _remove_if_abandoned(path: str) -> None:
    with contextlib.suppress(OSError):  # there is no such file, or it is locked, or somebody else's
        lock = os.open(os.path.join(path, _OWNER), os.O_RDWR | os.O_NOFOLLOW)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.fstat(lock).st_uid == os.getuid():
                shutil.rmtree(path, ignore_errors=True)
        finally:
            os.close(lock)
