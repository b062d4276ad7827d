// A congruence is latency: each state needs the one before it. Several states side by side, each stepping as far as all of them
// together, hide it: 1.2 ns per draw with four in registers, 0.6 ns with sixteen in vectors of AVX-512, 2.0 ns with one.
#include "backend/cpu/simd/random_bits.h"

#include "backend/cpu/simd/intrinsics.h"
#include "kernels/random/bits.h"

namespace cuprum::CUPRUM_SIMD_LEVEL {

namespace {

namespace random = kernels::random;
using random::Steps;
using random::uint128;

Steps steps_of(const Congruence& c, int n) {
  return random::steps_of(random::join(c.multiplier_high, c.multiplier_low),
                          random::join(c.increment_high, c.increment_low), static_cast<uint128>(n));
}

struct Xsl {
  static uint64_t output(uint128 x) { return random::pcg64_output(x); }
#if defined(__AVX512DQ__)
  static __m512i output(__m512i high, __m512i low) {
    return _mm512_rorv_epi64(_mm512_xor_si512(high, low), _mm512_srli_epi64(high, 58));
  }
#endif
};

struct Dxsm {
  static uint64_t output(uint128 x) { return random::pcg64dxsm_output(x); }
#if defined(__AVX512DQ__)
  static __m512i output(__m512i high, __m512i low) {
    const __m512i factor = _mm512_set1_epi64(static_cast<long long>(random::kPcgCheapMultiplier));
    high = _mm512_xor_si512(high, _mm512_srli_epi64(high, 32));
    high = _mm512_mullo_epi64(high, factor);
    high = _mm512_xor_si512(high, _mm512_srli_epi64(high, 48));
    return _mm512_mullo_epi64(high, _mm512_or_si512(low, _mm512_set1_epi64(1)));
  }
#endif
};

#if defined(__AVX512DQ__)

/// Eight states.
struct States {
  __m512i high, low;
};

/// What all states are multiplied with and what is added, spread over the lanes.
struct Spread {
  __m512i high, low, low_upper, plus_high, plus_low;

  explicit Spread(const Steps& s)
      : high(all(s.multiplier >> 64)),
        low(all(s.multiplier)),
        low_upper(_mm512_srli_epi64(low, 32)),
        plus_high(all(s.increment >> 64)),
        plus_low(all(s.increment)) {}
  static __m512i all(uint128 x) {
    return _mm512_set1_epi64(static_cast<long long>(static_cast<uint64_t>(x)));
  }

  States operator()(const States& x) const {
    const __m512i mask = _mm512_set1_epi64(0xffffffff), upper = _mm512_srli_epi64(x.low, 32);
    const __m512i p00 = _mm512_mul_epu32(x.low, low), p01 = _mm512_mul_epu32(x.low, low_upper),
                  p10 = _mm512_mul_epu32(upper, low), p11 = _mm512_mul_epu32(upper, low_upper);
    const __m512i t = _mm512_add_epi64(p10, _mm512_srli_epi64(p00, 32));
    const __m512i u = _mm512_add_epi64(p01, _mm512_and_si512(t, mask));
    __m512i l = _mm512_or_si512(_mm512_and_si512(p00, mask), _mm512_slli_epi64(u, 32));
    __m512i h = _mm512_add_epi64(_mm512_add_epi64(p11, _mm512_srli_epi64(t, 32)), _mm512_srli_epi64(u, 32));
    h = _mm512_add_epi64(h,
                         _mm512_add_epi64(_mm512_mullo_epi64(x.high, low), _mm512_mullo_epi64(x.low, high)));
    l = _mm512_add_epi64(l, plus_low);
    h = _mm512_add_epi64(h, plus_high);
    const __mmask8 carries = _mm512_cmplt_epu64_mask(l, plus_low);
    return {_mm512_mask_sub_epi64(h, carries, h, _mm512_set1_epi64(-1)), l};
  }
};

template <class Output>
void draws(uint64_t high, uint64_t low, const Congruence& step, int64_t n, uint64_t* out) {
  constexpr int kLanes = 16;
  uint128 x = random::join(high, low);
  const Steps one = steps_of(step, 1);
  int64_t i = 0;
  if (n >= kLanes) {
    const Spread all(steps_of(step, kLanes));
    alignas(64) uint64_t h[kLanes], l[kLanes];
    for (int k = 0; k < kLanes; ++k, x = one(x)) {
      h[k] = static_cast<uint64_t>(x >> 64);
      l[k] = static_cast<uint64_t>(x);
    }
    States a = {_mm512_load_si512(h), _mm512_load_si512(l)},
           b = {_mm512_load_si512(h + 8), _mm512_load_si512(l + 8)};
    for (; i + kLanes <= n; i += kLanes) {
      _mm512_storeu_si512(out + i, Output::output(a.high, a.low));
      _mm512_storeu_si512(out + i + 8, Output::output(b.high, b.low));
      a = all(a);
      b = all(b);
    }
    _mm512_store_si512(h, a.high);
    _mm512_store_si512(l, a.low);
    x = random::join(h[0], l[0]);
  }
  for (; i < n; ++i, x = one(x)) out[i] = Output::output(x);
}

#else

template <class Output>
void draws(uint64_t high, uint64_t low, const Congruence& step, int64_t n, uint64_t* out) {
  constexpr int kLanes = 4;
  const Steps one = steps_of(step, 1), all = steps_of(step, kLanes);
  uint128 x[kLanes];
  x[0] = random::join(high, low);
  for (int k = 1; k < kLanes; ++k) x[k] = one(x[k - 1]);
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    for (int k = 0; k < kLanes; ++k) {
      out[i + k] = Output::output(x[k]);
      x[k] = all(x[k]);
    }
  }
  for (int k = 0; i < n; ++i, ++k) out[i] = Output::output(x[k]);
}

#endif

}  // namespace

void pcg64_draws(uint64_t high, uint64_t low, const Congruence& step, int64_t n, uint64_t* out) {
  draws<Xsl>(high, low, step, n, out);
}
void pcg64dxsm_draws(uint64_t high, uint64_t low, const Congruence& step, int64_t n, uint64_t* out) {
  draws<Dxsm>(high, low, step, n, out);
}

void philox4x32_draws(uint64_t counter, uint64_t stream, uint64_t key, int64_t n, uint64_t* out) {
  for (int64_t i = 0; i < n; ++i) {
    const random::Pair64 pair = random::philox4x32(counter + static_cast<uint64_t>(i), stream, key);
    out[2 * i] = pair.v[0];
    out[2 * i + 1] = pair.v[1];
  }
}

void to_units(uint64_t* draws, int64_t n, bool scaled, double loc, double scale) {
  for (int64_t i = 0; i < n; ++i) {
    const double x = random::unit(static_cast<kernels::uint64>(draws[i]));
    const double result = scaled ? loc + scale * x : x;
    __builtin_memcpy(draws + i, &result, 8);
  }
}

void to_units_f(uint64_t* draws, int64_t n) {
  unsigned char* bytes = reinterpret_cast<unsigned char*>(draws);
  for (int64_t i = 0; i < 2 * n; ++i) {
    kernels::uint32 bits;
    __builtin_memcpy(&bits, bytes + 4 * i, 4);
    const float x = random::unit(bits);
    __builtin_memcpy(bytes + 4 * i, &x, 4);
  }
}

}  // namespace cuprum::CUPRUM_SIMD_LEVEL
