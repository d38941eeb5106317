"""Reads so much of a spec as a kernel's call needs: problem, derived, launch, args, check.

Not YAML, but what the specs in examples/ use of it: mappings and lists by indentation or in
brackets, comments, quotes. Hone's expressions are Python's.
"""

import math
import re

SIZES = {"f16": 2, "bf16": 2, "f32": 4, "f64": 8, "i32": 4, "u32": 4, "i64": 8, "u64": 8, "u8": 1}
PAIR = re.compile(r"^([^\s:'\"{\[][^:]*):(?:\s+(.*))?$", re.S)


# ---- Text ----------------------------------------------------------------------------------------


def depth_after(text, depth=0):
    """Open brackets, those in quotes not counted."""
    quote = None
    for char in text:
        if quote:
            quote = None if char == quote else quote
        elif char in "'\"":
            quote = char
        else:
            depth += (char in "[{(") - (char in ")}]")
    return depth


def logical_lines(text):
    """(indentation, text), without comments; what is in brackets is one line."""
    pending, depth = "", 0
    for line in text.splitlines():
        line = re.sub(r"(^|\s)#.*$", "", line).rstrip()
        if not line.strip():
            continue
        pending = f"{pending} {line.strip()}" if depth else line
        depth = depth_after(pending)
        if not depth:
            yield len(pending) - len(pending.lstrip()), pending.strip()
            pending = ""


def split_flow(text):
    """At commas outside of brackets and quotes."""
    parts, start, depth, quote = [], 0, 0, None
    for i, char in enumerate(text):
        if quote:
            quote = None if char == quote else quote
        elif char in "'\"":
            quote = char
        elif char in "[{(":
            depth += 1
        elif char in ")}]":
            depth -= 1
        elif char == "," and not depth:
            parts.append(text[start:i])
            start = i + 1
    return [part.strip() for part in [*parts, text[start:]] if part.strip()]


def parse_value(text):
    text = text.strip()
    if text.startswith("{") and text.endswith("}"):
        pairs = (PAIR.match(part) for part in split_flow(text[1:-1]))
        return {pair[1]: parse_value(pair[2] or "") for pair in pairs}
    if text.startswith("[") and text.endswith("]"):
        return [parse_value(part) for part in split_flow(text[1:-1])]
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"":
        return text[1:-1]
    return text


def parse_block(lines, indentation):
    """Takes its lines off the front."""
    block = None
    while lines and lines[0][0] >= indentation:
        here, text = lines.pop(0)
        if text.startswith("- "):
            block = block or []
            block.append(parse_value(text[2:]))
            if lines and lines[0][0] > here:  # a mapping of several lines: not needed here
                parse_block(lines, lines[0][0])
            continue
        name, value = PAIR.match(text).groups()
        block = {} if block is None else block
        if value:
            block[name] = parse_value(value)
        else:
            block[name] = parse_block(lines, lines[0][0]) if lines[0][0] > here else None
    return block


def parse(text):
    return parse_block(list(logical_lines(text)), 0)


# ---- Meaning -------------------------------------------------------------------------------------


def literal(text):
    """A configuration's value."""
    if text in ("true", "false"):
        return text == "true"
    try:
        return int(text)
    except ValueError:
        return text


class Call:
    """How one configuration is called."""

    def __init__(self, spec, config):
        self.values = {name: literal(str(value)) for name, value in spec["problem"].items()}
        self.values.update(config)
        self.defines = [f"-D{name}={self.define(value)}" for name, value in self.values.items()]
        for name, text in (spec.get("derived") or {}).items():
            self.values[name] = self.evaluate(text)
        launch = spec["launch"]
        self.grid, self.block = self.sizes(launch["grid"]), self.sizes(launch["block"])
        self.shared = self.evaluate(launch.get("shared", "0"))
        self.args = [self.argument(arg) for arg in spec["args"]]

    @staticmethod
    def define(value):
        return str(value).lower() if isinstance(value, bool) else str(value)

    def evaluate(self, text):
        names = {"__builtins__": {}, "min": min, "max": max}
        return eval(text, names, self.values)  # the text is ours

    def sizes(self, value):
        """Three of them."""
        texts = value if isinstance(value, list) else [value]
        return [int(self.evaluate(text)) for text in texts] + [1] * (3 - len(texts))

    def argument(self, arg):
        """(role, type, elements) of a tensor."""
        if "shape" not in arg:
            raise ValueError(f"argument '{arg.get('name')}' is no tensor: not known here")
        count = math.prod(int(self.evaluate(size)) for size in arg["shape"])
        return arg.get("role", "in"), arg["type"], count
