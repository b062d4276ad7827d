"""What happens where a program mixes NumPy's arrays in, or NumPy asks for a device array's bytes."""

import functools
import os
import sys
import sysconfig
import warnings

from . import _core

__all__ = ["transfer_guard"]


class transfer_guard:
    """Says what a copy between host and device that nobody wrote does: raise an error that says what to write
    (`"error"`), warn once per line of the program (`"warn"`), or happen (`"allow"`).

    Such copies are asked for by NumPy arrays as operands beside arrays, and by whatever calls `numpy.asarray` on one:
    SciPy, pandas, matplotlib. Called, it sets the guard from then on; in a `with` statement, for the block. It holds
    for the current context (`contextvars`: a thread, a task), or with `all_threads` for every one without a guard of
    its own. Unless it is set, CUPRUM_TRANSFERS says what holds, and without that `"error"` where the host cannot read
    the arrays' memory and `"allow"` on the CPU, where nothing is copied from one memory to another.

    Single numbers, index arrays, masks, and small parameters (the edges of a histogram) are always taken from the
    host. `cp.profiler.transfers` lists every copy with its line.

    >>> x = cp.arange(3.0)
    >>> with cp.transfer_guard("allow"):
    ...     y = x + np.ones(3)
    ...     float(np.asarray(y).sum())
    6.0
    """

    def __init__(self, mode, *, all_threads=False):
        self._mode = mode
        self._all_threads = all_threads
        self._before = _core.set_transfers(mode, all_threads)

    def __enter__(self):
        _core.set_transfers(self._mode, self._all_threads)
        return self

    def __exit__(self, *_):
        _core.set_transfers(self._before, self._all_threads)


def warn(text):
    """Warns at the innermost line that is the program's own, not of a package that is installed."""
    from .profiler import TransferWarning

    frame = innermost = sys._getframe(1)
    while frame and _is_installed(frame.f_code.co_filename):
        frame = frame.f_back
    frame = frame or innermost
    registry = frame.f_globals.setdefault("__warningregistry__", {})
    module = frame.f_globals.get("__name__", "<unknown>")
    warnings.warn_explicit(
        text, TransferWarning, frame.f_code.co_filename, frame.f_lineno, module, registry, frame.f_globals
    )


@functools.cache
def _is_installed(file):
    return file.startswith(("<frozen", *_folders()))


@functools.cache
def _folders():
    """Where packages are: this one, Python's own, those that are installed."""
    paths = sysconfig.get_paths()
    own = os.path.dirname(__file__)
    return tuple({os.path.join(p, "") for p in (own, paths["stdlib"], paths["purelib"], paths["platlib"])})
