// Running a plan: memory for the outputs of each group, its kernel or call, and the nodes settled when they have their bytes. Under the
// graph's lock, as expr/run.h is.
#pragma once

#include <span>
#include <vector>

#include "expr/lower.h"
#include "expr/run.h"

namespace cuprum {

/// Nodes whose results go straight to where they are wanted, and those places.
struct Sinks {
  std::span<const Ref<Node>> nodes;
  std::span<const Destination> targets;

  const Destination* of(const Node* node) const {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (nodes[i].get() == node) return &targets[i];
    }
    return nullptr;
  }
};

/// What an evaluation with a plan works in: without it, allocating vectors would be a fifth of a small evaluation.
struct Scratch {
  Schedule plan;
  Kernel kernel;
  std::vector<Rolled> rolls;
  std::vector<Ref<Buffer>> buffers;
  std::vector<Destination> outputs;
  std::vector<Node*> stack;
};

class ScratchLease : public Lease<Scratch> {
 public:
  ~ScratchLease() {
    (**this).buffers.clear();
    (**this).plan.clear();
  }
};

/// Runs what `scratch.plan` says.
void run_plan(Reason reason, const Sinks& sinks, Scratch& scratch);

/// Runs a reduction of memory, which is a plan of its own.
void run_reduction(Node& node);

}  // namespace cuprum
