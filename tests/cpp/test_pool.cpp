// The caching allocator: alignment, reuse, cutting and joining, statistics, limits, impossible requests.
#include "backend/cpu/pool.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cuprum/error.h"
#include "runtime/backend.h"

namespace cuprum::cpu {
namespace {

TEST(Pool, BlocksAreAlignedAndPadded) {
  Pool pool;
  for (const std::size_t n : {0, 1, 64, 100, 4096, 4097, 100000, 2 << 20, 5000000}) {
    cuprum::Block& block = pool.allocate(n);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block.data) % 64, 0u);
    std::memset(block.data, 1, n + 64);
    Pool::free(block);
  }
  EXPECT_EQ(pool.stats().used_bytes, 0u);
  pool.free_all_blocks();
  EXPECT_EQ(pool.stats().total_bytes, 0u);
}

TEST(Pool, FreedBlocksAreUsedAgain) {
  Pool pool;
  for (const std::size_t n : {64, 5000, 3000000}) {
    cuprum::Block& first = pool.allocate(n);
    const std::byte* data = first.data;
    Pool::free(first);
    const std::size_t hits = pool.stats().hits;
    cuprum::Block& second = pool.allocate(n);
    EXPECT_EQ(second.data, data);
    EXPECT_EQ(pool.stats().hits, hits + 1);
    Pool::free(second);
  }
}

TEST(Pool, CountsUsedAndPeak) {
  Pool pool;
  cuprum::Block& a = pool.allocate(1000000);
  cuprum::Block& b = pool.allocate(1000000);
  EXPECT_GE(pool.stats().used_bytes, 2000000u);
  Pool::free(a);
  EXPECT_GE(pool.stats().peak_bytes, 2000000u);
  EXPECT_LT(pool.stats().used_bytes, 1500000u);
  pool.reset_peak();
  EXPECT_LT(pool.stats().peak_bytes, 1500000u);
  Pool::free(b);
}

TEST(Pool, CountsBlocksThatWait) {
  Pool pool;
  pool.set_cache_limit(std::size_t{10} << 20);
  std::vector<cuprum::Block*> blocks;
  for (const std::size_t n : {100, 100, 100000, 4 << 20, 4 << 20, 4 << 20})
    blocks.push_back(&pool.allocate(n));
  EXPECT_EQ(pool.stats().free_blocks, 0u);  // what nobody has had yet is not waiting
  for (int i = 0; i < 3; ++i) Pool::free(*blocks[i]);
  EXPECT_EQ(pool.stats().free_blocks, 3u);
  Pool::free(pool.allocate(100));  // from the cache and back
  EXPECT_EQ(pool.stats().free_blocks, 3u);
  for (int i = 3; i < 6; ++i) Pool::free(*blocks[i]);  // the limit drives the oldest large ones out
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
  pool.set_cache_limit(100 << 20);
  std::vector<cuprum::Block*> blocks;
  for (int i = 0; i < 10; ++i) blocks.push_back(&pool.allocate(40 << 20));
  for (cuprum::Block* block : blocks) Pool::free(*block);
  EXPECT_LE(pool.stats().total_bytes, std::size_t{100} << 20);
  EXPECT_GT(pool.stats().total_bytes, 0u);
}

TEST(Pool, BeyondTheLimitNothingChanges) {
  Pool pool;
  pool.set_limit(8 << 20);
  cuprum::Block& a = pool.allocate(4 << 20);
  Pool::free(pool.allocate(1 << 20));  // the cache is given back before anything is refused
  cuprum::Block& b = pool.allocate(3 << 20);
  const std::size_t used = pool.stats().used_bytes;
  try {
    pool.allocate(4 << 20);
    FAIL() << "no exception";
  } catch (const OutOfMemoryError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("4194304"), std::string::npos) << text;
    EXPECT_NE(text.find("limit is 8.00 MiB"), std::string::npos) << text;
    EXPECT_NE(text.find("in use"), std::string::npos) << text;
  }
  EXPECT_EQ(pool.stats().used_bytes, used);
  Pool::free(a);
  Pool::free(b);
}

