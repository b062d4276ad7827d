// A bit generator's state as kernels get it: packed words (core/random_bits.h), by value where the host knows
// them, else where an earlier call has left them on the device.
#pragma once

#include <cstdint>

#include "core/random_bits.h"

#if defined(__CUDACC__)
#define CUPRUM_ON_BOTH __host__ __device__
#else
#define CUPRUM_ON_BOTH
#endif

namespace cuprum::cuda::primitives {

inline constexpr int kPackedWords = 15;  // of every kind but MT19937
inline constexpr int kHalfWord = 12;     // 2^32 if the half is held, and the half

struct StateSource {
  std::uint64_t words[kPackedWords];
  const std::uint64_t* left;  // null: `words`

  CUPRUM_ON_BOTH std::uint64_t operator[](int i) const { return left ? left[i] : words[i]; }
  CUPRUM_ON_BOTH bool half_is_held() const { return (*this)[kHalfWord] >> 32 != 0; }
  CUPRUM_ON_BOTH std::uint32_t half() const { return static_cast<std::uint32_t>((*this)[kHalfWord]); }
};

}  // namespace cuprum::cuda::primitives
