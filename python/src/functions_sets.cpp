// Arrays as sets: unique is_in union1d intersect1d setxor1d setdiff1d
#include "errors.h"
#include "function.h"
#include "ops/sets.h"

namespace cuprum::python {

namespace {

/// One result as it is, several as a tuple.
PyObject* one_or_tuple(const std::vector<Array>& results) {
  return results.size() == 1 ? wrap_raw(results[0]) : to_tuple(results);
}

PyObject* unique(PyObject* const* args) {
  const ArrayArgument a(args[0], "unique", 1);
  const ops::UniqueArgs wanted = {flag_argument(args[1]), flag_argument(args[2]), flag_argument(args[3]),
                                  flag_argument(args[5], true)};
  const ops::Unique u = ops::unique_along(*a, axis_argument(args[4], "unique"), wanted);
  std::vector<Array> results = {u.values};
  if (wanted.index) results.push_back(u.index);
  if (wanted.inverse) results.push_back(u.inverse);
  if (wanted.counts) results.push_back(u.counts);
  return one_or_tuple(results);
}

PyObject* is_in(PyObject* const* args) {
  const ArrayArgument elements(args[0], "isin", 1, beside(args[1])),
      tests(args[1], "isin", 2, beside(args[0]));
  Array found = ops::is_in(*elements, *tests);
  found.set_value(false);  // without dimensions too an array, no value
  return wrap_raw(std::move(found));
}

/// Two arrays; a number of Python takes the dtype of the other.
ArraySequence weak_pair(PyObject* const* args, const char* function) {
  const nb::object pair = nb::make_tuple(nb::borrow(args[0]), nb::borrow(args[1]));
  ArraySequence both(pair.ptr(), function);
  both.promote_numbers();
  return both;
}

PyObject* union1d(PyObject* const* args) {
  const ArraySequence both = weak_pair(args, "union1d");
  return wrap_raw(ops::union1d(both.arrays()[0], both.arrays()[1]));
}

PyObject* intersect1d(PyObject* const* args) {
  const ArrayArgument a(args[0], "intersect1d", 1), b(args[1], "intersect1d", 2);
  const bool with_indices = flag_argument(args[3]);
  const ops::Intersection found = ops::intersect1d(*a, *b, flag_argument(args[2]), with_indices);
  if (!with_indices) return wrap_raw(found.values);
  return to_tuple({found.values, found.index1, found.index2});
}

PyObject* setxor1d(PyObject* const* args) {
  if (flag_argument(args[2])) {
    const ArraySequence both = weak_pair(args, "setxor1d");
    return wrap_raw(ops::setxor1d(both.arrays()[0], both.arrays()[1], true));
  }
  const ArrayArgument a(args[0], "setxor1d", 1), b(args[1], "setxor1d", 2);
  return wrap_raw(ops::setxor1d(*a, *b));
}

PyObject* setdiff1d(PyObject* const* args) {
  const ArrayArgument a(args[0], "setdiff1d", 1), b(args[1], "setdiff1d", 2);
  return wrap_raw(ops::setdiff1d(*a, *b, flag_argument(args[2])));
}

constinit Function kUnique = {
    "unique",
    "ar, return_index=False, return_inverse=False, return_counts=False, axis=None, *, equal_nan=True",
    &unique, "The sorted distinct elements, or slices along an axis, and what else is asked for."};
constinit Function kIsIn = {"is_in", "element, test_elements", &is_in,
                            "Where the elements of one array are among those of another.",
                            ResultClass::plain};
constinit Function kUnion1d = {"union1d", "ar1, ar2", &union1d,
                               "The sorted distinct elements of two arrays."};
constinit Function kIntersect1d = {"intersect1d", "ar1, ar2, assume_unique=False, return_indices=False",
                                   &intersect1d, "The sorted elements that two arrays have in common."};
constinit Function kSetxor1d = {"setxor1d", "ar1, ar2, assume_unique=False", &setxor1d,
                                "The sorted elements that are in exactly one of two arrays."};
constinit Function kSetdiff1d = {"setdiff1d", "ar1, ar2, assume_unique=False", &setdiff1d,
                                 "The elements of one array that are not in another."};

}  // namespace

void bind_set_functions(nb::module_& m) {
  add_functions(m, {entry<kUnique>(), entry<kIsIn>(), entry<kUnion1d>(), entry<kIntersect1d>(),
                    entry<kSetxor1d>(), entry<kSetdiff1d>()});
}

}  // namespace cuprum::python
