// What the environment asks for. Every variable of the library is read here, once, and checked: one that is not understood
// is an error that names it and says what to write, never a default that nobody asked for. An empty one counts as unset.
// docs/environment.md describes them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cuprum {

/// The most that CUPRUM_MAX_NODES may ask for: the registers of a kernel are numbered by 16 bits (expr/schedule.h).
inline constexpr std::uint32_t kMaxNodes = 2048;

struct Settings {
  std::string device;  // empty: the library chooses
  bool debug = false;
  bool eager = false;
  bool spill = false;
  bool check_kernels = false;  // a program's own, on the host's devices
  bool trace_eval = false;
  bool trace_jit = false;
  std::string simd;       // "v2", "v3", "v4"; empty: the best
  std::string tier;       // "0", "1", "auto"; empty: automatic
  std::string cxx;        // the command of a C++ compiler; empty: what the system has
  std::string transfers;  // "error", "warn", "allow"; empty: as the device is

  // Not set: the default, which is known where it is used.
  std::optional<std::uint64_t> num_threads;
  std::optional<std::uint64_t> max_nodes;
  std::optional<std::uint64_t> auto_limit;
  std::optional<std::uint64_t> max_pinned;
  std::optional<std::uint64_t> cpu_pool_limit;
  std::optional<std::uint64_t> cuda_pool_limit;
  std::optional<std::uint64_t> cache_size;
  std::optional<std::uint64_t> far_seed;
};

/// The settings of the process, read when first asked for. Throws ValueError, every time, while one is not understood.
const Settings& settings();

/// Is CUPRUM_DEBUG on? For objects that are made when the library is loaded, where nothing may be thrown.
bool asks_for_debugging() noexcept;

/// Variables that look like a misspelt setting, each as a sentence.
std::vector<std::string> doubtful_settings();

/// A whole number of decimal digits, with K, M, G or T for powers of 1024 (M, MB and MiB are one); nullopt: it is none, or
/// does not fit 64 bits.
std::optional<std::uint64_t> parse_number(std::string_view text);

}  // namespace cuprum
