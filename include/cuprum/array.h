// cuprum::array: an n-dimensional array with NumPy's semantics.
//
// Copying an `array` copies the handle: both name the same elements, as two Python names of one ndarray do.
// Arithmetic is recorded and fused; it runs when values are needed (to_host, item, evaluate). Arrays may be used
// from several threads at once.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "cuprum/dtype.h"
#include "cuprum/error.h"

namespace cuprum {

class Array;  // the library's own; see src/expr/array.h
class array;

/// Extents of the dimensions of an array.
using shape_type = std::vector<std::int64_t>;

/// A set of axes; negative ones count from the end.
using axes_type = std::vector<std::int64_t>;

/// The dtype that holds a C++ type: `dtype_of<float>` is dtype::float32.
template <class T>
inline constexpr dtype dtype_of = [] {
  if constexpr (std::is_same_v<T, bool>) {
    return dtype::bool_;
  } else if constexpr (std::is_integral_v<T>) {
    constexpr int base = static_cast<int>(std::is_signed_v<T> ? dtype::int8 : dtype::uint8);
    return static_cast<dtype>(base + (sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3));
  } else if constexpr (std::is_same_v<T, float>) {
    return dtype::float32;
  } else if constexpr (std::is_same_v<T, double>) {
    return dtype::float64;
  } else if constexpr (std::is_same_v<T, std::complex<float>>) {
    return dtype::complex64;
  } else {
    static_assert(std::is_same_v<T, std::complex<double>>, "cuprum has no dtype for this C++ type");
    return dtype::complex128;
  }
}();

/// A range of indices as Python's `start:stop:step`; bounds that are left out reach to the end.
struct slice {
  std::optional<std::int64_t> start, stop;
  std::int64_t step = 1;

  /// `:`
  slice() = default;
  /// `start:stop:step`
  slice(std::optional<std::int64_t> start, std::optional<std::int64_t> stop, std::int64_t step = 1)
      : start(start), stop(stop), step(step) {}
};

/// A new dimension of length 1 in an index.
struct newaxis_type {};
inline constexpr newaxis_type newaxis{};

/// As many full slices as are needed, in an index.
struct ellipsis_type {};
inline constexpr ellipsis_type ellipsis{};

/// An operand of an operation: an array, or a C++ number, which takes the dtype of its company as a Python number
/// does (`float32_array * 2.0` stays float32).
class operand {
 public:
  operand(const array& a) : array_(&a) {}
  template <class T>
  requires(std::is_arithmetic_v<T>) operand(T v) {
    if constexpr (std::is_same_v<T, bool>)
      kind_ = kind::boolean;
    else
      kind_ = std::is_integral_v<T> ? kind::integer : kind::floating;
    if constexpr (std::is_integral_v<T>) {
      integer_ = static_cast<std::int64_t>(v);
      is_unsigned_ = std::is_unsigned_v<T>;
    }
    real_ = static_cast<double>(v);
  }
  operand(std::complex<double> v) : kind_(kind::complex), real_(v.real()), imag_(v.imag()) {}

 private:
  friend struct operand_access;
  enum class kind { array, boolean, integer, floating, complex };

  const array* array_ = nullptr;
  kind kind_ = kind::array;
  bool is_unsigned_ = false;
  std::int64_t integer_ = 0;
  double real_ = 0;
  double imag_ = 0;
};

/// One item of an index: an integer, a slice, newaxis, ellipsis, or an array of integers or bools.
class index_item {
 public:
  template <class T>
  requires(std::is_integral_v<T> && !std::is_same_v<T, bool>) index_item(T i)
      : kind_(kind::integer), integer_(static_cast<std::int64_t>(i)) {}
  index_item(const slice& s) : kind_(kind::slice), slice_(s) {}
  index_item(newaxis_type) : kind_(kind::newaxis) {}
  index_item(ellipsis_type) : kind_(kind::ellipsis) {}
  index_item(const array& a) : kind_(kind::array), array_(&a) {}

 private:
  friend struct index_access;
  enum class kind { integer, slice, newaxis, ellipsis, array };

  kind kind_;
  std::int64_t integer_ = 0;
  slice slice_;
  const array* array_ = nullptr;
};

class element_reference;

class array {
 public:
  /// A 0-d float64 array with the value 0.
  array();
  /// A 0-d array with the value and dtype of a C++ number.
  template <class T>
  requires(std::is_arithmetic_v<T>) explicit array(T value) : array(from_host(&value, shape_type{})) {}
  array(const array& other);
  array(array&& other) noexcept;
  array& operator=(const array& other);
  array& operator=(array&& other) noexcept;
  ~array();

