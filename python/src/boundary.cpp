#include "boundary.h"

#include <string_view>
#include <unordered_map>

#include "devices.h"
#include "errors.h"

namespace cuprum::python {

namespace {

struct Bound {
  vectorcallfunc call;  // nanobind's own
  PyTypeObject* owner;  // the class whose method or attribute it is; null: a function
  bool constructs;      // __init__
  std::string name;     // as the user knows it
};

/// By function object.
std::unordered_map<PyObject*, Bound>& table() {
  static auto* bound = new std::unordered_map<PyObject*, Bound>;
  return *bound;
}

vectorcallfunc& call_of(PyObject* function) {
  return *reinterpret_cast<vectorcallfunc*>(reinterpret_cast<char*>(function) +
                                            Py_TYPE(function)->tp_vectorcall_offset);
}

/// nanobind keeps a mark of its own in the upper bits, where it calls a constructor.
Py_ssize_t count_of(std::size_t nargsf) { return static_cast<Py_ssize_t>(nargsf & 0xffffffff); }

/// "int, str, order=float": what a call was given.
std::string types_text(PyObject* const* args, Py_ssize_t n, PyObject* keywords, bool is_method) {
  std::string text;
  const Py_ssize_t named = keywords ? PyTuple_GET_SIZE(keywords) : 0;
  for (Py_ssize_t i = is_method ? 1 : 0; i < n + named; ++i) {
    if (!text.empty()) text += ", ";
    if (i >= n) text += to_utf8(PyTuple_GET_ITEM(keywords, i - n)) + "=";
    text += type_name(args[i]);
  }
  return text;
}

/// Is the error that is set nanobind's, about arguments or results that it cannot convert?
bool is_about_conversion() {
  nb::python_error error;
  if (!error.type().is(PyExc_TypeError) &&
      !error.type().is(PyExc_SystemError)) {  // a class of somebody else's
    error.restore();
    return false;
  }
  const std::string text = to_utf8(nb::str(error.value()).ptr());
  error.restore();
  for (const std::string_view words :
       {"incompatible function arguments", "Unable to convert function return value", "nanobind::"}) {
    if (text.find(words) != std::string::npos) return true;
  }
  return false;
}

/// nanobind makes a dict of names without asking whether their hashes could be had.
bool are_plain(PyObject* keywords) {
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(keywords); ++i) {
    if (!PyUnicode_CheckExact(PyTuple_GET_ITEM(keywords, i))) return false;
  }
  return true;
}

PyObject* guarded_call(PyObject* function, PyObject* const* args, std::size_t nargsf,
                       PyObject* keywords) noexcept {
  const Bound& bound = table().find(function)->second;
  const Py_ssize_t n = count_of(nargsf);
  if (bound.owner == ndarray_type && (n == 0 || !is_ndarray(args[0]))) {
    PyErr_Format(PyExc_TypeError, "cuprum.%s requires a 'cuprum.ndarray' object%s%s", bound.name.c_str(),
                 n == 0 ? "" : " but received a ", n == 0 ? "" : Py_TYPE(args[0])->tp_name);
    return nullptr;
  }
  if (bound.owner && n > 0 && PyObject_TypeCheck(args[0], bound.owner) &&
      nb::inst_ready(args[0]) == bound.constructs) {
    PyErr_Format(PyExc_TypeError, "cuprum.%s: __init__ has %s", bound.name.c_str(),
                 bound.constructs ? "been called already" : "not been called");
    return nullptr;
  }
  if (keywords && !are_plain(keywords)) {
    PyErr_Format(PyExc_TypeError, "cuprum.%s: names of arguments must be str, not a class derived from it",
                 bound.name.c_str());
    return nullptr;
  }
  const bool has_operand = bound.owner == ndarray_type && (n > 1 || keywords);
  const OnDevice there(has_operand ? &contents(args[0]).array().backend() : nullptr);
  PyObject* result = bound.call(function, args, nargsf, keywords);
  if (result) [[likely]]
    return result;
  return guarded([&]() -> PyObject* {
    if (!is_about_conversion()) return nullptr;
    PyErr_Clear();
    throw TypeError("cuprum." + bound.name + ": cannot be called with (" +
                    types_text(args, n, keywords, bound.owner != nullptr) + "); help(cuprum." + bound.name +
                    ") shows the parameters");
  });
}

class Guard {
 public:
  explicit Guard(nb::module_& m)
      : function_type_(Py_TYPE(m.attr("is_pending").ptr())),
        method_type_(Py_TYPE(m.attr("ndarray").attr("__copy__").ptr())) {}

  void everything(nb::handle scope, const std::string& prefix, PyTypeObject* owner) {
    const nb::object listed = scope.attr("__dict__");  // a class gives a proxy of its own
    const nb::object copied =
        checked(PyObject_CallOneArg(reinterpret_cast<PyObject*>(&PyDict_Type), listed.ptr()));
    const auto members = nb::borrow<nb::dict>(copied);
    for (const auto& [key, value] : members) {
      const std::string name = name_of(prefix, to_utf8(key.ptr()));
      if (Py_IS_TYPE(value.ptr(), &PyProperty_Type)) {
        for (const char* part : {"fget", "fset"}) function(value.attr(part).ptr(), name, owner);
      } else if (nb::type_check(value)) {
        everything(value, name + ".", reinterpret_cast<PyTypeObject*>(value.ptr()));
      } else if (PyTuple_Check(value.ptr())) {
        for (const nb::handle item : nb::borrow<nb::tuple>(value)) {
          if (nb::hasattr(item, "__name__"))
            function(item.ptr(), prefix + to_utf8(nb::str(item.attr("__name__")).ptr()), owner);
        }
      } else {
        function(value.ptr(), name, owner, to_utf8(key.ptr()) == "__init__");
      }
    }
  }

 private:
  /// A constructor has the name of its class.
  static std::string name_of(const std::string& prefix, const std::string& name) {
    return name == "__init__" ? prefix.substr(0, prefix.size() - 1) : prefix + name;
  }

  void function(PyObject* o, const std::string& name, PyTypeObject* owner, bool constructs = false) {
    if (!Py_IS_TYPE(o, function_type_) && !Py_IS_TYPE(o, method_type_)) return;
    if (call_of(o) == &guarded_call) return;
    table().insert_or_assign(o, Bound{call_of(o), owner, constructs, name});
    call_of(o) = &guarded_call;
  }

  PyTypeObject* function_type_;
  PyTypeObject* method_type_;
};

}  // namespace

void guard_bound_functions(nb::module_& m) { Guard(m).everything(m, "", nullptr); }

}  // namespace cuprum::python
