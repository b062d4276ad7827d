// Boolean masks without branches on single elements of the mask: a random one costs a misprediction for each otherwise. Where few
// elements are true, each costs one, and the rest is passed over eight at a time, unread; the masks of programs have long runs, and eight
// that are alike are moved or passed over at once (`z[m] = v` of 250 x 250 complex numbers within a circle: 42 us, so 12).
//
// The scalar loops store every element at the output's end and move the end only past the chosen ones, so
// they stop when `count` elements are out: a store beyond that would hit a neighbour thread's part. AVX-512
// does 16 (8) elements per step; it compresses in a register and stores whole vectors, since the compressing
// store is microcoded on Zen 4 (over 100 cycles).
#include "backend/cpu/simd/compress.h"

#include "backend/cpu/simd/elements.h"

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512VL__)
#include <immintrin.h>
#define CUPRUM_COMPRESS_AVX512
#endif

namespace cuprum::CUPRUM_SIMD_LEVEL {

namespace {

struct Word16 {
  uint64_t low, high;
};

template <class T>
T load(const unsigned char* p) {
  T value;
  __builtin_memcpy(&value, p, sizeof(T));
  return value;
}

template <class T>
void store(void* p, T value) {
  __builtin_memcpy(p, &value, sizeof(T));
}

/// At most one in sixteen: 4M float64 of which one in a thousand is true took 5.5 ms on one core, and take 0.9 (NumPy 1.4).
bool is_sparse(Run mask, int64_t n, int64_t count) { return mask.step == 1 && count <= n / 16; }

/// Calls f(i) for each true mask[i], in order.
template <class F>
void each_true(const unsigned char* mask, int64_t n, F&& f) {
  int64_t i = 0;
  for (; i + 8 <= n; i += 8) {
    const uint64_t word = load<uint64_t>(mask + i);
    if (word == 0) continue;
    constexpr uint64_t kLow = 0x7f7f7f7f7f7f7f7f;
    // The highest bit of every byte that is not zero.
    for (uint64_t bits = (((word & kLow) + kLow) | word) & ~kLow; bits != 0; bits &= bits - 1)
      f(i + __builtin_ctzll(bits) / 8);
  }
  for (; i < n; ++i) {
    if (mask[i] != 0) f(i);
  }
}

constexpr uint64_t kAllTrue = 0x0101010101010101;

template <class T>
void compress_scalar(Run in, Run mask, int64_t n, T* out, int64_t count) {
  int64_t i = 0, k = 0;
  if (is_sparse(mask, n, count))
    return each_true(mask.data, n, [&](int64_t j) { store(out + k++, load<T>(in.data + j * in.step)); });
  for (; mask.step == 1 && i + 8 <= n; i += 8) {
    const uint64_t word = load<uint64_t>(mask.data + i);
    if (word == 0) continue;
    if (word == kAllTrue) {
      for (int64_t j = i; j < i + 8; ++j) store(out + k++, load<T>(in.data + j * in.step));
      continue;
    }
    for (int64_t j = i; j < i + 8 && k < count; ++j) {
      store(out + k, load<T>(in.data + j * in.step));
      k += mask.data[j] != 0;
    }
  }
  for (; i < n && k < count; ++i) {
    store(out + k, load<T>(in.data + i * in.step));
    k += mask.data[i * mask.step] != 0;
  }
}

#ifdef CUPRUM_COMPRESS_AVX512

// Per element size: how to load 16 (8) elements and compress them, and how to move all or some of them. (The
// zero-masking conversions are there because gcc warns of the plain ones.)
template <int kSize>
struct Lanes;

template <>
struct Lanes<4> {
  static constexpr int kCount = 16;
  static __m512i compress(__mmask16 m, const void* p) {
    return _mm512_maskz_compress_epi32(m, _mm512_loadu_si512(p));
  }
  static void store(void* p, __m512i v) { _mm512_storeu_si512(p, v); }
  static void store_some(void* p, __mmask16 m, __m512i v) { _mm512_mask_storeu_epi32(p, m, v); }
  static __m512i load_some(__mmask16 m, const void* p) { return _mm512_maskz_loadu_epi32(m, p); }
  static __m512i expand(__mmask16 m, __m512i v) { return _mm512_maskz_expand_epi32(m, v); }
};

template <>
struct Lanes<8> {
  static constexpr int kCount = 8;
  static __m512i compress(__mmask8 m, const void* p) {
    return _mm512_maskz_compress_epi64(m, _mm512_loadu_si512(p));
  }
  static void store(void* p, __m512i v) { _mm512_storeu_si512(p, v); }
  static void store_some(void* p, __mmask8 m, __m512i v) { _mm512_mask_storeu_epi64(p, m, v); }
  static __m512i load_some(__mmask8 m, const void* p) { return _mm512_maskz_loadu_epi64(m, p); }
  static __m512i expand(__mmask8 m, __m512i v) { return _mm512_maskz_expand_epi64(m, v); }
};

template <>
struct Lanes<1> {  // bytes and words widen to 32 bits: compressing them directly needs VBMI2
  static constexpr int kCount = 16;
  static __m512i load_some(__mmask16 m, const void* p) {
    return _mm512_maskz_cvtepu8_epi32(0xffff, _mm_maskz_loadu_epi8(m, p));
  }
  static __m512i compress(__mmask16 m, const void* p) {
    return _mm512_maskz_compress_epi32(m, load_some(0xffff, p));
  }
  static __m512i expand(__mmask16 m, __m512i v) { return _mm512_maskz_expand_epi32(m, v); }
  static __m128i narrow(__m512i v) { return _mm512_maskz_cvtepi32_epi8(0xffff, v); }
  static void store(void* p, __m512i v) { _mm_storeu_si128(static_cast<__m128i*>(p), narrow(v)); }
  static void store_some(void* p, __mmask16 m, __m512i v) { _mm_mask_storeu_epi8(p, m, narrow(v)); }
};

template <>
struct Lanes<2> {
  static constexpr int kCount = 16;
  static __m512i load_some(__mmask16 m, const void* p) {
    return _mm512_maskz_cvtepu16_epi32(0xffff, _mm256_maskz_loadu_epi16(m, p));
  }
  static __m512i compress(__mmask16 m, const void* p) {
    return _mm512_maskz_compress_epi32(m, load_some(0xffff, p));
  }
  static __m512i expand(__mmask16 m, __m512i v) { return _mm512_maskz_expand_epi32(m, v); }
  static __m256i narrow(__m512i v) { return _mm512_maskz_cvtepi32_epi16(0xffff, v); }
  static void store(void* p, __m512i v) { _mm256_storeu_si256(static_cast<__m256i*>(p), narrow(v)); }
  static void store_some(void* p, __mmask16 m, __m512i v) { _mm256_mask_storeu_epi16(p, m, narrow(v)); }
};

template <int kCount>
unsigned mask_bits(const unsigned char* mask) {
  if constexpr (kCount == 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(mask));
    return _mm_test_epi8_mask(bytes, bytes);
  } else {
    const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(mask));
    return _mm_test_epi8_mask(bytes, bytes);
  }
}

