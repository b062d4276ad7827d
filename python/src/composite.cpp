// Functions that are written in Python, entered as those of C++ are (function.cpp): the device of their arrays is the
// current one while they run, so that what they make on their way is where their arrays are, and arrays of two devices are
// an error with their name.
//
// `_core.composite(f)` is an object that stands for the function `f`: it has all its attributes, binds as a method does, and
// pickles by its name. A wrapper in Python would cost 150 ns a call instead of 40, and a frame between the
// warnings of `f` and the line that they are about.
//
// `_core.composite(f, core, order, keywords)` stands for one that only hands its parameters on, `return _core.zeros(shape, dtype,
// device=device)`: `core` is called at once, and `f` never, unless the arguments do not fit its signature: it has
// the words for that. A call of zeros(16) costs 80 ns less; and 20 more where the core is a Function, whose body gets the
// arguments without a second call.
//
// `_core.composite(f, core)` stands for one whose plain calls `core` answers: those with two arrays and nothing else. vecdot(a, b) costs 0.9 us less.
#include "bindings.h"

#include <structmember.h>

#include <memory>
#include <vector>

#include "errors.h"
#include "function.h"

namespace cuprum::python {

namespace {

/// The signature of a function that hands its parameters on, and what its core is given.
struct HandedOn {
  static constexpr Py_ssize_t kMost = 24;  // parameters, and arguments of the core

  struct Argument {
    Py_ssize_t parameter;  // -1: a constant
    nb::object constant;
  };

  nb::object core;
  // The core as one, what its parameters are if nothing is given, and the places of ours among them. Null: it is something else.
  const Function* function = nullptr;
  PyObject* blank[kMaxParameters + 1] = {};
  std::uint8_t places[kMost] = {};  // behind the last one: the core does not get it
  nb::tuple names;                  // of the parameters
  Py_ssize_t count = 0, positional = 0, positional_only = 0;
  Py_ssize_t required = 0;           // all that have no default are among the first of so many
  std::vector<nb::object> defaults;  // invalid: the parameter is required
  std::vector<Argument> arguments;
  nb::tuple keywords;  // of the last arguments

  HandedOn(nb::handle function, nb::handle core, const nb::tuple& order, nb::tuple keywords);

  Py_ssize_t find(PyObject* name) const {
    for (Py_ssize_t i = positional_only; i < count; ++i) {
      if (PyTuple_GET_ITEM(names.ptr(), i) == name) return i;  // both interned, as a rule
    }
    for (Py_ssize_t i = positional_only; i < count; ++i) {
      if (PyUnicode_Compare(PyTuple_GET_ITEM(names.ptr(), i), name) == 0) return i;
    }
    return -1;
  }

  /// Fills the parameters, of which `named` come by name; false: they do not fit the signature. `place` says where one stands.
  template <class Place>
  bool fill(PyObject** slots, PyObject* const* args, Py_ssize_t n, PyObject* given,
            const Place& place) const {
    if (n > positional) return false;
    for (Py_ssize_t i = 0; i < n; ++i) slots[place(i)] = args[i];
    const Py_ssize_t named = given ? PyTuple_GET_SIZE(given) : 0;
    for (Py_ssize_t i = 0; i < named; ++i) {
      const Py_ssize_t at = find(PyTuple_GET_ITEM(given, i));
      if (at < n || slots[place(at)] != defaults[at].ptr()) return false;  // given twice, it seems
      slots[place(at)] = args[n + i];
    }
    for (Py_ssize_t i = n; i < required; ++i) {
      if (!slots[place(i)]) return false;
    }
    return true;
  }

