#!/usr/bin/env python3
"""values.py FOLDER COUNT: arrays of every type for kernels/types.kernel, as .npy files.

in_T, inout_T, turned_T (inout_T the other way round) have COUNT elements, said_T has the one that is passed by
value. A line `T VALUE` for each type on standard output, in the order of the kernel's arguments.
"""
import struct
import sys


def integer(code, low, high):
    """Whole numbers all over the type's range, its ends among them."""
    span = high - low + 1
    return lambda i: struct.pack("<" + code, low + (i * 0x9E3779B97F4A7C15 + (high if i == 1 else 0)) % span)


def real(code):
    return lambda i: struct.pack("<" + code, ((i * 37) % 101 - 50) / 8)


def bf16(i):
    return struct.pack("<f", ((i * 37) % 101 - 50) / 8)[2:]


def byte(low, count):
    return lambda i: bytes([low + (i * 7) % count])


# type, numpy's descr, the i-th element, what is passed by value, its bytes
TYPES = [
    ("i8", "|i1", integer("b", -2**7, 2**7 - 1), "-127", struct.pack("<b", -127)),
    ("i16", "<i2", integer("h", -2**15, 2**15 - 1), "-32767", struct.pack("<h", -32767)),
    ("i32", "<i4", integer("i", -2**31, 2**31 - 1), "-2147483647", struct.pack("<i", -2147483647)),
    ("i64", "<i8", integer("q", -2**63, 2**63 - 1), "-9223372036854775807", struct.pack("<q", -2**63 + 1)),
    ("u8", "|u1", integer("B", 0, 2**8 - 1), "255", struct.pack("<B", 255)),
    ("u16", "<u2", integer("H", 0, 2**16 - 1), "65535", struct.pack("<H", 65535)),
    ("u32", "<u4", integer("I", 0, 2**32 - 1), "4294967295", struct.pack("<I", 2**32 - 1)),
    ("u64", "<u8", integer("Q", 0, 2**64 - 1), "18446744073709551615", struct.pack("<Q", 2**64 - 1)),
    ("f16", "<f2", real("e"), "1.5", struct.pack("<e", 1.5)),
    ("bf16", "<V2", bf16, "1.5", struct.pack("<f", 1.5)[2:]),
    ("f32", "<f4", real("f"), "-2.25", struct.pack("<f", -2.25)),
    ("f64", "<f8", real("d"), "1e300", struct.pack("<d", 1e300)),
    ("f8e4m3", "|V1", byte(0x20, 0x50), "1.5", b"\x3c"),
    ("f8e5m2", "|V1", byte(0x20, 0x50), "1.5", b"\x3e"),
    ("bool", "|b1", byte(0, 2), "true", b"\x01"),
]


def save(path, descr, elements):
    head = "{'descr': '%s', 'fortran_order': False, 'shape': (%d,), }" % (descr, len(elements))
    head += " " * (-(11 + len(head)) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + b"".join(elements))


folder, count = sys.argv[1], int(sys.argv[2])
for name, descr, element, value, bits in TYPES:
    inout = [element(i + 5) for i in range(count)]
    save(f"{folder}/in_{name}.npy", descr, [element(i) for i in range(count)])
    save(f"{folder}/inout_{name}.npy", descr, inout)
    save(f"{folder}/turned_{name}.npy", descr, inout[::-1])
    save(f"{folder}/said_{name}.npy", descr, [bits])
    print(name, value)
