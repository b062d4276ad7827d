"""Assertions about arrays, and decorators for tests that run with NumPy and with Cuprum, with CuPy's names.

    @cp.testing.for_all_dtypes()
    @cp.testing.numpy_cupy_allclose(rtol=1e-6)
    def test_mean(xp, dtype):
        return cp.testing.shaped_random((3, 4), xp, dtype).mean(axis=0)

Arrays of either library may be compared, on any device: asking for their values is what an assertion does.
Nothing here needs pytest but `parameterize` and `slow`.
"""

from ._arrays import *
from ._arrays import __all__ as _arrays
from ._both import *
from ._both import __all__ as _both
from ._loops import *
from ._loops import __all__ as _loops
from ._making import *
from ._making import __all__ as _making
from ._pytest import *
from ._pytest import __all__ as _pytest

__all__ = sorted([*_arrays, *_both, *_loops, *_making, *_pytest])
