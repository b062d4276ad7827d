#include "function.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <unordered_map>

#include "containers.h"
#include "errors.h"
#include "expr/engine.h"
#include "numpy_interop.h"
#include "ops/index.h"
#include "ops/support.h"
#include "subclass.h"

namespace cuprum::python {

namespace {

/// Splits "a, axis=None, *, keepdims=False" into names.
void read_parameters(Function& f) {
  if (f.count > 0) return;
  const std::string text = f.parameters;
  bool keyword_only = false;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = begin;
    for (int depth = 0; end < text.size() && (text[end] != ',' || depth > 0); ++end) {
      depth += (text[end] == '(') - (text[end] == ')');
    }
    const std::string item = text.substr(begin, end - begin);
    const std::size_t equals = item.find('=');
    begin = end + 2;
    if (item == "/") continue;
    if (item == "*") {
      keyword_only = true;
      continue;
    }
    f.names[f.count] = PyUnicode_InternFromString(item.substr(0, equals).c_str());
    if (!f.names[f.count]) throw_python_error();
    if (equals == std::string::npos) f.required = f.count + 1;
    ++f.count;
    if (!keyword_only) f.positional = f.count;
  }
}

/// Fills `slots`; `first` of them are taken by self. Functions take everything by position too: the package calls them
/// so, behind signatures of its own.
void place_arguments(const Function& f, PyObject** slots, int first, PyObject* const* args, Py_ssize_t n,
                     PyObject* keywords) {
  const int most = first > 0 ? f.positional : f.count;
  if (n + first > most) {
    throw TypeError(std::string(f.name) + "() takes at most " + std::to_string(most - first) +
                    " positional arguments but " + std::to_string(n) +
                    (n == 1 ? " was given" : " were given"));
  }
  for (Py_ssize_t i = 0; i < n; ++i) slots[first + i] = args[i];
  const Py_ssize_t named = keywords ? PyTuple_GET_SIZE(keywords) : 0;
  for (Py_ssize_t i = 0; i < named; ++i) {
    PyObject* name = PyTuple_GET_ITEM(keywords, i);
    const int at = find_parameter(f, name);
    if (at < first) {
      throw TypeError(std::string(f.name) + "() got an unexpected keyword argument '" + to_utf8(name) + "'");
    }
    if (slots[at]) {
      throw TypeError(std::string(f.name) + "() got multiple values for argument '" + to_utf8(name) + "'");
    }
    slots[at] = args[n + i];
  }
  for (int i = first; i < f.required; ++i) {
    if (slots[i]) continue;
    throw TypeError(std::string(f.name) + "() missing required argument '" + to_utf8(f.names[i]) + "' (pos " +
                    std::to_string(i + 1 - first) + ")");
  }
}

/// The device of a call's arrays; an array of another one is an error.
Backend* one_device(const Function& f, PyObject* const* slots, ClassChoice& choice) {
  const CallDevice found = device_of_call(slots, f.count, &choice);
  if (found.other < 0 || f.mixes_devices) [[likely]]
    return found.device;
  const std::string which =
      found.other < f.positional ? std::to_string(found.other + 1) : to_utf8(f.names[found.other]);
  throw_other_device(f.name, "argument " + which, try_unwrap(slots[found.other])->backend(), *found.device);
}

/// The result (stolen) as an object of the class of `like`, unless it is an argument: out=, or an array itself.
PyObject* with_class(const Function& f, PyObject* const* slots, PyObject* result, PyObject* like) {
  if (!result || std::find(slots, slots + f.count, result) != slots + f.count) return result;
  if (f.result_class == ResultClass::plain) return result;
  const bool keeps_numbers = f.result_class == ResultClass::inherited_arrays;
  if (keeps_numbers && is_plain(result) && contents(result).array().ndim() == 0) return result;
  return with_class_of(result, like);
}

/// The parameters of a method: all but the first.
std::string without_first(const char* parameters) {
  const char* comma = std::strchr(parameters, ',');
  return comma ? std::string(comma + 2) : std::string();
}

/// Kept for good: CPython points into it.
PyMethodDef* make_definition(const Function& f, const std::string& signature, FastCall call) {
  auto* doc = new std::string(std::string(f.name) + "(" + signature + ")\n--\n\n" + f.doc);
  return new PyMethodDef{f.name, reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(call)),
                         METH_FASTCALL | METH_KEYWORDS, doc->c_str()};
}

