"""Instances: processes that are forked to build or to measure for `hone`.

A `Forker` belongs to a process that has everything loaded: the user's own, or a zygote
(`_zygote.py`). `_join.py` connects to it with the first request and its descriptors; the forker
forks an instance, tells `_join.py` how the instance ended, and kills it if `_join.py` is gone.
"""
from __future__ import annotations

import ctypes
import os
import signal
import socket
import struct
import sys
import traceback
import warnings
from typing import Callable, Dict, List, Optional, Tuple

from ._serve import Evaluator, serve

_PR_SET_PDEATHSIG = 1


_is_instance = False


def is_instance() -> bool:
    """Whether this process was forked to build or to measure: nothing is tuned in it."""
    return _is_instance


def die_with_parent() -> None:
    """The kernel kills this process if its parent ends. Linux only; elsewhere `_join.py` alone ends it."""
    try:
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    except (OSError, AttributeError):
        pass


def receive(connection: socket.socket, most: int = 4) -> Tuple[bytes, List[int]]:
    """The first request that `_join.py` passes on, and its descriptors."""
    data, descriptors, _, _ = socket.recv_fds(connection, 65536, most)
    while len(data) < 4 or len(data) < 4 + struct.unpack("!I", data[:4])[0]:
        part = connection.recv(65536)
        if not part:
            raise ConnectionError("the connection ended before the first request")
        data += part
    return data[4:], list(descriptors)


def fork() -> int:
    """os.fork without its warning about threads: an instance uses none of them."""
    sys.stdout.flush()
    sys.stderr.flush()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return os.fork()


class Instance:
    def __init__(self, pid: int, connection: socket.socket) -> None:
        self.pid = pid
        self.connection = connection

    def kill(self) -> None:
        for end in (os.killpg, os.kill):
            try:
                end(self.pid, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                pass


class Forker:
    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.instances: Dict[socket.socket, Instance] = {}

    def start(self, connection: socket.socket, first: bytes, descriptors: List[int],
              before: Optional[Callable[[], None]] = None) -> None:
        """Forks an instance; `before` is called in it first, to close what it must not keep."""
        pid = fork()
        if pid == 0:
            self._become_instance(connection, first, descriptors, before)
        for descriptor in descriptors:
            os.close(descriptor)
        self.instances[connection] = Instance(pid, connection)

    def _become_instance(self, connection: socket.socket, first: bytes, descriptors: List[int],
                         before: Optional[Callable[[], None]]) -> None:
        global _is_instance
        _is_instance = True
        code = 1
        try:
            die_with_parent()
            os.setsid()
            for signals in (signal.SIGINT, signal.SIGTERM, signal.SIGPIPE):
                signal.signal(signals, signal.SIG_DFL)
            signal.set_wakeup_fd(-1)
        except ValueError:  # not in the main thread: handlers stay, the instance is killed by SIGKILL
            pass
        try:
            for other in self.instances:
                other.close()
            connection.close()
            if before:
                before()
            serve(self.evaluator, first, descriptors)
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            try:
                sys.stdout.flush()
                sys.stderr.flush()
            finally:
                os._exit(code)

    def lost(self, connection: socket.socket) -> None:
        """`_join.py` was killed: its instance has to go."""
        instance = self.instances[connection]
        instance.kill()
        os.waitpid(instance.pid, 0)
        self._forget(connection)

    def reap(self, forget: Callable[[socket.socket], object]) -> None:
        """Tells `_join.py` of every instance that has ended. `forget` is called with its connection before it is closed."""
        for connection, instance in list(self.instances.items()):
            pid, status = os.waitpid(instance.pid, os.WNOHANG)
            if not pid:
                continue
            instance.kill()  # what it has started
            try:
                connection.sendall(struct.pack("!i", os.waitstatus_to_exitcode(status)))
            except OSError:
                pass
            forget(connection)
            self._forget(connection)

    def _forget(self, connection: socket.socket) -> None:
        del self.instances[connection]
        connection.close()

    def end(self) -> None:
        for connection in list(self.instances):
            self.lost(connection)
