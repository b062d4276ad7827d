// Reductions along short rows, many of them: the last axis of points, colours, distances to a few centres. A row alone fills no
// vector, so a block of rows is *turned* first: line r then has element r of every row, and lines are folded whole, every row in
// the order of reduce_loops.h. (argmin of rows of 4 float64 in the cache: 3.3 ns a row instead of 21, AVX-512; any of rows of 8 bools: 1.8
// instead of 15.)
//
// Squares are turned in registers, by log2 rounds of interleaving the first half of the rows with the second (as in tile.cpp).
// They reach past the end of a row, so that any length is turned alike. Loads by index would be shorter to write, and take 1.7 ns
// an element where the processor guards them against Downfall.
#pragma once

#include "backend/cpu/reduce_loops.h"
#include "backend/cpu/simd/elements.h"
#include "backend/cpu/simd/register_bytes.h"
#include "kernels/fold_blocks.h"

namespace cuprum::CUPRUM_SIMD_LEVEL {

inline constexpr int64 kLeastTurned = 8;  // rows: fewer are not worth it

/// Registers of `bytes` bytes, with units of `unit` bytes to interleave.
template <int unit, int bytes>
struct Interleave;
#define CUPRUM_INTERLEAVE(unit, bytes, word, low, high)                                     \
  template <>                                                                               \
  struct Interleave<unit, bytes> {                                                          \
    typedef word Row __attribute__((vector_size(bytes)));                                   \
    static Row lo(Row a, Row b) { return __builtin_shufflevector(a, b, CUPRUM_LIST low); }  \
    static Row hi(Row a, Row b) { return __builtin_shufflevector(a, b, CUPRUM_LIST high); } \
  };
#define CUPRUM_LIST(...) __VA_ARGS__
CUPRUM_INTERLEAVE(1, 16, kernels::uint8, (0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23),
                  (8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31))
CUPRUM_INTERLEAVE(2, 16, kernels::uint16, (0, 8, 1, 9, 2, 10, 3, 11), (4, 12, 5, 13, 6, 14, 7, 15))
CUPRUM_INTERLEAVE(4, 16, kernels::uint32, (0, 4, 1, 5), (2, 6, 3, 7))
CUPRUM_INTERLEAVE(4, 32, kernels::uint32, (0, 8, 1, 9, 2, 10, 3, 11), (4, 12, 5, 13, 6, 14, 7, 15))
CUPRUM_INTERLEAVE(4, 64, kernels::uint32, (0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23),
                  (8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31))
CUPRUM_INTERLEAVE(8, 16, kernels::uint64, (0, 2), (1, 3))
CUPRUM_INTERLEAVE(8, 32, kernels::uint64, (0, 4, 1, 5), (2, 6, 3, 7))
CUPRUM_INTERLEAVE(8, 64, kernels::uint64, (0, 8, 1, 9, 2, 10, 3, 11), (4, 12, 5, 13, 6, 14, 7, 15))
CUPRUM_INTERLEAVE(16, 16, kernels::uint64, (0, 1), (2, 3))
CUPRUM_INTERLEAVE(16, 32, kernels::uint64, (0, 1, 4, 5), (2, 3, 6, 7))
CUPRUM_INTERLEAVE(16, 64, kernels::uint64, (0, 1, 8, 9, 2, 3, 10, 11), (4, 5, 12, 13, 6, 7, 14, 15))
#undef CUPRUM_LIST
#undef CUPRUM_INTERLEAVE

/// Turns rows of units that follow each other in memory.
template <int unit>
struct Squares {
  static constexpr int kBytes = unit < 4 ? 16 : kRegisterBytes;
  static constexpr int kSide = kBytes / unit;
  using Shuffle = Interleave<unit, kBytes>;
  using Row = typename Shuffle::Row;

  /// to[r * to_line + i] = from[i * length + r] in units, for i < kSide and at least r < length: lines up to the next multiple of
  /// kSide are written, from units behind the row.
  CUPRUM_FN static void turn(int64 length, char* to, int64 to_line, const char* from) {
    for (int64 first = 0; first < length; first += kSide) {
      Row rows[kSide], next[kSide];
#pragma GCC unroll 16
      for (int i = 0; i < kSide; ++i) __builtin_memcpy(&rows[i], from + (i * length + first) * unit, kBytes);
#pragma GCC unroll 4
      for (int round = 1; round < kSide; round *= 2) {
#pragma GCC unroll 8
        for (int i = 0; i < kSide / 2; ++i) {
          next[2 * i] = Shuffle::lo(rows[i], rows[i + kSide / 2]);
          next[2 * i + 1] = Shuffle::hi(rows[i], rows[i + kSide / 2]);
        }
#pragma GCC unroll 16
        for (int i = 0; i < kSide; ++i) rows[i] = next[i];
      }
#pragma GCC unroll 16
      for (int i = 0; i < kSide; ++i) __builtin_memcpy(to + (first + i) * to_line, &rows[i], kBytes);
    }
  }
};

/// A block of rows of `length` units, turned; a unit is `count` elements of type T, each with a result of its own.
template <class T, int count = 1>
class Turned {
 public:
  static constexpr int kUnit = count * sizeof(T);
  static constexpr int64 kMost = 256 / kUnit;       // rows of a block
  static constexpr int64 kVector = 64 / sizeof(T);  // elements that are folded at once

