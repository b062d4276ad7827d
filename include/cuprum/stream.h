// Streams, events and graphs: the order in which a device works, as cuprum.cuda has them in Python.
//
//   const cp::stream loading;
//   { const cp::stream_scope here(loading);  x = cp::array(batch) / 255.0; }   // work of this block goes there
//
// A program says nothing of the order between streams: whatever reads an array comes behind what writes it, on whichever stream.
// Everything works on the CPU as well, where work is done when a call returns.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "cuprum/options.h"

namespace cuprum {

namespace ops {
class StreamHandle;
class StreamEvent;
struct Graph;
}  // namespace ops

class event;
class graph;

/// Of a new stream.
struct stream_options {
  by_name named = by_name();
  bool non_blocking = false;  // CUDA's: does not wait for the legacy default stream of others
  int priority = 0;           // CUDA's: lower numbers go first
};

/// An ordered queue of a device. A copy is the same stream.
class stream {
 public:
  /// A new one of the current device, which goes back to it with the last copy.
  explicit stream(const stream_options& options = {});
  /// The one that work on the current device goes to by default.
  static stream null();
  /// One that another library has made, or `native()` of ours; it must live as long as it is used here.
  static stream from_external(void* native);

  /// The device's own handle, a cudaStream_t.
  void* native() const;
  /// The name of its device.
  std::string device() const;
  /// Was it made so?
  bool is_non_blocking() const;
  /// Lower numbers go first.
  int priority() const;

  /// Hands over what is pending here, and waits until the device has done all that the stream was given.
  void synchronize() const;
  /// Has the device done everything that the program has asked of the stream so far?
  bool done() const;
  /// A new event behind all that the stream was given.
  event record() const;
  /// What the stream is given from now on comes behind the event.
  void wait_event(const event& e) const;
  /// Calls a function of the host when all that the stream was given so far is done. It must not use the device.
  void launch_host_func(std::function<void()> function) const;
  /// From now on this thread's work on the device of the stream goes there.
  void use() const;

  /// Keeps the work that the stream is given from now on, instead of running it.
  void begin_capture() const;
  /// The work since begin_capture, which runs as often as one likes.
  graph end_capture() const;
  /// Between begin_capture and end_capture?
  bool is_capturing() const;

  friend bool operator==(const stream& a, const stream& b);

 private:
  friend class event;
  friend class graph;
  friend class stream_scope;
  explicit stream(std::shared_ptr<const ops::StreamHandle> handle);
  friend stream get_current_stream();
  std::shared_ptr<const ops::StreamHandle> handle_;
};

/// Are these two the same stream?
bool operator==(const stream& a, const stream& b);

/// The stream that this thread's work on the current device goes to.
stream get_current_stream();

/// While it lives, this thread's work on the device of the stream goes there. At its end what was recorded is handed over, and
/// the stream before it is back.
class stream_scope {
 public:
  explicit stream_scope(const stream& s);
  ~stream_scope();
  stream_scope(const stream_scope&) = delete;
  stream_scope& operator=(const stream_scope&) = delete;

 private:
  stream before_;
};

/// Of a new event.
struct event_options {
  by_name named = by_name();
  bool block = false;           // the host sleeps while it waits
  bool disable_timing = false;  // cheaper, for waiting alone
};

/// A point in the work of a stream of the current device. A copy is the same event; one that was never recorded is done.
class event {
 public:
  explicit event(const event_options& options = {});

  /// Marks the point behind all that the program has asked of a stream so far: the current one, or the given one.
  void record() const;
  void record(const stream& s) const;
  /// Waits until the work before the event is done.
  void synchronize() const;
  /// Is the work before the event done?
  bool done() const;

 private:
  friend class stream;
  friend double get_elapsed_time(const event& start, const event& end);
  explicit event(std::shared_ptr<ops::StreamEvent> made);
  std::shared_ptr<ops::StreamEvent> event_;
};

/// Milliseconds between two recorded events, by the device's clock.
double get_elapsed_time(const event& start, const event& end);

/// Work that was captured once. Its arrays stay where they are: what is written into them between two launches is what the next
/// one reads.
class graph {
 public:
  /// Runs the work on a stream: the current one, or the given one.
  void launch() const;
  void launch(const stream& s) const;

 private:
  friend class stream;
  explicit graph(std::shared_ptr<const ops::Graph> captured);
  std::shared_ptr<const ops::Graph> captured_;
};

}  // namespace cuprum
