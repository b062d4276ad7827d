#include "runtime/trace.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

namespace cuprum::tracing {

namespace {

constexpr std::size_t kMostSpans = 1'000'000;
constexpr std::size_t kMostWaiting = 8192;       // spans whose times nobody has read yet
constexpr std::int64_t kFarApart = 100'000'000;  // nanoseconds; read to 6 of them

std::int64_t nanoseconds(Time time) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count();
}

/// A span whose ends the device has yet to tell.
struct Waiting {
  Note note;
  Stream* stream;
  std::unique_ptr<Event> begin, end;
  std::int64_t asked;
};

/// Where a device's clock stands on the host's: an event, and when it happened. The difference of two events is known to 24
/// bits, so another one takes over when work is far from it.
struct Clock {
  std::unique_ptr<Event> event;
  std::int64_t at = 0;
};

bool is_done(Event& event) noexcept {
  try {
    return event.done();
  } catch (...) {  // told to whoever asks for values
    return true;
  }
}

void wait_until_done(Event& event) {
  while (!is_done(event)) std::this_thread::sleep_for(std::chrono::microseconds(20));
}

class Recorder {
 public:
  static Recorder& instance() {
    static auto* const recorder = [] {
      pthread_atfork([] { instance().mutex_.lock(); }, [] { instance().mutex_.unlock(); },
                     [] { instance().after_fork(); });
      return new Recorder;  // never destroyed: streams outlive static destructors
    }();
    return *recorder;
  }

  std::int64_t start() {
    const std::lock_guard guard(mutex_);
    ++listeners_;
    set_watcher(kRecords, true);
    return now();
  }

  Recording stop(std::int64_t since) {
    Recording result;
    std::vector<Waiting> rest;
    {
      const std::lock_guard guard(mutex_);
      if (listeners_ > 0 && --listeners_ == 0) set_watcher(kRecords, false);  // none: in a child of fork()
      rest = std::exchange(waiting_, {});
    }
    // Without the lock: a stream may wait for functions of the program, which may record.
    for (Waiting& one : rest) wait_until_done(*one.end);
    const std::lock_guard guard(mutex_);
    for (Waiting& one : rest) read(one);
    std::ranges::copy_if(spans_, std::back_inserter(result.spans),
                         [&](const Span& span) { return span.asked >= since; });
    result.threads = threads_;
    result.lost = lost_;
    if (listeners_ == 0) {
      spans_ = {};
      lost_ = 0;
      clocks_.clear();
      spare_.clear();
    }
    return result;
  }

  void add(Span span) {
    const std::lock_guard guard(mutex_);
    keep(std::move(span));
  }
  void add(Waiting span) {
    const std::lock_guard guard(mutex_);
    if (listeners_ == 0) return;
    waiting_.push_back(std::move(span));
    if (waiting_.size() >= kMostWaiting) read_done();
  }

  /// Null where the device cannot make one now.
  std::unique_ptr<Event> event(Stream& stream) {
    {
      const std::lock_guard guard(mutex_);
      set_clock(stream.device);
      auto& spare = spare_[&stream.device];
      if (!spare.empty()) {
        std::unique_ptr<Event> event = std::move(spare.back());
        spare.pop_back();
        return event;
      }
    }
    return stream.device.make_event({});
  }

  int number_of_thread() {
    static thread_local int number = -1;
    if (number >= 0) return number;
    const std::lock_guard guard(mutex_);
    char name[32] = {};
    pthread_getname_np(pthread_self(), name, sizeof name);
    threads_.push_back({static_cast<int>(::syscall(SYS_gettid)), name});
    return number = static_cast<int>(threads_.size()) - 1;
  }

 private:
  /// A child records nothing of its own accord.
  void after_fork() {
    listeners_ = 0;
    set_watcher(kRecords, false);
    mutex_.unlock();
  }

  void keep(Span span) {
    if (listeners_ == 0) return;
    if (spans_.size() >= kMostSpans)
      ++lost_;
    else
      spans_.push_back(std::move(span));
  }

