// Sort keys in the lanes of a vector register: what the vector sort needs of an instruction set. Levels without such a
// form have none of it (CUPRUM_KEY_LANES is not defined).
#pragma once

#include <stdint.h>

#include "backend/cpu/simd/intrinsics.h"

#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#define CUPRUM_KEY_LANES 512
#elif defined(__AVX2__)
#define CUPRUM_KEY_LANES 256
#endif

#ifdef CUPRUM_KEY_LANES

namespace cuprum::CUPRUM_SIMD_LEVEL {

// Lanes<U> has for unsigned integers U of 4 and 8 bytes:
//   Register, kCount; load, store, all(key); load_some(p, n): the missing keys are the largest one; store_some(p, n, v)
//   min, max; flip<x>(v): lane i gets lane i ^ x; order<bit>(a, b): the minimum in lanes without this bit, in
//   the others the maximum
//   interleave_low, interleave_high(a, b): the halves of a0 b0 a1 b1 ...
//   Mask: first(n): the first n lanes; above(a, b): a > b; equal; negative(v): the highest bit; inverse; either; without;
//   any; count; choose(mask, a, b): a where it holds, elsewhere b
//   front(v, mask): the lanes that it holds for, in their order, in front
template <class U>
struct Lanes;

/// The numbers of lanes 0, 1, ... after the exchange of lanes i and i ^ x.
template <class U, int kLanes>
struct LaneNumbers {
  alignas(64) U at[kLanes];
};
template <class U, int kLanes>
constexpr LaneNumbers<U, kLanes> flipped_lanes(int x) {
  LaneNumbers<U, kLanes> numbers{};
  for (int i = 0; i < kLanes; ++i) numbers.at[i] = static_cast<U>(i ^ x);
  return numbers;
}

#if CUPRUM_KEY_LANES == 512

template <class U, int kLanes>
constexpr LaneNumbers<U, kLanes> interleaved_lanes(int first) {
  LaneNumbers<U, kLanes> numbers{};
  for (int i = 0; i < kLanes; ++i) numbers.at[i] = static_cast<U>((first + i) / 2 + (i % 2) * kLanes);
  return numbers;
}

/// Lanes with a bit in their number.
constexpr unsigned lanes_with(int bit, int lanes) {
  unsigned mask = 0;
  for (int i = 0; i < lanes; ++i) mask |= (i & bit) != 0 ? 1u << i : 0u;
  return mask;
}

template <>
struct Lanes<uint32_t> {
  using Register = __m512i;
  using Mask = __mmask16;
  static constexpr int kCount = 16;

  static Register load(const void* p) { return _mm512_loadu_si512(p); }
  static void store(void* p, Register v) { _mm512_storeu_si512(p, v); }
  static Register all(uint32_t key) { return _mm512_set1_epi32(static_cast<int>(key)); }
  static Mask first(int n) { return static_cast<Mask>((1u << n) - 1); }
  static Register load_some(const void* p, int n) { return _mm512_mask_loadu_epi32(all(~0u), first(n), p); }
  static void store_some(void* p, int n, Register v) { _mm512_mask_storeu_epi32(p, first(n), v); }
  static Register min(Register a, Register b) { return _mm512_min_epu32(a, b); }
  static Register max(Register a, Register b) { return _mm512_max_epu32(a, b); }
  template <int x>
  static Register flip(Register v) {
    static constexpr auto numbers = flipped_lanes<uint32_t, kCount>(x);
    return _mm512_permutexvar_epi32(_mm512_load_si512(numbers.at), v);
  }
  template <int bit>
  static Register order(Register a, Register b) {
    return _mm512_mask_max_epu32(min(a, b), static_cast<Mask>(lanes_with(bit, kCount)), a, b);
  }
  static Register interleave_low(Register a, Register b) {
    static constexpr auto numbers = interleaved_lanes<uint32_t, kCount>(0);
    return _mm512_permutex2var_epi32(a, _mm512_load_si512(numbers.at), b);
  }
  static Register interleave_high(Register a, Register b) {
    static constexpr auto numbers = interleaved_lanes<uint32_t, kCount>(kCount);
    return _mm512_permutex2var_epi32(a, _mm512_load_si512(numbers.at), b);
  }
  static Mask above(Register a, Register b) { return _mm512_cmpgt_epu32_mask(a, b); }
  static Mask equal(Register a, Register b) { return _mm512_cmpeq_epi32_mask(a, b); }
  static Mask negative(Register v) { return _mm512_movepi32_mask(v); }
  static Mask inverse(Mask m) { return static_cast<Mask>(~m); }
  static Mask either(Mask a, Mask b) { return static_cast<Mask>(a | b); }
  static Mask without(Mask a, Mask b) { return static_cast<Mask>(a & ~b); }
  static bool any(Mask m) { return m != 0; }
  static int count(Mask m) { return __builtin_popcount(m); }
  static Register choose(Mask m, Register a, Register b) { return _mm512_mask_mov_epi32(b, m, a); }
  static Register front(Register v, Mask m) { return _mm512_maskz_compress_epi32(m, v); }
};

template <>
struct Lanes<uint64_t> {
  using Register = __m512i;
  using Mask = __mmask8;
  static constexpr int kCount = 8;

