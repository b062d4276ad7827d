#include "runtime/spill.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <unordered_set>
#include <vector>

#include "cuprum/error.h"
#include "runtime/lock.h"
#include "runtime/pool.h"
#include "runtime/settings.h"

namespace cuprum {

std::atomic<bool> spill_on{false};
std::atomic<bool> spill_used{false};
std::atomic<std::uint64_t> use_clock{0};

namespace {

constexpr int kTrips = 3;  // the same buffer going so often is worth a warning
constexpr std::size_t kHostCache = std::size_t{16} << 30;

std::atomic<std::size_t> least{std::size_t{16} << 10};  // a smaller buffer is not worth the way
SpillStats counts;                                      // under the graph's lock
std::atomic<void (*)(const std::string&)> warning{nullptr};
bool has_warned = false;

/// Host memory for the copies of one device.
class HostMemory final : public MemorySource {
 public:
  explicit HostMemory(Backend& device) : device_(device) {}

  std::byte* allocate(std::size_t bytes, Stream*) noexcept override {
    try {
      return device_.allocate_pinned(bytes);
    } catch (...) {  // no more pages can be locked
    }
    auto* data = static_cast<std::byte*>(std::aligned_alloc(64, (bytes + 63) / 64 * 64));
    const std::lock_guard guard(mutex_);
    if (data) ordinary_.insert(data);
    return data;
  }
  void free(std::byte* block, std::size_t, const Uses& uses) noexcept override {
    uses.wait();
    {
      const std::lock_guard guard(mutex_);
      if (ordinary_.erase(block) != 0) return std::free(block);
    }
    device_.free_pinned(block);
  }
  std::string describe() const override { return "host memory for what is spilled"; }

 private:
  Backend& device_;
  std::mutex mutex_;
  std::unordered_set<std::byte*> ordinary_;
};

/// Never destroyed, as the devices.
Pool& host_pool(Backend& device) {
  static Pool* pools[kMostDevices] = {};
  Pool*& pool = pools[device.number];
  if (!pool) pool = new Pool(*new HostMemory(device), {.granule = 512, .cache_limit = kHostCache});
  return *pool;
}

bool may_go(const Buffer& buffer) {
  return buffer.block && buffer.held == 0 && !buffer.pinned && !buffer.exposed && !buffer.release;
}

Stream& stream_of(Buffer& buffer) {
  const Stamp last = buffer.uses().last();
  return last ? last.stream() : buffer.backend->first_stream();
}

/// False: it cannot go, for there is no host memory or its stream keeps its work.
bool send_away(Buffer& buffer) {
  Stream& stream = stream_of(buffer);
  if (stream.capture || &stream.device != buffer.backend) return false;
  Block* host = host_pool(*buffer.backend).try_allocate(buffer.nbytes, &stream);
  if (!host) return false;
  host->uses.before_write(stream);
  buffer.uses().before_read(stream);
  buffer.backend->copy_to_host_later(stream, host->data, buffer.data, buffer.nbytes);
  const Stamp copied = stream.mark();
  buffer.uses().read_at(copied);
  Pool::free(*buffer.block, buffer.uses());
  buffer.uses().written_at(copied);
  buffer.block = nullptr;
  buffer.data = nullptr;
  buffer.host = host;
  counts.to_host += buffer.nbytes;
  counts.on_host += buffer.nbytes;
  if (buffer.trips != 0) counts.again += buffer.nbytes;
  return true;
}

void warn_of_trips(const Buffer& buffer) {
  if (buffer.trips < kTrips || std::exchange(has_warned, true)) return;
  const auto warn = warning.load();
  if (!warn) return;
  warn("cuprum: memory of " + std::string(buffer.backend->name()) +
       " is too small for what is in use at a time: the same arrays go to the host and come back again and "
       "again (" +
       human_bytes(counts.again) +
       " so far); work on smaller pieces, or write cp.cuda.set_spill(False) for an error "
       "instead");
}

}  // namespace

void note_use(Buffer& buffer) {
  buffer.block->last_use = use_clock.fetch_add(1, std::memory_order_relaxed) + 1;
}

void set_spill(bool on) {
  if (on) spill_used = true;
  spill_on = on;
}

std::size_t set_spill_least(std::size_t bytes) { return least.exchange(bytes); }

SpillStats spill_stats() {
  const EngineLock lock;
  return counts;
}

void set_spill_warning(void (*warn)(const std::string& text)) { warning = warn; }

void note_end_on_host(const Buffer& buffer) {
  const EngineLock lock;
  counts.on_host -= buffer.nbytes;
}

void set_spill_warned(bool warned) {
  const EngineLock lock;
  has_warned = warned;
}

Block* allocate_by_spilling(Stream& stream, std::size_t nbytes) {
  const EngineLock lock;
  Backend& device = stream.device;
  Pool& pool = device.pool();
  if (Block* block = pool.try_allocate(nbytes, &stream)) return block;
  std::size_t gone = 0;
  for (const Ref<Buffer>& buffer : pool.holders(least)) {
    if (buffer->backend != &device || !may_go(*buffer) || !send_away(*buffer)) continue;
    gone += buffer->nbytes;
    if (gone < nbytes) continue;
    if (Block* block = pool.try_allocate(nbytes, &stream)) return block;
  }
  return nullptr;
}

void upload_later(Stream& way, std::byte* to, const std::byte* from, std::size_t nbytes, Stream& writer) {
  // Of what the accelerator still reads, a request for another stream gets nothing.
  Block* host = host_pool(way.device).try_allocate(nbytes, &writer);
  if (!host) return way.device.copy_from_host(way, to, from, nbytes);
  std::memcpy(host->data, from, nbytes);
  way.device.copy_from_host_later(way, to, host->data, nbytes);
  Uses read;
  read.read_at(way.mark());
  Pool::free(*host, read);
}

void fetch(Buffer& buffer, Stream& stream) {
  Backend& device = *buffer.backend;
  Stream& way = &stream.device == &device && !stream.capture ? stream : device.first_stream();
  Block& block = device.allocate_block(way, buffer.nbytes);
  block.uses.before_write(way);
  buffer.uses().before_read(way);
  device.copy_from_host_later(way, block.data, buffer.host->data, buffer.nbytes);
  const Stamp copied = way.mark();
  Uses of_host;
  of_host.written_at(copied);
  Pool::free(*buffer.host, of_host);
  buffer.uses().written_at(copied);
  buffer.host = nullptr;
  buffer.block = &block;
  buffer.data = block.data;
  block.uses = {};
  block.set_holder(&buffer);
  note_use(buffer);
  ++buffer.trips;
  counts.from_host += buffer.nbytes;
  counts.on_host -= buffer.nbytes;
  warn_of_trips(buffer);
}

}  // namespace cuprum
