// Operators. A slot function turns its operands into values, records one operation and wraps the result;
// everything that an operator means is in ops/elementwise.
#include "bindings.h"
#include "core/op.h"
#include "errors.h"
#include "expr/engine.h"
#include "numpy_interop.h"
#include "ops/elementwise.h"
#include "ops/host_numbers.h"
#include "ops/linalg.h"
#include "slots.h"
#include "subclass.h"

namespace cuprum::python {

namespace {

PyObject* not_implemented() { return Py_NewRef(Py_NotImplemented); }

/// Objects of derived classes, and others that answer ufuncs themselves, take the way of a ufunc call.
bool takes_ufunc(PyObject* o) { return (is_ndarray(o) && !is_plain(o)) || say_in_ufuncs(o) == Say::answers; }

/// Calls `f(value)` with a number in whose meaning no class has a say; nullptr: it is something else.
template <class F>
PyObject* with_number(PyObject* o, F&& f) {
  if (PyFloat_CheckExact(o)) return f(Value::floating(PyFloat_AS_DOUBLE(o)));
  if (PyLong_CheckExact(o)) {
    int overflow = 0;
    const long long integer = PyLong_AsLongLongAndOverflow(o, &overflow);
    return overflow == 0 ? f(Value::integer(integer)) : f(*try_value(o, "", 0));
  }
  if (PyBool_Check(o)) return f(Value(Scalar::of(dtype::bool_, o == Py_True)));
  if (is_numpy_number(o)) return f(Value(*numpy_scalar(o)));
  return nullptr;
}

/// The short way of most calls: `f(left, right)` of two arrays of ours, or of one and such a number; nullptr: one of them is
/// something else.
template <class F>
PyObject* with_plain(const char* name, PyObject* l, PyObject* r, F&& f) {
  if (is_plain(l)) {
    const Value a(contents(l).array());
    if (!is_plain(r)) return with_number(r, [&](const Value& b) { return f(a, b); });
    const Value b(contents(r).array());
    check_same_device(name, a.array(), b.array());
    return f(a, b);
  }
  if (!is_plain(r)) return nullptr;
  const Value b(contents(r).array());
  return with_number(l, [&](const Value& a) { return f(a, b); });
}

/// Calls `f(left, right)` with both operands as values; objects that are no operands get their say through
/// NotImplemented.
template <class F>
PyObject* with_operands(const char* name, PyObject* l, PyObject* r, F&& f) noexcept {
  return guarded([&]() -> PyObject* {
    if (PyObject* result = with_plain(name, l, r, f)) return result;
    if (say_in_ufuncs(l) == Say::refuses || say_in_ufuncs(r) == Say::refuses) return not_implemented();
    if (takes_ufunc(l) || takes_ufunc(r))
      return ufunc_named(name)(nb::handle(l), nb::handle(r)).release().ptr();
    if (is_ndarray(l) && outranks_arrays(r)) return not_implemented();
    // They would append the memory.
    if (PyBytes_Check(l) || PyByteArray_Check(l)) throw_not_array(l, name, 1);
    const bool numbers = is_ordinary(l) && is_ordinary(r);
    const OnDevice there(numbers ? nullptr : &contents(is_ndarray(l) ? l : r).array().backend());
    nb::object keep[2];
    const auto a = try_value(l, name, 1, &keep[0]);
    if (!a) return not_implemented();
    const auto b = try_value(r, name, 2, &keep[1]);
    if (!b) return not_implemented();
    return f(*a, *b);
  });
}

bool add_number(ops::Numerals& numbers, PyObject* o) {
  if (is_plain(o)) return numbers.add(contents(o).array());
  if (PyLong_CheckExact(o)) {
    int overflow = 0;
    const long long integer = PyLong_AsLongLongAndOverflow(o, &overflow);
    if (overflow != 0) return false;
    numbers.add(static_cast<std::int64_t>(integer));
  } else if (PyFloat_CheckExact(o)) {
    numbers.add(PyFloat_AS_DOUBLE(o));
  } else if (is_numpy_number(o)) {
    numbers.add(*numpy_scalar(o));
  } else {
    return false;
  }
  return true;
}

/// The shortest way of all: of two numbers that the CPU has, or of one and a number; nullptr: one of them is something else, or
/// somebody has to look.
PyObject* binary_of_numbers(Op op, PyObject* l, PyObject* r) {
  ops::Numerals numbers;
  if (!add_number(numbers, l) || !add_number(numbers, r)) return nullptr;
  const auto number = ops::binary_number(op, numbers);
  return number ? wrap_number(*number) : nullptr;
}

[[gnu::noinline]] PyObject* binary_of_operands(Op op, PyObject* l, PyObject* r) {
  return with_operands(info(op).name, l, r,
                       [op](const Value& a, const Value& b) { return wrap_raw(ops::binary(op, a, b)); });
}

PyObject* binary_operator(Op op, PyObject* l, PyObject* r) noexcept {
  return guarded([=] {
    PyObject* number = binary_of_numbers(op, l, r);
    return number ? number : binary_of_operands(op, l, r);
  });
}

template <Op op>
PyObject* binary_slot(PyObject* l, PyObject* r) noexcept {
  return binary_operator(op, l, r);
}

bool is_text(PyObject* o) { return PyUnicode_Check(o) || PyBytes_Check(o) || PyByteArray_Check(o); }

/// `[0] * n` with an integer value repeats the list, as with NumPy's scalars: Python's own rule, so let
/// Python have it.
bool repeats_sequence(PyObject* sequence, PyObject* count) {
  if (!PyList_Check(sequence) && !PyTuple_Check(sequence) && !is_text(sequence)) return false;
  const Array* a = try_unwrap(count);
  return a && a->is_value() && is_integer(a->type());
}

PyObject* multiply_slot(PyObject* l, PyObject* r) noexcept {
  if (is_plain(l) && is_plain(r)) return binary_slot<Op::multiply>(l, r);
  if (repeats_sequence(l, r) || repeats_sequence(r, l)) return not_implemented();
  if (is_text(l) || is_text(r)) {  // Python would take the array for a count
    return PyErr_Format(PyExc_TypeError, "unsupported operand type(s) for *: '%s' and '%s'",
                        Py_TYPE(l)->tp_name, Py_TYPE(r)->tp_name);
  }
  return binary_slot<Op::multiply>(l, r);
}

template <Op op>
PyObject* unary_slot(PyObject* self) noexcept {
  return guarded([&] {
    if (!is_plain(self)) return ufunc_named(info(op).name)(nb::handle(self)).release().ptr();
    return wrap_raw(ops::unary(op, contents(self).array()));
  });
}

/// `self op= other` by way of the ufunc, for operands that answer ufuncs themselves; nullptr: neither does.
PyObject* inplace_by_ufunc(const char* name, PyObject* self, PyObject* other) {
  if (is_plain(self) && is_ordinary(other)) return nullptr;
  if (say_in_ufuncs(other) == Say::refuses) return not_implemented();
  if (say_in_ufuncs(self) != Say::answers && say_in_ufuncs(other) != Say::answers) return nullptr;
  return ufunc_named(name)(nb::handle(self), nb::handle(other), nb::arg("out") = nb::handle(self))
      .release()
      .ptr();
}

/// `self op= other`. A value (see Array::is_value) is not written: the name gets a new one.
template <Op op>
PyObject* inplace_slot(PyObject* self, PyObject* other) noexcept {
  const Array& target = contents(self).array();
  if (target.is_value()) return binary_slot<op>(self, other);
  return guarded([&]() -> PyObject* {
    if (PyObject* answer = inplace_by_ufunc(info(op).name, self, other)) return answer;
    const OnDevice there(is_ordinary(other) ? nullptr : &target.backend());
    nb::object keep;
    auto value = try_value(other, info(op).name, 2, &keep);
    if (!value) return not_implemented();
    if (value->is_array()) check_same_device(info(op).name, target, value->array());
    value->set_temporary(is_temporary(other, *value));
    ops::inplace(op, target, *value);
    return Py_NewRef(self);
  });
}

PyObject* power_slot(PyObject* l, PyObject* r, PyObject* modulus) noexcept {
  if (modulus != Py_None) return not_implemented();
  return with_operands("power", l, r,
                       [](const Value& a, const Value& b) { return wrap_raw(ops::power_operator(a, b)); });
}

PyObject* inplace_power_slot(PyObject* self, PyObject* other, PyObject*) noexcept {
  const Array& target = contents(self).array();
  if (target.is_value()) return power_slot(self, other, Py_None);
  return guarded([&]() -> PyObject* {
    if (PyObject* answer = inplace_by_ufunc("power", self, other)) return answer;
    const OnDevice there(is_ordinary(other) ? nullptr : &target.backend());
    nb::object keep;
    const auto value = try_value(other, "power", 2, &keep);
    if (!value) return not_implemented();
    if (value->is_array()) check_same_device("power", target, value->array());
    ops::inplace_power(target, *value);
    return Py_NewRef(self);
  });
}

PyObject* divmod_slot(PyObject* l, PyObject* r) noexcept {
  return with_operands("divmod", l, r, [](const Value& a, const Value& b) {
    const Value args[] = {a, b};
    const Array* const outs[2] = {nullptr, nullptr};
    auto [quotient, rest] = ops::call_pair(pair_ufuncs()[0], args, outs);
    return nb::make_tuple(wrap(std::move(quotient)), wrap(std::move(rest))).release().ptr();
  });
}

PyObject* matmul_slot(PyObject* l, PyObject* r) noexcept {
  return with_operands("matmul", l, r, [](const Value& a, const Value& b) {
    if (!a.is_array() || !b.is_array()) {
      throw ValueError(std::string("cuprum.matmul: Input operand ") + (a.is_array() ? "1" : "0") +
                       " does not have enough dimensions (has 0); write a * b to multiply by a number");
    }
    return wrap_raw(ops::matmul(a.array(), b.array()));
  });
}

PyObject* inplace_matmul_slot(PyObject* self, PyObject* other) noexcept {
  return guarded([&]() -> PyObject* {
    const Array& target = contents(self).array();
    if (PyObject* answer = inplace_by_ufunc("matmul", self, other)) return answer;
    const OnDevice there(&target.backend());
    nb::object keep;
    const auto b = try_value(other, "matmul", 2, &keep);
    if (!b || !b->is_array()) return not_implemented();
    check_same_device("matmul", target, b->array());
    ops::matmul(target, b->array(), &target);
    return Py_NewRef(self);
  });
}

// -- Comparisons ----------------------------------------------------------------------------------------

constexpr Op kCompare[] = {Op::less,      Op::less_equal, Op::equal,
                           Op::not_equal, Op::greater,    Op::greater_equal};

/// `a == None` and `a == "text"`: no element equals, as in NumPy.
bool is_never_equal(PyObject* o) { return o == Py_None || PyUnicode_Check(o) || PyBytes_Check(o); }

PyObject* never_equal(PyObject* l, int how) noexcept {
  return guarded([&] {
    const Array& a = contents(l).array();
    return wrap_raw(record_full(a.backend(), a.shape(), Scalar::of(dtype::bool_, how == Py_NE)));
  });
}

/// Does the class know what an equal number is, or one that differs?
bool compares_with_numbers(PyObject* o, int how) {
  if (has_no_equality(o)) return false;
  const nb::object zero = nb::int_(0);
  return !checked(Py_TYPE(o)->tp_richcompare(o, zero.ptr(), how)).is(nb::handle(Py_NotImplemented));
}

/// The int or the float that a number of another class, as Decimal and Fraction are, is exactly; or nothing.
nb::object exact_number(PyObject* o) {
  for (PyTypeObject* type : {&PyLong_Type, &PyFloat_Type}) {
    try {
      nb::object number = nb::handle(reinterpret_cast<PyObject*>(type))(nb::handle(o));
      if (number.equal(nb::handle(o))) return number;
    } catch (const nb::python_error& e) {  // int() of an infinity or of NaN
      if (is_final(e)) throw;
    }
  }
  return {};
}

/// `a == o` and `a != o` for an object that is no operand. NumPy asks it about every element; here it is asked once what
/// it says of numbers, and if that is nothing, none equals. One that answers is given the array.
PyObject* compare_with_object(PyObject* l, PyObject* o, int how) noexcept {
  return guarded([&]() -> PyObject* {
    if (say_in_ufuncs(o) == Say::refuses) return not_implemented();
    if (is_array_like(o)) throw_not_array(o, info(kCompare[how]).name, 2);
    if (!compares_with_numbers(o, how)) return never_equal(l, how);
    if (!nb::isinstance(nb::handle(o), nb::module_::import_("numbers").attr("Number")))
      return not_implemented();
    const nb::object number = exact_number(o);
    return number ? PyObject_RichCompare(l, number.ptr(), how) : never_equal(l, how);
  });
}

PyObject* compare_slot(PyObject* l, PyObject* r, int how) noexcept {
  const Op op = kCompare[how];
  const bool equality = how == Py_EQ || how == Py_NE;
  if (equality && is_never_equal(r)) return never_equal(l, how);
  PyObject* result = binary_operator(op, l, r);
  if (!equality || result != Py_NotImplemented) return result;
  Py_DECREF(result);
  return compare_with_object(l, r, how);
}

Py_ssize_t length_slot(PyObject* self) noexcept {
  const Array& a = contents(self).array();
  if (a.ndim() > 0) return static_cast<Py_ssize_t>(a.shape()[0]);
  PyErr_SetString(PyExc_TypeError, "len() of unsized object");
  return -1;
}

}  // namespace

PyObject* binary_of_plain(Op op, PyObject* l, PyObject* r) {
  if (PyObject* number = binary_of_numbers(op, l, r)) return number;
  return with_plain(info(op).name, l, r,
                    [op](const Value& a, const Value& b) { return wrap_raw(ops::binary(op, a, b)); });
}

void add_number_slots(std::vector<PyType_Slot>& s) {
  s.push_back(slot(Py_nb_add, &binary_slot<Op::add>));
  s.push_back(slot(Py_nb_subtract, &binary_slot<Op::subtract>));
  s.push_back(slot(Py_nb_multiply, &multiply_slot));
  s.push_back(slot(Py_nb_true_divide, &binary_slot<Op::divide>));
  s.push_back(slot(Py_nb_floor_divide, &binary_slot<Op::floor_divide>));
  s.push_back(slot(Py_nb_remainder, &binary_slot<Op::remainder>));
  s.push_back(slot(Py_nb_and, &binary_slot<Op::bitwise_and>));
  s.push_back(slot(Py_nb_or, &binary_slot<Op::bitwise_or>));
  s.push_back(slot(Py_nb_xor, &binary_slot<Op::bitwise_xor>));
  s.push_back(slot(Py_nb_lshift, &binary_slot<Op::left_shift>));
  s.push_back(slot(Py_nb_rshift, &binary_slot<Op::right_shift>));
  s.push_back(slot(Py_nb_power, &power_slot));
  s.push_back(slot(Py_nb_divmod, &divmod_slot));
  s.push_back(slot(Py_nb_matrix_multiply, &matmul_slot));
  s.push_back(slot(Py_nb_inplace_add, &inplace_slot<Op::add>));
  s.push_back(slot(Py_nb_inplace_subtract, &inplace_slot<Op::subtract>));
  s.push_back(slot(Py_nb_inplace_multiply, &inplace_slot<Op::multiply>));
  s.push_back(slot(Py_nb_inplace_true_divide, &inplace_slot<Op::divide>));
  s.push_back(slot(Py_nb_inplace_floor_divide, &inplace_slot<Op::floor_divide>));
  s.push_back(slot(Py_nb_inplace_remainder, &inplace_slot<Op::remainder>));
  s.push_back(slot(Py_nb_inplace_and, &inplace_slot<Op::bitwise_and>));
  s.push_back(slot(Py_nb_inplace_or, &inplace_slot<Op::bitwise_or>));
  s.push_back(slot(Py_nb_inplace_xor, &inplace_slot<Op::bitwise_xor>));
  s.push_back(slot(Py_nb_inplace_lshift, &inplace_slot<Op::left_shift>));
  s.push_back(slot(Py_nb_inplace_rshift, &inplace_slot<Op::right_shift>));
  s.push_back(slot(Py_nb_inplace_power, &inplace_power_slot));
  s.push_back(slot(Py_nb_inplace_matrix_multiply, &inplace_matmul_slot));
  s.push_back(slot(Py_nb_negative, &unary_slot<Op::negative>));
  s.push_back(slot(Py_nb_positive, &unary_slot<Op::positive>));
  s.push_back(slot(Py_nb_absolute, &unary_slot<Op::absolute>));
  s.push_back(slot(Py_nb_invert, &unary_slot<Op::invert>));
  s.push_back(slot(Py_tp_richcompare, &compare_slot));
  s.push_back(slot(Py_mp_length, &length_slot));
  s.push_back(slot(Py_sq_length, &length_slot));
}

std::vector<PyType_Slot> ndarray_slots() {
  std::vector<PyType_Slot> s;
  add_number_slots(s);
  add_scalar_slots(s);
  add_buffer_slots(s);
  s.push_back(slot(Py_mp_subscript, &ndarray_subscript));
  s.push_back(slot(Py_mp_ass_subscript, &ndarray_assign_subscript));
  s.push_back(slot(Py_sq_item, &ndarray_item));
  s.push_back(slot(Py_sq_concat, &ndarray_concat));
  s.push_back(slot(Py_sq_inplace_concat, &ndarray_inplace_concat));
  s.push_back(slot(Py_sq_ass_item, &ndarray_assign_item));
  s.push_back(slot(Py_tp_iter, &ndarray_iter));
  s.push_back({0, nullptr});
  return s;
}

}  // namespace cuprum::python
