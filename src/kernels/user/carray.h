// An array as a kernel sees it, and the place of a loop in its shape: CuPy's classes, for the texts of a program's own kernels. Their
// members are what LoopArguments packs (ops/kernel_carray.cpp), in that order.
#pragma once

#include <initializer_list>

#include "kernels/user/words.h"

template <class T, int _ndim, bool _c_contiguous = false>
class CArray {
 public:
  static const int ndim = _ndim;
  static const bool c_contiguous = _c_contiguous;
  CUPRUM_FN ptrdiff_t size() const { return size_; }
  CUPRUM_FN const ptrdiff_t* shape() const { return shape_; }
  CUPRUM_FN const ptrdiff_t* strides() const { return strides_; }
  template <class Int>
  CUPRUM_FN T& operator[](const Int* index) {
    return *at(index);
  }
  template <class Int>
  CUPRUM_FN const T& operator[](const Int* index) const {
    return *at(index);
  }
  template <class Int>
  CUPRUM_FN T& operator[](std::initializer_list<Int> index) {
    return *at(index.begin());
  }
  template <class Int>
  CUPRUM_FN const T& operator[](std::initializer_list<Int> index) const {
    return *at(index.begin());
  }
  CUPRUM_FN T& operator[](ptrdiff_t i) { return *at(i); }
  CUPRUM_FN const T& operator[](ptrdiff_t i) const { return *at(i); }

 private:
  template <class Int>
  CUPRUM_FN T* at(const Int* index) const {
    if (_ndim == 1 && _c_contiguous) return data_ + index[0];
    ptrdiff_t offset = 0;
    for (int d = 0; d < _ndim; ++d) offset += strides_[d] * static_cast<ptrdiff_t>(index[d]);
    return reinterpret_cast<T*>(reinterpret_cast<char*>(data_) + offset);
  }
  CUPRUM_FN T* at(ptrdiff_t i) const {
    if (_c_contiguous) return data_ + i;
    ptrdiff_t offset = 0;
    for (int d = _ndim - 1; d > 0; --d) {
      offset += strides_[d] * (i % shape_[d]);
      i /= shape_[d];
    }
    if (_ndim > 0) offset += strides_[0] * i;
    return reinterpret_cast<T*>(reinterpret_cast<char*>(data_) + offset);
  }

  T* data_;
  ptrdiff_t size_;
  ptrdiff_t shape_[_ndim > 0 ? _ndim : 1];
  ptrdiff_t strides_[_ndim > 0 ? _ndim : 1];
};

template <int _ndim>
class CIndexer {
 public:
  static const int ndim = _ndim;
  CUPRUM_FN ptrdiff_t size() const { return size_; }
  CUPRUM_FN const ptrdiff_t* shape() const { return shape_; }
  CUPRUM_FN const ptrdiff_t* get() const { return index_; }
  CUPRUM_FN void set(ptrdiff_t i) {
    for (int d = _ndim - 1; d > 0; --d) {
      index_[d] = i % shape_[d];
      i /= shape_[d];
    }
    index_[0] = i;
  }

 private:
  ptrdiff_t size_;
  ptrdiff_t shape_[_ndim > 0 ? _ndim : 1];
  ptrdiff_t index_[_ndim > 0 ? _ndim : 1];
};
