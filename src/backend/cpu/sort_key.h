// Sort keys: unsigned integers whose order is NumPy's order of the values, for every real dtype.
//
// A key type K maps the bits of a value:
//   encode     one to one except for NaN: -0.0 comes just before 0.0, all NaN become the largest key
//   canonical  as encode, but -0.0 and 0.0, which are equal, have one key
//   decode     the inverse of encode (a NaN comes back as some NaN)
#pragma once

#include <stdint.h>

#include "cuprum/dtype.h"
#include "kernels/types.h"

namespace cuprum::cpu {
inline namespace CUPRUM_KERNELS_VARIANT {  // one per instruction set: the linker must not merge them

template <class U, dtype t>
struct UnsignedKey {
  using Bits = U;
  static constexpr dtype kType = t;
  static constexpr bool kFloating = false;
  static U encode(U x) { return x; }
  static U canonical(U x) { return x; }
  static U decode(U key) { return key; }
};

template <class U, dtype t>
struct SignedKey {
  using Bits = U;
  static constexpr dtype kType = t;
  static constexpr bool kFloating = false;
  static constexpr U kSign = static_cast<U>(U(1) << (sizeof(U) * 8 - 1));
  static U encode(U x) { return x ^ kSign; }
  static U canonical(U x) { return x ^ kSign; }
  static U decode(U key) { return key ^ kSign; }
};

template <class U, dtype t, U kInfinity>
struct FloatKey {
  using Bits = U;
  static constexpr dtype kType = t;
  static constexpr bool kFloating = true;
  static constexpr U kSign = static_cast<U>(U(1) << (sizeof(U) * 8 - 1));
  static constexpr U kNan = static_cast<U>(~U(0));
  static constexpr U kMinusZero = static_cast<U>(kSign - 1);  // the key of -0.0; that of 0.0 is the next

  static bool is_nan(U x) { return static_cast<U>(x & ~kSign) > kInfinity; }
  static bool is_zero(U x) { return static_cast<U>(x & ~kSign) == 0; }
  static U encode(U x) {
    const U ordered = static_cast<U>(x ^ (x & kSign ? kNan : kSign));
    return is_nan(x) ? kNan : ordered;
  }
  static U canonical(U x) { return encode(x == kSign ? U(0) : x); }
  static U decode(U key) { return static_cast<U>(key ^ (key & kSign ? kSign : kNan)); }
};

using Float16Key = FloatKey<uint16_t, dtype::float16, 0x7c00>;
using BFloat16Key = FloatKey<uint16_t, dtype::bfloat16, 0x7f80>;
using Float32Key = FloatKey<uint32_t, dtype::float32, 0x7f800000>;
using Float64Key = FloatKey<uint64_t, dtype::float64, 0x7ff0000000000000>;

/// A complex number as two keys, compared one after the other. NumPy's order: numbers without NaN, then R +
/// nan j, nan + R j and nan + nan j. A real part of NaN is the largest key, an imaginary one the largest but
/// one.
template <class K>
struct ComplexKey {
  using Part = typename K::Bits;
  struct Keys {
    Part high, low;
  };
  static Keys canonical(Part re, Part im) {
    if (K::is_nan(re)) return {K::kNan, K::canonical(im)};
    if (K::is_nan(im)) return {K::kNan - 1, K::canonical(re)};
    return {K::canonical(re), K::canonical(im)};
  }
};

/// What keys are compared as, side by side in vector lanes.
template <class K>
using KeyWord = kernels::conditional<sizeof(typename K::Bits) == 8, uint64_t, uint32_t>;

/// Calls f with the key type of a real dtype.
template <class F>
auto with_key(dtype type, F&& f) {
  switch (type) {
    case dtype::bool_:
    case dtype::uint8: return f(UnsignedKey<uint8_t, dtype::uint8>());
    case dtype::uint16: return f(UnsignedKey<uint16_t, dtype::uint16>());
    case dtype::uint32: return f(UnsignedKey<uint32_t, dtype::uint32>());
    case dtype::uint64: return f(UnsignedKey<uint64_t, dtype::uint64>());
    case dtype::int8: return f(SignedKey<uint8_t, dtype::int8>());
    case dtype::int16: return f(SignedKey<uint16_t, dtype::int16>());
    case dtype::int32: return f(SignedKey<uint32_t, dtype::int32>());
    case dtype::int64: return f(SignedKey<uint64_t, dtype::int64>());
    case dtype::float16: return f(Float16Key());
    case dtype::bfloat16: return f(BFloat16Key());
    case dtype::float32: return f(Float32Key());
    default: return f(Float64Key());
  }
}

}  // namespace CUPRUM_KERNELS_VARIANT
}  // namespace cuprum::cpu
