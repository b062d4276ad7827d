// Recording: spans of several threads and streams, recordings within recordings, and devices with a clock of their own. And the
// threads that copy within host memory.
#include "runtime/trace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <thread>

#include "runtime/far.h"
#include "runtime/host_threads.h"

namespace cuprum {
namespace {

tracing::Note named(const char* name) {
  tracing::Note note;
  note.kind = tracing::Kind::kernel;
  note.name = name;
  return note;
}

std::vector<std::string> names(const tracing::Recording& recording) {
  std::vector<std::string> list;
  for (const tracing::Span& span : recording.spans) list.push_back(span.note.name);
  std::ranges::sort(list);
  return list;
}

void work_on(Stream& stream, const char* name) {
  const tracing::StreamSpan span(stream, named(name));
  stream.launch_host([] { std::this_thread::sleep_for(std::chrono::milliseconds(2)); });
}

TEST(Trace, NothingIsKeptWhenNobodyRecords) {
  work_on(cpu_backend().first_stream(), "lost");
  { const tracing::HostSpan span(tracing::Kind::host, "lost"); }
  EXPECT_FALSE(recording());
  const std::int64_t since = tracing::start();
  EXPECT_TRUE(recording());
  EXPECT_TRUE(watched());
  EXPECT_FALSE(debugging());
  EXPECT_TRUE(tracing::stop(since).spans.empty());
  EXPECT_FALSE(recording());
}

TEST(Trace, WorkOfAQueueIsTimedWhereItRuns) {
  Backend& far = far_backend(0);
  Stream& stream = far.take_stream({});
  const std::int64_t since = tracing::start();
  work_on(stream, "one");
  work_on(stream, "two");
  const tracing::Recording recording = tracing::stop(since);  // waits for both
  ASSERT_EQ(recording.spans.size(), 2u);
  const tracing::Span& one = recording.spans[0];
  const tracing::Span& two = recording.spans[1];
  EXPECT_EQ(one.note.name, "one");
  EXPECT_EQ(one.lane, stream.index);
  EXPECT_GE(one.begin, since);
  EXPECT_GE(one.end - one.begin, 2'000'000);
  EXPECT_LE(one.end, two.begin);
  far.give_stream(stream);
}

TEST(Trace, RecordingsWithinRecordings) {
  Stream& stream = far_backend(0).first_stream();
  const std::int64_t outer = tracing::start();
  work_on(stream, "a");
  const std::int64_t inner = tracing::start();
  work_on(stream, "b");
  EXPECT_EQ(names(tracing::stop(inner)), std::vector<std::string>{"b"});
  work_on(stream, "c");
  EXPECT_EQ(names(tracing::stop(outer)), (std::vector<std::string>{"a", "b", "c"}));
}

TEST(Trace, ManyThreadsRecordWhileOthersBeginAndEnd) {
  constexpr int kThreads = 4, kSpans = 500;
  const std::int64_t since = tracing::start();
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([t] {
      Stream& stream = far_backend(t % 2).take_stream({});
      for (int i = 0; i < kSpans; ++i) {
        const tracing::StreamSpan span(stream, named("s"));
        const tracing::HostSpan host(tracing::Kind::host, "h");
      }
      stream.synchronize();
      far_backend(t % 2).give_stream(stream);
    });
  }
  threads.emplace_back([] {
    for (int i = 0; i < 50; ++i) tracing::stop(tracing::start());
  });
  for (std::thread& thread : threads) thread.join();
  const tracing::Recording recording = tracing::stop(since);
  EXPECT_EQ(recording.lost, 0u);
  EXPECT_EQ(recording.spans.size(), 2u * kThreads * kSpans);
  for (const tracing::Span& span : recording.spans) EXPECT_LE(span.begin, span.end);
}

/// Tells times on a clock of its own, as CUDA does: milliseconds between two events, in single precision.
class OwnEvent final : public Event {
 public:
  void record(Stream&) override { at_ = tracing::now(); }
  void synchronize() override {}
  bool done() override { return true; }
  std::int64_t at_ = 0;
};

class OwnClock final : public Backend {
 public:
  OwnClock() : Backend(false) {}
  const char* name() const override { return "own clock"; }
  Ref<Buffer> allocate(Stream& stream, std::size_t n) override { return cpu_backend().allocate(stream, n); }
  bool host_accessible() const override { return true; }
  void copy_to_host(Stream&, void*, const std::byte*, std::size_t) override {}
  void copy_from_host(Stream&, std::byte*, const void*, std::size_t) override {}
  void run(Stream&, const Kernel&) override {}
  Fault call(Stream&, const Call&) override { return {}; }
  std::shared_ptr<const CountedMask> count_true(Stream&, const View&) override { return {}; }
  std::unique_ptr<Event> make_event(const EventOptions&) override { return std::make_unique<OwnEvent>(); }
  double between(Event& start, Event& stop) override {
    return static_cast<float>(
        static_cast<double>(static_cast<OwnEvent&>(stop).at_ - static_cast<OwnEvent&>(start).at_) * 1e-6);
  }
};

TEST(Trace, AClockOfItsOwnIsBroughtToTheHosts) {
  static auto* const device = new OwnClock;
  const std::int64_t since = tracing::start();
  std::vector<std::int64_t> before, after;
  for (int i = 0; i < 5; ++i) {
    before.push_back(tracing::now());
    {
      const tracing::StreamSpan span(device->first_stream(), named("own"));
      std::this_thread::sleep_for(std::chrono::milliseconds(60));  // some are far from the first event
    }
    after.push_back(tracing::now());
  }
  const tracing::Recording recording = tracing::stop(since);
  ASSERT_EQ(recording.spans.size(), 5u);
  for (std::size_t i = 0; i < 5; ++i) {
    constexpr std::int64_t kSlack = 1'000'000'000;  // a busy machine; wrong units would be further off
    EXPECT_GE(recording.spans[i].begin, before[i] - 1000);
    EXPECT_LE(recording.spans[i].begin, before[i] + kSlack);
    EXPECT_GE(recording.spans[i].end - recording.spans[i].begin, 59'999'000);
    EXPECT_LE(recording.spans[i].end, after[i] + kSlack);
  }
}

TEST(HostThreads, CopiesOfAnySizeBySeveralCallers) {
  std::vector<std::thread> callers;
  for (std::size_t c = 0; c < 4; ++c) {
    callers.emplace_back([c] {
      for (const std::size_t n : {std::size_t{0}, std::size_t{100}, (std::size_t{5} << 20) + 13 + c}) {
        std::vector<unsigned char> from(n), to(n + 1, 7);
        std::iota(from.begin(), from.end(), static_cast<unsigned char>(c));
        copy_by_threads(to.data(), from.data(), n);
        EXPECT_TRUE(std::equal(from.begin(), from.end(), to.begin()));
        EXPECT_EQ(to[n], 7);
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
}

}  // namespace
}  // namespace cuprum
