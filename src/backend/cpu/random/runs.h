// Laws that make their numbers from draws in memory (the bulk form of chain.h), with tables of what depends on a number alone. Tables
// are made where many numbers are asked for; the numbers are those of the law without them.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "backend/cpu/random/chain.h"
#include "kernels/random/binomial.h"
#include "kernels/random/continuous.h"
#include "kernels/random/discrete_poisson.h"

namespace cuprum::cpu {

inline double unit_of(std::uint64_t draw) {
  return kernels::random::unit(static_cast<kernels::uint64>(draw));
}

using kernels::random::Tried;

/// Tries that take two draws each, whatever comes of them: attempt(first, second, x) sets x. Numbers are packed without a branch.
template <class T, class Attempt>
Run run_of_pairs(const std::uint64_t* draws, std::int64_t n, T* out, const Attempt& attempt) {
  std::int64_t i = 0, count = 0;
  Tried tried = Tried::rejected;
  for (; i + 2 <= n; i += 2) {
    T x;
    tried = attempt(draws[i], draws[i + 1], x);
    if (tried == Tried::open) [[unlikely]]
      return {i, count, true};
    out[count] = x;
    count += static_cast<std::int64_t>(tried);
  }
  return {i, count, tried == Tried::rejected || i < n};
}

/// Gamma numbers. Those of a shape above 1 are easy.
struct GammaRun {
  using Unit = std::uint64_t;
  double shape;
  kernels::random::LargeGamma<double> gamma{shape};

  double operator()(Reader& r) const {
    return kernels::random::standard_gamma<kernels::random::Modern, double>(r, shape);
  }
  Run run(const std::uint64_t* draws, std::int64_t n, double* out) const {
    if (!(shape > 1)) return {0, 0, true};
    return run_of_pairs(draws, n, out, [this](std::uint64_t first, std::uint64_t second, double& number) {
      return gamma.attempt(first, second, number);
    });
  }
};

/// Poisson's law. Large means: log(v) - log(w) <= s(k) is v <= w * exp(s(k)), where the two are not as close as rounding errors are.
class PoissonRun {
 public:
  using Unit = std::uint64_t;

  PoissonRun(double mean, std::int64_t numbers) : law_(mean) {
    const double reach = 8 * std::sqrt(mean);
    if (!(mean >= 10) || 2 * reach > kLargest || static_cast<double>(numbers) < 4 * (2 * reach)) return;
    first_ = static_cast<std::int64_t>(std::max(0.0, mean - reach));
    shares_.resize(static_cast<std::size_t>(mean + reach) - static_cast<std::size_t>(first_));
    for (std::size_t i = 0; i < shares_.size(); ++i)
      shares_[i] = std::exp(law_.log_share(first_ + static_cast<std::int64_t>(i)) - law_.log_inverse_alpha);
  }

  std::int64_t operator()(Reader& r) const { return law_(r); }
  Run run(const std::uint64_t* draws, std::int64_t n, std::int64_t* out) const {
    if (law_.mean < 10) return run_of_products(draws, n, out);
    return run_of_pairs(draws, n, out, [this](std::uint64_t first, std::uint64_t second, std::int64_t& k) {
      const auto accept = [this](const kernels::random::Poisson::Try& t, double v) { return accepts(t, v); };
      return law_.attempt(unit_of(first) - 0.5, unit_of(second), k, accept) ? Tried::accepted
                                                                            : Tried::rejected;
    });
  }

 private:
  static constexpr double kLargest = 1 << 16;  // of a table; each of its entries takes as long as two numbers

  bool accepts(const kernels::random::Poisson::Try& t, double v) const {
    const auto i = static_cast<std::size_t>(t.k - first_);
    if (i < shares_.size()) {
      constexpr double doubt = 1e-9;  // rounding errors of either side are below 1e-12
      const double bound = (law_.a / (t.us * t.us) + law_.b) * shares_[i];
      if (v < bound * (1 - doubt)) return true;
      if (v > bound * (1 + doubt)) return false;
    }
    return law_.accepts(t, v);
  }

  Run run_of_products(const std::uint64_t* draws, std::int64_t n, std::int64_t* out) const {
    if (law_.mean == 0) return {0, 0, true};
    std::int64_t i = 0, count = 0;
    for (;;) {
      const std::int64_t begin = i;
      double product = 1;
      do {
        if (i == n) return {begin, count, begin < n};
        product *= unit_of(draws[i++]);
      } while (product > law_.limit);
      out[count++] = i - begin - 1;
    }
  }

  kernels::random::Poisson law_;
  std::int64_t first_ = 0;
  std::vector<double> shares_;  // exp(log_share - log_inverse_alpha) of first_, first_ + 1, ...
};

/// The binomial law.
class BinomialRun {
 public:
  using Unit = std::uint64_t;

  BinomialRun(std::int64_t n, double p, std::int64_t numbers) : law_(n, p) {
    if (law_.constant || numbers < kMany) return;
    if (law_.inverts) {
      shares_.push_back(law_.start);
      for (std::int64_t x = 1; x <= law_.bound; ++x) shares_.push_back(law_.next_share(x, shares_.back()));
    } else {
      for (std::int64_t y = law_.m - kNear; y <= law_.m + kNear; ++y) shares_.push_back(law_.ratio(y));
    }
  }

  std::int64_t operator()(Reader& r) const { return law_(r); }
  Run run(const std::uint64_t* draws, std::int64_t n, std::int64_t* out) const {
    if (shares_.empty()) return {0, 0, true};
    const Run run = law_.inverts ? run_of_inversions(draws, n, out) : run_of_tries(draws, n, out);
    if (law_.turned) {
      for (std::int64_t i = 0; i < run.numbers; ++i) out[i] = law_.n - out[i];
    }
    return run;
  }

 private:
  static constexpr std::int64_t kMany = 1000, kNear = 20;

  Run run_of_inversions(const std::uint64_t* draws, std::int64_t n, std::int64_t* out) const {
    const double* const shares = shares_.data();
    for (std::int64_t i = 0; i < n; ++i) {
      double u = unit_of(draws[i]);
      std::int64_t x = 0;
      while (u > shares[x]) {
        if (x == law_.bound) return {i, i, true};  // begins anew, with another draw
        u -= shares[x++];
      }
      out[i] = x;
    }
    return {n, n, false};
  }
  Run run_of_tries(const std::uint64_t* draws, std::int64_t n, std::int64_t* out) const {
    const auto ratios = [this](std::int64_t y) {
      const auto i = static_cast<std::size_t>(y - law_.m + kNear);
      return i < shares_.size() ? shares_[i] : law_.ratio(y);
    };
    return run_of_pairs(draws, n, out, [&](std::uint64_t first, std::uint64_t second, std::int64_t& y) {
      return law_.attempt(unit_of(first) * law_.p4, unit_of(second), y, ratios) ? Tried::accepted
                                                                                : Tried::rejected;
    });
  }

  kernels::random::Binomial law_;
  std::vector<double>
      shares_;  // inversion: of 0, 1, ...; rejection: ratios to that of m, of m - 20, ..., m + 20
};

}  // namespace cuprum::cpu
