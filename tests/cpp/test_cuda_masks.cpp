// The kernels over masks on the CUDA backend, run on the host, against plain loops: counts, sums, and what is done with
// true elements.
#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "runtime/program.h"
// After all standard headers:
#include "cuda_on_host.h"
//
#include "backend/cuda/primitives/mask/count_kernels.cuh"
#include "backend/cuda/primitives/mask/mask_uses.cuh"

namespace cuprum {
namespace {

using namespace testing;
using namespace cuda::primitives;

/// Bytes at an address that is `offset` behind a multiple of 64; whatever is not 0 is true.
class TestMask {
 public:
  TestMask(std::mt19937& random, std::int64_t size, double density, int offset) : memory_(size + 128) {
    const auto address = reinterpret_cast<std::uintptr_t>(memory_.data());
    bytes_ = reinterpret_cast<unsigned char*>((address + 63) / 64 * 64 + static_cast<std::uintptr_t>(offset));
    for (std::int64_t i = 0; i < size; ++i) {
      const bool on = std::uniform_real_distribution<>()(random) < density;
      bytes_[i] = static_cast<unsigned char>(on ? 1 + random() % 255 : 0);
      if (on) places.push_back(i);
    }
    bytes_[size] = 1;  // beyond the end
  }
  Mask mask(std::int64_t size) const { return Mask(bytes_, size); }

  std::vector<std::int64_t> places;  // of true elements

 private:
  std::vector<unsigned char> memory_;
  unsigned char* bytes_;
};

std::int64_t tiles_of(std::int64_t size) { return (size + kMaskTile - 1) / kMaskTile; }

/// What RankedMask does.
std::vector<std::int64_t> ranks_of(const Mask& mask) {
  const std::int64_t tiles = tiles_of(mask.size);
  std::vector<std::int64_t> counts(tiles + 1, -1);
  const auto blocks = static_cast<unsigned>((tiles + kMaskWarps - 1) / kMaskWarps);
  run_grid(blocks, 1, kMaskThreads, [&] { count_tiles(mask, tiles, counts.data()); });
  run_grid(1, 1, kSumThreads, [&] { sum_counts(counts.data(), tiles); });
  return counts;
}

template <class Use>
void run_each(const Mask& mask, const std::int64_t* before, const Use& use) {
  run_grid(static_cast<unsigned>(tiles_of(mask.size)), 1, kMaskThreads,
           [&] { each_true(mask, before, use); });
}

void check(std::mt19937& random, std::int64_t size, double density, int offset) {
  SCOPED_TRACE(::testing::Message() << size << " elements, " << density << " true, offset " << offset);
  const TestMask test(random, size, density, offset);
  const Mask mask = test.mask(size);
  const auto count = static_cast<std::int64_t>(test.places.size());
  const std::vector<std::int64_t> before = ranks_of(mask);
  ASSERT_EQ(before.back(), count);

  std::vector<std::int64_t> at(count + 1, -7);
  run_each(mask, before.data(), Positions{at.data()});
  ASSERT_EQ(at.back(), -7);
  at.pop_back();
  ASSERT_EQ(at, test.places);

  std::vector<std::uint16_t> in(size), out(count + 1, 7);
  for (auto& x : in) x = static_cast<std::uint16_t>(random());
  run_each(mask, before.data(), SelectDense<std::uint16_t>{in.data(), out.data()});
  ASSERT_EQ(out.back(), 7);
  for (std::int64_t k = 0; k < count; ++k) ASSERT_EQ(out[k], in[test.places[k]]);

  Assign<std::uint16_t> assign{};
  assign.to = reinterpret_cast<char*>(in.data());
  assign.layout.shape[0] = size;
  assign.layout.strides[0][0] = 2;
  assign.from = reinterpret_cast<const char*>(out.data());
  assign.step = 2;
  std::vector<std::uint16_t> want = in;
  for (std::int64_t k = 0; k < count; ++k) want[test.places[k]] = out[k] = static_cast<std::uint16_t>(k + 1);
  run_each(mask, before.data(), assign);
  ASSERT_EQ(in, want);
  assign.step = 0;  // one value for all: no ranks
  for (const std::int64_t i : test.places) want[i] = out[0];
  run_each(mask, nullptr, assign);
  ASSERT_EQ(in, want);
}

TEST(CudaMasks, EverySize) {
  std::mt19937 random(1);
  for (const std::int64_t size : {1, 3, 4, 15, 17, 1000, 1024, 8191, 8192, 8193, 20000, 70001}) {
    for (const double density : {0.0, 0.03, 0.5, 1.0}) check(random, size, density, 0);
    check(random, size, 0.4, 1);
    check(random, size, 0.4, 4);
  }
}

TEST(CudaMasks, SumsOfManyCounts) {
  std::mt19937 random(2);
  for (const std::int64_t n : {0, 1, 7, 8, 31, 8191, 8192, 8193, 20000}) {
    std::vector<std::int64_t> counts(n + 1, 5), want(n + 1);
    for (std::int64_t i = 0; i < n; ++i) counts[i] = static_cast<std::int64_t>(random()) << 8;
    std::exclusive_scan(counts.begin(), counts.end(), want.begin(), std::int64_t{0});
    run_grid(1, 1, kSumThreads, [&] { sum_counts(counts.data(), n); });
    ASSERT_EQ(counts, want) << n;
  }
}

TEST(CudaMasks, Coordinates) {
  std::mt19937 random(3);
  const std::int64_t shape[] = {7, 40, 93};
  const std::int64_t size = 7 * 40 * 93;
  for (const bool narrow : {true, false}) {
    const TestMask test(random, size, 0.3, 0);
    const Mask mask = test.mask(size);
    Coordinates use{};
    use.ndim = 3;
    use.narrow = narrow;
    for (int d = 0; d < 3; ++d) {
      use.shape[d] = shape[d];
      use.by[d] = Divider(shape[d]);
    }
    std::vector<std::int64_t> out(3 * test.places.size());
    use.out = out.data();
    run_each(mask, ranks_of(mask).data(), use);
    for (std::size_t k = 0; k < test.places.size(); ++k) {
      ASSERT_EQ((out[3 * k] * 40 + out[3 * k + 1]) * 93 + out[3 * k + 2], test.places[k]);
      ASSERT_LT(out[3 * k + 1], 40);
      ASSERT_LT(out[3 * k + 2], 93);
    }
  }
}

}  // namespace
}  // namespace cuprum
