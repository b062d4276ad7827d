// Sorting up to 256 keys (64-bit ones: 128; with AVX2 64 and 32) in registers, and four times as many in the first-level
// cache, as runs that are merged.
//
// Keys are a matrix of a power of two of registers ("rows") whose columns are lanes. A network of comparators between
// rows, a minimum and a maximum each, sorts the columns; then pairs of neighbouring columns are merged, pairs of those,
// and so on: first each position with its mirror image, then those that are half as far apart, and so on, which needs
// shuffles only while the distance is more than a column. Last, columns are written one after the other.
#pragma once

#include "backend/cpu/simd/key_lanes.h"
#include "kernels/types.h"

#ifdef CUPRUM_KEY_LANES

namespace cuprum::CUPRUM_SIMD_LEVEL {

/// All of it is one function (CUPRUM_FN): only then are its registers registers. (Else 256 keys take 0.5 ns each, not 0.35.)
template <class U, int kRows>
struct KeyNetwork {
  using L = Lanes<U>;
  using R = typename L::Register;

  static CUPRUM_FN void sort(R* v) {
    sort_columns<kRows>(v);
    merge_columns<1>(v);
    write_by_columns(v);
  }

  /// Sorts keys that rise and then fall, row by row.
  static CUPRUM_FN void clean(R* v) {
    clean_rows<kRows / 2>(v);
    clean_lanes<L::kCount / 2>(v);
  }

  static CUPRUM_FN void exchange(R& a, R& b) {
    const R low = L::min(a, b);
    b = L::max(a, b);
    a = low;
  }

 private:
  /// Batcher's odd-even merge sort of the rows.
  template <int n>
  static CUPRUM_FN void sort_columns(R* v) {
    if constexpr (n > 1) {
      sort_columns<n / 2>(v);
      sort_columns<n / 2>(v + n / 2);
      merge_rows<n, 1>(v);
    }
  }
  template <int n, int step>
  static CUPRUM_FN void merge_rows(R* v) {
    if constexpr (step * 2 < n) {
      merge_rows<n, step * 2>(v);
      merge_rows<n, step * 2>(v + step);
#pragma GCC unroll 16
      for (int i = step; i + step < n; i += step * 2) exchange(v[i], v[i + step]);
    } else if constexpr (step < n) {
      exchange(v[0], v[step]);
    }
  }

  /// Runs are `columns` wide and become twice as wide, until there is one.
  template <int columns>
  static CUPRUM_FN void merge_columns(R* v) {
    if constexpr (columns < L::kCount) {
      mirror<columns>(v);
      clean_lanes<columns / 2>(v);
      clean_rows<kRows / 2>(v);
      merge_columns<columns * 2>(v);
    }
  }
  template <int columns>
  static CUPRUM_FN void mirror(R* v) {
    constexpr int kFlip = 2 * columns - 1;
    if constexpr (kRows == 1) {
      const R other = L::template flip<kFlip>(v[0]);
      v[0] = L::template order<columns>(v[0], other);
    } else {
#pragma GCC unroll 16
      for (int i = 0; i < kRows / 2; ++i) {
        R &a = v[i], &b = v[kRows - 1 - i];
        const R far_a = L::template flip<kFlip>(a), far_b = L::template flip<kFlip>(b);
        a = L::template order<columns>(a, far_b);
        b = L::template order<columns>(b, far_a);
      }
    }
  }
  template <int distance>
  static CUPRUM_FN void clean_lanes(R* v) {
    if constexpr (distance > 0) {
#pragma GCC unroll 16
      for (int i = 0; i < kRows; ++i) {
        const R other = L::template flip<distance>(v[i]);
        v[i] = L::template order<distance>(v[i], other);
      }
      clean_lanes<distance / 2>(v);
    }
  }
  template <int distance>
  static CUPRUM_FN void clean_rows(R* v) {
    if constexpr (distance > 0) {
#pragma GCC unroll 16
      for (int i = 0; i < kRows; ++i) {
        if ((i & distance) == 0) exchange(v[i], v[i + distance]);
      }
      clean_rows<distance / 2>(v);
    }
  }

