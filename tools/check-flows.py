#!/usr/bin/env python3
"""check-flows.py: does each function of the call trees in docs/architecture.md call those that are indented below it?

usage: tools/check-flows.py [ROOT]

The trees are the blocks under "Call trees". A line is a file or a function; several functions are separated by commas.
The function may call the one below directly, or pass it as a callback, or do so through other functions of its own file
or through one of another file, which the tree leaves out.
Prints one line per call that the sources do not have; the exit status is 1 if there is any.
"""
import os
import re
import sys

FUNCTION = re.compile(r'^(?:[a-z_][\w \*]*?[ \*])(\w+)\([^;{}]*\)\n\{\n(.*?)^\}', re.M | re.S)
NAME = re.compile(r'\b[a-z_]\w*\b')
def sources(root):
    for folder in ('src', 'cli'):
        for path, _, names in os.walk(os.path.join(root, folder)):
            yield from (os.path.join(path, name) for name in sorted(names) if name.endswith('.c'))


def calls_of(root):
    """{function: {file: names in its body}}: static functions of several files may have one name."""
    calls = {}
    for path in sources(root):
        with open(path, encoding='utf-8') as file:
            text = re.sub(r'/\*.*?\*/', '', file.read(), flags=re.S)
        for name, body in FUNCTION.findall(text):
            calls.setdefault(name, {})[path] = set(NAME.findall(body)) - {name}
    return calls


def within(calls, begin):
    """The names that a function has, and those of the functions of its file that it calls."""
    found, left = set(), [(begin, path) for path in calls.get(begin, ())]
    while left:
        name, path = left.pop()
        for other in calls[name][path] - found:
            found.add(other)
            if path in calls.get(other, ()):
                left.append((other, path))
    return found


def reaches(calls, begin, end):
    own = within(calls, begin)
    return end in own or any(end in within(calls, name) for name in own if name in calls)


def trees(page):
    section = page.split('\n## Call trees\n')[1].split('\n## ')[0]
    return re.findall(r'^```\n(.*?)^```', section, re.M | re.S)


def pairs(tree):
    above = []  # (indent, functions)
    for line in tree.splitlines():
        words = re.split(r' {2,}|: ', line.strip())[0]
        indent = len(line) - len(line.lstrip())
        functions = [] if '/' in words or '.' in words else [word.strip() for word in words.split(',')]
        if not all(re.fullmatch(r'\w+', name) for name in functions) or not line.strip():
            continue
        while above and above[-1][0] >= indent:
            above.pop()
        if above:
            yield from ((caller, name) for caller in above[-1][1][:1] for name in functions)
        above.append((indent, functions))


def main(arguments):
    root = arguments[1] if len(arguments) > 1 else os.path.join(os.path.dirname(__file__), '..')
    calls = calls_of(root)
    with open(os.path.join(root, 'docs', 'architecture.md'), encoding='utf-8') as file:
        page = file.read()
    wrong = [f'{caller} does not call {name}' for tree in trees(page) for caller, name in pairs(tree)
             if name not in calls or not reaches(calls, caller, name)]
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv))
