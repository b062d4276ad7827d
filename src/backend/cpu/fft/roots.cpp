#include "backend/cpu/fft/roots.h"

#include <cmath>

namespace cuprum::cpu::fft {

namespace {

constexpr long double kPi = 3.141592653589793238462643383279502884L;

}  // namespace

Roots::Roots(std::int64_t n) : n_(n), shift_(1) {
  while ((std::int64_t{1} << (2 * shift_)) < n) ++shift_;
  const auto angle = [&](std::int64_t x) {
    const long double a = 2 * kPi * static_cast<long double>(x) / (8 * static_cast<long double>(n));
    return Point{std::cos(a), std::sin(a)};
  };
  for (std::int64_t x = 0; x < std::int64_t{1} << shift_; ++x) fine_.push_back(angle(x));
  for (std::int64_t x = 0; x <= n; x += std::int64_t{1} << shift_) coarse_.push_back(angle(x));
}

Roots::Point Roots::eighth(std::int64_t x) const {
  const auto [c, s] = coarse_[static_cast<std::size_t>(x >> shift_)];
  const auto [d, t] = fine_[static_cast<std::size_t>(x & ((std::int64_t{1} << shift_) - 1))];
  return {c * d - s * t, c * t + s * d};
}

std::pair<long double, long double> Roots::operator()(std::int64_t k) const {
  std::int64_t x = 8 * k;  // in units of 1 / (8 n) turns
  const bool lower = x > 4 * n_;
  if (lower) x = 8 * n_ - x;
  const bool left = x > 2 * n_;
  if (left) x = 4 * n_ - x;
  const bool steep = x > n_;
  if (steep) x = 2 * n_ - x;
  auto [c, s] = eighth(x);
  if (steep) std::swap(c, s);
  return {left ? -c : c, lower ? s : -s};
}

}  // namespace cuprum::cpu::fft
