"""A matrix product in plain Python, in three ways, as a program that measures itself.

    python3 matmul.py --WAY=columns --BLOCK=16 --n=48

It prints the mean time of a product as one line of JSON. A wrong product ends it with status 1."""
import json
import sys
import time


def rows_times_columns(a, b, n, block):
    columns = list(zip(*b))
    return [[sum(x * y for x, y in zip(row, column)) for column in columns] for row in a]


def plain(a, b, n, block):
    return [[sum(a[i][k] * b[k][j] for k in range(n)) for j in range(n)] for i in range(n)]


def blocked(a, b, n, block):
    c = [[0.0] * n for _ in range(n)]
    for kk in range(0, n, block):
        for i in range(n):
            row, out = a[i], c[i]
            for k in range(kk, min(kk + block, n)):
                x, other = row[k], b[k]
                for j in range(n):
                    out[j] += x * other[j]
    return c


WAYS = {"plain": plain, "columns": rows_times_columns, "blocked": blocked}


def main():
    given = dict(word[2:].split("=", 1) for word in sys.argv[1:] if word.startswith("--"))
    n, block, way = int(given["n"]), int(given["BLOCK"]), WAYS[given["WAY"]]
    a = [[float(i * j % 7) for j in range(n)] for i in range(n)]
    b = [[float((i + j) % 5) for j in range(n)] for i in range(n)]
    if way(a, b, n, block) != plain(a, b, n, block):
        sys.exit("matmul: the product is wrong")
    repeats = 5
    start = time.perf_counter()
    for _ in range(repeats):
        way(a, b, n, block)
    seconds = (time.perf_counter() - start) / repeats
    print(json.dumps({"time_s": seconds, "iters": repeats, "GFLOP/s": 2e-9 * n**3 / seconds}))


main()
