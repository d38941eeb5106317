#!/usr/bin/env python3
"""check-names.py: does each prefix of shared functions belong to one room?

usage: tools/check-names.py [ROOT]

The prefix of `hone__store_open` is `store`. A function is declared in a header of src/; its room is
the folder of that header. The rooms of iree/ count as one for the prefix `iree`.
Prints one line per prefix that several rooms use; the exit status is 1 if there is any.
"""
import collections
import os
import re
import sys

COMMENT = re.compile(r'/\*.*?\*/', re.S)
FUNCTION = re.compile(r'(?<!struct )(?<!enum )(?<!union )\bhone__([a-z0-9]+)_[a-z0-9_]*\s*\(')


def headers(src):
    for path, _, names in os.walk(src):
        for name in sorted(names):
            if name.endswith('.h'):
                yield os.path.join(path, name)


def room_of(path, src, prefix):
    room = os.path.dirname(os.path.relpath(path, src)) or '.'
    return 'iree' if prefix == 'iree' and room.startswith('iree/') else room


def rooms_of_prefixes(src):
    rooms = collections.defaultdict(set)
    for path in headers(src):
        with open(path, encoding='utf-8') as file:
            text = COMMENT.sub('', file.read())
        for prefix in FUNCTION.findall(text):
            rooms[prefix].add(room_of(path, src, prefix))
    return rooms


def main(arguments):
    root = arguments[1] if len(arguments) > 1 else os.path.join(os.path.dirname(__file__), '..')
    rooms = rooms_of_prefixes(os.path.join(root, 'src'))
    shared = {prefix: names for prefix, names in rooms.items() if len(names) > 1}
    for prefix, names in sorted(shared.items()):
        print(f"hone__{prefix}_ is used by several rooms: {' '.join(sorted(names))}")
    return 1 if shared else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv))
