"""Names of the Python package and what stands for them in C++: tables of tools/cpp_coverage.py.

A name that comes to include/cuprum leaves MISSING in the same change, or tests/python/test_cpp_coverage.py fails.
"""

_DTYPES = {
    **{name: f"dtype::{name}" for name in ["float16", "float32", "float64", "int8", "int16", "int32", "int64"]},
    **{name: f"dtype::{name}" for name in ["uint8", "uint16", "uint32", "uint64", "complex64", "complex128", "bool_"]},
    "bool": "dtype::bool_", "byte": "dtype::int8", "ubyte": "dtype::uint8", "short": "dtype::int16",
    "ushort": "dtype::uint16", "intc": "dtype::int32", "uintc": "dtype::uint32", "int_": "dtype::int64",
    "intp": "dtype::int64", "long": "dtype::int64", "longlong": "dtype::int64", "uint": "dtype::uint64",
    "uintp": "dtype::uint64", "ulong": "dtype::uint64", "ulonglong": "dtype::uint64", "half": "dtype::float16",
    "single": "dtype::float32", "double": "dtype::float64", "csingle": "dtype::complex64",
    "cdouble": "dtype::complex128",
}  # fmt: skip

# What C++ has under a name of its own: Python's name below `cuprum`, C++'s below `cuprum`.
SPELLED = {
    "delete": "delete_", "linalg.cross": "cross", "linalg.vecdot": "vecdot",
    **_DTYPES,
    "ndarray": "array", "asanyarray": "array", "asnumpy": "array::to_host",
    "astype": "array::astype", "copy": "array::copy", "shape": "array::shape", "ndim": "array::ndim",
    "size": "array::size", "fromDlpack": "from_dlpack",
    "ElementwiseKernel": "elementwise_kernel", "ReductionKernel": "reduction_kernel", "RawKernel": "raw_kernel",
    "RawModule": "raw_module", "s_": "slice", "index_exp": "slice",
    "linalg.LinAlgError": "LinAlgError", "linalg.diagonal": "diagonal", "linalg.matmul": "matmul",
    "linalg.matrix_transpose": "matrix_transpose", "linalg.outer": "outer", "linalg.tensordot": "tensordot",
    "linalg.trace": "trace", "random.Generator": "random::generator",
    "random.BitGenerator": "random::bits", "random.PCG64": "random::bits::pcg64",
    "random.PCG64DXSM": "random::bits::pcg64dxsm", "random.Philox": "random::bits::philox",
    "random.SFC64": "random::bits::sfc64", "random.MT19937": "random::bits::mt19937",
    "random.XORWOW": "random::bits::xorwow", "random.MRG32k3a": "random::bits::mrg32k3a",
    "random.Philox4x3210": "random::bits::philox4x32", "cuda.Function": "raw_kernel", "cuda.Module": "raw_module",
    "Device": "device_scope", "MemoryPool": "memory_pool", "cuda.Device": "device_scope", "cuda.Event": "event",
    "cuda.Graph": "graph", "cuda.MemoryPool": "memory_pool", "cuda.Stream": "stream",
    "cuda.get_spill": "spill_is_allowed", "cuda.set_spill": "allow_spill", "cuda.spill_stats": "spilled_bytes",
    "cuda.using_allocator": "allocator_scope",
}  # fmt: skip

_DTYPE_OBJECTS = "NumPy's dtype objects and their kin; C++ has the enumeration `dtype`"
_MODULES = "NumPy's modules of exceptions and dtypes; C++ has `error.h` and `dtype.h`"
_PYTHON_FUNCTION = "takes or makes a Python function; C++ has lambdas and loops"
_TEXT = "texts and text files in Python's formats"
_PRINTING = "settings of Python's printing; C++ passes `print_options`"
_ADDRESS = "CuPy's objects for addresses and allocators; `data_pointer` and `from_memory` are C++'s"
_LEGACY = "NumPy's legacy functions of one hidden generator; C++ has `random::generator`"
_HANDLES = "CuPy's way to NVIDIA's own functions, which a C++ program calls itself"
_OLD = "an old name for what NumPy has under another"

