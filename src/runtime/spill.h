// Spill: where a device has no room left, the buffers that were not used for longest go to the host, and come back when work names
// them. Off by default.
//
// A buffer may go whose address nobody outside knows and no work is being handed over with. Nobody waits: the copy is work of the
// stream that used the buffer last, the memory it leaves keeps that as a use, and whoever gets the memory comes behind it. The same on
// the way back. Host memory comes from a pool of page-locked blocks, ordinary ones where no more pages can be locked.
//
// Functions are called under the graph's lock, unless they say otherwise.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

#include "runtime/buffer.h"

namespace cuprum {

extern std::atomic<bool> spill_on;
extern std::atomic<bool> spill_used;          // it is on, or was: some buffers may be on the host
extern std::atomic<std::uint64_t> use_clock;  // one tick per hand-over, while it is used

inline bool spill_is_on() { return spill_on.load(std::memory_order_relaxed); }
inline bool spill_is_used() { return spill_used.load(std::memory_order_relaxed); }
/// On any thread. What is on the host when it is turned off comes back when it is used.
void set_spill(bool on);

/// Buffers of fewer bytes stay. Returns what was set before.
std::size_t set_spill_least(std::size_t bytes);

/// Since the process began.
struct SpillStats {
  std::size_t to_host = 0;    // bytes that went
  std::size_t from_host = 0;  // bytes that came back
  std::size_t on_host = 0;    // bytes that are there now
  std::size_t again = 0;      // of those that went, bytes that had come back before
};
SpillStats spill_stats();
/// Says that the same bytes go back and forth: called once, on the thread whose request made it so.
void set_spill_warning(void (*warn)(const std::string& text));
void set_spill_warned(bool has_warned);

/// A block for work on the stream, after buffers were sent away if need be; nullptr: none is left that may go. Waits for nothing.
Block* allocate_by_spilling(Stream& stream, std::size_t nbytes);

/// Copies few bytes from the host, which are the caller's again at once, through page-locked memory: nobody waits. `writer`: a stream
/// that the host's work counts as.
void upload_later(Stream& way, std::byte* to, const std::byte* from, std::size_t nbytes, Stream& writer);

/// A buffer ends whose bytes are on the host. On any thread.
void note_end_on_host(const Buffer& buffer);

/// What `bring_home` does: the buffer is there, and in use; or it is fetched.
void note_use(Buffer& buffer);
void fetch(Buffer& buffer, Stream& stream);
/// Makes sure that the bytes are on their device, for work on `stream`. Throws OutOfMemoryError.
inline void bring_home(Buffer& buffer, Stream& stream) {
  if (buffer.block) [[likely]] {
    note_use(buffer);
  } else if (buffer.host) {
    fetch(buffer, stream);
  }
}

}  // namespace cuprum
