#include "runtime/capture.h"

#include <string>

#include "cuprum/error.h"
#include "runtime/hand_over.h"

namespace cuprum {

constinit std::atomic<int> streams_captured{0};

void Capture::join(Stream& stream) {
  streams_.push_back(&stream);
  ++streams_captured;
  stream.capture = shared_from_this();
}

void Capture::leave(Stream& stream) {
  const std::vector<Stream*> leaving = began_on(stream) ? streams_ : std::vector<Stream*>{&stream};
  for (Stream* s : leaving) s->capture = nullptr;
  streams_captured -= static_cast<int>(leaving.size());
  std::erase_if(streams_, [](Stream* s) { return !s->capture; });
}

template <class Work>
Capture::Step& Capture::pinned_step(const Work& work) {
  auto step = std::make_unique<Step>();
  each_use(work, [&](Buffer& buffer, bool) {
    buffer.pinned = true;
    step->memory.emplace_back(&buffer);
  });
  Step& added = *step;
  steps_.push_back(std::move(step));
  return added;
}

void Capture::add(const Kernel& kernel) { pinned_step(kernel).kernel = kernel; }

void Capture::add(const Call& call) {
  Step& step = pinned_step(call);
  step.primitive = call.primitive;
  step.in.assign(call.in.begin(), call.in.end());
  step.out.assign(call.out.begin(), call.out.end());
}

void Capture::add(std::function<void()> function) {
  auto step = std::make_unique<Step>();
  step->function = std::move(function);
  steps_.push_back(std::move(step));
}

void Capture::launch(Stream& stream) const {
  for (const std::unique_ptr<const Step>& step : steps_) {
    if (step->function) {
      launch_host(stream, step->function);
      continue;
    }
    const EngineLock lock;
    if (step->primitive.index() == 0) {
      HandOver hand_over(stream, step->kernel);
      BlockingSection others_run;
      hand_over.run();
      continue;
    }
    const Call call = step->call();
    HandOver hand_over(stream, call);
    Fault fault;
    {
      BlockingSection others_run;
      fault = hand_over.run();
    }
    if (fault.axis >= 0) throw_fault(call, fault);
  }
}

std::shared_ptr<Capture> capture_of(const Stream& stream) {
  if (!streams_capture()) return nullptr;
  const EngineLock lock;
  return stream.capture;
}

void launch_host(Stream& stream, std::function<void()> function) {
  if (const std::shared_ptr<Capture> capture = capture_of(stream)) {
    const EngineLock lock;
    capture->add(std::move(function));
    return;
  }
  ++host_functions;  // before another thread can have the GIL
  BlockingSection others_run;
  try {
    stream.launch_host([f = std::move(function)]() mutable {
      f();
      f = nullptr;  // what it holds may need the GIL as well
      --host_functions;
    });
  } catch (...) {  // the device has refused it: it will not be called
    --host_functions;
    throw;
  }
}

void refuse_capture(const Stream& stream, const char* what) {
  const EngineLock lock;
  if (stream.capture) [[unlikely]] {
    throw Error(std::string("cuprum: ") + what +
                " needs values, and the stream is capturing: its work has not run yet; write it before "
                "begin_capture() or behind end_capture()");
  }
}

void break_capture(const Stream& stream, const char* what) {
  const std::shared_ptr<Capture> capture = capture_of(stream);
  if (!capture) return;
  capture->broken = true;
  throw DeviceError(
      std::string("cuprum.cuda.Stream.") + what +
      ": the stream is capturing, and this cannot be captured; write it before begin_capture() or "
      "behind end_capture() (cudaErrorStreamCaptureUnsupported)");
}

}  // namespace cuprum
