// Merges the states of a sequence two by two, like the digits of a binary counter: a state that stands for 2^k entries waits
// until the next 2^k have become one state too. The tree depends on the length of the sequence alone, and a part
// of 2^k entries that starts at a multiple of 2^k is a subtree: threads may take such parts and merge their results
// in a second cascade without changing a bit.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "backend/cpu/reduce_loops.h"

namespace cuprum::cpu {

/// The states from index i on.
inline States at(const States& states, std::int64_t i) {
  return {states.data, states.stride, states.first + i};
}

inline void copy_states(const ReduceLoops& loops, std::int64_t n, const States& to, const States& from) {
  for (int p = 0; p < loops.planes; ++p) {
    const std::int64_t size = loops.state_bytes[p];
    std::memcpy(to.data + p * to.stride + to.first * size, from.data + p * from.stride + from.first * size,
                static_cast<std::size_t>(n * size));
  }
}

/// Hands out memory from one block that was measured with a first pass over the same requests (data == nullptr).
class Arena {
 public:
  explicit Arena(std::byte* data) : data_(data) {}

  std::byte* take(std::int64_t bytes) {
    std::byte* block = data_ ? data_ + used_ : nullptr;
    used_ += (bytes + 63) & ~std::int64_t{63};
    return block;
  }
  States states(const ReduceLoops& loops, std::int64_t n, int planes) {
    const int largest = *std::max_element(loops.state_bytes, loops.state_bytes + kMaxPlanes);
    const std::int64_t stride = (n * largest + 63) & ~std::int64_t{63};
    return {take(planes * stride), stride, 0};
  }
  std::int64_t used() const { return used_; }

 private:
  std::byte* data_;
  std::int64_t used_ = 0;
};

class Cascade {
 public:
  Cascade() = default;
  /// For sequences of up to `length` entries of up to n states each.
  Cascade(const ReduceLoops& loops, std::int64_t n, std::int64_t length, Arena& arena)
      : loops_(&loops), capacity_(n) {
    levels_ = 1;
    while (!loops.exact && std::int64_t{1} << (levels_ - 1) < length) ++levels_;
    memory_ = arena.states(loops, n * (levels_ + 1), loops.planes);
  }

  /// Starts a sequence of entries of n states each.
  void reset(std::int64_t n) {
    n_ = n;
    for (int i = 0; i < levels_; ++i) count_[i] = 0;
    for (int i = 0; i <= levels_; ++i) slot_[i] = i;
  }

  /// Where the next entry's states are to be written before `push`.
  States next() const { return at(memory_, slot_[levels_] * capacity_); }

  void push(const States& states, std::int64_t count) {
    copy_states(*loops_, n_, next(), states);
    push(count);
  }

  /// Enters what was written to next(), which stands for `count` elements each.
  void push(std::int64_t count) {
    int level = 0;
    for (; count_[level] != 0; ++level) {
      loops_->merge(n_, level_states(level), count_[level], next(), count);
      count += count_[level];
      if (loops_->exact) {
        count_[level] = count;
        return;
      }
      count_[level] = 0;
      std::swap(slot_[level], slot_[levels_]);
    }
    count_[level] = count;
    std::swap(slot_[level], slot_[levels_]);
  }

  /// Merges all entries; the number of elements goes to `count`. The states live until the next push.
  States collapse(std::int64_t& count) {
    count = 0;
    int held = -1;
    for (int level = 0; level < levels_; ++level) {
      if (count_[level] == 0) continue;
      if (held >= 0) loops_->merge(n_, level_states(level), count_[level], level_states(held), count);
      count += count_[level];
      held = level;
    }
    return level_states(held);
  }

 private:
  States level_states(int level) const { return at(memory_, slot_[level] * capacity_); }

  const ReduceLoops* loops_ = nullptr;
  std::int64_t capacity_ = 0;
  std::int64_t n_ = 0;
  int levels_ = 0;
  States memory_ = {};
  std::int64_t count_[64];  // elements that each level stands for; 0: empty
  int slot_[65];            // which part of memory_ belongs to each level; the last one is free
};

}  // namespace cuprum::cpu