template <class T>
void compress_contiguous(const unsigned char* in, const unsigned char* mask, int64_t n, T* out,
                         int64_t count) {
  using V = Lanes<sizeof(T)>;
  int64_t i = 0, k = 0;
  for (; i + V::kCount <= n; i += V::kCount) {
    const unsigned bits = mask_bits<V::kCount>(mask + i);
    if (bits == 0) continue;
    const __m512i chosen = V::compress(bits, in + i * sizeof(T));
    const int m = __builtin_popcount(bits);
    if (k + V::kCount <= count) {
      V::store(out + k, chosen);
    } else {
      V::store_some(out + k, (1u << m) - 1, chosen);
    }
    k += m;
  }
  const Run rest_in{const_cast<unsigned char*>(in) + i * sizeof(T), sizeof(T)};
  const Run rest_mask{const_cast<unsigned char*>(mask) + i, 1};
  compress_scalar(rest_in, rest_mask, n - i, out + k, count - k);
}

#endif

template <class T>
void compress(Run in, Run mask, int64_t n, void* out, int64_t count) {
#ifdef CUPRUM_COMPRESS_AVX512
  if constexpr (sizeof(T) <= 8) {
    if (in.step == sizeof(T) && mask.step == 1) {
      return compress_contiguous(in.data, mask.data, n, static_cast<T*>(out), count);
    }
  }
#endif
  compress_scalar(in, mask, n, static_cast<T*>(out), count);
}

/// A choice without a branch.
template <class T>
T choose(bool first, T a, T b) {
  if constexpr (sizeof(T) == 16) {
    return {choose(first, a.low, b.low), choose(first, a.high, b.high)};
  } else {
    const T bits = static_cast<T>(-static_cast<T>(first));
    return (a & bits) | (b & ~bits);
  }
}

template <class T>
void expand_scalar(Run to, Run mask, int64_t n, Run from, int64_t count) {
  int64_t i = 0, k = 0;
  const auto put = [&](int64_t j) { store(to.data + j * to.step, load<T>(from.data + k++ * from.step)); };
  const auto put_if_chosen = [&](int64_t j) {
    unsigned char* p = to.data + j * to.step;
    const bool chosen = mask.data[j * mask.step] != 0;
    store(p, choose(chosen, load<T>(from.data + k * from.step), load<T>(p)));
    k += chosen;
  };
  if (is_sparse(mask, n, count)) return each_true(mask.data, n, put);
  for (; mask.step == 1 && i + 8 <= n; i += 8) {
    const uint64_t word = load<uint64_t>(mask.data + i);
    if (word == 0) continue;
    if (word == kAllTrue) {
      for (int64_t j = i; j < i + 8; ++j) put(j);
    } else {
      for (int64_t j = i; j < i + 8 && k < count; ++j) put_if_chosen(j);
    }
  }
  for (; i < n && k < count; ++i) put_if_chosen(i);
}

