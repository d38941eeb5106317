"""Which configuration is the baseline of a list whose first ones may not work.

The number of the first one that works is kept in Hone's cache, so that the next process does not
try those before it again.
"""
from __future__ import annotations

import os
from typing import Any, Dict, List, Mapping, Optional

from ._tuning import _write as write_file
from ._tuning import cache_folder, digest

# Other outcomes, such as device_fault and hang, are told to the user.
_FAILURES = ("invalid", "compile_error", "launch_failure", "oom_device")
_MOST_TRIES = 8


class Baselines:
    def __init__(self, rows: List[Optional[Dict[str, Any]]], fingerprint: Mapping[str, Any]) -> None:
        self.rows = rows
        self.path = os.path.join(cache_folder(), "triton-baselines", digest([dict(fingerprint), rows]))
        self.number = self._read()
        self.tries = 0

    @property
    def current(self) -> Optional[Dict[str, Any]]:
        return self.rows[self.number]

    def _read(self) -> int:
        try:
            with open(self.path, encoding="utf-8") as file:
                number = int(file.read())
        except (OSError, ValueError):
            return 0
        return number if 0 <= number < len(self.rows) else 0

    def take_next(self, outcome: Optional[str]) -> bool:
        """After a failure: whether there is another one to try."""
        self.tries += 1
        if outcome not in _FAILURES or self.tries >= _MOST_TRIES or self.number + 1 >= len(self.rows):
            return False
        self.number += 1
        write_file(self.path, str(self.number))
        return True
