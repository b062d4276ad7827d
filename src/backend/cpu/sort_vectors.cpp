#include "backend/cpu/sort_vectors.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

#include "backend/cpu/scratch.h"
#include "backend/cpu/simd/vector_sort.h"
#include "backend/cpu/threads.h"

namespace cuprum::cpu {

namespace {

/// A row that several threads cut into parts.
class LongRow {
 public:
  LongRow(dtype type, std::int64_t n, const void* in, void* out, void* spare, int chunks)
      : type_(type),
        size_(static_cast<std::int64_t>(itemsize(type))),
        n_(n),
        chunks_(chunks),
        range_(std::clamp<std::int64_t>(n / (4 * chunks), 1 << 13, 1 << 17)),
        memory_{static_cast<std::byte*>(const_cast<void*>(in)), static_cast<std::byte*>(out),
                static_cast<std::byte*>(spare)} {}

  bool sort() {
    if (is_ascending()) {
      copy();
      return false;
    }
    parts_ = {{0, n_, kIn}};
    for (std::int64_t most = 1; most < 2 * chunks_; most *= kSortParts) cut();
    parallel_for(static_cast<std::int64_t>(parts_.size()), [&](std::int64_t i) {
      const Part& part = parts_[i];
      CUPRUM_CALL_LEVEL(sort_keys(type_, part.size, at(part.where, part.begin),
                                  at(other(part.where), part.begin), at(kOut, part.begin)));
    });
    return ambiguous_;
  }

 private:
  enum Where { kIn, kOut, kSpare };
  struct Part {
    std::int64_t begin, size;
    Where where;
  };
  /// A range of a part, and what it has for each of the smaller parts.
  struct Range {
    std::size_t part;
    std::int64_t begin, size;
    std::array<std::int64_t, kSortParts> counts{}, starts{}, ends{};
  };
  using Pivots = std::array<std::uint64_t, kSortParts - 1>;

  static Where other(Where where) { return where == kSpare ? kOut : kSpare; }
  std::byte* at(Where where, std::int64_t i) const { return memory_[where] + i * size_; }

  bool is_ascending() const {
    std::atomic<bool> ascending{true};
    const std::int64_t ranges = (n_ + range_ - 1) / range_;
    parallel_for(ranges, [&](std::int64_t i) {
      if (!ascending.load(std::memory_order_relaxed)) return;
      const std::int64_t begin = i * range_, end = std::min(n_, begin + range_ + 1);
      if (!CUPRUM_CALL_LEVEL(is_sorted(type_, end - begin, at(kIn, begin))))
        ascending.store(false, std::memory_order_relaxed);
    });
    return ascending;
  }

  void copy() const {
    parallel_for((n_ + range_ - 1) / range_, [&](std::int64_t i) {
      const std::int64_t begin = i * range_, size = std::min(range_, n_ - begin);
      std::memcpy(at(kOut, begin), at(kIn, begin), static_cast<std::size_t>(size * size_));
    });
  }

  /// Cuts what is longer than a thread should have at once: the row, or parts of it.
  void cut() {
    std::vector<Pivots> pivots(parts_.size());
    std::vector<Range> ranges;
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      const Part& part = parts_[p];
      if (part.size <= n_ / (4 * chunks_) && part.where != kIn) continue;
      CUPRUM_CALL_LEVEL(
          choose_pivots(type_, part.where != kIn, part.size, at(part.where, part.begin), pivots[p].data()));
      for (std::int64_t i = 0; i < part.size; i += range_)
        ranges.push_back({p, part.begin + i, std::min(range_, part.size - i)});
    }
    parallel_for(static_cast<std::int64_t>(ranges.size()), [&](std::int64_t i) {
      Range& r = ranges[i];
      const Where where = parts_[r.part].where;
      CUPRUM_CALL_LEVEL(count_parts(type_, where != kIn, r.size, at(where, r.begin), pivots[r.part].data(),
                                    r.counts.data()));
    });
    std::vector<Part> cut_parts = place(ranges);
    parallel_for(static_cast<std::int64_t>(ranges.size()), [&](std::int64_t i) {
      const Range& r = ranges[i];
      const Where where = parts_[r.part].where;
      if (CUPRUM_CALL_LEVEL(move_parts(type_, where != kIn, r.size, at(where, r.begin), pivots[r.part].data(),
                                       at(other(where), 0), r.starts.data(), r.ends.data())))
        ambiguous_.store(true, std::memory_order_relaxed);
    });
    parts_ = std::move(cut_parts);
  }

  /// Where each range moves its keys; the smaller parts, and those that are not cut.
  std::vector<Part> place(std::vector<Range>& ranges) const {
    std::vector<Part> result;
    std::size_t first = 0;
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      std::size_t last = first;
      while (last < ranges.size() && ranges[last].part == p) ++last;
      if (first == last) {
        result.push_back(parts_[p]);
        continue;
      }
      std::int64_t next = parts_[p].begin;
      for (int k = 0; k < kSortParts; ++k) {
        const std::int64_t begin = next;
        for (std::size_t i = first; i < last; ++i) {
          ranges[i].starts[k] = next;
          ranges[i].ends[k] = next += ranges[i].counts[k];
        }
        if (next > begin) result.push_back({begin, next - begin, other(parts_[p].where)});
      }
      first = last;
    }
    return result;
  }

  const dtype type_;
  const std::int64_t size_, n_;
  const int chunks_;
  const std::int64_t range_;  // elements that a task counts or moves
  const std::array<std::byte*, 3> memory_;
  std::vector<Part> parts_;
  std::atomic<bool> ambiguous_{false};
};

}  // namespace

bool sorts_by_vectors(dtype type) {
  return !is_complex(type) && itemsize(type) >= 4 && CUPRUM_CALL_LEVEL(has_vector_sort());
}

bool sort_by_vectors(dtype type, std::int64_t n, const void* in, void* out, int chunks) {
  const std::int64_t size = static_cast<std::int64_t>(itemsize(type));
  if (n <= CUPRUM_CALL_LEVEL(most_without_spare(static_cast<int>(size))))
    return CUPRUM_CALL_LEVEL(sort_values(type, n, in, out, nullptr));
  const Scratch<std::byte> spare(n * size);
  if (chunks == 1) return CUPRUM_CALL_LEVEL(sort_values(type, n, in, out, spare.data()));
  return LongRow(type, n, in, out, spare.data(), chunks).sort();
}

}  // namespace cuprum::cpu
