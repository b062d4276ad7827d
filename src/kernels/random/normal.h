// Normal and exponential numbers by ziggurats (Marsaglia and Tsang; the layers are those of NumPy), in float64 and float32.
//
// `R` reads a stream of draws: u64(), u32(), unit() in [0, 1) of 53 bits, unit_f() of 24 bits. It also has what must be the C library's to the
// last bit, on every device: log1p(x) of either precision, and exp(x) of float32, by which numbers are kept or dropped.
#pragma once

#include "kernels/math.h"
#include "kernels/random/ziggurat_exponential.h"
#include "kernels/random/ziggurat_normal.h"

CUPRUM_KERNELS_BEGIN

namespace random {

inline constexpr double kNormalEnd = 3.6541528853610087963519472518,
                        kNormalEndInverse = 0.27366123732975827203338247596,
                        kExponentialEnd = 7.6971174701310497140446280481;

// A draw by itself is a number in 99 of 100 cases. The sign is set without a branch, which would be foretold wrongly every other time.

/// The strips as tables; a device may bring copies of them that are nearer.
#define CUPRUM_STRIPS(name, law, suffix)                                                \
  struct name {                                                                         \
    CUPRUM_TABLE_FN static auto edge(uint64 strip) { return law::edge##suffix[strip]; } \
    CUPRUM_TABLE_FN static auto step(uint64 strip) { return law::step##suffix[strip]; } \
  };
CUPRUM_STRIPS(NormalStrips, normal, )
CUPRUM_STRIPS(NormalStripsFloat, normal, _f)
CUPRUM_STRIPS(ExponentialStrips, exponential, )
CUPRUM_STRIPS(ExponentialStripsFloat, exponential, _f)
#undef CUPRUM_STRIPS

template <class Strips = NormalStrips>
CUPRUM_FN bool easy_normal(uint64 bits, double& x, const Strips& strips = {}) {
  const uint64 strip = bits & 0xff, place = bits >> 9 & 0x000fffffffffffffu;
  const double size = static_cast<double>(static_cast<int64>(place)) * strips.step(strip);
  x = bit_cast<double>(to_bits(size) | (bits >> 8 & 1) << 63);
  return place < strips.edge(strip);
}
template <class Strips = NormalStripsFloat>
CUPRUM_FN bool easy_normal(uint32 bits, float& x, const Strips& strips = {}) {
  const uint32 strip = bits & 0xff, place = bits >> 9;
  const float size = static_cast<float>(static_cast<int32>(place)) * strips.step(strip);
  x = bit_cast<float>(to_bits(size) | (bits >> 8 & 1) << 31);
  return place < strips.edge(strip);
}
template <class Strips = ExponentialStrips>
CUPRUM_FN bool easy_exponential(uint64 bits, double& x, const Strips& strips = {}) {
  const uint64 strip = bits >> 3 & 0xff, place = bits >> 11;
  x = static_cast<double>(static_cast<int64>(place)) * strips.step(strip);
  return place < strips.edge(strip);
}
template <class Strips = ExponentialStripsFloat>
CUPRUM_FN bool easy_exponential(uint32 bits, float& x, const Strips& strips = {}) {
  const uint32 strip = bits >> 1 & 0xff, place = bits >> 9;
  x = static_cast<float>(static_cast<int32>(place)) * strips.step(strip);
  return place < strips.edge(strip);
}

/// Beyond the last strip (Marsaglia).
template <class R>
CUPRUM_FN_LARGE double normal_tail(R& r, bool negative) {
  for (;;) {
    const double a = -kNormalEndInverse * r.log1p(-r.unit()), b = -r.log1p(-r.unit());
    if (b + b > a * a) return negative ? -(kNormalEnd + a) : kNormalEnd + a;
  }
}
template <class R>
CUPRUM_FN_LARGE float normal_tail_f(R& r, bool negative) {
  constexpr float end = static_cast<float>(kNormalEnd), inverse = static_cast<float>(kNormalEndInverse);
  for (;;) {
    const float a = -inverse * r.log1p(-r.unit_f()), b = -r.log1p(-r.unit_f());
    if (b + b > a * a) return negative ? -(end + a) : end + a;
  }
}

/// The number that begins with a draw that is not one by itself, and gives x.
template <class R>
CUPRUM_FN_HARD double hard_normal(R& r, uint64 bits, double x) {
  for (;;) {
    const int strip = static_cast<int>(bits & 0xff);
    if (strip == 0) return normal_tail(r, bits >> 17 & 1);
    const double height =
        (normal::height[strip - 1] - normal::height[strip]) * r.unit() + normal::height[strip];
    if (height < math::exp(-0.5 * x * x)) return x;
    bits = r.u64();
    if (easy_normal(bits, x)) return x;
  }
}
template <class R>
CUPRUM_FN_HARD float hard_normal_f(R& r, uint32 bits, float x) {
  for (;;) {
    const int strip = static_cast<int>(bits & 0xff);
    if (strip == 0) return normal_tail_f(r, bits >> 17 & 1);
    const float height =
        (normal::height_f[strip - 1] - normal::height_f[strip]) * r.unit_f() + normal::height_f[strip];
    const double wide = static_cast<double>(x);
    if (static_cast<double>(height) < math::exp(-0.5 * wide * wide)) return x;
    bits = r.u32();
    if (easy_normal(bits, x)) return x;
  }
}
template <class R>
CUPRUM_FN_HARD double hard_exponential(R& r, uint64 bits, double x) {
  for (;;) {
    const int strip = static_cast<int>(bits >> 3 & 0xff);
    if (strip == 0) return kExponentialEnd - r.log1p(-r.unit());
    const double height =
        (exponential::height[strip - 1] - exponential::height[strip]) * r.unit() + exponential::height[strip];
    if (height < math::exp(-x)) return x;
    bits = r.u64();
    if (easy_exponential(bits, x)) return x;
  }
}
template <class R>
CUPRUM_FN_HARD float hard_exponential_f(R& r, uint32 bits, float x) {
  for (;;) {
    const int strip = static_cast<int>(bits >> 1 & 0xff);
    if (strip == 0) return static_cast<float>(kExponentialEnd) - r.log1p(-r.unit_f());
    const float height = (exponential::height_f[strip - 1] - exponential::height_f[strip]) * r.unit_f() +
                         exponential::height_f[strip];
    if (height < r.exp(-x)) return x;
    bits = r.u32();
    if (easy_exponential(bits, x)) return x;
  }
}

template <class R>
CUPRUM_FN double standard_normal(R& r) {
  const uint64 bits = r.u64();
  double x;
  return easy_normal(bits, x) ? x : hard_normal(r, bits, x);
}
template <class R>
CUPRUM_FN float standard_normal_f(R& r) {
  const uint32 bits = r.u32();
  float x;
  return easy_normal(bits, x) ? x : hard_normal_f(r, bits, x);
}
template <class R>
CUPRUM_FN double standard_exponential(R& r) {
  const uint64 bits = r.u64();
  double x;
  return easy_exponential(bits, x) ? x : hard_exponential(r, bits, x);
}
template <class R>
CUPRUM_FN float standard_exponential_f(R& r) {
  const uint32 bits = r.u32();
  float x;
  return easy_exponential(bits, x) ? x : hard_exponential_f(r, bits, x);
}

}  // namespace random

CUPRUM_KERNELS_END
