#!/usr/bin/env python3
"""check-names.py: does each prefix of shared names belong to one room, and is each type defined once?

usage: tools/check-names.py [ROOT]

The prefix of `hone__store_open` and of `struct hone__store_run` is `store`. Functions are declared and types defined in
headers of src/; their room is the folder of the header. The rooms of iree/ count as one for the prefix `iree`.
A type that one header declares without its members may be defined by several others: only one of them is included. It
counts for the room that declares it. Types with the public prefix hone_ are declared in include/.
Constants and macros that headers of src/ define begin with HONE__, and their prefix belongs to one room, too, unless it is
no noun (MOST, NO, LONGEST). Headers that declare the interface of a library (*_library.h, clang_internal.h) have its names.
Prints one line per violation; the exit status is 1 if there is any.
"""
import collections
import os
import re
import sys

COMMENT = re.compile(r'/\*.*?\*/', re.S)
BODY = re.compile(r'^\{\n.*?^\}', re.S | re.M)  # of an inline function: what it calls is not declared there
FUNCTION = re.compile(r'(?<!struct )(?<!enum )(?<!union )\bhone__([a-z0-9]+)_[a-z0-9_]*\s*\(')
TYPE = re.compile(r'\b(?:struct|enum|union)\s+(hone_[a-z0-9_]+)\s*\{')
OPAQUE = re.compile(r'^struct\s+(hone_[a-z0-9_]+);', re.M)
ENUM = re.compile(r'\benum\b[^{;()]*\{([^}]*)\}')
ENUMERATOR = re.compile(r'(?:^|,)\s*([A-Z]\w*)')
MACRO = re.compile(r'^#define ([A-Za-z]\w*)(?!\w)', re.M)
PARAMETER_OF_TABLES = 'X'  # defined, used and undefined in place
COMMON_WORDS = {'MOST', 'NO', 'LONGEST'}


def headers(src):
    for path, _, names in os.walk(src):
        for name in sorted(names):
            if name.endswith('.h'):
                yield os.path.join(path, name)


def room_of(path, src, prefix):
    room = os.path.dirname(os.path.relpath(path, src)) or '.'
    return 'iree' if prefix == 'iree' and room.startswith('iree/') else room


def read(path):
    with open(path, encoding='utf-8') as file:
        return COMMENT.sub('', file.read())


def prefix_of(name):
    return name[len('hone__'):].split('_')[0]


def types_of(texts):
    """{type: headers that define it}, {types that some header only declares}."""
    defined = collections.defaultdict(list)
    for path, text in texts.items():
        for name in TYPE.findall(text):
            defined[name].append(path)
    opaque = {name for path, text in texts.items() for name in OPAQUE.findall(text) if path not in defined[name]}
    return defined, opaque


def check_prefixes(texts, defined, opaque, src):
    rooms = collections.defaultdict(set)
    for path, text in texts.items():
        for prefix in FUNCTION.findall(BODY.sub('', text)):
            rooms[prefix].add(room_of(path, src, prefix))
    for name, paths in defined.items():
        if name.startswith('hone__') and not (name in opaque and len(paths) > 1):
            rooms[prefix_of(name)].update(room_of(path, src, prefix_of(name)) for path in paths)
    for prefix, names in sorted(rooms.items()):
        if len(names) > 1:
            yield f"hone__{prefix}_ is used by several rooms: {' '.join(sorted(names))}"


def check_types(defined, opaque, public, src):
    for name, paths in sorted(defined.items()):
        places = ' '.join(sorted(os.path.relpath(path, src) for path in paths))
        if len(paths) > 1 and name not in opaque:
            yield f'{name} is defined several times: {places}'
        if not name.startswith('hone__') and not re.search(rf'\b{name}\b', public):
            yield f'{name} has the public prefix, and include/ does not declare it: {places}'


def constants_of(text):
    found = [name for body in ENUM.findall(text) for name in ENUMERATOR.findall(body)]
    return [*found, *(name for name in MACRO.findall(text) if name != PARAMETER_OF_TABLES and not name.endswith('_H'))]


def check_constants(texts, public, src):
    rooms = collections.defaultdict(set)
    for path, text in texts.items():
        if path.endswith(('_library.h', '/clang_internal.h')):
            continue
        for name in constants_of(text):
            if name.startswith('HONE__'):
                prefix = prefix_of(name)
                rooms[prefix].add(room_of(path, src, prefix.lower()))
            elif not re.search(rf'\b{name}\b', public):
                yield f'{name} of {os.path.relpath(path, src)} has no prefix HONE__'
    for prefix, names in sorted(rooms.items()):
        if len(names) > 1 and prefix not in COMMON_WORDS:
            yield f"HONE__{prefix}_ is used by several rooms: {' '.join(sorted(names))}"


def main(arguments):
    root = arguments[1] if len(arguments) > 1 else os.path.join(os.path.dirname(__file__), '..')
    src = os.path.join(root, 'src')
    texts = {path: read(path) for path in headers(src)}
    public = ''.join(read(path) for path in headers(os.path.join(root, 'include')))
    defined, opaque = types_of(texts)
    wrong = [*check_prefixes(texts, defined, opaque, src), *check_types(defined, opaque, public, src),
             *check_constants(texts, public, src)]
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv))