  PyObject* call(PyObject* self, PyObject* const* args, std::size_t nargsf, PyObject* given) const noexcept {
    const Py_ssize_t n = PyVectorcall_NARGS(nargsf);
    if (function) {
      PyObject* placed[kMaxParameters + 1];
      std::copy(blank, blank + kMaxParameters + 1, placed);
      if (!fill(placed, args, n, given, [&](Py_ssize_t i) { return places[i]; }))
        return PyObject_Vectorcall(self, args, nargsf, given);
      return guarded([&] { return invoke_placed(*function, placed); });
    }
    PyObject *slots[kMost], *handed[kMost];
    for (Py_ssize_t i = 0; i < count; ++i) slots[i] = defaults[i].ptr();
    if (!fill(slots, args, n, given, [](Py_ssize_t i) { return i; }))
      return PyObject_Vectorcall(self, args, nargsf, given);
    std::size_t all = 0;
    for (const Argument& a : arguments)
      handed[all++] = a.parameter < 0 ? a.constant.ptr() : slots[a.parameter];
    const std::size_t named = keywords.size();
    return PyObject_Vectorcall(core.ptr(), handed, all - named, named ? keywords.ptr() : nullptr);
  }

  /// Finds the Function behind the core, and the places of the parameters in it.
  void look_behind();
};

Py_ssize_t count_of(nb::handle code, const char* name) { return nb::cast<Py_ssize_t>(code.attr(name)); }

/// `order` has for every argument of the core the place of a parameter, or a tuple of one constant.
HandedOn::HandedOn(nb::handle function, nb::handle core, const nb::tuple& order, nb::tuple keywords)
    : core(nb::borrow(core)), keywords(std::move(keywords)) {
  const nb::object code = function.attr("__code__");
  positional = count_of(code, "co_argcount");
  positional_only = count_of(code, "co_posonlyargcount");
  count = positional + count_of(code, "co_kwonlyargcount");
  names = nb::borrow<nb::tuple>(code.attr("co_varnames"));
  if (count > kMost || static_cast<Py_ssize_t>(order.size()) > kMost || this->keywords.size() > order.size())
    throw TypeError("cuprum.composite: too many parameters");
  defaults.resize(static_cast<std::size_t>(count));
  if (const nb::object last = function.attr("__defaults__"); !last.is_none()) {
    const auto values = nb::borrow<nb::tuple>(last);
    const std::size_t first = static_cast<std::size_t>(positional) - values.size();
    for (std::size_t i = 0; i < values.size(); ++i) defaults[first + i] = values[i];
  }
  if (const nb::object named = function.attr("__kwdefaults__"); !named.is_none()) {
    for (const auto& [name, value] : nb::borrow<nb::dict>(named))
      defaults[static_cast<std::size_t>(find(name.ptr()))] = nb::borrow(value);
  }
  for (Py_ssize_t i = 0; i < count; ++i) {
    if (!defaults[static_cast<std::size_t>(i)].is_valid()) required = i + 1;
  }
  for (const nb::handle item : order) {
    if (PyTuple_Check(item.ptr())) {
      arguments.push_back({-1, nb::borrow<nb::tuple>(item)[0]});
      continue;
    }
    arguments.push_back({nb::cast<Py_ssize_t>(item), {}});
    if (arguments.back().parameter < 0 || arguments.back().parameter >= count)
      throw TypeError("cuprum.composite: no such parameter");
  }
  look_behind();
}

void HandedOn::look_behind() {
  const Function* behind = function_behind(core.ptr());
  if (!behind) return;
  std::fill(places, places + kMost, static_cast<std::uint8_t>(kMaxParameters));
  const std::size_t by_position = arguments.size() - keywords.size();
  std::uint32_t placed = 0;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Argument& a = arguments[i];
    const int at =
        i < by_position ? static_cast<int>(i) : find_parameter(*behind, keywords[i - by_position].ptr());
    if (at < 0 || at >= behind->count || placed >> at & 1) return;  // the core has the words for that
    placed |= 1u << at;
    if (a.parameter < 0) {
      blank[at] = a.constant.ptr();
    } else {
      if (places[a.parameter] != kMaxParameters) return;  // handed on twice
      places[a.parameter] = static_cast<std::uint8_t>(at);
      blank[at] = defaults[static_cast<std::size_t>(a.parameter)].ptr();
    }
  }
  for (Py_ssize_t i = 0; i < required; ++i) {
    if (places[i] == kMaxParameters) return;
  }
  const std::uint32_t needed = (1u << behind->required) - 1;
  if ((placed & needed) == needed) function = behind;
}

struct PyComposite {
  PyObject_HEAD vectorcallfunc vectorcall;
  PyObject* function;
  PyObject* plainly;    // what answers calls with two arrays; null: nothing
  HandedOn* handed_on;  // null: the function does more
};

PyObject* function_of(PyObject* self) { return reinterpret_cast<PyComposite*>(self)->function; }

/// "percentile", "emath.sqrt", "poly1d.__call__": as a user finds it.
std::string name_of(PyObject* self) {
  const nb::handle function = function_of(self);
  const std::string module = to_utf8(nb::object(function.attr("__module__")).ptr());
  const std::string name = to_utf8(nb::object(function.attr("__qualname__")).ptr());
  constexpr std::string_view kPackage = "cuprum.";
  const bool is_public = module.starts_with(kPackage) && module.find("._") == std::string::npos;
  return is_public ? module.substr(kPackage.size()) + "." + name : name;
}

PyObject* behind_name = nullptr;

/// Where the array is that an object is about, `x._array_behind`: a poly1d's coefficients, what a flatiter walks over.
Backend* device_behind(PyObject* o) {
  if (is_ordinary(o) || PyUnicode_CheckExact(o) || PyType_Check(o)) return nullptr;
  if (!_PyType_Lookup(Py_TYPE(o), behind_name)) return nullptr;
  const nb::object array = nb::steal(PyObject_GetAttr(o, behind_name));
  if (!array.is_valid()) PyErr_Clear();  // one whose __init__ has not been called
  return array.is_valid() && is_ndarray(array.ptr()) ? &contents(array.ptr()).array().backend() : nullptr;
}

PyObject* call(PyObject* self, PyObject* const* args, std::size_t nargsf, PyObject* names) noexcept {
  return guarded([&] {
    const Py_ssize_t n = PyVectorcall_NARGS(nargsf), all = n + (names ? PyTuple_GET_SIZE(names) : 0);
    Backend* device = device_of_vectorcall([&] { return name_of(self); }, args, n, names);
    for (Py_ssize_t i = 0; i < all && !device; ++i) device = device_behind(args[i]);
    const OnDevice there(device);
    return PyObject_Vectorcall(function_of(self), args, nargsf, names);
  });
}

PyObject* hand_on(PyObject* self, PyObject* const* args, std::size_t nargsf, PyObject* names) noexcept {
  return reinterpret_cast<PyComposite*>(self)->handed_on->call(function_of(self), args, nargsf, names);
}

/// The core has the device of two arrays to find, and their errors.
PyObject* call_plainly(PyObject* self, PyObject* const* args, std::size_t nargsf, PyObject* names) noexcept {
  if (PyVectorcall_NARGS(nargsf) == 2 && !names && is_plain(args[0]) && is_plain(args[1]))
    return PyObject_Vectorcall(reinterpret_cast<PyComposite*>(self)->plainly, args, nargsf, nullptr);
  return call(self, args, nargsf, names);
}

PyObject* make(PyTypeObject* type, PyObject* args, PyObject* keywords) noexcept {
  PyObject *function, *core = nullptr, *order = nullptr, *names = nullptr;
  if (keywords || !PyArg_ParseTuple(args, "O!|OO!O!:composite", &PyFunction_Type, &function, &core,
                                    &PyTuple_Type, &order, &PyTuple_Type, &names))
    return nullptr;
  return guarded([&]() -> PyObject* {
    if (order && !names) throw TypeError("cuprum.composite: the names of keywords are missing");
    std::unique_ptr<HandedOn> handed_on;
    if (order)
      handed_on = std::make_unique<HandedOn>(function, core, nb::borrow<nb::tuple>(order),
                                             nb::borrow<nb::tuple>(names));
    auto* made = reinterpret_cast<PyComposite*>(type->tp_alloc(type, 0));
    if (!made) throw_python_error();
    made->vectorcall = handed_on ? &hand_on : core ? &call_plainly : &call;
    made->function = Py_NewRef(function);
    made->plainly = Py_XNewRef(handed_on ? nullptr : core);
    made->handed_on = handed_on.release();
    return reinterpret_cast<PyObject*>(made);
  });
}

/// What the object has not itself the function has: its name, its text, what a decorator noted on it.
PyObject* get_attribute(PyObject* self, PyObject* name) noexcept {
  bool is_own = _PyType_Lookup(Py_TYPE(self), name) != nullptr;
  is_own = is_own && PyUnicode_CompareWithASCIIString(name, "__module__") != 0;  // the class's
  return is_own ? PyObject_GenericGetAttr(self, name) : PyObject_GetAttr(function_of(self), name);
}

/// Made when it is asked for (python/cuprum/_reference); `help` does so by object.__getattribute__.
PyObject* get_doc(PyObject* self, void*) noexcept {
  return guarded([&] {
    const nb::object described = nb::module_::import_("cuprum._reference").attr("described");
    return described(nb::handle(function_of(self))).release().ptr();
  });
}

PyObject* bind(PyObject* self, PyObject* instance, PyObject*) noexcept {
  return instance && instance != Py_None ? PyMethod_New(self, instance) : Py_NewRef(self);
}

PyObject* repr(PyObject* self) noexcept { return PyObject_Repr(function_of(self)); }

/// By its name in its module, as functions are pickled.
PyObject* reduce(PyObject* self, PyObject*) noexcept {
  return PyObject_GetAttrString(function_of(self), "__qualname__");
}

/// There is no tp_clear: a cycle goes through the function, which can be cleared, and this is never without one.
int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(function_of(self));
  Py_VISIT(reinterpret_cast<PyComposite*>(self)->plainly);
  Py_VISIT(Py_TYPE(self));
  if (const HandedOn* handed_on = reinterpret_cast<PyComposite*>(self)->handed_on) {
    Py_VISIT(handed_on->core.ptr());
    for (const nb::object& value : handed_on->defaults) Py_VISIT(value.ptr());
  }
  return 0;
}

