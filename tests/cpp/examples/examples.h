// What the examples of the C++ reference are written with. There is a file for every public header. An example begins with a
// comment that names what it is an example of, as a program writes it behind `cp::`; tools/cpp_examples.py puts it beneath these
// declarations, with `shows(expression, "text");` as `expression  // text`. The texts are NumPy's.
//
// The examples run on any device, in a folder of their own for the files that they write.
#pragma once

#include <cuprum/cuprum.h>
#include <gtest/gtest.h>

#include <charconv>
#include <concepts>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

namespace cp = cuprum;

/// A value as the page shows it: arrays as NumPy prints them, lists in braces.
template <class T>
std::string text(const T& value) {
  if constexpr (std::convertible_to<const T&, const cp::array&>) {
    return cp::array_str(value);
  } else if constexpr (std::convertible_to<const T&, std::string_view>) {
    return std::string(std::string_view(value));
  } else if constexpr (std::same_as<T, cp::dtype>) {
    return cp::name(value);
  } else if constexpr (std::same_as<T, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::is_arithmetic_v<T>) {
    char digits[32];
    return {digits, std::to_chars(digits, digits + sizeof(digits), value).ptr};
  } else {
    std::string list;
    for (const auto& item : value) list += (list.empty() ? "" : ", ") + text(item);
    return "{" + list + "}";
  }
}

/// Fails unless the value is shown so.
template <class T>
void shows(const T& value, std::string_view expected,
           const std::source_location& where = std::source_location::current()) {
  EXPECT_EQ(text(value), expected) << where.file_name() << ":" << where.line();
}
