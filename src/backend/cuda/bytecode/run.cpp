// Tier 0: a kernel of one stage, by the interpreter.
//
// Every launch is encoded before the first one starts: a kernel runs as a whole or not at all.
#include <algorithm>
#include <deque>

#include "backend/cuda/bytecode/encode.h"
#include "backend/cuda/bytecode/launch.h"
#include "backend/cuda/context.h"
#include "core/user_op.h"

namespace cuprum::cuda {

namespace {

using namespace bytecode;

struct Launch {
  const Kernel* kernel = nullptr;
  Wanted wanted;
  Program program;
};

/// Kept from call to call for the memory of its programs.
class Launches {
 public:
  void clear() { count_ = 0; }

  bool add(const DeviceFacts& facts, const Kernel& kernel) {
    if (!has_plain_leaves(kernel)) return false;
    if (!kernel.reductions.empty() && reduces_nothing(kernel)) return false;
    return !has_elements(kernel) || add_kernel(facts, kernel);
  }

  void run(Context& context) const {
    for (std::size_t i = 0; i < count_; ++i) {
      const Launch& launch = launches_[i];
      const int reduction = launch.wanted.reduction;
      if (reduction < 0) {
        run_elementwise(context, *launch.kernel, launch.program);
      } else {
        run_reduction(context, launch.kernel->reductions[static_cast<std::size_t>(reduction)],
                      launch.wanted.shape, launch.program);
      }
    }
  }

 private:
  static bool has_elements(const Kernel& kernel) {
    for (std::int64_t extent : kernel.shape) {
      if (extent == 0) return false;
    }
    return true;
  }

  /// Is there nothing in what becomes a result? The interpreter has no identities.
  static bool reduces_nothing(const Kernel& kernel) {
    for (std::size_t d = 0; d < kernel.shape.size(); ++d) {
      if (kernel.shape[d] == 0 && (kernel.reduced >> d & 1)) return true;
    }
    return false;
  }

  /// One launch per reduction. The stores go with the last: they may overwrite a leaf that all others read.
  bool add_kernel(const DeviceFacts& facts, const Kernel& kernel) {
    // A program's own operations have no loop that was compiled ahead of time: such a kernel waits for the compiler.
    if (std::any_of(kernel.code.begin(), kernel.code.end(),
                    [](const Instr& i) { return is_user_op(i.op); }) ||
        std::any_of(kernel.reductions.begin(), kernel.reductions.end(),
                    [](const Reduction& r) { return r.op == ReduceOp::user; }))
      return false;
    const auto reductions = static_cast<int>(kernel.reductions.size());
    if (reductions == 0) return add(kernel, Wanted{}, facts.shared_per_block);
    if (facts.shared_per_block <= kReduceShared) return false;
    for (int i = 0; i < reductions; ++i) {
      const Reduction& r = kernel.reductions[static_cast<std::size_t>(i)];
      Wanted wanted;
      wanted.stores = i == reductions - 1;
      wanted.reduction = i;
      wanted.shape = reduce_shape(kernel, r.op == ReduceOp::generic);
      if (!can_reduce(r) || !add(kernel, wanted, facts.shared_per_block - kReduceShared)) return false;
    }
    return true;
  }

  bool add(const Kernel& kernel, const Wanted& wanted, std::size_t max_shared) {
    if (count_ == launches_.size()) launches_.emplace_back();
    Launch& launch = launches_[count_++];
    launch.kernel = &kernel;
    launch.wanted = wanted;
    return encode(kernel, wanted, max_shared, launch.program);
  }

  std::deque<Launch> launches_;
  std::size_t count_ = 0;
};

}  // namespace

bool can_interpret(const DeviceFacts& facts, const Kernel& kernel) { return Launches().add(facts, kernel); }

bool run_bytecode(Context& context, const Kernel& kernel) {
  static thread_local Launches launches;
  launches.clear();
  if (!launches.add(context, kernel)) return false;
  launches.run(context);
  return true;
}

}  // namespace cuprum::cuda
