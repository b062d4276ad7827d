// Tier 0: a kernel and its epilogue, by the interpreter.
//
// Every launch is encoded before the first one starts: a kernel runs as a whole or not at all.
#include <deque>

#include "backend/cuda/bytecode/elementwise.h"
#include "backend/cuda/bytecode/encode.h"
#include "backend/cuda/context.h"

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

  bool add(const Context& context, const Kernel& kernel) {
    if (has_elements(kernel)) {
      if (!kernel.reductions.empty() || !add(context, kernel, Wanted{})) return false;
    }
    for (const Kernel& epilogue : kernel.epilogue) {
      if (!add(context, epilogue)) return false;
    }
    return true;
  }

  void run(Context& context) const {
    for (std::size_t i = 0; i < count_; ++i) {
      run_elementwise(context, *launches_[i].kernel, launches_[i].program);
    }
  }

 private:
  static bool has_elements(const Kernel& kernel) {
    for (std::int64_t extent : kernel.shape) {
      if (extent == 0) return false;
    }
    return true;
  }

  bool add(const Context& context, const Kernel& kernel, const Wanted& wanted) {
    if (count_ == launches_.size()) launches_.emplace_back();
    Launch& launch = launches_[count_++];
    launch.kernel = &kernel;
    launch.wanted = wanted;
    return encode(kernel, wanted, context.shared_per_block, launch.program);
  }

  std::deque<Launch> launches_;
  std::size_t count_ = 0;
};

}  // namespace

bool run_bytecode(Context& context, const Kernel& kernel) {
  static thread_local Launches launches;
  launches.clear();
  if (!launches.add(context, kernel)) return false;
  launches.run(context);
  return true;
}

}  // namespace cuprum::cuda
