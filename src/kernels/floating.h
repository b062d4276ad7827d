// What asks about or changes the representation of a number: isfinite, isinf, isnan, signbit, copysign, nextafter,
// spacing, fabs, heaviside, ldexp, and the halves of modf and frexp. Most work on the bits and vectorise.
#pragma once

#include "kernels/arithmetic.h"

CUPRUM_KERNELS_BEGIN

template <class T>
concept floating = native_float<T> || small_float<T>;

/// The bits of |x|.
template <floating T>
CUPRUM_FN bits_of<T> magnitude_bits(T x) {
  return static_cast<bits_of<T>>(to_bits(x) & static_cast<bits_of<T>>(~float_format<T>::sign));
}

template <class T>
CUPRUM_FN bool isfinite(T x) {
  if constexpr (complex_number<T>) {
    return isfinite(x.re) & isfinite(x.im);
  } else if constexpr (floating<T>) {
    return magnitude_bits(x) < float_format<T>::infinity;
  } else {
    return true;
  }
}

template <class T>
CUPRUM_FN bool isinf(T x) {
  if constexpr (complex_number<T>) {
    return isinf(x.re) | isinf(x.im);
  } else if constexpr (floating<T>) {
    return magnitude_bits(x) == float_format<T>::infinity;
  } else {
    return false;
  }
}

template <class T>
CUPRUM_FN bool isnan(T x) {
  if constexpr (complex_number<T>) {
    return isnan(x.re) | isnan(x.im);
  } else if constexpr (floating<T>) {
    return magnitude_bits(x) > float_format<T>::infinity;
  } else {
    return false;
  }
}

template <floating T>
CUPRUM_FN bool signbit(T x) {
  return (to_bits(x) & float_format<T>::sign) != 0;
}

template <floating T>
CUPRUM_FN T copysign(T x, T sign) {
  return bit_cast<T>(static_cast<bits_of<T>>(magnitude_bits(x) | (to_bits(sign) & float_format<T>::sign)));
}

template <floating T>
CUPRUM_FN T fabs(T x) {
  return bit_cast<T>(magnitude_bits(x));
}

/// The neighbour of x in the direction of `to`.
template <floating T>
CUPRUM_FN T nextafter(T x, T to) {
  using U = bits_of<T>;
  using S = signed_of_size<sizeof(T)>;
  constexpr U sign = float_format<T>::sign;
  const U bits = to_bits(x), magnitude = magnitude_bits(x);
  // As integers: the number of steps from zero, negative below it.
  const S from_zero = static_cast<S>(bits & sign ? U(0) - magnitude : magnitude);
  const S to_zero = static_cast<S>(signbit(to) ? U(0) - magnitude_bits(to) : magnitude_bits(to));
  const U outward = static_cast<U>(bits + 1), inward = static_cast<U>(bits - 1);
  const bool up = to_zero > from_zero;
  const U stepped = up == ((bits & sign) == 0) ? outward : inward;
  const U from_smallest = static_cast<U>(up ? U(1) : U(sign | 1));
  const U moved = magnitude == 0 ? from_smallest : stepped;
  const U arrived = same<T, float16> ? bits : to_bits(to);  // differ by the sign of zero; as NumPy
  const U result = from_zero == to_zero ? arrived : moved;
  const bool has_nan = isnan(x) | isnan(to);
  return bit_cast<T>(has_nan ? static_cast<U>(float_format<T>::nan) : result);
}

/// The distance to the next number away from zero, with the sign of x; of a float16 the distance to the next
/// number above, as NumPy has it.
template <native_float T>
CUPRUM_FN T spacing(T x) {
  using U = bits_of<T>;
  const U magnitude = magnitude_bits(x);
  const U sign = magnitude == 0 ? U(0) : static_cast<U>(to_bits(x) & float_format<T>::sign);
  const T next = bit_cast<T>(static_cast<U>((magnitude + 1) | sign));
  const T distance = next - (magnitude == 0 ? T(0) : x);
  return magnitude >= float_format<T>::infinity ? quiet_nan<T>() : distance;
}

