"""Plans as CuPy shows them: the cache of them, and objects that stand for one."""

import threading
import types

from .. import _core

_current = threading.local()  # .plans: those whose `with` block the thread is in


class PlanCache:
    """The plans that were used last, within two bounds: their number and their bytes. CuPy's class of that name.

    >>> cp.fft.config.get_plan_cache().get_size()
    16
    """

    def get_size(self):
        """How many plans are kept at most; -1: any number."""
        return _core.fft_cache_info()["size"]

    def set_size(self, size):
        """Keeps at most `size` plans; -1: any number, 0: none."""
        _core.fft_cache_set_bounds(_bound(size, "set_size"), self.get_memsize())

    def get_memsize(self):
        """How many bytes of plans are kept at most; -1: any number."""
        return _core.fft_cache_info()["memsize"]

    def set_memsize(self, memsize):
        """Keeps at most `memsize` bytes of plans; -1: any number, 0: none."""
        _core.fft_cache_set_bounds(self.get_size(), _bound(memsize, "set_memsize"))

    def get_curr_size(self):
        """How many plans there are."""
        return _core.fft_cache_info()["curr_size"]

    def get_curr_memsize(self):
        """How many bytes they have."""
        return _core.fft_cache_info()["curr_memsize"]

    def clear(self):
        """Forgets all plans, and the counts of hits and misses."""
        _core.fft_cache_clear()

    def show_info(self):
        """Prints all of it."""
        print(self)

    def __iter__(self):
        """Pairs of a key and what is known of its plan, the last used one first."""
        for n, kind, from_reals, double, memsize in _core.fft_cache_plans():
            key = (n, kind, "float64" if double else "float32", from_reals)
            yield key, types.SimpleNamespace(key=key, memsize=memsize)

    def __repr__(self):
        info = _core.fft_cache_info()
        bound = {k: "(unlimited)" if info[k] < 0 else info[k] for k in ("size", "memsize")}
        lines = [
            "------------------- FFT plan cache -------------------",
            f"cache enabled? {info['size'] != 0 and info['memsize'] != 0}",
            f"current / max size   : {info['curr_size']} / {bound['size']} (counts)",
            f"current / max memsize: {info['curr_memsize']} / {bound['memsize']} (bytes)",
            f"hits / misses: {info['hits']} / {info['misses']} (counts)",
            "",
            "cached plans (most recently used first):",
        ]
        for (n, kind, precision, _), plan in self:
            lines.append(f"{kind}, {n} points, {precision}, {plan.memsize} bytes")
        return "\n".join(lines) + "\n"


def _bound(value, method):
    if value < -1:
        raise ValueError(
            f"cuprum.fft.config.PlanCache.{method}: the bound is a count or -1 for none, given {value}"
        )
    return value


class Plan:
    """What transforms of some lengths, of one kind and one precision need, kept as long as the object lives.

    In its `with` block, the thread's calls of cuprum.fft must be such transforms.
    """

    def __init__(self, shape, value_type, dtype, batch):
        self.shape, self.fft_type, self.batch = tuple(shape), value_type, batch
        self._held = _core.FftPlan(self.shape, value_type, dtype == "complex128", batch)

    @property
    def memsize(self):
        """Bytes of its tables."""
        return self._held.bytes

    def __enter__(self):
        self._held.enter()
        _stack().append(self)
        return self

    def __exit__(self, *exception):
        _stack().pop()
        self._held.exit()

    def __repr__(self):
        return f"<{type(self).__name__} {self.fft_type} {self.shape}, batch {self.batch}>"


class Plan1d(Plan):
    """A transform along one axis, of `batch` lines."""

    def __init__(self, nx, fft_type, batch, dtype="complex128"):
        super().__init__((nx,), fft_type, dtype, batch)
        self.nx = nx


class PlanNd(Plan):
    """A transform along several axes."""


def _stack():
    if not hasattr(_current, "plans"):
        _current.plans = []
    return _current.plans


def get_current_plan():
    """The plan whose `with` block the thread is in, or None."""
    return _stack()[-1] if _stack() else None


def get_fft_plan(a, shape=None, axes=None, value_type="C2C"):
    """What a transform of arrays like `a` needs, made beforehand: a context manager for calls of cuprum.fft.

    >>> x = cp.ones((4, 8))
    >>> with cp.cupyx.scipy.fft.get_fft_plan(x, axes=1):
    ...     y = cp.fft.fft(x)
    >>> y[0, 0]
    array(8.+0.j)
    """
    name = "cuprum.cupyx.scipy.fft.get_fft_plan"
    if not (a.flags.c_contiguous or a.flags.f_contiguous):
        raise ValueError(
            f"{name}: Input array a must be contiguous, given strides {a.strides} of shape {a.shape}"
        )
    shape = (shape,) if isinstance(shape, int) else shape
    axes = (axes,) if isinstance(axes, int) else axes
    if shape is not None and axes is not None and len(shape) != len(axes):
        raise ValueError(f"{name}: Shape and axes have different lengths, given {shape} and {axes}")
    if axes is None:
        axes = range(-(a.ndim if shape is None else len(shape)), 0)
    for axis in axes:
        if not -a.ndim <= axis < a.ndim:
            raise ValueError(
                f"{name}: The chosen axis ({axis}) exceeds the number of dimensions of a ({a.ndim})"
            )
    if value_type not in ("C2C", "R2C", "C2R"):
        raise ValueError(f"{name}: value_type must be 'C2C', 'R2C' or 'C2R', given {value_type!r}")
    if value_type == "R2C" and a.dtype.kind == "c":
        raise ValueError(f"{name}: a must be real for R2C, given {a.dtype}")
    lengths = [a.shape[axis] for axis in axes]
    if value_type == "C2R":
        lengths[-1] = 2 * (lengths[-1] - 1)
    if shape is not None:
        lengths = [n if s is None else s for n, s in zip(lengths, shape)]
    dtype = "complex64" if a.dtype.name in ("float16", "bfloat16", "float32", "complex64") else "complex128"
    if len(lengths) > 1:
        return PlanNd(lengths, value_type, dtype, -1)
    return Plan1d(lengths[0], value_type, a.size // max(a.shape[axes[0]], 1), dtype)
