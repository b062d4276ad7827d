// The caching allocator: alignment, reuse, statistics, limits, impossible requests.
#include "backend/cpu/pool.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "cuprum/error.h"
#include "runtime/backend.h"

namespace cuprum::cpu {
namespace {

TEST(Pool, BlocksAreAlignedAndPadded) {
  Pool pool;
  for (const std::size_t n : {0, 1, 64, 100, 4096, 4097, 100000, 2 << 20, 5000000}) {
    std::byte* p = pool.allocate(n).data;
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(p) % 64, 0u);
    std::memset(p, 1, n + 64);
    pool.free(p, n);
  }
  EXPECT_EQ(pool.stats().used_bytes, 0u);
  pool.free_all_blocks();
  EXPECT_EQ(pool.stats().total_bytes, 0u);
}

TEST(Pool, FreedBlocksAreUsedAgain) {
  Pool pool;
  for (const std::size_t n : {64, 5000, 3000000}) {
    std::byte* first = pool.allocate(n).data;
    pool.free(first, n);
    const std::size_t hits = pool.stats().hits;
    std::byte* second = pool.allocate(n).data;
    EXPECT_EQ(first, second);
    EXPECT_EQ(pool.stats().hits, hits + 1);
    pool.free(second, n);
  }
}

TEST(Pool, CountsUsedAndPeak) {
  Pool pool;
  std::byte* a = pool.allocate(1000000).data;
  std::byte* b = pool.allocate(1000000).data;
  EXPECT_GE(pool.stats().used_bytes, 2000000u);
  pool.free(a, 1000000);
  EXPECT_GE(pool.stats().peak_bytes, 2000000u);
  EXPECT_LT(pool.stats().used_bytes, 1500000u);
  pool.reset_peak();
  EXPECT_LT(pool.stats().peak_bytes, 1500000u);
  pool.free(b, 1000000);
}

TEST(Pool, CountsBlocksThatWait) {
  Pool pool;
  pool.set_cache_limit(std::size_t{10} << 20);
  std::vector<std::byte*> blocks;
  for (const std::size_t n : {100, 100, 100000, 4 << 20, 4 << 20, 4 << 20})
    blocks.push_back(pool.allocate(n).data);
  EXPECT_EQ(pool.stats().free_blocks, 0u);
  pool.free(blocks[0], 100);
  pool.free(blocks[1], 100);
  pool.free(blocks[2], 100000);
  EXPECT_EQ(pool.stats().free_blocks, 3u);
  pool.free(pool.allocate(100).data, 100);  // from the cache and back
  EXPECT_EQ(pool.stats().free_blocks, 3u);
  for (int i = 3; i < 6; ++i) pool.free(blocks[i], 4 << 20);  // the limit drives the oldest large ones out
  EXPECT_LE(pool.stats().free_blocks, 5u);
  EXPECT_GE(pool.stats().free_blocks, 3u);
  pool.free_all_blocks();
  EXPECT_EQ(pool.stats().free_blocks, 0u);
  EXPECT_EQ(pool.stats().total_bytes, 0u);
}

TEST(Memory, AddressesOfOthersAreCheckedBeforeUse) {
  Backend& cpu = cpu_backend();
  std::vector<std::byte> mine(100);
  EXPECT_TRUE(cpu.can_use(mine.data(), mine.size()));
  EXPECT_TRUE(cpu.can_use(nullptr, 0));
  EXPECT_FALSE(cpu.can_use(nullptr, 1));
  EXPECT_FALSE(cpu.can_use(reinterpret_cast<std::byte*>(64), 8));
}

TEST(Memory, PinnedMemoryIsAligned) {
  Backend& cpu = cpu_backend();
  for (const std::size_t n : {0, 1, 64, 1000}) {
    std::byte* data = cpu.allocate_pinned(n);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(data) % 64, 0u);
    std::memset(data, 1, n);
    cpu.free_pinned(data);
  }
  EXPECT_THROW(cpu.allocate_pinned(SIZE_MAX - 1), OutOfMemoryError);
}

