"""What the public functions return, as `help` shows it (see __init__.py): the names of functions in brackets,
then a type and a sentence.
"""

TEXT = """
[sum prod max min amax amin mean var std ptp nansum nanprod nanmax nanmin nanmean nanvar nanstd median
nanmedian]
ndarray
    The values without the reduced axes; a 0-d array if all axes are reduced. Or `out`.
[any all]
ndarray
    Truth values without the reduced axes; a 0-d array if all axes are reduced. Or `out`.
[count_nonzero]
ndarray
    The counts without the reduced axes.
[average]
ndarray, or a pair of them
    The means, and with `returned` the sums of the weights.
[argmax argmin nanargmax nanargmin]
ndarray of int64
    The indices, without the axis; a 0-d array for the flattened operand. Or `out`.
[quantile percentile nanquantile nanpercentile]
ndarray
    One value per element of `q`, along the first axis; without that axis for a single `q`. Or `out`.
[cumsum cumprod nancumsum nancumprod cumulative_sum cumulative_prod]
ndarray
    The running results, as many as elements along the axis. Or `out`.
[diff ediff1d]
ndarray
    The differences.
[gradient]
ndarray, or a tuple of them
    The derivatives: one array, of the shape of `f`, for each axis.
[trapezoid]
ndarray
    The integrals, without the axis.
[cross linalg.cross]
ndarray
    The vector products.
[unwrap nan_to_num real_if_close clip around round fix]
ndarray
    The new values, in the shape of the operand.
[interp]
ndarray
    The interpolated values, in the shape of `x`.
[packbits unpackbits]
ndarray of uint8
    The bytes, or the bits.
[block concatenate hstack vstack row_stack dstack column_stack append insert]
ndarray
    The joined array.
[stack]
ndarray
    The joined array, with one more axis.
[delete]
ndarray
    A copy without those elements.
[select piecewise where choose]
ndarray
    The chosen elements. `where` with a condition alone returns a tuple of index arrays.
[apply_along_axis apply_over_axes fromfunction]
ndarray
    What the function returned, put together.
[benchmark]
None
    The times are printed.
[fuse]
callable
    The function, with its arguments checked; given options alone, a decorator.
[map_chunks]
numpy.ndarray, or what `finish` returns
    The results in host memory; or `out`.
[sort_complex sort]
ndarray
    A sorted copy.
[partition]
ndarray
    A partitioned copy.
[argsort argpartition lexsort]
ndarray of int64
    The indices.
[searchsorted digitize]
ndarray of int64
    The positions, in the shape of the values.
[eager printoptions]
context manager
    The setting holds inside its `with` block.
[show_graph]
object
    The graph: `str` gives its text, `.svg` its picture.
[finfo]
numpy.finfo
    The limits: `eps`, `max`, `tiny`, ...
[array asarray_chkfinite fromiter require asarray asanyarray ascontiguousarray asfortranarray copy astype]
ndarray
    The array.
[empty zeros ones full empty_like zeros_like ones_like full_like eye identity tri diagflat vander]
ndarray
    The new array.
[arange logspace geomspace]
ndarray
    The values, a vector unless the ends are arrays.
[linspace]
ndarray, or (ndarray, ndarray)
    The values, and with `retstep` the distance between them.
[tril triu]
ndarray
    A copy with the other triangle set to zero.
[diag]
ndarray
    A view of the diagonal, or a new matrix.
[meshgrid broadcast_arrays]
tuple of ndarrays
    One array for each argument.
[is_available isscalar iterable isfortran iscomplexobj isrealobj shares_memory may_share_memory can_cast]
bool
    The answer.
[allclose array_equal array_equiv]
bool
    The answer; the call waits for it.
[isclose isin isreal iscomplex isposinf isneginf]
ndarray of bool
    One truth value per element.
[disp who show_config show_runtime info]
None
    The text is printed.
[safe_eval]
object
    The value.
[find_common_type promote_types result_type min_scalar_type]
dtype
    The dtype.
[common_type]
type
    The scalar type.
[mintypecode typename]
str
    The character, or its meaning.
[get_array_wrap]
callable or None
    The method.
[byte_bounds]
(int, int)
    The two addresses.
[trim_zeros]
ndarray
    A view of what is left.
[einsum tensordot linalg.tensordot]
ndarray
    The sums of products.
[einsum_path]
(list, str)
    The path and its explanation.
[real imag]
ndarray
    The part: a view where the operand is complex.
[angle sinc i0]
ndarray
    The values, in the shape of the operand.
[seterr geterr]
dict
    The setting of each kind of error, before the call.
[seterrcall geterrcall]
callable, object or None
    The handler that was set before.
[indices]
ndarray, or a tuple of them
    The coordinates: one array along the first axis, or a tuple if `sparse`.
[ix_]
tuple of ndarrays
    Index arrays that broadcast to a grid.
[bincount]
ndarray
    The counts, or the sums of weights.
[histogram_bin_edges]
ndarray
    The edges, one more than bins.
[histogram]
(ndarray, ndarray)
    The counts, and the edges of the bins.
[histogram2d]
(ndarray, ndarray, ndarray)
    The counts, and the edges along both axes.
[histogramdd]
(ndarray, tuple of ndarrays)
    The counts, and the edges along every axis.
[take take_along_axis compress extract]
ndarray
    The elements, in a new array. Or `out`.
[put put_along_axis place putmask fill_diagonal copyto]
None
    The array is written in place.
[nonzero diag_indices diag_indices_from tril_indices triu_indices tril_indices_from triu_indices_from
mask_indices]
tuple of ndarrays of int64
    One index array per axis.
[flatnonzero]
ndarray of int64
    Indices of the flattened array.
[argwhere]
ndarray of int64
    One row of indices per element.
[diagonal linalg.diagonal]
ndarray
    A read-only view.
[asnumpy]
numpy.ndarray
    A copy in host memory. Or `out`.
[from_dlpack fromDlpack]
ndarray
    An array over the same memory.
[frombuffer]
ndarray
    A vector over the same memory on the CPU, a copy on other devices.
[get_array_module]
module
    `cuprum` or `numpy`.
[save savez savez_compressed savetxt]
None
    The file is written.
[load]
ndarray, mapping, or object
    The contents of the file.
[loadtxt genfromtxt]
ndarray
    The numbers, a row for each line.
[fromfile fromstring]
ndarray
    The numbers, as a vector.
[unstack]
tuple of ndarrays
    The slices.
[array_split split hsplit vsplit dsplit]
list of ndarrays
    The parts, as views.
[reshape ravel]
ndarray
    A view where the layout allows it, otherwise a copy.
[transpose permute_dims matrix_transpose linalg.matrix_transpose moveaxis rollaxis swapaxes squeeze
expand_dims flip]
ndarray
    A view.
[fliplr flipud rot90]
ndarray
    A view.
[broadcast_to]
ndarray
    A read-only view.
[broadcast_shapes shape]
tuple of ints
    The shape.
[ndim size]
int
    The number.
[atleast_1d atleast_2d atleast_3d]
ndarray, or a tuple of them
    The arrays, as views.
[roll repeat tile resize pad]
ndarray
    A new array.
[get_default_pinned_memory_pool get_default_memory_pool]
memory pool
    The pool.
[roots]
ndarray
    The zeros.
[poly polyadd polysub polymul polyder polyint]
ndarray or poly1d
    The coefficients, highest power first; a poly1d if an operand is one.
[polydiv]
(ndarray, ndarray)
    Quotient and remainder.
[polyval]
ndarray or poly1d
    The values, in the shape of `x`.
[polyfit]
ndarray, or a tuple
    The coefficients, highest power first; with `full` or `cov` also what these ask for.
[ravel_multi_index]
ndarray of int64
    The numbers of the elements.
[unravel_index]
tuple of ndarrays of int64
    The coordinates, one array per axis.
[set_printoptions]
None
    The options hold from now on.
[get_printoptions]
dict
    The options.
[array2string array_repr array_str format_float_positional format_float_scientific base_repr binary_repr]
str
    The text.
[matmul vecdot matvec vecmat dot vdot inner outer kron linalg.matmul linalg.vecdot linalg.outer
linalg.multi_dot]
ndarray
    The products. Or `out`.
[trace linalg.trace]
ndarray
    The sums.
[union1d intersect1d setxor1d setdiff1d]
ndarray
    The elements, as a vector; `intersect1d` with `return_indices` returns their positions too.
[unique]
ndarray, or a tuple of them
    The distinct elements, and what else was asked for.
[unique_values]
ndarray
    The distinct elements.
[unique_counts unique_inverse unique_all]
named tuple of ndarrays
    `values`, and `indices`, `inverse_indices` or `counts`, as the name says.
[frompyfunc]
callable
    The function of arrays.
[bartlett blackman hamming hanning kaiser]
ndarray
    The window, `M` numbers.
[convolve correlate]
ndarray
    The sums, as a vector.
[cov corrcoef]
ndarray
    The matrix, a row and a column for each variable.
[emath.sqrt emath.log emath.log10 emath.log2 emath.logn emath.power emath.arccos emath.arcsin emath.arctanh]
ndarray
    The values, complex where they have to be.
[lib.stride_tricks.as_strided lib.stride_tricks.sliding_window_view]
ndarray
    A view.

[ndarray.byteswap ndarray.copy ndarray.flatten ndarray.astype ndarray.repeat]
ndarray
    A new array.
[ndarray.sort ndarray.partition ndarray.fill ndarray.put ndarray.set ndarray.setflags ndarray.resize
ndarray.setfield]
None
    The array is changed in place.
[ndarray.scatter_add ndarray.scatter_max ndarray.scatter_min ndarray.tofile ndarray.dump]
None
    The array, or the file, is changed in place.
[ndarray.dumps ndarray.tobytes]
bytes
    The bytes.
[ndarray.getfield ndarray.view ndarray.reduced_view]
ndarray
    A view.
[ndarray.get]
numpy.ndarray
    A copy in host memory. Or `out`.
[ndarray.item]
bool, int, float or complex
    A Python number; the call waits for it.
[ndarray.tolist]
list or scalar
    Nested lists of Python numbers.
[ndarray.toDlpack]
PyCapsule
    The capsule.
[ndarray.to_device]
ndarray
    The array itself if it is there already, otherwise a copy.
[ndarray.conj ndarray.conjugate]
ndarray
    The conjugates.
[ndarray.choose ndarray.dot]
ndarray
    The result. Or `out`.

[linalg.qr]
named tuple of ndarrays, or ndarray
    `Q` and `R`; with mode 'r' R alone, with 'raw' LAPACK's h and tau.
[linalg.svd]
named tuple of ndarrays, or ndarray
    `U`, `S` and `Vh`, or the singular values alone.
[linalg.svdvals linalg.eigvals linalg.eigvalsh]
ndarray
    The values, along the last axis.
[linalg.eig linalg.eigh]
named tuple of ndarrays
    `eigenvalues`, and `eigenvectors` as columns.
[linalg.solve linalg.tensorsolve]
ndarray
    The solutions.
[linalg.inv linalg.tensorinv linalg.pinv]
ndarray
    The inverses.
[linalg.matrix_power]
ndarray
    The powers.
[linalg.cholesky]
ndarray
    The triangular factors.
[linalg.det linalg.cond linalg.norm linalg.matrix_norm linalg.vector_norm]
ndarray
    One number for each matrix or vector.
[linalg.slogdet]
named tuple of ndarrays
    `sign` and `logabsdet`.
[linalg.lstsq]
(ndarray, ndarray, int, ndarray)
    The solutions, the squared residuals, the rank and the singular values.
[linalg.matrix_rank]
ndarray of int64
    One rank for each matrix.

[fft.fft fft.ifft fft.fft2 fft.ifft2 fft.fftn fft.ifftn]
ndarray
    The transform, complex. Or `out`.
[fft.rfft fft.rfft2 fft.rfftn fft.ihfft]
ndarray
    The transform, complex; n // 2 + 1 points along the last axis. Or `out`.
[fft.irfft fft.irfft2 fft.irfftn fft.hfft]
ndarray
    The transform, real. Or `out`.
[fft.fftfreq fft.rfftfreq]
ndarray of float64
    The frequencies.
[fft.fftshift fft.ifftshift]
ndarray
    The shifted array.

[random.*]
ndarray
    The numbers, in the shape `size`.
[random.default_rng]
Generator
    The generator.
[random.get_random_state]
RandomState
    The generator.
[random.get_bit_generator]
BitGenerator
    The bit generator.
[random.seed random.set_random_state random.reset_states random.set_bit_generator random.set_state
random.shuffle]
None
    The state, or the array, is changed.
[random.get_state]
tuple or dict
    The state.
[random.bytes random.Generator.bytes random.RandomState.bytes]
bytes
    The bytes.
[random.choice random.permutation random.Generator.choice random.Generator.permutation
random.Generator.permuted]
ndarray
    The chosen items, or the items in random order.
[random.multinomial random.dirichlet random.multivariate_normal]
ndarray
    The vectors, along the last axis.
[random.Generator.shuffle random.RandomState.shuffle random.RandomState.seed random.RandomState.set_state]
None
    The array, or the state, is changed.
[random.Generator.spawn]
list of Generators
    The generators.
[random.RandomState.get_state]
tuple or dict
    The state.

[polynomial.*]
ndarray
    The coefficients, lowest degree first.
[polynomial.val polynomial.val2d polynomial.val3d polynomial.valnd polynomial.grid2d polynomial.grid3d
polynomial.polynomial.polyvalfromroots]
ndarray
    The values.
[polynomial.div]
(ndarray, ndarray)
    Quotient and remainder.
[polynomial.vander polynomial.vander2d polynomial.vander3d polynomial.companion]
ndarray
    The matrix.
[polynomial.roots]
ndarray
    The zeros.
[polynomial.fit]
ndarray, or (ndarray, list)
    The coefficients, and with `full` what it asks for.
[polynomial.gauss]
(ndarray, ndarray)
    The points and their weights.
[polynomial.weight]
ndarray
    The weight function at the points.
[polynomial.set_default_printstyle]
None
    The style holds from now on.
[polynomial.chebyshev.chebpts1 polynomial.chebyshev.chebpts2 polynomial.polyutils.mapdomain]
ndarray
    The points.
[polynomial.polyutils.trimseq]
sequence
    The shorter sequence.
[polynomial.polyutils.as_series]
list of ndarrays
    The series.
[polynomial.polyutils.getdomain]
ndarray
    The two ends.
[polynomial.polyutils.mapparms]
(scalar, scalar)
    Offset and scale.
[polynomial.polyutils.format_float]
str
    The text.

[ufunc.*]
ndarray
    The result, in the broadcast shape of the operands. Or `out`.
[ufunc.divmod ufunc.modf ufunc.frexp]
tuple of two ndarrays
    The results, in the broadcast shape of the operands. Or `out`.
"""
