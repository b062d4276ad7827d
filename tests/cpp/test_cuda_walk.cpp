// The walk through an array by windows, run on the host: every position acts once on the word it names, with the array's
// windows in order, and bad indices are told once and act on nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include "runtime/program.h"
// After all standard headers:
#include "cuda_on_host.h"
//
#include "backend/cuda/primitives/index/walk_kernels.cuh"

namespace cuprum {
namespace {

using namespace testing;
using namespace cuda::primitives;

constexpr int kEach = 3;
constexpr std::int64_t kTile = kEach * kWalkThreads;

struct Positions {
  std::int64_t size;
  const std::vector<unsigned>* places;
  std::vector<int>* told;

  static unsigned nowhere() { return ~0u; }
  unsigned find(std::int64_t p) const { return places->at(p); }
  unsigned place(std::int64_t p) const {
    told->at(p) += find(p) == nowhere();
    return find(p);
  }
};

/// A gather whose reads arrive late: when it rests.
struct LateGather {
  std::vector<int>* out;
  int window = -1, turns = 0;
  int slot[kEach] = {};
  const char* under_way[kEach] = {};
  int shift;
  const char* array;
  int* backwards;

  void prepare(int u, std::int64_t) { slot[u] = 0; }
  void miss(int u) { slot[u] = -7; }
  void begin() {}
  void act(int u, const char* from) {
    const auto w = static_cast<int>((from - array) / 8 >> shift);
    *backwards += w < window;
    window = w;
    under_way[u] = from;
  }
  void turn() { ++turns; }
  void rest() {
    for (int u = 0; u < kEach; ++u) {
      if (under_way[u]) std::memcpy(&slot[u], under_way[u], 4);
      under_way[u] = nullptr;
    }
    window = -1;
  }
  void leave(int u, std::int64_t p) { out->at(p) = slot[u]; }
};

/// Places are 8 bytes apart.
void check(const std::vector<unsigned>& given, unsigned places, int shift, std::int64_t tile,
           int* turns = nullptr) {
  std::vector<int> array(places * 2), out(given.size(), -1), wanted, told(given.size()), bad;
  for (unsigned i = 0; i < places; ++i) array[i * 2] = static_cast<int>(i * 3 + 1);
  for (const unsigned p : given) {
    wanted.push_back(p == ~0u ? -7 : array[p * 2]);
    bad.push_back(p == ~0u);
  }
  const Positions positions{static_cast<std::int64_t>(given.size()), &given, &told};
  const Walk w{reinterpret_cast<char*>(array.data()), 8, shift, tile};
  int backwards = 0, most_turns = 0;
  run_grid(2, 1, kWalkThreads, [&] {
    LateGather use{&out, -1, 0, {}, {}, shift, w.array, &backwards};
    walk<kEach>(positions, w, use);
    most_turns = std::max(most_turns, use.turns);
  });
  if (turns) *turns = most_turns;
  ASSERT_EQ(out, wanted) << given.size() << " positions, " << places << " places";
  ASSERT_EQ(told, bad);
  ASSERT_EQ(backwards, 0);
}

std::vector<unsigned> random_places(std::int64_t n, unsigned places, bool some_bad, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<unsigned> given(n);
  for (unsigned& p : given) p = some_bad && random() % 50 == 0 ? ~0u : random() % places;
  return given;
}

TEST(CudaWalk, EveryPositionOnce) {
  for (const std::int64_t n : {1, 511, 512, 513, 4000, 9217}) {
    for (const unsigned places : {1u, 1000u, 4097u}) {
      check(random_places(n, places, false, 1), places, 9, kTile);
      check(random_places(n, places, true, 2), places, 12, kTile);
      check(random_places(n, places, true, 3), places, 4, kWalkThreads);  // tiles that are not full
    }
  }
}

TEST(CudaWalk, NoneIsAPlace) { check(std::vector<unsigned>(1000, ~0u), 50, 3, kTile); }

TEST(CudaWalk, OnlyWindowsWithPlaces) {
  int turns = 0;
  std::vector<unsigned> given(2 * kTile);
  for (std::size_t p = 0; p < given.size(); ++p) given[p] = 40000 + p % 64;
  check(given, 100000, 6, kTile, &turns);
  EXPECT_EQ(turns, 1);
  given[3] =
      99999;  // the warp of this position goes on to the last window, the only one beside it to read anything
  check(given, 100000, 6, kTile, &turns);
  EXPECT_EQ(turns, 99999 / 64 - 625 + 1);
}

}  // namespace
}  // namespace cuprum
