// Integers in [0, range], each as likely as the other: by Lemire's multiplication (Generator) or by a mask (RandomState).
#pragma once

#include "kernels/random/bits.h"

CUPRUM_KERNELS_BEGIN

namespace random {

template <class U>
struct twice;
template <>
struct twice<uint8> {
  using type = uint16;
};
template <>
struct twice<uint16> {
  using type = uint32;
};
template <>
struct twice<uint32> {
  using type = uint64;
};
template <>
struct twice<uint64> {
  using type = uint128;
};

/// The smallest 2^k - 1 that is not below `range`.
CUPRUM_FN uint64 mask_of(uint64 range) {
  for (int n = 1; n < 64; n <<= 1) range |= range >> n;
  return range;
}

/// `next()` draws all values of U; range < U's largest.
template <class U, class Next>
CUPRUM_FN U bounded_lemire(U range, Next&& next) {
  using Wide = typename twice<U>::type;
  const U count = static_cast<U>(range + 1);
  Wide product = static_cast<Wide>(static_cast<Wide>(next()) * count);
  U low = static_cast<U>(product);
  if (low < count) [[unlikely]] {
    const U least = static_cast<U>(static_cast<U>(static_cast<U>(~U{0}) - range) % count);
    while (low < least) {
      product = static_cast<Wide>(static_cast<Wide>(next()) * count);
      low = static_cast<U>(product);
    }
  }
  return static_cast<U>(product >> (8 * sizeof(U)));
}

template <class U, class Next>
CUPRUM_FN U bounded_masked(U range, U mask, Next&& next) {
  U value = static_cast<U>(next() & mask);
  while (value > range) value = static_cast<U>(next() & mask);
  return value;
}

/// One of [0, range], which is not U's whole range; a range of 32 bits takes 32 bits.
template <class R>
CUPRUM_FN_LARGE uint64 bounded(R& r, uint64 range) {
  if (range == 0) return 0;
  if (range < 0xffffffffu) return bounded_lemire<uint32>(static_cast<uint32>(range), [&] { return r.u32(); });
  if (range == 0xffffffffu) return r.u32();
  if (range == ~uint64{0}) return r.u64();
  return bounded_lemire<uint64>(range, [&] { return r.u64(); });
}

/// The same by a mask: what shuffles take.
template <class R>
CUPRUM_FN_LARGE uint64 interval(R& r, uint64 most) {
  if (most == 0) return 0;
  const uint64 mask = mask_of(most);
  if (most <= 0xffffffffu)
    return bounded_masked<uint32>(static_cast<uint32>(most), static_cast<uint32>(mask),
                                  [&] { return r.u32(); });
  return bounded_masked<uint64>(most, mask, [&] { return r.u64(); });
}

}  // namespace random

CUPRUM_KERNELS_END
