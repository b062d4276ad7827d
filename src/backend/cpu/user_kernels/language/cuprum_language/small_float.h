// Numbers of 16 bits and pairs of them: what cuda_fp16.h and cuda_bf16.h have in common.
//
// An operation is that of float on the converted operands, rounded once: for + - * / and sqrt the correctly rounded result. The
// conversions are those of the array library (kernels/small_float.h).
#pragma once

#include "kernels/small_float.h"

namespace cuprum_language {

template <class Bits>
struct Raw {
  unsigned short x;
};

template <class Bits>
class Small {
 public:
  Small() = default;
  Small(float x) : bits_(cuprum::kernels::narrow<Bits>(x)) {}
  Small(double x) : bits_(cuprum::kernels::narrow<Bits>(x)) {}
  template <class T>
  requires(cuprum::kernels::integer<T> || cuprum::kernels::boolean<T>) Small(T x)
      : bits_(cuprum::kernels::narrow<Bits>(static_cast<double>(x))) {}
  Small(Raw<Bits> raw) : bits_{raw.x} {}

  operator float() const { return cuprum::kernels::widen(bits_); }
  operator Raw<Bits>() const { return {bits_.bits}; }
  template <class T>
  requires(cuprum::kernels::integer<T>) explicit operator T() const { return static_cast<T>(float(*this)); }
  explicit operator bool() const { return (bits_.bits & 0x7fff) != 0; }

  unsigned short bits() const { return bits_.bits; }
  static Small of_bits(unsigned short bits) { return Raw<Bits>{bits}; }

  friend Small operator+(Small a, Small b) { return float(a) + float(b); }
  friend Small operator-(Small a, Small b) { return float(a) - float(b); }
  friend Small operator*(Small a, Small b) { return float(a) * float(b); }
  friend Small operator/(Small a, Small b) { return float(a) / float(b); }
  friend Small operator+(Small a) { return a; }
  friend Small operator-(Small a) { return of_bits(a.bits() ^ 0x8000); }
  friend Small& operator+=(Small& a, Small b) { return a = a + b; }
  friend Small& operator-=(Small& a, Small b) { return a = a - b; }
  friend Small& operator*=(Small& a, Small b) { return a = a * b; }
  friend Small& operator/=(Small& a, Small b) { return a = a / b; }
  friend Small& operator++(Small& a) { return a = float(a) + 1; }
  friend Small& operator--(Small& a) { return a = float(a) - 1; }
  friend Small operator++(Small& a, int) {
    const Small before = a;
    ++a;
    return before;
  }
  friend Small operator--(Small& a, int) {
    const Small before = a;
    --a;
    return before;
  }
  friend bool operator==(Small a, Small b) { return float(a) == float(b); }
  friend bool operator!=(Small a, Small b) { return float(a) != float(b); }
  friend bool operator<(Small a, Small b) { return float(a) < float(b); }
  friend bool operator>(Small a, Small b) { return float(a) > float(b); }
  friend bool operator<=(Small a, Small b) { return float(a) <= float(b); }
  friend bool operator>=(Small a, Small b) { return float(a) >= float(b); }

 private:
  Bits bits_;
};

template <class Bits>
struct __attribute__((aligned(4))) Pair {
  using Number = Small<Bits>;
  Number x, y;
  Pair() = default;
  Pair(Number x, Number y) : x(x), y(y) {}