void dealloc(PyObject* self) noexcept {
  PyTypeObject* type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  Py_DECREF(function_of(self));
  Py_XDECREF(reinterpret_cast<PyComposite*>(self)->plainly);
  delete reinterpret_cast<PyComposite*>(self)->handed_on;
  type->tp_free(self);
  Py_DECREF(type);
}

}  // namespace

void bind_composites(nb::module_& m) {
  behind_name = PyUnicode_InternFromString("_array_behind");
  static PyMemberDef members[] = {
      {"__vectorcalloffset__", T_PYSSIZET, offsetof(PyComposite, vectorcall), READONLY, nullptr},
      {"__wrapped__", T_OBJECT, offsetof(PyComposite, function), READONLY, nullptr},
      {nullptr, 0, 0, 0, nullptr},
  };
  static PyGetSetDef attributes[] = {
      {"__doc__", &get_doc, nullptr, nullptr, nullptr},
      {nullptr, nullptr, nullptr, nullptr, nullptr},
  };
  static PyMethodDef methods[] = {
      {"__reduce__", &reduce, METH_NOARGS, nullptr},
      {nullptr, nullptr, 0, nullptr},
  };
  static PyType_Slot slots[] = {
      {Py_tp_new, reinterpret_cast<void*>(&make)},
      {Py_tp_call, reinterpret_cast<void*>(&PyVectorcall_Call)},
      {Py_tp_getattro, reinterpret_cast<void*>(&get_attribute)},
      {Py_tp_descr_get, reinterpret_cast<void*>(&bind)},
      {Py_tp_repr, reinterpret_cast<void*>(&repr)},
      {Py_tp_traverse, reinterpret_cast<void*>(&traverse)},
      {Py_tp_dealloc, reinterpret_cast<void*>(&dealloc)},
      {Py_tp_members, members},
      {Py_tp_getset, attributes},
      {Py_tp_methods, methods},
      {0, nullptr},
  };
  static PyType_Spec spec = {
      "cuprum.function", sizeof(PyComposite), 0,
      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_METHOD_DESCRIPTOR,
      slots};
  m.attr("composite") = checked(PyType_FromSpec(&spec));
}

}  // namespace cuprum::python
