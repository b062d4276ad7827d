// Arrays of indices as calls get them: `a[[1, 2]]`, `cp.take(a, numpy_array)`, `cp.put(a, 3, v)`.
#pragma once

#include <span>
#include <vector>

#include "function.h"

namespace cuprum::python {

/// An ndarray as it is; lists, numbers and NumPy arrays converted. Their elements are known to the host, and are kept where
/// a device would find a bad one only after the call: so it is found by the call, without waiting for the device.
class IndexArgument {
 public:
  IndexArgument(PyObject* o, const char* function);
  IndexArgument(const IndexArgument&) = delete;  // array_ may point into this object
  const Array& operator*() const { return *array_; }
  const Array* operator->() const { return array_; }

  /// Not an ndarray: what was given was converted.
  bool is_made() const { return array_ == &made_; }
  /// The elements in C order; empty for an ndarray, and where the backend checks indices at once.
  std::span<const std::int64_t> known() const { return known_; }
  /// An empty list has no dtype of its own: as indices it means integers.
  void make_integer();

 private:
  void convert(PyObject* o, const char* function);
  void convert_numpy(PyObject* o, const char* function);

  Array made_;
  const Array* array_;
  std::vector<std::int64_t> known_;
};

}  // namespace cuprum::python
