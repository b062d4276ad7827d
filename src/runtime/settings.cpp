#include "runtime/settings.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <initializer_list>
#include <limits>
#include <utility>

#include "cuprum/error.h"
#include "runtime/devices.h"

namespace cuprum {

namespace {

constexpr std::string_view kNames[] = {
    "CUPRUM_DEVICE",         "CUPRUM_DEBUG",           "CUPRUM_EAGER",       "CUPRUM_TRACE",
    "CUPRUM_MAX_NODES",      "CUPRUM_MAX_PINNED",      "CUPRUM_NUM_THREADS", "CUPRUM_SIMD",
    "CUPRUM_CPU_POOL_LIMIT", "CUPRUM_CUDA_POOL_LIMIT", "CUPRUM_CACHE_DIR",   "CUPRUM_CACHE_SIZE",
    "CUPRUM_TIER",           "CUPRUM_FAR_SEED",        "CUPRUM_SPILL",       "CUPRUM_CXX",
    "CUPRUM_TRANSFERS",      "CUPRUM_CHECK_KERNELS",   "CUPRUM_AUTO_LIMIT",
};

std::string_view value_of(const char* name) {
  const char* text = std::getenv(name);
  return text ? text : "";
}

[[noreturn]] void refuse(const char* name, std::string_view value, std::string_view remedy) {
  throw ValueError("cuprum: the environment variable " + std::string(name) + " is '" + std::string(value) +
                   "'; " + std::string(remedy));
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

bool is_among(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::optional<bool> parse_switch(std::string_view value) {
  const std::string word = lower(value);
  if (is_among(word, {"1", "on", "yes", "true"})) return true;
  if (is_among(word, {"", "0", "off", "no", "false"})) return false;
  return std::nullopt;
}

bool read_switch(const char* name) {
  const std::optional<bool> on = parse_switch(value_of(name));
  if (!on) refuse(name, value_of(name), "write 1 (on) or 0 (off)");
  return *on;
}

std::optional<std::uint64_t> read_number(const char* name, std::string_view remedy, std::uint64_t least = 0,
                                         std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) {
  const std::string_view value = value_of(name);
  if (value.empty()) return std::nullopt;
  const std::optional<std::uint64_t> number = parse_number(value);
  if (!number || *number < least || *number > most) refuse(name, value, remedy);
  return number;
}

std::optional<std::uint64_t> read_bytes(const char* name) {
  return read_number(name, "write a number of bytes, such as 268435456, 256M or 2G", 0,
                     std::numeric_limits<std::int64_t>::max());
}

std::string read_word(const char* name, std::initializer_list<std::string_view> words,
                      std::string_view remedy) {
  const std::string_view value = value_of(name);
  if (!value.empty() && !is_among(value, words)) refuse(name, value, remedy);
  return std::string(value);
}

void read_trace(Settings& s) {
  const char* name = "CUPRUM_TRACE";
  const std::string_view all = value_of(name);
  for (std::size_t begin = 0; begin <= all.size();) {
    const std::size_t end = std::min(all.find(',', begin), all.size());
    const std::string_view word = all.substr(begin, end - begin);
    if (!is_among(word, {"", "0", "eval", "jit"})) refuse(name, all, "write eval, jit or eval,jit");
    s.trace_eval |= word == "eval";
    s.trace_jit |= word == "jit";
    begin = end + 1;
  }
}

std::string read_device() {
  const std::string_view value = value_of("CUPRUM_DEVICE");
  if (value.empty()) return {};
  const std::optional<std::string> name = device_called(value);
  if (!name) refuse("CUPRUM_DEVICE", value, "the devices are 'cpu', 'cuda', 'cuda:N' and 'auto'");
  return *name;
}

Settings read() {
  Settings s;
  s.device = read_device();
  s.debug = read_switch("CUPRUM_DEBUG");
  s.eager = read_switch("CUPRUM_EAGER");
  s.spill = read_switch("CUPRUM_SPILL");
  s.check_kernels = read_switch("CUPRUM_CHECK_KERNELS");
  read_trace(s);
  s.simd = read_word("CUPRUM_SIMD", {"v2", "v3", "v4"}, "write v2, v3 or v4");
  s.tier = read_word("CUPRUM_TIER", {"0", "1", "auto"},
                     "write 0 (the interpreter alone), 1 (compiled kernels alone) or auto");
  s.cxx = value_of("CUPRUM_CXX");
  s.transfers = read_word("CUPRUM_TRANSFERS", {"error", "warn", "allow"}, "write error, warn or allow");
  s.num_threads = read_number("CUPRUM_NUM_THREADS", "write how many threads compute, 1 or more", 1);
  s.max_nodes = read_number("CUPRUM_MAX_NODES", "write how many nodes a pending graph may have, 1 to 2048", 1,
                            kMaxNodes);
  s.auto_limit = read_bytes("CUPRUM_AUTO_LIMIT");
  s.max_pinned = read_bytes("CUPRUM_MAX_PINNED");
  s.cpu_pool_limit = read_bytes("CUPRUM_CPU_POOL_LIMIT");
  s.cuda_pool_limit = read_bytes("CUPRUM_CUDA_POOL_LIMIT");
  s.cache_size = read_bytes("CUPRUM_CACHE_SIZE");
  s.far_seed = read_number("CUPRUM_FAR_SEED", "write a whole number");
  return s;
}

/// How many letters must be added, left out or changed to make one text of the other.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, changed}));
    }
  }
  return row[b.size()];
}

}  // namespace

const Settings& settings() {
  static const auto* const instance = new Settings(read());
  return *instance;
}

bool asks_for_debugging() noexcept { return parse_switch(value_of("CUPRUM_DEBUG")).value_or(false); }

std::vector<std::string> doubtful_settings() {
  constexpr std::size_t kTypos = 2;  // an application's own names are farther from ours
  std::vector<std::string> sentences;
  for (char** entry = environ; entry && *entry; ++entry) {
    const std::string_view text = *entry;
    const std::string_view name = text.substr(0, text.find('='));
    if (!name.starts_with("CUPRUM_") || std::ranges::find(kNames, name) != std::end(kNames)) continue;
    for (const std::string_view known : kNames) {
      if (distance(name, known) > kTypos) continue;
      sentences.push_back("the environment variable " + std::string(name) +
                          " is not a setting of Cuprum; did you mean " + std::string(known) + "?");
      break;
    }
  }
  return sentences;
}

std::optional<std::uint64_t> parse_number(std::string_view text) {
  std::uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc()) return std::nullopt;
  const std::string unit = lower(std::string_view(stop, static_cast<std::size_t>(end - stop)));
  if (unit.empty()) return number;
  const std::size_t power = std::string_view("kmgt").find(unit[0]);
  if (power == std::string_view::npos || !is_among(std::string_view(unit).substr(1), {"", "b", "ib"}))
    return std::nullopt;
  const std::uint64_t factor = std::uint64_t{1} << (10 * (power + 1));
  if (number > std::numeric_limits<std::uint64_t>::max() / factor) return std::nullopt;
  return number * factor;
}

}  // namespace cuprum
