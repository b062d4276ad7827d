// Streams, events and captures as a program holds them: what cuprum.cuda.Stream and cuprum::stream are made of.
//
// Whatever concerns what a stream was given begins by evaluating what is pending there: the program has written it before.
#pragma once

#include <atomic>
#include <functional>
#include <memory>

#include "expr/engine.h"
#include "runtime/backend.h"
#include "runtime/capture.h"

namespace cuprum::ops {

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
  /// From now on this thread's work on the device goes there.
  void use() const;

  void begin_capture() const;
  /// The work since; throws DeviceError where there is none, or where it cannot be had.
  std::shared_ptr<Capture> end_capture() const;

 private:
  Stream& stream_;
  const bool owned_;
};

/// A new stream of a device, of a priority that it has.
std::unique_ptr<StreamHandle> take_stream(Backend& device, bool non_blocking, int priority);

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

/// Work that was captured once and runs as often as one likes.
struct Graph {
  std::shared_ptr<Capture> capture;
  Backend& device;

  /// Ends the capture of the stream.
  explicit Graph(const StreamHandle& handle)
      : capture(handle.end_capture()), device(handle.stream().device) {}
  void launch(const StreamHandle& handle) const;
};

/// A point in the work of a stream, or in a capture.
class StreamEvent {
 public:
  StreamEvent(Backend& device, const EventOptions& options)
      : device_(device), event_(device.make_event(options)), timing_(options.timing) {}

  void record(const StreamHandle& handle);
  void synchronize();
  bool done() { return !captured_ && event_->done(); }
  std::uintptr_t native() const { return event_->native(); }
  /// What the stream is given from now on comes behind the event; a stream that waits for a point in a capture joins it.
  void hold_back(const StreamHandle& handle);
  /// Milliseconds from one to the other, both recorded.
  static double elapsed(StreamEvent& start, StreamEvent& stop);

 private:
  void check_runs(const char* what) const;
  void join_capture(Stream& stream);

  Backend& device_;
  std::unique_ptr<Event> event_;
  const bool timing_;
  std::atomic<bool> recorded_ = false;
  std::atomic<bool> captured_ = false;  // recorded last in a capture:
  std::weak_ptr<Capture> where_;        // this one; guarded by the graph's lock
};

}  // namespace cuprum::ops
