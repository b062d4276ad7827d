"""einops: a backend, which einops finds among the classes derived from its own."""

import cuprum as cp


def register(backends):
    """`backends` is einops._backends."""

    class CuprumBackend(backends.NumpyBackend):
        framework_name = "cuprum"

        def __init__(self):
            self.np = cp

        def from_numpy(self, x):
            return cp.asarray(x)

        def to_numpy(self, x):
            return cp.asnumpy(x)

    backends._loaded_backends[CuprumBackend.framework_name] = CuprumBackend()