  friend Pair operator+(Pair a, Pair b) { return {a.x + b.x, a.y + b.y}; }
  friend Pair operator-(Pair a, Pair b) { return {a.x - b.x, a.y - b.y}; }
  friend Pair operator*(Pair a, Pair b) { return {a.x * b.x, a.y * b.y}; }
  friend Pair operator/(Pair a, Pair b) { return {a.x / b.x, a.y / b.y}; }
  friend Pair operator-(Pair a) { return {-a.x, -a.y}; }
  friend Pair& operator+=(Pair& a, Pair b) { return a = a + b; }
  friend Pair& operator-=(Pair& a, Pair b) { return a = a - b; }
  friend Pair& operator*=(Pair& a, Pair b) { return a = a * b; }
  friend Pair& operator/=(Pair& a, Pair b) { return a = a / b; }
  friend bool operator==(Pair a, Pair b) { return a.x == b.x && a.y == b.y; }
  friend bool operator!=(Pair a, Pair b) { return a.x != b.x && a.y != b.y; }
  friend bool operator<(Pair a, Pair b) { return a.x < b.x && a.y < b.y; }
  friend bool operator>(Pair a, Pair b) { return a.x > b.x && a.y > b.y; }
  friend bool operator<=(Pair a, Pair b) { return a.x <= b.x && a.y <= b.y; }
  friend bool operator>=(Pair a, Pair b) { return a.x >= b.x && a.y >= b.y; }
};

}  // namespace cuprum_language

// -- Functions, for both types at once. `h` is a number, `h2` a pair.
#define CUPRUM_H(...) \
  template <class B>  \
  inline cuprum_language::Small<B> __VA_ARGS__
#define CUPRUM_H2(...) \
  template <class B>   \
  inline cuprum_language::Pair<B> __VA_ARGS__
#define CUPRUM_HBOOL(...) \
  template <class B>      \
  inline bool __VA_ARGS__
#define CUPRUM_h cuprum_language::Small<B>
#define CUPRUM_h2 cuprum_language::Pair<B>

// An operation on numbers, and on the numbers of pairs.
#define CUPRUM_SMALL_2(name, name2, expression)                 \
  CUPRUM_H(name(CUPRUM_h a, CUPRUM_h b)) { return expression; } \
  CUPRUM_H2(name2(CUPRUM_h2 a, CUPRUM_h2 b)) { return {name(a.x, b.x), name(a.y, b.y)}; }
CUPRUM_SMALL_2(__hadd, __hadd2, a + b)
CUPRUM_SMALL_2(__hsub, __hsub2, a - b)
CUPRUM_SMALL_2(__hmul, __hmul2, a* b)
CUPRUM_SMALL_2(__hadd_rn, __hadd2_rn, a + b)
CUPRUM_SMALL_2(__hsub_rn, __hsub2_rn, a - b)
CUPRUM_SMALL_2(__hmul_rn, __hmul2_rn, a* b)
CUPRUM_SMALL_2(__hdiv, __h2div, a / b)
CUPRUM_SMALL_2(__hmax, __hmax2, (fmaxf(float(a), float(b))))
CUPRUM_SMALL_2(__hmin, __hmin2, (fminf(float(a), float(b))))
CUPRUM_SMALL_2(__hadd_sat, __hadd2_sat, __saturatef(float(a) + float(b)))
CUPRUM_SMALL_2(__hsub_sat, __hsub2_sat, __saturatef(float(a) - float(b)))
CUPRUM_SMALL_2(__hmul_sat, __hmul2_sat, __saturatef(float(a) * float(b)))
#undef CUPRUM_SMALL_2

CUPRUM_H(__hfma(CUPRUM_h a, CUPRUM_h b, CUPRUM_h c)) {
  return fma(static_cast<double>(float(a)), static_cast<double>(float(b)), static_cast<double>(float(c)));
}
CUPRUM_H2(__hfma2(CUPRUM_h2 a, CUPRUM_h2 b, CUPRUM_h2 c)) {
  return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}

#define CUPRUM_SMALL_1(name, name2, expression) \
  CUPRUM_H(name(CUPRUM_h a)) {                  \
    const float x = a;                          \
    return static_cast<float>(expression);      \
  }                                             \
  CUPRUM_H2(name2(CUPRUM_h2 a)) { return {name(a.x), name(a.y)}; }
