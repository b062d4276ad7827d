"""tensorly: `tl.set_backend("cuprum")`. Its backend for NumPy calls NumPy's functions, which Cuprum's arrays
answer; here is what makes arrays of nothing, and what asks for NumPy's own type.
"""

import importlib

import cuprum as cp


def register(backend):
    """`backend` is tensorly.backend."""
    if "cuprum" in backend.BackendManager.available_backend_names:
        return
    backend.BackendManager.available_backend_names.append("cuprum")
    NumpyBackend = importlib.import_module("tensorly.backend.numpy_backend").NumpyBackend

    class CuprumBackend(NumpyBackend, backend_name="cuprum"):
        @staticmethod
        def tensor(data, dtype=None, **_):
            return cp.array(data, dtype=dtype)

        @staticmethod
        def is_tensor(tensor):
            return isinstance(tensor, cp.ndarray)

        @staticmethod
        def to_numpy(tensor):
            return cp.asnumpy(tensor)

        @staticmethod
        def clip(tensor, a_min=None, a_max=None):
            return cp.clip(tensor, a_min, a_max)

        @staticmethod
        def logsumexp(tensor, axis=0):
            return cp.logaddexp.reduce(tensor, axis=axis)

    for name in _own_names(NumpyBackend):
        CuprumBackend.register_method(name, getattr(cp, name))
    for name in ("solve", "qr", "svd", "eigh", "lstsq"):
        CuprumBackend.register_method(name, getattr(cp.linalg, name))


def _own_names(base):
    """The functions of NumPy that its backend has taken over by name, where Cuprum has them too."""
    return [name for name in vars(base) if not name.startswith("_") and name in cp.__all__ and name != "clip"]
