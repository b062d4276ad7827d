// Streams as Python holds them, and calls that are given one.
#pragma once

#include "expr/engine.h"
#include "ndarray.h"
#include "runtime/backend.h"

namespace cuprum::python {

/// A stream, and whether it goes back to its device with this object.
class StreamHandle {
 public:
  explicit StreamHandle(Stream& stream, bool owned = false) : stream_(stream), owned_(owned) {}
  ~StreamHandle();
  StreamHandle(const StreamHandle&) = delete;
  StreamHandle& operator=(const StreamHandle&) = delete;

  Stream& stream() const { return stream_; }
  /// With what is pending there handed over.
  Stream& up_to_date() const {
    evaluate_all(stream_);
    return stream_;
  }
  void synchronize() const;
  bool done() const;

 private:
  Stream& stream_;
  const bool owned_;
};

/// The stream of a `stream=` argument, a cuprum.cuda.Stream; null for None.
Stream* stream_given(nb::handle stream, const char* function);

/// Leaves a stream that the thread has used: others need not wait for whoever asks first, and one of others may soon be gone.
void leave_stream(Stream& stream);

/// Does `work` on the stream that a call was given; null: on the current one. What it records is handed over.
template <class F>
auto on_stream(Stream* stream, F&& work) {
  if (!stream) return work();
  struct Chosen {
    explicit Chosen(Stream& s) : device(s.device), before(set_current_stream(device, &s)) {}
    ~Chosen() { set_current_stream(device, before); }
    Backend& device;
    Stream* const before;
  };
  const Chosen chosen(*stream);
  auto result = work();
  leave_stream(*stream);
  return result;
}

}  // namespace cuprum::python
