"""Where the time went: timings, a timeline of everything that ran, and the copies between host and device.

    with cp.profiler.timeline("out.html"):   # one page: streams, kernels, copies, waits and host work on a time axis
        train(model)
    with cp.profiler.transfers() as t:       # each copy, with the line of the program that caused it
        train(model)
    print(t)
    print(cp.profiler.benchmark(train, (model,), n_repeat=20))

`python -m cuprum profile script.py` makes the page for a whole program. Nothing is recorded, and nothing is slower,
outside of these blocks. CuPy has `benchmark`, `profile` and `time_range` in `cupyx.profiler`; they are there too.
"""

from ._benchmark import benchmark
from ._ranges import profile, time_range
from ._timeline import timeline
from ._transfers import TransferWarning, transfers

__all__ = ["TransferWarning", "benchmark", "profile", "time_range", "timeline", "transfers"]
