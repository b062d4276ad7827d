// Where the elements of a few equally shaped views lie: what kernels over strided memory are given.
//
// Dimensions are merged as far as all views allow, so that contiguous arrays of any shape are one dimension and cost no
// division. Small enough to be a kernel argument; a view that needs more dimensions is copied first (views.h).
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "kernels/types.h"
#include "runtime/program.h"

namespace cuprum::cuda::primitives {

inline constexpr int kLayoutDims = 8;

/// Division by a number that the host knows. Dividends below 2^31 take a multiplication, larger ones the division.
struct Divider {
  std::uint64_t divisor = 1;
  std::uint32_t magic = 0, shift = 0;

  Divider() = default;
  explicit Divider(std::int64_t by) : divisor(static_cast<std::uint64_t>(by)) {
    if (divisor == 0 || divisor > (std::uint64_t{1} << 31)) return;
    shift = static_cast<std::uint32_t>(std::bit_width(divisor - 1));
    magic = static_cast<std::uint32_t>(
        (std::uint64_t{1} << 32) * ((std::uint64_t{1} << shift) - divisor) / divisor + 1);
  }

  /// `narrow`: n < 2^31, and so is the divisor.
  CUPRUM_FN std::int64_t quotient(std::int64_t n, bool narrow) const {
    if (!narrow) return static_cast<std::int64_t>(static_cast<std::uint64_t>(n) / divisor);
    const std::uint32_t u = static_cast<std::uint32_t>(n);
    const std::uint32_t high = static_cast<std::uint32_t>(static_cast<std::uint64_t>(u) * magic >> 32);
    return (high + u) >> shift;
  }
};

/// Do indices below `size` take the short division?
inline bool is_narrow(std::int64_t size) { return size < (std::int64_t{1} << 31); }

/// Byte offsets of N views for a position of their C order.
template <int N>
struct Layout {
  int ndim = 1;
  bool narrow = true;
  std::int64_t size = 1;
  std::int64_t shape[kLayoutDims] = {1};
  Divider by[kLayoutDims];
  std::int64_t strides[N][kLayoutDims] = {};

  CUPRUM_FN void offsets(std::int64_t i, std::int64_t (&to)[N]) const {
    for (int k = 0; k < N; ++k) to[k] = 0;
    for (int d = ndim - 1; d > 0; --d) {
      const std::int64_t quotient = by[d].quotient(i, narrow), rest = i - quotient * shape[d];
      for (int k = 0; k < N; ++k) to[k] += rest * strides[k][d];
      i = quotient;
    }
    for (int k = 0; k < N; ++k) to[k] += i * strides[k][0];
  }

  /// Are the elements of view k one run without gaps?
  bool is_run(int k, std::int64_t itemsize) const {
    return size == 1 || (ndim == 1 && strides[k][0] == itemsize);
  }
};

/// The dimensions [first, last) of the views, whose shapes agree there; a null view is not read (all strides 0).
/// False when more than kLayoutDims remain.
template <int N>
bool make_layout(const std::array<const View*, N>& views, std::size_t first, std::size_t last,
                 Layout<N>& layout) {
  layout = {};
  layout.ndim = 0;
  const View* shaped = nullptr;
  for (const View* view : views) shaped = shaped ? shaped : view;
  const auto stride = [&](int k, std::size_t d) { return views[k] ? views[k]->strides[d] : 0; };
  for (std::size_t d = first; d < last; ++d) {
    const std::int64_t extent = shaped->shape[d];
    layout.size *= extent;
    if (extent == 1) continue;
    const int last_dim = layout.ndim - 1;
    bool merges = layout.ndim > 0;
    for (int k = 0; merges && k < N; ++k) merges = layout.strides[k][last_dim] == stride(k, d) * extent;
    if (!merges && layout.ndim == kLayoutDims) return false;
    const int at = merges ? last_dim : layout.ndim++;
    layout.shape[at] = merges ? layout.shape[at] * extent : extent;
    for (int k = 0; k < N; ++k) layout.strides[k][at] = stride(k, d);
  }
  if (layout.ndim == 0) {
    layout.ndim = 1;
    layout.shape[0] = 1;
  }
  for (int d = 0; d < layout.ndim; ++d) layout.by[d] = Divider(layout.shape[d]);
  layout.narrow = is_narrow(layout.size);
  return true;
}

}  // namespace cuprum::cuda::primitives
