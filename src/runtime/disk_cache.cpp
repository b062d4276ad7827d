#include "runtime/disk_cache.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include "runtime/private_files.h"
#include "runtime/settings.h"

namespace cuprum {

namespace {

constexpr char kMagic[8] = {'c', 'u', 'p', 'r', 'u', 'm', 'k', '1'};
constexpr char kSuffix[] = ".kernel";
constexpr std::uint64_t kLargest = std::uint64_t{64} << 20;  // of one file; kernels have some 10 to 500 KiB
constexpr std::int64_t kHour = 3600 * std::int64_t{1'000'000'000};

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

std::string default_folder() {
  if (const char* folder = std::getenv("CUPRUM_CACHE_DIR")) return folder;
  // What is not absolute would name another folder wherever the program runs.
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache && *cache == '/')
    return std::string(cache) + "/cuprum";
  if (const char* home = std::getenv("HOME"); home && *home == '/')
    return std::string(home) + "/.cache/cuprum";
  return {};
}

}  // namespace

DiskCache::DiskCache(std::string folder, std::uint64_t limit_bytes)
    : folder_(limit_bytes == 0 ? std::string() : std::move(folder)), limit_(limit_bytes) {}

std::string DiskCache::name(std::string_view key) {
  char name[40];
  std::snprintf(name, sizeof name, "%016llx%016llx",
                static_cast<unsigned long long>(hash(key, 0xcbf29ce484222325u)),
                static_cast<unsigned long long>(hash(key, 0x84222325cbf29ce4u)));
  return std::string(name) + kSuffix;
}

std::string DiskCache::path(std::string_view key) const { return folder_ + "/" + name(key); }

std::string DiskCache::describe() const {
  if (folder_.empty()) return "not kept for later processes (CUPRUM_CACHE_DIR, CUPRUM_CACHE_SIZE)";
  const std::string problem = PrivateFolder(folder_).problem();
  return problem.empty() ? "kept in " + folder_ : "not kept for later processes: " + problem;
}

std::optional<std::string> DiskCache::find(std::string_view key) const {
  if (folder_.empty()) return std::nullopt;
  const PrivateFolder folder(folder_);
  if (!folder.usable()) return std::nullopt;
  const std::optional<std::string> text = folder.read(name(key), std::min(limit_, kLargest));
  Header header;
  if (!text || text->size() < sizeof header) return std::nullopt;
  std::memcpy(&header, text->data(), sizeof header);
  const std::string_view rest = std::string_view(*text).substr(sizeof header);
  if (std::memcmp(header.magic, kMagic, sizeof kMagic) != 0 || header.key_bytes != key.size() ||
      rest.size() < key.size() || header.image_bytes != rest.size() - key.size() ||
      rest.substr(0, key.size()) != key || header.checksum != hash(rest, header.image_bytes)) {
    return std::nullopt;
  }
  return std::string(rest.substr(key.size()));
}

void DiskCache::add(std::string_view key, std::string_view image) {
  const std::uint64_t bytes = sizeof(Header) + key.size() + image.size();
  if (folder_.empty() || image.empty() || bytes > std::min(limit_, kLargest)) return;
  const PrivateFolder folder(folder_, /*make=*/true);
  if (!folder.usable()) return warn(folder.problem());
  std::string text(sizeof(Header), '\0');
  text.append(key).append(image);
  Header header{
      {}, key.size(), image.size(), hash(std::string_view(text).substr(sizeof(Header)), image.size())};
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  std::memcpy(text.data(), &header, sizeof header);
  if (!folder.write(name(key), text)) return;
  bool full = false;
  {
    const std::lock_guard lock(mutex_);
    const bool first = written_ == 0;
    written_ += bytes;
    full = first || written_ > limit_ / 16;
    if (full) written_ = 1;
  }
  if (full) trim();
}

void DiskCache::warn(const std::string& problem) {
  {
    const std::lock_guard lock(mutex_);
    if (problem.empty() || std::exchange(warned_, true)) return;
  }
  std::fprintf(stderr, "cuprum: compiled kernels are not kept for later processes: %s\n", problem.c_str());
}

void DiskCache::trim() const {
  const PrivateFolder folder(folder_);
  if (!folder.usable()) return;
  std::vector<PrivateFolder::File> files;
  std::uint64_t total = 0;
  const std::int64_t now = PrivateFolder::now();
  folder.list([&](const PrivateFolder::File& file) {
    if (file.name.ends_with(kSuffix)) {
      total += file.bytes;
      files.push_back(file);
    } else if (file.name.ends_with(PrivateFolder::kUnfinished) &&
               file.name.find(kSuffix + std::string(".")) != std::string::npos && now - file.used > kHour) {
      folder.remove(file.name);  // of a process that died
    }
  });
  if (total <= limit_) return;
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.used < b.used; });
  for (const PrivateFolder::File& file : files) {
    if (total <= limit_ / 8 * 7) break;
    folder.remove(file.name);
    total -= file.bytes;
  }
}

DiskCache& disk_cache() {
  static auto* const cache =
      new DiskCache(default_folder(), settings().cache_size.value_or(std::uint64_t{256} << 20));
  return *cache;
}

}  // namespace cuprum
