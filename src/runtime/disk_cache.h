// Compiled kernels of earlier processes, one file each.
//
// A file holds its full key and a checksum; whatever does not match in every byte counts as absent. Files are written under
// a temporary name and renamed, so that processes that share the folder never see half a file, and the newest of
// equal ones stays. Failures of the file system are silent: the cache saves time, nothing else.
//
// What is read is run, so the folder and the files must belong to this user, and nobody else may be able to write to them
// (private_files.h). An existing folder of another kind is not used, and the first kernel that cannot be kept says so once.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace cuprum {

class DiskCache {
 public:
  /// An empty folder name turns the cache off.
  DiskCache(std::string folder, std::uint64_t limit_bytes);

  std::optional<std::string> find(std::string_view key) const;
  void add(std::string_view key, std::string_view image);

  const std::string& folder() const { return folder_; }
  /// Where kernels are kept, or why they are not, for `python -m cuprum info`.
  std::string describe() const;
  /// Where the image of a key lies.
  std::string path(std::string_view key) const;

  /// Removes the files that were not used for longest until the rest fits the limit.
  void trim() const;

 private:
  static std::string name(std::string_view key);
  void warn(const std::string& problem);

  std::string folder_;
  std::uint64_t limit_;
  std::mutex mutex_;
  std::uint64_t written_ = 0;  // since the last trim
  bool warned_ = false;
};

/// The cache of this process: CUPRUM_CACHE_DIR, else XDG_CACHE_HOME/cuprum, else ~/.cache/cuprum; CUPRUM_CACHE_SIZE
/// (such as 256M; 0 turns it off).
DiskCache& disk_cache();

}  // namespace cuprum
