// The far devices: the CPU's results, late, at addresses that the host cannot read. A machine without a GPU so proves what one
// would show.
//
// Memory: buffers carry addresses of the host plus a constant that makes them non-canonical, so that whoever above Backend reads
// or writes device memory directly ends at once. Each piece of work shifts them back and lets the CPU backend compute.
//
// Time: a stream is a queue with a thread of its own, which dawdles at random (backend/reference/queue.h). Work that was not told to
// wait for what it needs will sooner or later run before it. CUPRUM_FAR_SEED repeats the dawdling.
//
// Memory is short when a test wants it so (set_far_memory): there is only so much of it, or the n-th request fails.
//
// Errors: bad indices are found late, as on a GPU: the call returns, and the next wait of its thread raises.
#include "runtime/far.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <exception>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "backend/reference/near.h"
#include "backend/reference/queue.h"
#include "runtime/caller.h"
#include "runtime/debug.h"
#include "runtime/lock.h"
#include "runtime/pool.h"
#include "runtime/settings.h"
#include "runtime/user_kernels.h"

namespace cuprum {

namespace {

/// A call that owns all that it names.
struct NearCall {
  Primitive primitive;
  std::vector<View> in, out;

  explicit NearCall(const Call& c) : primitive(c.primitive) {
    for (const View& view : c.in) in.push_back(near(view));
    for (const View& view : c.out) out.push_back(near(view));
  }
  Call call() const { return {primitive, in, out}; }
};

/// Memory with far addresses, and no more of it than a test wants.
class FarMemory final : public MemorySource {
 public:
  explicit FarMemory(Backend& owner) : owner_(owner) {}

  std::byte* allocate(std::size_t bytes, Stream*) noexcept override {
    if (taken_.fetch_add(bytes) + bytes > capacity.load()) {
      taken_ -= bytes;
      return nullptr;
    }
    auto* block = static_cast<std::byte*>(std::aligned_alloc(64, (bytes + 63) / 64 * 64));
    const std::lock_guard guard(mutex_);
    blocks_.insert(block);
    return far_address(block);
  }
  void free(std::byte* block, std::size_t bytes, const Uses& uses) noexcept override {
    const auto give = [this, block, bytes] {
      {
        const std::lock_guard guard(mutex_);
        blocks_.erase(near(block));
      }
      std::free(near(block));
      taken_ -= bytes;
    };
    if (uses.finished()) return give();
    Stream& last = uses.last().stream();
    uses.each([&](const Stamp& stamp) {
      if (&stamp.stream() != &last) last.wait_for(stamp.stream());
    });
    last.launch_host(give);
  }
  std::size_t available() noexcept override { return total() - std::min(total(), taken_.load()); }
  std::size_t total() noexcept override { return capacity.load(); }
  void trim() noexcept override {
    if (host_functions.load() != 0) return;  // one of them may wait for this very thread
    owner_.each_stream([](Stream& stream) {
      while (!stream.poll()) std::this_thread::yield();
    });
  }
  std::string describe() const override { return "far memory"; }

  std::atomic<std::size_t> capacity{std::size_t{64} << 30};

 private:
  Backend& owner_;
  std::atomic<std::size_t> taken_{0};
  std::mutex mutex_;
  std::set<std::byte*> blocks_;  // by addresses of the host: a checker of leaks knows no far ones
};

/// What the device found wrong, for the thread that made the call.
class Faults {
 public:
  void note(const Ref<Caller>& caller, const std::exception_ptr& error) {
    const std::lock_guard guard(mutex_);
    std::exception_ptr& late = late_.of(caller, [](std::exception_ptr&) {});
    if (!late) late = error;
  }
  void raise() {
    std::exception_ptr told;
    {
      const std::lock_guard guard(mutex_);
      std::exception_ptr* late = late_.told_here([](const std::exception_ptr& l) { return l != nullptr; });
      if (!late) return;
      told = std::exchange(*late, nullptr);
    }
    std::rethrow_exception(told);
  }

 private:
  std::mutex mutex_;
  PerCaller<std::exception_ptr> late_;
};

class FarStream final : public Stream {
 public:
  FarStream(Backend& device, Faults& faults, const StreamOptions& options)
      : Stream(device, options), queue(far_seed() + static_cast<std::uint64_t>(index)), faults_(faults) {}

  bool done() override { return queue.done(); }
  void synchronize() override {
    const std::uint64_t number = handed();
    queue.wait(queue.pushed());
    note_finished(number);
    faults_.raise();
  }
  void wait_for(Stream& other) override {
    auto& theirs = static_cast<FarStream&>(other).queue;
    queue.push([&theirs, number = theirs.pushed()] { theirs.wait(number); });
  }
  void launch_host(const std::function<void()>& function) override { queue.push(function); }

