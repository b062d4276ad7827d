// Sorting, as methods of ndarray and as functions of the module:
//   sort argsort partition argpartition lexsort searchsorted bincount interp
#include "errors.h"
#include "function.h"
#include "ops/creation.h"
#include "ops/histogram.h"
#include "ops/interpolate.h"
#include "ops/sort.h"
#include "ops/support.h"

namespace cuprum::python {

namespace {

/// `kind`, `order`, `stable` and `descending` stand at 2 to 5. Every kind is satisfied by the one stable sort; a wrong
/// name is still an error.
void check_kind(PyObject* const* args, const char* function) {
  PyObject *kind = args[2], *order = args[3], *stable = args[4], *descending = args[5];
  if (given(kind)) {
    const std::string k = text_argument(kind, function, "kind", "");
    if (given(stable) || given(descending)) {
      throw ValueError(
          "`kind` and keyword parameters can't be provided at the same time. Use only one of them.");
    }
    if (k.empty() || std::string("qhmsQHMS").find(k[0]) == std::string::npos) {
      throw ValueError(std::string("cuprum.") + function +
                       ": sort kind must be one of 'quick', 'heap', or 'stable' (got '" + k + "')");
    }
  }
  if (given(order)) {
    throw ValueError(std::string("cuprum.") + function +
                     ": Cannot specify order when the array has no fields.");
  }
}

bool is_descending(PyObject* o) { return given(o) && to_flag(o); }

PyObject* sort(PyObject* const* args) {
  const ArrayArgument a(args[0], "sort", 1);
  check_kind(args, "sort");
  return wrap_raw(ops::sort(*a, axis_argument(args[1], "sort", -1), is_descending(args[5])));
}

PyObject* sort_method(PyObject* const* args) {
  check_kind(args, "ndarray.sort");
  ops::sort_inplace(contents(args[0]).array(), int_argument(args[1], "ndarray.sort", "axis", -1),
                    is_descending(args[5]));
  return Py_NewRef(Py_None);
}

PyObject* argsort(PyObject* const* args) {
  const ArrayArgument a(args[0], "argsort", 1);
  check_kind(args, "argsort");
  return wrap_raw(ops::argsort(*a, axis_argument(args[1], "argsort", -1), is_descending(args[5])));
}

/// The positions that a partition is about.
Dims kth_argument(PyObject* o, const char* function) {
  if (PyLong_CheckExact(o)) return Dims{to_int(o, function, "Partition index")};
  const ArrayArgument a(o, function, 2, HostRole::index);
  const std::string prefix = std::string("cuprum.") + function + ": ";
  if (is_bool(a->type())) throw ValueError(prefix + "Booleans unacceptable as partition index");
  if (!is_integer(a->type()))
    throw TypeError(prefix + "Partition index must be integer, given " + name(a->type()));
  if (a->ndim() > 1)
    throw ValueError(prefix + "kth array must have dimension <= 1, given shape " + to_string(a->shape()));
  const std::vector<std::int64_t> values = ops::to_integers(*a);
  return Dims(values.begin(), values.end());
}

/// `kind` and `order` of a partition stand at 3 and 4.
void check_select(PyObject* const* args, const char* function) {
  const std::string prefix = std::string("cuprum.") + function + ": ";
  if (args[3] && !PyUnicode_Check(args[3]))
    throw TypeError(prefix + "select kind must be str, not " + type_name(args[3]));
  const std::string kind = text_argument(args[3], function, "kind", "introselect");
  if (kind.empty() || (kind[0] != 'i' && kind[0] != 'I'))
    throw ValueError(prefix + "select kind must be 'introselect' (got '" + kind + "')");
  if (given(args[4])) throw ValueError(prefix + "Cannot specify order when the array has no fields.");
}

PyObject* partition(PyObject* const* args) {
  check_select(args, "partition");
  const ArrayArgument a(args[0], "partition", 1);
  return wrap_raw(
      ops::partition(*a, kth_argument(args[1], "partition"), axis_argument(args[2], "partition", -1)));
}

PyObject* partition_method(PyObject* const* args) {
  check_select(args, "ndarray.partition");
  ops::partition_inplace(contents(args[0]).array(), kth_argument(args[1], "ndarray.partition"),
                         int_argument(args[2], "ndarray.partition", "axis", -1));
  return Py_NewRef(Py_None);
}

PyObject* argpartition(PyObject* const* args) {
  check_select(args, "argpartition");
  const ArrayArgument a(args[0], "argpartition", 1);
  return wrap_raw(ops::argpartition(*a, kth_argument(args[1], "argpartition"),
                                    axis_argument(args[2], "argpartition", -1)));
}

PyObject* lexsort(PyObject* const* args) {
  const ArraySequence keys(args[0], "lexsort");
  return wrap_raw(ops::lexsort(keys.arrays(), int_argument(args[1], "lexsort", "axis", -1)));
}

PyObject* searchsorted(PyObject* const* args) {
  const ArrayArgument a(args[0], "searchsorted", 1, beside(args[1])),
      v(args[1], "searchsorted", 2, beside(args[0]));
  const OptionalArray sorter(args[3], "searchsorted", 4);
  const std::string side = text_argument(args[2], "searchsorted", "side", "left");
  if (side != "left" && side != "right") {
    throw ValueError("cuprum.searchsorted: search side must be 'left' or 'right' (got '" + side + "')");
  }
  return wrap_raw(ops::searchsorted(*a, *v, side == "right", sorter.get()));
}

/// A list of no numbers is one of no integers here.
Array counted_argument(PyObject* o) {
  const bool empty = (PyList_Check(o) || PyTuple_Check(o)) && PySequence_Size(o) == 0;
  return empty ? ops::zeros(Dims{0}, dtype::int64, 'C', default_backend()) : *ArrayArgument(o, "bincount", 1);
}

PyObject* bincount(PyObject* const* args) {
  const Array x = counted_argument(args[0]);
  std::optional<ArrayArgument> weights;
  if (given(args[1])) weights.emplace(args[1], "bincount", 2, HostRole::parameter);
  if (args[2] == Py_None) throw TypeError("cuprum.bincount: use 0 instead of None for minlength");
  if (args[2] && !PyIndex_Check(args[2])) {
    throw TypeError(std::string("cuprum.bincount: minlength: '") + type_name(args[2]) +
                    "' object cannot be interpreted as an integer");
  }
  return wrap_raw(ops::bincount(x, weights ? weights->get() : nullptr,
                                int_argument(args[2], "bincount", "minlength", 0)));
}

PyObject* interp(PyObject* const* args) {
  // Each may be the data: the others are parameters then.
  const bool beside_data = is_ndarray(args[0]) || is_ndarray(args[1]) || is_ndarray(args[2]);
  const HostRole role = beside_data ? HostRole::parameter : HostRole::operand;
  const ArrayArgument x(args[0], "interp", 1, role), xp(args[1], "interp", 2, role),
      fp(args[2], "interp", 3, role);
  std::optional<ArrayArgument> left, right;
  if (given(args[3])) left.emplace(args[3], "interp", 4, HostRole::parameter);
  if (given(args[4])) right.emplace(args[4], "interp", 5, HostRole::parameter);
  std::optional<double> period;
  if (given(args[5])) {
    period = PyFloat_AsDouble(args[5]);
    if (PyErr_Occurred()) throw_named_error("interp", "period");
  }
  return wrap_raw(
      ops::interp(*x, *xp, *fp, left ? left->get() : nullptr, right ? right->get() : nullptr, period));
}

constinit Function kSort = {"sort", "a, axis=-1, kind=None, order=None, *, stable=None, descending=None",
                            &sort, "A sorted copy, along an axis. The sort is stable; NaN stand last."};
constinit Function kSortMethod = {
    "sort", "a, axis=-1, kind=None, order=None, *, stable=None, descending=None", &sort_method,
    "Sorts in place, along an axis. The sort is stable; NaN stand last."};
constinit Function kArgsort = {"argsort",
                               "a, axis=-1, kind=None, order=None, *, stable=None, descending=None", &argsort,
                               "Indices that would sort, along an axis. The sort is stable."};
constinit Function kPartition = {"partition", "a, kth, axis=-1, kind='introselect', order=None", &partition,
                                 "A copy in which the kth elements stand where sorting would put them."};
constinit Function kPartitionMethod = {"partition", "a, kth, axis=-1, kind='introselect', order=None",
                                       &partition_method,
                                       "Moves the kth elements, in place, to where sorting would put them."};
constinit Function kArgpartition = {"argpartition", "a, kth, axis=-1, kind='introselect', order=None",
                                    &argpartition, "Indices that would partition, along an axis."};
constinit Function kLexsort = {"lexsort", "keys, axis=-1", &lexsort,
                               "Indices that sort by several keys, the last one first.", ResultClass::plain};
constinit Function kSearchsorted = {"searchsorted", "a, v, side='left', sorter=None", &searchsorted,
                                    "Positions at which elements would keep a sorted array sorted.",
                                    ResultClass::plain};
constinit Function kBincount = {"bincount", "x, /, weights=None, minlength=0", &bincount,
                                "How often each of 0, 1, 2, ... occurs in a vector of integers.",
                                ResultClass::plain};
constinit Function kInterp = {"interp", "x, xp, fp, left=None, right=None, period=None", &interp,
                              "Values at x of the lines through points, in double precision.",
                              ResultClass::plain};

}  // namespace

void bind_sort_methods(NdarrayClass& c) {
  add_methods(c, {entry<kSortMethod>(), entry<kArgsort>(), entry<kPartitionMethod>(), entry<kArgpartition>(),
                  entry<kSearchsorted>()});
}

void bind_sort_functions(nb::module_& m) {
  add_functions(m, {entry<kSort>(), entry<kArgsort>(), entry<kPartition>(), entry<kArgpartition>(),
                    entry<kLexsort>(), entry<kSearchsorted>(), entry<kBincount>(), entry<kInterp>()});
}

}  // namespace cuprum::python
