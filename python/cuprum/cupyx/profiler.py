"""CuPy's profiling helpers; cuprum.profiler has more of them."""

from ..profiler import benchmark, profile, time_range

__all__ = ["benchmark", "profile", "time_range"]