std::unordered_map<const PyMethodDef*, const Function*>& functions() {
  static auto* const known = new std::unordered_map<const PyMethodDef*, const Function*>;
  return *known;
}

}  // namespace

int find_parameter(const Function& f, PyObject* name) {
  for (int i = 0; i < f.count; ++i) {
    if (f.names[i] == name) return i;  // both interned, as a rule
  }
  for (int i = 0; i < f.count; ++i) {
    if (PyUnicode_Compare(f.names[i], name) == 0) return i;
  }
  return -1;
}

PyObject* invoke_placed(const Function& f, PyObject* const* slots) {
  ClassChoice choice;
  const OnDevice there(one_device(f, slots, choice));
  PyObject* result = f.body(slots);
  return choice.like() ? with_class(f, slots, result, choice.like()) : result;
}

PyObject* invoke(const Function& f, PyObject* self, PyObject* const* args, Py_ssize_t n,
                 PyObject* keywords) noexcept {
  return guarded([&] {
    PyObject* slots[kMaxParameters] = {self};
    place_arguments(f, slots, self ? 1 : 0, args, n, keywords);
    return invoke_placed(f, slots);
  });
}

const Function* function_behind(PyObject* callable) {
  if (!PyCFunction_Check(callable)) return nullptr;
  const auto found = functions().find(reinterpret_cast<PyCFunctionObject*>(callable)->m_ml);
  return found == functions().end() ? nullptr : found->second;
}

void add_methods(NdarrayClass& c, std::initializer_list<Entry> entries) {
  for (const Entry& e : entries) {
    read_parameters(*e.function);
    const std::string rest = without_first(e.function->parameters);
    PyMethodDef* definition =
        make_definition(*e.function, rest.empty() ? "$self, /" : "$self, /, " + rest, e.as_method);
    c.attr(e.function->name) =
        checked(PyDescr_NewMethod(reinterpret_cast<PyTypeObject*>(c.ptr()), definition));
  }
}

void add_functions(nb::module_& m, std::initializer_list<Entry> entries) {
  for (const Entry& e : entries) {
    read_parameters(*e.function);
    PyMethodDef* definition = make_definition(*e.function, e.function->parameters, e.as_function);
    functions().emplace(definition, e.function);
    const char* dot = std::strrchr(e.function->name, '.');  // "fft.ifft" of the module `fft`
    m.attr(dot ? dot + 1 : e.function->name) =
        checked(PyCFunction_NewEx(definition, nullptr, nb::str("cuprum").ptr()));
  }
}

// -- Arguments ------------------------------------------------------------------------------------------

std::optional<Array> integer_list(PyObject* o, std::size_t keep) {
  if (!PyList_CheckExact(o)) return std::nullopt;
  const Items items(o);
  if (items.size() == 0) return std::nullopt;
  SmallVector<std::int64_t, 16> values;
  for (Py_ssize_t i = 0; i < items.size(); ++i) {
    PyObject* item = items[i];
    int overflow = 0;
    if (!PyLong_CheckExact(item)) return std::nullopt;
    values.push_back(PyLong_AsLongLongAndOverflow(item, &overflow));
    if (overflow != 0) return std::nullopt;
  }
  return ops::from_integers({values.data(), values.size()}, default_backend(), keep);
}

ArrayArgument::ArrayArgument(PyObject* o, const char* function, int position, HostRole role) {
  array_ = try_unwrap(o);
  if (array_) return;
  if (std::optional<Array> integers = integer_list(o)) {
    made_ = std::move(*integers);
    array_ = &made_;
    return;
  }
  if (is_numpy_array(o)) admit_host_array(o, role, function, position);
  if (answers_functions(o)) throw_not_array(o, function, position);
  keep_ = as_ndarray(o, function);
  array_ = &contents(keep_.ptr()).array();
}

ParameterValue::ParameterValue(PyObject* o, const char* function, int position) {
  if (is_ndarray(o) || !PySequence_Check(o)) {
    value_ = to_value(o, function, position);
  } else {
    array_.emplace(o, function, position, HostRole::parameter);
    value_ = Value(**array_);
  }
}

