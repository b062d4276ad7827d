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
  UserLoop loop = nullptr;
  std::shared_ptr<const void> keep;
  UserFunctionText function;
  FoldLoops fold = {};
  OpInfo info = {};
};

/// Read without a lock: an operation is complete before its number is known to anybody.
std::atomic<const UserOp*> operations[kMost];

struct Registry {
  std::mutex mutex;
  std::unordered_map<std::string, Op> known;  // by the address of a loop, or the text of a function
};

Registry& registry() {
  static auto& all = *new Registry;  // not destroyed: kernels may run while the process ends
  return all;
}

const UserOp& at(Op op) {
  return *operations[static_cast<std::uint32_t>(op) - kFirst].load(std::memory_order_acquire);
}

/// The operation of a key; `made` becomes it where there was none.
Op find_or_add(const std::string& key, int nin, UserOp&& made) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  if (const auto found = all.known.find(key); found != all.known.end()) return found->second;
  const auto number = static_cast<std::uint32_t>(all.known.size());
  if (number == kMost) {
    throw Error("cuprum.ElementwiseKernel: the process has compiled " + std::to_string(kMost) +
                " different kernels, and there are no numbers for more; give what varies as an argument, not "
                "as text");
  }
  // What an operation costs is not known: it is taken for a dear one, which is not computed twice.
  auto* added = new UserOp(std::move(made));
  added->info = {added->name.c_str(),         static_cast<std::uint8_t>(nin), Identity::none,
                 kTranscendental | kInternal, {&added->signature, 1},         "An operation of the program."};
  operations[number].store(added, std::memory_order_release);
  const Op op = static_cast<Op>(kFirst + number);
  all.known.emplace(key, op);
  return op;
}

}  // namespace

Op user_op(const std::string& name, int nin, const Signature& signature, UserLoop loop,
           std::shared_ptr<const void> keep, const FoldLoops* fold) {
  const std::string key(reinterpret_cast<const char*>(&loop), sizeof loop);
  return find_or_add(key, nin, {name, signature, loop, std::move(keep), {}, fold ? *fold : FoldLoops{}});
}

Op user_op(const std::string& name, int nin, const Signature& signature, UserFunctionText function) {
  const std::string key = function.headers + function.text;
  return find_or_add(key, nin, {name, signature, nullptr, nullptr, std::move(function)});
}

UserLoop user_loop(Op op) { return at(op).loop; }

const FoldLoops& user_fold(Op op) { return at(op).fold; }

const UserFunctionText& user_function(Op op) { return at(op).function; }

const OpInfo& user_info(Op op) { return at(op).info; }

}  // namespace cuprum
