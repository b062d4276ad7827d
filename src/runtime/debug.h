// Who watches the program: debugging and recording. While anybody does, operations remember where the program wrote them.
//
// CUPRUM_DEBUG=1: the device is waited for after each kernel, and an error says which operations it comes from and where the
// program wrote them. Recording (runtime/trace.h): what happens is written down. Without either nothing is remembered and nothing is
// waited for; both are bits of one word, so that whoever asks pays one load.
#pragma once

#include <atomic>
#include <string>

#include "cuprum/error.h"

namespace cuprum {

inline constexpr unsigned kDebugs = 1;
inline constexpr unsigned kRecords = 2;
extern std::atomic<unsigned> watchers;

inline bool watched() { return watchers.load(std::memory_order_relaxed) != 0; }
inline bool debugging() { return (watchers.load(std::memory_order_relaxed) & kDebugs) != 0; }
inline bool recording() { return (watchers.load(std::memory_order_relaxed) & kRecords) != 0; }
inline void set_watcher(unsigned bit, bool on) {
  if (on)
    watchers.fetch_or(bit);
  else
    watchers.fetch_and(~bit);
}
inline void set_debugging(bool on) { set_watcher(kDebugs, on); }

/// Says where the program is now, as "script.py:12"; empty where it cannot be known. Installed by the binding.
using PlaceFn = std::string (*)();
void set_place_hook(PlaceFn hook);

/// Where the program is now; nullptr: not known. Each place is kept once, and for good.
const char* current_place();

/// While debugging: adds " (in <what> at script.py:12)" to the error's text.
void note_place(Error& error, const char* what = nullptr);

}  // namespace cuprum
