"""POT: a backend. Its backend for NumPy calls NumPy's functions, which Cuprum's arrays answer; here is what
makes arrays of nothing, and what goes to the host and comes back.
"""

import cuprum as cp


def register(ot):
    """`ot` is ot.backend."""

    class CuprumBackend(ot.NumpyBackend):
        __name__ = "cuprum"
        __type__ = cp.ndarray
        __type_list__ = (cp.array(1, dtype="f4"), cp.array(1, dtype="f8"))

        def _to_numpy(self, a):
            return cp.asnumpy(a)

        def _from_numpy(self, a, type_as=None):
            if type_as is None or isinstance(a, float):
                return a if isinstance(a, float) else cp.asarray(a)
            return cp.asarray(a, dtype=type_as.dtype, device=type_as.device)

        def zeros(self, shape, type_as=None):
            return cp.zeros(shape, dtype=_dtype(type_as))

        def ones(self, shape, type_as=None):
            return cp.ones(shape, dtype=_dtype(type_as))

        def arange(self, stop, start=0, step=1, type_as=None):
            return cp.arange(start, stop, step)

        def full(self, shape, fill_value, type_as=None):
            return cp.full(shape, fill_value, dtype=_dtype(type_as))

        def eye(self, N, M=None, type_as=None):
            return cp.eye(N, M, dtype=_dtype(type_as) or float)

        def linspace(self, start, stop, num, type_as=None):
            return cp.linspace(start, stop, num, dtype=_dtype(type_as))

        def rand(self, *size, type_as=None):
            return cp.asarray(super().rand(*size))

        def randn(self, *size, type_as=None):
            return cp.asarray(super().randn(*size))

        def randperm(self, size, type_as=None):
            return cp.asarray(super().randperm(size))

        def logsumexp(self, a, axis=None, keepdims=False):
            return cp.logaddexp.reduce(a, axis=axis, keepdims=keepdims)

        def inv(self, a):
            return cp.linalg.inv(a)

        def issparse(self, a):
            return False

        def dtype_device(self, a):
            return a.dtype, a.device

        def device_type(self, type_as):
            return "CPU" if type_as.device.type == "cpu" else "GPU"

    ot._register_backend_implementation(CuprumBackend)


def _dtype(type_as):
    return None if type_as is None else type_as.dtype