template <small_float T>
CUPRUM_FN T spacing(T x) {
  using format = float_format<T>;
  const uint16 magnitude = magnitude_bits(x);
  const bool negative = signbit(x) & (magnitude != 0);
  const uint16 outward = static_cast<uint16>((negative ? x.bits : magnitude) + 1);
  const uint16 next = same<T, float16> && negative ? static_cast<uint16>(x.bits - 1) : outward;
  const T distance = narrow<T>(widen(T{next}) - widen(x));
  return T{magnitude >= format::infinity ? format::nan : distance.bits};
}

/// 0 below zero, 1 above, `at_zero` at zero, NaN at NaN.
template <native_float T>
CUPRUM_FN T heaviside(T x, T at_zero) {
  const T of_number = x < 0 ? T(0) : x > 0 ? T(1) : at_zero;
  return x != x ? x : of_number;
}
CUPRUM_VIA_FLOAT_2(heaviside)

/// x * 2**exponent, rounded once.
template <native_float T>
CUPRUM_FN T ldexp(T x, int64 exponent) {
  const int64 bounded = exponent > 5000 ? 5000 : exponent < -5000 ? -5000 : exponent;
  return math::ldexp(x, static_cast<int>(bounded));
}
template <small_float T>
CUPRUM_FN T ldexp(T x, int64 exponent) {
  return narrow<T>(ldexp(widen(x), exponent));
}

/// The fractional part, with the sign of x; zero of an infinity.
template <native_float T>
CUPRUM_FN T modf_frac(T x) {
  const T fraction = math::fabs(x) == infinity<T>() ? T(0) : x - math::trunc(x);
  return x != x ? x : math::copysign(fraction, x);
}
template <native_float T>
CUPRUM_FN T modf_int(T x) {
  return math::trunc(x);
}
CUPRUM_VIA_FLOAT_1(modf_frac)
CUPRUM_VIA_FLOAT_1(modf_int)

/// The bits of |x| with a subnormal x made normal by 2^64.
template <native_float T>
CUPRUM_FN bits_of<T> normalized_bits(T x) {
  const bits_of<T> magnitude = magnitude_bits(x);
  const bool subnormal = magnitude < (bits_of<T>(1) << float_format<T>::mantissa);
  return to_bits(bit_cast<T>(magnitude) * (subnormal ? T(0x1p64) : T(1)));
}

/// m with x = m * 2**e and 0.5 <= |m| < 1; zero, infinity and NaN are their own.
template <native_float T>
CUPRUM_FN T frexp_mantissa(T x) {
  using U = bits_of<T>;
  using format = float_format<T>;
  const U magnitude = magnitude_bits(x);
  const U fraction = normalized_bits(x) & ((U(1) << format::mantissa) - 1);
  const U half_to_one = fraction | (U(format::bias - 1) << format::mantissa) | (to_bits(x) & format::sign);
  return ((magnitude == 0) | (magnitude >= format::infinity)) ? x : bit_cast<T>(half_to_one);
}

/// The e of frexp_mantissa; 0 of zero, infinity and NaN.
template <native_float T>
CUPRUM_FN int32 frexp_exponent(T x) {
  using format = float_format<T>;
  const bits_of<T> magnitude = magnitude_bits(x);
  const bool subnormal = magnitude < (bits_of<T>(1) << format::mantissa);
  const int32 biased = static_cast<int32>(normalized_bits(x) >> format::mantissa);
  const int32 exponent = biased - (format::bias - 1) - (subnormal ? 64 : 0);
  return ((magnitude == 0) | (magnitude >= format::infinity)) ? 0 : exponent;
}
CUPRUM_VIA_FLOAT_1(frexp_mantissa)
CUPRUM_VIA_FLOAT_1(frexp_exponent)

/// NaN replaced: a complex number is replaced whole if either part is NaN.
template <class T>
CUPRUM_FN T nan_to_zero(T x) {
  return isnan(x) ? T{} : x;
}
template <class T>
CUPRUM_FN T nan_to_one(T x) {
  return isnan(x) ? cast<T>(1.0f) : x;
}

CUPRUM_KERNELS_END
