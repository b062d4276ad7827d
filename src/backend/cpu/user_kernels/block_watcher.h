// Somebody who is told how the threads of a block wait for each other (the checked mode: checked/block_checker.h).
#pragma once

#include "backend/cpu/user_kernels/grid_barrier.h"
#include "backend/cpu/user_kernels/language/cuprum_language/machine.h"

namespace cuprum::cpu {

class BlockWatcher {
 public:
  virtual ~BlockWatcher() = default;

  /// A block begins; its threads will be the fibers whose stacks lie in [low, high).
  virtual void block_begins(const cuprum_language::Blocks& blocks, const char* low, const char* high) = 0;
  virtual void thread_ends(unsigned rank) = 0;
  /// A thread waits at `place`.
  virtual void thread_waits(unsigned rank, cuprum_language::Scope scope, const void* place) = 0;
  /// All that they waited for are there: these lanes of a warp, or all threads of the block that are not done, go on.
  virtual void lanes_met(unsigned warp, unsigned lanes) = 0;
  virtual void block_met(unsigned live) = 0;
  /// The block is to wait for the others of its grid.
  virtual void wait_for_grid(GridBarrier& barrier) = 0;
  /// Nobody can go on. The block ends here.
  virtual void block_hangs() = 0;
};

}  // namespace cuprum::cpu