CUPRUM_SMALL_1(__hneg, __hneg2, -x)
CUPRUM_SMALL_1(__habs, __habs2, fabsf(x))
CUPRUM_SMALL_1(hsqrt, h2sqrt, sqrtf(x))
CUPRUM_SMALL_1(hrsqrt, h2rsqrt, 1.0 / sqrt(static_cast<double>(x)))
CUPRUM_SMALL_1(hrcp, h2rcp, 1 / x)
CUPRUM_SMALL_1(hexp, h2exp, expf(x))
CUPRUM_SMALL_1(hexp2, h2exp2, exp2f(x))
CUPRUM_SMALL_1(hexp10, h2exp10, exp10f(x))
CUPRUM_SMALL_1(hlog, h2log, logf(x))
CUPRUM_SMALL_1(hlog2, h2log2, log2f(x))
CUPRUM_SMALL_1(hlog10, h2log10, log10f(x))
CUPRUM_SMALL_1(hsin, h2sin, sinf(x))
CUPRUM_SMALL_1(hcos, h2cos, cosf(x))
CUPRUM_SMALL_1(htanh, h2tanh, tanhf(x))
CUPRUM_SMALL_1(hceil, h2ceil, ceilf(x))
CUPRUM_SMALL_1(hfloor, h2floor, floorf(x))
CUPRUM_SMALL_1(htrunc, h2trunc, truncf(x))
CUPRUM_SMALL_1(hrint, h2rint, rintf(x))
#undef CUPRUM_SMALL_1

