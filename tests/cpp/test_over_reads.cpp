// Kernels that write what they read elsewhere, against the same with a copy of what they read: bit for bit, with any number of
// threads, whatever the distance.
#include "backend/cpu/over_reads.h"

#include <gtest/gtest.h>

#include <vector>

#include "backend/cpu/evaluator.h"
#include "backend/cpu/threads.h"

namespace cuprum {
namespace {

constexpr std::int64_t kSize = sizeof(double);

std::vector<double> numbers(std::size_t n) {
  std::vector<double> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<double>(i * 7919 % 1009) / 64;
  return x;
}

/// A view of an array: where it begins, in elements.
struct Sum {
  Dims shape, strides;  // strides in elements, of all views
  std::int64_t to, first, second;

  /// to = 0.5 * (first + second), with the sources in `from` and the result in `into`.
  Kernel kernel(double* from, double* into) const {
    Dims bytes = strides;
    for (std::int64_t& s : bytes) s *= kSize;
    Kernel k;
    k.shape = shape;
    k.leaves = {{reinterpret_cast<std::byte*>(from + first), dtype::float64, bytes},
                {reinterpret_cast<std::byte*>(from + second), dtype::float64, bytes}};
    k.scalars = {Scalar::of(dtype::float64, 0.5)};
    k.code = {{Op::add, dtype::float64, dtype::float64, 2, {0, 1, 0}},
              {Op::multiply, dtype::float64, dtype::float64, 2, {2, 3, 0}}};
    k.stores = {{reinterpret_cast<std::byte*>(into + to), dtype::float64, bytes, 4, false, true}};
    return k;
  }
};

/// Whether the kernel was found to overlap.
bool expect_old_values(const Sum& sum, std::size_t n) {
  bool overlapped = false;
  for (const int threads : {1, 2, 5}) {
    cpu::set_num_threads(threads);
    std::vector<double> want = numbers(n), got = want, old = want;
    cpu::run_elementwise(sum.kernel(old.data(), want.data()));
    const Kernel kernel = sum.kernel(got.data(), got.data());
    overlapped = cpu::run_over_reads(kernel);
    if (!overlapped) cpu::run_elementwise(kernel);
    EXPECT_EQ(got, want) << threads << " threads";
  }
  cpu::set_num_threads(2);
  return overlapped;
}

TEST(OverReads, NeighboursInAPlate) {
  for (const std::int64_t n : {4, 10, 40, 300}) {
    const Sum sum{{n - 2, n - 2}, {n, 1}, n + 1, 1, 2 * n + 1};
    EXPECT_TRUE(expect_old_values(sum, static_cast<std::size_t>(n * n)));
    const Sum sides{{n - 2, n - 2}, {n, 1}, n + 1, n, n + 2};
    EXPECT_TRUE(expect_old_values(sides, static_cast<std::size_t>(n * n)));
  }
}

TEST(OverReads, AnyDistance) {
  const std::int64_t rows = 400, cols = 70;
  for (const std::int64_t far : {1, 2, 3, 7, 20, 60, 120, 130}) {
    const Sum sum{{rows - 2 * far, cols}, {cols, 1}, far * cols, 0, 2 * far * cols};
    EXPECT_TRUE(expect_old_values(sum, static_cast<std::size_t>(rows * cols)));
    const Sum back{{rows - 2 * far, cols},
                   {-cols, 1},
                   (rows - far - 1) * cols,
                   (rows - 1) * cols,
                   (rows - 2 * far - 1) * cols};
    EXPECT_TRUE(expect_old_values(back, static_cast<std::size_t>(rows * cols)));
  }
}

TEST(OverReads, OneAndThreeDimensions) {
  EXPECT_TRUE(expect_old_values({{90'000}, {1}, 1, 0, 2}, 90'002));
  const std::int64_t n = 40, plane = n * n;
  const Sum sum{{n - 2, n - 2, n - 2}, {plane, n, 1}, plane + n + 1, n + 1, 2 * plane + n + 1};
  EXPECT_TRUE(expect_old_values(sum, static_cast<std::size_t>(n * plane)));
}

TEST(OverReads, WhatHasNothingInCommonIsLeftAlone) {
  EXPECT_FALSE(expect_old_values({{100}, {2}, 0, 1, 3}, 204));              // a[::2] = a[1::2]
  EXPECT_FALSE(expect_old_values({{100, 50}, {100, 2}, 0, 1, 1}, 10'000));  // the same in rows
  EXPECT_FALSE(expect_old_values({{100}, {1}, 0, 0, 0}, 100));              // the identical view
  EXPECT_FALSE(expect_old_values({{100}, {1}, 0, 100, 200}, 300));
}

}  // namespace
}  // namespace cuprum
