// Tuples, arrays and the iterators over them, as the text of a Python kernel uses them.
#pragma once

#include "kernels/jit/meanings.h"

namespace jit {

// -- Tuples.

template <class... T>
struct tuple {};
template <class First, class... Rest>
struct tuple<First, Rest...> {
  First first;
  tuple<Rest...> rest;
};

CUPRUM_FN tuple<> make_tuple() { return {}; }
template <class First, class... Rest>
CUPRUM_FN tuple<First, Rest...> make_tuple(First first, Rest... rest) {
  return {first, make_tuple(rest...)};
}

template <int i, class... T>
CUPRUM_FN auto get(const tuple<T...>& t) {
  if constexpr (i == 0) {
    return t.first;
  } else {
    return get<i - 1>(t.rest);
  }
}

// -- Iterators.

/// Every stride-th byte: an iterator over an array with one dimension that has gaps.
template <class T>
struct strided {
  using value_type = T;
  using reference = T&;
  using pointer = T*;
  using difference_type = long long;

  T* at;
  long long stride;  // in bytes

  CUPRUM_FN T& operator*() const { return *at; }
  CUPRUM_FN T& operator[](long long i) const { return *(*this + i); }
  CUPRUM_FN strided operator+(long long n) const {
    return {reinterpret_cast<T*>(reinterpret_cast<char*>(at) + n * stride), stride};
  }
  CUPRUM_FN strided operator-(long long n) const { return *this + -n; }
  CUPRUM_FN strided& operator+=(long long n) { return *this = *this + n; }
  CUPRUM_FN strided& operator-=(long long n) { return *this = *this - n; }
  CUPRUM_FN strided& operator++() { return *this += 1; }
  CUPRUM_FN strided& operator--() { return *this -= 1; }
  CUPRUM_FN strided operator++(int) {
    const strided before = *this;
    ++*this;
    return before;
  }
  CUPRUM_FN strided operator--(int) {
    const strided before = *this;
    --*this;
    return before;
  }
  CUPRUM_FN long long operator-(const strided& other) const {
    return stride == 0 ? 0 : (reinterpret_cast<char*>(at) - reinterpret_cast<char*>(other.at)) / stride;
  }
  CUPRUM_FN bool operator==(const strided& other) const { return at == other.at; }
  CUPRUM_FN bool operator!=(const strided& other) const { return at != other.at; }
  CUPRUM_FN bool operator<(const strided& other) const { return *this - other < 0; }
  CUPRUM_FN bool operator>(const strided& other) const { return *this - other > 0; }
  CUPRUM_FN bool operator<=(const strided& other) const { return *this - other <= 0; }
  CUPRUM_FN bool operator>=(const strided& other) const { return *this - other >= 0; }
  friend CUPRUM_FN strided operator+(long long n, const strided& it) { return it + n; }
};

// -- Arrays.

/// The launch fills the members in: address, extents, strides in bytes. `dense`: C-contiguous, so that strides are not read.
template <class T, int n, bool dense, class Index>
struct array {
  static_assert(n > 0);
  T* data;
  Index shape[n], strides[n];

  template <class... I>
  CUPRUM_FN T& operator()(I... indices) const {
    static_assert(sizeof...(I) == n);
    return *place(indices...);
  }

  /// What the first indices leave.
  template <class... I>
  CUPRUM_FN array<T, n - static_cast<int>(sizeof...(I)), dense, Index> part(I... indices) const {
    constexpr int taken = sizeof...(I);
    array<T, n - taken, dense, Index> rest;
    for (int axis = taken; axis < n; ++axis) {
      rest.shape[axis - taken] = shape[axis];
      rest.strides[axis - taken] = strides[axis];
    }
    rest.data = place(indices...);
    return rest;
  }

  CUPRUM_FN Index size() const {
    Index count = 1;
    for (int axis = 0; axis < n; ++axis) count *= shape[axis];
    return count;
  }

  CUPRUM_FN auto begin() const {
    static_assert(n == 1);
    if constexpr (dense) {
      return data;
    } else {
      return strided<T>{data, strides[0]};
    }
  }
  CUPRUM_FN auto end() const { return begin() + shape[0]; }

 private:
  template <class... I>
  CUPRUM_FN T* place(I... indices) const {
    Index offset = 0;
    int axis = 0;
    if constexpr (dense) {
      ((offset = offset * shape[axis++] + static_cast<Index>(indices)), ...);
      for (; axis < n; ++axis) offset *= shape[axis];
      return data + offset;
    } else {
      ((offset += static_cast<Index>(indices) * strides[axis++]), ...);
      return reinterpret_cast<T*>(reinterpret_cast<char*>(data) + offset);
    }
  }
};

/// Without dimensions: one element.
template <class T, bool dense, class Index>
struct array<T, 0, dense, Index> {
  T* data;
  CUPRUM_FN T& operator()() const { return *data; }
  CUPRUM_FN Index size() const { return 1; }
};

/// An array over memory of the block or the thread, in C order.
template <class T, class... Extents>
CUPRUM_FN array<T, sizeof...(Extents), true, int> over(T* memory, Extents... extents) {
  constexpr int n = sizeof...(Extents);
  array<T, n, true, int> result{memory, {extents...}, {}};
  int stride = sizeof(T);
  for (int axis = n - 1; axis >= 0; --axis) {
    result.strides[axis] = stride;
    stride *= result.shape[axis];
  }
  return result;
}

}  // namespace jit
