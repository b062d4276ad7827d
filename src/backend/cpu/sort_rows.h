// How the rows of a sort are shared out: many rows in parallel, or the parts of one long row.
#pragma once

#include <algorithm>
#include <cstring>

#include "backend/cpu/simd/rank.h"
#include "backend/cpu/space.h"
#include "backend/cpu/threads.h"

namespace cuprum::cpu {

/// One row in memory: element i lies at data + i * step.
struct RowRef {
  std::byte* data;
  std::int64_t step;

  template <class T>
  T load(std::int64_t i) const {
    T value;
    std::memcpy(&value, data + i * step, sizeof(T));
    return value;
  }
  template <class T>
  void store(std::int64_t i, T value) const {
    std::memcpy(data + i * step, &value, sizeof(T));
  }
  /// Can it be used as an array of T?
  template <class T>
  bool is_array_of() const {
    return step == sizeof(T) && reinterpret_cast<std::uintptr_t>(data) % alignof(T) == 0;
  }
};

/// Rows up to this length are sorted by ranks.
template <class U>
inline constexpr int kShortRow = sizeof(U) == 8 ? kMaxRanked64 : kMaxRanked32;
/// What the keys of short rows are ranked as.
template <class U>
using RankWord = std::conditional_t<sizeof(U) == 8, std::uint64_t, std::uint32_t>;

/// Calls sort_row(in, out, n, chunks) for every row along the last axis. chunks > 1 asks for a parallel sort of that row.
template <class F>
void each_sorted_row(const View& in, const View& out, F&& sort_row) {
  constexpr std::int64_t kParallelLength = 1 << 16;  // shorter rows are not worth the hand-over
  constexpr int kMaxChunks = 16;
  const std::size_t ndim = in.shape.size();
  const std::int64_t n = in.shape[ndim - 1];
  const Space<2> rows({&in, &out}, ndim - 1);
  if (n == 0 || rows.size() == 0) return;
  const std::int64_t in_step = in.strides[ndim - 1], out_step = out.strides[ndim - 1];
  const auto sort_range = [&](std::int64_t begin, std::int64_t end, int chunks) {
    rows.each(begin, end, [&](auto p) { sort_row(RowRef{p[0], in_step}, RowRef{p[1], out_step}, n, chunks); });
  };
  if (n >= kParallelLength && rows.size() < 2 * num_threads()) {
    sort_range(0, rows.size(), std::min(num_threads(), kMaxChunks));
    return;
  }
  const std::int64_t grain = std::max<std::int64_t>(1, kParallelLength / n);
  parallel_for((rows.size() + grain - 1) / grain, [&](std::int64_t task) {
    sort_range(task * grain, std::min(rows.size(), (task + 1) * grain), 1);
  });
}

}  // namespace cuprum::cpu
