#!/usr/bin/env python3
"""embed.py OUTPUT NAME INPUT: a text file as a C string that a header declares."""
import sys

output, name, source = sys.argv[1:]
text = open(source, encoding="utf-8").read()


def quoted(line):
    escaped = line.replace("\\", "\\\\").replace('"', '\\"').replace("?", "\\?")
    return '"' + "".join(c if ord(c) < 128 else "".join("\\%03o" % b for b in c.encode()) for c in escaped) + '\\n"'


# A compiler need not take longer strings than 4095 bytes: an array of lines has no such limit.
with open(output, "w", encoding="ascii") as file:
    file.write('#include "report/page_parts.h"\n\nconst char *const %s[] = {\n' % name)
    for line in text.splitlines():
        file.write("    %s,\n" % quoted(line))
    file.write("    0,\n};\n")
