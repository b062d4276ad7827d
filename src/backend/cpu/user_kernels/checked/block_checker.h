// The checked mode of one block at a time: looks at every access of its threads before it is made, and at how they wait for each other.
//
// An access that cannot be made ends its thread, and the block where its threads wait next: what comes of it is no finding of its own.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "backend/cpu/user_kernels/block.h"
#include "backend/cpu/user_kernels/block_watcher.h"
#include "backend/cpu/user_kernels/checked/checked_module.h"
#include "backend/cpu/user_kernels/checked/findings.h"
#include "backend/cpu/user_kernels/checked/guarded_arrays.h"
#include "backend/cpu/user_kernels/checked/order.h"
#include "backend/cpu/user_kernels/checked/shadow.h"
#include "backend/cpu/user_kernels/language/cuprum_language/checks.h"

namespace cuprum::cpu {

/// What all blocks of a launch share. One of them runs at a time, the one that holds `turn`.
struct CheckedLaunch {
  CheckedLaunch(const CheckedModule& module, GuardedArrays& arrays) : module(module), arrays(arrays) {}

  const CheckedModule& module;
  GuardedArrays& arrays;
  Findings findings{module.lines};
  LaunchClock clock;
  Shadow variables{module.data_bytes(), 4};
  std::unordered_map<std::uintptr_t, bool> mapped;  // pages that are none of the above: are they memory?
  std::mutex turn;
};

class BlockChecker final : public BlockWatcher {
 public:
  /// For blocks that this OS thread runs, while it lives.
  BlockChecker(CheckedLaunch& launch, BlockMachine& machine);
  ~BlockChecker() override;
  BlockChecker(const BlockChecker&) = delete;
  BlockChecker& operator=(const BlockChecker&) = delete;

  /// What modules call. On OS threads without a BlockChecker the functions do nothing.
  static const lang::Checks& checks();

  void block_begins(const lang::Blocks& blocks, const char* low, const char* high) override;
  void thread_ends(unsigned rank) override;
  void thread_waits(unsigned rank, lang::Scope scope, const void* place) override;
  void lanes_met(unsigned warp, unsigned lanes) override;
  void block_met(unsigned live) override;
  void wait_for_grid(GridBarrier& barrier) override;
  void block_hangs() override;

 private:
  struct Thread {
    std::array<std::uint32_t, 30> calls;  // the lines of the calls that it is in, as far as there is room
    std::uint32_t depth = 0;
    std::uint32_t waits_at = 0;  // a line
    bool ended = false;
  };
  /// Memory that an access is compared with.
  struct Target {
    Shadow* shadow = nullptr;  // null: memory of which nothing is known
    std::size_t at = 0;        // the access' position in it
    std::size_t room = 0;      // bytes from there on that the thread may touch
    bool shared = false;
  };
  /// A write to what another thread writes: a race, unless both write the same, of which nobody can tell.
  struct Doubt {
    std::byte* address = nullptr;
    std::vector<std::byte> before;
    std::uint32_t line = 0;
    ThreadPlace where;
    std::string what;
  };
  struct Entry;  // the functions of `checks`

  void touch(std::byte* address, std::size_t bytes, unsigned touch, const void* place);
  Target find(std::byte* address);
  Target find_thread_variable(std::size_t at);
  bool is_memory(const std::byte* address);
  void note_race(const Race& race, std::byte* address, std::size_t bytes, bool writes, std::uint32_t line);
  void settle();
  /// Notes what(), of which nothing stays on the thread's stack, and ends the thread.
  template <class F>
  [[noreturn]] void refuse(Wrong wrong, const void* place, F what);

  unsigned rank() const { return static_cast<unsigned>(machine_.running()); }
  std::uint32_t line_of(const void* place) const;
  ThreadPlace where(std::uint32_t number) const;  // of a thread of the launch
  ThreadPlace here() const { return where(order_.number(rank())); }
  std::string describe(const std::byte* address, std::size_t bytes) const;
  std::size_t size_of(const ThreadVariable& v) const { return v.dynamic ? blocks_.dynamic_shared : v.bytes; }

  CheckedLaunch& launch_;
  BlockMachine& machine_;
  BlockOrder order_;
  Shadow shared_;
  std::byte* const thread_memory_;
  lang::Blocks blocks_{};
  const std::byte *stacks_ = nullptr, *stacks_end_ = nullptr;
  std::vector<Thread> threads_;
  Doubt doubt_;
};

}  // namespace cuprum::cpu
