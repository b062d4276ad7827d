// What a kernel's parameters are, for the table of a module's entries.
#pragma once

#include "cuprum_language/machine.h"

namespace cuprum_language {

/// The number of the dtype (cuprum::dtype) that holds a C++ type; -1: none does. Headers of number types add theirs.
template <class T>
inline constexpr signed char number_type = -1;
#define CUPRUM_NUMBER(T, number) \
  template <>                    \
  inline constexpr signed char number_type<T> = number;
CUPRUM_NUMBER(bool, 0)
CUPRUM_NUMBER(char, 1)
CUPRUM_NUMBER(signed char, 1)
CUPRUM_NUMBER(short, 2)
CUPRUM_NUMBER(int, 3)
CUPRUM_NUMBER(long, 4)
CUPRUM_NUMBER(long long, 4)
CUPRUM_NUMBER(unsigned char, 5)
CUPRUM_NUMBER(unsigned short, 6)
CUPRUM_NUMBER(unsigned int, 7)
CUPRUM_NUMBER(unsigned long, 8)
CUPRUM_NUMBER(unsigned long long, 8)
CUPRUM_NUMBER(float, 11)
CUPRUM_NUMBER(double, 12)

template <class T>
constexpr const char* text_of() {
  return __PRETTY_FUNCTION__;
}

template <class T>
struct Described {
  static constexpr signed char kType = [] {
    if constexpr (__is_enum(T))
      return number_type<__underlying_type(T)>;
    else
      return number_type<T>;
  }();
  static constexpr Parameter kParameter = {sizeof(T), false, false, kType, 0, text_of<T>()};
};

/// The type without const and volatile, and how many bytes it has: void and functions none.
template <class T>
struct Plain {
  using type = T;
  static constexpr bool kConstant = false;
};
template <class T>
struct Plain<const T> : Plain<T> {
  static constexpr bool kConstant = true;
};
template <class T>
struct Plain<volatile T> : Plain<T> {};
template <class T>
struct Plain<const volatile T> : Plain<const T> {};

template <class T>
struct Described<T*> {
  using To = typename Plain<T>::type;
  static constexpr bool kBytes = __is_same(To, char);  // of anything
  static constexpr unsigned kSize = [] {
    if constexpr (requires { sizeof(To); })
      return static_cast<unsigned>(sizeof(To));
    else
      return 0u;
  }();
  static constexpr Parameter kParameter = {
      sizeof(T*), true,         Plain<T>::kConstant, kBytes ? static_cast<signed char>(-1) : number_type<To>,
      kSize,      text_of<T*>()};
};

template <class T>
constexpr Parameter describe() {
  return Described<T>::kParameter;
}

}  // namespace cuprum_language
