// cuprum/profiler.h
#include <algorithm>
#include <filesystem>

#include "examples.h"

TEST(Examples, profiler) {
  // profiler::time_range::time_range, profiler::recording::recording, profiler::recording::stop
  {
    cp::profiler::recording recording;
    {
      const cp::profiler::time_range named("squares", true);
      cp::evaluate({cp::square(cp::arange(1000.0))});
    }
    const std::vector<cp::profiler::span> spans = recording.stop();
    const auto found = std::ranges::find(spans, "range", &cp::profiler::span::kind);
    shows(found->name, "squares");
    shows(found->begin < found->end, "true");
  }
  // profiler::profile::profile
  {
    const cp::profiler::profile watched;  // what `nsys profile --capture-range=cudaProfilerApi` shows
    shows(cp::sum(cp::arange(1000.0)), "499500.0");
  }
  // profiler::timeline::timeline
  {
    {
      const cp::profiler::timeline trace("trace.json");
      cp::evaluate({cp::square(cp::arange(1000.0))});
    }
    shows(std::filesystem::file_size("trace.json") > 0, "true");  // for ui.perfetto.dev
  }
}
