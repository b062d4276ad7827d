// The host's side of an accelerator, for programs of many small steps (CUPRUM_DEVICE=auto).
//
// It is the CPU once more, with memory of its own, and the program knows it as the accelerator (Backend::known_as). Arrays of at most
// `host_side_limit` bytes are made here and compute here among themselves, until they meet larger ones or their address is asked for:
// then they move over (expr/place.h). What an array of the explicit device "cpu" may not do, they may not either.
#pragma once

#include <atomic>
#include <cstddef>

#include "runtime/backend.h"

namespace cuprum {

extern std::atomic<bool> host_sides_used;

/// Has any device a host's side? A program without one pays this load.
inline bool host_sides_are_used() { return host_sides_used.load(std::memory_order_relaxed); }

/// Made when first asked for, and never destroyed. Of the CPU and the reference: they themselves.
Backend& host_side_of(Backend& device);

/// The most bytes of an array that stays on the host. See benchmarks/results/ for the figures behind the default.
std::size_t host_side_limit();
/// Returns what was set before: for tests.
std::size_t set_host_side_limit(std::size_t bytes);

/// Where a new array of so many bytes is made, for who has asked for `device`: on the accelerator if it is large, or if the work of
/// this thread is being captured.
Backend& place_of_new(Backend& device, std::size_t nbytes);

}  // namespace cuprum
