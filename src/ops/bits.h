// Bits to bytes and back, along an axis or of the flattened array.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "expr/array.h"

namespace cuprum::ops {

/// Eight truth values to a byte; the last byte is filled with zeros. `bitorder`: "big" or "little".
Array packbits(const Array& a, std::optional<std::int64_t> axis = std::nullopt,
               const std::string& bitorder = "big");

/// The bits of bytes as zeros and ones. `count` is how many of them to give, with zeros where there are no more; a negative one
/// leaves so many out.
Array unpackbits(const Array& a, std::optional<std::int64_t> axis = std::nullopt,
                 std::optional<std::int64_t> count = std::nullopt, const std::string& bitorder = "big");

}  // namespace cuprum::ops
