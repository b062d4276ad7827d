"""Arrays as sets. NaN equals nothing, so it is in no set, as in NumPy."""

from . import _core
from ._convert import as_array, as_company, gives_plain
from ._sorting import unique

__all__ = ["intersect1d", "isin", "setdiff1d", "setxor1d", "union1d"]


def union1d(ar1, ar2):
    """The sorted distinct elements of two arrays.

    >>> cp.union1d(cp.array([3, 1]), cp.array([1, 2]))
    array([1, 2, 3])
    """
    return unique(_joined(ar1, ar2, "union1d"))


def intersect1d(ar1, ar2, assume_unique=False, return_indices=False):
    """The sorted elements that two arrays have in common; on request where each first stands in them.

    >>> cp.intersect1d(cp.array([3, 1, 2]), cp.array([2, 3, 4]), return_indices=True)
    (array([2, 3]), array([2, 0]), array([0, 1]))
    """
    ar1, ar2 = _flat_pair(ar1, ar2, "intersect1d")
    if not assume_unique:
        ar1, first1 = unique(ar1, return_index=True)
        ar2, first2 = unique(ar2, return_index=True)
    both = _core.concatenate([ar1, ar2])
    order = _core.argsort(both)  # stable: of a pair of equals the first is of ar1
    both = both[order]
    common = _core.flatnonzero(both[1:] == both[:-1])
    values = both[common]
    if not return_indices:
        return values
    at1, at2 = order[common], order[common + 1] - ar1.size
    return (values, at1, at2) if assume_unique else (values, first1[at1], first2[at2])


def setxor1d(ar1, ar2, assume_unique=False):
    """The sorted elements that are in exactly one of two arrays.

    >>> cp.setxor1d(cp.array([3, 1, 2]), cp.array([2, 3, 4]))
    array([1, 4])
    """
    if not assume_unique:
        ar1, ar2 = map(unique, _flat_pair(ar1, ar2, "setxor1d"))
    both = _core.sort(_joined(ar1, ar2, "setxor1d"))
    if both.size < 2:
        return both
    edge = _core.ones((both.size + 1,), bool, "C")  # edge[i]: both[i] differs from the element before it
    edge[1:-1] = both[1:] != both[:-1]
    return both[_core.logical_and(edge[1:], edge[:-1])]


def setdiff1d(ar1, ar2, assume_unique=False):
    """The distinct elements of `ar1` that are not in `ar2`, sorted unless they are distinct by assumption.

    >>> cp.setdiff1d(cp.array([3, 1, 2, 1]), cp.array([2, 4]))
    array([1, 3])
    """
    ar1, ar2 = _flat_pair(ar1, ar2, "setdiff1d")
    if not assume_unique:
        ar1 = unique(ar1)
    return ar1[_core.logical_not(_is_in(ar1, ar2))]


@gives_plain
def isin(element, test_elements, assume_unique=False, invert=False, *, kind=None):
    """Where the elements of one array are among those of another; with `invert` where they are not.

    >>> cp.isin(cp.array([[0, 2], [4, 6]]), [2, 6, 7])
    array([[False,  True],
           [False,  True]])
    """
    element, test_elements = as_company("isin", element, test_elements)
    test_elements = test_elements.ravel()
    if kind not in (None, "sort", "table"):
        raise ValueError(f"cuprum.isin: Invalid kind: '{kind}'. Please use None, 'sort' or 'table'.")
    if kind == "table" and any(x.dtype.kind not in "uib" for x in (element, test_elements)):
        raise ValueError(
            "cuprum.isin: The 'table' method is only supported for boolean or integer arrays. "
            "Please select 'sort' or None for kind."
        )
    found = _is_in(element, test_elements)
    return _core.asarray(
        _core.logical_not(found) if invert else found
    )  # without dimensions too an array, no value


def _is_in(element, tests):
    """Looks every element up in the sorted tests."""
    if tests.size == 0:
        return _core.zeros(element.shape, bool, "C")
    element, tests = _comparable(element, tests)
    if tests.size == 0:
        return _core.zeros(element.shape, bool, "C")
    return _core.is_among(_core.sort(tests), element)


def _comparable(element, tests):
    """Both in one dtype. int64 and uint64 promote to float64, which would make neighbours equal: the tests that the
    other dtype does not hold equal none of its values, and are left out."""
    common = _core.promote_types(element.dtype, tests.dtype)
    if common.kind == "f" and element.dtype.kind in "iu" and tests.dtype.kind in "iu":
        if element.dtype.kind == "i":
            return element.astype("i8"), tests[tests <= 2**63 - 1].astype("i8")
        return element.astype("u8"), tests[tests >= 0].astype("u8")
    return element.astype(common, copy=False), tests.astype(common, copy=False)


def _joined(ar1, ar2, function):
    """Both flat, one after the other; a Python number takes the dtype of the other."""
    both = enumerate((ar1, ar2), 1)
    return _core.concatenate(
        [x if isinstance(x, (int, float, complex)) else as_array(x, function, i) for i, x in both], None
    )


def _flat_pair(ar1, ar2, function):
    return as_array(ar1, function).ravel(), as_array(ar2, function, 2).ravel()
