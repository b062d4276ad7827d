// The on-disk cache of compiled kernels: whole files or none, whoever writes, whatever was written; and none of others.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "runtime/disk_cache.h"
#include "runtime/private_files.h"
#include "temporary_folder.h"

namespace cuprum {
namespace {

namespace fs = std::filesystem;

class DiskCacheFiles : public ::testing::Test {
 protected:
  std::uint64_t bytes_on_disk() const {
    std::uint64_t total = 0;
    for (const auto& entry : fs::directory_iterator(folder)) total += entry.file_size();
    return total;
  }

  const testing_support::TemporaryFolder own;
  const std::string folder = own.path();
};

TEST_F(DiskCacheFiles, KeepsImages) {
  DiskCache cache(folder + "/deep/er", 1 << 20);
  EXPECT_FALSE(cache.find("key"));
  cache.add("key", std::string("im\0age", 6));
  cache.add("other", "another");
  EXPECT_EQ(cache.find("key"), std::string("im\0age", 6));
  EXPECT_EQ(DiskCache(folder + "/deep/er", 1 << 20).find("other"), "another");
  cache.add("key", "newer");
  EXPECT_EQ(cache.find("key"), "newer");
}

TEST_F(DiskCacheFiles, IgnoresWhatIsBroken) {
  DiskCache cache(folder, 1 << 20);
  const std::string image(1000, 'x');
  cache.add("key", image);
  const std::string path = cache.path("key");
  std::string whole;
  {
    std::ifstream in(path, std::ios::binary);
    whole.assign(std::istreambuf_iterator<char>(in), {});
  }
  ASSERT_GT(whole.size(), image.size());
  const auto write = [&](const std::string& text) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
  };
  for (std::size_t at = 0; at < whole.size(); at += 7) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x20);
    write(damaged);
    EXPECT_FALSE(cache.find("key")) << at;
  }
  for (const std::size_t length : {std::size_t{0}, std::size_t{10}, std::size_t{40}, whole.size() - 1}) {
    write(whole.substr(0, length));
    EXPECT_FALSE(cache.find("key")) << length;
  }
  write(whole);
  EXPECT_EQ(cache.find("key"), image);
  fs::copy_file(path, cache.path("somebody else"));  // as if two keys had one name
  EXPECT_FALSE(cache.find("somebody else"));
}

TEST_F(DiskCacheFiles, IsBounded) {
  constexpr std::uint64_t limit = 64 << 10;
  DiskCache cache(folder, limit);
  for (int i = 0; i < 200; ++i) cache.add("key " + std::to_string(i), std::string(2000, 'x'));
  cache.trim();
  EXPECT_LE(bytes_on_disk(), limit);
  EXPECT_GT(bytes_on_disk(), limit / 2);
  EXPECT_TRUE(cache.find("key 199"));
  EXPECT_FALSE(cache.find("key 0"));
}

TEST_F(DiskCacheFiles, SurvivesManyWriters) {
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      DiskCache cache(folder, 1 << 20);
      for (int i = 0; i < 100; ++i) {
        const std::string key = "key " + std::to_string(i % 5);
        cache.add(key, key + " image");
        const auto found = cache.find("key " + std::to_string((i + t) % 5));
        if (found && *found != "key " + std::to_string((i + t) % 5) + " image") ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  for (const auto& entry : fs::directory_iterator(folder)) EXPECT_EQ(entry.path().extension(), ".kernel");
}

TEST_F(DiskCacheFiles, CanBeOff) {
  DiskCache off(folder, 0), nowhere("", 1 << 20), unwritable("/proc/nowhere", 1 << 20);
  for (DiskCache* cache : {&off, &nowhere, &unwritable}) {
    cache->add("key", "image");
    EXPECT_FALSE(cache->find("key"));
  }
}

unsigned mode_of(const std::string& path) {
  struct stat about = {};
  EXPECT_EQ(::lstat(path.c_str(), &about), 0) << path;
  return about.st_mode & 07777;
}

/// A mask of permissions, for as long as it lives.
struct Umask {
  explicit Umask(unsigned mask) : before(::umask(mask)) {}
  ~Umask() { ::umask(before); }
  const mode_t before;
};

TEST_F(DiskCacheFiles, AreForTheirUserAlone) {
  for (const unsigned mask : {0000u, 0002u, 0022u, 0077u}) {
    const Umask now(mask);
    const std::string parent = folder + "/" + std::to_string(mask);
    DiskCache cache(parent + "/kernels", 1 << 20);
    cache.add("key", "image");
    EXPECT_EQ(cache.find("key"), "image");
    EXPECT_EQ(mode_of(parent), 0700u);
    EXPECT_EQ(mode_of(cache.folder()), 0700u);
    EXPECT_EQ(mode_of(cache.path("key")), 0600u);
  }
}

TEST_F(DiskCacheFiles, AreNotKeptWhereOthersWrite) {
  for (const unsigned mode : {0777u, 01777u, 0770u, 0707u}) {
    DiskCache cache(folder, 1 << 20);
    ::chmod(folder.c_str(), 0700);
    cache.add("key", "image");
    ::chmod(folder.c_str(), mode);
    EXPECT_FALSE(cache.find("key")) << mode;
    EXPECT_NE(cache.describe().find("others can write to " + folder), std::string::npos) << cache.describe();
    testing::internal::CaptureStderr();
    cache.add("another", "image");
    cache.add("a third", "image");
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_NE(said.find("chmod 700"), std::string::npos) << said;
    EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
    EXPECT_FALSE(fs::exists(cache.path("another")));
    ::chmod(folder.c_str(), 0755);  // to be read by others does no harm
    EXPECT_EQ(cache.find("key"), "image");
    EXPECT_EQ(cache.describe(), "kept in " + folder);
  }
}

TEST_F(DiskCacheFiles, OfOthersAreNotTaken) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  DiskCache cache(folder, 1 << 20);
  cache.add("key", "image");
  ASSERT_EQ(::chown(cache.path("key").c_str(), 65534, 65534), 0);
  EXPECT_FALSE(cache.find("key"));
  cache.add("key", "newer");  // takes the place of the other's file
  EXPECT_EQ(cache.find("key"), "newer");
  ASSERT_EQ(::chown(folder.c_str(), 65534, 65534), 0);
  EXPECT_FALSE(cache.find("key"));
  EXPECT_NE(cache.describe().find("belongs to another user"), std::string::npos) << cache.describe();
}

