#!/usr/bin/env python3
"""properties.py - random spaces, solved by Hone and by Python.

    properties.py --hone build/cli/hone [--seed S] [--count N] [--z3 N] [--large N]

Each space is a small spec that uses any of the language's operators. It is solved here by brute
force, with Python's own operators, and by `hone space --list`; both must give the same
configurations in the same order. A share of the spaces is also asked for --count, --at, --index-of,
--neighbours, --sample and --explain, and a share is solved by Z3 as well. `--large` adds spaces
that brute force cannot reach: equality and divisibility chains over long ranges.

What Hone adds to Python: integers have 64 bits, and a configuration for which a constraint faults
(divides by zero ...) is an error of the whole spec, unless another constraint is false for it.
There, `a and b` and `a < b < c` count as two constraints.
"""
import argparse
import ast
import collections
import concurrent.futures
import copy
import itertools
import json
import math
import operator
import os
import random
import subprocess
import sys
import tempfile

INT_MIN, INT_MAX = -(2**63), 2**63 - 1
FAULTS = (ZeroDivisionError, OverflowError, TypeError, ValueError, IndexError)


# ---- Python's operators, in Hone's bounds -------------------------------------------------------


def checked(value):
    if isinstance(value, complex):
        raise ValueError("complex")
    if isinstance(value, int) and not INT_MIN <= value <= INT_MAX:
        raise OverflowError("more than 64 bits")
    return value


def numbers_only(function):
    def apply(*args):
        for arg in args:
            if not isinstance(arg, (int, float)):
                raise TypeError("not a number")
        return checked(function(*args))

    return apply


def power(a, b):
    if isinstance(a, int) and isinstance(b, int) and b > 64 and abs(a) > 1:
        raise OverflowError("more than 64 bits")
    return a**b


def shift_left(a, b):
    if isinstance(b, int) and isinstance(a, int) and b > 64 and a != 0:
        raise OverflowError("more than 64 bits")
    return 0 if isinstance(b, int) and b > 64 else a << b


def total(values):
    result = 0
    for value in values:
        result = checked(result + value)
    return result


def is_power_of_two(a):
    return a == a and a not in (math.inf, -math.inf) and a > 0 and int(a) == a and (
        int(a) & (int(a) - 1)) == 0


def whole_gcd(a, b):
    if not isinstance(a, int) or not isinstance(b, int):
        raise TypeError("not an integer")
    return math.gcd(a, b)


BINARY = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
    ast.Div: operator.truediv, ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod,
    ast.Pow: power, ast.BitAnd: operator.and_, ast.BitOr: operator.or_,
    ast.BitXor: operator.xor, ast.LShift: shift_left, ast.RShift: operator.rshift,
}
UNARY = {ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Invert: operator.invert}
FUNCTIONS = {
    "abs": abs, "ceil": math.ceil, "floor": math.floor, "log2": math.log2, "int": int,
    "float": float, "pow": power, "gcd": whole_gcd, "pow2": is_power_of_two,
    "divides": lambda a, b: b % a == 0,
}
NAMESPACE = {"__builtins__": {}, "len": len, "min": min, "max": max, "bool": bool, "range": range,
             "sum": total, "sorted": sorted, "list": list, "true": True, "false": False}
for _kind, _function in list(BINARY.items()) + list(UNARY.items()):
    NAMESPACE["_" + _kind.__name__] = numbers_only(_function)
for _name, _function in FUNCTIONS.items():
    NAMESPACE["_" + _name] = numbers_only(_function)


class Checked(ast.NodeTransformer):
    """a + b becomes _Add(a, b), which is Python's + within 64 bits."""

    def visit_BinOp(self, node):
        self.generic_visit(node)
        return call("_" + type(node.op).__name__, [node.left, node.right])

    def visit_UnaryOp(self, node):
        self.generic_visit(node)
        if isinstance(node.op, ast.Not):
            return node
        return call("_" + type(node.op).__name__, [node.operand])

    def visit_Call(self, node):
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in FUNCTIONS:
            return call("_" + node.func.id, node.args)
        return node


def call(name, args):
    return ast.Call(func=ast.Name(id=name, ctx=ast.Load()), args=args, keywords=[])


def parse(text):
    return ast.parse(text.strip(), mode="eval").body


def compile_tree(tree, names):
    """A function of the names' values, in order."""
    body = Checked().visit(copy.deepcopy(tree))
    arguments = ast.arguments(posonlyargs=[], args=[ast.arg(arg=n) for n in names], kwonlyargs=[],
                              kw_defaults=[], defaults=[])
    whole = ast.fix_missing_locations(ast.Expression(ast.Lambda(args=arguments, body=body)))
    return eval(compile(whole, "constraint", "eval"), NAMESPACE)


def names_of(tree):
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


class Inline(ast.NodeTransformer):
    """Derived values become what they are derived from, sizes their values."""

    def __init__(self, meanings):
        self.meanings = meanings

    def visit_Name(self, node):
        return self.meanings.get(node.id, node)


def constant_truth(tree, known):
    """None: it depends on parameters, or faults."""
    if names_of(tree) & known:
        return None
    try:
        return bool(compile_tree(tree, [])())
    except FAULTS:
        return None