  WorkQueue queue;

 private:
  Faults& faults_;
};

FarStream& far(Stream& stream) { return static_cast<FarStream&>(stream); }

class FarEvent final : public Event {
 public:
  explicit FarEvent(Faults& faults) : faults_(faults) {}
  void record(Stream& stream) override {
    WorkQueue& queue = far(stream).queue;
    auto time = std::make_shared<Time>();
    const std::uint64_t number = queue.push([time] { *time = Clock::now(); });
    const std::lock_guard guard(mutex_);
    last_ = {&queue, number, std::move(time)};
  }
  void synchronize() override {
    last().wait();
    faults_.raise();
  }
  bool done() override {
    const Point point = last();
    return !point.queue || point.queue->reached(point.number);
  }
  bool hold_back(Stream& stream) override {
    auto* held = dynamic_cast<FarStream*>(&stream);
    const Point point = last();
    if (held && point.queue) held->queue.push([point] { point.wait(); });
    return held != nullptr;
  }
  std::optional<std::chrono::steady_clock::time_point> when() const override {
    const Point at = last();
    return at.time ? *at.time : Time{};
  }

 private:
  using Clock = std::chrono::steady_clock;
  using Time = Clock::time_point;

  struct Point {
    WorkQueue* queue = nullptr;  // null: none yet
    std::uint64_t number = 0;
    std::shared_ptr<const Time> time;

    void wait() const {
      if (queue) queue->wait(number);
    }
  };
  Point last() const {
    const std::lock_guard guard(mutex_);
    return last_;
  }

  Faults& faults_;
  mutable std::mutex mutex_;  // threads may share an event: queue and number belong together
  Point last_;
};

/// The host's module, its variables at far addresses.
class FarModule final : public UserModule {
 public:
  explicit FarModule(std::shared_ptr<UserModule> module) : module_(std::move(module)) {}
  std::shared_ptr<UserFunction> function(const std::string& name) override { return module_->function(name); }
  std::pair<std::byte*, std::size_t> global(const std::string& name) override {
    const auto [data, nbytes] = module_->global(name);
    return {far_address(data), nbytes};
  }
  std::string log() override { return module_->log(); }

 private:
  std::shared_ptr<UserModule> module_;
};

class FarBackend final : public Backend {
 public:
  explicit FarBackend(int which)
      : Backend(true), name_(which == 0 ? "far" : "far:" + std::to_string(which)), memory_(*this) {
    set_pool(std::make_unique<Pool>(
        memory_,
        Pool::Options{.padding = 64, .granule = 512, .cache_limit = std::size_t{1} << 30, .device = this}));
    set_first_stream(make_stream({}));
  }

  const char* name() const override { return name_.c_str(); }

  DeviceInfo info() const override {
    const std::size_t total = memory_.capacity.load();
    return {.description = name_,
            .memory_bytes = total,
            .free_bytes = total - std::min(total, pool().stats().total_bytes)};
  }

  Ref<Buffer> allocate(Stream& stream, std::size_t nbytes) override {
    if (fails_at_.load(std::memory_order_relaxed) != 0 && --fails_at_ == 0)
      pool().raise(nbytes, "a test wants it so");
    return Backend::allocate(stream, nbytes);
  }
  void set_memory(const FarMemoryOptions& options) {
    memory_.capacity = options.bytes;
    fails_at_ = options.fails_at;
  }
  bool host_accessible() const override { return false; }
  bool can_use(const std::byte* data, std::size_t nbytes) override {
    return cpu_.can_use(near(data), nbytes);
  }
  void copy_to_host(Stream& stream, void* to, const std::byte* from, std::size_t nbytes) override {
    copy_to_host_later(stream, to, from, nbytes);
    stream.synchronize();
  }
  void copy_to_host_later(Stream& stream, void* to, const std::byte* from, std::size_t nbytes) override {
    far(stream).queue.push([to, from = near(from), nbytes] { std::memcpy(to, from, nbytes); });
  }
  void copy_from_host(Stream& stream, std::byte* to, const void* from, std::size_t nbytes) override {
    auto bytes = std::make_shared<std::vector<std::byte>>(nbytes);
    if (nbytes != 0) std::memcpy(bytes->data(), from, nbytes);
    far(stream).queue.push([to = near(to), bytes] { std::memcpy(to, bytes->data(), bytes->size()); });
  }
  void copy_from_host_later(Stream& stream, std::byte* to, const void* from, std::size_t nbytes) override {
    far(stream).queue.push([to = near(to), from, nbytes] { std::memcpy(to, from, nbytes); });
  }
  bool reaches(const Backend& peer) const override { return dynamic_cast<const FarBackend*>(&peer); }
  void copy_from_peer(Stream& stream, std::byte* to, Backend&, const std::byte* from,
                      std::size_t nbytes) override {
    far(stream).queue.push([to = near(to), from = near(from), nbytes] { std::memcpy(to, from, nbytes); });
  }
  std::unique_ptr<Event> make_event(const EventOptions&) override {
    return std::make_unique<FarEvent>(faults_);
  }
  std::byte* allocate_pinned(std::size_t nbytes) override {
    std::byte* data = Backend::allocate_pinned(nbytes);
    const std::lock_guard guard(pinned_mutex_);
    pinned_[data] = nbytes;
    return data;
  }
  void free_pinned(std::byte* data) noexcept override {
    {
      const std::lock_guard guard(pinned_mutex_);
      pinned_.erase(data);
    }
    Backend::free_pinned(data);
  }
  bool is_pinned(const void* host) const override {
    const auto* data = static_cast<const std::byte*>(host);
    const std::lock_guard guard(pinned_mutex_);
    const auto behind = pinned_.upper_bound(data);
    return behind != pinned_.begin() && data < std::prev(behind)->first + std::prev(behind)->second;
  }

