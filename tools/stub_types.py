"""Tables for tools/make_stubs.py: which type a parameter or a result has.

What is in no table is Any for a parameter, and for a result what the examples in the docstrings return.
tests/python/test_types.py compares the tables with them too.
"""

import numpy as np

import cuprum as cp


def each(names, kind):
    return dict.fromkeys(names.split(), kind)


# -- Parameters -----------------------------------------------------------------------------------------

ARRAYS = """
    a b x y z m v arr ary A B x1 x2 a1 a2 ar ar1 ar2 array p q u element test_elements xp fp val values
    prototype indices condition mask filt weights other repeats sorter to_end to_begin prepend append a_min
    a_max min max fill_value nan posinf neginf rtol atol dx period left right vals src shift beta f where obj
    discont correction ddof initial seq_of_zeros w start stop step value
    """
BY_NAME = {
    **each(ARRAYS, "_ArrayLike"),
    "axis": "_Axis",
    "casting": "str",
    "copy": "_bool | None",
    "device": "str | Device | int | None",
    "dtype": "_DType",
    "dst": "ndarray",
    "indices_or_sections": "_ArrayLike",
    "keepdims": "_bool",
    "order": "str | None",
    "out": "ndarray | tuple[ndarray | None, ...] | None",
    "shape": "_Shape",
    "new_shape": "_Shape",
    "tup": "Sequence[_ArrayLike] | ndarray",
    "type1": "npt.DTypeLike",
    "type2": "npt.DTypeLike",
    **dict.fromkeys(
        ["M", "N", "axis1", "axis2", "k", "n", "decimals", "num", "ndmin", "ndim"], "SupportsIndex"
    ),
}
SERIES = ["cheb", "leg", "herm", "herme", "lag"]  # families of functions in cuprum.polynomial, beside poly
SERIES_CLASSES = ["Polynomial", "Chebyshev", "Legendre", "Hermite", "HermiteE", "Laguerre"]

BY_FUNCTION = {  # where a name means something else
    **{f"{family}int": {"k": "_ArrayLike | None", "m": "SupportsIndex"} for family in SERIES},
    **{f"{family}der": {"m": "SupportsIndex"} for family in SERIES},
    **{name: {"k": "_ArrayLike", "m": "SupportsIndex"} for name in SERIES_CLASSES},
    "evaluate": {"arrays": "ndarray"},
    "concat": {"arrays": "Sequence[_ArrayLike] | ndarray"},
    "concatenate": {"arrays": "Sequence[_ArrayLike] | ndarray"},
    "stack": {"arrays": "Sequence[_ArrayLike] | ndarray"},
    "delete": {"obj": "Any"},
    "insert": {"obj": "Any"},
    "format_float_positional": {"min_digits": "int | None", "x": "Any"},
    "format_float_scientific": {"min_digits": "int | None", "x": "Any"},
    "from_dlpack": {"x": "Any"},
    "fromfunction": {"function": "Callable[..., Any]"},
    "apply_along_axis": {"func1d": "Callable[..., Any]"},
    "iterable": {"y": "object"},
    "isscalar": {"element": "object"},
    "pad": {"mode": "str | Callable[..., Any]"},
    "reshape": {"shape": "_Shape | SupportsIndex"},
    "set": {"arr": "_ArrayLike"},
    "sort": {"order": "None"},
    "vander": {"N": "SupportsIndex | None"},
    "eye": {"N": "SupportsIndex", "M": "SupportsIndex | None"},
    "tri": {"M": "SupportsIndex | None"},
    "triu_indices": {"m": "SupportsIndex | None"},
    "tril_indices": {"m": "SupportsIndex | None"},
    "polyint": {"k": "_ArrayLike | None", "m": "SupportsIndex"},
    "polyder": {"m": "SupportsIndex"},
    "cond": {"p": "float | str | None"},
    "matrix_norm": {"ord": "float | str | None"},
    "multi_dot": {"arrays": "Sequence[_ArrayLike] | ndarray"},
    "norm": {"ord": "float | str | None"},
    "pinv": {"rcond": "_ArrayLike | None"},
    "vector_norm": {"ord": "float | str | None"},
}

# Of the laws of cuprum.random: parameters are numbers or arrays.
LAWS = """
    beta binomial chisquare dirichlet exponential f gamma geometric gumbel hypergeometric integers laplace logistic
    lognormal logseries multinomial multivariate_hypergeometric multivariate_normal negative_binomial
    noncentral_chisquare noncentral_f normal pareto poisson power randint random_integers rayleigh standard_cauchy
    standard_exponential standard_gamma standard_normal standard_t triangular uniform vonmises wald weibull zipf
    """
