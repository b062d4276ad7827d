// Writes at places that ascend, run on the host: the last position of each place writes, and tiles that fall, within or
// towards the next, or hold a bad index, are told.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "runtime/program.h"
// After all standard headers:
#include "cuda_on_host.h"
//
#include "backend/cuda/primitives/ascending_kernels.cuh"

namespace cuprum {
namespace {

using namespace testing;
using namespace cuda::primitives;

constexpr int kTile = kAscendingThreads * kAscendingEach;

struct Positions {
  std::int64_t size;
  const std::vector<unsigned>* places;

  static unsigned nowhere() { return ~0u; }
  unsigned find(std::int64_t p) const { return places->at(p); }
};

struct Target {
  std::vector<int>* array;
  void write(unsigned place, std::int64_t position) const { array->at(place) = static_cast<int>(position); }
};

/// Whether `given` was found to fall; what is written if not.
bool falls(const std::vector<unsigned>& given, std::vector<int>& array) {
  const Positions positions{static_cast<std::int64_t>(given.size()), &given};
  unsigned found = 0;
  run_grid((given.size() + kTile - 1) / kTile, 1, kAscendingThreads,
           [&] { write_ascending(positions, Target{&array}, &found); });
  WriteOrder order;
  note_order("index", positions.size, &found, &order);
  EXPECT_EQ(order.ascends, found == 0);
  EXPECT_EQ(order.count, positions.size);
  return found != 0;
}

TEST(CudaAscending, TheLastOfEachPlaceWrites) {
  std::mt19937 random(1);
  for (const unsigned n : {1u, 2u, 2047u, 2048u, 2049u, 9000u}) {
    for (const unsigned places : {1u, 300u, 20000u}) {
      std::vector<unsigned> given(n);
      for (unsigned& p : given) p = random() % places;
      std::sort(given.begin(), given.end());
      std::vector<int> array(places, -1), wanted(places, -1);
      for (unsigned p = 0; p < n; ++p) wanted[given[p]] = static_cast<int>(p);
      ASSERT_FALSE(falls(given, array));
      ASSERT_EQ(array, wanted) << n << " positions, " << places << " places";
    }
  }
}

TEST(CudaAscending, OnePositionTooLow) {
  for (const unsigned at : {1u, 17u, 2047u, 2048u, 4095u, 4999u}) {
    std::vector<unsigned> given(5000);
    for (unsigned p = 0; p < given.size(); ++p) given[p] = p + 10;
    given[at] = given[at - 1] - 1;
    std::vector<int> array(6000, -1);
    EXPECT_TRUE(falls(given, array)) << at;
  }
}

TEST(CudaAscending, BadIndices) {
  for (const unsigned at : {0u, 2047u, 2048u, 4999u}) {
    std::vector<unsigned> given(5000, 3);
    given[at] = ~0u;
    std::vector<int> array(4, -1);
    EXPECT_TRUE(falls(given, array)) << at;
  }
}

}  // namespace
}  // namespace cuprum
