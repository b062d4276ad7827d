#include "core/user_op.h"

#include <atomic>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "cuprum/error.h"

namespace cuprum {

namespace {

constexpr std::uint32_t kFirst = kOpCount + 1;
constexpr std::uint32_t kMost = 0x10000 - kFirst;

struct UserOp {
  std::string name;
  Signature signature;
  UserLoop loop;
  std::shared_ptr<const void> keep;
  OpInfo info;
};

/// Read without a lock: an operation is complete before its number is known to anybody.
std::atomic<const UserOp*> operations[kMost];

struct Registry {
  std::mutex mutex;
  std::unordered_map<UserLoop, Op> by_loop;
};

Registry& registry() {
  static auto& all = *new Registry;  // not destroyed: kernels may run while the process ends
  return all;
}

const UserOp& at(Op op) {
  return *operations[static_cast<std::uint32_t>(op) - kFirst].load(std::memory_order_acquire);
}

}  // namespace

Op user_op(const std::string& name, int nin, const Signature& signature, UserLoop loop,
           std::shared_ptr<const void> keep) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  if (const auto found = all.by_loop.find(loop); found != all.by_loop.end()) return found->second;
  const auto number = static_cast<std::uint32_t>(all.by_loop.size());
  if (number == kMost) {
    throw Error("cuprum.ElementwiseKernel: the process has compiled " + std::to_string(kMost) +
                " different kernels, and there are no numbers for more; give what varies as an argument, not "
                "as text");
  }
  // What an operation costs is not known: it is taken for a dear one, which is not computed twice.
  auto* added = new UserOp{name, signature, loop, std::move(keep), {}};
  added->info = {added->name.c_str(),         static_cast<std::uint8_t>(nin), Identity::none,
                 kTranscendental | kInternal, {&added->signature, 1},         "An operation of the program."};
  operations[number].store(added, std::memory_order_release);
  const Op op = static_cast<Op>(kFirst + number);
  all.by_loop.emplace(loop, op);
  return op;
}

UserLoop user_loop(Op op) { return at(op).loop; }

const OpInfo& user_info(Op op) { return at(op).info; }

}  // namespace cuprum
