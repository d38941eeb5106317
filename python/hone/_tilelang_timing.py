"""How long a call takes.

On a GPU each call is timed by two events, with the L2 cache flushed before it, as TileLang's do_bench
does: a buffer of 256 MiB is filled with zeros. A sample is the median of several calls. On a CPU a
sample is the median of several short series of calls, with warm caches.
"""
from __future__ import annotations

import statistics
import time
from typing import Any, Callable, List, Optional

import torch

_FLUSHED_BYTES = 256 << 20
_SAMPLE_NS = 4_000_000
_FLUSH_NS = 70_000
_PARTS = 9

Call = Callable[[], Any]


class Clock:
    """`prepare` is called before each call, outside of what is timed."""

    def __init__(self, warmup: int, rep: int) -> None:
        self.warmup = max(1, warmup)
        self.rep = max(1, rep)

    def sample(self, call: Call, prepare: Optional[Call], calls: int) -> float:
        raise NotImplementedError

    def warm_up(self, call: Call, prepare: Optional[Call]) -> None:
        raise NotImplementedError

    def calls(self, call: Call, prepare: Optional[Call]) -> int:
        """How many calls make a sample. The kernel is warm after it."""
        self.warm_up(call, prepare)
        once = self.sample(call, prepare, 2)
        count = int(min(max(_SAMPLE_NS / (once + self.overhead_ns), 1), self.rep))
        for _ in range(int(min(self.warmup, _SAMPLE_NS / once))):
            call()
        return count

    overhead_ns = 0


class WallClock(Clock):
    def warm_up(self, call: Call, prepare: Optional[Call]) -> None:
        if prepare:
            prepare()
        call()

    def sample(self, call: Call, prepare: Optional[Call], calls: int) -> float:
        """The median of up to nine means: one that another process has interrupted does not count."""
        parts = min(calls, _PARTS)
        return statistics.median(self._mean(call, prepare, calls // parts) for _ in range(parts))

    def _mean(self, call: Call, prepare: Optional[Call], calls: int) -> float:
        if prepare:
            return self._mean_prepared(call, prepare, calls)
        begin = time.perf_counter_ns()
        for _ in range(calls):
            call()
        return (time.perf_counter_ns() - begin) / calls

    def _mean_prepared(self, call: Call, prepare: Call, calls: int) -> float:
        total = 0
        for _ in range(calls):
            prepare()
            begin = time.perf_counter_ns()
            call()
            total += time.perf_counter_ns() - begin
        return total / calls


class EventClock(Clock):
    overhead_ns = _FLUSH_NS

    def __init__(self, warmup: int, rep: int, device: Any) -> None:
        super().__init__(warmup, rep)
        self.device = device
        self.buffer = torch.empty(_FLUSHED_BYTES // 4, dtype=torch.int, device=device)

    def warm_up(self, call: Call, prepare: Optional[Call]) -> None:
        if prepare:
            prepare()
        call()
        torch.cuda.synchronize(self.device)

    def sample(self, call: Call, prepare: Optional[Call], calls: int) -> float:
        begins = [torch.cuda.Event(enable_timing=True) for _ in range(calls)]
        ends = [torch.cuda.Event(enable_timing=True) for _ in range(calls)]
        for begin, end in zip(begins, ends):
            if prepare:
                prepare()
            self.buffer.zero_()
            begin.record()
            call()
            end.record()
        torch.cuda.synchronize(self.device)
        return 1e6 * statistics.median(begin.elapsed_time(end) for begin, end in zip(begins, ends))


class ProfilerClock(EventClock):
    """TileLang's do_bench with another of its backends: "cupti" or "cudagraph"."""

    def __init__(self, warmup: int, rep: int, device: Any, backend: str) -> None:
        super().__init__(warmup, rep, device)
        self.backend = backend

    def sample(self, call: Call, prepare: Optional[Call], calls: int) -> float:
        from tilelang.profiler import do_bench

        if prepare:
            prepare()
        return 1e6 * float(do_bench(call, _n_warmup=1, _n_repeat=calls, backend=self.backend, device=self.device))


def clock_for(device: Any, backend: str, warmup: int, rep: int) -> Clock:
    if device.type == "cpu":
        return WallClock(warmup, max(rep, 1000))
    return EventClock(warmup, rep, device) if backend == "event" else ProfilerClock(warmup, rep, device, backend)


def positive(times: List[float]) -> List[float]:
    return [max(float(value), 1.0) for value in times]
