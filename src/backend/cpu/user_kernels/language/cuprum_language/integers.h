// Functions of whole numbers, and of the bytes and bits in them.
#pragma once

inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x)); }
inline int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x)); }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }

inline unsigned __brev(unsigned x) {
  x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
  x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
  x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
  return __builtin_bswap32(x);
}
inline unsigned long long __brevll(unsigned long long x) {
  return static_cast<unsigned long long>(__brev(static_cast<unsigned>(x))) << 32 |
         __brev(static_cast<unsigned>(x >> 32));
}
/// The position of the n-th set bit of `mask`, counted from `base` on, upwards for n > 0, downwards for n < 0; ~0u: there is none.
inline unsigned __fns(unsigned mask, unsigned base, int n) {
  if (n == 0) return mask >> base & 1 ? base : ~0u;
  const int step = n > 0 ? 1 : -1;
  int left = n > 0 ? n : -n;
  for (int at = static_cast<int>(base); at >= 0 && at < 32; at += step) {
    if ((mask >> at & 1) != 0 && --left == 0) return static_cast<unsigned>(at);
  }
  return ~0u;
}

inline int __mul24(int a, int b) {
  const auto low = [](int x) {
    return static_cast<long long>(static_cast<int>(static_cast<unsigned>(x) << 8) >> 8);
  };
  return static_cast<int>(low(a) * low(b));
}
inline unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffffu) * (b & 0xffffffu); }
inline int __mulhi(int a, int b) { return static_cast<int>(static_cast<long long>(a) * b >> 32); }
inline unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>(static_cast<unsigned long long>(a) * b >> 32);
}
inline long long __mul64hi(long long a, long long b) {
  return static_cast<long long>(static_cast<__int128>(a) * b >> 64);
}
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return static_cast<unsigned long long>(static_cast<unsigned __int128>(a) * b >> 64);
}
inline int mulhi(int a, int b) { return __mulhi(a, b); }
inline unsigned umulhi(unsigned a, unsigned b) { return __umulhi(a, b); }
inline int mul24(int a, int b) { return __mul24(a, b); }
inline unsigned umul24(unsigned a, unsigned b) { return __umul24(a, b); }
inline long long mul64hi(long long a, long long b) { return __mul64hi(a, b); }
inline unsigned long long umul64hi(unsigned long long a, unsigned long long b) { return __umul64hi(a, b); }

inline unsigned __sad(int a, int b, unsigned c) {
  return c + (a > b ? static_cast<unsigned>(a) - static_cast<unsigned>(b)
                    : static_cast<unsigned>(b) - static_cast<unsigned>(a));
}
inline unsigned __usad(unsigned a, unsigned b, unsigned c) { return c + (a > b ? a - b : b - a); }
inline int __hadd(int a, int b) { return static_cast<int>((static_cast<long long>(a) + b) >> 1); }
inline int __rhadd(int a, int b) { return static_cast<int>((static_cast<long long>(a) + b + 1) >> 1); }
inline unsigned __uhadd(unsigned a, unsigned b) {
  return static_cast<unsigned>((static_cast<unsigned long long>(a) + b) >> 1);
}
inline unsigned __urhadd(unsigned a, unsigned b) {
  return static_cast<unsigned>((static_cast<unsigned long long>(a) + b + 1) >> 1);
}

inline unsigned __byte_perm(unsigned a, unsigned b, unsigned selectors) {
  const unsigned long long bytes = static_cast<unsigned long long>(b) << 32 | a;
  unsigned result = 0;
  for (int i = 0; i < 4; ++i) {
    const unsigned selector = selectors >> 4 * i & 0xf;
    unsigned byte = static_cast<unsigned>(bytes >> 8 * (selector & 7)) & 0xff;
    if (selector & 8) byte = byte & 0x80 ? 0xff : 0;
    result |= byte << 8 * i;
  }
  return result;
}

inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((static_cast<unsigned long long>(high) << 32 | low) << (shift & 31) >> 32);
}
inline unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
  return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((static_cast<unsigned long long>(high) << 32 | low) >> (shift & 31));
}
inline unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
  return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}

namespace cuprum_language {

/// The sum of products of the `parts` numbers of type T in a and U in b; those of b from number `first` on.
template <class T, class U, class R>
inline R dot(unsigned a, unsigned b, R sum, int parts, int first = 0) {
  for (int i = 0; i < parts; ++i) {
    const int bits_a = 8 * static_cast<int>(sizeof(T)), bits_b = 8 * static_cast<int>(sizeof(U));
    sum += static_cast<R>(static_cast<T>(a >> bits_a * i)) *
           static_cast<R>(static_cast<U>(b >> bits_b * (i + first)));
  }
  return sum;
}

/// f on each of the numbers of type T in a and b.
template <class T, class F>
inline unsigned each(unsigned a, unsigned b, F f) {
  constexpr int bits = 8 * static_cast<int>(sizeof(T));
  unsigned result = 0;
  for (int i = 0; i < 32; i += bits) {
    const auto part = static_cast<unsigned>(f(static_cast<T>(a >> i), static_cast<T>(b >> i)));
    result |= (part & (0xffffffffu >> (32 - bits))) << i;
  }
  return result;
}

template <class T>
inline T clamped(int x) {
  constexpr bool is_signed = static_cast<T>(-1) < 0;
  constexpr int bits = 8 * static_cast<int>(sizeof(T)) - is_signed;
  constexpr int most = (1 << bits) - 1, least = is_signed ? -most - 1 : 0;
  return static_cast<T>(x > most ? most : x < least ? least : x);
}

}  // namespace cuprum_language

