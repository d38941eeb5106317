"""Checks answers of candidates in the process of the user, where its functions and arrays are.

hone starts `_kernel_ask.py` after the first call of a candidate; it sends the folder with the arrays to a thread of
this process, and gets "right" or a reason.
"""
from __future__ import annotations

import os
import socket
import sys
import threading
from typing import Any, Callable, List, Optional, Sequence

from ._kernel_args import Argument

_ASK = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_kernel_ask.py")

# Gets the results, an array for each argument that is one; returns None or why they are wrong.
Judge = Callable[[List[Any]], Optional[str]]


def check_command(identity: str) -> List[str]:
    """The `check.command` of a spec. `identity` is that of the judge: another one makes another run."""
    return [sys.executable, "-I", "-S", _ASK, "{dir}", identity]


class Checker:
    """A thread that answers while hone runs. The socket is in the folder of the spec."""

    def __init__(self, folder: str, arguments: Sequence[Argument], judge: Judge) -> None:
        self._arguments = arguments
        self._judge = judge
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        descriptor = os.open(folder, os.O_RDONLY)
        try:  # by the descriptor: the path of a socket has at most 107 characters
            self._listener.bind(f"/proc/self/fd/{descriptor}/check.sock")
        finally:
            os.close(descriptor)
        self._listener.listen(16)
        self._thread = threading.Thread(target=self._serve, name="hone-check", daemon=True)
        self._thread.start()

    def __enter__(self) -> Checker:
        return self

    def __exit__(self, *_: Any) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._listener.close()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:  # it was closed
                return
            with connection:
                try:
                    connection.settimeout(60)
                    self._answer(connection)
                except OSError:  # the command was killed
                    pass

    def _answer(self, connection: socket.socket) -> None:
        asked = b""
        while not asked.endswith(b"\n"):
            data = connection.recv(65536)
            if not data:
                return
            asked += data
        try:
            reason = self._judge(self._results(os.fsdecode(asked[:-1])))
        except Exception as error:
            reason = f"the check failed: {type(error).__name__}: {error}"
        connection.sendall(b"right" if reason is None else reason.replace("\n", " ").encode("utf-8", "replace"))

    def _results(self, folder: str) -> List[Any]:
        import numpy

        return [argument.unflatten(numpy.load(os.path.join(folder, f"{argument.name}.npy")).reshape(-1)
                                   .view(argument.content.dtype))
                if argument.is_array() else argument.original for argument in self._arguments]


# ---- judges ----


def judge_by_answers(answer: Sequence[Any], atol: float) -> Judge:
    """The results are close to the answers that are not None, as numpy.allclose sees it."""
    def judge(results: List[Any]) -> Optional[str]:
        import numpy

        for number, (expected, result) in enumerate(zip(answer, results)):
            if expected is None:
                continue
            expected, result = numpy.ravel(expected), numpy.ravel(result)
            if expected.shape != result.shape:
                return f"argument {number}: {result.size} elements, but the answer has {expected.size}"
            wrong = ~numpy.isclose(expected, result, atol=atol)
            if wrong.any():
                first = int(numpy.argmax(wrong))
                return (f"argument {number}: {int(wrong.sum())} of {result.size} elements differ; first at [{first}]: "
                        f"got {result[first]}, expected {expected[first]}")
        return None

    return judge


def judge_by_function(verify: Callable[..., Any], answer: Optional[Sequence[Any]], atol: Optional[float]) -> Judge:
    """Kernel Tuner's `verify`: it gets the answers and the results, None for those without an answer."""
    def judge(results: List[Any]) -> Optional[str]:
        if answer is not None:
            results = [None if expected is None else result for expected, result in zip(answer, results)]
        if _takes_atol(verify):
            right = verify(answer, results, atol=atol)
        else:
            right = verify(answer, results)
        return None if right else "verify returned False"

    return judge


def _takes_atol(verify: Callable[..., Any]) -> bool:
    import inspect

    try:
        parameters = inspect.signature(verify).parameters.values()
    except (TypeError, ValueError):
        return False
    return any(one.name == "atol" or one.kind is one.VAR_KEYWORD for one in parameters)
