// The runtime of a C++ program: streams, events, graphs, devices, pools, chunks, the recorder. On the CPU and on `far`, whose
// work is asynchronous and whose memory the host cannot read.
#include <cuprum/cuprum.h>
#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <numeric>
#include <sstream>

#include "temporary_folder.h"

namespace cp = cuprum;
using Doubles = std::vector<double>;

namespace {

class ApiRuntime : public testing::TestWithParam<const char*> {
 protected:
  const cp::device_scope device{GetParam()};
};

Doubles counted(std::int64_t n) {
  Doubles values(static_cast<std::size_t>(n));
  std::iota(values.begin(), values.end(), 0.0);
  return values;
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(Devices, ApiRuntime, testing::Values("cpu", "far"));

// -- Streams ----------------------------------------------------------------------------------------------

TEST_P(ApiRuntime, AScopeChoosesAStreamForAWhile) {
  const cp::stream null = cp::stream::null(), own;
  EXPECT_TRUE(cp::get_current_stream() == null);
  EXPECT_FALSE(own == null);
  EXPECT_EQ(own.device(), GetParam());
  cp::array y;
  {
    const cp::stream_scope here(own);
    EXPECT_TRUE(cp::get_current_stream() == own);
    const cp::stream inner;
    {
      const cp::stream_scope deeper(inner);
      EXPECT_TRUE(cp::get_current_stream() == inner);
    }
    EXPECT_TRUE(cp::get_current_stream() == own);
    y = cp::arange(4.0) * 2.0;
  }
  EXPECT_TRUE(cp::get_current_stream() == null);
  EXPECT_FALSE(y.is_pending());  // leaving a stream hands over what was recorded there
  EXPECT_EQ((y + 1.0).to_host<double>(), (Doubles{1, 3, 5, 7}));
  own.synchronize();
  EXPECT_TRUE(own.done());
  EXPECT_TRUE(cp::stream::from_external(own.native()) == own);
}

TEST_P(ApiRuntime, StreamsRememberTheirOptions) {
  const cp::stream s({.non_blocking = true, .priority = -1000});
  EXPECT_TRUE(s.is_non_blocking());
  EXPECT_EQ(s.priority(), -5);  // as far as the device goes
}

TEST_P(ApiRuntime, EventsOrderAndTimeWork) {
  const cp::stream first, second;
  const cp::event start, stop({.disable_timing = false});
  EXPECT_TRUE(start.done());
  EXPECT_THROW(cp::get_elapsed_time(start, stop), cp::ValueError);
  start.record(first);
  cp::array y;
  {
    const cp::stream_scope here(first);
    y = cp::arange(1000.0) + 1.0;
  }
  stop.record(first);
  second.wait_event(stop);
  stop.synchronize();
  EXPECT_TRUE(stop.done());
  EXPECT_GE(cp::get_elapsed_time(start, stop), 0);
  second.record().synchronize();
  EXPECT_EQ(cp::sum(y).item<double>(), 500500);
  const cp::event silent({.disable_timing = true});
  silent.record();
  EXPECT_THROW(cp::get_elapsed_time(silent, stop), cp::ValueError);
}

TEST_P(ApiRuntime, FunctionsOfTheHostRunInTheirTurn) {
  const cp::stream s;
  std::atomic<int> seen = 0;
  s.launch_host_func([&] { ++seen; });
  s.synchronize();
  EXPECT_EQ(seen, 1);
}

TEST_P(ApiRuntime, AGraphRunsAsOftenAsOneLikes) {
  const cp::array a = cp::arange(3.0), b = cp::zeros({3});
  cp::evaluate({a, b});
  const cp::stream s;
  std::optional<cp::graph> graph;
  {
    const cp::stream_scope here(s);
    s.begin_capture();
    EXPECT_TRUE(s.is_capturing());
    b += a * 2.0;
    graph = s.end_capture();
  }
  EXPECT_FALSE(s.is_capturing());
  graph->launch();
  graph->launch(s);
  EXPECT_EQ(b.to_host<double>(), (Doubles{0, 4, 8}));
  EXPECT_THROW(s.end_capture(), cp::DeviceError);
  EXPECT_THROW(cp::stream::null().begin_capture(), cp::DeviceError);
}

// -- Devices and memory -----------------------------------------------------------------------------------

TEST_P(ApiRuntime, DevicesTellWhatTheyAre) {
  EXPECT_EQ(cp::device(), GetParam());
  const cp::device_info info = cp::get_device_info();
  EXPECT_EQ(info.name, GetParam());
  EXPECT_EQ(info.host_accessible, info.name == "cpu");
  EXPECT_EQ(cp::get_device_info("cpu").name, "cpu");
  EXPECT_EQ(cp::get_compute_capability(), "");
  EXPECT_THROW(cp::get_device_info("nowhere"), cp::ValueError);
  EXPECT_FALSE(cp::find_devices().empty());
}

TEST_P(ApiRuntime, ArraysGoBetweenDevices) {
  const cp::array here = cp::arange(3.0), there = cp::to_device(here, "cpu");
  EXPECT_EQ(cp::device_of(here), GetParam());
  EXPECT_EQ(cp::device_of(there), "cpu");
  EXPECT_EQ(cp::host_span<double>(there)[2], 2);
  {
    const cp::device_scope inner("far:1");
    EXPECT_EQ(cp::device_of(cp::zeros({2})), "far:1");
  }
  EXPECT_EQ(cp::device(), GetParam());
  cp::synchronize("cpu");
}

TEST_P(ApiRuntime, APoolOfItsOwnHasFiguresAndALimit) {
  const cp::memory_pool pool;
  {
    const cp::allocator_scope from(pool);
    const cp::array a = cp::ones({1024});
    cp::evaluate({a});
    EXPECT_GE(pool.used_bytes(), 8192);
    EXPECT_GE(pool.total_bytes(), pool.used_bytes());
    EXPECT_GE(pool.n_allocations(), 1);
    pool.set_limit(1 << 20);
    EXPECT_EQ(pool.get_limit(), 1 << 20);
    EXPECT_THROW(cp::evaluate({cp::ones({1 << 18})}), cp::OutOfMemoryError);
    EXPECT_EQ(cp::sum(a).item<double>(), 1024);
  }
  EXPECT_EQ(pool.used_bytes(), 0);
  EXPECT_GE(pool.peak_bytes(), 8192);
  pool.reset_peak();
  EXPECT_EQ(pool.peak_bytes(), 0);
  pool.free_all_blocks();
  EXPECT_EQ(pool.total_bytes(), 0);
  EXPECT_EQ(pool.free_bytes(), 0);
  EXPECT_THROW(pool.set_limit_fraction(2), cp::ValueError);
  pool.set_limit_fraction(0.5);
  EXPECT_GT(pool.get_limit(), 1 << 20);
}

TEST_P(ApiRuntime, TheDefaultPoolIsTheDevices) {
  const cp::memory_pool pool = cp::get_default_memory_pool();
  const std::size_t before = pool.used_bytes();
  const cp::array a = cp::ones({1 << 16});
  cp::evaluate({a});
  EXPECT_GE(pool.used_bytes(), before + (std::size_t{8} << 16));
  EXPECT_EQ(pool.used_bytes(), cp::memory().used_bytes);
}

TEST(ApiMemory, SpillIsAllowedByTheProgram) {
  EXPECT_FALSE(cp::spill_is_allowed());
  cp::allow_spill(true);
  EXPECT_TRUE(cp::spill_is_allowed());
  cp::allow_spill(false);
  EXPECT_LE(cp::spilled_bytes().on_host, cp::spilled_bytes().to_host);
}

// -- Chunks -----------------------------------------------------------------------------------------------

TEST_P(ApiRuntime, ChunksAreWrittenOneBehindTheOther) {
  const std::int64_t n = 1000;
  const Doubles x = counted(2 * n), w = counted(n);
  std::vector<float> y(static_cast<std::size_t>(2 * n));
  cp::map_chunks([](const auto& in) { return in[0] + in[1](cp::slice(), cp::newaxis); },
                 {{x.data(), {n, 2}}, {w.data(), {n}}}, {y.data(), {n, 2}}, {.chunk_bytes = 1000});
  for (std::size_t i = 0; i < y.size(); ++i) ASSERT_EQ(y[i], static_cast<float>(i + i / 2));
}

TEST_P(ApiRuntime, ChunksMayGoBackToWhereTheyCameFrom) {
  Doubles x = counted(100);
  cp::map_chunks([](const auto& in) { return in[0] * 2.0; }, {{x.data(), {100}}}, {x.data(), {100}},
                 {.chunk_bytes = 80});
  EXPECT_EQ(x[99], 198);
  EXPECT_EQ(x[10], 20);
}

TEST_P(ApiRuntime, ChunksAreCombined) {
  const Doubles x = counted(1000);
  int calls = 0;
  const cp::array total = cp::map_chunks(
      [&](const auto& in) {
        ++calls;
        return cp::sum(in[0]);
      },
      {{x.data(), {1000}}}, [](const cp::array& sum, const cp::array& part) { return sum + part; },
      {.chunk_bytes = 800});
  EXPECT_EQ(calls, 10);
  EXPECT_EQ(total.item<double>(), 499500);
}

TEST_P(ApiRuntime, AChunkThatFailsIsNamedAndThoseBeforeItAreWritten) {
  Doubles x = counted(100), y(100, -1.0);
  const auto half = [](const std::vector<cp::array>& in) {
    if (cp::max(in[0]).item<double>() > 50) throw cp::ValueError("too large");
    return in[0] / 2.0;
  };
  try {
    cp::map_chunks(half, {{x.data(), {100}}}, {y.data(), {100}}, {.chunk_bytes = 160});
    FAIL();
  } catch (const cp::ChunkError& error) {
    EXPECT_EQ(error.index, 2);
    EXPECT_EQ(error.start, 40);
    EXPECT_STREQ(error.what(), "cuprum.map_chunks: chunk 2, [40:60] along axis 0: too large");
  }
  EXPECT_EQ(y[39], 19.5);
  EXPECT_EQ(y[40], -1);
  const auto wrong = [](const std::vector<cp::array>& in) { return cp::sum(in[0]); };
  EXPECT_THROW(cp::map_chunks(wrong, {{x.data(), {100}}}, {y.data(), {100}}), cp::ChunkError);
  EXPECT_THROW(cp::map_chunks(half, {}, {y.data(), {100}}), cp::ValueError);
  EXPECT_THROW(cp::map_chunks(half, {{x.data(), {100}}, {y.data(), {50}}}, {y.data(), {100}}),
               cp::ValueError);
  EXPECT_THROW(cp::map_chunks(half, {{x.data(), {100}}}, {y.data(), {50}}), cp::ValueError);
}

TEST_P(ApiRuntime, NothingIsOneChunk) {
  Doubles none;
  cp::map_chunks([](const auto& in) { return in[0] + 1.0; }, {{none.data(), {0, 3}}}, {none.data(), {0, 3}});
}

// -- The recorder -----------------------------------------------------------------------------------------

TEST_P(ApiRuntime, ARecordingHasKernelsAndRanges) {
  cp::profiler::recording recording;
  {
    const cp::profiler::time_range named("squares", true);
    cp::evaluate({cp::square(cp::arange(1000.0)) + 1.0});
  }
  const std::vector<cp::profiler::span> spans = recording.stop();
  const auto found = [&](std::string_view kind) {
    return std::find_if(spans.begin(), spans.end(), [&](const auto& s) { return s.kind == kind; });
  };
  ASSERT_NE(found("kernel"), spans.end());
  EXPECT_EQ(found("kernel")->lane.rfind(GetParam(), 0), 0u);
  EXPECT_GT(found("kernel")->bytes, 0u);
  ASSERT_NE(found("range"), spans.end());
  EXPECT_EQ(found("range")->name, "squares");
  EXPECT_LE(found("range")->begin, found("kernel")->begin);
  EXPECT_TRUE(recording.stop().empty());
}

TEST_P(ApiRuntime, ATimelineIsAFileOfTraceEvents) {
  const cp::testing_support::TemporaryFolder folder;
  const std::string path = folder / "timeline.json";
  {
    const cp::profiler::timeline timeline(path);
    const cp::profiler::time_range named("a \"name\"");
    cp::evaluate({cp::arange(10.0) * 2.0});
  }
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  EXPECT_EQ(text.str().rfind("{\"traceEvents\":[", 0), 0u);
  EXPECT_NE(text.str().find("a \\\"name\\\""), std::string::npos);
  EXPECT_THROW(cp::profiler::timeline("/nowhere/at/all.json"), cp::ValueError);
}
