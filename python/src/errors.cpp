// From C++ exceptions to Python's: each class of cuprum/error.h has the type that NumPy raises for the same
// mistake.
#include "errors.h"

#include <cstring>
#include <new>
#include <stdexcept>
#include <system_error>

#include "core/warning.h"
#include "gil.h"
#include "numpy_interop.h"
#include "runtime/devices.h"
#include "subclass.h"

namespace cuprum::python {

namespace {

// Filled once by bind_errors and kept for good: an error may be raised while the interpreter shuts down.
PyObject* axis_error = nullptr;
PyObject* linalg_error = nullptr;
PyObject* ufunc_type_error = nullptr;
PyObject* out_of_memory_error = nullptr;
PyObject* device_error = nullptr;
PyObject* load_error = nullptr;
PyObject* compile_error = nullptr;

/// numpy.<module>.<name>, or `fallback` where this NumPy has no such class.
PyObject* numpy_class(const char* module, const char* name, PyObject* fallback) {
  PyObject* m = PyImport_ImportModule(module);
  PyObject* c = m ? PyObject_GetAttrString(m, name) : nullptr;
  Py_XDECREF(m);
  if (c) return c;
  PyErr_Clear();
  return Py_NewRef(fallback);
}

PyObject* new_class(nb::module_& m, const char* qualified, const char* doc, PyObject* base) {
  PyObject* c = PyErr_NewExceptionWithDoc(qualified, doc, base, nullptr);
  if (!c) throw nb::python_error();
  m.attr(std::strrchr(qualified, '.') + 1) = nb::borrow(c);
  return c;
}

PyObject* class_of(nb::exception_type type) {
  switch (type) {
    case nb::exception_type::type_error: return PyExc_TypeError;
    case nb::exception_type::value_error: return PyExc_ValueError;
    case nb::exception_type::index_error: return PyExc_IndexError;
    case nb::exception_type::key_error: return PyExc_KeyError;
    case nb::exception_type::attribute_error: return PyExc_AttributeError;
    case nb::exception_type::buffer_error: return PyExc_BufferError;
    default: return PyExc_RuntimeError;
  }
}

/// The line that it is about is the program's, through however many functions of the package.
void warn_in_python(const char* text) {
  if (PyErr_WarnEx(PyExc_RuntimeWarning, text, program_level()) != 0) throw_python_error();
}

}  // namespace

void bind_errors(nb::module_& m) {
  set_warning_listener(&warn_in_python);
  axis_error = numpy_class("numpy.exceptions", "AxisError", PyExc_ValueError);
  linalg_error = numpy_class("numpy.linalg", "LinAlgError", PyExc_ValueError);
  ufunc_type_error =
      new_class(m, "cuprum.UFuncTypeError", "No loop or no cast for the dtypes of a ufunc call.",
                numpy_class("numpy._core._exceptions", "UFuncTypeError", PyExc_TypeError));
  out_of_memory_error =
      new_class(m, "cuprum.OutOfMemoryError", "A request for memory that cannot be met.", PyExc_MemoryError);
  device_error = new_class(m, "cuprum.cuda.runtime.CUDARuntimeError",
                           "A device that is not there, or a use of it that it forbids.", PyExc_RuntimeError);
  load_error = new_class(m, "cuprum.cuda.driver.CUDADriverError",
                         "A module that cannot be loaded, or has no such kernel or variable.", device_error);
  compile_error = new_class(m, "cuprum.cuda.compiler.CompileException",
                            "A text in CUDA C++ that a compiler refuses.", PyExc_RuntimeError);
  nb::register_exception_translator([](const std::exception_ptr& p, void*) {
    if (!p) wait_for_good();  // no exception, but the end of a thread that the interpreter stops
    try {
      std::rethrow_exception(p);
    } catch (...) {
      translate_exception();
    }
  });
}

void translate_exception() noexcept {
  if (!std::current_exception())
    wait_for_good();  // no exception, but the end of a thread that the interpreter stops
  try {
    throw;
  } catch (nb::python_error& e) {
    e.restore();
  } catch (const nb::cast_error&) {
    PyErr_SetString(PyExc_TypeError, "cuprum: an argument has the wrong type");
  } catch (const nb::builtin_exception& e) {
    PyErr_SetString(class_of(e.type()), e.what());
  } catch (const AxisError& e) {
    PyErr_SetString(axis_error, e.what());
  } catch (const LinAlgError& e) {
    PyErr_SetString(linalg_error, e.what());
  } catch (const ValueError& e) {
    PyErr_SetString(PyExc_ValueError, e.what());
  } catch (const UFuncTypeError& e) {
    PyErr_SetString(ufunc_type_error, e.what());
  } catch (const TypeError& e) {
    PyErr_SetString(PyExc_TypeError, e.what());
  } catch (const IndexError& e) {
    PyErr_SetString(PyExc_IndexError, e.what());
  } catch (const OverflowError& e) {
    PyErr_SetString(PyExc_OverflowError, e.what());
  } catch (const ZeroDivisionError& e) {
    PyErr_SetString(PyExc_ZeroDivisionError, e.what());
  } catch (const BufferError& e) {
    PyErr_SetString(PyExc_BufferError, e.what());
  } catch (const OutOfMemoryError& e) {
    PyErr_SetString(out_of_memory_error, e.what());
  } catch (const LoadError& e) {
    PyErr_SetString(load_error, e.what());
  } catch (const DeviceError& e) {
    PyErr_SetString(device_error, e.what());
  } catch (const CompileError& e) {
    PyErr_SetString(compile_error, e.what());
  } catch (const Error& e) {
    PyErr_SetString(PyExc_RuntimeError, e.what());
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::length_error&) {  // a container of more elements than an address can count
    PyErr_NoMemory();
  } catch (const std::system_error& e) {
    PyErr_SetString(PyExc_RuntimeError, ("cuprum: the system refused: " + e.code().message()).c_str());
  } catch (...) {
    PyErr_SetString(PyExc_RuntimeError,
                    "cuprum: this call fails for a reason of the library's own; please report it");
  }
}

std::string type_name(PyObject* o) {
  PyTypeObject* type = PyType_Check(o) ? reinterpret_cast<PyTypeObject*>(o) : Py_TYPE(o);
  if (!PyType_HasFeature(type, Py_TPFLAGS_HEAPTYPE)) return type->tp_name;
  // A class that was written in Python does not name its module: dask.array.core.Array is "Array".
  const nb::object module =
      nb::steal(PyObject_GetAttrString(reinterpret_cast<PyObject*>(type), "__module__"));
  if (!module.is_valid()) PyErr_Clear();
  const bool named = module.is_valid() && PyUnicode_Check(module.ptr()) &&
                     PyUnicode_CompareWithASCIIString(module.ptr(), "builtins") != 0 &&
                     PyUnicode_CompareWithASCIIString(module.ptr(), "__main__") != 0;
  const char* name = named ? PyUnicode_AsUTF8(module.ptr()) : nullptr;
  if (!name) PyErr_Clear();
  return name && !std::strchr(type->tp_name, '.') ? std::string(name) + "." + type->tp_name : type->tp_name;
}

void throw_not_array(PyObject* o, const char* function, int position) {
  std::string text = std::string("cuprum.") + function + ": ";
  text += position > 0 ? "argument " + std::to_string(position) : std::string("an argument");
  text += " is a " + type_name(o);
  if (is_numpy_array(o)) {
    text += std::string(", which lives in host memory; write cp.asarray(x) to copy it to ") +
            default_backend().name() + ", or let cp.transfer_guard(\"allow\") copy such arrays";
  } else if (answers_functions(o)) {
    text += ", which answers NumPy's functions itself; write np." +
            std::string(std::strrchr(function, '.') ? std::strrchr(function, '.') + 1 : function) +
            " to ask it, or cp.asarray(x) to make an array of it";
  } else if (PyNumber_Check(o) || is_array_like(o) || attribute(o, "__dlpack__").is_valid()) {
    text += "; write cp.asarray(x) to make an array of it";
  } else {
    text += "; arrays and numbers are accepted";
  }
  throw TypeError(text);
}

void throw_named_error(const char* function, const char* parameter) {
  nb::python_error error;
  const std::string text = std::string("cuprum.") + function + ": " +
                           (parameter ? std::string(parameter) + ": " : std::string()) +
                           to_utf8(nb::str(error.value()).ptr());
  if (error.type().is(PyExc_TypeError)) throw TypeError(text);
  if (error.type().is(PyExc_ValueError)) throw ValueError(text);
  if (error.type().is(PyExc_OverflowError)) throw OverflowError(text);
  error.restore();
  throw_python_error();
}

nb::object attribute(PyObject* o, const char* name) {
  nb::object value = nb::steal(PyObject_GetAttrString(o, name));
  if (value.is_valid()) return value;
  if (!PyErr_ExceptionMatches(PyExc_AttributeError)) throw_python_error();
  PyErr_Clear();
  return value;
}

bool is_final(const nb::python_error& e) {
  return e.matches(PyExc_RecursionError) || e.matches(PyExc_MemoryError) || !e.matches(PyExc_Exception);
}

void warn_of_lost_imaginary(dtype from, dtype to) {
  if (!is_complex(from) || is_complex(to) || is_bool(to)) return;
  const nb::object warning = nb::module_::import_("numpy").attr("exceptions").attr("ComplexWarning");
  if (PyErr_WarnEx(warning.ptr(), "Casting complex values to real discards the imaginary part", 1) < 0)
    throw_python_error();
}

}  // namespace cuprum::python
