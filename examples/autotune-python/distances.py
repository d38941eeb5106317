"""Distances between points, with NumPy: how many rows at a time, and by which formula?

The first run tunes; later ones use what was found.
"""
import sys
import time

import hone
import numpy as np


def reference(a, b):
    return np.sqrt(((a[:, None, :].astype(np.float64) - b[None, :, :]) ** 2).sum(axis=2)).astype(a.dtype)


@hone.autotune(params={"ROWS": [1, 8, 64, 512], "FORMULA": ["difference", "product"]}, reference=reference,
               rtol=1e-3, baseline={"ROWS": 8, "FORMULA": "difference"})
def distances(a, b, *, ROWS, FORMULA):
    result = np.empty((len(a), len(b)), a.dtype)
    squares = (b * b).sum(axis=1)
    for first in range(0, len(a), ROWS):
        rows = a[first : first + ROWS]
        if FORMULA == "difference":
            squared = ((rows[:, None, :] - b[None, :, :]) ** 2).sum(axis=2)
        else:
            squared = (rows * rows).sum(axis=1)[:, None] + squares - 2 * rows @ b.T
        np.sqrt(np.maximum(squared, 0, out=squared), out=result[first : first + ROWS])
    return result


random = np.random.default_rng(1)
a, b = (random.random((512, 8), dtype=np.float32) for _ in range(2))
begin = time.perf_counter()
distances(a, b)
print(f"first call: {time.perf_counter() - begin:.3f} s")
print(distances.result().sentence)
print("uses", distances.best(a, b), file=sys.stderr)
