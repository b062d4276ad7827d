// Fibers: functions with stacks of their own that are left in the middle and entered again, by a switch that saves the registers
// which a call keeps and nothing else; ucontext, for other processors, saves the signal mask too, by a call of the system. Measured on a Zen 3: a
// barrier of 256 threads takes 28 ns per thread, a shuffle 20, two switches included.
#pragma once

#include <cstddef>
#include <memory>

namespace cuprum::cpu {

/// A place of execution: a fiber, or the thread that runs fibers.
struct Context {
  void* stack_pointer = nullptr;
  char* low = nullptr;  // its stack
  std::size_t bytes = 0;
  void (*begin)(void*) = nullptr;
  void* argument = nullptr;
  void* sanitizer = nullptr;  // what ASan or TSan keeps of it
};

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
extern "C" void cuprum_switch_stack(void** from, void* to);
/// Leaves `from`, which somebody enters again by another switch, and goes on where `to` was left. One OS thread runs both. Inline:
/// every return behind a switch is one that the processor predicts wrongly.
inline void switch_context(Context& from, Context& to) {
  cuprum_switch_stack(&from.stack_pointer, to.stack_pointer);
}
#else
void switch_context(Context& from, Context& to);
#endif

/// The stacks of `count` fibers in one piece of address space, of which only what is touched becomes memory. Below each lies a page
/// that nobody may touch, as long as the system has pages for that.
class FiberStacks {
 public:
  explicit FiberStacks(std::size_t count);
  ~FiberStacks();
  FiberStacks(const FiberStacks&) = delete;
  FiberStacks& operator=(const FiberStacks&) = delete;

  std::size_t count() const { return count_; }
  const char* low() const { return memory_; }
  const char* high() const { return memory_ + count_ * kStack; }
  Context& operator[](std::size_t i) { return contexts_[i]; }
  /// The next switch to fiber i calls begin(argument), which must not return.
  void prepare(std::size_t i, void (*begin)(void*), void* argument);

 private:
  // CUDA gives a thread at most 512 KiB of local memory. 1024 stacks of this size are 512 MiB of addresses.
  static constexpr std::size_t kStack = 512 * 1024;

  std::size_t count_;
  char* memory_;
  std::unique_ptr<Context[]> contexts_;
};

}  // namespace cuprum::cpu
