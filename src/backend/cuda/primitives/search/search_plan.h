// How a search in a sorted row is laid out: with a guide or without, and what lies in shared memory (search_kernels.cuh).
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "cuprum/dtype.h"

namespace cuprum::cuda::primitives {

struct SearchPlan {
  unsigned buckets = 0;  // of the guide; 0: every value is searched for in the whole row
  bool near = false;     // the row and its guide lie in shared memory
  unsigned copies =
      0;  // of each counter in shared memory; 0: counters are in global memory, or there are none
  std::size_t shared_bytes = 0;
};

/// Dtypes whose values a line can be drawn through, those that searches are wanted in.
inline bool has_line(dtype type) { return !is_complex(type) && itemsize(type) >= 4; }

/// `n` elements in the row, `size` values, `intervals` counters (0: none), `shared` bytes for a block at most; `beside`
/// bytes for each element that is near.
inline SearchPlan plan_search(dtype type, std::int64_t n, std::int64_t size, std::int64_t intervals,
                              std::size_t shared, std::size_t beside = 0) {
  constexpr std::int64_t kFewValues = 1 << 15, kMaxRow = (std::int64_t{1} << 26) - 1;
  constexpr unsigned kMaxBuckets = 1u << 24;  // 64 MiB, more than the caches hold
  constexpr std::size_t kCopies = std::size_t{16} << 10, kMaxCounters = std::size_t{48} << 10;
  SearchPlan plan;
  if (!has_line(type) || n < 2 || n > kMaxRow || size < kFewValues || size < n) return plan;
  const std::size_t counters = intervals > 0 ? static_cast<std::size_t>(intervals + 2) * 4 : 0;
  if (counters > 0 && counters <= kMaxCounters) {
    plan.copies = 1;
    while (plan.copies < 32 && counters * plan.copies * 2 <= kCopies) plan.copies *= 2;
    plan.shared_bytes = counters * plan.copies;
  }
  // Several times more buckets than elements: most searches then take one step or none. Near if two blocks fit a
  // multiprocessor.
  const auto few = static_cast<unsigned>(n);
  plan.buckets = std::max(256u, std::bit_ceil(4 * few));
  const std::size_t bytes =
      static_cast<std::size_t>(n) * (itemsize(type) + beside) + std::size_t{plan.buckets} * 4;
  plan.near = 2 * (bytes + plan.shared_bytes + 1024) <= shared;
  if (plan.near) {
    plan.shared_bytes += bytes;
  } else {
    plan.buckets = std::clamp(std::bit_ceil(size >= 8 * n ? 2 * few : few), 256u, kMaxBuckets);
  }
  return plan;
}

}  // namespace cuprum::cuda::primitives
