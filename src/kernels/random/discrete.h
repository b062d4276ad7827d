// Discrete laws of one idea each: geometric, logarithmic series, Zipf, hypergeometric.
//
// Zipf and the logarithmic series: Devroye and Kemp. Hypergeometric: ratio of uniforms (Stadlober's HRUA), or drawing one by one.
#pragma once

#include "kernels/random/annotations.h"
#include "kernels/random/bounded.h"
#include "kernels/random/discrete_poisson.h"
#include "kernels/random/normal.h"

CUPRUM_KERNELS_BEGIN

namespace random {

inline constexpr double kLargestInt = 9.223372036854775807e18;

template <class R>
CUPRUM_FN_LARGE int64 geometric_search(R& r, double p) {
  int64 n = 1;
  double sum = p, term = p;
  const double q = 1.0 - p;
  for (const double u = r.unit(); u > sum; ++n) {
    term *= q;
    sum += term;
  }
  return n;
}
template <class R>
CUPRUM_FN_LARGE int64 geometric(R& r, double p) {
  if (p >= 0.333333333333333333333333) return geometric_search(r, p);
  const double z = math::ceil(-standard_exponential(r) / r.log1p(-p));
  return z >= 9.223372036854776e+18 ? static_cast<int64>(0x7fffffffffffffff) : static_cast<int64>(z);
}

/// `log_q` is log(1 - p), and one_minus_exp(x) is 1 - exp(x): with more digits for Generator than for RandomState.
template <class R, class F>
CUPRUM_FN_LARGE int64 logseries(R& r, double p, double log_q, F&& one_minus_exp) {
  for (;;) {
    const double v = r.unit();
    if (v >= p) return 1;
    const double q = one_minus_exp(log_q * r.unit());
    if (v <= q * q) {
      const double x = math::floor(1 + math::log(v) / math::log(q));
      if (x < 1 || v == 0.0) continue;
      return static_cast<int64>(x);
    }
    return v >= q ? 1 : 2;
  }
}

/// `truncates`: U is drawn where the result can be an int64.
template <class R>
CUPRUM_FN_LARGE int64 zipf(R& r, double a, bool truncates) {
  if (truncates && a >= 1025) return 1;  // 2^(a - 1) would overflow, and nothing but 1 comes out
  const double less = a - 1.0, b = math::pow(2.0, less);
  const double least = truncates ? math::pow(kLargestInt, -less) : 0.0;
  for (;;) {
    const double drawn = r.unit(), u = truncates ? drawn * least + (1 - drawn) : 1.0 - drawn, v = r.unit();
    const double x = math::floor(math::pow(u, -1.0 / less));
    if (x > kLargestInt || x < 1.0) continue;
    const double t = math::pow(1.0 + 1.0 / x, less);
    if (v * x * (t - 1.0) / (b - 1.0) <= t / b)
      return x >= kLargestInt ? static_cast<int64>(0x7fffffffffffffff) : static_cast<int64>(x);
  }
}

// clang-format off
/// log(k!), rounded once.
CUPRUM_TABLE double kLogFactorial[126] = {
    0x0p0, 0x0p0, 0x1.62e42fefa39efp-1, 0x1.cab0bfa2a2002p0, 0x1.96ca77c922cf9p+1, 0x1.326643c4479c9p+2,
    0x1.a51273acf01cap+2, 0x1.10ce1f32dcc3p+3, 0x1.5358e82fcb70dp+3, 0x1.99a8921a7f7cfp+3,
    0x1.e357590954d15p+3, 0x1.180973f3a8d74p+4, 0x1.3fcba16d50143p+4, 0x1.68d5a9c3b32cep+4,
    0x1.930f3df162a42p+4, 0x1.be636a63fd346p+4, 0x1.eabff061f1a84p+4, 0x1.0c0a63f2f353ap+5,
    0x1.2329df2d5ee52p+5, 0x1.3ab8153363985p+5, 0x1.52af57aed77bep+5, 0x1.6b0a8643472a9p+5,
    0x1.83c4faba84f06p+5, 0x1.9cda78b856a45p+5, 0x1.b6472034e8d14p+5, 0x1.d007622cd65e7p+5,
    0x1.ea17f717c6794p+5, 0x1.023aeb67e4fefp+6, 0x1.0f8f18d33024p+6, 0x1.1d07353917231p+6,
    0x1.2aa208b59d0e5p+6, 0x1.385e6fd9e5a4p+6, 0x1.463b59b942084p+6, 0x1.5437c633ace4ap+6,
    0x1.6252c474896bap+6, 0x1.708b719e11658p+6, 0x1.7ee0f79b26758p+6, 0x1.8d528c1243d96p+6,
    0x1.9bdf6f75257a3p+6, 0x1.aa86ec2969812p+6, 0x1.b94855c702ba2p+6, 0x1.c8230869ca105p+6,
    0x1.d7166813e12eep+6, 0x1.e621e01eeba4fp+6, 0x1.f544e2ba69cf1p+6, 0x1.023f743addd9fp+7,
    0x1.09e7b7ea41ea9p+7, 0x1.119afe762626bp+7, 0x1.19590c853a559p+7, 0x1.2121a930c6ec3p+7,
    0x1.28f49ddeb1f31p+7, 0x1.30d1b61e86335p+7, 0x1.38b8bf8931ddbp+7, 0x1.40a989a33a6cdp+7,
    0x1.48a3e5c12af19p+7, 0x1.50a7a6ee08711p+7, 0x1.58b4a1d39da73p+7, 0x1.60caaca474746p+7,
    0x1.68e99f0757979p+7, 0x1.711152043b2c4p+7, 0x1.79419ff26dc59p+7, 0x1.817a6467f6fb9p+7,
    0x1.89bb7c2a0aea1p+7, 0x1.9204c51e7c761p+7, 0x1.9a561e3e1a4bdp+7, 0x1.a2af6787e4609p+7,
    0x1.ab1081f509726p+7, 0x1.b3794f6d9d7afp+7, 0x1.bbe9b2bdfb621p+7, 0x1.c4618f8cc56f7p+7,
    0x1.cce0ca51791p+7, 0x1.d567484b8b7b6p+7, 0x1.ddf4ef7a05a7p+7, 0x1.e689a69396befp+7,
    0x1.ef2554ff15148p+7, 0x1.f7c7e2cc66183p+7, 0x1.00389c56e3462p+8, 0x1.04909ff8b652bp+8,
    0x1.08ebf13dbf263p+8, 0x1.0d4a85602b129p+8, 0x1.11ac51df8932ap+8, 0x1.16114c7e34736p+8,
    0x1.1a796b3ede1acp+8, 0x1.1ee4a46236d3ep+8, 0x1.2352ee64b46d5p+8, 0x1.27c43ffc72962p+8,
    0x1.2c3890172d057p+8, 0x1.30afd5d851956p+8, 0x1.352a089728f1bp+8, 0x1.39a71fdd14947p+8,
    0x1.3e271363e0df7p+8, 0x1.42a9db142a36ap+8, 0x1.472f6f03d410cp+8, 0x1.4bb7c77491066p+8,
    0x1.5042dcd27af64p+8, 0x1.54d0a7b2ba658p+8, 0x1.596120d23c4ecp+8, 0x1.5df4411475a1cp+8,
    0x1.628a018233bedp+8, 0x1.67225b4879462p+8, 0x1.6bbd47b7669b6p+8, 0x1.705ac0412d89fp+8,
    0x1.74fabe790f7bep+8, 0x1.799d3c1265c0ep+8, 0x1.7e4232dfb367dp+8, 0x1.82e99cd1c0368p+8,
    0x1.879373f6bc4fep+8, 0x1.8c3fb2796c21cp+8, 0x1.90ee52a05c35fp+8, 0x1.959f4ecd1c8b3p+8,
    0x1.9a52a17b831ccp+8, 0x1.9f084540f545ep+8, 0x1.a3c034cbb7b2cp+8, 0x1.a87a6ae24493ap+8,
    0x1.ad36e262a7ccp+8, 0x1.b1f59641e0db5p+8, 0x1.b6b6818b4a3ebp+8, 0x1.bb799f600610ap+8,
    0x1.c03eeaf66facdp+8, 0x1.c5065f9992226p+8, 0x1.c9cff8a8a340dp+8, 0x1.ce9bb196830eap+8,
    0x1.d36985e93f7b8p+8, 0x1.d83971399c213p+8, 0x1.dd0b6f329dea4p+8, 0x1.e1df7b911a74cp+8,
};
// clang-format on
CUPRUM_FN_LARGE double log_factorial(int64 k) {
  if (k < 126) return kLogFactorial[k];
  const double x = static_cast<double>(k);
  return (x + 0.5) * math::log(x) - x + (0.9189385332046728 + (1.0 / x) * (1 / 12.0 - 1 / (360.0 * x * x)));
}

/// log(k!) as Generator has it, and as RandomState has it.
struct LogFactorial {
  CUPRUM_FN double operator()(int64 k) const { return log_factorial(k); }
};
struct LegacyLogFactorial {
  CUPRUM_FN double operator()(int64 k) const { return log_gamma(static_cast<double>(k + 1)); }
};

/// Ratio of uniforms under a table mountain.
template <class LogFactorial, class R>
CUPRUM_FN_LARGE int64 hypergeometric_by_rejection(R& r, int64 good, int64 bad, int64 sample, bool legacy) {
  constexpr LogFactorial logf;
  const int64 total = good + bad, few = good < bad ? good : bad, many = good < bad ? bad : good;
  const int64 taken = sample < total - sample ? sample : total - sample;
  const double p = static_cast<double>(few) / static_cast<double>(total);
  const double q = legacy ? 1.0 - p : static_cast<double>(many) / static_cast<double>(total);
  const double a = static_cast<double>(taken) * p + 0.5;
  const double c =
      math::sqrt(static_cast<double>(total - taken) * static_cast<double>(legacy ? sample : taken) * p * q /
                     static_cast<double>(total - 1) +
                 0.5);
  const double h = 1.7155277699214135 * c + 0.8989161620588988;
  const int64 m = static_cast<int64>(math::floor(
      static_cast<double>(taken + 1) * static_cast<double>(few + 1) / static_cast<double>(total + 2)));
  const auto weight = [&](int64 k) {
    return logf(k) + logf(few - k) + logf(taken - k) + logf(many - taken + k);
  };
  const double peak = weight(m), far = math::floor(a + 16 * c),
               length = static_cast<double>(taken < few ? taken : few) + 1;
  const double end = length < far ? length : far;
  int64 k;
  for (;;) {
    const double u = r.unit(), v = r.unit(), x = a + h * (v - 0.5) / u;
    if (!(x >= 0.0 && x < end)) continue;
    k = static_cast<int64>(math::floor(x));
    const double t = peak - weight(k);
    if (u * (4.0 - u) - 3.0 <= t) break;
    if (u * (u - t) >= 1) continue;
    if (2.0 * math::log(u) <= t) break;
  }
  if (good > bad) k = taken - k;
  return taken < sample ? good - k : k;
}

template <class R>
CUPRUM_FN_LARGE int64 hypergeometric_one_by_one(R& r, int64 good, int64 bad, int64 sample) {
  const int64 total = good + bad;
  const bool complement = sample > total / 2;
  int64 left = complement ? total - sample : sample, all = total, rest = good;
  while (left > 0 && rest > 0 && all > rest) {
    --all;
    if (static_cast<int64>(interval(r, static_cast<uint64>(all))) < rest) --rest;
    --left;
  }
  if (all == rest) rest -= left;  // there are only good ones
  return complement ? rest : good - rest;
}

template <class R>
CUPRUM_FN int64 hypergeometric(R& r, int64 good, int64 bad, int64 sample) {
  if (sample >= 10 && sample <= good + bad - 10)
    return hypergeometric_by_rejection<LogFactorial>(r, good, bad, sample, false);
  return hypergeometric_one_by_one(r, good, bad, sample);
}

}  // namespace random

CUPRUM_KERNELS_END
