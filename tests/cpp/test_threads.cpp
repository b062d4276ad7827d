// The thread pool: every chunk once, exceptions, nesting, several callers, fork; workers that slept, and where they may run.
#include "backend/cpu/threads.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "backend/cpu/sleep_place.h"
#include "cuprum/error.h"

namespace cuprum::cpu {
namespace {

constexpr auto kLongPause =
    std::chrono::milliseconds(3);  // workers sleep, and wake off the caller's processor

/// The processors that a thread may use; 0: this one.
cpu_set_t mask_of(pid_t thread) {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  EXPECT_EQ(sched_getaffinity(thread, sizeof mask, &mask), 0);
  return mask;
}

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

TEST_F(Threads, WorkersThatWakeLateTouchNothing) {  // their job may have ended, and its memory be gone
  for (int job = 0; job < 300; ++job) {
    std::vector<std::atomic<int>> runs(static_cast<std::size_t>(2 + job % 5));
    parallel_for(static_cast<std::int64_t>(runs.size()),
                 [&](std::int64_t i) { ++runs[static_cast<std::size_t>(i)]; });
    for (const auto& count : runs) EXPECT_EQ(count.load(), 1);
    std::this_thread::sleep_for(std::chrono::microseconds(job % 3 * 700));
  }
}

TEST_F(Threads, JobsOfManyLengths) {  // idle threads look for work for a time that depends on it
  std::atomic<int> runs{0};
  for (const int us : {0, 10, 100, 1000, 5000}) {
    for (int job = 0; job < 4; ++job) {
      parallel_for(4, [&](std::int64_t i) {
        std::this_thread::sleep_for(std::chrono::microseconds(i == job ? us : 0));
        ++runs;
      });
    }
  }
  EXPECT_EQ(runs.load(), 5 * 4 * 4);
}

TEST_F(Threads, WorkersKeepTheirProcessors) {
  const cpu_set_t mine = mask_of(0);
  for (int job = 0; job < 10; ++job) {
    std::this_thread::sleep_for(kLongPause);
    parallel_for(4, [&](std::int64_t) {
      const cpu_set_t mask = mask_of(0);
      EXPECT_TRUE(CPU_EQUAL(&mask, &mine));
      std::this_thread::sleep_for(std::chrono::milliseconds(1));  // so that others take chunks too
    });
  }
}

TEST_F(Threads, ASleeperIsKeptOffOneProcessor) {
  SleepPlace place;
  std::atomic<pid_t> sleeper{0};
  std::atomic<int> step{0};
  std::thread thread([&] {
    place.enter();
    sleeper = gettid();
    step.wait(0);
    place.leave();
    step = 2;
    step.notify_one();
    step.wait(2);
  });
  while (sleeper == 0) std::this_thread::yield();
  const cpu_set_t before = mask_of(sleeper);
  int cpu = 0;
  while (!CPU_ISSET(cpu, &before)) ++cpu;
  for (const int nonsense : {-1, CPU_SETSIZE}) place.keep_off(nonsense);
  for (int twice = 0; twice < 2; ++twice) place.keep_off(cpu);
  cpu_set_t during = mask_of(sleeper);
  const bool movable = CPU_COUNT(&before) > 1;
  EXPECT_EQ(CPU_COUNT(&during), CPU_COUNT(&before) - (movable ? 1 : 0));
  EXPECT_EQ(CPU_ISSET(cpu, &during) != 0, !movable);
  step = 1;
  step.notify_one();
  step.wait(1);
  place.keep_off(cpu);  // awake again
  during = mask_of(sleeper);
  EXPECT_TRUE(CPU_EQUAL(&during, &before));
  step = 3;
  step.notify_one();
  thread.join();
}

TEST_F(Threads, ASleeperWithOneProcessorStaysThere) {
  std::thread([] {
    cpu_set_t one = mask_of(0);
    int cpu = 0;
    while (!CPU_ISSET(cpu, &one)) ++cpu;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    SleepPlace place;
    place.enter();
    place.keep_off(cpu);
    const cpu_set_t mask = mask_of(0);
    EXPECT_TRUE(CPU_EQUAL(&mask, &one));
    place.leave();
  }).join();
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

TEST_F(Threads, ExceptionsAfterAPause) {
  for (int job = 0; job < 20; ++job) {
    std::this_thread::sleep_for(kLongPause);
    EXPECT_THROW(parallel_for(8, [](std::int64_t i) { throw std::runtime_error(std::to_string(i)); }),
                 std::runtime_error);
  }
}

TEST_F(Threads, AChunkMayWaitForThoseBeforeIt) {
  for (int threads : {1, 2, 3, 8}) {
    set_num_threads(threads);
    for (std::int64_t chunks : {0, 1, 2, 7, 1000}) {
      std::vector<std::atomic<int>> done(static_cast<std::size_t>(chunks));
      parallel_for_ascending(chunks, [&](std::int64_t i) {
        while (i > 0 && done[static_cast<std::size_t>(i - 1)] == 0) std::this_thread::yield();
        ++done[static_cast<std::size_t>(i)];
      });
      for (const auto& d : done) ASSERT_EQ(d, 1);
    }
  }
}

TEST_F(Threads, ExceptionsOfAscendingChunks) {
  EXPECT_THROW(parallel_for_ascending(1000,
                                      [](std::int64_t i) {
                                        if (i == 5) throw std::runtime_error("five");
                                      }),
               std::runtime_error);
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

TEST_F(Threads, ManyCallersWithPauses) {
  std::atomic<std::int64_t> sum{0};
  std::vector<std::thread> callers;
  for (int t = 0; t < 8; ++t) {
    callers.emplace_back([&, t] {
      for (int job = 0; job < 30; ++job) {
        std::this_thread::sleep_for(std::chrono::microseconds((t * 7 + job) % 4 * 600));
        parallel_for(6, [&](std::int64_t i) { sum += i; });
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(sum.load(), 8 * 30 * 15);
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
/// Forks; the child runs two jobs, the second of them after a pause, and finds every processor of its parent.
void expect_jobs_in_child() {
  const cpu_set_t mine = mask_of(0);
  const pid_t child = fork();
  if (child == 0) {
    std::atomic<int> runs{0};
    for (int job = 0; job < 2; ++job) {
      parallel_for(16, [&](std::int64_t) {
        const cpu_set_t mask = mask_of(0);
        runs += CPU_EQUAL(&mask, &mine) ? 1 : 0;
      });
      std::this_thread::sleep_for(kLongPause);
    }
    _exit(runs.load() == 32 ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST_F(Threads, AChildProcessMakesItsOwn) {
  parallel_for(4, [](std::int64_t) {});
  expect_jobs_in_child();  // the workers look for work
  std::this_thread::sleep_for(kLongPause);
  expect_jobs_in_child();  // they sleep
  std::atomic<int> runs{0};
  parallel_for(4, [&](std::int64_t) { ++runs; });
  EXPECT_EQ(runs.load(), 4);
}
#endif

}  // namespace
}  // namespace cuprum::cpu