TEST(Pool, TheCacheIsBounded) {
  Pool pool;
  pool.set_cache_limit(10 << 20);
  std::vector<std::byte*> blocks;
  for (int i = 0; i < 10; ++i) blocks.push_back(pool.allocate(4 << 20).data);
  for (std::byte* p : blocks) pool.free(p, 4 << 20);
  EXPECT_LE(pool.stats().total_bytes, std::size_t{10} << 20);
  EXPECT_GT(pool.stats().total_bytes, 0u);
}

TEST(Pool, BeyondTheLimitNothingChanges) {
  Pool pool;
  pool.set_limit(8 << 20);
  std::byte* a = pool.allocate(4 << 20).data;
  pool.free(pool.allocate(1 << 20).data, 1 << 20);  // the cache is given back before anything is refused
  std::byte* b = pool.allocate(3 << 20).data;
  const std::size_t used = pool.stats().used_bytes;
  try {
    pool.allocate(4 << 20).data;
    FAIL() << "no exception";
  } catch (const OutOfMemoryError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("4194304"), std::string::npos) << text;
    EXPECT_NE(text.find("limit is 8.00 MiB"), std::string::npos) << text;
    EXPECT_NE(text.find("in use"), std::string::npos) << text;
  }
  EXPECT_EQ(pool.stats().used_bytes, used);
  pool.free(a, 4 << 20);
  pool.free(b, 3 << 20);
}

TEST(Pool, ImpossibleRequestsRaise) {
  Pool pool;
  for (const std::size_t n : {std::size_t{1} << 46, std::size_t{1} << 62, ~std::size_t{0}}) {
    EXPECT_THROW(pool.allocate(n), OutOfMemoryError);
  }
  EXPECT_EQ(pool.stats().used_bytes, 0u);
  EXPECT_EQ(pool.stats().total_bytes, 0u);
  std::byte* p = pool.allocate(100).data;
  pool.free(p, 100);
}

