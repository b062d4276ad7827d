#include "runtime/host_side.h"

#include <mutex>

#include "runtime/capture.h"
#include "runtime/settings.h"

namespace cuprum {

std::atomic<bool> host_sides_used{false};

namespace {

// A step of a program costs 4 us where it is handed to a GPU, and 0.3 us where the host does it, beside the bytes. Arrays of 1 MiB
// are where the host loses as much by computing (3 MB in 100 us) as the GPU would by 25 steps over their elements or rows.
constexpr std::size_t kLimit = std::size_t{1} << 20;

std::atomic<std::size_t>& limit() {
  static std::atomic<std::size_t> bytes{settings().auto_limit.value_or(kLimit)};
  return bytes;
}

}  // namespace

Backend& host_side_of(Backend& device) {
  if (device.host_accessible()) return device;
  static std::mutex mutex;
  static Backend* sides[kMostDevices] = {};  // by number of the accelerator
  const std::lock_guard guard(mutex);
  Backend*& side = sides[device.number];
  if (!side) {
    side = &make_cpu_side(device);
    host_sides_used = true;
  }
  return *side;
}

std::size_t host_side_limit() { return limit().load(std::memory_order_relaxed); }
std::size_t set_host_side_limit(std::size_t bytes) { return limit().exchange(bytes); }

Backend& place_of_new(Backend& device, std::size_t nbytes) {
  if (!device.accelerator) return device;
  const bool goes = nbytes > host_side_limit() || capture_of(current_stream(*device.accelerator));
  return goes ? *device.accelerator : device;
}

}  // namespace cuprum
