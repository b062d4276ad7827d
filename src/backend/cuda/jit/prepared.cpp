#include "jit/prepared.h"

#include "codegen/row_plan.h"
#include "codegen/structure.h"
#include "jit/kernels.h"

namespace cuprum::cuda {

namespace {

constexpr std::size_t kRemembered = 256;

/// The kernel's parts are copied, for the plans point into them.
struct Entry {
  Kernel kernel;
  bool filled = false;
  Prepared prepared;

  bool serves(const Kernel& other) const { return filled && same_structure(kernel, other); }

  void fill(const Kernel& from, int architecture) {
    filled = false;  // until all of it is there: the compiler may throw
    kernel.shape = from.shape;
    kernel.leaves = from.leaves;
    kernel.gathers = from.gathers;
    kernel.draws = from.draws;
    kernel.scalars = from.scalars;
    kernel.code = from.code;
    kernel.stores = from.stores;
    kernel.reductions = from.reductions;
    kernel.reduced = from.reduced;
    kernel.merged = from.merged;
    kernel.stages = from.stages;
    // Buffers come and go: what is remembered is where this kernel's operands lay, and so their alignment.
    for (Leaf& leaf : kernel.leaves) leaf.data = leaf.data.address();
    for (Gathered& g : kernel.gathers) {
      g.index.data = g.index.data.address();
      g.site.caller = {};
    }
    for (Drawn& drawn : kernel.draws) drawn.draw.from = nullptr;
    for (Store& store : kernel.stores) store.data = store.data.address();
    for (Reduction& reduction : kernel.reductions) reduction.data = reduction.data.address();
    prepared = {};
    if (kernel.stages.empty()) {
      fill_passes(architecture);
    } else if (make_row_plan(kernel, has_clusters(architecture), prepared.plan[0])) {
      prepared.compiled[0] = &find_kernel(kernel, prepared.plan[0], architecture);
      prepared.count = 1;
    }
    filled = true;
  }

  void fill_passes(int architecture) {
    const auto passes = passes_of(kernel);
    for (const Pass pass : passes) {
      Plan& plan = prepared.plan[prepared.count];
      // The stores may overwrite a leaf: they belong to the last pass.
      make_plan(kernel, pass, prepared.count + 1 == passes.size(), plan);
      prepared.compiled[prepared.count] = &find_kernel(kernel, plan, architecture);
      ++prepared.count;
    }
  }
};

}  // namespace

struct PreparedCache {
  std::array<Entry, kRemembered> entries;
};

Prepared& prepare(Context& context, const Kernel& kernel) {
  if (!context.prepared) context.prepared = std::make_shared<PreparedCache>();
  Entry& entry = context.prepared->entries[(structure_hash(kernel) >> 8) % kRemembered];
  if (!entry.serves(kernel)) [[unlikely]]
    entry.fill(kernel, context.architecture);
  return entry.prepared;
}

}  // namespace cuprum::cuda
