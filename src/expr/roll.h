// Rolls: `roll(a, 1, 0) + roll(a, -1, 0)` reads `a` where it lies.
//
// A roll is a recorded call that the engine makes itself, out of kernels. Its space is cut where the shifts wrap around; in each
// block it is a plain view of its operand. So what reads rolls is cut too, where one kernel without reductions reads them
// (expr/leaves.h): as many kernels as there are blocks, each over plain views. A device sees nothing of it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/dims.h"
#include "expr/lower.h"
#include "expr/run.h"
#include "runtime/program.h"

namespace cuprum {

/// Where the space of a kernel is cut: the blocks between the places where its rolls wrap around.
class Blocks {
 public:
  explicit Blocks(const Dims& shape) : shape_(shape), begins_(shape.size(), Dims(1)) {}

  void cut(const Dims& shifts);
  std::size_t count() const;
  /// Block `number` of the kernel, whose dimensions are not merged yet; memory goes through it along `order`.
  void take(std::size_t number, const Kernel& whole, std::span<const Rolled> rolls, const Dims& order,
            Kernel& block) const;

 private:
  Dims shape_;
  std::vector<Dims> begins_;  // of the blocks, along each dimension
};

/// How many kernels a roll takes by itself.
std::size_t own_blocks(const Node& roll);

/// Blocks of a kernel that reads rolls.
Blocks blocks_of(const Kernel& kernel, std::span<const Rolled> rolls);

/// A block, in memory that is used again.
struct BlockKernel : Kernel {};

/// Runs a kernel that reads rolls, then `settle` under the graph's lock.
template <class F>
void run_blocks(Stream& stream, const Kernel& kernel, std::span<const Rolled> rolls, const Dims& order,
                Flight& flight, F&& settle) {
  const Lease<BlockKernel> lease;
  const Blocks blocks = blocks_of(kernel, rolls);
  for (std::size_t i = 0; i < blocks.count(); ++i) {
    blocks.take(i, kernel, rolls, order, *lease);
    const bool last = i + 1 == blocks.count();
    run_kernel(stream, *lease, flight, [&] {
      if (last) settle();
    });
  }
}

/// A roll of few elements that the CPU has (expr/now.h), in this layout; nothing: it has to be recorded.
std::optional<Array> roll_now(const Array& a, const Dims& shifts, const Dims& strides);

/// The result of a roll in memory. `last`: the evaluation ends with it.
void run_roll(Node& node, Flight& flight, bool last);

}  // namespace cuprum
