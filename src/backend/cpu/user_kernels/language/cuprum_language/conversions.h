// Conversions between numbers with a rounding of their own, and between numbers and their bits.
#pragma once

namespace cuprum_language {

/// A whole number as close to x as To has one; 0 for NaN. x is whole.
template <class To, class From>
inline To saturated(From x) {
  constexpr bool is_signed = static_cast<To>(-1) < 0;
  constexpr int bits = 8 * static_cast<int>(sizeof(To)) - is_signed;
  constexpr To most = static_cast<To>(static_cast<To>(static_cast<To>(1) << (bits - 1)) - 1 +
                                      static_cast<To>(static_cast<To>(1) << (bits - 1)));
  constexpr From above = static_cast<From>(static_cast<To>(1) << (bits - 1)) * 2;
  constexpr From below = is_signed ? -above : From(0);
  if (x >= above) return most;
  if (x <= below) return static_cast<To>(is_signed ? -most - 1 : 0);
  return x == x ? static_cast<To>(x) : To(0);
}

inline float whole_rn(float x) { return __builtin_rintf(x); }
inline float whole_rz(float x) { return __builtin_truncf(x); }
inline float whole_ru(float x) { return __builtin_ceilf(x); }
inline float whole_rd(float x) { return __builtin_floorf(x); }
inline double whole_rn(double x) { return __builtin_rint(x); }
inline double whole_rz(double x) { return __builtin_trunc(x); }
inline double whole_ru(double x) { return __builtin_ceil(x); }
inline double whole_rd(double x) { return __builtin_floor(x); }

/// value(x) as To, rounded down, up or to zero: the nearest, moved by one where it lies on the wrong side. `exact(y)` compares it with x.
template <class To, class From>
inline To rounded_down(From x) {
  const To nearest = static_cast<To>(x);
  if constexpr (sizeof(To) == 4)
    return static_cast<long double>(nearest) > static_cast<long double>(x)
               ? __builtin_nextafterf(nearest, -__builtin_inff())
               : nearest;
  else
    return static_cast<long double>(nearest) > static_cast<long double>(x)
               ? __builtin_nextafter(nearest, -__builtin_inf())
               : nearest;
}
template <class To, class From>
inline To rounded_up(From x) {
  const To nearest = static_cast<To>(x);
  if constexpr (sizeof(To) == 4)
    return static_cast<long double>(nearest) < static_cast<long double>(x)
               ? __builtin_nextafterf(nearest, __builtin_inff())
               : nearest;
  else
    return static_cast<long double>(nearest) < static_cast<long double>(x)
               ? __builtin_nextafter(nearest, __builtin_inf())
               : nearest;
}
template <class To, class From>
inline To rounded_to_zero(From x) {
  return x < 0 ? rounded_up<To>(x) : rounded_down<To>(x);
}

}  // namespace cuprum_language

#define CUPRUM_TO_WHOLE(from, From, to, To)                              \
  inline To __##from##2##to##_rn(From x) {                               \
    return cuprum_language::saturated<To>(cuprum_language::whole_rn(x)); \
  }                                                                      \
  inline To __##from##2##to##_rz(From x) {                               \
    return cuprum_language::saturated<To>(cuprum_language::whole_rz(x)); \
  }                                                                      \
  inline To __##from##2##to##_ru(From x) {                               \
    return cuprum_language::saturated<To>(cuprum_language::whole_ru(x)); \
  }                                                                      \
  inline To __##from##2##to##_rd(From x) {                               \
    return cuprum_language::saturated<To>(cuprum_language::whole_rd(x)); \
  }
CUPRUM_TO_WHOLE(float, float, int, int)
CUPRUM_TO_WHOLE(float, float, uint, unsigned int)
CUPRUM_TO_WHOLE(float, float, ll, long long)
CUPRUM_TO_WHOLE(float, float, ull, unsigned long long)
CUPRUM_TO_WHOLE(double, double, int, int)
CUPRUM_TO_WHOLE(double, double, uint, unsigned int)
CUPRUM_TO_WHOLE(double, double, ll, long long)
CUPRUM_TO_WHOLE(double, double, ull, unsigned long long)
#undef CUPRUM_TO_WHOLE

#define CUPRUM_TO_FLOAT(from, From, to, To)                                                  \
  inline To __##from##2##to##_rn(From x) { return static_cast<To>(x); }                      \
  inline To __##from##2##to##_rz(From x) { return cuprum_language::rounded_to_zero<To>(x); } \
  inline To __##from##2##to##_ru(From x) { return cuprum_language::rounded_up<To>(x); }      \
  inline To __##from##2##to##_rd(From x) { return cuprum_language::rounded_down<To>(x); }
CUPRUM_TO_FLOAT(int, int, float, float)
CUPRUM_TO_FLOAT(uint, unsigned int, float, float)
CUPRUM_TO_FLOAT(ll, long long, float, float)
CUPRUM_TO_FLOAT(ull, unsigned long long, float, float)
CUPRUM_TO_FLOAT(ll, long long, double, double)
CUPRUM_TO_FLOAT(ull, unsigned long long, double, double)
CUPRUM_TO_FLOAT(double, double, float, float)
#undef CUPRUM_TO_FLOAT
inline double __int2double_rn(int x) { return x; }
inline double __uint2double_rn(unsigned x) { return x; }

inline int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
inline unsigned __float_as_uint(float x) { return __builtin_bit_cast(unsigned, x); }
inline float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
inline float __uint_as_float(unsigned x) { return __builtin_bit_cast(float, x); }
inline long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
inline double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
inline int __double2hiint(double x) { return static_cast<int>(__double_as_longlong(x) >> 32); }
inline int __double2loint(double x) { return static_cast<int>(__double_as_longlong(x)); }
inline double __hiloint2double(int high, int low) {
  return __longlong_as_double(static_cast<long long>(
      static_cast<unsigned long long>(static_cast<unsigned>(high)) << 32 | static_cast<unsigned>(low)));
}