// Comparisons: of numbers, of pairs (1 and 0, or both), and those that hold for NaN.
#define CUPRUM_SMALL_COMPARE(name, op)                                                                 \
  CUPRUM_HBOOL(__h##name(CUPRUM_h a, CUPRUM_h b)) { return a op b; }                                   \
  CUPRUM_HBOOL(__h##name##u(CUPRUM_h a, CUPRUM_h b)) { return a op b || a != a || b != b; }            \
  CUPRUM_H2(__h##name##2(CUPRUM_h2 a, CUPRUM_h2 b)) { return {float(a.x op b.x), float(a.y op b.y)}; } \
  CUPRUM_HBOOL(__hb##name##2(CUPRUM_h2 a, CUPRUM_h2 b)) { return a.x op b.x && a.y op b.y; }
CUPRUM_SMALL_COMPARE(eq, ==)
CUPRUM_SMALL_COMPARE(ne, !=)
CUPRUM_SMALL_COMPARE(lt, <)
CUPRUM_SMALL_COMPARE(le, <=)
CUPRUM_SMALL_COMPARE(gt, >)
CUPRUM_SMALL_COMPARE(ge, >=)
#undef CUPRUM_SMALL_COMPARE
CUPRUM_HBOOL(__hisnan(CUPRUM_h a)) { return a != a; }
template <class B>
inline int __hisinf(CUPRUM_h a) {
  return __builtin_isinf_sign(float(a));
}

// The parts of a pair.
CUPRUM_H2(__lowhigh2highlow(CUPRUM_h2 a)) { return {a.y, a.x}; }
CUPRUM_H2(__lows2half2(CUPRUM_h2 a, CUPRUM_h2 b)) { return {a.x, b.x}; }
CUPRUM_H2(__highs2half2(CUPRUM_h2 a, CUPRUM_h2 b)) { return {a.y, b.y}; }
CUPRUM_H2(__low2half2(CUPRUM_h2 a)) { return {a.x, a.x}; }
CUPRUM_H2(__high2half2(CUPRUM_h2 a)) { return {a.y, a.y}; }
template <class B>
inline float __low2float(CUPRUM_h2 a) {
  return a.x;
}
template <class B>
inline float __high2float(CUPRUM_h2 a) {
  return a.y;
}
CUPRUM_H(__ldg(const CUPRUM_h* p)) { return *p; }

#undef CUPRUM_H
#undef CUPRUM_H2
#undef CUPRUM_HBOOL
#undef CUPRUM_h
#undef CUPRUM_h2

// -- Conversions, whose names tell the type: `half` or `bfloat16`; pairs are `half2` and `bfloat162`.
#define CUPRUM_SMALL_WHOLE(H, name, other, T)                                                       \
  inline T __##name##2##other##_rn(H x) { return cuprum_language::saturated<T>(rintf(float(x))); }  \
  inline T __##name##2##other##_rz(H x) { return cuprum_language::saturated<T>(truncf(float(x))); } \
  inline T __##name##2##other##_ru(H x) { return cuprum_language::saturated<T>(ceilf(float(x))); }  \
  inline T __##name##2##other##_rd(H x) { return cuprum_language::saturated<T>(floorf(float(x))); } \
  inline H __##other##2##name##_rn(T x) { return x; }                                               \
  inline H __##other##2##name(T x) { return x; }
#define CUPRUM_SMALL_CONVERSIONS(H, H2, name, name2)                                                \
  inline float __##name##2float(H x) { return x; }                                                  \
  inline H __float2##name(float x) { return x; }                                                    \
  inline H __float2##name##_rn(float x) { return x; }                                               \
  inline H __float2##name##_rd(float x) { return cuprum_language::directed<H>(x, -1); }             \
  inline H __float2##name##_ru(float x) { return cuprum_language::directed<H>(x, 1); }              \
  inline H __float2##name##_rz(float x) { return cuprum_language::directed<H>(x, x < 0 ? 1 : -1); } \
  inline H __double2##name(double x) { return x; }                                                  \
  inline H2 __float2##name2##_rn(float x) { return {x, x}; }                                        \
  inline H2 __floats2##name2##_rn(float x, float y) { return {x, y}; }                              \
  inline H2 __float22##name2##_rn(float2 a) { return {a.x, a.y}; }                                  \
  inline float2 __##name2##2float2(H2 a) { return {a.x, a.y}; }                                     \
  inline H2 __##name##2##name2(H x) { return {x, x}; }                                              \
  inline H2 make_##name2(H x, H y) { return {x, y}; }                                               \
  inline H2 __halves2##name2(H x, H y) { return {x, y}; }                                           \
  inline H __low2##name(H2 a) { return a.x; }                                                       \
  inline H __high2##name(H2 a) { return a.y; }                                                      \
  inline unsigned short __##name##_as_ushort(H x) { return x.bits(); }                              \
  inline short __##name##_as_short(H x) { return static_cast<short>(x.bits()); }                    \
  inline H __ushort_as_##name(unsigned short x) { return H::of_bits(x); }                           \
  inline H __short_as_##name(short x) { return H::of_bits(static_cast<unsigned short>(x)); }        \
  CUPRUM_SMALL_WHOLE(H, name, int, int)                                                             \
  CUPRUM_SMALL_WHOLE(H, name, uint, unsigned int)                                                   \
  CUPRUM_SMALL_WHOLE(H, name, short, short)                                                         \
  CUPRUM_SMALL_WHOLE(H, name, ushort, unsigned short)                                               \
  CUPRUM_SMALL_WHOLE(H, name, ll, long long)                                                        \
  CUPRUM_SMALL_WHOLE(H, name, ull, unsigned long long)

namespace cuprum_language {

/// x rounded up (side 1) or down (side -1).
template <class H>
inline H directed(float x, int side) {
  const H nearest = x;
  const float error = float(nearest) - x;
  if (!(side > 0 ? error < 0 : error > 0)) return nearest;
  const unsigned short bits = nearest.bits();
  if ((bits & 0x7fff) == 0) return H::of_bits(side > 0 ? 1 : 0x8001);
  return H::of_bits(static_cast<unsigned short>(((bits & 0x8000) != 0) == (side > 0) ? bits - 1 : bits + 1));
}

}  // namespace cuprum_language
