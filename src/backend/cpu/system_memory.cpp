#include "backend/cpu/system_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace cuprum::cpu {

namespace {

/// The number in a one-line file such as /sys/fs/cgroup/memory.max; SIZE_MAX when there is none ("max", no file).
std::size_t read_number(const char* path) {
  std::FILE* file = std::fopen(path, "r");
  if (!file) return SIZE_MAX;
  unsigned long long value = 0;
  const bool ok = std::fscanf(file, "%llu", &value) == 1;
  std::fclose(file);
  return ok ? static_cast<std::size_t>(value) : SIZE_MAX;
}

std::size_t group_limit() {
  return std::min(read_number("/sys/fs/cgroup/memory.max"),
                  read_number("/sys/fs/cgroup/memory/memory.limit_in_bytes"));
}

std::size_t group_usage() {
  const std::size_t usage = std::min(read_number("/sys/fs/cgroup/memory.current"),
                                     read_number("/sys/fs/cgroup/memory/memory.usage_in_bytes"));
  return usage == SIZE_MAX ? 0 : usage;
}

std::size_t meminfo_available() {
  std::FILE* file = std::fopen("/proc/meminfo", "r");
  if (!file) return SIZE_MAX;
  char line[128];
  std::size_t available = SIZE_MAX;
  while (std::fgets(line, sizeof line, file)) {
    unsigned long long kib = 0;
    if (std::sscanf(line, "MemAvailable: %llu kB", &kib) == 1) {
      available = static_cast<std::size_t>(kib) * 1024;
      break;
    }
  }
  std::fclose(file);
  return available;
}

/// `bytes` mapped at a multiple of kHugePage: more is mapped, and the ends are given back.
std::byte* map_aligned(std::size_t bytes) noexcept {
  const std::size_t reserve = bytes + kHugePage;
  void* mapped = mmap(nullptr, reserve, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  const auto start = reinterpret_cast<std::uintptr_t>(mapped);
  const std::uintptr_t aligned = (start + kHugePage - 1) & ~(kHugePage - 1);
  if (aligned != start) munmap(mapped, aligned - start);
  const std::size_t behind = start + reserve - (aligned + bytes);
  if (behind != 0) munmap(reinterpret_cast<void*>(aligned + bytes), behind);
  auto* block = reinterpret_cast<std::byte*>(aligned);
#if defined(MADV_HUGEPAGE)
  madvise(block, bytes, MADV_HUGEPAGE);
#endif
  return block;
}

}  // namespace

std::byte* system_allocate(std::size_t bytes) noexcept {
  if (bytes >= kHugePage) return map_aligned(bytes);
  return static_cast<std::byte*>(std::aligned_alloc(64, bytes));
}

void system_free(std::byte* block, std::size_t bytes) noexcept {
  if (bytes >= kHugePage) {
    munmap(block, bytes);
  } else {
    std::free(block);
  }
}

std::size_t total_memory() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page = sysconf(_SC_PAGESIZE);
  const std::size_t machine = pages > 0 && page > 0
                                  ? static_cast<std::size_t>(pages) * static_cast<std::size_t>(page)
                                  : std::size_t{4} << 30;
  return std::min(machine, group_limit());
}

std::size_t available_memory() {
  const std::size_t limit = group_limit();
  std::size_t in_group = SIZE_MAX;
  if (limit != SIZE_MAX) in_group = limit - std::min(limit, group_usage());
  return std::min(meminfo_available(), in_group);
}

std::string processor_name() {
  std::string model = "processor";
  std::FILE* file = std::fopen("/proc/cpuinfo", "r");
  if (!file) return model;
  char line[256];
  while (std::fgets(line, sizeof line, file)) {
    const char* colon = std::strchr(line, ':');
    if (std::strncmp(line, "model name", 10) != 0 || !colon) continue;
    model = colon + 2;
    if (!model.empty() && model.back() == '\n') model.pop_back();
    break;
  }
  std::fclose(file);
  return model;
}

}  // namespace cuprum::cpu
