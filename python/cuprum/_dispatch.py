"""NumPy's protocols between array libraries, both ways.

NumPy's functions called with Cuprum arrays, np.sin(x) and np.concatenate([x, y]), are answered by Cuprum. A NumPy
array beside them is what it is to any call: refused where the transfer guard says so. What Cuprum has no counterpart
of, NumPy computes on the host if the guard lets the arrays go there, and the result comes back. To arrays of other
libraries (units, labels, task graphs) the answer is left. Cuprum's ufuncs called with objects that have an
`__array_ufunc__` of their own are answered by those, which are given NumPy's ufunc: it is the one that they know.
"""

import numpy as np

from . import _core


def answer_ufuncs(namespace):
    """Tells the binding which of our ufuncs stand for NumPy's: plain calls of those never come here."""
    pairs = (
        (getattr(np, name, None), own) for name, own in namespace.items() if isinstance(own, _core.ufunc)
    )
    _core.set_own_ufuncs({theirs: own for theirs, own in pairs if isinstance(theirs, np.ufunc)})


def array_ufunc(self, ufunc, method, *inputs, **kwargs):
    """`numpy.ndarray.__array_ufunc__`'s protocol."""
    if any(_override(x) for x in _operands(inputs, kwargs) if not isinstance(x, _core.ndarray)):
        return NotImplemented
    if isinstance(ufunc, _core.ufunc):  # a derived class has called super().__array_ufunc__
        return _as_plain(ufunc, method, inputs, kwargs)
    # A ufunc of somebody else may have the name of one of NumPy's.
    numpys = getattr(np, ufunc.__name__, None) is ufunc
    own = _counterpart("numpy", ufunc.__name__) if numpys else None
    out = kwargs.pop("out", ())
    if own is None or (method != "__call__" and not isinstance(own, _core.ufunc)):
        name = ("numpy." if numpys else "the ufunc ") + ufunc.__name__
        name += "" if method == "__call__" else f".{method}"
        return _delivered(_by_numpy(self, name, getattr(ufunc, method), inputs, kwargs), out)
    if any(isinstance(x, np.ndarray) for x in out) and _core.transfers(self) != "error":
        return _delivered(getattr(own, method)(*inputs, **kwargs), out)
    if out:
        kwargs["out"] = out if len(out) > 1 else out[0]
    if isinstance(own, _core.ufunc) and _override(self):
        return _as_plain(own, method, inputs, kwargs)
    call = own if method == "__call__" else getattr(own, method)
    return call(*inputs, **kwargs)


def array_function(self, function, types, args, kwargs):
    """`numpy.ndarray.__array_function__`'s protocol."""
    if not all(issubclass(t, _core.ndarray) or _is_numpys(t) for t in types):
        return NotImplemented
    own = _counterpart(function.__module__, function.__name__)
    if own is None:
        return _by_numpy(self, f"{function.__module__}.{function.__name__}", function, args, kwargs)
    return own(*args, **kwargs)


def _by_numpy(like, name, function, args, kwargs):
    """What NumPy computes of the arrays' bytes, as arrays of the device of `like` again."""
    if _core.transfers(like) == "error":
        raise TypeError(f"cuprum: {name} has no counterpart; write cp.asnumpy(x) to compute with NumPy")
    return _mapped(
        lambda x: (
            _core.asarray(x, device=like.device)
            if isinstance(x, np.ndarray) and x.dtype.kind in "biufc"
            else x
        ),
        function(*_mapped(_on_host, args), **_mapped(_on_host, kwargs)),
    )


def _on_host(x):
    return np.asarray(x) if isinstance(x, _core.ndarray) else x


def _mapped(function, x):
    """The same structure of tuples, lists and dicts with other leaves."""
    if type(x) in (tuple, list):
        return type(x)(_mapped(function, item) for item in x)
    if type(x) is dict:
        return {key: _mapped(function, item) for key, item in x.items()}
    return function(x)


