// Arrays from what a program has: other arrays, bytes, files, text, ranges.
#pragma once

#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cuprum/options.h"

namespace cuprum {

/// The array itself where it has the dtype and the order ('C', 'F', 'A', 'K'), else a copy that has.
array asarray(const array& a, std::optional<dtype> type = std::nullopt, char order = 'K');
/// The same in C order, with at least one dimension.
array ascontiguousarray(const array& a, std::optional<dtype> type = std::nullopt);
/// The same in Fortran order.
array asfortranarray(const array& a, std::optional<dtype> type = std::nullopt);

/// Which part of some bytes is read.
struct bytes_options {
  by_name named = by_name();
  std::int64_t count = -1;  // of elements; all
  std::int64_t offset = 0;  // bytes before the first
};
/// A copy of the elements that bytes are (`from_memory` shares them).
array frombuffer(std::span<const std::byte> buffer, dtype type = dtype::float64,
                 const bytes_options& options = {});
/// The elements that the bytes of a file are.
array fromfile(const std::string& path, dtype type = dtype::float64, const bytes_options& options = {});
/// The numbers of a text between separators; blanks in a separator stand for any number of them.
array fromstring(std::string_view text, std::string_view sep, dtype type = dtype::float64);

/// A vector of the values of a range.
template <std::ranges::input_range R>
array fromiter(R&& range) {
  using T = std::ranges::range_value_t<R>;
  if constexpr (std::is_same_v<T, bool>) {
    std::vector<std::uint8_t> values;
    for (const bool v : range) values.push_back(v ? 1 : 0);
    return array(values).astype(dtype::bool_);
  } else {
    std::vector<T> values;
    for (auto&& v : range) values.push_back(v);
    return array(values);
  }
}

}  // namespace cuprum
