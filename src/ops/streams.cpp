#include "ops/streams.h"

#include <algorithm>
#include <string>
#include <vector>

#include "cuprum/error.h"
#include "runtime/lock.h"
#include "runtime/trace.h"

namespace cuprum::ops {

namespace {

const std::string kBegin = "cuprum.cuda.Stream.begin_capture: ";
const std::string kEnd = "cuprum.cuda.Stream.end_capture: ";

template <class F>
auto with_lock(F&& look) {
  const EngineLock lock;
  return look();
}

}  // namespace

// -- Streams --------------------------------------------------------------------------------------------

std::unique_ptr<StreamHandle> take_stream(Backend& device, bool non_blocking, int priority) {
  const auto [first, last] = device.priorities();
  BlockingSection others_run;
  return std::make_unique<StreamHandle>(device.take_stream({non_blocking, std::clamp(priority, first, last)}),
                                        true);
}

StreamHandle::~StreamHandle() {
  if (!owned_) return;
  try {
    evaluate_all(stream_);
  } catch (const Error&) {  // told to whoever asks for the arrays
  }
  if (const std::shared_ptr<Capture> capture = capture_of(stream_)) {
    const EngineLock lock;  // which the capture outlives: it may hold functions of Python
    capture->leave(stream_);
  }
  stream_.device.give_stream(stream_);
}

void StreamHandle::synchronize() const {
  break_capture(stream_, "synchronize");
  Stream& stream = up_to_date();
  const tracing::HostSpan waiting(tracing::Kind::wait, "Stream.synchronize");
  BlockingSection others_run;
  stream.synchronize();
}

bool StreamHandle::done() const {
  if (const std::shared_ptr<Capture> capture = capture_of(stream_)) {
    capture->broken = true;  // as in CUDA: an answer, and a broken capture
    return false;
  }
  return up_to_date().done();
}

void StreamHandle::use() const {
  Stream& before = current_stream(stream_.device);
  set_current_stream(stream_.device, &stream_ == &stream_.device.first_stream() ? nullptr : &stream_);
  if (&before != &stream_ && !capture_of(before)) leave_stream(before);
}

void leave_stream(Stream& stream) {
  evaluate_all(stream);
  if (!capture_of(stream)) stream.leave();
}

// -- Captures -------------------------------------------------------------------------------------------

void StreamHandle::begin_capture() const {
  Stream& stream = up_to_date();
  const EngineLock lock;
  if (stream.capture) throw DeviceError(kBegin + "the stream is capturing already (cudaErrorIllegalState)");
  if (&stream == &stream.device.first_stream()) {
    throw DeviceError(kBegin +
                      "the null stream cannot capture; write it within `with cuprum.cuda.Stream():` "
                      "(cudaErrorStreamCaptureUnsupported)");
  }
  std::make_shared<Capture>()->join(stream);
}

std::shared_ptr<Capture> StreamHandle::end_capture() const {
  const std::shared_ptr<Capture> capture = capture_of(stream_);
  if (!capture) {
    throw DeviceError(kEnd +
                      "the stream does not capture; write begin_capture() first (cudaErrorIllegalState)");
  }
  if (!with_lock([&] { return capture->began_on(stream_); })) {
    capture->broken = true;
    throw DeviceError(
        kEnd +
        "the capture began on another stream, which this one has joined by an event; end it there "
        "(cudaErrorStreamCaptureUnmatched)");
  }
  struct Ended {  // whatever happens
    Capture& capture;
    Stream& stream;
    ~Ended() {
      const EngineLock lock;
      capture.leave(stream);
    }
  } ended{*capture, stream_};
  for (Stream* joined : with_lock([&] { return std::vector(capture->streams()); })) evaluate_all(*joined);
  if (capture->broken) {
    throw DeviceError(
        kEnd +
        "the capture was broken by a call that cannot be captured, such as synchronize(); leave the call "
        "out (cudaErrorStreamCaptureInvalidated)");
  }
  return capture;
}

void Graph::launch(const StreamHandle& handle) const {
  Stream& stream = handle.up_to_date();
  if (&stream.device != &device) {
    throw ValueError(std::string("cuprum.cuda.Graph.launch: the stream is on ") + stream.device.name() +
                     ", the graph on " + device.name());
  }
  capture->launch(stream);
}

// -- Events ---------------------------------------------------------------------------------------------

void StreamEvent::record(const StreamHandle& handle) {
  Stream& stream = handle.up_to_date();
  if (&stream.device != &device_) {
    throw ValueError(std::string("cuprum.cuda.Event.record: the event belongs to ") + device_.name() +
                     ", the stream to " + stream.device.name() + "; write the event within `with " +
                     "cuprum.Device('" + stream.device.name() + "'):`");
  }
  const bool kept = with_lock([&] {
    where_ = stream.capture;
    return captured_ = stream.capture != nullptr;
  });
  if (!kept) {
    BlockingSection others_run;
    event_->record(stream);
  }
  recorded_ = true;
}

void StreamEvent::synchronize() {
  check_runs("synchronize");
  const tracing::HostSpan waiting(tracing::Kind::wait, "Event.synchronize");
  BlockingSection others_run;
  event_->synchronize();
}

/// What is captured is done whenever it is launched: never, or often.
void StreamEvent::check_runs(const char* what) const {
  if (captured_) {
    throw DeviceError(std::string("cuprum.cuda.Event.") + what +
                      ": the event was recorded in a capture; record it on a stream that does not capture "
                      "(cudaErrorCapturedEvent)");
  }
}

void StreamEvent::join_capture(Stream& stream) {
  const std::string prefix = "cuprum.cuda.Stream.wait_event: ";
  std::shared_ptr<Capture> theirs;  // outlives the lock
  const EngineLock lock;
  theirs = where_.lock();
  if (stream.capture && stream.capture == theirs) return;  // its steps are in the order of the program
  if (stream.capture) {
    stream.capture->broken = true;
    throw DeviceError(
        prefix +
        "the event was not recorded in the capture of the stream; record it on one that has joined it "
        "(cudaErrorStreamCaptureIsolation)");
  }
  if (!theirs || theirs->has_ended()) {
    throw DeviceError(
        prefix +
        "the event was recorded in a capture that has ended; record it again (cudaErrorCapturedEvent)");
  }
  if (&stream == &stream.device.first_stream() || &stream.device != &device_) {
    theirs->broken = true;
    throw DeviceError(
        prefix +
        "neither the null stream nor a stream of another device can join a capture; write it within "
        "`with cuprum.cuda.Stream():` (cudaErrorStreamCaptureImplicit)");
  }
  theirs->join(stream);
}

void StreamEvent::hold_back(const StreamHandle& handle) {
  Stream& stream = handle.up_to_date();
  if (capture_of(stream) || captured_) return join_capture(stream);
  if (!event_->hold_back(stream)) synchronize();
}

double StreamEvent::elapsed(StreamEvent& start, StreamEvent& stop) {
  const std::string prefix = "cuprum.cuda.get_elapsed_time: ";
  if (&start.device_ != &stop.device_) throw ValueError(prefix + "the events belong to two devices");
  if (!start.recorded_ || !stop.recorded_) {
    throw ValueError(prefix + "both events must have been recorded; write event.record()");
  }
  if (!start.timing_ || !stop.timing_) {
    throw ValueError(prefix + "an event was made with disable_timing=True; leave it out");
  }
  start.check_runs("record");
  stop.check_runs("record");
  BlockingSection others_run;
  return start.device_.elapsed(*start.event_, *stop.event_);
}

}  // namespace cuprum::ops
