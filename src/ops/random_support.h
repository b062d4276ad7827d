// What the files of ops/random share: a law's parameter as it was given, and NumPy's refusals.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "expr/array.h"
#include "ops/value.h"

namespace cuprum::ops {

/// A parameter as it was given: a number, or an array of float64 or int64.
struct Parameter {
  std::optional<Array> array;
  double number = 0;
  std::int64_t integer = 0;

  std::uint64_t bits(char role) const {
    return role == 'i' ? static_cast<std::uint64_t>(integer) : std::bit_cast<std::uint64_t>(number);
  }
};

/// Role i: an integer, else a real one. Throws TypeError for what cannot become that safely.
Parameter parameter_of(std::string_view law, const Value& v, char role);

/// Throws ValueError: cuprum.random.<law>: <what>.
[[noreturn]] void refuse(std::string_view law, const std::string& what);

/// The shape of rows of n elements.
inline Dims with_last(const Dims& rows, std::int64_t n) {
  Dims shape = rows;
  shape.push_back(n);
  return shape;
}

}  // namespace cuprum::ops
