// Arrays as text, as NumPy prints them.
#pragma once

#include <iosfwd>
#include <string>

#include "cuprum/array.h"

#if __has_include(<version>)
#include <version>
#endif
#ifdef __cpp_lib_format
#include <format>
#endif

namespace cuprum {

/// How arrays are printed; the defaults are NumPy's.
struct print_options {
  int precision = 8;              // digits behind the point, at most
  std::int64_t threshold = 1000;  // an array of more elements is shown by its ends
  int edgeitems = 3;              // how many elements of each end
  int linewidth = 75;             // columns of a line
  bool suppress = false;          // small numbers without an exponent
};

/// What `print(a)` shows in Python.
std::string array_str(const array& a, const print_options& options = {});
/// What Python shows of `a` by itself: `array([1., 2.])`.
std::string array_repr(const array& a, const print_options& options = {});

/// `array_str`.
std::ostream& operator<<(std::ostream& stream, const array& a);
/// NumPy's name of it.
std::ostream& operator<<(std::ostream& stream, dtype type);

}  // namespace cuprum

#ifdef __cpp_lib_format
/// `std::format("{}", a)` is `array_str(a)`.
template <>
struct std::formatter<cuprum::array> : std::formatter<std::string> {
  auto format(const cuprum::array& a, auto& context) const {
    return std::formatter<std::string>::format(cuprum::array_str(a), context);
  }
};
#endif
