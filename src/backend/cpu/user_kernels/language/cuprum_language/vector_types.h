// char1 to double4, dim3 and their make functions.
#pragma once

#define CUPRUM_VECTORS(T, name, align2, align4)                                       \
  struct name##1 {                                                                    \
    T x;                                                                              \
  };                                                                                  \
  struct __attribute__((aligned(align2))) name##2 {                                   \
    T x, y;                                                                           \
  };                                                                                  \
  struct name##3 {                                                                    \
    T x, y, z;                                                                        \
  };                                                                                  \
  struct __attribute__((aligned(align4))) name##4 {                                   \
    T x, y, z, w;                                                                     \
  };                                                                                  \
  static inline constexpr name##1 make_##name##1(T x) { return {x}; }                 \
  static inline constexpr name##2 make_##name##2(T x, T y) { return {x, y}; }         \
  static inline constexpr name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; } \
  static inline constexpr name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }

CUPRUM_VECTORS(signed char, char, 2, 4)
CUPRUM_VECTORS(unsigned char, uchar, 2, 4)
CUPRUM_VECTORS(short, short, 4, 8)
CUPRUM_VECTORS(unsigned short, ushort, 4, 8)
CUPRUM_VECTORS(int, int, 8, 16)
CUPRUM_VECTORS(unsigned int, uint, 8, 16)
CUPRUM_VECTORS(long, long, 16, 16)
CUPRUM_VECTORS(unsigned long, ulong, 16, 16)
CUPRUM_VECTORS(long long, longlong, 16, 16)
CUPRUM_VECTORS(unsigned long long, ulonglong, 16, 16)
CUPRUM_VECTORS(float, float, 8, 16)
CUPRUM_VECTORS(double, double, 16, 16)
#undef CUPRUM_VECTORS

struct dim3 {
  unsigned int x = 1, y = 1, z = 1;
  constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1) : x(x), y(y), z(z) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return {x, y, z}; }
};
