// Streams: when one waits for another, and that work over streams, threads and devices gives what it gives in program order.
#include <thread>

#include "engine_fixture.h"
#include "runtime/capture.h"
#include "runtime/far.h"
#include "runtime/hand_over.h"
#include "runtime/pool.h"

namespace cuprum {
namespace {

using namespace test;

/// A stream that tells for whom it has waited.
struct Watched final : Stream {
  Watched() : Stream(cpu_backend()) {}
  void wait_for(Stream& other) override { waits.push_back(&other); }
  bool done() override { return is_done; }

  std::vector<Stream*> waits;
  bool is_done = false;
};

std::vector<Stream*> waits_of(Watched& stream) { return std::exchange(stream.waits, {}); }

TEST(Streams, OneStreamNeverWaits) {
  const EngineLock lock;
  Watched s;
  Uses uses;
  for (int i = 0; i < 3; ++i) {
    uses.before_write(s);
    uses.written_at(s.mark());
    uses.before_read(s);
    uses.read_at(s.mark());
  }
  EXPECT_TRUE(waits_of(s).empty());
}

TEST(Streams, ReadsComeBehindTheLastWriteAndWritesBehindAll) {
  const EngineLock lock;
  Watched a, b, c;
  Uses uses;
  uses.written_at(a.mark());
  uses.before_read(b);
  EXPECT_EQ(waits_of(b), std::vector<Stream*>{&a});
  uses.read_at(b.mark());
  uses.before_read(c);  // reads do not wait for reads
  EXPECT_EQ(waits_of(c), std::vector<Stream*>{&a});
  uses.read_at(c.mark());
  uses.before_write(a);
  EXPECT_EQ(waits_of(a), (std::vector<Stream*>{&b, &c}));
  uses.written_at(a.mark());
  uses.before_write(a);
  EXPECT_TRUE(waits_of(a).empty());
}

TEST(Streams, OneWaitServesManyOperands) {
  const EngineLock lock;
  Watched a, b, c;
  Uses first, second, third;
  first.written_at(a.mark());
  second.written_at(a.mark());
  second.before_read(b);
  first.before_read(b);  // came before
  EXPECT_EQ(waits_of(b), std::vector<Stream*>{&a});
  third.written_at(b.mark());
  third.before_read(c);
  EXPECT_EQ(waits_of(c), std::vector<Stream*>{&b});
  second.before_write(c);  // `b` waited for it, and `c` for `b`
  EXPECT_TRUE(waits_of(c).empty());
  first.written_at(a.mark());
  first.before_read(c);
  EXPECT_EQ(waits_of(c), std::vector<Stream*>{&a});
}

TEST(Streams, WhatIsDoneNeedsNoWait) {
  const EngineLock lock;
  Watched a, b;
  Uses uses;
  uses.written_at(a.mark());
  EXPECT_FALSE(a.poll());
  EXPECT_FALSE(uses.finished());
  a.is_done = true;
  EXPECT_TRUE(a.poll());
  EXPECT_TRUE(uses.finished());
  uses.before_write(b);
  EXPECT_TRUE(waits_of(b).empty());
  uses.wait();
}

/// Another current stream of far while it lives.
struct On {
  explicit On(Stream& stream) : device(stream.device), before(set_current_stream(device, &stream)) {}
  ~On() { set_current_stream(device, before); }
  Backend& device;
  Stream* before;
};

TEST(Streams, AChainOverStreamsIsOneChain) {
  Backend& far = far_backend();
  std::vector<Stream*> streams;
  for (int i = 0; i < 4; ++i) streams.push_back(&far.take_stream({}));
  for (int round = 0; round < 20; ++round) {
    Array x = iota(far, Dims{1000});
    for (int i = 0; i < 12; ++i) {
      const On on(*streams[static_cast<std::size_t>(i * 7 + round) % 4]);
      Array next = x + 1.0;
      evaluate({&next, 1});
      in_place(Op::multiply, slice(x, 0, 500), number(0));  // behind the read
      x = next;
    }
    const std::vector<double> values = values_of(x);
    for (std::size_t i = 0; i < 500; ++i) ASSERT_EQ(values[i], static_cast<double>(i) + 12) << round;
  }
  for (Stream* stream : streams) far.give_stream(*stream);
}

TEST(Streams, ThreadsWithStreamsOfTheirOwn) {
  Backend& far = far_backend();
  const Array shared = iota(far, Dims{5000});
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      Stream& stream = far.take_stream({});
      const On on(stream);
      for (int i = 0; i < 30; ++i) {
        const Array mine = shared * (t + 1.0) + 1.0;
        const Array total = sum(mine, 1);
        right += values_of(total)[0] == (t + 1.0) * 5000 * 4999 / 2 + 5000;
      }
      far.give_stream(stream);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 120);
}

TEST(Streams, MemoryChangesStreams) {
  Backend& far = far_backend();
  Stream& other = far.take_stream({});
  for (int i = 0; i < 50; ++i) {
    Array late;
    {
      const On on(other);
      const Array written = iota(far, Dims{4096}) + static_cast<double>(i);
      late = written * 2.0;
      evaluate({&late, 1});
    }
    far.pool().free_all_blocks();
    Array here = iota(far, Dims{4096}) * 3.0;
    evaluate({&here, 1});
    ASSERT_EQ(values_of(here)[4095], 3 * 4095.0);
    ASSERT_EQ(values_of(late)[4095], 2 * (4095.0 + i));
  }
  far.give_stream(other);
}

TEST(Streams, BetweenDevices) {
  const Array from = iota(far_backend(0), Dims{1000}) + 1.0;
  const Array to = make_array(far_backend(1), dtype::float64, Dims{1000});
  ASSERT_TRUE(copy_from_peer(to, from));
  in_place(Op::multiply, slice(from, 0, 1000), number(0));
  EXPECT_EQ(values_of(to)[999], 1000);
  EXPECT_FALSE(copy_from_peer(make_array(cpu_backend(), dtype::float64, Dims{1000}), from));
}

TEST(Streams, ADroppedStreamIsTakenAgain) {
  Backend& cpu = cpu_backend();
  Stream& first = cpu.take_stream({.priority = -1});
  cpu.give_stream(first);
  EXPECT_EQ(&cpu.take_stream({.priority = -1}), &first);
  EXPECT_NE(&cpu.take_stream({.priority = -1}), &first);
  EXPECT_NE(&cpu.take_stream({}), &first);
}

}  // namespace
}  // namespace cuprum
