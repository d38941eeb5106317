"""Runs the program ``hone`` for this process, and forks the instances that it asks for.

The loop runs in the thread that called: it passes progress on, takes connections of `_join.py`,
and returns what ``hone`` printed. Ctrl-C ends the run in good order: what was measured is kept.
"""
from __future__ import annotations

import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import time
from typing import Any, Callable, Dict, List, Optional, Sequence

from ._errors import HoneError
from ._instances import Forker, receive
from ._program import find_program
from ._scratch import Scratch
from ._serve import Evaluator
from ._zygote import Zygote

Event = Dict[str, Any]

_JOIN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_join.py")
_GRACE_S = 30.0


def join_command() -> List[str]:
    """The ``run.command`` of a spec whose instances come from this process."""
    return [sys.executable, "-I", "-S", _JOIN]


class Session:
    """One call of ``hone``. `measurers` is "fork" or "spawn": where measuring instances come from."""

    def __init__(self, evaluator: Optional[Evaluator] = None, measurers: str = "fork",
                 on_event: Optional[Callable[[Event], None]] = None) -> None:
        self.evaluator = evaluator
        self.measurers = measurers
        self.on_event = on_event
        self.errors: List[str] = []     # texts for people, from standard error
        self.started_instances = 0
        self._selector = selectors.DefaultSelector()
        self._forker = Forker(evaluator) if evaluator else None
        self._zygote: Optional[Zygote] = None
        self._listener: Optional[socket.socket] = None
        self._scratch: Optional[Scratch] = None
        self._process: Optional[subprocess.Popen] = None
        self._output = b""
        self._line = b""
        self._failure: Optional[str] = None
        self._interrupts = 0
        self._before_first: Optional[Callable[[], None]] = None

    # ---- the program ----

    def run(self, arguments: List[str], accept: Sequence[int] = (0, 3),
            before_first: Optional[Callable[[], None]] = None) -> str:
        """Runs ``hone ARGUMENTS`` and returns its standard output. Raises `HoneError` if its status is none of `accept`.
        `before_first` is called before the first instance is started: only then something is measured."""
        self._before_first = before_first
        try:
            self._start(arguments)
            self._loop()
            status = self._process.wait()  # type: ignore[union-attr]
        finally:
            self._end()
        if self._interrupts:
            raise KeyboardInterrupt
        if self._failure:
            raise HoneError(self._failure)
        if status not in accept:
            raise HoneError(self._describe(status))
        return self._output.decode()

    def _start(self, arguments: List[str]) -> None:
        variables = dict(os.environ)
        if self._forker:
            self._scratch = Scratch("py", _short_folder())
            path = os.path.join(self._scratch.path, "join")
            self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            self._listener.bind(path)
            self._listener.listen(128)
            self._selector.register(self._listener, selectors.EVENT_READ, self._accept)
            variables["HONE_PYTHON_SOCKET"] = path
        self._process = subprocess.Popen([find_program(), *arguments], stdin=subprocess.DEVNULL, env=variables,
                                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        for pipe, take in ((self._process.stdout, self._take_output), (self._process.stderr, self._take_errors)):
            os.set_blocking(pipe.fileno(), False)
            self._selector.register(pipe, selectors.EVENT_READ, take)

    def _describe(self, status: int) -> str:
        text = "\n".join(self.errors).strip()
        return text or f"hone ended with status {status} and without a message"

    # ---- the loop ----

    def _pipes_open(self) -> bool:
        return any(key.data in (self._take_output, self._take_errors) for key in self._selector.get_map().values())

    def _loop(self) -> None:
        deadline = None
        while self._pipes_open():
            try:
                self._turn()
            except KeyboardInterrupt:
                self._interrupt()
                deadline = time.monotonic() + _GRACE_S
            if deadline and time.monotonic() > deadline:
                self._kill()

    def _turn(self) -> None:
        has_instances = bool(self._forker and self._forker.instances)
        for key, _ in self._selector.select(0.02 if has_instances else 0.5):
            key.data(key.fileobj)
        if self._forker:
            self._forker.reap(self._selector.unregister)

    def _interrupt(self) -> None:
        """The first Ctrl-C asks for an end, the second one ends at once."""
        self._interrupts += 1
        if self._process and self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
        if self._interrupts > 2:
            self._kill()

    def _kill(self) -> None:
        if self._process and self._process.poll() is None:
            self._process.kill()

    def fail(self, text: str) -> None:
        """Ends the run: it cannot go on."""
        if not self._failure:
            self._failure = text
        if self._process and self._process.poll() is None:
            self._process.terminate()

    # ---- what the program prints ----

    def _take_output(self, pipe: Any) -> None:
        data = os.read(pipe.fileno(), 1 << 16)
        self._output += data
        if not data:
            self._selector.unregister(pipe)

    def _take_errors(self, pipe: Any) -> None:
        data = os.read(pipe.fileno(), 1 << 16)
        if not data:
            self._selector.unregister(pipe)
        *lines, self._line = (self._line + data).split(b"\n")
        for line in lines:
            self._take_line(line.decode("utf-8", "replace"))

    def _take_line(self, line: str) -> None:
        event: Any = None
        if line.startswith("{"):
            try:
                event = json.loads(line)
            except ValueError:
                pass
        if not isinstance(event, dict):
            if line.strip():
                self.errors.append(line)
            return
        if event.get("kind") == "error":
            self.errors.append(str(event.get("text", "")))
        if self.on_event:
            self.on_event(event)

    # ---- instances ----

    def _accept(self, listener: Any) -> None:
        connection, _ = listener.accept()
        try:
            first, descriptors = receive(connection)
        except (OSError, ConnectionError):
            connection.close()
            return
        if not self.started_instances and self._before_first:
            try:
                self._before_first()
            except BaseException:
                for descriptor in descriptors:
                    os.close(descriptor)
                connection.close()
                raise
        self.started_instances += 1
        role = json.loads(first).get("role")
        if role == "measurer" and self.measurers == "spawn":
            self._start_zygote()
            if self._zygote:
                self._zygote.pass_on(first, descriptors, connection)
                return
        assert self._forker
        if self.measurers == "spawn" and role == "builder":
            self._start_zygote()  # it loads while others build
        self._selector.register(connection, selectors.EVENT_READ, self._lose)
        self._forker.start(connection, first, descriptors, self._close_in_instance)

    def _lose(self, connection: Any) -> None:
        self._selector.unregister(connection)
        if self._forker and connection in self._forker.instances:
            self._forker.lost(connection)

    def _close_in_instance(self) -> None:
        self._selector.close()
        if self._zygote:
            self._zygote.control.close()
        if self._listener:
            self._listener.close()
        if self._process:
            for pipe in (self._process.stdout, self._process.stderr):
                if pipe:
                    pipe.close()

    def _start_zygote(self) -> None:
        if self._zygote or self._failure:
            return
        try:
            assert self.evaluator
            self._zygote = Zygote(self.evaluator)
        except HoneError as error:
            self.fail(str(error))
            return
        self._selector.register(self._zygote.control, selectors.EVENT_READ, self._hear_zygote)

    def _hear_zygote(self, control: Any) -> None:
        assert self._zygote
        text = self._zygote.news()
        if text != "ready":
            self._selector.unregister(control)
            self.fail(text or "the process that measures ended while it was loading what is tuned")

    # ---- the end ----

    def _end(self) -> None:
        self._kill()
        if self._process:
            self._process.wait()
            for pipe in (self._process.stdout, self._process.stderr):
                if pipe:
                    pipe.close()
        if self._forker:
            self._forker.end()
        if self._zygote:
            self._zygote.end()
        if self._listener:
            self._listener.close()
        if self._scratch:
            self._scratch.remove()
        self._selector.close()


def _short_folder() -> Optional[str]:
    """The path of a socket has at most 107 characters."""
    return None if len(tempfile.gettempdir()) < 60 else "/tmp"
