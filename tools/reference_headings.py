"""Where the reference shows the functions of the main namespace: under the headings that NumPy's users know.

A page begins with its title, a part of it with `##`; the names follow. A name that the package lacks is passed over,
and so is a page without any. tests/python/test_site.py fails for a public name that is on no page.
"""

TEXT = """
# Array creation
## Filled arrays
empty empty_like eye identity full full_like ones ones_like zeros zeros_like
## From data
array asarray asanyarray ascontiguousarray asfortranarray asarray_chkfinite copy frombuffer from_dlpack fromDlpack
fromfile fromfunction fromiter fromstring require
## Ranges and grids
arange linspace logspace geomspace meshgrid mgrid ogrid indices
## Matrices
diag diagflat tri tril triu vander

# Array manipulation
## Basic operations
copyto ndim shape size
## Changing shape
reshape ravel resize
## Transpose-like operations
moveaxis rollaxis swapaxes transpose permute_dims matrix_transpose
## Changing the number of dimensions
atleast_1d atleast_2d atleast_3d broadcast broadcast_to broadcast_arrays broadcast_shapes expand_dims squeeze
## Joining arrays
concatenate concat stack block vstack hstack dstack column_stack row_stack
## Splitting arrays
split array_split dsplit hsplit vsplit unstack
## Tiling and padding
tile repeat pad
## Adding and removing elements
delete insert append trim_zeros
## Rearranging elements
flip fliplr flipud roll rot90

# Indexing
## Index arrays
c_ r_ s_ index_exp nonzero where ix_ ravel_multi_index unravel_index diag_indices diag_indices_from mask_indices
tril_indices tril_indices_from triu_indices triu_indices_from
## Reading elements
take take_along_axis choose compress diagonal select extract
## Writing elements
place put put_along_axis putmask fill_diagonal
## Iteration
ndenumerate ndindex flatiter iterable newaxis

# Mathematical functions
## Trigonometric functions
sin cos tan arcsin asin arccos acos arctan atan hypot arctan2 atan2 degrees radians unwrap deg2rad rad2deg
## Hyperbolic functions
sinh cosh tanh arcsinh asinh arccosh acosh arctanh atanh
## Rounding
round around rint fix floor ceil trunc
## Sums, products, differences
prod sum nanprod nansum cumulative_sum cumulative_prod cumprod cumsum nancumprod nancumsum diff ediff1d gradient cross
trapezoid
## Exponents and logarithms
exp expm1 exp2 log log10 log2 log1p logaddexp logaddexp2
## Other special functions
i0 sinc
## Floating-point numbers
signbit copysign frexp ldexp nextafter spacing
## Rational functions
lcm gcd
## Arithmetic
add reciprocal positive negative multiply divide power pow subtract true_divide floor_divide float_power fmod mod modf
remainder divmod
## Complex numbers
angle real imag conj conjugate
## Extrema
maximum max amax fmax nanmax minimum min amin fmin nanmin
## Miscellaneous
convolve clip sqrt cbrt square absolute abs fabs sign heaviside nan_to_num real_if_close interp bitwise_count
e euler_gamma inf nan pi

# Logic functions
## Truth values
all any
## Array contents
isfinite isinf isnan isneginf isposinf
## Type tests
iscomplex iscomplexobj isfortran isreal isrealobj isscalar
## Logical operations
logical_and logical_or logical_not logical_xor
## Comparison
allclose isclose array_equal array_equiv greater greater_equal less less_equal equal not_equal

# Bit operations
## Elements
bitwise_and bitwise_or bitwise_xor invert bitwise_invert bitwise_not left_shift bitwise_left_shift right_shift
bitwise_right_shift
## Packing
packbits unpackbits binary_repr base_repr

# Sorting, searching, counting
## Sorting
sort lexsort argsort sort_complex partition argpartition
## Searching
argmax nanargmax argmin nanargmin argwhere flatnonzero searchsorted
## Counting
count_nonzero
## Sets
unique unique_all unique_counts unique_inverse unique_values isin intersect1d setdiff1d setxor1d union1d

# Statistics
## Order statistics
ptp percentile nanpercentile quantile nanquantile
## Averages and variances
median average mean std var nanmedian nanmean nanstd nanvar
## Correlation
corrcoef correlate cov
## Histograms
histogram histogram2d histogramdd bincount histogram_bin_edges digitize

# Products of matrices and vectors
## Products
dot vdot vecdot inner outer matmul matvec vecmat tensordot einsum einsum_path kron
## Numbers of a matrix
trace

# Polynomials of one variable
## Functions
poly1d polyval poly roots polyfit polyder polyint polyadd polydiv polymul polysub

# Window functions
## Windows
bartlett blackman hamming hanning kaiser

# Functional programming
## Functions of slices and elements
apply_along_axis apply_over_axes vectorize frompyfunc piecewise

# Input and output
## Binary files
load save savez savez_compressed DataSource
## Text files
loadtxt savetxt genfromtxt
## Text
array2string array_repr array_str format_float_positional format_float_scientific info disp
## Print options
set_printoptions get_printoptions printoptions

# Data types
## Functions
can_cast promote_types min_scalar_type result_type common_type astype finfo find_common_type mintypecode typename
format_parser

# Floating-point errors
## Settings
seterr geterr seterrcall geterrcall errstate

# Kernels of your own
## Kernels
ElementwiseKernel ReductionKernel RawKernel RawModule fuse

# Devices, evaluation and memory
## Evaluation
evaluate eager show_graph benchmark
## Devices and other libraries
Device is_available transfer_guard asnumpy get_array_module get_array_wrap __array_namespace_info__
__array_api_version__
## Data larger than the device
map_chunks ChunkError
## Memory
MemoryPool get_default_memory_pool get_default_pinned_memory_pool OutOfMemoryError shares_memory may_share_memory
byte_bounds
## The installation
show_config show_runtime who safe_eval
"""


def pages(package):
    """[(title, [(subtitle, names)])], in order, with the names that the package has."""
    found = []
    for page in TEXT.split("\n# ")[1:]:
        title, *parts = page.strip().split("\n## ")
        named = [part.partition("\n") for part in parts]
        kept = [
            (part, [name for name in names.split() if hasattr(package, name)]) for part, _, names in named
        ]
        found.append((title.strip(), [(part, names) for part, names in kept if names]))
    return [(title, parts) for title, parts in found if parts]
