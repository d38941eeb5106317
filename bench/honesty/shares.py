"""Shares of a number of runs, with exact bounds (Clopper and Pearson): what 2 of 100 can mean."""

import math

CONFIDENCE = 0.95


def chance_of_at_most(hits, count, share):
    """Of so many hits in `count` tosses."""
    if share <= 0:
        return 1.0
    if share >= 1:
        return 1.0 if hits >= count else 0.0
    return math.fsum(
        math.exp(
            math.lgamma(count + 1)
            - math.lgamma(k + 1)
            - math.lgamma(count - k + 1)
            + k * math.log(share)
            + (count - k) * math.log1p(-share)
        )
        for k in range(hits + 1)
    )


def solve(is_below):
    """The share at which is_below turns false."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if is_below(middle) else (low, middle)
    return (low + high) / 2


class Share:
    def __init__(self, hits, count):
        self.hits, self.count = hits, count
        self.value = hits / count if count else math.nan

    def bounds(self):
        """Between which the true share lies, at a confidence of 95 %."""
        hits, count, tail = self.hits, self.count, (1 - CONFIDENCE) / 2
        if not count:
            return 0.0, 1.0
        low = solve(lambda p: 1 - chance_of_at_most(hits - 1, count, p) < tail) if hits else 0.0
        high = solve(lambda p: chance_of_at_most(hits, count, p) > tail) if hits < count else 1.0
        return low, high

    def __str__(self):
        if not self.count:
            return "none"
        low, high = self.bounds()
        return f"{self.hits} of {self.count} ({100 * low:.1f}-{100 * high:.1f} %)"


class Target:
    """At most, or at least, this share."""

    def __init__(self, most=None, least=None):
        self.most, self.least = most, least

    def __str__(self):
        return f"<= {self.most:.0%}" if self.most is not None else f">= {self.least:.0%}"

    def judge(self, share):
        """'NO': missed. 'yes': met, and so many runs prove it. 'open': met so far."""
        if not share.count:
            return "open"
        low, high = share.bounds()
        if self.most is not None:
            return "NO" if share.value > self.most else "yes" if high <= self.most else "open"
        return "NO" if share.value < self.least else "yes" if low >= self.least else "open"