TEST_F(DiskCacheFiles, ThatOthersCouldWriteAreNotTaken) {
  DiskCache cache(folder, 1 << 20);
  for (const unsigned mode : {0666u, 0620u, 0602u}) {
    cache.add("key", "image");
    ::chmod(cache.path("key").c_str(), mode);
    EXPECT_FALSE(cache.find("key")) << mode;
  }
  cache.add("key", "newer");
  EXPECT_EQ(cache.find("key"), "newer");
}

TEST_F(DiskCacheFiles, AreNoLinksAndNoPipes) {
  DiskCache cache(folder, 1 << 20);
  cache.add("key", "image");
  const std::string path = cache.path("key"), elsewhere = folder + "/elsewhere";
  fs::rename(path, elsewhere);
  fs::create_symlink(elsewhere, path);
  EXPECT_FALSE(cache.find("key"));
  std::ofstream(elsewhere, std::ios::trunc) << "precious";
  cache.add("key", "newer");  // replaces the link, not what it points to
  EXPECT_EQ(cache.find("key"), "newer");
  EXPECT_EQ(fs::file_size(elsewhere), 8u);
  fs::remove(path);
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_FALSE(cache.find("key"));  // and does not wait for a writer
}

TEST_F(DiskCacheFiles, AreReadUpToABound) {
  DiskCache cache(folder, std::uint64_t{1} << 40);
  cache.add("key", "image");
  fs::resize_file(cache.path("key"), std::uintmax_t{3} << 30);  // a hole: it takes no room on disk
  EXPECT_FALSE(cache.find("key"));
  DiskCache small(folder + "/small", 1000);
  small.add("large", std::string(1000, 'x'));  // with its header, more than there may be
  EXPECT_FALSE(fs::exists(small.path("large")));
}

TEST_F(DiskCacheFiles, ThatAreNotItsOwnStay) {
  DiskCache cache(folder, 1 << 10);
  std::ofstream(folder + "/notes.tmp") << "mine";
  std::ofstream(folder + "/deadbeef.kernel.0123.tmp") << "of a process that died";
  for (const char* name : {"/notes.tmp", "/deadbeef.kernel.0123.tmp"})
    fs::last_write_time(folder + name, fs::file_time_type::clock::now() - std::chrono::hours(2));
  cache.trim();
  EXPECT_TRUE(fs::exists(folder + "/notes.tmp"));
  EXPECT_FALSE(fs::exists(folder + "/deadbeef.kernel.0123.tmp"));
}

TEST_F(DiskCacheFiles, SavedTextsHaveNamesThatNobodyForesees) {
  const char* before = std::getenv("TMPDIR");
  const std::string kept = before ? before : "";
  ::setenv("TMPDIR", folder.c_str(), 1);
  const std::string first = save_in_temporary_folder("cuprum_12", ".cu", "text");
  const std::string second = save_in_temporary_folder("cuprum_12", ".cu", "text");
  ::setenv("TMPDIR", "/proc/nowhere", 1);
  EXPECT_EQ(save_in_temporary_folder("cuprum_12", ".cu", "text"), "");
  before ? ::setenv("TMPDIR", kept.c_str(), 1) : ::unsetenv("TMPDIR");
  EXPECT_NE(first, second);
  for (const std::string& path : {first, second}) {
    EXPECT_TRUE(path.starts_with(folder + "/cuprum_12_") && path.ends_with(".cu")) << path;
    EXPECT_EQ(mode_of(path), 0600u);
    EXPECT_EQ(fs::file_size(path), 4u);
  }
}

}  // namespace
}  // namespace cuprum
