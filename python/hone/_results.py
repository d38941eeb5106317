"""The result of a tuning, as Python sees it."""
from __future__ import annotations

import html
import os
from typing import Any, Dict, Iterator, List, Optional

from ._knobs import Config, Knobs

FORMATS = ("header", "flags", "wisdom", "vllm", "kernel-tuner", "markdown", "csv", "json", "yaml", "t4", "kbench")


class Result:
    """A tuned problem: its verdict, the configuration to use, and every candidate.

    ``config`` is the winner if it was proved to be faster than the baseline, and the baseline
    otherwise, so that it is always safe to use.
    """

    def __init__(self, data: Dict[str, Any], knobs: Optional[Knobs] = None) -> None:
        self.data = data
        self._knobs = knobs
        self.measured = False  # by this call; False: it came from the store

    def _decode(self, params: Optional[Dict[str, Any]]) -> Optional[Config]:
        if not params:
            return None
        return self._knobs.decode(params) if self._knobs else dict(params)

    @property
    def verdict(self) -> str:
        """IMPROVED, NO IMPROVEMENT or INCONCLUSIVE; "" if nothing was confirmed."""
        return self.data.get("verdict") or ""

    @property
    def proved(self) -> bool:
        return self.verdict in ("IMPROVED", "NO IMPROVEMENT")

    @property
    def winner(self) -> Optional[Config]:
        return self._decode(self.data.get("winner_params"))

    @property
    def baseline(self) -> Optional[Config]:
        return self._decode(self.data.get("baseline_params"))

    @property
    def config(self) -> Optional[Config]:
        return self.winner if self.verdict == "IMPROVED" and self.winner else self.baseline

    @property
    def speedup(self) -> Optional[float]:
        return self.data.get("speedup")

    @property
    def interval(self) -> Optional[List[float]]:
        """The speedup lies in it with a confidence of 95 %."""
        low, high = self.data.get("low"), self.data.get("high")
        return None if low is None or high is None else [low, high]

    @property
    def run(self) -> Optional[int]:
        """Its number in the store: ``hone show N``."""
        return self.data.get("run")

    @property
    def problem(self) -> str:
        return self.data.get("problem") or ""

    @property
    def seconds(self) -> Optional[float]:
        return self.data.get("wall_s")

    @property
    def sentence(self) -> str:
        sentence = self.data.get("sentence") or ""
        return f"{self.verdict}: {sentence}" if self.verdict and sentence else self.verdict or sentence

    @property
    def notes(self) -> List[str]:
        return list(self.data.get("notes") or [])

    def rows(self) -> List[Dict[str, Any]]:
        """A row for each candidate, in the order in which they were tried."""
        return list(self._rows())

    def _rows(self) -> Iterator[Dict[str, Any]]:
        for evaluation in self.data.get("evaluations") or []:
            confirmed = evaluation.get("confirmation") or {}
            time_ns = confirmed.get("time_ns") or evaluation.get("time_ns")
            baseline_ns = confirmed.get("baseline_ns") or evaluation.get("baseline_ns")
            row = dict(self._decode(evaluation.get("params")) or {})
            row.update(outcome=evaluation.get("outcome"), time_ns=time_ns,
                       speedup=confirmed.get("speedup") or (baseline_ns / time_ns if time_ns and baseline_ns else None),
                       confirmed=bool(confirmed), evidence=evaluation.get("evidence"))
            row.update(evaluation.get("metrics") or {})
            yield row

    def time_ns(self, config: Optional[Config] = None) -> Optional[float]:
        """The time of a configuration; by default of the one to use."""
        wanted = self.config if config is None else config
        for evaluation, row in zip(self.data.get("evaluations") or [], self._rows()):
            if self._decode(evaluation.get("params")) == wanted and row["time_ns"]:
                return float(row["time_ns"])
        return None

    def dataframe(self) -> Any:
        import pandas  # type: ignore[import-untyped]

        return pandas.DataFrame(self.rows())

    def results(self) -> Any:
        """A DataFrame where pandas is installed, else a list of rows."""
        try:
            return self.dataframe()
        except ImportError:
            return self.rows()

    def export(self, format: str = "wisdom", path: Optional[str] = None, force: bool = False) -> str:
        """``hone export``: returns the text, or writes the file `path`."""
        from ._session import Session

        words = ["export", str(self.run), "--format", format]
        if force:
            words.append("--force")
        if path:
            words += ["-o", os.fspath(path)]
        return Session().run(words)

    def __repr__(self) -> str:
        count = len(self.data.get("evaluations") or [])
        return f"<hone.Result {self.problem or self.data.get('name')}: {self.sentence}, {count} candidates>"

    def _repr_html_(self) -> str:
        rows = sorted(self.rows(), key=lambda row: (row["time_ns"] is None, row["time_ns"]))[:20]
        if not rows:
            return f"<p>{html.escape(repr(self))}</p>"
        names = [name for name in rows[0] if name not in ("evidence", "confirmed")]
        head = "".join(f"<th>{html.escape('time' if name == 'time_ns' else str(name))}</th>" for name in names)
        body = "".join("<tr>" + "".join(f"<td>{html.escape(_cell(name, row.get(name)))}</td>" for name in names) + "</tr>"
                       for row in rows)
        return f"<p><b>{html.escape(self.sentence)}</b></p><table><tr>{head}</tr>{body}</table>"


def _cell(name: str, value: Any) -> str:
    if value is None:
        return ""
    if name == "time_ns":
        return _time(float(value))
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _time(ns: float) -> str:
    for unit, size in (("s", 1e9), ("ms", 1e6), ("us", 1e3)):
        if ns >= size:
            return f"{ns / size:.4g} {unit}"
    return f"{ns:.4g} ns"
