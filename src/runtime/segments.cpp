#include "runtime/segments.h"

#include <algorithm>
#include <utility>

namespace cuprum {

int Bins::bin_of(std::size_t bytes) noexcept {
  const int exponent = 63 - __builtin_clzll(bytes);
  const auto column = static_cast<int>(bytes >> (exponent - 4) & (kColumns - 1));
  return std::min(exponent, kRows - 1) * kColumns + column;
}

int Bins::next_filled(int bin) const noexcept {
  const int row = bin / kColumns;
  const unsigned here = columns_[row] & (0xFFFFu << bin % kColumns);
  if (here != 0) return row * kColumns + __builtin_ctz(here);
  const std::uint64_t above = row + 1 < kRows ? rows_ >> (row + 1) << (row + 1) : 0;
  if (above == 0) return -1;
  const int next = __builtin_ctzll(above);
  return next * kColumns + __builtin_ctz(columns_[next]);
}

Block* Bins::find(std::size_t bytes) const noexcept {
  constexpr int kLooks = 16;  // a bin holds blocks that differ by a sixteenth: the first few are good enough
  const int bin = bin_of(bytes);
  Block* best = nullptr;
  int looks = kLooks;
  for (Block* b = heads_[bin]; b && looks > 0; b = b->next, --looks) {
    if (b->bytes == bytes) return b;
    if (b->bytes > bytes && (!best || b->bytes < best->bytes)) best = b;
  }
  if (best || bin + 1 == kRows * kColumns) return best;
  const int larger = next_filled(bin + 1);
  return larger < 0 ? nullptr : heads_[larger];
}

void Bins::add(Block& block) noexcept {
  const int bin = bin_of(block.bytes);
  block.prev = nullptr;
  block.next = std::exchange(heads_[bin], &block);
  if (block.next) block.next->prev = &block;
  rows_ |= std::uint64_t{1} << bin / kColumns;
  columns_[bin / kColumns] |= static_cast<std::uint16_t>(1u << bin % kColumns);
}

void Bins::remove(Block& block) noexcept {
  const int bin = bin_of(block.bytes);
  if (block.next) block.next->prev = block.prev;
  (block.prev ? block.prev->next : heads_[bin]) = block.next;
  if (heads_[bin]) return;
  std::uint16_t& row = columns_[bin / kColumns];
  row = static_cast<std::uint16_t>(row & ~(1u << bin % kColumns));
  if (row == 0) rows_ &= ~(std::uint64_t{1} << bin / kColumns);
}

void cut(Block& block, std::size_t bytes, Block& rest) {
  rest.data = block.data + bytes;
  rest.bytes = block.bytes - bytes;
  rest.segment = block.segment;
  rest.uses = block.uses.copy();
  rest.fresh = block.fresh;
  rest.shelf = block.shelf;
  rest.before = &block;
  rest.behind = std::exchange(block.behind, &rest);
  if (rest.behind) rest.behind->before = &rest;
  block.bytes = bytes;
}

void join(Block& block, Block& behind) {
  block.bytes += behind.bytes;
  block.uses.add(behind.uses);
  block.fresh = block.fresh && behind.fresh;
  block.behind = behind.behind;
  if (block.behind) block.behind->before = &block;
}

}  // namespace cuprum