TEST(Pool, ThreadsShareIt) {
  Pool pool;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&pool, t] {
      for (int i = 0; i < 2000; ++i) {
        const std::size_t n = static_cast<std::size_t>((i * 37 + t * 11) % 9000);
        std::byte* p = pool.allocate(n).data;
        std::memset(p, t, n);
        if (n > 0) {
          EXPECT_EQ(p[n - 1], static_cast<std::byte>(t));
        }
        pool.free(p, n);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(pool.stats().used_bytes, 0u);
  EXPECT_EQ(pool.stats().allocations, 8000u);
}

/// Memory that nobody can touch, as much as anybody asks for.
class EndlessMemory final : public MemorySource {
 public:
  std::byte* allocate(std::size_t bytes, Stream*) noexcept override {
    ++fresh_;
    return reinterpret_cast<std::byte*>(next_ += bytes);
  }
  void free(std::byte*, std::size_t, const Uses&) noexcept override {}
  std::string describe() const override { return "a test's memory"; }

  std::uintptr_t next_ = std::uintptr_t{0x5A} << 56;
  int fresh_ = 0;
};

constexpr std::size_t kMega = std::size_t{1} << 20;

/// A block in use for as long as it lives.
class Block {
 public:
  Block(cuprum::Pool& pool, std::size_t bytes)
      : pool_(pool), bytes_(bytes), data_(pool.allocate(bytes).data) {}
  ~Block() { pool_.free(data_, bytes_); }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

 private:
  cuprum::Pool& pool_;
  std::size_t bytes_;
  std::byte* data_;
};

TEST(Pool, SizesThatNeverComeAgainDoNotPileUp) {
  EndlessMemory memory;
  cuprum::Pool pool(memory, {.cache_limit = 100'000 * kMega});
  const Block kept(pool, 300 * kMega);
  for (std::size_t mega = 10; mega < 300; ++mega) {
    const Block grows(pool, mega * kMega);
    EXPECT_LE(pool.stats().total_bytes, 2 * pool.stats().peak_bytes + 256 * kMega);
  }
  EXPECT_LE(pool.stats().total_bytes, 2 * pool.stats().peak_bytes);
}

TEST(Pool, WhatWasInUseLongAgoIsGivenBack) {
  EndlessMemory memory;
  cuprum::Pool pool(memory, {.cache_limit = 100'000 * kMega});
  { const Block a(pool, 4000 * kMega), b(pool, 2000 * kMega); }
  EXPECT_GE(pool.stats().total_bytes, 6000 * kMega);
  for (int i = 0; i < 1000; ++i) const Block small(pool, 100 * kMega);
  EXPECT_LE(pool.stats().total_bytes, 256 * kMega);
}

TEST(Pool, LoopsFindTheirBlocksAgain) {
  for (const std::size_t mega : {1, 40, 1000}) {
    EndlessMemory memory;
    cuprum::Pool pool(memory, {.cache_limit = 100'000 * kMega});
    for (int i = 0; i < 1000; ++i) {
      { const Block a(pool, mega * kMega), b(pool, mega * kMega), c(pool, mega * kMega); }
      const Block a(pool, 2 * mega * kMega), b(pool, mega * kMega / 2), c(pool, 5000);
    }
    EXPECT_EQ(memory.fresh_, 6) << mega;
  }
}

/// Memory that nobody can touch, and not much of it: what a pool of device memory sees.
class UntouchableMemory final : public MemorySource {
 public:
  std::byte* allocate(std::size_t bytes, Stream*) noexcept override {
    if (given_ + bytes > kAll) return nullptr;
    given_ += bytes;
    ++blocks_;
    return reinterpret_cast<std::byte*>(next_ += std::uintptr_t{1} << 40);
  }
  void free(std::byte*, std::size_t bytes, const Uses&) noexcept override {
    given_ -= bytes;
    --blocks_;
  }
  void trim() noexcept override { ++trims_; }
  std::size_t largest_free() noexcept override { return kAll - given_; }
  std::string describe() const override { return "a test's memory"; }

  static constexpr std::size_t kAll = 64 << 20;
  std::uintptr_t next_ = std::uintptr_t{0x5A} << 56;
  std::size_t given_ = 0;
  int blocks_ = 0;
  int trims_ = 0;
};

TEST(Pool, BlocksThatTheHostCannotTouch) {
  UntouchableMemory memory;
  {
    cuprum::Pool pool(memory, {.cache_limit = std::size_t{48} << 20});
    std::vector<std::pair<std::byte*, std::size_t>> blocks;
    for (int round = 0; round < 3; ++round) {
      for (const std::size_t n : {0, 1, 64, 4096, 4097, 1 << 20, 5000000})
        blocks.emplace_back(pool.allocate(n).data, n);
      for (const auto& [block, n] : blocks) pool.free(block, n);
      blocks.clear();
    }
    EXPECT_EQ(memory.blocks_, 7);  // the second and third round got the blocks of the first
    EXPECT_EQ(pool.stats().hits, 14u);
    EXPECT_EQ(pool.stats().total_bytes, memory.given_);
    EXPECT_EQ(pool.stats().used_bytes, 0u);
    // A request that fails at first is served after the cache has been given back.
    std::byte* large = pool.allocate(60 << 20).data;
    EXPECT_EQ(memory.trims_, 1);
    EXPECT_EQ(memory.blocks_, 1);
    try {
      pool.allocate(8 << 20).data;
      FAIL() << "no exception";
    } catch (const OutOfMemoryError& error) {
      const std::string text = error.what();
      EXPECT_NE(text.find("a test's memory"), std::string::npos) << text;
      EXPECT_NE(text.find("60.00 MiB are in use"), std::string::npos) << text;
      EXPECT_NE(text.find("largest free block has 4.00 MiB"), std::string::npos) << text;
    }
    pool.free(large, 60 << 20);  // more than may be cached
    EXPECT_EQ(memory.given_, 0u);
  }
  EXPECT_EQ(memory.blocks_, 0);
}

}  // namespace
}  // namespace cuprum::cpu
