"""Errors of the package. A configuration that fails is a result, not an error."""
from __future__ import annotations


class HoneError(RuntimeError):
    """A tuning could not be made. The message says why, and what to do."""


class NotTunedError(HoneError):
    """``HONE_AUTOTUNE=require``, and there is no proved result for this problem."""


class Failure(Exception):
    """A configuration failed. ``outcome`` is one of hone-serve(7), such as ``compile_error``."""

    def __init__(self, outcome: str, text: str = "") -> None:
        super().__init__(outcome, text)
        self.outcome = outcome
        self.text = text


class WrongResult(Failure):
    """The answer of a configuration differs from the right one."""

    def __init__(self, text: str) -> None:
        Failure.__init__(self, "wrong_result", text)