def simplify(tree, params):
    """What a constant test chooses, as the compiler does before it splits."""
    if isinstance(tree, ast.BoolOp):
        is_and = isinstance(tree.op, ast.And)
        values = [simplify(value, params) for value in tree.values]
        result = values[0]
        for value in values[1:]:
            truth = constant_truth(result, params)
            if truth is None:
                result = ast.BoolOp(op=tree.op, values=[result, value])
            elif truth == is_and:
                result = value
        return result
    if isinstance(tree, ast.IfExp):
        truth = constant_truth(simplify(tree.test, params), params)
        if truth is not None:
            return simplify(tree.body if truth else tree.orelse, params)
    return tree


def links(tree):
    """a < b < c as a < b, b < c."""
    if not isinstance(tree, ast.Compare):
        return [tree]
    sides = [tree.left] + tree.comparators
    return [ast.Compare(left=a, ops=[op], comparators=[b])
            for a, op, b in zip(sides, tree.ops, sides[1:])]


def split(tree):
    if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.And):
        return [part for value in tree.values for part in split(value)]
    return links(tree)


def literal(value):
    return parse(repr(value))


# ---- A space ------------------------------------------------------------------------------------


class Space:
    def __init__(self):
        self.sizes = {}  # name: list of values
        self.problem = {}  # the chosen ones
        self.params = []  # (name, YAML text, values)
        self.derived = []  # (name, text)
        self.constraints = []  # texts

    def yaml(self):
        lines = []
        if self.sizes:
            lines.append("problem:")
            for name, values in self.sizes.items():
                text = ", ".join(scalar_yaml(v) for v in values)
                lines.append(f"  {name}: [{text}]" if len(values) > 1 else f"  {name}: {text}")
        lines.append("params:")
        for name, text, _ in self.params:
            lines.append(f"  {name}: {text}")
        if self.derived:
            lines.append("derived:")
            for name, text in self.derived:
                lines.append(f"  {name}: {json.dumps(text)}")
        if self.constraints:
            lines.append("constraints:")
            for text in self.constraints:
                lines.append(f"  - {json.dumps(text)}")
        return "\n".join(lines) + "\n"

    def trees(self):
        """Constraints and derived values over parameters alone."""
        meanings = {name: literal(value) for name, value in self.problem.items()}
        for name, _, values in self.params:
            if len(values) == 1:
                meanings[name] = literal(values[0])
        derived = {}
        for name, text in self.derived:
            derived[name] = meanings[name] = Inline(dict(meanings)).visit(parse(text))
        return [Inline(meanings).visit(parse(text)) for text in self.constraints], derived

    def __len__(self):
        return math.prod(len(values) for _, _, values in self.params)


