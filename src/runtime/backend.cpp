// What a device does by default: its work is done when a call returns, so its streams are names and an event is a reading of the
// clock. And the pool of streams, which all devices have.
#include "runtime/backend.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <iterator>
#include <string>

#include "cuprum/error.h"
#include "runtime/allocator.h"
#include "runtime/pool.h"
#include "runtime/settings.h"
#include "runtime/spill.h"
#include "runtime/user_kernels.h"

namespace cuprum {

namespace {

class ClockEvent final : public Event {
 public:
  void record(Stream&) override { when_ = std::chrono::steady_clock::now(); }
  void synchronize() override {}
  bool done() override { return true; }
  std::optional<std::chrono::steady_clock::time_point> when() const override { return when_; }

 private:
  std::atomic<std::chrono::steady_clock::time_point> when_{};
};

}  // namespace

namespace {
std::atomic<int> backends_made{0};
std::atomic<Backend*> all_backends[kMostDevices] = {};  // by number
}  // namespace

Backend& numbered_backend(int number) { return *all_backends[number].load(std::memory_order_acquire); }

Backend::Backend(bool asynchronous, Backend* accelerator)
    : asynchronous(asynchronous), number(backends_made.fetch_add(1)), accelerator(accelerator) {
  all_backends[number].store(this, std::memory_order_release);
  if (!asynchronous) set_first_stream(new Stream(*this));
  if (settings().spill) set_spill(true);
}

Backend::~Backend() = default;

Ref<Buffer> Backend::allocate(Stream& stream, std::size_t nbytes) {
  if (allocators_chosen.load(std::memory_order_relaxed) != 0 && !accelerator) [[unlikely]] {
    if (const std::shared_ptr<Allocator> chosen = chosen_allocator()) return chosen->allocate(stream, nbytes);
  }
  return make_ref<Buffer>(this, allocate_block(stream, nbytes), nbytes);
}

Ref<Buffer> Backend::allocate_scratch(Stream& stream, std::size_t nbytes) {
  return make_ref<Buffer>(this, pool_->allocate(nbytes, asynchronous ? &stream : nullptr), nbytes);
}

Block& Backend::allocate_block(Stream& stream, std::size_t nbytes) {
  if (!asynchronous) return pool_->allocate(nbytes);
  if (spill_is_on()) [[unlikely]] {
    if (Block* block = allocate_by_spilling(stream, nbytes)) return *block;
  }
  return pool_->allocate(nbytes, &stream);
}

void Backend::set_pool(std::unique_ptr<Pool> pool) { pool_ = std::move(pool); }

std::unique_ptr<Pool> Backend::make_pool(bool managed, bool caches) const {
  Pool::Options options = pool_->options();
  if (!caches) options.cache_limit = 0;
  return std::make_unique<Pool>(managed ? managed_memory() : pool_->source(), options);
}

MemorySource& Backend::managed_memory() const { return pool_->source(); }

Stream* Backend::make_stream(const StreamOptions& options) { return new Stream(*this, options); }

void Backend::set_first_stream(Stream* stream) {
  first_stream_ = stream;
  note_stream(stream);
}

void Backend::note_stream(Stream* stream) {
  const std::lock_guard guard(streams_mutex_);
  streams_.push_back(stream);
}

Stream& Backend::take_stream(const StreamOptions& options) {
  {
    const std::lock_guard guard(streams_mutex_);
    const auto fits = [&](Stream* s) { return s->options == options && s->done(); };
    // The one that was dropped last: a loop that makes and drops a stream has one.
    if (const auto found = std::find_if(spare_.rbegin(), spare_.rend(), fits); found != spare_.rend()) {
      Stream& stream = **found;
      spare_.erase(std::next(found).base());
      return stream;
    }
  }
  Stream* stream = make_stream(options);
  note_stream(stream);
  return *stream;
}

void Backend::give_stream(Stream& stream) {
  const std::lock_guard guard(streams_mutex_);
  spare_.push_back(&stream);
}

Stream& Backend::external_stream(std::uintptr_t native) {
  const std::lock_guard one_at_a_time(external_mutex_);
  Stream* found = nullptr;
  each_stream([&](Stream& stream) {
    if (stream.native() == native) found = &stream;
  });
  if (found) return *found;
  Stream* made = make_external(native);
  note_stream(made);
  return *made;
}

Stream* Backend::make_external(std::uintptr_t) {
  throw ValueError(std::string("cuprum: the device ") + name() +
                   " has no streams of others; write cuprum.cuda.Stream() for one of its own");
}

void Backend::each_stream(const std::function<void(Stream&)>& f) {
  std::vector<Stream*> all;
  {
    const std::lock_guard guard(streams_mutex_);
    all = streams_;
  }
  for (Stream* stream : all) f(*stream);
}

void Backend::synchronize() {
  each_stream([](Stream& stream) { stream.synchronize(); });
}

bool Backend::idle() {
  bool all = true;
  each_stream([&](Stream& stream) { all = all && stream.done(); });
  return all;
}

DeviceInfo Backend::info() const { return {.description = name()}; }

// Nobody shares a block of work here.
std::vector<std::pair<std::string, int>> Backend::attributes() const {
  return {{"MaxThreadsPerBlock", 1}, {"WarpSize", 1}};
}

std::byte* Backend::allocate_pinned(std::size_t nbytes) {
  constexpr std::size_t kLine = 64;
  if (nbytes <= SIZE_MAX - kLine) {
    if (void* data = std::aligned_alloc(kLine, (nbytes / kLine + 1) * kLine))
      return static_cast<std::byte*>(data);
  }
  throw OutOfMemoryError("cuprum: no host memory for " + std::to_string(nbytes) + " bytes");
}

void Backend::free_pinned(std::byte* data) noexcept { std::free(data); }

namespace {

/// Asks the system to read a byte: unlike the processor, it answers with an error where nothing is mapped.
bool host_can_read(const std::byte* byte, const int (&pipe)[2]) {
  std::byte read_back{};
  return ::write(pipe[1], byte, 1) == 1 && ::read(pipe[0], &read_back, 1) == 1;
}

}  // namespace

bool Backend::can_use(const std::byte* data, std::size_t nbytes) {
  if (nbytes == 0 || !host_accessible()) return true;
  int ends[2];
  if (::pipe(ends) != 0) return true;  // no file descriptors left: nothing can be asked
  const bool ok = host_can_read(data, ends) && host_can_read(data + nbytes - 1, ends);
  ::close(ends[0]);
  ::close(ends[1]);
  return ok;
}

bool Event::hold_back(Stream& stream) { return !stream.device.asynchronous; }

std::unique_ptr<Event> Backend::make_event(const EventOptions&) { return std::make_unique<ClockEvent>(); }

double Backend::elapsed(Event& start, Event& stop) {
  start.synchronize();
  stop.synchronize();
  return between(start, stop);
}

double Backend::between(Event& start, Event& stop) {
  return std::chrono::duration<double, std::milli>(*stop.when() - *start.when()).count();
}

bool Backend::order_statistics(Stream&, const View&, const Dims&, const View&) { return false; }

std::shared_ptr<UserModule> Backend::compile(const ModuleSpec& spec) { return compile_on_host(spec); }

FftPlanCache& Backend::fft_plans() { return cpu_backend().fft_plans(); }

}  // namespace cuprum