  void run(Stream& stream, const Kernel& kernel) override {
    const auto sees_all = [](const Gathered& g) { return g.checked && g.index.type == dtype::int64; };
    if (std::all_of(kernel.gathers.begin(), kernel.gathers.end(), sees_all)) {
      far(stream).queue.push([this, here = near(kernel)] { cpu_.run(cpu_.first_stream(), here); });
    } else {
      run_checked(stream, near(kernel));
    }
  }
  bool fuses(const Primitive& call, Operands in, dtype type) const override {
    return std::holds_alternative<Gather>(call) || cpu_.fuses(call, in, type);
  }
  std::string tier(const Kernel& kernel) const override { return cpu_.tier(kernel); }

  std::shared_ptr<UserModule> compile(const ModuleSpec& spec) override {
    return std::make_shared<FarModule>(compile_on_host(spec));
  }
  Fault call(Stream& stream, const Call& c) override {
    auto here = std::make_shared<NearCall>(c);
    return dispatch(c, [&]<class P>(const P& p, const auto&) -> Answer<P> {
      if constexpr (kChecks<P>) {
        return call_checked(stream, here, p.site.told(), std::is_same_v<P, Gather>);
      } else if constexpr (std::is_same_v<P, Launch>) {
        launch(stream, here);
      } else {
        far(stream).queue.push([this, here] { cpu_.call(cpu_.first_stream(), here->call()); });
      }
    });
  }
  std::shared_ptr<const CountedMask> count_true(Stream& stream, const View& mask) override {
    std::shared_ptr<const CountedMask> counted;
    far(stream).queue.push(
        [this, &counted, here = near(mask)] { counted = cpu_.count_true(cpu_.first_stream(), here); });
    stream.synchronize();
    return counted;
  }
  /// A way of its own, so that programs that take it are tried without a GPU.
  bool order_statistics(Stream& stream, const View& in, const Dims& kth, const View& out) override {
    if (element_count(in.shape) != in.shape.back()) return false;
    far(stream).queue.push(
        [this, row = near(in), kth, to = near(out)] { find_order_statistics(row, kth, to); });
    return true;
  }

 protected:
  Stream* make_stream(const StreamOptions& options) override;

