"""`ndarray.flat`: an array as one row, in C order, to step through, read and write.

A range is one operation on the flattened array, read or written.
"""

import warnings

import numpy as np

from . import _core

__all__ = ["flatiter"]


class flatiter:
    """Iterator over the elements of an array in C order; `a.flat` makes it.

    >>> a = cp.array([[1, 2], [3, 4]])
    >>> a.flat[2], list(a.flat)
    (array(3), [array(1), array(2), array(3), array(4)])
    >>> a.flat[::3] = 0
    >>> a
    array([[0, 2],
           [3, 0]])
    """

    __hash__ = None

    def __init__(self, base):
        if not isinstance(base, _core.ndarray):
            raise TypeError(
                f"cuprum.flatiter: expected a cuprum.ndarray, got {type(base).__name__}; write a.flat"
            )
        self._base = base
        self._next = 0

    @property
    def base(self):
        """The array."""
        return self._base

    _array_behind = base

    @property
    def index(self):
        """Position of the next element."""
        return self._next

    @property
    def coords(self):
        """Coordinates of the next element."""
        return self._coordinates(self._next)

    def copy(self, /):
        """The elements as a new 1-d array."""
        return self._base.flatten()

    def __len__(self):
        return self._base.size

    def __iter__(self):
        return self

    def __next__(self):
        if self._next >= self._base.size:
            raise StopIteration
        value = self._base[self._coordinates(self._next)]  # as it is now: the loop may write what comes next
        self._next += 1
        return value

    @_core.composite
    def __getitem__(self, key):
        key = _checked_key(key)
        if (i := _integer(key)) is not None:
            return self._base[self._coordinates(self._checked(i))]
        return self._base.reshape(-1)[key].copy()

    @_core.composite
    def __setitem__(self, key, value):
        if isinstance(key, tuple) and not key:
            raise IndexError("Assigning to a flat iterator with a 0-D index is not supported")
        key = _checked_key(key)
        if (i := _integer(key)) is not None:
            self._set_element(self._coordinates(self._checked(i)), value)
            return
        if not isinstance(value, _core.ndarray):
            value = _core.asarray(value, self._base.dtype)  # numbers must fit
        if value.size == 0:
            return
        flat = self._base.reshape(-1)  # a view where the layout allows it, else a copy that is written back
        where = _core.arange(0, flat.size, 1, None)[key].reshape(-1)
        if where.size == 0:
            return
        # NumPy's rule: values that are too few begin again, those too many are left over.
        rounds = -(-where.size // value.size)
        values = value.reshape(-1)
        flat[where] = (_core.tile(values, (rounds,)) if rounds > 1 else values)[: where.size]
        if _core.memory_overlap(flat, self._base, 0) is False:
            self._base[...] = flat.reshape(self._base.shape)

    def __delitem__(self, key):
        raise TypeError("cuprum.flatiter: Cannot delete iterator elements")

    def _set_element(self, at, value):
        if np.ndim(value):
            raise ValueError(
                f"cuprum.flatiter: an element cannot be set to an array of shape {np.shape(value)}"
            )
        try:
            self._base[at] = value
        except (TypeError, OverflowError) as error:
            raise ValueError(f"cuprum.flatiter: an element cannot be set to {value!r}: {error}") from error

    def _checked(self, i):
        size = self._base.size
        if not -size <= i < size:
            raise IndexError(f"index {i} is out of bounds for size {size}")
        return i + size if i < 0 else i

    def _coordinates(self, i):
        at = []
        for extent in reversed(self._base.shape):
            at.append(i % extent if extent else 0)
            i //= extent or 1
        return tuple(reversed(at))

    def __eq__(self, other):
        return self.copy() == _other(other)

    def __ne__(self, other):
        return self.copy() != _other(other)

    def __lt__(self, other):
        return self.copy() < _other(other)

    def __le__(self, other):
        return self.copy() <= _other(other)

    def __gt__(self, other):
        return self.copy() > _other(other)

    def __ge__(self, other):
        return self.copy() >= _other(other)


def _checked_key(key):
    """The key as an index of a vector; what means something else here than there raises."""
    if isinstance(key, tuple):
        if len(key) > 1:
            raise IndexError(
                "too many indices for flat iterator: flat iterator is 1-dimensional, "
                f"but {len(key)} were indexed"
            )
        key = [key[0]] if key and isinstance(key[0], bool) else key[0] if key else Ellipsis
    if key is None:
        raise IndexError(
            "only integers, slices (`:`), ellipsis (`...`) and integer or boolean arrays are valid indices"
        )
    if isinstance(key, (bool, np.bool_)):
        message = (
            "Indexing flat iterators with a 0-dimensional boolean index is deprecated; write [0] or [:0]"
        )
        warnings.warn(message, DeprecationWarning, stacklevel=3)
        return 0 if key else slice(0)
    if isinstance(key, list) and key:
        key = _core.asarray(key)
        if key.dtype == bool:
            raise IndexError("boolean indices for iterators are not supported; write cp.array(mask)")
    return key


def _other(x):
    return x.copy() if isinstance(x, flatiter) else x


def _integer(key):
    if isinstance(key, (bool, np.bool_)):
        return None
    if isinstance(key, (int, np.integer)):
        return int(key)
    if isinstance(key, _core.ndarray) and key.ndim == 0 and key.dtype.kind in "iu":
        return int(key)
    return None
