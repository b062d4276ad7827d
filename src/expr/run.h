// What evaluations share, whether they have a plan (expr/run_plan.h) or one node alone (expr/run_single.h): memory that is used
// again, the hand-over of a kernel or a call, and what comes after, when whoever named or read a node gets its bytes. All under
// the graph's lock, which is let go while a kernel runs that takes its time.
#pragma once

#include <memory>
#include <utility>

#include "expr/engine.h"
#include "expr/flight.h"
#include "expr/origin.h"
#include "expr/schedule.h"
#include "runtime/debug.h"
#include "runtime/hand_over.h"

namespace cuprum {

/// So far, in this process.
inline EngineStats evaluation_stats;
/// Of the latest evaluation.
inline Reason last_reason = Reason::requested;

/// Memory that evaluations use again, each for itself while it lasts: one that begins while another is in flight gets its own.
template <class T>
class Lease {
 public:
  Lease() : memory_(free_ ? std::exchange(free_, nullptr) : new T) {}
  ~Lease() { delete std::exchange(free_, memory_); }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;
  T& operator*() const { return *memory_; }

 private:
  static inline T* free_ = nullptr;
  T* memory_;
};

/// What a group is, for who records: its work, and the host's work for it.
struct Recorded {
  explicit Recorded(const Group& group);

  tracing::Label label;
  tracing::HostSpan host;
};

/// Runs what computes `group`; while debugging an error tells which operations those are.
template <class F>
void named(const Group& group, F&& run) {
  std::unique_ptr<Recorded> recorded;  // a pointer: the frame stays small
  if (recording()) [[unlikely]]
    recorded = std::make_unique<Recorded>(group);
  try {
    run();
  } catch (Error& error) {
    if (debugging()) error.add_note(origin_of(group));
    throw;
  }
}

/// The same for one node, whose group need not be made unless it is asked for.
template <class F>
void named(Node& node, F&& run) {
  if (!watched()) [[likely]]
    return run();
  named(Group(node), run);
}

/// The node's bytes are in `buffer` now: whoever named or read the node gets the buffer.
void settle(Node& node, Ref<Buffer> buffer);

inline bool is_small(const Kernel& kernel) {
  std::size_t elements = 1;
  for (std::int64_t d : kernel.shape) elements *= static_cast<std::size_t>(d);
  const std::size_t operands =
      kernel.leaves.size() + kernel.gathers.size() + kernel.draws.size() + kernel.stores.size();
  return elements * (operands + 1) < engine_options().small_bytes;
}

/// Runs the kernel, without the lock if it takes its time, then `settle` under it.
template <class F>
void run_kernel(Stream& stream, const Kernel& kernel, Flight& flight, F&& settle) {
  ++evaluation_stats.kernels;
  HandOver hand_over(stream, kernel);
  if (is_small(kernel) && !debugging()) [[likely]] {
    hand_over.run();
    hand_over.done();
    return settle();
  }
  flight.without_lock([&] {
    hand_over.run();
    if (debugging()) stream.synchronize();
    EngineLock lock;
    hand_over.done();
    settle();
  });
}

/// Calls the node's primitive; its operands are in memory. `last`: the evaluation ends with it.
void run_call(Node& node, Flight& flight, bool last);

/// Does `node` need no memory, since the one call that reads it makes it? It reads memory alone.
bool is_made_by_reader(const Node& node);

/// Calls both at once where the device has a way to do so; the second may read the first's result. False: nothing is done.
bool run_both(Node& first, Node& second, Flight& flight, bool last);

}  // namespace cuprum
