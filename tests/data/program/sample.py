# Writes what kbench's bencher_utils write: seconds, and lines that end with CR LF.
import csv
import sys

arguments = dict(word[2:].split("=", 1) for word in sys.argv[1:] if word.startswith("--"))
m, n, k = (int(size) for size in arguments["shape"].split("x"))
name = f"gemm/dtype={arguments['dtype']}/m={m}/n={n}/k={k}/stages={arguments['stages']}"
with open(sys.argv[sys.argv.index("-o") + 1], "w", newline="") as file:
    file.write("name,met (s),iters,Arithmetic (GFLOPS/s)\r\n")
    file.write(f'"{name}",0.1,1,{2 * m * n * k * 1e-9 / 0.1}\r\n')
print("name,met (s),iters")
