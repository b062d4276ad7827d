// Partition of long rows by the digits of their sort keys; short rows, and rows with many positions, are sorted.
//
// 1. Count the elements of a range by the highest digit of their keys.
// 2. The digits that hold the wanted positions cut the range into segments: smaller, equal, between, equal, ..., greater.
//    Every element moves to its segment; the order within a segment stays, so that the number of threads decides nothing.
// 3. The same again, with the next digit, for each segment of equal digits, until it is short and is sorted.
// All elements are moved once, and few of them more often (1e7 float32, the median: 15 ms; by sorting 55).
#include "backend/cpu/partition.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "backend/cpu/backend.h"
#include "backend/cpu/copies.h"
#include "backend/cpu/scratch.h"
#include "backend/cpu/sort.h"
#include "backend/cpu/sort_key.h"
#include "backend/cpu/space.h"
#include "backend/cpu/threads.h"

namespace cuprum::cpu {

namespace {

constexpr std::int64_t kLongRow = 1 << 15;  // shorter ones are sorted
constexpr std::size_t kMostPositions = 16;
constexpr int kDigitBits = 11, kDigits = 1 << kDigitBits;
constexpr std::int64_t kChunk = 1 << 16;  // elements that are counted together
constexpr std::int64_t kShortRange = 2048;

using Positions = std::vector<std::int64_t>;

/// Partition of one row of keys K.
template <class K>
class RowPartition {
  using U = typename K::Bits;

 public:
  /// `to` = `from` partitioned; kth ascending. The two do not overlap.
  void run(const U* from, U* to, std::int64_t n, const Positions& kth) {
    split(from, to, n, kth, static_cast<int>(sizeof(U) * 8));
  }

 private:
  /// The digit of a key of which `bits` bits are not decided yet.
  struct Digit {
    explicit Digit(int bits) : shift(std::max(0, bits - kDigitBits)), mask(mask_of(bits)) {}
    int operator()(U x) const { return static_cast<int>(K::encode(x) >> shift & mask); }
    static U mask_of(int bits) {
      return static_cast<U>((std::uint64_t{1} << std::min({bits, kDigitBits, int(sizeof(U) * 8)})) - 1);
    }
    int shift;
    U mask;
  };

  /// Calls f(chunk, i) for the elements of every chunk in order. A task has four chunks, one step of each in turn: neighbours
  /// often count in the same place, and would wait for each other.
  template <class F>
  static void each_chunk(std::int64_t n, F&& f) {
    constexpr std::int64_t kTurns = 4;
    parallel_for((n + kTurns * kChunk - 1) / (kTurns * kChunk), [&](std::int64_t task) {
      const std::int64_t first = task * kTurns, start = first * kChunk;
      if (start + kTurns * kChunk <= n) {
        for (std::int64_t i = start; i < start + kChunk; ++i) {
          for (std::int64_t t = 0; t < kTurns; ++t) f(first + t, i + t * kChunk);
        }
      } else {
        for (std::int64_t i = start; i < n; ++i) f(i / kChunk, i);
      }
    });
  }

  void split(const U* from, U* to, std::int64_t n, const Positions& kth, int bits) {
    if (n <= kShortRange || bits == 0) {
      std::copy(from, from + n, to);
      if (bits != 0) std::sort(to, to + n, [](U a, U b) { return K::encode(a) < K::encode(b); });
      return;
    }
    const Digit digit(bits);
    const std::int64_t chunks = (n + kChunk - 1) / kChunk;
    std::vector<std::int64_t> counts(chunks * kDigits);
    each_chunk(n, [&](std::int64_t c, std::int64_t i) { ++counts[c * kDigits + digit(from[i])]; });
    Segments segments(counts, chunks, kth);
    each_chunk(n, [&](std::int64_t c, std::int64_t i) {
      to[segments.positions(c)[segments.of_digit[digit(from[i])]]++] = from[i];
    });
    for (std::size_t s = 0; s < segments.wanted.size(); ++s) refine(to, segments, s, digit.shift);
  }

