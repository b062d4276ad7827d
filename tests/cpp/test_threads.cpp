// The thread pool: every chunk once, exceptions, nesting, several callers, fork.
#include "backend/cpu/threads.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include "cuprum/error.h"

namespace cuprum::cpu {
namespace {

class Threads : public ::testing::Test {
 protected:
  void SetUp() override { set_num_threads(4); }
  void TearDown() override { set_num_threads(2); }
};

TEST_F(Threads, EveryChunkRunsOnce) {
  for (const std::int64_t n : {0, 1, 2, 7, 1000}) {
    std::vector<std::atomic<int>> runs(static_cast<std::size_t>(n));
    parallel_for(n, [&](std::int64_t i) { ++runs[static_cast<std::size_t>(i)]; });
    for (const auto& count : runs) EXPECT_EQ(count.load(), 1);
  }
}

TEST_F(Threads, ManyJobsInARow) {
  std::atomic<std::int64_t> sum{0};
  for (int job = 0; job < 3000; ++job) parallel_for(5, [&](std::int64_t i) { sum += i; });
  EXPECT_EQ(sum.load(), 30000);
}

TEST_F(Threads, JobsAfterAPause) {  // the workers have gone to sleep
  std::atomic<int> runs{0};
  for (int job = 0; job < 20; ++job) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    parallel_for(4, [&](std::int64_t) { ++runs; });
  }
  EXPECT_EQ(runs.load(), 80);
}

TEST_F(Threads, ExceptionsReachTheCaller) {
  for (int job = 0; job < 50; ++job) {
    EXPECT_THROW(parallel_for(100,
                              [](std::int64_t i) {
                                if (i == 37) throw std::runtime_error("chunk 37");
                              }),
                 std::runtime_error);
  }
  std::atomic<int> runs{0};
  parallel_for(10, [&](std::int64_t) { ++runs; });
  EXPECT_EQ(runs.load(), 10);
}

TEST_F(Threads, NestedCallsRunInline) {
  std::atomic<int> runs{0};
  parallel_for(8, [&](std::int64_t) {
    EXPECT_TRUE(in_parallel());
    parallel_for(8, [&](std::int64_t) { ++runs; });
  });
  EXPECT_EQ(runs.load(), 64);
  EXPECT_FALSE(in_parallel());
}

TEST_F(Threads, SeveralCallers) {
  std::atomic<std::int64_t> sum{0};
  std::vector<std::thread> callers;
  for (int t = 0; t < 3; ++t) {
    callers.emplace_back([&] {
      for (int job = 0; job < 200; ++job) parallel_for(6, [&](std::int64_t i) { sum += i; });
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(sum.load(), 3 * 200 * 15);
}

TEST_F(Threads, TheNumberCanChange) {
  for (const int n : {1, 3, 2, 8}) {
    set_num_threads(n);
    EXPECT_EQ(num_threads(), n);
    std::atomic<int> runs{0};
    parallel_for(20, [&](std::int64_t) { ++runs; });
    EXPECT_EQ(runs.load(), 20);
  }
  EXPECT_THROW(set_num_threads(0), ValueError);
}

#if !defined(__SANITIZE_THREAD__)
TEST_F(Threads, AChildProcessMakesItsOwn) {
  parallel_for(4, [](std::int64_t) {});
  const pid_t child = fork();
  if (child == 0) {
    std::atomic<int> runs{0};
    parallel_for(16, [&](std::int64_t) { ++runs; });
    _exit(runs.load() == 16 ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}
#endif

}  // namespace
}  // namespace cuprum::cpu
