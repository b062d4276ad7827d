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
