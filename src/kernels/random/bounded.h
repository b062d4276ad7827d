// Integers in [0, range], each as likely as the other: by Lemire's multiplication (Generator) or by a mask (RandomState).
#pragma once

#include "kernels/math.h"
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

/// The next unit of D: a draw, or its halves, 16 bits or bytes.
template <class D, class R>
CUPRUM_FN D next(R& r) {
  if constexpr (sizeof(D) == 8)
    return r.u64();
  else if constexpr (sizeof(D) == 4)
    return r.u32();
  else if constexpr (sizeof(D) == 2)
    return r.u16();
  else
    return r.u8();
}

/// Integers of [least, least + range], from draws of D, by Lemire's multiplication or by a mask.
template <class D>
struct Bounded {
  uint64 least;
  D range, mask;
  bool masked, whole;

  CUPRUM_FN Bounded(uint64 least, uint64 range, bool masked)
      : least(least),
        range(static_cast<D>(range)),
        mask(static_cast<D>(mask_of(range))),
        masked(masked),
        whole(this->range == static_cast<D>(~D{0})) {}

  template <class R>
  CUPRUM_FN uint64 operator()(R& r) const {
    if (range == 0) return least;
    if (whole) return least + next<D>(r);
    const auto draw = [&] { return next<D>(r); };
    return least + (masked ? bounded_masked<D>(range, mask, draw) : bounded_lemire<D>(range, draw));
  }
  /// The share of the draws that is rejected.
  CUPRUM_FN double rejects() const {
    if (range == 0 || whole) return 0.0;
    const double all = math::ldexp(1.0, 8 * sizeof(D)), count = static_cast<double>(range) + 1;
    return masked ? 1 - count / (static_cast<double>(mask) + 1) : math::fmod(all, count) / all;
  }
};

}  // namespace random

CUPRUM_KERNELS_END
