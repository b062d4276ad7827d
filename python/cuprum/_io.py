"""Files: NumPy's binary and text formats, read into and written from Cuprum arrays.

bfloat16, which NumPy's formats cannot name, is written as elements of two bytes without a type, and these are read as
bfloat16.
"""

from collections.abc import Mapping

import numpy as np

from . import _core
from ._convert import as_array

__all__ = [
    "fromfile", "fromstring", "genfromtxt", "load", "loadtxt", "save", "savetxt", "savez", "savez_compressed",
]  # fmt: skip


def save(file, arr, allow_pickle=True):
    """Writes one array to a file in NumPy's .npy format.

    >>> import io
    >>> file = io.BytesIO()
    >>> cp.save(file, cp.arange(3))
    >>> _ = file.seek(0)
    >>> cp.load(file)
    array([0, 1, 2])
    """
    np.save(file, _to_host(arr, "save", 2), allow_pickle)


def savez(file, *args, allow_pickle=True, **kwds):
    """Writes several arrays to one .npz file, under their keywords or as arr_0, arr_1, ...

    >>> import io
    >>> file = io.BytesIO()
    >>> cp.savez(file, x=cp.arange(3))
    >>> _ = file.seek(0)
    >>> cp.load(file)["x"]
    array([0, 1, 2])
    """
    _savez(np.savez, file, args, kwds, allow_pickle)


def savez_compressed(file, *args, allow_pickle=True, **kwds):
    """Writes several arrays to one compressed .npz file, see `savez`.

    >>> import io
    >>> file = io.BytesIO()
    >>> cp.savez_compressed(file, cp.zeros(1000))
    >>> file.tell() < 1000
    True
    """
    _savez(np.savez_compressed, file, args, kwds, allow_pickle)


def _savez(function, file, args, kwds, allow_pickle):
    name = function.__name__
    hosts = [_to_host(x, name, i + 2) for i, x in enumerate(args)]
    named = {key: _to_host(x, name, i) for i, (key, x) in enumerate(kwds.items(), len(args) + 2)}
    function(file, *hosts, allow_pickle=allow_pickle, **named)


def load(
    file, mmap_mode=None, allow_pickle=False, fix_imports=True, encoding="ASCII", *, max_header_size=10000
):
    """The array of a .npy file, a mapping from names to arrays of an .npz file, or what a pickle holds.

    The arrays of an .npz file are read when they are asked for. With `mmap_mode` the array is the file itself on the
    CPU, read and written in place as the mode allows. On a GPU, and where the file has another byte order, it is a copy
    that is read through the map: 'c' and 'r' are what they are for NumPy, and 'r+', whose writes would not reach the
    file, is refused.

    >>> import io
    >>> file = io.BytesIO()
    >>> cp.savez(file, cp.arange(3), y=cp.ones(2))
    >>> _ = file.seek(0)
    >>> with cp.load(file) as arrays:
    ...     print(arrays.files, arrays["y"])
    ['y', 'arr_0'] [1. 1.]
    """
    loaded = np.load(file, mmap_mode, allow_pickle, fix_imports, encoding, max_header_size=max_header_size)
    if isinstance(loaded, np.lib.npyio.NpzFile):
        return NpzFile(loaded)
    if isinstance(loaded, np.memmap):
        return _map(loaded)
    return _from_host(loaded)


class NpzFile(Mapping):
    """The arrays of an .npz file by name, read when they are asked for. Closes with `close` or at the end of `with`."""

    def __init__(self, host):
        self._host = host
        self.f = _Attributes(self)

    @property
    def files(self):
        """The names of the arrays."""
        return self._host.files

    @property
    def zip(self):
        """The open zip archive."""
        return self._host.zip

    @property
    def fid(self):
        """The open file, None if it was given open."""
        return self._host.fid

    def __getitem__(self, key):
        return _from_host(self._host[key])

    def __iter__(self):
        return iter(self._host)

    def __len__(self):
        return len(self._host)

    def __contains__(self, key):
        return key in self._host  # Mapping's would read the array

    def __repr__(self):
        return repr(self._host)

    def close(self):
        """Closes the file; no array can be read from then on."""
        self._host.close()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()


class _Attributes:
    """The arrays of an .npz file as attributes."""

    def __init__(self, arrays):
        self._arrays = arrays

    def __getattr__(self, name):
        try:
            return self._arrays[name]
        except KeyError:
            raise AttributeError(name) from None

    def __dir__(self):
        return self._arrays.files


def savetxt(
    fname,
    X,
    fmt="%.18e",
    delimiter=" ",
    newline="\n",
    header="",
    footer="",
    comments="# ",
    encoding=None,
):
    """Writes a 1-d or 2-d array as text, a row a line.

    >>> import io
    >>> file = io.StringIO()
    >>> cp.savetxt(file, cp.arange(4).reshape(2, 2), fmt="%d")
    >>> file.getvalue()
    '0 1\\n2 3\\n'
    """
    X = _to_host(X, "savetxt", 2)
    np.savetxt(fname, X, fmt, delimiter, newline, header, footer, comments, encoding)


