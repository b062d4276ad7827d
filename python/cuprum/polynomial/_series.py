"""What the six classes of series have in common.

Domain and window are two numbers each: they live in host memory, so that neither a comparison nor a map of points waits
for the device, and a class has the same ones on all devices. Who asks for them gets an array.
"""

import numbers

import numpy as np

from .. import _core
from .._composite import methods_enter_by_device
from ._recurrence import Coefficients
from .polyutils import getdomain, mapdomain, mapparms, series, trimcoef, trimmed


def set_default_printstyle(style):
    """How series print: "unicode" or "ascii". NumPy's series print in the same style.

    >>> cp.polynomial.set_default_printstyle("unicode")
    >>> print(cp.polynomial.Polynomial([1, 2, 3]))
    1.0 + 2.0·x + 3.0·x²
    """
    np.polynomial.set_default_printstyle(style)


class _Interval:
    """The attribute `domain` or `window` of a series, or of its class."""

    def __set_name__(self, owner, name):
        self._name = name

    def __get__(self, p, cls=None):
        host = getattr(cls, f"_class_{self._name}") if p is None else getattr(p, f"_{self._name}")
        return _placed(p, host)

    def __set__(self, p, value):
        setattr(p, f"_{self._name}", _ends(value, self._name))


@_core.composite
def _placed(p, host):
    """Two numbers as an array, beside the coefficients of p. It is a copy, and read-only lest a write is lost."""
    ends = _core.asarray(host)
    ends.flags.writeable = False
    return ends


def _ends(value, name):
    """The two ends of an interval in host memory; complex numbers are allowed."""
    ends = np.atleast_1d(np.asarray(_core.asnumpy(value) if isinstance(value, _core.ndarray) else value))
    ends = ends.astype(np.common_type(ends))
    if ends.shape != (2,):
        raise ValueError(f"{name.title()} has wrong number of elements.")
    return ends


