// Capturing: the work that a stream is given is kept instead of run, to be run as often as one likes, without being recorded and
// planned again. Buffers stay where they are and alive as long as a capture names them; what is written into them by hand between
// two launches is what the next one reads.
//
// A capture begins on a stream. Others join it that wait for an event of one of its streams, and leave it when it ends. All keep
// their work in one list, in the order of the program, which is right for any stream that runs it.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "runtime/primitives.h"
#include "runtime/stream.h"

namespace cuprum {

class Capture : public std::enable_shared_from_this<Capture> {
 public:
  // -- Streams, under the graph's lock.
  /// The first one to join is the one that it begins on.
  void join(Stream& stream);
  /// It ends when the first one leaves: for all.
  void leave(Stream& stream);
  bool began_on(const Stream& stream) const { return !streams_.empty() && streams_.front() == &stream; }
  bool has_ended() const { return streams_.empty(); }
  const std::vector<Stream*>& streams() const { return streams_; }

  /// Keeps a piece of work, and pins the memory that it names. Under the graph's lock.
  void add(const Kernel& kernel);
  void add(const Call& call);
  void add(std::function<void()> function);
  /// Hands all of it to a stream of the device. Throws IndexError where a device that computes at once finds a bad index.
  void launch(Stream& stream) const;

  /// Its program has asked for what no capture can hold: there will be nothing to launch.
  std::atomic<bool> broken = false;

 private:
  struct Step {
    Kernel kernel;
    Primitive primitive;  // nothing: the kernel
    std::vector<View> in;
    std::vector<View> out;
    std::vector<Ref<Buffer>> memory;
    std::function<void()> function;  // of the host; if there is one, it is the step

    Call call() const { return {primitive, in, out}; }
  };
  template <class Work>
  Step& pinned_step(const Work& work);

  std::vector<std::unique_ptr<const Step>> steps_;
  std::vector<Stream*> streams_;
};

/// How many streams are captured at this moment.
extern std::atomic<int> streams_captured;
/// Does a stream of this process capture? For those who do not hold the graph's lock: a program that captures nothing pays a load.
inline bool streams_capture() { return streams_captured.load(std::memory_order_relaxed) != 0; }

/// What keeps the work of a stream; null: nothing does. For those who do not hold the graph's lock.
std::shared_ptr<Capture> capture_of(const Stream& stream);

/// Gives a stream a function of the host (Stream::launch_host); a capture keeps it as a step.
void launch_host(Stream& stream, std::function<void()> function);

/// Throws Error where the stream captures: then it has no values to give.
void refuse_capture(const Stream& stream, const char* what);
/// Throws DeviceError there, and breaks the capture: for what concerns the stream itself.
void break_capture(const Stream& stream, const char* what);

}  // namespace cuprum
