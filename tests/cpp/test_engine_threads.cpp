// Arrays used by several threads at once: recording, evaluating, writing and forgetting.
#include <thread>

#include "engine_fixture.h"

using namespace cuprum;
using namespace cuprum::test;

class EngineThreads : public EngineTest {};
CUPRUM_ON_BOTH_BACKENDS(EngineThreads);

TEST_P(EngineThreads, ProgramsOverSharedArraysDoNotDisturbEachOther) {
  const Array shared = range({500});
  const Array pending = shared * 2.0;
  std::vector<double> sums(4);
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i) {
        Array own = pending + shared;
        in_place(Op::multiply, own, number(t + 1));
        assign(slice(own, 0, 250), number(0));
        sums[t] = values_of(sum(own, 1))[0];
      }
    });
  }
  threads.clear();
  for (int t = 0; t < 4; ++t) EXPECT_EQ(sums[t], (t + 1) * 3.0 * (499 * 500 / 2 - 249 * 250 / 2));
}

TEST_P(EngineThreads, WritesToOneArrayAreAtomicPerCall) {
  const Array total = array({0, 0, 0});
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 100; ++i) in_place(Op::add, total, number(1));
    });
  }
  threads.clear();
  EXPECT_EQ(values_of(total), (std::vector<double>{400, 400, 400}));
}

TEST_P(EngineThreads, ExceptionsInOneThreadLeaveTheOthersAlone) {
  const Array a = range({10});
  std::vector<int> caught(4);
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i) {
        Array frozen = a + static_cast<double>(i);
        frozen.set_writeable(false);
        try {
          assign(frozen, number(0));
        } catch (const ValueError&) {
          ++caught[t];
        }
        EXPECT_EQ(values_of(frozen)[0], i);
      }
    });
  }
  threads.clear();
  for (int t = 0; t < 4; ++t) EXPECT_EQ(caught[t], 50);
}

// -- Kernels that are long enough to run without the lock (expr/flight.h).

constexpr std::int64_t kLong = 20000;

TEST_P(EngineThreads, OnePendingArrayIsEvaluatedOnceByAll) {
  for (int round = 0; round < 20; ++round) {
    const Array x = range({kLong});
    const Array y = (x + x) * 3.0;
    const std::uint64_t before = engine_stats().kernels;
    std::vector<double> last(4);
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] { last[t] = values_of(y).back(); });
    }
    threads.clear();
    for (const double v : last) EXPECT_EQ(v, 6.0 * (kLong - 1));
    EXPECT_EQ(engine_stats().kernels - before, 1u);
  }
}

TEST_P(EngineThreads, WhatIsInFlightIsReadRenamedAndDropped) {
  const Array x = range({kLong});
  for (int round = 0; round < 20; ++round) {
    Array y = x * 2.0;
    std::vector<double> sums(3);
    std::vector<std::jthread> threads;
    threads.emplace_back([&, mine = y] { sums[0] = values_of(sum(mine, 1))[0]; });
    threads.emplace_back([&, mine = y] {
      const Array z = mine + mine;  // reads y, in flight or not
      sums[1] = values_of(sum(z, 1))[0];
    });
    threads.emplace_back([&, mine = x * 2.0] {
      in_place(Op::add, mine, number(1));  // another name for the memory
      assign(slice(mine, 0, 1), number(5));
      sums[2] = values_of(sum(mine, 1))[0];
    });
    y = Array();  // somebody evaluates it, perhaps at this moment
    threads.clear();
    const double total = 2.0 * (kLong - 1) * kLong / 2;
    EXPECT_EQ(sums, (std::vector<double>{total, 2 * total, total + kLong + 4}));
  }
}

TEST_P(EngineThreads, AWriteWaitsForReadersInFlight) {
  for (int round = 0; round < 20; ++round) {
    const Array x = range({kLong});
    const Array before = x + 1.0;  // pending, reads x
    std::vector<double> got(2);
    {
      std::jthread reader([&] { got[0] = values_of(sum(before, 1))[0]; });
      assign(slice(x, 0, kLong / 2), number(0));
      got[1] = values_of(sum(x, 1))[0];
    }
    const double half = (kLong / 2 - 1) * (kLong / 2) / 2.0, all = (kLong - 1) * kLong / 2.0;
    EXPECT_EQ(got, (std::vector<double>{all + kLong, all - half}));
  }
}
