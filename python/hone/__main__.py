"""``python -m hone ARGUMENTS``: the program ``hone``, as the package finds it."""
from __future__ import annotations

import os
import sys
from typing import NoReturn

from ._errors import HoneError
from ._program import find_program


def main() -> NoReturn:
    try:
        path = find_program()
    except HoneError as error:
        sys.exit(f"hone: {error}")
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv(path, ["hone", *sys.argv[1:]])


if __name__ == "__main__":
    main()