  static Register load(const void* p) { return _mm512_loadu_si512(p); }
  static void store(void* p, Register v) { _mm512_storeu_si512(p, v); }
  static Register all(uint64_t key) { return _mm512_set1_epi64(static_cast<long long>(key)); }
  static Mask first(int n) { return static_cast<Mask>((1u << n) - 1); }
  static Register load_some(const void* p, int n) {
    return _mm512_mask_loadu_epi64(all(~uint64_t{0}), first(n), p);
  }
  static void store_some(void* p, int n, Register v) { _mm512_mask_storeu_epi64(p, first(n), v); }
  static Register min(Register a, Register b) { return _mm512_min_epu64(a, b); }
  static Register max(Register a, Register b) { return _mm512_max_epu64(a, b); }
  template <int x>
  static Register flip(Register v) {
    static constexpr auto numbers = flipped_lanes<uint64_t, kCount>(x);
    return _mm512_permutexvar_epi64(_mm512_load_si512(numbers.at), v);
  }
  template <int bit>
  static Register order(Register a, Register b) {
    return _mm512_mask_max_epu64(min(a, b), static_cast<Mask>(lanes_with(bit, kCount)), a, b);
  }
  static Register interleave_low(Register a, Register b) {
    static constexpr auto numbers = interleaved_lanes<uint64_t, kCount>(0);
    return _mm512_permutex2var_epi64(a, _mm512_load_si512(numbers.at), b);
  }
  static Register interleave_high(Register a, Register b) {
    static constexpr auto numbers = interleaved_lanes<uint64_t, kCount>(kCount);
    return _mm512_permutex2var_epi64(a, _mm512_load_si512(numbers.at), b);
  }
  static Mask above(Register a, Register b) { return _mm512_cmpgt_epu64_mask(a, b); }
  static Mask equal(Register a, Register b) { return _mm512_cmpeq_epi64_mask(a, b); }
  static Mask negative(Register v) { return _mm512_movepi64_mask(v); }
  static Mask inverse(Mask m) { return static_cast<Mask>(~m); }
  static Mask either(Mask a, Mask b) { return static_cast<Mask>(a | b); }
  static Mask without(Mask a, Mask b) { return static_cast<Mask>(a & ~b); }
  static bool any(Mask m) { return m != 0; }
  static int count(Mask m) { return __builtin_popcount(m); }
  static Register choose(Mask m, Register a, Register b) { return _mm512_mask_mov_epi64(b, m, a); }
  static Register front(Register v, Mask m) { return _mm512_maskz_compress_epi64(m, v); }
};

#else  // AVX2: a mask is a register whose lanes are all ones or zero

/// For every mask of lanes, which 32-bit words come to the front.
template <int kLanes>
struct FrontTable {
  alignas(32) uint32_t at[1 << kLanes][8];
};
template <int kLanes>
constexpr FrontTable<kLanes> front_table() {
  constexpr int kWords = 8 / kLanes;
  FrontTable<kLanes> table{};
  for (int mask = 0; mask < 1 << kLanes; ++mask) {
    int next = 0;
    for (int lane = 0; lane < kLanes; ++lane) {
      if ((mask >> lane & 1) == 0) continue;
      for (int w = 0; w < kWords; ++w) table.at[mask][next++] = static_cast<uint32_t>(lane * kWords + w);
    }
  }
  return table;
}
inline constexpr FrontTable<8> kFront32 = front_table<8>();
inline constexpr FrontTable<4> kFront64 = front_table<4>();

/// What both widths share.
struct Lanes256 {
  using Register = __m256i;
  using Mask = __m256i;
  static Register load(const void* p) { return _mm256_loadu_si256(static_cast<const __m256i*>(p)); }
  static void store(void* p, Register v) { _mm256_storeu_si256(static_cast<__m256i*>(p), v); }
  static Register ones() { return _mm256_set1_epi32(-1); }
  static Mask inverse(Mask m) { return _mm256_xor_si256(m, ones()); }
  static Mask either(Mask a, Mask b) { return _mm256_or_si256(a, b); }
  static Mask without(Mask a, Mask b) { return _mm256_andnot_si256(b, a); }
  static bool any(Mask m) { return _mm256_testz_si256(m, m) == 0; }
  static Register choose(Mask m, Register a, Register b) { return _mm256_blendv_epi8(b, a, m); }
};

template <>
struct Lanes<uint32_t> : Lanes256 {
  static constexpr int kCount = 8;

