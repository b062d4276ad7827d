// How many operations threads record per second, each over arrays of its own, and all over one pair of arrays.
//
//   c++ -std=c++20 -O2 recording.cpp -lcuprum && ./a.out
#include <cuprum/cuprum.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>
#include <vector>

namespace cp = cuprum;

namespace {

constexpr int kOperations = 200000;

/// Millions of `a + b` per second, recorded and dropped by so many threads: the best of seven.
double rate(int threads, bool shared) {
  const cp::array common_a = cp::ones({16}), common_b = cp::ones({16});
  cp::evaluate({common_a, common_b});
  double best = 0;
  for (int round = 0; round < 7; ++round) {
    std::atomic<int> ready{0};
    std::atomic<bool> go{false};
    std::vector<std::thread> workers;
    for (int t = 0; t < threads; ++t) {
      workers.emplace_back([&] {
        const cp::array a = shared ? common_a : cp::ones({16}), b = shared ? common_b : cp::ones({16});
        cp::evaluate({a, b});
        ++ready;
        while (!go.load()) std::this_thread::yield();
        for (int i = 0; i < kOperations; ++i) const cp::array c = a + b;
      });
    }
    while (ready.load() != threads) std::this_thread::yield();
    const auto start = std::chrono::steady_clock::now();
    go = true;
    for (std::thread& worker : workers) worker.join();
    const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
    best = std::max(best, static_cast<double>(threads) * kOperations / time.count());
  }
  return best;
}

}  // namespace

int main() {
  std::printf("threads   own arrays   one pair   (millions of a + b per second)\n");
  for (const int threads : {1, 2, 4, 8})
    std::printf("%7d %12.2f %10.2f\n", threads, rate(threads, false), rate(threads, true));
}
