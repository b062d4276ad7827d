// Two operations in one loop, against a loop for each: bit for bit, at every instruction-set level.
#include "backend/cpu/simd/pairs.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <vector>

namespace cuprum {
namespace {

using PairTable = LoopFn (*)(Op, Op, PairForm, dtype);

std::vector<PairTable> runnable_tables() {
  std::vector<PairTable> tables;
#if defined(CUPRUM_SIMD_HAS_V2) && defined(CUPRUM_SIMD_HAS_V3) && defined(CUPRUM_SIMD_HAS_V4)
  tables.push_back(&v2::pair_loop);
  if (simd_level() >= SimdLevel::v3) tables.push_back(&v3::pair_loop);
  if (simd_level() >= SimdLevel::v4) tables.push_back(&v4::pair_loop);
#else
  tables.push_back(
      [](Op first, Op second, PairForm form, dtype key) { return pair_loop(first, second, form, key); });
#endif
  return tables;
}

/// Numbers of which products and sums round, overflow and vanish.
template <class T>
std::vector<T> numbers(std::size_t n, unsigned seed) {
  const T largest = std::numeric_limits<T>::max(), least = std::numeric_limits<T>::denorm_min();
  const T some[] = {T(0.1), T(-1) / 3, T(7e5),  largest,
                    -least, T(0),      T(-0.0), T(1) + std::numeric_limits<T>::epsilon()};
  std::vector<T> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = some[(i * 2654435761u + seed * 40503u) / 64 % 8] * T(1 + i % 5);
  return x;
}

template <class T>
void expect_two_roundings(dtype key) {
  constexpr std::size_t n = 203;
  const auto a = numbers<T>(n, 1), b = numbers<T>(n, 2), c = numbers<T>(n, 3);
  const Op ops[] = {Op::add, Op::subtract, Op::multiply};
  for (const PairTable pair : runnable_tables()) {
    for (const Op first : ops) {
      for (const Op second : ops) {
        for (const PairForm form : {PairForm::left, PairForm::right, PairForm::both}) {
          std::vector<T> x(n), want(n), got = a;
          const auto loop = [&](Op op) { return loops().loop[static_cast<int>(op)][static_cast<int>(key)]; };
          loop(first)(n, x.data(), a.data(), b.data(), nullptr);
          const T* left = form == PairForm::right ? c.data() : x.data();
          const T* right = form == PairForm::left ? c.data() : x.data();
          loop(second)(n, want.data(), left, right, nullptr);
          pair(first, second, form, key)(n, got.data(), got.data(), b.data(), c.data());
          for (std::size_t i = 0; i < n; ++i) {
            const bool same =
                std::memcmp(&got[i], &want[i], sizeof(T)) == 0 || (got[i] != got[i] && want[i] != want[i]);
            ASSERT_TRUE(same) << static_cast<int>(first) << ' ' << static_cast<int>(second) << " at " << i;
          }
        }
      }
    }
  }
}

TEST(PairLoops, RoundTwice) {
  expect_two_roundings<float>(dtype::float32);
  expect_two_roundings<double>(dtype::float64);
}

TEST(PairLoops, OthersHaveNone) {
  EXPECT_EQ(pair_loop(Op::add, Op::divide, PairForm::left, dtype::float64), nullptr);
  EXPECT_EQ(pair_loop(Op::add, Op::add, PairForm::left, dtype::int32), nullptr);
}

}  // namespace
}  // namespace cuprum
