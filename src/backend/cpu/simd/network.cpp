// A bitonic sorting network whose wires are vectors: a comparator is one minimum and one maximum, and no
// branch depends on the data. Runs of 16 are sorted in registers; a merge of two runs compares mirrored
// positions, then distances p / 2, p / 4, ..., two of them per pass over memory and the last four in
// registers. Each half is finished before the next is begun, so that it stays in the first-level cache.
// Positions beyond n count as infinite: a comparator with one does nothing.
#include "backend/cpu/simd/network.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace cuprum::CUPRUM_SIMD_LEVEL {

namespace {

// A comparator of one vector register; kNetworkBytes / sizeof(Register) of them compare a whole position.
// Registers of 32 bytes even where there are larger ones: for 2500 positions 1.7 ns per key instead of 3.5,
// as twice as many fit in the cache.
#if defined(__AVX2__)
using Register = __m256i;
Register load(const void* p) { return _mm256_load_si256(static_cast<const __m256i*>(p)); }
void store(void* p, Register v) { _mm256_store_si256(static_cast<__m256i*>(p), v); }
template <class U>
void exchange(Register& a, Register& b) {
  const Register x = a, y = b;
  if constexpr (sizeof(U) == 4) {
    a = _mm256_min_epu32(x, y);
    b = _mm256_max_epu32(x, y);
  } else {
#if defined(__AVX512VL__)
    a = _mm256_min_epu64(x, y);
    b = _mm256_max_epu64(x, y);
#else
    const Register sign = _mm256_set1_epi64x(INT64_MIN);
    const Register swap = _mm256_cmpgt_epi64(_mm256_xor_si256(x, sign), _mm256_xor_si256(y, sign));
    a = _mm256_blendv_epi8(x, y, swap);
    b = _mm256_blendv_epi8(y, x, swap);
#endif
  }
}
#else
typedef uint64_t Register __attribute__((vector_size(16), may_alias));
Register load(const void* p) { return *static_cast<const Register*>(p); }
void store(void* p, Register v) { *static_cast<Register*>(p) = v; }
template <class U>
void exchange(Register& a, Register& b) {
  typedef U Lanes __attribute__((vector_size(16), may_alias));
  const Lanes x = reinterpret_cast<Lanes>(a), y = reinterpret_cast<Lanes>(b);
  a = reinterpret_cast<Register>(x < y ? x : y);
  b = reinterpret_cast<Register>(x < y ? y : x);
}
#endif

constexpr int kRun = 16;

/// One column of registers: position i lies at data + i * kNetworkBytes.
template <class U>
class Columns {
 public:
  Columns(unsigned char* data, int64_t n) : data_(data), n_(n) {}

  /// Sorts the positions [begin, begin + length), of which only those below n exist; length is a power of
  /// two.
  void sort(int64_t begin, int64_t length) const {
    if (length <= kRun) return sort_run(begin);
    const int64_t half = length / 2;
    sort(begin, half);
    if (begin + half >= n_) return;
    sort(begin + half, half);
    merge(begin, half);
  }

 private:
  unsigned char* at(int64_t i) const { return data_ + i * kNetworkBytes; }

  void exchange_at(int64_t i, int64_t j) const {
    Register a = load(at(i)), b = load(at(j));
    exchange<U>(a, b);
    store(at(i), a);
    store(at(j), b);
  }

  /// Up to 16 positions in registers.
  template <class F>
  void in_registers(int64_t begin, F&& f) const {
    Register r[kRun];
    const int count = static_cast<int>(n_ - begin < kRun ? n_ - begin : kRun);
    if (count == kRun) {
#pragma GCC unroll 16
      for (int i = 0; i < kRun; ++i) r[i] = load(at(begin + i));
      f(r);
#pragma GCC unroll 16
      for (int i = 0; i < kRun; ++i) store(at(begin + i), r[i]);
    } else {
      Register infinite;
      __builtin_memset(&infinite, 0xff, sizeof(infinite));
      for (int i = 0; i < kRun; ++i) r[i] = i < count ? load(at(begin + i)) : infinite;
      f(r);
      for (int i = 0; i < count; ++i) store(at(begin + i), r[i]);
    }
  }

  void sort_run(int64_t begin) const {
    in_registers(begin, [](Register* r) {
      merge_in_registers<1>(r);
      merge_in_registers<2>(r);
      merge_in_registers<4>(r);
      merge_in_registers<8>(r);
    });
  }

  template <int p>
  static void merge_in_registers(Register* r) {
#pragma GCC unroll 16
    for (int i = 0; i < kRun; ++i) {
      if ((i & p) == 0) exchange<U>(r[i], r[i ^ (2 * p - 1)]);
    }
    clean_in_registers<p / 2>(r);
  }

  /// Comparators of distance k, k / 2, ..., 1.
  template <int k>
  static void clean_in_registers(Register* r) {
    if constexpr (k > 0) {
#pragma GCC unroll 16
      for (int i = 0; i < kRun; ++i) {
        if ((i & k) == 0) exchange<U>(r[i], r[i + k]);
      }
      clean_in_registers<k / 2>(r);
    }
  }

  void merge(int64_t begin, int64_t half) const {
    const int64_t last = begin + 2 * half - 1;
    for (int64_t i = last - (n_ - 1 < last ? n_ - 1 : last) + begin; i < begin + half; ++i) {
      exchange_at(i, last - (i - begin));
    }
    clean(begin, half);
    clean(begin + half, half);
  }

  /// Sorts a bitonic sequence.
  void clean(int64_t begin, int64_t length) const {
    if (begin >= n_) return;
    if (length == kRun) {
      return in_registers(begin, [](Register* r) { clean_in_registers<kRun / 2>(r); });
    }
    if (length == 2 * kRun) {
      exchange_range(begin, kRun);
      clean(begin, kRun);
      return clean(begin + kRun, kRun);
    }
    const int64_t k = length / 4;
    if (begin + length <= n_) {
      for (int64_t i = begin; i < begin + k; ++i) exchange_four(i, k);
    } else {
      exchange_range(begin, 2 * k);
      exchange_range(begin, k);
      exchange_range(begin + 2 * k, k);
    }
    for (int part = 0; part < 4; ++part) clean(begin + part * k, k);
  }

  void exchange_range(int64_t begin, int64_t k) const {
    for (int64_t i = begin; i < begin + k && i + k < n_; ++i) exchange_at(i, i + k);
  }

  void exchange_four(int64_t i, int64_t k) const {
    Register a = load(at(i)), b = load(at(i + k)), c = load(at(i + 2 * k)), d = load(at(i + 3 * k));
    exchange<U>(a, c);
    exchange<U>(b, d);
    exchange<U>(a, b);
    exchange<U>(c, d);
    store(at(i), a);
    store(at(i + k), b);
    store(at(i + 2 * k), c);
    store(at(i + 3 * k), d);
  }

  unsigned char* data_;
  int64_t n_;
};

template <class U>
void sort_all(U* keys, int64_t n) {
  int64_t length = kRun;
  while (length < n) length *= 2;
  for (int part = 0; part < kNetworkBytes; part += sizeof(Register)) {
    Columns<U>(reinterpret_cast<unsigned char*>(keys) + part, n).sort(0, length);
  }
}

}  // namespace

void sort_columns32(uint32_t* keys, int64_t n) { sort_all(keys, n); }
void sort_columns64(uint64_t* keys, int64_t n) { sort_all(keys, n); }

}  // namespace cuprum::CUPRUM_SIMD_LEVEL
