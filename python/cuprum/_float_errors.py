"""What happens at floating-point errors: errstate and its relatives, with NumPy's states and messages.

The state belongs to the context (a thread, a task), as NumPy's does, but it is another one than NumPy's, and it begins
with 'ignore' for everything: operations are recorded, and no device keeps a note of errors. A state that asks for more
has every operation computed and its result looked at by the call: good for finding an error, not for speed.

Looked at are the results of ufuncs and operators, of sums and products. Matrix products, scans, casts, other composites
and what is fused inside one kernel are not, and underflow never is: it leaves no trace in a result.
"""

import contextvars
import functools
import sys
import warnings
from typing import NamedTuple

from . import _core

__all__ = ["errstate", "geterr", "geterrcall", "seterr", "seterrcall"]

_MODES = ("ignore", "warn", "raise", "call", "print", "log")
_BITS = {"divide": 1, "over": 2, "under": 4, "invalid": 8}
_TEXTS = {"divide": "divide by zero", "over": "overflow", "under": "underflow", "invalid": "invalid value"}


class _State(NamedTuple):
    divide: str = "ignore"
    over: str = "ignore"
    under: str = "ignore"
    invalid: str = "ignore"
    call: object = None

    def wanted(self):
        """The errors to look for, as bits."""
        return sum(bit for kind, bit in _BITS.items() if getattr(self, kind) != "ignore")


_IGNORE = _State()
_state = contextvars.ContextVar("cuprum.errstate", default=_IGNORE)
_unspecified = object()


def _set(new):
    old = _state.get()
    _state.set(new)
    _core.watch_float_errors(bool(new.wanted()) - bool(old.wanted()))


def _changed(state, all, **modes):
    """The state with some modes set; `all` is for those that are not named."""
    for kind, mode in modes.items():
        mode = all if mode is None else mode
        if mode is None:
            continue
        if mode not in _MODES:
            raise ValueError(f"cuprum.seterr: invalid error mode {mode!r}; one of {', '.join(_MODES)}")
        state = state._replace(**{kind: mode})
    return state


def _checked_call(func):
    if func is not None and not callable(func) and not callable(getattr(func, "write", None)):
        raise TypeError("cuprum.seterrcall: python object must be callable or have a callable write method")
    return func


def seterr(all=None, divide=None, over=None, under=None, invalid=None):
    """Sets what happens at floating-point errors, one of 'ignore', 'warn', 'raise', 'call', 'print' and 'log'; returns
    the state before. With anything but 'ignore' every operation is computed by the call and looked at.

    `under` is kept and never honoured: underflow leaves no trace in a result.

    >>> before = cp.seterr(divide="warn")
    >>> cp.geterr()["divide"]
    'warn'
    >>> after = cp.seterr(**before)
    """
    before = geterr()
    _set(_changed(_state.get(), all, divide=divide, over=over, under=under, invalid=invalid))
    return before


def geterr():
    """What happens at floating-point errors in this context; at first everything is ignored.

    >>> cp.geterr()
    {'divide': 'ignore', 'over': 'ignore', 'under': 'ignore', 'invalid': 'ignore'}
    """
    state = _state.get()
    return {kind: getattr(state, kind) for kind in _BITS}


def seterrcall(func):
    """Sets what the mode 'call' calls, with the error's name and all errors' bits, and where 'log' writes; returns the
    one before.

    >>> before = cp.seterrcall(lambda error, bits: print(error, bits))
    >>> with cp.errstate(divide="call"):
    ...     x = cp.array([1.0]) / 0
    divide by zero 1
    >>> after = cp.seterrcall(before)
    """
    before = _state.get().call
    _set(_state.get()._replace(call=_checked_call(func)))
    return before


def geterrcall():
    """What the mode 'call' calls, or where 'log' writes.

    >>> cp.geterrcall() is None
    True
    """
    return _state.get().call


class errstate:
    """A context, or a decorator, in which floating-point errors are treated in another way: see `seterr`.

    >>> with cp.errstate(invalid="raise"):
    ...     cp.sqrt(cp.array([-1.0]))
    Traceback (most recent call last):
    FloatingPointError: invalid value encountered in sqrt
    """

    def __init__(self, *, call=_unspecified, all=None, divide=None, over=None, under=None, invalid=None):
        self._call = call
        self._modes = {"all": all, "divide": divide, "over": over, "under": under, "invalid": invalid}
        self._before = None

    def __enter__(self):
        if self._before is not None:
            raise TypeError("cuprum.errstate: Cannot enter `errstate` twice; make a new one")
        before = _state.get()
        state = _changed(before, **self._modes)
        if self._call is not _unspecified:
            state = state._replace(call=_checked_call(self._call))
        self._before = before
        _set(state)

    def __exit__(self, *error):
        if self._before is None:
            raise TypeError("cuprum.errstate: Cannot leave an `errstate` that was not entered")
        _set(self._before)

    def __call__(self, func):
        """`func` with this state inside."""

        @functools.wraps(func)
        def inside(*args, **kwargs):
            with errstate(call=self._call, **self._modes):
                return func(*args, **kwargs)

        return inside


def _report(operation, found):
    """Called by an operation whose result shows errors that somebody wants to know of."""
    state = _state.get()
    for kind, bit in _BITS.items():
        if found & bit:
            _tell(getattr(state, kind), state.call, _TEXTS[kind], operation, found)


def _tell(mode, call, text, operation, found):
    message = f"{text} encountered in {operation}"
    if mode == "raise":
        raise FloatingPointError(message)
    if mode == "warn":
        warnings.warn(message, RuntimeWarning, stacklevel=3)  # the line that called the operation
    elif mode == "print":
        sys.stderr.write(f"Warning: {message}\n")
    elif mode == "call":
        if call is None:
            raise NameError(f"python callback specified for {text} (in {operation}) but no function found.")
        call(text, found)
    elif mode == "log":
        if call is None:
            raise NameError(
                f"log specified for {text} (in {operation}) but no object with write method found."
            )
        call.write(f"Warning: {message}\n")


_core.set_float_error_functions(lambda: _state.get().wanted(), _report)
