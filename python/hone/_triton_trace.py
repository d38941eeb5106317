"""Where the time of a tuning goes: HONE_TRITON_TRACE=FILE gets a line for each step of each process."""
from __future__ import annotations

import contextlib
import json
import os
import time
from typing import Iterator


@contextlib.contextmanager
def step(name: str) -> Iterator[None]:
    path = os.environ.get("HONE_TRITON_TRACE")
    begin = time.time()
    try:
        yield
    finally:
        if path:
            line = json.dumps({"step": name, "pid": os.getpid(), "begin": begin, "seconds": time.time() - begin})
            with open(path, "a", encoding="utf-8") as file:
                file.write(line + "\n")
