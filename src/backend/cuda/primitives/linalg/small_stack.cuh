// What the kernels of small.h share: how a stack is laid out for them, and how its matrices are shared out to lanes.
#pragma once

#include <array>
#include <vector>

#include "backend/cuda/primitives/common/layout.h"
#include "backend/cuda/primitives/common/words.cuh"
#include "backend/cuda/primitives/linalg/number.cuh"
#include "backend/cuda/primitives/linalg/small.h"

namespace cuprum::cuda::primitives {

inline constexpr int kSmallThreads = 128;

/// Where the matrices of N views lie. A null view is not touched.
template <int N>
struct SmallStack {
  MatrixAt matrix[N];
  Layout<N> batch;

  /// The matrices of one place of the stack.
  struct Matrices {
    MatrixAt of[N];
    __device__ const MatrixAt& operator[](int k) const { return of[k]; }
  };
  __device__ Matrices at(std::int64_t i) const {
    std::int64_t offsets[N];
    batch.offsets(i, offsets);
    Matrices m;
    for (int k = 0; k < N; ++k) m.of[k] = matrix[k].behind(offsets[k]);
    return m;
  }
};

/// Views as kernels take them: an operand with more dimensions than a Layout has, or elements that are not aligned, is copied. Results lie in C
/// order, so that their dimensions merge.
template <int N>
class SmallViews {
 public:
  /// The first `operands` of the views are read, the others are results.
  SmallViews(Context& context, std::array<const View*, N> views, int operands, std::size_t ndim) {
    for (int k = 0; k < operands; ++k) {
      if (views[k] && !is_aligned(*views[k])) views[k] = &dense(context, *views[k]);
    }
    if (!make_layout<N>(views, 0, ndim, stack_.batch)) {
      for (int k = 0; k < operands; ++k) {
        if (views[k]) views[k] = &dense(context, *views[k]);
      }
      make_layout<N>(views, 0, ndim, stack_.batch);
    }
    for (int k = 0; k < N; ++k) stack_.matrix[k] = views[k] ? matrix_at(*views[k], ndim) : MatrixAt{};
  }
  const SmallStack<N>& stack() const { return stack_; }

 private:
  /// A single dimension behind the stack is a row, none an element.
  static MatrixAt matrix_at(const View& view, std::size_t ndim) {
    const std::size_t core = view.shape.size() - ndim;
    return {bytes(view.data), core == 2 ? view.strides[ndim] : 0, core > 0 ? view.strides.back() : 0};
  }
  const View& dense(Context& context, const View& view) {
    copies_.push_back(std::make_unique<Dense>(context, view));
    return copies_.back()->view();
  }

  std::vector<std::unique_ptr<Dense>> copies_;
  SmallStack<N> stack_;
};

/// Which matrix this lane works on, N lanes each. Lanes behind the last one repeat it and write nothing: shuffles need whole warps.
template <int N>
struct Lane {
  int lane = threadIdx.x % N;
  std::int64_t number;
  bool writes;
  __device__ explicit Lane(std::int64_t count) {
    number = std::int64_t{blockIdx.x} * (kSmallThreads / N) + threadIdx.x / N;
    writes = number < count;
    if (!writes) number = count - 1;
  }
};

/// f(number of the padded side) with 8, 16 or 32.
template <class F>
void with_side(std::int64_t side, F&& f) {
  if (side <= 8) return f(std::integral_constant<int, 8>());
  if (side <= 16) return f(std::integral_constant<int, 16>());
  f(std::integral_constant<int, 32>());
}

/// Blocks for `count` matrices of N lanes each.
inline unsigned small_blocks(std::int64_t count, int lanes) {
  return block_count(count, kSmallThreads / lanes);
}

}  // namespace cuprum::cuda::primitives
