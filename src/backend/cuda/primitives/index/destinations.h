// The places that the positions of index arrays name, in order: for writes that must meet in C order.
#pragma once

#include "backend/cuda/primitives/index/indices.h"
#include "backend/cuda/primitives/sort/radix.h"

namespace cuprum::cuda::primitives {

/// Positions sorted by the number of their place, those of one place in C order; bad ones last.
struct Destinations {
  const std::uint64_t* words;  // place << bits | position
  int bits;
  std::int64_t places;  // numbers from here on are no places
  std::int64_t count;

#if defined(__CUDACC__)
  __device__ std::int64_t place(std::int64_t i) const { return static_cast<std::int64_t>(words[i] >> bits); }
  __device__ std::int64_t position(std::int64_t i) const {
    return static_cast<std::int64_t>(words[i] & ((std::uint64_t{1} << bits) - 1));
  }
  __device__ bool is_first(std::int64_t i) const { return i == 0 || place(i - 1) != place(i); }
  __device__ bool is_last(std::int64_t i) const { return i + 1 == count || place(i + 1) != place(i); }
#endif
};

class SortedDestinations {
 public:
  SortedDestinations(Context& context, const Move& move);
  const Destinations& get() const { return sorted_; }

 private:
  Scratch words_;
  Destinations sorted_;
};

}  // namespace cuprum::cuda::primitives
