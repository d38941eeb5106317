#!/usr/bin/env python3
"""onnx.py KIND: writes a small ONNX model to standard output, without the package onnx.

fixed    the product of x[64, 128] and w[128, 64], in a graph called "torch-jit-export"
dynamic  that of x[batch, ?, 128] and w[batch, 128, 64]; "unused" is an input with an initial value
twice    that of x[batch, n] and w[n, batch]
slash    as fixed; the name of the graph has signs that names of files and patterns cannot have
unknown  as fixed, with an operation that there is not
"""
import sys


def number(value):
    out = b""
    while value > 0x7f:
        out += bytes([value & 0x7f | 0x80])
        value >>= 7
    return out + bytes([value])


def field(key, value):  # of onnx.proto
    if isinstance(value, int):
        return number(key << 3) + number(value)
    value = value.encode() if isinstance(value, str) else value
    return number(key << 3 | 2) + number(len(value)) + value


def value_info(name, dims):  # f32
    shape = b"".join(field(1, field(1 if isinstance(d, int) else 2, d)) for d in dims)
    return field(1, name) + field(2, field(1, field(1, 1) + field(2, shape)))


def model(graph_name, operation, x, w, y, extra=b""):
    node = field(1, "x") + field(1, "w") + field(2, "y") + field(3, "the node") + field(4, operation)
    graph = (field(1, node) + field(2, graph_name) + extra + field(11, value_info("x", x)) +
             field(11, value_info("w", w)) + field(12, value_info("y", y)))
    return field(1, 8) + field(2, "onnx.py") + field(7, graph) + field(8, field(2, 17))


SIZES = [64, 128], [128, 64], [64, 64]
UNUSED = field(5, field(1, 1) + field(2, 1) + field(8, "unused") + field(9, b"\0\0\0\0")) + field(
    11, value_info("unused", [1]))
MODELS = {
    "fixed": model("torch-jit-export", "MatMul", *SIZES),
    "dynamic": model("main_graph", "MatMul", ["batch", "?", 128], ["batch", 128, 64],
                     ["batch", "?", 64], UNUSED),
    "twice": model("main_graph", "MatMul", ["batch", "n"], ["n", "batch"], ["batch", "batch"]),
    "slash": model("a model/of $x.y", "MatMul", *SIZES),
    "unknown": model("main_graph", "NoSuchOperation", *SIZES),
}
sys.stdout.buffer.write(MODELS[sys.argv[1]])