@methods_enter_by_device
class Series:
    """A series: coefficients, a domain that a linear map takes to a window, and the symbol of the variable in print."""

    __hash__ = None
    __array_ufunc__ = None  # a ufunc is refused, and arrays leave operators to the series
    maxpower = 100
    domain, window = _Interval(), _Interval()

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        for name in ("domain", "window"):
            given = cls.__dict__.get(name)
            if given is not None and not isinstance(given, _Interval):
                setattr(cls, f"_class_{name}", _ends(given, name))
                delattr(cls, name)

    def __init__(self, coef, domain=None, window=None, symbol="x"):
        [self.coef] = series([coef], trim=False)
        self._domain = self._class_domain if domain is None else _ends(domain, "domain")
        self._window = self._class_window if window is None else _ends(window, "window")
        if not isinstance(symbol, str):
            raise TypeError("Symbol must be a non-empty string")
        if not symbol.isidentifier():
            raise ValueError("Symbol string must be a valid Python identifier")
        self._symbol = symbol

    @property
    def _array_behind(self):
        return self.coef

    @property
    def symbol(self):
        """The name of the variable in print."""
        return self._symbol

    def _like(self, coef):
        return type(self)(coef, self._domain, self._window, self._symbol)

    # ---- in print, as NumPy writes it

    def get(self):
        """The same series as one of NumPy's, in host memory.

        >>> cp.polynomial.Polynomial([1, 2]).get()
        Polynomial([1., 2.], domain=[-1.,  1.], window=[-1.,  1.], symbol='x')
        """
        return self._in_host_memory(_numpys_class(type(self)))

    def _in_host_memory(self, kind):
        return kind(_core.asnumpy(self.coef), self._domain, self._window, self._symbol)

    def _printed(self):
        """One of NumPy's classes in all but the name and the basis, which a derived class may have changed."""
        name, own = type(self).__name__, {"basis_name": self.basis_name}
        return self._in_host_memory(type(name, (_numpys_class(type(self)),), own))

    def __repr__(self):
        return repr(self._printed())

    def __str__(self):
        return str(self._printed())

    def __format__(self, fmt_str):
        if fmt_str == "":
            return str(self)
        if fmt_str not in ("ascii", "unicode"):
            raise ValueError(
                f"cuprum.polynomial.{type(self).__name__}.__format__: Unsupported format string {fmt_str!r}. Valid "
                "options are 'ascii' and 'unicode'"
            )
        return format(self._printed(), fmt_str)

    def _repr_latex_(self):
        return self._printed()._repr_latex_()

    # ---- comparison

    def has_samecoef(self, other):
        """Are the coefficients equal?"""
        return len(self.coef) == len(other.coef) and bool(_core.all(self.coef == other.coef))

    def has_samedomain(self, other):
        """Are the domains equal?"""
        return bool(np.all(self._domain == other._domain))

    def has_samewindow(self, other):
        """Are the windows equal?"""
        return bool(np.all(self._window == other._window))

    def has_sametype(self, other):
        """Is the other one of this class?"""
        return isinstance(other, type(self))

    def __eq__(self, other):
        if not self.has_sametype(other) or self._symbol != other._symbol:
            return False
        return self.has_samedomain(other) and self.has_samewindow(other) and self.has_samecoef(other)

    def __ne__(self, other):
        return not self.__eq__(other)

    # ---- arithmetic

    def _coefficients(self, other):
        """Those of a series that this one can be computed with; a number or an array is taken as it is."""
        if isinstance(other, np.ndarray) or (
            hasattr(other, "has_samecoef") and not isinstance(other, Series)
        ):
            raise TypeError(
                f"cuprum.polynomial.{type(self).__name__}: a {type(other).__name__} of NumPy's is in host memory; "
                "write cp.asarray(x), and cp.polynomial for series"
            )
        if not isinstance(other, Series):
            return other
        if not self.has_sametype(other):
            raise TypeError("Polynomial types differ")
        if not self.has_samedomain(other):
            raise TypeError("Domains differ")
        if not self.has_samewindow(other):
            raise TypeError("Windows differ")
        if self._symbol != other._symbol:
            raise ValueError("Polynomial symbols differ")
        return other.coef

    def _combined(self, function, a, b):
        """A series from what a function of the family makes of two. What it cannot take is left to the other one."""
        a, b = self._coefficients(a), self._coefficients(b)
        try:
            result = function(a, b)
        except ZeroDivisionError:
            raise
        except Exception:
            return NotImplemented
        return tuple(map(self._like, result)) if isinstance(result, tuple) else self._like(result)

    def __neg__(self):
        return self._like(-self.coef)

    def __pos__(self):
        return self

    def __add__(self, other):
        return self._combined(self._family.add, self, other)

    def __sub__(self, other):
        return self._combined(self._family.sub, self, other)

    def __mul__(self, other):
        return self._combined(self._family.mul, self, other)

    def __divmod__(self, other):
        return self._combined(self._family.div, self, other)

    def __radd__(self, other):
        return self._combined(self._family.add, other, self)

    def __rsub__(self, other):
        return self._combined(self._family.sub, other, self)

    def __rmul__(self, other):
        return self._combined(self._family.mul, other, self)

    def __rdivmod__(self, other):
        return self._combined(self._family.div, other, self)

    def __floordiv__(self, other):
        return _member(self.__divmod__(other), 0)

    def __mod__(self, other):
        return _member(self.__divmod__(other), 1)

    def __rfloordiv__(self, other):
        return _member(self.__rdivmod__(other), 0)

    def __rmod__(self, other):
        return _member(self.__rdivmod__(other), 1)

    def __truediv__(self, other):
        number = isinstance(other, numbers.Number) and not isinstance(other, bool)
        if not number and not (isinstance(other, _core.ndarray) and other.ndim == 0):
            raise TypeError(f"unsupported types for true division: '{type(self)}', '{type(other)}'")
        return self.__floordiv__(other)

    def __rtruediv__(self, other):
        return NotImplemented

    def __pow__(self, other):
        return self._like(self._family.pow(self.coef, other, maxpower=self.maxpower))

    # ---- values

    def __call__(self, arg):
        arg = mapdomain(arg, self._domain, self._window)
        return self._of_series(arg) if isinstance(arg, Series) else self._family.val(arg, self.coef)

    def _of_series(self, q):
        """The composition p(q), a series as q is: Clenshaw's recurrence, where a product with x is one with q."""
        one = _core.ones(1, np.result_type(self.coef.dtype, q.coef.dtype))
        algebra = Coefficients(one, lambda v: q._family.product(q.coef, v))
        return q._like(trimmed(self._family.clenshaw(self.coef, algebra)))

    def __iter__(self):
        return iter(self.coef)

    def __len__(self):
        return len(self.coef)

    def linspace(self, n=100, domain=None):
        """n points, evenly spread over the domain, and the values there.

        >>> x, y = cp.polynomial.Polynomial([0, 2]).linspace(3)
        >>> x, y
        (array([-1.,  0.,  1.]), array([-2.,  0.,  2.]))
        """
        ends = self._domain if domain is None else _ends(domain, "domain")
        x = _core.linspace(ends[0], ends[1], n)
        return x, self(x)

    def mapparms(self):
        """Offset and scale of the map from the domain to the window.

        >>> offset, scale = cp.polynomial.Polynomial([0, 1], domain=[0, 4]).mapparms()
        >>> float(offset), float(scale)
        (-1.0, 0.5)
        """
        return mapparms(self._domain, self._window)

    # ---- other series

    def copy(self):
        """A copy."""
        return self._like(self.coef)

    def degree(self):
        """The degree: the number of coefficients less one, zeros included."""
        return len(self) - 1

    def cutdeg(self, deg):
        """The series without the terms of degrees above deg."""
        return self.truncate(deg + 1)

    def trim(self, tol=0):
        """The series without the coefficients at its end that are no larger than tol."""
        return self._like(trimcoef(self.coef, tol))

    def truncate(self, size):
        """The first `size` terms of the series."""
        length = int(size)
        if length != size or length < 1:
            raise ValueError("size must be a positive integer")
        return self._like(self.coef[:length])

    def convert(self, domain=None, kind=None, window=None):
        """The same function as a series of another class, domain or window.

        >>> print(cp.polynomial.Polynomial([0, 0, 1]).convert(kind=cp.polynomial.Chebyshev))
        0.5 + 0.0·T₁(x) + 0.5·T₂(x)
        """
        kind = type(self) if kind is None else kind
        return self(kind.identity(domain, window=window, symbol=self._symbol))

    def integ(self, m=1, k=[], lbnd=None):  # noqa: B006 (NumPy's)
        """The m-th integral, with constants k, each the value at lbnd."""
        offset, scale = self.mapparms()
        start = 0 if lbnd is None else offset + scale * lbnd
        return self._like(self._family.int(self.coef, m, k, start, 1.0 / scale))

    def deriv(self, m=1):
        """The m-th derivative."""
        return self._like(self._family.der(self.coef, m, self.mapparms()[1]))

    def roots(self):
        """The zeros."""
        return mapdomain(self._family.roots(self.coef), self._window, self._domain)

    # ---- from something else

    @classmethod
    def fit(cls, x, y, deg, domain=None, rcond=None, full=False, w=None, window=None, symbol="x"):
        """The series of degree deg that lies closest to the points, by least squares, over the domain of the points.

        >>> x = cp.array([0.0, 1.0, 2.0, 3.0])
        >>> p = cp.polynomial.Polynomial.fit(x, 2 * x + 1, 1)
        >>> p(10.0).round(6)
        array(21.)
        """
        if domain is None:
            domain = _core.asnumpy(getdomain(x))
            if domain[0] == domain[1]:
                domain = domain + [-1, 1]
        domain = cls._ends_or_own("domain", None if isinstance(domain, list) and not domain else domain)
        window = cls._ends_or_own("window", window)
        mapped = mapdomain(x, domain, window)
        result = cls._family.fit(mapped, y, deg, w=w, rcond=rcond, full=full)
        if full:
            return cls(result[0], domain, window, symbol), result[1]
        return cls(result, domain, window, symbol)

    @classmethod
    def fromroots(cls, roots, domain=[], window=None, symbol="x"):  # noqa: B006 (NumPy's)
        """The series with these zeros.

        >>> cp.polynomial.Polynomial.fromroots([1, 2]).coef
        array([ 2., -3.,  1.])
        """
        [roots] = series([roots], trim=False)
        if domain is None:
            domain = getdomain(roots)
        domain = cls._ends_or_own("domain", None if isinstance(domain, list) and not domain else domain)
        window = cls._ends_or_own("window", window)
        offset, scale = mapparms(domain, window)
        coef = cls._family.fromroots(offset + scale * roots) / scale ** len(roots)
        return cls(coef, domain, window, symbol)

    @classmethod
    def identity(cls, domain=None, window=None, symbol="x"):
        """The series that is x.

        >>> cp.polynomial.Polynomial.identity()(3.0)
        array(3.)
        """
        domain, window = cls._ends_or_own("domain", domain), cls._ends_or_own("window", window)
        return cls(cls._family.line(*mapparms(window, domain)), domain, window, symbol)

    @classmethod
    def basis(cls, deg, domain=None, window=None, symbol="x"):
        """The polynomial of degree deg.

        >>> cp.polynomial.Chebyshev.basis(2)(0.0)
        array(-1.)
        """
        degree = int(deg)
        if degree != deg or degree < 0:
            raise ValueError("deg must be non-negative integer")
        return cls([0] * degree + [1], domain, window, symbol)

    @classmethod
    def cast(cls, series, domain=None, window=None):
        """A series of another class as one of this.

        >>> cp.polynomial.Chebyshev.cast(cp.polynomial.Polynomial([0, 0, 1])).coef
        array([0.5, 0. , 0.5])
        """
        return series.convert(domain, cls, window)

    @classmethod
    def _ends_or_own(cls, name, given):
        return getattr(cls, f"_class_{name}") if given is None else _ends(given, name)


def _numpys_class(cls):
    names = [c.__name__ for c in cls.__mro__ if c.__module__.startswith("cuprum.polynomial.")]
    return getattr(np.polynomial, names[0])


def _member(result, i):
    return result if result is NotImplemented else result[i]
