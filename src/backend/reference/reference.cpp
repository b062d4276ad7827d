// The reference backend: slow and obviously correct. The engine is tested on it, apart from every
// optimisation.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>

#include "backend/reference/primitives.h"
#include "cuprum/error.h"

namespace cuprum {

namespace {

class ReferenceBackend final : public Backend {
 public:
  const char* name() const override { return "reference"; }

  Ref<Buffer> allocate(Stream&, std::size_t nbytes) override {
    const std::size_t rounded = std::max<std::size_t>(64, (nbytes + 63) / 64 * 64);
    const std::lock_guard lock(mutex_);
    const std::size_t room = stats_.limit_bytes - std::min(stats_.limit_bytes, stats_.used_bytes);
    const bool allowed = rounded >= nbytes && (stats_.limit_bytes == 0 || nbytes <= room);
    void* data = allowed ? std::aligned_alloc(64, rounded) : nullptr;
    if (data == nullptr) {
      throw OutOfMemoryError(
          "cuprum: out of memory: " + std::to_string(nbytes) + " bytes were asked for, " +
          std::to_string(stats_.used_bytes) + " are in use, the limit is " +
          (stats_.limit_bytes == 0 ? "the machine's" : std::to_string(stats_.limit_bytes)));
    }
    stats_.used_bytes += nbytes;
    stats_.total_bytes = stats_.used_bytes;
    stats_.peak_bytes = std::max(stats_.peak_bytes, stats_.used_bytes);
    ++stats_.allocations;
    return make_ref<Buffer>(this, static_cast<std::byte*>(data), nbytes);
  }
  void free(std::byte* data, std::size_t nbytes, Uses&) noexcept override {
    std::free(data);
    const std::lock_guard lock(mutex_);
    stats_.used_bytes -= nbytes;
    stats_.total_bytes = stats_.used_bytes;
  }
  MemoryStats memory_stats() const override {
    const std::lock_guard lock(mutex_);
    return stats_;
  }
  void reset_peak() override {
    const std::lock_guard lock(mutex_);
    stats_.peak_bytes = stats_.used_bytes;
  }
  void free_all_blocks() override {}
  void set_memory_limit(std::size_t nbytes) override {
    const std::lock_guard lock(mutex_);
    stats_.limit_bytes = nbytes;
  }
  bool host_accessible() const override { return true; }
  void copy_to_host(Stream&, void* to, const std::byte* from, std::size_t nbytes) override {
    std::memcpy(to, from, nbytes);
  }
  void copy_from_host(Stream&, std::byte* to, const void* from, std::size_t nbytes) override {
    std::memcpy(to, from, nbytes);
  }

  void run(Stream&, const Kernel& kernel) override { reference::run(kernel); }
  IndexFault call(Stream&, const Call& c) override {
    return dispatch(c, [&](const auto& p) { return reference::call(p, c.in, c.out); });
  }
  std::shared_ptr<const CountedMask> count_true(Stream&, const View& mask) override {
    return std::make_shared<CountedMask>(reference::count_true(mask));
  }

 private:
  mutable std::mutex mutex_;  // buffers may be freed by any thread
  MemoryStats stats_;
};

}  // namespace

Backend& reference_backend() {
  static Backend* backend = new ReferenceBackend;  // never destroyed: buffers outlive static destructors
  return *backend;
}

}  // namespace cuprum