  /// Perfect shuffles of all keys: each takes the highest bit of a row's number to the end of a lane's.
  static CUPRUM_FN void write_by_columns(R* v) {
#pragma GCC unroll 8
    for (int done = 1; done < kRows; done *= 2) {
      R next[kRows];
#pragma GCC unroll 16
      for (int i = 0; i < kRows / 2; ++i) {
        next[2 * i] = L::interleave_low(v[i], v[i + kRows / 2]);
        next[2 * i + 1] = L::interleave_high(v[i], v[i + kRows / 2]);
      }
#pragma GCC unroll 16
      for (int i = 0; i < kRows; ++i) v[i] = next[i];
    }
  }
};

/// How keys of a dtype are made of the bits of values, and values of keys (kernels/sort_key.h).
template <class U>
struct KeyCode {
  U positive, negative;  // what values without and with a sign are XORed with
  U infinity;            // magnitudes above it are NaN, whose key is the largest

  static constexpr U kSign = U{1} << (sizeof(U) * 8 - 1);
  static KeyCode none() { return {0, 0, kSign - 1}; }
};

/// The same in registers; passed by value, as stores could change what lies in memory.
template <class U>
class KeyCoder {
  using L = Lanes<U>;
  using R = typename L::Register;
  using Mask = typename L::Mask;

 public:
  explicit KeyCoder(KeyCode<U> code)
      : positive_(L::all(code.positive)),
        negative_(L::all(code.negative)),
        to_positive_(positive_),
        to_negative_(negative_),
        infinity_(L::all(code.infinity)),
        sign_(L::all(KeyCode<U>::kSign)),
        largest_(L::all(static_cast<U>(~U{0}))) {}

  /// One that leaves keys as they are.
  KeyCoder encoding_alone() const {
    KeyCoder coder = *this;
    coder.to_positive_ = coder.to_negative_ = L::all(0);
    return coder;
  }

  /// `ambiguous` collects NaN and -0.0.
  CUPRUM_FN R encode(R x, Mask& ambiguous) const {
    const Mask nan = L::above(x & ~sign_, infinity_);
    ambiguous = L::either(ambiguous, L::either(nan, L::equal(x, sign_)));
    return L::choose(nan, largest_, x ^ L::choose(L::negative(x), negative_, positive_));
  }
  /// The first n lanes, 0 < n < kCount; the others become the largest key. `any` is the bits of some value among them.
  CUPRUM_FN R encode_some(int n, R x, U any, Mask& ambiguous) const {
    return L::choose(L::first(n), encode(L::choose(L::first(n), x, L::all(any)), ambiguous), largest_);
  }
  CUPRUM_FN R decode(R key) const { return key ^ L::choose(L::negative(key), to_positive_, to_negative_); }

 private:
  R positive_, negative_, to_positive_, to_negative_;  // what values and keys are XORed with
  R infinity_, sign_, largest_;
};

/// The most keys that registers hold.
inline constexpr int kMaxNetworkRows = CUPRUM_KEY_LANES == 512 ? 16 : 8;
template <class U>
inline constexpr int kMaxInRegisters = kMaxNetworkRows* Lanes<U>::kCount;

template <bool kEncode, class U, int kRows>
bool sort_rows_in_registers(KeyCoder<U> coder, const U* from, U* to, int n) {
  using L = Lanes<U>;
  typename L::Mask ambiguous = L::first(0);
  typename L::Register v[kRows];
#pragma GCC unroll 16
  for (int i = 0; i < kRows; ++i) {
    const int left = n - i * L::kCount;
    if (left >= L::kCount) {
      v[i] = L::load(from + i * L::kCount);
      if constexpr (kEncode) v[i] = coder.encode(v[i], ambiguous);
    } else if (left > 0) {
      v[i] = L::load_some(from + i * L::kCount, left);
      if constexpr (kEncode) v[i] = coder.encode_some(left, v[i], from[0], ambiguous);
    } else {
      v[i] = L::all(static_cast<U>(~U{0}));
    }
  }
  KeyNetwork<U, kRows>::sort(v);
#pragma GCC unroll 16
  for (int i = 0; i < kRows; ++i) {
    const int left = n - i * L::kCount;
    if (left >= L::kCount) {
      L::store(to + i * L::kCount, coder.decode(v[i]));
    } else if (left > 0) {
      L::store_some(to + i * L::kCount, left, coder.decode(v[i]));
    }
  }
  return L::any(ambiguous);
}

/// Sorts n keys, or values of which it makes keys first, and writes their values. Both may be the same memory. Returns
/// whether there was a NaN or -0.0.
template <bool kEncode, class U>
bool sort_in_registers(KeyCoder<U> coder, const U* from, U* to, int n) {
  constexpr int kLanes = Lanes<U>::kCount;
  if (n <= kLanes) return sort_rows_in_registers<kEncode, U, 1>(coder, from, to, n);
  if (n <= 2 * kLanes) return sort_rows_in_registers<kEncode, U, 2>(coder, from, to, n);
  if (n <= 4 * kLanes) return sort_rows_in_registers<kEncode, U, 4>(coder, from, to, n);
  if (kMaxNetworkRows == 8 || n <= 8 * kLanes)
    return sort_rows_in_registers<kEncode, U, 8>(coder, from, to, n);
  return sort_rows_in_registers<kEncode, U, kMaxNetworkRows>(coder, from, to, n);
}

/// Runs of kMaxInRegisters keys that are merged: a pass over them costs less than partitions of so few keys, whose branches
/// nobody can foresee. Whole rows of up to eight runs (1000 keys of 64 bits: 1.3 ns each, with a partition 1.6), and parts
/// that a partition has left of up to four (of eight: 10000 keys take a tenth longer).
template <class U>
inline constexpr int kMaxMerged = 8 * kMaxInRegisters<U>;
template <class U>
inline constexpr int kMaxMergedPart = 4 * kMaxInRegisters<U>;

template <class U>
class RunMerge {
  using L = Lanes<U>;
  using R = typename L::Register;
  static constexpr int kRows = kMaxNetworkRows, kRun = kMaxInRegisters<U>;

