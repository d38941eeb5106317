"""A transpose with Numba: the sides of its tiles. Numba compiles each candidate in the process that measures it."""
import hone
import numba
import numpy as np


@numba.njit
def tiles(a, out, rows, columns):
    n, m = a.shape
    for i in range(0, n, rows):
        for j in range(0, m, columns):
            for k in range(i, min(i + rows, n)):
                for l in range(j, min(j + columns, m)):
                    out[l, k] = a[k, l]


@hone.autotune(params={"ROWS": [1, 4, 16, 64, 256], "COLUMNS": [1, 4, 16, 64, 256]}, constraints="ROWS * COLUMNS <= 4096",
               key=["a"], baseline={"ROWS": 1, "COLUMNS": 256})
def transpose(a, out, *, ROWS, COLUMNS):
    tiles(a, out, ROWS, COLUMNS)


a = np.random.default_rng(1).random((1024, 1024), dtype=np.float32)
out = np.empty_like(a)
transpose(a, out)
assert (out == a.T).all()
print(transpose.result().sentence)