inline int __dp4a(int a, int b, int c) {
  return static_cast<int>(cuprum_language::dot<signed char, signed char>(
      static_cast<unsigned>(a), static_cast<unsigned>(b), static_cast<long long>(c), 4));
}
inline unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
  return cuprum_language::dot<unsigned char, unsigned char>(a, b, c, 4);
}
inline int __dp2a_lo(int a, int b, int c) {
  return static_cast<int>(cuprum_language::dot<short, signed char>(
      static_cast<unsigned>(a), static_cast<unsigned>(b), static_cast<long long>(c), 2));
}
inline unsigned __dp2a_lo(unsigned a, unsigned b, unsigned c) {
  return cuprum_language::dot<unsigned short, unsigned char>(a, b, c, 2);
}
inline int __dp2a_hi(int a, int b, int c) {
  return static_cast<int>(cuprum_language::dot<short, signed char>(
      static_cast<unsigned>(a), static_cast<unsigned>(b), static_cast<long long>(c), 2, 2));
}
inline unsigned __dp2a_hi(unsigned a, unsigned b, unsigned c) {
  return cuprum_language::dot<unsigned short, unsigned char>(a, b, c, 2, 2);
}

// Two shorts or four bytes in a word: each function for both, signed (s) and unsigned (u).
#define CUPRUM_EACH(name, T, expression)                                                   \
  inline unsigned name(unsigned a, unsigned b) {                                           \
    return cuprum_language::each<T>(a, b, [](int x, int y) -> int { return expression; }); \
  }
#define CUPRUM_EACH_SIZE(n, S, U)                                                            \
  CUPRUM_EACH(__vadd##n, U, x + y)                                                           \
  CUPRUM_EACH(__vsub##n, U, x - y)                                                           \
  CUPRUM_EACH(__vaddss##n, S, cuprum_language::clamped<S>(x + y))                            \
  CUPRUM_EACH(__vsubss##n, S, cuprum_language::clamped<S>(x - y))                            \
  CUPRUM_EACH(__vaddus##n, U, cuprum_language::clamped<U>(x + y))                            \
  CUPRUM_EACH(__vsubus##n, U, cuprum_language::clamped<U>(x - y))                            \
  CUPRUM_EACH(__vavgs##n, S, (x + y + (x + y >= 0)) >> 1)                                    \
  CUPRUM_EACH(__vavgu##n, U, (x + y + 1) >> 1)                                               \
  CUPRUM_EACH(__vmaxs##n, S, x > y ? x : y)                                                  \
  CUPRUM_EACH(__vmaxu##n, U, x > y ? x : y)                                                  \
  CUPRUM_EACH(__vmins##n, S, x < y ? x : y)                                                  \
  CUPRUM_EACH(__vminu##n, U, x < y ? x : y)                                                  \
  CUPRUM_EACH(__vabsdiffs##n, S, x > y ? x - y : y - x)                                      \
  CUPRUM_EACH(__vabsdiffu##n, U, x > y ? x - y : y - x)                                      \
  CUPRUM_EACH(__vcmpeq##n, U, x == y ? -1 : 0)                                               \
  CUPRUM_EACH(__vcmpne##n, U, x != y ? -1 : 0)                                               \
  CUPRUM_EACH(__vcmpgts##n, S, x > y ? -1 : 0)                                               \
  CUPRUM_EACH(__vcmpgtu##n, U, x > y ? -1 : 0)                                               \
  CUPRUM_EACH(__vcmplts##n, S, x < y ? -1 : 0)                                               \
  CUPRUM_EACH(__vcmpltu##n, U, x < y ? -1 : 0)                                               \
  CUPRUM_EACH(__vcmpges##n, S, x >= y ? -1 : 0)                                              \
  CUPRUM_EACH(__vcmpgeu##n, U, x >= y ? -1 : 0)                                              \
  CUPRUM_EACH(__vcmples##n, S, x <= y ? -1 : 0)                                              \
  CUPRUM_EACH(__vcmpleu##n, U, x <= y ? -1 : 0)                                              \
  CUPRUM_EACH(__vseteq##n, U, x == y)                                                        \
  CUPRUM_EACH(__vsetne##n, U, x != y)                                                        \
  inline unsigned __vabs##n(unsigned a) {                                                    \
    return cuprum_language::each<S>(a, 0, [](int x, int) -> int { return x < 0 ? -x : x; }); \
  }                                                                                          \
  inline unsigned __vneg##n(unsigned a) { return __vsub##n(0, a); }
CUPRUM_EACH_SIZE(2, short, unsigned short)
CUPRUM_EACH_SIZE(4, signed char, unsigned char)
#undef CUPRUM_EACH_SIZE
#undef CUPRUM_EACH
