// Which accesses to memory are ordered: what the threads of a launch know of each other.
//
// Blocks run one after the other and their threads in turn, so that all that happens has a time: the number of events before it by which
// threads come to know of each other (barriers, warp functions, fences). An access bears the time at which it was made. A thread knows of those of
//   - its own block that were made before the block's last barrier,
//   - a lane of its warp that were made before the last meeting of both, be it by way of other lanes,
//   - any thread that were made before `all`: the last barrier of the grid, or what it learned through an atomic function from somebody who had
//     called __threadfence before. (That is generous: the other may not have known of all of these.)
// Two accesses race if the thread that made the later one does not know of the earlier one.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace cuprum::cpu {

using Time = std::uint32_t;

/// An access to some bytes of a cell of memory (shadow.h).
struct Access {
  std::uint32_t thread = 0;  // its number in the launch, plus 1; 0: none
  Time time = 0;
  std::uint32_t line : 27 = 0;  // a number of LineTable
  std::uint32_t bytes : 4 = 0;  // which of the cell, a bit each
  std::uint32_t atomic : 1 = 0;
};

/// What the blocks of a launch share.
struct LaunchClock {
  Time now = 1;
  Time grid_met = 0;
  std::unordered_map<const void*, Time> published;  // by addresses of atomic functions
};

/// What the threads of one block know.
class BlockOrder {
 public:
  explicit BlockOrder(LaunchClock& clock) : clock_(clock) {}

  void begin(std::uint64_t block, unsigned threads) {
    first_ = static_cast<std::uint32_t>(block * threads) + 1;
    threads_.assign(threads, Thread{{}, clock_.grid_met, 0});
    barrier_ = ++clock_.now;
  }
  std::uint32_t number(unsigned rank) const { return first_ + rank; }
  unsigned threads() const { return static_cast<unsigned>(threads_.size()); }
  Time now() const { return clock_.now; }

  bool knows(unsigned rank, const Access& access) const {
    const Thread& thread = threads_[rank];
    if (access.thread == number(rank) || access.time < thread.all) return true;
    const std::uint32_t other = access.thread - first_;  // of another block: large
    if (other >= threads_.size()) return false;
    return access.time < barrier_ || (other / 32 == rank / 32 && access.time < thread.lanes[other % 32]);
  }

  void lanes_meet(unsigned warp, unsigned lanes) {
    const Time now = ++clock_.now;
    Thread joined;
    each(warp, lanes, [&](Thread& t, unsigned lane) {
      for (unsigned i = 0; i < 32; ++i) joined.lanes[i] = std::max(joined.lanes[i], t.lanes[i]);
      joined.lanes[lane] = now;
      join(joined, t);
    });
    if (joined.fence != 0) joined.fence = now;
    each(warp, lanes, [&](Thread& t, unsigned) { t = joined; });
  }
  void block_meets() {
    barrier_ = ++clock_.now;
    Thread joined;
    for (const Thread& t : threads_) join(joined, t);
    for (Thread& t : threads_) {
      t.all = joined.all;
      t.fence = joined.fence != 0 ? barrier_ : 0;
    }
  }
  void arrives_at_grid() { clock_.grid_met = ++clock_.now; }
  void grid_met() {
    for (Thread& t : threads_) t.all = std::max(t.all, clock_.grid_met);
  }

  void fence(unsigned rank) { threads_[rank].fence = ++clock_.now; }
  /// An atomic function, or an access through volatile, which tells or hears what was before a fence.
  void atomic(unsigned rank, const void* address, bool reads, bool writes) {
    Thread& thread = threads_[rank];
    if (reads && !clock_.published.empty()) {
      const auto found = clock_.published.find(address);
      if (found != clock_.published.end()) thread.all = std::max(thread.all, found->second);
    }
    if (writes && thread.fence != 0) {
      Time& told = clock_.published[address];
      told = std::max({told, thread.fence, thread.all});
    }
  }

 private:
  struct Thread {
    std::array<Time, 32> lanes{};
    Time all = 0, fence = 0;  // fence: its last; 0: none
  };

  static void join(Thread& joined, const Thread& t) {
    joined.all = std::max(joined.all, t.all);
    joined.fence = std::max(joined.fence, t.fence);
  }
  template <class F>
  void each(unsigned warp, unsigned lanes, F f) {
    for (; lanes != 0; lanes &= lanes - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
      if (warp * 32 + lane < threads_.size()) f(threads_[warp * 32 + lane], lane);
    }
  }

  LaunchClock& clock_;
  std::uint32_t first_ = 1;
  Time barrier_ = 0;
  std::vector<Thread> threads_;
};

}  // namespace cuprum::cpu
