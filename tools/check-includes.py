#!/usr/bin/env python3
"""check-includes.py: do includes point down, as the layers in docs/architecture.md say?

usage: tools/check-includes.py [ROOT]

A room is a folder of src/, a sub-folder of backend/ or iree/, or `.`: the files of src/ itself.
The fenced block `layers` of docs/architecture.md has one line per layer, the highest first; a room
includes rooms on lower lines alone. Lines `never: A B -> C D: reason` forbid more; a name that ends
in /* stands for all rooms below it. Besides:
  - every room of the tree is in the block, and the other way round
  - headers named *_internal.h, *_inside.h and *_parts.h are included in their own room alone
  - cli/ includes include/ and its own headers alone
Prints one line per violation; the exit status is 1 if there is any.
"""
import os
import re
import sys

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.M)
BLOCK = re.compile(r'^```layers\n(.*?)^```', re.M | re.S)
NEVER = re.compile(r'never: (.+?) -> (.+?): (.+)')
PRIVATE = ('_internal.h', '_inside.h', '_parts.h')


def sources(folder):
    for path, _, names in os.walk(folder):
        for name in sorted(names):
            if name.endswith(('.c', '.h')):
                yield os.path.join(path, name)


def read(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


def included(path):
    """(line, name) of each quoted include."""
    text = read(path)
    for match in INCLUDE.finditer(text):
        yield text.count('\n', 0, match.start()) + 1, match.group(1)


def room_of(path, src):
    return os.path.dirname(os.path.relpath(path, src)) or '.'


def resolve(name, folders):
    """The file, or None: there is none of that name."""
    for folder in folders:
        path = os.path.normpath(os.path.join(folder, name))
        if os.path.isfile(path):
            return path
    return None


def is_generated(name, src):
    return os.path.isfile(os.path.join(src, name + '.in'))


def read_layers(text):
    """{room: height}, [(from rooms, to rooms, reason)] of the block."""
    block = BLOCK.search(text)
    if not block:
        sys.exit('check-includes: docs/architecture.md has no block ```layers')
    lines = [line.strip() for line in block.group(1).splitlines() if line.strip()]
    rules = [NEVER.fullmatch(line) for line in lines if line.startswith('never:')]
    if None in rules:
        sys.exit('check-includes: a line "never:" is not of the form "never: A -> B: reason"')
    layers = [line.split() for line in lines if not line.startswith('never:')]
    rooms = [room for layer in layers for room in layer]
    for room in rooms:
        if rooms.count(room) > 1:
            sys.exit(f"check-includes: room '{room}' is in the block more than once")
    heights = {room: -i for i, layer in enumerate(layers) for room in layer}
    return heights, [(m[1].split(), m[2].split(), m[3]) for m in rules]


def names_room(patterns, room):
    return any(room == p or (p.endswith('/*') and room.startswith(p[:-1])) for p in patterns)


def check_edge(here, there, target, heights, rules):
    """Why a file of room `here` must not include `target` of room `there`; None: it may."""
    if here == there:
        return None
    if target.endswith(PRIVATE):
        return f"'{os.path.basename(target)}' is for the files of '{there}' alone"
    if here not in heights or there not in heights:
        return None  # said once, by check_rooms
    if heights[there] == heights[here]:
        return f"'{here}' and '{there}' are in one layer"
    if heights[there] > heights[here]:
        return f"'{there}' is above '{here}'"
    for sources_, targets, reason in rules:
        if names_room(sources_, here) and names_room(targets, there):
            return f"'{here}' must not include '{there}': {reason}"
    return None


def check_rooms(found, heights):
    for room in sorted(found - set(heights)):
        yield f"docs/architecture.md: room '{room}' is not in the block of layers"
    for room in sorted(set(heights) - found):
        yield f"docs/architecture.md: room '{room}' of the block is not in src/"


def check_src(root, heights, rules):
    src, include = os.path.join(root, 'src'), os.path.join(root, 'include')
    found = set()
    for path in sources(src):
        here = room_of(path, src)
        found.add(here)
        for line, name in included(path):
            target = resolve(name, (src, os.path.dirname(path), include))
            place = f'{os.path.relpath(path, root)}:{line}'
            if is_generated(name, src):
                continue
            if not target:
                yield f"{place}: there is no '{name}' in src/ or include/"
            elif not target.startswith(include + os.sep):
                why = check_edge(here, room_of(target, src), target, heights, rules)
                if why:
                    yield f'{place}: includes {name}: {why}'
    yield from check_rooms(found, heights)


def check_cli(root):
    cli = os.path.join(root, 'cli')
    for path in sources(cli):
        for line, name in included(path):
            if not resolve(name, (cli, os.path.join(root, 'include'))):
                place = f'{os.path.relpath(path, root)}:{line}'
                yield f'{place}: includes {name}: cli/ may include include/ and its own headers alone'


def main(words):
    root = os.path.abspath(words[1] if len(words) > 1 else os.path.join(sys.path[0], '..'))
    heights, rules = read_layers(read(os.path.join(root, 'docs', 'architecture.md')))
    wrong = [*check_src(root, heights, rules), *check_cli(root)]
    for line in wrong:
        print(line)
    return 1 if wrong else 0


sys.exit(main(sys.argv))
