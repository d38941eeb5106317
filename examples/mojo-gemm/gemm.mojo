# A matrix product in blocks, measured with the standard library's Bench. By itself:
#   mojo build -D BM=64 -D BN=64 gemm.mojo -o gemm && ./gemm --pad=8 -o gemm.csv
from std.benchmark import (
    Bench,
    BenchConfig,
    Bencher,
    BenchId,
    BenchMetric,
    ThroughputMeasure,
)
from std.os import abort, getenv
from std.sys import argv, get_defined_int

comptime N = 256
comptime BM = get_defined_int["BM", 64]()
comptime BN = get_defined_int["BN", 64]()
comptime BK = get_defined_int["BK", 32]()

comptime WIDTH = 8  # elements of a vector

comptime Matrix = List[Float32]


def argument(name: String, default: Int) raises -> Int:
    """A runtime parameter: `--name=value`, or KBENCH_ARG_name of a library."""
    var prefix = String("--", name, "=")
    for word in argv():
        var text = String(word)
        if text.startswith(prefix):
            return Int(text[byte=prefix.byte_length() :])
    var value = getenv(String("KBENCH_ARG_", name))
    return Int(value) if value else default


def gemm(row: Int, a: Matrix, b: Matrix, mut c: Matrix):
    """C = A B, where `row` elements lie between the beginnings of rows."""
    comptime assert N % BM == 0, "BM must divide N"
    comptime assert N % BN == 0, "BN must divide N"
    comptime assert N % BK == 0, "BK must divide N"
    var left = a.unsafe_ptr()
    var right = b.unsafe_ptr()
    var sum = c.unsafe_ptr()
    for i in range(N * row):
        c[i] = 0
    for i0 in range(0, N, BM):
        for k0 in range(0, N, BK):
            for j0 in range(0, N, BN):
                for i in range(i0, i0 + BM):
                    for k in range(k0, k0 + BK):
                        var x = left[unsafe_offset=i * row + k]
                        for j in range(j0, j0 + BN, WIDTH):
                            var y = right.unsafe_load[width=WIDTH](k * row + j)
                            var z = sum.unsafe_load[width=WIDTH](i * row + j)
                            sum.unsafe_store(i * row + j, z + x * y)


def main() raises:
    var row = N + argument("pad", 0)
    var a = Matrix(length=N * row, fill=1.5)
    var b = Matrix(length=N * row, fill=2.0)
    var c = Matrix(length=N * row, fill=0.0)

    def measure(mut bencher: Bencher) raises {mut}:
        def call() {mut}:
            gemm(row, a, b, c)

        bencher.iter(call)

    var bench = Bench(BenchConfig(max_iters=20))
    bench.bench_function(
        measure,
        BenchId(String("gemm/BM=", BM, "/BN=", BN, "/pad=", row - N)),
        [ThroughputMeasure(BenchMetric.flops, 2 * N * N * N)],
    )
    if c[N - 1] != Float32(3 * N):
        abort("the product is wrong")
    bench.dump_report()
