// Functions and methods as CPython's own builtins: a call costs no argument tuple, and `inspect.signature` and `help`
// see NumPy's signature, because the text that declares the parameters is also what is parsed and shown.
//
//     PyObject* sum(PyObject* const* args) { ... args[0] is the array, args[1] the axis or nullptr ... }
//     constinit Function kSum = {"sum", "a, axis=None, dtype=None", &sum, "Sum of the elements over axes."};
//
// The same body serves `a.sum(...)` (args[0] is then an ndarray for certain) and `_core.sum(a, ...)`. Parameters that
// the caller left out are nullptr. Bodies throw C++ exceptions and return new references.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bindings.h"
#include "expr/host_copy.h"
#include "ops/search.h"
#include "transfer_guard.h"

namespace cuprum::python {

inline constexpr int kMaxParameters = 12;

/// The class of results where an operand is of a class derived from ndarray, as in NumPy.
enum class ResultClass : std::uint8_t {
  inherited,         // that class
  inherited_arrays,  // that class, but a number stays a number
  plain,             // ndarray
};

struct Function {
  const char* name;
  const char* parameters;  // as Python writes them; `*` ends the positional ones
  PyObject* (*body)(PyObject* const* args);
  const char* doc;
  ResultClass result_class = ResultClass::inherited;
  bool mixes_devices =
      false;  // arrays of several devices are its business; it computes where the first one is

  // Made from `parameters` when the module is imported.
  PyObject* names[kMaxParameters] = {};
  int count = 0;
  int required = 0;
  int positional = 0;
};

/// A function's name as a template parameter, for bodies that several functions share: `like_sum<"sum", &ops::sum>`.
template <std::size_t n>
struct Name {
  constexpr Name(const char (&name)[n]) { std::copy_n(name, n, text); }
  constexpr operator const char*() const { return text; }
  char text[n];
};

/// Calls the body with the arguments in the order of the parameters. `self` null: a function, not a method.
PyObject* invoke(const Function& f, PyObject* self, PyObject* const* args, Py_ssize_t n,
                 PyObject* keywords) noexcept;

/// The same where every parameter has its place already: null, or an argument.
PyObject* invoke_placed(const Function& f, PyObject* const* slots);

/// The Function that an object of `_core` calls (add_functions); null: it is another one.
const Function* function_behind(PyObject* callable);
/// The place of a parameter; -1: there is none of that name.
int find_parameter(const Function& f, PyObject* name);

using FastCall = PyObject* (*)(PyObject*, PyObject* const*, Py_ssize_t, PyObject*);

/// A Function with the two ways into it.
struct Entry {
  Function* function;
  FastCall as_method;
  FastCall as_function;
};

template <Function& F>
constexpr Entry entry() {
  return {&F,
          [](PyObject* self, PyObject* const* args, Py_ssize_t n, PyObject* keywords) noexcept {
            return invoke(F, self, args, n, keywords);
          },
          [](PyObject*, PyObject* const* args, Py_ssize_t n, PyObject* keywords) noexcept {
            return invoke(F, nullptr, args, n, keywords);
          }};
}

void add_methods(NdarrayClass& c, std::initializer_list<Entry> entries);
void add_functions(nb::module_& m, std::initializer_list<Entry> entries);

// -- The families, one file each ------------------------------------------------------------------------

void bind_reduction_methods(NdarrayClass& c);
void bind_reduction_functions(nb::module_& m);
void bind_manipulation_methods(NdarrayClass& c);
void bind_manipulation_functions(nb::module_& m);
void bind_joining_functions(nb::module_& m);
void bind_editing_functions(nb::module_& m);
void bind_position_functions(nb::module_& m);
void bind_set_functions(nb::module_& m);
void bind_bit_functions(nb::module_& m);
void bind_polynomial_functions(nb::module_& m);
void bind_search_methods(NdarrayClass& c);
void bind_search_functions(nb::module_& m);
void bind_sort_methods(NdarrayClass& c);
void bind_sort_functions(nb::module_& m);
void bind_product_methods(NdarrayClass& c);
void bind_product_functions(nb::module_& m);
void bind_einsum_functions(nb::module_& m);
void bind_statistics_functions(nb::module_& m);
void bind_histogram_functions(nb::module_& m);
void bind_calculus_functions(nb::module_& m);
void bind_signal_functions(nb::module_& m);
void bind_logic_functions(nb::module_& m);
void bind_matrix_functions(nb::module_& m);  // the submodule linalg
void bind_creation_functions(nb::module_& m);
void bind_fft_functions(nb::module_& m);
void bind_random_functions(nb::module_& m);

/// Signatures and examples of the methods, once they are all bound.
void document_methods(NdarrayClass& c);
void bind_method_texts(nb::module_& m);

// -- Arguments ------------------------------------------------------------------------------------------

/// The int64 array of a list of plain integers, the commonest of all lists: 1.5 us less than the way through NumPy.
/// `keep` as in expr/host_copy.h.
std::optional<Array> integer_list(PyObject* o, std::size_t keep = kHostCopyBytes);

/// An array argument: an ndarray as it is, numbers and lists converted. NumPy arrays are taken as their role and the transfer
/// guard allow it, else refused with the text that says what to write.
class ArrayArgument {
 public:
  ArrayArgument(PyObject* o, const char* function, int position, HostRole role = HostRole::operand);
  ArrayArgument(const ArrayArgument&) = delete;  // array_ may point into this object
  const Array& operator*() const { return *array_; }
  const Array* operator->() const { return array_; }
  const Array* get() const { return array_; }

