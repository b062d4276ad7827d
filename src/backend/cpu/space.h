// The C-order element space of a few equally shaped views, cut into ranges that threads share out.
//
// Dimensions are merged as far as all views allow, so a range is walked as few long runs along the last
// merged dimension: two contiguous arrays of any shape are one run.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "runtime/program.h"

namespace cuprum::cpu {

template <int N>
class Space {
 public:
  using Pointers = std::array<std::byte*, N>;

  /// The first `ndim` dimensions of `views`, whose shapes agree there.
  Space(const std::array<const View*, N>& views, std::size_t ndim) {
    for (int k = 0; k < N; ++k) base_[k] = views[k]->data;
    for (std::size_t d = 0; d < ndim; ++d) append(views, d);
    if (shape_.empty()) {  // 0-d, or all of size 1: one element
      shape_.push_back(1);
      for (Dims& s : strides_) s.push_back(0);
    }
    for (std::int64_t extent : shape_) size_ *= extent;
  }

  std::int64_t size() const { return size_; }
  /// Strides in bytes along the runs of `each_run`.
  std::int64_t step(int view) const { return strides_[view].back(); }
  std::int64_t run_length() const { return shape_.back(); }

  /// Calls f(pointers, n) for the elements [begin, end) in C order: n elements, step(view) bytes apart.
  template <class F>
  void each_run(std::int64_t begin, std::int64_t end, F&& f) const {
    if (begin >= end) return;
    const std::size_t ndim = shape_.size();
    Dims at(ndim);
    Pointers p = base_;
    std::int64_t rest = begin;
    for (std::size_t d = ndim; d-- > 0;) {
      at[d] = rest % shape_[d];
      rest /= shape_[d];
      for (int k = 0; k < N; ++k) p[k] += at[d] * strides_[k][d];
    }
    for (std::int64_t i = begin; i < end;) {
      const std::int64_t n = std::min(shape_[ndim - 1] - at[ndim - 1], end - i);
      f(p, n);
      i += n;
      if (i < end) advance(n, at, p);
    }
  }

  /// Calls f(pointers) for each element of [begin, end) in C order.
  template <class F>
  void each(std::int64_t begin, std::int64_t end, F&& f) const {
    each_run(begin, end, [&](Pointers p, std::int64_t n) {
      for (; n > 0; --n) {
        f(p);
        for (int k = 0; k < N; ++k) p[k] += strides_[k].back();
      }
    });
  }

 private:
  void append(const std::array<const View*, N>& views, std::size_t d) {
    const std::int64_t extent = views[0]->shape[d];
    if (extent == 1) return;
    bool merges = !shape_.empty();
    for (int k = 0; merges && k < N; ++k) merges = strides_[k].back() == views[k]->strides[d] * extent;
    if (merges) {
      shape_.back() *= extent;
    } else {
      shape_.push_back(extent);
    }
    for (int k = 0; k < N; ++k) {
      if (!merges) strides_[k].push_back(0);
      strides_[k].back() = views[k]->strides[d];
    }
  }

  void advance(std::int64_t n, Dims& at, Pointers& p) const {
    std::size_t d = shape_.size() - 1;
    at[d] += n;
    for (int k = 0; k < N; ++k) p[k] += n * strides_[k][d];
    while (at[d] == shape_[d]) {  // the caller has elements left, so this ends before d underflows
      for (int k = 0; k < N; ++k) p[k] += strides_[k][d - 1] - at[d] * strides_[k][d];
      at[d] = 0;
      ++at[--d];
    }
  }

  Pointers base_;
  Dims shape_;
  std::array<Dims, N> strides_;
  std::int64_t size_ = 1;
};

}  // namespace cuprum::cpu
