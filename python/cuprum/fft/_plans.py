"""Plans as CuPy shows them: the cache of them, and objects that stand for one."""

import threading
import types
import weakref

from .. import _core

_current = threading.local()  # .plans: those whose `with` block the thread is in


class Node:
    """A plan of the cache: `key` finds it there, `plan` is the object for it, `memsize` its bytes."""

    def __init__(self, held):
        self.key, self.plan, self.memsize = held.key, _object_for(held), held.bytes

    def __repr__(self):
        kind, lengths, dtype, from_reals, _ = self.key
        points = " x ".join(map(str, lengths))
        reals = ", of reals" if from_reals and kind == "C2C" else ""
        return f"{kind}, {points} points{reals}, {dtype}, {self.memsize} bytes"


class PlanCache:
    """The plans that a device has used last, within two bounds: their number and their bytes. CuPy's class of the name.

    A plan is made by a call, and found again by the next call like it.

    >>> cache = cp.fft.config.get_plan_cache()
    >>> cache.clear()
    >>> y = cp.fft.fft(cp.ones(8))
    >>> [key[:2] for key, node in cache]
    [('C2C', (8,))]
    """

    def __init__(self):
        self._held = _core.fft_plan_cache()

    def get_size(self):
        """How many plans are kept at most; -1: any number."""
        return self._held.info()["size"]

    def set_size(self, size):
        """Keeps at most `size` plans; -1: any number, 0: none."""
        self._held.set_bounds(_bound(size, "set_size"), self.get_memsize())

    def get_memsize(self):
        """How many bytes of plans are kept at most; -1: any number."""
        return self._held.info()["memsize"]

    def set_memsize(self, memsize):
        """Keeps at most `memsize` bytes of plans; -1: any number, 0: none."""
        self._held.set_bounds(self.get_size(), _bound(memsize, "set_memsize"))

    def get_curr_size(self):
        """How many plans there are."""
        return self._held.info()["curr_size"]

    def get_curr_memsize(self):
        """How many bytes they have."""
        return self._held.info()["curr_memsize"]

    @property
    def hits(self):
        """How many calls have found their plan, since the last `clear`."""
        return self._held.info()["hits"]

    @property
    def misses(self):
        """How many calls have made their plan, since the last `clear`."""
        return self._held.info()["misses"]

    def clear(self):
        """Forgets all plans, and the counts of hits and misses."""
        self._held.clear()

    def show_info(self):
        """Prints all of it."""
        print(self)

    def __iter__(self):
        """Pairs of a key and its Node, the last used one first; each time the one that now comes behind the last."""
        plans, at = self._held.plans(), 0
        while at < len(plans):
            held = plans[at]
            node = Node(held)
            yield node.key, node
            plans = self._held.plans()
            at = next((i for i, plan in enumerate(plans, 1) if plan.address == held.address), len(plans))

    def __getitem__(self, key):
        """The plan of that key, which is now the last used one."""
        held = self._find(key)
        if held is None or not self._held.use(held):
            raise KeyError(f"cuprum.fft.config.PlanCache: no plan has the key {key!r}")
        return _object_for(held)

    def __delitem__(self, key):
        held = self._find(key)
        if held is None or not self._held.forget(held):
            raise KeyError(f"cuprum.fft.config.PlanCache: no plan has the key {key!r}")

    def _find(self, key):
        return next((held for held in self._held.plans() if held.key == key), None)

    def __repr__(self):
        info = self._held.info()
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
        return "\n".join(lines + [str(node) for _, node in self]) + "\n"


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

    batch = -1  # of any number of lines, if nobody has said otherwise

    def _hold(self, held):
        self._held = held
        self.fft_type, self.shape = held.key[:2]
        return self

    @property
    def memsize(self):
        """Bytes of the plan."""
        return self._held.bytes

    @property
    def work_area(self):
        """CuPy's name for the memory of a plan: `plan.work_area.mem.size`."""
        return types.SimpleNamespace(mem=types.SimpleNamespace(size=self.memsize))

    def __enter__(self):
        self._held.enter(self.batch)
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
        self._hold(_core.FftPlan(_lines((batch, nx), fft_type, dtype), (nx,), (1,), fft_type))
        self.batch = batch

    @property
    def nx(self):
        """The length."""
        return self.shape[0]


class PlanNd(Plan):
    """A transform along several axes."""

    def __init__(self, shape, fft_type, dtype="complex128"):
        axes = range(len(shape))
        self._hold(_core.FftPlan(_lines(shape, fft_type, dtype), tuple(shape), tuple(axes), fft_type))


def _lines(shape, fft_type, dtype):
    """An array that a transform of this shape would take; recorded, without memory."""
    if fft_type == "C2R":
        shape = (*shape[:-1], shape[-1] // 2 + 1)
    if fft_type == "R2C":
        dtype = "float64" if dtype == "complex128" else "float32"
    return _core.zeros(tuple(shape), dtype)


_objects = weakref.WeakValueDictionary()  # the object of a plan, as long as somebody has it


def _object_for(held):
    """The one object that stands for a plan. It holds the plan, so that no other one comes to lie there."""
    found = _objects.get(held.address)
    if found is None:
        kind = Plan1d if len(held.key[1]) == 1 else PlanNd
        found = _objects.setdefault(held.address, kind.__new__(kind)._hold(held))
    return found


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
    held = _core.FftPlan(a, tuple(lengths), tuple(axes), value_type)
    if len(lengths) > 1:
        return PlanNd.__new__(PlanNd)._hold(held)
    plan = Plan1d.__new__(Plan1d)._hold(held)
    plan.batch = a.size // max(a.shape[axes[0]], 1)
    return plan