  /// A new array with a copy of `size` elements from host memory, in C order.
  template <class T>
  static array from_host(const T* data, const shape_type& shape) {
    return from_bytes(data, dtype_of<T>, shape);
  }
  /// A new 1-d array with a copy of the values.
  template <class T>
  requires(!std::is_same_v<T, bool>) static array from_host(const std::vector<T>& values) {
    return from_host(values.data(), shape_type{static_cast<std::int64_t>(values.size())});
  }

  /// Dtype of the elements.
  dtype type() const;
  /// Extents of the dimensions.
  shape_type shape() const;
  /// Steps between neighbours of each dimension, in bytes.
  shape_type strides() const;
  /// Number of dimensions.
  int ndim() const;
  /// Number of elements.
  std::int64_t size() const;
  /// Bytes of all elements.
  std::size_t nbytes() const;
  /// True while the array is a recorded expression that has not run.
  bool is_pending() const;

  /// A copy of the elements in host memory, in C order. T must be the array's dtype.
  template <class T>
  requires(!std::is_same_v<T, bool>) std::vector<T> to_host()
  const {
    std::vector<T> values(static_cast<std::size_t>(size()));
    to_bytes(values.data(), dtype_of<T>);
    return values;
  }
  /// The same into memory for `size()` elements.
  template <class T>
  void to_host(T* to) const {
    to_bytes(to, dtype_of<T>);
  }
  /// The value of an array with one element, converted to T.
  template <class T>
  T item() const {
    T value;
    item_bytes(&value, dtype_of<T>);
    return value;
  }

  /// The same elements converted to another dtype, in a new array.
  array astype(dtype type) const;
  /// A new array with the same elements.
  array copy() const;
  /// The same elements with another shape: a view where possible. One extent may be -1.
  array reshape(const shape_type& shape) const;
  /// A view with the dimensions reversed, or in the order of `axes`.
  array transpose(const axes_type& axes = {}) const;
  /// Writes `value` to every element.
  void fill(const operand& value);

  /// `a[i, j, ...]` of NumPy, to read and to write: `a.at(0)`, `a.at(slice(1, 5), 2) = 3.0`, `a.at(mask) += 1`.
  template <class... Items>
  element_reference at(const Items&... items) const;

  /// In-place arithmetic: writes into this array's elements, which every view of them sees.
  const array& operator+=(const operand& b) const;
  const array& operator-=(const operand& b) const;
  const array& operator*=(const operand& b) const;
  const array& operator/=(const operand& b) const;
  const array& operator%=(const operand& b) const;
  const array& operator&=(const operand& b) const;
  const array& operator|=(const operand& b) const;
  const array& operator^=(const operand& b) const;
  const array& operator<<=(const operand& b) const;
  const array& operator>>=(const operand& b) const;

  // For the library: the array behind the handle.
  explicit array(Array implementation);
  const Array& implementation() const { return *implementation_; }

 private:
  static array from_bytes(const void* data, dtype type, const shape_type& shape);
  void to_bytes(void* to, dtype type) const;
  void item_bytes(void* to, dtype type) const;

  std::unique_ptr<Array> implementation_;
};

/// What `array::at` gives: reads as an array (a view, or a gathered copy), and can be assigned to.
class element_reference {
 public:
  element_reference(const array& owner, std::vector<index_item> index)
      : owner_(owner), index_(std::move(index)) {}

  /// Reads: `array row = a.at(3)`.
  operator array() const { return get(); }
  /// Reads.
  array get() const;
  /// Writes; the value broadcasts and is converted to the array's dtype.
  const element_reference& operator=(const operand& value) const;
  const element_reference& operator=(const element_reference& value) const {
    return *this = operand(value.get());
  }
  /// Read, combine, write back.
  const element_reference& operator+=(const operand& b) const;
  const element_reference& operator-=(const operand& b) const;
  const element_reference& operator*=(const operand& b) const;
  const element_reference& operator/=(const operand& b) const;

 private:
  array owner_;
  std::vector<index_item> index_;
};

template <class... Items>
element_reference array::at(const Items&... items) const {
  return element_reference(*this, std::vector<index_item>{index_item(items)...});
}

}  // namespace cuprum