template <class T>
void expand(Run to, Run mask, int64_t n, Run from, int64_t count) {
#ifdef CUPRUM_COMPRESS_AVX512
  if constexpr (sizeof(T) <= 8) {
    if (to.step == sizeof(T) && mask.step == 1 && from.step == sizeof(T)) {
      using V = Lanes<sizeof(T)>;
      int64_t i = 0, k = 0;
      for (; i + V::kCount <= n; i += V::kCount) {
        const unsigned bits = mask_bits<V::kCount>(mask.data + i);
        const int m = __builtin_popcount(bits);
        const __m512i next = V::load_some((1u << m) - 1, from.data + k * sizeof(T));
        V::store_some(to.data + i * sizeof(T), bits, V::expand(bits, next));
        k += m;
      }
      to.data += i * sizeof(T);
      mask.data += i;
      from.data += k * sizeof(T);
      n -= i;
      count -= k;
    }
  }
#endif
  expand_scalar<T>(to, mask, n, from, count);
}

template <class T>
void fill(Run to, Run mask, int64_t n, T value) {
  if (to.step == sizeof(T) && mask.step == 1) {
    CUPRUM_VECTORIZE
    for (int64_t i = 0; i < n; ++i) {
      unsigned char* p = to.data + i * sizeof(T);
      store(p, choose(mask.data[i] != 0, value, load<T>(p)));
    }
  } else {
    for (int64_t i = 0; i < n; ++i) {
      unsigned char* p = to.data + i * to.step;
      store(p, choose(mask.data[i * mask.step] != 0, value, load<T>(p)));
    }
  }
}

}  // namespace

int64_t count_run(Run mask, int64_t n) {
  int64_t count = 0, i = 0;
  if (mask.step == 1) {
#ifdef CUPRUM_COMPRESS_AVX512
    for (; i + 64 <= n; i += 64) {
      const __m512i bytes = _mm512_loadu_si512(mask.data + i);
      count += __builtin_popcountll(_mm512_test_epi8_mask(bytes, bytes));
    }
#else
    while (i + 64 <= n) {  // in bytes, as long as none can overflow
      unsigned char lanes[64] = {};
      for (int rows = 0; rows < 255 && i + 64 <= n; ++rows, i += 64) {
        CUPRUM_VECTORIZE
        for (int j = 0; j < 64; ++j) lanes[j] += mask.data[i + j] != 0;
      }
      for (unsigned char lane : lanes) count += lane;
    }
#endif
  }
  for (; i < n; ++i) count += mask.data[i * mask.step] != 0;
  return count;
}

void compress_run(int itemsize, Run in, Run mask, int64_t n, void* out, int64_t count) {
  switch (itemsize) {
    case 1: return compress<uint8_t>(in, mask, n, out, count);
    case 2: return compress<uint16_t>(in, mask, n, out, count);
    case 4: return compress<uint32_t>(in, mask, n, out, count);
    case 8: return compress<uint64_t>(in, mask, n, out, count);
    case 16: return compress<Word16>(in, mask, n, out, count);
  }
}

void true_positions(Run mask, int64_t n, int64_t first, Run out, int64_t count) {
  int64_t i = 0, k = 0;
#ifdef CUPRUM_COMPRESS_AVX512
  if (mask.step == 1 && out.step == 8) {
    const __m512i lane = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
    for (; i + 8 <= n; i += 8) {
      const unsigned bits = mask_bits<8>(mask.data + i);
      if (bits == 0) continue;
      const __m512i at = _mm512_add_epi64(lane, _mm512_set1_epi64(first + i));
      const int m = __builtin_popcount(bits);
      _mm512_mask_storeu_epi64(out.data + k * 8, (1u << m) - 1, _mm512_maskz_compress_epi64(bits, at));
      k += m;
    }
  }
#endif
  if (is_sparse(mask, n - i, count - k)) {
    return each_true(mask.data + i, n - i,
                     [&](int64_t j) { store<int64_t>(out.data + k++ * out.step, first + i + j); });
  }
  for (; i < n && k < count; ++i) {
    store<int64_t>(out.data + k * out.step, first + i);
    k += mask.data[i * mask.step] != 0;
  }
}

void expand_run(int itemsize, Run to, Run mask, int64_t n, Run from, int64_t count) {
  switch (itemsize) {
    case 1: return expand<uint8_t>(to, mask, n, from, count);
    case 2: return expand<uint16_t>(to, mask, n, from, count);
    case 4: return expand<uint32_t>(to, mask, n, from, count);
    case 8: return expand<uint64_t>(to, mask, n, from, count);
    case 16: return expand<Word16>(to, mask, n, from, count);
  }
}

void fill_run(int itemsize, Run to, Run mask, int64_t n, const void* value) {
  const unsigned char* p = static_cast<const unsigned char*>(value);
  switch (itemsize) {
    case 1: return fill(to, mask, n, load<uint8_t>(p));
    case 2: return fill(to, mask, n, load<uint16_t>(p));
    case 4: return fill(to, mask, n, load<uint32_t>(p));
    case 8: return fill(to, mask, n, load<uint64_t>(p));
    case 16: return fill(to, mask, n, load<Word16>(p));
  }
}

}  // namespace cuprum::CUPRUM_SIMD_LEVEL
