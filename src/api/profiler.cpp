#include "cuprum/profiler.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <utility>

#include "cuprum/error.h"
#include "cuprum/runtime.h"
#include "runtime/devices.h"
#include "runtime/lock.h"
#include "runtime/trace.h"

namespace cuprum::profiler {

// -- Ranges ---------------------------------------------------------------------------------------------

time_range::time_range(std::string name, bool sync) : name_(std::move(name)), sync_(sync), begin_(0) {
  if (sync_) synchronize();
  begin_ = tracing::now();
  push_range(name_.c_str());
}
time_range::~time_range() {
  try {
    if (sync_) synchronize();
  } catch (const Error&) {  // told to whoever asks for the arrays
  }
  pop_range();
  if (!cuprum::recording()) return;
  tracing::Note note;
  note.kind = tracing::Kind::range;
  note.name = name_;
  tracing::add(std::move(note), begin_, tracing::now());
}

profile::profile() {
  const BlockingSection others_run;
  watch(true);
}
profile::~profile() {
  try {
    synchronize();
  } catch (const Error&) {  // told to whoever asks for the arrays
  }
  const BlockingSection others_run;
  watch(false);
}

// -- Recordings -----------------------------------------------------------------------------------------

namespace {

std::string lane_of(const tracing::Span& s, const tracing::Recording& all) {
  if (s.lane < 0) {
    const auto& thread = all.threads.at(static_cast<std::size_t>(-1 - s.lane));
    return thread.name + " " + std::to_string(thread.id);
  }
  return std::string(Stamp(s.lane, 1).stream().device.name()) + " stream " + std::to_string(s.lane);
}

}  // namespace

recording::recording() : since_(tracing::start()) {}
recording::~recording() {
  if (!stopped_) tracing::stop(since_);
}

std::vector<span> recording::stop() {
  std::vector<span> spans;
  if (std::exchange(stopped_, true)) return spans;
  synchronize();
  tracing::Recording all;
  {
    const BlockingSection others_run;
    all = tracing::stop(since_);
  }
  for (const tracing::Span& s : all.spans)
    spans.push_back({tracing::name(s.note.kind), s.note.name, s.note.expression, lane_of(s, all),
                     s.begin - since_, s.end - since_, s.note.bytes});
  std::ranges::sort(spans, {}, &span::begin);
  return spans;
}

// -- The timeline's file --------------------------------------------------------------------------------

namespace {

std::string string_literal(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      (out += '\\') += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", c);
      out += escape;
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string microseconds(std::int64_t nanoseconds) {
  return std::to_string(static_cast<double>(nanoseconds) * 1e-3);
}

/// The format of trace events: complete events, a thread for every lane.
void write_events(std::ostream& file, const std::vector<span>& spans) {
  std::map<std::string, int> lanes;
  for (const span& s : spans) lanes.try_emplace(s.lane, static_cast<int>(lanes.size()));
  const char* comma = "";
  file << "{\"traceEvents\":[";
  for (const auto& [name, number] : lanes) {
    file << std::exchange(comma, ",") << "\n{\"ph\":\"M\",\"pid\":0,\"tid\":" << number
         << ",\"name\":\"thread_name\",\"args\":{\"name\":" << string_literal(name) << "}}";
  }
  for (const span& s : spans) {
    file << std::exchange(comma, ",") << "\n{\"ph\":\"X\",\"pid\":0,\"tid\":" << lanes.at(s.lane)
         << ",\"ts\":" << microseconds(s.begin) << ",\"dur\":" << microseconds(s.end - s.begin)
         << ",\"cat\":" << string_literal(s.kind) << ",\"name\":" << string_literal(s.name)
         << ",\"args\":{\"bytes\":" << s.bytes << ",\"expression\":" << string_literal(s.expression) << "}}";
  }
  file << "\n]}\n";
}

}  // namespace

timeline::timeline(std::string path) : path_(std::move(path)) {
  if (!std::ofstream(path_))  // what cannot be written is known before an hour's work
    throw ValueError("cuprum.profiler.timeline: " + path_ + " cannot be written");
}
timeline::~timeline() {
  try {
    std::ofstream file(path_);
    write_events(file, recording_.stop());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "cuprum.profiler.timeline: %s: %s\n", path_.c_str(), error.what());
  }
}

}  // namespace cuprum::profiler
