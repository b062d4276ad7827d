// The kernels that find elements at given ranks on the CUDA backend, run on the host, against a sort.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>

#include "backend/reference/primitives.h"
#include "random_views.h"
// After all standard headers:
#include "cuda_on_host.h"
//
#include "backend/cuda/primitives/sort/order_statistics.cuh"

namespace cuprum {
namespace {

using namespace testing;
using namespace cuda::primitives;

/// What find_elements does.
template <class K>
std::vector<typename K::Bits> find(const View& row, const Ranks& ranks) {
  using Bits = typename K::Bits;
  Wanted wanted{};
  std::vector<unsigned long long> counts(static_cast<std::size_t>(ranks.count) * kDigits, 77);
  std::vector<unsigned> memory(counts.size());
  std::vector<Bits> out(static_cast<std::size_t>(ranks.count));
  const auto* const data = reinterpret_cast<const Bits*>(row.data.address());
  run_grid(1, 1, kPickThreads, [&] { begin_ranks(ranks, &wanted, counts.data()); });
  for (int above = sizeof(Bits) * 8; above > 0;) {
    const int bits = std::min(above, kDigitBits), shift = above - bits;
    run_grid(2, 1, kCountThreads,
             [&] { count_digits<K>(data, row.shape[0], shift, bits, wanted, counts.data(), memory.data()); });
    run_grid(1, 1, kPickThreads, [&] { pick_digits<K>(&wanted, ranks.count, bits, counts.data()); });
    above = shift;
  }
  run_grid(1, 1, 32, [&] { write_elements<K>(&wanted, ranks.count, out.data()); });
  return out;
}

/// What find_in_rows does.
template <class K>
std::vector<typename K::Bits> find_in_row(const View& row, const Ranks& ranks) {
  using Bits = typename K::Bits;
  const std::int64_t n = row.shape[0];
  std::vector<Bits> out(static_cast<std::size_t>(ranks.count));
  const auto bytes = static_cast<std::size_t>(row_memory<K>(n, ranks.count));
  const auto memory = std::make_unique<std::uint64_t[]>(bytes / 8);
  run_grid(1, 1, kRowThreads, [&] {
    cuda::primitives::find_in_row<K>(reinterpret_cast<const Bits*>(row.data.address()), static_cast<int>(n),
                                     ranks, out.data(), reinterpret_cast<char*>(memory.get()));
  });
  return out;
}

template <class K, class F>
void check(dtype type, F&& value) {
  Rng rng(3);
  for (std::int64_t n : {1, 2, 700, 9000}) {
    const Owned row = random_layout(rng, type, {n}, true), sorted = random_layout(rng, type, {n}, true);
    fill(row, [&] { return Scalar::of(type, value(rng)); });
    reference::sort(row, sorted);
    for (int count : {1, 3, kMaxRanks}) {
      Ranks ranks{};
      for (; ranks.count < count; ++ranks.count) ranks.of[ranks.count] = pick(rng, 0, n - 1);
      std::sort(ranks.of, ranks.of + count);
      const auto found = find<K>(row, ranks);
      EXPECT_EQ(found, find_in_row<K>(row, ranks)) << name(type) << ", " << n << " elements";
      for (int t = 0; t < count; ++t) {
        const Scalar expected =
            reference::load(type, sorted.data + ranks.of[t] * static_cast<std::int64_t>(itemsize(type)));
        const Scalar element = Scalar::of(type, found[static_cast<std::size_t>(t)]);
        EXPECT_TRUE(reference::sort_key(element) == reference::sort_key(expected))
            << name(type) << ", " << n << " elements, rank " << ranks.of[t];
      }
    }
  }
}

template <class T>
T real(Rng& rng) {
  switch (pick(rng, 0, 30)) {
    case 0: return std::numeric_limits<T>::infinity();
    case 1: return -std::numeric_limits<T>::infinity();
    case 2: return std::numeric_limits<T>::quiet_NaN();
    case 3: return T(-0.0);
    case 4: return T(0);
    default: return static_cast<T>(pick(rng, -5000, 5000)) / 8;
  }
}

TEST(CudaOrderStatistics, RealNumbers) {
  check<kernels::Float32Key>(dtype::float32, real<float>);
  check<kernels::Float64Key>(dtype::float64, real<double>);
}

TEST(CudaOrderStatistics, Integers) {
  check<kernels::SignedKey<kernels::uint32>>(dtype::int32,
                                             [](Rng& rng) { return static_cast<std::int32_t>(rng()); });
  check<kernels::UnsignedKey<kernels::uint32>>(
      dtype::uint32, [](Rng& rng) { return static_cast<std::uint32_t>(rng() % 9); });
  check<kernels::SignedKey<kernels::uint64>>(
      dtype::int64, [](Rng& rng) { return static_cast<std::int64_t>(rng() << pick(rng, 0, 60)); });
  check<kernels::UnsignedKey<kernels::uint64>>(dtype::uint64,
                                               [](Rng& rng) { return static_cast<std::uint64_t>(rng()); });
}

}  // namespace
}  // namespace cuprum
