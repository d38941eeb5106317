"""A matrix product in plain Python that answers Hone's requests: see hone-serve(7).

Imports and the making of the inputs are paid once, not once per configuration. Only the standard
library is needed.
"""
import json
import os
import random
import sys
import time

# Answers go to the first standard output. What anything else prints is kept as text of the candidate.
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)


def answer(request, **fields):
    print(json.dumps({"id": request["id"], **fields}), file=answers, flush=True)


def plain(a, b, n, block):
    return [[sum(a[i][k] * b[k][j] for k in range(n)) for j in range(n)] for i in range(n)]


def columns(a, b, n, block):
    across = list(zip(*b))
    return [[sum(map(lambda x, y: x * y, row, column)) for column in across] for row in a]


def blocked(a, b, n, block):
    c = [[0.0] * n for _ in range(n)]
    for first in range(0, n, block):
        for row, out in zip(a, c):
            for k in range(first, min(first + block, n)):
                x = row[k]
                for j, y in enumerate(b[k]):
                    out[j] += x * y
    return c


ways = {"plain": plain, "columns": columns, "blocked": blocked}


class Matrices:
    def __init__(self, n, seed):
        draw = random.Random(seed)
        self.n = n
        self.a = [[draw.random() for _ in range(n)] for _ in range(n)]
        self.b = [[draw.random() for _ in range(n)] for _ in range(n)]
        self.expected = plain(self.a, self.b, n, n)

    def multiply(self, config):
        return ways[config["WAY"]](self.a, self.b, self.n, config["BLOCK"])


def check(request, matrices):
    got = matrices.multiply(request["config"])
    worst = max(abs(x - y) for rows in zip(got, matrices.expected) for x, y in zip(*rows))
    if worst < 1e-9:
        answer(request)
    else:
        answer(request, outcome="wrong_result", text=f"the largest error is {worst:.3g}")


def measure(request, matrices):
    samples = []
    for _ in range(request["samples"]):
        begin = time.perf_counter_ns()
        matrices.multiply(request["config"])
        samples.append(time.perf_counter_ns() - begin)
    flop = 2 * matrices.n**3
    answer(request, samples_ns=samples, metrics={"mflops": 1e3 * flop / min(samples)})


def main():
    matrices = None
    for line in sys.stdin:
        request = json.loads(line)
        if request["type"] == "hello":
            matrices = Matrices(request["problem"]["n"], request["seed"])
            answer(request, version=1, name="blocks.py", build=False)
        elif request["type"] == "check":
            check(request, matrices)
        elif request["type"] == "measure":
            measure(request, matrices)
        elif request["type"] == "bye":
            break


main()
