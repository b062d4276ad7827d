#include "jit/disk_cache.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

namespace cuprum::cuda {

namespace fs = std::filesystem;

namespace {

constexpr char kMagic[8] = {'c', 'u', 'p', 'r', 'u', 'm', 'k', '1'};
constexpr char kSuffix[] = ".kernel";

struct Header {
  char magic[8];
  std::uint64_t key_bytes, image_bytes, checksum;
};

/// Two independent 64-bit hashes make collisions of file names unlikely; the full key in the file makes them harmless.
std::uint64_t hash(std::string_view text, std::uint64_t seed) {
  std::uint64_t h = seed;
  for (const char c : text) {
    h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    h ^= h >> 31;
  }
  return h;
}

std::optional<std::string> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (file.bad()) return std::nullopt;
  return text;
}

std::string default_folder() {
  if (const char* folder = std::getenv("CUPRUM_CACHE_DIR")) return folder;
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache && *cache)
    return std::string(cache) + "/cuprum";
  if (const char* home = std::getenv("HOME"); home && *home) return std::string(home) + "/.cache/cuprum";
  return {};
}

}  // namespace

std::uint64_t parse_size(const char* text, std::uint64_t otherwise) {
  if (!text || *text < '0' || *text > '9') return otherwise;
  char* end = nullptr;
  const std::uint64_t number = std::strtoull(text, &end, 10);
  switch (*end) {
    case '\0': return number;
    case 'k':
    case 'K': return number << 10;
    case 'm':
    case 'M': return number << 20;
    case 'g':
    case 'G': return number << 30;
    default: return otherwise;
  }
}

DiskCache::DiskCache(std::string folder, std::uint64_t limit_bytes)
    : folder_(limit_bytes == 0 ? std::string() : std::move(folder)), limit_(limit_bytes) {}

std::string DiskCache::path(std::string_view key) const {
  char name[40];
  std::snprintf(name, sizeof name, "/%016llx%016llx",
                static_cast<unsigned long long>(hash(key, 0xcbf29ce484222325u)),
                static_cast<unsigned long long>(hash(key, 0x84222325cbf29ce4u)));
  return folder_ + name + kSuffix;
}

std::optional<std::string> DiskCache::find(std::string_view key) const {
  if (folder_.empty()) return std::nullopt;
  const std::string file = path(key);
  const std::optional<std::string> text = read_file(file);
  Header header;
  if (!text || text->size() < sizeof header) return std::nullopt;
  std::memcpy(&header, text->data(), sizeof header);
  const std::string_view rest = std::string_view(*text).substr(sizeof header);
  if (std::memcmp(header.magic, kMagic, sizeof kMagic) != 0 || header.key_bytes != key.size() ||
      rest.size() < key.size() || header.image_bytes != rest.size() - key.size() ||
      rest.substr(0, key.size()) != key || header.checksum != hash(rest, header.image_bytes)) {
    return std::nullopt;
  }
  std::error_code ignored;
  fs::last_write_time(file, fs::file_time_type::clock::now(), ignored);  // used now: removed last
  return std::string(rest.substr(key.size()));
}

void DiskCache::add(std::string_view key, std::string_view image) {
  if (folder_.empty() || image.empty()) return;
  static std::atomic<unsigned> counter{0};
  std::error_code error;
  fs::create_directories(folder_, error);
  const std::string file = path(key);
  const std::string temporary =
      file + "." + std::to_string(getpid()) + "." + std::to_string(counter++) + ".tmp";
  std::string rest(key);
  rest += image;
  Header header{{}, key.size(), image.size(), hash(rest, image.size())};
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  {
    std::ofstream out(temporary, std::ios::binary);
    out.write(reinterpret_cast<const char*>(&header), sizeof header);
    out.write(rest.data(), static_cast<std::streamsize>(rest.size()));
    out.close();
    if (!out) {
      fs::remove(temporary, error);
      return;
    }
  }
  fs::rename(temporary, file, error);
  if (error) fs::remove(temporary, error);
  bool full = false;
  {
    const std::lock_guard lock(mutex_);
    const bool first = written_ == 0;
    written_ += sizeof header + rest.size();
    full = first || written_ > limit_ / 16;
    if (full) written_ = 1;
  }
  if (full) trim();
}

void DiskCache::trim() const {
  struct File {
    fs::file_time_type used;
    std::uint64_t bytes;
    fs::path path;
  };
  std::vector<File> files;
  std::uint64_t total = 0;
  std::error_code error;
  const auto now = fs::file_time_type::clock::now();
  for (fs::directory_iterator it(folder_, error), end; !error && it != end; it.increment(error)) {
    std::error_code gone;
    const fs::path& path = it->path();
    const std::uint64_t bytes = it->file_size(gone);
    const auto used = it->last_write_time(gone);
    if (gone) continue;
    if (path.extension() == ".tmp") {  // of a process that died
      if (now - used > std::chrono::hours(1)) fs::remove(path, gone);
      continue;
    }
    if (path.extension() != kSuffix) continue;
    total += bytes;
    files.push_back({used, bytes, path});
  }
  if (total <= limit_) return;
  std::sort(files.begin(), files.end(), [](const File& a, const File& b) { return a.used < b.used; });
  for (const File& file : files) {
    if (total <= limit_ / 8 * 7) break;
    fs::remove(file.path, error);
    total -= file.bytes;
  }
}

DiskCache& disk_cache() {
  static auto* const cache =
      new DiskCache(default_folder(), parse_size(std::getenv("CUPRUM_CACHE_SIZE"), std::uint64_t{256} << 20));
  return *cache;
}

}  // namespace cuprum::cuda
