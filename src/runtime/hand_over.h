// Handing work to a stream, in the order of the program: the stream waits for what others have still to do with the operands, and
// afterwards the operands know that it used them (runtime/stream.h).
#pragma once

#include <type_traits>
#include <utility>

#include "runtime/backend.h"
#include "runtime/capture.h"
#include "runtime/lock.h"
#include "runtime/spill.h"
#include "runtime/trace.h"

namespace cuprum {

/// What a piece of work reads and writes. Either may be missing.
struct Touched {
  Operands in;
  Operands out = {};
};

template <class F>
void each_use(const Touched& work, F&& f) {
  for (const View& view : work.in) {
    if (Buffer* buffer = view.data.buffer()) f(*buffer, false);
  }
  for (const View& view : work.out) {
    if (Buffer* buffer = view.data.buffer()) f(*buffer, true);
  }
}

template <class F>
void each_use(const Kernel& kernel, F&& f) {
  for (const Leaf& leaf : kernel.leaves) {
    if (Buffer* buffer = leaf.data.buffer()) f(*buffer, false);
  }
  for (const Gathered& g : kernel.gathers) {
    if (Buffer* buffer = g.index.data.buffer()) f(*buffer, false);
  }
  for (const Store& store : kernel.stores) {
    if (Buffer* buffer = store.data.buffer()) f(*buffer, true);
  }
  for (const Reduction& reduction : kernel.reductions) {
    if (Buffer* buffer = reduction.data.buffer()) f(*buffer, true);
  }
}

template <class F>
void each_use(const Call& call, F&& f) {
  each_use(Touched{call.in, call.out}, f);
}

/// Lives around the hand-over of `work`: constructed under the graph's lock, which may be free while the work is handed over.
/// Ended by `done`, or at the end of its life: also where the device has thrown, for it may have begun.
template <class Work>
class HandOver {
 public:
  HandOver(Stream& stream, const Work& work)
      : stream_(stream), work_(work), captures_(stream.capture != nullptr) {
    if (!stream.device.asynchronous) return;
    if (spill_is_used()) [[unlikely]]
      hold();
    if (captures_) return;
    open_ = true;
    each_use(work_, [&](Buffer& buffer, bool writes) {
      if (writes)
        buffer.uses().before_write(stream);
      else
        buffer.uses().before_read(stream);
    });
  }
  ~HandOver() {
    if (!open_ && !holds_) return;
    const EngineLock lock;
    done();
  }
  HandOver(const HandOver&) = delete;
  HandOver& operator=(const HandOver&) = delete;

  /// Hands over a kernel or a call.
  auto run() {
    if (captures_) [[unlikely]]
      return captured();
    if (recording()) [[unlikely]]
      return recorded();
    return given();
  }
  /// Under the graph's lock.
  void done() {
    if (std::exchange(holds_, false)) [[unlikely]]
      let_go();
    if (!std::exchange(open_, false)) return;
    const Stamp stamp = stream_.mark();
    each_use(work_, [&](Buffer& buffer, bool writes) {
      if (writes)
        buffer.uses().written_at(stamp);
      else
        buffer.uses().read_at(stamp);
    });
  }

 private:
  /// The operands are on the device, and stay there until the work is handed over.
  void hold() {
    each_use(work_, [](Buffer& buffer, bool) { ++buffer.held; });
    try {
      each_use(work_, [&](Buffer& buffer, bool) { bring_home(buffer, stream_); });
    } catch (...) {
      let_go();
      throw;
    }
    holds_ = true;
  }
  void let_go() {
    each_use(work_, [](Buffer& buffer, bool) { --buffer.held; });
  }
  auto given() {
    if constexpr (std::is_same_v<Work, Kernel>) {
      return stream_.device.run(stream_, work_);
    } else {
      return stream_.device.call(stream_, work_);
    }
  }
  /// Out of the way: inlined, it would cost the caller 50 instructions for registers and stack.
  [[gnu::noinline, gnu::cold]] auto recorded() {
    const tracing::StreamSpan span(stream_, tracing::note_of(work_));
    return given();
  }
  auto captured() {
    const EngineLock lock;
    if (stream_.capture) stream_.capture->add(work_);  // else another thread has ended it meanwhile
    if constexpr (!std::is_same_v<Work, Kernel>) return Fault{};
  }

  Stream& stream_;
  const Work& work_;
  const bool captures_;
  bool open_ = false;
  bool holds_ = false;
};

}  // namespace cuprum
