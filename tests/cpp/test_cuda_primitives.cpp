// What the primitives of the CUDA backend plan on the host: layouts, ways of sorting and indexing, matrices for cuBLAS.
#include <algorithm>
#include <limits>

#include "backend/cuda/primitives/common/layout.h"
#include "backend/cuda/primitives/index/index_strategy.h"
#include "backend/cuda/primitives/product/matmul_plan.h"
#include "backend/cuda/primitives/sort/sort_plan.h"
#include "kernels/sort_key.h"
#include "random_views.h"

namespace cuprum {
namespace {

using namespace testing;
using namespace cuda;
using namespace cuda::primitives;

TEST(CudaPrimitives, DividersAreExact) {
  Rng rng(1);
  std::vector<std::int64_t> divisors = {1, 2, 3, 7, 641, (1 << 30) - 1, 1 << 30, (std::int64_t{1} << 31) - 1};
  for (int i = 0; i < 200; ++i) divisors.push_back(pick(rng, 1, (std::int64_t{1} << pick(rng, 1, 31)) - 1));
  for (std::int64_t d : divisors) {
    const Divider by(d);
    const std::int64_t last = (std::int64_t{1} << 31) - 1;
    for (std::int64_t n : {std::int64_t{0}, d - 1, d, std::min(last, 2 * d - 1), last - last % d, last}) {
      EXPECT_EQ(by.quotient(n, true), n / d) << n << " / " << d;
    }
    for (int i = 0; i < 100; ++i) {
      const std::int64_t n = pick(rng, 0, last), large = static_cast<std::int64_t>(rng() >> 1);
      EXPECT_EQ(by.quotient(n, true), n / d) << n << " / " << d;
      EXPECT_EQ(by.quotient(large, false), large / d) << large << " / " << d;
    }
  }
}

TEST(CudaPrimitives, LayoutsFindEveryElement) {
  Rng rng(2);
  for (const Dims& shape :
       {Dims{}, Dims{1}, Dims{5}, Dims{3, 1, 4}, Dims{2, 3, 4, 5}, Dims{2, 2, 2, 2, 2, 2, 2, 2, 2}}) {
    for (int repeat = 0; repeat < 20; ++repeat) {
      const Owned a = random_layout(rng, dtype::float32, shape),
                  b = random_layout(rng, dtype::int8, shape, true);
      Layout<2> layout;
      const bool fits = make_layout<2>({&a, &b}, 0, shape.size(), layout);
      ASSERT_TRUE(fits || shape.size() > kLayoutDims);
      if (!fits) continue;
      EXPECT_EQ(layout.size, element_count(shape));
      std::int64_t i = 0;
      reference::each(shape, [&](const Dims& at) {
        std::int64_t offset[2];
        layout.offsets(i++, offset);
        EXPECT_EQ(a.data + offset[0], reference::address(a, at));
        EXPECT_EQ(b.data + offset[1], reference::address(b, at));
      });
    }
  }
}

TEST(CudaPrimitives, DenseViewsAreOneDimension) {
  Rng rng(3);
  const Owned a = random_layout(rng, dtype::float64, {4, 5, 6}, true);
  Layout<1> layout;
  ASSERT_TRUE(make_layout<1>({&a}, 0, 3, layout));
  EXPECT_EQ(layout.ndim, 1);
  EXPECT_TRUE(layout.is_run(0, 8));
}

template <class K>
void check_keys(dtype type) {
  using U = typename K::Bits;
  Rng rng(4);
  std::vector<U> bits = {0, K::kSign, K::kNan, static_cast<U>(K::kSign - 1)};  // zeros, NaN of both signs
  for (int i = 0; i < 2000; ++i) bits.push_back(random_value(rng, type).template as<U>());
  for (int i = 0; i < 2000; ++i) bits.push_back(static_cast<U>(rng()));
  for (std::size_t i = 0; i < bits.size(); ++i) {
    const U x = bits[i], y = bits[rng() % bits.size()];
    EXPECT_EQ(K::restore(K::lossless(x)), x);
    const Scalar a = Scalar::of(type, x), b = Scalar::of(type, y);
    const U p = K::rank(K::lossless(x)), q = K::rank(K::lossless(y));
    EXPECT_EQ(p < q, reference::sort_key(a) < reference::sort_key(b));
    EXPECT_EQ(p == q, reference::sort_key(a) == reference::sort_key(b));
  }
}

TEST(CudaPrimitives, LosslessKeysHaveTheOrderOfTheValues) {
  check_keys<kernels::Float16Key>(dtype::float16);
  check_keys<kernels::BFloat16Key>(dtype::bfloat16);
  check_keys<kernels::Float32Key>(dtype::float32);
  check_keys<kernels::Float64Key>(dtype::float64);
}

TEST(CudaPrimitives, WordsHoldWhatASortNeeds) {
  using Way = SortPlan::Way;
  constexpr std::int64_t kHuge = std::int64_t{1} << 33;
  EXPECT_EQ(plan_sort(dtype::float32, 1, 100).way, Way::values);
  EXPECT_EQ(plan_sort(dtype::float32, 8192, 8192).way, Way::words);
  EXPECT_EQ(plan_sort(dtype::float32, 8192, 8192).end_bit(), 45);
  EXPECT_EQ(plan_sort(dtype::float16, 3, 8192).begin_bit(), 16);
  EXPECT_EQ(plan_sort(dtype::float64, 2, 100).way, Way::pairs);
  EXPECT_EQ(plan_sort(dtype::complex64, 1, 100).way, Way::pairs);
  EXPECT_EQ(plan_sort(dtype::int32, kHuge, 2).way, Way::pairs);
  EXPECT_EQ(plan_argsort(dtype::float32, 1, std::int64_t{1} << 32).way, Way::words);
  EXPECT_EQ(plan_argsort(dtype::float32, 1, kHuge).way, Way::pairs);
  EXPECT_EQ(plan_argsort(dtype::int16, 1, kHuge).way, Way::words);
  EXPECT_EQ(plan_argsort(dtype::int64, 1, 10).way, Way::pairs);
  for (std::int64_t n : {std::int64_t{1}, std::int64_t{2}, std::int64_t{3}, std::int64_t{1000}, kHuge}) {
    const int bits = bits_for(n);
    EXPECT_GE(std::int64_t{1} << bits, n);
    EXPECT_TRUE(n == 1 || (std::int64_t{1} << (bits - 1)) < n);
  }
}

MatrixView matrix(std::int64_t rows, std::int64_t cols, std::int64_t row_stride, std::int64_t col_stride) {
  return MatrixView(View{nullptr, dtype::float32, {rows, cols}, {row_stride, col_stride}});
}

TEST(CudaPrimitives, MatricesThatCublasCanUse) {
  const auto plain = blas_matrix(matrix(3, 4, 16, 4), 4);
  ASSERT_TRUE(plain);
  EXPECT_FALSE(plain->transposed);
  EXPECT_EQ(plain->ld, 4);
  const auto wide = blas_matrix(matrix(3, 4, 40, 4), 4);  // columns of a larger matrix
  ASSERT_TRUE(wide);
  EXPECT_EQ(wide->ld, 10);
  const auto transposed = blas_matrix(matrix(3, 4, 4, 12), 4);
  ASSERT_TRUE(transposed);
  EXPECT_TRUE(transposed->transposed);
  EXPECT_EQ(transposed->ld, 3);
  EXPECT_TRUE(blas_matrix(matrix(1, 4, -8, 4), 4));    // of a single row the stride does not matter
  EXPECT_TRUE(blas_matrix(matrix(4, 1, 12, 400), 4));  // a column with gaps
  EXPECT_FALSE(blas_matrix(matrix(3, 4, -16, 4), 4));  // upside down
  EXPECT_FALSE(blas_matrix(matrix(3, 4, 0, 4), 4));    // one row repeated
  EXPECT_FALSE(blas_matrix(matrix(3, 4, 8, 4), 4));    // rows that overlap
  EXPECT_FALSE(blas_matrix(matrix(3, 4, 32, 8), 4));   // every second column
  EXPECT_FALSE(blas_matrix(matrix(3, 4, 18, 4), 4));   // rows that begin within an element
}

constexpr IndexDevice kH200 = {50 << 20, 132, 227 << 10};

IndexWork words(std::int64_t positions, std::int64_t places) {
  return {positions, places, 4, 4, true, true, false};
}

TEST(CudaPrimitives, WaysOfTheRowsThatMeasureThem) {
  constexpr std::int64_t kLarge = 1 << 26, kSome = kLarge / 8, kNear = kLarge / 64;
  EXPECT_EQ(gather_way(words(kLarge, kLarge), kH200), GatherWay::walk);
  EXPECT_EQ(gather_way(words(kSome, kNear), kH200), GatherWay::in_a_row);
  IndexWork by_pairs = words(kSome, kLarge);
  by_pairs.in_a_row = false;
  EXPECT_EQ(gather_way(by_pairs, kH200), GatherWay::each);

  IndexWork constant = words(kSome, kLarge);
  constant.uniform = true;
  EXPECT_EQ(scatter_way(constant, kH200), ScatterWay::at_will);
  EXPECT_EQ(scatter_way(words(kSome, kLarge), kH200), ScatterWay::windows);
  EXPECT_EQ(scatter_way(words(kSome, kNear), kH200), ScatterWay::winners);
  EXPECT_EQ(scatter_way(words(kSome / 128, kLarge), kH200), ScatterWay::sorted);

  EXPECT_EQ(fold_way(words(kLarge, 1000), kH200, true, true), FoldWay::few);
  EXPECT_EQ(fold_way(words(kSome, kLarge), kH200, true, true), FoldWay::walk);
  EXPECT_EQ(fold_way(words(kSome, kNear), kH200, true, true), FoldWay::atomic);
  EXPECT_EQ(fold_way(words(kLarge, 1000), kH200, false, true), FoldWay::atomic);  // extremes
  EXPECT_EQ(fold_way(words(kSome, kNear), kH200, false, false), FoldWay::sorted);
}

TEST(CudaPrimitives, WhatAWayCannotTakeGoesAnother) {
  IndexWork bytes = words(1 << 26, 1 << 28);
  bytes.word = bytes.step = 1;  // a walk moves whole words
  EXPECT_EQ(gather_way(bytes, kH200), GatherWay::in_a_row);
  IndexWork backwards = words(1 << 26, 1 << 26);
  backwards.step = -4;
  EXPECT_EQ(gather_way(backwards, kH200), GatherWay::in_a_row);
  EXPECT_EQ(scatter_way(backwards, kH200), ScatterWay::windows);
  const IndexDevice small = {1 << 20, 16, 48 << 10};  // shared memory for no walk
  EXPECT_EQ(gather_way(words(1 << 26, 1 << 26), small), GatherWay::in_a_row);
  EXPECT_EQ(scatter_way(words(std::int64_t{1} << 33, 1 << 26), kH200),
            ScatterWay::sorted);  // numbers of 32 bits
  EXPECT_EQ(scatter_way(words(1, 1 << 26), kH200), ScatterWay::at_will);
  EXPECT_EQ(copies_of_sums(100, true), kCopies);
  EXPECT_EQ(copies_of_sums(1000, true), 1u);
  EXPECT_EQ(copies_of_sums(100, false), 1u);
}

}  // namespace
}  // namespace cuprum