  void read_done() {
    std::size_t n = 0;
    while (n < waiting_.size() && is_done(*waiting_[n].end)) read(waiting_[n++]);
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(n));
  }

  void read(Waiting& one) {
    Backend& device = one.stream->device;
    try {
      const std::int64_t begin = time_of(device, *one.begin);
      const std::int64_t end = std::max(begin, time_of(device, *one.end));
      if (!one.end->when() && end - clocks_.at(&device).at > kFarApart) {
        clocks_[&device] = {std::move(one.end), end};
        one.end = device.make_event({});
      }
      if (spans_.size() >= kMostSpans)
        ++lost_;
      else
        spans_.push_back({std::move(one.note), one.stream->index, begin, end, one.asked});
    } catch (...) {  // a device that has failed has no times
      ++lost_;
    }
    auto& spare = spare_[&device];
    for (std::unique_ptr<Event>* event : {&one.begin, &one.end}) spare.push_back(std::move(*event));
  }

  std::int64_t time_of(Backend& device, Event& event) {
    if (const auto time = event.when()) return nanoseconds(*time);
    const Clock& clock = clocks_.at(&device);
    return clock.at + static_cast<std::int64_t>(device.between(*clock.event, event) * 1e6);
  }

  /// On a stream without work, so that nobody is waited for. The quickest of several answers is the best.
  void set_clock(Backend& device) {
    if (clocks_.contains(&device)) return;
    Clock best;
    std::int64_t quickest = INT64_MAX;
    if (std::unique_ptr<Event> event = device.make_event({}); !event->when()) {
      Stream& idle = device.take_stream({.non_blocking = true});
      for (int attempt = 0; attempt < 5; ++attempt) {
        event = device.make_event({});
        const std::int64_t before = now();
        event->record(idle);
        while (!is_done(*event)) {
        }
        const std::int64_t after = now();
        if (after - before >= quickest) continue;
        quickest = after - before;
        best = {std::move(event), after};
      }
      device.give_stream(idle);
    }
    clocks_[&device] = std::move(best);
  }

  std::mutex mutex_;  // comes after the graph's lock, before a stream's
  int listeners_ = 0;
  std::vector<Span> spans_;
  std::size_t lost_ = 0;
  std::vector<Waiting> waiting_;
  std::vector<Recording::Thread> threads_;
  std::map<Backend*, Clock> clocks_;
  std::map<Backend*, std::vector<std::unique_ptr<Event>>> spare_;
};

thread_local const Label* innermost = nullptr;

std::size_t bytes_of(const Dims& shape, const Dims& strides, dtype type) {
  std::size_t bytes = itemsize(type);
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (strides[d] != 0) bytes *= static_cast<std::size_t>(shape[d]);
  }
  return bytes;
}

std::size_t bytes_of(const View& view) { return bytes_of(view.shape, view.strides, view.type); }

std::size_t bytes_of(const Kernel& kernel) {
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < kernel.leaves.size(); ++i) {
    const Leaf& leaf = kernel.leaves[i];
    if (!drawn(kernel, i)) bytes += bytes_of(kernel.shape, leaf.strides, leaf.type);
  }
  for (const Gathered& g : kernel.gathers) {  // what the table's leaf names is read once for every index
    bytes += bytes_of(kernel.shape, g.strides, dtype::int64) +
             bytes_of(kernel.shape, g.strides, kernel.leaves[g.leaf].type);
  }
  for (const Store& store : kernel.stores) bytes += bytes_of(kernel.shape, store.strides, store.type);
  for (const Reduction& reduction : kernel.reductions) {
    Dims kept = kernel.shape;
    for (std::size_t d = 0; d < kept.size(); ++d) {
      if (kernel.reduced >> d & 1) kept[d] = 1;
    }
    bytes += static_cast<std::size_t>(element_count(kept)) * itemsize(reduction.out);
  }
  return bytes;
}

