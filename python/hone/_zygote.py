"""A fresh interpreter that forks measuring instances.

It is used where an instance cannot be forked from the user's process: the GPU is in use there, and
its state does not survive a fork. The zygote loads what is tuned once, never uses the GPU itself,
and forks one instance for each request. It ends with the process that started it.
"""
from __future__ import annotations

import os
import pickle
import selectors
import socket
import subprocess
import sys
import tempfile
import traceback
from typing import Any, Dict, List, Optional

from . import _pickle
from ._errors import HoneError
from ._instances import Forker, die_with_parent
from ._serve import Evaluator

_LARGEST = 1 << 20


class Zygote:
    """The user's side: starts the interpreter, and passes connections on to it."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.file = _write_setup(evaluator)
        self.control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        script = ("import pickle, sys\n"
                  "setup = pickle.load(open(sys.argv[1], 'rb'))\n"
                  "sys.path[:] = setup['path']\n"
                  "from hone._zygote import main\n"
                  "main(setup, int(sys.argv[2]))\n")
        try:
            self.process = subprocess.Popen([sys.executable, "-c", script, self.file, str(theirs.fileno())],
                                            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=None,
                                            pass_fds=[theirs.fileno()], start_new_session=True)
        finally:
            theirs.close()
        self.error: Optional[str] = None

    def pass_on(self, first: bytes, descriptors: List[int], connection: socket.socket) -> None:
        """The instance, and the connection of its `_join.py`, belong to the zygote now."""
        try:
            socket.send_fds(self.control, [first], [*descriptors, connection.fileno()])
        except OSError:
            pass  # it is gone: `_join.py` sees the end of the connection
        finally:
            for descriptor in descriptors:
                os.close(descriptor)
            connection.close()

    def news(self) -> Optional[str]:
        """A message of the zygote: why it cannot load what is tuned. "" if it is gone."""
        try:
            return self.control.recv(_LARGEST).decode("utf-8", "replace")
        except OSError:
            return ""

    def end(self) -> None:
        self.control.close()
        try:
            self.process.wait(2)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        if os.path.exists(self.file):
            os.unlink(self.file)


def _write_setup(evaluator: Evaluator) -> str:
    try:
        data = _pickle.dumps(evaluator)
    except Exception as error:
        raise HoneError(f"cannot send what is tuned to another process: {error}; define it in a module "
                        "that can be imported, or tune before the GPU is used (then the process is forked)") from error
    setup = {"path": sys.path, "argv": sys.argv, "evaluator": data}
    handle, path = tempfile.mkstemp(prefix="hone-zygote-")
    with os.fdopen(handle, "wb") as file:
        pickle.dump(setup, file)
    return path


def main(setup: Dict[str, Any], descriptor: int) -> None:
    """The zygote's side."""
    die_with_parent()
    control = socket.socket(fileno=descriptor)
    sys.argv = setup["argv"]
    os.environ["HONE_INSIDE"] = "1"
    try:
        evaluator = pickle.loads(setup["evaluator"])
    except BaseException as error:
        text = "".join(traceback.format_exception_only(type(error), error)).strip()
        control.send(f"cannot load what is tuned in another process: {text}".encode())
        control.close()
        sys.exit(1)
    control.send(b"ready")
    _serve_forks(control, Forker(evaluator))


def _serve_forks(control: socket.socket, forker: Forker) -> None:
    selector = selectors.DefaultSelector()
    selector.register(control, selectors.EVENT_READ)

    def close_all() -> None:
        selector.close()
        control.close()

    while True:
        for key, _ in selector.select(0.02 if forker.instances else None):
            if key.fileobj is not control:
                selector.unregister(key.fileobj)
                if key.fileobj in forker.instances:
                    forker.lost(key.fileobj)  # type: ignore[arg-type]
                continue
            first, descriptors, _, _ = socket.recv_fds(control, _LARGEST, 4)
            if not first:
                forker.end()
                return
            connection = socket.socket(fileno=descriptors[3])
            selector.register(connection, selectors.EVENT_READ)
            forker.start(connection, first, list(descriptors[:3]), close_all)
        forker.reap(selector.unregister)
