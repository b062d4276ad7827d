// The kernels that write pairs sorted by window, run on the host: every place has what the last pair brought, places that no
// pair names stay, and numbers that are no places write nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "runtime/program.h"
// After all standard headers:
#include "cuda_on_host.h"
//
#include "backend/cuda/primitives/index/window_kernels.cuh"

namespace cuprum {
namespace {

using namespace testing;
using namespace cuda::primitives;

struct Target {
  int* array;
  std::vector<char>* touched;
  const int* payload;

  void touch(unsigned place) const { (*touched)[place] = 1; }
  void write(unsigned place, unsigned pair) const { array[place] = payload[pair]; }
};

void check(const std::vector<unsigned>& given, unsigned places, int bits, bool backwards) {
  const auto n = static_cast<std::int64_t>(given.size());
  std::vector<int> wanted(places, -1);
  for (std::int64_t p = 0; p < n; ++p) {
    if (given[p] < places) wanted[given[p]] = static_cast<int>(p);
  }
  std::vector<int> payload(given.size());
  std::iota(payload.begin(), payload.end(), 0);
  std::stable_sort(payload.begin(), payload.end(),
                   [&](int a, int b) { return given[a] >> bits < given[b] >> bits; });
  std::vector<unsigned> place;
  for (const int p : payload) place.push_back(given[p]);

  const unsigned windows = (places >> bits) + 1;
  std::vector<unsigned> starts(windows + 3, 77);
  std::vector<SharedTile> tiles(most_tiles(n));
  std::vector<unsigned> winners(most_slots(n) << bits, 99);
  const Windows w{place.data(),         static_cast<unsigned>(n), places,       bits,          starts.data(),
                  &starts[windows + 1], &starts[windows + 2],     tiles.data(), winners.data()};
  std::vector<int> array(places, -1);
  std::vector<char> touched(places);
  const Target target{array.data(), &touched, payload.data()};
  run_grid(windows / kWindowThreads + 1, 1, kWindowThreads, [&] { find_starts(w, windows); });
  run_grid(
      windows, 1, kWindowThreads, [&] { write_windows(w, target); }, backwards);
  ASSERT_LE(*w.tiles, tiles.size());
  ASSERT_LE(*w.slots, most_slots(n));
  run_grid(
      3, 1, kWindowThreads, [&] { share_claims(w); }, backwards);
  run_grid(
      3, 1, kWindowThreads, [&] { share_writes(w, target); }, !backwards);
  ASSERT_EQ(array, wanted) << n << " pairs, " << places << " places, windows of 2^" << bits;
}

std::vector<unsigned> random_places(std::int64_t n, unsigned first, unsigned end, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<unsigned> places(n);
  for (unsigned& p : places) p = first + random() % (end - first);
  return places;
}

TEST(CudaWindows, SpreadEvenly) {
  for (const bool backwards : {false, true}) {
    check(random_places(3000, 0, 20000, 1), 20000, 6, backwards);
    check(random_places(3000, 0, 4096, 2), 4096, 12, backwards);
    check(random_places(20000, 0, 30001, 3), 30000, 10, backwards);  // some are no places
    check(random_places(1, 0, 5, 4), 5, 0, backwards);
  }
}

TEST(CudaWindows, ManyPairsInOneWindow) {
  for (const bool backwards : {false, true}) {
    check(random_places(30000, 70, 80, 5), 1000, 5, backwards);
    check(random_places(30000, 4000, 4100, 6), 5000, 12, backwards);
    check(std::vector<unsigned>(10000, 3), 4000, 8, backwards);
    check(std::vector<unsigned>(10000, 4000), 4000, 8, backwards);  // none is a place
    std::vector<unsigned> mixed = random_places(9000, 0, 64, 7);
    const std::vector<unsigned> rest = random_places(4096, 64, 9000, 8);
    mixed.insert(mixed.end(), rest.begin(), rest.end());
    check(mixed, 9000, 6, backwards);
  }
}

TEST(CudaWindows, AsManyPairsAsOneBlockTakes) {
  for (const unsigned n : {kLongWindow, kLongWindow + 1}) check(random_places(n, 0, 64, n), 64, 7, false);
}

}  // namespace
}  // namespace cuprum
