// Small products: every instruction set gives the sum of the products in order, and touches nothing beyond the operands.
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "backend/cpu/simd/small_product.h"

namespace cuprum {
namespace {

using Product = decltype(&CUPRUM_BASE_LEVEL::small_product);

std::vector<Product> levels() {
  std::vector<Product> found = {&CUPRUM_BASE_LEVEL::small_product};
#if defined(CUPRUM_SIMD_HAS_V3)
  if (simd_level() >= SimdLevel::v3) found.push_back(&v3::small_product);
#endif
#if defined(CUPRUM_SIMD_HAS_V4)
  if (simd_level() >= SimdLevel::v4) found.push_back(&v4::small_product);
#endif
  return found;
}

template <class R>
MatrixRef rows_of(std::vector<R>& numbers, int width) {
  const auto size = static_cast<int64_t>(sizeof(R));
  return {reinterpret_cast<unsigned char*>(numbers.data()), width * size, size};
}

template <class R>
void check(dtype type, int m, int n, int k) {
  std::mt19937 random(static_cast<unsigned>(m * 289 + n * 17 + k));
  std::normal_distribution<double> normal;
  const auto draw = [&](int count) {
    std::vector<R> numbers(static_cast<std::size_t>(count));
    for (R& x : numbers) x = static_cast<R>(normal(random));
    return numbers;
  };
  std::vector<R> a = draw(m * k), b = draw(k * n), want;
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      R sum = 0;
      for (int l = 0; l < k; ++l) {
        const volatile R product =  // rounded before it is added
            a[static_cast<std::size_t>(i * k + l)] * b[static_cast<std::size_t>(l * n + j)];
        sum = sum + product;
      }
      want.push_back(sum);
    }
  }
  for (const Product product : levels()) {
    std::vector<R> out(want.size());
    product(type, m, n, k, rows_of(a, k), rows_of(b, n), rows_of(out, n));
    EXPECT_EQ(out, want) << m << " x " << n << ", " << k;
    std::vector<R> apart(static_cast<std::size_t>(m * (n + 1)), R(7));  // a part of a wider matrix
    product(type, m, n, k, rows_of(a, k), rows_of(b, n), rows_of(apart, n + 1));
    for (int i = 0; i < m; ++i) {
      const R* const row = apart.data() + i * (n + 1);
      EXPECT_EQ(std::vector<R>(row, row + n),
                std::vector<R>(want.begin() + i * n, want.begin() + (i + 1) * n));
      EXPECT_EQ(row[n], R(7));
    }
  }
}

TEST(SmallProduct, sums_in_order_at_every_level) {
  for (int m : {1, 3, 4, 8, 13, kSmallProduct}) {
    for (int n = 1; n <= kSmallProduct; ++n) {
      for (int k : {1, 2, 7, kSmallProduct}) {
        check<double>(dtype::float64, m, n, k);
        check<float>(dtype::float32, m, n, k);
      }
    }
  }
}

}  // namespace
}  // namespace cuprum
