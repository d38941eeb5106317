"""The other side of the comparison: builds spaces with Kernel Tuner or pyATF.

    peers.py kernel_tuner|pyatf FOLDER

A line "NAME NAME..." on standard input is a turn: the specs of these names in FOLDER are built
again and again for 20 ms, at least once. The answer is a line of JSON: the medians of wall and
processor time, and the number of legal configurations of the last one. `space --worker` does the
same with Hone.

The time goes from parameters and constraints in memory to a space that has told its size, one
configuration and (Kernel Tuner) the index of that one. Imports and reading YAML are not part of it.
"""

import ast
import json
import pathlib
import statistics
import sys
import time

import yaml

TURN_S = 0.020
MAX_THREADS = 1024  # Kernel Tuner's own limit on block_size_*; all specs here state it themselves


class KernelTuner:
    def __init__(self):
        from kernel_tuner.searchspace import Searchspace

        self.searchspace = Searchspace

    def prepare(self, params, constraints):
        return params, constraints

    def build(self, params, constraints):
        space = self.searchspace(params, constraints, MAX_THREADS)
        index = space.get_param_config_index(space.list[space.size // 2])
        assert index == space.size // 2
        return space, space.size


class PyATF:
    def __init__(self):
        import pyatf
        from pyatf.search_space import SearchSpace

        self.pyatf, self.searchspace = pyatf, SearchSpace

    def prepare(self, params, constraints):
        """A constraint is a function at the last of the parameters that it mentions."""
        order = list(params)
        at_param = {}
        for text in constraints:
            names = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
            at_param.setdefault(max(names, key=order.index), []).append((text, names))
        functions = {}
        for param, group in at_param.items():
            names = sorted(set().union(*(names for _, names in group)), key=order.index)
            both = " and ".join(f"({text})" for text, _ in group)
            functions[param] = eval(f"lambda {', '.join(names)}: {both}")
        return params, functions

    def build(self, params, functions):
        space = self.searchspace(
            *(
                self.pyatf.TP(name, self.pyatf.Set(*values), functions.get(name))
                for name, values in params.items()
            ),
            verbosity=0,
        )
        assert len(space.get_configuration((0.5,) * len(params))) == len(params)
        return space, space.constrained_size


def load(folder, name):
    spec = yaml.safe_load((folder / f"{name}.yaml").read_text())
    return spec["params"], spec.get("constraints", [])


def take_turn(peer, specs):
    walls, cpus, end = [], [], time.perf_counter() + TURN_S
    while not walls or time.perf_counter() < end:
        wall, cpu = time.perf_counter(), time.process_time()
        built = [peer.build(*spec) for spec in specs]
        walls.append(time.perf_counter() - wall)
        cpus.append(time.process_time() - cpu)
        count = built[-1][1]
        del built
    wall_ms, cpu_ms = 1e3 * statistics.median(walls), 1e3 * statistics.median(cpus)
    return {"ms": wall_ms, "cpu_ms": cpu_ms, "count": str(count)}


def main():
    peer = {"kernel_tuner": KernelTuner, "pyatf": PyATF}[sys.argv[1]]()
    folder = pathlib.Path(sys.argv[2])
    for line in sys.stdin:
        specs = [peer.prepare(*load(folder, name)) for name in line.split()]
        print(json.dumps(take_turn(peer, specs)), flush=True)


if __name__ == "__main__":
    main()
