// Elements that are moved and not computed with: unsigned words of their size.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cuprum::cpu {

struct Word16 {
  std::uint64_t low, high;
};

/// Calls f with a value of the word that has this size.
template <class F>
void with_word(std::size_t size, F&& f) {
  switch (size) {
    case 1: return f(std::uint8_t());
    case 2: return f(std::uint16_t());
    case 4: return f(std::uint32_t());
    case 8: return f(std::uint64_t());
    default: return f(Word16());
  }
}

}  // namespace cuprum::cpu