 private:
  /// Answers with a fault while debugging, for then the call waits; else the thread's first fault is kept for its next wait.
  /// `reads`: bad indices read zeros.
  Fault call_checked(Stream& stream, const std::shared_ptr<NearCall>& here, const Ref<Caller>& caller,
                     bool reads) {
    auto found = std::make_shared<Fault>();
    WorkQueue& queue = far(stream).queue;
    const bool late = !debugging();
    const auto number = queue.push([=, this] {
      *found = cpu_.call(cpu_.first_stream(), here->call());
      if (found->axis < 0 || !late) return;
      if (reads) clear(here->out[0]);
      try {
        throw_late_fault(here->call(), *found);
      } catch (...) {
        faults_.note(caller, std::current_exception());
      }
    });
    if (late) return {};
    queue.wait(number);
    return *found;
  }
  /// The same for what a kernel reads through indices.
  void run_checked(Stream& stream, Kernel&& here) {
    for (Gathered& g : here.gathers) g.site.caller = g.site.told();
    far(stream).queue.push([this, here = std::move(here)]() mutable {
      std::deque<std::vector<std::int64_t>> wide;
      for (Gathered& g : here.gathers) widen(g, wide);
      std::erase_if(here.gathers, [&](const Gathered& g) {
        if (g.checked || !is_bad(g)) return false;
        static const std::byte zeros[16] = {};
        Leaf& leaf = here.leaves[g.leaf];
        leaf.data = const_cast<std::byte*>(zeros);
        leaf.strides = Dims(leaf.strides.size(), 0);
        return true;
      });
      cpu_.run(cpu_.first_stream(), here);
    });
  }
  /// Has it a bad index? The thread that asked hears of the first one.
  bool is_bad(const Gathered& g) {
    const Primitive check(CheckIndices{g.site, {g.extent}});
    const View none{};
    const Call call{check, {&g.index, 1}, {&none, 1}};
    const Fault fault = cpu_.call(cpu_.first_stream(), call);
    if (fault.axis < 0) return false;
    try {
      throw_late_fault(call, fault);
    } catch (...) {
      faults_.note(g.site.caller, std::current_exception());
    }
    return true;
  }
  /// A program's own kernel may throw: the thread hears of it at its next wait.
  void launch(Stream& stream, const std::shared_ptr<NearCall>& here) {
    far(stream).queue.push([this, here, caller = Caller::current()] {
      try {
        cpu_.call(cpu_.first_stream(), here->call());
      } catch (...) {
        faults_.note(caller, std::current_exception());
      }
    });
  }
  void find_order_statistics(const View& row, const Dims& kth, const View& to) {
    const std::int64_t n = row.shape.back();
    const auto size = static_cast<std::int64_t>(itemsize(row.type));
    const Ref<Buffer> memory = cpu_.allocate_scratch(cpu_.first_stream(), static_cast<std::size_t>(n * size));
    View ordered{memory->data, row.type, row.shape, Dims(row.shape.size(), 0), {}};
    ordered.strides.back() = size;
    cpu_.call(cpu_.first_stream(), {Primitive(Partition{kth}), {&row, 1}, {&ordered, 1}});
    for (std::size_t j = 0; j < kth.size(); ++j) {
      std::memcpy(to.data + static_cast<std::int64_t>(j) * to.strides.back(), memory->data + kth[j] * size,
                  static_cast<std::size_t>(size));
    }
  }
  /// What bad indices read is zero.
  void clear(const View& out) {
    Kernel fill;
    fill.shape = out.shape;
    fill.scalars.push_back(Scalar::of(dtype::bool_, false));
    fill.code.push_back({Op::cast, dtype::bool_, out.type, 1, {0}});
    fill.stores.push_back({out.data, out.type, out.strides, 1});
    cpu_.run(cpu_.first_stream(), fill);
  }

  Backend& cpu_ = cpu_backend();
  const std::string name_;
  FarMemory memory_;
  std::atomic<std::int64_t> fails_at_{0};
  Faults faults_;
  mutable std::mutex pinned_mutex_;
  std::map<const std::byte*, std::size_t> pinned_;  // to tell it from other host memory, as a GPU can
};

/// The queues of all devices, for fork().
struct Queues {
  std::mutex mutex;
  std::vector<WorkQueue*> all;

  static Queues& instance() {
    static auto* const queues = [] {
      pthread_atfork([] { instance().before(); }, [] { instance().after(false); },
                     [] { instance().after(true); });
      return new Queues;
    }();
    return *queues;
  }
  void before() {
    mutex.lock();
    for (WorkQueue* queue : all)
      queue->wait(queue->pushed());  // they may wait for each other: before they are locked
    for (WorkQueue* queue : all) queue->before_fork();
  }
  void after(bool in_child) {
    for (WorkQueue* queue : all) queue->after_fork(in_child);
    mutex.unlock();
  }
};

Stream* FarBackend::make_stream(const StreamOptions& options) {
  auto* stream = new FarStream(*this, faults_, options);
  Queues& queues = Queues::instance();
  const std::lock_guard guard(queues.mutex);
  queues.all.push_back(&stream->queue);
  return stream;
}

}  // namespace

std::uint64_t far_seed() {
  static const std::uint64_t seed = settings().far_seed.value_or(
      static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count()) % 1'000'000);
  return seed;
}

void set_far_memory(int which, const FarMemoryOptions& options) {
  static_cast<FarBackend&>(far_backend(which)).set_memory(options);
}

Backend& far_backend(int which) {
  static Backend* const backends[kFarDevices] = {
      new FarBackend(0), new FarBackend(1), new FarBackend(2),
      new FarBackend(3)};  // never destroyed: buffers outlive static destructors
  return *backends[which];
}

}  // namespace cuprum
