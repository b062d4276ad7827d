// Leaves of a kernel that are made (gathered or drawn), in memory: for the interpreter, which reads leaves where they lie. A call of
// the primitive makes each of them, with the bits that a compiled kernel gives it.
#pragma once

#include <vector>

#include "backend/cuda/context.h"

namespace cuprum::cuda {

/// The kernel with its leaves in memory that has no address yet.
Kernel with_plain_leaves(const Kernel& kernel);

class LeavesInMemory {
 public:
  /// Calls what makes them.
  LeavesInMemory(Context& context, const Kernel& kernel);
  const Kernel& kernel() const { return plain_; }

 private:
  void gather(const Gathered& g, const Leaf& table);
  void draw(const Drawn& d);
  std::byte* take(std::size_t nbytes) { return memory_.emplace_back(context_, nbytes).get(); }

  Context& context_;
  Kernel plain_;
  std::vector<Scratch> memory_;
};

}  // namespace cuprum::cuda