TEST(Pool, ImpossibleRequestsRaise) {
  Pool pool;
  for (const std::size_t n : {std::size_t{1} << 46, std::size_t{1} << 62, ~std::size_t{0}}) {
    EXPECT_THROW(pool.allocate(n), OutOfMemoryError);
  }
  EXPECT_EQ(pool.stats().used_bytes, 0u);
  EXPECT_EQ(pool.stats().total_bytes, 0u);
  Pool::free(pool.allocate(100));
}

TEST(Pool, ThreadsShareIt) {
  Pool pool;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&pool, t] {
      for (int i = 0; i < 2000; ++i) {
        const std::size_t n = static_cast<std::size_t>((i * 37 + t * 11) % 9000);
        cuprum::Block& block = pool.allocate(n);
        std::memset(block.data, t, n);
        if (n > 0) {
          EXPECT_EQ(block.data[n - 1], static_cast<std::byte>(t));
        }
        Pool::free(block);
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
  Block(cuprum::Pool& pool, std::size_t bytes) : block_(pool.allocate(bytes)) {}
  ~Block() { Pool::free(block_); }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  const std::byte* data() const { return block_.data; }

 private:
  cuprum::Block& block_;
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
    EXPECT_LE(memory.fresh_, 6) << mega;
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
  std::size_t available() noexcept override { return kAll - given_; }
  std::size_t total() noexcept override { return kAll; }
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
    std::vector<cuprum::Block*> blocks;
    for (int round = 0; round < 3; ++round) {
      for (const std::size_t n : {0, 1, 64, 4096, 4097, 1 << 20, 5000000})
        blocks.push_back(&pool.allocate(n));
      for (cuprum::Block* block : blocks) Pool::free(*block);
      blocks.clear();
    }
    // Small ones share a segment, large ones too; the second and third round got the blocks of the first.
    EXPECT_EQ(memory.blocks_, 2);
    EXPECT_EQ(pool.stats().hits, 14u);
    EXPECT_EQ(pool.stats().total_bytes, memory.given_);
    EXPECT_EQ(pool.stats().used_bytes, 0u);
    // A request that fails at first is served after the cache has been given back.
    cuprum::Block& large = pool.allocate(60 << 20);
    EXPECT_EQ(memory.trims_, 0);
    EXPECT_EQ(memory.blocks_, 2);  // the small one was no hindrance
    try {
      pool.allocate(8 << 20);
      FAIL() << "no exception";
    } catch (const OutOfMemoryError& error) {
      const std::string text = error.what();
      EXPECT_NE(text.find("a test's memory"), std::string::npos) << text;
      EXPECT_NE(text.find("60.00 MiB are in use"), std::string::npos) << text;
      EXPECT_NE(text.find("4.00 MiB of the device's 64.00 MiB are free"), std::string::npos) << text;
      EXPECT_NE(text.find("largest arrays have 60.00 MiB"), std::string::npos) << text;
      EXPECT_EQ(memory.trims_, 1);
    }
    Pool::free(large);  // more than may be cached
    EXPECT_EQ(memory.given_, 0u);
  }
  EXPECT_EQ(memory.blocks_, 0);
}