 private:
  nb::object keep_;
  Array made_;
  const Array* array_;
};

/// nullptr and None: empty. True too, where `where=` is meant.
class OptionalArray {
 public:
  OptionalArray(PyObject* o, const char* function, int position, bool true_is_none = false) {
    if (!o || o == Py_None || (true_is_none && o == Py_True)) return;
    if (true_is_none && (PyList_Check(o) || PyTuple_Check(o))) {  // a list of numbers is one of bools
      bools_ = as_ndarray(o, function, dtype::bool_);
      o = bools_.ptr();
    }
    value_.emplace(o, function, position, HostRole::index);
  }
  const Array* get() const { return value_ ? value_->get() : nullptr; }

 private:
  nb::object bools_;
  std::optional<ArrayArgument> value_;
};

/// What stands beside the data, as edges or weights; None: nothing.
class BesideArray {
 public:
  BesideArray(PyObject* o, const char* function, int position) {
    if (o && o != Py_None) value_.emplace(o, function, position, HostRole::parameter);
  }
  const Array* get() const { return value_ ? value_->get() : nullptr; }

 private:
  std::optional<ArrayArgument> value_;
};

/// A number, as it is, or an array beside the data.
class ParameterValue {
 public:
  ParameterValue(PyObject* o, const char* function, int position);
  operator const Value&() const { return *value_; }
  const Value& operator*() const { return *value_; }

 private:
  std::optional<ArrayArgument> array_;
  std::optional<Value> value_;
};

/// A sequence of arrays.
class ArraySequence {
 public:
  ArraySequence(PyObject* o, const char* function);
  const std::vector<Array>& arrays() const { return arrays_; }
  /// Which of them are Python's numbers, where a sequence was given.
  const std::vector<Weak>& weak() const { return weak_; }
  /// Python's numbers take the dtype of their company.
  void promote_numbers();

 private:
  std::vector<Array> arrays_;
  std::vector<Weak> weak_;
};

inline bool given(PyObject* o) { return o && o != Py_None; }

/// `out=`: nullptr when it is not given; throws TypeError for anything but an ndarray.
const Array* out_argument(PyObject* o, const char* function);
/// The caller's `out` object, or the result wrapped.
PyObject* deliver(Array result, PyObject* out);
/// The result as a view of `owner` where it shares its storage.
PyObject* wrap_from(Array&& result, PyObject* owner);
PyObject* to_tuple(const std::vector<Array>& arrays, PyObject* owner = nullptr);
PyObject* to_list(const std::vector<Array>& arrays, PyObject* owner = nullptr);

std::int64_t int_argument(PyObject* o, const char* function, const char* parameter, std::int64_t otherwise);
bool flag_argument(PyObject* o, bool otherwise = false);
/// `k`: which diagonal; 0 where it is not given.
std::int64_t diagonal_argument(PyObject* o, const char* function);
/// None: nullopt.
std::optional<std::int64_t> axis_argument(PyObject* o, const char* function);
/// `otherwise` where it is not given at all.
std::optional<std::int64_t> axis_argument(PyObject* o, const char* function, std::int64_t otherwise);
/// None: nullopt. An integer or a tuple of them, not normalised.
std::optional<Dims> axes_argument(PyObject* o, const char* function);
/// The same from any sequence. Of a long one not much more than `ndim` axes are read: among these one is repeated already, or none
/// of the array.
std::optional<Dims> axis_set_argument(PyObject* o, const char* function, int ndim);
/// Integers from an integer, a sequence or an array of them.
Dims integers_argument(PyObject* o, const char* function, const char* parameter);
char order_argument(PyObject* o, const char* function, char otherwise);
std::string text_argument(PyObject* o, const char* function, const char* parameter, const char* otherwise);
/// "raise", "wrap" or "clip".
ops::Bounds bounds_argument(PyObject* o, const char* function);

}  // namespace cuprum::python