namespace {

/// How a number of Python promotes; a bool, and everything else, is strong.
Weak weakness(PyObject* o) {
  if (PyLong_CheckExact(o)) return Weak::integer;
  if (PyFloat_CheckExact(o)) return Weak::floating;
  return PyComplex_CheckExact(o) ? Weak::complex : Weak::strong;
}

}  // namespace

void ArraySequence::promote_numbers() {
  std::vector<OperandType> operands;
  for (std::size_t i = 0; i < weak_.size(); ++i) operands.push_back({arrays_[i].type(), weak_[i]});
  for (std::size_t i = 0; i < weak_.size(); ++i) {
    if (weak_[i] != Weak::strong) arrays_[i] = record_cast(arrays_[i], result_type(operands));
  }
}

ArraySequence::ArraySequence(PyObject* o, const char* function) {
  if (const Array* a = try_unwrap(o)) {  // its rows
    if (a->ndim() == 0)
      throw TypeError(std::string("cuprum.") + function +
                      ": a sequence of arrays is needed, given a 0-d array");
    for (std::int64_t i = 0; i < a->shape()[0]; ++i) {
      const ops::IndexItem at[] = {ops::IndexItem::at(i), ops::IndexItem::ellipsis()};
      arrays_.push_back(ops::basic_index(*a, at));
    }
    return;
  }
  nb::object sequence = nb::steal(PySequence_Check(o) ? PySequence_Fast(o, "") : nullptr);
  if (!sequence.is_valid()) {
    PyErr_Clear();
    throw TypeError(std::string("cuprum.") + function + ": a sequence of arrays is needed, given a " +
                    type_name(o));
  }
  const Items items(sequence.ptr());
  const Py_ssize_t n = items.size();
  if (n > std::numeric_limits<int>::max())  // before 200 bytes are taken for each
    throw ValueError(std::string("cuprum.") + function + ": only supports up to " +
                     std::to_string(std::numeric_limits<int>::max()) + " arrays but got " +
                     std::to_string(n));
  for (Py_ssize_t i = 0; i < n && i < items.size(); ++i) {
    nb::object item = nb::borrow(items[i]);
    arrays_.push_back(*ArrayArgument(item.ptr(), function, static_cast<int>(i) + 1));
    weak_.push_back(weakness(item.ptr()));
    if (!same_device(arrays_.back().backend(), arrays_.front().backend()))
      throw_other_device(function, "argument " + std::to_string(i + 1), arrays_.back().backend(),
                         arrays_.front().backend());
  }
}

const Array* out_argument(PyObject* o, const char* function) {
  if (!given(o)) return nullptr;
  if (const Array* a = try_unwrap(o)) return a;
  throw TypeError(std::string("cuprum.") + function + ": return arrays must be of ArrayType; out= is a " +
                  type_name(o) + ", it must be a cuprum.ndarray" +
                  (is_numpy_array(o) ? "; to fill a NumPy array write a.get(out=...)" : ""));
}

PyObject* deliver(Array result, PyObject* out) {
  return given(out) ? Py_NewRef(out) : wrap_raw(std::move(result));
}

PyObject* wrap_from(Array&& result, PyObject* owner) {
  if (result.is_number() && result.is_value()) return wrap_raw(std::move(result));
  if (owner && is_ndarray(owner) && contents(owner).array().storage() == result.storage()) {
    return wrap_view_raw(std::move(result), owner);
  }
  if (owner && is_ndarray(owner) && !is_plain(owner) && !result.is_value())
    return wrap_like_raw(std::move(result), owner);
  return wrap_raw(std::move(result));
}

PyObject* to_list(const std::vector<Array>& arrays, PyObject* owner) {
  nb::list list;
  for (const Array& a : arrays) list.append(nb::steal(wrap_from(Array(a), owner)));
  return list.release().ptr();
}

PyObject* to_tuple(const std::vector<Array>& arrays, PyObject* owner) {
  nb::object list = nb::steal(to_list(arrays, owner));
  return checked(PyList_AsTuple(list.ptr())).release().ptr();
}

std::int64_t int_argument(PyObject* o, const char* function, const char* parameter, std::int64_t otherwise) {
  if (o && PyBool_Check(o)) return o == Py_True;
  return o ? to_int(o, function, parameter) : otherwise;
}

bool flag_argument(PyObject* o, bool otherwise) { return o ? to_flag(o) : otherwise; }

