#include "codegen/reduce_shape.h"

#include <algorithm>
#include <bit>

#include "core/integers.h"
#include "device/space.cuh"

namespace cuprum::cuda {

namespace {

using device::kBlock;
using device::kQuad;

constexpr std::int64_t kFill = 128 * 1024;  // threads that keep a large device busy
constexpr std::int64_t kWave =
    1024;  // blocks of a reduction that is shared: two full waves of 4 on 132 multiprocessors
constexpr std::int64_t kWork = 16;  // items that a thread should have before more blocks share a result

std::int64_t power_above(std::int64_t n) {
  return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(std::max<std::int64_t>(n, 1))));
}
int log2_of(std::int64_t power) { return std::countr_zero(static_cast<std::uint64_t>(power)); }

/// Several blocks for each result, when `blocks` alone do not fill the device. `steps`: items of a thread.
void split(ReduceShape& s, std::int64_t total, std::int64_t threads) {
  std::int64_t splits = 1;
  if (s.blocks <= kWave / 2) {
    splits = std::clamp<std::int64_t>(total / (threads * kWork), 1, ceil_div(kWave, s.blocks));
  }
  s.part = ceil_div(ceil_div(total, splits), threads) * threads;
  s.splits = static_cast<int>(ceil_div(total, s.part));
}

/// Up to a warp, a thread takes 4 items of a short result; up to a block, 16 of a long one. When there are few results,
/// a thread takes fewer.
void cut_rows(ReduceShape& s) {
  s.row_items = ceil_div(s.inner, kQuad);
  s.items = s.row_items * s.major;
  std::int64_t width = std::min<std::int64_t>(power_above(ceil_div(s.items, 4)), 32);
  if (s.items > 32 * kWork) width = std::min<std::int64_t>(power_above(ceil_div(s.items, kWork)), kBlock);
  while (width < kBlock && width < s.items && s.results * width < kFill) width *= 2;
  s.shift = log2_of(width);
  s.blocks = ceil_div(s.results, kBlock / width);
  if (width == kBlock) {
    split(s, s.items, width);
  } else {
    s.part = s.items;
  }
}

/// At most 8 thread rows, of 4 rows each at least; more where there are few columns.
void cut_columns(ReduceShape& s) {
  s.row_items = ceil_div(s.inner, kQuad);
  s.items = s.row_items * (s.results / s.inner);
  std::int64_t height = std::min<std::int64_t>(power_above(ceil_div(s.major, 4)), 8);
  const std::int64_t width = std::min<std::int64_t>(kBlock / height, power_above(s.items));
  height = kBlock / width;
  s.shift = log2_of(width);
  s.blocks = ceil_div(s.items, width);
  split(s, s.major, height);
}

}  // namespace

ReduceShape reduce_shape(const Kernel& kernel, bool in_order) {
  ReduceShape s;
  const auto rank = static_cast<int>(kernel.shape.size());
  for (int d = 0; d < rank; ++d) (kernel.reduced >> d & 1 ? s.count : s.results) *= kernel.shape[d];
  if (in_order) {
    s.form = Form::serial;
    s.items = s.part = s.count;
    s.blocks = std::min<std::int64_t>(ceil_div(s.results, kBlock), 1 << 30);
    return s;
  }
  const bool rows = rank == 0 || (kernel.reduced >> (rank - 1) & 1);
  s.form = rows ? Form::rows : Form::columns;
  int first = rank;
  while (first > 0 && (first == rank || (kernel.merged >> (first - 1) & 1))) s.inner *= kernel.shape[--first];
  s.inner_dims = rank - first;
  if (rows) {
    s.major = s.count / s.inner;
    cut_rows(s);
  } else {
    s.major = s.count;
    cut_columns(s);
  }
  return s;
}

}  // namespace cuprum::cuda
