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

constexpr int kMostLanes = 16;

/// k steps: x -> multiplier[k] * x + sum[k] * increment, so that many states are entered at once. In halves, the factors of a lane each.
struct LaneFactors {
  alignas(64) uint64_t multiplier_high[kMostLanes + 1] = {}, multiplier_low[kMostLanes + 1] = {},
                                                    sum_high[kMostLanes + 1] = {},
                                                    sum_low[kMostLanes + 1] = {};

  explicit constexpr LaneFactors(uint128 multiplier) {
    uint128 power = 1, sum = 0;
    for (int k = 0; k <= kMostLanes; ++k) {
      multiplier_high[k] = static_cast<uint64_t>(power >> 64);
      multiplier_low[k] = static_cast<uint64_t>(power);
      sum_high[k] = static_cast<uint64_t>(sum >> 64);
      sum_low[k] = static_cast<uint64_t>(sum);
      sum = sum * multiplier + 1;
      power *= multiplier;
    }
  }
  Steps steps(int k, uint128 increment) const {
    return {random::join(multiplier_high[k], multiplier_low[k]),
            random::join(sum_high[k], sum_low[k]) * increment};
  }
};

struct Xsl {
  static constexpr LaneFactors kFactors{random::kPcgMultiplier};
  static uint64_t output(uint128 x) { return random::pcg64_output(x); }
#if defined(__AVX512DQ__)
  static __m512i output(__m512i high, __m512i low) {
    return _mm512_rorv_epi64(_mm512_xor_si512(high, low), _mm512_srli_epi64(high, 58));
  }
#endif
};

struct Dxsm {
  static constexpr LaneFactors kFactors{random::kPcgCheapMultiplier};
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

__m512i spread(uint128 x) { return _mm512_set1_epi64(static_cast<long long>(static_cast<uint64_t>(x))); }

/// a * b, lane by lane.
States product(const States& a, const States& b) {
  const __m512i mask = _mm512_set1_epi64(0xffffffff), a_upper = _mm512_srli_epi64(a.low, 32),
                b_upper = _mm512_srli_epi64(b.low, 32);
  const __m512i p00 = _mm512_mul_epu32(a.low, b.low), p01 = _mm512_mul_epu32(a.low, b_upper),
                p10 = _mm512_mul_epu32(a_upper, b.low), p11 = _mm512_mul_epu32(a_upper, b_upper);
  const __m512i t = _mm512_add_epi64(p10, _mm512_srli_epi64(p00, 32));
  const __m512i u = _mm512_add_epi64(p01, _mm512_and_si512(t, mask));
  const __m512i low = _mm512_or_si512(_mm512_and_si512(p00, mask), _mm512_slli_epi64(u, 32));
  __m512i high = _mm512_add_epi64(_mm512_add_epi64(p11, _mm512_srli_epi64(t, 32)), _mm512_srli_epi64(u, 32));
  high = _mm512_add_epi64(
      high, _mm512_add_epi64(_mm512_mullo_epi64(a.high, b.low), _mm512_mullo_epi64(a.low, b.high)));
  return {high, low};
}

States sum(const States& a, const States& b) {
  const __m512i low = _mm512_add_epi64(a.low, b.low), high = _mm512_add_epi64(a.high, b.high);
  const __mmask8 carries = _mm512_cmplt_epu64_mask(low, b.low);
  return {_mm512_mask_sub_epi64(high, carries, high, _mm512_set1_epi64(-1)), low};
}

States spread_states(uint128 x) { return {spread(x >> 64), spread(x)}; }

/// The states `first` to `first` + 7 steps on.
States entered(const LaneFactors& f, int first, const States& x, const States& increment) {
  const States multipliers = {_mm512_loadu_si512(f.multiplier_high + first),
                              _mm512_loadu_si512(f.multiplier_low + first)},
               sums = {_mm512_loadu_si512(f.sum_high + first), _mm512_loadu_si512(f.sum_low + first)};
  return sum(product(x, multipliers), product(increment, sums));
}

template <class Output>
void draws(const Congruence& from, int64_t n, uint64_t* out) {
  constexpr int kLanes = 16;
  constexpr const LaneFactors& factors = Output::kFactors;
  uint128 x = random::join(from.high, from.low);
  const uint128 increment = random::join(from.increment_high, from.increment_low);
  int64_t i = 0;
  if (n >= kLanes) {
    const Steps all = factors.steps(kLanes, increment);
    const States times = spread_states(all.multiplier), plus = spread_states(all.increment),
                 first = spread_states(x), step = spread_states(increment);
    States a = entered(factors, 0, first, step), b = entered(factors, 8, first, step);
    for (; i + kLanes <= n; i += kLanes) {
      _mm512_storeu_si512(out + i, Output::output(a.high, a.low));
      _mm512_storeu_si512(out + i + 8, Output::output(b.high, b.low));
      a = sum(product(a, times), plus);
      b = sum(product(b, times), plus);
    }
    if (i == n) return;
    alignas(64) uint64_t h[8], l[8];
    _mm512_store_si512(h, a.high);
    _mm512_store_si512(l, a.low);
    x = random::join(h[0], l[0]);
  }
  const Steps one = factors.steps(1, increment);
  for (; i < n; ++i, x = one(x)) out[i] = Output::output(x);
}

#else

template <class Output>
void draws(const Congruence& from, int64_t n, uint64_t* out) {
  constexpr int kLanes = 4;
  const uint128 increment = random::join(from.increment_high, from.increment_low);
  const Steps all = Output::kFactors.steps(kLanes, increment);
  uint128 x[kLanes];
  for (int k = 0; k < kLanes; ++k)
    x[k] = Output::kFactors.steps(k, increment)(random::join(from.high, from.low));
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

void pcg64_draws(const Congruence& from, int64_t n, uint64_t* out) { draws<Xsl>(from, n, out); }
void pcg64dxsm_draws(const Congruence& from, int64_t n, uint64_t* out) { draws<Dxsm>(from, n, out); }

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
