// The CPU backend's threads: one pool, made at first use, that runs the chunks of one job at a time.
//
// CUPRUM_NUM_THREADS sets how many threads compute (the caller is one of them); by default as many as the process may
// use cores. Which thread runs a chunk is decided while running, so no result may depend on it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <type_traits>

namespace cuprum::cpu {

/// Number of threads that a parallel loop uses, including the calling one.
int num_threads();

/// Throws ValueError for n < 1.
void set_num_threads(int n);

/// Is this code running inside a chunk of parallel_for?
bool in_parallel();

/// Additions below which waking a thread costs more than it saves.
inline constexpr std::int64_t kParallelWork = 64 * 1024;

using ChunkFn = void (*)(void* context, std::int64_t chunk);
void parallel_for_raw(std::int64_t chunks, ChunkFn fn, void* context);

/// Calls fn(chunk) once for each chunk in [0, chunks), in no particular order, and returns when all are done. Of every job with
/// as many chunks a thread has the same ones, unless it is late: so it finds what it wrote before in its cache. The first
/// exception that a chunk throws is thrown here, and chunks not yet begun are then skipped. A call from within a chunk,
/// or while another thread runs a job, runs its chunks in order on the calling thread.
template <class F>
void parallel_for(std::int64_t chunks, F&& fn) {
  using Fn = std::remove_reference_t<F>;
  parallel_for_raw(
      chunks, [](void* context, std::int64_t chunk) { (*static_cast<Fn*>(context))(chunk); },
      const_cast<void*>(static_cast<const void*>(std::addressof(fn))));
}

/// The same, but chunks begin in ascending order, so that a chunk may wait for those before it.
template <class F>
void parallel_for_ascending(std::int64_t chunks, F&& fn) {
  std::atomic<std::int64_t> next{0};
  parallel_for(chunks < num_threads() ? chunks : num_threads(), [&](std::int64_t) {
    try {
      for (std::int64_t chunk; (chunk = next.fetch_add(1)) < chunks;) fn(chunk);
    } catch (...) {
      next = chunks;
      throw;
    }
  });
}

}  // namespace cuprum::cpu
