// Indices of diagonals, triangles and grids, coordinates and numbers of elements, and values chosen by conditions:
//   diag_indices_from tril_indices triu_indices tril_indices_from triu_indices_from indices ix_ ravel_multi_index unravel_index
//   select piecewise
#include <deque>

#include "errors.h"
#include "function.h"
#include "ops/choosing.h"
#include "ops/positions.h"
#include "ops/support.h"

namespace cuprum::python {

namespace {

// -- Diagonals, triangles, grids ------------------------------------------------------------------------

PyObject* diag_indices_from(PyObject* const* args) {
  return to_tuple(ops::diag_indices_from(to_dims(args[0], "diag_indices_from"), default_backend()));
}

using Triangle = std::vector<Array>(std::int64_t, std::int64_t, std::int64_t, Backend&);
template <Name kName, Triangle* find>
PyObject* triangle(PyObject* const* args) {
  const std::int64_t rows = to_int(args[0], kName, "n");
  const std::int64_t columns = given(args[2]) ? to_int(args[2], kName, "m") : rows;
  return to_tuple(find(rows, diagonal_argument(args[1], kName), columns, default_backend()));
}

using TriangleFrom = std::vector<Array>(const Dims&, std::int64_t, Backend&);
template <Name kName, TriangleFrom* find>
PyObject* triangle_from(PyObject* const* args) {
  return to_tuple(find(to_dims(args[0], kName), diagonal_argument(args[1], kName), default_backend()));
}

PyObject* indices(PyObject* const* args) {
  const Dims dimensions = to_dims(args[0], "indices");
  const dtype type = given(args[1]) ? to_dtype(args[1], "indices") : dtype::float64;
  if (flag_argument(args[2])) return to_tuple(ops::sparse_indices(dimensions, type, default_backend()));
  return wrap_raw(ops::indices(dimensions, type, default_backend()));
}

PyObject* ix_(PyObject* const* args) {
  std::vector<Array> vectors;
  for (nb::handle o : nb::borrow<nb::tuple>(args[0])) {
    vectors.push_back(*ArrayArgument(o.ptr(), "ix_", static_cast<int>(vectors.size()) + 1));
    // An empty list has no type: as an index it is one of integers.
    if (vectors.back().size() == 0 && !is_ndarray(o.ptr()))
      vectors.back() = record_cast(vectors.back(), dtype::int64);
  }
  return to_tuple(ops::ix_(vectors));
}

constinit Function kDiagIndicesFrom = {"diag_indices_from", "shape", &diag_indices_from,
                                       "Indices of the main diagonal of an array of a shape."};
constinit Function kTrilIndices = {"tril_indices", "n, k=0, m=None",
                                   &triangle<"tril_indices", &ops::tril_indices>,
                                   "Indices of the elements at and below a diagonal."};
constinit Function kTriuIndices = {"triu_indices", "n, k=0, m=None",
                                   &triangle<"triu_indices", &ops::triu_indices>,
                                   "Indices of the elements at and above a diagonal."};
constinit Function kTrilIndicesFrom = {
    "tril_indices_from", "shape, k=0", &triangle_from<"tril_indices_from", &ops::tril_indices_from>,
    "Indices of the elements at and below a diagonal of a matrix of a shape."};
constinit Function kTriuIndicesFrom = {
    "triu_indices_from", "shape, k=0", &triangle_from<"triu_indices_from", &ops::triu_indices_from>,
    "Indices of the elements at and above a diagonal of a matrix of a shape."};
constinit Function kIndices = {"indices", "dimensions, dtype=int, sparse=False", &indices,
                               "The coordinates of every place of a grid."};
constinit Function kIx = {"ix_", "args", &ix_, "Vectors of indices as an open grid.", ResultClass::plain};

// -- Coordinates and numbers ----------------------------------------------------------------------------

/// 'C' or 'F'; None is 'C'.
char count_order(PyObject* o, const char* function, const std::string& text) {
  if (!given(o)) return 'C';
  const std::string order = PyUnicode_Check(o) ? to_utf8(o) : std::string();
  if (order == "C" || order == "F") return order[0];
  throw ValueError(std::string("cuprum.") + function + ": only 'C' or 'F' order is permitted" + text);
}

/// Integers; an empty list has been read as one of floats, and NumPy takes it for that.
Array places_argument(PyObject* o, const char* function) {
  const ArrayArgument x(o, function, 1);
  if (x->size() == 0 && !is_ndarray(o) && !is_integer(x->type()) && !is_bool(x->type())) {
    throw TypeError(std::string("cuprum.") + function +
                    ": indices must be integral: the provided empty sequence was inferred as float. Wrap it "
                    "with 'cp.array(indices, dtype=cp.intp)'");
  }
  return *x;
}

std::vector<ops::Bounds> modes_argument(PyObject* o, std::size_t count) {
  if (!o || PyUnicode_Check(o))
    return std::vector<ops::Bounds>(count, bounds_argument(o, "ravel_multi_index"));
  std::vector<ops::Bounds> modes;
  for (nb::handle mode : nb::borrow<nb::tuple>(checked(PySequence_Tuple(o))))
    modes.push_back(bounds_argument(mode.ptr(), "ravel_multi_index"));
  if (modes.size() != count) {
    throw ValueError("cuprum.ravel_multi_index: list of clipmodes has wrong length (" +
                     std::to_string(modes.size()) + " instead of " + std::to_string(count) + ")");
  }
  return modes;
}

std::vector<Array> coordinates_argument(PyObject* o) {
  if (is_ndarray(o)) return ArraySequence(o, "ravel_multi_index").arrays();
  std::vector<Array> coordinates;
  for (nb::handle x : nb::borrow<nb::tuple>(checked(PySequence_Tuple(o))))
    coordinates.push_back(places_argument(x.ptr(), "ravel_multi_index"));
  return coordinates;
}

PyObject* ravel_multi_index(PyObject* const* args) {
  const Dims dims = to_dims(args[1], "ravel_multi_index");
  const std::vector<ops::Bounds> modes = modes_argument(args[2], dims.size());
  const char order = count_order(args[3], "ravel_multi_index", "");
  return wrap_raw(
      ops::ravel_multi_index(coordinates_argument(args[0]), dims, modes, order, default_backend()));
}

PyObject* unravel_index(PyObject* const* args) {
  const Dims shape = to_dims(args[1], "unravel_index");
  const std::string given_order = args[2] ? nb::cast<std::string>(nb::repr(args[2])) : std::string();
  const char order = count_order(args[2], "unravel_index", ", not " + given_order);
  return to_tuple(ops::unravel_index(places_argument(args[0], "unravel_index"), shape, order));
}

constinit Function kRavelMultiIndex = {"ravel_multi_index", "multi_index, dims, mode='raise', order='C'",
                                       &ravel_multi_index, "The numbers of elements at coordinates.",
                                       ResultClass::plain};
constinit Function kUnravelIndex = {"unravel_index", "indices, shape, order='C'", &unravel_index,
                                    "The coordinates of elements by their numbers.", ResultClass::plain};

// -- Conditions -----------------------------------------------------------------------------------------

/// Operands of `select`: Python's numbers stay what they are until the dtype is known, for they are weak.
class Choices {
 public:
  void add(PyObject* o, int position) {
    if (PyLong_CheckExact(o) || PyFloat_CheckExact(o) || PyComplex_CheckExact(o)) {
      values_.push_back(to_value(o, "select", position));
    } else {
      values_.emplace_back(*arrays_.emplace_back(o, "select", position));
    }
  }
  std::span<const Value> values() const { return values_; }