/// What the thread knows of the work that it hands over, else what its operations are called.
template <class Name>
Note labelled(Kind kind, std::size_t bytes, Name&& name) {
  Note note;
  if (const Note* known = Label::current()) note = *known;
  note.kind = kind;
  note.bytes = bytes;
  if (note.name.empty()) note.name = name();
  if (!note.place) note.place = current_place();
  return note;
}

}  // namespace

const char* name(Kind kind) {
  static const char* const names[kKinds] = {"kernel", "call", "upload", "download",
                                            "peer",   "wait", "host",   "range"};
  return names[static_cast<int>(kind)];
}

std::int64_t now() { return nanoseconds(std::chrono::steady_clock::now()); }
std::int64_t start() { return Recorder::instance().start(); }
Recording stop(std::int64_t since) { return Recorder::instance().stop(since); }

Label::Label(Note note) : note_(std::move(note)), outer_(std::exchange(innermost, this)) {}
Label::~Label() { innermost = outer_; }
const Note* Label::current() { return innermost ? &innermost->note_ : nullptr; }

// An event that cannot be had leaves a hole in the picture; the program goes on.
StreamSpan::StreamSpan(Stream& stream, Note note) : stream_(stream), note_(std::move(note)), asked_(now()) {
  try {
    begin_ = Recorder::instance().event(stream);
    begin_->record(stream);
  } catch (...) {
    begin_ = nullptr;
  }
}

StreamSpan::~StreamSpan() {
  if (!begin_) return;
  try {
    std::unique_ptr<Event> end = Recorder::instance().event(stream_);
    end->record(stream_);
    Recorder::instance().add(Waiting{std::move(note_), &stream_, std::move(begin_), std::move(end), asked_});
  } catch (...) {
  }
}

void HostSpan::begin(Kind kind, const char* name) {
  note_ = std::make_unique<Note>();
  note_->kind = kind;
  note_->name = name;
  note_->place = current_place();
  since_ = std::chrono::steady_clock::now();
}

void HostSpan::end() noexcept {
  try {
    add(std::move(*note_), nanoseconds(since_), now());
  } catch (...) {
  }
}

void CopySpan::begin(Kind kind, Stream& stream, const void* host, std::size_t bytes) {
  Note note;
  note.kind = kind;
  note.name = kind == Kind::upload ? "copy to the device" : "copy to the host";
  note.place = current_place();
  note.bytes = bytes;
  note.host = host;
  note.pinned = stream.device.is_pinned(host);
  thread_.emplace(Kind::wait, note.name.c_str());
  copy_.emplace(stream, std::move(note));
}

void add(Note note, std::int64_t begin, std::int64_t end) {
  Recorder& recorder = Recorder::instance();
  const int lane = -1 - recorder.number_of_thread();
  recorder.add(Span{std::move(note), lane, begin, end, begin});
}

Note note_of(const Kernel& kernel) {
  return labelled(Kind::kernel, bytes_of(kernel), [&] {
    std::string names;
    for (const Instr& instr : kernel.code)
      names += (names.empty() ? "" : " ") + std::string(info(instr.op).name);
    return names.empty() ? std::string("kernel") : names;
  });
}

Note note_of(const char* call, Operands in, Operands out) {
  std::size_t bytes = 0;
  for (const View& view : in) bytes += bytes_of(view);
  for (const View& view : out) bytes += bytes_of(view);
  return labelled(Kind::call, bytes, [&] { return std::string(call); });
}

Note note_of(const Call& call) { return note_of(name(call.primitive).c_str(), call.in, call.out); }

Note note_of_wait(const Stream& other) {
  Note note;
  note.kind = Kind::wait;
  note.name = "waits for stream " + std::to_string(other.index);
  note.place = current_place();
  return note;
}

Note note_of_copy(const Backend& from, std::size_t bytes) {
  Note note;
  note.kind = Kind::peer;
  note.name = std::string("copy from ") + from.name();
  note.place = current_place();
  note.bytes = bytes;
  note.other = from.name();
  return note;
}

}  // namespace cuprum::tracing
