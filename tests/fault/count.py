#!/usr/bin/env python3
"""count.py NAME COMMAND...: a launcher that counts the bytes it passes on to the command.

$COUNTS/NAME.PID holds the count. The cache of the command is in $CACHES, named by what is before the dot of NAME: workers
of one host share it. With $BREAK, the first launcher that passes so many bytes breaks off in the middle of them.
"""

import os
import subprocess
import sys

name, total, most = sys.argv[1], 0, int(os.environ.get("BREAK", 0))
broken = f"{os.environ['COUNTS']}/broken"
cache = f"{os.environ['CACHES']}/{name.split('.')[0]}"
child = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, env={**os.environ, "HONE_CACHE": cache})
while data := os.read(0, 65536):
    total += len(data)
    with open(f"{os.environ['COUNTS']}/{name}.{os.getpid()}", "w") as count:
        count.write(f"{total}\n")
    ends = most and total > most and not os.path.exists(broken)
    if ends:
        open(broken, "w").close()
    try:
        child.stdin.write(data[: len(data) // 2] if ends else data)
        child.stdin.flush()
    except OSError:
        break
    if ends:
        break
try:
    child.stdin.close()
except OSError:
    pass
sys.exit(child.wait())
