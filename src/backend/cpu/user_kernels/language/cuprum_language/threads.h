// Where a thread is, and how it waits for others.
//
// The indices are variables of the OS thread with internal linkage whose address nobody takes: no pointer of the program can alias
// them, so that in a loop over threads (entries.h) the compiler sees a plain induction variable, and vectorises.
#pragma once

#include "cuprum_language/machine.h"
#include "cuprum_language/vector_types.h"

static __thread uint3 threadIdx, blockIdx;
static thread_local constinit dim3 blockDim, gridDim;
static constexpr int warpSize = 32;

namespace cuprum_language {

static __thread const Blocks* current;  // what this OS thread runs

inline unsigned thread_rank() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
inline unsigned thread_count() { return blockDim.x * blockDim.y * blockDim.z; }
inline unsigned lane() { return thread_rank() % 32; }

/// Waits, and gives the result. Other threads run meanwhile: the index is put back.
__attribute__((always_inline)) inline unsigned long long meet(Scope scope, unsigned mask,
                                                              unsigned long long value, int choice,
                                                              Complete complete) {
  Arrival arrival{value, 0, choice};
  const uint3 mine = threadIdx;
  current->machine->meet(*current->machine, scope, mask, arrival, complete);
  threadIdx = mine;
  return arrival.result;
}

inline void give_way() {
  const uint3 mine = threadIdx;
  current->machine->give_way(*current->machine);
  threadIdx = mine;
}

[[noreturn]] inline void fail(const char* text) {
  current->machine->fail(*current->machine, text);
  __builtin_unreachable();
}

/// Calls f(arrival) for all that take part.
template <class F>
inline void for_each(Arrival* const* arrivals, unsigned count, F f) {
  for (unsigned i = 0; i < count; ++i) {
    if (arrivals[i]) f(*arrivals[i]);
  }
}

/// A result that is the same for all: fold(result so far, value).
template <class F>
inline void fold_all(Arrival* const* arrivals, unsigned count, unsigned long long first, F fold) {
  for_each(arrivals, count, [&](const Arrival& a) { first = fold(first, a.value); });
  for_each(arrivals, count, [&](Arrival& a) { a.result = first; });
}

inline void count_true(Arrival* const* arrivals, unsigned count) {
  fold_all(arrivals, count, 0, [](auto sum, auto value) { return sum + value; });
}

}  // namespace cuprum_language

inline void __syncthreads() { cuprum_language::meet(cuprum_language::Scope::block, 0, 0, 0, nullptr); }
inline int __syncthreads_count(int predicate) {
  return static_cast<int>(cuprum_language::meet(cuprum_language::Scope::block, 0, predicate != 0, 0,
                                                cuprum_language::count_true));
}
inline int __syncthreads_or(int predicate) { return __syncthreads_count(predicate) != 0; }
inline int __syncthreads_and(int predicate) { return __syncthreads_count(!predicate) == 0; }
inline void __barrier_sync(unsigned) { __syncthreads(); }

inline void __nanosleep(unsigned) { cuprum_language::give_way(); }
inline void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void __threadfence_block() { __atomic_signal_fence(__ATOMIC_SEQ_CST); }
inline void __threadfence_system() { __threadfence(); }

[[noreturn]] inline void __trap() { cuprum_language::fail("__trap() was called"); }
inline void __brkpt() {}
