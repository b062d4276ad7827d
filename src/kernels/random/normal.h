// Normal and exponential numbers by ziggurats (Marsaglia and Tsang; the layers are those of NumPy), in float64 and float32.
//
// `R` reads a stream of draws: u64(), u32(), unit() in [0, 1) of 53 bits, unit_f() of 24 bits.
#pragma once

#include "kernels/math.h"
#include "kernels/random/ziggurat_exponential.h"
#include "kernels/random/ziggurat_normal.h"

CUPRUM_KERNELS_BEGIN

namespace random {

inline constexpr double kNormalEnd = 3.6541528853610087963519472518,
                        kNormalEndInverse = 0.27366123732975827203338247596,
                        kExponentialEnd = 7.6971174701310497140446280481;

template <class R>
CUPRUM_FN_LARGE double standard_normal(R& r) {
  for (;;) {
    const uint64 bits = r.u64();
    const int strip = static_cast<int>(bits & 0xff);
    const uint64 place = bits >> 9 & 0x000fffffffffffffu;
    double x = static_cast<double>(place) * normal::step[strip];
    if (bits >> 8 & 1) x = -x;
    if (place < normal::edge[strip]) [[likely]]
      return x;
    if (strip == 0) {  // the tail (Marsaglia)
      for (;;) {
        const double a = -kNormalEndInverse * math::log1p(-r.unit()), b = -math::log1p(-r.unit());
        if (b + b > a * a) return place >> 8 & 1 ? -(kNormalEnd + a) : kNormalEnd + a;
      }
    }
    const double height =
        (normal::height[strip - 1] - normal::height[strip]) * r.unit() + normal::height[strip];
    if (height < math::exp(-0.5 * x * x)) return x;
  }
}

template <class R>
CUPRUM_FN_LARGE float standard_normal_f(R& r) {
  constexpr float end = static_cast<float>(kNormalEnd), inverse = static_cast<float>(kNormalEndInverse);
  for (;;) {
    const uint32 bits = r.u32();
    const int strip = static_cast<int>(bits & 0xff);
    const uint32 place = bits >> 9;
    float x = static_cast<float>(place) * normal::step_f[strip];
    if (bits >> 8 & 1) x = -x;
    if (place < normal::edge_f[strip]) [[likely]]
      return x;
    if (strip == 0) {
      for (;;) {
        const float a = -inverse * math::log1p(-r.unit_f()), b = -math::log1p(-r.unit_f());
        if (b + b > a * a) return place >> 8 & 1 ? -(end + a) : end + a;
      }
    }
    const float height =
        (normal::height_f[strip - 1] - normal::height_f[strip]) * r.unit_f() + normal::height_f[strip];
    if (static_cast<double>(height) < math::exp(-0.5 * static_cast<double>(x) * static_cast<double>(x)))
      return x;
  }
}

template <class R>
CUPRUM_FN_LARGE double standard_exponential(R& r) {
  for (;;) {
    const uint64 bits = r.u64() >> 3;
    const int strip = static_cast<int>(bits & 0xff);
    const uint64 place = bits >> 8;
    const double x = static_cast<double>(place) * exponential::step[strip];
    if (place < exponential::edge[strip]) [[likely]]
      return x;
    if (strip == 0) return kExponentialEnd - math::log1p(-r.unit());
    const double height =
        (exponential::height[strip - 1] - exponential::height[strip]) * r.unit() + exponential::height[strip];
    if (height < math::exp(-x)) return x;
  }
}

template <class R>
CUPRUM_FN_LARGE float standard_exponential_f(R& r) {
  constexpr float end = static_cast<float>(kExponentialEnd);
  for (;;) {
    const uint32 bits = r.u32() >> 1;
    const int strip = static_cast<int>(bits & 0xff);
    const uint32 place = bits >> 8;
    const float x = static_cast<float>(place) * exponential::step_f[strip];
    if (place < exponential::edge_f[strip]) [[likely]]
      return x;
    if (strip == 0) return end - math::log1p(-r.unit_f());
    const float height = (exponential::height_f[strip - 1] - exponential::height_f[strip]) * r.unit_f() +
                         exponential::height_f[strip];
    if (height < math::exp(-x)) return x;
  }
}

}  // namespace random

CUPRUM_KERNELS_END