  /// Segments of a range: 2 k is what lies before the k-th digit that is wanted, 2 k + 1 what has that digit.
  struct Segments {
    Segments(const std::vector<std::int64_t>& counts, std::int64_t chunks, const Positions& kth)
        : of_digit(kDigits) {
      std::vector<std::int64_t> total(kDigits);
      for (std::int64_t c = 0; c < chunks; ++c) {
        for (int d = 0; d < kDigits; ++d) total[d] += counts[c * kDigits + d];
      }
      std::int64_t before = 0;
      std::size_t k = 0;
      for (int d = 0; d < kDigits; ++d) {
        Positions here;
        for (; k < kth.size() && kth[k] < before + total[d]; ++k) here.push_back(kth[k] - before);
        of_digit[d] = static_cast<unsigned char>(2 * wanted.size() + !here.empty());
        if (!here.empty()) wanted.push_back({before, total[d], std::move(here)});
        before += total[d];
      }
      count_ = 2 * wanted.size() + 1;
      place(counts, chunks);
    }

    std::int64_t* positions(std::int64_t chunk) { return positions_.data() + chunk * count_; }

    struct Wanted {
      std::int64_t begin, size;
      Positions kth;  // within the segment
    };
    std::vector<unsigned char> of_digit;
    std::vector<Wanted> wanted;

   private:
    /// Where each chunk writes the elements of each segment: behind those of the chunks before it.
    void place(const std::vector<std::int64_t>& counts, std::int64_t chunks) {
      positions_.assign(chunks * count_, 0);
      for (std::int64_t c = 0; c < chunks; ++c) {
        for (int d = 0; d < kDigits; ++d) positions(c)[of_digit[d]] += counts[c * kDigits + d];
      }
      std::int64_t next = 0;
      for (std::size_t s = 0; s < count_; ++s) {
        for (std::int64_t c = 0; c < chunks; ++c) {
          const std::int64_t size = positions(c)[s];
          positions(c)[s] = next;
          next += size;
        }
      }
    }

    std::size_t count_;
    std::vector<std::int64_t> positions_;
  };

  /// The s-th segment of equal digits, in place.
  void refine(U* to, const Segments& segments, std::size_t s, int bits) {
    const auto& segment = segments.wanted[s];
    if (bits == 0) return;  // all are equal
    const Scratch<U> copy(segment.size);
    std::copy(to + segment.begin, to + segment.begin + segment.size, copy.data());
    split(copy.data(), to + segment.begin, segment.size, segment.kth, bits);
  }
};

template <class K>
void partition_rows(const View& in, const Positions& kth, const View& out) {
  using U = typename K::Bits;
  const std::int64_t n = in.shape.back(), in_step = in.strides.back(), out_step = out.strides.back();
  constexpr std::int64_t size = sizeof(U);
  const auto dense = [](const std::byte* p, std::int64_t step) {
    return step == size && reinterpret_cast<std::uintptr_t>(p) % size == 0;
  };
  const Space<2> rows({&in, &out}, in.shape.size() - 1);
  rows.each(0, rows.size(), [&](auto p) {
    const bool plain_in = dense(p[0], in_step), plain_out = dense(p[1], out_step);
    const Scratch<U> from(plain_in ? 0 : n), to(plain_out ? 0 : n);
    if (!plain_in) copies().tile(size, {1, n, from.data(), 0, size, p[0], 0, in_step});
    U* result = plain_out ? reinterpret_cast<U*>(p[1]) : to.data();
    RowPartition<K>().run(plain_in ? reinterpret_cast<const U*>(p[0]) : from.data(), result, n, kth);
    if (!plain_out) copies().tile(size, {1, n, p[1], 0, out_step, result, 0, size});
  });
}

}  // namespace

void partition(const View& in, const Dims& kth, const View& out) {
  if (is_complex(in.type) || in.shape.back() < kLongRow || kth.size() > kMostPositions) return sort(in, out);
  const Positions positions(kth.begin(), kth.end());
  with_key(in.type, [&](auto key) { partition_rows<decltype(key)>(in, positions, out); });
}

void call(const Partition& p, Operands in, const View& out) { partition(in[0], p.kth, out); }

}  // namespace cuprum::cpu
