"""Algorithms over the elements of arrays, each run by the thread that calls it.

>>> @cp.jit.rawkernel()
... def sort_rows(x):
...     row = x[cp.jit.threadIdx.x]
...     cp.jit.thrust.sort(cp.jit.thrust.seq, row.begin(), row.end())
>>> x = cp.array([[3, 1, 2], [9, 8, 7]])
>>> sort_rows[1, 2](x)
>>> x
array([[1, 2, 3],
       [7, 8, 9]])
"""

from ._arrays import Iterator
from ._builtin import builtin
from ._casts import cast_to_store
from ._iterators import as_iterator, is_iterator
from ._types import BOOL, INT64, VOID, Storage, Tuple
from ._values import Value, describe, scalar_of

# What an algorithm takes behind the policy, and what it gives: iterators by their names; `=x` a number of the
# type of the first iterator's elements; `+x` a number of its own type; `?` at the end: may be left out. A
# form with other arguments follows behind a bar.
_ALGORITHMS = {
    "adjacent_difference": "first last result -> result",
    "binary_search": "first last =value -> bool | first last values_first values_last result -> result",
    "copy": "first last result -> result",
    "count": "first last =value -> int64",
    "equal": "first1 last1 first2 -> bool",
    "equal_range": "first last =value -> first first",
    "exclusive_scan": "first last result =init? -> result",
    "exclusive_scan_by_key": "first1 last1 first2 result =init? -> result",
    "fill": "first last =value -> void",
    "find": "first last =value -> first",
    "gather": "map_first map_last input_first result -> result",
    "inclusive_scan": "first last result -> result",
    "inclusive_scan_by_key": "first1 last1 first2 result -> result",
    "inner_product": "first1 last1 first2 +init -> init",
    "is_sorted": "first last -> bool",
    "is_sorted_until": "first last -> first",
    "lower_bound": "first last =value -> first | first last values_first values_last result -> result",
    "mismatch": "first1 last1 first2 -> first1 first2",
    "reduce": "first last -> *first | first last +init -> init",
    "reduce_by_key": "keys_first keys_last values_first keys_output values_output -> keys_output values_output",
    "remove": "first last =value -> first",
    "remove_copy": "first last result =value -> result",
    "replace": "first last =old_value =new_value -> void",
    "replace_copy": "first last result =old_value =new_value -> result",
    "reverse": "first last -> void",
    "reverse_copy": "first last result -> result",
    "scatter": "first last map result -> void",
    "sequence": "first last =init? =step? -> void",
    "set_difference": "first1 last1 first2 last2 result -> result",
    "set_difference_by_key": "keys_first1 keys_last1 keys_first2 keys_last2 values_first1 values_first2 keys_result "
    "values_result -> keys_result values_result",
    "set_intersection": "first1 last1 first2 last2 result -> result",
    "set_intersection_by_key": "keys_first1 keys_last1 keys_first2 keys_last2 values_first1 keys_result "
    "values_result -> keys_result values_result",
    "set_symmetric_difference": "first1 last1 first2 last2 result -> result",
    "set_symmetric_difference_by_key": "keys_first1 keys_last1 keys_first2 keys_last2 values_first1 values_first2 "
    "keys_result values_result -> keys_result values_result",
    "set_union": "first1 last1 first2 last2 result -> result",
    "set_union_by_key": "keys_first1 keys_last1 keys_first2 keys_last2 values_first1 values_first2 keys_result "
    "values_result -> keys_result values_result",
    "sort": "first last -> void",
    "sort_by_key": "keys_first keys_last values_first -> void",
    "stable_sort": "first last -> void",
    "stable_sort_by_key": "keys_first keys_last values_first -> void",
    "swap_ranges": "first1 last1 first2 -> first2",
    "unique": "first last -> first",
    "unique_by_key": "keys_first keys_last values_first -> keys_first values_first",
    "upper_bound": "first last =value -> first | first last values_first values_last result -> result",
}
_RESULTS = {"void": VOID, "bool": BOOL, "int64": INT64}

__all__ = ["device", "host", "make_constant_iterator", "make_counting_iterator", "seq", *_ALGORITHMS]

_POLICY = Storage("policy")
host, device, seq = (Value(f"thrust::{name}", _POLICY) for name in ("host", "device", "seq"))


class _Form:
    """One way to call an algorithm."""

    def __init__(self, text):
        taken, given = text.split(" -> ")
        self.parameters = taken.split()
        self.results = given.split()

    @property
    def names(self):
        return [p.strip("=+?") for p in self.parameters]

    def takes(self, args):
        required = sum(not p.endswith("?") for p in self.parameters)
        if not required <= len(args) <= len(self.parameters):
            return False
        return all(is_iterator(a) for a, p in zip(args, self.parameters) if p[0] not in "=+")

    def call(self, name, args, mode):
        values = {}
        for parameter, x in zip(self.parameters, args):
            values[parameter.strip("=+?")] = self._argument(parameter, x, values, mode)
        results = [self._result(r, values) for r in self.results]
        type = results[0] if len(results) == 1 else Tuple(tuple(results))
        return Value(f"jit::algorithms::{name}({', '.join(v.code for v in values.values())})", type)

    def _argument(self, parameter, x, values, mode):
        if parameter[0] == "=":
            return cast_to_store(x, values[self.names[0]].type.element, mode, "the elements")
        return scalar_of(x, mode) if parameter[0] == "+" else as_iterator(x)

    def _result(self, name, values):
        if name in _RESULTS:
            return _RESULTS[name]
        return values[name[1:]].type.element if name[0] == "*" else values[name].type


def _algorithm(name, text):
    forms = [_Form(part) for part in text.split(" | ")]

    def translation(scope, exec_policy, *args):
        if not isinstance(exec_policy, Value) or exec_policy.type != _POLICY:
            raise TypeError(
                f"thrust.{name}: the first argument is a policy, thrust.seq or thrust.device, given "
                f"{describe(exec_policy)}"
            )
        scope.program.include("algorithms.h")
        form = next((f for f in forms if f.takes(args)), None)
        if form is None:
            ways = " or ".join(f"({', '.join(['exec_policy', *f.names])})" for f in forms)
            raise TypeError(f"thrust.{name} takes {ways}, iterators such as x.begin() but for the numbers")
        return form.call(name, args, scope.mode)

    translation.__name__ = translation.__qualname__ = name
    translation.__doc__ = (
        f"std::{name} and its kin over iterators: ({', '.join(['exec_policy', *forms[0].names])})."
    )
    return builtin(translation)


globals().update({name: _algorithm(name, text) for name, text in _ALGORITHMS.items()})


def _iterator(scope, x, cpp):
    scope.program.include("algorithms.h")
    value = scalar_of(x, scope.mode)
    return Value(f"{cpp}<{value.type}>{{{value.code}}}", Iterator(f"{cpp}<{value.type}>", value.type))


@builtin
def make_constant_iterator(scope, x):
    """An iterator whose elements are all `x`."""
    return _iterator(scope, x, "jit::constant_iterator")


@builtin
def make_counting_iterator(scope, x):
    """An iterator over x, x + 1, x + 2 and so on."""
    return _iterator(scope, x, "jit::counting_iterator")
