"""The six families of cuprum.polynomial beside those of NumPy, and how their numbers are compared."""

import numpy as np

import cuprum as cp

MODULES = {"poly": "polynomial", "cheb": "chebyshev", "leg": "legendre", "herm": "hermite", "herme": "hermite_e",
           "lag": "laguerre"}  # fmt: skip
CLASSES = {"poly": "Polynomial", "cheb": "Chebyshev", "leg": "Legendre", "herm": "Hermite", "herme": "HermiteE",
           "lag": "Laguerre"}  # fmt: skip
FAMILIES = sorted(MODULES)
ORTHOGONAL = [family for family in FAMILIES if family != "poly"]


def modules(family):
    """Ours and NumPy's."""
    return getattr(cp.polynomial, MODULES[family]), getattr(np.polynomial, MODULES[family])


def functions(family, name):
    """Both functions of a name such as `val`; `2poly` and `poly2` stand for the changes of basis."""
    name = f"poly2{family}" if name == "poly2" else family + name
    return tuple(getattr(module, name) for module in modules(family))


def classes(family):
    return getattr(cp.polynomial, CLASSES[family]), getattr(np.polynomial, CLASSES[family])


def on_host(x):
    if isinstance(x, cp.ndarray):
        return x.get()
    return type(x)(map(on_host, x)) if isinstance(x, (list, tuple)) else x


def on_device(x):
    return cp.asarray(x) if isinstance(x, np.ndarray) else x


def check_close(got, want, eps_multiple=0, scale=None):
    """Equal dtype and shape, and elements that differ by no more than eps_multiple eps, of `scale` (the largest element
    of `want`, where none is given): 0 asks for the same numbers, complex ones aside, whose products NumPy rounds by the
    machine's instructions."""
    if isinstance(want, (tuple, list)):
        assert len(got) == len(want)
        for g, w in zip(got, want):
            check_close(g, w, eps_multiple, scale)
        return
    got, want = np.asarray(on_host(got)), np.asarray(want)
    assert got.dtype == want.dtype and got.shape == want.shape, (got, want)
    if want.dtype.kind == "c":
        eps_multiple = max(eps_multiple, 16)
    if not eps_multiple:
        np.testing.assert_array_equal(got, want)
        return
    scale = np.max(np.abs(want), initial=0) if scale is None else scale
    eps = np.finfo(want.dtype).eps
    assert np.all(np.abs(got - want) <= eps_multiple * eps * scale), (got, want)


def check(family, name, *args, eps_multiple=0, scale=None, **kwargs):
    """A function of a family gives what NumPy's gives, or raises as it does."""
    ours, numpys = functions(family, name)
    try:
        with np.errstate(all="ignore"):
            want = numpys(*args, **kwargs)
    except (TypeError, ValueError, ZeroDivisionError) as error:
        try:
            got = ours(*map(on_device, args), **kwargs)
        except type(error) as own:
            assert str(error).rstrip(". ") in str(own), f"{own} is not {error}"
            assert str(own).startswith(f"cuprum.polynomial.{MODULES[family]}."), own
            return
        raise AssertionError(f"{got!r}, but NumPy raises {error!r}") from error
    check_close(ours(*map(on_device, args), **kwargs), want, eps_multiple, scale)
