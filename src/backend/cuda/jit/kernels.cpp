#include "jit/kernels.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <mutex>
#include <string_view>
#include <unordered_map>

#include "codegen/row_plan.h"
#include "codegen/source.h"
#include "jit/nvrtc.h"
#include "runtime/disk_cache.h"
#include "runtime/settings.h"

namespace cuprum::cuda {

namespace {

struct HashedKey {
  std::string_view text;
  std::uint64_t hash;
  bool operator==(const HashedKey& other) const { return hash == other.hash && text == other.text; }
};
struct HashOf {
  std::size_t operator()(const HashedKey& key) const { return key.hash; }
};

/// Grows with the number of different kernels, about 1 KiB each, and never shrinks: kernels stay loaded.
class Table {
 public:
  static Table& get() {
    static auto* const table = new Table;
    return *table;
  }

  /// To be held around the others.
  std::mutex& mutex() { return mutex_; }

  /// The entry of a key, or nullptr.
  CompiledKernel* find(const Key& key, int architecture) {
    const auto found = kernels_.find({key.text(), mixed(key, architecture)});
    return found == kernels_.end() ? nullptr : found->second;
  }

  CompiledKernel& add(const Key& key, int architecture) {
    const std::string& text = texts_.emplace_back(key.text());
    CompiledKernel& kernel = storage_.emplace_back();
    kernel.hash = mixed(key, architecture);
    kernel.architecture = architecture;
    kernels_.emplace(HashedKey{text, kernel.hash}, &kernel);
    return kernel;
  }

 private:
  static std::uint64_t mixed(const Key& key, int architecture) {
    return key.hash() ^ (static_cast<std::uint64_t>(architecture) << 48);
  }

  std::mutex mutex_;  // asked for when no stream remembers the kernel
  std::deque<std::string> texts_;
  std::deque<CompiledKernel> storage_;
  std::unordered_map<HashedKey, CompiledKernel*, HashOf> kernels_;
};

}  // namespace

TierChoice tier_choice() {
  static const TierChoice choice = [] {
    const std::string& tier = settings().tier;
    return tier == "0" ? TierChoice::interpreted : tier == "1" ? TierChoice::compiled : TierChoice::automatic;
  }();
  return choice;
}

CompiledKernel& find_kernel(const Kernel& kernel, const Plan& plan, int architecture) {
  static thread_local Key key;
  make_key(kernel, plan, key);
  const std::lock_guard guard(Table::get().mutex());
  if (CompiledKernel* found = Table::get().find(key, architecture)) [[likely]]
    return *found;
  CompiledKernel& made = Table::get().add(key, architecture);
  made.source = make_source(kernel, plan);
  if (tier_choice() == TierChoice::compiled) {
    compile_now(made);
  } else if (!nvrtc_is_open() || !find_on_disk(made)) {
    compile_later(made);
  }
  return made;
}

namespace {

/// The tier of a kernel that was never asked for: see find_kernel.
int tier_when_first_asked(const Kernel& kernel, const Plan& plan, int architecture) {
  const bool waits = tier_choice() == TierChoice::compiled;
  if (!waits && !nvrtc_is_open()) return 0;
  return disk_cache().find(disk_key(make_source(kernel, plan), architecture)) ? 2 : waits ? 1 : 0;
}

int tier_of(const Kernel& kernel, const Plan& plan, int architecture) {
  Key key;
  make_key(kernel, plan, key);
  const CompiledKernel* found = nullptr;
  {
    const std::lock_guard guard(Table::get().mutex());
    found = Table::get().find(key, architecture);
  }
  const bool ready = found && found->stage.load(std::memory_order_acquire) == Stage::ready;
  return ready ? found->tier : found ? 0 : tier_when_first_asked(kernel, plan, architecture);
}

}  // namespace

int tier_of(const Kernel& kernel, int architecture) {
  if (!kernel.stages.empty()) {
    Plan plan;
    return make_row_plan(kernel, has_clusters(architecture), plan) ? tier_of(kernel, plan, architecture) : 0;
  }
  int tier = 2;
  const auto passes = passes_of(kernel);
  for (std::size_t i = 0; i < passes.size(); ++i) {
    Plan plan;
    make_plan(kernel, passes[i], i + 1 == passes.size(), plan);
    tier = std::min(tier, tier_of(kernel, plan, architecture));
  }
  return tier;
}

}  // namespace cuprum::cuda