def _delivered(results, outs):
    """The results, written into what `out=` has for them."""
    if not any(x is not None for x in outs):
        return results
    results = results if isinstance(results, tuple) else (results,)
    for x, out in zip(results, outs):
        if isinstance(out, np.ndarray):
            np.copyto(out, np.asarray(x), casting="same_kind")
        elif out is not None:
            out[...] = x
    results = tuple(x if out is None else out for x, out in zip(results, outs))
    return results if len(results) > 1 else results[0]


def _counterpart(module, name):
    """Cuprum's public object for `numpy.<name>`, `numpy.linalg.<name>` and so on; None where there is none."""
    import cuprum

    package, *folders = module.split(".")
    if package != "numpy":
        return None
    namespace = cuprum
    for folder in folders:
        namespace = getattr(namespace, folder, None)
    return getattr(namespace, name) if name in getattr(namespace, "__all__", ()) else None


def _is_numpys(kind):
    """Is it numpy.ndarray, or a class derived from it that leaves NumPy's functions to it?"""
    return getattr(kind, "__array_function__", None) is np.ndarray.__array_function__


def _operands(inputs, kwargs):
    """All that has a say in a call of a ufunc: inputs, outputs, the mask."""
    out = kwargs.get("out")
    return *inputs, *(out if isinstance(out, (tuple, list)) else (out,)), kwargs.get("where")


def _as_plain(ufunc, method, inputs, kwargs):
    """The ufunc on the arrays as they would be without their classes: nobody is asked again."""

    def plain(x):
        if isinstance(x, tuple):
            return tuple(map(plain, x))
        return x.view(_core.ndarray) if isinstance(x, _core.ndarray) and type(x) is not _core.ndarray else x

    out = kwargs.get("out")
    result = getattr(ufunc, method)(*map(plain, inputs), **{k: plain(v) for k, v in kwargs.items()})
    if out is None:
        return result
    return out[0] if isinstance(out, tuple) and len(out) == 1 else out


def _override(x):
    """The `__array_ufunc__` that the class of an operand brings itself, False for None of it."""
    own = getattr(type(x), "__array_ufunc__", False)
    mute = (False, np.ndarray.__array_ufunc__, _core.ndarray.__array_ufunc__)
    return False if own in mute or isinstance(x, np.generic) else own


def is_asked(*operands):
    """Is one of the operands of another library, and has it a say in ufuncs? It may be that it refuses them."""
    for x in operands:  # a loop: it takes half the time of any()
        if (
            type(x) is not _core.ndarray
            and x is not None
            and not isinstance(x, _core.ndarray)
            and _override(x) is not False
        ):
            return True
    return False


def call_override(ufunc, method, inputs, kwargs):
    """What the operands' own `__array_ufunc__` answer: one of each class is asked, derived classes first, else from
    left to right, inputs before outputs."""
    outs = kwargs.get("out", inputs[ufunc.nin :] if method == "__call__" else ())
    if method == "__call__" and len(inputs) > ufunc.nin:
        inputs = inputs[: ufunc.nin]
    outs = tuple(outs) if isinstance(outs, (tuple, list)) else (outs,)
    if any(x is not None for x in outs):
        kwargs["out"] = outs
    asked = []
    for x in _operands(inputs, kwargs):
        own = _override(x)
        if own is None:
            raise TypeError(
                f"cuprum.{ufunc.__name__}: operand '{type(x).__name__}' does not support ufuncs (__array_ufunc__=None)"
            )
        if own is False or any(type(x) is type(y) for y in asked):
            continue
        at = next((i for i, y in enumerate(asked) if issubclass(type(x), type(y))), len(asked))
        asked.insert(at, x)
    numpys = getattr(np, ufunc.__name__, None)
    numpys = numpys if isinstance(numpys, np.ufunc) else ufunc
    for x in asked:
        theirs = ufunc if isinstance(x, _core.ndarray) else numpys
        result = x.__array_ufunc__(theirs, method, *inputs, **kwargs)
        if result is not NotImplemented:
            return result
    names = ", ".join(repr(type(x).__name__) for x in (*inputs, *outs))
    raise TypeError(
        f"operand type(s) all returned NotImplemented from __array_ufunc__({ufunc!r}, {method!r}, ...): {names}"
    )
