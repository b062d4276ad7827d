#include "backend/cpu/user_kernels/checked/shadow.h"

#include <algorithm>
#include <cstring>

namespace cuprum::cpu {

Race Shadow::check(const Cell& cell, bool writes, const Access& access, const BlockOrder& order,
                   unsigned rank) {
  const auto races = [&](const Access& other) {
    return other.thread != 0 && (other.bytes & access.bytes) != 0 && !(other.atomic && access.atomic) &&
           !order.knows(rank, other);
  };
  if (races(cell.write)) return {cell.write, true};
  if (!writes) return {};
  for (const Access* read : {&cell.read, &cell.read_before, &cell.read_elsewhere}) {
    if (races(*read)) return {*read, false};
  }
  return {};
}

Race Shadow::touch(std::size_t at, std::size_t bytes, bool writes, Access access, const BlockOrder& order,
                   unsigned rank) {
  Race found;
  for (std::size_t end = at + bytes; at < end;) {
    Cell& cell = cells_[at / cell_];
    const std::size_t first = at % cell_, count = std::min(cell_ - first, end - at);
    access.bytes = ((1u << count) - 1) << first & 0xf;
    if (!found) found = check(cell, writes, access, order, rank);
    if (writes) {
      cell.write = access;
      // It comes behind all atomic reads of the place: who knows of it is behind them too.
      for (Access* read : {&cell.read, &cell.read_before, &cell.read_elsewhere}) {
        if (access.atomic && read->atomic && (read->bytes & ~access.bytes) == 0) *read = Access{};
      }
    } else if (cell.read.thread != access.thread) {
      const bool same_block = cell.read.thread - order.number(0) < order.threads();
      (same_block ? cell.read_before : cell.read_elsewhere) = cell.read;
      cell.read = access;
    } else {
      cell.read = access;
    }
    at += count;
  }
  return found;
}

bool Shadow::has_unwritten_word(std::size_t at, std::size_t bytes) {
  const std::size_t word = bytes <= 8 ? 4 : 8;
  for (const std::size_t end = at + bytes; at < end; at += word) {
    const std::uint8_t* first = &written_[at];
    if (std::all_of(first, first + std::min(word, end - at), [](std::uint8_t w) { return w == 0; }))
      return true;
  }
  return false;
}

void Shadow::set_written(std::size_t at, std::size_t bytes) { std::memset(&written_[at], 1, bytes); }

void Shadow::forget(std::size_t at, std::size_t bytes) {
  if (bytes == 0) return;
  std::memset(&written_[at], 0, bytes);
  std::fill(&cells_[at / cell_], &cells_[(at + bytes - 1) / cell_] + 1, Cell{});
}

}  // namespace cuprum::cpu
