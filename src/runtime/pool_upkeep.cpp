// What is seldom asked of a pool: giving back, limits, statistics, the error.
#include <algorithm>
#include <cstdio>
#include <mutex>
#include <string>
#include <utility>

#include "cuprum/error.h"
#include "runtime/pool.h"

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace cuprum {

// -- Giving back.

void Pool::open_kept(Shelf& shelf) noexcept {
  for (Block*& list : shelf.kept) {
    while (Block* block = list) {
      list = block->next;
      kept_bytes_ -= block->bytes;
      --stats_.free_blocks;
      block->state = Block::State::used;
      open(*block);
    }
  }
}

/// Joins free neighbours of different shelves.
void Pool::join_all() noexcept {
  for (Segment* segment = segments_; segment; segment = segment->next) {
    for (Block* block = segment->first; block->behind;) {
      Block* behind = block->behind;
      if (block->state != Block::State::open || behind->state != Block::State::open) {
        block = behind;
        continue;
      }
      close(*block);
      close(*behind);
      behind->shelf = block->shelf;
      join(*block, *behind);
      drop(behind);
      open(*block);
    }
  }
}

/// The pool itself may be gone.
void Pool::give_back(MemorySource& source, Segment* segments) noexcept {
  while (Segment* segment = segments) {
    segments = segment->next;
    source.free(segment->first->data, segment->bytes, segment->first->uses);
    delete segment->first;
    delete segment;
  }
}

void Pool::free_all_blocks(Stream* stream) noexcept {
  empty_cache(stream);
  source_.trim();
#if defined(__GLIBC__)
  malloc_trim(0);  // what arrays are made of comes from malloc, which keeps what was freed
#endif
}

/// Gives back what can be given back at once.
void Pool::empty_cache(const Stream* stream) noexcept {
  Segment* idle = nullptr;
  Block* spare = nullptr;
  {
    std::lock_guard guard(lock_);
    const auto chosen = [&](const Shelf& shelf) { return !stream || shelf.stream == stream; };
    if (chosen(first_)) open_kept(first_);
    for (const std::unique_ptr<Shelf>& shelf : shelves_) {
      if (shelf && chosen(*shelf)) open_kept(*shelf);
    }
    if (!stream) join_all();
    idle = take_idle_beyond(0, stream);
    spare = std::exchange(spare_, nullptr);
  }
  give_back(source_, idle);
  while (Block* block = spare) {
    spare = block->next;
    delete block;
  }
}

// -- What others may see and set.

MemoryStats Pool::stats() const {
  std::lock_guard guard(lock_);
  return stats_;
}

void Pool::reset_peak() {
  std::lock_guard guard(lock_);
  stats_.peak_bytes = stats_.used_bytes;
  stats_.peak_total_bytes = stats_.total_bytes;
}

void Pool::set_limit(std::size_t nbytes) {
  std::lock_guard guard(lock_);
  stats_.limit_bytes = nbytes;
  most_used_ = nbytes == 0 ? SIZE_MAX : nbytes + options_.padding;
}

void Pool::set_cache_limit(std::size_t nbytes) {
  {
    std::lock_guard guard(lock_);
    options_.cache_limit = nbytes;
  }
  free_all_blocks();
}

std::vector<Ref<Buffer>> Pool::holders(std::size_t least) const {
  std::vector<std::pair<std::uint64_t, Ref<Buffer>>> found;
  {
    std::lock_guard guard(lock_);  // a buffer that goes waits for it, to free its block
    for (const Segment* segment = segments_; segment; segment = segment->next) {
      for (Block* block = segment->first; block; block = block->behind) {
        Buffer* holder = block->bytes < least ? nullptr : block->get_holder();
        if (holder && holder->incref_if_alive())
          found.emplace_back(block->last_use, Ref<Buffer>::adopt(holder));
      }
    }
  }
  std::ranges::sort(found, {}, [](const auto& pair) { return pair.first; });
  std::vector<Ref<Buffer>> buffers;
  for (auto& [when, buffer] : found) buffers.push_back(std::move(buffer));
  return buffers;
}

/// "; the largest arrays have 1.00 GiB (made at script.py:12), 512.00 MiB"
std::string Pool::largest_used() const {
  constexpr std::size_t kMost = 4;
  std::vector<std::pair<std::size_t, const char*>> largest;
  {
    std::lock_guard guard(lock_);
    for (const Segment* segment = segments_; segment; segment = segment->next) {
      for (const Block* block = segment->first; block; block = block->behind) {
        if (block->state != Block::State::used) continue;
        largest.emplace_back(block->bytes - options_.padding, block->place);
        std::ranges::sort(largest, [](const auto& a, const auto& b) { return a.first > b.first; });
        if (largest.size() > kMost) largest.pop_back();
      }
    }
  }
  std::string text;
  for (const auto& [bytes, place] : largest) {
    text += (text.empty() ? "; the largest arrays have " : ", ") + human_bytes(bytes);
    if (place) text += std::string(" (made at ") + place + ")";
  }
  return text;
}

void Pool::raise(std::size_t nbytes, const char* why) const {
  if (const std::string problem = source_.problem(); !problem.empty()) throw Error("cuprum: " + problem);
  const MemoryStats now = stats();
  const std::string limit =
      now.limit_bytes == 0 ? "no limit is set" : "the limit is " + human_bytes(now.limit_bytes);
  const std::size_t total = source_.total();
  const std::string device = total == SIZE_MAX ? ""
                                               : ", " + human_bytes(std::min(source_.available(), total)) +
                                                     " of the device's " + human_bytes(total) + " are free";
  throw OutOfMemoryError(
      "cuprum: cannot allocate " + human_bytes(nbytes) + " (" + std::to_string(nbytes) + " bytes) of " +
      source_.describe() + ": " + why + "; " + human_bytes(now.used_bytes) + " are in use by arrays, " +
      human_bytes(now.total_bytes - now.used_bytes) + " are cached, " + limit + device + largest_used());
}

std::string human_bytes(std::size_t bytes) {
  const char* units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value = static_cast<double>(bytes);
  int unit = 0;
  while (value >= 1024 && unit < 6) {
    value /= 1024;
    ++unit;
  }
  char text[64];
  std::snprintf(text, sizeof text, unit == 0 ? "%.0f %s" : "%.2f %s", value, units[unit]);
  return text;
}

}  // namespace cuprum
