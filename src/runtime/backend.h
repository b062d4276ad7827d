// A device. Everything above this interface knows nothing of threads, SIMD or CUDA.
//
// Any thread may call, several at a time; what a backend shares between calls it guards itself, and it holds no lock of
// its own while it waits for a device. Views passed in are valid,
// in bounds, and do not overlap between inputs and outputs unless a function says otherwise. Functions throw
// (core/error.h) and leave inputs intact; outputs are then unspecified.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/primitives.h"

namespace cuprum {

struct MemoryStats {
  std::size_t used_bytes = 0;          // in live buffers
  std::size_t total_bytes = 0;         // taken from the system: used + cached
  std::size_t peak_bytes = 0;          // highest used_bytes since the last reset
  std::size_t peak_total_bytes = 0;    // highest total_bytes since then
  std::size_t limit_bytes = 0;         // 0: none
  std::size_t allocations = 0;         // requests served
  std::size_t hits = 0;                // of those, served from the cache
  std::size_t source_allocations = 0;  // how often memory was taken from the system
  std::size_t free_blocks = 0;         // in the cache
};

/// Throws IndexError for an index that a device found out of bounds after the call had returned.
[[noreturn]] void throw_late_index_error(const char* function, std::int64_t value, std::int64_t axis,
                                         std::int64_t extent);

/// What a device is.
struct DeviceInfo {
  std::string description;     // the model, in the maker's words
  int compute_capability = 0;  // 90 for 9.0; 0: no CUDA device
  int multiprocessors = 0;
  std::size_t memory_bytes = 0;  // of the device; 0: not known
  std::size_t free_bytes = 0;    // of those, in use by nobody
};

struct EventOptions {
  bool timing = true;
  bool blocking_wait = false;  // the host sleeps while it waits
  bool interprocess = false;
};

/// A point in the work of a stream, for timing and waiting. One that was never recorded is done.
class Event {
 public:
  virtual ~Event() = default;
  virtual void record(Stream& stream) = 0;  // behind all work given to the stream so far
  virtual void synchronize() = 0;           // waits until that work is done
  virtual bool done() = 0;                  // is it?
  /// What the stream is given from now on comes behind it. False: the stream cannot, being of another kind.
  virtual bool hold_back(Stream& stream);
  virtual std::uintptr_t native() const { return reinterpret_cast<std::uintptr_t>(this); }
  /// When it happened, on the host's clock, once it is done; none: the device has a clock of its own (Backend::between).
  virtual std::optional<std::chrono::steady_clock::time_point> when() const { return {}; }
};

inline constexpr int kMostDevices = 80;

class FftPlanCache;  // runtime/fft_plans.h
class UserModule;    // runtime/user_kernels.h
struct ModuleSpec;
class MemorySource;  // runtime/pool.h
class Pool;

class Backend {
 public:
  /// `asynchronous`: work may still run when the call that gave it returns. `accelerator`: this is the host's side of that device.
  explicit Backend(bool asynchronous = false, Backend* accelerator = nullptr);
  virtual ~Backend();
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;

  const bool asynchronous;
  const int number;            // among the devices of the process
  Backend* const accelerator;  // not null: its small arrays are here (runtime/host_side.h)
  bool is_cpu = false;         // does the host compute with its memory at once?

  /// The device that the program knows the arrays by.
  Backend& known_as() { return accelerator ? *accelerator : *this; }
  const Backend& known_as() const { return accelerator ? *accelerator : *this; }

  virtual const char* name() const = 0;  // "cpu", "cuda:0", "reference"
  virtual DeviceInfo info() const;
  /// What CUDA calls attributes, by CUDA's names ("MaxThreadsPerBlock"), as far as they mean something here.
  virtual std::vector<std::pair<std::string, int>> attributes() const;

  // -- Streams. Any thread; the pool has a lock of its own.
  /// The stream of those who choose none.
  Stream& first_stream() { return *first_stream_; }
  /// A stream for one owner, until it gives it back. What its last owner asked for may be done, not more.
  Stream& take_stream(const StreamOptions& options);
  void give_stream(Stream& stream);
  /// The stream of that handle (Stream::native): one of ours, or one that others have made. Throws ValueError where the device
  /// has no such thing.
  Stream& external_stream(std::uintptr_t native);
  /// Calls f with every stream that there is.
  void each_stream(const std::function<void(Stream&)>& f);
  /// The highest and the lowest priority. Without CUDA, those of a recent GPU: a stream remembers what was asked for.
  virtual std::pair<int, int> priorities() const { return {-5, 0}; }

