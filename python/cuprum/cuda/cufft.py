"""CuPy's `cupy.cuda.cufft`: the classes of plans, and the one in use."""

from ..fft._plans import Plan1d, PlanNd, get_current_plan

__all__ = ["Plan1d", "PlanNd", "get_current_plan"]