def scalar_yaml(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "null"
    if isinstance(value, float):
        text = repr(value)
        return text if "e" not in text or "." in text else text.replace("e", ".0e")
    return str(value)


def without_equals(values):
    kept = []
    for value in values:
        if not any(value == other for other in kept):
            kept.append(value)
    return kept


class Expected:
    def __init__(self, rows, fault, masked=False):
        self.rows = rows  # tuples of values; None: an error
        self.fault = fault  # a configuration that faults
        self.masked = masked  # some constraint faults where another is false


def brute_force(space):
    names = [name for name, _, _ in space.params]
    known = set(names)
    trees, _ = space.trees()
    parts = [part for tree in trees for part in split(simplify(tree, known))]
    functions = [compile_tree(part, names) for part in parts]
    rows, fault, masked = [], None, False
    for row in itertools.product(*(values for _, _, values in space.params)):
        legal, faults = True, False
        for function in functions:
            try:
                if not function(*row):
                    legal = False
                    break
            except FAULTS:
                faults = True
        masked = masked or (faults and not legal)
        if legal and faults:
            fault = fault or row
        elif legal:
            rows.append(row)
    return Expected(None if fault else rows, fault, masked)


def always_faults(space, tree):
    names = [name for name, _, _ in space.params]
    used = [(name, values) for name, _, values in space.params if name in names_of(tree)]
    try:
        function = compile_tree(tree, [name for name, _ in used])
    except (SyntaxError, ValueError):
        return False
    for row in itertools.product(*(values for _, values in used)):
        try:
            function(*row)
            return False
        except FAULTS:
            pass
        except NameError:
            return False  # a comprehension's variable
    return True


def may_be_refused(space):
    """True if some part of an expression faults whatever the configuration is: such a spec may be
    refused when it is loaded, even where nothing ever evaluates that part."""
    trees, derived = space.trees()
    for tree in trees + list(derived.values()):
        for node in [part for whole in ast.walk(tree) for part in links(whole)]:
            if isinstance(node, (ast.BinOp, ast.UnaryOp, ast.Compare, ast.Call, ast.Subscript)):
                if always_faults(space, node):
                    return True
    return False


def is_always_false(space, text):
    tree = space.trees()[0][space.constraints.index(text)]
    names = [name for name, _, _ in space.params]
    function = compile_tree(tree, names)
    for row in itertools.product(*(values for _, _, values in space.params)):
        try:
            if function(*row):
                return False
        except FAULTS:
            return False
    return True


def must_be_refused(space):
    """A constraint over literals and sizes of one value that is false."""
    constants = {name for name, values in space.sizes.items() if len(values) == 1}
    for text in space.constraints:
        if not names_of(parse(text)) - constants - set(NAMESPACE) - set(FUNCTIONS) and (
                is_always_false(space, text)):
            return True
    return False


# ---- The generator ------------------------------------------------------------------------------

WORDS = ["direct", "packed", "nhwc", "nchw", "row", "col", "f16", "bf16", "x_y"]
LARGE = [2**31, 2**32 + 1, 2**53 + 1, 2**62, INT_MAX, INT_MIN, -(2**40)]


class Generator:
    def __init__(self, rng, largest=600):
        self.rng = rng
        self.largest = largest
        self.kinds = {}  # name: "int", "float", "text", "any"
        self.positive = set()
        self.made = []

    # Domains

    def sizes(self, space):
        for name in ["M", "N"][: self.rng.choice([0, 0, 1, 1, 2])]:
            count = 1 if self.rng.random() < 0.8 else 2
            values = self.rng.sample([1, 2, 4, 6, 7, 8, 12, 16, 64], count)
            space.sizes[name] = values
            space.problem[name] = self.rng.choice(values)
            self.kinds[name] = "int"
            self.positive.add(name)

    def domain(self, space, room):
        rng = self.rng
        most = max(1, min(room, 9))
        count = rng.randint(1, most) if rng.random() < 0.9 else 1
        kind = rng.choices(["ints", "powers", "range", "comprehension", "sized", "floats", "bools",
                            "words", "mixed", "large", "nested"],
                           [22, 18, 18, 8, 6, 6, 5, 9, 4, 2, 2])[0]
        if kind == "range":
            start, step = rng.randint(-6, 12), rng.choice([1, 1, 1, 2, 3, 4, -1, -3])
            stop = start + step * count - (rng.randint(0, abs(step) - 1) if step > 0 else 0)
            text = f"range({start}, {stop}, {step})"
            if step == 1:
                text = rng.choice([text, f"range({start}, {stop})"])
            if start == 0 and step == 1:
                text = f"range({stop})"
            return rng.choice([text, json.dumps(text)]), list(eval(text))
        if kind == "comprehension":
            text = rng.choice([f"[2 ** i for i in range({count})]",
                               f"[i * i - 3 for i in range({count})]",
                               f"[i for i in range(-{count}, {2 * count}) if i % 3 == 0]",
                               f"[i * j for i in [1, 2] for j in range(1, {count // 2 + 2})]",
                               f"list(range(1, {count + 1})) + [0]"])
            return json.dumps(text), without_equals(eval(text))
        if kind == "sized" and "M" in space.problem:
            text = rng.choice(["[x for x in [1, 2, 4, 8, 16] if x <= M]",
                               "[1, 2, 3] if M >= 8 else [4, -5]", "range(1, min(M, 9) + 1)",
                               "[M, M // 2, 2 * M]", "[M % 5 + 1, 3.5]"])
            return json.dumps(text), without_equals(list(eval(text, dict(space.problem))))
        if kind == "floats":
            values = rng.sample([0.5, 1.0, 0.001, -2.25, 0.0, 3.0, 1e300, 0.1, 2.5, 16.0, 1e-7],
                                min(count, 5))
        elif kind == "bools":
            values = rng.choice([[True, False], [False, True], [True]])
        elif kind == "words":
            values = rng.sample(WORDS, min(count, 5))
        elif kind == "mixed":
            values = rng.sample([1, 0, "direct", "row", 2.5, True, None, -3, "f16", 4],
                                min(count, 5))
        elif kind == "large":
            values = rng.sample(LARGE + [1, 2, 3], min(count, 5))
        elif kind == "powers":
            values = sorted(rng.sample([1, 2, 4, 8, 16, 32, 64, 128], min(count, 8)))
        else:
            values = [rng.choice([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 24, 32, -1, -2, -7])
                      for _ in range(count)]
        if kind == "nested" and len(values) > 2:
            text = "[[" + ", ".join(map(scalar_yaml, values[:2])) + "], " + (
                ", ".join(map(scalar_yaml, values[2:]))) + "]"
        else:
            text = "[" + ", ".join(map(scalar_yaml, values)) + "]"
            if len(values) == 1 and values[0] is not None and rng.random() < 0.5:
                text = scalar_yaml(values[0])
        return text, without_equals(values)

    def learn(self, name, values):
        kinds = {type(value) for value in values}
        if kinds <= {int, bool}:
            self.kinds[name] = "int"
            if all(value > 0 for value in values):
                self.positive.add(name)
        elif kinds <= {int, bool, float}:
            self.kinds[name] = "float"
            if all(value > 0 for value in values):
                self.positive.add(name)
        elif kinds == {str}:
            self.kinds[name] = "text"
        else:
            self.kinds[name] = "any"

    # Expressions

    def name(self, *kinds):
        names = [name for name, kind in self.kinds.items() if kind in kinds]
        return self.rng.choice(names) if names else None

    def divisor(self, depth):
        rng = self.rng
        names = [name for name in self.positive if self.kinds[name] == "int"]
        if names and rng.random() < 0.6:
            return rng.choice(sorted(names))
        if rng.random() < 0.8:
            return str(rng.choice([1, 2, 3, 4, 5, 8, 16, -2, -3]))
        return f"({self.whole(depth - 1)})"

    def whole(self, depth):
        rng = self.rng
        if rng.random() < 0.02:
            return self.any(depth)
        if depth <= 0 or rng.random() < 0.25:
            name = self.name("int")
            if name and rng.random() < 0.75:
                return name
            return str(rng.choice([0, 1, 2, 3, 4, 5, 7, 8, 16, 32, 64, -1, -3]))
        sub = lambda: self.whole(depth - 1)
        word = self.name("text")
        choice = rng.randrange(26)
        if choice < 4:
            return f"{self.tight(depth)} * {self.tight(depth)}"
        if choice < 7:
            return f"({sub()} + {sub()})"
        if choice < 9:
            return f"({sub()} - {sub()})"
        if choice < 12:
            return f"{self.tight(depth)} % {self.divisor(depth)}"
        if choice < 14:
            return f"{self.tight(depth)} // {self.divisor(depth)}"
        if choice == 14:
            return rng.choice([f"min({sub()}, {sub()})", f"max({sub()}, {sub()}, {sub()})",
                               f"max([{sub()}, {sub()}])", f"sum([{sub()}, {sub()}, 1])"])
        if choice == 15:
            return f"abs({sub()})"
        if choice == 16:
            return f"len({word})" if word else "len([1, 2])"
        if choice == 17:
            return f"gcd({sub()}, {sub()})"
        if choice == 18:
            return f"({self.tight(depth)} {rng.choice('&|^')} {self.tight(depth)})"
        if choice == 19:
            shift = rng.choice(["1", "2", "3", f"({sub()} & 3)", f"abs({self.tight(depth)})"])
            return f"({self.tight(depth)} {rng.choice(['<<', '>>'])} {shift})"
        if choice == 20:
            return f"{rng.choice('~-+')}{self.tight(depth)}"
        if choice == 21:
            return f"{rng.choice(['ceil', 'floor', 'int'])}({self.number(depth - 1)})"
        if choice == 22:
            return f"({sub()} if {self.truth(depth - 1)} else {sub()})"
        if choice == 23:
            return f"{self.tight(depth)} ** {rng.choice(['2', '2', '3', '0'])}"
        if choice == 24:
            return rng.choice([f"[1, 2, 4, 8][{self.tight(depth)} % 4]",
                               f"[16, 32, -3][{self.tight(depth)} % 3 - 2]",
                               f"[7, 5][{self.truth(depth - 1)}]"])
        return f"int({self.truth(depth - 1)})"

    def tight(self, depth):
        text = self.whole(depth - 1)
        return text if text.isidentifier() or text.isdigit() else f"({text})"

    def number(self, depth):
        rng = self.rng
        if rng.random() < 0.4:
            return self.whole(depth)
        if depth <= 0 or rng.random() < 0.2:
            name = self.name("float", "int")
            if name and rng.random() < 0.7:
                return name
            return rng.choice(["0.5", "1.5", "-2.0", "1e3", "0.1", "3.0", "1e-3"])
        sub = lambda: f"({self.number(depth - 1)})"
        choice = rng.randrange(12)
        if choice < 4:
            return f"{sub()} / {self.divisor(depth)}"
        if choice < 7:
            return f"{sub()} {rng.choice(['+', '-', '*'])} {sub()}"
        if choice == 7:
            return f"{sub()} {rng.choice(['%', '//'])} {rng.choice(['0.5', '3', '2.5', '-1.5'])}"
        if choice == 8:
            base = rng.choice(sorted(self.positive)) if self.positive else "8"
            return f"log2({base})"
        if choice == 9:
            return f"float({sub()})"
        if choice == 10:
            return f"{sub()} ** {rng.choice(['2', '0.5', '-1', '3'])}"
        return rng.choice([f"min({sub()}, {sub()})", f"abs({sub()})", f"-{sub()}"])

    def any(self, depth):
        name = self.name("any", "text", "float", "int")
        return name or str(self.rng.randint(0, 9))

    def order(self):
        return self.rng.choice(["==", "!=", "<", "<=", ">", ">=", "<=", "=="])

    def truth(self, depth):
        rng = self.rng
        if self.made and rng.random() < 0.06:
            return f"({rng.choice(self.made)})"
        word, any_name = self.name("text"), self.name("any", "text", "int", "float")
        choice = rng.randrange(30)
        if word and choice < 4:
            other = repr(rng.choice(WORDS))
            return rng.choice([f"{word} {rng.choice(['==', '!=', '<', '>='])} {other}",
                               f"{word}.startswith({repr(rng.choice(['n', 'r', 'b', '']))})",
                               f"{word}.endswith({repr(rng.choice(['16', 'c', 'w']))})",
                               f"{repr(rng.choice(['o', '16', 'c']))} in {word}",
                               f"{word} in [{other}, 'direct', 'f16']", f"{word} not in ({other},)",
                               f"{word} == {self.name('text')}"])
        if any_name and choice < 6:
            values = rng.choice(["[1, 2, 4]", "[0, 'row', 2.5, True]", "[None, 'direct', 16]",
                                 "(1, 8)", "[]", "range(0, 20, 4)", "[2 ** i for i in range(5)]",
                                 f"[{self.whole(1)}, 3, {self.whole(1)}]"])
            return f"{any_name} {rng.choice(['in', 'not in'])} {values}"
        if any_name and choice < 7:
            return f"{any_name} {rng.choice(['==', '!='])} " + (
                rng.choice(["None", "'row'", "1", "True", "2.5", self.any(0)]))
        if choice < 12:
            return f"{self.whole(depth)} {self.order()} {self.whole(depth)}"
        if choice < 14:
            return f"{self.number(depth)} {self.order()} {self.number(depth)}"
        if choice < 16:
            return f"{self.whole(depth - 1)} {self.order()} {self.whole(depth - 1)} " + (
                f"{self.order()} {self.whole(depth - 1)}")
        if choice == 16:
            return rng.choice([f"divides({self.divisor(0)}, {self.whole(depth - 1)})",
                               f"pow2({self.whole(depth - 1)})", f"bool({self.whole(depth - 1)})"])
        if choice == 17:
            return self.whole(depth)
        if depth <= 0 or choice < 21:
            return self.usual()
        sub = lambda: self.truth(depth - 1)
        if choice < 24:
            return f"{sub()} and {sub()}"
        if choice < 27:
            return f"({sub()} or {sub()})"
        if choice == 27:
            return f"not ({sub()})"
        if choice == 28:
            return f"({sub()} if {sub()} else {sub()})"
        divisor = self.whole(1)
        return f"({divisor}) != 0 and {self.tight(1)} % ({divisor}) == {rng.choice('0012')}"

    def usual(self):
        """What tuners' constraints look like."""
        rng = self.rng
        names = [name for name, kind in self.kinds.items() if kind == "int"]
        if not names:
            return rng.choice(["True", "1 < 2", "not False"])
        a, b, c, d = (rng.choice(names) for _ in range(4))
        number = rng.choice([0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 100, 128, -4])
        factor = rng.choice([1, 1, 2, 3, 4, 8, 16, -1])
        return rng.choice([
            f"{a} * {b} <= {number}", f"{a} * {b} >= {number}", f"{a} * {b} == {number}",
            f"{a} == {b} * {c}", f"{a} == {b} * {factor}", f"{a} == {b} * {c} * {factor}",
            f"{b} * {c} == {a}", f"{a} == {b} + {c}", f"{a} + {b} == {number}",
            f"{a} - {b} == {rng.choice([0, 1, -1, 2])}", f"{a} * {factor} == {b}",
            f"{a} == {b} // {rng.choice([2, 3, 4])}", f"{b} % {rng.choice([2, 3, 4])} == {a}",
            f"{a} % {self.divisor(0)} == 0", f"{number} % {self.divisor(0)} == 0",
            f"{a} * {b} % {self.divisor(0)} == {rng.choice([0, 0, 1])}",
            f"({a} + {b}) % {rng.choice([2, 3, 5])} == {rng.choice([0, 1])}",
            f"{a} <= {b} <= {c}", f"{a} < {b}", f"{number} <= {a} * {b} <= {number * 4}",
            f"{a} * {b} + {c} * {d} < {number}", f"{a} % {self.divisor(0)} == {b}",
            f"{a} == {b} or {c} == {d}", f"{a} != {b}", f"{a} == {number}",
            f"{a} * {b} == {c} * {d}", f"({a} - {b}) * {c} > 0", f"{a} ** 2 == {b}",
            f"{a} == min({b}, {c})", f"max({a}, {b}) == {c}", f"{a} == abs({b})", f"{a} == -{b}",
            f"{a} << 1 == {b}", f"{b} >> 1 == {a}", f"{a} == {b} * {c} + {d}",
            f"{a} / {self.divisor(0)} == {b}", f"{a} * 0.5 <= {b}", f"{a} == {b} / 2",
            f"{a} * {factor} + {number} == {b} * {c}",
        ])

    def space(self):
        rng, space = self.rng, Space()
        self.sizes(space)
        room = self.largest
        for name in "ABCDEF"[: rng.choice([2, 3, 3, 4, 4, 5, 6])]:
            text, values = self.domain(space, room)
            room //= len(values)
            space.params.append((name, text, values))
            self.learn(name, values)
        rng.shuffle(space.params)
        for i in range(rng.choice([0, 0, 1, 2])):
            text = self.whole(2) if rng.random() < 0.7 else self.truth(1)
            space.derived.append((f"D{i}", text))
            self.kinds[f"D{i}"] = "int"
        for _ in range(rng.choice([0, 1, 1, 2, 2, 3, 4, 5])):
            text = self.usual() if rng.random() < 0.45 else self.truth(2)
            self.made.append(text)
            space.constraints.append(text)
        return space


def make_space(seed):
    """Mostly one that has solutions."""
    rng = random.Random(seed)
    while True:
        space = Generator(rng).space()
        expected = brute_force(space)
        if expected.rows is None and rng.random() < 0.8:
            continue
        if expected.rows == [] and not expected.masked and rng.random() < 0.7:
            continue
        return space, expected


# ---- Asking Hone --------------------------------------------------------------------------------


class Mismatch(Exception):
    pass


class Hone:
    def __init__(self, program, folder):
        self.program = program
        self.folder = folder

    def write(self, key, text):
        path = os.path.join(self.folder, f"{key}.yaml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def ask(self, path, *options):
        result = subprocess.run([self.program, "space", path, "-q", *options], timeout=120,
                                stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if result.returncode not in (0, 1, 2) or "Sanitizer" in result.stderr:
            raise Mismatch(f"{' '.join(options)}: exit {result.returncode}\n{result.stderr}")
        return result


def problem_options(space):
    if not any(len(values) > 1 for values in space.sizes.values()):
        return []
    return ["--problem", ",".join(f"{n}={v}" for n, v in space.problem.items())]


def strict(value):
    """1, 1.0 and True are not the same here."""
    return (type(value).__name__, repr(value))


def read_rows(space, text):
    names = [name for name, _, _ in space.params]
    return [tuple(json.loads(line)[name] for name in names) for line in text.splitlines()]


def same_rows(a, b):
    return [tuple(map(strict, row)) for row in a] == [tuple(map(strict, row)) for row in b]


def describe(rows, limit=12):
    if rows is None:
        return "an error"
    return f"{len(rows)} rows: {rows[:limit]}{' ...' if len(rows) > limit else ''}"


def check_list(hone, space, expected, path, options, solver):
    """Returns what became of it; raises a Mismatch."""
    result = hone.ask(path, "--list", "--format", "json", *options)
    if solver == "z3" and result.returncode != 0 and (
            "cannot be passed to Z3" in result.stderr or "Z3 gave up" in result.stderr):
        return "skipped"
    if result.returncode == 2:
        if "always false" in result.stderr:
            if expected.rows == []:
                return "refused"
        elif expected.rows is None or may_be_refused(space):
            return "refused"
        raise Mismatch(f"{solver}: expected {describe(expected.rows)}\n"
                       f"got an error: {result.stderr}")
    if expected.rows is None:
        raise Mismatch(f"{solver}: expected an error, as for {expected.fault}\n"
                       f"got exit {result.returncode}: {result.stdout[:1500]}{result.stderr}")
    rows = read_rows(space, result.stdout)
    if not same_rows(rows, expected.rows):
        missing = [row for row in expected.rows if row not in rows]
        extra = [row for row in rows if row not in expected.rows]
        raise Mismatch(f"{solver}: expected {describe(expected.rows)}\ngot {describe(rows)}\n"
                       f"missing: {missing[:5]}\nextra: {extra[:5]}\n"
                       f"{result.stderr}")
    if result.returncode != (0 if rows else 1):
        raise Mismatch(f"{solver}: exit {result.returncode} with {len(rows)} rows")
    if must_be_refused(space):
        raise Mismatch("a constraint is false without any parameter, but nothing says so")
    check_derived(space, rows, result.stdout)
    return "solved"


def check_derived(space, rows, text):
    names = [name for name, _, _ in space.params]
    _, derived = space.trees()
    functions = {name: compile_tree(tree, names) for name, tree in derived.items()}
    for row, line in list(zip(rows, text.splitlines()))[:20]:
        printed = json.loads(line)
        for name, function in functions.items():
            try:
                value = function(*row)
            except FAULTS:
                value = None
            if isinstance(value, float) and not math.isfinite(value):
                continue  # JSON has no such number
            if strict(printed.get(name)) != strict(value):
                raise Mismatch(f"derived {name} of {row}: expected {value!r}, got "
                               f"{printed.get(name)!r}")


def as_option(space, row):
    return ",".join(f"{name}={value}" for (name, _, _), value in zip(space.params, row))


def check_questions(hone, space, expected, path, options, rng):
    rows = expected.rows
    count = hone.ask(path, "--count", *options).stdout.strip()
    if count != str(len(rows)):
        raise Mismatch(f"--count: expected {len(rows)}, got {count}")
    if not rows:
        return
    index = rng.randrange(len(rows))
    got = read_rows(space, hone.ask(path, "--at", str(index), "-f", "json", *options).stdout)
    if not same_rows(got, [rows[index]]):
        raise Mismatch(f"--at {index}: expected {rows[index]}, got {got}")
    if hone.ask(path, "--at", str(len(rows)), *options).returncode == 0:
        raise Mismatch(f"--at {len(rows)} is not refused")
    got = hone.ask(path, "--index-of", as_option(space, rows[index]), *options).stdout.strip()
    if got != str(index):
        raise Mismatch(f"--index-of {rows[index]}: expected {index}, got {got}")
    any_row = tuple(rng.choice(values) for _, _, values in space.params)
    legal = set(map(lambda row: tuple(map(strict, row)), rows))
    is_legal = tuple(map(strict, any_row)) in legal
    got = hone.ask(path, "--index-of", as_option(space, any_row), *options)
    if (got.returncode == 0) != is_legal:
        raise Mismatch(f"--index-of {any_row}: legal is {is_legal}, exit {got.returncode}: "
                       f"{got.stdout}{got.stderr}")
    got = hone.ask(path, "--explain", as_option(space, any_row), "-f", "json", *options)
    explained = json.loads(got.stdout)
    if explained["legal"] != is_legal:
        raise Mismatch(f"--explain {any_row}: legal is {is_legal}, got {got.stdout}")
    for start in (rows[index], any_row):
        near = [row for row in rows
                if sum(strict(a) != strict(b) for a, b in zip(row, start)) == 1]
        got = hone.ask(path, "--neighbours", as_option(space, start), "-f", "json", *options)
        found = read_rows(space, got.stdout)
        if not same_rows(sorted(near, key=repr), sorted(found, key=repr)):
            raise Mismatch(f"--neighbours {start}: expected {near}, got {found}")
    size = rng.choice([1, len(rows) // 2 + 1, len(rows) + 5])
    got = hone.ask(path, "--sample", str(size), "--seed", "3", "-f", "json", *options)
    sample = [tuple(map(strict, row)) for row in read_rows(space, got.stdout)]
    if len(set(sample)) != len(sample) or len(sample) != min(size, len(rows)) or (
            not set(sample) <= legal):
        raise Mismatch(f"--sample {size}: {sample}")


def check(hone, key, space, expected, with_z3, with_questions):
    path = hone.write(key, space.yaml())
    options = problem_options(space)
    outcome = check_list(hone, space, expected, path, options, "native")
    rng = random.Random(key)
    if outcome == "solved" and with_questions:
        check_questions(hone, space, expected, path, options, rng)
    outcomes = [outcome]
    if with_z3 and outcome != "refused":
        outcomes.append("z3 " + check_list(hone, space, expected, path,
                                           options + ["--solver", "z3"], "z3"))
    return outcomes


# ---- Making a failing space smaller -------------------------------------------------------------


def fails(hone, key, space, with_z3):
    try:
        if any(not values for _, _, values in space.params):
            return False
        check(hone, key, space, brute_force(space), with_z3, True)
        return False
    except Mismatch:
        return True
    except Exception:
        return False


def copy_of(space):
    other = Space()
    other.sizes, other.problem = dict(space.sizes), dict(space.problem)
    other.params, other.derived = list(space.params), list(space.derived)
    other.constraints = list(space.constraints)
    return other


def smaller(space):
    used = {name for text in space.constraints + [text for _, text in space.derived]
            for name in names_of(parse(text))}
    for i in range(len(space.constraints)):
        other = copy_of(space)
        del other.constraints[i]
        yield other
    for i, text in enumerate(space.constraints):
        tree = parse(text)
        for node in ast.iter_child_nodes(tree):
            if isinstance(node, ast.expr):
                other = copy_of(space)
                other.constraints[i] = ast.unparse(node)
                yield other
    for i, (name, _) in enumerate(space.derived):
        if name not in used:
            other = copy_of(space)
            del other.derived[i]
            yield other
    for i, (name, _, values) in enumerate(space.params):
        if name not in used and len(space.params) > 1:
            other = copy_of(space)
            del other.params[i]
            yield other
        for k in range(len(values) if len(values) > 1 else 0):
            kept = values[:k] + values[k + 1:]
            other = copy_of(space)
            other.params[i] = (name, "[" + ", ".join(map(scalar_yaml, kept)) + "]", kept)
            yield other


def shrink(hone, key, space, with_z3, tries=300):
    found = True
    while found and tries > 0:
        found = False
        for other in smaller(space):
            tries -= 1
            if tries <= 0:
                break
            if fails(hone, key, other, with_z3):
                space, found = other, True
                break
    return space


# ---- Larger spaces ------------------------------------------------------------------------------


def large_space(rng):
    """Equality and divisibility chains, of which a part of the variables determines the rest."""
    space = Space()
    bases, rules = [], []
    long = lambda top: (f"range(1, {top})", list(range(1, top)))
    short = [[1, 2, 4, 8], [1, 2, 3], [2, 4, 6, 12], [0, 1], [1, 3, 5, 7], [16, 32], [1, -1, 2]]
    for i in range(rng.randint(3, 5)):
        values = rng.choice(short)
        name = f"b{i}"
        space.params.append((name, str(values), values))
        bases.append(name)
    space.sizes = {"M": [rng.choice([256, 384, 1024, 1280])]}
    space.problem = {"M": space.sizes["M"][0]}
    names = list(bases)
    for i in range(rng.randint(2, 5)):
        top = rng.choice([64, 300, 513, 2049, 5000])
        a, b = rng.choice(names), rng.choice(names)
        k = rng.choice([1, 2, 3, 8, 16])
        name = f"v{i}"
        text, values = long(top)
        rules.append((name, rng.choice([f"{a} * {b} * {k}", f"{a} * {k} + {b}", f"{a} * {b}",
                                        f"{a} + {b} + {k}", f"max({a}, {b}) * {k}",
                                        f"({a} + {b}) * {k}"])))
        space.params.append((name, text, values))
        names.append(name)
    for name, meaning in rules:
        space.constraints.append(rng.choice([f"{name} == {meaning}", f"{meaning} == {name}",
                                             f"0 == {name} - ({meaning})" if rng.random() < 0.3
                                             else f"{name} == {meaning}"]))
    for _ in range(rng.randint(1, 3)):
        a, b = rng.choice(names), rng.choice(names)
        divisor = rng.choice([name for name, _, values in space.params if 0 not in values])
        space.constraints.append(rng.choice([
            f"M % {divisor} == 0", f"{a} % {divisor} == 0", f"{a} * {b} <= {rng.choice([64, 900])}",
            f"{a} <= {b}", f"{a} != {b}", f"{rng.choice([2, 8])} <= {a} <= M",
            f"{a} * {b} * 4 <= M * 16", f"divides({divisor}, M)", f"({a} + {b}) % 2 == 0",
            f"{a} % 16 == 0 or {b} % 3 == 0"]))
    rng.shuffle(space.constraints)
    return space, bases, rules


def solve_large(space, bases, rules):
    """Binds the bases by brute force and computes the rest."""
    by_name = {name: values for name, _, values in space.params}
    order = bases + [name for name, _ in rules]
    meanings = {name: literal(value) for name, value in space.problem.items()}
    trees = [Inline(meanings).visit(parse(text)) for text in space.constraints]
    compute = [(name, set(by_name[name]), compile_tree(parse(text), order[:order.index(name)]))
               for name, text in rules]
    tests = [compile_tree(tree, order) for tree in trees]
    places = [order.index(name) for name, _, _ in space.params]
    position = [{v: i for i, v in enumerate(values)} for _, _, values in space.params]
    rows = []
    for start in itertools.product(*(by_name[name] for name in bases)):
        row = list(start)
        for _, domain, function in compute:
            value = function(*row)
            if value not in domain:
                break
            row.append(value)
        else:
            if all(test(*row) for test in tests):
                rows.append(tuple(row[place] for place in places))
    rows.sort(key=lambda row: [places_of[v] for places_of, v in zip(position, row)])
    return rows


def check_large(hone, seed):
    rng = random.Random(f"large {seed}")
    rows = []
    while not rows:
        space, bases, rules = large_space(rng)
        rows = solve_large(space, bases, rules)
    for _ in range(3):
        expected = Expected(solve_large(space, bases, rules), None)
        path = hone.write(f"large{seed}", space.yaml())
        result = hone.ask(path, "--list", "--format", "json")
        rows = read_rows(space, result.stdout)
        if result.returncode == 2 or not same_rows(rows, expected.rows):
            return space, (f"expected {describe(expected.rows)}\ngot exit {result.returncode}, "
                           f"{describe(rows)}\n{result.stderr}")
        rng.shuffle(space.params)
    return None


# ---- The run ------------------------------------------------------------------------------------


def run_one(hone, seed, with_z3, with_questions):
    """None, or a report of what failed; and the outcomes."""
    space, expected = make_space(seed)
    try:
        return None, check(hone, seed, space, expected, with_z3, with_questions)
    except Mismatch as mismatch:
        report = f"seed {seed}:\n{space.yaml()}{' '.join(problem_options(space))}\n{mismatch}"
        less = shrink(hone, f"{seed}-less", space, with_z3)
        try:
            check(hone, f"{seed}-less", less, brute_force(less), with_z3, True)
        except Mismatch as again:
            report += f"\nsmaller:\n{less.yaml()}{again}"
        return report, ["failed"]


def run_large(hone, seed):
    failure = check_large(hone, seed)
    if failure is None:
        return None, ["large"]
    space, text = failure
    return f"large {seed}:\n{space.yaml()}{text}", ["failed"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--hone", default=os.environ.get("HONE", "build/cli/hone"))
    parser.add_argument("--seed", type=int, default=1, help="of the first space")
    parser.add_argument("--count", type=int, default=1500)
    parser.add_argument("--z3", type=int, default=0, help="how many of them Z3 solves too")
    parser.add_argument("--large", type=int, default=0, help="how many larger spaces")
    parser.add_argument("--questions", type=int, default=8, help="ask all of every n-th space")
    parser.add_argument("--failures", type=int, default=3, help="stop after so many")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--show", action="store_true", help="print the first space only")
    options = parser.parse_args()
    if options.show:
        print(make_space(options.seed)[0].yaml(), end="")
        return 0
    outcomes, failures = collections.Counter(), 0
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        hone = Hone(options.hone, folder)
        tasks = [pool.submit(run_one, hone, options.seed + i, i < options.z3,
                             i % options.questions == 0) for i in range(options.count)]
        tasks += [pool.submit(run_large, hone, options.seed + i) for i in range(options.large)]
        for task in concurrent.futures.as_completed(tasks):
            report, found = task.result()
            outcomes.update(found)
            if report:
                failures += 1
                print(report, end="\n\n")
                if failures >= options.failures:
                    for other in tasks:
                        other.cancel()
                    break
    print(", ".join(f"{count} {name}" for name, count in sorted(outcomes.items())))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
