"""The functions of one family of polynomials, as methods that know its recurrence; `Family.functions` makes them the
functions of a module.

A docstring of these methods is that of six functions: {p} stands for the prefix of their names, {m} for their module.
"""

import functools
import inspect

from .. import _core
from .._checks import naming
from .._reference import text
from ._arithmetic import Arithmetic
from ._calculus import Calculus
from ._fitting import Fitting
from ._values import Evaluation
from ._zeros import Zeros

_PUBLIC = ["line", "add", "sub", "mulx", "mul", "div", "pow", "val", "val2d", "val3d", "valnd", "grid2d", "grid3d",
           "vander", "vander2d", "vander3d", "der", "int", "fromroots", "roots", "companion", "fit",
           "trim"]  # fmt: skip
_ORTHOGONAL = ["gauss", "weight"]
_CONSTANTS = ["zero", "one", "x", "domain"]


class Family(Arithmetic, Evaluation, Calculus, Zeros, Fitting):
    """What is known of a family beside its recurrence:

    prefix, module: `leg` and `legendre`; of the functions' names and errors
    slope: (step, before, after), the derivative of P_k, see _calculus.py
    domain: where the polynomials are orthogonal, or what stands for it
    mass, weight: the integral of the weight function over the domain, and the function
    """

    def __init__(self, prefix, module, terms, slope, domain, mass=None, weight=None):
        super().__init__(terms)
        self.prefix, self.module = prefix, module
        self.slope, self.domain = slope, domain
        self.mass, self._weight = mass, weight

    def where(self, name):
        """A function as errors name it."""
        return f"polynomial.{self.module}.{self.prefix}{name}"

    def names(self):
        """{public name: method}"""
        names = {self.prefix + name: getattr(self, name) for name in _PUBLIC}
        if self.is_orthogonal():
            names |= {self.prefix + name: getattr(self, name) for name in _ORTHOGONAL}
            names |= {f"{self.prefix}2poly": self.to_powers, f"poly2{self.prefix}": self.from_powers}
        return names

    def functions(self, namespace):
        """Puts the functions into the namespace of a module; returns their names, and those of its constants."""
        for name, method in self.names().items():
            namespace[name] = _core.composite(public(method, name, f"cuprum.polynomial.{self.module}", self))
        namespace["__getattr__"] = self._constant
        return [*self.names(), *(self.prefix + name for name in _CONSTANTS)]

    def _constant(self, name):
        """The constants of a module are made where they are asked for, on the current device."""
        values = {
            "zero": [0],
            "one": [1],
            "x": self.line_terms(0, 1),
            "domain": [float(x) for x in self.domain],
        }
        value = values.get(name.removeprefix(self.prefix)) if name.startswith(self.prefix) else None
        if value is None:
            raise AttributeError(f"module 'cuprum.polynomial.{self.module}' has no attribute {name!r}")
        return _core.asarray(value)


def public(method, name, module, family):
    """A method as a function of a module, with its name in errors."""
    where = f"{module.removeprefix('cuprum.')}.{name}"

    @functools.wraps(method)
    def call(*args, **kwargs):
        with naming(where):
            return method(*args, **kwargs)

    call.__name__ = call.__qualname__ = name
    call.__module__ = module
    if method.__doc__:  # python -OO has none
        parameters = list(inspect.signature(method).parameters)
        doc = _documentation(inspect.getdoc(method), family)
        call.__doc__ = text(f"polynomial.{name.removeprefix(family.prefix)}", doc, parameters)
    return call


def _documentation(text, family):
    """The text of a method for one family: its example begins with the import that it needs."""
    if "{m}" in text:
        needed = f">>> from cuprum.polynomial import {family.module} as {family.prefix}\n"
        text = text.replace(">>> ", needed + ">>> ", 1)
    return text.replace("{m}", family.prefix).replace("{p}", family.prefix)
