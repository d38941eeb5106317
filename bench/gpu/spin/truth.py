#!/usr/bin/env python3
"""Says how long the configurations of spin.yaml take, by the kernel's own account.

    bench/gpu/spin/truth.py CONFIG...

A CONFIG is NS=2000,BY=cycles. The kernel counts the cycles from its first to its last instruction.
What a cycle takes is found by a spin of 20 ms, which counts cycles and the GPU's timer: a step of
the timer (which is printed too) is nothing in that. Clocks are awake: a fifth of a second of
spinning comes first. So a duration is right to a few nanoseconds; what it takes to start a kernel
and to end it is not in it. One JSON object goes to standard output: `ghz`, `timer_step_ns`, and
`known_ns`, the median of 200 launches of each.
"""

import json
import pathlib
import statistics
import struct
import sys
from ctypes import c_longlong

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from gpu import CudaError, Gpu, Nvrtc

LAUNCHES, LONG_MS, CLOCK_KHZ = 200, 20, 13
STEPS = """
extern "C" __global__ void steps(unsigned long long *out)
{
  unsigned long long last, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(last));
  for (int i = 0; i < 64; last = now) {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    if (now != last) out[i++] = now - last;
  }
}
"""


class Spin:
    def __init__(self):
        self.gpu, self.nvrtc = Gpu(), Nvrtc()
        self.report = self.gpu.allocate(64 * 8)
        self.source = (HERE / "spin.cu").read_text()
        self.mhz = self.gpu.attribute(CLOCK_KHZ) // 1000

    def compile(self, source, entry, *defines):
        options = [f"--gpu-architecture={self.gpu.arch}", *defines]
        return self.gpu.load(self.nvrtc.compile(source, "spin.cu", options), entry)

    def step_ns(self):
        """The least by which the timer moves."""
        kernel = self.compile(STEPS, "steps")
        self.gpu.launch(kernel, [1] * 3, [1] * 3, 0, [self.report])
        return min(struct.unpack("<64Q", self.gpu.read(self.report, 64 * 8)))

    def once(self, kernel, cycles):
        """(cycles, nanoseconds of the timer)."""
        self.gpu.launch(kernel, [1] * 3, [1] * 3, 0, [c_longlong(cycles), self.report])
        return struct.unpack("<2Q", self.gpu.read(self.report, 16))

    def ghz(self):
        kernel = self.compile(self.source, "spin", "-DNS=0", "-DBY=cycles")
        counts = [self.once(kernel, LONG_MS * 1000 * self.mhz) for _ in range(15)]
        return statistics.median(cycles / ns for cycles, ns in counts[10:])

    def cycles(self, config):
        values = dict(pair.split("=", 1) for pair in config.split(","))
        defines = [f"-D{name}={value}" for name, value in values.items()]
        kernel = self.compile(self.source, "spin", *defines)
        wanted = int(values["NS"]) * self.mhz // 1000
        return statistics.median(self.once(kernel, wanted)[0] for _ in range(LAUNCHES))


def main():
    try:
        spin = Spin()
        ghz = spin.ghz()
        known = {config: spin.cycles(config) / ghz for config in sys.argv[1:]}
        print(json.dumps({"ghz": ghz, "timer_step_ns": spin.step_ns(), "known_ns": known}))
    except CudaError as error:
        sys.exit(f"bench: {error}")


if __name__ == "__main__":
    main()
