// Radix sorts of keys (CUB), each instantiated in a file of its own: a stable sort by unsigned order of some bits.
#pragma once

#include <cstdint>

#include "backend/cuda/context.h"

namespace cuprum::cuda::primitives {

/// Two equal areas that a sort works in; `current` holds the elements before and after.
template <class T>
struct Areas {
  T* current;
  T* other;
};

/// Sorts n words by their bits [begin, end).
void sort_words(Context& context, Areas<std::uint64_t>& words, std::int64_t n, int begin, int end);

/// Sorts n words (row << 32 | lossless key of a float32) by row, then by value; rows have `row_bits` bits.
void sort_float_rows(Context& context, Areas<std::uint64_t>& words, std::int64_t n, int row_bits);

/// Sorts n pairs by the bits [begin, end) of their keys.
void sort_pairs(Context& context, Areas<std::uint64_t>& keys, Areas<std::int64_t>& values, std::int64_t n,
                int begin, int end);

/// Sorts n pairs by the bits [begin, end) of their places.
void sort_places(Context& context, Areas<std::uint32_t>& places, Areas<std::uint32_t>& values, std::int64_t n,
                 int begin, int end);
void sort_places(Context& context, Areas<std::uint32_t>& places, Areas<std::uint64_t>& values, std::int64_t n,
                 int begin, int end);

/// out = the n values of `in` in order, of a real dtype.
void sort_values(Context& context, dtype type, const void* in, void* out, std::int64_t n);

}  // namespace cuprum::cuda::primitives
