"""What the parameters of the public functions mean, as `help` shows it (see __init__.py).

A section begins with the names of functions in brackets; `[*]` holds for all, `[linalg.*]` for a module. An
entry says what a function takes under a name; several names may share one.
"""

TEXT = """
[*]
a, m, arr, ary, z, val : array_like
    The array.
x : array_like
    The values.
a1, a2, ar1, ar2, x1, x2 : array_like
    The two operands.
b : array_like
    The second operand.
axis : int, optional
    The axis to work along. None means the flattened array.
axis1, axis2 : int
    The two axes.
axes : sequence of ints, optional
    The axes.
dtype : dtype, optional
    The dtype of the result. None keeps the one that NumPy's rules give.
out : ndarray, optional
    The array that receives the result; it is returned.
keepdims : bool
    Keep the reduced axes with length one, so that the result broadcasts against the operand.
where : array_like of bool
    The elements to include; it broadcasts against the operand.
initial : scalar, optional
    The value that the reduction starts from.
order : {'C', 'F', 'A', 'K'}
    The memory layout of the result: rows first, columns first, or that of the operand.
casting : {'no', 'equiv', 'safe', 'same_kind', 'unsafe'}
    The conversions of dtype that are allowed.
subok : bool
    Let classes derived from ndarray through. Otherwise the result is a plain array.
like : optional
    For NumPy's signature; it has no effect.
device : str, int or Device, optional
    The device that holds the result, such as "cpu" or "cuda:1". None means the current device.
copy : bool, optional
    True always copies, False never does and raises where it would have to, None copies if needed.
shape : int or tuple of ints
    The lengths of the axes.
stream : Stream, optional
    The stream that makes the copy. None means the current one.
n : int
    The number of elements.
N : int
    The number of rows.
M : int, optional
    The number of columns. None means as many as rows.
k : int
    The diagonal: 0 is the main one, positive ones lie above it.
offset : int
    The diagonal: 0 is the main one, positive ones lie above it.
weights : array_like, optional
    The weight of every element.
ddof : int
    The divisor is n - ddof.
correction : int or float, optional
    The array API's name for `ddof`.
mean : array_like, optional
    The mean if you have it already, with the reduced axes kept; it saves a pass.
v : array_like
    The values.
p : array_like
    The coefficients of the polynomial, highest power first.
args : sequence
    Further positional arguments.
kwargs : dict
    Further keyword arguments.
file : str, path or file
    The name of a file, or an open file.
fname : str, path, file or iterable of lines
    The name of a file, an open file, or its lines.
allow_pickle : bool
    Allow objects to be pickled. Arrays of numbers never need it.
encoding : str, optional
    The encoding of text.
delimiter : str
    What separates the values of a row. None means any white space.
comments : str
    What starts a comment.
converters : callable or dict, optional
    A function that reads a field, or one per column.
usecols : int or sequence of ints, optional
    The columns to read.
unpack : bool
    Return one array per column.
max_rows : int, optional
    The largest number of rows to read.
sep : str
    What separates the values. Empty means raw bytes.
count : int
    The number of elements to read; -1 means all.
arrays : sequence of array_like
    The arrays.
tup : sequence of array_like
    The arrays to join.
arys : array_like
    The arrays.
indices_or_sections : int or 1-d array_like
    The number of parts, or the positions to cut at.
indices : array_like of ints
    The indices.
values : array_like
    The values.
mode : {'raise', 'wrap', 'clip'}
    What an index out of bounds does: raise IndexError, wrap around, or take the nearest element.
condition : array_like of bool
    Where to take elements.
mask : array_like of bool
    Where to write.
bins : int, str or 1-d array_like
    The number of bins, their edges, or the name of a rule: 'auto', 'fd', 'doane', 'scott', 'stone',
    'rice', 'sturges', 'sqrt'.
range : (float, float), optional
    The ends of the outer bins. None means the smallest and the largest value.
density : bool, optional
    Scale the counts so that the integral over all bins is one.
q : array_like of floats
    The fractions to look for, from 0 to 1.
method : str
    The rule between two elements: 'linear', 'lower', 'higher', 'midpoint', 'nearest', or one of NumPy's
    other eight.
overwrite_input : bool
    For NumPy's signature; the operand keeps its values.
rtol : float
    The relative tolerance.
atol : float
    The absolute tolerance.
equal_nan : bool
    Let NaN equal NaN.
tol : float
    The tolerance.
assume_unique : bool
    Skip the search for duplicates, because there are none.
kind : str, optional
    For NumPy's signature; the algorithm is chosen for you.
stable : bool, optional
    Keep equal elements in their order.
descending : bool, optional
    Sort from the largest to the smallest.
kth : int or sequence of ints
    The positions whose elements must be the ones that sorting puts there.
precision : int, optional
    The number of digits after the point.
max_line_width : int, optional
    The longest line.
suppress_small : bool, optional
    Print numbers that are nearly zero as zero.
sign : {'-', '+', ' '}
    When to print a sign.
trim : {'k', '.', '0', '-'}
    What becomes of trailing zeros: kept, cut, cut but for one, cut with the point.
unique : bool
    Print the fewest digits that identify the number.
pad_left : int, optional
    The width of the part before the point.
min_digits : int, optional
    The fewest digits to print.
threshold : int
    The number of elements above which arrays are abbreviated.
edgeitems : int
    How many elements an abbreviated array shows at each end.
formatter : dict of callables, optional
    Functions that print elements, by kind of dtype.
floatmode : {'fixed', 'unique', 'maxprec', 'maxprec_equal'}
    How the precision is applied.
legacy : str, optional
    NumPy's older ways of printing.
num : int
    The number of values.
start, stop : array_like
    The ends of the sequence.
endpoint : bool
    Include `stop`.
fill_value : array_like
    The value that fills the array.
decimals : int
    The number of decimal places; negative ones count to the left of the point.
to_end, to_begin : array_like, optional
    Values to put after or before the differences.
rowvar : bool
    Each row is a variable. Otherwise each column is one.
optimize : bool, str or list
    The order of contractions: chosen for you (False), 'greedy', 'optimal', or a path of `einsum_path`.
operands : str, then array_like
    The subscripts, then the arrays; or arrays that alternate with lists of axis labels.
func : callable
    The function.
function : callable
    The function.
new_shape : int or tuple of ints
    The lengths of the axes.
max_work : int
    The largest number of steps to spend; -1 means any number, 0 compares address ranges alone.
bitorder : {'big', 'little'}
    Which bit of a byte comes first.
period : float, optional
    The length of the period.
base : array_like
    The base.
sparse : bool
    Return arrays that broadcast to the grid instead of filling it.
deg : int
    The degree.
rcond : float, optional
    The relative size below which singular values count as zero.
condlist : list of arrays of bool
    The conditions.
M, npts : int
    The number of points.
x : array_like
    The values.
ndmin : int
    The fewest dimensions that the result may have.

[eye tri]
M : int, optional
    The number of columns. None means as many as rows.
[packbits]
a : array_like of bools or ints
    The truth values; anything but zero counts as one.
[unpackbits]
a : array_like of uint8
    The bytes.
count : int, optional
    How many bits to return; a negative number leaves out that many at the end.
[block]
arrays : nested lists of array_like
    The blocks.
[gradient]
f : array_like
    The samples.
varargs : scalars or array_like
    The spacing: one number, one number per axis, or the coordinates along every axis.
edge_order : {1, 2}
    The order of the one-sided differences at the ends.
axis : int or tuple of ints, optional
    The axes. None means all of them.
[trapezoid]
y : array_like
    The samples.
x : array_like, optional
    Where the samples were taken.
dx : scalar
    The distance between samples where `x` is None.
axis : int
    The axis to integrate along.
[cross linalg.cross]
a, b, x1, x2 : array_like
    The vectors, of two or three components.
axisa, axisb, axisc : int
    The axis of the components of `a`, of `b` and of the result.
axis : int, optional
    One axis for all three.
[unwrap]
p : array_like
    The phases.
discont : float, optional
    The smallest jump that is mended. None means half a period.
axis : int
    The axis to walk along.
[real_if_close]
tol : float
    The tolerance, in machine epsilons.
[interp]
x : array_like
    Where to interpolate.
xp, fp : 1-d array_like
    The coordinates of the points, ascending, and their values.
left, right : scalar, optional
    The result before the first point and behind the last one. None means the value at that end.
period : float, optional
    The period of the coordinates; `left` and `right` are then unused.
[select]
condlist : list of arrays of bool
    The conditions, tested in order.
choicelist : list of array_like
    One array of values for each condition.
default : scalar
    The value where no condition holds.
[piecewise]
condlist : list of arrays of bool
    The conditions.
funclist : list of callables or scalars
    One function or number for each condition, and possibly one more for the rest.
kw : dict
    Keyword arguments of the functions.
args : sequence
    Further arguments of the functions.
[apply_along_axis]
func1d : callable
    A function of a vector.
axis : int
    The axis of the vectors.
args : sequence
    Further arguments of `func1d`.
kwargs : dict
    Keyword arguments of `func1d`.
[apply_over_axes]
func : callable
    A function of an array and an axis.
axes : int or sequence of ints
    The axes, one after the other.
[benchmark]
f : callable
    The function to time.
args, kwargs : any
    Its arguments.
[fuse]
args, kwargs : any
    The function; or `kernel_name`, its name in errors.
[map_chunks]
function : callable
    A function of arrays that returns an array, or a tuple for `combine`.
host_arrays : array_like or iterator
    Arrays in host memory, memory maps, datasets, or iterators of blocks.
out : array, optional
    The host array that receives the results.
axis : int
    The axis that is cut into chunks.
chunk_bytes : int, optional
    The size of a chunk. None chooses one by the free memory.
progress : bool
    Show a progress bar.
combine : callable, optional
    Joins the results of two parts; the result then stays on the device.
finish : callable, optional
    Makes the final result of the combined one.
[eager]
on : bool
    Run operations at once; False defers them again.
[show_graph]
arrays : ndarray
    The pending arrays.
file : str or path, optional
    The SVG file to write.
[fromiter]
iter : iterable
    The numbers.
dtype : dtype
    The dtype of the result.
[require]
requirements : str or sequence of str, optional
    The properties that the result must have.
[convolve correlate]
a, v : 1-d array_like
    The two vectors.
mode : {'full', 'same', 'valid'}
    How much of the result: all of it, as much as the longer vector, or where the vectors overlap fully.
[cov corrcoef]
m, x : array_like
    The observations.
y : array_like, optional
    Further variables.
bias : bool
    Divide by n instead of n - 1.
ddof : int, optional
    The divisor is n - ddof; it overrides `bias`.
fweights : 1-d array_like of ints, optional
    How often each observation counts.
aweights : 1-d array_like, optional
    The weight of each observation.
[array]
object : array_like
    Numbers, nested sequences, NumPy arrays, buffers, or objects with `__dlpack__`.
ndmax : int
    The deepest nesting that becomes dimensions; 0 means any.
[asarray asanyarray ascontiguousarray asfortranarray asarray_chkfinite require]
a : array_like
    Numbers, nested sequences, NumPy arrays, buffers, or objects with `__dlpack__`.
[empty_like zeros_like ones_like full_like]
prototype, a : array_like
    The array to imitate.
dtype : dtype, optional
    Another dtype.
shape : int or tuple of ints, optional
    Another shape.
subok : bool, optional
    Let classes derived from ndarray through.
[arange]
start_or_stop : scalar
    The first value; or the end, if you give nothing else.
stop : scalar, optional
    The end, which is not included.
step : scalar, optional
    The distance between values.
[finfo]
dtype : dtype
    A floating-point dtype, or a value that has one.
[linspace]
retstep : bool
    Also return the distance between values.
axis : int
    The axis of the values where the ends are arrays.
[logspace geomspace]
axis : int
    The axis of the values where the ends are arrays.
[meshgrid]
xi : 1-d array_like
    The coordinates along each axis.
indexing : {'xy', 'ij'}
    Whether the first coordinate runs along the columns or along the rows.
copy : bool
    Return arrays of their own instead of views.
[diag diagflat]
v : array_like
    The matrix or the vector.
[identity]
n : int
    The number of rows and columns.
[disp]
mesg : str
    The message.
device : file, optional
    The file; None means the standard output.
linefeed : bool
    End the line.
[safe_eval]
source : str
    A Python literal.
[find_common_type]
array_types, scalar_types : sequence of dtypes
    The dtypes of the arrays, and of the scalars.
[get_array_wrap]
args : object
    The objects to ask.
[who]
vardict : dict, optional
    Names and arrays. None means the caller's.
[ndarray.to_device]
device : str, int or Device
    The device to copy to.
[min_scalar_type]
a : scalar or array_like
    The value.
[mintypecode]
typechars : list of str or array_like
    Type characters, or arrays that have them.
typeset : str
    The characters to choose from.
default : str
    The answer where none of them fits.
[typename]
char : str
    A type character.
[show_config]
mode : {'stdout', 'dicts'}
    Print the report, or return it.
[promote_types]
type1, type2 : dtype
    The two dtypes.
[result_type]
arrays_and_dtypes : arrays, scalars and dtypes
    The operands of some operation.
[can_cast]
from_ : dtype or ndarray
    What would be cast.
to : dtype
    What it would become.
[astype ndarray.astype]
dtype : dtype
    The dtype of the result.
copy : bool
    Copy even if nothing changes.
[trim_zeros]
filt : array_like
    The array.
trim : {'fb', 'f', 'b'}
    Cut at the front, at the back, or at both.
axis : int or sequence of ints, optional
    The axes. None means all of them.
[delete]
obj : int, slice or array_like of ints or bools
    The positions to leave out.
[insert]
obj : int, slice or array_like of ints or bools
    The positions before which the values go.
values : array_like
    The values to put in.
[einsum_path]
einsum_call : bool
    For NumPy's signature.
[clip ndarray.clip]
a_min, a_max, min, max : array_like, optional
    The smallest and the largest value allowed. None leaves that side open.
[angle]
z : array_like
    The complex numbers.
deg : bool
    Return degrees instead of radians.
[nan_to_num]
copy : bool
    Make a new array; False writes into `x`.
nan : scalar
    The replacement of NaN.
posinf, neginf : scalar, optional
    The replacements of the infinities. None means the largest finite numbers.
[where]
x, y : array_like
    The values where the condition is true, and where it is not. Give both or neither.
[seterr]
all, divide, over, under, invalid : {'ignore', 'warn', 'raise', 'call', 'print', 'log'}, optional
    What to do at that kind of error. None leaves it as it is.
[seterrcall]
func : callable or object with `write`
    The function that is called, or the log that is written.
[indices]
dimensions : sequence of ints
    The shape of the grid.
[fromfunction]
function : callable
    A function of one array of coordinates per axis.
dtype : dtype
    The dtype of the coordinates.
kwargs : dict
    Keyword arguments of the function.
[vander]
N : int, optional
    The number of columns. None means as many as rows.
increasing : bool
    Let the powers rise from left to right.
[ix_]
args : 1-d sequences
    The indices, or masks, along each axis.
[digitize]
bins : 1-d array_like
    The edges, rising or falling.
right : bool
    Close the intervals at their right end.
[bincount]
x : 1-d array_like of ints
    Numbers from 0 on.
minlength : int
    The smallest length of the result.
[histogram2d]
x, y : 1-d array_like
    The coordinates of the points.
bins : int, 1-d array_like, or a pair of them
    The number of bins, or the edges, for both axes or for each.
range : array_like, optional
    The ends of the outer bins of both axes.
[histogramdd]
sample : array_like, or sequence of 1-d array_like
    The points, one a row; or one array per coordinate.
bins : int or sequence
    The number of bins, or the edges, for all axes or for each.
range : sequence of pairs, optional
    The ends of the outer bins of every axis.
[take put_along_axis take_along_axis ndarray.take]
indices : array_like of ints
    The indices of the elements.
[put_along_axis]
values : array_like
    The values to write.
[put ndarray.put]
ind, indices : array_like of ints
    Indices of the flattened array.
v, values : array_like
    The values to write, repeated as needed.
[choose ndarray.choose]
a : array_like of ints
    Which array each element comes from.
choices : sequence of array_like
    The arrays.
[compress ndarray.compress]
condition : 1-d array_like of bool
    The slices to keep.
[place]
arr : ndarray
    The array to write to.
vals : 1-d array_like
    The values.
[putmask]
a : ndarray
    The array to write to.
[fill_diagonal]
a : ndarray
    The array to write to.
val : array_like
    The values of the diagonal.
wrap : bool
    Begin a new diagonal below the end of the first one in a tall matrix.
[asnumpy ndarray.get]
a : array_like
    The array; anything else goes through `numpy.asarray`.
out : numpy.ndarray, optional
    The host array that receives the elements.
blocking : bool
    Wait for the copy. With False, synchronise the stream before you read the result.
[from_dlpack]
x : object
    An object with `__dlpack__`.
[fromDlpack]
dltensor : PyCapsule
    The capsule.
[frombuffer]
buffer : bytes-like
    The buffer.
offset : int
    The byte to start at.
[get_array_module]
args : object
    The arguments of your function.
[save]
arr : array_like
    The array.
[savez savez_compressed]
args : array_like
    Arrays that are saved as arr_0, arr_1, ...
kwds : array_like
    Arrays that are saved under their keywords.
[load]
mmap_mode : {'r', 'r+', 'c'}, optional
    Map the file on the CPU instead of reading it; elsewhere it is copied.
fix_imports : bool
    For pickles of Python 2.
max_header_size : int
    The longest header to accept.
[savetxt]
X : 1-d or 2-d array_like
    The array.
fmt : str or sequence of str
    The format of a number, or one per column.
newline : str
    What ends a line.
header, footer : str
    Text before and after the numbers, as comments.
[loadtxt]
skiprows : int
    How many lines to skip first.
quotechar : str, optional
    What quotes a field.
[genfromtxt]
skip_header, skip_footer : int
    How many lines to skip at the beginning and at the end.
missing_values, filling_values : optional
    The texts that stand for missing numbers, and what replaces these.
names, excludelist, deletechars, replace_space, case_sensitive, defaultfmt : optional
    How columns would be named; arrays here have no named columns.
autostrip : bool
    Remove white space around fields.
usemask : bool
    For NumPy's signature; masked arrays are not supported.
loose : bool
    Read a field that is no number as missing instead of raising.
invalid_raise : bool
    Raise an error for a row of another length; otherwise skip it with a warning.
ndmin : int
    The fewest dimensions that the result may have.
[fromfile]
offset : int
    The byte of the file to start at.
[fromstring]
string : str
    The text.
[concatenate]
arrays : sequence of array_like
    The arrays to join; their other axes agree.
axis : int, optional
    The axis to join along. None flattens the arrays first.
[stack]
arrays : sequence of array_like
    The arrays to join, of one shape.
axis : int
    The position of the new axis.
[unstack]
axis : int
    The axis to cut along.
[array_split split]
axis : int
    The axis to cut along.
[isclose allclose]
a, b : array_like
    The arrays to compare.
[array_equal array_equiv]
a1, a2 : array_like
    The arrays to compare.
[isscalar]
element : object
    The object to look at.
[iterable]
y : object
    The object to look at.
[isin]
element : array_like
    The elements to look for.
test_elements : array_like
    Where to look for them.
invert : bool
    Return the opposite.
[shares_memory may_share_memory]
a, b : ndarray
    The two arrays.
[reshape ndarray.reshape]
shape : int or ints
    The new lengths. One of them may be -1 and follows from the others.
order : {'C', 'F', 'A'}
    The order in which elements are read and placed.
copy : bool, optional
    True always copies, False raises where a view is impossible, None copies if needed.
[ravel ndarray.ravel ndarray.flatten]
order : {'C', 'F', 'A', 'K'}
    The order in which elements are read.
[transpose permute_dims ndarray.transpose]
axes : sequence of ints, optional
    The new order of the axes. None reverses it.
[moveaxis]
source, destination : int or sequence of ints
    Where the axes are, and where they go.
[rollaxis]
axis : int
    The axis to move.
start : int
    The position before which it goes.
[squeeze ndarray.squeeze]
axis : int or tuple of ints, optional
    The axes to remove. None means all of length one.
[expand_dims]
axis : int or tuple of ints
    The positions of the new axes in the result.
[broadcast_to]
array : array_like
    The array.
[broadcast_arrays]
args : array_like
    The arrays.
[broadcast_shapes]
args : int or tuple of ints
    The shapes.
[flip]
axis : int or tuple of ints, optional
    The axes to reverse. None means all of them.
[roll]
shift : int or tuple of ints
    How far to move; negative numbers move towards the beginning.
axis : int or tuple of ints, optional
    The axes. None means the flattened array, whose shape is then restored.
[rot90]
k : int
    The number of quarter turns.
axes : pair of ints
    The plane of rotation.
[repeat ndarray.repeat]
repeats : int or array_like of ints
    How often to repeat every element, or each of them.
[tile]
A : array_like
    The array.
reps : int or tuple of ints
    How often to repeat it along each axis.
[append]
values : array_like
    What to append.
axis : int, optional
    The axis to join along. None flattens both.
[copyto]
dst : ndarray
    The array to write to.
src : array_like
    The values.
[size]
axis : int or tuple of ints, optional
    The axes to count along. None counts all elements.
[median nanmedian quantile nanquantile percentile nanpercentile]
axis : int or tuple of ints, optional
    The axes to work along. None means all elements.
[percentile nanpercentile]
q : array_like of floats
    The percentages to look for, from 0 to 100.
[pad]
array : array_like
    The array.
pad_width : int, pair, or sequence of pairs
    How many elements to add before and after each axis.
mode : str or callable
    What to add: 'constant', 'edge', 'linear_ramp', 'maximum', 'mean', 'median', 'minimum', 'reflect',
    'symmetric', 'wrap', 'empty', or a function.
kwargs : dict
    `constant_values`, `end_values`, `stat_length` and `reflect_type`, as the mode needs them.
[roots]
p : 1-d array_like
    The coefficients, highest power first.
[poly]
seq_of_zeros : array_like
    The zeros, or a square matrix.
[polyadd polysub polymul]
a1, a2 : array_like or poly1d
    The polynomials, highest power first.
[polydiv]
u, v : array_like or poly1d
    The dividend and the divisor, highest power first.
[polyder]
m : int
    How often to differentiate.
[polyint]
m : int
    How often to integrate.
k : scalar or array_like, optional
    The constants of integration. None means zeros.
[polyval]
x : array_like or poly1d
    Where to evaluate.
[polyfit]
x, y : array_like
    The coordinates of the points; `y` may have several columns.
full : bool
    Also return residuals, rank, singular values and `rcond`.
w : 1-d array_like, optional
    The weight of each residual.
cov : bool or 'unscaled'
    Also return the covariance matrix of the coefficients.
[diag_indices]
n : int
    The length of the axes.
ndim : int
    The number of axes.
[tril_indices triu_indices]
n : int
    The number of rows.
m : int, optional
    The number of columns. None means as many as rows.
[mask_indices]
n : int
    The number of rows and columns.
mask_func : callable
    A function of a matrix and `k`, such as `cp.triu`.
[ravel_multi_index]
multi_index : tuple of array_like
    The coordinates, one array per axis.
dims : tuple of ints
    The shape of the array.
mode : str or tuple of str
    What coordinates out of bounds do: 'raise', 'wrap' or 'clip', for all axes or for each.
order : {'C', 'F'}
    The order of counting.
[unravel_index]
indices : array_like of ints
    The numbers of the elements.
order : {'C', 'F'}
    The order of counting.
[set_printoptions]
linewidth : int
    The longest line.
suppress : bool
    Print small numbers as zero.
nanstr, infstr : str
    How NaN and infinity are printed.
override_repr : callable, optional
    A function that prints arrays instead.
sign, floatmode, precision, threshold, edgeitems : optional
    The number of digits, the sign, the rule of precision, and when and how arrays are abbreviated.
[printoptions]
args, kwargs : optional
    The arguments of `set_printoptions`.
[array2string]
separator : str
    What stands between elements.
prefix, suffix : str
    Text before and after, which takes part of the line.
[format_float_positional format_float_scientific]
x : float or 0-d array
    The number.
sign : bool
    Print a sign before positive numbers too.
fractional : bool
    `precision` counts digits after the point; otherwise all digits.
pad_right : int, optional
    The width of the part after the point.
exp_digits : int, optional
    The fewest digits of the exponent.
[base_repr]
number : int
    The integer.
base : int
    The base, from 2 to 36.
padding : int
    How many zeros to put before it.
[binary_repr]
num : int
    The integer.
width : int, optional
    The number of digits.
[info]
object : object or str, optional
    The object or its name.
maxwidth : int
    The longest line.
output : file, optional
    Where to print. None means the standard output.
toplevel : str
    The package in which names are looked up.
[matmul vecdot matvec vecmat linalg.matmul linalg.vecdot linalg.outer]
x1, x2 : array_like
    The two factors.
axes : list of tuples of ints, optional
    The axes of each operand and of the result that form the matrices or vectors.
axis : int, optional
    The axis of the vectors.
signature : optional
    For NumPy's signature: the dtypes of the loop.
[dot vdot inner outer kron]
a, b : array_like
    The two factors.
[tensordot linalg.tensordot]
a, b, x1, x2 : array_like
    The two factors.
axes : int or pair of sequences of ints
    How many axes to sum over, or which ones of each factor.
[trace ndarray.trace linalg.trace]
dtype : dtype, optional
    The dtype of the sum.
[sum prod max min amax amin any all mean var std ptp count_nonzero nansum nanprod nanmax nanmin nanmean
nanvar nanstd average]
axis : int or tuple of ints, optional
    The axes to reduce. None means all of them.
[sum prod mean nansum nanprod nanmean var std nanvar nanstd]
dtype : dtype, optional
    The dtype to compute in. None means the operand's, 64-bit for sums and products of smaller integers.
[max min amax amin nanmax nanmin]
initial : scalar, optional
    A value that takes part as one more element; it is needed for empty arrays.
[average]
weights : array_like, optional
    The weight of every element, of every slice along `axis`, or None for equal weights.
returned : bool
    Also return the sum of the weights.
[cumsum cumprod nancumsum nancumprod cumulative_sum cumulative_prod]
dtype : dtype, optional
    The dtype to compute in.
include_initial : bool
    Let the result begin with the neutral element.
[diff]
n : int
    How often to take differences.
axis : int
    The axis to walk along.
prepend, append : array_like, optional
    Values to put before and after the array first.
[intersect1d]
return_indices : bool
    Also return where each element first stands in both arrays.
[sort argsort partition argpartition ndarray.sort ndarray.argsort ndarray.partition ndarray.argpartition]
order : None
    For NumPy's signature; arrays here have no fields.
[lexsort]
keys : sequence of array_like, or 2-d array
    The keys, the most significant one last.
[searchsorted ndarray.searchsorted]
a : 1-d array_like
    The sorted array.
v : array_like
    The values to insert.
side : {'left', 'right'}
    Before or behind equal elements.
sorter : 1-d array_like of ints, optional
    The indices that sort `a`.
[unique]
ar : array_like
    The array.
return_index : bool
    Also return where each element first stands.
return_inverse : bool
    Also return the indices that restore `ar`.
return_counts : bool
    Also return how often each element occurs.
axis : int, optional
    Compare slices along this axis. None compares elements.
equal_nan : bool
    Count all NaN as one element.
sorted : bool
    For NumPy's signature; the result is always sorted.
[frompyfunc]
func : callable
    A Python function of numbers.
nin, nout : int
    The number of arguments and of results.
[kaiser]
beta : float
    The shape: 0 is a rectangle, larger numbers are narrower.
[lib.stride_tricks.as_strided]
x : array_like
    The array whose memory is seen.
shape : sequence of ints, optional
    The shape of the result. None keeps the shape of `x`.
strides : sequence of ints, optional
    The distance in bytes between neighbours along every axis.
writeable : bool
    Allow writes through the result.
[lib.stride_tricks.sliding_window_view]
window_shape : int or tuple of ints
    The shape of a window.
axis : int or tuple of ints, optional
    The axes to slide along. None means all of them.
writeable : bool
    Allow writes through the result.
[emath.logn]
n : array_like
    The base.
[emath.power]
p : array_like
    The exponent.

[ndarray.byteswap]
inplace : bool
    Change this array instead of making a new one.
[ndarray.tofile]
fid : file, str or path
    The file.
format : str
    The format of a number in text.
[ndarray.dump]
file : str, path or file
    The file.
[ndarray.getfield ndarray.setfield]
dtype : dtype
    The dtype of the part.
offset : int
    Where the part begins, in bytes.
val : array_like
    The values to write.
[ndarray.resize]
refcheck : bool
    For NumPy's signature; earlier views keep the memory of before.
[ndarray.dot]
other : array_like
    The second factor.
[ndarray.fill]
value : scalar
    The value.
[ndarray.item]
args : int or ints
    The index of the element; nothing for the only one.
[ndarray.put]
indices : array_like of ints
    Indices of the flattened array.
[ndarray.scatter_add ndarray.scatter_max ndarray.scatter_min]
slices : int, slice, array_like or tuple of them
    Which elements.
value : array_like
    The values.
[ndarray.set]
arr : numpy.ndarray
    The values, of the same shape and dtype.
[ndarray.setflags]
write : bool, optional
    Allow writes.
align, uic : bool, optional
    For NumPy's signature.
[ndarray.view]
dtype : dtype, optional
    The dtype to read the memory as.
type : type, optional
    The class of the result.
[ndarray.reduced_view]
dtype : dtype, optional
    For CuPy's signature.

[linalg.*]
a, x, A : array_like
    A matrix, or a stack of matrices in the last two axes.
b : array_like
    The right-hand sides, as columns; a 1-d array is one vector.
hermitian : bool
    The matrices are Hermitian, which is cheaper.
UPLO : {'L', 'U'}
    The triangle that is read: the lower or the upper one.
offset : int
    The diagonal: 0 is the main one, positive ones lie above it.
rtol : float, optional
    The size below which singular values count as zero, relative to the largest.
[linalg.qr]
mode : {'reduced', 'complete', 'r', 'raw'}
    Which factors, and how large.
[linalg.svd]
full_matrices : bool
    Return square u and vh.
compute_uv : bool
    Return u and vh too.
[linalg.tensorsolve]
a, b : array_like
    The tensor, and the right-hand side.
axes : sequence of ints, optional
    The axes of `a` that are moved to its end first.
[linalg.tensorinv]
ind : int
    The number of leading axes that are the rows.
[linalg.matrix_power]
n : int
    The exponent; it may be negative.
[linalg.cholesky]
upper : bool
    Return the upper triangle.
[linalg.norm]
x : array_like
    The vectors or matrices.
ord : int, float, 'fro' or 'nuc', optional
    Which norm. None means the Euclidean or the Frobenius norm.
axis : int or pair of ints, optional
    The axis of the vectors, or the two of the matrices. None means all elements.
[linalg.matrix_norm]
ord : int, float, 'fro' or 'nuc'
    Which norm.
[linalg.vector_norm]
x : array_like
    The vectors.
axis : int or tuple of ints, optional
    The axes of the vectors. None means all elements.
ord : int or float
    Which norm.
[linalg.cond]
p : int, float, 'fro' or 'nuc', optional
    Which norm. None means the largest singular value.
[linalg.matrix_rank]
tol : array_like, optional
    The size below which singular values count as zero. None follows from dtype and shape.
[linalg.multi_dot]
arrays : sequence of array_like
    The factors; the first and the last may be vectors.
[linalg.vecdot]
axis : int
    The axis of the vectors.

[fft.*]
a, x : array_like
    The signal.
n : int, optional
    The length of the transform; the signal is cropped or padded with zeros to it.
axis : int
    The axis to transform.
s : sequence of ints, optional
    The lengths of the transform along `axes`; the signal is cropped or padded with zeros.
axes : sequence of ints, optional
    The axes to transform. None means all of them.
norm : {'backward', 'ortho', 'forward'}, optional
    Which direction carries the factor 1/n: the inverse, both halves of it, or the forward transform.
d : scalar
    The distance between samples.
[fft.fftfreq fft.rfftfreq]
n : int
    The number of samples.
[fft.fftshift fft.ifftshift]
x : array_like
    The spectrum.
axes : int or sequence of ints, optional
    The axes to shift. None means all of them.
[fft.fft2 fft.ifft2 fft.rfft2 fft.irfft2]
axes : pair of ints
    The axes to transform.

[random.*]
size : int or tuple of ints, optional
    The shape of the result. None draws one number, or one per element of the parameters.
dtype : dtype
    The dtype of the numbers.
out : ndarray, optional
    The array that receives the numbers.
low, high : array_like
    The ends of the interval; the upper one is not included unless `endpoint` is given.
endpoint : bool
    Include the upper end.
loc : array_like
    The location: the mean or the mode.
scale : array_like
    The width of the distribution.
shape : array_like
    The shape parameter.
a, b : array_like
    The shape parameters.
n : array_like of ints
    The number of trials.
p : array_like
    The probability.
lam : array_like
    The expected number of events.
df, dfnum, dfden : array_like
    The degrees of freedom.
nonc : array_like
    The noncentrality.
mean : array_like
    The mean.
sigma : array_like
    The standard deviation of the logarithm.
mu : array_like
    The direction, or the location.
kappa : array_like
    The concentration.
left, mode, right : array_like
    The lower end, the peak and the upper end.
ngood, nbad, nsample : array_like of ints
    How many good and bad items there are, and how many are drawn.
alpha : 1-d array_like
    The concentration parameters.
pvals : array_like
    The probabilities of the outcomes.
cov : array_like
    The covariance matrix.
check_valid : {'warn', 'raise', 'ignore'}
    What to do about a covariance matrix that is not positive semidefinite.
tol : float
    The tolerance of that check.
method : str
    The algorithm.
seed : int, array_like, SeedSequence or generator, optional
    Where the numbers begin. None asks the system.
x : array_like
    The array, or a number n for the integers below n.
axis : int
    The axis to work along.
replace : bool
    Put drawn items back.
shuffle : bool
    Draw in random order; False is faster.
colors : 1-d array_like of ints
    How many items there are of each colour.
length : int
    The number of bytes.
d0, d1, dn : int
    The lengths of the axes.
args : int
    The lengths of the axes.
state : tuple or dict
    A state from `get_state`.
legacy : bool
    Return a tuple; False returns a dict.
n_children : int
    The number of new generators.
bit_generator, bitgen : BitGenerator
    Where the bits come from.
rs : RandomState
    The generator that draws from now on.
[random.choice random.Generator.choice random.RandomState.choice]
a : array_like or int
    The items, or a number n for the integers below n.
p : 1-d array_like, optional
    The probability of each item. None means equal ones.
[random.multinomial random.Generator.multinomial random.RandomState.multinomial]
n : int
    The number of experiments.
[random.standard_gamma random.gamma random.Generator.gamma random.Generator.standard_gamma]
shape : array_like
    The shape parameter.

[polynomial.*]
c, c1, c2 : array_like
    The coefficients of a series, lowest degree first.
x, y, z : array_like
    Where to evaluate.
pts : sequence of array_like
    Where to evaluate: an array of coordinates for each variable.
off, scl : scalar
    The constant and the slope.
tensor : bool
    Evaluate every column of coefficients at all points; False pairs columns and points.
deg : int or list of ints
    The degree, or the degrees along every axis.
pol : array_like
    The coefficients in powers of x, lowest first.
pow, maxpower : int
    The exponent, and the largest one allowed.
m : int
    How often.
scl : scalar
    The factor of each step, for a change of variable.
axis : int
    The axis of the coefficients.
k : array_like
    The constants of integration.
lbnd : scalar
    Where the integral is zero.
roots : array_like
    The zeros.
rcond : float, optional
    The relative size below which singular values count as zero.
full : bool
    Also return residuals, rank, singular values and `rcond`.
w : array_like, optional
    The weight of each point.
tol : float
    Coefficients at the end that are no larger are removed.
r : array_like
    The zeros.
npts : int
    The number of points.
func : callable
    The function.
args : tuple
    Further arguments of the function.
seq : sequence
    The coefficients.
alist : sequence of array_like
    The series.
trim : bool
    Remove zeros at the end.
old, new : array_like
    The ends of the two intervals.
parens : bool
    Put complex numbers in parentheses.
style : {'ascii', 'unicode'}
    The style.
[polynomial.fit]
x, y : array_like
    The coordinates of the points; `y` may have several columns.
deg : int or list of ints
    The degree, or the degrees of the terms to fit.
[polynomial.line]
off, scl : scalar
    The constant and the slope.
[polynomial.gauss]
deg : int
    The number of points.
[polynomial.polyutils.getdomain polynomial.polyutils.mapdomain]
x : array_like
    The points.

[ufunc.*]
x : array_like
    The operand.
x1, x2 : array_like
    The operands, which broadcast against each other.
out : ndarray or tuple of arrays, optional
    The arrays that receive the results.
where : array_like of bool
    Where to compute; elsewhere `out` keeps its values.
casting : {'no', 'equiv', 'safe', 'same_kind', 'unsafe'}
    The conversions of dtype that are allowed.
order : {'C', 'F', 'A', 'K'}
    The memory layout of the result.
dtype : dtype, optional
    The dtype to compute in.
subok : bool
    Let classes derived from ndarray through.
signature : tuple of dtypes, optional
    The dtypes of operands and results.
"""
