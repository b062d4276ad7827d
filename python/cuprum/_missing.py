"""What NumPy's and CuPy's namespaces have and Cuprum has not, each name with the reason, or with the milestone
of docs/roadmap.md that brings it: the text of the AttributeError that a program sees, and of the page that
tools/api_coverage.py makes.
"""

import fnmatch
from typing import NamedTuple

NAMESPACE, KERNELS, CUDA = "All of NumPy's namespace", "User kernels", "CUDA"
NO_DTYPE = "arrays hold booleans and numbers, not text, dates, records or objects"
MATRICES = "NumPy advises against `matrix`: write 2-d arrays and `@`"

# (what is missing, as patterns of full names; why not; the milestone that brings it, by its title in the roadmap)
REASONS = [
    ("cupy.cuda.nvrtc", "", KERNELS),
    ("cupy.cuda.*", "streams, allocators and handles of the user's own", CUDA),
    ("numpy.bytes_ numpy.str_ numpy.void numpy.object_ numpy.datetime64 numpy.timedelta64 numpy.record", NO_DTYPE, ""),
    ("numpy.busday* numpy.is_busday numpy.datetime_* numpy.isnat numpy.char numpy.strings", NO_DTYPE, ""),
    ("numpy.rec numpy.recarray numpy.fromregex", NO_DTYPE, ""),
    ("numpy.longdouble numpy.clongdouble numpy.float128 numpy.complex256", "no device computes with more than 64 bits",
     ""),
    ("numpy.matrix numpy.asmatrix numpy.bmat", MATRICES, ""),
    ("numpy.ma", "no masked arrays: `where=` of reductions and the functions for NaN serve", ""),
    ("numpy.memmap", "`cp.load(file, mmap_mode='r')` maps a file; `cp.asarray(np.memmap(...))` copies one", ""),
    ("numpy.core", "NumPy's own old name for private parts", ""),
    ("numpy.ctypeslib numpy.f2py numpy.get_include numpy.test numpy.typing", "tools around NumPy itself", ""),
    ("numpy.getbufsize numpy.setbufsize", "there is no buffer whose size could be set", ""),
    ("numpy.nditer numpy.nested_iters", "a loop in Python over elements: write array operations, or `cp.ndenumerate`",
     ""),
    ("numpy.ndarray.__array_struct__ numpy.ndarray.ctypes",
     "the memory may not be the host's: `cp.asnumpy(x)`, `x.data.ptr` and `__dlpack__` give it", ""),
    ("cupy.set_string_function", "NumPy 2 has `set_printoptions(override_repr=...)` instead", ""),
]  # fmt: skip


class Missing(NamedTuple):
    name: str  # as numpy.linalg.svd
    reason: str
    milestone: str


def explained(name):
    for patterns, reason, milestone in REASONS:
        if any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns.split()):
            return Missing(name, reason, milestone)
    return Missing(name, "", "")


def attribute_error(module, name):
    """The error of a module that has no such name: the reason, where NumPy or CuPy have it."""
    text = f"module {module.__name__!r} has no attribute {name!r}"
    place = module.__name__.partition(".")[2]
    for library in ("numpy", "cupy"):
        found = explained(".".join(filter(None, (library, place, name))))
        if found.reason or found.milestone:
            when = (
                f"it comes with the milestone '{found.milestone}' of the roadmap" if found.milestone else ""
            )
            text = f"{text}: {'; '.join(filter(None, (found.reason, when)))}"
            break
    return AttributeError(text, name=name, obj=module)
