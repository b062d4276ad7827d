"""What tests ask of their runner: parameters, and what must be installed."""

import importlib.metadata
import itertools
import unittest

import numpy as np

from .. import _core

__all__ = [
    "installed",
    "multi_gpu",
    "numpy_satisfies",
    "parameterize",
    "product",
    "product_dict",
    "slow",
    "with_requires",
]


def product(parameter):
    """All combinations: of a dict from names to lists, dicts from names to values; of a list of lists of dicts, the
    dicts joined.

    >>> cp.testing.product({"n": [1, 2], "order": ["C"]})
    [{'n': 1, 'order': 'C'}, {'n': 2, 'order': 'C'}]
    """
    if isinstance(parameter, dict):
        keys = sorted(parameter)
        return [dict(zip(keys, values)) for values in itertools.product(*(parameter[key] for key in keys))]
    return product_dict(*parameter)


def product_dict(*parameters):
    """All combinations of dicts, one of each list, joined.

    >>> cp.testing.product_dict([{"a": 1}, {"a": 2}], [{"b": 3}])
    [{'a': 1, 'b': 3}, {'a': 2, 'b': 3}]
    """
    return [
        {key: value for part in parts for key, value in part.items()}
        for parts in itertools.product(*parameters)
    ]


def parameterize(*params):
    """Decorates a test class, which pytest then runs for every one of the dicts, its entries being attributes of the
    object.

    >>> @cp.testing.parameterize({"n": 1}, {"n": 2})
    ... class TestSize:
    ...     def test(self):
    ...         assert cp.ones(self.n).size == self.n
    """
    import pytest

    def decorate(cls):
        if not isinstance(cls, type) or issubclass(cls, unittest.TestCase):
            raise TypeError("cuprum.testing.parameterize: a class that is no unittest.TestCase is needed")

        @pytest.fixture(autouse=True, params=params, ids=[_identity(given) for given in params])
        def parameters(self, request):
            for name, value in request.param.items():
                setattr(self, name, value)

        cls._cuprum_parameters = parameters
        return cls

    return decorate


def _identity(given):
    return "-".join(f"{name}={getattr(value, '__name__', value)}" for name, value in given.items())[:120]


def installed(*requirements):
    """Are these packages installed, in these versions?

    >>> cp.testing.installed("numpy>=1.0"), cp.testing.installed("no_such_package")
    (True, False)
    """
    from packaging.requirements import Requirement

    for text in requirements:
        requirement = Requirement(text)
        try:
            version = importlib.metadata.version(requirement.name)
        except importlib.metadata.PackageNotFoundError:
            return False
        if not requirement.specifier.contains(version, prereleases=True):
            return False
    return True


def numpy_satisfies(version_range):
    """Is NumPy of such a version?

    >>> cp.testing.numpy_satisfies(">=2.0")
    True
    """
    from packaging.specifiers import SpecifierSet

    return SpecifierSet(version_range).contains(np.__version__, prereleases=True)


def with_requires(*requirements):
    """Decorates a test that is skipped unless these packages are installed, in these versions.

    >>> @cp.testing.with_requires("numpy>=2.0")
    ... def test():
    ...     assert cp.ones(1) == 1
    """
    return unittest.skipUnless(installed(*requirements), f"requires: {', '.join(requirements)}")


def multi_gpu(gpu_num):
    """Decorates a test that is skipped with fewer GPUs.

    >>> @cp.testing.multi_gpu(64)
    ... def test():
    ...     assert cp.cuda.runtime.getDeviceCount() >= 64
    """
    return unittest.skipIf(_core.cuda_device_count() < gpu_num, f"requires {gpu_num} GPUs")


def slow(test):
    """Marks a test as slow, for pytest's `-m "not slow"`."""
    import pytest

    return pytest.mark.slow(test)
