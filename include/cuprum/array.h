// cuprum::array: an n-dimensional array with NumPy's semantics.
//
// Copying an `array` copies the handle: both name the same elements, as two Python names of one ndarray do.
// Arithmetic is recorded and fused; it runs when values are needed (to_host, item, evaluate). Arrays may be used
// from several threads at once.
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
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

/// The dtype of a number that is written in the program: an `int` is NumPy's integer, int64, as Python's is; every other C++
/// type is itself.
template <class T>
inline constexpr dtype literal_dtype = dtype_of<std::conditional_t<std::is_same_v<T, int>, std::int64_t, T>>;

/// The C++ types that an array can hold.
template <class T>
concept element_type = std::is_arithmetic_v<T> || std::is_same_v<T, std::complex<float>> ||
    std::is_same_v<T, std::complex<double>>;

/// std::mdspan and its like: elements at an address, with extents and strides.
template <class M>
concept multidimensional_span = requires(const M& m) {
  typename M::element_type;
  m.data_handle();
  m.extent(0);
  m.stride(0);
  M::rank();
};

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
  operand(array&& a) : array_(&a), temporary_(true) {}
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
  template <class T>
  operand(std::complex<T> v) : kind_(kind::complex), real_(v.real()), imag_(v.imag()) {}

 private:
  friend struct operand_access;
  enum class kind { array, boolean, integer, floating, complex };

  const array* array_ = nullptr;
  kind kind_ = kind::array;
  bool is_unsigned_ = false;
  bool temporary_ = false;  // an array that operations need not keep
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
class row_iterator;

/// An n-dimensional array: a handle, of which a copy names the same elements.
class array {
 public:
  /// A 0-d float64 array with the value 0.
  array();
  /// A 0-d array with the value of a C++ number (literal_dtype).
  template <class T>
  requires(element_type<T>) explicit array(T value) : array(&value, 1, literal_dtype<T>, {}) {}
  /// `array{{1.0, 2.0}, {3.0, 4.0}}`: the values as they are nested, or converted to `type`.
  template <class T>
  requires(element_type<T>) array(std::initializer_list<T> values, dtype type = literal_dtype<T>)
      : array(values.begin(), values.size(), type, {static_cast<std::int64_t>(values.size())}) {}
  template <class T>
  requires(element_type<T>)
      array(std::initializer_list<std::initializer_list<T>> rows, dtype type = literal_dtype<T>)
      : array(nested<T>(rows), type) {}
  template <class T>
  requires(element_type<T>) array(std::initializer_list<std::initializer_list<std::initializer_list<T>>> rows,
                                  dtype type = literal_dtype<T>)
      : array(nested<T>(rows), type) {}
  /// A copy of values in host memory, one dimension.
  template <class T, std::size_t N>
  requires(element_type<std::remove_const_t<T>>) explicit array(std::span<T, N> values)
      : array(from_host(values.data(), {static_cast<std::int64_t>(values.size())})) {}
  template <class T>
  requires(element_type<T> && !std::is_same_v<T, bool>) explicit array(const std::vector<T>& values)
      : array(std::span<const T>(values)) {}
  template <class T, std::size_t N>
  requires(element_type<T>) explicit array(const std::array<T, N>& values)
      : array(std::span<const T>(values)) {}
  /// A copy of elements in host memory, with as many dimensions as a std::mdspan has.
  template <multidimensional_span M>
  explicit array(const M& elements) : array(from_mdspan(elements)) {}
  /// Another name of the same elements.
  array(const array& other);
  array(array&& other) noexcept;
  array& operator=(const array& other);
  array& operator=(array&& other) noexcept;
  ~array();

