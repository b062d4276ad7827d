"""The NumPy programs of npbench (github.com/spcl/npbench), unmodified, beside NumPy.

    tools/npbench.py <checkout> [kernels ...] [--preset M] [--processor-time]

A checkout is given by its path; nothing of it is kept here. Each program is read twice, once with `np` as NumPy and
once with `np` bound to cuprum, and both run in this process on copies of the same data, in turn, until each has run
for a while: what counts is the least time of each. Results are compared. On a machine that others use too, the time of
the processor says more than that of the clock; then set CUPRUM_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1.
"""

import argparse
import importlib.util
import json
import math
import pathlib
import sys
import time
import types

import numpy as np

import cuprum as cp


def load(path, name, module):
    """The program as a module in which `import numpy as np` gives `module`."""
    text = pathlib.Path(path).read_text()
    program = types.ModuleType(name)
    program.__file__ = str(path)
    real = sys.modules["numpy"]
    sys.modules["numpy"] = module
    try:
        exec(compile(text, str(path), "exec"), program.__dict__)
    finally:
        sys.modules["numpy"] = real
    return program


def initial_data(info, folder, preset):
    data = dict(info["parameters"][preset])
    init = info.get("init")
    if init:
        path = folder / f"{info['module_name']}.py"
        spec = importlib.util.spec_from_file_location(info["module_name"] + "_init", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        made = getattr(module, init["func_name"])(*[data[a] for a in init["input_args"]])
        names = init["output_args"]
        data.update(zip(names, made if len(names) > 1 else (made,), strict=True))
    return data


class Side:
    """One of the two libraries over a program."""

    def __init__(self, info, folder, module, clock):
        self.clock = clock
        path = folder / f"{info['module_name']}_numpy.py"
        self.module = module
        self.function = getattr(
            load(path, f"{info['module_name']}_{module.__name__}", module), info["func_name"]
        )
        self.info = info
        self.times = []

    def converted(self, v):
        if self.module is cp and isinstance(v, np.ndarray):
            return cp.array(v)
        return v.copy() if isinstance(v, np.ndarray) else v

    def run(self, data):
        args = [self.converted(data[a]) for a in self.info["input_args"]]
        self.settle(args)
        start = self.clock()
        result = self.function(*args)
        self.settle([result, *args])
        self.times.append(self.clock() - start)
        named = dict(zip(self.info["input_args"], args, strict=True))
        outputs = [named[a] for a in self.info.get("output_args", [])]
        return [*outputs, *(result if isinstance(result, tuple | list) else [result])]

    def settle(self, values):
        if self.module is not cp:
            return
        arrays = [v for group in values for v in (group if isinstance(group, tuple | list) else [group])]
        arrays = [v for v in arrays if isinstance(v, cp.ndarray)]
        if arrays:
            cp.evaluate(*arrays)
            cp.cuda.get_current_stream().synchronize()


def host(v):
    return v.get() if isinstance(v, cp.ndarray) else v


def agree(ours, theirs):
    for a, b in zip(ours, theirs, strict=True):
        if a is None and b is None:
            continue
        a, b = np.asarray(host(a)), np.asarray(b)
        if a.shape != b.shape or a.dtype != b.dtype:
            return False
        close = 1e-5 if b.dtype in (np.float32, np.complex64) else 1e-10
        scale = np.max(np.abs(b), initial=0, where=np.isfinite(b))
        if not np.allclose(a, b, rtol=100 * close, atol=close * scale, equal_nan=True):
            return False
    return True


def measure(checkout, path, preset, seconds, clock):
    info = json.loads(path.read_text())["benchmark"]
    folder = checkout / "npbench" / "benchmarks" / info["relative_path"]
    data = initial_data(info, folder, preset)
    ours, theirs = Side(info, folder, cp, clock), Side(info, folder, np, clock)
    right = agree(
        ours.run(data), theirs.run(data)
    )  # and a first run, which does not count where there are others
    begin = time.perf_counter()
    while len(ours.times) < 3 or time.perf_counter() - begin < seconds:
        if len(ours.times) > 1 and time.perf_counter() - begin > 8 * seconds:
            break
        ours.run(data)
        theirs.run(data)
    return min(theirs.times), min(ours.times), right


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkout", type=pathlib.Path)
    parser.add_argument("kernels", nargs="*", help="short names; all by default")
    parser.add_argument("--preset", default="S", choices=["S", "M", "L", "paper"])
    parser.add_argument("--seconds", type=float, default=1.0, help="of each program")
    parser.add_argument("--processor-time", action="store_true", help="of the process, not the clock's")
    args = parser.parse_args()
    clock = time.process_time if args.processor_time else time.perf_counter
    ratios = []
    print(f"{'program':<16}{'NumPy ms':>12}{'cuprum ms':>12}{'ratio':>8}")
    for path in sorted((args.checkout / "bench_info").glob("*.json")):
        if args.kernels and path.stem not in args.kernels:
            continue
        try:
            theirs, ours, right = measure(args.checkout, path, args.preset, args.seconds, clock)
        except Exception as error:  # one program's trouble is a line of the table
            print(f"{path.stem:<16}{type(error).__name__}: {error}")
            continue
        ratios.append(theirs / ours)
        note = "" if right else "  results differ"
        print(
            f"{path.stem:<16}{theirs * 1e3:>12.3f}{ours * 1e3:>12.3f}{theirs / ours:>8.2f}{note}", flush=True
        )
    if ratios:
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        below = sum(r < 0.9 for r in ratios)
        print(f"geometric mean {mean:.2f}, {below} of {len(ratios)} below 0.9")


if __name__ == "__main__":
    main()
