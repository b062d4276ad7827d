// Recording by several threads at a time (runtime/recording_lock.h): beside each other, and beside one that has the graph alone.
#include <atomic>
#include <thread>

#include "engine_fixture.h"
#include "runtime/lock.h"
#include "runtime/recording_lock.h"

using namespace cuprum;
using namespace cuprum::test;

class Recording : public EngineTest {
 protected:
  /// Runs `work(t)` in so many threads, and waits for them.
  template <class F>
  static void in_threads(int count, F work) {
    std::vector<std::jthread> threads;
    for (int t = 0; t < count; ++t) threads.emplace_back([=] { work(t); });
  }
};
CUPRUM_ON_BOTH_BACKENDS(Recording);

TEST_P(Recording, EveryNodeIsCountedOnce) {
  const Array x = range({8});
  const std::uint64_t before = engine_stats().nodes_recorded;
  in_threads(4, [&](int) {
    for (int i = 0; i < 500; ++i) (x + x) * 2.0;
  });
  EXPECT_EQ(engine_stats().nodes_recorded - before, 4u * 500 * 2);
  EXPECT_EQ(engine_stats().pinned_bytes, 0);
}

// All threads link into the readers of one buffer and of one node, and drop what they have linked in another order.
TEST_P(Recording, ThreadsReadOneArray) {
  const Array x = range({16});
  const Array pending = x * 2.0;
  std::vector<double> last(4);
  in_threads(4, [&](int t) {
    std::vector<Array> kept(7);
    for (int i = 0; i < 2000; ++i) kept[static_cast<std::size_t>(i) % kept.size()] = pending + x * (t + i);
    last[t] = values_of(kept[1999 % 7])[3];
  });
  for (int t = 0; t < 4; ++t) EXPECT_EQ(last[t], 6.0 + 3 * (t + 1999));
}

// What one thread records another one evaluates, writes or drops.
TEST_P(Recording, ArraysTravelBetweenThreads) {
  std::vector<Array> sent(64);
  std::vector<std::atomic<int>> ready(64);
  const Array x = range({32});
  std::vector<double> sums(64);
  in_threads(4, [&](int t) {
    for (int i = t; i < 64; i += 4) {
      sent[i] = x + static_cast<double>(i);
      ready[i].store(1);
      ready[i].notify_all();
      const int theirs = (i + 32) % 64 ^ 1;
      if (i < 32) continue;
      ready[theirs].wait(0);
      Array mine = std::move(sent[theirs]);
      in_place(Op::multiply, mine, number(2));
      sums[theirs] = values_of(sum(mine, 1))[0];
    }
  });
  for (int i = 0; i < 32; ++i) EXPECT_EQ(sums[i], 2 * (31 * 32 / 2 + 32 * i)) << i;
}

TEST_P(Recording, BesideOneThatPlans) {
  const Array x = range({64});
  std::atomic<bool> done{false};
  std::jthread planner([&] {
    for (double i = 0; !done.load(); ++i) {
      Array y = x + i;
      in_place(Op::add, y, number(1));
      EXPECT_EQ(values_of(y)[63], 64 + i);
      evaluate_all(backend());
    }
  });
  in_threads(3, [&](int t) {
    for (int i = 0; i < 1000; ++i) {
      const Array y = (x * static_cast<double>(t) + x) * 0.5;
      if (i % 100 == 0) {
        EXPECT_EQ(values_of(y)[2], t + 1);
      }
    }
  });
  done = true;
}

TEST_P(Recording, PendingArraysOutliveTheirThread) {
  const Array x = range({10});
  std::vector<Array> made(8);
  in_threads(8, [&](int t) { made[t] = x * static_cast<double>(t); });
  evaluate_all(backend());
  for (int t = 0; t < 8; ++t) {
    EXPECT_FALSE(is_pending(made[t]));
    EXPECT_EQ(values_of(made[t])[9], 9.0 * t);
  }
}

TEST_P(Recording, BoundsHoldInEveryThread) {
  const Array x = range({4});
  const std::uint32_t most = engine_options().max_nodes;
  in_threads(2, [&](int) {
    Array y = x;
    for (std::uint32_t i = 0; i < 3 * most; ++i) y = y + 1.0;
    EXPECT_EQ(values_of(y)[0], 3.0 * most);
  });
}

TEST(RecordingLock, IsNestedInBothAndKeepsOthersOut) {
  {
    const RecordingLock outer;
    const RecordingLock inner;
  }
  const EngineLock alone;
  const RecordingLock inside;
  EXPECT_FALSE(inside_recording());
  EXPECT_FALSE(shares_graph);
}

// The lock with which a thread has the graph alone is not to be had inside a section: it would wait for itself.
TEST(RecordingLockDeathTest, AloneInsideASection) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH(
      {
        { const RecordingLock first; }
        const RecordingLock section;
        const EngineLock alone;
      },
      "while its thread records");
}
