// The on-disk cache of compiled kernels: whole files or none, whoever writes, whatever was written.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "jit/disk_cache.h"

namespace cuprum::cuda {
namespace {

namespace fs = std::filesystem;

class CudaDiskCache : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = fs::temp_directory_path() / "cuprum_cache_XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder = name;
  }
  void TearDown() override { fs::remove_all(folder); }

  std::uint64_t bytes_on_disk() const {
    std::uint64_t total = 0;
    for (const auto& entry : fs::directory_iterator(folder)) total += entry.file_size();
    return total;
  }

  std::string folder;
};

TEST_F(CudaDiskCache, KeepsImages) {
  DiskCache cache(folder + "/deep/er", 1 << 20);
  EXPECT_FALSE(cache.find("key"));
  cache.add("key", std::string("im\0age", 6));
  cache.add("other", "another");
  EXPECT_EQ(cache.find("key"), std::string("im\0age", 6));
  EXPECT_EQ(DiskCache(folder + "/deep/er", 1 << 20).find("other"), "another");
  cache.add("key", "newer");
  EXPECT_EQ(cache.find("key"), "newer");
}

TEST_F(CudaDiskCache, IgnoresWhatIsBroken) {
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

TEST_F(CudaDiskCache, IsBounded) {
  constexpr std::uint64_t limit = 64 << 10;
  DiskCache cache(folder, limit);
  for (int i = 0; i < 200; ++i) cache.add("key " + std::to_string(i), std::string(2000, 'x'));
  cache.trim();
  EXPECT_LE(bytes_on_disk(), limit);
  EXPECT_GT(bytes_on_disk(), limit / 2);
  EXPECT_TRUE(cache.find("key 199"));
  EXPECT_FALSE(cache.find("key 0"));
}

TEST_F(CudaDiskCache, SurvivesManyWriters) {
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

TEST_F(CudaDiskCache, CanBeOff) {
  DiskCache off(folder, 0), nowhere("", 1 << 20), unwritable("/proc/nowhere", 1 << 20);
  for (DiskCache* cache : {&off, &nowhere, &unwritable}) {
    cache->add("key", "image");
    EXPECT_FALSE(cache->find("key"));
  }
}

TEST(CudaCacheSize, IsParsed) {
  EXPECT_EQ(parse_size("4096", 1), 4096u);
  EXPECT_EQ(parse_size("64K", 1), 65536u);
  EXPECT_EQ(parse_size("2G", 1), std::uint64_t{2} << 30);
  EXPECT_EQ(parse_size("0", 1), 0u);
  for (const char* text : {"", "-1", "many", "3 apples"}) EXPECT_EQ(parse_size(text, 7), 7u);
  EXPECT_EQ(parse_size(nullptr, 7), 7u);
}

}  // namespace
}  // namespace cuprum::cuda