  // -- Memory. Throws OutOfMemoryError, leaving everything intact. Alignment at least 64 bytes.
  /// For work on `stream`; others may use it as well. From the allocator that the program has chosen, else from the pool.
  virtual Ref<Buffer> allocate(Stream& stream, std::size_t nbytes);
  /// The same from the pool in any case: for what no program sees.
  Ref<Buffer> allocate_scratch(Stream& stream, std::size_t nbytes);
  /// From the pool; where memory is short and may be spilled, what others have not used for long goes to the host.
  Block& allocate_block(Stream& stream, std::size_t nbytes);
  Pool& pool() const { return *pool_; }
  /// A further pool over the same memory, or over memory that host and device share; without a cache it gives back at once.
  std::unique_ptr<Pool> make_pool(bool managed, bool caches) const;
  virtual bool host_accessible() const = 0;  // may the host dereference Buffer::data?
  /// Host memory is the caller's again when these return; a copy to the host waits for the stream.
  virtual void copy_to_host(Stream& stream, void* to, const std::byte* from, std::size_t nbytes) = 0;
  virtual void copy_from_host(Stream& stream, std::byte* to, const void* from, std::size_t nbytes) = 0;
  /// The same to the host without waiting: the bytes are there when the stream has got so far.
  virtual void copy_to_host_later(Stream& stream, void* to, const std::byte* from, std::size_t nbytes) {
    copy_to_host(stream, to, from, nbytes);
  }
  /// From the host without waiting: the bytes must stay as they are until the stream has got so far.
  virtual void copy_from_host_later(Stream& stream, std::byte* to, const void* from, std::size_t nbytes) {
    copy_from_host(stream, to, from, nbytes);
  }
  /// Of memory that host and device share: moves it to a device by its number, -1 the host; and what CUDA calls advice.
  virtual void prefetch(Stream& stream, std::byte* data, std::size_t nbytes, int device) {}
  virtual void advise(std::byte* data, std::size_t nbytes, int advice, int device) {}
  /// Can streams of this device read memory of that one, and wait for its streams?
  virtual bool reaches(const Backend& peer) const { return false; }
  /// Has the hardware a way from that device to this one?
  virtual bool accesses(const Backend& peer) const { return &peer != this && reaches(peer); }
  virtual void copy_from_peer(Stream& stream, std::byte* to, Backend& peer, const std::byte* from,
                              std::size_t nbytes) {}
  /// Waits for all streams.
  void synchronize();
  /// Has the device done everything that it was given? Asks, and gives it nothing.
  bool idle();
  /// Host memory, at least 64-byte aligned, that the device copies from and to without a detour: page-locked where that
  /// makes a difference. Throws OutOfMemoryError.
  virtual std::byte* allocate_pinned(std::size_t nbytes);
  virtual void free_pinned(std::byte* data) noexcept;
  /// Does the device copy from and to this host memory without a detour?
  virtual bool is_pinned(const void* host) const { return host_accessible(); }
  /// Can this device use memory of others at that address? Asked before their first use, as they might be wrong.
  virtual bool can_use(const std::byte* data, std::size_t nbytes);

  virtual std::unique_ptr<Event> make_event(const EventOptions& options = {});
  /// Milliseconds between two recorded events of this backend; waits for both, and raises what the device found wrong.
  double elapsed(Event& start, Event& stop);
  /// The same for two that are done: waits for nothing and raises nothing that others are to be told.
  virtual double between(Event& start, Event& stop);

  // -- Fused elementwise work and reductions.
  virtual void run(Stream& stream, const Kernel& kernel) = 0;
  /// Can `run` make what this call would give, of `type`, as a leaf of a kernel (Kernel::gathers, Kernel::draws), and is that no slower
  /// than the call? The operands have no addresses; indices may be of any integer dtype.
  virtual bool fuses(const Primitive& call, Operands in, dtype type) const { return false; }
  /// How `run` would compute this kernel now, in a few words ("compiled"); empty: there is one way. Addresses are not read,
  /// and nothing is prepared.
  virtual std::string tier(const Kernel& kernel) const { return {}; }

  // -- What does not fuse.
  /// Calls a primitive (runtime/primitives.h). Tells of a bad index that it has found by now.
  virtual Fault call(Stream& stream, const Call& call) = 0;
  /// Calls two primitives at once that read an operand in common, the second perhaps the result of the first; neither tells of
  /// anything. False, and nothing is done, where that is no gain.
  virtual bool call_both(Stream& stream, const Call& first, const Call& second) { return false; }
  /// Can the call make its operand `i`, which then needs no memory, from an elementwise kernel? Addresses are not read.
  virtual bool makes_operand(const Call& call, int i) const { return false; }
  /// Calls a primitive whose operand `i` is what `maker` stores, in that layout, whatever address it says.
  virtual void call_making(Stream& stream, const Call& call, int i, const Kernel& maker) {}
  /// Counts the true elements of a bool view: waits for the device.
  virtual std::shared_ptr<const CountedMask> count_true(Stream& stream, const View& mask) = 0;
  /// out[..., j] = the element that a sort would put at position kth[j] of the row in[...] (ascending positions, not many), found
  /// without sorting. False, and nothing is written, where the backend knows no such way: Partition then serves.
  virtual bool order_statistics(Stream& stream, const View& in, const Dims& kth, const View& out);

  /// Compiles a program's own kernels for this device: on the host, unless the device says otherwise. Throws CompileError.
  virtual std::shared_ptr<UserModule> compile(const ModuleSpec& spec);

  /// The plans of its Fourier transforms; the CPU's, for a device that has none.
  virtual FftPlanCache& fft_plans();

  /// What was done with memory whose address somebody outside knows. Guarded by the graph's lock.
  Uses exposed;

 protected:
  /// Called by the constructor of a backend that has memory.
  void set_pool(std::unique_ptr<Pool> pool);
  /// Memory that host and device share, where that is something of its own.
  virtual MemorySource& managed_memory() const;
  virtual Stream* make_stream(const StreamOptions& options);
  virtual Stream* make_external(std::uintptr_t native);
  /// Called by the constructor of a backend that makes streams of its own.
  void set_first_stream(Stream* stream);
  void note_stream(Stream* stream);

 private:
  std::unique_ptr<Pool> pool_;
  Stream* first_stream_ = nullptr;
  std::mutex external_mutex_;  // one of a handle
  std::mutex streams_mutex_;
  std::vector<Stream*> streams_;  // all
  std::vector<Stream*> spare_;    // that nobody owns
};

/// Backends are never destroyed: buffers may outlive static destructors.
Backend& cpu_backend();
/// The CPU once more, with memory of its own: the host's side of an accelerator (runtime/host_side.h makes one).
Backend& make_cpu_side(Backend& accelerator);
/// The device of that number.
Backend& numbered_backend(int number);
Backend& reference_backend();  // slow and obviously correct, for tests

}  // namespace cuprum
