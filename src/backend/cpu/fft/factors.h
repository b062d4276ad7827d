// Which factors a length is taken apart into, and what that costs.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace cuprum::cpu::fft {

/// The radices of a line, in the order of its passes.
std::vector<std::int64_t> radices(std::int64_t n);

std::int64_t largest_prime_factor(std::int64_t n);

/// What a point costs in a line of length n, in arbitrary units.
double line_cost(std::int64_t n);

/// n1 * n2 == n, the cheapest pair; {1, n}: no pair is worth it. `cost` is then that of a point. `half`: of the n1 rows the second
/// step leaves out those that are conjugates of others.
struct Factors {
  std::int64_t n1, n2;
  double cost;
};
Factors best_split(std::int64_t n, bool half = false);

/// A length of at least n without large factors, the cheapest to transform.
std::int64_t good_length(std::int64_t n);

}  // namespace cuprum::cpu::fft