 public:
  /// As sort_in_registers, for n <= kMaxMerged.
  template <bool kEncode>
  static __attribute__((noinline)) bool sort(KeyCoder<U> coder, const U* from, U* to, int n) {
    if (n <= kRun) return sort_in_registers<kEncode>(coder, from, to, n);
    alignas(64) U runs[kMaxMerged<U>];
    const KeyCoder<U> run_coder = kEncode ? coder.encoding_alone() : KeyCoder<U>(KeyCode<U>::none());
    int room = 2 * kRun;
    while (room < n) room *= 2;
    bool ambiguous = false;
    for (int i = 0; i < room; i += kRun) {
      const int size = n - i < kRun ? n - i : kRun;
      if (size > 0) ambiguous |= sort_in_registers<kEncode>(run_coder, from + i, runs + i, size);
      for (int k = size > 0 ? size : 0; k < kRun; ++k) runs[i + k] = static_cast<U>(~U{0});
    }
    for (int size = 2 * kRun; size <= room; size *= 2) {
      for (int i = 0; i < room; i += size) {
        mirror(runs + i, size);
        clean(runs + i, size / 2);
        clean(runs + i + size / 2, size / 2);
      }
    }
    int i = 0;
    for (; i + L::kCount <= n; i += L::kCount) L::store(to + i, coder.decode(L::load(runs + i)));
    if (i < n) L::store_some(to + i, n - i, coder.decode(L::load(runs + i)));
    return ambiguous;
  }

 private:
  /// Compares each of n keys, two ascending runs, with its mirror image.
  static void mirror(U* keys, int n) {
    constexpr int kReverse = L::kCount - 1;
    for (int i = 0, j = n - L::kCount; i < j; i += L::kCount, j -= L::kCount) {
      R a = L::load(keys + i), b = L::template flip<kReverse>(L::load(keys + j));
      KeyNetwork<U, 1>::exchange(a, b);
      L::store(keys + i, a);
      L::store(keys + j, L::template flip<kReverse>(b));
    }
  }
  static void exchange(U* keys, int distance) {
    for (int i = 0; i < distance; i += L::kCount) {
      R a = L::load(keys + i), b = L::load(keys + i + distance);
      KeyNetwork<U, 1>::exchange(a, b);
      L::store(keys + i, a);
      L::store(keys + i + distance, b);
    }
  }
  /// Sorts n keys that rise and then fall, or fall and then rise.
  static void clean(U* keys, int n) {
    if (n == kRun) return clean_run(keys);
    exchange(keys, n / 2);
    clean(keys, n / 2);
    clean(keys + n / 2, n / 2);
  }
  static void clean_run(U* keys) {
    R v[kRows];
#pragma GCC unroll 16
    for (int i = 0; i < kRows; ++i) v[i] = L::load(keys + i * L::kCount);
    KeyNetwork<U, kRows>::clean(v);
#pragma GCC unroll 16
    for (int i = 0; i < kRows; ++i) L::store(keys + i * L::kCount, v[i]);
  }
};

}  // namespace cuprum::CUPRUM_SIMD_LEVEL

#endif  // CUPRUM_KEY_LANES
