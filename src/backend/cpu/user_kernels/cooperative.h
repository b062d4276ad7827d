// Blocks that are there at once, and may wait for each other: an OS thread each.
#pragma once

#include <functional>

#include "backend/cpu/user_kernels/block.h"
#include "backend/cpu/user_kernels/grid_barrier.h"

namespace cuprum::cpu {

/// Runs run(machine, block, barrier) for all blocks of a grid, each on a thread of its own. Throws what the first of them has thrown.
void run_at_once(const lang::Blocks& blocks,
                 const std::function<void(BlockMachine&, const lang::Blocks&, GridBarrier&)>& run);

}  // namespace cuprum::cpu
