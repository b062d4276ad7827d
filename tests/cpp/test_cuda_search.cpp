// The kernels that search sorted rows on the CUDA backend, run on the host, and how their work is laid out.
#include <cmath>
#include <cstdint>
#include <limits>

#include "backend/cuda/primitives/search/search_plan.h"
#include "backend/reference/primitives.h"
#include "random_views.h"
// After all standard headers:
#include "cuda_on_host.h"
//
#include "backend/cuda/primitives/search/search_kernels.cuh"

namespace cuprum {
namespace {

using namespace testing;
using namespace cuda::primitives;

/// A guide of `buckets` for a row, as make_guide builds it.
template <class T>
std::vector<unsigned> guide_of(const View& row, unsigned buckets) {
  std::vector<unsigned> guide(buckets);
  const SortedRow<T> sorted{reinterpret_cast<const char*>(row.data.address()), row.shape[0]};
  run_grid(buckets / kGuideThreads, 1, kGuideThreads, [&] { build_guide<T>(sorted, guide.data(), buckets); });
  return guide;
}

template <class T, class Use>
void search(const View& row, const View& values, const Use& use, char* out, unsigned buckets, bool near) {
  const std::vector<unsigned> guide = guide_of<T>(row, buckets);
  std::vector<std::uint64_t> memory(1 << 15);
  const GuidedSearch s{
      {reinterpret_cast<const char*>(row.data.address()), row.shape[0],
       reinterpret_cast<const char*>(values.data.address()), out, element_count(values.shape)},
      near ? nullptr : guide.data(),
      buckets};
  run_grid(2, 1, kSearchThreads, [&] { search_guided<T>(s, use, reinterpret_cast<char*>(memory.data())); });
}

template <class T>
void check_row(Rng& rng, const View& row, const View& values, unsigned buckets, bool near) {
  const std::string what = std::string(name(row.type)) + ", " + std::to_string(row.shape[0]) + " elements";
  const Dims shape = values.shape;
  const Owned places = random_layout(rng, dtype::int64, shape, true),
              found = random_layout(rng, dtype::bool_, shape, true);
  const Owned expected = empty_like(rng, dtype::int64, shape), among = empty_like(rng, dtype::bool_, shape);
  char* const to = reinterpret_cast<char*>(places.data.address());
  search<T>(row, values, WritePlace<false>{}, to, buckets, near);
  reference::searchsorted(row, values, false, expected);
  expect_same(places, expected, what + ", left");
  search<T>(row, values, WritePlace<true>{}, to, buckets, near);
  reference::searchsorted(row, values, true, expected);
  expect_same(places, expected, what + ", right");
  search<T>(row, values, WriteFound{}, reinterpret_cast<char*>(found.data.address()), buckets, near);
  reference::is_among(row, values, among);
  expect_same(found, among, what + ", among");
  const Owned counts = random_layout(rng, dtype::int64, {row.shape[0] - 1}, true),
              intervals = empty_like(rng, dtype::int64, {row.shape[0] - 1});
  reference::count_between(row, values, intervals);
  for (unsigned copies : {0u, 1u, 4u}) {
    fill(counts, [] { return Scalar::of(dtype::int64, std::int64_t{0}); });
    search<T>(row, values,
              CountInterval{reinterpret_cast<unsigned long long*>(counts.data.address()), copies}, to,
              buckets, near);
    expect_same(counts, intervals, what + ", counts");
  }
}

template <class T, class F>
void check(dtype type, F&& value) {
  Rng rng(5);
  for (std::int64_t n : {2, 3, 40, 700}) {
    const Owned raw = random_layout(rng, type, {n}, true), row = random_layout(rng, type, {n}, true),
                values = random_layout(rng, type, {2100}, true);
    fill(raw, [&] { return Scalar::of(type, value(rng)); });
    fill(values, [&] { return Scalar::of(type, value(rng)); });
    reference::sort(raw, row);
    check_row<T>(rng, row, values, 256, true);
    check_row<T>(rng, row, values, 1024, false);
  }
}

/// Numbers, few and many of them equal, that are spread evenly or crowd; some are infinite or NaN.
template <class T>
T real(Rng& rng) {
  using Limits = std::numeric_limits<T>;
  switch (pick(rng, 0, 40)) {
    case 0: return Limits::infinity();
    case 1: return -Limits::infinity();
    case 2: return Limits::quiet_NaN();
    case 3: return T(-0.0);
    case 4: return Limits::max();
    case 5: return Limits::denorm_min();
    case 6: return static_cast<T>(pick(rng, -20, 20));
    default: return static_cast<T>(std::exp(static_cast<double>(pick(rng, -3000, 3000)) / 300));
  }
}

TEST(CudaSearch, RealNumbers) {
  check<float>(dtype::float32, real<float>);
  check<double>(dtype::float64, real<double>);
}

TEST(CudaSearch, EvenNumbers) {
  check<float>(dtype::float32, [](Rng& rng) { return static_cast<float>(pick(rng, -900, 900)) / 7; });
  check<double>(dtype::float64, [](Rng& rng) { return static_cast<double>(pick(rng, -900, 900)) / 7; });
}

TEST(CudaSearch, Integers) {
  check<std::int32_t>(dtype::int32, [](Rng& rng) { return static_cast<std::int32_t>(rng()); });
  check<std::uint32_t>(dtype::uint32, [](Rng& rng) { return static_cast<std::uint32_t>(rng() % 500); });
  check<std::int64_t>(dtype::int64,
                      [](Rng& rng) { return static_cast<std::int64_t>(rng() >> pick(rng, 0, 60)); });
  check<std::uint64_t>(dtype::uint64,
                       [](Rng& rng) { return static_cast<std::uint64_t>(rng()) | 1ull << 63; });
}

TEST(CudaSearch, RowsWithoutALine) {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  Rng rng(6);
  const Owned values = random_layout(rng, dtype::float64, {600}, true);
  fill(values, [&] { return Scalar::of(dtype::float64, real<double>(rng)); });
  const std::vector<std::vector<double>> rows = {
      {-inf, inf},       {-inf, -inf, inf, inf}, {1, 1},      {nan, nan, nan}, {1, 2, nan},
      {-inf, 0, 1, inf}, {-1e308, 1e308},        {0, 5e-324}, {-inf, 3, 3},    {1, nan, nan}};
  for (const auto& numbers : rows) {
    const Owned row = random_layout(rng, dtype::float64, {static_cast<std::int64_t>(numbers.size())}, true);
    std::size_t i = 0;
    fill(row, [&] { return Scalar::of(dtype::float64, numbers[i++]); });
    check_row<double>(rng, row, values, 256, true);
  }
}

TEST(CudaSearch, InterpolationAtThePlace) {
  Rng rng(8);
  const Owned x = random_layout(rng, dtype::float64, {1500}, true),
              out = random_layout(rng, dtype::float64, {1500}, true),
              expected = empty_like(rng, dtype::float64, {1500}),
              ends = random_layout(rng, dtype::float64, {2}, true);
  fill(x, [&] { return Scalar::of(dtype::float64, real<double>(rng)); });
  fill(ends, [] { return Scalar::of(dtype::float64, 77.0); });
  for (std::int64_t n : {2, 3, 60}) {
    const Owned raw = random_layout(rng, dtype::float64, {n}, true),
                xp = random_layout(rng, dtype::float64, {n}, true),
                fp = random_layout(rng, dtype::float64, {n}, true);
    fill(raw, [&] { return Scalar::of(dtype::float64, static_cast<double>(pick(rng, -30, 30))); });
    fill(fp, [&] { return random_value(rng, dtype::float64); });
    reference::sort(raw, xp);
    const OnLine use{reinterpret_cast<const double*>(fp.data.address()),
                     reinterpret_cast<const double*>(ends.data.address()), false};
    reference::interpolate(x, xp, fp, ends, false, expected);
    for (bool near : {false, true}) {
      search<double>(xp, x, use, reinterpret_cast<char*>(out.data.address()), 256, near);
      expect_same(out, expected, std::to_string(n) + " points", Same::any_nan);
    }
  }
}

TEST(CudaSearch, AnUnsortedRowIsReadWithinItsBounds) {
  Rng rng(7);
  const Owned row = random_layout(rng, dtype::float32, {300}, true),
              values = random_layout(rng, dtype::float32, {900}, true),
              places = random_layout(rng, dtype::int64, {900}, true);
  fill(row, [&] { return Scalar::of(dtype::float32, real<float>(rng)); });
  fill(values, [&] { return Scalar::of(dtype::float32, real<float>(rng)); });
  search<float>(row, values, WritePlace<false>{}, reinterpret_cast<char*>(places.data.address()), 512, false);
  const auto* place = reinterpret_cast<const std::int64_t*>(places.data.address());
  for (int i = 0; i < 900; ++i) EXPECT_TRUE(place[i] >= 0 && place[i] <= 300) << place[i];
}

TEST(CudaSearch, PlansFitSharedMemory) {
  constexpr std::size_t kShared = 227 << 10;
  const std::int64_t many = 1 << 24;
  EXPECT_EQ(plan_search(dtype::float64, 1000, 100, 0, kShared).buckets, 0u);  // few values
  EXPECT_EQ(plan_search(dtype::complex64, 1000, many, 0, kShared).buckets, 0u);
  EXPECT_EQ(plan_search(dtype::float64, 1, many, 0, kShared).buckets, 0u);
  EXPECT_EQ(plan_search(dtype::float64, 1000, many, 0, kShared).buckets, 4096u);
  EXPECT_EQ(plan_search(dtype::float64, 1000, many, 0, kShared).shared_bytes, 8000u + 4 * 4096u);
  EXPECT_EQ(plan_search(dtype::float32, 101, many, 100, kShared).copies, 32u);
  EXPECT_EQ(plan_search(dtype::float64, 1000, many, 999, kShared).copies, 4u);
  EXPECT_FALSE(plan_search(dtype::float64, 12288, many, 12286, kShared).near);
  EXPECT_EQ(plan_search(dtype::float64, 12287, many, 12286, kShared).copies, 1u);
  EXPECT_EQ(plan_search(dtype::float64, 12289, many, 12288, kShared).copies, 0u);
  EXPECT_EQ(plan_search(dtype::float64, 1 << 20, many, 0, kShared).buckets, 1u << 21);
  EXPECT_EQ(plan_search(dtype::float64, 1 << 20, 1 << 20, 0, kShared).buckets, 1u << 20);
  EXPECT_EQ(plan_search(dtype::float64, 1 << 25, std::int64_t{1} << 30, 0, kShared).buckets, 1u << 24);
  for (std::int64_t n : {2, 100, 3000, 5000, 12288, 20000, 1 << 20}) {
    const SearchPlan plan = plan_search(dtype::float64, n, many, n - 1, kShared);
    EXPECT_LE(plan.shared_bytes, kShared) << n;
    EXPECT_EQ(plan.buckets % kGuideThreads, 0u) << n;
    EXPECT_GE(plan.buckets, n) << n;
  }
}

}  // namespace
}  // namespace cuprum