/// One that lies beyond 64 bits lies outside of every matrix, as the largest that fit do.
std::int64_t diagonal_argument(PyObject* o, const char* function) {
  if (!o || !PyLong_Check(o)) return int_argument(o, function, "k", 0);
  constexpr Py_ssize_t kFar = Py_ssize_t{1} << 62;
  return std::clamp(PyNumber_AsSsize_t(o, nullptr), -kFar, kFar);
}

std::optional<std::int64_t> axis_argument(PyObject* o, const char* function) {
  if (!given(o)) return std::nullopt;
  return to_int(o, function, "axis");
}

std::optional<std::int64_t> axis_argument(PyObject* o, const char* function, std::int64_t otherwise) {
  if (!o) return otherwise;
  return axis_argument(o, function);
}

std::optional<Dims> axes_argument(PyObject* o, const char* function) {
  if (!given(o)) return std::nullopt;
  if (PyTuple_Check(o)) return to_dims(o, function, "axis");
  return Dims{to_int(o, function, "axis")};
}

Dims integers_argument(PyObject* o, const char* function, const char* parameter) {
  if (PyLong_CheckExact(o)) return Dims{to_int(o, function, parameter)};
  const ArrayArgument a(o, function, 0, HostRole::index);
  const bool no_numbers = a->size() == 0 && !is_ndarray(o);  // an empty list has no dtype of its own
  if (!is_integer(a->type()) && !is_bool(a->type()) && !no_numbers) {
    throw TypeError(std::string("cuprum.") + function + ": " + parameter + " must be integers, given " +
                    name(a->type()));
  }
  if (a->ndim() > 1) {
    throw ValueError(std::string("cuprum.") + function + ": object too deep for desired array: " + parameter +
                     " must be an integer or a 1-d sequence, given shape " + to_string(a->shape()));
  }
  const std::vector<std::int64_t> values = ops::to_integers(*a);
  return Dims(values.begin(), values.end());
}

char order_argument(PyObject* o, const char* function, char otherwise) {
  return given(o) ? to_order(o, function) : otherwise;
}

std::optional<Dims> axis_set_argument(PyObject* o, const char* function, int ndim) {
  if (!given(o)) return std::nullopt;
  const Py_ssize_t most = Py_ssize_t{ndim} + 1;
  if ((!PyList_Check(o) && !PyTuple_Check(o)) || PySequence_Size(o) <= most)
    return to_dims(o, function, "axis", most);
  return to_dims(checked(PySequence_GetSlice(o, 0, most)).ptr(), function, "axis", most);
}

std::string text_argument(PyObject* o, const char* function, const char* parameter, const char* otherwise) {
  if (!given(o)) return otherwise;
  if (!PyUnicode_Check(o)) {
    throw TypeError(std::string("cuprum.") + function + ": " + parameter + " must be str, not " +
                    type_name(o));
  }
  return to_utf8(o);
}

ops::Bounds bounds_argument(PyObject* o, const char* function) {
  const std::string mode = text_argument(o, function, "mode", "raise");
  if (mode == "raise") return ops::Bounds::raise;
  if (mode == "wrap") return ops::Bounds::wrap;
  if (mode == "clip") return ops::Bounds::clip;
  throw ValueError(std::string("cuprum.") + function +
                   ": clipmode must be one of 'clip', 'raise', or 'wrap' (got '" + mode + "')");
}

void bind_methods(NdarrayClass& c) {
  bind_reduction_methods(c);
  bind_manipulation_methods(c);
  bind_search_methods(c);
  bind_sort_methods(c);
  bind_product_methods(c);
}

void bind_functions(nb::module_& m) {
  bind_creation_functions(m);
  bind_random_functions(m);
  bind_reduction_functions(m);
  bind_manipulation_functions(m);
  bind_joining_functions(m);
  bind_editing_functions(m);
  bind_position_functions(m);
  bind_set_functions(m);
  bind_bit_functions(m);
  bind_polynomial_functions(m);
  bind_search_functions(m);
  bind_sort_functions(m);
  bind_product_functions(m);
  bind_einsum_functions(m);
  bind_statistics_functions(m);
  bind_histogram_functions(m);
  bind_calculus_functions(m);
  bind_signal_functions(m);
  bind_logic_functions(m);
  bind_matrix_functions(m);
  bind_fft_functions(m);
}

}  // namespace cuprum::python
