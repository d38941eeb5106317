"""What `hone.tune_kernel` minimises or maximises, and how it searches: Kernel Tuner's words as Hone's."""
from __future__ import annotations

import re
import warnings
from typing import Any, Dict, List, Mapping, Optional, Sequence

from ._kernel_trace import NotTraced, trace

# What Kernel Tuner calls a strategy, and the one of Hone that is nearest to it.
STRATEGIES = {
    "brute_force": "exhaustive", "random_sample": "random", "simulated_annealing": "annealing",
    "dual_annealing": "annealing", "genetic_algorithm": "genetic", "diff_evo": "differential", "bayes_opt": "surrogate",
    "bayes_opt_alt_tensor": "surrogate", "skopt": "surrogate", "mls": "climb", "greedy_mls": "climb",
    "ordered_greedy_mls": "climb", "greedy_ils": "climb", "basinhopping": "pattern", "minimize": "pattern",
}
OWN_STRATEGIES = ("auto", "exhaustive", "random", "ordered", "annealing", "genetic", "differential", "climb", "pattern",
                  "surrogate")
_OTHER_STRATEGIES = ("pso", "firefly_algorithm", "pyatf_strategies", "hybrid_vndx", "adaptive_tabu_grey_wolf",
                     "adaptivetabugreywolf", "hybridvndx", "nsga2", "nsga3")
_LOWER = ("time", "energy", "cost", "loss", "power", "error")


class Objective:
    """Names of objectives, whether more is better, and the metrics as a spec has them (None: it cannot)."""

    def __init__(self, objective: Any, higher_is_better: Any, objectives: Optional[Mapping[str, bool]],
                 metrics: Mapping[str, Any], params: Sequence[str]) -> None:
        if objectives is not None:
            objective, higher_is_better = list(objectives), list(objectives.values())
        self.names = [objective or "time"] if objective is None or isinstance(objective, str) else list(objective)
        wishes = higher_is_better if isinstance(higher_is_better, (list, tuple)) else [higher_is_better] * len(self.names)
        self.higher = [_direction(name, wish) for name, wish in zip(self.names, wishes)]
        for name in self.names:
            if name != "time" and name not in metrics:
                raise ValueError(f"objective: '{name}' is neither 'time' nor one of the metrics")
        self.metrics = _expressions(metrics, params)

    @property
    def is_time(self) -> bool:
        return self.names == ["time"] and not self.higher[0]

    def spec(self) -> Optional[Dict[str, Any]]:
        """`metrics` and `objective` of a spec; None: a metric is a function that only Python can evaluate."""
        wanted = {name: self.metrics.get(name) for name in self.names if name != "time"}
        if any(text is None for text in wanted.values()) or (self.names == ["time"] and self.higher[0]):
            return None
        objective: List[Any] = [{"maximise": name} if higher else name for name, higher in zip(self.names, self.higher)]
        part: Dict[str, Any] = {"metrics": wanted} if wanted else {}
        if len(objective) > 1:
            return {**part, "objective": objective}
        if self.higher[0]:
            return {**part, "maximise": self.names[0]}
        return {**part, "objective": self.names[0]}


def _direction(name: str, wish: Optional[bool]) -> bool:
    if wish is not None:
        return bool(wish)
    if any(word in name.lower() for word in _LOWER):
        return False
    if "/" in name or "flop" in name.lower():
        return True
    raise ValueError(f"objective_higher_is_better: say whether more of '{name}' is better (True) or less (False)")


def _expressions(metrics: Mapping[str, Any], params: Sequence[str]) -> Dict[str, Optional[str]]:
    """Each metric over parameters and Hone's `time_ms`; None: it is a function that does more."""
    texts: Dict[str, Optional[str]] = {}
    names = {**{name: name for name in params}, "time": "time_ms"}
    for name, metric in metrics.items():
        if callable(metric):
            try:
                traced = trace(metric, names)
            except NotTraced:
                traced = None
            text = traced if isinstance(traced, str) else None
        elif isinstance(metric, str):
            text = re.sub(r"[A-Za-z_]\w*", lambda match: names.get(match.group(), match.group()), metric)
        else:
            raise TypeError(f"metrics: '{name}' is {metric!r}, neither a function nor a text")
        texts[name] = text
        if text is not None:
            names[name] = f"({text})"
    return texts


# ---- the search ----


def search_words(strategy: Any, options: Optional[Mapping[str, Any]], params: Sequence[str], space_size: int,
                 seed: Optional[int]) -> List[str]:
    """Options of ``hone tune`` for Kernel Tuner's `strategy` and `strategy_options`."""
    name = find_strategy(strategy)
    rest = dict(options or {})
    words = ["--strategy", name]
    evaluations = rest.pop("max_fevals", None)
    fraction = rest.pop("fraction", None)
    if name == "random" and evaluations is None:
        evaluations = max(1, round(space_size * (0.1 if fraction is None else fraction)))
    limit_s = rest.pop("time_limit", None)
    start = rest.pop("x0", None)
    if evaluations is not None:
        words += ["--evals", str(int(evaluations))]
    if limit_s is not None:
        words += ["--budget", f"{max(1, round(float(limit_s) * 1e3))}ms"]
    if start is not None:
        words += ["--seed-config", ",".join(f"{name}={value}" for name, value in zip(params, start))]
    if name == "exhaustive":
        words.append("--no-cap")
    if seed is not None:
        words += ["--seed", str(int(seed))]
    if rest:
        warnings.warn(f"strategy_options: {', '.join(map(str, rest))}: Hone's strategy '{name}' has no such option",
                      stacklevel=4)
    return words


def find_strategy(strategy: Any) -> str:
    if strategy is None:
        return "exhaustive"
    if not isinstance(strategy, str):
        raise NotImplementedError(f"strategy: an object of type {type(strategy).__name__} is not supported; name one of "
                                  f"Kernel Tuner's or Hone's strategies ({', '.join(OWN_STRATEGIES)})")
    name = strategy.replace(" ", "_")
    if name in OWN_STRATEGIES:
        return name
    if name.lower() in _OTHER_STRATEGIES:
        return "auto"
    if name.lower() not in STRATEGIES:
        raise ValueError(f"strategy: '{strategy}' is not known; Hone has {', '.join(OWN_STRATEGIES)}")
    return STRATEGIES[name.lower()]
