#include "backend/cpu/fft/factors.h"

#include <algorithm>

namespace cuprum::cpu::fft {

namespace {

/// Lanes of a register as far as a choice of factors is concerned: the same for every dtype and instruction set.
constexpr std::int64_t kNominalLanes = 8;
/// Shorter factors leave most of a register's lanes empty.
constexpr std::int64_t kLeastFactor = 6;

double radix_cost(std::int64_t r) {
  switch (r) {
    case 2: return 1.6;
    case 3: return 2.3;
    case 4: return 2.0;
    case 5: return 3.3;
    case 7: return 4.5;
    case 8: return 2.7;
    case 11: return 7.0;
    case 13: return 8.0;
    default: return static_cast<double>(r);
  }
}

std::int64_t whole_registers(std::int64_t n) {
  return (n + kNominalLanes - 1) / kNominalLanes * kNominalLanes;
}

}  // namespace

std::vector<std::int64_t> radices(std::int64_t n) {
  std::vector<std::int64_t> found;
  int twos = 0;
  for (; n % 2 == 0; n /= 2) ++twos;
  for (; twos >= 3 && twos != 4; twos -= 3) found.push_back(8);
  for (; twos >= 2; twos -= 2) found.push_back(4);
  if (twos == 1) found.push_back(2);
  for (std::int64_t p = 3; p * p <= n; p += 2) {
    for (; n % p == 0; n /= p) found.push_back(p);
  }
  if (n > 1) found.push_back(n);
  std::sort(found.begin(), found.end());  // the last pass needs no twiddles: the longest radix
  return found;
}

std::int64_t largest_prime_factor(std::int64_t n) {
  std::int64_t largest = 1;
  for (std::int64_t p = 2; p * p <= n; ++p) {
    for (; n % p == 0; n /= p) largest = p;
  }
  return std::max(largest, n);
}

double line_cost(std::int64_t n) {
  double cost = 1;
  for (std::int64_t r : radices(n)) cost += radix_cost(r);
  return cost;
}

Factors best_split(std::int64_t n, bool half) {
  Factors best{1, n, 0};
  // Columns in whole registers, rows in whole registers; long lines leave the cache.
  const auto part = [](std::int64_t length, std::int64_t lines, std::int64_t of) {
    const double far = length > 512 ? 1.2 : 1.0;
    return far * line_cost(length) * static_cast<double>(whole_registers(lines)) / static_cast<double>(of);
  };
  const auto try_pair = [&](std::int64_t n1, std::int64_t n2) {
    const double cost = part(n1, n2, n2) + part(n2, half ? n1 / 2 + 1 : n1, n1) + 1;
    if (best.n1 == 1 || cost < best.cost) best = {n1, n2, cost};
  };
  for (std::int64_t n1 = kLeastFactor; n1 * n1 <= n; ++n1) {
    if (n % n1 != 0) continue;
    try_pair(n1, n / n1);
    if (half) try_pair(n / n1, n1);
  }
  return best;
}

std::int64_t good_length(std::int64_t n) {
  std::int64_t best = 0;
  double least = 0;
  for (std::int64_t seven = 1; seven < 2 * n; seven *= 7) {
    for (std::int64_t five = seven; five < 2 * n; five *= 5) {
      for (std::int64_t three = five; three < 2 * n; three *= 3) {
        std::int64_t m = three;
        while (m < n) m *= 2;
        if (m >= 2 * n && best != 0) continue;
        const Factors split = best_split(m);
        const double cost = static_cast<double>(m) * (split.n1 > 1 ? split.cost : 2 * line_cost(m));
        if (best == 0 || cost < least) {
          best = m;
          least = cost;
        }
      }
    }
  }
  return best;
}

}  // namespace cuprum::cpu::fft
