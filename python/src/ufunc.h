// The class `ufunc` and what its files share.
#pragma once

#include <cstring>
#include <string_view>

#include "core/op.h"
#include "ndarray.h"

namespace cuprum::python {

/// One object per row of the table. Its __call__ is a vectorcall: no argument tuple is made.
struct PyUfunc {
  PyObject_HEAD vectorcallfunc vectorcall;
  Op op;                  // count_ where `pair` is set
  const PairUfunc* pair;  // divmod, modf, frexp
  const char* name;
  const char* doc;
  int nin;
  int nout;
};

extern PyMethodDef ufunc_methods[];  // ufunc_methods.cpp: reduce, accumulate, reduceat, outer, at
extern PyGetSetDef ufunc_getset[];   // ufunc_attributes.cpp

/// Arguments of a vectorcall, by name.
class Keywords {
 public:
  Keywords(const char* function, PyObject* const* values, PyObject* names)
      : function_(function), values_(values), names_(names) {}

  /// The argument with this name, or nullptr. Borrowed.
  PyObject* take(std::string_view name) {
    if (!names_) return nullptr;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(names_); ++i) {
      if (!is_ascii(PyTuple_GET_ITEM(names_, i), name)) continue;
      if (i < kMost) taken_ |= std::uint64_t{1} << i;  // where there are more, some are unknown in any case
      return values_[i];
    }
    return nullptr;
  }
  /// Throws TypeError when an argument has not been taken.
  void finish() const;

 private:
  static constexpr Py_ssize_t kMost = 64;

  static bool is_ascii(PyObject* o, std::string_view text) {
    return PyUnicode_IS_ASCII(o) && static_cast<std::size_t>(PyUnicode_GET_LENGTH(o)) == text.size() &&
           std::memcmp(PyUnicode_1BYTE_DATA(o), text.data(), text.size()) == 0;
  }

  const char* function_;
  PyObject* const* values_;
  PyObject* names_;
  std::uint64_t taken_ = 0;
};

/// `out=` of a ufunc with one result: None, an array, or a tuple of one. Borrowed; nullptr: none.
PyObject* to_out(PyObject* o, const char* function);

/// The array of an `out=` object that is not None.
const Array& to_out_array(PyObject* o, const char* function);

}  // namespace cuprum::python
