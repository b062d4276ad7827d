// Elements as bits: primitives that only move elements have one version per size, not per dtype.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cuprum::cuda::primitives {

/// Calls f with a word of this size.
template <class F>
void with_word(std::size_t size, F&& f) {
  switch (size) {
    case 1: return f(std::uint8_t());
    case 2: return f(std::uint16_t());
    case 4: return f(std::uint32_t());
    case 8: return f(std::uint64_t());
    default: return f(uint4());
  }
}

template <class T>
__device__ T load(const char* p) {
  return *reinterpret_cast<const T*>(p);
}
template <class T>
__device__ void store(char* p, T value) {
  *reinterpret_cast<T*>(p) = value;
}

inline const char* bytes(const std::byte* p) { return reinterpret_cast<const char*>(p); }
inline char* bytes(std::byte* p) { return reinterpret_cast<char*>(p); }

}  // namespace cuprum::cuda::primitives