# What is Python's by nature: patterns of names below `cuprum`; why.
PYTHONS = [
    ("exceptions dtypes", _MODULES),
    ("__array_api_version__ __array_namespace_info__", "answers of Python's array API standard"),
    ("ScalarType character complexfloating flexible floating generic inexact integer number signedinteger",
     _DTYPE_OBJECTS),
    ("unsignedinteger sctypeDict typecodes typename mintypecode format_parser", _DTYPE_OBJECTS),
    ("find_common_type issubdtype isdtype", _DTYPE_OBJECTS),
    ("False_ True_", "`true` and `false` are C++'s"),
    ("apply_along_axis apply_over_axes frompyfunc vectorize fuse", _PYTHON_FUNCTION),
    ("DataSource genfromtxt loadtxt savetxt savez_compressed safe_eval", _TEXT),
    ("array2string base_repr binary_repr format_float_positional format_float_scientific disp", _TEXT),
    ("get_printoptions set_printoptions printoptions", _PRINTING),
    ("errstate geterr geterrcall seterr seterrcall", "Python's warnings and their settings"),
    ("broadcast flatiter ndenumerate ndindex iterable", "iterators of Python; C++ iterates over rows and `host_span`"),
    ("ufunc", "an object with methods; C++ has the function itself and reductions"),
    ("c_ r_ mgrid ogrid", "objects that are indexed to make arrays; C++ has `concatenate`, `arange`, `meshgrid`"),
    ("asarray_chkfinite require", "flags of ndarray objects in Python"),
    ("isscalar", "asks for the class of a Python object; C++ has `array::type`"),
    ("get_array_module get_array_wrap", "tell Python's array libraries apart"),
    ("info who show_config show_runtime byte_bounds little_endian benchmark", "help for a Python session"),
    ("poly1d", "a class whose operators are Python's; the functions of polynomials take arrays"),
    ("eager transfer_guard", "a `with` statement; C++ has `set_eager`"),
    ("random.RandomState random.SeedSequence random.get_*", _LEGACY),
    ("random.set_* random.reset_states random.seed random.ranf random.sample random.rand* random.bytes", _LEGACY),
    ("random.beta random.binomial random.chisquare random.choice random.dirichlet random.exponential", _LEGACY),
    ("random.f random.gamma random.geometric random.gumbel random.hypergeometric random.laplace random.log*", _LEGACY),
    ("random.multi* random.negative_binomial random.non* random.normal random.pareto random.permutation", _LEGACY),
    ("random.poisson random.power random.rayleigh random.shuffle random.standard_* random.triangular", _LEGACY),
    ("random.uniform random.vonmises random.wald random.weibull random.zipf", _LEGACY),
    ("random.Generator.bit_generator random.Generator.bytes random.Generator.spawn",
     "objects and bytes of Python; C++ makes a `generator` for each seed"),
    ("cuda.BaseMemory cuda.CFunctionAllocator cuda.ManagedMemory cuda.Memory cuda.MemoryAsync", _ADDRESS),
    ("cuda.MemoryPointer cuda.PinnedMemory* cuda.PooledMemory cuda.PythonFunctionAllocator", _ADDRESS),
    ("cuda.UnownedMemory cuda.alloc cuda.alloc_pinned_memory cuda.malloc_* cuda.set_pinned_memory_allocator", _ADDRESS),
    ("cuda.get_allocator get_default_pinned_memory_pool cuda.from_pointer cuda.MemoryHook cuda.memory_hooks", _ADDRESS),
    ("cuda.compiler cuda.driver cuda.runtime cuda.get_local_runtime_version cuda.is_ptds_enabled", _HANDLES),
    ("cuda.ExternalStream cuda.MemoryAsyncPool cuda.get_device_id", _OLD),
]  # fmt: skip

# What C++ has yet to get, one family a line. Take a name out when it is there.
MISSING = ""
