// Handing work to a stream, in the order of the program: the stream waits for what others have still to do with the operands, and
// afterwards the operands know that it used them (runtime/stream.h).
#pragma once

#include <type_traits>
#include <utility>

#include "runtime/backend.h"
#include "runtime/capture.h"
#include "runtime/lock.h"
#include "runtime/trace.h"

namespace cuprum {

/// What a piece of work reads and writes. Either may be missing.
struct Touched {
  Operands in;
  const View* out = nullptr;
};

template <class F>
void each_use(const Touched& work, F&& f) {
  for (const View& view : work.in) {
    if (Buffer* buffer = view.data.buffer()) f(*buffer, false);
  }
  if (work.out) {
    if (Buffer* buffer = work.out->data.buffer()) f(*buffer, true);
  }
}

template <class F>
void each_use(const Kernel& kernel, F&& f) {
  for (const Leaf& leaf : kernel.leaves) {
    if (Buffer* buffer = leaf.data.buffer()) f(*buffer, false);
  }
  for (const Store& store : kernel.stores) {
    if (Buffer* buffer = store.data.buffer()) f(*buffer, true);
  }
  for (const Reduction& reduction : kernel.reductions) {
    if (Buffer* buffer = reduction.data.buffer()) f(*buffer, true);
  }
  for (const Kernel& epilogue : kernel.epilogue) each_use(epilogue, f);
}

template <class F>
void each_use(const Call& call, F&& f) {
  each_use(Touched{call.in, &call.out}, f);
}

/// Lives around the hand-over of `work`: constructed under the graph's lock, which may be free while the work is handed over.
/// Ended by `done`, or at the end of its life: also where the device has thrown, for it may have begun.
template <class Work>
class HandOver {
 public:
  HandOver(Stream& stream, const Work& work) : stream_(stream), work_(work) {
    if (!stream.device.asynchronous || stream.capture) return;
    open_ = true;
    each_use(work_, [&](Buffer& buffer, bool writes) {
      if (writes)
        buffer.uses().before_write(stream);
      else
        buffer.uses().before_read(stream);
    });
  }
  ~HandOver() {
    if (!open_) return;
    const EngineLock lock;
    done();
  }
  HandOver(const HandOver&) = delete;
  HandOver& operator=(const HandOver&) = delete;

  /// Hands over a kernel or a call.
  auto run() {
    if (stream_.capture) [[unlikely]]
      return captured();
    return trace::spanned(
        stream_, [&] { return trace::note_of(work_); }, [&] { return given(); });
  }
  /// Under the graph's lock.
  void done() {
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
  auto given() {
    if constexpr (std::is_same_v<Work, Kernel>) {
      return stream_.device.run(stream_, work_);
    } else {
      return stream_.device.call(stream_, work_);
    }
  }
  auto captured() {
    const EngineLock lock;
    stream_.capture->add(work_);
    if constexpr (!std::is_same_v<Work, Kernel>) return IndexFault{};
  }

  Stream& stream_;
  const Work& work_;
  bool open_ = false;
};

}  // namespace cuprum
