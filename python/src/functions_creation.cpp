// Creation functions of the module:
//   empty zeros ones full empty_like zeros_like ones_like full_like arange linspace eye tri tril triu
#include <algorithm>
#include <cmath>
#include <complex>

#include "core/promotion.h"
#include "errors.h"
#include "expr/engine.h"
#include "function.h"
#include "host.h"
#include "ops/assign.h"
#include "ops/creation.h"
#include "ops/support.h"

namespace cuprum::python {

namespace {

dtype dtype_argument(PyObject* o, const char* function) {
  return given(o) ? to_dtype(o, function) : dtype::float64;
}

/// 'C' or 'F' for a new array.
char new_order(PyObject* o, const char* function) {
  const char order = order_argument(o, function, 'C');
  if (order == 'C' || order == 'F') return order;
  throw ValueError(std::string("cuprum.") + function + ": only 'C' or 'F' order is permitted, given '" +
                   order + "'");
}

using Maker = Array (*)(const Dims&, dtype, char, Backend&);

template <Name kName, Maker M>
PyObject* make(PyObject* const* args) {
  const OnDevice there(args[3], kName);
  return wrap_raw(M(to_shape(args[0], kName), dtype_argument(args[1], kName), new_order(args[2], kName),
                    default_backend()));
}

/// The number that fills an array: 0-d arrays and one-element arrays count too.
Scalar fill_scalar(const Value& v, dtype type) {
  if (!v.is_array()) return v.to_scalar(type);
  Scalar s;
  s.type = type;
  copy_to_host(record_cast(v.array(), type), s.bytes);
  return s;
}

PyObject* full(PyObject* const* args) {
  nb::object keep;
  const OnDevice there(args[4], "full");
  const Dims shape = to_shape(args[0], "full");
  const Value value = to_value_or_convert(args[1], "full", &keep);
  const dtype type = given(args[2]) ? to_dtype(args[2], "full") : value.type();
  const char order = new_order(args[3], "full");
  warn_of_lost_imaginary(value.type(), type);
  if (!value.is_array() || value.array().ndim() == 0)
    return wrap_raw(ops::full(shape, fill_scalar(value, type), order, default_backend()));
  const Array result = ops::empty(shape, type, order, default_backend());
  ops::assign_value("full", result, value);
  return wrap_raw(result);
}

ops::Like like_argument(PyObject* const* args, int first, const char* function) {
  ops::Like like;
  like.type = to_optional_dtype(args[first], function);
  like.order = order_argument(args[first + 1], function, 'K');
  if (given(args[first + 2])) like.shape = to_shape(args[first + 2], function);
  return like;
}

/// The array on the device that was asked for.
Array placed(Array a, PyObject* device, const char* function) {
  if (!given(device)) return a;
  const OnDevice there(device, function);
  return on_backend(a, default_backend());
}

using LikeMaker = Array (*)(const Array&, const ops::Like&);

template <Name kName, LikeMaker M>
PyObject* make_like(PyObject* const* args) {
  const ArrayArgument a(args[0], kName, 1);
  return wrap_raw(placed(M(*a, like_argument(args, 1, kName)), args[4], kName));
}

PyObject* full_like(PyObject* const* args) {
  nb::object keep;
  const ArrayArgument a(args[0], "full_like", 1);
  const ops::Like like = like_argument(args, 2, "full_like");
  const Value value = to_value_or_convert(args[1], "full_like", &keep);
  warn_of_lost_imaginary(value.type(), like.type.value_or(a->type()));
  if (!value.is_array() || value.array().ndim() == 0) {
    const Scalar scalar = fill_scalar(value, like.type.value_or(a->type()));
    return wrap_raw(placed(ops::full_like(*a, scalar, like), args[5], "full_like"));
  }
  const Array result = ops::empty_like(*a, like);
  ops::assign_value("full_like", result, value);
  return wrap_raw(placed(result, args[5], "full_like"));
}

constexpr const char* kNewParameters = "shape, dtype=None, order='C', *, device=None";
constexpr const char* kLikeParameters = "a, dtype=None, order='K', shape=None, *, device=None";

constinit Function kEmpty = {"empty", kNewParameters, &make<"empty", &ops::empty>,
                             "A new array whose elements are not set."};
constinit Function kZeros = {"zeros", kNewParameters, &make<"zeros", &ops::zeros>, "A new array of zeros."};
constinit Function kOnes = {"ones", kNewParameters, &make<"ones", &ops::ones>, "A new array of ones."};
constinit Function kFull = {"full", "shape, fill_value, dtype=None, order='C', *, device=None", &full,
                            "A new array of one value."};
constinit Function kEmptyLike = {"empty_like", kLikeParameters, &make_like<"empty_like", &ops::empty_like>,
                                 "A new array like another, its elements not set."};
constinit Function kZerosLike = {"zeros_like", kLikeParameters, &make_like<"zeros_like", &ops::zeros_like>,
                                 "A new array of zeros, like another."};
constinit Function kOnesLike = {"ones_like", kLikeParameters, &make_like<"ones_like", &ops::ones_like>,
                                "A new array of ones, like another."};
constinit Function kFullLike = {"full_like",
                                "a, fill_value, dtype=None, order='K', shape=None, *, device=None",
                                &full_like, "A new array of one value, like another."};

// -- Evenly spaced --------------------------------------------------------------------------------------

/// An argument of arange: a number; 0-d arrays are read.
Value number_argument(PyObject* o) {
  const Value v = to_value(o, "arange", 0);
  if (!v.is_array()) return v;
  if (v.array().size() != 1)
    throw TypeError("cuprum.arange: numbers are needed, given an array of shape " +
                    to_string(v.array().shape()));
  return Value(fill_scalar(v, v.type()));
}

/// How many steps of `by` it takes to reach `span`.
std::int64_t steps_in(int128 span, int128 by) {
  if ((span > 0) != (by > 0) || span == 0) return 0;
  const int128 up = span + (by > 0 ? by - 1 : by + 1);
  const auto few = static_cast<std::int64_t>(up), step = static_cast<std::int64_t>(by);
  if (few == up && step == by && step != -1) return few / step;  // 30 ns less than the division of 128 bits
  const int128 n = up / by;
  if (n > std::numeric_limits<std::int64_t>::max())
    throw ValueError("cuprum.arange: Maximum allowed size exceeded");
  return static_cast<std::int64_t>(n);
}

/// The integer of Python's that fits 64 bits; nothing: it is another number.
std::optional<std::int64_t> word(const Value& v) {
  if (v.kind() != Value::Kind::weak_int || v.is_huge()) return std::nullopt;
  const auto low = static_cast<std::int64_t>(v.integer());
  return low == v.integer() ? std::optional(low) : std::nullopt;
}

/// NumPy's length, in the arithmetic of Python's numbers.
std::int64_t arange_count(const Value& start, const Value& stop, const Value& step, dtype domain) {
  auto exact = [](const Value& v) { return v.kind() == Value::Kind::weak_int && !v.is_huge(); };
  if (is_complex(domain)) {
    auto part = [](const Value& v) { return v.to_scalar(dtype::complex128).as<std::complex<double>>(); };
    const std::complex<double> n = (part(stop) - part(start)) / part(step);
    return std::min(ops::arange_length(0, n.real(), 1), ops::arange_length(0, n.imag(), 1));
  }
  if (domain == dtype::int64 || (exact(start) && exact(stop) && exact(step))) {  // where doubles would round
    auto whole = [&](const Value& v) {
      return exact(v) ? v.integer() : static_cast<int128>(v.to_scalar(dtype::int64).as<std::int64_t>());
    };
    return steps_in(whole(stop) - whole(start), whole(step));
  }
  auto real = [](const Value& v) { return v.to_scalar(dtype::float64).as<double>(); };
  return ops::arange_length(real(start), real(stop), real(step));
}

/// NumPy stores the first two elements as Python's numbers, which must fit, and continues in the arithmetic of the dtype.
void check_start(const Value& start, const Value& step, std::int64_t count, dtype domain, dtype type) {
  if (!is_integer(type) || is_complex(domain)) return;
  int128 whole = 0;
  double real = 0;
  for (std::int64_t i = 0; i < std::min<std::int64_t>(count, 2); ++i) {
    const Value& next = i == 0 ? start : step;
    const Value first = domain == dtype::int64
                            ? Value::integer(whole += next.to_scalar(domain).as<std::int64_t>())
                            : Value::floating(real += next.to_scalar(dtype::float64).as<double>());
    check_stored(first, type);
    if (domain == dtype::int64) first.to_scalar(type);  // throws where it does not fit
  }
}

bool is_zero(const Value& v) {
  if (const auto whole = word(v)) return *whole == 0;
  const Scalar s = v.to_scalar(dtype::complex128);
  return s.as<std::complex<double>>() == 0.0;
}

/// `start` by name may stand beside `stop` alone.
PyObject* arange(PyObject* const* args) {
  const OnDevice there(args[4], "arange");
  const bool by_name = given(args[6]);
  if (by_name && given(args[0]))
    throw TypeError("argument for arange() given by name ('start') and position (position 0)");
  if (!given(args[1]) && (by_name || !given(args[0])))
    throw TypeError("cuprum.arange: arange() requires stop to be specified.");
  const bool only_stop = !given(args[1]);
  PyObject* from = by_name ? args[6] : args[0];
  const Value start = only_stop || !given(from) ? Value::integer(0) : number_argument(from);
  const Value stop = number_argument(only_stop ? args[0] : args[1]);
  const Value step = given(args[2]) ? number_argument(args[2]) : Value::integer(1);
  if (is_zero(step)) {
    PyErr_SetString(PyExc_ZeroDivisionError, "cuprum.arange: division by zero: the step is zero");
    throw_python_error();
  }
  if (const auto first = word(start), last = word(stop), by = word(step);
      first && last && by && !given(args[3])) {
    return wrap_raw(ops::arange(steps_in(int128{*last} - *first, *by), Scalar::of(dtype::int64, *first),
                                Scalar::of(dtype::int64, *by), dtype::int64, default_backend()));
  }
  dtype domain = dtype::int64;  // the dtype of start + i * step
  for (const Value* v : {&start, &stop, &step}) domain = promote_types(domain, v->type());
  const dtype type = given(args[3]) ? to_dtype(args[3], "arange") : domain;
  const std::int64_t count = arange_count(start, stop, step, domain);
  check_start(start, step, count, domain, type);
  return wrap_raw(
      ops::arange(count, start.to_scalar(domain), step.to_scalar(domain), type, default_backend()));
}

PyObject* linspace(PyObject* const* args) {
  const OnDevice there(args[7], "linspace");
  nb::object keep[2];
  const Value start = to_value_or_convert(args[0], "linspace", &keep[0]);
  const Value stop = to_value_or_convert(args[1], "linspace", &keep[1]);
  const ops::Linspace result =
      ops::linspace(start, stop, int_argument(args[2], "linspace", "num", 50), flag_argument(args[3], true),
                    to_optional_dtype(args[5], "linspace"), int_argument(args[6], "linspace", "axis", 0),
                    default_backend());
  if (!flag_argument(args[4])) return wrap_raw(result.samples);
  return nb::make_tuple(wrap(result.samples), wrap(ops::value_if_0d(result.step))).release().ptr();
}

constinit Function kArange = {
    "arange",
    "start_or_stop=None, stop=None, step=None, dtype=None, *, device=None, like=None, "
    "start=None",
    &arange, "Evenly spaced values from start up to stop."};
constinit Function kLinspace = {
    "linspace", "start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0, *, device=None",
    &linspace, "A number of evenly spaced values from start to stop."};

// -- Triangles ------------------------------------------------------------------------------------------

PyObject* eye(PyObject* const* args) {
  const OnDevice there(args[5], "eye");
  const std::int64_t rows = to_int(args[0], "eye", "N");
  const std::int64_t columns = given(args[1]) ? to_int(args[1], "eye", "M") : rows;
  return wrap_raw(ops::eye(rows, columns, diagonal_argument(args[2], "eye"), dtype_argument(args[3], "eye"),
                           new_order(args[4], "eye"), default_backend()));
}

PyObject* tri(PyObject* const* args) {
  const std::int64_t rows = std::max<std::int64_t>(to_int(args[0], "tri", "N"), 0);
  const std::int64_t columns = given(args[1]) ? to_int(args[1], "tri", "M") : rows;
  return wrap_raw(ops::tri(rows, std::max<std::int64_t>(columns, 0), diagonal_argument(args[2], "tri"),
                           dtype_argument(args[3], "tri"), default_backend()));
}

PyObject* tril(PyObject* const* args) {
  return wrap_raw(ops::tril(*ArrayArgument(args[0], "tril", 1), diagonal_argument(args[1], "tril")));
}

PyObject* triu(PyObject* const* args) {
  return wrap_raw(ops::triu(*ArrayArgument(args[0], "triu", 1), diagonal_argument(args[1], "triu")));
}

constinit Function kEye = {"eye", "N, M=None, k=0, dtype=None, order='C', *, device=None", &eye,
                           "A matrix with ones on a diagonal and zeros elsewhere."};
constinit Function kTri = {"tri", "N, M=None, k=0, dtype=None", &tri,
                           "A matrix with ones at and below a diagonal and zeros elsewhere."};
constinit Function kTril = {"tril", "m, k=0", &tril, "A copy with zeros above a diagonal.",
                            ResultClass::plain};
constinit Function kTriu = {"triu", "m, k=0", &triu, "A copy with zeros below a diagonal.",
                            ResultClass::plain};

}  // namespace

void bind_creation_functions(nb::module_& m) {
  add_functions(m, {entry<kEmpty>(), entry<kZeros>(), entry<kOnes>(), entry<kFull>(), entry<kEmptyLike>(),
                    entry<kZerosLike>(), entry<kOnesLike>(), entry<kFullLike>(), entry<kArange>(),
                    entry<kLinspace>(), entry<kEye>(), entry<kTri>(), entry<kTril>(), entry<kTriu>()});
}

}  // namespace cuprum::python
