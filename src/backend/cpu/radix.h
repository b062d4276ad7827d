// Radix sort, least significant digit first: stable, free of branches, the same time for every distribution.
//
// Digits have 8 bits: the 256 write positions of a pass stay in the first-level cache and the translation
// buffers, and four such passes over 1e7 32-bit keys (68 ms on one thread) beat three of 11 bits (113 ms,
// with write-combining buffers 75 ms). A digit that is the same in all keys is skipped. With several chunks
// each pass counts and moves them in parallel; a stable sort has one result only, so it does not depend on
// their number.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "backend/cpu/threads.h"

namespace cuprum::cpu {

/// A key with what it carries: an index, or the bits of the value.
struct KeyedItem {
  std::uint64_t key;
  std::uint64_t item;
};

template <class E>
std::uint64_t radix_key(E element) {
  return element;
}
template <>
inline std::uint64_t radix_key(KeyedItem element) {
  return element.key;
}

template <class E>
class RadixSort {
 public:
  /// Sorts n elements by the bits [low_bit, low_bit + 8 * digits) of their keys, in `chunks` parallel parts.
  RadixSort(std::int64_t n, int low_bit, int digits, int chunks)
      : n_(n), low_bit_(low_bit), digits_(digits), chunks_(chunks), counts_(chunks * digits) {}

  /// `fill(begin, end)` writes a[begin, end). Returns where the sorted elements are: a or b, both of n
  /// elements.
  template <class Fill>
  E* operator()(E* a, E* b, Fill&& fill) {
    for (Counts& c : counts_) c.fill(0);
    each_chunk(
        [&](int chunk, std::int64_t begin, std::int64_t end) { fill_and_count(a, chunk, begin, end, fill); });
    bool counted = true;  // the counts of the chunks are those of the elements as they lie now
    for (int digit = 0; digit < digits_; ++digit) {
      if (is_constant(digit)) continue;
      const int shift = low_bit_ + 8 * digit;
      if (!counted && chunks_ > 1) count_again(a, digit, shift);
      counts_to_positions(digit);
      each_chunk([&](int chunk, std::int64_t begin, std::int64_t end) {
        Counts& position = counts(chunk, digit);
        for (std::int64_t i = begin; i < end; ++i) b[position[radix_key(a[i]) >> shift & 255]++] = a[i];
      });
      std::swap(a, b);
      counted = false;
    }
    return a;
  }

  template <class F>
  void each_chunk(F&& f) const {
    if (chunks_ == 1) return f(0, std::int64_t(0), n_);
    parallel_for(chunks_,
                 [&](std::int64_t c) { f(static_cast<int>(c), n_ * c / chunks_, n_ * (c + 1) / chunks_); });
  }

 private:
  using Counts = std::array<std::int64_t, 256>;
  static constexpr std::int64_t kBlock = 2048;  // elements that are counted while they are in the cache

  Counts& counts(int chunk, int digit) { return counts_[chunk * digits_ + digit]; }

  template <class Fill>
  void fill_and_count(E* a, int chunk, std::int64_t begin, std::int64_t end, Fill& fill) {
    for (; begin < end; begin += kBlock) {
      const std::int64_t stop = std::min(end, begin + kBlock);
      fill(begin, stop);
      for (int digit = 0; digit < digits_; ++digit)
        count(a, begin, stop, low_bit_ + 8 * digit, counts(chunk, digit));
    }
  }

  static void count(const E* a, std::int64_t begin, std::int64_t end, int shift, Counts& counts) {
    for (std::int64_t i = begin; i < end; ++i) ++counts[radix_key(a[i]) >> shift & 255];
  }

  void count_again(const E* a, int digit, int shift) {
    each_chunk([&](int chunk, std::int64_t begin, std::int64_t end) {
      counts(chunk, digit).fill(0);
      count(a, begin, end, shift, counts(chunk, digit));
    });
  }

  bool is_constant(int digit) {
    for (int value = 0; value < 256; ++value) {
      std::int64_t total = 0;
      for (int chunk = 0; chunk < chunks_; ++chunk) total += counts(chunk, digit)[value];
      if (total != 0) return total == n_;
    }
    return true;
  }

  void counts_to_positions(int digit) {
    std::int64_t position = 0;
    for (int value = 0; value < 256; ++value) {
      for (int chunk = 0; chunk < chunks_; ++chunk) {
        position += std::exchange(counts(chunk, digit)[value], position);
      }
    }
  }

  std::int64_t n_;
  int low_bit_, digits_, chunks_;
  std::vector<Counts> counts_;
};

}  // namespace cuprum::cpu
