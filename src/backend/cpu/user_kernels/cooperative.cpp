#include "backend/cpu/user_kernels/cooperative.h"

#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "cuprum/error.h"

namespace cuprum::cpu {

namespace {

constexpr std::uint64_t kMostBlocks = 1024;

}  // namespace

void run_at_once(const lang::Blocks& blocks,
                 const std::function<void(BlockMachine&, const lang::Blocks&, GridBarrier&)>& run) {
  const std::uint64_t count = std::uint64_t{blocks.grid.x} * blocks.grid.y * blocks.grid.z;
  if (count > kMostBlocks) {
    throw DeviceError("cuprum: a cooperative launch has at most " + std::to_string(kMostBlocks) +
                      " blocks on the CPU, not " + std::to_string(count) +
                      " (cudaErrorCooperativeLaunchTooLarge)");
  }
  GridBarrier barrier(count);
  std::mutex mutex;
  std::exception_ptr error;
  std::vector<std::thread> threads;
  for (std::uint64_t b = 0; b < count; ++b) {
    threads.emplace_back([&, b] {
      try {
        lang::Blocks mine = blocks;
        BlockMachine& machine = BlockMachine::here();
        mine.machine = &machine;
        mine.first = b;
        mine.last = b + 1;
        run(machine, mine, barrier);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!error) error = std::current_exception();
      }
      barrier.leave();
    });
  }
  for (std::thread& thread : threads) thread.join();
  if (error) std::rethrow_exception(error);
}

}  // namespace cuprum::cpu
