#include "cuprum/stream.h"

#include <utility>

#include "ops/streams.h"
#include "runtime/devices.h"

namespace cuprum {

using ops::StreamEvent;
using ops::StreamHandle;

// -- stream ---------------------------------------------------------------------------------------------

stream::stream(const stream_options& options)
    : handle_(ops::take_stream(current_device(), options.non_blocking, options.priority)) {}
stream::stream(std::shared_ptr<const StreamHandle> handle) : handle_(std::move(handle)) {}
stream stream::null() {
  return stream(std::make_shared<const StreamHandle>(current_device().first_stream()));
}
stream stream::from_external(void* native) {
  Stream& found = current_device().external_stream(reinterpret_cast<std::uintptr_t>(native));
  return stream(std::make_shared<const StreamHandle>(found));
}
stream get_current_stream() {
  return stream(std::make_shared<const StreamHandle>(current_stream(current_device())));
}

void* stream::native() const { return reinterpret_cast<void*>(handle_->stream().native()); }
std::string stream::device() const { return handle_->stream().device.name(); }
bool stream::is_non_blocking() const { return handle_->stream().options.non_blocking; }
int stream::priority() const { return handle_->stream().options.priority; }

void stream::synchronize() const { handle_->synchronize(); }
bool stream::done() const { return handle_->done(); }
event stream::record() const {
  const event made(std::make_shared<StreamEvent>(handle_->stream().device, EventOptions{}));
  made.record(*this);
  return made;
}
void stream::wait_event(const event& e) const { e.event_->hold_back(*handle_); }
void stream::launch_host_func(std::function<void()> function) const {
  launch_host(handle_->up_to_date(), std::move(function));
}
void stream::use() const { handle_->use(); }

void stream::begin_capture() const { handle_->begin_capture(); }
graph stream::end_capture() const { return graph(std::make_shared<const ops::Graph>(*handle_)); }
bool stream::is_capturing() const { return capture_of(handle_->stream()) != nullptr; }

bool operator==(const stream& a, const stream& b) { return &a.handle_->stream() == &b.handle_->stream(); }

// -- stream_scope ---------------------------------------------------------------------------------------

stream_scope::stream_scope(const stream& s)
    : before_(std::make_shared<const StreamHandle>(current_stream(s.handle_->stream().device))) {
  s.use();
}
stream_scope::~stream_scope() {
  try {
    before_.use();
  } catch (const Error&) {  // told to whoever asks for the arrays
  }
}

// -- event ----------------------------------------------------------------------------------------------

event::event(const event_options& options)
    : event_(std::make_shared<StreamEvent>(current_device(),
                                           EventOptions{!options.disable_timing, options.block, false})) {}
event::event(std::shared_ptr<StreamEvent> made) : event_(std::move(made)) {}
void event::record() const { record(get_current_stream()); }
void event::record(const stream& s) const { event_->record(*s.handle_); }
void event::synchronize() const { event_->synchronize(); }
bool event::done() const { return event_->done(); }
double get_elapsed_time(const event& start, const event& end) {
  return StreamEvent::elapsed(*start.event_, *end.event_);
}

// -- graph ----------------------------------------------------------------------------------------------

graph::graph(std::shared_ptr<const ops::Graph> captured) : captured_(std::move(captured)) {}
void graph::launch() const { launch(get_current_stream()); }
void graph::launch(const stream& s) const { captured_->launch(*s.handle_); }

}  // namespace cuprum