  /// A new array with a copy of the elements of `shape` from host memory, in C order.
  template <class T>
  static array from_host(const T* data, const shape_type& shape) {
    return from_bytes(data, dtype_of<std::remove_const_t<T>>, shape);
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
  /// The same as Python writes it: `double(a)`, `if (any(a > 0))`. The truth of several elements is refused, as in NumPy.
  template <class T>
  requires(element_type<T>) explicit operator T() const {
    if constexpr (std::is_same_v<T, bool>) {
      return truth();
    } else {
      return item<T>();
    }
  }

  /// The same elements converted to another dtype, in a new array.
  array astype(dtype type) const;
  /// A new array with the same elements.
  array copy() const;
  /// The same elements with another shape: a view where possible. One extent may be -1.
  array reshape(const shape_type& shape) const;
  /// A view with the dimensions reversed, or in the order of `axes`.
  array transpose(const axes_type& axes = {}) const;
  array T() const { return transpose(); }
  /// Writes `value` to every element.
  void fill(const operand& value);

  /// `a[i, j, ...]` of NumPy, to read and to write: `a(0)`, `a(slice(1, 5), 2) = 3.0`, `a(mask) += 1`.
  template <class... Items>
  element_reference operator()(const Items&... items) const;
  /// The same by a name.
  template <class... Items>
  element_reference at(const Items&... items) const;
  /// `a[i]`
  element_reference operator[](const index_item& item) const;

  /// Iteration goes over the first axis: `for (cp::array row : matrix)`.
  row_iterator begin() const;
  row_iterator end() const;

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
  const Array& implementation() const {
    if (!implementation_) read();
    return *implementation_;
  }

 protected:
  struct unread;  // an array and an index into it
  explicit array(std::shared_ptr<const unread> elements);
  const std::shared_ptr<const unread>& elements() const { return elements_; }
  void forget() const;  // what was read, once it has been written

 private:
  friend struct operand_access;
  // The values of a braced list, flat, with the extents that its rows have.
  struct flat_list {
    std::vector<std::byte> bytes;
    dtype type;
    shape_type shape;
  };
  template <class T, class Rows>
  static flat_list nested(const Rows& rows) {
    flat_list list{{}, literal_dtype<T>, {}};
    append(list, rows, 0);
    return list;
  }
  template <class T>
  static void append(flat_list& list, const std::initializer_list<T>& items, std::size_t depth) {
    level(list, items.size(), depth);
    for (const T& item : items) {
      if constexpr (element_type<T>) {
        const std::conditional_t<std::is_same_v<T, int>, std::int64_t, T> value = item;
        const auto* bytes = reinterpret_cast<const std::byte*>(&value);
        list.bytes.insert(list.bytes.end(), bytes, bytes + sizeof(value));
      } else {
        append(list, item, depth + 1);
      }
    }
  }
  static void level(flat_list& list, std::size_t extent, std::size_t depth);
  array(const flat_list& list, dtype type);

  template <class T>
  array(const T* values, std::size_t count, dtype type, const shape_type& shape)
      : array(flat<T>(values, count, shape), type) {}
  template <class T>
  static flat_list flat(const T* values, std::size_t count, const shape_type& shape) {
    flat_list list{{}, literal_dtype<T>, shape};
    list.bytes.resize(count * itemsize(list.type));
    for (std::size_t i = 0; i < count; ++i) {
      const std::conditional_t<std::is_same_v<T, int>, std::int64_t, T> value = values[i];
      __builtin_memcpy(list.bytes.data() + i * sizeof(value), &value, sizeof(value));
    }
    return list;
  }

  template <class M>
  static array from_mdspan(const M& elements) {
    using T = std::remove_const_t<typename M::element_type>;
    shape_type shape, strides;
    for (std::size_t i = 0; i < M::rank(); ++i) {
      shape.push_back(static_cast<std::int64_t>(elements.extent(i)));
      strides.push_back(static_cast<std::int64_t>(elements.stride(i) * sizeof(T)));
    }
    return from_strided(elements.data_handle(), dtype_of<T>, shape, strides);
  }
  static array from_strided(const void* data, dtype type, const shape_type& shape, const shape_type& strides);
  static array from_bytes(const void* data, dtype type, const shape_type& shape);
  void to_bytes(void* to, dtype type) const;
  void item_bytes(void* to, dtype type) const;
  bool truth() const;
  void read() const;

  // Elements that were named and not read yet have no implementation: writing them needs none.
  mutable std::unique_ptr<Array> implementation_;
  std::shared_ptr<const unread> elements_;
};

/// What an index gives: an array (a view, or a gathered copy, made when it is first read) that can be assigned to.
class element_reference : public array {
 public:
  element_reference(const array& owner, const std::vector<index_item>& index);
  element_reference(const element_reference& other);

  /// Reads.
  array get() const { return *this; }
  /// Writes; the value broadcasts and is converted to the array's dtype.
  const element_reference& operator=(const operand& value) const;
  const element_reference& operator=(const element_reference& value) const;
  /// Read, combine, write back.
  const element_reference& operator+=(const operand& b) const;
  const element_reference& operator-=(const operand& b) const;
  const element_reference& operator*=(const operand& b) const;
  const element_reference& operator/=(const operand& b) const;
  const element_reference& operator%=(const operand& b) const;
  const element_reference& operator&=(const operand& b) const;
  const element_reference& operator|=(const operand& b) const;
  const element_reference& operator^=(const operand& b) const;
  const element_reference& operator<<=(const operand& b) const;
  const element_reference& operator>>=(const operand& b) const;
};

template <class... Items>
element_reference array::operator()(const Items&... items) const {
  return element_reference(*this, std::vector<index_item>{index_item(items)...});
}
template <class... Items>
element_reference array::at(const Items&... items) const {
  return (*this)(items...);
}
inline element_reference array::operator[](const index_item& item) const { return (*this)(item); }

/// Goes through an array along its first axis.
class row_iterator {
 public:
  using value_type = array;
  using difference_type = std::ptrdiff_t;

  row_iterator(const array& owner, std::int64_t position) : owner_(&owner), position_(position) {}
  array operator*() const { return (*owner_)(position_); }
  row_iterator& operator++() {
    ++position_;
    return *this;
  }
  row_iterator operator++(int) { return {*owner_, position_++}; }
  bool operator==(const row_iterator& other) const { return position_ == other.position_; }

 private:
  const array* owner_;
  std::int64_t position_;
};

}  // namespace cuprum
