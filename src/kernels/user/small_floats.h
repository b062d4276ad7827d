// float16 and bfloat16 without a namespace, CuPy's classes, for the texts of a program's own kernels: they compute as float and round where
// they are stored.
#pragma once

#include "kernels/jit/meanings.h"
#include "kernels/user/parameters.h"

#define CUPRUM_SMALL_FLOAT(name)                                                           \
  struct name {                                                                            \
    name() = default;                                                                      \
    CUPRUM_FN name(float x) : small_(cuprum::kernels::narrow<cuprum::kernels::name>(x)) {} \
    CUPRUM_FN operator float() const { return cuprum::kernels::widen(small_); }            \
    template <class U>                                                                     \
    CUPRUM_FN name& operator+=(const U& o) {                                               \
      return *this = name(float(*this) + o);                                               \
    }                                                                                      \
    template <class U>                                                                     \
    CUPRUM_FN name& operator-=(const U& o) {                                               \
      return *this = name(float(*this) - o);                                               \
    }                                                                                      \
    template <class U>                                                                     \
    CUPRUM_FN name& operator*=(const U& o) {                                               \
      return *this = name(float(*this) * o);                                               \
    }                                                                                      \
    template <class U>                                                                     \
    CUPRUM_FN name& operator/=(const U& o) {                                               \
      return *this = name(float(*this) / o);                                               \
    }                                                                                      \
                                                                                           \
   private:                                                                                \
    cuprum::kernels::name small_;                                                          \
  };
CUPRUM_SMALL_FLOAT(float16)
CUPRUM_SMALL_FLOAT(bfloat16)
#undef CUPRUM_SMALL_FLOAT

template <>
inline constexpr signed char cuprum_language::number_type<float16> = 9;
template <>
inline constexpr signed char cuprum_language::number_type<bfloat16> = 10;
