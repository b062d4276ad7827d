#include "backend/cpu/user_kernels/fiber.h"

#include <pthread.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstring>
#include <string>

#include "cuprum/error.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

// -- The switch: pushes what a call keeps, exchanges the stack pointers, pops. A new stack looks as if its fiber had been left
// just before cuprum_begin_fiber, with the function and its argument in two of those registers.
extern "C" {
#if !defined(__x86_64__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
void cuprum_switch_stack(void** from, void* to);
#endif
void cuprum_begin_fiber();
}

#if defined(__x86_64__)
asm(R"(
.text
.p2align 4
.globl cuprum_switch_stack
.hidden cuprum_switch_stack
.type cuprum_switch_stack, @function
cuprum_switch_stack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  popq %rcx
  jmp *%rcx
.size cuprum_switch_stack, .-cuprum_switch_stack
.globl cuprum_begin_fiber
.hidden cuprum_begin_fiber
.type cuprum_begin_fiber, @function
cuprum_begin_fiber:
  .cfi_startproc
  .cfi_undefined rip
  movq %r12, %rdi
  call *%rbx
  ud2
  .cfi_endproc
.size cuprum_begin_fiber, .-cuprum_begin_fiber
)");
#define CUPRUM_OWN_SWITCH 1
namespace {
constexpr std::size_t kSaved = 7, kFunction = 4, kArgument = 3,
                      kReturn = 6;  // words: r15 r14 r13 r12 rbx rbp return
}
#elif defined(__aarch64__)
asm(R"(
.text
.p2align 4
.globl cuprum_switch_stack
.hidden cuprum_switch_stack
.type cuprum_switch_stack, %function
cuprum_switch_stack:
  sub sp, sp, #160
  stp x19, x20, [sp]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  ldp x19, x20, [sp]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #160
  ret
.size cuprum_switch_stack, .-cuprum_switch_stack
.globl cuprum_begin_fiber
.hidden cuprum_begin_fiber
.type cuprum_begin_fiber, %function
cuprum_begin_fiber:
  .cfi_startproc
  .cfi_undefined x30
  mov x0, x20
  blr x19
  brk #0
  .cfi_endproc
.size cuprum_begin_fiber, .-cuprum_begin_fiber
)");
#define CUPRUM_OWN_SWITCH 1
namespace {
constexpr std::size_t kSaved = 20, kFunction = 0, kArgument = 1,
                      kReturn = 11;  // words: x19 x20 ... x29 x30 d8 ... d15
}
#else
#include <ucontext.h>
#endif

namespace cuprum::cpu {

namespace {

constexpr std::size_t kPage = 4096;
// Stacks that begin at equal places of their pages would fight for the same sets of the cache: each begins some lines
// further down, in all over 60 KiB (barrier of 256 threads: 50 ns per thread instead of 60).
constexpr std::size_t kStagger = 320, kStaggers = 192;

/// The bottom of every fiber's stack.
[[noreturn]] void begin_fiber(void* context) {
  const auto& self = *static_cast<Context*>(context);
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(nullptr, nullptr, nullptr);
#endif
  self.begin(self.argument);
  __builtin_unreachable();
}

#if defined(CUPRUM_OWN_SWITCH)

[[maybe_unused]] void exchange_stacks(Context& from, Context& to) {
  cuprum_switch_stack(&from.stack_pointer, to.stack_pointer);
}

void lay_out(Context& context, char* top) {
  auto* words = reinterpret_cast<void**>(top) - kSaved;
  std::memset(words, 0, kSaved * sizeof(void*));
  words[kFunction] = reinterpret_cast<void*>(&begin_fiber);
  words[kArgument] = &context;
  words[kReturn] = reinterpret_cast<void*>(&cuprum_begin_fiber);
  context.stack_pointer = words;
}

#else

ucontext_t* saved(Context& context) {
  if (!context.stack_pointer) context.stack_pointer = new ucontext_t;
  return static_cast<ucontext_t*>(context.stack_pointer);
}

void exchange_stacks(Context& from, Context& to) { swapcontext(saved(from), saved(to)); }

void lay_out(Context& context, char* top) {
  ucontext_t* fiber = saved(context);
  getcontext(fiber);
  fiber->uc_stack.ss_sp = context.low;
  fiber->uc_stack.ss_size = static_cast<std::size_t>(top - context.low);
  fiber->uc_link = nullptr;
  makecontext(fiber, reinterpret_cast<void (*)()>(&begin_fiber), 1, &context);
}

#endif

#if defined(__SANITIZE_ADDRESS__)
/// The stack of this OS thread.
void describe_own_stack(Context& context) {
  pthread_attr_t about;
  void* low = nullptr;
  if (pthread_getattr_np(pthread_self(), &about) != 0) return;
  pthread_attr_getstack(&about, &low, &context.bytes);
  pthread_attr_destroy(&about);
  context.low = static_cast<char*>(low);
}
#endif

}  // namespace

#if !defined(__x86_64__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
void switch_context(Context& from, Context& to) {
#if defined(__SANITIZE_ADDRESS__)
  if (!from.low) describe_own_stack(from);
  __sanitizer_start_switch_fiber(&from.sanitizer, to.low, to.bytes);
  exchange_stacks(from, to);
  __sanitizer_finish_switch_fiber(from.sanitizer, nullptr, nullptr);
#elif defined(__SANITIZE_THREAD__)
  if (!from.sanitizer) from.sanitizer = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(to.sanitizer, 0);
  exchange_stacks(from, to);
#else
  exchange_stacks(from, to);
#endif
}
#endif

FiberStacks::FiberStacks(std::size_t count) : count_(count), contexts_(new Context[count]) {
  void* memory = ::mmap(nullptr, count * kStack, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED)
    throw OutOfMemoryError("cuprum: no addresses for the stacks of " + std::to_string(count) +
                           " threads of a kernel");
  memory_ = static_cast<char*>(memory);
  for (std::size_t i = 0; i < count; ++i) {
    char* low = memory_ + i * kStack;
    ::mprotect(low, kPage, PROT_NONE);  // refused where the process has too many mappings
    contexts_[i].low = low + kPage;
    contexts_[i].bytes = kStack - kPage;
  }
}

FiberStacks::~FiberStacks() {
#if defined(__SANITIZE_THREAD__)
  for (std::size_t i = 0; i < count_; ++i) {
    if (contexts_[i].sanitizer) __tsan_destroy_fiber(contexts_[i].sanitizer);
  }
#endif
#if !defined(CUPRUM_OWN_SWITCH)
  for (std::size_t i = 0; i < count_; ++i) delete static_cast<ucontext_t*>(contexts_[i].stack_pointer);
#endif
  ::munmap(memory_, count_ * kStack);
}

void FiberStacks::prepare(std::size_t i, void (*begin)(void*), void* argument) {
  Context& context = contexts_[i];
#if defined(__SANITIZE_THREAD__)
  if (!context.sanitizer) context.sanitizer = __tsan_create_fiber(0);
#endif
  context.begin = begin;
  context.argument = argument;
  lay_out(context, context.low + context.bytes - (i % kStaggers) * kStagger);
}

}  // namespace cuprum::cpu
