// Arrays of indices as calls get them: `a[[1, 2]]`, `cp.take(a, numpy_array)`, `cp.put(a, 3, v)`.
#pragma once

#include "function.h"

namespace cuprum::python {

/// An ndarray as it is; lists, numbers and NumPy arrays converted. The host goes on knowing what it gave, however long
/// (expr/host_copy.h): a bad index is found by the call, without waiting for the device.
class IndexArgument {
 public:
  IndexArgument(PyObject* o, const char* function);
  IndexArgument(const IndexArgument&) = delete;  // array_ may point into this object
  const Array& operator*() const { return *array_; }
  const Array* operator->() const { return array_; }

  /// Not an ndarray: what was given was converted.
  bool is_made() const { return array_ == &made_; }
  /// An empty list has no dtype of its own: as indices it means integers.
  void make_integer();
  /// What is no array is read as by int(), so that 1.5 is 1: as functions do, and a[1.5] does not.
  void read_integers(PyObject* o, const char* function);

 private:
  Array made_;
  const Array* array_;
};

}  // namespace cuprum::python