def loadtxt(
    fname,
    dtype=float,
    comments="#",
    delimiter=None,
    converters=None,
    skiprows=0,
    usecols=None,
    unpack=False,
    ndmin=0,
    encoding=None,
    max_rows=None,
    *,
    quotechar=None,
    like=None,
):
    """The numbers of a text file in which every row has as many.

    >>> import io
    >>> cp.loadtxt(io.StringIO("1 2\\n3 4"))
    array([[1., 2.],
           [3., 4.]])
    """
    options = (comments, delimiter, converters, skiprows, usecols, unpack, ndmin, encoding, max_rows)
    return _parse(lambda kind: np.loadtxt(fname, kind, *options, quotechar=quotechar), dtype)


def genfromtxt(
    fname,
    dtype=float,
    comments="#",
    delimiter=None,
    skip_header=0,
    skip_footer=0,
    converters=None,
    missing_values=None,
    filling_values=None,
    usecols=None,
    names=None,
    excludelist=None,
    deletechars=" !#$%&'()*+,-./:;<=>?@[\\]^{|}~",
    replace_space="_",
    autostrip=False,
    case_sensitive=True,
    defaultfmt="f%i",
    unpack=None,
    usemask=False,
    loose=True,
    invalid_raise=True,
    max_rows=None,
    encoding=None,
    *,
    ndmin=0,
    like=None,
):
    """The numbers of a text file in which some may be missing.

    >>> import io
    >>> cp.genfromtxt(io.StringIO("1,2\\n3,"), delimiter=",")
    array([[ 1.,  2.],
           [ 3., nan]])
    """
    if usemask:
        raise TypeError("cuprum.genfromtxt: usemask=True asks for a masked array, which cuprum does not have")
    options = (
        comments, delimiter, skip_header, skip_footer, converters, missing_values, filling_values, usecols, names,
        excludelist, deletechars, replace_space, autostrip, case_sensitive, defaultfmt, unpack, usemask, loose,
        invalid_raise, max_rows, encoding,
    )  # fmt: skip
    return _parse(lambda kind: np.genfromtxt(fname, kind, *options, ndmin=ndmin), dtype)


def fromfile(file, dtype=None, count=-1, sep="", offset=0, *, like=None):
    """A 1-d array of the raw bytes of a file, or of the numbers between separators.

    >>> import tempfile
    >>> with tempfile.TemporaryFile() as file:
    ...     _ = file.write(b"\\1\\2\\3"), file.seek(0)
    ...     cp.fromfile(file, dtype=cp.uint8)
    array([1, 2, 3], dtype=uint8)
    """
    dtype = float if dtype is None else dtype
    if sep == "":
        return _from_host(np.fromfile(file, dtype, count, sep, offset))
    return _parse(lambda kind: np.fromfile(file, kind, count, sep, offset), dtype)


def fromstring(string, dtype=float, count=-1, *, sep, like=None):
    """A 1-d array of the numbers between separators in a string.

    >>> cp.fromstring("1, 2", dtype=int, sep=",")
    array([1, 2])
    """
    return _parse(lambda kind: np.fromstring(string, kind, count, sep=sep), dtype)


# -- Between host and device ------------------------------------------------------------------------------


def _to_host(x, function, position):
    """What NumPy writes for `x`: text, objects and lists of them are its own, arrays come from the device."""
    if isinstance(x, (_core.ndarray, np.ndarray)):
        return as_array(x, function, position).get(order="A")  # the files keep Fortran's order
    if isinstance(x, (list, tuple)) and any(isinstance(part, _core.ndarray) for part in x):
        return as_array(x, function, position).get()
    return x


def _parse(read, dtype):
    """What `read` makes of text; it cannot parse bfloat16, which is rounded from float64."""
    if isinstance(dtype, (type, str, np.dtype)) and np.dtype(dtype).name == "bfloat16":
        return _from_host(read(np.float64)).astype(dtype)
    return _from_host(read(dtype))


def _from_host(x):
    if isinstance(x, list):  # the columns of a structured dtype
        return [_from_host(column) for column in x]
    if not isinstance(x, (np.ndarray, np.generic)):
        return x  # out of a pickle
    return _core.asarray(_native(np.asarray(x)))


def _typed(host):
    """Two bytes without a type as bfloat16."""
    return host.view(_core.promote_types("bfloat16", "bfloat16")) if host.dtype == "V2" else host


def _native(host):
    """In the byte order of the machine."""
    host = _typed(host)
    return host if host.dtype.isnative else host.astype(host.dtype.newbyteorder("="))


def _map(file):
    """A memory-mapped file as an array: without a copy where the device reads host memory."""
    host = _typed(np.asarray(file))
    obstacle = _obstacle(host)
    if obstacle is None:
        return _core.asarray(host, copy=False)
    if file.mode not in ("r", "c"):
        raise ValueError(
            f"cuprum.load: mmap_mode={file.mode!r} asks for an array whose writes reach the file, and this one would "
            f"be a copy: {obstacle}; write mmap_mode='c' for a copy, and cp.save to write it back"
        )
    result = _core.asarray(_native(host))
    result.flags.writeable = file.mode == "c"
    return result


def _obstacle(host):
    """Why an array cannot be the memory of a mapped file itself; None: it can."""
    device = _core.device_name()
    if not host.dtype.isnative:
        return f"its elements are in the other byte order ({host.dtype.str})"
    if not host.flags.aligned:
        return "its elements are not aligned in the file"
    return None if _core.device_info(device)["host_accessible"] else f"it lives on {device}"
