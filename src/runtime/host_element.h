// Operations on single elements, which the host computes at once.
#pragma once

#include <cstdint>
#include <cstring>

#include "core/op.h"
#include "core/scalar.h"

namespace cuprum {

/// dst[i] = op(a[i], b[i], c[i]) for i in [0, n), as kernels of the CPU compute it.
using ElementLoop = void (*)(std::int64_t n, void* dst, const void* a, const void* b, const void* c);

/// The loop of an operation by its key (core/op.h); null: the CPU has none. Defined by the CPU backend.
ElementLoop element_loop(Op op, dtype key);

/// Gives a number its bits as one word, as copies read them: a load waits 4 ns for stores that are narrower than it.
inline void set_bits(Scalar& number, dtype t, std::uint64_t low, std::uint64_t high = 0) {
  typedef std::uint64_t Words __attribute__((vector_size(16)));
  const Words words = {low, high};
  number.type = t;
  std::memcpy(number.bytes, &words, sizeof words);
}

/// The same with those of an element, which are read as wide as a loop has just written them.
inline void take_bits(const void* from, dtype t, Scalar& number) {
  const auto read = [from](auto word, int at = 0) -> std::uint64_t {
    std::memcpy(&word, static_cast<const unsigned char*>(from) + at, sizeof word);
    return word;
  };
  switch (itemsize(t)) {
    case 1: return set_bits(number, t, read(std::uint8_t{}));
    case 2: return set_bits(number, t, read(std::uint16_t{}));
    case 4: return set_bits(number, t, read(std::uint32_t{}));
    case 8: return set_bits(number, t, read(std::uint64_t{}));
    default: return set_bits(number, t, read(std::uint64_t{}), read(std::uint64_t{}, 8));
  }
}

/// Writes the bits of a number, no more of them than an element has.
inline void give_bits(const Scalar& number, void* to) {
  switch (itemsize(number.type)) {
    case 1: std::memcpy(to, number.bytes, 1); break;
    case 2: std::memcpy(to, number.bytes, 2); break;
    case 4: std::memcpy(to, number.bytes, 4); break;
    case 8: std::memcpy(to, number.bytes, 8); break;
    default: std::memcpy(to, number.bytes, 16);
  }
}

}  // namespace cuprum