TEST(Pool, BlocksAreCutAndJoined) {
  EndlessMemory memory;
  cuprum::Pool pool(memory, {.cache_limit = 100'000 * kMega});
  const std::byte* start = nullptr;
  {
    const Block all(pool, 64 * kMega);
    start = all.data();
  }
  {
    const Block a(pool, 32 * kMega), b(pool, 16 * kMega), c(pool, 8 * kMega);
    EXPECT_EQ(a.data(), start);
    EXPECT_EQ(b.data(), start + 32 * kMega);
    EXPECT_EQ(c.data(), start + 48 * kMega);
    EXPECT_EQ(pool.stats().free_blocks, 1u);
  }
  EXPECT_EQ(pool.stats().free_blocks, 1u);
  const Block again(pool, 64 * kMega);
  EXPECT_EQ(again.data(), start);
  EXPECT_EQ(memory.fresh_, 1);
}

TEST(Pool, ALargeBlockIsCutForItsKind) {
  EndlessMemory memory;
  cuprum::Pool pool(memory, {.cache_limit = 100'000 * kMega});
  { const Block all(pool, 64 * kMega); }
  const Block part(pool, 31 * kMega);  // less than half: of a segment of its own
  EXPECT_EQ(memory.fresh_, 2);
  const Block again(pool, 64 * kMega);
  EXPECT_EQ(memory.fresh_, 2);
}

TEST(Pool, SmallRequestsShareSegmentsOfTheirOwn) {
  EndlessMemory memory;
  cuprum::Pool pool(memory, {.cache_limit = 100'000 * kMega});
  { const Block large(pool, 64 * kMega); }
  std::vector<std::unique_ptr<Block>> small;
  for (int i = 0; i < 1000; ++i) small.push_back(std::make_unique<Block>(pool, 1000));
  EXPECT_EQ(memory.fresh_, 2);  // the large segment is as it was
  const Block again(pool, 64 * kMega);
  EXPECT_EQ(memory.fresh_, 2);
}

/// Random requests: blocks in use never overlap, and everything becomes whole again.
TEST(Pool, RandomRequests) {
  Pool pool;
  std::mt19937 random(7);
  std::vector<std::pair<cuprum::Block*, std::size_t>> live;
  for (int i = 0; i < 20000; ++i) {
    if (live.size() > 200 || (!live.empty() && random() % 2 == 0)) {
      const std::size_t at = random() % live.size();
      const auto [block, n] = live[at];
      for (const std::size_t byte : {std::size_t{0}, n / 2, n - 1})
        ASSERT_EQ(block->data[byte], static_cast<std::byte>(n)) << n;
      Pool::free(*block);
      live[at] = live.back();
      live.pop_back();
    } else {
      const std::size_t n = 1 + (random() % (std::size_t{1} << (random() % 22)));
      cuprum::Block& block = pool.allocate(n);
      std::memset(block.data, static_cast<int>(n & 255), n);
      live.emplace_back(&block, n);
    }
  }
  for (const auto& [block, n] : live) Pool::free(*block);
  EXPECT_EQ(pool.stats().used_bytes, 0u);
  pool.free_all_blocks();
  EXPECT_EQ(pool.stats().total_bytes, 0u);
  EXPECT_EQ(pool.stats().free_blocks, 0u);
}

TEST(Pool, ItMayEndBeforeItsBlocks) {
  UntouchableMemory memory;
  auto pool = std::make_unique<cuprum::Pool>(memory, Pool::Options{.cache_limit = std::size_t{48} << 20});
  cuprum::Block& large = pool->allocate(5000000);
  cuprum::Block& small = pool->allocate(100);
  Pool::retire(std::move(pool));
  EXPECT_EQ(memory.blocks_, 2);
  Pool::free(large);
  Pool::free(small);
  EXPECT_EQ(memory.blocks_, 0);
}

TEST(Pool, WhatCouldNeverBeMetLeavesTheCacheAlone) {
  UntouchableMemory memory;
  cuprum::Pool pool(memory, {.cache_limit = std::size_t{48} << 20});
  { const Block kept(pool, 8 << 20); }
  EXPECT_THROW(pool.allocate(65 << 20), OutOfMemoryError);
  pool.set_limit(20 << 20);
  EXPECT_THROW(pool.allocate(21 << 20), OutOfMemoryError);
  EXPECT_EQ(memory.blocks_, 1);
  EXPECT_EQ(memory.trims_, 0);
}

}  // namespace
}  // namespace cuprum::cpu
