"""A kernel of TileLang before it is compiled: its function with all that the compiler is told.

It is what a builder writes and a measurer reads. Compiling it a second time, in any process, loads
it from TileLang's own cache of kernels, unless TileLang gives the same program another key there.
"""
from __future__ import annotations

import dataclasses
import pickle
from typing import Any, Dict, List, Optional, Union

import tilelang
from tilelang.engine.param import KernelParam

OutIdx = Union[None, int, List[int]]


@dataclasses.dataclass(frozen=True)
class Program:
    function: Any                                   # tvm.tirx.PrimFunc
    out_idx: OutIdx = None
    execution_backend: Optional[str] = None
    target: Any = None
    target_host: Any = None
    verbose: Optional[bool] = None
    pass_configs: Optional[Dict[str, Any]] = None
    compile_flags: Any = None
    context: str = ""                               # times of equal programs are only used again if this is equal, too

    def compile(self) -> Any:
        return tilelang.compile(self.function, out_idx=self.out_idx, execution_backend=self.execution_backend,
                                target=self.target, target_host=self.target_host, verbose=self.verbose,
                                pass_configs=self.pass_configs, compile_flags=self.compile_flags)

    def write(self, path: str) -> None:
        with open(path, "wb") as file:
            pickle.dump(self, file, protocol=pickle.HIGHEST_PROTOCOL)

    def results(self) -> List[int]:
        """Numbers of the parameters that the kernel allocates and returns."""
        attributes = self.function.attrs
        out_idx: Any = self.out_idx
        if attributes and "tilelang_out_idx" in attributes:
            out_idx = list(attributes["tilelang_out_idx"])
        if out_idx is None:
            return []
        count = len(self.function.params)
        return [int(i) % count for i in (out_idx if isinstance(out_idx, (list, tuple)) else [out_idx])]

    def inputs(self) -> List[KernelParam]:
        """The parameters that a caller gives."""
        results, function = self.results(), self.function
        return [KernelParam.from_buffer(function.buffer_map[param]) if param in function.buffer_map
                else KernelParam.from_var(param)
                for i, param in enumerate(function.params) if i not in results]


def loads(content: bytes) -> Program:
    return pickle.loads(content)


def signature(params: List[KernelParam]) -> str:
    """Equal for parameters that the same inputs fit."""
    return "; ".join(f"{param.dtype}{[str(size) for size in param.shape]}" for param in params)


def keep_kernels_in(folder: str) -> None:
    """For instances of a user who has switched TileLang's cache off: kernels travel through a folder of their own."""
    env = tilelang.env
    env.TILELANG_DISABLE_CACHE = "0"
    env.TILELANG_CACHE_DIR = folder
    tilelang.enable_cache()
