// Where the time went: a record of everything that ran, with names of the program's own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace cuprum::profiler {

/// Names what the program does while it lives: an entry of the timeline, and a range of NVTX where NVIDIA's profilers watch. With
/// `sync`, the device is waited for at both ends, so that the range holds the work that was asked for.
class time_range {
 public:
  explicit time_range(std::string name, bool sync = false);
  ~time_range();
  time_range(const time_range&) = delete;
  time_range& operator=(const time_range&) = delete;

 private:
  std::string name_;
  bool sync_;
  std::int64_t begin_;
};

/// What runs while it lives is what NVIDIA's profilers show, when they are told to wait for it (`nsys profile
/// --capture-range=cudaProfilerApi`). Without CUDA it does nothing.
class profile {
 public:
  profile();
  ~profile();
  profile(const profile&) = delete;
  profile& operator=(const profile&) = delete;
};

/// Time that a stream or a thread of the host has spent on something.
struct span {
  std::string kind;        // kernel, call, upload, download, peer, wait, host, range
  std::string name;        // of the kernel or the call
  std::string expression;  // what it computes, as show_graph prints it
  std::string lane;        // "cuda:0 stream 3", "thread 4711"
  std::int64_t begin = 0;  // nanoseconds since the recording began
  std::int64_t end = 0;
  std::size_t bytes = 0;  // read and written
};

/// Records what runs, from its beginning to stop().
class recording {
 public:
  recording();
  ~recording();
  recording(const recording&) = delete;
  recording& operator=(const recording&) = delete;

  /// Evaluates what is pending on the current device, waits for what was handed over, and gives the spans by their begin.
  std::vector<span> stop();

 private:
  std::int64_t since_;
  bool stopped_ = false;
};

/// Records while it lives, and writes the spans as a file of trace events (JSON), which https://ui.perfetto.dev and chrome://tracing
/// show. ValueError if the file cannot be written.
class timeline {
 public:
  explicit timeline(std::string path);
  ~timeline();
  timeline(const timeline&) = delete;
  timeline& operator=(const timeline&) = delete;

 private:
  std::string path_;
  recording recording_;
};

}  // namespace cuprum::profiler
