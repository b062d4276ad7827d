// CUPRUM_DEBUG=1: the device is waited for after each kernel, and an error says which operations it comes from and where
// the program wrote them. Without it nothing is remembered and nothing is waited for.
#pragma once

#include <atomic>
#include <string>

#include "cuprum/error.h"

namespace cuprum {

extern std::atomic<bool> debug_flag;
inline bool debugging() { return debug_flag.load(std::memory_order_relaxed); }
inline void set_debugging(bool on) { debug_flag.store(on, std::memory_order_relaxed); }

/// Says where the program is now, as "script.py:12"; empty where it cannot be known. Installed by the binding.
using PlaceFn = std::string (*)();
void set_place_hook(PlaceFn hook);

/// Where the program is now; nullptr: not known. Each place is kept once, and for good.
const char* current_place();

/// While debugging: adds " (in <what> at script.py:12)" to the error's text.
void note_place(Error& error, const char* what = nullptr);

}  // namespace cuprum
