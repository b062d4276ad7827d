// Memory cut into blocks, and blocks joined again.
//
// A pool takes memory from its source in segments. A segment is a row of blocks, in use or free, that know their neighbours. A
// request is cut from the smallest free block that is found quickly; a block that is freed is joined with free neighbours of
// its shelf, so that a segment of which nothing is in use is one block again, and can go back to the source.
//
// Free blocks are found by size: 16 bins per doubling, with a bitmap of those that are not empty. Small requests have segments of
// their own, so that a long-lived scalar never keeps a gigabyte from being one piece. So has a request that is large for the
// segments which others share: a block of it is cut for requests of at least half of the block only, so that the next of its
// kind finds it whole.
//
// All of it is guarded by the pool's lock.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "runtime/stream.h"

namespace cuprum {

class Buffer;
class Pool;
struct Segment;
struct Shelf;

struct Block {
  std::byte* data = nullptr;
  std::size_t bytes = 0;
  Segment* segment = nullptr;
  Block* before = nullptr;  // its neighbours in the segment
  Block* behind = nullptr;
  Block* next = nullptr;  // of the list that it is in while it is free
  Block* prev = nullptr;
  Shelf* shelf = nullptr;       // that it waits on while it is free
  const char* place = nullptr;  // the line of the program that asked for it, while debugging
  Uses uses;                    // what is still to be done with it
  Buffer* holder = nullptr;     // who uses it, if it is a buffer
  std::uint64_t last_use = 0;   // by the clock of runtime/spill.h
  enum class State : std::uint8_t { used, kept, open };
  State state =
      State::used;     // kept: as it is, for a request of its very size; open: in a bin, to be cut and joined
  bool fresh = false;  // nobody has had it since it came from the source

  // Read by whoever looks for buffers to spill, under the pool's lock; a buffer sets it without.
  void set_holder(Buffer* buffer) { std::atomic_ref(holder).store(buffer, std::memory_order_release); }
  Buffer* get_holder() { return std::atomic_ref(holder).load(std::memory_order_acquire); }

  bool is_whole() const { return !before && !behind; }
};

enum class SegmentKind : std::uint8_t { small, shared, own };
inline constexpr int kSegmentKinds = 3;

struct Segment {
  Pool* pool;
  Block* first;
  std::size_t bytes;
  SegmentKind kind;
  Segment* next = nullptr;  // all of the pool
  Segment* prev = nullptr;
  Segment* newer = nullptr;  // those of which nothing is in use, in the order in which they came to be so
  Segment* older = nullptr;
};

/// Open blocks by size.
class Bins {
 public:
  /// One of at least `bytes`, about the smallest; null: there is none.
  Block* find(std::size_t bytes) const noexcept;
  void add(Block& block) noexcept;
  void remove(Block& block) noexcept;

 private:
  static constexpr int kColumns = 16;  // per doubling
  static constexpr int kRows = 48;
  static int bin_of(std::size_t bytes) noexcept;
  int next_filled(int bin) const noexcept;

  Block* heads_[kRows * kColumns] = {};
  std::uint64_t rows_ = 0;  // that have a bin which is not empty
  std::uint16_t columns_[kRows] = {};
};

/// What waits for the requests of one stream.
struct Shelf {
  static constexpr int kKept = 65;

  Stream* stream = nullptr;  // null: for those without one
  Block* kept[kKept] = {};   // lists by size, newest first
  Bins bins[kSegmentKinds];

  Bins& bins_of(const Block& block) { return bins[static_cast<int>(block.segment->kind)]; }
  const Bins& bins_of(SegmentKind kind) const { return bins[static_cast<int>(kind)]; }
};

/// Cuts the used block after `bytes`; `rest` becomes a used block behind it, with the same uses.
void cut(Block& block, std::size_t bytes, Block& rest);
/// Joins a block with the one behind it, which is in no list any more and of no use afterwards.
void join(Block& block, Block& behind);

}  // namespace cuprum
