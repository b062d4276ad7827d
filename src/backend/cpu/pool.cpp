#include "backend/cpu/pool.h"

#include <algorithm>

#include "backend/cpu/system_memory.h"
#include "runtime/settings.h"

namespace cuprum::cpu {

namespace {

class HostMemory final : public MemorySource {
 public:
  std::byte* allocate(std::size_t bytes, Stream*) noexcept override { return system_allocate(bytes); }
  void free(std::byte* block, std::size_t bytes, const Uses&) noexcept override { system_free(block, bytes); }
  std::size_t available() noexcept override { return available_memory(); }
  std::size_t total() noexcept override {
    static const std::size_t total = total_memory();
    return total;
  }
  std::string describe() const override { return "host memory"; }
};

HostMemory& host_memory() {
  static auto* const memory = new HostMemory;  // never destroyed, as the backend
  return *memory;
}

std::size_t default_cache_limit() {
  if (const auto asked = settings().cpu_pool_limit) return *asked;
  return std::clamp(total_memory() / 8, std::size_t{256} << 20, std::size_t{4} << 30);
}

}  // namespace

Pool::Pool(const Backend* device)
    : cuprum::Pool(
          host_memory(),
          {.padding = 64, .cache_limit = default_cache_limit(), .host_memory = true, .device = device}) {}

}  // namespace cuprum::cpu