LAW_PARAMETERS = {
    **each(
        "a alpha b colors cov df dfden dfnum kappa lam left loc low mean mode mu n nbad ngood", "_ArrayLike"
    ),
    **each("nonc nsample p pvals right scale shape sigma", "_ArrayLike"),
    "high": "_ArrayLike | None",
    "size": "_Shape | SupportsIndex | None",
}
BY_FUNCTION |= dict.fromkeys(LAWS.split(), LAW_PARAMETERS)


# -- Results --------------------------------------------------------------------------------------------

PAIRS = "tuple[ndarray, ndarray]"
RESULTS = {
    **each(
        """
    allclose array_equal array_equiv can_cast iscomplexobj isfortran isrealobj isscalar iterable
    may_share_memory shares_memory
    """,
        "_bool",
    ),
    **each(
        """
    array2string array_repr array_str base_repr binary_repr format_float_positional format_float_scientific
    mintypecode typename
    """,
        "str",
    ),
    **each("array_split dsplit hsplit split vsplit", "list[ndarray]"),
    **each(
        """
    broadcast_arrays diag_indices diag_indices_from ix_ mask_indices meshgrid nonzero tril_indices
    tril_indices_from triu_indices triu_indices_from unravel_index unstack
    """,
        "tuple[ndarray, ...]",
    ),
    **each(
        """
    copyto dump fill fill_diagonal place put put_along_axis putmask save savetxt savez savez_compressed
    scatter_add scatter_max scatter_min set set_printoptions setflags tofile
    """,
        "None",
    ),
    **each("ndim size", "int"),
    **each("min_scalar_type promote_types result_type", "np.dtype[Any]"),
    # One array or several, as the arguments say.
    **each(
        """
    atleast_1d atleast_2d atleast_3d einsum_path evaluate genfromtxt gradient indices load loadtxt
    unique where
    """,
        "Any",
    ),
    # Named tuples of arrays, or one array; a context.
    **each("eig eigh errstate qr slogdet svd", "Any"),
    "lstsq": "tuple[ndarray, ndarray, ndarray, ndarray]",
    **each(
        LAWS + "choice permutation permuted rand randn random random_sample ranf sample tomaxint", "ndarray"
    ),
    "asnumpy": "npt.NDArray[Any]",
    "get": "npt.NDArray[Any]",
    "broadcast_shapes": "tuple[int, ...]",
    "shape": "tuple[int, ...]",
    "common_type": "type[Any]",
    "dumps": "bytes",
    "tobytes": "bytes",
    "eager": "AbstractContextManager[None]",
    "printoptions": "AbstractContextManager[dict[str, Any]]",
    "finfo": "Any",
    "get_array_module": "ModuleType",
    "get_default_memory_pool": "MemoryPool",
    "alloc": "Any",
    "alloc_pinned_memory": "Any",
    "byte_bounds": "tuple[int, int]",
    # Of the CUDA modules.
    **each(
        """
    deviceCanAccessPeer deviceGetByPCIBusId driverGetVersion eventCreate eventCreateWithFlags eventQuery getDevice
    getDeviceCount get_build_version get_device_id get_local_runtime_version runtimeGetVersion streamCreate
    streamCreateWithFlags streamCreateWithPriority streamQuery
    """,
        "int",
    ),
    **each(
        """
    deviceEnablePeerAccess deviceSynchronize eventDestroy eventRecord eventSynchronize launchHostFunc setDevice
    streamDestroy streamSynchronize streamWaitEvent
    """,
        "None",
    ),
    **each("eventElapsedTime get_elapsed_time", "float"),
    "deviceGetPCIBusId": "str",
    "from_pointer": "Device",
    "getDeviceProperties": "dict[str, Any]",
    "get_current_stream": "Any",
    "streamIsCapturing": "_bool",
    "empty_like_pinned": "npt.NDArray[Any]",
    "empty_pinned": "npt.NDArray[Any]",
    "get_allocator": "Any",
    "get_compute_capability": "str | None",
    "get_default_pinned_memory_pool": "Any",
    "get_runtime_info": "Any",
    "memGetInfo": "tuple[int, int]",
    "scatter_add": "None",
    "scatter_max": "None",
    "scatter_min": "None",
    "set_allocator": "None",
    "set_pinned_memory_allocator": "None",
    "using_allocator": "Any",
    "who": "None",
    "zeros_like_pinned": "npt.NDArray[Any]",
    "zeros_pinned": "npt.NDArray[Any]",
    "get_printoptions": "dict[str, Any]",
    "histogram": PAIRS,
    "histogram2d": "tuple[ndarray, ndarray, ndarray]",
    "histogramdd": "tuple[ndarray, list[ndarray]]",
    "item": "Any",
    "polydiv": PAIRS,
    **{f"{family}{name}": PAIRS for family in SERIES for name in ("div", "gauss")},
    **{f"{family}fit": "Any" for family in ("poly", *SERIES)},
    **each("mapparms mapdomain", "Any"),
    "format_float": "str",
    "set_default_printstyle": "None",
    "as_series": "list[ndarray]",
    "show_config": "Any",
    "show_graph": "Any",
    "toDlpack": "Any",
    "tolist": "Any",
    "unique_all": "Any",
    "unique_counts": "Any",
    "unique_inverse": "Any",
}
# Of cuprum.testing: assertions, decorators, and arrays of either library. Of cuprum.interop; of two benchmarks.
_ASSERTIONS = [name for name in cp.testing.__all__ if name.startswith("assert_")]
_BOTH = [name for name in cp.testing.__all__ if name.startswith("numpy_cupy_")]
_LOOPS = [name for name in cp.testing.__all__ if name.startswith("for_")]
_MADE = [name for name in cp.testing.__all__ if name.startswith("shaped_")] + ["generate_matrix"]
RESULTS |= dict.fromkeys([*_ASSERTIONS, "watch"], "None")
RESULTS |= dict.fromkeys(
    [*_BOTH, *_LOOPS, "multi_gpu", "parameterize", "slow", "with_requires"], "Callable[..., Any]"
)
RESULTS |= dict.fromkeys(["product", "product_dict"], "list[dict[str, Any]]")
RESULTS |= dict.fromkeys(["installed", "numpy_satisfies"], "_bool")
RESULTS |= dict.fromkeys([*_MADE, "benchmark"], "Any")
BY_FUNCTION |= {name: {"xp": "Any"} for name in [*_MADE, "empty"]}
BY_FUNCTION |= {name: each("accept_error atol rtol", "Any") for name in [*_ASSERTIONS, *_BOTH]}
BY_FUNCTION |= {"benchmark": {"f": "Callable[..., Any]"}}
# One array or several, by an argument: (parameter, the type that asks for several, their type).
SEVERAL = {
    "average": ("returned", "Literal[True]", PAIRS),
    "linspace": ("retstep", "Literal[True]", "tuple[ndarray, Any]"),
    "intersect1d": ("return_indices", "Literal[True]", "tuple[ndarray, ndarray, ndarray]"),
}
KINDS = {  # of a result that is in no table, by the examples
    cp.ndarray: "ndarray",
    type(None): "None",
    bool: "_bool",
    int: "int",
    str: "str",
    np.dtype: "np.dtype[Any]",
}
BY_DTYPE = [  # `dtype=np.float32` gives an ndarray[np.float32]
    "array", "asanyarray", "asarray", "ascontiguousarray", "asfortranarray", "astype", "empty", "empty_like", "eye",
    "full", "full_like", "identity", "ones", "ones_like", "tri", "zeros", "zeros_like",
]  # fmt: skip
METHOD_RESULTS = {
    **each("partition resize sort", "None"),  # in place, unlike the functions
    **each(  # the elements keep their dtype
        """
    byteswap clip compress conj conjugate copy diagonal flatten ravel reduced_view repeat reshape round squeeze
    swapaxes take to_device transpose
    """,
        "ndarray[_Scalar]",
    ),
    "get": "npt.NDArray[_Scalar]",
}

ATTRIBUTES = {
    "T": "ndarray[_Scalar]", "mT": "ndarray[_Scalar]", "base": "Any", "ctypes": "Any", "data": "Any",
    "device": "Device", "dtype": "np.dtype[_Scalar]",
    "flags": "Any", "flat": "flatiter", "imag": "ndarray", "itemsize": "int", "nbytes": "int", "ndim": "int",
    "real": "ndarray", "shape": "tuple[int, ...]", "size": "int", "strides": "tuple[int, ...]",
}  # fmt: skip

CLASS_TYPES = {  # of the classes written in Python
    "id": "int", "name": "str", "__len__": "int", "__hash__": "int", "__repr__": "str", "__str__": "str",
    "__bool__": "_bool", "__format__": "str", "__int__": "int", "__init__": "None", "__exit__": "None",
    "shape": "tuple[int, ...]", "attributes": "dict[str, int]", "pci_bus_id": "str", "is_non_blocking": "_bool",
    "size": "int", "nd": "int", "ndim": "int", "numiter": "int",
}  # fmt: skip
