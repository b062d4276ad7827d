// What happened, and when: while somebody records (cp.profiler), spans of time that streams and threads of the host spent on
// something, with its name, its line of the program and its bytes.
//
// A piece of work is timed where it runs: an event of the device stands before it on its stream and one behind it (Event::when is
// the host's clock where the device has no other), and the times are read when the recording ends, or when many are waiting. Nobody
// is made to wait by recording. Several may record at a time: there is one list, and each gets what was handed over after it began.
//
// When nobody records, whoever hands work over pays one relaxed load (runtime/debug.h) and nothing else.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/backend.h"
#include "runtime/debug.h"

namespace cuprum::tracing {

enum class Kind : std::uint8_t {
  kernel,    // fused work
  call,      // a primitive
  upload,    // host to device
  download,  // device to host
  peer,      // device to device
  wait,      // on a stream: for another one; on the host: for a device
  host,      // the library's own work on a thread
  range,     // named by the program
};
inline constexpr int kKinds = 8;
const char* name(Kind kind);

/// What is known of a piece of work before it runs.
struct Note {
  Kind kind = Kind::host;
  std::string name;
  std::string expression;       // the lines that show_graph prints
  std::string places;           // of each line, where the program wrote it
  const char* place = nullptr;  // the line of the program that asked for it
  std::size_t bytes = 0;        // read and written
  const void* host = nullptr;   // a copy's host memory
  bool pinned = false;          // is it page-locked?
  const char* other =
      nullptr;  // the device at the other end of a copy, where it is none of the host's memory
};

using Time = std::chrono::steady_clock::time_point;

struct Span {
  Note note;
  int lane = 0;                     // a stream's index; a thread of the host: -1 - its number
  std::int64_t begin = 0, end = 0;  // nanoseconds of the steady clock
  std::int64_t asked = 0;           // when the program handed it over
};

/// Begins to record; gives the time of the beginning.
std::int64_t start();
struct Recording {
  std::vector<Span> spans;
  struct Thread {
    int id;            // the system's number
    std::string name;  // the system's too: short
  };
  std::vector<Thread> threads;  // of the host, by their numbers here
  std::size_t lost = 0;         // spans beyond the most that are kept
};
/// Ends a recording: waits for what was handed over, and gives what was handed over since.
Recording stop(std::int64_t since);

/// What the work that this thread hands over next is: for whoever knows more of it than the runtime does. While it lives.
class Label {
 public:
  explicit Label(Note note);
  ~Label();
  Label(const Label&) = delete;
  Label& operator=(const Label&) = delete;
  static const Note* current();

 private:
  Note note_;
  const Label* outer_;
};

/// Work of a stream, between the two ends of its life. For who knows that somebody records.
class StreamSpan {
 public:
  StreamSpan(Stream& stream, Note note);
  ~StreamSpan();
  StreamSpan(const StreamSpan&) = delete;
  StreamSpan& operator=(const StreamSpan&) = delete;

 private:
  Stream& stream_;
  Note note_;
  std::unique_ptr<Event> begin_;
  std::int64_t asked_ = 0;
};

/// What a thread of the host does, between the two ends of its life. Costs a load when nobody records.
class HostSpan {
 public:
  HostSpan(Kind kind, const char* name) {
    if (recording()) [[unlikely]]
      begin(kind, name);
  }
  ~HostSpan() {
    if (note_) [[unlikely]]
      end();
  }
  HostSpan(const HostSpan&) = delete;
  HostSpan& operator=(const HostSpan&) = delete;

 private:
  void begin(Kind kind, const char* name);
  void end() noexcept;

  std::unique_ptr<Note> note_;
  Time since_;
};

/// A copy between a device and the host, on its stream and on the thread that asks for it.
class CopySpan {
 public:
  CopySpan(Kind kind, Stream& stream, const void* host, std::size_t bytes) {
    if (recording()) [[unlikely]]
      begin(kind, stream, host, bytes);
  }
  CopySpan(const CopySpan&) = delete;
  CopySpan& operator=(const CopySpan&) = delete;

 private:
  void begin(Kind kind, Stream& stream, const void* host, std::size_t bytes);

  std::optional<HostSpan> thread_;
  std::optional<StreamSpan> copy_;
};

/// Adds what a thread of the host has done (a range of the program's).
void add(Note note, std::int64_t begin, std::int64_t end);
std::int64_t now();

Note note_of(const Kernel& kernel);
Note note_of(const Call& call);
Note note_of(const char* call, Operands in, Operands out);
Note note_of_wait(const Stream& other);
Note note_of_copy(const Backend& from, std::size_t bytes);

/// Runs `work`, which hands something to the stream.
template <class MakeNote, class F>
decltype(auto) spanned(Stream& stream, MakeNote&& note, F&& work) {
  if (!recording()) [[likely]]
    return work();
  const StreamSpan span(stream, note());
  return work();
}

}  // namespace cuprum::tracing
