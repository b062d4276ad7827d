"""Linear algebra: numpy.linalg's functions, over stacks of matrices.

The last two dimensions are the matrix; what stands before them is a stack, computed on all cores. float32 and complex64
are computed in their own precision (`lstsq` and `pinv`, which judge by float64's epsilon, in float64), integers in
float64.
"""

from numpy.linalg import LinAlgError

from .._composite import enter_by_device
from .._reference import describe_all
from . import _eigen, _equations, _norms, _products
from ._eigen import *
from ._equations import *
from ._norms import *
from ._products import *

__all__ = sorted({"LinAlgError", *_eigen.__all__, *_equations.__all__, *_norms.__all__, *_products.__all__})

for _name in __all__:
    if getattr(globals()[_name], "__module__", "").startswith("cuprum.linalg._"):
        globals()[_name].__module__ = "cuprum.linalg"
del _name
enter_by_device(globals(), __all__)
describe_all(globals(), __all__)
