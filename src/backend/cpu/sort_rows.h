// How the rows of a sort are shared out: many rows in parallel, eight or four of one block side by side in
// vector lanes, or the parts of one long row.
#pragma once

#include <algorithm>
#include <cstring>

#include "backend/cpu/copies.h"
#include "backend/cpu/simd/network.h"
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

/// Neighbouring rows of one length, `count` of them.
struct RowBlock {
  RowRef in, out;                      // the first row
  std::int64_t in_stride, out_stride;  // bytes from row to row
  std::int64_t n;
  int count;
};

/// Rows of up to this length are sorted in blocks: a block then fits in the second-level cache.
inline constexpr std::int64_t kMaxBlockRow = 8192;

/// Sorts all rows along the last axis. S says how:
///   static void row(RowRef in, RowRef out, std::int64_t n, int chunks)   one row, by `chunks` threads
///   static constexpr int kBlock                                          rows of a block, 0: no blocks
///   static bool block(const RowBlock&)                                   a block; false: row by row, please
template <class S>
class RowSorter {
 public:
  RowSorter(const View& in, const View& out)
      : n_(in.shape.back()),
        in_step_(in.strides.back()),
        out_step_(out.strides.back()),
        rows_({&in, &out}, in.shape.size() - 1) {}

  void run() const {
    constexpr std::int64_t kParallelLength = 1 << 16;  // shorter rows are not worth the hand-over
    constexpr int kMaxChunks = 16, kRound = S::kBlock > 0 ? S::kBlock : 1;
    if (n_ == 0 || rows_.size() == 0) return;
    if (n_ >= kParallelLength && rows_.size() < 2 * num_threads()) {
      return range(0, rows_.size(), std::min(num_threads(), kMaxChunks));
    }
    const std::int64_t grain = std::max<std::int64_t>(1, kParallelLength / n_ / kRound) * kRound;
    parallel_for((rows_.size() + grain - 1) / grain, [&](std::int64_t task) {
      range(task * grain, std::min(rows_.size(), (task + 1) * grain), 1);
    });
  }

 private:
  void range(std::int64_t begin, std::int64_t end, int chunks) const {
    rows_.each_run(begin, end, [&](auto p, std::int64_t count) {
      RowBlock block{{p[0], in_step_}, {p[1], out_step_}, rows_.step(0), rows_.step(1), n_, 0};
      while (count > 0) {
        block.count = static_cast<int>(std::min<std::int64_t>(count, std::max(1, S::kBlock)));
        if (!sort_together(block)) sort_each(block, chunks);
        block.in.data += block.count * block.in_stride;
        block.out.data += block.count * block.out_stride;
        count -= block.count;
      }
    });
  }

  static bool sort_together(const RowBlock& block) {
    if constexpr (S::kBlock > 0) {
      return block.count * 2 >= S::kBlock && block.n <= kMaxBlockRow && S::block(block);
    }
    return false;
  }

  static void sort_each(const RowBlock& block, int chunks) {
    for (int r = 0; r < block.count; ++r) {
      S::row({block.in.data + r * block.in_stride, block.in.step},
             {block.out.data + r * block.out_stride, block.out.step}, block.n, chunks);
    }
  }

  std::int64_t n_, in_step_, out_step_;
  Space<2> rows_;
};

/// Copies of kBytes each, one per position, between places that lie `to_step` and `from_step` bytes apart.
template <int kBytes>
void copy_positions(std::int64_t n, std::byte* to, std::int64_t to_step, const std::byte* from,
                    std::int64_t from_step) {
  constexpr std::int64_t kAhead =
      16;  // each position may be a page of its own, which the hardware does not foresee
  for (std::int64_t i = 0; i < n; ++i) {
    __builtin_prefetch(from + (i + kAhead) * from_step);
    std::memcpy(to + i * to_step, from + i * from_step, kBytes);
  }
}

/// Loads a block: position i of all its rows side by side, kLanes elements of T.
template <class T, int kLanes>
void load_columns(const RowBlock& b, T* columns) {
  constexpr int kSize = sizeof(T), kBytes = kSize * kLanes;
  std::byte* to = reinterpret_cast<std::byte*>(columns);
  if (b.count < kLanes) std::memset(to, 0, static_cast<std::size_t>(b.n) * kBytes);
  if (b.count == kLanes && b.in_stride == kSize) {
    copy_positions<kBytes>(b.n, to, kBytes, b.in.data, b.in.step);
  } else {
    copies().tile(kSize, {b.count, b.n, to, kSize, kBytes, b.in.data, b.in_stride, b.in.step});
  }
}

template <class T, int kLanes>
void store_columns(const RowBlock& b, const T* columns) {
  constexpr int kSize = sizeof(T), kBytes = kSize * kLanes;
  const std::byte* from = reinterpret_cast<const std::byte*>(columns);
  if (b.count == kLanes && b.out_stride == kSize) {
    copy_positions<kBytes>(b.n, b.out.data, b.out.step, from, kBytes);
  } else {
    copies().tile(kSize, {b.count, b.n, b.out.data, b.out_stride, b.out.step, from, kSize, kBytes});
  }
}

}  // namespace cuprum::cpu