  static Register all(uint32_t key) { return _mm256_set1_epi32(static_cast<int>(key)); }
  static Mask first(int n) {
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(n), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
  }
  static Register load_some(const void* p, int n) {
    const Mask m = first(n);
    return _mm256_or_si256(_mm256_maskload_epi32(static_cast<const int*>(p), m), inverse(m));
  }
  static void store_some(void* p, int n, Register v) {
    _mm256_maskstore_epi32(static_cast<int*>(p), first(n), v);
  }
  static Register min(Register a, Register b) { return _mm256_min_epu32(a, b); }
  static Register max(Register a, Register b) { return _mm256_max_epu32(a, b); }
  template <int x>
  static Register flip(Register v) {
    static constexpr auto numbers = flipped_lanes<uint32_t, kCount>(x);
    return _mm256_permutevar8x32_epi32(v, load(numbers.at));
  }
  template <int bit>
  static Register order(Register a, Register b) {
    return _mm256_blend_epi32(min(a, b), max(a, b), bit == 1 ? 0xaa : bit == 2 ? 0xcc : 0xf0);
  }
  static Register interleave_low(Register a, Register b) {
    return _mm256_permute2x128_si256(_mm256_unpacklo_epi32(a, b), _mm256_unpackhi_epi32(a, b), 0x20);
  }
  static Register interleave_high(Register a, Register b) {
    return _mm256_permute2x128_si256(_mm256_unpacklo_epi32(a, b), _mm256_unpackhi_epi32(a, b), 0x31);
  }
  static Mask above(Register a, Register b) { return inverse(_mm256_cmpeq_epi32(min(a, b), a)); }
  static Mask equal(Register a, Register b) { return _mm256_cmpeq_epi32(a, b); }
  static Mask negative(Register v) { return _mm256_srai_epi32(v, 31); }
  static int bits(Mask m) { return _mm256_movemask_ps(_mm256_castsi256_ps(m)); }
  static int count(Mask m) { return __builtin_popcount(static_cast<unsigned>(bits(m))); }
  static Register front(Register v, Mask m) {
    return _mm256_permutevar8x32_epi32(v, load(kFront32.at[bits(m)]));
  }
};

template <>
struct Lanes<uint64_t> : Lanes256 {
  static constexpr int kCount = 4;

  static Register all(uint64_t key) { return _mm256_set1_epi64x(static_cast<long long>(key)); }
  static Mask first(int n) {
    return _mm256_cmpgt_epi64(_mm256_set1_epi64x(n), _mm256_setr_epi64x(0, 1, 2, 3));
  }
  static Register load_some(const void* p, int n) {
    const Mask m = first(n);
    return _mm256_or_si256(_mm256_maskload_epi64(static_cast<const long long*>(p), m), inverse(m));
  }
  static void store_some(void* p, int n, Register v) {
    _mm256_maskstore_epi64(static_cast<long long*>(p), first(n), v);
  }
  static Mask above(Register a, Register b) {
    const Register sign = _mm256_set1_epi64x(INT64_MIN);
    return _mm256_cmpgt_epi64(_mm256_xor_si256(a, sign), _mm256_xor_si256(b, sign));
  }
  static Register min(Register a, Register b) { return choose(above(a, b), b, a); }
  static Register max(Register a, Register b) { return choose(above(a, b), a, b); }
  template <int x>
  static Register flip(Register v) {
    constexpr int order = (0 ^ x) | (1 ^ x) << 2 | (2 ^ x) << 4 | (3 ^ x) << 6;
    return _mm256_permute4x64_epi64(v, order);
  }
  template <int bit>
  static Register order(Register a, Register b) {
    const Mask swap = above(a, b);
    return _mm256_blend_epi32(choose(swap, b, a), choose(swap, a, b), bit == 1 ? 0xcc : 0xf0);
  }
  static Register interleave_low(Register a, Register b) {
    return _mm256_permute2x128_si256(_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b), 0x20);
  }
  static Register interleave_high(Register a, Register b) {
    return _mm256_permute2x128_si256(_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b), 0x31);
  }
  static Mask equal(Register a, Register b) { return _mm256_cmpeq_epi64(a, b); }
  static Mask negative(Register v) { return _mm256_cmpgt_epi64(_mm256_setzero_si256(), v); }
  static int bits(Mask m) { return _mm256_movemask_pd(_mm256_castsi256_pd(m)); }
  static int count(Mask m) { return __builtin_popcount(static_cast<unsigned>(bits(m))); }
  static Register front(Register v, Mask m) {
    return _mm256_permutevar8x32_epi32(v, load(kFront64.at[bits(m)]));
  }
};

#endif

}  // namespace cuprum::CUPRUM_SIMD_LEVEL

#endif  // CUPRUM_KEY_LANES