  static bool takes(int64 rows, int64 length) {
    return rows >= kLeastTurned && length > 1 && length <= kShortRows;
  }

  explicit Turned(int64 length) : length_(length) {}

  T* line(int64 r) { return lines_[r]; }
  /// Elements of a line, and some behind them: whole vectors.
  int64 size() const { return size_; }

  /// Turns `rows` rows, at most kMost, of the `left` that follow each other at p.
  void turn(int64 rows, int64 left, const T* p) {
    constexpr int64 side = Squares<kUnit>::kSide;
    size_ = (rows * count + kVector - 1) / kVector * kVector;
    for (int64 i = 0; i < rows; i += side) {
      const auto* from = reinterpret_cast<const char*>(p + i * length_ * count);
      alignas(64) char padded[(side * kShortRows + side) * kUnit];
      const int64 whole = (side - 1) * length_ + (length_ + side - 1) / side * side;  // units that are read
      if (i * length_ + whole > left * length_) {
        const int64 bytes = (left - i < side ? left - i : side) * length_ * kUnit;
        __builtin_memcpy(padded, from, static_cast<unsigned long>(bytes));
        __builtin_memset(padded + bytes, 0, static_cast<unsigned long>(whole * kUnit - bytes));
        from = padded;
      }
      Squares<kUnit>::turn(length_, reinterpret_cast<char*>(lines_[0] + i * count), sizeof lines_[0], from);
    }
  }

  /// f(i) for i < size(), in vectors.
  template <class F>
  CUPRUM_FN void each(const F& f) const {
    for (int64 at = 0; at < size_; at += kVector) {
      CUPRUM_VECTORIZE
      for (int64 i = 0; i < kVector; ++i) f(at + i);
    }
  }

  /// Folds the lines in halves: the result is the first.
  template <class Fold>
  void fold() {
    int64 half = 1;
    while (2 * half < length_) half *= 2;
    fold_onto<Fold>(length_ - half, half);
    for (half /= 2; half > 0; half /= 2) fold_onto<Fold>(half, half);
  }

 private:
  template <class Fold>
  CUPRUM_FN void fold_onto(int64 lines, int64 distance) {
    for (int64 r = 0; r < lines; ++r) {
      T* a = lines_[r];
      const T* b = lines_[r + distance];
      each([&](int64 i) __attribute__((always_inline)) { a[i] = Fold()(a[i], b[i]); });
    }
  }

  int64 length_, size_ = 0;
  alignas(64) T lines_[kShortRows][kMost * count];
};

/// Calls f(block, at, n) with the rows turned, n of them from row `at` on.
template <int count, class T, class F>
CUPRUM_FN void each_turned(int64 rows, int64 length, const T* p, const F& f) {
  Turned<T, count> block(length);
  for (int64 at = 0, n = 0; at < rows; at += n) {
    n = rows - at < block.kMost ? rows - at : block.kMost;
    block.turn(n, rows - at, p + at * length * count);
    f(block, at, n);
  }
}

/// Folds short rows. False: these are others. A tree of reduce_loops.h has 16 groups or more of so few columns, and folds rows in
/// halves as long as there are no more than two for each group.
template <class Fold, int count, class T>
void fold_short_rows(int64 rows, int64 length, const T* p, T* to) {
  each_turned<count>(rows, length, p, [&](auto& block, int64 at, int64 n) {
    block.template fold<Fold>();
    __builtin_memcpy(to + at * count, block.line(0), static_cast<unsigned long>(n) * block.kUnit);
  });
}
template <class Fold, int count, class T>
CUPRUM_FN bool fold_turned(int64 rows, int64 length, const T* p, T* to) {
  if (!Turned<T, count>::takes(rows, length)) return false;  // asked by every block of a sum: without a call
  fold_short_rows<Fold, count>(rows, length, p, to);
  return true;
}

}  // namespace cuprum::CUPRUM_SIMD_LEVEL
