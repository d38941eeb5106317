"""Work beside a measurement: what other users of a machine do.

    with Load("compilers", folder):
        ...

Each load is a few processes. They are bounded (processor time, memory), they have a group of their
own that is killed in the end, whatever the end is, and they die with us even if we are killed.
"""

import ctypes
import os
import pathlib
import random
import resource
import signal
import subprocess
import time

PR_SET_PDEATHSIG = 1
MOST_CPU_S = 4 * 3600  # of one process of a load
MOST_BYTES = 1 << 30  # of address space
HOG_BYTES = 192 << 20  # far more than a cache, far less than a machine

# A source that keeps a compiler busy for about a second.
SOURCE = "\n".join(
    f"double f{i}(double *x, int n) {{ double s = {i}; for (int i = 0; i < n; i++)"
    f" s += x[i] * x[(i * {i + 3}) % n] / (s + {i}); return s; }}"
    for i in range(150)
)


# ---- What one process does -----------------------------------------------------------------------


def work_for(seconds, copies, block):
    """Arithmetic, or copies that empty the caches."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        bytes(block[: 1 << 20]) if copies else sum(range(2000))


def bursts(dice, folder):
    """Bursts of 1 to some 100 ms, half of the time."""
    block = bytearray(16 << 20)
    while True:
        work_for(0.001 + dice.expovariate(1 / 0.04), dice.random() < 0.5, block)
        time.sleep(0.001 + dice.expovariate(1 / 0.04))


def minutes(dice, folder):
    """The same, but for half a minute to two minutes, and then nothing for as long."""
    block = bytearray(16 << 20)
    while True:
        work_for(dice.uniform(30, 120), dice.random() < 0.5, block)
        time.sleep(dice.uniform(30, 120))


def memory(dice, folder):
    """Goes through memory without end, and gives it back now and then."""
    while True:
        hog = bytearray(HOG_BYTES)
        for _ in range(dice.randint(5, 40)):
            start = dice.randrange(HOG_BYTES // 2)
            hog[: HOG_BYTES // 2] = hog[start : start + HOG_BYTES // 2]
        del hog
        time.sleep(dice.expovariate(1 / 0.05))


def compilers(dice, folder):
    """One build after the other, with short breaks."""
    own = os.getpid()
    while True:
        command = ["gcc", f"-O{dice.randint(1, 3)}", "-c", folder / "load.c"]
        command += ["-o", folder / f"{own}.o"]
        subprocess.run(command, stderr=subprocess.DEVNULL, preexec_fn=lambda: die_with(own))
        time.sleep(dice.expovariate(1 / 0.1))


# name: (work, processes, what it is)
LOADS = {
    "quiet": (None, 0, "the machine as it is"),
    "bursts": (bursts, 3, "three processes, busy half of the time, for 40 ms or so at once"),
    "compilers": (compilers, 3, "three compilers, nearly all of the time"),
    "memory": (memory, 2, "two processes that go through 192 MiB each"),
    "minutes": (minutes, 4, "four processes that come and go for half a minute to two minutes"),
}


# ---- Processes -----------------------------------------------------------------------------------


def die_with(parent):
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it was quicker
        os._exit(1)


def set_bounds():
    for what, most in [(resource.RLIMIT_CPU, MOST_CPU_S), (resource.RLIMIT_AS, MOST_BYTES)]:
        hard = resource.getrlimit(what)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (most, most))


def become_load(work, seed, folder, parent):
    """Never comes back."""
    try:
        os.setpgid(0, 0)
        die_with(parent)
        for number in [signal.SIGINT, signal.SIGTERM]:
            signal.signal(number, signal.SIG_DFL)
        set_bounds()
        work(random.Random(seed), folder)
    finally:
        os._exit(0)


class Load:
    def __init__(self, name, folder):
        self.work, self.count, _ = LOADS[name]
        self.folder = pathlib.Path(folder)
        self.children = []

    def __enter__(self):
        (self.folder / "load.c").write_text(SOURCE)
        parent = os.getpid()
        for seed in range(self.count):
            child = os.fork()
            if child == 0:
                become_load(self.work, seed, self.folder, parent)
            self.children.append(child)
        return self

    def __exit__(self, *_):
        for child in self.children:
            for kill in [os.killpg, os.kill]:  # it may not have its group yet
                try:
                    kill(child, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            os.waitpid(child, 0)
        self.children = []
