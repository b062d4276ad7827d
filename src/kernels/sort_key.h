// Sort keys: unsigned integers whose order is NumPy's order of the values, for every real dtype.
//
// A key type K maps the bits of a value:
//   encode     one to one except for NaN: -0.0 comes just before 0.0, all NaN become the largest key
//   canonical  as encode, but -0.0 and 0.0, which are equal, have one key
//   decode     the inverse of encode (a NaN comes back as some NaN)
// and, for sorts that carry nothing but the key,
//   lossless   one to one: -0.0 comes just before 0.0, NaN of either sign come after infinity
//   restore    the inverse of lossless
//   rank       of a lossless key: what a stable sort compares; equal values have one rank
#pragma once

#include "kernels/types.h"

CUPRUM_KERNELS_BEGIN

template <class U>
struct UnsignedKey {
  using Bits = U;
  static constexpr bool kFloating = false;
  static CUPRUM_FN U encode(U x) { return x; }
  static CUPRUM_FN U canonical(U x) { return x; }
  static CUPRUM_FN U decode(U key) { return key; }
  static CUPRUM_FN U lossless(U x) { return x; }
  static CUPRUM_FN U restore(U key) { return key; }
  static CUPRUM_FN U rank(U key) { return key; }
};

template <class U>
struct SignedKey {
  using Bits = U;
  static constexpr bool kFloating = false;
  static constexpr U kSign = static_cast<U>(U(1) << (sizeof(U) * 8 - 1));
  static CUPRUM_FN U encode(U x) { return static_cast<U>(x ^ kSign); }
  static CUPRUM_FN U canonical(U x) { return encode(x); }
  static CUPRUM_FN U decode(U key) { return encode(key); }
  static CUPRUM_FN U lossless(U x) { return encode(x); }
  static CUPRUM_FN U restore(U key) { return encode(key); }
  static CUPRUM_FN U rank(U key) { return key; }
};

template <class U, U kInfinity>
struct FloatKey {
  using Bits = U;
  static constexpr bool kFloating = true;
  static constexpr U kSign = static_cast<U>(U(1) << (sizeof(U) * 8 - 1));
  static constexpr U kNan = static_cast<U>(~U(0));
  static constexpr U kMinusZero = static_cast<U>(kSign - 1);  // the key of -0.0; that of 0.0 is the next

  static CUPRUM_FN bool is_nan(U x) { return static_cast<U>(x & ~kSign) > kInfinity; }
  static CUPRUM_FN bool is_zero(U x) { return static_cast<U>(x & ~kSign) == 0; }
  static CUPRUM_FN U encode(U x) {
    const U ordered = static_cast<U>(x ^ (x & kSign ? kNan : kSign));
    return is_nan(x) ? kNan : ordered;
  }
  static CUPRUM_FN U canonical(U x) { return encode(x == kSign ? U(0) : x); }
  static CUPRUM_FN U decode(U key) { return static_cast<U>(key ^ (key & kSign ? kSign : kNan)); }

  // Ordered by their bits alone, NaN with a sign would come first. There are as many as this: the others move down by
  // it, and those wrap around to the end.
  static constexpr U kNegativeNans = static_cast<U>(kSign - 1 - kInfinity);
  static CUPRUM_FN U lossless(U x) {
    return static_cast<U>((x ^ (x & kSign ? kNan : kSign)) - kNegativeNans);
  }
  static CUPRUM_FN U restore(U key) { return decode(static_cast<U>(key + kNegativeNans)); }
  static CUPRUM_FN U rank(U key) {
    constexpr U minus_zero = static_cast<U>(kMinusZero - kNegativeNans);
    constexpr U infinity = static_cast<U>((kInfinity ^ kSign) - kNegativeNans);
    static_assert(minus_zero % 2 == 0, "the key of 0.0 has its lowest bit more");
    const U last = key > infinity ? kNan : key;
    return static_cast<U>(last | static_cast<U>(last == minus_zero));
  }
};

/// A complex number as two keys, compared one after the other. NumPy's order: numbers without NaN, then R +
/// nan j, nan + R j and nan + nan j. A real part of NaN is the largest key, an imaginary one the largest but
/// one.
template <class K>
struct ComplexKey {
  using Part = typename K::Bits;
  struct Keys {
    Part high, low;
  };
  static CUPRUM_FN Keys canonical(Part re, Part im) {
    if (K::is_nan(re)) return {K::kNan, K::canonical(im)};
    if (K::is_nan(im)) return {static_cast<Part>(K::kNan - 1), K::canonical(re)};
    return {K::canonical(re), K::canonical(im)};
  }
};

using Float16Key = FloatKey<uint16, 0x7c00>;
using BFloat16Key = FloatKey<uint16, 0x7f80>;
using Float32Key = FloatKey<uint32, 0x7f800000u>;
using Float64Key = FloatKey<uint64, 0x7ff0000000000000u>;

CUPRUM_KERNELS_END
