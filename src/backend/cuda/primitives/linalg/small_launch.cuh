// Launches of the kernels of small.h: views laid out for them, and the version for a side.
#pragma once

#include <array>
#include <memory>
#include <type_traits>
#include <vector>

#include "backend/cuda/primitives/common/views.h"
#include "backend/cuda/primitives/common/words.cuh"
#include "backend/cuda/primitives/linalg/small.h"
#include "backend/cuda/primitives/linalg/small_stack.cuh"

namespace cuprum::cuda::primitives {

/// Views as kernels take them: an operand with more dimensions than a Layout has, or elements that are not
/// aligned, is copied. Results lie in C order, so that their dimensions merge.
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
