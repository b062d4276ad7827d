// Sums at few places, run on the host: what every position brings arrives at its place, whatever is counted, carried or
// added as it is; bad indices bring nothing.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "runtime/program.h"
// After all standard headers:
#include "cuda_on_host.h"
//
#include "backend/cuda/primitives/index/few_kernels.cuh"

namespace cuprum {
namespace {

using namespace testing;
using namespace cuda::primitives;

template <class T>
struct Positions {
  std::int64_t size;
  const unsigned* places;
  const T* line;
  std::int64_t step;

  unsigned place(std::int64_t p) const { return places[p]; }
  const char* of_line(std::int64_t p) const { return reinterpret_cast<const char*>(line + p * step); }
};

/// Every second element of the array is a place; `given` holds some numbers beyond them.
template <class T>
void check(const std::vector<unsigned>& given, unsigned places, const std::vector<T>& line, bool subtract,
           unsigned copies = 1) {
  const bool uniform = line.size() == 1;
  std::vector<T> array(places * 2), wanted;
  for (unsigned i = 0; i < places * 2; ++i) array[i] = static_cast<T>(i % 5);
  wanted = array;
  for (std::size_t p = 0; p < given.size(); ++p) {
    const T x = line[uniform ? 0 : p];
    if (given[p] < places) wanted[given[p] * 2] += subtract ? static_cast<T>(-x) : x;
  }
  const Positions<T> positions{static_cast<std::int64_t>(given.size()), given.data(), line.data(),
                               uniform ? 0 : 1};
  const FewSums sums{reinterpret_cast<char*>(array.data()), 2 * sizeof(T), places, subtract, uniform, copies};
  run_grid(3, 1, kFewThreads, [&] { sum_at_few<T>(positions, sums); });
  ASSERT_EQ(array, wanted) << given.size() << " positions, " << places << " places";
}

template <class T>
void check_all(const std::vector<T>& values) {
  std::mt19937 random(1);
  for (const unsigned places : {1u, 7u, 1000u, static_cast<unsigned>(kFewPlaces)}) {
    for (const std::size_t n : {1u, 255u, 1025u, 7001u}) {
      std::vector<unsigned> given(n);
      for (unsigned& p : given) p = random() % 20 == 0 ? ~0u : random() % places;
      std::vector<T> line(n);
      for (T& x : line) x = values[random() % values.size()];
      for (const bool subtract : {false, true}) {
        check(given, places, line, subtract);
        if (places <= kCopiedPlaces) check(given, places, line, subtract, kCopies);
        for (const T value : values) check(given, places, std::vector<T>{value}, subtract);
      }
    }
  }
}

TEST(CudaFew, Integers) {
  check_all<unsigned>({1, 0, 7, 0xfffffff0});
  check_all<unsigned long long>({1, 0, 0xffffffff, 0x100000000, 0xfffffffffffffff0, 0x8000000080000001});
}

TEST(CudaFew, FloatsThatAreCountedAndThatAreNot) {
  check_all<float>({1.0f, -3.0f, 0.0f, 0.25f, -64.5f});  // exact in any order
  check_all<double>({1.0, -1048575.0, 1048576.0, 0.5, 3e9});
}

TEST(CudaFew, WhatIsCounted) {
  EXPECT_TRUE(is_countable(1.0) && is_countable(-1048575.0f) && is_countable(-0.0) && is_countable(5u));
  EXPECT_FALSE(is_countable(0.5) || is_countable(1048576.0) || is_countable(-INFINITY) ||
               is_countable(std::numeric_limits<double>::quiet_NaN()));
  EXPECT_EQ(times<unsigned>(3, ~0u), -3u);
  EXPECT_EQ(times<double>(0xffffffff, -1048575.0), -1048575.0 * 4294967295.0);
}

}  // namespace
}  // namespace cuprum
