// Discrete laws as tables of quantiles: a number for every draw of 64 bits (kernels/random/element_laws.h reads them).
//
// A law is given by the ratio of the probabilities of neighbours, so that no transcendental function decides: every device and every C
// library has the same table. It reaches from the likeliest number down and up to where a draw of 64 bits hardly ever comes.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/primitives.h"

namespace cuprum {

struct QuantileTable {
  static constexpr int kGuideBits = 10;
  static constexpr std::size_t kMost = 1024;  // entries: 8 KB, which a multiprocessor keeps near

  std::int64_t least = 0;
  std::vector<std::uint64_t>
      edges;  // the largest draw that gives `least` + k; empty: the law has too many numbers
  std::vector<std::uint16_t> guide;  // by the first bits of a draw: where the search begins

  /// ratio(k) is the probability of k + 1 over that of k, for k in [low, high); it falls below 1 at `mode`.
  template <class Ratio>
  static QuantileTable of(std::int64_t low, std::int64_t mode, std::int64_t high, Ratio&& ratio) {
    constexpr double least_share = 0x1p-70;  // of the mode's; all below together are less than 2^-60
    std::vector<double> below, above;        // shares, from the mode outwards
    double share = 1.0;
    for (std::int64_t k = mode - 1; k >= low; --k) {
      share /= ratio(k);
      if (!(share > least_share)) break;
      if (below.size() == kMost) return {};
      below.push_back(share);
    }
    share = 1.0;
    for (std::int64_t k = mode; k < high; ++k) {
      share *= ratio(k);
      if (!(share > least_share)) break;
      if (above.size() == kMost) return {};
      above.push_back(share);
    }
    if (below.size() + above.size() + 1 > kMost) return {};
    std::reverse(below.begin(), below.end());
    QuantileTable table;
    table.least = mode - static_cast<std::int64_t>(below.size());
    below.push_back(1.0);
    below.insert(below.end(), above.begin(), above.end());
    table.fill(below);
    return table;
  }

 private:
  void fill(const std::vector<double>& shares) {
    double total = 0, sum = 0;
    for (const double x : shares) total += x;
    for (const double x : shares) {
      sum += x;
      const double edge = std::floor(sum / total * 0x1p64) - 1;
      edges.push_back(edge >= 0x1.fffffffffffffp63 ? ~std::uint64_t{0}
                                                   : static_cast<std::uint64_t>(std::max(edge, 0.0)));
    }
    edges.back() = ~std::uint64_t{0};
    for (std::uint64_t bits = 0, k = 0; bits < std::uint64_t{1} << kGuideBits; ++bits) {
      while (edges[k] < bits << (64 - kGuideBits)) ++k;
      guide.push_back(static_cast<std::uint16_t>(k));
    }
  }
};

/// `mean` > 0 and finite.
inline QuantileTable poisson_table(double mean) {
  if (mean == 0) return QuantileTable::of(0, 0, 0, [](std::int64_t) { return 0.0; });
  if (!(mean < 1e6)) return {};
  return QuantileTable::of(0, static_cast<std::int64_t>(mean), INT64_MAX,
                           [=](std::int64_t k) { return mean / static_cast<double>(k + 1); });
}
inline QuantileTable binomial_table(std::int64_t n, double p) {
  if (n == 0 || p == 0) return QuantileTable::of(0, 0, 0, [](std::int64_t) { return 0.0; });
  const double q = 1 - p, count = static_cast<double>(n), mode = (count + 1) * p;
  if (q == 0) return QuantileTable::of(n, n, n, [](std::int64_t) { return 0.0; });
  if (!(count * p * q < 1e6)) return {};
  return QuantileTable::of(0, std::min(n, static_cast<std::int64_t>(mode)), n, [=](std::int64_t k) {
    return static_cast<double>(n - k) / static_cast<double>(k + 1) * (p / q);
  });
}
inline QuantileTable negative_binomial_table(double n, double p) {
  const double q = 1 - p, mode = n > 1 ? (n - 1) * q / p : 0;
  if (!(p > 0) || !(n > 0) || !(mode < 1e12)) return {};
  return QuantileTable::of(0, static_cast<std::int64_t>(mode), INT64_MAX, [=](std::int64_t k) {
    return (static_cast<double>(k) + n) / static_cast<double>(k + 1) * q;
  });
}
inline QuantileTable geometric_table(double p) {
  if (!(p > 0.03)) return {};
  return QuantileTable::of(1, 1, INT64_MAX, [=](std::int64_t) { return 1 - p; });
}
inline QuantileTable logseries_table(double p) {
  if (!(p < 0.97)) return {};
  return QuantileTable::of(1, 1, INT64_MAX, [=](std::int64_t k) {
    return p * static_cast<double>(k) / static_cast<double>(k + 1);
  });
}
inline QuantileTable hypergeometric_table(std::int64_t good, std::int64_t bad, std::int64_t taken) {
  const std::int64_t low = std::max<std::int64_t>(0, taken - bad), high = std::min(good, taken);
  const double mode = static_cast<double>(taken + 1) * (static_cast<double>(good) + 1) /
                      (static_cast<double>(good) + static_cast<double>(bad) + 2);
  return QuantileTable::of(low, std::clamp(static_cast<std::int64_t>(mode), low, high), high,
                           [=](std::int64_t k) {
                             return static_cast<double>(good - k) * static_cast<double>(taken - k) /
                                    (static_cast<double>(k + 1) * static_cast<double>(bad - taken + k + 1));
                           });
}

/// The table of a law with numbers as parameters, if it has one.
inline std::optional<QuantileTable> quantile_table(const Draw& p) {
  const auto real = [&](std::size_t i) { return std::bit_cast<double>(p.parameters[i]); };
  const auto integer = [&](std::size_t i) { return static_cast<std::int64_t>(p.parameters[i]); };
  const QuantileTable table = [&]() -> QuantileTable {
    switch (p.law) {
      case Law::poisson: return poisson_table(real(0));
      case Law::binomial: return binomial_table(integer(0), real(1));
      case Law::negative_binomial: return negative_binomial_table(real(0), real(1));
      case Law::geometric: return geometric_table(real(0));
      case Law::logseries: return logseries_table(real(0));
      case Law::hypergeometric: return hypergeometric_table(integer(0), integer(1), integer(2));
      default: return {};
    }
  }();
  if (table.edges.empty()) return std::nullopt;
  return table;
}

}  // namespace cuprum
