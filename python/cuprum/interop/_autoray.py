"""autoray: names that it asks every library for and that are elsewhere, or not at all, in this one."""

import cuprum as cp


def register(autoray):
    """`autoray` is autoray.autoray."""
    autoray.register_function("cuprum", "to_numpy", cp.asnumpy)
    autoray.register_function("cuprum", "dag", lambda x: x.conj().T)
    autoray.register_function("cuprum", "dagger", lambda x: x.conj().T)
    autoray.register_function("cuprum", "flatten", lambda x: x.ravel())
    autoray.register_function("cuprum", "linalg.expm", _expm)
    autoray.register_function("cuprum", "scipy.linalg.expm", _expm)
    autoray.register_function("cuprum", "complex", lambda re, im: re + 1j * im)


def _expm(x):
    from scipy.linalg import expm

    return cp.asarray(expm(cp.asnumpy(x)))
