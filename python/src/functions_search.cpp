// Choosing elements by position or condition, as methods of ndarray and as functions of the module:
//   where nonzero flatnonzero argwhere take take_along_axis put put_along_axis choose compress extract place putmask
//   copyto clip round conj
#include "errors.h"
#include "function.h"
#include "index_argument.h"
#include "numpy_interop.h"
#include "ops/adjust.h"
#include "ops/elementwise.h"
#include "ops/manipulate.h"
#include "ops/search.h"
#include "subclass.h"

namespace cuprum::python {

namespace {

PyObject* none() { return Py_NewRef(Py_None); }

// -- Conditions -----------------------------------------------------------------------------------------

/// An operand: an array, a number, or a list that becomes an array. NumPy arrays as everywhere.
Value value_argument(PyObject* o, const char* function, int position, nb::object* keep,
                     HostRole role = HostRole::operand) {
  if (is_numpy_array(o)) admit_host_array(o, role, function, position);
  if (answers_functions(o)) throw_not_array(o, function, position);
  return to_value_or_convert(o, function, keep);
}

PyObject* where(PyObject* const* args) {
  nb::object keep[3];
  if (!args[1] != !args[2]) throw ValueError("either both or neither of x and y should be given");
  if (!args[1]) return to_tuple(ops::nonzero(*ArrayArgument(args[0], "where", 1)));
  const Value condition = value_argument(args[0], "where", 1, &keep[0], HostRole::index);
  const Value x = value_argument(args[1], "where", 2, &keep[1]),
              y = value_argument(args[2], "where", 3, &keep[2]);
  Array result = ops::where(condition, x, y, &default_backend());
  result.set_value(false);  // NumPy's where gives an array even of numbers
  return wrap_raw(std::move(result));
}

PyObject* nonzero(PyObject* const* args) {
  return to_tuple(ops::nonzero(*ArrayArgument(args[0], "nonzero", 1)));
}

PyObject* flatnonzero(PyObject* const* args) {
  return wrap_raw(ops::flatnonzero(*ArrayArgument(args[0], "flatnonzero", 1)));
}

PyObject* argwhere(PyObject* const* args) {
  return wrap_raw(ops::argwhere(*ArrayArgument(args[0], "argwhere", 1)));
}

PyObject* compress(PyObject* const* args) {
  const ArrayArgument condition(args[0], "compress", 1, HostRole::index), a(args[1], "compress", 2);
  return deliver(
      ops::compress(*condition, *a, axis_argument(args[2], "compress"), out_argument(args[3], "compress")),
      args[3]);
}

PyObject* compress_method(PyObject* const* args) {
  PyObject* const turned[] = {args[1], args[0], args[2], args[3]};
  return compress(turned);
}

PyObject* extract(PyObject* const* args) {
  const ArrayArgument condition(args[0], "extract", 1, HostRole::index), a(args[1], "extract", 2);
  return wrap_raw(ops::extract(*condition, *a));
}

/// What `put`, `place` and `putmask` store in `a`.
Array stored_array(PyObject* o, const Array& a, const char* function) {
  nb::object keep;
  return to_array(stored_value(o, a.type(), function, &keep), a.type(), a.backend());
}

/// Arrays must keep their values in the dtype of `a`; numbers, also those that a reduction gave, and lists become it.
void check_safe(PyObject* o, const Array& a, const char* function) {
  const Array* values = try_unwrap(o);
  if (!is_numpy_array(o) && (!values || values->is_value())) return;
  const dtype type =
      values ? values->type() : to_dtype(nb::object(nb::handle(o).attr("dtype")).ptr(), function);
  if (can_cast(type, a.type(), Casting::safe)) return;
  throw TypeError(std::string("cuprum.") + function + ": Cannot cast array data from dtype('" + name(type) +
                  "') to dtype('" + name(a.type()) +
                  "') according to the rule 'safe'; write values.astype(a.dtype)");
}

template <Name kName, void (*store)(const Array&, const Array&, const Array&)>
PyObject* fill_masked(PyObject* const* args) {
  const Array& a = unwrap(args[0], kName, 1);
  const ArrayArgument mask(args[1], kName, 2, HostRole::index);
  ops::check_mask(kName, a, *mask);
  check_safe(args[2], a, kName);
  store(a, *mask, stored_array(args[2], a, kName));
  return none();
}

PyObject* copyto(PyObject* const* args) {
  nb::object keep;
  const Value source = to_value_or_convert(args[1], "copyto", &keep);
  const OptionalArray mask(args[3], "copyto", 4, true);
  if (given(args[3]) && is_ndarray(args[3]) && !is_bool(mask.get()->type())) {
    throw TypeError(std::string("cuprum.copyto: Cannot cast array data from dtype('") +
                    name(mask.get()->type()) +
                    "') to dtype('bool') according to the rule 'safe'; write where=mask.astype(bool)");
  }
  const Casting casting = parse_casting(text_argument(args[2], "copyto", "casting", "same_kind").c_str());
  ops::copyto(unwrap(args[0], "copyto", 1), source, mask.get(), casting);
  return none();
}

constinit Function kWhere = {
    "where", "condition, x=None, y=None, /", &where,
    "Elements of x where the condition is true, else of y; positions of true elements alone.",
    ResultClass::plain};
constinit Function kNonzero = {"nonzero", "a", &nonzero,
                               "Positions of the elements that are not zero, by dimension.",
                               ResultClass::plain};
constinit Function kFlatnonzero = {"flatnonzero", "a", &flatnonzero,
                                   "Flat positions of the elements that are not zero.", ResultClass::plain};
constinit Function kArgwhere = {"argwhere", "a", &argwhere,
                                "Positions of the elements that are not zero, as rows.", ResultClass::plain};
constinit Function kCompress = {"compress", "condition, a, axis=None, out=None", &compress,
                                "Slices along an axis where a condition is true."};
constinit Function kCompressMethod = {"compress", "a, condition, axis=None, out=None", &compress_method,
                                      "Slices along an axis where a condition is true."};
constinit Function kExtract = {"extract", "condition, arr", &extract, "Elements where a condition is true."};
constinit Function kPlace = {"place", "arr, mask, vals", &fill_masked<"place", &ops::place>,
                             "Fills the elements under a mask with values, one after the other."};
constinit Function kPutmask = {"putmask", "a, /, mask, values", &fill_masked<"putmask", &ops::putmask>,
                               "Fills the elements under a mask with the values at the same positions."};
constinit Function kCopyto = {"copyto",
                              "dst, src, casting='same_kind', where=True",
                              &copyto,
                              "Copies values from one array to another, broadcasting; between devices too.",
                              ResultClass::inherited,
                              true};

// -- Positions ------------------------------------------------------------------------------------------

PyObject* take(PyObject* const* args) {
  const ArrayArgument a(args[0], "take", 1);
  IndexArgument indices(args[1], "take");
  indices.read_integers(args[1], "take");
  return deliver(ops::take(*a, *indices, axis_argument(args[2], "take"), out_argument(args[3], "take"),
                           bounds_argument(args[4], "take")),
                 args[3]);
}

PyObject* take_along_axis(PyObject* const* args) {
  const ArrayArgument a(args[0], "take_along_axis", 1);
  const IndexArgument indices(args[1], "take_along_axis");
  return wrap_raw(ops::take_along_axis(*a, *indices, axis_argument(args[2], "take_along_axis", -1)));
}

PyObject* put_along_axis(PyObject* const* args) {
  nb::object keep;
  const IndexArgument indices(args[1], "put_along_axis");
  const Array& a = unwrap(args[0], "put_along_axis", 1);
  const std::optional<std::int64_t> axis = axis_argument(args[3], "put_along_axis");
  ops::check_along_axis("put_along_axis", a, *indices, axis);
  const Value values = stored_value(args[2], a.type(), "put_along_axis", &keep);
  ops::put_along_axis(a, *indices, values, axis);
  return none();
}

PyObject* put(PyObject* const* args) {
  IndexArgument indices(args[1], "put");
  indices.read_integers(args[1], "put");
  const Array& a = unwrap(args[0], "put", 1);
  const ops::Bounds bounds = bounds_argument(args[3], "put");
  ops::check_put(a, *indices);  // before what may be wrong with the values
  ops::put(a, *indices, stored_array(args[2], a, "put"), bounds);
  return none();
}

PyObject* choose(PyObject* const* args) {
  const ArrayArgument a(args[0], "choose", 1, HostRole::index);
  const ArraySequence choices(args[1], "choose");
  return deliver(ops::choose(*a, choices.arrays(), choices.weak(), out_argument(args[2], "choose"),
                             bounds_argument(args[3], "choose")),
                 args[2]);
}

constinit Function kTake = {"take", "a, indices, axis=None, out=None, mode='raise'", &take,
                            "Elements at the given positions along an axis."};
constinit Function kTakeAlongAxis = {"take_along_axis", "arr, indices, axis=-1", &take_along_axis,
                                     "Elements at positions that argsort and the like give."};
constinit Function kPutAlongAxis = {"put_along_axis", "arr, indices, values, axis", &put_along_axis,
                                    "Stores values at positions that argsort and the like give."};
constinit Function kPut = {"put", "a, ind, v, mode='raise'", &put, "Stores values at flat positions."};
constinit Function kChoose = {"choose", "a, choices, out=None, mode='raise'", &choose,
                              "Elements of one of several arrays, chosen by index."};

// -- Values ---------------------------------------------------------------------------------------------

PyObject* clip(PyObject* const* args) {
  nb::object keep[2];
  const ArrayArgument a(args[0], "clip", 1);
  if ((given(args[1]) || given(args[2])) && (given(args[4]) || given(args[5]))) {
    throw ValueError("cuprum.clip: min= and max= stand for a_min and a_max; give one or the other");
  }
  PyObject* low = given(args[1]) ? args[1] : args[4];
  PyObject* high = given(args[2]) ? args[2] : args[5];
  std::optional<Value> from, to;
  if (given(low)) from = value_argument(low, "clip", 2, &keep[0]);
  if (given(high)) to = value_argument(high, "clip", 3, &keep[1]);
  ops::UfuncOptions options;
  options.out = out_argument(args[3], "clip");
  options.type = to_optional_dtype(args[6], "clip");
  options.casting = parse_casting(text_argument(args[7], "clip", "casting", "same_kind").c_str());
  const OptionalArray where(args[8], "clip", 9, true);
  options.where = where.get();
  return deliver(ops::clip(*a, from ? &*from : nullptr, to ? &*to : nullptr, options), args[3]);
}

PyObject* clip_method(PyObject* const* args) {
  PyObject* const spread[] = {args[0], args[1], args[2], args[3], nullptr,
                              nullptr, args[4], args[5], args[6]};
  return clip(spread);
}

PyObject* round(PyObject* const* args) {
  const ArrayArgument a(args[0], "round", 1);
  Array result =
      ops::round(*a, int_argument(args[1], "round", "decimals", 0), out_argument(args[2], "round"));
  if (!given(args[2])) result.set_value(result.ndim() == 0);
  return deliver(std::move(result), args[2]);
}

PyObject* conj(PyObject* const* args) {
  const Array& a = contents(args[0]).array();
  if (!is_complex(a.type())) return Py_NewRef(args[0]);
  return wrap_raw(ops::unary(Op::conjugate, a));
}

constinit Function kClip = {
    "clip",
    "a, a_min=None, a_max=None, out=None, *, min=None, max=None, dtype=None, casting='same_kind', where=True",
    &clip, "Elements limited to an interval."};
constinit Function kClipMethod = {
    "clip", "a, min=None, max=None, out=None, *, dtype=None, casting='same_kind', where=True", &clip_method,
    "Elements limited to an interval."};
constinit Function kRound = {"round", "a, decimals=0, out=None", &round,
                             "Elements rounded to a number of decimals."};
constinit Function kConj = {"conj", "a", &conj, "Complex conjugate; a real array itself."};
constinit Function kConjugate = {"conjugate", "a", &conj, "Complex conjugate; a real array itself."};

}  // namespace

void bind_search_methods(NdarrayClass& c) {
  add_methods(c,
              {entry<kNonzero>(), entry<kCompressMethod>(), entry<kTake>(), entry<kPut>(), entry<kChoose>(),
               entry<kClipMethod>(), entry<kRound>(), entry<kConj>(), entry<kConjugate>()});
}

void bind_search_functions(nb::module_& m) {
  add_functions(m, {entry<kWhere>(), entry<kNonzero>(), entry<kFlatnonzero>(), entry<kArgwhere>(),
                    entry<kCompress>(), entry<kExtract>(), entry<kPlace>(), entry<kPutmask>(),
                    entry<kCopyto>(), entry<kTake>(), entry<kTakeAlongAxis>(), entry<kPutAlongAxis>(),
                    entry<kPut>(), entry<kChoose>(), entry<kClip>(), entry<kRound>()});
}

}  // namespace cuprum::python