 private:
  std::deque<ArrayArgument> arrays_;  // they do not move
  std::vector<Value> values_;
};

PyObject* select(PyObject* const* args) {
  const ArraySequence conditions(args[0], "select");
  Choices choices, otherwise;
  for (nb::handle o : nb::borrow<nb::tuple>(checked(PySequence_Tuple(args[1])))) choices.add(o.ptr(), 2);
  const nb::object zero = nb::int_(0);
  otherwise.add(args[2] ? args[2] : zero.ptr(), 3);
  return wrap_raw(
      ops::select_first(conditions.arrays(), choices.values(), otherwise.values()[0], default_backend()));
}

/// What a function of the program makes of elements of `x`.
Array called(PyObject* function, const Array& x, const Array& elements) {
  nb::object keep;
  const nb::object result = nb::borrow(function)(wrap(elements));
  const Value value = stored_value(result.ptr(), x.type(), "piecewise", &keep);
  warn_of_lost_imaginary(value.type(), x.type());
  return to_array(value, x.type(), x.backend());
}

PyObject* piecewise(PyObject* const* args) {
  const ArrayArgument x(args[0], "piecewise", 1);
  const ArraySequence conditions(args[1], "piecewise");
  const nb::object functions = checked(PySequence_Tuple(args[2]));
  std::deque<nb::object> keep;
  std::vector<ops::Piece> pieces;
  for (nb::handle o : nb::borrow<nb::tuple>(functions)) {
    if (PyCallable_Check(o.ptr())) {
      pieces.emplace_back([&x, o](const Array& elements) { return called(o.ptr(), *x, elements); });
    } else {
      pieces.emplace_back(stored_value(o.ptr(), x->type(), "piecewise", &keep.emplace_back()));
    }
  }
  return wrap_raw(ops::piecewise(*x, conditions.arrays(), pieces));
}

constinit Function kSelect = {"select", "condlist, choicelist, default=0", &select,
                              "Elements of the first choice whose condition is true.", ResultClass::plain};
constinit Function kPiecewise = {
    "piecewise", "x, condlist, funclist", &piecewise,
    "Elements mapped by the function, or the number, of the last true condition."};

}  // namespace

void bind_position_functions(nb::module_& m) {
  add_functions(
      m, {entry<kDiagIndicesFrom>(), entry<kTrilIndices>(), entry<kTriuIndices>(), entry<kTrilIndicesFrom>(),
          entry<kTriuIndicesFrom>(), entry<kIndices>(), entry<kIx>(), entry<kRavelMultiIndex>(),
          entry<kUnravelIndex>(), entry<kSelect>(), entry<kPiecewise>()});
}

}  // namespace cuprum::python
