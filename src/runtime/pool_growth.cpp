// How a pool grows: what it does where no block that it has serves a request, and the segments that it takes from its source.
#include <algorithm>
#include <mutex>
#include <tuple>
#include <utility>

#include "runtime/pool.h"

namespace cuprum {

namespace {

constexpr std::size_t kSmallSegment = std::size_t{2} << 20;      // bytes
constexpr std::size_t kLargeSegment = std::size_t{24} << 20;     // for requests of up to half of it
constexpr std::size_t kCheckAvailable = std::size_t{256} << 20;  // from here on asking the source first pays

}  // namespace

/// Asks the streams of the other shelves what they have done.
void Pool::poll_others(const Stream& own) {
  std::vector<Stream*> streams;
  {
    std::lock_guard guard(lock_);
    for (const std::unique_ptr<Shelf>& shelf : shelves_) {
      if (shelf && shelf->stream != &own) streams.push_back(shelf->stream);
    }
  }
  for (Stream* stream : streams) stream->poll();
}

Block* Pool::allocate_fresh(const Request& want, Stream* stream, bool waits, const char*& why) {
  why = "it would exceed the limit";
  if (const std::size_t limit = stats().limit_bytes; limit != 0 && want.bytes > limit) return nullptr;
  why = "there is not so much in all";
  if (want.bytes > source_.total()) return nullptr;
  const auto once_more = [&] {
    {
      std::lock_guard guard(lock_);
      if (Block* block = take_anywhere(want, stream)) return block;
    }
    return grow(want, stream, why);
  };
  Block* block = grow(want, stream, why);
  if (!block) block = once_more();  // a block of another stream, which is better than none
  if (!block) {
    empty_cache(nullptr);
    block = once_more();
  }
  if (!block && waits) {
    source_.trim();
    block = once_more();
  }
  return block;
}

/// Shared segments of one size are taken half as often as segments that are as large as what was asked for. The size was
/// chosen on three recorded programs (bench/gpu_memory.py).
std::pair<std::size_t, SegmentKind> Pool::segment_for(const Request& want) const noexcept {
  if (want.small) return {options_.cache_limit == 0 ? want.bytes : kSmallSegment, SegmentKind::small};
  if (options_.cache_limit == 0) return {want.bytes, SegmentKind::own};
  if (want.bytes < kLargeSegment / 2) return {kLargeSegment, SegmentKind::shared};
  return {(want.bytes + kSmallSegment - 1) / kSmallSegment * kSmallSegment, SegmentKind::own};
}

/// Under the lock, before a segment of so many bytes is added: takes out what waits beyond the bound, and what is of no use to this
/// request, being smaller, before the pool holds more than it ever did.
Segment* Pool::make_way(std::size_t bytes) noexcept {
  const std::size_t bound = cache_bound();
  Segment* taken = take_idle_beyond(bound - std::min(bound, bytes));
  const std::size_t then = stats_.total_bytes + bytes;
  const std::size_t more = then - std::min(then, stats_.peak_total_bytes);
  Segment* smaller = take_idle_beyond(open_bytes_ - std::min(open_bytes_, more), nullptr, bytes);
  if (!taken) return smaller;
  Segment* last = taken;
  while (last->next) last = last->next;
  last->next = smaller;
  return taken;
}

/// A block of a new segment, which may be larger than the block; nullptr, and the reason in `why`, where there is none to be had.
Block* Pool::grow(const Request& want, Stream* stream, const char*& why) {
  std::size_t bytes = 0;
  SegmentKind kind{};
  Segment* evicted = nullptr;
  {
    std::lock_guard guard(lock_);
    std::tie(bytes, kind) = segment_for(want);
    evicted = make_way(bytes);
  }
  give_back(source_, evicted);
  std::byte* data = from_source(bytes, stream, why);
  if (!data && bytes > want.bytes) data = from_source(bytes = want.bytes, stream, why);
  if (!data) return nullptr;
  std::lock_guard guard(lock_);
  Block* block = new_block();
  block->data = data;
  block->bytes = bytes;
  block->fresh = true;
  block->shelf = &shelf_of(stream);
  block->segment = new Segment{this, block, bytes, kind, segments_};
  if (segments_) segments_->prev = block->segment;
  segments_ = block->segment;
  if (stream && source_.stream_ordered()) block->uses.written_at(stream->mark());
  if (bytes > want.bytes) {
    Block* rest = new_block();
    cut(*block, want.bytes, *rest);
    open(*rest);
  }
  return block;
}

std::byte* Pool::from_source(std::size_t bytes, Stream* stream, const char*& why) {
  bool asks = bytes >= kCheckAvailable;
  {
    std::lock_guard guard(lock_);
    if (stats_.limit_bytes != 0 && stats_.total_bytes + bytes > stats_.limit_bytes) {
      why = "it would exceed the limit";
      return nullptr;
    }
    stats_.total_bytes += bytes;
    asks = asks || short_;
  }
  // Linux, for one, would grant the request, and end the process when the pages are touched; a driver takes its time to refuse.
  const bool there = !asks || bytes <= source_.available();
  std::byte* data = there ? source_.allocate(bytes, stream) : nullptr;
  std::lock_guard guard(lock_);
  short_ = !data;
  if (data) {
    ++stats_.source_allocations;
    stats_.peak_total_bytes = std::max(stats_.peak_total_bytes, stats_.total_bytes);
    return data;
  }
  stats_.total_bytes -= bytes;
  why = "there is not so much left";
  return nullptr;
}

}  // namespace cuprum
